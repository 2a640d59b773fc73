//! A saved card that was removed is neither offered nor charged, and can be put back for a day; then the acquirer forgets it.

use cabinet_domain::AuditAction;
use cabinet_test_kit::{
    Answer, CardsFrame, Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, eventually,
    on_both_databases,
};
use serde_json::{Value, json};

const PAYS: &str = "4242424242424242";
const OTHER: &str = "5555555555554444";
const DECLINED: &str = "4000000000000002";
const DAY: i64 = 24 * 3_600;

const DELETED: &str = "/cards-frame?done=deleted";
const RESTORED: &str = "/cards-frame?done=restored";
const GONE: &str = "/cards-frame?failed=card_not_found";

/// Returns the masks of the cards that are offered for paying.
async fn offered(person: &Person) -> Vec<Value> {
    let answer = person
        .get("/order/token/get-all-tokens-by-phone")
        .await
        .ok();
    let tokens = answer["tokens"].as_array().unwrap().iter();
    tokens.map(|card| card["MaskPan"].clone()).collect()
}

async fn pay_with(person: &Person, token: &str) -> Answer {
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    person.create_order(&person.fresh_key(), &body).await
}

async fn actions(app: &TestApp, action: AuditAction) -> i64 {
    let sql = format!(
        "select count(*) from audit_events where action = '{}'",
        action.as_str()
    );
    app.number(sql).await
}

/// Lets time pass, and the worker look for what is due.
async fn pass(app: &TestApp, person: &Person, seconds: i64) {
    app.clock().advance_seconds(seconds);
    person.log_in().await;
    app.work().await;
}

on_both_databases! {
    async fn a_removed_card_is_neither_offered_nor_charged_and_comes_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        olena.save_card(OTHER);
        olena.add(PaymentKind::RegistryPayment).await;
        let frame = CardsFrame::open(&olena).await;
        assert_eq!(frame.press("delete", &token).await, DELETED);
        assert_eq!(offered(&olena).await, ["555555******4444"]);
        pay_with(&olena, &token).await.refused(422, "card_not_found");
        assert_eq!(app.rows("orders").await, 0);
        // It is removed once.
        assert_eq!(frame.press("delete", &token).await, GONE);
        let page = frame.page().await;
        for text in ["Нещодавно видалені", "424242", "можна повернути до 03.03.2026", "aria-label=\"Повернути картку 4242\""] {
            assert!(page.text().contains(text), "{text} is not in {}", page.text());
        }
        // No table knows the token.
        assert!(!app.stores(&token).await);

        assert_eq!(frame.press("restore", &token).await, RESTORED);
        assert_eq!(frame.press("restore", &token).await, GONE);
        assert_eq!(offered(&olena).await.len(), 2);
        assert!(!frame.page().await.text().contains("Нещодавно видалені"));
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!(pay_with(&olena, &token).await.ok()["order"]["status"], "paid");
        assert_eq!(actions(&app, AuditAction::SavedCardDeleted).await, 1);
        assert_eq!(actions(&app, AuditAction::SavedCardRestored).await, 1);
        app.finish_and_check().await;
    }

    async fn after_a_day_the_acquirer_forgets_it_and_not_before(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        pass(&app, &olena, DAY - 60).await;
        let frame = CardsFrame::open(&olena).await;
        assert_eq!(frame.press("restore", &token).await, RESTORED);
        assert_eq!(frame.press("delete", &token).await, DELETED);
        pass(&app, &olena, DAY + 60).await;
        // Its time is over, and the acquirer is told a little later.
        assert_eq!(CardsFrame::open(&olena).await.press("restore", &token).await, GONE);
        assert!(!CardsFrame::open(&olena).await.page().await.text().contains("424242"));
        assert_eq!(app.rows("removed_cards").await, 1);
        pass(&app, &olena, 600).await;
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!(offered(&olena).await, Vec::<Value>::new(), "the acquirer has forgotten it");
        assert_eq!(actions(&app, AuditAction::SavedCardForgotten).await, 1);
    }

    async fn while_the_acquirer_does_not_forget_it_it_stays_removed(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        (broken.code, broken.path) = (Some("FORBIDDEN".to_owned()), Some("wallet/card".to_owned()));
        app.outside().faults(&[broken]).await;
        pass(&app, &olena, DAY + 600).await;
        assert_eq!(app.rows("removed_cards").await, 1);
        assert_eq!(offered(&olena).await, Vec::<Value>::new());
        // Not at every look.
        app.clock().advance_seconds(60);
        app.work().await;
        assert_eq!(app.rows("removed_cards").await, 1);
        pass(&app, &olena, 600).await;
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!(offered(&olena).await, Vec::<Value>::new());
    }

    async fn a_card_that_the_bank_forgot_by_itself_is_not_looked_for_any_longer(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        let mut unknown = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        (unknown.code, unknown.path) = (Some("TOKEN_NOT_FOUND".to_owned()), Some("wallet/card".to_owned()));
        app.outside().faults(&[unknown]).await;
        pass(&app, &olena, DAY + 600).await;
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!(actions(&app, AuditAction::SavedCardForgotten).await, 0);
    }

    async fn nobody_removes_or_puts_back_the_card_of_another(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&taras).await.press("delete", &token).await, GONE);
        assert_eq!(offered(&olena).await.len(), 1);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        assert_eq!(CardsFrame::open(&taras).await.press("restore", &token).await, GONE);
        assert!(!CardsFrame::open(&taras).await.page().await.text().contains("424242"));
        assert_eq!(offered(&olena).await.len(), 0);
    }

    async fn a_card_that_is_saved_again_is_there_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        app.clock().advance_seconds(60);
        let page = CardsFrame::open(&olena).await.add().await;
        // The bank gives a card that it knows its old token.
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        let is_back = async || match app.rows("removed_cards").await {
            0 => Ok(()),
            removed => Err(removed),
        };
        eventually(is_back).await.expect("the bank reports the card");
        assert_eq!(offered(&olena).await, ["424242******4242"]);
        pass(&app, &olena, DAY + 600).await;
        assert_eq!(offered(&olena).await.len(), 1);
        app.finish_and_check().await;
    }

    async fn a_declined_order_is_not_paid_again_by_a_removed_card(app: TestApp) {
        let olena = app.notary("olena").await;
        let declined = olena.save_card(DECLINED);
        olena.add(PaymentKind::RegistryPayment).await;
        let order = pay_with(&olena, &declined).await.ok()["order"].clone();
        let token = olena.save_card(PAYS);
        assert_eq!(CardsFrame::open(&olena).await.press("delete", &token).await, DELETED);
        let path = format!("/order/{}/pay", order["id"].as_str().unwrap());
        olena.post(&path, json!({ "token_id": token })).await.refused(422, "card_not_found");
        app.finish_and_check().await;
    }

    async fn without_the_acquirer_nothing_is_removed(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        let frame = CardsFrame::open(&olena).await;
        app.outside().faults(&[Fault::new(FaultService::Acquirer, FaultKind::Status500)]).await;
        assert_eq!(frame.press("delete", &token).await, "/cards-frame?failed=acquirer_unavailable");
        app.outside().faults(&[]).await;
        assert_eq!(offered(&olena).await.len(), 1);
    }
}
