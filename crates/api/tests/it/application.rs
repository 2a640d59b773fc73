//! The application for the return of money that its recipient has already.

use cabinet_app::transfer::Format;
use cabinet_bank_files::Encoding;
use cabinet_domain::TransferStatus;
use cabinet_test_kit::{PaymentKind, on_both_databases};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, check_code, document};
use crate::returns::{returned, transfers};
use crate::transfers::{import, list, list_as, paid_order, payer};

const REASON: &str = "Збір сплачено двічі за одну заяву";
const IBAN: &str = "UA213223130000026007233566001";

fn path(part: &Value) -> String {
    format!(
        "/order/transfer/{}/application",
        part["id"].as_str().unwrap()
    )
}

fn file(part: &Value) -> String {
    format!("Application-{}.pdf", part["id"].as_str().unwrap())
}

/// Returns the cell of a list's row under the name of a column.
fn cell<'a>(list: &'a str, row: &'a str, name: &str) -> &'a str {
    let header = list.lines().next().unwrap().trim_start_matches('\u{feff}');
    let mut columns = header.split(';').map(|column| column.trim_matches('"'));
    let place = columns.position(|column| column == name).unwrap();
    row.trim_matches('"').split("\";\"").nth(place).unwrap()
}

fn of_kind<'a>(all: &'a [Value], application: &str) -> &'a Value {
    all.iter()
        .find(|one| one["application"] == application)
        .unwrap()
}

on_both_databases! {
    async fn an_application_names_every_requisite_and_nothing_of_it_is_stored(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let typed = json!({ "reason": format!("  {REASON} "), "iban": "UA21 3223 1300 0002 6007 2335 66001" });
        let all = transfers(&olena, &order).await;
        assert!(all.iter().all(|one| one["application"].is_null()), "nothing is sent yet: {all:?}");
        olena.post(&path(&all[0]), typed.clone()).await.refused(409, "part_not_reclaimable");
        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();

        let all = transfers(&olena, &order).await;
        assert_eq!(all.iter().filter(|one| one["application"].is_null()).count(), 1, "the notary’s own part");
        let fee = of_kind(&all, "budget");
        let rows = app.all_rows().await;
        let text = document(&olena.post(&path(fee), typed.clone()).await, &file(fee));
        let number = fee["document_number"].to_string();
        assert_contains_all(&text, &[
            "Заява", "про повернення коштів, помилково або надміру зарахованих до бюджету", "03.09.2013 № 787",
            "Орган, що контролює справляння надходжень бюджету", "Заявник (фактичний платник)", "______", REASON, &number,
            "132,00 грн", "сто тридцять дві гривні 00 копійок", "Код класифікації доходів бюджету", "22012600",
            fee["okpo"].as_str().unwrap(), "UA21 3223 1300 0002 6007 2335 6600 1", "02.03.2026", "28.06.2024", "підпис",
        ].map(|part| part.replace('\u{a0}', " ")).each_ref().map(String::as_str));
        // The audit trail has one entry, which repeats no text.
        let told = "select count(*) from audit_events where action = 'receipts_downloaded'";
        assert_eq!(app.number(told.to_owned()).await, 1);
        let after = app.all_rows().await;
        let grown: Vec<_> = after.iter().filter(|(table, count)| rows[*table] != **count).map(|(table, _)| *table).collect();
        assert_eq!(grown, ["audit_events"]);

        let information = of_kind(&all, "register_information");
        let text = document(&olena.post(&path(information), typed).await, &file(information));
        assert_contains_all(&text, &["Міністерство юстиції України", "про повернення плати за інформацію з реєстру", REASON]);
        assert!(!text.contains("Для подання до органу Казначейства"), "{text}");
        app.finish_and_check().await;
    }

    async fn every_paper_of_an_order_names_the_same_payer_actual_payer_and_notary(app: TestApp) {
        app.restart_with(|settings| settings.app.operator.name = payer().name).await;
        let olena = app.notary("olena").await;
        olena.post_proved("/me", json!({ "inn": "3068208400" })).await.ok();
        let order = paid_order(&olena).await;
        let id = order["id"].as_str().unwrap();
        // Each list names them in the fields that are theirs.
        for (format, names) in [
            (Format::Csv(Encoding::Utf8), ["payer_name", "payer_code", "actual_payer_name", "actual_payer_code"]),
            (Format::Privat24(Encoding::Utf8), ["payer_name", "payer_nceo", "payer_ultmt_name", "payer_ultmt_nceo"]),
        ] {
            let list = list_as(&app, format).await;
            for row in list.lines().skip(1) {
                let named = names.map(|name| cell(&list, row, name));
                assert_eq!(named, ["ТОВ «Демонстраційний кабінет»", "32855961", "Гнатюк Петро Олександрович", "3652504575"]);
            }
        }
        let message = list_as(&app, Format::Pain001).await;
        for (element, name, code) in [
            ("Dbtr", "ТОВ «Демонстраційний кабінет»", "32855961"),
            ("UltmtDbtr", "Гнатюк Петро Олександрович", "3652504575"),
        ] {
            let opening = format!("<{element}>");
            let mut all = message.split(&opening).skip(1).peekable();
            assert!(all.peek().is_some(), "{element} is not in {message}");
            for one in all {
                let (one, _) = one.split_once(&format!("</{element}>")).unwrap();
                assert_contains_all(one, &[&format!("<Nm>{name}</Nm>"), code]);
            }
        }
        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        let all = transfers(&olena, &order).await;
        let fee = of_kind(&all, "budget");
        let application = olena.post(&path(fee), json!({ "reason": REASON, "iban": IBAN })).await;
        let client = "Фактичний платник Гнатюк Петро Олександрович, код 3652504575";
        let maker = "Оформлено нотаріусом Коваль Олена Іванівна, код 3068208400";
        for text in [
            document(&application, &file(fee)),
            document(&olena.get(&format!("/order/{id}/receipt")).await, &format!("Receipt-{id}-payment.pdf")),
            document(&olena.get(&format!("/order/{id}/extract")).await, &format!("Extract-{id}.pdf")),
        ] {
            assert_contains_all(&text, &["Платник ТОВ «Демонстраційний кабінет», код 32855961", client, maker]);
            // Every other «Платник» is a part of «Фактичний платник», which has a small letter.
            let named = text.matches("Платник ").count();
            assert_eq!(named, text.matches("Платник ТОВ «Демонстраційний кабінет»").count(), "{text}");
        }
        // Whoever has the code learns who paid, and confirms each of the three codes.
        let code = check_code(&olena.get(&format!("/order/{id}/receipt")).await);
        let page = app.anonymous().page(&format!("/check?code={code}")).await.text();
        assert_contains_all(&page, &["<dt>Фактичний платник</dt><dd>Г. П. О."]);
        for typed in ["3652504575", "32855961", "3068208400"] {
            let form = format!("language=uk&code={code}&named={typed}");
            let page = app.anonymous().page_call("/check").form(&form).send().await.text();
            assert!(page.contains("Так, у квитанції це "), "{typed}");
        }
        let commission = olena.get(&format!("/order/{id}/receipt?receipt_type=commission")).await;
        let commission = document(&commission, &format!("Receipt-{id}-commission.pdf"));
        assert_contains_all(&commission, &[client, maker]);
        assert!(!commission.contains("Платник "), "the commission is no transfer: {commission}");
        app.finish_and_check().await;
    }

    async fn wrong_fields_returned_parts_and_strangers_are_refused(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        let all = transfers(&olena, &order).await;
        let fee = of_kind(&all, "budget").clone();
        let right = json!({ "reason": REASON, "iban": IBAN });
        for (field, value, key) in [
            ("reason", json!(" "), "field_required"),
            ("reason", json!("я".repeat(301)), "text_too_long"),
            ("reason", json!("картка 4242 4242 4242 4242"), "card_number_not_accepted"),
            ("reason", json!(5), "field_type_wrong"),
            ("iban", json!(null), "iban_required"),
            ("iban", json!("UA21"), "iban_invalid"),
        ] {
            let mut request = right.clone();
            request[field] = value;
            let answer = olena.post(&path(&fee), request).await;
            answer.refused(422, key);
            assert_eq!(answer.fields().into_iter().collect::<Vec<_>>(), [(field.to_owned(), vec![key.to_owned()])]);
        }
        let answer = olena.post(&path(&fee), json!({})).await;
        assert_eq!(answer.fields().len(), 2, "{}", answer.text());
        let taras = app.notary("taras").await;
        taras.post(&path(&fee), right.clone()).await.refused(404, "order_not_found");
        // What came back is sent again, or given back to the card.
        let part = returned(&app, &olena, &order, "recipient").await;
        assert!(part["application"].is_null());
        olena.post(&path(&part), right).await.refused(409, "part_not_reclaimable");
        app.finish_and_check().await;
    }
}
