//! The notarial act of payments: entered in the cart, carried to the order, searched, exported and extracted.

use std::io::Cursor;

use cabinet_domain::RegisterNumberRule;
use cabinet_test_kit::{PaymentKind, on_both_databases};
use calamine::{Reader, Xlsx};
use serde_json::json;

use crate::receipts::{assert_contains_all, document};

on_both_databases! {
    async fn an_act_is_carried_from_the_cart_to_the_order_and_its_extract(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let nothing = json!({ "register_number": null, "date": null, "object": null });
        assert_eq!(olena.group().await["act"], nothing);
        let client = olena.group().await["client"]["id"].clone();
        let typed = json!({
            "client_id": client, "register_number": " 1-245 ", "date": "2026-03-02",
            "object": "кв. 12, вул. Івана Франка, 5,\u{a0}м. Київ",
        });
        let stored = json!({
            "register_number": "1-245", "date": "2026-03-02", "object": "кв. 12, вул. Івана Франка, 5, м. Київ",
        });
        let version = olena.get("/cart").await.ok()["version"].as_i64().unwrap();
        assert_eq!(olena.post("/cart/act", typed).await.ok(), stored);
        assert_eq!(olena.group().await["act"], stored);
        assert!(olena.get("/cart").await.ok()["version"].as_i64().unwrap() > version);
        let order = olena.order_cart().await;
        assert_eq!(app.rows("cart_acts").await, 0);
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        assert_eq!(olena.order(&order).await["act"], stored);
        olena.get(&format!("{path}/extract")).await.refused(409, "order_not_paid");
        olena.pay(&order).await;
        let answer = olena.get(&format!("{path}/extract?lang=uk")).await;
        let text = document(&answer, &format!("Extract-{}.pdf", order["id"].as_str().unwrap()));
        assert_contains_all(&text, &[
            "Відомості про сплату для справ нотаріуса", "1-245", "02.03.2026", "кв. 12, вул. Івана Франка, 5, м. Київ",
            "Код квитанції", "Очікує передачі банку", "Сума словами", "IBAN", "підпис", "М. П.",
        ]);
        // The act is registered after the payment.
        let later = json!({ "register_number": "2/77", "object": "" });
        let answer = olena.post(&format!("{path}/act"), later).await.ok();
        assert_eq!(answer["order"]["act"], json!({ "register_number": "2/77", "date": null, "object": null }));
        let text = document(&olena.get(&format!("{path}/extract")).await, &format!("Extract-{}.pdf", order["id"].as_str().unwrap()));
        assert_contains_all(&text, &["2/77", "______"]);
        assert!(!text.contains("Івана Франка"));
        app.finish_and_check().await;
    }

    async fn an_order_is_found_by_its_act(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        let act = json!({ "client_id": client, "register_number": "№ 1-245", "object": "вул. Л. Українки, 5" });
        olena.post("/cart/act", act).await.ok();
        let order = olena.order_cart().await;
        let found = async |text: &str| {
            let body = json!({ "text": text });
            olena.post("/order/search", body).await.ok()["orders"].as_array().unwrap().len()
        };
        for text in ["1-245", "українки", "УКРAЇНКИ 245", "№1"] {
            assert_eq!(found(text).await, 1, "{text}");
        }
        let path = format!("/order/{}/act", order["id"].as_str().unwrap());
        olena.post(&path, json!({ "register_number": "300", "date": "2026-03-01" })).await.ok();
        assert_eq!((found("українки").await, found("300").await, found("01.03.2026").await), (0, 1, 1));
        let table = olena.post("/order/export", json!({ "text": "300" })).await;
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(&table.body)).unwrap();
        let sheet = book.sheet_names()[0].clone();
        let rows = book.worksheet_range(&sheet).unwrap();
        let end = |row: usize| rows.rows().nth(row).unwrap().iter().rev().skip(1).take(3).map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(end(0), ["Об’єкт", "Дата нотаріальної дії", "Реєстровий номер"]);
        assert_eq!((end(1)[0].as_str(), end(1)[2].as_str()), ("", "300"));
        assert!(end(1)[1].starts_with("2026-03-01") || end(1)[1] == "46082", "{}", end(1)[1]);
    }

    async fn wrong_fields_and_strangers_are_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        let taras = app.notary("taras").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        let wrong = json!({
            "client_id": client, "register_number": "1".repeat(41), "date": "2026-02-30", "object": "4242 4242 4242 4242",
        });
        let answer = olena.post("/cart/act", wrong.clone()).await;
        answer.refused(422, "card_number_not_accepted");
        let fields = answer.fields();
        assert_eq!(fields["register_number"], ["register_number_invalid"]);
        assert_eq!(fields["date"], ["date_invalid"]);
        assert_eq!(fields["object"], ["card_number_not_accepted"]);
        let act = json!({ "client_id": client, "object": "кв. 1" });
        taras.post("/cart/act", act.clone()).await.refused(404, "cart_group_empty");
        olena.post("/cart/act", json!({ "client_id": client, "object": 5 })).await.refused(422, "field_type_wrong");
        olena.post("/cart/act", act).await.ok();
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        taras.post(&format!("{path}/act"), json!({})).await.refused(404, "order_not_found");
        taras.get(&format!("{path}/extract")).await.refused(404, "order_not_found");
        olena.post(&format!("{path}/act"), wrong).await.refused(422, "card_number_not_accepted");
        assert_eq!(olena.order(&order).await["act"]["object"], "кв. 1");
    }

    async fn the_operator_decides_what_a_number_in_the_register_may_be(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let of_cart = async || {
            let client = olena.group().await["client"]["id"].clone();
            move |number: &str| json!({ "client_id": client, "register_number": number, "object": "кв. 1" })
        };
        let rule = olena.get("/config").await.ok()["register_number"].clone();
        assert_eq!(rule, json!({ "chars_max": 40, "marks": null }));
        let earlier = "№ 1-245 (а)";
        olena.post("/cart/act", of_cart().await(earlier)).await.ok();
        let order = olena.order_cart().await;
        olena.add(PaymentKind::RegistryPayment).await;
        olena.post("/cart/act", of_cart().await(earlier)).await.ok();
        app.restart_with(|settings| {
            settings.app.register_number = RegisterNumberRule { chars_max: 12, marks: Some("-".to_owned()) };
        })
        .await;
        let rule = olena.get("/config").await.ok()["register_number"].clone();
        assert_eq!(rule, json!({ "chars_max": 12, "marks": "-" }));
        let path = format!("/order/{}/act", order["id"].as_str().unwrap());
        let of_order = |number: &str| json!({ "register_number": number, "object": "кв. 2" });
        for wrong in ["№ 1-246", "1234567890123"] {
            for answer in [
                olena.post("/cart/act", of_cart().await(wrong)).await,
                olena.post(&path, of_order(wrong)).await,
            ] {
                answer.refused(422, "register_number_invalid");
                assert_eq!(answer.fields()["register_number"], ["register_number_invalid"]);
            }
        }
        // What is stored is shown, and does not keep the other fields from being changed.
        assert_eq!(olena.group().await["act"]["register_number"], earlier);
        assert_eq!(olena.order(&order).await["act"]["register_number"], earlier);
        olena.post("/cart/act", of_cart().await(earlier)).await.ok();
        let answer = olena.post(&path, of_order(earlier)).await.ok();
        assert_eq!(answer["order"]["act"]["object"], "кв. 2");
        for right in ["2027-0001234", "НД 17"] {
            olena.post("/cart/act", of_cart().await(right)).await.ok();
            let answer = olena.post(&path, of_order(right)).await.ok();
            assert_eq!(answer["order"]["act"]["register_number"], right);
        }
        olena.post(&path, of_order(earlier)).await.refused(422, "register_number_invalid");
    }

    async fn an_act_goes_with_its_group(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        let act = json!({ "client_id": client, "object": "кв. 1" });
        olena.post("/cart/act", act).await.ok();
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        olena.post("/cart/item/restore", json!({ "cart_item_id": item })).await.ok();
        assert_eq!(olena.group().await["act"]["object"], "кв. 1", "a deletion that was undone loses nothing");
        olena.post("/cart/act", json!({ "client_id": client })).await.ok();
        assert_eq!(app.rows("cart_acts").await, 0);
        olena.post("/cart/act", json!({ "client_id": client, "date": "2026-03-02" })).await.ok();
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        app.clock().advance_seconds(8 * 24 * 3_600);
        app.work().await;
        assert_eq!((app.rows("cart_acts").await, app.rows("cart_items").await), (0, 0));
    }

    async fn an_erased_order_keeps_no_act(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        let act = json!({ "client_id": client, "register_number": "7", "date": "2026-03-02", "object": "кв. 1" });
        olena.post("/cart/act", act).await.ok();
        let order = olena.order_cart().await;
        app.clock().advance_seconds(24 * 3_600 + 1);
        app.work().await;
        app.restart_with(|settings| settings.app.retention.anonymises_orders = true).await;
        for _ in 0..64 {
            app.clock().advance_seconds(30 * 24 * 3_600);
            app.ask_acquirer().await;
            app.work().await;
        }
        olena.log_in().await;
        let nothing = json!({ "register_number": null, "date": null, "object": null });
        assert_eq!(olena.order(&order).await["act"], nothing);
        let path = format!("/order/{}/act", order["id"].as_str().unwrap());
        olena.post(&path, json!({ "object": "кв. 1" })).await.refused(409, "order_anonymised");
        let codes = format!("/order/{}/codes", order["id"].as_str().unwrap());
        olena.post(&codes, json!({})).await.refused(409, "order_not_payable");
    }
}
