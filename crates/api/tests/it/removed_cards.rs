//! A saved card that was removed is neither offered nor charged, and can be put back for a day; then the acquirer forgets it.

use cabinet_domain::AuditAction;
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, on_both_databases,
};
use serde_json::{Value, json};

const PAYS: &str = "4242424242424242";
const OTHER: &str = "5555555555554444";
const DECLINED: &str = "4000000000000002";
const DAY: i64 = 24 * 3_600;

/// The frame of the cards, as it is open in a browser.
struct Frame<'a> {
    person: &'a Person,
    cookie: String,
}

impl Frame<'_> {
    async fn open(person: &Person) -> Frame<'_> {
        let answer = person.get("/tokenization/cards").await.ok();
        let url = answer["cards"]["url"].as_str().unwrap().to_owned();
        let path = &url[url.find("/cards-frame").unwrap()..];
        let opened = person.page(path).await;
        let cookie = opened.header("set-cookie").split(';').next().unwrap();
        Frame {
            person,
            cookie: cookie.to_owned(),
        }
    }

    async fn page(&self) -> Answer {
        let call = self.person.page_call("/cards-frame");
        call.header("cookie", &self.cookie).send().await
    }

    /// Presses a button beside a card. Returns where that leads.
    async fn press(&self, action: &str, token: &str) -> String {
        let path = format!("/cards-frame/{action}");
        let call = self.person.page_call(&path).form(&format!("token={token}"));
        let answer = call.header("cookie", &self.cookie).send().await;
        answer.header("location").to_owned()
    }
}

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
        let frame = Frame::open(&olena).await;
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
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
        pass(&app, &olena, DAY - 60).await;
        let frame = Frame::open(&olena).await;
        assert_eq!(frame.press("restore", &token).await, RESTORED);
        assert_eq!(frame.press("delete", &token).await, DELETED);
        pass(&app, &olena, DAY + 60).await;
        // Its time is over, and the acquirer is told a little later.
        assert_eq!(Frame::open(&olena).await.press("restore", &token).await, GONE);
        assert!(!Frame::open(&olena).await.page().await.text().contains("424242"));
        assert_eq!(app.rows("removed_cards").await, 1);
        pass(&app, &olena, 600).await;
        assert_eq!(app.rows("removed_cards").await, 0);
        assert_eq!(offered(&olena).await, Vec::<Value>::new(), "the acquirer has forgotten it");
        assert_eq!(actions(&app, AuditAction::SavedCardForgotten).await, 1);
    }

    async fn while_the_acquirer_does_not_forget_it_it_stays_removed(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
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
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
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
        assert_eq!(Frame::open(&taras).await.press("delete", &token).await, GONE);
        assert_eq!(offered(&olena).await.len(), 1);
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
        assert_eq!(Frame::open(&taras).await.press("restore", &token).await, GONE);
        assert!(!Frame::open(&taras).await.page().await.text().contains("424242"));
        assert_eq!(offered(&olena).await.len(), 0);
    }

    async fn a_card_that_is_saved_again_is_there_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
        app.clock().advance_seconds(60);
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        // The bank gives a card that it knows its old token.
        app.outside().pay_and_save(order["widget_url"].as_str().unwrap(), PAYS).await;
        olena.until(&order, "paid").await;
        assert_eq!(offered(&olena).await, ["424242******4242"]);
        assert_eq!(app.rows("removed_cards").await, 0);
        pass(&app, &olena, DAY + 600).await;
        assert_eq!(offered(&olena).await.len(), 1);
        app.finish_and_check().await;
    }

    async fn a_refund_of_the_payment_that_saved_it_does_not_bring_it_back(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap();
        app.outside().pay_and_save(page, PAYS).await;
        olena.until(&order, "paid").await;
        let cards = olena.get("/order/token/get-all-tokens-by-phone").await.ok();
        let token = cards["tokens"][0]["Token"].as_str().unwrap();
        app.clock().advance_seconds(60);
        assert_eq!(Frame::open(&olena).await.press("delete", token).await, DELETED);
        app.clock().advance_seconds(60);
        app.outside().refund(page).await;
        olena.until(&order, "refunded").await;
        assert_eq!(offered(&olena).await, Vec::<Value>::new());
        assert_eq!(app.rows("removed_cards").await, 1);
        app.finish_and_check().await;
    }

    async fn a_declined_order_is_not_paid_again_by_a_removed_card(app: TestApp) {
        let olena = app.notary("olena").await;
        let declined = olena.save_card(DECLINED);
        olena.add(PaymentKind::RegistryPayment).await;
        let order = pay_with(&olena, &declined).await.ok()["order"].clone();
        let token = olena.save_card(PAYS);
        assert_eq!(Frame::open(&olena).await.press("delete", &token).await, DELETED);
        let path = format!("/order/{}/pay", order["id"].as_str().unwrap());
        olena.post(&path, json!({ "token_id": token })).await.refused(422, "card_not_found");
        app.finish_and_check().await;
    }

    async fn without_the_acquirer_nothing_is_removed(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        let frame = Frame::open(&olena).await;
        app.outside().faults(&[Fault::new(FaultService::Acquirer, FaultKind::Status500)]).await;
        assert_eq!(frame.press("delete", &token).await, "/cards-frame?failed=acquirer_unavailable");
        app.outside().faults(&[]).await;
        assert_eq!(offered(&olena).await.len(), 1);
    }
}
