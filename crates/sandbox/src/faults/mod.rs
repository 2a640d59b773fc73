//! Faults that a test has set: what the outside services do wrong next, for a service and a number of calls.

mod answers;
mod falsify;
mod middleware;

pub(crate) use falsify::falsify;
pub(crate) use middleware::{CloseConnection, LoseEffect, fail_as_set};

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The service that misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultService {
    /// Calls to the acquirer.
    Acquirer,
    /// Calls to the message service.
    Sms,
    /// Calls to the voice service.
    Calls,
    /// Letters to the mail server.
    Mail,
    /// The acquirer's reports to the merchant.
    Reports,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// `delay_ms` pass first. With `"effect": true` the call is carried out at once and only its answer is late.
    Delay,
    /// Nothing is carried out and no answer comes.
    TimeoutBefore,
    /// The call is carried out, a card is charged, and no answer comes.
    TimeoutAfter,
    /// A message is taken and never arrives; a report is never sent.
    Drop,
    /// A report is sent `copies` times at once.
    Duplicate,
    /// A report is held back until the next one of the same invoice was sent (or `delay_ms`, 3 s, have passed).
    Reorder,
    /// A report is signed by a stranger's key.
    Forge,
    /// The sum is one kopiyka more, in the acquirer's answer or in a report that is signed properly.
    WrongAmount,
    /// The currency is another, likewise.
    WrongCurrency,
    /// "Too many requests" (a letter: not now); nothing is carried out.
    #[serde(rename = "status_429")]
    Status429,
    /// A fault inside. Nothing is carried out, unless `"effect": true`.
    #[serde(rename = "status_500")]
    Status500,
    /// A definite refusal with `code`; nothing is carried out.
    Refuse,
    /// The call is carried out (unless `"effect": false`) and its answer is a page that is no JSON.
    Garbage,
    /// The call is carried out (unless `"effect": false`) and the connection is closed without an answer.
    Reset,
}

/// One order for faults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Where.
    pub service: FaultService,
    /// What.
    pub kind: FaultKind,
    /// For so many calls (or reports); then it is over.
    #[serde(default = "one")]
    pub calls: u32,
    /// Only for calls whose path contains this text, `invoice/create` for instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A time in milliseconds, where the kind has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Whether the call is carried out all the same, where the kind leaves the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<bool>,
    /// The code of a refusal. The acquirer's `NOT_FOUND` and `FORBIDDEN` come with the status of HTTP that is theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// How often a duplicated report is sent; twice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
}

fn one() -> u32 {
    1
}

impl Fault {
    /// A fault for one call.
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

    /// Whether the service can fail in this way.
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
            FaultService::Acquirer => !matches!(
                self.kind,
                Kind::Drop | Kind::Duplicate | Kind::Reorder | Kind::Forge
            ),
            FaultService::Sms | FaultService::Calls | FaultService::Mail => !matches!(
                self.kind,
                Kind::Duplicate
                    | Kind::Reorder
                    | Kind::Forge
                    | Kind::WrongAmount
                    | Kind::WrongCurrency
            ),
        }
    }

    /// The time of the fault, or a usual one.
    pub(crate) fn delay_or(&self, usual: Duration) -> Duration {
        self.delay_ms.map_or(usual, Duration::from_millis)
    }
}

/// The faults that are ordered, in the order in which they are used up.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    ordered: Mutex<Vec<Fault>>,
}

impl Faults {
    pub(crate) fn set(&self, faults: Vec<Fault>) {
        *self.ordered() = faults;
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        self.ordered().clone()
    }

    /// Uses up one call of the first fault that fits.
    pub(crate) fn take(&self, service: FaultService, path: &str) -> Option<Fault> {
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
        Some(taken)
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
