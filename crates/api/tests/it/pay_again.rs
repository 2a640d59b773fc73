//! Paying an order that was not paid with another saved card. Nothing is charged while the first way to pay may still take money.

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, on_both_databases,
};
use serde_json::{Value, json};

use crate::acquirer_faults::{acquirer_fault, no_reports};

const PAYS: &str = "4242424242424242";
const ASKS: &str = "4000000000003063";
const DECLINED: &str = "4000000000000002";
const BLOCKED: &str = "4000000000000069";

fn pay_path(order: &Value) -> String {
    format!("/order/{}/pay", order["id"].as_str().unwrap())
}

/// Puts a payment into the cart and pays it with a saved card.
async fn order_with(person: &Person, card: &str) -> Value {
    let token = person.save_card(card);
    person.add(PaymentKind::RegistryPayment).await;
    let mut body = person.order_body().await;
    body["token_id"] = token.into();
    person.create_order(&person.fresh_key(), &body).await.ok()["order"].clone()
}

/// Returns the request to charge a saved card.
fn by_card(token: &str) -> Value {
    json!({ "token_id": token })
}

/// Makes an order whose first card was declined on the bank's page, which is still open. Returns it with the page.
async fn declined_on_page(app: &TestApp, person: &Person) -> (Value, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    app.outside().pay(&page, DECLINED).await;
    person.until(&order, "failed").await;
    (order, page)
}

on_both_databases! {
    async fn after_a_decline_another_saved_card_pays_the_same_order(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        assert_eq!(order["status"], "failed");
        let other = olena.save_card(PAYS);
        let body = json!({ "token_id": other, "pan": "424242******4242" });
        let paid = olena.post(&pay_path(&order), body).await.ok()["order"].clone();
        assert_eq!((&paid["id"], &paid["status"]), (&order["id"], &json!("paid")));
        assert_eq!(olena.order(&order).await["pan"], "424242******4242");
        assert_eq!(app.outside().ledger().len(), 1);
        olena.post(&pay_path(&order), by_card(&other)).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn a_second_decline_names_the_second_card(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        let other = olena.save_card(BLOCKED);
        let failed = olena.post(&pay_path(&order), by_card(&other)).await.ok()["order"].clone();
        assert_eq!(failed["status"], "failed");
        let shown = olena.order(&order).await;
        assert_eq!((&shown["pan"], &shown["payment_state"]), (&json!("400000******0069"), &json!("declined")));
        assert!(app.outside().ledger().is_empty());
        app.finish_and_check().await;
    }

    async fn requests_at_once_charge_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        let other = olena.save_card(PAYS);
        let tasks: Vec<_> = (0..5)
            .map(|_| {
                let (olena, path, body) = (olena.clone(), pay_path(&order), by_card(&other));
                tokio::spawn(async move { olena.post(&path, body).await })
            })
            .collect();
        for task in tasks {
            let answer = task.await.unwrap();
            assert!([200, 409].contains(&answer.status), "{}", answer.text());
        }
        olena.until(&order, "paid").await;
        assert_eq!(app.outside().ledger().len(), 1);
        app.finish_and_check().await;
    }

    async fn an_unknown_charge_lets_no_other_card_be_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.save_card(PAYS);
        let other = olena.save_card(ASKS);
        olena.add(PaymentKind::RegistryPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = token.into();
        let mut lost = acquirer_fault(FaultKind::Status500, "wallet/payment");
        lost.effect = Some(true);
        app.outside().faults(&[lost, no_reports()]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "in_progress");
        let answer = olena.post(&pay_path(&order), by_card(&other)).await;
        assert!([409, 503].contains(&answer.status), "{}", answer.text());
        assert_eq!(app.outside().ledger().len(), 1);
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_lost_answer_about_the_second_card_leaves_the_outcome_open(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        let other = olena.save_card(PAYS);
        let mut lost = acquirer_fault(FaultKind::Status500, "wallet/payment");
        lost.effect = Some(true);
        app.outside().faults(&[lost, no_reports()]).await;
        let asked = olena.post(&pay_path(&order), by_card(&other)).await.ok()["order"].clone();
        assert_eq!(asked["status"], "in_progress");
        olena.post(&pay_path(&order), by_card(&other)).await;
        olena.until(&order, "paid").await;
        assert_eq!(app.outside().ledger().len(), 1);
        app.finish_and_check().await;
    }

    async fn an_open_page_is_closed_before_a_card_is_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = declined_on_page(&app, &olena).await;
        let token = olena.save_card(PAYS);
        let paid = olena.post(&pay_path(&order), by_card(&token)).await.ok()["order"].clone();
        assert_eq!(paid["status"], "paid");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_eq!(app.outside().ledger().len(), 1);
        app.finish_and_check().await;
    }

    async fn a_page_that_cannot_be_closed_is_given_and_no_card_is_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = declined_on_page(&app, &olena).await;
        let token = olena.save_card(PAYS);
        let mut open = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        open.path = Some("invoice/remove".to_owned());
        open.code = Some("INVOICE_ALREADY_USED".to_owned());
        app.outside().faults(&[open]).await;
        let kept = olena.post(&pay_path(&order), by_card(&token)).await.ok()["order"].clone();
        assert_eq!((&kept["status"], &kept["widget_url"]), (&json!("failed"), &json!(page)));
        assert!(app.outside().ledger().is_empty());
        app.finish_and_check().await;
    }

    async fn a_page_that_waits_for_its_payer_is_given_and_no_card_is_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let token = olena.save_card(PAYS);
        let kept = olena.post(&pay_path(&order), by_card(&token)).await.ok()["order"].clone();
        assert_eq!((&kept["status"], &kept["widget_url"]), (&json!("pending"), &order["widget_url"]));
        assert!(app.outside().ledger().is_empty());
    }

    async fn a_card_that_asks_is_confirmed_on_the_banks_page(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        let token = olena.save_card(ASKS);
        let asked = olena.post(&pay_path(&order), by_card(&token)).await.ok()["order"].clone();
        assert_eq!(asked["status"], "pending");
        app.outside().answer_three_d_secure(asked["widget_url"].as_str().unwrap(), true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn only_the_notarys_own_orders_and_cards(app: TestApp) {
        let olena = app.notary("olena").await;
        let taras = app.notary("taras").await;
        let order = order_with(&olena, DECLINED).await;
        let (own, foreign) = (olena.save_card(PAYS), taras.save_card(PAYS));
        taras.post(&pay_path(&order), by_card(&foreign)).await.refused(404, "order_not_found");
        let path = pay_path(&order);
        assert_eq!(olena.post(&path, by_card(&foreign)).await.fields()["token_id"], ["card_not_found"]);
        assert_eq!(olena.post(&path, json!({})).await.fields()["token_id"], ["field_required"]);
        assert_eq!(olena.post(&path, by_card(PAYS)).await.fields()["token_id"], ["card_number_not_accepted"]);
        let wrong = json!({ "token_id": own, "pan": "500000******0000" });
        assert_eq!(olena.post(&path, wrong).await.fields()["pan"], ["card_not_found"]);
        assert!(app.outside().ledger().is_empty());
    }

    async fn after_qr_codes_no_card_is_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = order_with(&olena, DECLINED).await;
        let codes = format!("/order/{}/codes", order["id"].as_str().unwrap());
        olena.post(&codes, json!({})).await.ok();
        let token = olena.save_card(PAYS);
        olena.post(&pay_path(&order), by_card(&token)).await.refused(409, "payment_codes_given");
        assert!(app.outside().ledger().is_empty());
    }

    async fn the_card_of_the_latest_paid_order_is_named(app: TestApp) {
        let olena = app.notary("olena").await;
        let cards = "/order/token/get-all-tokens-by-phone";
        let first = olena.save_card(PAYS);
        assert_eq!(olena.get(cards).await.ok()["last_used"], json!(null));
        order_with(&olena, PAYS).await;
        assert_eq!(olena.get(cards).await.ok()["last_used"], json!(first));
        // A declined card is not the one to begin with.
        order_with(&olena, DECLINED).await;
        assert_eq!(olena.get(cards).await.ok()["last_used"], json!(first));
        let taras = app.notary("taras").await;
        taras.save_card(PAYS);
        assert_eq!(taras.get(cards).await.ok()["last_used"], json!(null));
        app.finish_and_check().await;
    }
}
