//! What belongs together: account and code of a recipient, account and budget code, the notary's account and her code; and purposes
//! that are stored whole and in the form in force.

use cabinet_app::transfer::Format;
use cabinet_bank_files::Encoding;
use cabinet_test_kit::{Client, Payment, PaymentKind, Person, TestApp, on_both_databases};
use serde_json::{Value, json};

use crate::transfers::list_as;

/// An account of the reference data, of 37993783 with the budget code 22090100.
const KNOWN: &str = "UA328999980999022090100300001";
/// An account of the Treasury that the reference data don't know.
const UNKNOWN: &str = "UA728999980334100000000026001";
const EDRPOU: &str = "37993783";

async fn duty(person: &Person, iban: &str) -> Payment {
    let form = person.form(PaymentKind::RequisitesPayment).await;
    form.with("iban", iban)
        .with("okpo", EDRPOU)
        .with("cbc_code", "22090100")
        .with("recipient_name", "ГУК у м.Києві/Демонстраційний/22090100")
        .with("purpose", "101 Державне мито, 3652504575")
}

/// Adds a payment that must be refused for one field alone.
async fn refused(app: &TestApp, person: &Person, payment: &Payment, field: &str, key: &str) {
    let before = app.all_rows().await;
    let answer = person.post("/cart/add", payment.body.clone()).await;
    assert_eq!(answer.status, 422, "{}: {}", payment.body, answer.text());
    let fields: Vec<_> = answer.fields().into_iter().collect();
    assert_eq!(
        fields,
        [(field.to_owned(), vec![key.to_owned()])],
        "{}",
        payment.body
    );
    assert_eq!(app.all_rows().await, before);
}

async fn only_item(person: &Person) -> Value {
    person.group().await["items"][0].clone()
}

/// Returns the list of transfers for the bank.
async fn transfers(app: &TestApp) -> String {
    list_as(app, Format::Csv(Encoding::Utf8)).await
}

on_both_databases! {
    async fn a_treasury_account_takes_only_its_own_code(app: TestApp) {
        let olena = app.notary("olena").await;
        for (iban, okpo, key) in [
            (KNOWN, "14360570", "okpo_not_for_account"),
            (KNOWN, "38008294", "okpo_not_for_account"),
            (KNOWN, "37993784", "okpo_not_for_treasury"),
            (KNOWN, "3652504575", "okpo_not_for_treasury"),
            (UNKNOWN, "37993784", "okpo_not_for_treasury"),
            (UNKNOWN, "3652504575", "okpo_not_for_treasury"),
            (UNKNOWN, "АВ123456", "okpo_not_for_treasury"),
            ("UA188201720313291002201113571", "3652504575", "okpo_not_for_treasury"),
        ] {
            let payment = duty(&olena, iban).await.with("okpo", okpo);
            refused(&app, &olena, &payment, "okpo", key).await;
        }
        for (iban, okpo) in [(KNOWN, EDRPOU), (UNKNOWN, EDRPOU), (UNKNOWN, "38008294"), ("UA188201720313291002201113571", EDRPOU)] {
            olena.add_payment(&duty(&olena, iban).await.with("okpo", okpo)).await;
        }
    }

    async fn a_budget_code_is_one_that_the_account_takes(app: TestApp) {
        let olena = app.notary("olena").await;
        for (iban, code) in [(KNOWN, "11010500"), (KNOWN, "00000000"), (UNKNOWN, "11010500"), (UNKNOWN, "00000000")] {
            let payment = duty(&olena, iban).await.with("cbc_code", code);
            refused(&app, &olena, &payment, "cbc_code", "cbc_not_for_account").await;
        }
        olena.add_payment(&duty(&olena, KNOWN).await).await;
        let other = duty(&olena, UNKNOWN).await.with("cbc_code", "11010500");
        olena.add_payment(&other.with("recipient_name", "ГУК у м.Києві")).await;
    }

    async fn an_old_form_of_the_purpose_reaches_neither_cart_nor_bank(app: TestApp) {
        let olena = app.notary("olena").await;
        let old = "*;101;3652504575;Державне мито;Гнатюк П. О.;;";
        olena.add_payment(&duty(&olena, KNOWN).await.with("purpose", old)).await;
        let stored = "101 Державне мито, Гнатюк П. О., 3652504575";
        assert_eq!(only_item(&olena).await["purpose"], stored);
        let paid = olena.pay(&olena.order_cart().await).await;
        assert_eq!(paid["items"][0]["purpose"], stored);
        let list = transfers(&app).await;
        assert!(list.contains(stored) && !list.contains("*;101"), "{list}");
        app.finish_and_check().await;
    }

    async fn the_own_account_is_at_a_bank_and_has_the_notarys_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::AdminPayment).await;
        refused(&app, &olena, &form.clone().with("iban", KNOWN), "iban", "your_iban_is_treasury").await;
        // While the profile has no code, nothing tells whose a code is.
        olena.post_proved("/cart/add", form.clone().with("okpo", "1759013776").body).await.ok();
        olena.post_proved("/me", json!({ "inn": "3068208400" })).await.ok();
        for foreign in ["32855961", "1759013776", "3068208401"] {
            refused(&app, &olena, &form.clone().with("okpo", foreign), "okpo", "your_okpo_not_yours").await;
        }
        olena.add_payment(&form).await;
    }

    async fn a_payment_follows_the_notarys_own_code_when_it_is_priced_again(app: TestApp) {
        let olena = app.notary("olena").await;
        // While the profile has no code, nothing tells whose a code is.
        let foreign = olena.form(PaymentKind::AdminPayment).await.with("okpo", "1759013776");
        olena.post_proved("/cart/add", foreign.body.clone()).await.ok();
        let paid = olena.pay(&olena.order_cart().await).await;
        let repeated = async || {
            let path = format!("/order/item/{}/repeat", paid["items"][0]["id"].as_str().unwrap());
            olena.get(&path).await.ok()["payment_data"]["changed"].clone()
        };
        assert_eq!(repeated().await, json!(false));
        let item = olena.post_proved("/cart/add", foreign.body).await.ok()["item_id"].clone();
        assert_eq!(only_item(&olena).await["change"], json!(null));
        olena.post_proved("/me", json!({ "inn": "3068208400" })).await.ok();
        assert_eq!(only_item(&olena).await["change"], json!({ "message": "your_okpo_not_yours", "price": null }));
        olena.post("/cart/item/refresh", json!({ "cart_item_id": item })).await.refused(422, "your_okpo_not_yours");
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        olena.create_order(&key, &body).await.refused(409, "your_okpo_not_yours");
        assert_eq!(repeated().await, json!(true));
        app.finish_and_check().await;
    }

    async fn a_payment_in_the_cart_follows_the_reference_data(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add_payment(&duty(&olena, UNKNOWN).await).await;
        assert_eq!(only_item(&olena).await["change"], json!(null));
        for (row, key) in [
            ("38008294,22090100", "okpo_not_for_account"),
            ("37993783,11010500", "cbc_not_for_account"),
        ] {
            let (edrpou, code) = row.split_once(',').unwrap();
            app.load_reference(|files| {
                let row = format!("other,Мито,Duty,,ГУК,{UNKNOWN},{edrpou},{code},,101 Мито {{clientIPN}},2025-01-01,,yes\n");
                files.get_mut("templates.csv").unwrap().push_str(&row);
            }).await;
            app.work().await;
            assert_eq!(only_item(&olena).await["change"], json!({ "message": key, "price": null }));
            let answer = olena.create_order(&olena.fresh_key(), &olena.order_body().await).await;
            answer.refused(409, key);
        }
        app.load_reference(|files| {
            let codes = files.get_mut("payment-codes.csv").unwrap();
            *codes = "code,name_uk,name_en\n121,Штраф,Fine\n".to_owned();
            // The rules of deals name templates.
            for (name, rows) in files.iter_mut() {
                if name == "templates.csv" || name.starts_with("deal-") {
                    rows.truncate(rows.find('\n').unwrap() + 1);
                }
            }
        }).await;
        app.work().await;
        assert_eq!(only_item(&olena).await["change"]["message"], "purpose_code_unknown");
        assert_eq!(app.rows("orders").await, 0);
    }

    async fn a_generated_purpose_is_whole_from_the_cart_to_the_bank(app: TestApp) {
        let olena = app.notary("olena").await;
        // Words that leave no room for a long name.
        let words = format!("за державну реєстрацію {}", "права ".repeat(45).trim_end());
        app.load_reference(|files| {
            let options = files.get_mut("options.csv").unwrap();
            *options = options.replacen("за державну реєстрацію права власності", &words, 1);
        }).await;
        app.work().await;
        let name: &'static str = Box::leak(format!("Ґ{}", "ї".repeat(139)).into_boxed_str());
        let client = Client { inn: "АВ123456", full_name: name };
        olena.add_payment(&olena.form_for(PaymentKind::AdminPayment, client).await).await;
        let purpose = format!("101 Адміністративний збір {words}, 5 робочих днів; платник АВ123456");
        assert_eq!(only_item(&olena).await["purpose"], purpose);
        olena.pay(&olena.order_cart().await).await;
        let list = transfers(&app).await;
        let own = format!("60 % адміністративного збору {words}, 5 робочих днів; платник АВ123456");
        assert!(list.contains(&purpose) && list.contains(&own) && !list.contains('…'), "{list}");
        // The name travels as that of the actual payer.
        assert_eq!(list.matches(name).count(), 2);
        app.finish_and_check().await;
    }
}
