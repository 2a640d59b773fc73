//! The way of a payment between the cabinet and the acquirer.
//!
//! A payment is stored before the acquirer is asked for it, and what the acquirer says is stored before anybody is told.
//! What follows from it is decided by [`cabinet_domain::payment::decide_settlement`] alone; this module asks the acquirer, hands its
//! answers to that function and stores the effects.

pub(crate) mod approval;
pub(crate) mod asked_proof;
mod bookkeeping;
mod cancel;
mod codes;
mod codes_credit;
mod codes_payment;
mod inquire;
mod invoice_news;
mod page_hosts;
mod poll;
mod refund;
mod renew;
pub mod saved_cards;
mod sending_time;
mod settler;
mod store_settlement;
mod submit;
mod webhook;
mod withdraw;

use std::sync::Arc;

use cabinet_domain::{AccountLimits, Clock};
use cabinet_gateways::acquirer::Acquirers;
use cabinet_storage::Store;

use crate::catalogue::reference::Reference;
use crate::kernel::health::WorkerHeartbeat;
use crate::kernel::ids::Ids;
use crate::kernel::notifier::Notifier;
use crate::kernel::sparse_log::SparseLog;
use crate::payment::approval::Approvals;

pub use approval::{ProvedOrders, proved_orders};
pub use cancel::CancelRequest;
pub(crate) use cancel::CancellationPause;
pub use codes_credit::{StatementReport, read_statement};
pub use codes_payment::CodesPaymentRequest;
pub use inquire::Questioned;
pub(crate) use invoice_news::attempt_of_reference;
pub(crate) use page_hosts::PageHosts;

pub(crate) use renew::Payer;
pub(crate) use settler::Settler;
pub(crate) use store_settlement::{SettlementContext, review, settle_found};
pub(crate) use submit::{Begun, PaymentMethodRequest, WantedCard, report_url};
pub use webhook::ReportOutcome;

/// Prefix of the references of card checks. It tells their reports from unknown payments.
pub(crate) const CARD_CHECK: &str = "card-";

/// Has orders paid by the acquirer.
#[derive(Clone)]
pub struct Payments {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) acquirers: Acquirers,
    pub(crate) settler: Settler,
    pub(crate) reference: Reference,
    pub(crate) heartbeat: WorkerHeartbeat,
    pub(crate) cancellation_pause: CancellationPause,
    pub(crate) page_hosts: PageHosts,
    pub(crate) public_url: Arc<str>,
    pub(crate) account_limits: AccountLimits,
    pub(crate) approvals: Approvals,
    /// Named on the sheet with QR codes.
    pub(crate) operator_name: Arc<str>,
    /// Whether documents say that they prove nothing.
    pub(crate) is_sandbox: bool,
    pub(crate) notifier: Notifier,
    /// Anybody can send a report with a bad signature.
    pub(crate) forged_reports: Arc<SparseLog>,
}
