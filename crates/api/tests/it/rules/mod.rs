//! Every rule of a payment (specification, point 5): a violation is refused on its field with its key, and nothing is stored.

mod table;

use cabinet_test_kit::{Payment, PaymentKind, Person, on_both_databases, on_sqlite};
use serde_json::{Value, json};

use PaymentKind::{AdminGovernmentPayment, AdminPayment, RegistryPayment, RequisitesPayment};
use table::{BUDGET, OWN_NEEDS, Rule, rules};

fn changed(form: &Payment, field: &str, value: &Value) -> Payment {
    if value.is_null() {
        form.clone().without(field)
    } else {
        form.clone().with(field, value.clone())
    }
}

/// Adds a payment that must be refused. Returns the bad fields with their keys.
async fn bad_fields(person: &Person, payment: &Payment) -> Vec<(String, Vec<String>)> {
    let answer = person.post("/cart/add", payment.body.clone()).await;
    assert_eq!(answer.status, 422, "{}: {}", payment.body, answer.text());
    answer.fields().into_iter().collect()
}

on_sqlite! {
    async fn every_rule_is_kept(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut forms = Vec::new();
        for kind in PaymentKind::ALL {
            forms.push((kind, olena.form(kind).await));
        }
        let before = app.all_rows().await;
        for Rule { kind, field, value, bad_field, key } in rules() {
            olena.practise_for(kind).await;
            let form = &forms.iter().find(|(known, _)| *known == kind).unwrap().1;
            let payment = changed(form, field, &value);
            let fields = bad_fields(&olena, &payment).await;
            let found = fields.iter().find(|(known, _)| known == bad_field);
            let keys = found.map(|(_, keys)| keys.clone()).unwrap_or_default();
            assert_eq!(keys, [key], "{kind:?}: {field} = {value}: {fields:?}");
        }
        assert_eq!(app.all_rows().await, before, "a refused payment leaves nothing behind");
    }

    async fn a_budget_account_takes_both_forms_of_a_purpose_and_no_other(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(RequisitesPayment).await.with("iban", BUDGET).with("okpo", "37993783").with("cbc_code", "22090100");
        for (typed, stored) in [
            ("101 Державне мито, 3652504575", "101 Державне мито, 3652504575"),
            ("*;101;3652504575;Державне мито;;;", "101 Державне мито, 3652504575"),
            ("121 x 3652504575", "121 x 3652504575"),
        ] {
            let item = olena.add_payment(&form.clone().with("purpose", typed)).await;
            let group = olena.group().await;
            let added = group["items"].as_array().unwrap().iter().find(|row| row["id"] == item).unwrap();
            assert_eq!(added["purpose"], stored);
        }
        for wrong in ["Державне мито, 3652504575", "101  Державне мито, 3652504575", "10 Державне мито 3652504575", "*;101;3652504575;Державне мито;;", "*;1o1;3652504575;Державне мито;;;"] {
            let fields = bad_fields(&olena, &form.clone().with("purpose", wrong)).await;
            assert_eq!(fields, [("purpose".to_owned(), vec!["purpose_invalid".to_owned()])], "{wrong}");
        }
        for unknown in ["999 Державне мито, 3652504575", "*;999;3652504575;Державне мито;;;"] {
            let fields = bad_fields(&olena, &form.clone().with("purpose", unknown)).await;
            assert_eq!(fields, [("purpose".to_owned(), vec!["purpose_code_unknown".to_owned()])], "{unknown}");
        }
        let fields = bad_fields(&olena, &form.clone().with("purpose", "101 Державне мито, 1759013776")).await;
        assert_eq!(fields, [("purpose".to_owned(), vec!["purpose_must_contains_ipn".to_owned()])]);
    }

    async fn the_purpose_may_name_the_notary_in_place_of_the_client(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(RequisitesPayment).await.with("purpose", "Оплата послуг, 3068208400");
        bad_fields(&olena, &form).await;
        let profile = json!({ "full_name": "Коваль Олена Іванівна", "registry_identifier": "NOTAR20001", "inn": "3068208400" });
        olena.post_proved("/me", profile).await.ok();
        olena.add_payment(&form).await;
    }

    async fn a_card_in_a_free_text_is_refused_and_leaves_no_trace(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(RequisitesPayment).await;
        let before = app.all_rows().await;
        for field in ["client.full_name", "recipient_name", "purpose"] {
            let fields = bad_fields(&olena, &form.clone().with(field, "3652504575, картка 4242 4242 4242 4242")).await;
            assert_eq!(fields, [(field.to_owned(), vec!["card_number_not_accepted".to_owned()])]);
        }
        let profile = json!({ "full_name": "Коваль 4242424242424242", "registry_identifier": "NOTAR20001", "notary_address": "5555-5555-5555-4444", "email": "4242424242424242@card.example" });
        let refused = olena.post_proved("/me", profile).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        for field in ["full_name", "notary_address", "email"] {
            assert_eq!(refused.fields()[field], ["card_number_not_accepted"], "{field}");
        }
        assert_eq!(app.all_rows().await, before, "a refused text leaves nothing behind");
    }

    async fn a_card_in_disguise_is_refused_in_every_text(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(RegistryPayment).await;
        let order = olena.order_cart().await;
        let order = format!("/order/{}", order["id"].as_str().unwrap());
        let link = olena.post(&format!("{order}/client-link"), json!({})).await.ok();
        let page = format!("/pay/{}/mail", link["token"].as_str().unwrap());
        let item = olena.add(RegistryPayment).await;
        let form = olena.form(RequisitesPayment).await;
        let before = app.all_rows().await;
        for card in [
            "4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2\u{200b}4\u{200b}2",
            "4242\u{ad}4242\u{ad}4242\u{ad}4242",
            "４２４２４２４２４２４２４２４２",
            "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢",
            "4242.4242.4242.4242",
            "4242_4242_4242_4242",
            "4/2/4/2/4/2/4/2/4/2/4/2/4/2/4/2",
            "378282246310005",
        ] {
            let text = format!("3652504575, картка {card}");
            for field in ["client.full_name", "recipient_name", "purpose"] {
                let fields = bad_fields(&olena, &form.clone().with(field, text.as_str())).await;
                assert_eq!(fields, [(field.to_owned(), vec!["card_number_not_accepted".to_owned()])], "{card}");
            }
            let profile = json!({ "full_name": text, "registry_identifier": card, "notary_address": text, "email": format!("{card}@card.example") });
            let sign_up = json!({ "full_name": text, "phone": "+380501110099", "registry_identifier": card, "is_agreed": true });
            let address = format!("{card}@card.example");
            let (mail, send) = (format!("{order}/receipt-mail"), format!("{order}/client-link/send"));
            for (path, body) in [
                (mail.as_str(), json!({ "email": address })),
                (send.as_str(), json!({ "token": link["token"], "email": address })),
                ("/book/recipients/save", json!({ "title": text, "recipient_name": text, "purpose": text })),
                ("/cart/item/complaint", json!({ "cart_item_id": item, "text": text })),
                ("/me", profile),
                ("/auth/sign-up", sign_up),
            ] {
                let texts = body.as_object().unwrap().iter().filter(|(_, value)| value.as_str().is_some_and(|value| value.contains(card)));
                let refused = olena.post(path, body.clone()).await;
                for (field, _) in texts {
                    assert_eq!(refused.fields()[field], ["card_number_not_accepted"], "{path} {field} {card}");
                }
            }
            // The beginning of an account may look like a card, so a search refuses nothing. It keeps nothing either.
            olena.post("/order/search", json!({ "text": text })).await.ok();
            let encoded: String = address.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let answer = app.anonymous().page_call(&page).form(&format!("email={encoded}")).send().await;
            assert_eq!(answer.status, 422, "{card}");
        }
        assert_eq!(app.all_rows().await, before, "a refused text leaves nothing behind");
    }

    async fn the_share_of_a_private_notary_goes_to_no_company(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(AdminPayment).await.with("iban", OWN_NEEDS);
        bad_fields(&olena, &form).await;
        let fields = bad_fields(&olena, &form.with("okpo", "32855961")).await;
        assert_eq!(fields, [("okpo".to_owned(), vec!["your_okpo_not_yours".to_owned()])]);
    }

    async fn what_people_type_and_paste_is_understood(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(RequisitesPayment).await;
        for (typed, stored) in [
            ("36525 04575", "3652504575"),
            ("\u{a0}3652504575\t", "3652504575"),
            ("123456789", "123456789"),
            ("32855961", "32855961"),
            ("АВ123456", "АВ123456"),
            ("ав 123456", "АВ123456"),
            // Latin look-alikes.
            ("AB123456", "АВ123456"),
            ("ґє123456", "ҐЄ123456"),
            // A wrong check digit is only a hint in the form.
            ("3652504576", "3652504576"),
        ] {
            let payment = form.clone().with("client.inn", typed).with("client.full_name", format!("Клієнт {typed}")).with("purpose", format!("Оплата, {stored}"));
            olena.add_payment(&payment).await;
            assert_eq!(olena.get("/cart/client/last").await.ok()["client"]["inn"], stored, "{typed}");
        }
        let spaced = form.with("iban", " ua22 3052 9900 0002 6001 2345 6789 0").with("client.full_name", "  Гнатюк\u{200b}\tПетро ");
        let item = olena.add_payment(&spaced).await;
        let cart = olena.get("/cart").await.ok();
        let group = cart["groups"].as_array().unwrap().iter().find(|group| group["items"][0]["id"] == item).unwrap();
        assert_eq!(group["items"][0]["iban"], "UA223052990000026001234567890");
        assert_eq!(group["client"]["full_name"], "Гнатюк Петро");
    }

    async fn the_longest_texts_fit(app: TestApp) {
        let olena = app.notary("olena").await;
        let name = "Ґ".repeat(140);
        let purpose = format!("3652504575 {}", "ї".repeat(149));
        let form = olena.form(RequisitesPayment).await.with("recipient_name", name.as_str()).with("purpose", purpose.as_str());
        olena.add_payment(&form).await;
        let item = olena.group().await["items"][0].clone();
        assert_eq!((&item["recipient_name"], &item["purpose"]), (&json!(name), &json!(purpose)));
    }
}

on_both_databases! {
    async fn all_bad_fields_are_named_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let names = |fields: Vec<(String, Vec<String>)>| fields.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        let admin = olena.form(AdminPayment).await;
        let mut worst = admin.clone();
        worst.body = json!({ "payment_type_id": admin.body["payment_type_id"], "client": { "inn": "1111111111", "full_name": 17 }, "iban": "UA1", "okpo": [], "amount": "330" });
        assert_eq!(
            names(bad_fields(&olena, &worst).await),
            ["amount", "client.full_name", "client.inn", "iban", "okpo", "payment_type_option_id", "payment_type_option_term_id", "payment_type_region_id", "payment_type_requisite_id"]
        );
        let requisites = olena.form(RequisitesPayment).await;
        let mut worst = requisites.clone();
        worst.body = json!({ "payment_type_id": requisites.body["payment_type_id"] });
        assert_eq!(
            names(bad_fields(&olena, &worst).await),
            ["amount", "client.full_name", "client.inn", "iban", "okpo", "purpose", "recipient_name"]
        );
        assert_eq!(app.rows("clients").await, 0);
    }

    async fn what_the_request_says_of_a_state_fee_is_not_believed(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(AdminGovernmentPayment).await;
        // A lower fee or commission is refused with the right figures.
        for (field, value) in [("amount", json!(1)), ("sum", json!(330)), ("sum", json!(0))] {
            let refusal = olena.post("/cart/add", form.clone().with(field, value).body).await.refused(409, "price_changed");
            assert_eq!(refusal["price"], json!({ "amount": 330, "commission": 10, "sum": 340 }));
        }
        // Account, purpose, count and commission of the request are ignored.
        let mut tampered = form.clone().with("iban", "UA223052990000026001234567890").with("recipient_name", "Хтось");
        tampered = tampered.with("purpose", "Інше").with("count", 5).with("commission", 0).with("cbc_code", "11111111");
        olena.add_payment(&tampered).await;
        let item = olena.group().await["items"][0].clone();
        assert_eq!((&item["iban"], &item["recipient_name"], &item["count"], &item["commission"]), (&json!(null), &json!(null), &json!(1), &json!(10)));
        assert_eq!(item["cbc_code"], "22012600");
        assert!(item["purpose"].as_str().unwrap().starts_with("101 Адміністративний збір за "));
    }
}
