//! Repeated requests with one key make one order and one invoice, or one item.

use axum::http::Method;
use cabinet_test_kit::{PETRO, Payment, PaymentKind, Person, ZORIA, counted, on_both_databases};
use serde_json::{Value, json};

/// Sends an order with each of the keys at the same time.
async fn at_once(person: &Person, keys: &[String], body: &Value) -> Vec<cabinet_test_kit::Answer> {
    let tasks: Vec<_> = keys
        .iter()
        .map(|key| {
            let (person, key, body) = (person.clone(), key.clone(), body.clone());
            tokio::spawn(async move { person.create_order(&key, &body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

on_both_databases! {
    async fn five_clicks_at_once_get_the_same_answer_and_make_one_order(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        let keys = vec![olena.fresh_key(); 5];
        let answers = at_once(&olena, &keys, &body).await;
        let first = answers[0].ok();
        assert_eq!(first["order"]["status"], "pending");
        for answer in &answers {
            assert_eq!(answer.ok(), first);
        }
        assert_eq!(app.rows("orders").await, 1);
        assert_eq!(app.rows("attempts").await, 1);
        assert_eq!(app.outside().invoices().await.len(), 1);
        olena.pay(&first["order"]).await;
        app.finish_and_check().await;
    }

    async fn a_repeat_after_a_restart_gets_the_first_answer(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        let first = olena.create_order(&key, &body).await.ok();
        app.restart().await;
        assert_eq!(olena.create_order(&key, &body).await.ok(), first);
        assert_eq!(app.outside().invoices().await.len(), 1);
        // After payment, the same order is returned with its current status.
        olena.pay(&first["order"]).await;
        let later = olena.create_order(&key, &body).await.ok();
        assert_eq!((&later["order"]["id"], &later["order"]["status"]), (&first["order"]["id"], &json!("paid")));
        app.finish_and_check().await;
    }

    async fn a_key_with_another_content_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        olena.create_order(&key, &body).await.ok();
        for (field, value) in [("locale", json!("en")), ("sum", json!(1)), ("sum", Value::Null), ("token_id", json!("ABCDEFGH"))] {
            let mut other = body.clone();
            other[field] = value;
            olena.create_order(&key, &other).await.refused(409, "idempotency_key_reused");
        }
        olena.add(PaymentKind::AdminPayment).await;
        let other = json!({ "client_id": "0199aaaa-0000-7000-8000-000000000000", "locale": "uk", "sum": body["sum"] });
        olena.create_order(&key, &other).await.refused(409, "idempotency_key_reused");
        assert_eq!(app.rows("orders").await, 1);
    }

    async fn a_second_tab_is_led_to_the_order_that_exists(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        let first = olena.create_order(&olena.fresh_key(), &body).await.ok();
        let second = olena.create_order(&olena.fresh_key(), &body).await.refused(409, "cart_already_ordered");
        assert_eq!(second["order"], first["order"]);
        assert_eq!(app.outside().invoices().await.len(), 1);
    }

    async fn of_five_tabs_at_once_one_makes_the_order(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        let keys: Vec<String> = (0..5).map(|_| olena.fresh_key()).collect();
        let answers = at_once(&olena, &keys, &body).await;
        let made: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(made.len(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            let refusal = answer.refused(409, "cart_already_ordered");
            assert_eq!(refusal["order"]["id"], made[0].json()["order"]["id"]);
        }
        assert_eq!(app.rows("orders").await, 1);
        assert_eq!(app.outside().invoices().await.len(), 1);
        olena.pay(&made[0].json()["order"]).await;
        app.finish_and_check().await;
    }

    async fn a_key_belongs_to_its_notary(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        for person in [&olena, &taras] {
            person.add(PaymentKind::AdminPayment).await;
        }
        let of_olena = olena.create_order("the-same-key", &olena.order_body().await).await.ok();
        let of_taras = taras.create_order("the-same-key", &taras.order_body().await).await.ok();
        assert_ne!(of_olena["order"]["id"], of_taras["order"]["id"]);
    }

    async fn a_key_must_be_one(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        for key in ["", "short", &"x".repeat(101), "with a space", "ключ-ключ"] {
            let answer = olena.create_order(key, &body).await;
            answer.refused(422, "idempotency_key_invalid");
            assert!(answer.fields().contains_key("Idempotency-Key"), "{key}");
        }
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
    }

    async fn a_key_may_look_like_anything_and_is_not_stored(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        // A random UUID with sixteen digits in four groups, and a card number in one run.
        for key in ["aaaa4242-4242-4242-4242-aaaaaaaaaaaa", "4242424242424242"] {
            olena.call(Method::POST, "/cart/add").header("idempotency-key", key).json(&payment.body).send().await.ok();
            let order = olena.create_order(key, &olena.order_body().await).await.ok();
            assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0);
            assert!(!app.stores(key).await, "{key}");
            olena.pay(&order["order"]).await;
        }
        app.finish_and_check().await;
    }

    async fn without_a_key_a_group_is_ordered_once_all_the_same(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let body = olena.order_body().await;
        let order = olena.post("/order/create", body.clone()).await.ok();
        let again = olena.post("/order/create", body).await;
        assert_eq!(again.refused(409, "cart_already_ordered")["order"]["id"], order["order"]["id"]);
        assert_eq!(app.rows("orders").await, 1);
    }

    async fn groups_are_ordered_one_by_one(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add_payment(&olena.form_for(PaymentKind::AdminPayment, PETRO).await).await;
        olena.add_payment(&olena.form_for(PaymentKind::RegistryPayment, ZORIA).await).await;
        olena.add_payment(&olena.form_for(PaymentKind::AdminPayment, PETRO).await).await;
        let cart = olena.get("/cart").await.ok();
        assert_eq!(cart["items_count"], 3);
        assert_eq!(cart["groups"].as_array().unwrap().len(), 2);
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 700);
        let left = olena.get("/cart").await.ok();
        assert_eq!((&left["items_count"], &left["groups"][0]["client"]["inn"]), (&json!(1), &json!(ZORIA.inn)));
        olena.pay(&order).await;
        assert_eq!(app.rows("order_items").await, 2);
        app.finish_and_check().await;
    }

    async fn a_payment_that_is_sent_again_with_its_key_is_added_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let taras = app.notary("taras").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let add = |person: &Person, key: &str| {
            let call = person.call(Method::POST, "/cart/add").header("idempotency-key", key);
            let body = payment.body.clone();
            async move { call.json(&body).send().await }
        };
        let key = olena.fresh_key();
        let tasks: Vec<_> = (0..5).map(|_| tokio::spawn(add(&olena, &key))).collect();
        let mut answers = Vec::new();
        for task in tasks {
            answers.push(task.await.unwrap().ok());
        }
        for answer in &answers {
            assert_eq!((answer, &answer["items_count"]), (&answers[0], &json!(1)));
        }
        // Another key adds another payment; keys of another notary are independent.
        assert_eq!(add(&olena, &olena.fresh_key()).await.ok()["items_count"], 2);
        assert_eq!(add(&taras, &key).await.ok()["items_count"], 1);
        assert_eq!(app.rows("cart_items").await, 3);
        // A deleted item stays deleted.
        olena.post("/cart/item/delete", json!({ "cart_item_id": answers[0]["item_id"] })).await.ok();
        assert_eq!(add(&olena, &key).await.ok(), answers[0]);
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
        // An ordered item stays in its order and does not return to the cart.
        olena.post("/cart/item/restore", json!({ "cart_item_id": answers[0]["item_id"] })).await.ok();
        olena.order_cart().await;
        assert_eq!(add(&olena, &key).await.ok(), answers[0]);
        assert_eq!(app.rows("cart_items").await, 1, "only that of the other notary");
        let refused = add(&olena, "short").await.refused(422, "idempotency_key_invalid");
        assert!(refused["errors"]["Idempotency-Key"].is_array());
    }

    async fn a_key_of_a_payment_with_another_content_is_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RequisitesPayment).await;
        let key = olena.fresh_key();
        let add = async |payment: &Payment| {
            olena.call(Method::POST, "/cart/add").header("idempotency-key", &key).json(&payment.body).send().await
        };
        let added = add(&payment).await.ok();
        let others = [
            payment.clone().with("client.full_name", "Лисенко Марія"),
            payment.clone().with("amount", 1250),
            payment.clone().with("purpose", "Оплата інших послуг, 3652504575"),
            payment.clone().with("cbc_code", "22090100"),
            payment.clone().without("sum"),
            payment.clone().with("requisites_template", json!([])),
        ];
        for other in &others {
            add(other).await.refused(409, "idempotency_key_reused");
        }
        assert_eq!(add(&payment).await.ok(), added);
        assert_eq!(app.rows("cart_items").await, 1);
    }

    async fn no_way_into_the_cart_passes_by_its_limits(app: TestApp) {
        let olena = app.notary("olena").await;
        let add = async |payment: &Payment, key: &str| {
            olena.call(Method::POST, "/cart/add").header("idempotency-key", key).json(&payment.body).send().await
        };
        // Together they exceed the largest sum.
        let large = olena.form(PaymentKind::RequisitesPayment).await.without("sum").with("amount", 600_000_000);
        let first = add(&large, "the-first-key").await.ok()["item_id"].clone();
        olena.post("/cart/item/delete", json!({ "cart_item_id": first })).await.ok();
        let second = add(&large, "the-second-key").await.ok()["item_id"].clone();
        add(&large, "the-first-key").await.ok();
        let undo = olena.post("/cart/item/restore", json!({ "cart_item_id": first })).await;
        undo.refused(422, "amount_invalid");
        assert_eq!(olena.get("/cart").await.ok()["groups"][0]["items"][0]["id"], second);
        olena.post("/cart/item/delete", json!({ "cart_item_id": second })).await.ok();

        let small = olena.form(PaymentKind::RegistryPayment).await;
        let deleted = olena.add_payment(&small).await;
        olena.post("/cart/item/delete", json!({ "cart_item_id": deleted })).await.ok();
        for _ in 0..200 {
            olena.add_payment(&small).await;
        }
        let (full, asked) = counted(olena.post("/cart/add", small.body.clone())).await;
        full.refused(409, "cart_full");
        // Undoing a change alone takes the units of work beside it to run again there.
        let is_change = |sql: &String| ["insert", "update"].iter().any(|word| sql.trim_start().starts_with(word));
        let changes: Vec<_> = asked.statements.iter().filter(|sql| is_change(sql)).collect();
        assert!(!app.services().store.is_sqlite() || changes.is_empty(), "{changes:?}");
        let undo = olena.post("/cart/item/restore", json!({ "cart_item_id": deleted })).await;
        undo.refused(409, "cart_full");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 200);
    }

    async fn parallel_changes_of_a_cart_are_all_kept(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RegistryPayment).await;
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let (olena, payment) = (olena.clone(), payment.clone());
                tokio::spawn(async move { olena.add_payment(&payment).await })
            })
            .collect();
        let mut items = Vec::new();
        for task in tasks {
            items.push(task.await.unwrap());
        }
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 10);
        let tasks: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let (olena, item) = (olena.clone(), item.clone());
                tokio::spawn(async move {
                    if index < 4 {
                        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
                    } else {
                        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 3 })).await.ok();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let cart = olena.get("/cart").await.ok();
        assert_eq!(cart["items_count"], 6);
        assert_eq!(cart["groups"][0]["amount"], 6 * 3 * 90);
        // A deleted item is restored unchanged.
        olena.post("/cart/item/restore", json!({ "cart_item_id": items[0] })).await.ok();
        assert_eq!(olena.get("/cart").await.ok()["groups"][0]["amount"], 19 * 90);
    }
}
