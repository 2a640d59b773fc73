//! The Twilio-compatible voice interface, spoken by several vendors (Twilio, SignalWire, Telnyx): the adapter.
//!
//! The instructions of a call are part of the request that starts it, so that the service fetches nothing from the cabinet
//! before somebody answers. Callbacks are signed over the public address and the form.

mod signature;
mod twiml;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use cabinet_clock::PassingTime;
use cabinet_domain::{Locale, LoginPurpose};
use cabinet_metrics::OutboundCall;
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;

use crate::outbound::{
    Answer, BaseUrl, NoAnswer, Outbound, OutboundSettings, SetupError, Transport,
};
use crate::phone_calls::{
    CallbackError, PhoneCallError, PhoneCallEvent, PhoneCallId, PhoneCallRequest, PhoneCallStatus,
    PhoneCalls, SpokenReply,
};

/// Seconds that a telephone rings before the call counts as not answered.
const RING_SECONDS: &str = "40";
/// Longest call, in seconds.
const CALL_SECONDS_MAX: &str = "90";

/// Settings of the adapter.
#[derive(Clone, Debug)]
pub struct TwilioSettings {
    /// `https://api.twilio.com`, another vendor, or the sandbox.
    pub base_url: BaseUrl,
    /// The account: `AC` and 32 hexadecimal digits.
    pub account: String,
    /// The account's secret, which is also the key of the callbacks' signatures.
    pub token: SecretString,
    /// The caller's number, as `+380XXXXXXXXX`.
    pub caller: String,
    /// Name of the Ukrainian voice.
    pub voice_uk: String,
    /// Time limit of a call to the service.
    pub time_limit: Duration,
    /// Measures the pause after failures. `cabinet_clock` says what advances it.
    pub time: PassingTime,
}

impl TwilioSettings {
    /// Returns settings with the default voice and a time limit of 5 s.
    pub fn new(base_url: BaseUrl, account: String, token: SecretString, caller: String) -> Self {
        Self {
            base_url,
            account,
            token,
            caller,
            voice_uk: "Google.uk-UA-Wavenet-A".to_owned(),
            time_limit: Duration::from_secs(5),
            time: PassingTime::default(),
        }
    }
}

/// The adapter.
#[derive(Debug)]
pub struct Twilio {
    outbound: Outbound,
    settings: TwilioSettings,
}

impl Twilio {
    /// Makes the adapter. Nothing is sent yet.
    pub fn new(settings: TwilioSettings) -> Result<Self, SetupError> {
        let outbound =
            OutboundSettings::new("voice", settings.base_url.clone(), settings.time.clone());
        Ok(Self {
            outbound: Outbound::new(outbound, HeaderMap::new())?,
            settings,
        })
    }

    /// Uses a transport in place of the network.
    #[must_use]
    pub fn with_transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.outbound = self.outbound.with_transport(transport);
        self
    }

    fn request(&self, method: Method, rest: &str) -> RequestBuilder {
        let path = format!("/2010-04-01/Accounts/{}/{rest}", self.settings.account);
        self.outbound
            .request(method, &path, self.settings.time_limit)
            .basic_auth(
                &self.settings.account,
                Some(self.settings.token.expose_secret()),
            )
    }

    async fn call(
        &self,
        call: OutboundCall,
        request: RequestBuilder,
    ) -> Result<CallAnswer, PhoneCallError> {
        let answer = self
            .outbound
            .send(call, request)
            .await
            .map_err(|error| match error {
                NoAnswer::NotSent => PhoneCallError::Unavailable,
                NoAnswer::Lost | NoAnswer::TooLarge => PhoneCallError::Unknown,
            })?;
        if answer.status.is_success() {
            return serde_json::from_slice(&answer.body).map_err(|_| PhoneCallError::Unknown);
        }
        let (name, error) = (call.name(), refusal(&answer));
        tracing::warn!(outbound.call = name, %error, "The voice service did not do {name}: {error}");
        Err(error)
    }
}

#[derive(Deserialize)]
struct CallAnswer {
    sid: String,
    status: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorAnswer {
    code: Option<u32>,
}

fn refusal(answer: &Answer) -> PhoneCallError {
    match answer.status {
        // No call was made, so a later retry is safe.
        StatusCode::TOO_MANY_REQUESTS => PhoneCallError::Unavailable,
        StatusCode::REQUEST_TIMEOUT => PhoneCallError::Unknown,
        status if status.is_client_error() => {
            let body: ErrorAnswer = serde_json::from_slice(&answer.body).unwrap_or_default();
            let code = body.code.map_or_else(
                || format!("HTTP_{}", status.as_u16()),
                |code| code.to_string(),
            );
            PhoneCallError::Refused { code }
        }
        _ => PhoneCallError::Unknown,
    }
}

fn phone_call_status(word: &str) -> PhoneCallStatus {
    match word {
        "queued" | "initiated" => PhoneCallStatus::Queued,
        "ringing" => PhoneCallStatus::Ringing,
        "in-progress" | "answered" => PhoneCallStatus::InProgress,
        "completed" => PhoneCallStatus::Completed,
        "busy" => PhoneCallStatus::Busy,
        "no-answer" => PhoneCallStatus::NoAnswer,
        "failed" => PhoneCallStatus::Failed,
        "canceled" => PhoneCallStatus::Canceled,
        other => PhoneCallStatus::Other(other.chars().take(40).collect()),
    }
}

#[async_trait]
impl PhoneCalls for Twilio {
    async fn start_phone_call(
        &self,
        request: &PhoneCallRequest,
    ) -> Result<PhoneCallId, PhoneCallError> {
        let voice_uk = &self.settings.voice_uk;
        let question = twiml::question(request, voice_uk);
        let form = [
            ("To", request.phone.as_str()),
            ("From", self.settings.caller.as_str()),
            ("Twiml", &question),
            ("StatusCallback", &request.progress_url),
            ("StatusCallbackMethod", "POST"),
            ("StatusCallbackEvent", "initiated"),
            ("StatusCallbackEvent", "ringing"),
            ("StatusCallbackEvent", "answered"),
            ("StatusCallbackEvent", "completed"),
            ("Timeout", RING_SECONDS),
            ("TimeLimit", CALL_SECONDS_MAX),
        ];
        let request = self.request(Method::POST, "Calls.json").form(&form);
        let answer = self.call(OutboundCall::VoiceCallsCreate, request).await?;
        PhoneCallId::parse(&answer.sid).ok_or(PhoneCallError::Unknown)
    }

    async fn phone_call_status(
        &self,
        call: &PhoneCallId,
    ) -> Result<PhoneCallStatus, PhoneCallError> {
        let request = self.request(Method::GET, &format!("Calls/{call}.json"));
        let answer = self.call(OutboundCall::VoiceCallsStatus, request).await?;
        if answer.sid == call.as_str() {
            Ok(phone_call_status(&answer.status))
        } else {
            Err(PhoneCallError::Unknown)
        }
    }

    fn verify_callback(
        &self,
        address: &str,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<PhoneCallEvent, CallbackError> {
        let parameters: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
        let token = self.settings.token.expose_secret();
        if !signature.is_some_and(|text| signature::fits(token, address, &parameters, text)) {
            return Err(CallbackError::BadSignature);
        }
        let value = |name: &str| {
            parameters
                .iter()
                .find(|parameter| parameter.0 == name)
                .map(|parameter| parameter.1.as_str())
        };
        // A signed callback of another account of the same vendor is refused.
        let ours = value("AccountSid").is_none_or(|account| account == self.settings.account);
        let call = value("CallSid")
            .and_then(PhoneCallId::parse)
            .filter(|_| ours)
            .ok_or(CallbackError::Unreadable)?;
        Ok(PhoneCallEvent {
            call,
            status: phone_call_status(value("CallStatus").unwrap_or_default()),
            digits: value("Digits").map(|digits| digits.chars().take(8).collect()),
            sequence: value("SequenceNumber").and_then(|number| number.parse().ok()),
        })
    }

    fn reply(&self, purpose: LoginPurpose, locale: Locale, confirmed: bool) -> SpokenReply {
        SpokenReply {
            content_type: "text/xml; charset=utf-8",
            body: twiml::reply(purpose, locale, &self.settings.voice_uk, confirmed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter() -> Twilio {
        let base = BaseUrl::parse("https://api.twilio.com").unwrap();
        Twilio::new(TwilioSettings::new(
            base,
            "AC00000000000000000000000000000001".to_owned(),
            SecretString::from("12345"),
            "+380440000000".to_owned(),
        ))
        .unwrap()
    }

    /// The vendor's published example.
    const ADDRESS: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";
    const BODY: &[u8] =
        b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
    const SIGNATURE: &str = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

    #[test]
    fn the_published_vector_verifies() {
        let event = adapter()
            .verify_callback(ADDRESS, Some(SIGNATURE), BODY)
            .unwrap();
        assert_eq!(event.call.as_str(), "CA1234567890ABCDE");
        assert_eq!(event.digits.as_deref(), Some("1234"));
    }

    #[test]
    fn any_change_of_address_body_or_signature_is_noticed() {
        let adapter = adapter();
        let refused = Err(CallbackError::BadSignature);
        for position in 0..BODY.len() {
            let mut body = BODY.to_vec();
            body[position] ^= 1;
            assert_eq!(
                adapter.verify_callback(ADDRESS, Some(SIGNATURE), &body),
                refused
            );
        }
        let longer = [BODY, b"&Digits=1"].concat();
        assert_eq!(
            adapter.verify_callback(ADDRESS, Some(SIGNATURE), &longer),
            refused
        );
        let other = "https://mycompany.com/myapp.php?foo=1&bar=3";
        assert_eq!(
            adapter.verify_callback(other, Some(SIGNATURE), BODY),
            refused
        );
        for signature in [
            None,
            Some(""),
            Some("%%%"),
            Some("RSOYDt4T1cUTdK1PDd93/VVr8B9="),
        ] {
            assert_eq!(adapter.verify_callback(ADDRESS, signature, BODY), refused);
        }
    }

    #[test]
    fn secrets_stay_out_of_debug_texts() {
        let text = format!("{:?}", adapter());
        assert!(!text.contains("12345"), "{text}");
    }
}
