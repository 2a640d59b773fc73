//! The code that confirms a new account goes to the contact that the register of notaries has.

use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;
use crate::new_accounts::{load, me, recorded, sign_up, standing};

const HEADER: &str = "FIO,LICENSE,IDENTIFIER,INFO,PHONE,EMAIL\n";
const NAME: &str = "Дем’яненко Лук’ян Олексійович";
/// The telephone of the register.
const HERS: &str = "+380671110001";
/// The one that somebody signs up with.
const TYPED: &str = "+380671234567";

async fn load_contact(app: &TestApp, phone: &str, email: &str) {
    let text = format!("{HEADER}{NAME},77,NOTAR30001,,{phone},{email}\n");
    load(app, &text).await.unwrap();
}

async fn ask(person: &Person) -> Answer {
    person
        .post("/auth/confirmation", json!({ "account": true }))
        .await
}

async fn enter(person: &Person, started: &Value, code: &str) -> Answer {
    let body = json!({ "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/confirmation/otp", body).await
}

on_both_databases! {
    async fn whoever_has_the_contact_of_the_register_is_confirmed_at_once(app: TestApp) {
        load_contact(&app, HERS, "lukian@notary.example").await;
        let lukian = sign_up(&app, TYPED, NAME, "NOTAR30001").await;
        let user = me(&lukian).await;
        assert_eq!((&user["standing"], &user["register_contact"]), (&json!("waiting"), &json!("+38 (067) ***-**-01")));
        let before = app.outside().messages(TYPED).len();
        let started = ask(&lukian).await.ok();
        assert_eq!((&started["sent_to"], &started["confirms_account"], &started["otp_length"]), (&json!("+38 (067) ***-**-01"), &json!(true), &json!(6)));
        // The message goes to the register's telephone alone, and says whose account it confirms.
        let message = app.outside().messages(HERS)[0].clone();
        assert!(message.contains("+38 (067) ***-**-67"), "{message}");
        assert_eq!(app.outside().messages(TYPED).len(), before);
        let code = app.outside().code(HERS);
        enter(&lukian, &started, &code).await.ok();
        let user = me(&lukian).await;
        assert_eq!((&user["standing"], &user["register_contact"]), (&json!("confirmed"), &json!(null)));
        let by_register = "select count(*) from notaries where standing_by = 'register' and register_key = 'certificate:77'";
        assert_eq!((app.number(by_register.to_owned()).await, recorded(&app, "notary_confirmed").await), (1, 1));
        lukian.add(PaymentKind::RequisitesPayment).await;
        let order = lukian.order_cart().await;
        lukian.pay(&order).await;
        // The code and the row are used up.
        enter(&lukian, &started, &code).await.refused(422, "wrong_otp");
        ask(&lukian).await.refused(409, "register_contact_unknown");
        let twin = sign_up(&app, "+380671234568", NAME, "0077").await;
        assert_eq!(me(&twin).await["register_contact"], json!(null));
        ask(&twin).await.refused(409, "register_contact_unknown");
        app.finish_and_check().await;
    }

    async fn public_data_alone_confirm_nobody_and_wrong_codes_end(app: TestApp) {
        load_contact(&app, HERS, "").await;
        let stranger = sign_up(&app, TYPED, NAME, "NOTAR30001").await;
        let started = ask(&stranger).await.ok();
        let code = app.outside().code(HERS);
        for (number, key) in [(1, "wrong_otp"), (2, "wrong_otp"), (3, "otp_tries_exhausted")] {
            enter(&stranger, &started, &other_code(&code, number)).await.refused(422, key);
        }
        enter(&stranger, &started, &code).await.refused(422, "otp_tries_exhausted");
        stranger.add(PaymentKind::RequisitesPayment).await;
        let body = stranger.order_body().await;
        stranger.create_order(&stranger.fresh_key(), &body).await.refused(403, "notary_not_confirmed");
        // Whoever asks again and again, from however many accounts, sends the notary no more messages than a login could.
        let mut sent = 1;
        for number in 0..4 {
            let other = sign_up(&app, &format!("+38067123450{number}"), NAME, "NOTAR30001").await;
            loop {
                app.clock().advance(SignedDuration::from_secs(100));
                other.refresh().await.ok();
                stranger.refresh().await.ok();
                let answer = ask(&other).await;
                if answer.status != 200 {
                    answer.refused(429, "too_many_codes");
                    break;
                }
                // The code of somebody else's session is good for nothing.
                let code = app.outside().code(HERS);
                enter(&stranger, &answer.json(), &code).await.refused(422, "operation_unknown");
                sent += 1;
            }
            assert_eq!(standing(&other).await, "waiting");
        }
        assert_eq!((sent, app.outside().messages(HERS).len()), (10, 10));
        assert_eq!((standing(&stranger).await, recorded(&app, "notary_confirmed").await), (json!("waiting"), 0));
        // Who signs up with the telephone of the register needs no further code, and nobody keeps her from it.
        let lukian = sign_up(&app, HERS, NAME, "NOTAR30001").await;
        assert_eq!(standing(&lukian).await, "confirmed");
        app.finish_and_check().await;
    }

    async fn a_new_register_ends_the_codes_on_their_way(app: TestApp) {
        load_contact(&app, HERS, "").await;
        let lukian = sign_up(&app, TYPED, NAME, "NOTAR30001").await;
        let started = ask(&lukian).await.ok();
        let code = app.outside().code(HERS);
        load_contact(&app, "+380671110002", "").await;
        assert_eq!(me(&lukian).await["register_contact"], json!("+38 (067) ***-**-02"));
        enter(&lukian, &started, &code).await.refused(422, "otp_expired");
        assert_eq!(standing(&lukian).await, "waiting");
        let again = ask(&lukian).await.ok();
        let code = app.outside().code("+380671110002");
        enter(&lukian, &again, &code).await.ok();
        assert_eq!(standing(&lukian).await, "confirmed");
        app.finish_and_check().await;
    }

    async fn a_letter_goes_where_the_register_has_an_address_alone(app: TestApp) {
        // The telephone of an office gets no text messages.
        load_contact(&app, "044 234 56 78", "lukian@notary.example").await;
        let lukian = sign_up(&app, TYPED, NAME, "NOTAR30001").await;
        assert_eq!(me(&lukian).await["register_contact"], json!("l•••@notary.example"));
        let started = ask(&lukian).await.ok();
        app.work().await;
        let letter = app.outside().letters().pop().unwrap();
        assert_eq!((letter.to.as_str(), letter.subject.as_str()), ("lukian@notary.example", "Код підтвердження облікового запису нотаріуса"));
        let code: String = letter.text.chars().take_while(char::is_ascii_digit).collect();
        let kept = format!("select count(*) from outbox where payload like '%{code}%'");
        assert_eq!(app.number(kept).await, 0);
        // A name that the register does not have confirms nobody.
        lukian.post("/me", json!({ "full_name": "Інший Лук’ян Олексійович", "registry_identifier": "NOTAR30001" })).await.ok();
        enter(&lukian, &started, &code).await.refused(422, "otp_expired");
        assert_eq!(standing(&lukian).await, "waiting");
        lukian.post("/me", json!({ "full_name": NAME, "registry_identifier": "NOTAR30001" })).await.ok();
        app.clock().advance_seconds(100);
        let again = ask(&lukian).await.ok();
        app.work().await;
        let mut letters = app.outside().letters().into_iter();
        let another = letters.find(|letter| letter.to == "lukian@notary.example" && !letter.text.starts_with(&code)).unwrap();
        let code: String = another.text.chars().take_while(char::is_ascii_digit).collect();
        enter(&lukian, &again, &code).await.ok();
        assert_eq!(standing(&lukian).await, "confirmed");
        app.finish_and_check().await;
    }

    async fn without_a_contact_the_operator_confirms(app: TestApp) {
        // None, the telephone of an office, and an address where no mail server is set up.
        for (number, phone, email) in [(0, "", ""), (1, "044 234 56 78", ""), (2, "", "lukian@notary.example")] {
            app.restart_with(|settings| settings.mail = email.is_empty()).await;
            load_contact(&app, phone, email).await;
            let lukian = sign_up(&app, &format!("+38067123456{number}"), NAME, "NOTAR30001").await;
            assert_eq!((me(&lukian).await["register_contact"].clone(), standing(&lukian).await), (json!(null), json!("waiting")));
            ask(&lukian).await.refused(409, "register_contact_unknown");
        }
        assert_eq!(app.rows("register_proofs").await, 0);
    }
}
