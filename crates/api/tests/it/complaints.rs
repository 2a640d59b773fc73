//! Complaints reach the support by mail, are retried, and contain no personal data in logs.

use cabinet_app::operator::administration::ParkedLetters;
use cabinet_domain::OperatorReason;
use cabinet_storage::testing::execute;
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PETRO, PaymentKind, Person, TestApp, log_written,
    on_both_databases,
};
use serde_json::json;

/// Minutes between two attempts, as documented for operators.
const PAUSES: [i64; 9] = [1, 3, 9, 27, 81, 243, 720, 720, 720];

async fn complain(person: &Person, text: &str) -> String {
    let item = person.add(PaymentKind::RequisitesPayment).await;
    let body = json!({ "cart_item_id": item, "text": text });
    person.post("/cart/item/complaint", body).await.ok();
    item
}

fn mail_fault(kind: FaultKind, calls: u32) -> Fault {
    let mut fault = Fault::new(FaultService::Mail, kind);
    fault.calls = calls;
    fault
}

async fn tries(app: &TestApp) -> i64 {
    app.number("select max(tries) from outbox".to_owned()).await
}

async fn count(app: &TestApp, condition: &str) -> i64 {
    app.number(format!("select count(*) from outbox where {condition}"))
        .await
}

on_both_databases! {
    async fn a_complaint_reaches_the_support_and_names_nobody(app: TestApp) {
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::RequisitesPayment).await;
        let item = olena.add_payment(&payment).await;
        let text = "Отримувач не той: має бути банк «Схід», а не «Захід»";
        let body = json!({ "cart_item_id": item, "text": text });
        let number = olena.post("/cart/item/complaint", body).await.ok()["number"].as_i64().unwrap();
        assert_eq!(number, 1_001);
        assert!(app.outside().letters().is_empty(), "nothing leaves within the request");
        assert_eq!((app.rows("complaints").await, app.rows("outbox").await), (1, 1));

        app.work().await;
        let letters = app.outside().letters();
        assert_eq!(letters.len(), 1);
        let letter = &letters[0];
        assert_eq!(letter.to, "support@cabinet.example");
        assert_eq!(letter.subject, "Повідомлення про помилку в платежі: Платіж за реквізитами");
        let sum = payment.sum();
        let sum = format!("{}\u{a0}{:03},{:02}\u{a0}грн", sum / 100_000, sum / 100 % 1_000, sum % 100);
        for expected in [text, item.as_str(), olena.id().to_string().as_str(), "+38 (050) ***-**-01", sum.as_str()] {
            assert!(letter.text.contains(expected), "{expected}: {}", letter.text);
        }
        let (_, full_name, identifier) = Person::facts("olena");
        for private in [PETRO.inn, PETRO.full_name, olena.phone(), full_name, identifier] {
            assert!(!letter.text.contains(private), "{private}: {}", letter.text);
        }
        assert_eq!(count(&app, "payload = '' and delivered_at is not null and tries = 1").await, 1);
        for never_logged in [text, "support@cabinet.example"] {
            assert!(!log_written().contains(never_logged), "{never_logged}");
        }

        app.work().await;
        assert_eq!(app.outside().letters().len(), 1, "what has left does not leave again");
    }

    async fn a_complaint_marks_its_item_and_may_ask_to_be_called_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = complain(&olena, "Сума не та").await;
        let other = olena.add(PaymentKind::RegistryPayment).await;
        let body = json!({ "cart_item_id": item, "text": "Зателефонуйте, будь ласка", "call_back": true });
        assert_eq!(olena.post("/cart/item/complaint", body).await.ok()["number"], 1_002);
        let group = olena.group().await;
        let marks: Vec<_> = group["items"].as_array().unwrap().iter().map(|item| (item["id"].clone(), item["complaint_number"].clone())).collect();
        assert_eq!(marks, [(json!(item), json!(1_002)), (json!(other), json!(null))]);
        app.work().await;
        let letters = app.outside().letters();
        for letter in &letters {
            let is_asked = letter.text.contains("Зателефонуйте");
            assert_eq!(letter.text.contains(olena.phone()), is_asked, "the phone is passed on only where she asked for it");
            let number = if is_asked { "Номер повідомлення: 1002" } else { "Номер повідомлення: 1001" };
            assert!(letter.text.contains(number), "{}", letter.text);
        }
        assert_eq!(letters.len(), 2);
        assert!(!log_written().contains(olena.phone()));
    }

    async fn the_same_words_about_an_item_are_one_complaint_until_it_is_closed(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = complain(&olena, "Сума не та").await;
        let again = async |call_back: bool| {
            let body = json!({ "cart_item_id": item, "text": "Сума не та", "call_back": call_back });
            olena.post("/cart/item/complaint", body).await.ok()["number"].clone()
        };
        assert_eq!((again(false).await, app.rows("complaints").await, app.rows("outbox").await), (json!(1_001), 1, 1));
        // That she wants to be called is new.
        for _ in 0..2 {
            assert_eq!((again(true).await, app.rows("complaints").await, app.rows("outbox").await), (json!(1_002), 2, 2));
        }
        app.execute("update complaints set closed_at = 1".to_owned()).await;
        assert_eq!((again(false).await, app.rows("complaints").await), (json!(1_003), 3));
    }

    async fn nobody_floods_the_support_with_complaints(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = complain(&olena, "Скарга 0").await;
        let complain = |number: i32| olena.post("/cart/item/complaint", json!({ "cart_item_id": item, "text": format!("Скарга {number}") }));
        for number in 1..30 {
            complain(number).await.ok();
        }
        let answer = complain(30).await;
        answer.refused(429, "too_many_today");
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 80_000);
        assert_eq!((app.rows("complaints").await, app.rows("outbox").await), (30, 30));
        // What was said before is answered with its number.
        assert_eq!(complain(7).await.ok()["number"], 1_008);
        app.clock().advance_seconds(24 * 3_600);
        olena.log_in().await;
        complain(30).await.ok();
    }

    async fn a_complaint_about_anothers_item_leaves_no_trace(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let before = app.all_rows().await;
        let body = json!({ "cart_item_id": item, "text": "Не моє" });
        taras.post("/cart/item/complaint", body).await.refused(404, "cart_item_not_found");
        app.work().await;
        assert_eq!(app.all_rows().await, before);
        assert!(app.outside().letters().is_empty());
    }

    async fn a_complaint_reaches_the_support_also_from_an_account_that_cannot_be_read(app: TestApp) {
        let olena = app.notary("olena").await;
        for (spoilt, phone) in [("card_pan = 'unreadable*'", "телефон +38 (050) ***-**-01"), ("phone = '+380unreadabl'", "телефон невідомий")] {
            let spoil = format!("update notaries set {spoilt}");
            app.services().store.write(move |tx| execute(tx, &spoil)).await.unwrap();
            complain(&olena, "Отримувач не той").await;
            app.work().await;
            let letters = app.outside().letters();
            let letter = &letters[0].text;
            for expected in ["Отримувач не той", olena.id().to_string().as_str(), phone] {
                assert!(letter.contains(expected), "{expected}: {letter}");
            }
        }
        assert_eq!((app.rows("complaints").await, app.outside().letters().len()), (2, 2));
    }

    async fn a_letter_waits_for_a_mail_server_that_is_down(app: TestApp) {
        let olena = app.notary("olena").await;
        complain(&olena, "Перше").await;
        app.outside().faults(&[mail_fault(FaultKind::Status500, 3)]).await;
        app.work().await;
        for (done, pause) in PAUSES.into_iter().take(3).enumerate() {
            let done = i64::try_from(done).unwrap() + 1;
            app.clock().advance_seconds(pause * 60 - 1);
            app.work().await;
            assert_eq!(tries(&app).await, done, "not before its pause is over");
            assert_eq!(count(&app, "delivered_at is null and last_error like '%cannot be reached%'").await, 1);
            app.clock().advance_seconds(1);
            app.work().await;
            assert_eq!(tries(&app).await, done + 1);
        }
        assert_eq!(app.outside().letters().len(), 1);
        assert_eq!(count(&app, "delivered_at is not null and last_error is null").await, 1);
    }

    async fn one_letter_that_fails_does_not_use_up_the_tries_of_the_next(app: TestApp) {
        let olena = app.notary("olena").await;
        complain(&olena, "Перше").await;
        complain(&olena, "Друге").await;
        app.outside().faults(&[mail_fault(FaultKind::Status429, 1)]).await;
        app.work().await;
        assert_eq!(count(&app, "tries = 1").await, 1, "the round ends at the failure");
        app.work().await;
        app.clock().advance_seconds(PAUSES[0] * 60);
        app.work().await;
        let letters = app.outside().letters();
        assert_eq!(letters.len(), 2);
        assert!(letters[0].text.contains("Перше") && letters[1].text.contains("Друге"));
    }

    async fn a_letter_is_given_up_after_ten_tries_and_goes_on_when_the_operator_says_so(app: TestApp) {
        let olena = app.notary("olena").await;
        complain(&olena, "Сума не та").await;
        app.outside().faults(&[mail_fault(FaultKind::Refuse, 10)]).await;
        app.work().await;
        for pause in PAUSES {
            assert_eq!(count(&app, "parked_at is null").await, 1);
            app.clock().advance_seconds(pause * 60);
            app.work().await;
        }
        assert_eq!(count(&app, "parked_at is not null and tries = 10").await, 1);
        assert_eq!(count(&app, "last_error = 'the mail server refused: 554'").await, 1);
        assert!(log_written().contains("given up"), "somebody must hear of it");
        app.clock().advance_seconds(30 * 24 * 3_600);
        app.work().await;
        assert_eq!(tries(&app).await, 10);

        let administration = app.services().operator.administration();
        let parked = administration.parked_letters().await.unwrap();
        assert_eq!((parked.len(), parked[0].tries, parked[0].last_error.as_deref()), (1, 10, Some("the mail server refused: 554")));
        let now = app.clock().shows();
        let strange = ParkedLetters::Only(vec![uuid::Uuid::from_u128(7)]);
        assert_eq!(administration.retry_parked_letters(strange, now).await, Ok(0));
        assert_eq!(administration.retry_parked_letters(ParkedLetters::Only(vec![parked[0].id]), now).await, Ok(1));
        assert_eq!(app.number("select count(*) from audit_events where action = 'letters_retried'".to_owned()).await, 1);
        app.work().await;
        assert_eq!(app.outside().letters().len(), 1);
        assert!(administration.parked_letters().await.unwrap().is_empty());
        app.check_invariants().await;
    }

    async fn a_letter_that_was_given_up_can_be_dropped(app: TestApp) {
        let olena = app.notary("olena").await;
        complain(&olena, "Сума не та").await;
        app.execute("update outbox set parked_at = created_at where delivered_at is null".to_owned()).await;
        let administration = app.services().operator.administration();
        let id = administration.parked_letters().await.unwrap()[0].id;
        let (why, now) = (OperatorReason::parse("SD-1").unwrap(), app.clock().shows());
        assert_eq!(administration.drop_parked_letters(vec![id], &why, now).await, Ok(1));
        assert_eq!(administration.drop_parked_letters(vec![id], &why, now).await, Ok(0), "once");
        assert_eq!(administration.retry_parked_letters(ParkedLetters::All, now).await, Ok(0));
        assert_eq!(app.number("select count(*) from audit_events where action = 'letters_dropped'".to_owned()).await, 1);
        app.check_invariants().await;
    }

    async fn a_letter_whose_fate_is_unknown_is_sent_again(app: TestApp) {
        let olena = app.notary("olena").await;
        complain(&olena, "Сума не та").await;
        app.outside().faults(&[mail_fault(FaultKind::Reset, 1)]).await;
        app.work().await;
        assert_eq!(app.outside().letters().len(), 1, "it was taken, but nobody said so");
        assert_eq!(count(&app, "delivered_at is null and last_error like '%unknown%'").await, 1);
        app.clock().advance_seconds(PAUSES[0] * 60);
        app.work().await;
        let letters = app.outside().letters();
        assert_eq!(letters.len(), 2);
        assert_eq!(letters[0].text, letters[1].text);
        assert_eq!(count(&app, "delivered_at is not null").await, 1);
    }

    async fn of_workers_side_by_side_one_delivers(app: TestApp) {
        let olena = app.notary("olena").await;
        for number in 0..5 {
            complain(&olena, &format!("Номер {number}")).await;
        }
        let workers: Vec<_> = (0..5)
            .map(|_| {
                let services = app.services();
                tokio::spawn(async move { services.outbox.deliver().await.unwrap() })
            })
            .collect();
        let mut taken = 0;
        for worker in workers {
            taken += worker.await.unwrap();
        }
        assert_eq!(taken, 5);
        assert_eq!(app.outside().letters().len(), 5);
    }

    async fn a_row_that_is_no_letter_is_given_up_and_holds_up_none(app: TestApp) {
        let now = app.clock().shows();
        let add = move |tx: &mut cabinet_storage::Tx| {
            for (number, kind, payload) in [(1, "letter", "no JSON"), (2, "pigeon", "{}")] {
                cabinet_storage::worker::outbox::add(tx, uuid::Uuid::from_u128(number), kind, payload, now, now)?;
            }
            Ok::<_, cabinet_storage::StorageError>(())
        };
        app.services().store.write(add).await.unwrap();
        complain(&app.notary("olena").await, "Сума не та").await;
        app.work().await;
        assert_eq!(count(&app, "parked_at is not null").await, 2);
        assert_eq!(app.outside().letters().len(), 1);
    }

    async fn without_a_mail_server_a_complaint_is_kept(app: TestApp) {
        app.restart_with(|settings| settings.mail = false).await;
        let olena = app.notary("olena").await;
        complain(&olena, "Сума не та").await;
        app.work().await;
        assert_eq!((app.rows("complaints").await, app.rows("outbox").await), (1, 0));
        app.restart_with(|settings| settings.mail = true).await;
        app.work().await;
        assert!(app.outside().letters().is_empty());
    }
}
