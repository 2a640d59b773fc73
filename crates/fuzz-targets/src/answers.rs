//! Answers of HTTP services, given in place of the network, and those of the message service.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use cabinet_domain::Phone;
use cabinet_gateways::outbound::{Answer, BaseUrl, NoAnswer, Transport};
use cabinet_gateways::sms::{Sms as _, SmsError};
use cabinet_gateways::smsclub::{SmsClub, SmsClubSettings};
use cabinet_gateways::turbosms::{TurboSms, TurboSmsSettings};
use futures_util::FutureExt as _;
use reqwest::StatusCode;
use secrecy::SecretString;

/// A transport that gives every request the same answer, except that for a key of reports.
#[derive(Debug)]
pub(crate) struct Stub {
    answer: Mutex<(u16, Vec<u8>)>,
    key_answer: Option<String>,
}

impl Stub {
    /// Returns a transport whose answer to a request for the key of reports is `key_answer`.
    pub(crate) fn new(key_answer: Option<String>) -> Arc<Stub> {
        Arc::new(Stub {
            answer: Mutex::new((200, Vec::new())),
            key_answer,
        })
    }

    /// Sets the answer.
    pub(crate) fn answer_with(&self, status: u16, body: &[u8]) {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = (status, body.to_vec());
    }
}

#[async_trait]
impl Transport for Stub {
    async fn send(&self, request: reqwest::Request) -> Result<Answer, NoAnswer> {
        let (status, body) = match &self.key_answer {
            Some(key) if request.url().path().ends_with("/pubkey") => {
                (200, key.clone().into_bytes())
            }
            _ => self
                .answer
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        };
        Ok(Answer {
            status: StatusCode::from_u16(status).map_err(|_| NoAnswer::Lost)?,
            retry_after: None,
            date: None,
            body,
        })
    }
}

/// Splits an input: a line with a status, and the body.
pub(crate) fn split(bytes: &[u8]) -> (u16, &[u8]) {
    let line_end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, body) = match line_end {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let status = crate::text_of(line).and_then(|line| line.trim().parse().ok());
    (
        status
            .filter(|status| (100..=999).contains(status))
            .unwrap_or(200),
        body,
    )
}

/// Returns the address of a service that is never called.
pub(crate) fn nowhere() -> BaseUrl {
    BaseUrl::parse("http://localhost:9").unwrap()
}

/// Returns the result of a call that waits for nothing.
pub(crate) fn now<T>(call: impl Future<Output = T>) -> T {
    call.now_or_never().unwrap()
}

/// A message counts as sent only when a readable answer says so.
pub fn sms(bytes: &[u8]) {
    thread_local! {
        static SERVICE: (TurboSms, Arc<Stub>) = {
            let stub = Stub::new(None);
            let settings = TurboSmsSettings::new(nowhere(), SecretString::from("token"), "Notary".to_owned());
            (TurboSms::new(settings).unwrap().with_transport(stub.clone()), stub)
        };
        static PHONE: RefCell<Phone> = RefCell::new(Phone::parse("+380501112233").unwrap());
    }
    let (status, body) = split(bytes);
    SERVICE.with(|(service, stub)| {
        PHONE.with_borrow(|phone| {
            stub.answer_with(status, body);
            match now(service.send(phone, "Код 0471", "s-1")) {
                Ok(()) => {
                    assert_eq!(status, 200);
                    // Bytes that are no text may stand in fields that nobody reads.
                    let text = String::from_utf8_lossy(body);
                    let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                    if answer.is_null() {
                        return;
                    }
                    let code = answer["response_code"].as_i64().unwrap();
                    // 427: the number got the same text a moment ago.
                    assert!(matches!(code, 0 | 427 | 507 | 800..=803), "{code}");
                }
                // A number, and the service's name of it.
                Err(SmsError::Refused { code } | SmsError::NotServed { code }) => {
                    assert!(code.split(' ').all(is_code), "{code}");
                }
                Err(SmsError::Unavailable) => assert_eq!(status, 429),
                Err(SmsError::Unknown) => {}
            }
            // A success closes the circuit breaker, so that the next input is not refused unread.
            stub.answer_with(200, b"{}");
            let _ = now(service.send(phone, "Код 0471", "s-1"));
        });
    });
}

/// A message of the second service counts as sent only with an id for its number.
pub fn sms_club(bytes: &[u8]) {
    thread_local! {
        static SERVICE: (SmsClub, Arc<Stub>) = {
            let stub = Stub::new(None);
            let settings = SmsClubSettings::new(nowhere(), SecretString::from("token"), "Notary".to_owned());
            (SmsClub::new(settings).unwrap().with_transport(stub.clone()), stub)
        };
        static PHONE: RefCell<Phone> = RefCell::new(Phone::parse("+380501112233").unwrap());
    }
    let (status, body) = split(bytes);
    SERVICE.with(|(service, stub)| {
        PHONE.with_borrow(|phone| {
            stub.answer_with(status, body);
            match now(service.send(phone, "Код 0471", "s-1")) {
                // 453: the number got the same text a moment ago.
                Ok(()) if status == 453 => {}
                Ok(()) => {
                    assert_eq!(status, 200);
                    // Bytes that are no text may stand in fields that nobody reads.
                    let text = String::from_utf8_lossy(body);
                    let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                    let told = &answer["success_request"];
                    assert!(
                        answer.is_null()
                            || told["info"].is_object()
                            || told["add_info"].is_object()
                    );
                }
                Err(SmsError::Refused { code } | SmsError::NotServed { code }) => {
                    assert!(is_code(&code), "{code}");
                }
                Err(SmsError::Unavailable) => assert_eq!(status, 429),
                Err(SmsError::Unknown) => {}
            }
            stub.answer_with(status, body);
            if let Ok(Some(balance)) = now(service.balance()) {
                assert!(
                    balance.parse::<f64>().is_ok_and(f64::is_finite),
                    "{balance}"
                );
            }
            // A success closes the circuit breaker, so that the next input is not refused unread.
            stub.answer_with(200, b"{}");
            let _ = now(service.send(phone, "Код 0471", "s-1"));
        });
    });
}

/// Whether a service's code may be logged: short, and without anything that a person could have written.
pub(crate) fn is_code(code: &str) -> bool {
    (1..=64).contains(&code.len())
        && code
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
