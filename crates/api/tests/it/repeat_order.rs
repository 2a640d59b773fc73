//! An earlier order is repeated as a whole: all its payments go into the cart, as they cost today, or none.

use axum::http::Method;
use cabinet_test_kit::{Answer, PaymentKind, Person, on_both_databases};
use serde_json::{Value, json};

async fn repeat(person: &Person, order: &Value, key: &str) -> Answer {
    let path = format!("/order/{}/repeat", order["id"].as_str().unwrap());
    let call = person
        .call(Method::POST, &path)
        .header("idempotency-key", key);
    call.json(&json!({})).send().await
}

/// Pays for a fee of two units and for a payment to typed requisites.
async fn paid_order(person: &Person) -> Value {
    person.keep_own_account().await;
    let fee = person.add(PaymentKind::AdminPayment).await;
    person.add(PaymentKind::RequisitesPayment).await;
    person
        .post(
            "/cart/items/count",
            json!({"cart_item_id": fee, "new_count": 2}),
        )
        .await
        .ok();
    let order = person.order_cart().await;
    person.pay(&order).await;
    order
}

on_both_databases! {
    async fn all_payments_are_in_the_cart_again_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        for _ in 0..2 {
            let answer = repeat(&olena, &order, "repeat-0001").await.ok();
            assert_eq!(answer, json!({"items_count": 2, "added": 2}), "the same key adds once");
        }
        let cart = olena.get("/cart").await.ok();
        let earlier = olena.order(&order).await;
        assert_eq!(cart["groups"].as_array().unwrap().len(), 1);
        let items = cart["groups"][0]["items"].as_array().unwrap();
        for (again, paid) in items.iter().zip(earlier["items"].as_array().unwrap()) {
            for field in ["payment_type", "payment_type_option", "payment_type_requisite", "recipient_name", "iban", "okpo", "purpose", "count", "sum_full"] {
                assert_eq!(again[field], paid[field], "{field}");
            }
        }
        repeat(&olena, &order, "repeat-0002").await.ok();
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 4);
        app.finish_and_check().await;
    }

    async fn payments_whose_codes_were_given_are_repeated_only_if_nobody_paid_by_them(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        repeat(&olena, &order, "repeat-0001").await.refused(409, "payment_codes_given");
        olena.post(&format!("{path}/cancel"), json!({"return_items": false})).await.ok();
        let again = |body: Value| olena.call(Method::POST, &format!("{path}/repeat")).header("idempotency-key", "repeat-0001").json(&body).send();
        again(json!({})).await.refused(409, "payment_codes_given");
        again(json!({"despite_codes": false})).await.refused(409, "payment_codes_given");
        again(json!({"despite_codes": "yes"})).await.refused(422, "field_type_wrong");
        let bare = olena.call(Method::POST, &format!("{path}/repeat")).header("idempotency-key", "repeat-0001");
        bare.send().await.refused(409, "payment_codes_given");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0);
        for body in [json!({"despite_codes": true}), json!({})] {
            assert_eq!(again(body).await.ok(), json!({"items_count": 1, "added": 1}), "the same key adds once");
        }
        app.finish_and_check().await;
    }

    async fn a_paid_order_is_repeated_without_a_body_whatever_codes_it_had(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        let link = olena.get(&format!("{path}/update/pay-link?despite_codes=1")).await.ok();
        assert_eq!(app.outside().pay(link["widget_url"].as_str().unwrap(), "4242424242424242").await, "success");
        olena.until(&order, "paid").await;
        let bare = olena.call(Method::POST, &format!("{path}/repeat")).header("idempotency-key", "repeat-0001");
        assert_eq!(bare.send().await.ok()["added"], 1);
        app.finish_and_check().await;
    }

    async fn payments_cost_what_they_cost_today(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-03,2.5,14.00\n")).await;
        app.work().await;
        app.clock().advance_seconds(2 * 24 * 3_600);
        olena.log_in().await;
        repeat(&olena, &order, "repeat-0001").await.ok();
        let (cart, earlier) = (olena.get("/cart").await.ok(), olena.order(&order).await);
        let (again, paid) = (&cart["groups"][0]["items"][0], &earlier["items"][0]);
        assert_eq!(again["sum_base"], paid["sum_base"]);
        assert_ne!(again["commission"], paid["commission"]);
        assert_eq!(again["change"], json!(null), "it can be paid as it is");
        app.finish_and_check().await;
    }

    async fn nothing_is_added_where_one_payment_can_not_be_made_and_it_is_named(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        app.clock().advance_seconds(20 * 365 * 24 * 3_600);
        app.work().await;
        olena.log_in().await;
        let refused = repeat(&olena, &order, "repeat-0001").await.refused(409, "order_not_repeatable");
        let fee = &olena.order(&order).await["items"][0];
        let named = refused["errors"].as_object().unwrap();
        assert!(named.contains_key(&format!("items.{}", fee["id"].as_str().unwrap())), "{refused}");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0);
        app.finish_and_check().await;
    }

    async fn anothers_order_is_not_repeated_and_a_full_cart_takes_none(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let order = paid_order(&olena).await;
        repeat(&taras, &order, "repeat-0001").await.refused(404, "order_not_found");
        app.execute("update carts set items_count = 199".to_owned()).await;
        repeat(&olena, &order, "repeat-0001").await.refused(409, "cart_full");
        app.execute("update carts set items_count = 0".to_owned()).await;
        assert_eq!(olena.get("/cart").await.ok()["groups"], json!([]));
        app.finish_and_check().await;
    }
}
