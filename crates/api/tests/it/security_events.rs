//! Security events: what a notary is shown of the audit trail.

use axum::http::Method;
use cabinet_app::operator::account_change::AccountChange;
use cabinet_domain::{LoginStep, OperatorReason, Phone};
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases, on_sqlite};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;

const FIREFOX: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0";

async fn page(person: &Person, query: &str) -> Value {
    let path = format!("/me/security-events{query}");
    person.get(&path).await.ok()
}

async fn events(person: &Person) -> Vec<Value> {
    page(person, "").await["events"].as_array().unwrap().clone()
}

/// Returns kind, actor and changes of an event on one line.
fn line(event: &Value) -> String {
    let shown = |value: &Value| value.as_str().unwrap_or("–").to_owned();
    let changes = event["changes"].as_array().unwrap().iter().map(|change| {
        let (field, to) = (shown(&change["field"]), shown(&change["to"]));
        match &change["from"] {
            Value::Null => format!(" {field}={to}"),
            from => format!(" {field}={}→{to}", shown(from)),
        }
    });
    let (kind, actor) = (shown(&event["kind"]), shown(&event["actor"]));
    format!("{kind} {actor}{}", changes.collect::<String>())
}

/// Returns what the notary is shown of an action, the newest first.
async fn shown<T>(notary: &Person, action: impl Future<Output = T>) -> Vec<String> {
    let before = events(notary).await;
    action.await;
    let mut after = events(notary).await;
    after.retain(|event| !before.contains(event));
    after.iter().map(line).collect()
}

/// Returns the number of events that concern a notary.
async fn of_notaries(app: &TestApp) -> i64 {
    let sql = "select count(*) from audit_events where notary_id is not null";
    app.number(sql.to_owned()).await
}

async fn enter_with(person: &Person, browser: &str) {
    let operation = person.ask_for_code().await;
    let body =
        json!({ "phone": person.phone(), "otp_code": person.code(), "operation_id": operation });
    let call = person.call(Method::POST, "/auth/login/otp");
    call.header("user-agent", browser)
        .json(&body)
        .send()
        .await
        .ok();
}

async fn enter_by_call(app: &TestApp, person: &Person, key: &str) {
    let login = person
        .post("/auth/login", json!({ "phone": person.phone() }))
        .await
        .ok();
    app.outside().answer_phone_call(person.phone(), key).await;
    let body = json!({ "phone": person.phone(), "transaction_id": login["transaction_id"] });
    person.post("/auth/login/phone-call/verify", body).await;
}

on_both_databases! {
    async fn each_entry_is_shown_with_its_browser_and_network(app: TestApp) {
        let olena = app.notary("olena").await;
        assert_eq!(events(&olena).await.iter().map(line).collect::<Vec<_>>(), ["signed_in you login_step=otp"]);
        app.clock().advance_seconds(60);
        let new = olena.elsewhere().at_address("203.0.113.7");
        assert_eq!(shown(&olena, enter_with(&new, FIREFOX)).await, ["new_device you login_step=otp"]);
        let newest = events(&olena).await.swap_remove(0);
        assert_eq!((&newest["browser"], &newest["network"]), (&json!("Firefox, Windows"), &json!("203.0.113.0/24")));
        assert_eq!(newest["created_at"], "2026-03-02T09:01:00Z");
        // Now it is a known one.
        new.post("/auth/logout", json!({})).await.ok();
        app.clock().advance_seconds(60);
        assert_eq!(shown(&olena, new.log_in()).await, ["signed_in you login_step=otp"]);
        // The cabinet keeps no whole address.
        let listed = page(&olena, "").await.to_string();
        assert!(!listed.contains("203.0.113.7") && !listed.contains(olena.phone()), "{listed}");
    }

    async fn an_entry_by_a_call_and_a_call_that_was_not_confirmed_are_shown(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        enter_by_call(&app, &olena, "1").await;
        let stranger = olena.elsewhere();
        assert_eq!(shown(&olena, enter_by_call(&app, &stranger, "2")).await, ["entry_failed stranger login_step=phone_call"]);
        assert_eq!(line(&events(&olena).await[1]), "signed_in you login_step=phone_call");
    }

    async fn a_wrong_code_is_shown_to_its_owner(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance_seconds(60);
        let stranger = olena.elsewhere().at_address("203.0.113.7");
        let operation = stranger.ask_for_code().await;
        let wrong = other_code(&olena.code(), 1);
        assert_eq!(shown(&olena, stranger.enter(&operation, &wrong)).await, ["entry_failed stranger login_step=otp"]);
        assert_eq!(events(&olena).await[0]["network"], "203.0.113.0/24");
        // What is not compared is not recorded: a code of another length, and tries beyond the limit.
        assert_eq!(shown(&olena, stranger.enter(&operation, "12345")).await, Vec::<String>::new());
        for _ in 0..10 {
            stranger.enter(&operation, &wrong).await;
        }
        let failed = events(&olena).await.iter().filter(|event| event["kind"] == "entry_failed").count();
        assert_eq!(failed, 3, "one for each try of the code");
    }

    async fn a_phone_without_an_account_leaves_no_event(app: TestApp) {
        let stranger = app.anonymous();
        stranger.post("/auth/login", json!({ "phone": "+380509999999" })).await.refused(404, "phone_not_exist");
        let sign_up = |phone: &str| json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
        // The second one ends the session of the first, which the browser has.
        stranger.post("/auth/sign-up", sign_up("+380671234568")).await.ok();
        let operation = stranger.post("/auth/sign-up", sign_up("+380671234567")).await.ok()["operation_id"].clone();
        let code = app.outside().code("+380671234567");
        let verify = |code: String| stranger.post("/auth/sign-up/verify", json!({ "otp_code": code, "operation_id": operation }));
        verify(other_code(&code, 1)).await.refused(422, "wrong_otp");
        assert_eq!(of_notaries(&app).await, 0, "an account whose phone is not verified is nobody's");
        verify(code).await.ok();
        assert_eq!(events(&stranger).await.iter().map(line).collect::<Vec<_>>(), ["signed_up you login_step=otp"]);
    }

    async fn the_end_of_a_session_is_shown(app: TestApp) {
        let olena = app.notary("olena").await;
        let new = olena.elsewhere();
        enter_with(&new, FIREFOX).await;
        let own = |sessions: &Value| sessions["sessions"].as_array().unwrap().iter().find(|one| one["is_current"] == false).unwrap()["id"].as_str().unwrap().to_owned();
        let id = own(&olena.get("/me/sessions").await.ok());
        let end = format!("/me/sessions/{id}/end");
        assert_eq!(shown(&olena, olena.post_proved(&end, json!({}))).await, ["sessions_ended you sessions=1 browser=Firefox, Windows", "change_confirmed you login_step=otp"]);
        assert_eq!(shown(&olena, olena.post_proved(&end, json!({}))).await, Vec::<String>::new(), "it had ended already");
        assert_eq!(shown(&olena, olena.post_proved("/me/sessions/end-others", json!({}))).await, Vec::<String>::new(), "there is no other");
        for _ in 0..2 {
            app.clock().advance_seconds(60);
            olena.elsewhere().log_in().await;
        }
        assert_eq!(shown(&olena, olena.post_proved("/me/sessions/end-others", json!({}))).await, ["sessions_ended you sessions=2", "change_confirmed you login_step=otp"]);
        app.clock().advance_seconds(60);
        new.log_in().await;
        assert_eq!(shown(&olena, new.post("/auth/logout", json!({}))).await, ["signed_out you"]);
        // With the cookie alone, too.
        app.clock().advance_seconds(60);
        new.log_in().await;
        new.hold_access_token("expired");
        assert_eq!(shown(&olena, new.post("/auth/logout", json!({}))).await, ["signed_out you"]);
    }

    async fn a_session_that_a_login_in_its_browser_replaces_is_shown_to_its_owner(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.account("taras").await);
        let shared = olena.elsewhere();
        enter_with(&shared, FIREFOX).await;
        app.clock().advance_seconds(60);
        let replaced = |actor: &str| format!("sessions_ended {actor} sessions=1 browser=Firefox, Windows reason=replaced_by_login");
        let mut told = shown(&olena, enter_with(&shared, FIREFOX)).await;
        told.sort();
        assert_eq!(told, [replaced("you"), "signed_in you login_step=otp".to_owned()]);
        // Another notary signs in with the same browser. Each is told of her own account alone.
        let other = taras.elsewhere().at_address("203.0.113.7");
        other.hold_refresh_token(&shared.refresh_token());
        assert_eq!(shown(&olena, other.log_in()).await, [replaced("stranger")]);
        assert_eq!(events(&other).await.iter().map(line).collect::<Vec<_>>(), ["new_device you login_step=otp"]);
        // What had ended or expired before does not end.
        app.clock().advance_seconds(60);
        other.hold_refresh_token(&shared.refresh_token());
        assert_eq!(shown(&olena, other.log_in()).await, Vec::<String>::new());
        app.clock().advance(SignedDuration::from_hours(13));
        olena.log_in().await;
        assert!(events(&olena).await.iter().all(|event| line(event) != "sessions_ended you sessions=1 reason=replaced_by_login"));
    }

    async fn a_session_that_ends_because_of_a_used_token_is_shown(app: TestApp) {
        let olena = app.notary("olena").await;
        let victim = olena.elsewhere();
        enter_with(&victim, FIREFOX).await;
        let stolen = victim.refresh_token();
        victim.refresh().await.ok();
        victim.refresh().await.ok();
        app.clock().advance_seconds(60);
        let thief = app.anonymous().at_address("203.0.113.7");
        thief.hold_refresh_token(&stolen);
        assert_eq!(shown(&olena, thief.refresh()).await, ["sessions_ended stranger sessions=1 browser=Firefox, Windows reason=token_replayed"]);
        assert_eq!(events(&olena).await[0]["network"], "203.0.113.0/24");
        assert_eq!(shown(&olena, thief.refresh()).await, Vec::<String>::new());
    }

    async fn confirmations_and_changes_are_shown(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance(SignedDuration::from_mins(10));
        olena.refresh().await.ok();
        let change = json!({ "iban": "UA213223130000026007233566001", "okpo": "1759013776" });
        let proof = olena.post("/me", change.clone()).await.json()["proof"].clone();
        let confirmation = olena.post("/auth/confirmation", proof).await.ok();
        let confirm = |code: String| olena.post("/auth/confirmation/otp", json!({ "otp_code": code, "operation_id": confirmation["operation_id"] }));
        assert_eq!(shown(&olena, confirm(other_code(&olena.code(), 1))).await, ["confirmation_failed you login_step=otp"]);
        assert_eq!(shown(&olena, confirm(olena.code())).await, ["change_confirmed you login_step=otp"]);
        assert_eq!(shown(&olena, olena.post_proved("/me", change)).await, ["profile_changed you iban=UA21•••6001 okpo=•••76"]);
        let change = json!({ "iban": "UA223052990000026001234567890" });
        assert_eq!(shown(&olena, olena.post_proved("/me", change)).await, ["profile_changed you iban=UA21•••6001→UA22•••7890", "change_confirmed you login_step=otp"]);
    }

    async fn what_support_does_is_shown_and_what_concerns_payments_alone_is_not(app: TestApp) {
        let olena = app.notary("olena").await;
        let phone = Phone::parse(olena.phone()).unwrap();
        let change = AccountChange { login_step: Some(LoginStep::PhoneCall), chooses_payment_method: None, end_sessions: false };
        let services = app.services();
        let (id, now) = (olena.id(), services.now());
        let changed = shown(&olena, services.operator.administration().change_account(phone, change, &OperatorReason::parse("a call").unwrap(), now)).await;
        assert_eq!(changed.len(), 1, "{changed:?}");
        assert!(changed[0].ends_with("login_step=otp→phone_call") && changed[0].starts_with("login_step_changed "), "{changed:?}");
        assert!(!page(&olena, "").await.to_string().contains(&id.to_string()));
        olena.add(PaymentKind::AdminPayment).await;
        let order = async {
            let order = olena.order_cart().await;
            olena.pay(&order).await;
        };
        assert_eq!(shown(&olena, order).await, Vec::<String>::new());
        app.finish_and_check().await;
    }

    async fn pages_follow_each_other_and_nobody_sees_anothers(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        for number in 1..=6 {
            // Several at the same moment.
            if number % 2 == 0 {
                app.clock().advance_seconds(60);
            }
            olena.post_proved("/me", json!({ "certificate_number": format!("10{number}") })).await.ok();
        }
        let all = events(&olena).await;
        assert_eq!(all.len(), 7);
        assert_eq!(page(&olena, "").await["next"], Value::Null);
        let (mut collected, mut before) = (Vec::new(), String::new());
        loop {
            let one = page(&olena, &format!("?limit=3{before}")).await;
            collected.extend(one["events"].as_array().unwrap().clone());
            let Some(next) = one["next"].as_str() else { break };
            before = format!("&before={next}");
        }
        assert_eq!(collected, all);
        assert!(all.is_sorted_by(|newer, older| newer["created_at"].as_str() >= older["created_at"].as_str()));
        // Of another notary nothing is shown, not even by the id of an event.
        assert_eq!(events(&taras).await.len(), 1);
        let foreign = page(&taras, &format!("?before={}", all[0]["id"].as_str().unwrap())).await;
        assert_eq!(foreign["events"], json!([]));
        for (query, field, key) in [("?limit=0", "limit", "number_invalid"), ("?limit=101", "limit", "number_invalid"), ("?limit=x", "limit", "number_invalid"), ("?before=x", "before", "id_invalid")] {
            let answer = olena.get(&format!("/me/security-events{query}")).await;
            assert_eq!((answer.status, answer.fields()[field].clone()), (422, vec![key.to_owned()]), "{query}");
        }
        app.anonymous().get("/me/security-events").await.refused(401, "unauthorized");
    }
}

on_sqlite! {
    async fn an_entry_by_the_identifier_is_shown(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::Custom).await;
        let (_, _, identifier) = Person::facts("olena");
        let enter = async |person: &Person, code: &str| {
            let operation = person.ask_for_code().await;
            let body = json!({ "phone": person.phone(), "otp_code": code, "operation_id": operation });
            person.post("/auth/login/otp/custom", body).await
        };
        enter(&olena, identifier).await.ok();
        let stranger = olena.elsewhere();
        assert_eq!(shown(&olena, enter(&stranger, "NOTAR99999")).await, ["entry_failed stranger login_step=custom"]);
        assert_eq!(shown(&olena, enter(&stranger, identifier)).await, ["new_device you login_step=custom"]);
    }

    async fn where_accounts_are_hidden_a_wrong_code_is_recorded_after_the_answer(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.hide_account_existence = true).await;
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        app.outside().wait_for_messages(olena.phone(), 1).await;
        let wrong = other_code(&olena.code(), 1);
        let stranger = olena.elsewhere();
        let known = stranger.enter(&operation, &wrong).await;
        let unknown = json!({ "phone": "+380509999999", "otp_code": wrong, "operation_id": operation });
        let unknown = stranger.post("/auth/login/otp", unknown).await;
        assert_eq!((known.status, known.text()), (unknown.status, unknown.text()));
        while of_notaries(&app).await == 0 {
            tokio::task::yield_now().await;
        }
        olena.enter(&operation, &olena.code()).await.ok();
        let lines: Vec<String> = events(&olena).await.iter().map(line).collect();
        assert_eq!(lines.iter().filter(|line| line.starts_with("entry_failed stranger")).count(), 1, "{lines:?}");
    }
}
