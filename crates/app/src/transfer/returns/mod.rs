//! What the notary does about a part of a paid order that a bank returned: sends it again with corrected requisites, or has it given
//! back to the client's card (decision 31).

mod parts;
mod refund;
mod send_again;
mod texts;

use std::sync::Arc;

use cabinet_domain::{AccountLimits, Clock, Key, Order, OrderStatus, Transfer, TransferStatus};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{LockedNotary, LockedTransfer, Store, Tx};

use crate::catalogue::reference::Reference;
use crate::documents::ReceiptFactsRecorder;
use crate::kernel::ids::Ids;
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{Refusal, Result};
use crate::order::own_order::not_found;
use crate::payment::approval::Approvals;

pub use parts::{OfferedPayee, OrderPart};
pub use refund::{CardRefunds, RefundError};
pub use send_again::PayeeRequest;

/// Decides about returned parts.
#[derive(Clone)]
pub struct Returns {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) reference: Reference,
    pub(crate) account_limits: AccountLimits,
    /// Seal what is sent again.
    pub(crate) seals: SealKeys,
    pub(crate) approvals: Approvals,
    pub(crate) facts: ReceiptFactsRecorder,
    pub(crate) notifier: Notifier,
}

/// Locks a returned transfer of an order, and looks for what became of it.
///
/// # Errors
/// `order_not_found`, `order_not_paid`, `order_refunded`, `part_not_returned`.
fn locked<'n>(tx: &mut Tx, notary: &'n LockedNotary, known: &Transfer) -> Result<Locked<'n>> {
    let found = orders::lock_of(tx, notary, known.order_id)?;
    let (locked, order) = found.ok_or_else(not_found)?;
    let found = transfers::lock_of(tx, &locked, known.id)?;
    let (locked, transfer) = found.ok_or_else(not_found)?;
    if erasure::is_anonymised(tx, order.id)? {
        return Err(not_found().into());
    }
    match order.status {
        OrderStatus::Paid => {}
        OrderStatus::Refunded => return Err(Refusal::conflict(Key::OrderRefunded).into()),
        OrderStatus::InProgress
        | OrderStatus::Pending
        | OrderStatus::Failed
        | OrderStatus::Expired => return Err(Refusal::conflict(Key::OrderNotPaid).into()),
    }
    if transfer.status != TransferStatus::Returned {
        return Err(Refusal::conflict(Key::PartNotReturned).into());
    }
    let replacement = transfers::replacement_of(tx, transfer.id)?;
    Ok(Locked {
        order,
        locked,
        transfer,
        replacement,
    })
}

/// A returned transfer of a paid order, locked.
struct Locked<'n> {
    order: Order,
    locked: LockedTransfer<'n>,
    transfer: Transfer,
    /// The transfer that sends it again.
    replacement: Option<Transfer>,
}
