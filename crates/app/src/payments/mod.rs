//! The way of a payment between the cabinet and the acquirer.
//!
//! A payment is stored before the acquirer is asked for it, and what the acquirer says is stored before anybody is told.
//! What follows from it is decided by [`cabinet_domain::payment::decide_settlement`] alone; this module asks the acquirer, hands its
//! answers to that function and stores the effects.

mod bookkeeping;
mod cancel;
mod codes;
mod inquire;
mod invoice_news;
mod page_hosts;
mod planned_transfers;
mod poll;
mod refund;
mod renew;
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

use crate::approval::Approvals;
use crate::health::WorkerHeartbeat;
use crate::ids::Ids;
use crate::keys::Keys;
use crate::reference::Reference;

pub use cancel::CancelRequest;
pub(crate) use cancel::CancellationPause;
pub use inquire::Questioned;
pub(crate) use invoice_news::attempt_of_reference;
pub(crate) use page_hosts::PageHosts;
pub(crate) use planned_transfers::{planned_of_order, transfers_of};
pub(crate) use renew::Payer;
pub(crate) use settler::Settler;
pub(crate) use store_settlement::{SettlementContext, review, settle_order};
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
    /// Names the wallets in which the acquirer keeps cards.
    pub(crate) keys: Arc<Keys>,
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
    /// Whether notaries are told by letters. Otherwise they get text messages.
    pub(crate) writes_letters: bool,
}
