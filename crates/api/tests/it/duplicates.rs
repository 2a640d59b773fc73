//! A payment that is there already is added a second time only when it is wanted twice.

use axum::http::Method;
use cabinet_test_kit::{Answer, PETRO, Payment, PaymentKind, Person, ZORIA, on_both_databases};
use serde_json::{Value, json};

const HOUR: i64 = 3_600;

/// Adds a payment as the form does: it asks before the same is added twice.
async fn add(person: &Person, payment: &Payment) -> Answer {
    let body = payment.clone().with("accept_duplicate", false).body;
    person.post("/cart/add", body).await
}

async fn in_cart(person: &Person) -> Value {
    person.get("/cart/items/count").await.ok()["items_count"].clone()
}

/// Returns what a refused addition is compared with.
fn earlier(answer: &Answer) -> Value {
    answer.refused(409, "payment_duplicate")["duplicate"].clone()
}

on_both_databases! {
    async fn the_same_payment_in_the_cart_is_asked_about_and_added_when_it_is_wanted(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RequisitesPayment).await;
        let first = add(&olena, &payment).await.ok();
        let units = json!({ "cart_item_id": first["item_id"], "new_count": 3 });
        olena.post("/cart/items/count", units).await.ok();
        let rows = app.all_rows().await;
        // Written otherwise, and for the same money.
        let again = payment
            .with("purpose", format!("Послуги за договором, {}", PETRO.inn))
            .with("client.full_name", "Гнатюк П. О.");
        let asked = earlier(&add(&olena, &again).await);
        assert_eq!(app.all_rows().await, rows, "nothing is added");
        assert_eq!((&asked["item_id"], &asked["order"]), (&first["item_id"], &json!(null)));
        assert!(asked["added_at"].is_string());
        assert_eq!(asked["earlier"], json!({
            "full_name": PETRO.full_name, "recipient_name": ZORIA.full_name,
            "purpose": format!("Оплата послуг, {}", PETRO.inn),
            "count": 3, "sum_full": 1269.26, "sum_total": 3807.78,
        }));
        assert_eq!(asked["wanted"], json!({
            "full_name": "Гнатюк П. О.", "recipient_name": ZORIA.full_name,
            "purpose": format!("Послуги за договором, {}", PETRO.inn),
            "count": 1, "sum_full": 1269.26, "sum_total": 1269.26,
        }));
        let wanted = again.with("accept_duplicate", true);
        assert_eq!(olena.post("/cart/add", wanted.body).await.ok()["items_count"], 2);
    }

    async fn another_payment_is_not_asked_about(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RequisitesPayment).await;
        add(&olena, &payment).await.ok();
        add(&olena, &payment.clone().without("sum").with("amount", 1250.51)).await.ok();
        add(&olena, &olena.form_for(PaymentKind::RequisitesPayment, ZORIA).await).await.ok();
        add(&olena, &olena.form(PaymentKind::RegistryPayment).await).await.ok();
        // Nor is that of another notary.
        let taras = app.notary("taras").await;
        add(&taras, &payment).await.ok();
        assert_eq!(in_cart(&olena).await, 4);
    }

    async fn who_does_not_ask_gets_what_was_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        olena.add_payment(&payment).await;
        olena.add_payment(&payment).await;
        assert_eq!(in_cart(&olena).await, 2);
        let wrong = payment.with("accept_duplicate", "no");
        let refused = olena.post("/cart/add", wrong.body).await;
        assert_eq!(refused.status, 422);
        assert!(!refused.fields()["accept_duplicate"].is_empty());
    }

    async fn a_removed_payment_does_not_count_and_its_undo_asks_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let first = json!({ "cart_item_id": add(&olena, &payment).await.ok()["item_id"] });
        olena.post("/cart/item/delete", first.clone()).await.ok();
        add(&olena, &payment).await.ok();
        olena.post("/cart/item/restore", first).await.ok();
        assert_eq!(in_cart(&olena).await, 2);
    }

    async fn a_payment_of_an_order_is_asked_about_for_24_hours(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        add(&olena, &payment).await.ok();
        let order = olena.order_cart().await;
        let unpaid = earlier(&add(&olena, &payment).await);
        assert_eq!((&unpaid["order"]["number"], &unpaid["order"]["status"]), (&order["number"], &json!("pending")));
        olena.pay(&order).await;
        app.clock().advance_seconds(24 * HOUR - 60);
        olena.log_in().await;
        let paid = earlier(&add(&olena, &payment).await);
        assert_eq!((&paid["order"]["id"], &paid["order"]["status"]), (&order["id"], &json!("paid")));
        app.clock().advance_seconds(120);
        add(&olena, &payment).await.ok();
        app.finish_and_check().await;
    }

    async fn an_order_that_takes_no_money_is_not_asked_about(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let cancel = async |order: &Value| {
            let path = format!("/order/{}/cancel", order["id"].as_str().unwrap());
            olena.post(&path, json!({ "return_items": false })).await.ok();
        };
        add(&olena, &payment).await.ok();
        let cancelled = olena.order_cart().await;
        cancel(&cancelled).await;
        add(&olena, &payment).await.ok();
        let refunded = olena.order_cart().await;
        olena.pay(&refunded).await;
        earlier(&add(&olena, &payment).await);
        app.outside().refund(refunded["widget_url"].as_str().unwrap()).await;
        olena.until(&refunded, "refunded").await;
        add(&olena, &payment).await.ok();
        app.finish_and_check().await;
    }

    async fn an_order_that_may_still_be_paid_is_asked_about_whatever_its_status(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        add(&olena, &payment).await.ok();
        // The page is still open: another card may be charged there.
        let declined = olena.order_cart().await;
        app.outside().pay(declined["widget_url"].as_str().unwrap(), "4000000000000002").await;
        olena.until(&declined, "failed").await;
        assert_eq!(earlier(&add(&olena, &payment).await)["order"]["status"], "failed");
        // The recipients may have been paid by the codes.
        let path = format!("/order/{}", declined["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        assert_eq!(earlier(&add(&olena, &payment).await)["order"]["number"], declined["number"]);
        olena.post(&format!("{path}/cancel"), json!({ "return_items": false })).await.ok();
        assert_eq!(earlier(&add(&olena, &payment).await)["order"]["number"], declined["number"]);
        // Without the codes it takes no money, unless that is in doubt, or nobody knows whether the payment was sent.
        let set = |values: &str| app.execute(format!("update orders set codes_given_at = null, codes_first_given_at = null, {values}"));
        set("payment_state = 'declined', failure = null").await;
        let added = add(&olena, &payment).await.ok();
        olena.post("/cart/item/delete", json!({ "cart_item_id": added["item_id"] })).await.ok();
        for values in ["payment_state = 'under_review'", "payment_state = 'declined', failure = 'payment_no_trace'"] {
            set(values).await;
            assert_eq!(earlier(&add(&olena, &payment).await)["order"]["number"], declined["number"], "{values}");
        }
        app.skip_final_check();
    }

    async fn a_lost_answer_is_not_asked_about_itself_and_one_key_serves_both_answers(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let send = async |key: &str, accept: bool| {
            let body = payment.clone().with("accept_duplicate", accept).body;
            olena.call(Method::POST, "/cart/add").header("idempotency-key", key).json(&body).send().await
        };
        let (first, second) = (olena.fresh_key(), olena.fresh_key());
        let added = send(&first, false).await.ok();
        assert_eq!(send(&first, false).await.ok(), added, "its answer was lost");
        earlier(&send(&second, false).await);
        let again = send(&second, true).await.ok();
        assert_eq!(again["items_count"], 2);
        // The page that was reloaded meanwhile asks once more.
        assert_eq!(send(&second, false).await.ok(), again);
        assert_eq!(send(&second, true).await.ok(), again);
        assert_eq!(in_cart(&olena).await, 2);
    }

    async fn of_two_windows_at_once_one_is_asked(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let (olena, payment) = (olena.clone(), payment.clone());
                tokio::spawn(async move { add(&olena, &payment).await })
            })
            .collect();
        let mut added = 0;
        for task in tasks {
            let answer = task.await.unwrap();
            if answer.status == 200 {
                added += 1;
            } else {
                earlier(&answer);
            }
        }
        assert_eq!((added, in_cart(&olena).await), (1, json!(1)));
    }

    async fn an_order_that_is_repeated_is_meant_and_asks_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        add(&olena, &olena.form(PaymentKind::RegistryPayment).await).await.ok();
        let order = olena.order_cart().await;
        let path = format!("/order/{}/repeat", order["id"].as_str().unwrap());
        olena.post(&path, json!({})).await.ok();
        assert_eq!(in_cart(&olena).await, 1);
    }
}
