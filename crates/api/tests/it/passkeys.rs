//! Passkeys: a session alone adds and removes none, and nobody but its owner enters by one.

use cabinet_domain::{Passkey, PasskeyId, StandingDecision};
use cabinet_storage::account::passkeys;
use cabinet_storage::{StorageError, Tx, lock_notary};
use cabinet_test_kit::{Answer, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::codes::other_code;

const LABEL: &str = "Робочий комп’ютер";

/// Asks for the code of an act on passkeys and enters it.
async fn prove(person: &Person, passkey: Value) {
    let started = person
        .post("/auth/confirmation", json!({ "passkey": passkey }))
        .await
        .ok();
    enter_code(person, &started, &person.code()).await.ok();
}

async fn enter_code(person: &Person, started: &Value, code: &str) -> Answer {
    let body = json!({ "otp_code": code, "operation_id": started["operation_id"] });
    person.post("/auth/confirmation/otp", body).await
}

async fn options(person: &Person) -> Value {
    person.post("/me/passkeys/options", json!({})).await.ok()
}

async fn send(person: &Person, credential: &Value) -> Answer {
    let body = json!({ "label": LABEL, "credential": credential });
    person.post("/me/passkeys/add", body).await
}

pub(crate) fn authenticator(app: &TestApp, id: &str) -> Authenticator {
    Authenticator::new(app.public_url(), id.as_bytes())
}

/// Adds a passkey of a new authenticator. Returns both.
pub(crate) async fn add(app: &TestApp, person: &Person, id: &str) -> (Authenticator, Value) {
    let authenticator = authenticator(app, id);
    prove(person, json!({ "act": "add" })).await;
    let options = options(person).await;
    let added = send(person, &authenticator.create(&options)).await.ok();
    // The pause between two codes.
    app.clock().advance_seconds(60);
    (authenticator, added)
}

pub(crate) fn handle(person: &Person) -> Vec<u8> {
    person.id().uuid().as_bytes().to_vec()
}

pub(crate) async fn ask(browser: &Person) -> Value {
    browser
        .post("/auth/login/passkey/options", json!({}))
        .await
        .ok()
}

pub(crate) async fn answer(browser: &Person, credential: &Value) -> Answer {
    let body = json!({ "credential": credential });
    browser.post("/auth/login/passkey", body).await
}

async fn enter(browser: &Person, by: &Authenticator) -> Answer {
    let options = ask(browser).await;
    answer(browser, &by.get(&options, &handle(browser))).await
}

async fn count(app: &TestApp, query: &str) -> i64 {
    app.number(format!("select count(*) from {query}")).await
}

on_both_databases! {
    async fn a_passkey_opens_a_session_on_any_device_without_a_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, added) = add(&app, &olena, "first").await;
        assert_eq!((&added["label"], &added["is_synced"], &added["last_used_at"]), (&json!(LABEL), &json!(true), &Value::Null));
        let codes = count(&app, "login_operations").await;
        let new = olena.elsewhere();
        let opened = enter(&new, &authenticator).await.ok();
        assert_eq!(opened["notary_id"], json!(olena.id().to_string()));
        assert_eq!(new.post("/auth/me", json!({})).await.ok()["id"], opened["notary_id"]);
        assert_eq!(count(&app, "login_operations").await, codes, "no code, no call");
        let listed = olena.get("/me/passkeys").await.ok();
        assert!(listed["passkeys"][0]["last_used_at"].is_string());
        // The owner is told of the device as after a code, and it is a known one then.
        app.work().await;
        assert!(app.outside().messages(olena.phone())[0].contains("нового пристрою"));
        assert_eq!(count(&app, "audit_events where action = 'new_device' and changes like '%passkey%'").await, 1);
        enter(&new, &authenticator).await.ok();
        assert_eq!(count(&app, "audit_events where action = 'signed_in' and changes like '%passkey%'").await, 1);
        // The login is no proof.
        new.post("/me", json!({ "email": "olena@example.com" })).await.refused(403, "confirmation_required");
    }

    async fn a_session_alone_adds_no_passkey(app: TestApp) {
        let olena = app.notary("olena").await;
        let rows = app.all_rows().await;
        let refused = olena.post("/me/passkeys/options", json!({})).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["passkey"], json!({ "act": "add", "passkey_id": null }));
        assert_eq!(app.all_rows().await, rows);
        // Neither does the sign-in, nor a code of another act.
        olena.post_proved("/me", json!({ "phone_additional": "0671112233" })).await.ok();
        olena.post("/me/passkeys/options", json!({})).await.refused(403, "confirmation_required");
        app.clock().advance_seconds(60);

        let started = olena.post("/auth/confirmation", json!({ "passkey": { "act": "add" } })).await.ok();
        assert_eq!(started["passkey"], json!({ "act": "add", "passkey_id": null }));
        assert!(app.outside().messages(olena.phone())[0].contains("додати ключ доступу"));
        let code = olena.code();
        enter_code(&olena, &started, &other_code(&code, 1)).await.refused(422, "wrong_otp");
        olena.post("/me/passkeys/options", json!({})).await.refused(403, "confirmation_required");
        app.clock().advance(SignedDuration::from_secs(200));
        enter_code(&olena, &started, &code).await.ok();
        // It is good in its session alone, and confirms none.
        let other = olena.elsewhere();
        other.log_in().await;
        other.post("/me/passkeys/options", json!({})).await.refused(403, "confirmation_required");
        app.clock().advance(SignedDuration::from_secs(399));
        olena.refresh().await.ok();
        let asked = options(&olena).await;
        let first = authenticator(&app, "first");
        // And until ten minutes are over since it was asked for.
        app.clock().advance_seconds(1);
        olena.refresh().await.ok();
        send(&olena, &first.create(&asked)).await.refused(403, "confirmation_required");
        olena.post("/me", json!({ "email": "olena@example.com" })).await.refused(403, "confirmation_required");
        assert_eq!(app.rows("notary_passkeys").await, 0);
    }

    async fn a_code_adds_one_passkey(app: TestApp) {
        let olena = app.notary("olena").await;
        prove(&olena, json!({ "act": "add" })).await;
        let asked = options(&olena).await;
        let first = authenticator(&app, "first").create(&asked);
        send(&olena, &first).await.ok();
        send(&olena, &authenticator(&app, "second").create(&asked)).await.refused(403, "confirmation_required");
        app.clock().advance_seconds(60);
        // A challenge is good once too.
        prove(&olena, json!({ "act": "add" })).await;
        send(&olena, &authenticator(&app, "second").create(&asked)).await.refused(422, "passkey_not_added");
        let asked = options(&olena).await;
        assert_eq!(asked["public_key"]["excludeCredentials"][0]["id"], first["id"]);
        send(&olena, &authenticator(&app, "first").create(&asked)).await.refused(409, "passkey_exists");
        // What was refused has used nothing up.
        send(&olena, &authenticator(&app, "second").create(&asked)).await.ok();
        assert_eq!(app.rows("notary_passkeys").await, 2);
        assert_eq!(count(&app, "audit_events where action = 'passkey_added'").await, 2);
    }

    async fn what_the_authenticator_answers_to_another_page_or_too_late_is_not_added(app: TestApp) {
        let olena = app.notary("olena").await;
        prove(&olena, json!({ "act": "add" })).await;
        let asked = options(&olena).await;
        let right = authenticator(&app, "first");
        let elsewhere = Authenticator::new("https://evil.example", b"first");
        let mut unverified = authenticator(&app, "first");
        unverified.verifies_user = false;
        let mut other_id = right.create(&asked);
        other_id["id"] = json!("AAAA");
        let mut foreign_party = asked.clone();
        foreign_party["public_key"]["rp"]["id"] = json!("evil.example");
        let mut own_challenge = asked.clone();
        own_challenge["public_key"]["challenge"] = json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        // A challenge of the login, and one of another session.
        let login = ask(&olena).await;
        let mut of_login = asked.clone();
        of_login["public_key"]["challenge"] = login["public_key"]["challenge"].clone();
        for credential in [
            elsewhere.create(&asked),
            unverified.create(&asked),
            other_id,
            right.create(&foreign_party),
            right.create(&own_challenge),
            right.create(&of_login),
            json!({ "id": "AAAA", "response": { "clientDataJSON": "", "authenticatorData": "" } }),
            Value::Null,
        ] {
            send(&olena, &credential).await.refused(422, "passkey_not_added");
        }
        olena.post("/me/passkeys/add", json!({ "label": "", "credential": right.create(&asked) })).await.refused(422, "field_required");
        olena.post("/me/passkeys/add", json!({ "label": "4242 4242 4242 4242", "credential": right.create(&asked) })).await.refused(422, "card_number_not_accepted");
        app.clock().advance(SignedDuration::from_mins(5));
        send(&olena, &right.create(&asked)).await.refused(422, "passkey_not_added");
        assert_eq!(app.rows("notary_passkeys").await, 0);
    }

    async fn nobody_else_enters_by_a_passkey(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (mut first, _) = add(&app, &olena, "first").await;
        add(&app, &taras, "second").await;
        let browser = olena.elsewhere();
        let rows = app.all_rows().await;
        let asked = ask(&browser).await;
        assert_eq!(app.all_rows().await, rows, "whoever asks stores nothing");
        assert_eq!(asked["public_key"].get("allowCredentials"), None);

        first.origin = "https://evil.example".to_owned();
        let elsewhere = first.get(&asked, &handle(&olena));
        first.origin = app.public_url().to_owned();
        let forged = authenticator(&app, "first");
        let mut foreign_party = asked.clone();
        foreign_party["public_key"]["rpId"] = json!("evil.example");
        let mut own_challenge = asked.clone();
        own_challenge["public_key"]["challenge"] = json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        let mut changed = first.get(&asked, &handle(&olena));
        let mut with_other_id = changed.clone();
        with_other_id["id"] = json!("c2Vjb25k");
        changed["response"]["signature"] = json!("AAAA");
        for credential in [
            elsewhere,
            forged.get(&asked, &handle(&olena)),
            first.get(&asked, &handle(&taras)),
            first.get(&asked, b""),
            first.get(&foreign_party, &handle(&olena)),
            first.get(&own_challenge, &handle(&olena)),
            authenticator(&app, "unknown").get(&asked, &handle(&olena)),
            with_other_id,
            changed,
            Value::Null,
        ] {
            answer(&browser, &credential).await.refused(422, "passkey_refused");
        }
        assert_eq!(app.all_rows().await, rows, "what is refused stores nothing");
        app.clock().advance(SignedDuration::from_mins(5));
        answer(&browser, &first.get(&asked, &handle(&olena))).await.refused(422, "passkey_refused");
        enter(&browser, &first).await.ok();
    }

    async fn a_user_who_was_not_verified_does_not_enter(app: TestApp) {
        let olena = app.notary("olena").await;
        let (mut authenticator, _) = add(&app, &olena, "first").await;
        authenticator.verifies_user = false;
        enter(&olena.elsewhere(), &authenticator).await.refused(422, "passkey_refused");
        authenticator.verifies_user = true;
        enter(&olena.elsewhere(), &authenticator).await.ok();
    }

    async fn an_answer_is_good_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        let asked = ask(&olena.elsewhere()).await;
        let credential = authenticator.get(&asked, &handle(&olena));
        answer(&olena.elsewhere(), &credential).await.ok();
        answer(&olena.elsewhere(), &credential).await.refused(422, "passkey_refused");
    }

    async fn a_counter_that_does_not_grow_is_refused_and_told(app: TestApp) {
        let olena = app.notary("olena").await;
        let (mut authenticator, _) = add(&app, &olena, "first").await;
        for (count, enters) in [(7, true), (7, false), (6, false), (0, false), (8, true)] {
            authenticator.sign_count = count;
            let answer = enter(&olena.elsewhere(), &authenticator).await;
            if enters { answer.ok(); } else { answer.refused(422, "passkey_refused"); }
        }
        assert_eq!(count(&app, "audit_events where action = 'entry_failed' and changes like '%passkey%'").await, 3);
    }

    async fn a_passkey_is_the_way_in_that_nobody_else_uses_up(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        // A stranger takes all codes and calls of her new devices.
        for number in 0..40 {
            let stranger = olena.elsewhere().at_address(&format!("203.0.113.{number}"));
            stranger.post("/auth/login", json!({ "phone": olena.phone() })).await;
            app.clock().advance_seconds(60);
        }
        let new = olena.elsewhere().at_address("198.51.100.9");
        new.post("/auth/login", json!({ "phone": olena.phone() })).await.refused(429, "too_many_codes");
        enter(&new, &authenticator).await.ok();
    }

    async fn what_is_tried_with_telephone_numbers_takes_nothing_from_passkeys(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        app.restart_with(|settings| settings.login_attempts_per_minute = 5).await;
        let browser = olena.elsewhere().at_address("203.0.113.7");
        for status in [422, 422, 422, 422, 422, 429] {
            assert_eq!(browser.post("/auth/login", json!({ "phone": "1" })).await.status, status);
        }
        enter(&browser, &authenticator).await.ok();
        for status in [200, 200, 200, 429] {
            assert_eq!(browser.post("/auth/login/passkey/options", json!({})).await.status, status);
        }
        answer(&browser, &Value::Null).await.refused(429, "too_many_requests");
        enter(&olena.elsewhere(), &authenticator).await.ok();
    }

    async fn a_removed_passkey_opens_nothing(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (first, added) = add(&app, &olena, "first").await;
        let (second, kept) = add(&app, &olena, "second").await;
        let id = added["id"].as_str().unwrap();
        let remove = |person: Person, id: &str| {
            let path = format!("/me/passkeys/{id}/remove");
            async move { person.post(&path, json!({})).await }
        };
        let refused = remove(olena.clone(), id).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["passkey"], json!({ "act": "remove", "passkey_id": id }));
        // The code of one is good for no other, and that of adding for none.
        let other = kept["id"].as_str().unwrap();
        prove(&olena, json!({ "act": "remove", "passkey_id": other })).await;
        assert!(app.outside().messages(olena.phone())[0].contains("видалити ключ доступу"));
        remove(olena.clone(), id).await.refused(403, "confirmation_required");
        app.clock().advance_seconds(60);
        prove(&olena, json!({ "act": "add" })).await;
        remove(olena.clone(), id).await.refused(403, "confirmation_required");
        app.clock().advance_seconds(60);
        prove(&olena, json!({ "act": "remove", "passkey_id": id })).await;
        remove(taras.clone(), id).await.refused(404, "passkey_unknown");
        remove(olena.clone(), id).await.ok();
        remove(olena.clone(), id).await.refused(404, "passkey_unknown");
        let gone = json!({ "passkey": { "act": "remove", "passkey_id": id } });
        olena.post("/auth/confirmation", gone).await.refused(404, "passkey_unknown");
        enter(&olena.elsewhere(), &first).await.refused(422, "passkey_refused");
        enter(&olena.elsewhere(), &second).await.ok();
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert!(told.iter().any(|message| message.contains("додано ключ доступу")));
        assert!(told.iter().any(|message| message.contains("видалено ключ доступу")));
        assert_eq!(count(&app, "audit_events where action = 'passkey_removed'").await, 1);
    }

    async fn a_notary_names_her_own_passkeys(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (_, added) = add(&app, &olena, "first").await;
        let path = format!("/me/passkeys/{}/rename", added["id"].as_str().unwrap());
        let label = |text: &str| json!({ "label": text });
        olena.post(&path, label("  Телефон ")).await.ok();
        assert_eq!(olena.get("/me/passkeys").await.ok()["passkeys"][0]["label"], "Телефон");
        olena.post(&path, label(" ")).await.refused(422, "field_required");
        olena.post(&path, label(&"ї".repeat(61))).await.refused(422, "text_too_long");
        taras.post(&path, label("Мій")).await.refused(404, "passkey_unknown");
        olena.post("/me/passkeys/none/rename", label("Мій")).await.refused(404, "passkey_unknown");
        assert_eq!(taras.get("/me/passkeys").await.ok()["passkeys"], json!([]));
        assert_eq!(olena.get("/me/passkeys").await.ok()["passkeys"][0]["label"], "Телефон");
    }

    async fn a_notary_has_ten_passkeys_at_most(app: TestApp) {
        let olena = app.notary("olena").await;
        add(&app, &olena, "first").await;
        let notary = olena.id();
        let fill = move |tx: &mut Tx| -> Result<(), StorageError> {
            let locked = lock_notary(tx, notary)?;
            let first = passkeys::of_notary(tx, notary)?.swap_remove(0);
            for number in 2..=10 {
                let id = PasskeyId::new(uuid::Uuid::from_u128(number));
                let other = Passkey { id, credential_id: id.uuid().as_bytes().to_vec(), ..first.clone() };
                assert!(passkeys::insert(tx, &locked, &other)?);
            }
            Ok(())
        };
        app.services().store.write(fill).await.unwrap();
        olena.post("/auth/confirmation", json!({ "passkey": { "act": "add" } })).await.refused(409, "too_many_passkeys");
        olena.post("/me/passkeys/options", json!({})).await.refused(409, "too_many_passkeys");
    }

    async fn whoever_is_shut_out_has_no_passkey(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        let decide = |decision| crate::new_accounts::decide(&app, olena.phone(), decision);
        decide(StandingDecision::Block).await.unwrap();
        assert_eq!(app.rows("notary_passkeys").await, 0);
        enter(&olena.elsewhere(), &authenticator).await.refused(422, "passkey_refused");
        decide(StandingDecision::Unblock).await.unwrap();
        enter(&olena.elsewhere(), &authenticator).await.refused(422, "passkey_refused");
    }

    async fn a_blocked_account_and_one_without_the_terms_are_answered_as_with_a_code(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        app.execute("update notaries set agreed_terms_at = null".to_owned()).await;
        enter(&olena.elsewhere(), &authenticator).await.refused(422, "user_not_agreed_with_new_terms");
        app.execute("update notaries set standing = 'blocked', standing_reason = 'x', confirmed_at = null".to_owned()).await;
        enter(&olena.elsewhere(), &authenticator).await.refused(403, "account_blocked");
    }

    async fn an_erased_account_leaves_no_passkey(app: TestApp) {
        let olena = app.notary("olena").await;
        let (authenticator, _) = add(&app, &olena, "first").await;
        crate::erasure::erase_notary(&app).await.unwrap();
        assert_eq!((app.rows("notary_passkeys").await, app.rows("passkey_proofs").await), (0, 0));
        assert!(!app.stores("Робочий комп").await);
        enter(&olena.elsewhere(), &authenticator).await.refused(422, "passkey_refused");
    }
}
