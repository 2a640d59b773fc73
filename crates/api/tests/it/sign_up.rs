//! Signing up: an account is unusable until its phone is verified, and belongs to the person who verified it.

use axum::http::Method;
use cabinet_test_kit::{Answer, Fault, FaultKind, FaultService, Person, on_both_databases};
use serde_json::{Value, json};

const PHONE: &str = "+380671234567";

fn sign_up_body() -> Value {
    json!({ "full_name": "Нова Надія Назарівна", "phone": "067 123 45 67", "registry_identifier": "NOTAR30001", "is_agreed": true })
}

async fn sign_up(person: &Person) -> String {
    let answer = person.post("/auth/sign-up", sign_up_body()).await.ok();
    answer["operation_id"].as_str().unwrap().to_owned()
}

async fn verify(person: &Person, operation: &str, code: &str) -> Answer {
    let body = json!({ "otp_code": code, "operation_id": operation });
    person.post("/auth/sign-up/verify", body).await
}

async fn me(person: &Person) -> Answer {
    person.call(Method::POST, "/auth/me").send().await
}

on_both_databases! {
    async fn an_account_is_open_once_its_phone_is_proven(app: TestApp) {
        let nadiia = app.anonymous();
        let operation = sign_up(&nadiia).await;
        let before = nadiia.access_token();
        for path in ["/cart", "/order", "/payment-types", "/cart/client/last", "/order/token/get-all-tokens-by-phone", "/tokenization/cards"] {
            nadiia.get(path).await.refused(401, "unauthorized");
        }
        me(&nadiia).await.refused(401, "unauthorized");
        nadiia.post("/me", json!({})).await.refused(401, "unauthorized");
        // Nor with a fresh token of the same session.
        nadiia.refresh().await.ok();
        me(&nadiia).await.refused(401, "unauthorized");
        // Nobody can log in with the phone yet.
        app.anonymous().post("/auth/login", json!({ "phone": PHONE })).await.refused(404, "phone_not_exist");

        let verified = verify(&nadiia, &operation, &app.outside().code(PHONE)).await.ok();
        assert_eq!((&verified["success"], &verified["expires_in"]), (&json!(true), &json!(600)));
        // The session is as old as the sign-up; the refresh above was its last.
        assert_eq!(verified["session_expires_at"].as_str().unwrap()[..16], *"2026-03-02T13:00");
        let user = me(&nadiia).await.ok();
        assert_eq!((&user["full_name"], &user["phone"], &user["registry_identifier"]), (&json!("Нова Надія Назарівна"), &json!(PHONE), &json!("NOTAR30001")));
        assert_eq!((&user["new_flow_enabled"], &user["inn"]), (&json!(true), &json!("")));
        nadiia.hold_access_token(&before);
        me(&nadiia).await.ok();
        // The code is used up.
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.refused(422, "wrong_otp");
        app.clock().advance_seconds(100);
        app.anonymous().post("/auth/login", json!({ "phone": PHONE })).await.ok();
    }

    async fn a_sign_up_that_is_refused_changes_nothing_of_the_one_that_waits(app: TestApp) {
        let nadiia = app.anonymous();
        let mut operation = sign_up(&nadiia).await;
        for _ in 1..5 {
            app.clock().advance_seconds(30);
            operation = sign_up(&nadiia).await;
        }
        let mut foreign = sign_up_body();
        foreign["full_name"] = "Чужа Ганна Петрівна".into();
        let stranger = app.anonymous();
        stranger.post("/auth/sign-up", foreign).await.refused(429, "too_many_codes");
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.ok();
        assert_eq!(me(&nadiia).await.ok()["full_name"], "Нова Надія Назарівна");
    }

    async fn every_field_is_asked_for_at_once(app: TestApp) {
        let nadiia = app.anonymous();
        let answer = nadiia.post("/auth/sign-up", json!({})).await;
        assert_eq!(answer.status, 422);
        let expected = [("full_name", "full_name_required"), ("is_agreed", "is_agree_checked"), ("phone", "phone_required"), ("registry_identifier", "registry_identifier_required")];
        assert_eq!(answer.fields(), expected.map(|(field, key)| (field.to_owned(), vec![key.to_owned()])).into());
        for (field, value, key) in [
            ("phone", json!("067123456"), "phone_incorrect"),
            ("full_name", json!(" \u{a0} "), "full_name_required"),
            ("registry_identifier", json!("NOTAR30001NOTAR3"), "registry_identifier_invalid"),
            ("registry_identifier", json!("NOTAR 3"), "registry_identifier_invalid"),
            ("registry_identifier", json!("N12"), "registry_identifier_invalid"),
            ("registry_identifier", json!("NOTAR_3"), "registry_identifier_invalid"),
            ("is_agreed", json!(false), "is_agree_checked"),
            ("is_agreed", json!(null), "is_agree_checked"),
        ] {
            let mut body = sign_up_body();
            body[field] = value;
            let answer = nadiia.post("/auth/sign-up", body).await;
            assert_eq!(answer.fields()[field], [key]);
        }
        assert_eq!((app.rows("notaries").await, app.rows("sessions").await), (0, 0));
        assert!(app.outside().messages(PHONE).is_empty());
    }

    async fn a_proven_phone_is_in_use(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut before = app.all_rows().await;
        // It counts only for the limit of the address.
        before.insert("refused_entries", 1);
        let mut body = sign_up_body();
        body["phone"] = olena.phone().into();
        let answer = app.anonymous().post("/auth/sign-up", body).await;
        answer.refused(409, "phone_in_use");
        assert_eq!(answer.fields()["phone"], ["phone_in_use"]);
        assert_eq!(app.all_rows().await, before);
        assert_eq!(me(&olena).await.ok()["full_name"], "Коваль Олена Іванівна");
    }

    async fn where_account_existence_is_hidden_nobody_learns_who_has_signed_up(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.hide_account_existence = true).await;
        let olena = app.account("olena").await;
        let before = app.all_rows().await;
        let mut taken = sign_up_body();
        taken["phone"] = olena.phone().into();
        let people = [app.anonymous(), app.anonymous()];
        let mut operations = Vec::new();
        let mut answers = Vec::new();
        for (person, wish) in people.iter().zip([taken, sign_up_body()]) {
            let mut answer = person.post("/auth/sign-up", wish).await.ok();
            assert!(!person.refresh_token().is_empty());
            operations.push(answer["operation_id"].take().as_str().unwrap().to_owned());
            answer["access_token"].take();
            answers.push(answer);
            if answers.len() == 1 {
                let mut after = app.all_rows().await;
                assert_eq!(after.insert("refused_entries", 0), Some(1), "the try counts for its address");
                assert_eq!(after, before, "nothing else is written for a phone that is taken");
            }
        }
        assert_eq!(answers[0], answers[1]);
        assert!(app.outside().messages(olena.phone()).is_empty());
        // Wrong codes, one more than there are tries.
        app.outside().wait_for_messages(PHONE, 1).await;
        let code = app.outside().code(PHONE);
        let wrong = if code == "0000" { "0001" } else { "0000" };
        for _ in 0..4 {
            let mut answers = Vec::new();
            for (person, operation) in people.iter().zip(&operations) {
                let answer = verify(person, operation, wrong).await;
                answers.push((answer.status, answer.text()));
            }
            assert_eq!(answers[0], answers[1]);
            assert_eq!(answers[0].0, 422);
        }
        // The tokens for the taken phone are not accepted.
        me(&people[0]).await.refused(401, "unauthorized");
        // The owner of the phone signs up as usual; an ended session can't verify.
        app.clock().advance_seconds(30);
        let (early, late) = (app.anonymous(), app.anonymous());
        sign_up(&early).await;
        app.clock().advance_seconds(30);
        let operation = sign_up(&late).await;
        app.outside().wait_for_messages(PHONE, 3).await;
        let code = app.outside().code(PHONE);
        verify(&early, &operation, &code).await.refused(422, "wrong_otp");
        verify(&late, &operation, &code).await.ok();
        me(&late).await.ok();
    }

    async fn the_newest_sign_up_counts_and_ends_the_earlier_ones(app: TestApp) {
        let (stranger, nadiia) = (app.anonymous(), app.anonymous());
        let mut body = sign_up_body();
        body["full_name"] = "Чужий Чоловік".into();
        stranger.post("/auth/sign-up", body).await.ok();
        app.clock().advance_seconds(100);
        let operation = sign_up(&nadiia).await;
        assert_eq!(app.rows("notaries").await, 1);
        // The stranger's session is dead, even with the right code.
        let code = app.outside().code(PHONE);
        verify(&stranger, &operation, &code).await.refused(401, "unauthorized");
        stranger.refresh().await.refused(401, "session_expired");
        verify(&nadiia, &operation, &code).await.ok();
        assert_eq!(me(&nadiia).await.ok()["full_name"], "Нова Надія Назарівна");
        me(&stranger).await.refused(401, "unauthorized");
        assert!(!app.stores("Чужий Чоловік").await || app.services().store.is_sqlite(), "nothing of the earlier one stays");
    }

    async fn who_began_a_sign_up_with_a_phone_holds_no_known_device_of_it(app: TestApp) {
        let (stranger, nadiia) = (app.anonymous().at_address("203.0.113.9"), app.anonymous());
        sign_up(&stranger).await;
        app.clock().advance_seconds(100);
        let operation = sign_up(&nadiia).await;
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.ok();
        app.clock().advance_seconds(100);
        let budgets = |budget: &'static str| app.number(format!("select count(*) from login_operations where purpose = 'login' and budget = '{budget}'"));
        stranger.post("/auth/login", json!({ "phone": PHONE })).await.ok();
        assert_eq!((budgets("known_device").await, budgets("known_network").await, budgets("unknown").await), (0, 0, 1));
        nadiia.post("/auth/login", json!({ "phone": PHONE })).await.ok();
        assert_eq!(budgets("known_device").await, 1);
    }

    async fn the_code_must_be_this_sign_ups_own(app: TestApp) {
        let (nadiia, olena) = (app.anonymous(), app.account("olena").await);
        let operation = sign_up(&nadiia).await;
        let code = app.outside().code(PHONE);
        let of_olena = olena.ask_for_code().await;
        verify(&nadiia, &of_olena, &olena.code()).await.refused(422, "operation_unknown");
        verify(&nadiia, "", &code).await.refused(422, "operation_unknown");
        verify(&nadiia, &operation, "").await.refused(422, "otp_code_required");
        // A sign-up code is not valid for a login.
        let body = json!({ "phone": PHONE, "otp_code": code, "operation_id": operation });
        nadiia.post("/auth/login/otp", body).await.refused(422, "operation_unknown");
        let wrong = if code == "0000" { "0001" } else { "0000" };
        for key in ["wrong_otp", "wrong_otp", "otp_tries_exhausted"] {
            verify(&nadiia, &operation, wrong).await.refused(422, key);
        }
        verify(&nadiia, &operation, &code).await.refused(422, "otp_tries_exhausted");
        app.clock().advance_seconds(100);
        let operation = sign_up(&nadiia).await;
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.ok();
    }

    async fn a_code_comes_too_late_after_five_minutes(app: TestApp) {
        let nadiia = app.anonymous();
        let operation = sign_up(&nadiia).await;
        app.clock().advance_seconds(301);
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.refused(422, "otp_expired");
    }

    async fn a_broken_message_service_does_not_spoil_a_sign_up(app: TestApp) {
        let nadiia = app.anonymous();
        for _ in 0..7 {
            app.outside().faults(&[Fault::new(FaultService::Sms, FaultKind::Refuse)]).await;
            nadiia.post("/auth/sign-up", sign_up_body()).await.refused(502, "otp_not_sent");
        }
        let operation = sign_up(&nadiia).await;
        verify(&nadiia, &operation, &app.outside().code(PHONE)).await.ok();
    }

    async fn whoever_goes_through_numbers_that_are_refused_meets_the_limit_of_the_address(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.address_hourly_max = 3).await;
        let stranger = app.anonymous().at_address("10.5.5.5");
        let mut body = sign_up_body();
        for number in 0..3 {
            // It stands on the service's stop list.
            let mut refused = Fault::new(FaultService::Sms, FaultKind::Refuse);
            refused.code = Some("404".to_owned());
            app.outside().faults(&[refused]).await;
            body["phone"] = format!("+38067999000{number}").into();
            stranger.post("/auth/sign-up", body.clone()).await.refused(502, "otp_not_sent");
        }
        app.restart().await;
        let rows = app.all_rows().await;
        assert_eq!((rows["login_operations"], rows["refused_entries"], rows["sessions"]), (0, 3, 3));
        stranger.post("/auth/sign-up", sign_up_body()).await.refused(429, "too_many_codes_from_address");
        assert_eq!(app.all_rows().await, rows, "nothing is left of what is refused");
        // The owner of a number waits for nothing once the service takes it.
        app.anonymous().post("/auth/sign-up", body).await.ok();
    }

    async fn a_code_differs_from_those_of_the_sign_up_before(app: TestApp) {
        let nadiia = app.anonymous();
        let first = sign_up(&nadiia).await;
        let first_code = app.outside().code(PHONE);
        app.clock().advance_seconds(30);
        app.randomness().repeat_the_last_code(2);
        let operation = sign_up(&nadiia).await;
        let code = app.outside().code(PHONE);
        assert_ne!(code, first_code);
        assert_ne!(operation, first);
        verify(&nadiia, &operation, &code).await.ok();
        // Neither does the code of the login that follows.
        app.randomness().repeat_the_last_code(2);
        nadiia.elsewhere().post("/auth/login", json!({ "phone": PHONE })).await.ok();
        assert!(![first_code, code].contains(&app.outside().code(PHONE)));
    }

    async fn codes_of_sign_ups_count_with_those_of_logins(app: TestApp) {
        let nadiia = app.anonymous();
        for _ in 0..5 {
            sign_up(&nadiia).await;
            app.clock().advance_seconds(100);
        }
        let answer = nadiia.post("/auth/sign-up", sign_up_body()).await;
        answer.refused(429, "too_many_codes");
        assert!(answer.header("retry-after").parse::<i64>().unwrap() > 3_000);
        assert_eq!(app.outside().messages(PHONE).len(), 5);
    }
}
