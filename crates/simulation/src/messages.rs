//! The text messages of a history.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use cabinet_domain::Phone;
use cabinet_gateways::sms::{Sms, SmsError, SmsService};

/// The messages that were sent, oldest first. Whoever has the phone reads them.
#[derive(Default)]
pub(crate) struct Messages(Mutex<Vec<(Phone, String)>>);

impl Messages {
    /// Returns the code in the last message to a phone: its first word.
    pub(crate) fn last_code(&self, phone: &Phone) -> Option<String> {
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, text) = sent.iter().rfind(|(to, _)| to == phone)?;
        let code = text.split_whitespace().next()?;
        let is_code = code.chars().all(|digit| digit.is_ascii_digit());
        is_code.then(|| code.to_owned())
    }
}

#[async_trait]
impl Sms for Messages {
    fn service(&self) -> SmsService {
        SmsService::TurboSms
    }

    fn repeats_safely(&self) -> bool {
        true
    }

    async fn balance(&self) -> Result<Option<String>, SmsError> {
        Ok(None)
    }

    async fn send(&self, phone: &Phone, text: &str, _: &str) -> Result<(), SmsError> {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.push((phone.clone(), text.to_owned()));
        Ok(())
    }
}
