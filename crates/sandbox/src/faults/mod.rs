//! Faults set by a test. Each makes a number of calls of one service fail in one way.

mod answers;
mod falsify;
mod middleware;

pub(crate) use falsify::falsify;
pub(crate) use middleware::{CloseConnection, DateAhead, LoseEffect, fail_as_set};

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// A service that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultService {
    /// Calls to the acquirer monobank.
    Acquirer,
    /// Calls to the acquirer LiqPay, and its payment page.
    #[serde(rename = "liqpay")]
    LiqPay,
    /// Calls to the message service TurboSMS.
    Sms,
    /// Calls to the message service SMS Club.
    SmsClub,
    /// Calls to the voice service.
    Calls,
    /// E-mails to the mail server.
    Mail,
    /// The acquirers' reports to the merchant.
    Reports,
}

/// How a service fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The call is handled after `delay_ms` (1 s), or when the faults of a service with HTTP are replaced. With `"effect": true` it is handled at
    /// once and only its answer is late.
    Delay,
    /// The call is not handled, and no answer comes. The connection is closed after a while, with HTTP also when the faults are replaced.
    TimeoutBefore,
    /// The call is handled (a card is charged), and no answer comes.
    TimeoutAfter,
    /// A message is accepted and never arrives; a report is never sent.
    Drop,
    /// A report is sent `copies` times at once.
    Duplicate,
    /// A report is held back until the next one of the same invoice was sent, at most `delay_ms` (3 s).
    Reorder,
    /// A report is signed with another key.
    Forge,
    /// The sum in the acquirer's answer or report is one kopiyka too high. The signature of the report is right.
    WrongAmount,
    /// The currency in the acquirer's answer or report is US dollars. The signature of the report is right.
    WrongCurrency,
    /// The call is handled, and the answer is one of a copy that is behind: its lists of payments and refunds are empty.
    Behind,
    /// The call is handled, and the `Date` of the answer is `delay_ms` (1 h) ahead.
    WrongDate,
    /// HTTP 429, for an e-mail reply 452. The call is not handled.
    #[serde(rename = "status_429")]
    Status429,
    /// HTTP 500, for an e-mail reply 451. The call is not handled, unless `"effect": true`.
    #[serde(rename = "status_500")]
    Status500,
    /// A definite refusal with `code`. The call is not handled.
    Refuse,
    /// The call is handled (unless `"effect": false`), and the answer is an HTML page instead of JSON.
    Garbage,
    /// The call is handled (unless `"effect": false`), and the connection is closed without an answer.
    Reset,
}

/// A fault as a test sets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The service.
    pub service: FaultService,
    /// How it fails.
    pub kind: FaultKind,
    /// How many calls (or reports) fail.
    #[serde(default = "one")]
    pub calls: u32,
    /// Only calls whose path contains this text fail, `invoice/create` for instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The time of the fault in milliseconds, for kinds that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Whether the call is handled nevertheless, for kinds that leave the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<bool>,
    /// The code of a refusal. The acquirer's `NOT_FOUND` is sent with HTTP 404, `FORBIDDEN` with 403, other codes with 400.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// How often a duplicated report is sent. The default is 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
}

fn one() -> u32 {
    1
}

impl Fault {
    /// Returns a fault of the next call.
    pub fn new(service: FaultService, kind: FaultKind) -> Self {
        Self {
            service,
            kind,
            calls: 1,
            path: None,
            delay_ms: None,
            effect: None,
            code: None,
            copies: None,
        }
    }

    /// Returns whether the service can fail in this way.
    pub(crate) fn is_possible(&self) -> bool {
        use FaultKind as Kind;
        match self.service {
            FaultService::Reports => matches!(
                self.kind,
                Kind::Delay
                    | Kind::Drop
                    | Kind::Duplicate
                    | Kind::Reorder
                    | Kind::Forge
                    | Kind::Garbage
                    | Kind::WrongAmount
                    | Kind::WrongCurrency
            ),
            FaultService::Acquirer | FaultService::LiqPay => !matches!(
                self.kind,
                Kind::Drop | Kind::Duplicate | Kind::Reorder | Kind::Forge
            ),
            FaultService::Sms
            | FaultService::SmsClub
            | FaultService::Calls
            | FaultService::Mail => !matches!(
                self.kind,
                Kind::Duplicate
                    | Kind::Reorder
                    | Kind::Forge
                    | Kind::WrongAmount
                    | Kind::WrongCurrency
                    | Kind::Behind
                    | Kind::WrongDate
            ),
        }
    }

    /// Returns the time of the fault, or `usual`.
    pub(crate) fn delay_or(&self, usual: Duration) -> Duration {
        self.delay_ms.map_or(usual, Duration::from_millis)
    }
}

/// The faults that are set, in the order in which they are used.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    ordered: Mutex<Vec<Fault>>,
    /// Changes when the faults are replaced.
    replaced: watch::Sender<()>,
}

/// Ends the wait of a fault when the faults are replaced, so that a test can end it when the other side is where it must be.
struct Replacement(watch::Receiver<()>);

impl Replacement {
    /// Waits for the replacement, for a time at most.
    async fn within(mut self, time: Duration) {
        let _ = tokio::time::timeout(time, self.0.changed()).await;
    }
}

impl Faults {
    pub(crate) fn set(&self, faults: Vec<Fault>) {
        let mut ordered = self.ordered();
        *ordered = faults;
        self.replaced.send_replace(());
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        self.ordered().clone()
    }

    /// Returns the first fault that fits, and counts one call of it down.
    pub(crate) fn take(&self, service: FaultService, path: &str) -> Option<Fault> {
        self.begin(service, path).map(|(fault, _)| fault)
    }

    /// [`Self::take`], with the replacement that ends the fault's wait.
    fn begin(&self, service: FaultService, path: &str) -> Option<(Fault, Replacement)> {
        let mut ordered = self.ordered();
        let fits = |fault: &Fault| {
            fault.service == service
                && fault.calls > 0
                && fault
                    .path
                    .as_ref()
                    .is_none_or(|part| path.contains(part.as_str()))
        };
        let position = ordered.iter().position(fits)?;
        let fault = ordered.get_mut(position)?;
        fault.calls -= 1;
        let taken = fault.clone();
        if fault.calls == 0 {
            ordered.remove(position);
        }
        // Under the lock of the faults, so that no replacement is missed.
        Some((taken, Replacement(self.replaced.subscribe())))
    }

    fn ordered(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fault_is_used_up_by_calls_that_fit_its_path() {
        let faults = Faults::default();
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        fault.calls = 2;
        fault.path = Some("invoice/create".to_owned());
        faults.set(vec![fault]);
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/status")
                .is_none()
        );
        assert!(
            faults
                .take(FaultService::Sms, "/api/merchant/invoice/create")
                .is_none()
        );
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_some()
        );
        assert_eq!(faults.list().len(), 1);
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_some()
        );
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_none()
        );
        assert!(faults.list().is_empty());
    }

    #[test]
    fn the_words_of_the_interface_are_read() {
        let words = [
            "delay",
            "timeout_before",
            "timeout_after",
            "drop",
            "duplicate",
            "reorder",
            "forge",
            "wrong_amount",
            "wrong_currency",
            "status_429",
            "status_500",
            "refuse",
            "garbage",
            "reset",
        ];
        for word in words {
            let fault: Fault =
                serde_json::from_value(json!({"service": "reports", "kind": word})).unwrap();
            assert_eq!(fault.calls, 1);
            assert_eq!(serde_json::to_value(&fault).unwrap()["kind"], word);
        }
    }
}
