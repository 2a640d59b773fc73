//! SMS Club: the adapter.
//!
//! The service refuses a request with a status, and a single number in a list beside those that were accepted. It knows no sequence ids, so
//! a message whose outcome is unknown must not be sent again by itself. The same text to the same number is refused within two minutes (453).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cabinet_clock::PassingTime;
use cabinet_domain::Phone;
use cabinet_metrics::OutboundCall;
use reqwest::{Method, StatusCode};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outbound::{BaseUrl, Outbound, OutboundSettings, SetupError, Transport};
use crate::sms::{Sms, SmsError, SmsService, bearer, is_refusal, sum_of};

/// The status of a text that the number has just received.
const DUPLICATE: u16 = 453;

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct SmsClubSettings {
    /// `https://im.smsclub.mobi`, or the sandbox.
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

impl SmsClubSettings {
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

/// The SMS Club adapter.
#[derive(Debug)]
pub struct SmsClub {
    outbound: Outbound,
    sender: String,
    time_limit: Duration,
}

impl SmsClub {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: SmsClubSettings) -> Result<Self, SetupError> {
        const SERVICE: &str = "smsclub";
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
    src_addr: &'a str,
    phone: [&'a str; 1],
    message: &'a str,
}

#[derive(Deserialize)]
struct Envelope {
    success_request: Accepted,
}

/// An empty list stands where no number is in an object.
#[derive(Deserialize)]
struct Accepted {
    /// The number by the id of its message.
    #[serde(default)]
    info: Value,
    /// What is wrong, by number.
    #[serde(default)]
    add_info: Value,
}

#[async_trait]
impl Sms for SmsClub {
    fn service(&self) -> SmsService {
        SmsService::SmsClub
    }

    fn repeats_safely(&self) -> bool {
        false
    }

    /// The service knows no sequence ids.
    async fn send(&self, phone: &Phone, text: &str, _: &str) -> Result<(), SmsError> {
        let body = SendRequest {
            src_addr: &self.sender,
            phone: [phone.digits()],
            message: text,
        };
        let request = self
            .outbound
            .request(Method::POST, "/sms/send", self.time_limit)
            .json(&body);
        let answer = self
            .outbound
            .send_and_judge(OutboundCall::SmsClubSend, request, |answer| {
                is_refusal(&read(&answer.body, phone))
            })
            .await?;
        let result = match answer.status {
            StatusCode::OK => read(&answer.body, phone),
            // The number has the same text already.
            status if status.as_u16() == DUPLICATE => Ok(()),
            status => Err(refusal(status)),
        };
        if let Err(error) = &result {
            tracing::warn!(%error, "SMS Club did not take a message: {error}");
        }
        result
    }

    async fn balance(&self) -> Result<Option<String>, SmsError> {
        let request = self
            .outbound
            .request(Method::POST, "/sms/balance", self.time_limit);
        let answer = self
            .outbound
            .send_and_judge(OutboundCall::SmsClubBalance, request, |answer| {
                is_refusal(&read_balance(&answer.body))
            })
            .await?;
        match answer.status {
            StatusCode::OK => read_balance(&answer.body),
            status => Err(refusal(status)),
        }
    }
}

/// Returns what a status other than 200 means.
fn refusal(status: StatusCode) -> SmsError {
    match status.as_u16() {
        // Nothing was accepted, so a later try is safe.
        429 => SmsError::Unavailable,
        408 => SmsError::Unknown,
        // Single numbers are refused in an answer of 200, so this is about us: token, sender or balance.
        code @ 400..=499 => SmsError::NotServed {
            code: format!("HTTP_{code}"),
        },
        _ => SmsError::Unknown,
    }
}

/// Reads whether the only number was accepted.
fn read(body: &[u8], phone: &Phone) -> Result<(), SmsError> {
    let Ok(Envelope { success_request }) = serde_json::from_slice(body) else {
        return Err(SmsError::Unknown);
    };
    let is_ours = |text: &str| text.trim_start_matches('+') == phone.digits();
    let accepted = success_request.info.as_object();
    if accepted.is_some_and(|ids| {
        ids.values()
            .any(|number| number.as_str().is_some_and(is_ours))
    }) {
        return Ok(());
    }
    let refused = success_request.add_info.as_object();
    match refused.and_then(|numbers| numbers.iter().find(|(number, _)| is_ours(number))) {
        // The number has the same text already, sent a moment ago: it was delivered then.
        Some((_, reason)) if names_duplicate(reason) => Ok(()),
        // The reason is a text for people, so it is not repeated.
        Some(_) => Err(SmsError::Refused {
            code: "NUMBER".to_owned(),
        }),
        None => Err(SmsError::Unknown),
    }
}

fn names_duplicate(reason: &Value) -> bool {
    match reason {
        Value::Number(code) => code.as_u64() == Some(u64::from(DUPLICATE)),
        Value::String(text) => text.contains("453"),
        _ => false,
    }
}

fn read_balance(body: &[u8]) -> Result<Option<String>, SmsError> {
    let answer: Value = serde_json::from_slice(body).map_err(|_| SmsError::Unknown)?;
    // The description shows it with the envelope and without.
    let info = answer.get("success_request").unwrap_or(&answer).get("info");
    let is_hryvnias = |info: &&Value| {
        matches!(
            info.get("currency").and_then(Value::as_str),
            Some("UAH") | None
        )
    };
    Ok(sum_of(
        info.filter(is_hryvnias).and_then(|info| info.get("money")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(body: &str) -> Result<(), SmsError> {
        read(body.as_bytes(), &Phone::parse("+380501234567").unwrap())
    }

    fn refused(code: &str) -> Result<(), SmsError> {
        Err(SmsError::Refused {
            code: code.to_owned(),
        })
    }

    #[test]
    fn a_message_counts_as_sent_only_with_an_id_for_its_number() {
        let sent = r#"{"success_request":{"info":{"112883":"380501234567"}}}"#;
        assert_eq!(outcome(sent), Ok(()));
        let listed = r#"{"success_request":{"info":[],"add_info":{"380501234567":"The number is in the black list"}}}"#;
        assert_eq!(outcome(listed), refused("NUMBER"));
        let repeated =
            r#"{"success_request":{"info":[],"add_info":{"380501234567":"453 duplicate"}}}"#;
        assert_eq!(outcome(repeated), Ok(()));
        for unclear in [
            r#"{"success_request":{"info":{"112883":"380509999999"}}}"#,
            r#"{"success_request":{"info":[]}}"#,
            r#"{"success_request":{}}"#,
            r#"{"info":{"112883":"380501234567"}}"#,
            "",
            "{}",
            "<html>",
        ] {
            assert_eq!(outcome(unclear), Err(SmsError::Unknown), "{unclear}");
        }
    }

    #[test]
    fn a_status_says_whether_another_service_may_send_the_message() {
        let of = |status: u16| refusal(StatusCode::from_u16(status).unwrap());
        for about_us in [400, 401, 402, 403, 404, 422] {
            let code = format!("HTTP_{about_us}");
            assert_eq!(of(about_us), SmsError::NotServed { code });
        }
        assert_eq!(of(429), SmsError::Unavailable);
        for unclear in [204, 301, 408, 500, 502, 503] {
            assert_eq!(of(unclear), SmsError::Unknown, "{unclear}");
        }
    }

    #[test]
    fn a_balance_is_read_with_the_envelope_and_without() {
        let read = |text: &str| read_balance(text.as_bytes());
        let told = r#"{"success_request":{"info":{"money":"8111.1800","currency":"UAH"}}}"#;
        assert_eq!(read(told), Ok(Some("8111.1800".to_owned())));
        let bare = r#"{"info":{"money":17.5,"currency":"UAH"}}"#;
        assert_eq!(read(bare), Ok(Some("17.5".to_owned())));
        let dollars = r#"{"info":{"money":17.5,"currency":"USD"}}"#;
        assert_eq!(read(dollars), Ok(None));
        assert_eq!(read("{}"), Ok(None));
        assert_eq!(read("<html>"), Err(SmsError::Unknown));
    }
}
