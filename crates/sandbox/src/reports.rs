//! Delivers the acquirer's signed reports to the merchant.
//!
//! Reports of one invoice are sent in the order of its changes, unless a fault changes that. A report that the merchant does
//! not accept is sent again after each of `report_retry_delays`; the next report does not wait for that.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_clock::Moment;
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;

use crate::bank::{Report, ReportService};
use crate::errors::SandboxError;
use crate::faults::{Fault, FaultKind, FaultService, Faults, falsify};
use crate::keys::{LiqPayHash, SigningKey, liqpay_signature};
use crate::settings::SandboxSettings;

/// How often a queue that holds a report back looks for the next one.
const HELD_BACK_TICK: Duration = Duration::from_millis(20);
/// How long a report is held back at most.
const HELD_BACK_MAX: Duration = Duration::from_secs(3);

/// A report with its signature.
#[derive(Clone, Debug)]
pub struct SignedReport {
    /// Whose it is.
    pub service: ReportService,
    /// The invoice it is about.
    pub invoice_id: String,
    /// The value of `X-Sign`; LiqPay's stands in the body.
    pub signature: String,
    /// The signed bytes.
    pub body: Vec<u8>,
}

/// Signs reports and delivers them.
#[derive(Debug)]
pub(crate) struct Reporter {
    settings: Arc<SandboxSettings>,
    faults: Arc<Faults>,
    client: reqwest::Client,
    key: Arc<SigningKey>,
    /// Another key, for forged reports.
    forger: SigningKey,
    /// Reports that are still to be sent, by invoice.
    queues: Mutex<HashMap<String, VecDeque<Report>>>,
    /// Reports that wait for [`Reporter::take_waiting`], oldest first.
    waiting: Mutex<Vec<Report>>,
}

impl Reporter {
    pub(crate) fn new(
        settings: Arc<SandboxSettings>,
        faults: Arc<Faults>,
        client: reqwest::Client,
        key: Arc<SigningKey>,
    ) -> Result<Self, SandboxError> {
        Ok(Self {
            settings,
            faults,
            client,
            key,
            forger: SigningKey::generate()?,
            queues: Mutex::default(),
            waiting: Mutex::default(),
        })
    }

    /// Sends a report in the background, or keeps it for [`Reporter::take_waiting`] if `by_hand` is set.
    pub(crate) fn report(self: &Arc<Self>, report: Report) {
        if self.settings.by_hand {
            self.waiting().push(report);
            return;
        }
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
                runtime.spawn(Arc::clone(self).deliver_queue(id));
            }
        }
    }

    /// Takes out the reports that wait, signed, oldest first.
    pub(crate) fn take_waiting(&self) -> Result<Vec<SignedReport>, SandboxError> {
        std::mem::take(&mut *self.waiting())
            .into_iter()
            .map(|report| self.signed(report, false))
            .collect()
    }

    /// Signs a report in the form of its service. `forged`: with another key.
    fn signed(&self, report: Report, forged: bool) -> Result<SignedReport, SandboxError> {
        let (signature, body) = match report.service {
            ReportService::Monobank => {
                let body = report.body.to_string().into_bytes();
                let key = if forged { &self.forger } else { &*self.key };
                (key.sign(&body)?, body)
            }
            ReportService::LiqPay => {
                let data = STANDARD.encode(report.body.to_string());
                let key = if forged {
                    "another key"
                } else {
                    &self.settings.liqpay_private_key
                };
                let signature = liqpay_signature(key, &data, LiqPayHash::Sha3);
                let body = form_urlencoded::Serializer::new(String::new())
                    .append_pair("data", &data)
                    .append_pair("signature", &signature)
                    .finish();
                (signature, body.into_bytes())
            }
        };
        Ok(SignedReport {
            service: report.service,
            invoice_id: report.invoice_id,
            signature,
            body,
        })
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Report>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<String, VecDeque<Report>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, id: &str) -> Option<Report> {
        self.queues().get_mut(id)?.pop_front()
    }

    /// Removes a queue if it is empty. Returns whether it was.
    fn end(&self, id: &str) -> bool {
        let mut queues = self.queues();
        let empty = queues.get(id).is_none_or(VecDeque::is_empty);
        if empty {
            queues.remove(id);
        }
        empty
    }

    async fn deliver_queue(self: Arc<Self>, id: String) {
        let mut held_back: Option<HeldBack> = None;
        loop {
            if let Some(report) = self.next(&id) {
                let fault = self.faults.take(FaultService::Reports, &report.address);
                if let Some(fault) = &fault
                    && fault.kind == FaultKind::Reorder
                {
                    let held_for = fault.delay_or(HELD_BACK_MAX);
                    let until = self.settings.time.now().after(held_for);
                    if let Some(earlier) = held_back.replace(HeldBack { report, until }) {
                        self.deliver(earlier.report, None).await;
                    }
                    continue;
                }
                self.deliver(report, fault).await;
                if let Some(held) = held_back.take() {
                    self.deliver(held.report, None).await;
                }
            } else if let Some(held) = held_back.take() {
                if held.until <= self.settings.time.now() {
                    self.deliver(held.report, None).await;
                } else {
                    held_back = Some(held);
                    self.settings.time.sleep(HELD_BACK_TICK).await;
                }
            } else if self.end(&id) {
                return;
            }
        }
    }

    /// Makes the first attempt. Further attempts run in a task of their own.
    async fn deliver(self: &Arc<Self>, mut report: Report, fault: Option<Fault>) {
        self.settings.time.sleep(self.settings.report_delay).await;
        let kind = fault.as_ref().map(|fault| fault.kind);
        match kind {
            Some(FaultKind::Drop) => return,
            Some(FaultKind::Delay) => {
                let delay = fault
                    .as_ref()
                    .map(|fault| fault.delay_or(Duration::from_secs(1)));
                self.settings.time.sleep(delay.unwrap_or_default()).await;
            }
            // The signature is right, the form is not a documented one.
            Some(FaultKind::Garbage) => {
                report.body = serde_json::json!({ "invoice": report.body });
            }
            Some(kind @ (FaultKind::WrongAmount | FaultKind::WrongCurrency)) => {
                falsify(&mut report.body, kind);
            }
            _ => {}
        }
        let copies = match kind {
            Some(FaultKind::Duplicate) => fault.and_then(|fault| fault.copies).unwrap_or(2),
            _ => 1,
        };
        let forged = kind == Some(FaultKind::Forge);
        let attempts: Vec<_> = (0..copies)
            .map(|_| {
                let (reporter, report) = (Arc::clone(self), report.clone());
                tokio::spawn(async move { reporter.attempt(&report, forged).await })
            })
            .collect();
        let mut taken = true;
        for one in attempts {
            taken &= one.await.unwrap_or(false);
        }
        if !taken {
            tokio::spawn(Arc::clone(self).retry(report, forged));
        }
    }

    async fn retry(self: Arc<Self>, report: Report, forged: bool) {
        for delay in &self.settings.report_retry_delays {
            self.settings.time.sleep(*delay).await;
            if self.attempt(&report, forged).await {
                return;
            }
        }
        tracing::warn!(invoice.id = %report.invoice_id, "The merchant has not taken a report; it is given up");
    }

    /// Makes one attempt. Returns whether the merchant answered with 200.
    async fn attempt(&self, report: &Report, forged: bool) -> bool {
        let (address, service) = (report.address.clone(), report.service);
        let Ok(signed) = self.signed(report.clone(), forged) else {
            return false;
        };
        let request = self.client.post(address).body(signed.body);
        let request = match service {
            ReportService::Monobank => request
                .header(CONTENT_TYPE, "application/json")
                .header("X-Sign", signed.signature),
            ReportService::LiqPay => {
                request.header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            }
        };
        request
            .send()
            .await
            .is_ok_and(|answer| answer.status() == StatusCode::OK)
    }
}

/// A report that is sent after the next one.
struct HeldBack {
    report: Report,
    until: Moment,
}
