//! One-time codes: valid once, for a limited time, for one phone and one login; guesses are limited.

use cabinet_test_kit::{Fault, FaultKind, FaultService, LoginStep, Person, on_both_databases};
use jiff::SignedDuration;
use serde_json::json;

/// Another code of the same length.
pub fn other_code(code: &str, step: u32) -> String {
    let (number, width): (u32, _) = (code.parse().unwrap(), code.len());
    format!("{:0width$}", (number + step) % 10_u32.pow(width as u32))
}

/// Sends the codes for an operation at the same time. Returns how many opened a session.
async fn concurrent_logins(person: &Person, operation: &str, codes: Vec<String>) -> usize {
    let tasks: Vec<_> = codes
        .into_iter()
        .map(|code| {
            let (person, operation) = (person.elsewhere(), operation.to_owned());
            tokio::spawn(async move { person.enter(&operation, &code).await.status })
        })
        .collect();
    let mut opened = 0;
    for task in tasks {
        opened += usize::from(task.await.unwrap() == 200);
    }
    opened
}

on_both_databases! {
    async fn a_code_opens_a_session_once(app: TestApp) {
        let olena = app.account("olena").await;
        let started = olena.post("/auth/login", json!({ "phone": "050 111-00-01" })).await.ok();
        assert_eq!((&started["success"], &started["is_phone_call"], &started["is_custom_otp_code"]), (&json!(true), &json!(false), &json!(false)));
        assert_eq!((&started["expires_at"], &started["resend_at"]), (&json!("2026-03-02T09:05:00Z"), &json!("2026-03-02T09:00:30Z")));
        assert_eq!(started["transaction_id"], json!(null));
        let operation = started["operation_id"].as_str().unwrap();
        let code = olena.code();
        assert_eq!(code.len(), 4);
        let opened = olena.enter(operation, &format!(" {} {} ", &code[..2], &code[2..])).await;
        assert_eq!(opened.ok()["expires_in"], 600);
        olena.call(axum::http::Method::POST, "/auth/me").send().await.ok();
        olena.elsewhere().enter(operation, &code).await.refused(422, "wrong_otp");
        assert!(!app.stores(&format!("{code} ")).await);
    }

    async fn in_a_race_of_ten_one_gets_in(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let code = olena.code();
        assert_eq!(concurrent_logins(&olena, &operation, vec![code; 10]).await, 1);
        assert_eq!(app.rows("sessions").await, 1);
    }

    async fn ten_guesses_at_once_are_three_tries(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let code = olena.code();
        let guesses = (1..=10).map(|step| other_code(&code, step)).collect();
        assert_eq!(concurrent_logins(&olena, &operation, guesses).await, 0);
        assert_eq!(app.number("select max(tries) from login_operations".to_owned()).await, 3);
        olena.enter(&operation, &code).await.refused(422, "otp_tries_exhausted");
    }

    async fn after_three_wrong_codes_a_new_one_is_needed(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let code = olena.code();
        for key in ["wrong_otp", "wrong_otp", "otp_tries_exhausted"] {
            let answer = olena.enter(&operation, &other_code(&code, 1)).await;
            answer.refused(422, key);
            assert_eq!(answer.fields()["otp_code"], [key]);
        }
        app.restart().await;
        olena.enter(&operation, &code).await.refused(422, "otp_tries_exhausted");
        olena.log_in().await;
    }

    async fn a_code_lives_five_minutes_to_the_second(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        let code = olena.code();
        app.clock().set("2026-03-02T09:05:01Z");
        olena.enter(&operation, &code).await.refused(422, "otp_expired");
        let operation = olena.ask_for_code().await;
        let code = olena.code();
        app.clock().set("2026-03-02T09:10:00Z");
        olena.enter(&operation, &code).await.ok();
    }

    async fn a_code_is_bound_to_its_login_and_its_phone(app: TestApp) {
        let (olena, taras) = (app.account("olena").await, app.account("taras").await);
        let first = olena.ask_for_code().await;
        let first_code = olena.code();
        app.clock().advance_seconds(120);
        let second = olena.ask_for_code().await;
        let second_code = olena.code();
        assert_ne!(first_code, second_code);
        olena.enter(&second, &first_code).await.refused(422, "wrong_otp");
        olena.enter(&first, &second_code).await.refused(422, "wrong_otp");
        taras.enter(&first, &first_code).await.refused(422, "operation_unknown");
        let of_taras = taras.ask_for_code().await;
        olena.enter(&of_taras, &taras.code()).await.refused(422, "operation_unknown");
        // A new code does not invalidate the first one.
        olena.enter(&first, &first_code).await.ok();
        olena.elsewhere().enter(&second, &second_code).await.ok();
        for unknown in ["", "1", "0199aaaa-0000-4000-8000-000000000000"] {
            olena.enter(unknown, &second_code).await.refused(422, "operation_unknown");
        }
    }

    async fn what_is_no_code_costs_no_try(app: TestApp) {
        let olena = app.account("olena").await;
        let operation = olena.ask_for_code().await;
        for (text, key) in [("", "otp_code_required"), ("   ", "otp_code_required"), ("123", "otp_incorrect"), ("12345", "otp_incorrect"), ("12a4", "otp_incorrect"), ("١٢٣٤", "otp_incorrect")] {
            let answer = olena.enter(&operation, text).await;
            assert_eq!(answer.fields()["otp_code"], [key], "{text}");
        }
        assert_eq!(app.number("select max(tries) from login_operations".to_owned()).await, 0);
        olena.enter(&operation, &olena.code()).await.ok();
    }

    async fn phones_are_read_as_people_write_them(app: TestApp) {
        let olena = app.account("olena").await;
        for (text, key) in [("", "phone_required"), ("  ", "phone_required"), ("050111", "phone_incorrect"), ("+48501110001", "phone_incorrect"), ("+38050111000a", "phone_incorrect"), ("+3805011100011", "phone_incorrect")] {
            let answer = olena.post("/auth/login", json!({ "phone": text })).await;
            answer.refused(422, key);
            assert_eq!(answer.fields()["phone"], [key]);
        }
        olena.post("/auth/login", json!({})).await.refused(422, "phone_required");
        for text in ["+380501110001", "380501110001", "0501110001", "+38 (050) 111-00-01"] {
            olena.post("/auth/login", json!({ "phone": text })).await.ok();
            app.clock().advance_seconds(30);
        }
        let answer = olena.post("/auth/login", json!({ "phone": "+380509999999" })).await;
        answer.refused(404, "phone_not_exist");
        assert_eq!(answer.fields()["phone"], ["phone_not_exist"]);
    }

    async fn a_broken_message_service_locks_nobody_out(app: TestApp) {
        let olena = app.account("olena").await;
        let fault = |kind, effect| {
            let mut fault = Fault::new(FaultService::Sms, kind);
            fault.effect = effect;
            fault
        };
        let ask = || olena.post("/auth/login", json!({ "phone": olena.phone() }));
        // A message that was certainly not sent counts for no limit and starts no pause.
        for kind in [FaultKind::Refuse, FaultKind::Status429].repeat(4) {
            app.outside().faults(&[fault(kind, None)]).await;
            let answer = ask().await;
            answer.refused(502, "otp_not_sent");
            assert_eq!(answer.fields()["phone"], ["otp_not_sent"], "{kind:?}");
        }
        // A message that may have been sent counts.
        let unknown = [
            fault(FaultKind::Status500, None),
            fault(FaultKind::TimeoutBefore, None),
            fault(FaultKind::Reset, Some(false)),
            fault(FaultKind::Garbage, Some(false)),
        ];
        for fault in unknown {
            app.outside().faults(&[fault]).await;
            ask().await.refused(502, "otp_not_sent");
            ask().await.refused(429, "otp_too_soon");
            app.clock().advance_seconds(30);
        }
        assert!(app.outside().messages(olena.phone()).is_empty());
        olena.log_in().await;
        ask().await.refused(429, "too_many_codes");
    }

    async fn the_next_code_is_sent_once_the_pause_is_over(app: TestApp) {
        let olena = app.account("olena").await;
        let other_tab = olena.clone();
        let ask = || other_tab.post("/auth/login", json!({ "phone": other_tab.phone() }));
        olena.ask_for_code().await;
        app.clock().advance_seconds(10);
        app.restart().await;
        let early = olena.post("/auth/login", json!({ "phone": olena.phone() })).await;
        early.refused(429, "otp_too_soon");
        assert_eq!((early.fields()["phone"].clone(), early.header("retry-after")), (vec!["otp_too_soon".to_owned()], "20"));
        app.clock().advance_seconds(19);
        assert_eq!(ask().await.header("retry-after"), "1");
        assert_eq!(app.outside().messages(olena.phone()).len(), 1);
        app.clock().advance_seconds(1);
        let operation = ask().await.ok()["operation_id"].as_str().unwrap().to_owned();
        // After a code is used or used up, there is no pause.
        olena.enter(&operation, &olena.code()).await.ok();
        let operation = olena.ask_for_code().await;
        for step in 1..=3 {
            olena.enter(&operation, &other_code(&olena.code(), step)).await;
        }
        ask().await.ok();
        assert_eq!(app.outside().messages(olena.phone()).len(), 4);
        // A sign-up also sends messages.
        let wish = json!({ "full_name": "Нова Надія Назарівна", "phone": "0671234567", "registry_identifier": "NOTAR30001", "is_agreed": true });
        app.anonymous().post("/auth/sign-up", wish.clone()).await.ok();
        app.anonymous().post("/auth/sign-up", wish).await.refused(429, "otp_too_soon");
    }

    async fn only_mobile_numbers_get_codes(app: TestApp) {
        let stranger = app.anonymous();
        let rows = app.all_rows().await;
        for phone in ["+380900123456", "0800123456", "+380441234567"] {
            let wish = json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
            for (path, body) in [("/auth/login", json!({ "phone": phone })), ("/auth/sign-up", wish)] {
                let answer = stranger.post(path, body).await;
                answer.refused(422, "phone_not_mobile");
                assert_eq!(answer.fields()["phone"], ["phone_not_mobile"], "{phone}");
            }
        }
        assert_eq!(app.all_rows().await, rows);
    }

    async fn the_next_call_is_made_once_the_pause_is_over(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        let ask = || olena.post("/auth/login", json!({ "phone": olena.phone() }));
        ask().await.ok();
        ask().await.refused(429, "otp_too_soon");
        app.clock().advance_seconds(60);
        ask().await.ok();
        // A finished call starts no pause, and a registry identifier sends no message.
        app.outside().answer_phone_call(olena.phone(), "2").await;
        ask().await.ok();
        let taras = app.account_with("taras", |account| account.login_step = LoginStep::Custom).await;
        taras.ask_for_code().await;
        taras.ask_for_code().await;
    }

    async fn a_message_that_never_arrives_is_asked_for_again(app: TestApp) {
        let olena = app.account("olena").await;
        app.outside().faults(&[Fault::new(FaultService::Sms, FaultKind::Drop)]).await;
        olena.ask_for_code().await;
        assert!(app.outside().messages(olena.phone()).is_empty());
        app.clock().advance_seconds(30);
        olena.log_in().await;
    }

    async fn a_code_differs_from_those_just_sent(app: TestApp) {
        let olena = app.account("olena").await;
        let mut sent = Vec::new();
        for _ in 0..3 {
            // The message service refuses the same text within 90 seconds.
            app.randomness().repeat_the_last_code(3);
            let operation = olena.ask_for_code().await;
            let code = olena.code();
            assert!(!sent.contains(&code), "{code} of {sent:?}");
            sent.push(code);
            app.clock().advance_seconds(30);
            if sent.len() == 3 {
                olena.enter(&operation, &sent[2]).await.ok();
            }
        }
        // The same code may be sent to another phone, or later.
        let taras = app.account("taras").await;
        app.randomness().repeat_the_last_code(1);
        taras.ask_for_code().await;
        assert_eq!(taras.code(), sent[2]);
        app.clock().advance_seconds(600);
        app.randomness().repeat_the_last_code(1);
        olena.ask_for_code().await;
        assert_eq!((olena.code(), app.outside().messages(olena.phone()).len()), (sent[2].clone(), 4));
    }

    async fn messages_are_in_the_language_of_the_screen(app: TestApp) {
        let olena = app.account("olena").await;
        for (language, word) in [("en-GB,en;q=0.9", "code"), ("uk", "код"), ("de", "код"), ("", "код")] {
            olena.call(axum::http::Method::POST, "/auth/login").header("accept-language", language).json(&json!({ "phone": olena.phone() })).send().await.ok();
            let messages = app.outside().messages(olena.phone());
            assert!(messages[0].contains(word), "{language}: {}", messages[0]);
            app.clock().advance_seconds(100);
        }
    }

    async fn where_account_existence_is_hidden_nobody_learns_who_is_registered(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.hide_account_existence = true).await;
        let olena = app.account("olena").await;
        let stranger = olena.elsewhere();
        let ask = |phone: &'static str| olena.post("/auth/login", json!({ "phone": phone }));
        let (mut known, mut unknown) = (ask(olena.phone()).await.ok(), ask("+380509999999").await.ok());
        assert_eq!(app.outside().messages("+380509999999").len(), 0);
        let operations = [known["operation_id"].take(), unknown["operation_id"].take()];
        for answer in [&mut known, &mut unknown] {
            answer["expires_at"].take();
            answer["resend_at"].take();
        }
        assert_eq!(known, unknown);
        app.outside().wait_for_messages(olena.phone(), 1).await;
        let code = olena.code();
        // Wrong codes, and ever more of them.
        for _ in 0..5 {
            let mut answers = Vec::new();
            for (phone, operation) in [(olena.phone(), &operations[0]), ("+380509999999", &operations[1])] {
                let body = json!({ "phone": phone, "otp_code": other_code(&code, 1), "operation_id": operation });
                let answer = stranger.post("/auth/login/otp", body).await;
                answers.push((answer.status, answer.text()));
            }
            assert_eq!(answers[0], answers[1]);
        }
        // The wrong step for the account.
        let mut answers = Vec::new();
        for (phone, operation) in [(olena.phone(), &operations[0]), ("+380509999999", &operations[1])] {
            let body = json!({ "phone": phone, "otp_code": "NOTAR20001", "operation_id": operation });
            let answer = stranger.post("/auth/login/otp/custom", body).await;
            answers.push((answer.status, answer.text()));
        }
        assert_eq!(answers[0], answers[1]);
        // Too many codes.
        for _ in 0..8 {
            let (known, unknown) = (ask(olena.phone()).await, ask("+380509999999").await);
            assert_eq!(known.status, unknown.status);
            app.clock().advance_seconds(20);
        }
        app.outside().wait_for_messages(olena.phone(), 5).await;
        assert_eq!(app.outside().messages(olena.phone()).len(), 5);
        app.clock().advance(SignedDuration::from_hours(2));
        // The message is sent after the answer.
        let operation = olena.ask_for_code().await;
        app.outside().wait_for_messages(olena.phone(), 6).await;
        olena.enter(&operation, &olena.code()).await.ok();
    }

    async fn who_has_not_agreed_to_the_new_terms_is_asked_to(app: TestApp) {
        let olena = app.account_with("olena", |account| account.agreed_terms_at = None).await;
        let answer = olena.post("/auth/login", json!({ "phone": olena.phone() })).await;
        answer.refused(422, "user_not_agreed_with_new_terms");
        assert!(app.outside().messages(olena.phone()).is_empty());
        let agreed = json!({ "phone": olena.phone(), "is_agree_with_terms": true });
        let started = olena.post("/auth/login", agreed).await.ok();
        // The agreement is stored when the code is entered, not before.
        olena.post("/auth/login", json!({ "phone": olena.phone() })).await.refused(422, "user_not_agreed_with_new_terms");
        olena.enter(started["operation_id"].as_str().unwrap(), &olena.code()).await.ok();
        app.clock().advance_seconds(100);
        olena.log_in().await;
    }

    async fn the_registry_identifier_is_the_code_where_the_operator_said_so(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::Custom).await;
        let started = olena.post("/auth/login", json!({ "phone": olena.phone() })).await.ok();
        assert_eq!((&started["is_custom_otp_code"], &started["is_phone_call"]), (&json!(true), &json!(false)));
        assert!(app.outside().messages(olena.phone()).is_empty());
        let operation = started["operation_id"].as_str().unwrap();
        let enter = |code: &str| json!({ "phone": olena.phone(), "otp_code": code, "operation_id": operation });
        olena.post("/auth/login/otp", enter("1234")).await.refused(409, "login_step_wrong");
        for (text, key) in [("", "otp_code_required"), ("NO", "otp_incorrect"), ("NOTAR-20001", "otp_incorrect"), ("NOTAR20001NOTAR20001", "otp_incorrect")] {
            olena.post("/auth/login/otp/custom", enter(text)).await.refused(422, key);
        }
        olena.post("/auth/login/otp/custom", enter("NOTAR20002")).await.refused(422, "wrong_otp");
        olena.post("/auth/login/otp/custom", enter("notar20001")).await.ok();
        olena.post("/auth/login/otp/custom", enter("NOTAR20001")).await.refused(422, "wrong_otp");
        // It is accepted only there.
        let taras = app.account("taras").await;
        let operation = taras.ask_for_code().await;
        let body = json!({ "phone": taras.phone(), "otp_code": "NOTAR20002", "operation_id": operation });
        taras.post("/auth/login/otp/custom", body).await.refused(409, "login_step_wrong");
    }

    async fn a_phone_call_that_is_confirmed_opens_a_session_once(app: TestApp) {
        let olena = app.account_with("olena", |account| account.login_step = LoginStep::PhoneCall).await;
        let started = olena.post("/auth/login", json!({ "phone": olena.phone() })).await.ok();
        assert_eq!(started["is_phone_call"], true);
        let body = json!({ "phone": olena.phone(), "transaction_id": started["transaction_id"] });
        let verify = || olena.post("/auth/login/phone-call/verify", body.clone());
        verify().await.refused(409, "call_not_confirmed");
        app.outside().answer_phone_call(olena.phone(), "2").await;
        // A client that missed the realtime message gets the result by a request.
        verify().await.refused(409, "otp_expired");
        // The next call is confirmed.
        let started = olena.post("/auth/login", json!({ "phone": olena.phone() })).await.ok();
        app.outside().answer_phone_call(olena.phone(), "1").await;
        let body = json!({ "phone": olena.phone(), "transaction_id": started["transaction_id"] });
        let mut foreign = body.clone();
        foreign["phone"] = "+380501110002".into();
        assert_eq!(olena.elsewhere().post("/auth/login/phone-call/verify", foreign).await.fields()["transaction_id"], ["operation_unknown"]);
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let (person, body) = (olena.elsewhere(), body.clone());
                tokio::spawn(async move { person.post("/auth/login/phone-call/verify", body).await.status })
            })
            .collect();
        let mut opened = 0;
        for task in tasks {
            opened += usize::from(task.await.unwrap() == 200);
        }
        assert_eq!(opened, 1);
        // A call opens one session. Later requests are told that it was used.
        olena.post("/auth/login/phone-call/verify", body.clone()).await.refused(409, "call_already_used");
        app.clock().advance_seconds(600);
        olena.post("/auth/login/phone-call/verify", body).await.refused(409, "call_already_used");
        assert_eq!(app.rows("sessions").await, 1);
    }
}
