//! The course of a call: ringing, answering, the pressed key, and the callbacks about them.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::CONTENT_TYPE;

use super::{Instructions, PhoneCall, PhoneCallStatus, twiml};
use crate::sandbox::Sandbox;

impl Sandbox {
    /// Lets the telephone ring until it is answered or declined or the time is over.
    pub(super) async fn ring(&self, sid: &str) {
        let Some(call) = self.exchange().call(sid) else {
            return;
        };
        self.tell_progress(&call, "initiated", "initiated").await;
        // An advance counts from when it is known that the telephone rings.
        let advanced = self.settings().time.advanced();
        let queued = |status| status == PhoneCallStatus::Queued;
        if let Some(call) = self.exchange().step(sid, queued, PhoneCallStatus::Ringing) {
            self.tell_progress(&call, "ringing", PhoneCallStatus::Ringing.as_str())
                .await;
        }
        let time = &self.settings().time;
        time.sleep_since_advance(advanced, call.ring_time).await;
        self.end_phone_call(sid, PhoneCallStatus::rings, PhoneCallStatus::NoAnswer)
            .await;
    }

    /// Answers a ringing telephone and presses keys; no digits mean silence. Returns the call afterwards, or `None` if no such
    /// telephone rings.
    pub(crate) async fn answer_phone_call(&self, sid: &str, digits: &str) -> Option<PhoneCall> {
        let call =
            self.exchange()
                .step(sid, PhoneCallStatus::rings, PhoneCallStatus::InProgress)?;
        self.tell_progress(&call, "answered", PhoneCallStatus::InProgress.as_str())
            .await;
        let instructions = match &call.instructions {
            Instructions::Inline(text) => Some(text.clone()),
            Instructions::At(address) => self.call_back(address, &self.parameters(&call)).await,
        };
        if let Some(instructions) = instructions {
            self.hear(sid, &instructions);
            self.press(&call, &instructions, digits).await;
        }
        self.end_phone_call(
            sid,
            |status| status == PhoneCallStatus::InProgress,
            PhoneCallStatus::Completed,
        )
        .await;
        self.exchange().call(sid)
    }

    /// Ends a ringing call as busy, not answered or failed. Returns `None` if no such telephone rings.
    pub(crate) async fn decline_phone_call(
        &self,
        sid: &str,
        status: PhoneCallStatus,
    ) -> Option<PhoneCall> {
        match status {
            PhoneCallStatus::Busy | PhoneCallStatus::NoAnswer | PhoneCallStatus::Failed => {
                self.end_phone_call(sid, PhoneCallStatus::rings, status)
                    .await
            }
            _ => None,
        }
    }

    /// Ends a call if its present status fulfils `may`.
    pub(super) async fn end_phone_call(
        &self,
        sid: &str,
        may: fn(PhoneCallStatus) -> bool,
        status: PhoneCallStatus,
    ) -> Option<PhoneCall> {
        let call = self.exchange().step(sid, may, status)?;
        self.tell_progress(&call, "completed", status.as_str())
            .await;
        Some(call)
    }

    async fn press(&self, call: &PhoneCall, instructions: &str, digits: &str) {
        let Some(gather) = twiml::gather(instructions) else {
            return;
        };
        if digits.is_empty() && !gather.action_on_empty_result {
            return;
        }
        let mut parameters = self.parameters(call);
        let heard = digits
            .chars()
            .take(gather.keys.unwrap_or(usize::MAX))
            .collect();
        parameters.push(("Digits".to_owned(), heard));
        if let Some(reply) = self.call_back(&gather.action, &parameters).await {
            self.hear(&call.sid, &reply);
        }
    }

    fn hear(&self, sid: &str, instructions: &str) {
        let words = twiml::words(instructions);
        self.exchange().change(sid, |call| call.heard.extend(words));
    }

    fn parameters(&self, call: &PhoneCall) -> Vec<(String, String)> {
        [
            ("AccountSid", self.settings().voice_account.as_str()),
            ("ApiVersion", "2010-04-01"),
            ("CallSid", &call.sid),
            ("CallStatus", call.status.as_str()),
            ("Direction", "outbound-api"),
            ("From", &call.from),
            ("To", &call.phone),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
    }

    async fn tell_progress(&self, call: &PhoneCall, event: &str, status: &str) {
        let sequence = self.exchange().next_sequence(&call.sid);
        let Some(address) = call
            .status_callback
            .as_ref()
            .filter(|_| call.events.iter().any(|one| one == event))
        else {
            return;
        };
        let mut parameters = self.parameters(call);
        parameters.retain(|(name, _)| name != "CallStatus");
        let timestamp = self
            .now()
            .strftime("%a, %d %b %Y %H:%M:%S +0000")
            .to_string();
        for (name, value) in [
            ("CallStatus", status),
            ("CallbackSource", "call-progress-events"),
            ("SequenceNumber", &sequence.to_string()),
            ("Timestamp", &timestamp),
        ] {
            parameters.push((name.to_owned(), value.to_owned()));
        }
        self.call_back(address, &parameters).await;
    }

    /// Posts a signed form. Returns the body of a successful answer.
    async fn call_back(&self, address: &str, parameters: &[(String, String)]) -> Option<String> {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters)
            .finish();
        let request = self
            .client()
            .post(address)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(
                "X-Twilio-Signature",
                signature(&self.settings().voice_token, address, parameters),
            )
            .body(body);
        let answer = request
            .send()
            .await
            .ok()
            .filter(|answer| answer.status().is_success())?;
        answer.text().await.ok()
    }
}

/// Returns the HMAC-SHA1 of the address and every parameter's name and value, sorted by name, in base64.
fn signature(token: &str, address: &str, parameters: &[(String, String)]) -> String {
    let mut sorted = parameters.to_vec();
    sorted.sort();
    let signed = sorted
        .iter()
        .fold(address.to_owned(), |text, (name, value)| {
            text + name + value
        });
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    STANDARD.encode(hmac::sign(&key, signed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vector_is_met() {
        let parameters = [
            ("CallSid", "CA1234567890ABCDE"),
            ("Caller", "+14158675309"),
            ("Digits", "1234"),
            ("From", "+14158675309"),
            ("To", "+18005551212"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let address = "https://mycompany.com/myapp.php?foo=1&bar=2";
        assert_eq!(
            signature("12345", address, &parameters),
            "RSOYDt4T1cUTdK1PDd93/VVr8B8="
        );
    }
}
