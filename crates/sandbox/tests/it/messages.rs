//! The message service and its inbox, called over HTTP.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::time::Duration;

use crate::support::{self, AMPLE, World, world};
use cabinet_domain::Phone;
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::sms::{Sms as _, SmsError};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use secrecy::SecretString;
use serde_json::{Value, json};

fn adapter(world: &World, token: &str) -> TurboSms {
    let base = BaseUrl::parse(&world.url).unwrap();
    let mut settings = TurboSmsSettings::new(
        base,
        SecretString::from(token.to_owned()),
        "Notary".to_owned(),
    );
    settings.time_limit = AMPLE;
    TurboSms::new(settings).unwrap()
}

fn phone(text: &str) -> Phone {
    Phone::parse(text).unwrap()
}

async fn inbox(world: &World, query: &str) -> Vec<Value> {
    let (status, messages) = world.get(&format!("/sandbox/messages{query}")).await;
    assert_eq!(status, 200, "{messages}");
    messages.as_array().unwrap().clone()
}

#[tokio::test]
async fn messages_arrive_newest_first_and_are_found_by_any_form_of_the_phone() {
    let world = world().await;
    let sms = adapter(&world, "sandbox-sms-token");
    sms.send(&phone("0501112233"), "Код 0471", "s-1")
        .await
        .unwrap();
    world.clock.advance(Duration::from_secs(1));
    sms.send(&phone("0501112233"), "Код 9921", "s-2")
        .await
        .unwrap();
    sms.send(&phone("0502223344"), "Код 1111", "s-3")
        .await
        .unwrap();
    for query in [
        "?phone=%2B380501112233",
        "?phone=+380501112233",
        "?phone=380501112233",
        "?phone=0501112233",
    ] {
        let texts: Vec<Value> = inbox(&world, query)
            .await
            .iter()
            .map(|message| message["text"].clone())
            .collect();
        assert_eq!(texts, ["Код 9921", "Код 0471"], "{query}");
    }
    let all = inbox(&world, "").await;
    assert_eq!(all.len(), 3);
    assert_eq!(
        all[2],
        json!({"phone": "+380501112233", "text": "Код 0471", "service": "turbosms", "sent_at": support::START})
    );
    assert_eq!(world.get("/sandbox/messages?phone=12").await.0, 400);
}

#[tokio::test]
async fn the_same_sequence_id_sends_once_and_the_same_text_not_within_90_seconds() {
    let world = world().await;
    let sms = adapter(&world, "sandbox-sms-token");
    let olena = phone("0501112233");
    sms.send(&olena, "Код 0471", "s-1").await.unwrap();
    sms.send(&olena, "Код 0471", "s-1").await.unwrap();
    assert_eq!(inbox(&world, "").await.len(), 1);
    // The phone has it.
    for _ in 0..2 {
        sms.send(&olena, "Код 0471", "s-2").await.unwrap();
    }
    assert_eq!(inbox(&world, "").await.len(), 1);
    world.clock.advance(Duration::from_secs(90));
    sms.send(&olena, "Код 0471", "s-3").await.unwrap();
    assert_eq!(inbox(&world, "").await.len(), 2);
}

#[tokio::test]
async fn faults_tell_whether_a_message_can_have_been_sent() {
    let refused = |code: &str| {
        Err(SmsError::Refused {
            code: code.to_owned(),
        })
    };
    let not_served = Err(SmsError::NotServed {
        code: "203 REFUSED_ON_ORDER".to_owned(),
    });
    for (fault, expected, arrived) in [
        (json!({"kind": "timeout_before"}), Err(SmsError::Unknown), 0),
        (json!({"kind": "timeout_after"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "delay", "delay_ms": 30}), Ok(()), 1),
        (json!({"kind": "drop"}), Ok(()), 0),
        (json!({"kind": "status_429"}), Err(SmsError::Unavailable), 0),
        (json!({"kind": "status_500"}), Err(SmsError::Unknown), 0),
        (json!({"kind": "garbage"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "reset"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "refuse"}), not_served, 0),
        (
            json!({"kind": "refuse", "code": "404"}),
            refused("404 REFUSED_ON_ORDER"),
            0,
        ),
    ] {
        let world = world().await;
        let sms = adapter(&world, "sandbox-sms-token");
        let mut order = fault.clone();
        order["service"] = "sms".into();
        world.faults(order).await;
        assert_eq!(
            sms.send(&phone("0501112233"), "Код 0471", "s-1").await,
            expected,
            "{fault}"
        );
        assert_eq!(inbox(&world, "").await.len(), arrived, "{fault}");
        if expected == Err(SmsError::Unknown) {
            // A repeat with the same sequence id sends nothing twice, whatever became of the first call.
            let sms = adapter(&world, "sandbox-sms-token");
            sms.send(&phone("0501112233"), "Код 0471", "s-1")
                .await
                .unwrap();
            assert_eq!(inbox(&world, "").await.len(), 1, "{fault}");
        }
    }
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    let world = world().await;
    let sms = adapter(&world, "another-token");
    let answer = sms.send(&phone("0501112233"), "Код 0471", "s-1").await;
    assert_eq!(
        answer,
        Err(SmsError::NotServed {
            code: "301 INVALID_TOKEN".to_owned()
        })
    );
    let (_, answer) = world.post("/message/send.json", &json!({})).await;
    assert_eq!(answer["response_code"], 103);
    let (_, answer) = world.post("/message/ping.json", &json!({})).await;
    assert_eq!(answer["response_code"], 1);
    assert!(inbox(&world, "").await.is_empty());
}

fn club(world: &World, token: &str) -> SmsClub {
    let base = BaseUrl::parse(&world.url).unwrap();
    let token = SecretString::from(token.to_owned());
    let mut settings = SmsClubSettings::new(base, token, "Notary".to_owned());
    settings.time_limit = AMPLE;
    SmsClub::new(settings).unwrap()
}

#[tokio::test]
async fn the_second_service_has_its_own_token_and_refuses_a_repeat_for_two_minutes() {
    let world = world().await;
    let sms = club(&world, "sandbox-sms-club-token");
    let olena = phone("0501112233");
    sms.send(&olena, "Код 0471", "s-1").await.unwrap();
    let kept = inbox(&world, "").await;
    assert_eq!(
        (&kept[0]["service"], &kept[0]["phone"]),
        (&json!("smsclub"), &json!("+380501112233"))
    );
    world.clock.advance(Duration::from_secs(119));
    sms.send(&olena, "Код 0471", "s-1").await.unwrap();
    assert_eq!(inbox(&world, "").await.len(), 1, "the phone has it");
    // The first service knows nothing of it.
    let first = adapter(&world, "sandbox-sms-token");
    first.send(&olena, "Код 0471", "s-1").await.unwrap();
    world.clock.advance(Duration::from_secs(1));
    sms.send(&olena, "Код 0471", "s-1").await.unwrap();
    assert_eq!(inbox(&world, "").await.len(), 3);
    assert_eq!(sms.balance().await, Ok(Some("1000.0000".to_owned())));
    let stranger = club(&world, "another-token");
    let unauthorized = SmsError::NotServed {
        code: "HTTP_401".to_owned(),
    };
    assert_eq!(stranger.balance().await, Err(unauthorized.clone()));
    assert_eq!(
        stranger.send(&olena, "Код 0001", "s-2").await,
        Err(unauthorized)
    );
}

#[tokio::test]
async fn faults_of_the_second_service_tell_whether_a_message_can_have_been_sent() {
    let not_served = |status: u16| {
        Err(SmsError::NotServed {
            code: format!("HTTP_{status}"),
        })
    };
    for (fault, expected, arrived) in [
        (json!({"kind": "timeout_before"}), Err(SmsError::Unknown), 0),
        (json!({"kind": "timeout_after"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "drop"}), Ok(()), 0),
        (json!({"kind": "status_429"}), Err(SmsError::Unavailable), 0),
        (json!({"kind": "status_500"}), Err(SmsError::Unknown), 0),
        (json!({"kind": "garbage"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "reset"}), Err(SmsError::Unknown), 1),
        (json!({"kind": "refuse"}), not_served(402), 0),
        (json!({"kind": "refuse", "code": "403"}), not_served(403), 0),
    ] {
        let world = world().await;
        let sms = club(&world, "sandbox-sms-club-token");
        let mut order = fault.clone();
        order["service"] = "sms_club".into();
        world.faults(order).await;
        let sent = sms.send(&phone("0501112233"), "Код 0471", "s-1").await;
        assert_eq!(sent, expected, "{fault}");
        assert_eq!(inbox(&world, "").await.len(), arrived, "{fault}");
    }
}
