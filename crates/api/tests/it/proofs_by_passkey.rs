//! Proofs by passkeys: one that has been there for long enough proves one payment, as it was shown, in one session, once.

use cabinet_test_kit::{Answer, PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::authenticator::Authenticator;
use crate::passkeys::{add, answer as log_in_by, ask as login_options, handle};
use crate::proofs::{by_card, order_to_foreign};

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Makes devices and passkeys prove after a day.
async fn wait_a_day_for_proofs(app: &TestApp) {
    app.restart_with(|settings| settings.app.codes.device_known_after = DAY)
        .await;
}

/// Returns a notary whose passkey is a day old, on her old device.
async fn with_passkey(app: &TestApp, name: &str) -> (Person, Authenticator) {
    let person = app.notary(name).await;
    let (authenticator, _) = add(app, &person, name).await;
    app.clock().advance(DAY);
    person.log_in().await;
    (person, authenticator)
}

/// Asks what a passkey shall sign for what was refused.
async fn options(person: &Person, refused: &Answer) -> Answer {
    let proof = refused.json()["proof"].clone();
    let body = json!({ "client_id": proof["client_id"], "order_id": proof["order_id"], "part": proof["part"] });
    person
        .post("/auth/confirmation/passkey/options", body)
        .await
}

async fn send(person: &Person, credential: &Value) -> Answer {
    let body = json!({ "credential": credential });
    person.post("/auth/confirmation/passkey", body).await
}

/// Signs for what was refused.
pub(crate) async fn prove(person: &Person, refused: &Answer, by: &Authenticator) -> Answer {
    let asked = options(person, refused).await.ok();
    send(person, &by.get(&asked, &handle(person))).await
}

async fn order(person: &Person, body: &Value) -> Answer {
    person.create_order(&person.fresh_key(), body).await
}

async fn count(app: &TestApp, query: &str) -> i64 {
    app.number(format!("select count(*) from {query}")).await
}

on_both_databases! {
    async fn on_a_new_device_a_passkey_proves_a_payment_and_a_code_does_not(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, authenticator) = with_passkey(&app, "olena").await;
        let new = olena.elsewhere();
        new.log_in().await;
        let body = order_to_foreign(&new).await;
        let key = new.fresh_key();
        let refused = new.create_order(&key, &body).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["proof"]["kinds"], json!(["passkey"]));
        new.post("/auth/confirmation", json!({ "client_id": body["client_id"] })).await.refused(403, "device_too_new");

        let rows = app.all_rows().await;
        let asked = options(&new, &refused).await.ok();
        assert_eq!(app.all_rows().await, rows, "whoever asks stores nothing");
        assert_eq!(asked["proof"], refused.json()["proof"]);
        let public_key = &asked["public_key"];
        assert_eq!((&public_key["userVerification"], &public_key["timeout"]), (&json!("required"), &json!(600_000)));
        assert_eq!(public_key["allowCredentials"].as_array().unwrap().len(), 1);
        let credential = authenticator.get(&asked, b"");
        assert_eq!(public_key["allowCredentials"][0]["id"], credential["id"], "an authenticator need not tell whose it is");
        send(&new, &credential).await.ok();
        let paid = new.create_order(&key, &body).await.ok()["order"].clone();
        assert_eq!(paid["status"], "paid");
        assert_eq!(new.create_order(&key, &body).await.ok()["order"]["id"], paid["id"]);
        assert!(app.outside().messages(olena.phone()).iter().all(|message| !message.contains("оплати")));
        assert_eq!(count(&app, "payment_proofs where order_id is not null and kind = 'passkey'").await, 1);
        assert_eq!(count(&app, "audit_events where action = 'order_created' and changes like '%proved%'").await, 1);
        assert_eq!(count(&app, "audit_events where action = 'change_confirmed' and changes like '%passkey%'").await, 1);
        assert!(new.get("/me/passkeys").await.ok()["passkeys"][0]["last_used_at"].is_string());

        // From now on she pays there without a word. The session is confirmed for nothing.
        app.clock().advance(SignedDuration::from_mins(10));
        new.refresh().await.ok();
        let body = order_to_foreign(&new).await;
        order(&new, &body).await.ok();
        new.post("/me", json!({ "email": "olena@example.com" })).await.refused(403, "confirmation_required");
        app.finish_and_check().await;
    }

    async fn on_a_known_device_a_passkey_proves_an_order_that_was_not_paid(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, authenticator) = with_passkey(&app, "olena").await;
        let body = order_to_foreign(&olena).await;
        let pending = olena.order_cart().await;
        app.outside().pay(pending["widget_url"].as_str().unwrap(), "4000000000000002").await;
        olena.until(&pending, "failed").await;
        let again = json!({ "token_id": body["token_id"] });
        let path = format!("/order/{}/pay", pending["id"].as_str().unwrap());
        let refused = olena.post(&path, again.clone()).await;
        refused.refused(403, "confirmation_required");
        let proof = &refused.json()["proof"];
        assert_eq!((&proof["order_id"], &proof["kinds"]), (&pending["id"], &json!(["passkey", "code"])));
        prove(&olena, &refused, &authenticator).await.ok();
        assert_eq!(olena.post(&path, again).await.ok()["order"]["status"], "paid");
        app.finish_and_check().await;
    }

    async fn an_answer_for_something_else_proves_nothing(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, mut authenticator) = with_passkey(&app, "olena").await;
        let (taras, foreign) = with_passkey(&app, "taras").await;
        olena.log_in().await;
        let body = order_to_foreign(&olena).await;
        let refused = order(&olena, &body).await;
        let asked = options(&olena, &refused).await.ok();
        let elsewhere = olena.elsewhere();
        elsewhere.log_in().await;
        let theirs = options(&elsewhere, &order(&elsewhere, &body).await).await.ok();
        let login = login_options(&olena).await;
        let mut rows = app.all_rows().await;

        let with_challenge = |challenge: &Value| {
            let mut other = asked.clone();
            other["public_key"]["challenge"] = challenge.clone();
            other
        };
        // The digest that the challenge carries is changed.
        let mut changed = asked["public_key"]["challenge"].as_str().unwrap().to_owned();
        let letter = if changed.as_bytes()[40] == b'A' { "B" } else { "A" };
        changed.replace_range(40..41, letter);
        let mut of_other_host = asked.clone();
        of_other_host["public_key"]["rpId"] = json!("evil.example");
        let forged = Authenticator::new(app.public_url(), b"olena");
        let mut credentials = vec![
            authenticator.get(&with_challenge(&theirs["public_key"]["challenge"]), &handle(&olena)),
            authenticator.get(&with_challenge(&login["public_key"]["challenge"]), &handle(&olena)),
            authenticator.get(&with_challenge(&changed.into()), &handle(&olena)),
            authenticator.get(&of_other_host, &handle(&olena)),
            authenticator.get(&asked, &handle(&taras)),
            forged.get(&asked, &handle(&olena)),
            foreign.get(&asked, &handle(&taras)),
            foreign.get(&asked, &handle(&olena)),
            foreign.get(&asked, b""),
            Value::Null,
        ];
        authenticator.verifies_user = false;
        credentials.push(authenticator.get(&asked, &handle(&olena)));
        authenticator.verifies_user = true;
        authenticator.origin = "https://evil.example".to_owned();
        credentials.push(authenticator.get(&asked, &handle(&olena)));
        authenticator.origin = app.public_url().to_owned();
        for credential in &credentials {
            send(&olena, credential).await.refused(422, "passkey_refused");
        }
        // An answer to a payment signs nobody in, and one that is right for her session is for no other.
        let right = authenticator.get(&asked, &handle(&olena));
        log_in_by(&olena.elsewhere(), &right).await.refused(422, "passkey_refused");
        send(&elsewhere, &right).await.refused(422, "passkey_refused");
        send(&taras, &right).await.refused(422, "passkey_refused");
        // Each session leaves one trace: somebody may be trying, and fills no trail.
        *rows.get_mut("audit_events").unwrap() += 3;
        assert_eq!(app.all_rows().await, rows, "what is refused stores nothing else, and charges nothing");
        order(&olena, &body).await.refused(403, "confirmation_required");

        // Ten minutes pass.
        app.clock().advance(SignedDuration::from_mins(10));
        olena.refresh().await.ok();
        send(&olena, &right).await.refused(422, "passkey_refused");
        order(&olena, &body).await.refused(403, "confirmation_required");
        let refused = order(&olena, &body).await;
        prove(&olena, &refused, &authenticator).await.ok();
        // What is proved in one session is proved in no other.
        elsewhere.refresh().await.ok();
        order(&elsewhere, &body).await.refused(403, "confirmation_required");
        order(&olena, &body).await.ok();
        app.finish_and_check().await;
    }

    async fn an_answer_proves_one_payment_as_it_was_once(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, mut authenticator) = with_passkey(&app, "olena").await;
        let body = order_to_foreign(&olena).await;
        let refused = order(&olena, &body).await;
        let asked = options(&olena, &refused).await.ok();
        authenticator.sign_count = 7;
        let credential = authenticator.get(&asked, &handle(&olena));
        // The payment changes after the page has shown it.
        let item = olena.group().await["items"][0]["id"].clone();
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 2 })).await.ok();
        send(&olena, &credential).await.ok();
        let body = by_card(&olena).await;
        let refused = order(&olena, &body).await;
        refused.refused(403, "confirmation_required");
        // The answer is used up, and so is its counter.
        send(&olena, &credential).await.refused(422, "passkey_refused");
        prove(&olena, &refused, &authenticator).await.refused(422, "passkey_refused");
        assert_eq!(count(&app, "audit_events where action = 'confirmation_failed' and changes like '%passkey%'").await, 1);
        order(&olena, &body).await.refused(403, "confirmation_required");
        authenticator.sign_count = 8;
        prove(&olena, &refused, &authenticator).await.ok();
        // Not at once: the proof is good for ten minutes.
        app.clock().advance(SignedDuration::from_mins(10));
        olena.refresh().await.ok();
        let refused = order(&olena, &body).await;
        refused.refused(403, "confirmation_required");
        authenticator.sign_count = 9;
        prove(&olena, &refused, &authenticator).await.ok();
        order(&olena, &body).await.ok();
        assert_eq!(count(&app, "payment_proofs where order_id is not null").await, 1);
        // No message has named the sum, so she is told of it, though it is a small one.
        app.work().await;
        assert!(app.outside().messages(olena.phone())[0].contains("Збереженою карткою сплачено"));
        let confirmed = "audit_events where action = 'change_confirmed' and object_kind = 'passkey' and changes like '%\"proved\"%'";
        assert_eq!(count(&app, confirmed).await, 3);
        app.finish_and_check().await;
    }

    async fn a_passkey_that_was_just_added_proves_nothing(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let olena = app.notary("olena").await;
        app.clock().advance(DAY);
        olena.log_in().await;
        app.clock().advance_seconds(60);
        let (young, _) = add(&app, &olena, "young").await;
        let body = order_to_foreign(&olena).await;
        // On a known device there is the code, on a new one the acquirer's page.
        let refused = order(&olena, &body).await;
        refused.refused(403, "confirmation_required");
        assert_eq!(refused.json()["proof"]["kinds"], json!(["code"]));
        options(&olena, &refused).await.refused(409, "passkey_too_new");
        let new = olena.elsewhere();
        new.log_in().await;
        order(&new, &body).await.refused(403, "device_too_new");
        options(&new, &refused).await.refused(409, "passkey_too_new");

        // A minute has passed since it was added.
        app.clock().advance(DAY - SignedDuration::from_secs(61));
        olena.log_in().await;
        order(&olena, &body).await.refused(403, "confirmation_required");
        options(&olena, &refused).await.refused(409, "passkey_too_new");
        app.clock().advance(SignedDuration::from_mins(1));
        let (younger, _) = add(&app, &olena, "younger").await;
        let asked = options(&olena, &refused).await.ok();
        assert_eq!(asked["public_key"]["allowCredentials"].as_array().unwrap().len(), 1);
        // One that the browser was not asked for answers.
        send(&olena, &younger.get(&asked, &handle(&olena))).await.refused(409, "passkey_too_new");
        order(&olena, &body).await.refused(403, "confirmation_required");
        send(&olena, &young.get(&asked, &handle(&olena))).await.ok();
        order(&olena, &body).await.ok();
        app.finish_and_check().await;
    }

    async fn whose_passkeys_are_gone_proves_nothing_by_them(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, authenticator) = with_passkey(&app, "olena").await;
        let new = olena.elsewhere();
        new.log_in().await;
        let body = order_to_foreign(&new).await;
        let refused = order(&new, &body).await;
        let asked = options(&new, &refused).await.ok();
        app.execute("delete from notary_passkeys".to_owned()).await;
        send(&new, &authenticator.get(&asked, &handle(&new))).await.refused(422, "passkey_refused");
        order(&new, &body).await.refused(403, "device_too_new");
        new.post("/auth/confirmation/passkey/options", json!({})).await.refused(422, "field_required");
        app.finish_and_check().await;
    }

    async fn known_recipients_ask_nothing_of_whoever_has_a_passkey(app: TestApp) {
        wait_a_day_for_proofs(&app).await;
        let (olena, _) = with_passkey(&app, "olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let body = by_card(&olena).await;
        order(&olena, &body).await.ok();
        app.finish_and_check().await;
    }
}
