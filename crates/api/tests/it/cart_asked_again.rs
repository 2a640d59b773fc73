//! Reading the cart repeatedly returns the current cart of the right notary.

use axum::http::Method;
use cabinet_test_kit::{PaymentKind, Person, on_both_databases};
use serde_json::{Value, json};

/// Reads the cart twice and returns it; both answers must be equal.
async fn unchanged_cart(person: &Person, language: &str) -> Value {
    let ask = || {
        person
            .call(Method::GET, "/cart")
            .header("accept-language", language)
            .send()
    };
    let first = ask().await.ok();
    let second = ask().await.ok();
    assert_eq!(first, second, "nothing has changed between the two");
    second
}

on_both_databases! {
    async fn a_cart_asked_again_follows_every_change(app: TestApp) {
        let olena = app.notary("olena").await;
        let window = olena.elsewhere();
        window.log_in().await;
        assert_eq!(unchanged_cart(&olena, "uk").await, json!({ "version": 0, "items_count": 0, "groups": [] }));
        let first = olena.add(PaymentKind::RegistryPayment).await;
        assert_eq!(unchanged_cart(&olena, "uk").await["items_count"], 1);
        window.add(PaymentKind::RegistryPayment).await;
        assert_eq!(unchanged_cart(&olena, "uk").await["items_count"], 2);

        window.post("/cart/items/count", json!({ "cart_item_id": first, "new_count": 7 })).await.ok();
        assert_eq!(unchanged_cart(&olena, "uk").await["groups"][0]["items"][0]["count"], 7);
        window.post("/cart/item/delete", json!({ "cart_item_id": first })).await.ok();
        assert_eq!(unchanged_cart(&olena, "uk").await["items_count"], 1);
        window.post("/cart/item/restore", json!({ "cart_item_id": first })).await.ok();
        assert_eq!(unchanged_cart(&olena, "uk").await["items_count"], 2);
        window.order_cart().await;
        let empty = unchanged_cart(&olena, "uk").await;
        assert_eq!(empty, json!({ "version": empty["version"], "items_count": 0, "groups": [] }));
    }

    async fn a_cart_asked_again_stays_in_its_language_and_with_its_notary(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        olena.add(PaymentKind::AdminPayment).await;
        let region = |cart: &Value| cart["groups"][0]["items"][0]["payment_type_region"]["name"].clone();
        let (ukrainian, english) = (unchanged_cart(&olena, "uk").await, unchanged_cart(&olena, "en").await);
        assert_ne!(region(&ukrainian), region(&english));
        assert_eq!(unchanged_cart(&olena, "uk").await, ukrainian);
        // Both carts have the same version number.
        taras.add(PaymentKind::RegistryPayment).await;
        let his = unchanged_cart(&taras, "uk").await;
        assert_eq!(his["version"], ukrainian["version"]);
        assert_eq!(his["groups"][0]["items"][0]["payment_type"]["slug"], "registry_payment");
        assert_eq!(unchanged_cart(&olena, "uk").await, ukrainian);
    }

    async fn a_client_who_was_never_ordered_for_is_forgotten_a_day_after_the_last_payment_is_deleted(app: TestApp) {
        let olena = app.notary("olena").await;
        let last_client = "/cart/client/last";
        let item = olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.get(last_client).await.ok()["client"].clone();
        assert_ne!(client, Value::Null);
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        app.clock().advance_seconds(23 * 3_600);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.get(last_client).await.ok()["client"], client);
        app.clock().advance_seconds(3_601);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.get(last_client).await.ok()["client"], Value::Null);
        assert_eq!((app.rows("clients").await, app.rows("cart_items").await), (0, 0));
        // Whoever was ordered for stays.
        olena.add(PaymentKind::RegistryPayment).await;
        olena.order_cart().await;
        app.clock().advance_seconds(25 * 3_600);
        app.work().await;
        assert_eq!(app.rows("clients").await, 1);
    }

    async fn a_cart_asked_again_is_not_given_to_a_session_that_has_ended(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        unchanged_cart(&olena, "uk").await;
        let token = olena.access_token();
        olena.post("/auth/logout", json!({})).await.ok();
        olena.hold_access_token(&token);
        olena.get("/cart").await.refused(401, "unauthorized");
    }
}
