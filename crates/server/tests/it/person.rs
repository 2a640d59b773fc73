//! `cabinet person export` beside a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use cabinet_test_kit::{PETRO, PaymentKind, Person, TestApp, complained, on_both_databases, said};
use serde_json::{Value, json};

use crate::command::cabinet;
use crate::folder::Folder;

const REASON: &str = "Заява особи, SD-4713";

/// Exports what is stored about a person into a folder.
fn export(app: &TestApp, code: &str, folder: &Path) -> Output {
    let folder = folder.to_str().unwrap();
    let choice = ["--code", code, "--reason", REASON, "--to", folder];
    cabinet(app, &[&["person", "export"][..], &choice].concat())
}

/// Returns the text of a PDF.
fn text_of(pdf: &Path) -> String {
    let output = Command::new("pdftotext")
        .arg("-layout")
        .arg(pdf)
        .arg("-")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

async fn complain(person: &Person, item: &str, text: &str) {
    let body = json!({ "cart_item_id": item, "text": text });
    person.post("/cart/item/complaint", body).await.ok();
}

/// Returns the lists of a notary in a file.
fn lists_of<'a>(file: &'a Value, name: &str) -> &'a Value {
    let mut notaries = file["notaries"].as_array().unwrap().iter();
    notaries.find(|notary| notary["full_name"] == name).unwrap()
}

on_both_databases! {
    async fn a_person_is_told_what_all_notaries_have_and_nothing_of_others(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let item = olena.add(PaymentKind::AdminPayment).await;
        complain(&olena, &item, "Сума не та").await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.execute("insert into receipt_consents (order_id, email, locale, given_by, given_at) select id, 'petro@private.example', 'uk', 'client', 1 from orders".to_owned()).await;
        app.execute("insert into client_links (order_id, token_hash, made_at, ends_at, withdrawn_at) select id, null, 1, 2, 2 from orders".to_owned()).await;
        // Of somebody else.
        let form = olena.form(PaymentKind::RegistryPayment).await.with("client.inn", "1759013776");
        let others = olena.add_payment(&form.with("client.full_name", "Інша Ніна Петрівна")).await;
        complain(&olena, &others, "Чужий платіж").await;
        taras.add(PaymentKind::RequisitesPayment).await;
        let saved = json!({ "title": "Повернення", "recipient_name": PETRO.full_name, "iban": "UA223052990000026001234567890", "okpo": PETRO.inn });
        taras.post_proved("/book/recipients/save", saved).await.ok();

        let folder = Folder::new();
        let told = said(&export(&app, PETRO.inn, &folder.0));
        for line in ["notaries  2\n", "clients  2\n", "cart_items  1\n", "orders  1\n", "items  1\n", "link  1\n", "consent  1\n", "recipients  1\n", "complaints  1\n"] {
            assert!(told.contains(line), "{line}: {told}");
        }
        assert!(!told.contains(PETRO.inn), "{told}");
        let (as_json, as_pdf) = (folder.0.join("person.json"), folder.0.join("person.pdf"));
        for file in [&as_json, &as_pdf] {
            assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "it names a person");
        }
        let text = std::fs::read_to_string(&as_json).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&file["code"], file["notaries"].as_array().unwrap().len()), (&json!(PETRO.inn), 2));
        let of_olena = lists_of(&file, Person::facts("olena").1);
        let told = &of_olena["orders"][0];
        assert_eq!((&told["number"], &told["status"], &told["items"][0]["payment_kind"]), (&json!(100_001), &json!("paid"), &json!("admin_payment")));
        assert_eq!((&told["transfers"][0]["payer_code"], told["transfers"].as_array().unwrap().len()), (&json!(PETRO.inn), 2));
        assert_eq!((&told["consent"][0]["email"], &of_olena["complaints"][0]["text"]), (&json!("p•••@private.example"), &json!("Сума не та")));
        let of_taras = lists_of(&file, Person::facts("taras").1);
        assert_eq!((&of_taras["clients"][0]["full_name"], &of_taras["recipients"][0]["okpo"]), (&json!(PETRO.full_name), &json!(PETRO.inn)));
        assert_eq!(of_taras["cart_items"][0]["payment_kind"], "requisites_payment");
        let pdf = text_of(&as_pdf);
        for expected in ["Персональні дані", "Запис в адресній книзі", "Замовлення", "Адміністративний збір", "Сплачено", PETRO.full_name, PETRO.inn, Person::facts("taras").1, "p•••@private.example", "Сторінка 1 з "] {
            assert!(pdf.contains(expected), "{expected}: {pdf}");
        }
        for private in ["Інша Ніна", "1759013776", "registry_payment", "Чужий платіж", "petro@private", "424242", olena.phone(), taras.phone(), "token", "hash"] {
            assert!(!text.contains(private) && !pdf.contains(private), "{private}: {text}");
        }
        let trail = format!("select count(distinct notary_id) from audit_events where action = 'personal_data_shown' and actor_name like '%oksana%' and changes like '%{REASON}%'
                                 and changes like '%75%' and changes not like '%{}%'", PETRO.inn);
        assert_eq!(app.number(trail).await, 2);

        // What is there is not overwritten, and shown to nobody.
        let refused = complained(&export(&app, PETRO.inn, &folder.0)).join("\n");
        assert!(refused.contains("person.json can't be made"), "{refused}");
        assert_eq!(std::fs::read_to_string(&as_json).unwrap(), text);
        std::fs::remove_file(&as_json).unwrap();
        let refused = complained(&export(&app, PETRO.inn, &folder.0)).join("\n");
        assert!(refused.contains("person.pdf can't be made") && !as_json.exists(), "{refused}");
        assert_eq!(app.number("select count(*) from audit_events where action = 'personal_data_shown'".to_owned()).await, 2);
        app.finish_and_check().await;
    }

    async fn who_was_erased_or_never_came_is_not_stored(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let folder = Folder::new();
        for code in ["2817364509", "00000000"] {
            assert_eq!(complained(&export(&app, code, &folder.0)), ["cabinet: nothing is stored about a person with that code"]);
        }
        assert!(complained(&export(&app, "Гнатюк", &folder.0))[0].contains("--code"));
        said(&cabinet(&app, &["erase", "--notary", olena.phone(), "--client", PETRO.inn, "--reason", "request", "--yes"]));
        assert_eq!(complained(&export(&app, PETRO.inn, &folder.0)), ["cabinet: nothing is stored about a person with that code"]);
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "an empty file is left");
        assert_eq!(app.number("select count(*) from audit_events where action = 'personal_data_shown'".to_owned()).await, 0);
        app.finish_and_check().await;
    }
}
