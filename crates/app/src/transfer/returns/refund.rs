//! Giving returned parts back to the client's card: the notary's request, and the operator's list of requests.

use cabinet_domain::{
    AfterReturn, AuditAction, AuditObject, Key, Line, OrderId, OrderStatus, Origin, Transfer,
    TransferId, names_payment_card,
};
use cabinet_storage::order::orders;
use cabinet_storage::payment::{attempts, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Change, StorageError, Store, Tx, lock_notary};
use jiff::Timestamp;

use super::{Locked, Returns, locked, texts};
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::asker::Decider;
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{Refusal, Result};
use crate::order::own_order::{not_found, own_order, own_transfer, transfer_id};
use crate::payment::approval::Signer;
use crate::transfer::rows::REASON_CHARS_MAX;
use crate::worker::outbox::write_letter;

impl Returns {
    /// Asks for a returned part to be given back to the client's card. The same request again changes nothing.
    ///
    /// # Errors
    /// `unauthorized`; `order_not_found`; `order_not_paid`, `order_refunded`; `part_not_returned`; `part_decided` for a part that is sent again.
    pub async fn request_refund(
        &self,
        signer: Signer,
        transfer: &str,
        origin: Origin,
    ) -> Result<()> {
        let id = transfer_id(transfer)?;
        let read = move |tx: &mut Tx| own_transfer(tx, signer.notary, id);
        let (_, known) = self.store.read(read).await?.ok_or_else(not_found)?;
        self.ask_for(signer, vec![known], origin).await
    }

    /// Asks for all returned parts of an order that nobody has decided about to be given back to the client's card.
    ///
    /// # Errors
    /// `order_not_found`; `order_not_paid`, `order_refunded`; `part_not_returned` where nothing is left to decide, and none was asked for.
    pub async fn request_refund_of_order(
        &self,
        signer: Signer,
        order: &str,
        origin: Origin,
    ) -> Result<()> {
        let order = own_order(&self.store, signer.notary, order).await?.id;
        let read = move |tx: &mut Tx| transfers::returned_of(tx, order);
        let parts = self.store.read(read).await?;
        // The answer to an earlier request may have been lost.
        let is_asked = parts.iter().any(|part| part.transfer.refund.is_some());
        let known: Vec<Transfer> = parts
            .into_iter()
            .filter(|part| part.after() == AfterReturn::Undecided)
            .map(|part| part.transfer)
            .collect();
        if known.is_empty() && is_asked {
            return Ok(());
        }
        if known.is_empty() {
            return Err(Refusal::conflict(Key::PartNotReturned).into());
        }
        self.ask_for(signer, known, origin).await
    }

    async fn ask_for(&self, signer: Signer, known: Vec<Transfer>, origin: Origin) -> Result<()> {
        let (this, unit) = (self.clone(), self.ids.unit());
        let write =
            move |tx: &mut Tx| this.keep_requests(tx, signer, &known, &mut unit.clone(), &origin);
        self.store.write(write).await?;
        Ok(())
    }

    /// Keeps the requests and tells the support and the notary. Returns false if all were kept before.
    fn keep_requests(
        &self,
        tx: &mut Tx,
        signer: Signer,
        known: &[Transfer],
        unit: &mut UnitContext,
        origin: &Origin,
    ) -> Result<bool> {
        let notary = signer.notary;
        let (decider, _) = Decider::from(signer).lock(tx, unit.now)?;
        let mut asked = Vec::new();
        let mut number = 0;
        for transfer in known {
            let Locked {
                order,
                locked,
                transfer,
                ..
            } = locked(tx, &decider, transfer)?;
            number = order.number;
            if transfer.refund.is_some() {
                transfers::request_beside_refund(tx, &locked, unit.now)?;
                continue;
            }
            if refunds::is_given_back_whole(tx, order.id)?
                || !transfers::request_refund(tx, &locked, unit.now)?
            {
                return Err(Refusal::conflict(Key::PartDecided).into());
            }
            AuditEntry::new(AuditAction::PartRefundRequested)
                .of_notary(notary)
                .on_order(order.id)
                .on(AuditObject::Transfer(transfer.id))
                .with("amount", transfer.planned.amount)
                .record(tx, unit, origin)?;
            tx.announce(Change::Order(notary, order.id));
            asked.push(transfer);
        }
        if asked.is_empty() {
            return Ok(false);
        }
        if let Some(support) = self.notifier.support_mailbox() {
            let letter = texts::letter_to_support(number, notary, &asked, unit.now);
            write_letter(tx, unit.new_id(), support, letter, unit.now)?;
        }
        let notice = texts::refund_requested(number, &asked, self.notifier.support_phone());
        self.notifier.tell(tx, unit, notary, notice)?;
        Ok(true)
    }
}

/// The operator's list of parts that are to be given back to cards. It needs only the database.
#[derive(Clone)]
pub struct CardRefunds {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) notifier: Notifier,
}

/// Why a part was not marked as given back to the card.
#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    /// Nobody has asked for it, or it was marked before.
    #[error(
        "{0} is not to be given back to a card, or a refund of it is under way and marks it by itself: see cabinet transfers refunds"
    )]
    NotRequested(TransferId),
    /// A refund of the order is under way at an acquirer that tells only how much went back in all.
    #[error(
        "a refund of order {0} is under way, and its acquirer tells only how much went back in all: mark this part with cabinet order refund {0} --transfer {1} --already-given-back"
    )]
    UnderWay(i64, i64),
    /// The reason can't be kept.
    #[error(
        "the reason is empty, longer than {REASON_CHARS_MAX} characters, or names a payment card"
    )]
    Reason,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl CardRefunds {
    /// Returns the parts that are to be given back, the earliest request first, each with the number of its order.
    pub async fn open(&self) -> Result<Vec<(i64, Transfer)>, StorageError> {
        let read = |tx: &mut Tx| -> Result<_, StorageError> {
            let mut all = Vec::new();
            for transfer in transfers::refunds(tx)? {
                // Only the number: an order that can't be read hides no other.
                if let Some(number) = orders::number_of(tx, transfer.order_id)? {
                    all.push((number, transfer));
                }
            }
            Ok(all)
        };
        self.store.read_long(read).await
    }

    /// Marks a part as given back to the card, and tells the notary.
    ///
    /// # Errors
    /// [`RefundError`].
    pub async fn mark(
        &self,
        id: TransferId,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), RefundError> {
        let reason = Line::parse(reason, REASON_CHARS_MAX)
            .ok()
            .filter(|reason| !names_payment_card(reason.as_str()))
            .ok_or(RefundError::Reason)?;
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let notifier = self.notifier.clone();
        let read = move |tx: &mut Tx| transfers::by_id(tx, id);
        let known = self.store.read(read).await?;
        let transfer = known.ok_or(RefundError::NotRequested(id))?;
        let write = move |tx: &mut Tx| -> Result<(), RefundError> {
            let mut unit = unit.clone();
            let notary = orders::notary_of(tx, transfer.order_id)?;
            let notary = notary.ok_or(RefundError::NotRequested(id))?;
            let notary = lock_notary(tx, notary)?;
            let order = orders::lock_of(tx, &notary, transfer.order_id)?;
            let (locked, order) = order.ok_or(RefundError::NotRequested(id))?;
            let found = transfers::lock_of(tx, &locked, id)?;
            let (locked, transfer) = found.ok_or(RefundError::NotRequested(id))?;
            if has_refund_told_by_sum(tx, order.id)? {
                return Err(RefundError::UnderWay(
                    order.number,
                    transfer.document_number,
                ));
            }
            // The refund of a whole order has given this part back, too, or is about to.
            let is_open =
                order.status == OrderStatus::Paid && !refunds::is_given_back_whole(tx, order.id)?;
            if !is_open || !transfers::mark_refunded(tx, &locked, &reason, now)? {
                return Err(RefundError::NotRequested(id));
            }
            AuditEntry::new(AuditAction::PartRefunded)
                .of_notary(order.notary_id)
                .on_order(order.id)
                .on(AuditObject::Transfer(id))
                .with("amount", transfer.planned.amount)
                .record(tx, &mut unit, &origin)?;
            let notice = texts::refunded(order.number, &transfer);
            notifier.tell(tx, &mut unit, order.notary_id, notice)?;
            Ok(())
        };
        self.store.write(write).await
    }
}

/// Whether a refund of an order is under way that its acquirer does not name, so that what goes back beside it must be told from it.
fn has_refund_told_by_sum(tx: &mut Tx, order: OrderId) -> Result<bool, StorageError> {
    let known = refunds::of_order(tx, order)?;
    let Some(refund) = known.iter().find(|refund| refund.is_under_way()) else {
        return Ok(false);
    };
    let charge = attempts::by_id(tx, refund.attempt_id)?;
    Ok(charge.is_some_and(|charge| !charge.acquirer.lists_refunds()))
}
