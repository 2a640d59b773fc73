//! Short messages, mostly one-time codes.
//!
//! Several services may be set up, in an order. The next one is asked only where the one before certainly sent nothing: a message whose
//! outcome is unknown is never sent by another service.

use std::sync::Arc;

use async_trait::async_trait;
use cabinet_domain::Phone;
pub use cabinet_metrics::SmsService;
use cabinet_metrics::{SMS_BALANCE, SMS_BALANCE_READ, Word as _};
use jiff::Timestamp;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

use crate::outbound::{NoAnswer, SetupError};

/// Why a service has not sent a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmsError {
    /// A definite refusal of this number or this text. Another service would be no better.
    #[error("the message service refused: {code}")]
    Refused {
        /// The service's own code.
        code: String,
    },
    /// A definite refusal to serve us: of the token, the sender or the balance. Another service may send the message.
    #[error("the message service does not serve this account: {code}")]
    NotServed {
        /// The service's own code.
        code: String,
    },
    /// The request was not sent. It may be repeated.
    #[error("the message service cannot be reached")]
    Unavailable,
    /// The message may have been sent. See [`Sms::repeats_safely`].
    #[error("the message service's answer is unknown")]
    Unknown,
}

impl SmsError {
    /// Whether another service may send the same message: nothing was sent, and the number is not at fault.
    fn is_for_the_next(&self) -> bool {
        matches!(self, SmsError::NotServed { .. } | SmsError::Unavailable)
    }
}

impl From<NoAnswer> for SmsError {
    fn from(error: NoAnswer) -> SmsError {
        match error {
            NoAnswer::NotSent => SmsError::Unavailable,
            NoAnswer::Lost | NoAnswer::TooLarge => SmsError::Unknown,
        }
    }
}

/// A service that sends short messages.
#[async_trait]
pub trait Sms: Send + Sync {
    /// Which service it is.
    fn service(&self) -> SmsService;

    /// Whether a repeat under the same `sequence_id` sends no message twice.
    fn repeats_safely(&self) -> bool;

    /// Sends a message.
    async fn send(&self, phone: &Phone, text: &str, sequence_id: &str) -> Result<(), SmsError>;

    /// Asks how many hryvnias the account has: sends nothing, and shows whether the service takes the token. `None` if the answer names no
    /// sum.
    async fn balance(&self) -> Result<Option<String>, SmsError>;
}

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {error}", .service.word())]
pub struct SmsFailure {
    /// The service that was asked last.
    pub service: SmsService,
    /// What became of that.
    pub error: SmsError,
    /// Whether it may be tried again without a person: certainly nothing was sent, or the same service sends nothing twice.
    pub is_repeatable: bool,
}

impl SmsFailure {
    fn of(sms: &dyn Sms, error: SmsError) -> SmsFailure {
        SmsFailure {
            service: sms.service(),
            is_repeatable: error != SmsError::Unknown || sms.repeats_safely(),
            error,
        }
    }

    /// Whether the message may have been sent.
    pub fn may_be_sent(&self) -> bool {
        self.error == SmsError::Unknown
    }
}

/// The message services, in the order in which they are asked.
#[derive(Clone)]
pub struct SmsServices {
    first: Arc<dyn Sms>,
    others: Vec<Arc<dyn Sms>>,
}

impl SmsServices {
    /// Returns one service.
    pub fn only(service: Arc<dyn Sms>) -> SmsServices {
        SmsServices {
            first: service,
            others: Vec::new(),
        }
    }

    /// Adds a service that is asked where those before have certainly sent nothing.
    #[must_use]
    pub fn then(mut self, service: Arc<dyn Sms>) -> SmsServices {
        self.others.push(service);
        self
    }

    /// Returns every service.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Sms>> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Sends a message by the first service that takes it.
    ///
    /// # Errors
    /// No service has sent it, or the last one asked may have.
    pub async fn send(
        &self,
        phone: &Phone,
        text: &str,
        sequence_id: &str,
    ) -> Result<(), SmsFailure> {
        let mut sms = &self.first;
        let mut others = self.others.iter();
        loop {
            let Err(error) = sms.send(phone, text, sequence_id).await else {
                return Ok(());
            };
            let failure = SmsFailure::of(sms.as_ref(), error);
            match others.next() {
                Some(next) if failure.error.is_for_the_next() => {
                    tracing::warn!(%failure, "A message goes by the next service: {failure}");
                    sms = next;
                }
                _ => return Err(failure),
            }
        }
    }

    /// Sends a message again that a service may have sent. No other service is asked.
    ///
    /// # Errors
    /// It was not sent again, or its outcome is still unknown.
    pub async fn repeat(
        &self,
        service: SmsService,
        phone: &Phone,
        text: &str,
        sequence_id: &str,
    ) -> Result<(), SmsFailure> {
        let Some(sms) = self.iter().find(|sms| sms.service() == service) else {
            return Err(SmsFailure {
                service,
                error: SmsError::Unavailable,
                is_repeatable: true,
            });
        };
        let sent = sms.send(phone, text, sequence_id).await;
        sent.map_err(|error| SmsFailure::of(sms.as_ref(), error))
    }

    /// Asks every service how much money its account has, for the metrics. Returns whether all of them told it.
    pub async fn measure_balances(&self, now: Timestamp) -> bool {
        let mut all_told = true;
        for sms in self.iter() {
            let service = sms.service();
            match sms.balance().await {
                Ok(Some(balance)) => {
                    // A gauge is a floating-point number. Nothing is calculated with it.
                    SMS_BALANCE.set(service, balance.parse().unwrap_or_default());
                    SMS_BALANCE_READ.set(service, now.as_second() as f64);
                }
                Ok(None) => all_told = false,
                Err(error) => {
                    tracing::warn!(%error, "{} does not tell its balance: {error}", service.word());
                    all_told = false;
                }
            }
        }
        all_told
    }
}

/// Whether an answer that was read is a refusal. The services refuse with status 200, too.
pub(crate) fn is_refusal<T>(read: &Result<T, SmsError>) -> bool {
    matches!(
        read,
        Err(SmsError::Refused { .. } | SmsError::NotServed { .. })
    )
}

/// Returns the header that carries the token of a service.
pub(crate) fn bearer(service: &'static str, token: &SecretString) -> Result<HeaderMap, SetupError> {
    let mut bearer = HeaderValue::from_str(&format!("Bearer {}", token.expose_secret()))
        .map_err(|_| SetupError::Secret { service })?;
    bearer.set_sensitive(true);
    Ok(HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
}

/// Returns a sum as a service wrote it, if it is one: digits with a point, in a number or in a text.
pub(crate) fn sum_of(value: Option<&serde_json::Value>) -> Option<String> {
    let text = match value? {
        serde_json::Value::Number(sum) => sum.to_string(),
        serde_json::Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_sum = (1..=20).contains(&digits.len())
        && digits.starts_with(|first: char| first.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.matches('.').count() <= 1;
    is_sum.then_some(text)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A service with the outcomes of its calls, which then takes every message.
    struct Played {
        service: SmsService,
        outcomes: Mutex<Vec<SmsError>>,
        asked: AtomicUsize,
    }

    impl Played {
        fn new(service: SmsService, outcomes: &[SmsError]) -> Arc<Played> {
            Arc::new(Played {
                service,
                outcomes: Mutex::new(outcomes.to_vec()),
                asked: AtomicUsize::new(0),
            })
        }

        fn asked(&self) -> usize {
            self.asked.load(Ordering::SeqCst)
        }
    }

    #[async_trait]
    impl Sms for Played {
        fn service(&self) -> SmsService {
            self.service
        }

        fn repeats_safely(&self) -> bool {
            self.service == SmsService::TurboSms
        }

        async fn send(&self, _: &Phone, _: &str, _: &str) -> Result<(), SmsError> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.outcomes.lock().unwrap().pop().map_or(Ok(()), Err)
        }

        async fn balance(&self) -> Result<Option<String>, SmsError> {
            Ok(None)
        }
    }

    fn not_served() -> SmsError {
        SmsError::NotServed {
            code: "203".to_owned(),
        }
    }

    fn refused() -> SmsError {
        SmsError::Refused {
            code: "404".to_owned(),
        }
    }

    async fn asked(
        first: &[SmsError],
        second: &[SmsError],
    ) -> (Result<(), SmsFailure>, usize, usize) {
        let first = Played::new(SmsService::TurboSms, first);
        let second = Played::new(SmsService::SmsClub, second);
        let services = SmsServices::only(first.clone()).then(second.clone());
        let phone = Phone::parse("+380501112233").unwrap();
        let sent = services.send(&phone, "Код 0471", "s-1").await;
        (sent, first.asked(), second.asked())
    }

    #[tokio::test]
    async fn the_next_service_is_asked_only_where_certainly_nothing_was_sent() {
        for error in [SmsError::Unavailable, not_served()] {
            assert_eq!(asked(&[error], &[]).await, (Ok(()), 1, 1));
        }
        for error in [SmsError::Unknown, refused()] {
            let (sent, first, second) = asked(std::slice::from_ref(&error), &[]).await;
            assert_eq!((sent.unwrap_err().error, first, second), (error, 1, 0));
        }
        assert_eq!(asked(&[], &[]).await, (Ok(()), 1, 0));
    }

    #[tokio::test]
    async fn where_all_fail_the_last_one_says_what_may_have_happened() {
        let (sent, ..) = asked(&[not_served()], &[SmsError::Unavailable]).await;
        let failure = sent.unwrap_err();
        assert_eq!(
            failure.to_string(),
            "smsclub: the message service cannot be reached"
        );
        assert!(failure.is_repeatable && !failure.may_be_sent());
        let (sent, ..) = asked(&[SmsError::Unavailable], &[SmsError::Unknown]).await;
        let failure = sent.unwrap_err();
        assert!(!failure.is_repeatable && failure.may_be_sent());
        let (sent, ..) = asked(&[SmsError::Unknown], &[]).await;
        let failure = sent.unwrap_err();
        assert!(failure.is_repeatable && failure.may_be_sent());
    }

    #[tokio::test]
    async fn what_one_service_may_have_sent_is_repeated_by_it_alone() {
        let first = Played::new(SmsService::TurboSms, &[SmsError::Unavailable]);
        let second = Played::new(SmsService::SmsClub, &[]);
        let phone = Phone::parse("+380501112233").unwrap();
        let services = SmsServices::only(second.clone()).then(first.clone());
        let repeat = || services.repeat(SmsService::TurboSms, &phone, "Код 0471", "s-1");
        assert_eq!(repeat().await.unwrap_err().error, SmsError::Unavailable);
        assert_eq!(repeat().await, Ok(()));
        assert_eq!((first.asked(), second.asked()), (2, 0));
        // A service that is set up no more leaves the message to a person.
        let gone = SmsServices::only(second.clone())
            .repeat(SmsService::TurboSms, &phone, "Код 0471", "s-1")
            .await;
        assert_eq!(gone.unwrap_err().error, SmsError::Unavailable);
        assert_eq!(second.asked(), 0);
    }

    #[test]
    fn a_sum_is_read_from_a_number_and_from_a_text() {
        let read = |text: &str| sum_of(Some(&serde_json::from_str(text).unwrap()));
        for (told, sum) in [
            ("17.50", "17.50"),
            (r#""8111.1800""#, "8111.1800"),
            ("-3", "-3"),
            ("0", "0"),
        ] {
            assert_eq!(read(told).as_deref(), Some(sum));
        }
        for told in [
            "null",
            r#""many""#,
            r#""1.2.3""#,
            r#""""#,
            "[]",
            r#""<b>5</b>""#,
            "1e300",
        ] {
            assert_eq!(read(told), None, "{told}");
        }
        assert_eq!(sum_of(None), None);
    }
}
