//! Two message services: the second sends only where the first certainly has not, and a login goes on by a call where neither does.

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, LoginStep, Person, TestApp, on_both_databases,
};
use serde_json::{Value, json};

fn fault(service: FaultService, kind: FaultKind) -> Fault {
    Fault::new(service, kind)
}

async fn with_both(app: &TestApp) {
    app.restart_with(|settings| settings.second_sms = true)
        .await;
}

async fn ask(person: &Person) -> cabinet_test_kit::Answer {
    person
        .post("/auth/login", json!({ "phone": person.phone() }))
        .await
}

async fn ask_for_call(person: &Person) -> cabinet_test_kit::Answer {
    person
        .post(
            "/auth/login",
            json!({ "phone": person.phone(), "by_call": true }),
        )
        .await
}

/// The services that sent something to a person, newest first.
fn services_of(app: &TestApp, person: &Person) -> Vec<&'static str> {
    let phone = cabinet_domain::Phone::parse(person.phone()).unwrap();
    let messages = app.outside().sandbox.messages(Some(&phone));
    messages.iter().map(|message| message.service).collect()
}

/// Stores a notice in the outbox, as a unit of work does.
async fn notice(app: &TestApp, phone: &str) {
    let (now, phone) = (app.clock().shows(), phone.to_owned());
    let add = move |tx: &mut cabinet_storage::Tx| {
        let payload = json!({ "phone": phone, "text": "Зарахування повернено" }).to_string();
        cabinet_storage::worker::outbox::add(
            tx,
            uuid::Uuid::from_u128(7),
            "text_message",
            &payload,
            now,
            now,
        )
    };
    app.services().store.write(add).await.unwrap();
}

async fn count(app: &TestApp, condition: &str) -> i64 {
    app.number(format!("select count(*) from outbox where {condition}"))
        .await
}

on_both_databases! {
    async fn the_second_service_sends_a_code_that_the_first_certainly_has_not_sent(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        // No money, no token, too many requests.
        for kind in [FaultKind::Refuse, FaultKind::Status429] {
            app.outside().faults(&[fault(FaultService::Sms, kind)]).await;
            olena.log_in().await;
            assert_eq!(services_of(&app, &olena)[0], "smsclub", "{kind:?}");
            app.clock().advance_seconds(30);
        }
        olena.log_in().await;
        assert_eq!(services_of(&app, &olena), ["turbosms", "smsclub", "smsclub"]);
    }

    async fn what_the_first_may_have_sent_and_what_concerns_the_number_goes_by_no_other(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        let mut refused_number = fault(FaultService::Sms, FaultKind::Refuse);
        refused_number.code = Some("404".to_owned());
        let faults = [fault(FaultService::Sms, FaultKind::Status500), fault(FaultService::Sms, FaultKind::TimeoutAfter), refused_number];
        for fault in faults {
            let before = services_of(&app, &olena).iter().filter(|service| **service == "smsclub").count();
            app.outside().faults(&[fault]).await;
            ask(&olena).await.refused(502, "otp_not_sent");
            let after = services_of(&app, &olena).iter().filter(|service| **service == "smsclub").count();
            assert_eq!((before, after), (0, 0));
            app.clock().advance_seconds(30);
        }
    }

    async fn where_both_fail_a_call_is_offered_and_opens_a_session(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Refuse), fault(FaultService::SmsClub, FaultKind::Refuse)]).await;
        let answer = ask(&olena).await;
        answer.refused(502, "otp_not_sent");
        assert_eq!(answer.json()["call_offered"], true);
        let started = ask_for_call(&olena).await.ok();
        assert_eq!((&started["is_phone_call"], &started["is_custom_otp_code"]), (&json!(true), &json!(false)));
        app.outside().answer_phone_call(olena.phone(), "1").await;
        let body = json!({ "phone": olena.phone(), "transaction_id": started["transaction_id"] });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
        assert!(services_of(&app, &olena).is_empty());
    }

    async fn a_code_that_may_be_on_its_way_does_not_delay_the_call(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Status500)]).await;
        let answer = ask(&olena).await;
        answer.refused(502, "otp_not_sent");
        assert_eq!(answer.json()["call_offered"], true);
        ask(&olena).await.refused(429, "otp_too_soon");
        assert_eq!(ask_for_call(&olena).await.ok()["is_phone_call"], true);
        // The next call waits for its pause, as any does, and calls have limits of their own.
        ask_for_call(&olena).await.refused(429, "otp_too_soon");
        for _ in 0..5 {
            app.clock().advance_seconds(60);
            ask_for_call(&olena).await.ok();
        }
        app.clock().advance_seconds(60);
        ask_for_call(&olena).await.refused(429, "too_many_codes");
    }

    async fn only_who_asked_for_a_code_that_did_not_arrive_may_have_its_owner_called(app: TestApp) {
        let olena = app.account("olena").await;
        // Nothing has failed yet.
        for person in [&olena, &olena.elsewhere()] {
            let started = ask_for_call(person).await.ok();
            assert_eq!((&started["is_phone_call"], &started["call_digits"]), (&json!(false), &json!(null)));
            app.clock().advance_seconds(30);
        }
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Refuse)]).await;
        ask(&olena).await.refused(502, "otp_not_sent");
        app.clock().advance_seconds(30);
        assert_eq!(ask_for_call(&olena.elsewhere()).await.ok()["is_phone_call"], false, "another visitor");
        assert_eq!(ask_for_call(&app.account("taras").await).await.ok()["is_phone_call"], false, "another account");
        app.clock().advance_seconds(60 * 14);
        assert_eq!(ask_for_call(&olena).await.ok()["is_phone_call"], true);
        app.clock().advance_seconds(60);
        assert_eq!(ask_for_call(&olena).await.ok()["is_phone_call"], false, "too long ago");
    }

    async fn nobody_is_called_where_a_call_would_tell_of_the_account_or_is_no_way_in(app: TestApp) {
        app.restart_with(|settings| settings.app.codes.hide_account_existence = true).await;
        let olena = app.account("olena").await;
        assert_eq!(ask_for_call(&olena).await.ok()["is_phone_call"], false);
        app.restart_with(|settings| settings.app.codes.hide_account_existence = false).await;
        let taras = app.account_with("taras", |account| account.login_step = LoginStep::Custom).await;
        assert_eq!(ask_for_call(&taras).await.ok()["is_custom_otp_code"], true);
        // A sign-up is verified by a code alone.
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Refuse)]).await;
        let wish = json!({ "full_name": "Нова Надія Назарівна", "phone": "0671234567", "registry_identifier": "NOTAR30001", "is_agreed": true });
        let answer = app.anonymous().post("/auth/sign-up", wish).await;
        answer.refused(502, "otp_not_sent");
        assert_eq!(answer.json()["call_offered"], Value::Null);
    }

    async fn a_notice_that_the_first_may_have_sent_is_repeated_by_it_alone(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        notice(&app, olena.phone()).await;
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::TimeoutAfter)]).await;
        app.work().await;
        assert_eq!(services_of(&app, &olena), ["turbosms"]);
        assert_eq!(count(&app, "delivered_at is null and payload like '%turbosms%'").await, 1);
        // Now it refuses to serve us; the other one would send a second message.
        app.clock().advance_seconds(60);
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Refuse)]).await;
        app.work().await;
        assert_eq!(services_of(&app, &olena), ["turbosms"]);
        app.clock().advance_seconds(180);
        app.work().await;
        assert_eq!(services_of(&app, &olena), ["turbosms"], "it sends nothing twice");
        assert_eq!(count(&app, "delivered_at is not null").await, 1);
    }

    async fn a_notice_that_the_second_may_have_sent_is_left_to_the_operator(app: TestApp) {
        with_both(&app).await;
        let olena = app.account("olena").await;
        notice(&app, olena.phone()).await;
        app.outside().faults(&[fault(FaultService::Sms, FaultKind::Refuse), fault(FaultService::SmsClub, FaultKind::TimeoutAfter)]).await;
        app.work().await;
        for _ in 0..3 {
            app.clock().advance_seconds(3_600);
            app.work().await;
        }
        assert_eq!(services_of(&app, &olena), ["smsclub"]);
        assert_eq!(count(&app, "parked_at is not null and delivered_at is null").await, 1);
        assert_eq!(app.number("select count(*) from alarms where kind = 'outbox_parked'".to_owned()).await, 1);
    }

    async fn balances_are_read_of_the_services_that_are_set_up(app: TestApp) {
        with_both(&app).await;
        let services = app.services();
        assert!(services.sms.measure_balances(services.now()).await);
        app.outside().faults(&[fault(FaultService::SmsClub, FaultKind::Status500)]).await;
        assert!(!services.sms.measure_balances(services.now()).await);
    }
}
