//! Known and new devices: separate budgets, notices of new devices, and the notary's own list of sessions.

use axum::http::Method;
use cabinet_domain::LoginStep;
use cabinet_test_kit::{Person, TestApp, keys_of, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::codes::other_code;

async fn start(person: &Person) -> Value {
    person
        .post("/auth/login", json!({ "phone": person.phone() }))
        .await
        .ok()
}

async fn sessions(person: &Person) -> Vec<Value> {
    let answer = person.get("/me/sessions").await.ok();
    answer["sessions"].as_array().unwrap().clone()
}

/// Has a stranger use up the wrong codes of a phone's new devices.
async fn guess(app: &TestApp, owner: &Person) {
    for (number, tries) in [(1, 3), (2, 2)] {
        let stranger = owner.elsewhere().at_address(&format!("203.0.113.{number}"));
        let operation = stranger.ask_for_code().await;
        for step in 1..=tries {
            let key = if step == 3 {
                "otp_tries_exhausted"
            } else {
                "wrong_otp"
            };
            stranger
                .enter(&operation, &other_code(&owner.code(), step))
                .await
                .refused(422, key);
        }
        app.clock().advance_seconds(60);
    }
}

on_both_databases! {
    async fn a_stranger_uses_up_nothing_of_the_owners(app: TestApp) {
        let olena = app.account("olena").await;
        guess(&app, &olena).await;
        for _ in 0..3 {
            let stranger = olena.elsewhere();
            stranger.post("/auth/login", json!({ "phone": olena.phone() })).await;
            app.clock().advance_seconds(60);
        }
        // A pause that a stranger has begun is not the owner's.
        olena.elsewhere().post("/auth/login", json!({ "phone": olena.phone() })).await;
        olena.log_in().await;
    }

    async fn after_the_wrong_codes_of_a_day_a_new_device_goes_on_by_a_call(app: TestApp) {
        let olena = app.account("olena").await;
        guess(&app, &olena).await;
        let new = olena.elsewhere();
        let started = start(&new).await;
        assert_eq!(started["is_phone_call"], true);
        app.outside().answer_phone_call(olena.phone(), &keys_of(&started)).await;
        let body = json!({ "phone": olena.phone(), "transaction_id": started["transaction_id"] });
        new.post("/auth/login/phone-call/verify", body).await.ok();
        // From now on it is a known one.
        app.clock().advance(SignedDuration::from_hours(13));
        assert_eq!(start(&new).await["is_phone_call"], false);
        app.clock().advance(SignedDuration::from_hours(24));
        assert_eq!(start(&olena.elsewhere()).await["is_phone_call"], false);
    }

    async fn a_code_that_waits_is_not_compared_beyond_the_wrong_codes_of_the_day(app: TestApp) {
        let olena = app.account("olena").await;
        let first = olena.elsewhere();
        let waiting = first.ask_for_code().await;
        let right = olena.code();
        app.clock().advance_seconds(30);
        guess(&app, &olena).await;
        first.enter(&waiting, &right).await.refused(422, "otp_tries_exhausted");
    }

    async fn after_nine_wrong_codes_of_a_day_a_known_device_goes_on_as_a_new_one(app: TestApp) {
        let olena = app.account("olena").await;
        guess(&app, &olena).await;
        let waiting = olena.ask_for_code().await;
        let right = olena.code();
        for _ in 0..3 {
            app.clock().advance_seconds(60);
            let operation = olena.ask_for_code().await;
            for step in 1..=2 {
                olena.enter(&operation, &other_code(&olena.code(), step)).await.refused(422, "wrong_otp");
            }
            olena.enter(&operation, &other_code(&olena.code(), 3)).await.refused(422, "otp_tries_exhausted");
        }
        olena.enter(&waiting, &right).await.refused(422, "otp_tries_exhausted");
        // Strangers have used the codes of new devices up. Her own phone opens the cabinet all the same, once it hears the digits of the page.
        let started = start(&olena).await;
        assert_eq!((&started["is_phone_call"], started["call_digits"].as_str().map(str::len)), (&json!(true), Some(2)), "{started}");
        app.outside().answer_phone_call(olena.phone(), &keys_of(&started)).await;
        let body = json!({ "phone": olena.phone(), "transaction_id": started["transaction_id"] });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
        app.clock().advance(SignedDuration::from_hours(24));
        olena.log_in().await;
    }

    async fn whoever_asks_for_all_codes_of_her_known_devices_leaves_her_the_call(app: TestApp) {
        let olena = app.account("olena").await;
        guess(&app, &olena).await;
        for _ in 0..2 {
            for _ in 0..5 {
                olena.ask_for_code().await;
                app.clock().advance_seconds(60);
            }
            app.clock().advance(SignedDuration::from_hours(1));
        }
        let started = start(&olena).await;
        assert_eq!((&started["is_phone_call"], started["call_digits"].as_str().map(str::len)), (&json!(true), Some(2)), "{started}");
        app.clock().advance(SignedDuration::from_hours(24));
        olena.log_in().await;
    }

    async fn of_wrong_codes_at_once_a_known_device_has_nine_compared(app: TestApp) {
        let olena = app.account("olena").await;
        let mut operations = Vec::new();
        for _ in 0..4 {
            let operation = olena.ask_for_code().await;
            operations.push((operation, other_code(&olena.code(), 1)));
            app.clock().advance_seconds(60);
        }
        let mut tries = Vec::new();
        for (operation, wrong) in &operations {
            tries.extend((0..3).map(|_| olena.enter(operation, wrong)));
        }
        futures_util::future::join_all(tries).await;
        assert_eq!(app.number("select sum(tries) from login_operations".to_owned()).await, 9);
    }

    async fn a_network_that_the_notary_uses_has_a_budget_of_its_own(app: TestApp) {
        let olena = app.account("olena").await.at_address("198.51.100.7");
        olena.log_in().await;
        guess(&app, &olena).await;
        assert_eq!(start(&olena.elsewhere()).await["is_phone_call"], true);
        let beside_her = olena.elsewhere().at_address("198.51.100.200");
        assert_eq!(start(&beside_her).await["is_phone_call"], false);
    }

    async fn while_codes_are_guessed_new_devices_get_longer_ones(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.attack.wrong_codes_min = 5).await;
        let (olena, taras) = (app.account("olena").await, app.account("taras").await);
        let early = taras.elsewhere();
        let short = early.ask_for_code().await;
        let short_code = taras.code();
        guess(&app, &olena).await;
        // A short code that was sent before is not compared any more.
        early.enter(&short, &short_code).await.refused(422, "otp_expired");
        let new = taras.elsewhere();
        let started = start(&new).await;
        assert_eq!((&started["otp_length"], taras.code().len()), (&json!(6), 6));
        assert_eq!(started["resend_at"], "2026-03-02T09:04:00Z");
        let again = taras.elsewhere().at_address("192.0.2.9");
        again.post("/auth/login", json!({ "phone": taras.phone() })).await.refused(429, "otp_too_soon");
        let operation = started["operation_id"].as_str().unwrap();
        new.enter(operation, &taras.code()[..4]).await.refused(422, "otp_incorrect");
        new.enter(operation, &taras.code()).await.ok();
        // Known devices go on as ever.
        let usual = app.account("taras").await;
        assert_eq!(start(&usual).await["otp_length"], 4);
    }

    async fn where_accounts_are_hidden_a_longer_code_tells_nothing(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.codes.hide_account_existence = true;
            // Always.
            settings.app.codes.attack.wrong_codes_min = 0;
        })
        .await;
        let olena = app.account("olena").await.elsewhere();
        let mut answers = Vec::new();
        for phone in [olena.phone(), "+380509999999"] {
            let mut answer = olena.post("/auth/login", json!({ "phone": phone })).await.ok();
            answer["operation_id"].take();
            answers.push(answer);
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0]["otp_length"], 6);
    }

    async fn the_operator_is_told_of_guessed_codes_and_of_messages_that_run_out(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.codes.attack.wrong_codes_min = 5;
            settings.app.codes.messages_hourly_max = 5;
        })
        .await;
        let olena = app.account("olena").await;
        let opened = |kind: &'static str| app.number(format!("select count(*) from alarms where kind = '{kind}' and closed_at is null"));
        app.work().await;
        assert_eq!((opened("codes_guessed").await, opened("messages_running_out").await), (0, 0));
        guess(&app, &olena).await;
        app.work().await;
        app.work().await;
        assert_eq!((opened("codes_guessed").await, opened("messages_running_out").await), (1, 0));
        for name in ["taras", "iryna"] {
            app.account(name).await.ask_for_code().await;
        }
        app.work().await;
        assert_eq!((opened("codes_guessed").await, opened("messages_running_out").await), (1, 1));
    }

    async fn when_the_messages_of_an_hour_are_sent_new_devices_go_on_by_a_call(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.codes.messages_hourly_max = 2;
            // All people of the tests are in one network.
            settings.app.codes.attack.network_daily_max = 100;
        })
        .await;
        for name in ["taras", "iryna"] {
            app.account(name).await.ask_for_code().await;
        }
        let olena = app.account("olena").await;
        assert_eq!(start(&olena.elsewhere()).await["is_phone_call"], true);
        // A known device gets its message all the same.
        olena.log_in().await;
    }

    async fn when_the_calls_of_an_hour_are_made_new_devices_wait_and_the_operator_is_told(app: TestApp) {
        app.restart_with(|settings| {
            settings.app.codes.all_calls_hourly_max = 2;
            // All people of the tests are in one network.
            settings.app.codes.attack.network_daily_max = 100;
        })
        .await;
        let by_call = async |name| app.account_with(name, |account| account.login_step = LoginStep::PhoneCall).await;
        let (olena, taras, iryna) = (by_call("olena").await, by_call("taras").await, by_call("iryna").await);
        let opened = || app.number("select count(*) from alarms where kind = 'calls_running_out' and closed_at is null".to_owned());
        app.work().await;
        assert_eq!(opened().await, 0);
        for person in [&taras, &iryna] {
            assert_eq!(start(&person.elsewhere()).await["is_phone_call"], true);
        }
        app.work().await;
        assert_eq!(opened().await, 1);
        let body = json!({ "phone": olena.phone() });
        let new = olena.elsewhere();
        let answer = new.post("/auth/login", body.clone()).await;
        answer.refused(429, "too_many_codes");
        // A known device gets its call all the same.
        assert_eq!(start(&olena).await["is_phone_call"], true);
        app.clock().advance(SignedDuration::from_hours(1));
        assert_eq!(start(&new).await["is_phone_call"], true);
    }

    async fn while_codes_are_guessed_a_network_without_entries_gets_two_codes_a_day(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.attack.wrong_codes_min = 5).await;
        let olena = app.account("olena").await;
        guess(&app, &olena).await;
        let from = |name: &'static str, address: &'static str| {
            let app = &app;
            async move { app.account(name).await.elsewhere().at_address(address) }
        };
        for name in ["taras", "iryna"] {
            from(name, "192.0.2.1").await.ask_for_code().await;
        }
        let third = from("andrii", "192.0.2.2").await;
        let body = json!({ "phone": third.phone() });
        third.post("/auth/login", body.clone()).await.refused(429, "too_many_codes_from_address");
        // From a network where notaries sign in, they get theirs.
        app.account("taras").await.at_address("192.0.2.3").log_in().await;
        third.post("/auth/login", body).await.ok();
    }

    async fn the_owner_is_told_of_an_entry_from_a_new_device(app: TestApp) {
        let olena = app.account("olena").await;
        olena.log_in().await;
        app.work().await;
        let messages = app.outside().messages(olena.phone()).len();
        let new = olena.elsewhere().at_address("198.51.100.7");
        new.log_in().await;
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert_eq!(told.len(), messages + 2, "{told:?}");
        assert!(told[0].contains("з нового пристрою"), "{told:?}");
        // The second entry of that device is told no more, and its cookie lasts.
        new.post("/auth/logout", json!({})).await.ok();
        new.log_in().await;
        app.work().await;
        assert_eq!(app.outside().messages(olena.phone()).len(), messages + 3);
    }

    async fn where_the_operator_wants_it_an_identifier_of_a_new_device_is_followed_by_a_code(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.custom_step_needs_code = true).await;
        let known = app.account_with("olena", |account| account.login_step = LoginStep::Custom).await;
        let (_, _, identifier) = Person::facts("olena");
        let identify = async |person: &Person, identifier: &str| {
            let operation = person.ask_for_code().await;
            let body = json!({ "phone": person.phone(), "otp_code": identifier, "operation_id": operation });
            person.post("/auth/login/otp/custom", body).await
        };
        // A known device needs no code.
        assert!(identify(&known, identifier).await.ok()["access_token"].is_string());
        let new = known.elsewhere();
        let messages = app.outside().messages(known.phone()).len();
        identify(&new, "NOTAR99999").await.refused(422, "wrong_otp");
        assert_eq!(app.outside().messages(known.phone()).len(), messages, "a wrong identifier sends nothing");
        let answer = identify(&new, identifier).await;
        let started = answer.ok();
        assert_eq!((&started["access_token"], &started["is_custom_otp_code"], &started["is_phone_call"]), (&Value::Null, &json!(false), &json!(false)));
        assert!(answer.cookie("refresh_token").is_none() && new.access_token().is_empty());
        let operation = started["operation_id"].as_str().unwrap();
        new.enter(operation, &other_code(&known.code(), 1)).await.refused(422, "wrong_otp");
        new.enter(operation, &known.code()).await.ok();
        // The code proves the phone, and the device is known from now on.
        new.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        app.clock().advance_seconds(60);
        assert!(identify(&new, identifier).await.ok()["access_token"].is_string());
        // Codes are limited as for everybody.
        let third = known.elsewhere();
        identify(&third, identifier).await.ok();
        let operation = third.ask_for_code().await;
        let body = json!({ "phone": third.phone(), "otp_code": identifier, "operation_id": operation });
        let again = || third.post("/auth/login/otp/custom", body.clone());
        for _ in 0..4 {
            again().await.refused(429, "otp_too_soon");
        }
        app.clock().advance_seconds(30);
        assert_eq!(again().await.ok()["is_custom_otp_code"], false);
        again().await.refused(422, "wrong_otp");
    }

    async fn a_planted_device_cookie_is_not_taken_over(app: TestApp) {
        let olena = app.account("olena").await.elsewhere();
        olena.hold_device("planted-by-somebody-else");
        let operation = olena.ask_for_code().await;
        let login = olena.enter(&operation, &olena.code()).await;
        login.ok();
        assert_ne!(olena.device().unwrap(), "planted-by-somebody-else");
        // A device of another notary is a new one for this one, but keeps its token.
        let taras = app.account("taras").await;
        taras.hold_device(&olena.device().unwrap());
        taras.log_in().await;
        assert_eq!(taras.device(), olena.device());
        assert_eq!(app.rows("devices").await, 4);
    }

    async fn a_new_login_ends_the_session_that_the_browser_had(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.access_token();
        let old = olena.refresh_token();
        olena.log_in().await;
        assert_eq!(sessions(&olena).await.len(), 1);
        let before = app.anonymous();
        before.hold_access_token(&token);
        before.post("/auth/me", json!({})).await.refused(401, "unauthorized");
        before.hold_refresh_token(&old);
        before.refresh().await.refused(401, "session_expired");
    }

    async fn a_notary_sees_where_she_is_signed_in(app: TestApp) {
        let olena = app.notary("olena").await;
        app.clock().advance_seconds(60);
        let new = olena.elsewhere().at_address("198.51.100.7");
        let operation = new.ask_for_code().await;
        let body = json!({ "phone": new.phone(), "otp_code": new.code(), "operation_id": operation });
        let firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0";
        new.call(Method::POST, "/auth/login/otp").header("user-agent", firefox).json(&body).send().await.ok();
        let seen = sessions(&olena).await;
        let [first, second] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!((&first["browser"], &first["network"]), (&json!("Firefox, Windows"), &json!("198.51.100.0/24")));
        assert_eq!((&first["is_current"], &second["is_current"]), (&json!(false), &json!(true)));
        assert_eq!(first["created_at"], "2026-03-02T09:01:00Z");
        assert_eq!(second["browser"], Value::Null);
    }

    async fn a_notary_ends_her_sessions_and_nobody_elses(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let new = olena.elsewhere();
        new.log_in().await;
        app.clock().advance_seconds(60);
        let id = sessions(&new).await.into_iter().find(|one| one["is_current"] == true).unwrap()["id"].clone();
        let path = format!("/me/sessions/{}/end", id.as_str().unwrap());
        taras.post(&path, json!({})).await.refused(404, "session_unknown");
        new.post("/auth/me", json!({})).await.ok();
        olena.post_proved(&path, json!({})).await.ok();
        olena.post(&path, json!({})).await.refused(404, "session_unknown");
        new.post("/auth/me", json!({})).await.refused(401, "unauthorized");
        new.refresh().await.refused(401, "session_expired");
        // The device is forgotten: its next entry is told again.
        let messages = app.outside().messages(olena.phone()).len();
        new.log_in().await;
        app.work().await;
        assert!(app.outside().messages(olena.phone()).len() >= messages + 2);
        let answer = olena.post_proved("/me/sessions/end-others", json!({})).await.ok();
        assert_eq!(answer["ended"], 1);
        new.post("/auth/me", json!({})).await.refused(401, "unauthorized");
        olena.post("/auth/me", json!({})).await.ok();
        taras.post("/auth/me", json!({})).await.ok();
    }

    async fn a_sign_out_needs_the_cookie_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let token = olena.access_token();
        olena.hold_access_token("expired");
        let out = olena.post("/auth/logout", json!({})).await;
        out.ok();
        assert_eq!(out.header("clear-site-data"), "\"cache\"");
        olena.hold_access_token(&token);
        olena.post("/auth/me", json!({})).await.refused(401, "unauthorized");
        app.anonymous().post("/auth/logout", json!({})).await.refused(401, "unauthorized");
    }

    async fn another_site_signs_nobody_out(app: TestApp) {
        let olena = app.notary("olena").await;
        let stranger = app.anonymous();
        stranger.hold_refresh_token(&olena.refresh_token());
        let by_cookie = stranger.call(Method::POST, "/auth/logout").header("origin", "https://evil.example");
        by_cookie.json(&json!({})).send().await.refused(401, "unauthorized");
        olena.post("/auth/me", json!({})).await.ok();
        // A refresh without its cookie, as another site's form sends it, removes no cookie.
        let bare = app.anonymous().call(Method::POST, "/auth/refresh").send().await;
        bare.refused(401, "unauthorized");
        assert!(bare.headers.get("set-cookie").is_none());
    }
}
