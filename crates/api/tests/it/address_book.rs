//! The address book: clients found while typing, names mended on entry, and saved recipients.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cabinet_domain::OwnRecipientId;
use cabinet_storage::address_book::own_recipients;
use cabinet_storage::lock_notary;
use cabinet_test_kit::{Answer, Database, PaymentKind, Person, TestApp, on_both_databases, run};
use jiff::SignedDuration;
use serde_json::{Value, json};

/// Puts a payment for a client into the cart; the client's code stands in its purpose.
async fn pay_for(person: &Person, client: Value) -> Answer {
    let types = person.get("/payment-types").await.ok();
    let kinds = types["payment_types"].as_array().unwrap();
    let free = kinds
        .iter()
        .find(|kind| kind["slug"] == "requisites_payment")
        .unwrap();
    let body = json!({
        "client": client, "payment_type_id": free["id"], "amount": 100, "sum": null, "iban": "UA223052990000026001234567890",
        "okpo": "32855961", "recipient_name": "ТОВ «Ранкова зоря»", "purpose": format!("Оплата послуг, {}", client["inn"].as_str().unwrap()),
    });
    person.post("/cart/add", body).await
}

fn client(inn: &str, full_name: &str) -> Value {
    json!({ "inn": inn, "full_name": full_name })
}

/// Names of the clients that a text finds, in their order.
async fn found(person: &Person, text: &str) -> Vec<String> {
    let answer = person
        .post("/book/clients/search", json!({ "text": text }))
        .await
        .ok();
    let clients = answer["clients"].as_array().unwrap();
    clients
        .iter()
        .map(|client| client["full_name"].as_str().unwrap().to_owned())
        .collect()
}

async fn id_of(person: &Person, text: &str) -> Value {
    let answer = person
        .post("/book/clients/search", json!({ "text": text }))
        .await
        .ok();
    answer["clients"][0]["id"].clone()
}

const RECIPIENT: &str = "UA223052990000026001234567890";

pub(crate) fn recipient(title: &str) -> Value {
    json!({
        "title": title, "recipient_name": "ТОВ «Ранкова зоря»", "iban": RECIPIENT, "okpo": "32855961",
        "purpose": "Оренда, {clientName}, {clientIPN}",
    })
}

on_both_databases! {
    async fn clients_are_found_by_any_part_the_last_used_first(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        pay_for(&olena, client("3184710691", "Дем’яненко Лук’ян Олексійович")).await.ok();
        app.clock().advance_seconds(1);
        pay_for(&olena, client("3652504575", "Шевчук Ірина Петрівна")).await.ok();
        app.clock().advance_seconds(1);
        pay_for(&taras, client("1759013776", "Шевчук Андрій Іванович")).await.ok();
        assert_eq!(found(&olena, "").await, ["Шевчук Ірина Петрівна", "Дем’яненко Лук’ян Олексійович"]);
        for text in ["демяненко", "ДЕМ'ЯН", "лук`ян дем", "4710", "олексій 318"] {
            assert_eq!(found(&olena, text).await, ["Дем’яненко Лук’ян Олексійович"], "{text}");
        }
        assert_eq!(found(&olena, "Ipина").await, ["Шевчук Ірина Петрівна"], "typed with Latin letters");
        assert_eq!(found(&olena, "андрій").await, Vec::<String>::new(), "another notary's client is not there");
        assert_eq!(found(&olena, "%").await, Vec::<String>::new());
        // The next payment makes the client the last used one.
        app.clock().advance_seconds(1);
        pay_for(&olena, client("3184710691", "Дем’яненко Лук’ян Олексійович")).await.ok();
        assert_eq!(found(&olena, "").await[0], "Дем’яненко Лук’ян Олексійович");
        let first = olena.post("/book/clients/search", json!({ "limit": 1 })).await.ok();
        assert_eq!(first["clients"][0]["inn"], "3184710691");
        let second = olena.post("/book/clients/search", json!({ "limit": 1, "before": first["next"] })).await.ok();
        assert_eq!((&second["clients"][0]["inn"], &second["next"]), (&json!("3652504575"), &Value::Null));
        let foreign = taras.post("/book/clients/search", json!({ "before": first["next"] })).await.ok();
        assert_eq!(foreign["clients"], json!([]));
        olena.post("/book/clients/search", json!({ "limit": 101 })).await.refused(422, "number_invalid");
        olena.post("/book/clients/search", json!({ "text": "4242 4242 4242 4242" })).await.ok();
    }

    async fn a_client_is_taken_out_of_the_book_and_orders_keep_the_name(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        pay_for(&olena, client("3184710691", "Дем’яненко Лук’ян")).await.ok();
        let order = olena.order_cart().await;
        let id = id_of(&olena, "лук").await;
        taras.post("/book/clients/delete", json!({ "client_id": id })).await.refused(404, "client_not_found");
        olena.post("/book/clients/delete", json!({})).await.refused(422, "field_required");
        olena.post("/book/clients/delete", json!({ "client_id": "1" })).await.refused(404, "client_not_found");
        assert_eq!(found(&olena, "").await.len(), 1);
        olena.post("/book/clients/delete", json!({ "client_id": id })).await.ok();
        olena.post("/book/clients/delete", json!({ "client_id": id })).await.refused(404, "client_not_found");
        assert_eq!(found(&olena, "").await, Vec::<String>::new());
        assert_eq!(olena.get("/cart/client/last").await.ok()["client"], Value::Null);
        assert_eq!(olena.order(&order).await["client"]["full_name"], "Дем’яненко Лук’ян");
        // Somebody who is paid for again is in the book again.
        pay_for(&olena, client("3184710691", "Дем’яненко Лук’ян")).await.ok();
        assert_eq!(found(&olena, "3184").await, ["Дем’яненко Лук’ян"]);
    }

    async fn a_client_whom_nothing_names_leaves_the_book(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = pay_for(&olena, client("3184710691", "Дем’яненко Лук’ян")).await.ok()["item_id"].clone();
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        assert_eq!(found(&olena, "").await.len(), 1);
        app.clock().advance_seconds(25 * 3_600);
        app.work().await;
        olena.log_in().await;
        assert_eq!((found(&olena, "").await.len(), app.rows("clients").await), (0, 0));
    }

    async fn names_are_mended_unless_the_notary_insists(app: TestApp) {
        let olena = app.notary("olena").await;
        let added = pay_for(&olena, client("3184710691", "  Дем'янeнко   Iрина ")).await.ok();
        assert_eq!(added["mended_full_name"], "Дем’яненко Ірина");
        assert_eq!(olena.group().await["client"]["full_name"], "Дем’яненко Ірина");
        let insisted = json!({ "inn": "3184710691", "full_name": "Дем'янeнко  Iрина", "name_as_typed": true });
        assert_eq!(pay_for(&olena, insisted).await.ok()["mended_full_name"], Value::Null);
        let groups = olena.get("/cart").await.ok()["groups"].clone();
        let names: Vec<&str> = groups.as_array().unwrap().iter().map(|group| group["client"]["full_name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Дем’яненко Ірина", "Дем'янeнко Iрина"]);
        let wrong = json!({ "inn": "3184710691", "full_name": "Ірина", "name_as_typed": "yes" });
        assert_eq!(pay_for(&olena, wrong).await.fields()["client.name_as_typed"], ["field_type_wrong"]);
    }

    async fn recipients_are_saved_changed_and_deleted(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let saved = olena.post_proved("/book/recipients/save", recipient("Оренда")).await.ok()["recipient"].clone();
        assert_eq!(saved["purpose"], "Оренда, {clientName}, {clientIPN}");
        let mut changed = recipient("Оренда офісу");
        changed["id"] = saved["id"].clone();
        changed["iban"] = json!("UA213223130000026007233566001");
        taras.post("/book/recipients/save", changed.clone()).await.refused(404, "recipient_not_found");
        olena.post_proved("/book/recipients/save", changed).await.ok();
        let listed = olena.get("/book/recipients").await.ok()["recipients"].clone();
        assert_eq!((listed.as_array().unwrap().len(), &listed[0]["title"]), (1, &json!("Оренда офісу")));
        assert_eq!(listed[0]["iban"], "UA213223130000026007233566001");
        assert_eq!(taras.get("/book/recipients").await.ok()["recipients"], json!([]));
        let delete = json!({ "recipient_id": saved["id"] });
        taras.post("/book/recipients/delete", delete.clone()).await.refused(404, "recipient_not_found");
        olena.post("/book/recipients/delete", delete.clone()).await.ok();
        olena.post("/book/recipients/delete", delete).await.refused(404, "recipient_not_found");
        assert_eq!(app.rows("own_recipients").await, 0);
        let events = olena.get("/me/security-events").await.ok()["events"].clone();
        let kinds: Vec<&str> = events.as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
        assert_eq!(&kinds[..6], ["recipient_deleted", "recipient_saved", "change_confirmed", "recipient_saved", "change_confirmed", "signed_in"]);
        assert!(!events.to_string().contains("233566001"), "accounts are masked");
    }

    async fn a_recipient_that_is_deleted_by_several_windows_at_once_is_deleted_once(app: TestApp) {
        let olena = app.notary("olena").await;
        for _ in 0..5 {
            let saved = olena.post_proved("/book/recipients/save", recipient("Оренда")).await.ok()["recipient"].clone();
            let delete = json!({ "recipient_id": saved["id"] });
            let deletes = (0..6).map(|_| olena.post("/book/recipients/delete", delete.clone()));
            let answers = futures_util::future::join_all(deletes).await;
            assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        }
        let events = olena.get("/me/security-events").await.ok()["events"].clone();
        let deleted = events.as_array().unwrap().iter().filter(|event| event["kind"] == "recipient_deleted");
        assert_eq!(deleted.count(), 5);
    }

    async fn wrong_fields_of_a_recipient_are_refused_at_once(app: TestApp) {
        app.restart_with(|settings| (settings.app.codes.hourly_max, settings.app.codes.daily_max) = (100, 100)).await;
        let olena = app.notary("olena").await;
        let wrong = json!({ "title": " ", "recipient_name": "4242424242424242", "iban": "UA00", "okpo": "12", "cbc_code": "1", "purpose": "п".repeat(161) });
        let answer = olena.post_proved("/book/recipients/save", wrong).await;
        let fields = answer.fields();
        assert_eq!(fields["title"], ["field_required"]);
        assert_eq!(fields["recipient_name"], ["card_number_not_accepted"]);
        assert_eq!(fields["iban"], ["iban_invalid"]);
        assert_eq!(fields["okpo"], ["okpo_invalid"]);
        assert_eq!(fields["cbc_code"], ["cbc_length"]);
        assert_eq!(fields["purpose"], ["text_too_long"]);
        for day in 0..4 {
            for number in 0..50 {
                olena.post_proved("/book/recipients/save", recipient(&format!("Оренда {day}-{number}"))).await.ok();
            }
            app.clock().advance(SignedDuration::from_hours(24));
            olena.log_in().await;
        }
        olena.post("/book/recipients/save", recipient("Оренда")).await.refused(409, "recipients_full");
    }

    async fn the_form_is_told_what_was_chosen_the_last_time(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        olena.add(PaymentKind::AdminPayment).await;
        let item = olena.group().await["items"][0].clone();
        let id = |field: &str| item[field]["id"].as_str().map(str::to_owned);
        let option = id("payment_type_option").unwrap();
        let kind = item["payment_type"]["id"].as_str().unwrap();
        let path = format!("/payment-types/last-choices?payment_type_id={kind}");
        let nothing = json!({ "payment_type_option_term_id": null, "payment_type_region_id": null, "payment_type_requisite_id": null });
        assert_eq!(taras.get(&path).await.ok(), nothing);
        let of_option = format!("{path}&payment_type_option_id={option}");
        let expected = json!({
            "payment_type_option_term_id": id("payment_type_option_term"), "payment_type_region_id": id("payment_type_region"),
            "payment_type_requisite_id": id("payment_type_requisite"),
        });
        assert_eq!(olena.get(&of_option).await.ok(), expected);
        let without = olena.get(&path).await.ok();
        assert_eq!(without["payment_type_region_id"], expected["payment_type_region_id"]);
        assert_eq!(without["payment_type_requisite_id"], Value::Null, "the recipient depends on the term");
        olena.order_cart().await;
        assert_eq!(olena.get(&of_option).await.ok(), expected, "also once it is ordered");
        olena.get("/payment-types/last-choices?payment_type_id=none").await.refused(404, "payment_type_unknown");
    }
}

#[test]
fn a_recipient_that_another_process_deletes_first_is_not_told_as_deleted_here() {
    run(Database::Postgres, async |app: TestApp| {
        let olena = app.notary("olena").await;
        let saved = olena
            .post_proved("/book/recipients/save", recipient("Оренда"))
            .await
            .ok()["recipient"]
            .clone();
        let deleted = OwnRecipientId::parse(saved["id"].as_str().unwrap()).unwrap();
        let (store, id) = (app.services().store, olena.id());
        let (locked, is_locked) = tokio::sync::oneshot::channel();
        let (mut locked, go_on) = (Some(locked), Arc::new(AtomicBool::new(false)));
        let may_go_on = Arc::clone(&go_on);
        let other = tokio::spawn(async move {
            store
                .write(move |tx| {
                    let notary = lock_notary(tx, id)?;
                    if let Some(locked) = locked.take() {
                        locked.send(()).expect("the test waits");
                    }
                    // A transaction that stands still would lose its lock.
                    while !may_go_on.load(Ordering::Relaxed) {
                        lock_notary(tx, id)?;
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    own_recipients::delete(tx, &notary, deleted)
                })
                .await
        });
        is_locked.await.expect("her row is locked");
        let window = olena.clone();
        let delete = json!({ "recipient_id": saved["id"] });
        let here =
            tokio::spawn(
                async move { window.post("/book/recipients/delete", delete).await.status },
            );
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        app.wait_for_number(waiting, 1).await;
        go_on.store(true, Ordering::Relaxed);
        other.await.unwrap().unwrap();
        assert_eq!(here.await.unwrap(), 404);
    });
}
