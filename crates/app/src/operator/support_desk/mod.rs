//! What the support does when a notary calls: finds an order or an account, sees everything that is known of it, has the acquirer
//! asked, cancels an unpaid order, answers complaints (decision 46).
//!
//! Personal data are masked. Whoever needs them in full says why, and the audit trail keeps it.

mod accounts;
mod actions;
mod complaints;
mod find;
mod lines;
mod mask;
mod order_file;
mod phone_change;
mod refund;
mod texts;

use std::sync::Arc;

use cabinet_domain::{
    AuditAction, AuditObject, Notary, NotaryId, OperatorReason, OrderId, ReasonError,
};
use cabinet_gateways::acquirer::{AcquirerName, InvoiceState};
use cabinet_storage::{StorageError, Store};
use jiff::Timestamp;

use crate::audit::{AuditEntry, Recorder};
use crate::kernel::keys::Keys;

pub use accounts::{CartLine, FoundNotary, NotaryFile, SessionLine};
pub use actions::{Asked, CancelOrder, OrderActions, OrderState};
pub use complaints::{Complaints, ListedComplaint};
pub use find::{FoundOrder, FoundOrders, Sought, SoughtDays};
pub use lines::{
    AcquirerWord, AttemptLine, ItemLine, NotaryLine, OrderFile, PartLine, RefundLine, ReportLine,
    TransferLine,
};
pub(crate) use mask::Mask;
pub use phone_change::PhoneChange;
pub use refund::{RefundOrder, RefundOrderWish, RefundPreview};

/// Reads the stored body of a report of an acquirer.
pub type ReportReader = fn(AcquirerName, &[u8]) -> Option<InvoiceState>;

/// How personal data are shown.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Initials and the ends of numbers.
    Masked,
    /// As they are, for this reason.
    Full(OperatorReason),
}

impl Shown {
    const fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }
}

/// Why the support gets no answer. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The database is a restored copy on which no server has started yet.
    #[error(
        "the database is a restored copy that no server has prepared: start cabinet serve first. Nothing was changed"
    )]
    NotStarted,
    /// There is no such order.
    #[error(
        "there is no order with the number {0}: cabinet order find looks by phone, code, reference, name, card, sum or day"
    )]
    NoOrder(i64),
    /// There is no such account.
    #[error(
        "nobody is registered with that phone, identifier or id: cabinet notary list shows all accounts"
    )]
    NoNotary,
    /// Several accounts have the identifier.
    #[error("several accounts have that identifier, give the id of one: {}", ids(.0))]
    SeveralNotaries(Vec<NotaryId>),
    /// There is no such complaint.
    #[error("there is no such complaint: cabinet complaints list --all shows all of them")]
    NoComplaint,
    /// The complaint was closed before.
    #[error("the complaint was closed on {0}: cabinet complaints list --all shows the answer")]
    ComplaintClosed(jiff::civil::Date),
    /// The answer can't be sent.
    #[error("--text: {0}")]
    Answer(ReasonError),
    /// What was to be looked for can't be read.
    #[error("{0}")]
    Unreadable(&'static str),
    /// The order can't be cancelled.
    #[error("not cancelled: {0}")]
    NotCancelled(&'static str),
    /// A cancellation broke off. It may have been begun, and the worker finishes what was.
    #[error(
        "it is not known whether the order is cancelled: {1}. If it was begun, the worker finishes it within some minutes and tells the notary, or records in the timeline that it was dropped: see cabinet order show {0}"
    )]
    CancellationUnknown(i64, String),
    /// Nothing was given back.
    #[error("{0}")]
    NotRefunded(String),
    /// The phone is that of the account already.
    #[error("the account has that phone already: nothing was changed")]
    SamePhone,
    /// Somebody else has the phone.
    #[error("another account has that phone: {0}. See cabinet notary show {0}")]
    PhoneTaken(NotaryId),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Something in the cabinet is wrong.
    #[error("{0}")]
    Broken(String),
}

fn ids(notaries: &[NotaryId]) -> String {
    let texts: Vec<String> = notaries.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// Looks orders and accounts up. It needs only the database, so it also runs beside a server.
#[derive(Clone)]
pub struct SupportDesk {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    /// Proves receipts. `None`: codes of receipts are neither shown nor looked for.
    pub(crate) keys: Option<Arc<Keys>>,
    pub(crate) read_report: ReportReader,
}

impl SupportDesk {
    /// Records that somebody's data are shown in full, before they are.
    async fn record_shown(
        &self,
        shown: &Shown,
        notary: NotaryId,
        order: Option<OrderId>,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let Shown::Full(reason) = shown else {
            return Ok(());
        };
        AuditEntry::new(AuditAction::PersonalDataShown)
            .of_notary(notary)
            .on_order(order)
            .because(reason)
            .record_alone(
                &self.store,
                self.recorder.unit_at(now),
                self.recorder.origin(),
            )
            .await
    }
}

/// The one account that a text names.
fn only(found: Vec<Notary>) -> Result<Notary, DeskError> {
    match <[Notary; 1]>::try_from(found) {
        Ok([notary]) => Ok(notary),
        Err(none) if none.is_empty() => Err(DeskError::NoNotary),
        Err(several) => Err(DeskError::SeveralNotaries(
            several.iter().map(|notary| notary.id).collect(),
        )),
    }
}

/// The object of a complaint in the audit trail.
const fn of_complaint(id: uuid::Uuid) -> AuditObject {
    AuditObject::Complaint(id)
}
