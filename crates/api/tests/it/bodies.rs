//! Malformed input is refused with the right key and changes nothing.

use axum::http::Method;
use cabinet_test_kit::{PaymentKind, on_both_databases, on_sqlite};
use serde_json::{Value, json};

/// Every call that takes a body.
const CALLS: [&str; 17] = [
    "/auth/login",
    "/auth/login/otp",
    "/auth/login/otp/custom",
    "/auth/login/phone-call/verify",
    "/auth/sign-up",
    "/me",
    "/cart/add",
    "/cart/item/delete",
    "/cart/item/restore",
    "/cart/item/refresh",
    "/cart/item/edit",
    "/cart/item/complaint",
    "/cart/items/count",
    "/cart/sheet/read",
    "/cart/sheet/choices",
    "/cart/sheet/add",
    "/order/create",
];

on_sqlite! {
    async fn what_is_no_json_object_cannot_be_read(app: TestApp) {
        let olena = app.notary("olena").await;
        let before = app.all_rows().await;
        let deep = format!("{}{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
        let bodies: [&[u8]; 13] = [
            b"",
            b"{",
            b"{\"phone\": }",
            b"[]",
            b"[{\"phone\": \"+380501110001\"}]",
            b"\"text\"",
            b"17",
            b"null",
            b"true",
            b"{\"sum\": NaN}",
            b"{\"phone\": \"\xff\xfe\"}",
            b"{} {}",
            deep.as_bytes(),
        ];
        for path in CALLS.iter().chain(["/order/search", "/auth/sign-up/verify"].iter()) {
            for body in bodies {
                let answer = olena.call(Method::POST, path).bytes(body.to_vec()).send().await;
                answer.refused(400, "body_unreadable");
                assert!(answer.fields().is_empty());
            }
        }
        assert_eq!(app.all_rows().await, before);
    }

    async fn a_body_with_a_key_twice_cannot_be_read(app: TestApp) {
        let olena = app.notary("olena").await;
        let before = app.all_rows().await;
        let bodies: [&[u8]; 6] = [
            br#"{"phone": "+380501110001", "phone": "+380501110002"}"#,
            br#"{"sum": 1.50, "sum": 1.50}"#,
            br#"{"client": {"inn": "3652504575", "inn": "3184710691"}}"#,
            br#"{"rows": [1, null, true, -2, {"iban": {}, "sum": 1, "iban": {}}]}"#,
            br#"{"phone": "+380501110001", "\u0070hone": "+380501110002"}"#,
            br#"{"nobody knows": 1, "nobody knows": 2}"#,
        ];
        for path in CALLS {
            for body in bodies {
                let answer = olena.call(Method::POST, path).bytes(body.to_vec()).send().await;
                answer.refused(400, "body_unreadable");
                assert!(answer.fields().is_empty());
            }
        }
        // In another object it is another key.
        let body = br#"{"client": {"phone": {"phone": 1.5}}, "phone": "1", "rows": [{"phone": 1}, {"phone": 1}]}"#;
        olena.call(Method::POST, "/auth/login").bytes(body.to_vec()).send().await.refused(422, "phone_incorrect");
        assert_eq!(app.all_rows().await, before);
    }

    async fn a_body_that_does_not_say_it_is_json_is_not_read(app: TestApp) {
        // A form of another site can send text, but not as JSON; it must not start a login.
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let body = json!({ "phone": olena.phone(), "otp_code": olena.code(), "operation_id": operation });
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            let answer = olena.call(Method::POST, "/auth/login/otp").json(&body).header("content-type", kind).send().await;
            answer.refused(400, "body_unreadable");
            assert_eq!(answer.cookie("refresh_token"), None);
        }
        olena.call(Method::POST, "/auth/login/otp").json(&body).without("content-type").send().await.refused(400, "body_unreadable");
        olena.call(Method::POST, "/auth/login/otp").json(&body).header("content-type", "application/json; charset=utf-8").send().await.ok();
    }

    async fn a_megabyte_is_too_much(app: TestApp) {
        let olena = app.notary("olena").await;
        let before = app.all_rows().await;
        let body = json!({ "text": "я".repeat(512 * 1024) }).to_string().into_bytes();
        for path in CALLS {
            olena.call(Method::POST, path).bytes(body.clone()).send().await.refused(413, "body_too_large");
        }
        let just_too_much = format!("{{\"text\": \"{}\"}}", "x".repeat(64 * 1024));
        olena.call(Method::POST, "/cart/add").bytes(just_too_much.into_bytes()).send().await.refused(413, "body_too_large");
        assert_eq!(app.all_rows().await, before);
    }

    async fn a_wrong_type_is_named_and_hides_no_other_fault(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::AdminPayment).await;
        for field in ["client", "client.inn", "client.full_name", "payment_type_id", "payment_type_option_id", "payment_type_region_id", "payment_type_requisite_id", "payment_type_option_term_id", "amount", "sum", "iban", "okpo", "recipient_name", "purpose", "requisites_template", "cbc_code"] {
            for wrong in [json!([1]), json!(true)] {
                let answer = olena.post("/cart/add", form.clone().with(field, wrong.clone()).body).await;
                assert_eq!(answer.status, 422, "{field} = {wrong}: {}", answer.text());
                assert_eq!(answer.fields()[field], ["field_type_wrong"], "{field} = {wrong}");
            }
        }
        for scalar in [json!("ТОВ «Ранкова зоря»"), json!(3652504575_i64), json!(1.5), json!(false), json!("")] {
            let answer = olena.post("/cart/add", form.clone().with("client", scalar.clone()).body).await;
            answer.refused(422, "field_type_wrong");
            assert_eq!(answer.fields().into_iter().collect::<Vec<_>>(), [("client".to_owned(), vec!["field_type_wrong".to_owned()])], "{scalar}");
        }
        for (path, body, fields) in [
            ("/auth/login", json!({ "phone": 380501110001_i64, "is_agree_with_terms": "yes" }), vec!["is_agree_with_terms", "phone"]),
            ("/auth/login/otp", json!({ "phone": {}, "otp_code": 1234, "operation_id": [] }), vec!["operation_id", "otp_code", "phone"]),
            ("/auth/sign-up", json!({ "phone": 1, "full_name": 2, "registry_identifier": 3, "is_agreed": 4 }), vec!["full_name", "is_agreed", "phone", "registry_identifier"]),
            ("/me", json!({ "full_name": 1, "registry_identifier": 2, "email": [], "card_pan": 4242424242424242_i64 }), vec!["card_pan", "email", "full_name", "registry_identifier"]),
            ("/cart/items/count", json!({ "cart_item_id": 1, "new_count": "2" }), vec!["cart_item_id", "new_count"]),
            ("/cart/item/delete", json!({ "cart_item_id": {} }), vec!["cart_item_id"]),
            ("/order/search", json!({ "text": 5, "limit": "10", "before": 1, "status": [], "from": 2026, "to": {} }), vec!["before", "from", "limit", "status", "text", "to"]),
        ] {
            let answer = olena.post(path, body).await;
            answer.refused(422, "field_type_wrong");
            assert_eq!(answer.fields().into_keys().collect::<Vec<_>>(), fields, "{path}");
        }
    }

    async fn sums_that_are_none_are_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await.without("sum");
        let before = app.all_rows().await;
        for text in ["0", "-0", "-1", "-0.01", "0.001", "12.345", "1.000", "100.0000000000000000000000001", "1e2", "1E0", "1e40", "1e400", "1000000000", "99999999999999999999"] {
            let value: Value = serde_json::from_str(text).unwrap();
            let answer = olena.post("/cart/add", form.clone().with("amount", value).body).await;
            let fields = answer.fields().into_iter().collect::<Vec<_>>();
            assert_eq!(fields, [("amount".to_owned(), vec!["amount_invalid".to_owned()])], "{text}");
        }
        for (path, body) in [("/cart/add", form.clone().with("sum", json!(0.001)).body), ("/order/create", json!({ "client_id": "0199aaaa-0000-7000-8000-000000000000", "sum": 0.001 }))] {
            assert_eq!(olena.post(path, body).await.fields()["sum"], ["amount_invalid"], "{path}");
        }
        for wrong in [json!("12.50"), json!({}), json!([1]), json!(true)] {
            let answer = olena.post("/cart/add", form.clone().with("amount", wrong.clone()).body).await;
            let fields = answer.fields().into_iter().collect::<Vec<_>>();
            assert_eq!(fields, [("amount".to_owned(), vec!["field_type_wrong".to_owned()])], "{wrong}");
        }
        assert_eq!(app.all_rows().await, before);
        for (text, stored) in [("0.01", "0.01"), ("100", "100"), ("12.50", "12.5"), ("0.1", "0.1")] {
            let value: Value = serde_json::from_str(text).unwrap();
            let item = olena.add_payment(&form.clone().with("amount", value)).await;
            let items = olena.group().await["items"].as_array().unwrap().clone();
            let found = items.iter().find(|known| known["id"] == item).unwrap();
            assert_eq!(found["sum_base"].to_string(), stored);
        }
    }

    async fn counts_that_are_none_are_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RegistryPayment).await;
        for (count, key) in [(json!(0), "count_invalid"), (json!(-1), "count_invalid"), (json!(1_000), "count_invalid"), (json!(null), "count_invalid"), (json!(1.5), "count_invalid"), (json!(u64::MAX), "count_invalid"), (json!("2"), "field_type_wrong")] {
            let answer = olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": count })).await;
            assert_eq!(answer.fields()["new_count"], [key], "{count}");
        }
        assert_eq!(olena.group().await["items"][0]["count"], 1);
        let changed = olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 999 })).await.ok();
        assert_eq!(changed, json!({ "items_count": 1, "count": 999, "sum_total": 999 * 90 }));
    }

    async fn what_a_call_cannot_do_without_is_named(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let refused = olena.create_order(&olena.fresh_key(), &json!({ "locale": "de" })).await;
        assert_eq!(refused.status, 422);
        let fields = refused.fields();
        assert_eq!(
            (&fields["client_id"][0], &fields["locale"][0]),
            (&"field_required".to_owned(), &"locale_invalid".to_owned())
        );
        for call in ["/cart/item/delete", "/cart/item/restore", "/cart/item/refresh", "/cart/item/edit", "/cart/items/count"] {
            let answer = olena.post(call, json!({ "new_count": 2 })).await;
            assert_eq!((answer.status, &answer.fields()["cart_item_id"]), (422, &vec!["field_required".to_owned()]), "{call}");
        }
        let answer = olena.get("/tokenization/cards?language=de").await;
        assert_eq!((answer.status, &answer.fields()["language"]), (422, &vec!["locale_invalid".to_owned()]));
    }

    async fn queries_that_make_no_sense_are_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        for (query, field, key) in [
            ("limit=0", "limit", "number_invalid"),
            ("limit=101", "limit", "number_invalid"),
            ("limit=-1", "limit", "number_invalid"),
            ("limit=ten", "limit", "number_invalid"),
            ("before=1", "before", "id_invalid"),
            ("status=done", "status", "status_invalid"),
            ("from=31.12.2025", "from", "date_invalid"),
            ("to=2025-02-30", "to", "date_invalid"),
            ("from=2026-02-02&to=2026-02-01", "to", "period_invalid"),
        ] {
            let answer = olena.get(&format!("/order?{query}")).await;
            assert_eq!(answer.status, 422, "{query}");
            assert_eq!(answer.fields()[field], [key], "{query}");
        }
        olena.get("/order?limit=100&status=paid&from=2026-01-01&to=2026-12-31").await.ok();
        olena.get("/order?limit=&status=&from=&to=&before=").await.ok();
    }
}

on_both_databases! {
    async fn marks_that_no_text_has_are_refused_everywhere(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RegistryPayment).await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let before = app.all_rows().await;
        // NUL, a control character, direction marks and overrides, a private-use character.
        for mark in ["\0", "\u{7}", "\u{1b}[31m", "\u{202e}", "\u{2067}", "\u{61c}", "\u{fffe}", "\u{e000}", "\u{e0041}"] {
            let text = format!("Гнатюк{mark}Петро");
            for field in ["client.full_name", "recipient_name"] {
                let answer = olena.post("/cart/add", form.clone().with(field, text.as_str()).body).await;
                assert_eq!(answer.status, 422, "{field} {mark:?}: {}", answer.text());
                assert_eq!(answer.fields()[field], ["text_invalid"], "{field} {mark:?}");
            }
            let purpose = format!("Оплата {mark}3652504575");
            let answer = olena.post("/cart/add", form.clone().with("purpose", purpose).body).await;
            assert_eq!(answer.fields()["purpose"], ["text_invalid"], "{mark:?}");
            for (field, text) in [("client.inn", format!("365250{mark}4575")), ("iban", format!("UA22305299000002600123456789{mark}0")), ("okpo", format!("3285{mark}5961")), ("cbc_code", format!("2209{mark}0100")), ("payment_type_id", format!("requisites{mark}")), ("requisites_template", format!("state-duty{mark}"))] {
                let answer = olena.post("/cart/add", form.clone().with(field, text).body).await;
                assert_eq!(answer.status, 422, "{field} {mark:?}: {}", answer.text());
                assert!(answer.fields().contains_key(field), "{field} {mark:?}: {}", answer.text());
            }
            let complaint = json!({ "cart_item_id": item, "text": text });
            let answer = olena.post("/cart/item/complaint", complaint).await;
            assert_eq!(answer.fields()["text"], ["text_invalid"], "{mark:?}");
            let profile = json!({ "full_name": text, "registry_identifier": format!("NOTAR{mark}"), "notary_address": text, "email": format!("a{mark}@b.ua"), "certificate_number": format!("1{mark}"), "inn": format!("306820840{mark}0"), "exemption_date_finish": format!("2026-01-01{mark}") });
            let answer = olena.post_proved("/me", profile).await;
            assert_eq!(answer.status, 422, "{mark:?}");
            assert_eq!(answer.fields().len(), 7, "{mark:?}: {}", answer.text());
            let sign_up = json!({ "full_name": text, "phone": format!("+38050111{mark}2299"), "registry_identifier": "NOTAR1", "is_agreed": true });
            assert_eq!(olena.post("/auth/sign-up", sign_up).await.status, 422, "{mark:?}");
            let answer = olena.post("/order/search", json!({ "text": text })).await;
            assert_eq!(answer.status, 422, "{mark:?}: {}", answer.text());
            assert_eq!(answer.fields()["text"], ["text_invalid"], "{mark:?}");
            for (path, body) in [("/cart/item/delete", json!({ "cart_item_id": text })), ("/order/create", json!({ "client_id": text, "token_id": text, "pan": text, "locale": text })), ("/auth/login/otp", json!({ "phone": olena.phone(), "otp_code": text, "operation_id": text })), ("/auth/login", json!({ "phone": text }))] {
                let answer = olena.post(path, body).await;
                assert!((400..500).contains(&answer.status), "{path} {mark:?}: {}", answer.text());
            }
        }
        // What spreadsheets put around a number is passed over in a number alone.
        for mark in ["\u{2066}", "\u{200f}"] {
            for field in ["client.full_name", "recipient_name", "purpose"] {
                let answer = olena.post("/cart/add", form.clone().with(field, format!("Гнатюк{mark}Петро")).body).await;
                assert_eq!(answer.fields()[field], ["text_invalid"], "{field} {mark:?}");
            }
        }
        assert_eq!(app.all_rows().await, before);
    }

    async fn fields_that_a_call_does_not_know_are_ignored_and_never_stored(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let marker = "marker-of-an-unknown-field";
        let mut body = form.body.clone();
        for field in ["id", "notary_id", "created_at", "status", "sum_total", "tariff_minimum", "__proto__", "unknown"] {
            body[field] = marker.into();
        }
        body["client"]["id"] = marker.into();
        body["extra"] = json!({ "deep": [marker] });
        olena.post("/cart/add", body).await.ok();
        let mut order = olena.order_body().await;
        for field in ["status", "notary_id", "number", "amount", "widget_url", "method"] {
            order[field] = marker.into();
        }
        let order = olena.create_order(&olena.fresh_key(), &order).await.ok()["order"].clone();
        assert_eq!((&order["status"], &order["sum"]), (&json!("pending"), &json!(1269.26)));
        assert!(!app.stores(marker).await);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn texts_that_mean_something_to_machines_stay_texts(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let names = ["<img src=x onerror=alert(1)>", "=HYPERLINK(\"http://evil.example\")", "'; drop table orders; --", "%s%n {{7*7}} ${7*7}", "../../etc/passwd", "Робін \\' \\\" O’Ніл"];
        for name in names {
            olena.add_payment(&form.clone().with("client.full_name", name).with("client.name_as_typed", true).with("recipient_name", name)).await;
            let order = olena.order_cart().await;
            let stored = olena.order(&order).await;
            assert_eq!((&stored["client"]["full_name"], &stored["items"][0]["recipient_name"]), (&json!(name), &json!(name)));
        }
        for (wild, count) in [("%", 1), ("_", 0), ("\\", 1), ("%s", 1), ("drop", 1)] {
            let found = olena.post("/order/search", json!({ "text": wild })).await.ok();
            assert_eq!(found["orders"].as_array().unwrap().len(), count, "{wild}");
        }
    }

    async fn the_archive_is_searched_and_paged(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        for (index, name) in ["Лисенко Марія", "Кам’янецька Ганна", "Гнатюк Петро", "Лисенко Іван", "Ґудзь Олег"].into_iter().enumerate() {
            let form = olena.form(PaymentKind::RegistryPayment).await.with("client.full_name", name).with("client.inn", format!("36525045{index}5"));
            olena.add_payment(&form).await;
            olena.order_cart().await;
            app.clock().advance_seconds(10);
        }
        taras.add(PaymentKind::RegistryPayment).await;
        let of_taras = taras.order_cart().await;
        let all = olena.get("/order").await.ok();
        let names: Vec<&str> = all["orders"].as_array().unwrap().iter().map(|order| order["client"]["full_name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Ґудзь Олег", "Лисенко Іван", "Гнатюк Петро", "Кам’янецька Ганна", "Лисенко Марія"]);
        assert_eq!(all["next"], json!(null));
        let mut seen = Vec::new();
        let mut path = "/order?limit=2".to_owned();
        for _ in 0..3 {
            let page = olena.get(&path).await.ok();
            seen.extend(page["orders"].as_array().unwrap().iter().map(|order| order["id"].clone()));
            path = format!("/order?limit=2&before={}", page["next"].as_str().unwrap_or_default());
        }
        assert_eq!(seen.len(), 5);
        assert_eq!(seen, all["orders"].as_array().unwrap().iter().map(|order| order["id"].clone()).collect::<Vec<_>>());
        for (text, count) in [("лисенко", 2), ("камянецька", 1), ("  марія   ЛИСЕНКО", 1), ("3652504525", 1), ("100002", 1), ("Ковальчук", 0)] {
            let found = olena.post("/order/search", json!({ "text": text })).await.ok();
            assert_eq!(found["orders"].as_array().unwrap().len(), count, "{text}");
        }
        // Another notary's order as the page cursor reveals nothing.
        let foreign = olena.get(&format!("/order?before={}", of_taras["id"].as_str().unwrap())).await.ok();
        assert_eq!(foreign, json!({ "orders": [], "next": null }));
    }
}

on_sqlite! {
    async fn a_byte_order_mark_and_the_case_of_a_scheme_say_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let marked = format!("\u{feff}{}", json!({ "phone": olena.phone() }));
        let answer = app.anonymous().call(Method::POST, "/auth/login").bytes(marked.into_bytes()).header("content-type", "application/json").send().await;
        answer.ok();
        for scheme in ["Bearer", "bearer", "BEARER", "bearer "] {
            let told = format!("{scheme} {}", olena.access_token());
            app.anonymous().call(Method::GET, "/cart").header("authorization", &told).send().await.ok();
        }
        let other = format!("Basic {}", olena.access_token());
        app.anonymous().call(Method::GET, "/cart").header("authorization", &other).send().await.refused(401, "unauthorized");
    }
}
