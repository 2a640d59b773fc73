//! Data of another notary is answered like data that does not exist, and nothing is answered without a session.

use axum::http::Method;
use cabinet_api::openapi;
use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases, on_sqlite};
use serde_json::{Value, json};

const NOBODYS: &str = "0199aaaa-0000-7000-8000-000000000000";

/// Returns every documented call: method, path without `/api`, description.
fn calls() -> Vec<(Method, String, Value)> {
    let document = openapi();
    let mut calls = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            calls.push((
                method,
                path.trim_start_matches("/api").to_owned(),
                operation.clone(),
            ));
        }
    }
    calls
}

/// Data of a notary: an item in the cart, a pending order, a paid order with a transfer, a saved card.
struct Belongings {
    cart_item: String,
    client: String,
    pending: String,
    paid: String,
    paid_item: String,
    transfer: String,
    recipient: String,
    token: String,
}

fn recipient() -> Value {
    json!({ "title": "Оренда", "recipient_name": "ТОВ «Зоря»", "iban": "UA223052990000026001234567890", "okpo": "32855961" })
}

async fn create_belongings(app: &TestApp, person: &Person) -> Belongings {
    person.add(PaymentKind::AdminPayment).await;
    let paid = person.order_cart().await;
    let paid = person.pay(&paid).await;
    person.add(PaymentKind::RegistryPayment).await;
    let pending = person.order_cart().await;
    let cart_item = person.add(PaymentKind::RequisitesPayment).await;
    let group = person.group().await;
    assert!(!app.outside().ledger().is_empty());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let paid_id = text(&paid["id"]);
    let transfers = person
        .get(&format!("/order/{paid_id}/transfers"))
        .await
        .ok();
    let saved = person
        .post_proved("/book/recipients/save", recipient())
        .await
        .ok();
    Belongings {
        recipient: text(&saved["recipient"]["id"]),
        cart_item,
        client: text(&group["client"]["id"]),
        pending: text(&pending["id"]),
        paid: paid_id,
        paid_item: text(&paid["items"][0]["id"]),
        transfer: text(&transfers["transfers"][0]["id"]),
        token: person.save_card("4242424242424242"),
    }
}

/// Checks that all answers are the same refusal.
async fn assert_same_refusal(answers: Vec<Answer>, key: &str) {
    let first = &answers[0];
    first.refused(404, key);
    for answer in &answers[1..] {
        assert_eq!((answer.status, answer.text()), (first.status, first.text()));
    }
}

on_both_databases! {
    async fn what_is_anothers_is_not_there(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let hers = create_belongings(&app, &olena).await;
        taras.add(PaymentKind::AdminPayment).await;
        let (rows, cart) = (app.all_rows().await, olena.get("/cart").await.ok());
        let orders = olena.get("/order").await.ok();

        // Every documented call with an id in its address.
        let mut tried = 0;
        let session = olena.get("/me/sessions").await.ok()["sessions"][0]["id"].as_str().unwrap().to_owned();
        for (method, path, _) in calls().into_iter().filter(|(_, path, _)| path.contains('{')) {
            let of_session = path.starts_with("/me/sessions/");
            let of_passkey = path.starts_with("/me/passkeys/");
            let of_transfer = path.starts_with("/order/transfer/");
            let of_cart = path.starts_with("/cart/item/");
            let ids = if of_cart { vec![&hers.cart_item] } else if of_session { vec![&session] } else if of_transfer { vec![&hers.transfer] } else if path.contains("/item/") { vec![&hers.paid_item] } else { vec![&hers.paid, &hers.pending] };
            for id in ids {
                let mut answers = Vec::new();
                for id in [id.as_str(), NOBODYS, "1", "%20"] {
                    let path = path.replace("{id}", id);
                    assert!(!path.contains('{'), "{path} has an id that is not known here");
                    let call = taras.call(method.clone(), &path);
                    let call = if method == Method::GET { call } else { call.json(&json!({ "label": "Мій" })) };
                    answers.push(call.send().await);
                }
                assert_same_refusal(answers, if of_cart { "cart_item_not_found" } else if of_session { "session_unknown" } else if of_passkey { "passkey_unknown" } else { "order_not_found" }).await;
                tried += 1;
            }
        }
        assert!(tried >= 12, "{tried}");

        // Every call with an id in its body.
        for path in ["/cart/item/delete", "/cart/item/restore", "/cart/item/refresh", "/cart/item/complaint", "/cart/items/count"] {
            let body = |id: &str| json!({ "cart_item_id": id, "new_count": 2, "text": "Щось не так" });
            assert_same_refusal(vec![taras.post(path, body(&hers.cart_item)).await, taras.post(path, body(NOBODYS)).await], "cart_item_not_found").await;
        }
        for path in ["/order/receipts", "/order/receipts/archive"] {
            let body = |id: &str| json!({ "order_ids": [id] });
            assert_same_refusal(vec![taras.post(path, body(&hers.paid)).await, taras.post(path, body(NOBODYS)).await], "order_not_found").await;
        }
        let (mut saves, mut deletes, mut clients) = (Vec::new(), Vec::new(), Vec::new());
        for id in [hers.recipient.as_str(), NOBODYS] {
            let mut body = recipient();
            body["id"] = json!(id);
            saves.push(taras.post_proved("/book/recipients/save", body).await);
            deletes.push(taras.post("/book/recipients/delete", json!({ "recipient_id": id })).await);
        }
        for id in [hers.client.as_str(), NOBODYS] {
            clients.push(taras.post("/book/clients/delete", json!({ "client_id": id })).await);
        }
        assert_same_refusal(saves, "recipient_not_found").await;
        assert_same_refusal(deletes, "recipient_not_found").await;
        assert_same_refusal(clients, "client_not_found").await;
        // A code is sent for nothing of hers, and no passkey asked.
        let part = |id: &str| json!({ "transfer_id": id, "iban": "UA213223130000026007233566001", "okpo": "3068208400", "recipient_name": "ТОВ «Зоря»", "purpose": "Оплата" });
        for (field, key, ids) in [
            ("client_id", "cart_group_empty", [&*hers.client, NOBODYS]),
            ("order_id", "order_not_found", [&*hers.pending, NOBODYS]),
            ("part", "order_not_found", [&*hers.transfer, NOBODYS]),
        ] {
            let mut answers = Vec::new();
            for id in ids {
                let named = if field == "part" { part(id) } else { json!(id) };
                for path in ["/auth/confirmation", "/auth/confirmation/passkey/options"] {
                    answers.push(taras.post(path, json!({ field: named })).await);
                }
            }
            assert_same_refusal(answers, key).await;
        }
        let order = |client: &str, token: Option<&str>| json!({ "client_id": client, "locale": "uk", "token_id": token });
        let mut answers = Vec::new();
        for client in [hers.client.as_str(), NOBODYS] {
            answers.push(taras.create_order(&taras.fresh_key(), &order(client, None)).await);
        }
        assert_same_refusal(answers, "cart_group_empty").await;
        let own = taras.group().await["client"]["id"].as_str().unwrap().to_owned();
        let mut answers = Vec::new();
        for token in [hers.token.as_str(), "AAAAAAAAAAAAAAAAAAAA"] {
            answers.push(taras.create_order(&taras.fresh_key(), &order(&own, Some(token))).await);
        }
        for answer in &answers {
            answer.refused(422, "card_not_found");
        }
        assert_eq!(answers[0].text(), answers[1].text());

        // Nothing was changed by any of it.
        assert_eq!(app.all_rows().await, rows);
        assert_eq!(olena.get("/cart").await.ok(), cart);
        assert_eq!(olena.get("/order").await.ok(), orders);
        let his = taras.get("/order").await.ok();
        assert_eq!(his["orders"], json!([]));
        assert_eq!(taras.post("/order/search", json!({ "text": "Гнатюк" })).await.ok()["orders"], json!([]));
        let table = taras.post("/order/export", json!({ "text": "Гнатюк" })).await;
        assert_eq!(table.body, taras.post("/order/export", json!({ "status": "refunded" })).await.body, "nothing of hers is in it");
        assert_eq!(taras.get("/order/token/get-all-tokens-by-phone").await.ok()["tokens"], json!([]));
        app.finish_and_check().await;
    }

    async fn clients_of_different_notaries_are_different(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        for person in [&olena, &taras] {
            person.add(PaymentKind::AdminPayment).await;
        }
        assert_ne!(olena.group().await["client"]["id"], taras.group().await["client"]["id"]);
        assert_eq!(taras.get("/cart/items/count").await.ok()["items_count"], 1);
    }
}

on_sqlite! {
    async fn every_call_that_names_an_id_is_tried_above(app: TestApp) {
        let document = openapi();
        let mut ids: Vec<&str> = Vec::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            if name.ends_with("Request") {
                let members = schema["properties"].as_object().unwrap();
                ids.extend(members.keys().map(String::as_str).filter(|member| member.ends_with("id") || member.ends_with("_ids")));
            }
        }
        ids.sort_unstable();
        ids.dedup();
        // Reference data belongs to no notary, and ids of logins are covered by the tests of codes.
        let of_everybody = ["kind_id", "payment_type_id", "payment_type_option_id", "payment_type_option_term_id", "payment_type_region_id", "payment_type_requisite_id"];
        let of_logins = ["operation_id", "transaction_id"];
        ids.retain(|id| !of_everybody.contains(id) && !of_logins.contains(id));
        assert_eq!(ids, ["cart_item_id", "client_id", "id", "order_id", "order_ids", "recipient_id", "token_id", "transfer_id"]);
        drop(app);
    }

    async fn without_a_session_nothing_is_answered(app: TestApp) {
        let stranger = app.anonymous();
        // Whose token is still good, but whose session has ended.
        let gone = app.notary("olena").await;
        let token = gone.access_token();
        gone.post("/auth/logout", json!({})).await.ok();
        gone.hold_access_token(&token);
        let open = ["/auth/login", "/auth/login/otp", "/auth/login/otp/custom", "/auth/login/phone-call/verify", "/auth/login/passkey", "/auth/login/passkey/options", "/auth/sign-up", "/auth/refresh", "/auth/logout", "/config", "/cntr/tkn"];
        let mut closed = 0;
        for (method, path, operation) in calls() {
            let needs_token = operation["security"].is_array();
            assert_eq!(needs_token, !open.contains(&path.as_str()), "{method} {path}");
            if !needs_token {
                continue;
            }
            for person in [&stranger, &gone] {
                let call = person.call(method.clone(), &path.replace("{id}", NOBODYS));
                call.json(&json!({})).send().await.refused(401, "unauthorized");
            }
            closed += 1;
        }
        assert!(closed >= 27, "{closed}");
    }

    async fn nothing_is_added_to_a_session_that_has_ended(app: TestApp) {
        let olena = app.notary("olena").await;
        let elsewhere = olena.elsewhere();
        elsewhere.log_in().await;
        let payment = olena.form(PaymentKind::RequisitesPayment).await;
        let add = |key: Option<&str>| {
            let call = olena.call(Method::POST, "/cart/add");
            key.into_iter().fold(call, |call, key| call.header("idempotency-key", key)).json(&payment.body).send()
        };
        let (known, fresh) = (olena.fresh_key(), olena.fresh_key());
        add(Some(&known)).await.ok();
        let token = olena.access_token();
        olena.post("/auth/logout", json!({})).await.ok();
        olena.hold_access_token(&token);
        // With a new key, a used one, an invalid one, and without.
        for key in [Some(fresh.as_str()), Some(&known), Some("?"), None] {
            add(key).await.refused(401, "unauthorized");
        }
        assert_eq!(elsewhere.get("/cart").await.ok()["items_count"], 1);
    }

    async fn steps_of_an_order_cannot_be_skipped(app: TestApp) {
        let olena = app.notary("olena").await;
        // Nothing in the cart, nothing to order; an order's id is no group.
        let answer = olena.create_order(&olena.fresh_key(), &json!({ "client_id": NOBODYS })).await;
        answer.refused(404, "cart_group_empty");
        let item = olena.add(PaymentKind::AdminPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        olena.create_order(&olena.fresh_key(), &json!({ "client_id": client })).await.refused(404, "cart_group_empty");
        olena.post("/cart/item/restore", json!({ "cart_item_id": item })).await.ok();
        let order = olena.order_cart().await;
        olena.create_order(&olena.fresh_key(), &json!({ "client_id": order["id"] })).await.refused(404, "cart_group_empty");
        // Cart calls don't reach an ordered item.
        for path in ["/cart/item/delete", "/cart/item/restore", "/cart/item/refresh", "/cart/items/count"] {
            olena.post(path, json!({ "cart_item_id": item, "new_count": 5 })).await.refused(404, "cart_item_not_found");
        }
        assert_eq!(olena.order(&order).await["sum"], 350);
    }
}
