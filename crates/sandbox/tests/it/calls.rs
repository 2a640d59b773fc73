//! The voice service, called over HTTP.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use crate::support::{self, AMPLE, Taken, World, world};
use axum::http::StatusCode;
use cabinet_domain::{Locale, LoginPurpose, Phone};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::phone_calls::{
    PhoneCallError, PhoneCallEvent, PhoneCallRequest, PhoneCallStatus, PhoneCalls as _,
};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use cabinet_sandbox::SandboxSettings;
use secrecy::SecretString;
use serde_json::{Value, json};

fn adapter(world: &World, token: &str) -> Twilio {
    let settings = SandboxSettings::new(&world.url);
    let base = BaseUrl::parse(&world.url).unwrap();
    let token = SecretString::from(token.to_owned());
    let mut settings = TwilioSettings::new(
        base,
        settings.voice_account,
        token,
        "+380440000000".to_owned(),
    );
    settings.time_limit = AMPLE;
    Twilio::new(settings).unwrap()
}

fn request(world: &World) -> PhoneCallRequest {
    PhoneCallRequest {
        phone: Phone::parse("0502223344").unwrap(),
        purpose: LoginPurpose::Login,
        asks_for_shown_digits: false,
        locale: Locale::Uk,
        key_url: format!("{}/voice/key?attempt=1&x=2", world.merchant.url),
        progress_url: format!("{}/voice/progress?attempt=1", world.merchant.url),
    }
}

/// Returns a callback in the form that the adapter reads, with the address that received it.
fn event(world: &World, voice: &Twilio, taken: &Taken) -> PhoneCallEvent {
    let address = format!("{}{}", world.merchant.url, taken.path);
    let signature = taken
        .headers
        .get("x-twilio-signature")
        .and_then(|value| value.to_str().ok());
    voice
        .verify_callback(&address, signature, &taken.body)
        .unwrap()
}

async fn calls(world: &World) -> Vec<Value> {
    world
        .get("/sandbox/calls")
        .await
        .1
        .as_array()
        .unwrap()
        .clone()
}

#[tokio::test]
async fn pressing_1_confirms_and_every_callback_is_signed() {
    let world = world().await;
    let voice = adapter(&world, "sandbox-call-token");
    let reply = voice.reply(LoginPurpose::Login, Locale::Uk, true);
    world.merchant.answer_with(StatusCode::OK, &reply.body);
    let call = voice.start_phone_call(&request(&world)).await.unwrap();
    world.merchant.wait_for(2).await;
    assert_eq!(
        voice.phone_call_status(&call).await.unwrap(),
        PhoneCallStatus::Ringing
    );
    let listed = calls(&world).await;
    assert_eq!(
        (&listed[0]["sid"], &listed[0]["phone"]),
        (&json!(call.as_str()), &json!("+380502223344"))
    );
    assert_eq!(listed[0]["status"], "ringing");

    let (status, outcome) = world
        .post(
            &format!("/sandbox/calls/{call}/answer"),
            &json!({"digits": "1"}),
        )
        .await;
    assert_eq!((status, &outcome["status"]), (200, &json!("completed")));
    let heard = outcome["heard"].as_array().unwrap();
    assert!(
        heard[0].as_str().unwrap().contains("натисніть один"),
        "{heard:?}"
    );
    assert_eq!(heard[1], "Дякуємо, вхід підтверджено.");

    let taken = world.merchant.wait_for(5).await;
    let (keys, progress): (Vec<&Taken>, Vec<&Taken>) = taken
        .iter()
        .partition(|taken| taken.path.starts_with("/voice/key?attempt=1&x=2"));
    assert_eq!(keys.len(), 1);
    let key = event(&world, &voice, keys[0]);
    assert_eq!(key.digits.as_deref(), Some("1"));
    assert_eq!(key.call, call);
    let progress: Vec<PhoneCallEvent> = progress
        .into_iter()
        .map(|taken| event(&world, &voice, taken))
        .collect();
    let statuses: Vec<&PhoneCallStatus> = progress.iter().map(|event| &event.status).collect();
    use PhoneCallStatus::{Completed, InProgress, Queued, Ringing};
    assert_eq!(statuses, [&Queued, &Ringing, &InProgress, &Completed]);
    assert_eq!(
        progress
            .iter()
            .filter_map(|event| event.sequence)
            .collect::<Vec<u32>>(),
        [0, 1, 2, 3]
    );
    assert!(progress.iter().all(|event| event.digits.is_none()));
    assert_eq!(voice.phone_call_status(&call).await.unwrap(), Completed);
    let again = world
        .post(
            &format!("/sandbox/calls/{call}/answer"),
            &json!({"digits": "1"}),
        )
        .await;
    assert_eq!(again.0, 409, "a call is answered once");
}

#[tokio::test]
async fn another_key_silence_and_a_declined_call_do_not_confirm() {
    let world = world().await;
    let voice = adapter(&world, "sandbox-call-token");
    for digits in ["2", ""] {
        let call = voice.start_phone_call(&request(&world)).await.unwrap();
        let before = world.merchant.taken().len();
        world
            .post(
                &format!("/sandbox/calls/{call}/answer"),
                &json!({"digits": digits}),
            )
            .await;
        let key = support::until(|| {
            world
                .merchant
                .taken()
                .into_iter()
                .skip(before)
                .find(|taken| taken.path.starts_with("/voice/key"))
        });
        let key = event(&world, &voice, &key.await.unwrap());
        assert_eq!(key.digits.as_deref(), Some(digits));
    }
    for (word, status) in [
        ("busy", PhoneCallStatus::Busy),
        ("no-answer", PhoneCallStatus::NoAnswer),
        ("failed", PhoneCallStatus::Failed),
    ] {
        let call = voice.start_phone_call(&request(&world)).await.unwrap();
        assert_eq!(
            world
                .post(
                    &format!("/sandbox/calls/{call}/decline"),
                    &json!({"status": word})
                )
                .await
                .0,
            200
        );
        assert_eq!(voice.phone_call_status(&call).await.unwrap(), status);
        assert!(status.is_over());
    }
}

#[tokio::test]
async fn faults_tell_whether_a_telephone_may_ring() {
    for (fault, expected, ringing) in [
        (
            json!({"kind": "timeout_before"}),
            PhoneCallError::Unknown,
            0,
        ),
        (json!({"kind": "timeout_after"}), PhoneCallError::Unknown, 1),
        (
            json!({"kind": "status_429"}),
            PhoneCallError::Unavailable,
            0,
        ),
        (json!({"kind": "status_500"}), PhoneCallError::Unknown, 0),
        (json!({"kind": "garbage"}), PhoneCallError::Unknown, 1),
        (
            json!({"kind": "reset", "effect": false}),
            PhoneCallError::Unknown,
            0,
        ),
        (
            json!({"kind": "refuse"}),
            PhoneCallError::Refused {
                code: "21216".to_owned(),
            },
            0,
        ),
    ] {
        let world = world().await;
        let mut order = fault.clone();
        order["service"] = "calls".into();
        world.faults(order).await;
        let voice = adapter(&world, "sandbox-call-token");
        assert_eq!(
            voice.start_phone_call(&request(&world)).await,
            Err(expected),
            "{fault}"
        );
        assert_eq!(calls(&world).await.len(), ringing, "{fault}");
    }
    let world = world().await;
    let stranger = adapter(&world, "another-token");
    let refused = PhoneCallError::Refused {
        code: "20003".to_owned(),
    };
    assert_eq!(
        stranger.start_phone_call(&request(&world)).await,
        Err(refused)
    );
}
