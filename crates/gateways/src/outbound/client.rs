//! The HTTP client of one service.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cabinet_clock::Moment;
use cabinet_metrics::{
    OUTBOUND_CALLS, OUTBOUND_CIRCUIT_OPEN, OUTBOUND_SECONDS, OutboundCall, OutboundOutcome,
    Word as _,
};
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, StatusCode};
use tracing::Instrument as _;

use super::answer::{Answer, NoAnswer, Transport};
use super::breaker::CircuitBreaker;
use super::settings::{OutboundSettings, SetupError};

/// How long an unused connection is kept. It is well below the idle time-out of servers, because a request on a connection that
/// is just being closed has an unknown outcome.
const POOL_IDLE_MAX: Duration = Duration::from_secs(15);

/// Longest wait that is accepted from a `Retry-After` header.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(3600);

/// The client of one service.
#[derive(Debug)]
pub(crate) struct Outbound {
    client: reqwest::Client,
    /// Used instead of the network.
    transport: Option<Arc<dyn Transport>>,
    settings: OutboundSettings,
    breaker: CircuitBreaker,
    /// The service's time in its last answer, and when that arrived.
    service_time: Mutex<Option<(Timestamp, Moment)>>,
}

impl Outbound {
    /// Makes the client. `headers` are sent with every request; secrets among them must be marked as sensitive.
    pub(crate) fn new(settings: OutboundSettings, headers: HeaderMap) -> Result<Self, SetupError> {
        let client = reqwest::Client::builder()
            .user_agent(concat!("notary-cabinet/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .https_only(settings.base_url.is_https())
            .connect_timeout(settings.connect_time_limit)
            .pool_idle_timeout(POOL_IDLE_MAX)
            .build()
            .map_err(|source| SetupError::Client {
                service: settings.service,
                source,
            })?;
        let breaker = CircuitBreaker::new(settings.breaker, settings.time.clone());
        Ok(Self {
            client,
            transport: None,
            settings,
            breaker,
            service_time: Mutex::new(None),
        })
    }

    /// Uses a transport in place of the network.
    #[must_use]
    pub(crate) fn with_transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.transport = Some(transport);
        self
    }

    /// Returns the service's present time: the `Date` of its last answer plus the time that has passed since then.
    pub(crate) fn service_time(&self) -> Option<Timestamp> {
        let told = *self
            .service_time
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (time, at) = told?;
        let since = self.settings.time.since(at);
        time.checked_add(SignedDuration::try_from(since).ok()?).ok()
    }

    /// Returns whether the service's pages may be plain HTTP, as those of the sandbox on this machine are.
    pub(crate) fn plain_http_allowed(&self) -> bool {
        !self.settings.base_url.is_https()
    }

    /// Starts a request to a path of the service.
    pub(crate) fn request(
        &self,
        method: Method,
        path: &str,
        time_limit: Duration,
    ) -> RequestBuilder {
        self.client
            .request(method, self.settings.base_url.join(path))
            .timeout(time_limit)
    }

    /// Sends a request and reads the whole answer. `call` names it in metrics and logs.
    pub(crate) async fn send(
        &self,
        call: OutboundCall,
        request: RequestBuilder,
    ) -> Result<Answer, NoAnswer> {
        self.send_and_judge(call, request, |_| false).await
    }

    /// [`Outbound::send`] to a service that also refuses with a status of success. `is_refusal` knows such an answer, which is counted as
    /// refused.
    pub(crate) async fn send_and_judge(
        &self,
        call: OutboundCall,
        request: RequestBuilder,
        is_refusal: impl Fn(&Answer) -> bool + Send,
    ) -> Result<Answer, NoAnswer> {
        let span = tracing::error_span!(
            "outbound",
            outbound.service = call.service().word(),
            outbound.call = call.name()
        );
        self.send_in_span(call, request, is_refusal)
            .instrument(span)
            .await
    }

    async fn send_in_span(
        &self,
        call: OutboundCall,
        request: RequestBuilder,
        is_refusal: impl Fn(&Answer) -> bool + Send,
    ) -> Result<Answer, NoAnswer> {
        let Some(permit) = self.breaker.admit() else {
            self.record(call, OutboundOutcome::CircuitOpen, None, Duration::ZERO);
            return Err(NoAnswer::NotSent);
        };
        let started = Instant::now();
        let result = self.exchange(request).await;
        let took = started.elapsed();
        match &result {
            Ok(answer) if answer.status.is_server_error() => permit.failed(),
            // An answer such as 429 shows that the service works.
            Ok(_) => permit.succeeded(),
            // So does an answer that is too large. A smaller request may follow at once.
            Err(ExchangeFailure::TooLarge) => permit.succeeded(),
            Err(_) => permit.failed(),
        }
        match result {
            Ok(answer) => {
                let outcome = match outcome(answer.status) {
                    OutboundOutcome::Ok if is_refusal(&answer) => OutboundOutcome::Refused,
                    by_status => by_status,
                };
                self.record(call, outcome, Some(answer.status), took);
                Ok(answer)
            }
            Err(failure) => {
                self.record(call, failure.outcome(), None, took);
                Err(failure.no_answer())
            }
        }
    }

    async fn exchange(&self, request: RequestBuilder) -> Result<Answer, ExchangeFailure> {
        if let Some(transport) = &self.transport {
            let request = request.build().map_err(|_| ExchangeFailure::NotSent)?;
            let answer = transport.send(request).await?;
            self.record_service_time(answer.date);
            return Ok(answer);
        }
        let mut response = request
            .send()
            .await
            .map_err(|error| ExchangeFailure::of(&error))?;
        let status = response.status();
        let retry_after = retry_after(response.headers());
        let date = date(response.headers());
        self.record_service_time(date);
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| ExchangeFailure::of_body(&error))?
        {
            if body.len() + chunk.len() > self.settings.answer_bytes_max {
                return Err(ExchangeFailure::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status,
            retry_after,
            date,
            body,
        })
    }

    fn record_service_time(&self, told: Option<Timestamp>) {
        if let Some(time) = told {
            *self
                .service_time
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some((time, self.settings.time.now()));
        }
    }

    fn record(
        &self,
        call: OutboundCall,
        outcome: OutboundOutcome,
        status: Option<StatusCode>,
        took: Duration,
    ) {
        OUTBOUND_CALLS.count((call, outcome));
        OUTBOUND_SECONDS.record(call, took.as_secs_f64());
        let open = u32::from(self.breaker.is_open());
        OUTBOUND_CIRCUIT_OPEN.set(call.service(), f64::from(open));
        let (service, call, outcome) = (call.service().word(), call.name(), outcome.word());
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        match status.map(|status| status.as_u16()) {
            // Only the adapter knows what a refusal means and whether it deserves a warning.
            Some(status) => tracing::debug!(
                outcome,
                status,
                duration_ms,
                "{service} answered {call} with {status}"
            ),
            None => tracing::warn!(
                outcome,
                duration_ms,
                "{service} gave no answer to {call}: {outcome}"
            ),
        }
    }
}

/// Why a request has no complete answer.
#[derive(Clone, Copy)]
enum ExchangeFailure {
    NotSent,
    TimedOut,
    Cut,
    TooLarge,
}

impl From<NoAnswer> for ExchangeFailure {
    fn from(told: NoAnswer) -> Self {
        match told {
            NoAnswer::NotSent => Self::NotSent,
            NoAnswer::Lost => Self::Cut,
            NoAnswer::TooLarge => Self::TooLarge,
        }
    }
}

impl ExchangeFailure {
    fn of(error: &reqwest::Error) -> Self {
        // Without a connection nothing was sent, even if the error is a time-out.
        if error.is_connect() || error.is_builder() {
            Self::NotSent
        } else {
            Self::of_body(error)
        }
    }

    fn of_body(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::TimedOut
        } else {
            Self::Cut
        }
    }

    fn outcome(self) -> OutboundOutcome {
        match self {
            Self::NotSent => OutboundOutcome::NotSent,
            Self::TimedOut => OutboundOutcome::TimedOut,
            Self::Cut => OutboundOutcome::Cut,
            Self::TooLarge => OutboundOutcome::TooLarge,
        }
    }

    fn no_answer(self) -> NoAnswer {
        match self {
            Self::NotSent => NoAnswer::NotSent,
            Self::TimedOut | Self::Cut => NoAnswer::Lost,
            Self::TooLarge => NoAnswer::TooLarge,
        }
    }
}

fn outcome(status: StatusCode) -> OutboundOutcome {
    match status.as_u16() {
        200..=299 => OutboundOutcome::Ok,
        300..=399 => OutboundOutcome::RedirectNotFollowed,
        429 => OutboundOutcome::TooMany,
        400..=499 => OutboundOutcome::Refused,
        _ => OutboundOutcome::Failed,
    }
}

/// Reads the `Date` of an answer (RFC 9110, 6.6.1).
fn date(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get(DATE)?.to_str().ok()?;
    jiff::fmt::rfc2822::parse(text)
        .ok()
        .map(|time| time.timestamp())
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse::<u64>()
        .ok()?;
    Some(Duration::from_secs(seconds).min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_in_seconds_and_bounded() {
        let with = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(
                RETRY_AFTER,
                reqwest::header::HeaderValue::from_static(value),
            );
            retry_after(&headers)
        };
        assert_eq!(with("7"), Some(Duration::from_secs(7)));
        assert_eq!(with("99999999"), Some(RETRY_AFTER_MAX));
        assert_eq!(with("Wed, 21 Oct 2026 07:28:00 GMT"), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
