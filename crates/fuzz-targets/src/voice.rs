//! Answers and callbacks of the voice service.

use std::sync::Arc;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_domain::{Locale, LoginPurpose, Phone};
use cabinet_gateways::phone_calls::{
    CallbackError, PhoneCallError, PhoneCallId, PhoneCallRequest, PhoneCallStatus, PhoneCalls as _,
};
use cabinet_gateways::twilio::{Twilio, TwilioSettings};
use secrecy::SecretString;

use crate::answers::{Stub, is_code, now, nowhere, split};

const ACCOUNT: &str = "AC00000000000000000000000000000001";
const TOKEN: &str = "12345";
const ADDRESS: &str = "https://cabinet.example/api/voice/key?call=1";

thread_local! {
    static SERVICE: (Twilio, Arc<Stub>) = {
        let stub = Stub::new(None);
        let token = SecretString::from(TOKEN);
        let settings = TwilioSettings::new(nowhere(), ACCOUNT.to_owned(), token, "+380440000000".to_owned());
        (Twilio::new(settings).unwrap().with_transport(stub.clone()), stub)
    };
}

/// A call counts as made only when a readable answer names it.
pub fn answers(bytes: &[u8]) {
    let (status, body) = split(bytes);
    SERVICE.with(|(service, stub)| {
        stub.answer_with(status, body);
        let request = PhoneCallRequest {
            phone: Phone::parse("+380501112233").unwrap(),
            purpose: LoginPurpose::Login,
            asks_for_shown_digits: false,
            locale: Locale::Uk,
            key_url: ADDRESS.to_owned(),
            progress_url: ADDRESS.to_owned(),
        };
        let started = checked(status, now(service.start_phone_call(&request)));
        assert!(started.is_none_or(|call| is_code(call.as_str())));
        let call = PhoneCallId::parse("CA1").unwrap();
        if let Some(PhoneCallStatus::Other(word)) =
            checked(status, now(service.phone_call_status(&call)))
        {
            assert!(word.chars().count() <= 40);
        }
        // A success closes the circuit breaker, so that the next input is not refused unread.
        stub.answer_with(200, b"{}");
        let _ = now(service.phone_call_status(&call));
    });
}

fn checked<T>(status: u16, result: Result<T, PhoneCallError>) -> Option<T> {
    match result {
        Ok(read) => {
            assert!((200..300).contains(&status));
            Some(read)
        }
        Err(PhoneCallError::Refused { code }) => {
            assert!(
                (400..500).contains(&status) && is_code(&code),
                "{status} {code}"
            );
            None
        }
        Err(PhoneCallError::Unavailable) => {
            assert_eq!(status, 429);
            None
        }
        Err(PhoneCallError::Unknown) => None,
    }
}

/// A callback is read only under a signature of its form.
pub fn callbacks(body: &[u8]) {
    SERVICE.with(|(service, _)| {
        let signature = signature_of(body);
        let read = service.verify_callback(ADDRESS, Some(&signature), body);
        assert_ne!(read, Err(CallbackError::BadSignature));
        if let Ok(event) = read {
            assert!(is_code(event.call.as_str()));
            assert!(
                event
                    .digits
                    .as_deref()
                    .is_none_or(|digits| digits.chars().count() <= 8)
            );
        }
        let longer = [body, b"&Digits=1"].concat();
        for forged in [
            service.verify_callback(ADDRESS, Some(&signature), &longer),
            service.verify_callback("https://cabinet.example/", Some(&signature), body),
            service.verify_callback(ADDRESS, None, body),
        ] {
            assert_eq!(forged, Err(CallbackError::BadSignature));
        }
    });
}

/// Signs a form as the service does: the address, then names and values, sorted by name.
fn signature_of(body: &[u8]) -> String {
    let mut parameters: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
    parameters.sort_by(|one, other| one.0.cmp(&other.0));
    let text: String = parameters
        .into_iter()
        .flat_map(|(name, value)| [name, value])
        .collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, TOKEN.as_bytes());
    STANDARD.encode(hmac::sign(&key, format!("{ADDRESS}{text}").as_bytes()).as_ref())
}
