//! Delivers the acquirer's signed reports to the merchant.
//!
//! Reports of one invoice go out in the order of its changes (unless a fault says otherwise), each with up to three
//! attempts; a report that is not taken does not hold up the next.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use tokio::time::Instant;

use crate::errors::SandboxError;
use crate::faults::{Fault, FaultKind, FaultService, falsify};
use crate::keys::SigningKey;
use crate::sandbox::Sandbox;
use crate::world::Report;

/// How often a queue with a report that is held back looks for the next one.
const HELD_BACK_TICK: Duration = Duration::from_millis(20);
/// How long a report is held back when no further one comes.
const HELD_BACK_MAX: Duration = Duration::from_secs(3);

/// The reports on their way.
#[derive(Debug)]
pub(crate) struct Reporter {
    queues: Mutex<HashMap<String, VecDeque<Report>>>,
    /// Reports that are delivered by hand, oldest first.
    kept: Mutex<Vec<Report>>,
    /// Somebody else's key.
    forger: SigningKey,
}

impl Reporter {
    pub(crate) fn new() -> Result<Self, SandboxError> {
        Ok(Self {
            queues: Mutex::default(),
            kept: Mutex::default(),
            forger: SigningKey::generate()?,
        })
    }

    /// Puts a report in the queue of its invoice, and starts the queue where it stands still.
    pub(crate) fn send(&self, sandbox: &Sandbox, report: Report) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            tracing::error!("A report is lost: the sandbox was changed outside of its runtime");
            return;
        };
        let id = report.invoice_id.clone();
        let mut queues = self.queues();
        match queues.get_mut(&id) {
            Some(queue) => queue.push_back(report),
            None => {
                queues.insert(id.clone(), VecDeque::from([report]));
                runtime.spawn(work_off(sandbox.clone(), id));
            }
        }
    }

    /// Keeps a report that is delivered by hand.
    pub(crate) fn keep(&self, report: Report) {
        self.kept().push(report);
    }

    pub(crate) fn take_kept(&self) -> Vec<Report> {
        std::mem::take(&mut self.kept())
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Report>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, id: &str) -> Option<Report> {
        self.queues().get_mut(id)?.pop_front()
    }

    /// Ends a queue, unless something has come in meanwhile.
    fn end(&self, id: &str) -> bool {
        let mut queues = self.queues();
        let empty = queues.get(id).is_none_or(VecDeque::is_empty);
        if empty {
            queues.remove(id);
        }
        empty
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<String, VecDeque<Report>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A report that waits for the one after it.
struct HeldBack {
    report: Report,
    until: Instant,
}

async fn work_off(sandbox: Sandbox, id: String) {
    let mut held_back: Option<HeldBack> = None;
    loop {
        if let Some(report) = sandbox.reporter().next(&id) {
            let fault = sandbox
                .faults()
                .take(FaultService::Reports, &report.address);
            if let Some(fault) = &fault
                && fault.kind == FaultKind::Reorder
            {
                let until = Instant::now() + fault.delay_or(HELD_BACK_MAX);
                if let Some(earlier) = held_back.replace(HeldBack { report, until }) {
                    deliver(&sandbox, earlier.report, None).await;
                }
                continue;
            }
            deliver(&sandbox, report, fault).await;
            if let Some(held) = held_back.take() {
                deliver(&sandbox, held.report, None).await;
            }
        } else if let Some(held) = held_back.take() {
            if held.until <= Instant::now() {
                deliver(&sandbox, held.report, None).await;
            } else {
                held_back = Some(held);
                tokio::time::sleep(HELD_BACK_TICK).await;
            }
        } else if sandbox.reporter().end(&id) {
            return;
        }
    }
}

/// Makes the first attempt, and leaves the further ones to a task of their own.
async fn deliver(sandbox: &Sandbox, mut report: Report, fault: Option<Fault>) {
    tokio::time::sleep(sandbox.settings().report_delay).await;
    let kind = fault.as_ref().map(|fault| fault.kind);
    match kind {
        Some(FaultKind::Drop) => return,
        Some(FaultKind::Delay) => {
            let delay = fault
                .as_ref()
                .map(|fault| fault.delay_or(Duration::from_secs(1)));
            tokio::time::sleep(delay.unwrap_or_default()).await;
        }
        // Signed properly, and of a form that nobody documented.
        Some(FaultKind::Garbage) => {
            report.body = serde_json::json!({ "invoice": report.body });
        }
        Some(kind @ (FaultKind::WrongAmount | FaultKind::WrongCurrency)) => {
            falsify(&mut report.body, kind)
        }
        _ => {}
    }
    let copies = match kind {
        Some(FaultKind::Duplicate) => fault.and_then(|fault| fault.copies).unwrap_or(2),
        _ => 1,
    };
    let forged = kind == Some(FaultKind::Forge);
    let attempts: Vec<_> = (0..copies)
        .map(|_| tokio::spawn(attempt(sandbox.clone(), report.clone(), forged)))
        .collect();
    let mut taken = true;
    for one in attempts {
        taken &= one.await.unwrap_or(false);
    }
    if !taken {
        tokio::spawn(try_again(sandbox.clone(), report, forged));
    }
}

async fn try_again(sandbox: Sandbox, report: Report, forged: bool) {
    for delay in sandbox.settings().report_retry_delays.clone() {
        tokio::time::sleep(delay).await;
        if attempt(sandbox.clone(), report.clone(), forged).await {
            return;
        }
    }
    tracing::warn!(invoice.id = %report.invoice_id, "The merchant has not taken a report; it is given up");
}

/// One attempt; whether the merchant answered with 200.
async fn attempt(sandbox: Sandbox, report: Report, forged: bool) -> bool {
    let body = report.body.to_string();
    let key = if forged {
        &sandbox.reporter().forger
    } else {
        sandbox.key()
    };
    let Ok(signature) = key.sign(body.as_bytes()) else {
        return false;
    };
    let request = sandbox
        .client()
        .post(&report.address)
        .header(CONTENT_TYPE, "application/json")
        .header("X-Sign", signature)
        .body(body);
    request
        .send()
        .await
        .is_ok_and(|answer| answer.status() == StatusCode::OK)
}
