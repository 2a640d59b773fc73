//! TurboSMS: the adapter.
//!
//! The service answers 200 to every well-formed request. The body has a code for the request and one for each recipient. An
//! accepted request may have a refused recipient, so both codes are checked.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cabinet_clock::PassingTime;
use cabinet_domain::Phone;
use cabinet_metrics::OutboundCall;
use reqwest::{Method, StatusCode};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::outbound::{BaseUrl, Outbound, OutboundSettings, SetupError, Transport};
use crate::sms::{Sms, SmsError, SmsService, bearer, is_refusal, sum_of};

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct TurboSmsSettings {
    /// `https://api.turbosms.ua`, or the sandbox.
    pub base_url: BaseUrl,
    /// The account's token.
    pub token: SecretString,
    /// The registered sender name.
    pub sender: String,
    /// Time limit of a call. A person waits for the code.
    pub time_limit: Duration,
    /// Measures the pause after failures. `cabinet_clock` says what advances it.
    pub time: PassingTime,
}

impl TurboSmsSettings {
    /// Returns settings with a time limit of 5 s.
    pub fn new(base_url: BaseUrl, token: SecretString, sender: String) -> Self {
        Self {
            base_url,
            token,
            sender,
            time_limit: Duration::from_secs(5),
            time: PassingTime::default(),
        }
    }
}

/// The TurboSMS adapter.
#[derive(Debug)]
pub struct TurboSms {
    outbound: Outbound,
    sender: String,
    time_limit: Duration,
}

impl TurboSms {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: TurboSmsSettings) -> Result<Self, SetupError> {
        const SERVICE: &str = "turbosms";
        let headers = bearer(SERVICE, &settings.token)?;
        Ok(Self {
            outbound: Outbound::new(
                OutboundSettings::new(SERVICE, settings.base_url, settings.time),
                headers,
            )?,
            sender: settings.sender,
            time_limit: settings.time_limit,
        })
    }

    /// Uses a transport in place of the network.
    #[must_use]
    pub fn with_transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.outbound = self.outbound.with_transport(transport);
        self
    }
}

#[derive(Serialize)]
struct SendRequest<'a> {
    recipients: [&'a str; 1],
    sms: SmsPart<'a>,
    sequence_id: &'a str,
}

#[derive(Serialize)]
struct SmsPart<'a> {
    sender: &'a str,
    text: &'a str,
}

#[derive(Deserialize)]
struct Envelope {
    response_code: i64,
    #[serde(default)]
    response_status: String,
    #[serde(default)]
    response_result: serde_json::Value,
}

#[derive(Deserialize)]
struct Recipient {
    phone: String,
    response_code: i64,
    #[serde(default)]
    response_status: String,
}

#[async_trait]
impl Sms for TurboSms {
    fn service(&self) -> SmsService {
        SmsService::TurboSms
    }

    /// The service sends only one message for a sequence id.
    fn repeats_safely(&self) -> bool {
        true
    }

    async fn send(&self, phone: &Phone, text: &str, sequence_id: &str) -> Result<(), SmsError> {
        let body = SendRequest {
            recipients: [phone.digits()],
            sms: SmsPart {
                sender: &self.sender,
                text,
            },
            sequence_id,
        };
        let request = self
            .outbound
            .request(Method::POST, "/message/send.json", self.time_limit)
            .json(&body);
        let answer = self
            .outbound
            .send_and_judge(OutboundCall::TurboSmsSend, request, |answer| {
                is_refusal(&read(&answer.body, phone))
            })
            .await?;
        let result = match answer.status {
            StatusCode::OK => read(&answer.body, phone),
            // Nothing was accepted, so a later retry is safe.
            StatusCode::TOO_MANY_REQUESTS => Err(SmsError::Unavailable),
            StatusCode::REQUEST_TIMEOUT => Err(SmsError::Unknown),
            // Numbers are refused by codes in the body, so this is about us.
            status if status.is_client_error() => Err(SmsError::NotServed {
                code: format!("HTTP_{}", status.as_u16()),
            }),
            _ => Err(SmsError::Unknown),
        };
        if let Err(error) = &result {
            tracing::warn!(%error, "TurboSMS did not take a message: {error}");
        }
        result
    }

    async fn balance(&self) -> Result<Option<String>, SmsError> {
        const CALL: OutboundCall = OutboundCall::TurboSmsBalance;
        let request = self
            .outbound
            .request(Method::POST, "/user/balance.json", self.time_limit);
        let answer = self
            .outbound
            .send_and_judge(CALL, request, |answer| {
                is_refusal(&read_balance(&answer.body))
            })
            .await?;
        match answer.status {
            StatusCode::OK => read_balance(&answer.body),
            status if status.is_client_error() => Err(SmsError::NotServed {
                code: format!("HTTP_{}", status.as_u16()),
            }),
            _ => Err(SmsError::Unknown),
        }
    }
}

/// Reads the codes of the request and of the recipient.
fn read(body: &[u8], phone: &Phone) -> Result<(), SmsError> {
    let Ok(envelope) = serde_json::from_slice::<Envelope>(body) else {
        return Err(SmsError::Unknown);
    };
    let recipients: Vec<Recipient> =
        serde_json::from_value(envelope.response_result).unwrap_or_default();
    let recipient = recipients
        .iter()
        .find(|recipient| recipient.phone.trim_start_matches('+') == phone.digits());
    let name = &envelope.response_status;
    match (envelope.response_code, recipient) {
        // The number has the same text already, sent a moment ago: it was delivered then.
        (DUPLICATE, _) => Ok(()),
        // 507: a repeated sequence id. The codes are those of the first request.
        (0 | 800..=803 | 507, Some(recipient)) => match recipient.response_code {
            0 | DUPLICATE => Ok(()),
            code => Err(refused(code, &recipient.response_status)),
        },
        // Accepted, without a code for the only recipient.
        (0 | 800 | 801, None) => Ok(()),
        (802 | 803 | 507, None) => Err(SmsError::Unknown),
        // Internal errors: 500 in general, 505 and 506 while saving, 999 fatal.
        (500 | 505 | 506 | 999, _) => Err(SmsError::Unknown),
        (code, _) => Err(refused(code, name)),
    }
}

fn read_balance(body: &[u8]) -> Result<Option<String>, SmsError> {
    let envelope: Envelope = serde_json::from_slice(body).map_err(|_| SmsError::Unknown)?;
    match envelope.response_code {
        0 => Ok(sum_of(envelope.response_result.get("balance"))),
        code => Err(refused(code, &envelope.response_status)),
    }
}

/// The code of a message that the number got a moment ago.
const DUPLICATE: i64 = 427;
/// Longest name of a code that is repeated, in characters.
const NAME_CHARS_MAX: usize = 60;

/// The codes about our account, by the description of the interface: no token or a wrong one (103, 105, 106, 301), the sender (200, 302, 400,
/// 401), no money (203).
const ABOUT_US: [i64; 9] = [103, 105, 106, 200, 203, 301, 302, 400, 401];

/// Returns the refusal with a code and the service's name of it.
fn refused(code: i64, name: &str) -> SmsError {
    let is_name = |name: &str| {
        (1..=NAME_CHARS_MAX).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let text = if is_name(name) {
        format!("{code} {name}")
    } else {
        code.to_string()
    };
    if ABOUT_US.contains(&code) {
        SmsError::NotServed { code: text }
    } else {
        SmsError::Refused { code: text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(body: &str) -> Result<(), SmsError> {
        read(body.as_bytes(), &Phone::parse("+380501234567").unwrap())
    }

    fn answer(envelope: i64, recipient: i64) -> String {
        format!(
            r#"{{"response_code":{envelope},"response_status":"X","response_result":[{{"phone":"380501234567","response_code":{recipient},"message_id":null,"response_status":"Y"}}]}}"#
        )
    }

    #[test]
    fn a_balance_is_read_and_a_refused_token_has_its_code() {
        let read = |text: &str| read_balance(text.as_bytes());
        let told =
            r#"{"response_code":0,"response_status":"OK","response_result":{"balance":17.50}}"#;
        assert_eq!(read(told), Ok(Some("17.50".to_owned())));
        let refusal =
            r#"{"response_code":301,"response_status":"INVALID_TOKEN","response_result":null}"#;
        assert_eq!(read(refusal), Err(refused(301, "INVALID_TOKEN")));
        assert_eq!(read(r#"{"response_code":0}"#), Ok(None));
        assert_eq!(read("<html>"), Err(SmsError::Unknown));
    }

    #[test]
    fn a_message_counts_as_sent_only_when_both_codes_say_so() {
        for envelope in [0, 800, 801, 802, 803] {
            assert_eq!(outcome(&answer(envelope, 0)), Ok(()), "{envelope}");
            assert_eq!(
                outcome(&answer(envelope, 406)),
                Err(refused(406, "Y")),
                "{envelope}"
            );
        }
        assert_eq!(
            outcome(r#"{"response_code":800,"response_status":"X","response_result":null}"#),
            Ok(())
        );
        assert_eq!(
            outcome(r#"{"response_code":803,"response_result":null}"#),
            Err(SmsError::Unknown)
        );
    }

    #[test]
    fn a_repeat_under_the_same_sequence_id_answers_as_the_first_did() {
        assert_eq!(outcome(&answer(507, 0)), Ok(()));
        assert_eq!(outcome(&answer(507, 404)), Err(refused(404, "Y")));
        assert_eq!(
            outcome(r#"{"response_code":507,"response_result":null}"#),
            Err(SmsError::Unknown)
        );
    }

    #[test]
    fn a_text_that_the_number_has_already_was_delivered() {
        assert_eq!(outcome(&answer(800, 427)), Ok(()));
        assert_eq!(outcome(&answer(427, 427)), Ok(()));
        let told = r#"{"response_code":427,"response_result":null}"#;
        assert_eq!(outcome(told), Ok(()));
    }

    #[test]
    fn a_refusal_names_its_code_and_repeats_nothing_else() {
        let named = |name: &str| refused(406, name).to_string();
        assert!(named("NOT_ALLOWED_RECIPIENT").ends_with(": 406 NOT_ALLOWED_RECIPIENT"));
        for name in ["", "+380501234567", "to Olena", &"A".repeat(61)] {
            assert!(named(name).ends_with(": 406"), "{name}");
        }
    }

    #[test]
    fn what_concerns_our_account_is_no_refusal_of_the_number() {
        let envelope = |code: i64| {
            outcome(&format!(
                r#"{{"response_code":{code},"response_result":null}}"#
            ))
        };
        for code in ABOUT_US {
            let code_text = code.to_string();
            assert_eq!(envelope(code), Err(SmsError::NotServed { code: code_text }));
        }
        for code in [305, 404, 406, 412, 413] {
            let code_text = code.to_string();
            assert_eq!(envelope(code), Err(SmsError::Refused { code: code_text }));
        }
    }

    #[test]
    fn refusals_keep_their_code_and_inner_failures_leave_the_outcome_open() {
        for code in [103, 203, 301, 404, 502, 503] {
            assert_eq!(
                outcome(&format!(
                    r#"{{"response_code":{code},"response_result":null}}"#
                )),
                Err(refused(code, ""))
            );
        }
        for code in [500, 505, 506, 999] {
            let body = format!(r#"{{"response_code":{code},"response_result":null}}"#);
            assert_eq!(outcome(&body), Err(SmsError::Unknown));
        }
        for body in ["", "<html>", "{}", r#"{"response_code":"800"}"#] {
            assert_eq!(outcome(body), Err(SmsError::Unknown), "{body}");
        }
    }
}
