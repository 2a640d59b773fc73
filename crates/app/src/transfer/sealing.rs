//! Sealing the transfers that have no seal that fits: those of an earlier version, those from before a rotation, and those at which the operator
//! has looked.

use std::collections::BTreeSet;

use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, Money, OperatorReason, OrderId, Payee, PlannedTransfer,
    Transfer, TransferId, TransferStatus,
};
use cabinet_storage::engine::key_ids;
use cabinet_storage::operator::alarms;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::{seals, transfer_search, transfers};
use cabinet_storage::{StorageError, Store, Tx, WithoutNotary};
use jiff::{SignedDuration, Timestamp};

use super::Transfers;
use crate::audit::AuditEntry;
use crate::kernel::ids::UnitContext;
use crate::kernel::keys::{Digest, SealKeys};
use crate::transfer::plan::{agrees, planned_again, planned_by};
use crate::transfer::seal::{
    PURPOSE, are_keys_known, are_seals_made, fitting_seal, is_of_previous, is_sealed, seal_stored,
};

/// Transfers that are looked at in one unit of work.
const PAGE: u32 = 500;
/// A bank tells of a transfer within so long, after which it is at rest.
const AT_REST_AFTER: SignedDuration = SignedDuration::from_hours(35 * 24);

/// Whether a transfer says all that its payment does of its payee and its amount. Names may have changed since.
fn says_the_same(planned: &PlannedTransfer, of_payment: &PlannedTransfer) -> bool {
    (&planned.payee, planned.amount) == (&of_payment.payee, of_payment.amount)
}

/// A transfer that is given to a bank next, or may be sent to another account, without a seal that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsealedTransfer {
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: Option<i64>,
    /// Its sum.
    pub amount: Money,
    /// To whom it goes.
    pub payee: Payee,
    /// What its payment says.
    pub of_payment: OfPayment,
    /// The seal that would fit all that it says, also what is not shown.
    fitting: Digest,
}

/// What the payment of a transfer says of its payee and its sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfPayment {
    /// The same.
    Same,
    /// This.
    Other(Box<(Payee, Money)>),
    /// Nothing: the transfer sends again what came back, to where its notary has corrected it.
    SentAgain,
    /// Nothing that can be read.
    Unreadable,
}

/// How many transfers of earlier versions were sealed at a start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SealedAtStart {
    /// They agree with their payments.
    pub sealed: u64,
    /// They do not, and wait for the operator.
    pub held: u64,
}

/// Why transfers were not sealed. None was sealed then.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// No cabinet has started on the database with this secret.
    #[error(
        "the cabinet has never started with this secret key: give this command CABINET_SECRET_KEY and CABINET_PREVIOUS_SECRET_KEY as the server has them"
    )]
    OtherSecret,
    /// No transfer has a document with this number.
    #[error("there is no transfer with the document number {0}")]
    NoDocument(i64),
    /// It says something else than what was shown, or its payment does.
    #[error("document {0} is no longer what was shown: look at it again")]
    Changed(i64),
    /// Its payment can't be read.
    #[error("the payment of document {0} can't be read: nobody can compare it. Report it")]
    NoPayment(i64),
    /// It says something else than its payment, and a bank has it.
    #[error(
        "document {0} says something else than its payment, and a bank was given it: ask the bank where the money went, and report it"
    )]
    Given(i64),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Transfers {
    /// Seals the transfers that an earlier version has planned, once for a database, and seals anew what was sealed under the secret before
    /// the last rotation. Of the earlier ones those that disagree with their payments stay unsealed, and wait for the operator.
    ///
    /// # Errors
    /// The database failed.
    pub async fn seal_at_start(&self, now: Timestamp) -> Result<SealedAtStart, StorageError> {
        let is_first = !self.store.read(are_seals_made).await?;
        let mut all = SealedAtStart::default();
        let mut after = None;
        while is_first || self.seals.has_previous() {
            let (this, unit) = (self.clone(), self.recorder.unit_at(now));
            let write = move |tx: &mut Tx| this.seal_page(tx, &mut unit.clone(), is_first, after);
            let (last, page) = self.store.write(write).await?;
            all.sealed += page.sealed;
            all.held += page.held;
            after = last;
            if after.is_none() {
                break;
            }
        }
        let id = self.seals.id.to_string();
        let write = move |tx: &mut Tx| key_ids::remember(tx, PURPOSE, &id, now);
        self.store.write(write).await?;
        Ok(all)
    }

    /// Seals a page of transfers. Returns the last of them; `None`: there was none.
    fn seal_page(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        is_first: bool,
        after: Option<TransferId>,
    ) -> Result<(Option<TransferId>, SealedAtStart), StorageError> {
        let tx = &mut tx.without_notary();
        let mut done = SealedAtStart::default();
        let page = seals::alive(tx, after, unit.now - AT_REST_AFTER, PAGE)?;
        let last = page.last().copied();
        for id in page {
            // A damaged one keeps no other from being sealed.
            let found = seals::transfer(tx, id);
            let Some(transfer) = tx.readable(found)? else {
                continue;
            };
            if let Some(stored) = seals::of(tx, transfer.id)? {
                if is_of_previous(tx, &self.seals, &transfer, &stored)? {
                    seal_stored(tx, &self.seals, &transfer)?;
                }
                continue;
            }
            if !is_first {
                continue;
            }
            let found = orders::lock(tx, transfer.order_id);
            let of_payment = match tx.readable(found)? {
                Some((_locked, order)) => planned_by(tx, &order, &transfer),
                None => Ok(None),
            };
            let of_payment = tx.readable(of_payment)?;
            if of_payment.is_some_and(|said| agrees(&transfer.planned, &said)) {
                seal_stored(tx, &self.seals, &transfer)?;
                done.sealed += 1;
            } else if seals::hold(tx, transfer.id, unit.now)? {
                done.held += 1;
                AuditEntry::new(AuditAction::TransferHeld)
                    .of_notary(orders::notary_of(tx, transfer.order_id)?)
                    .on_order(transfer.order_id)
                    .on(AuditObject::Transfer(transfer.id))
                    .with("amount", transfer.planned.amount)
                    .record(tx, unit, &self.recorder.origin())?;
            }
        }
        if done != SealedAtStart::default() {
            AuditEntry::new(AuditAction::TransfersSealed)
                .with("transfers", AuditValue::count(done.sealed))
                .with("held", AuditValue::count(done.held))
                .record(tx, unit, &self.recorder.origin())?;
        }
        Ok((last, done))
    }

    /// Returns the transfers whose seals do not fit, of those that are given to a bank next or may be sent to another account.
    pub async fn unsealed(&self) -> Result<Vec<UnsealedTransfer>, StorageError> {
        unsealed(&self.store, &self.seals).await
    }

    /// Seals transfers at which the operator has looked, as they were shown, all or none. A planned one gets payee and sum of its payment back
    /// before, unless it sends again what came back. The alarms about their orders are closed. Returns how many had no seal that fits.
    ///
    /// # Errors
    /// [`SealError`].
    pub async fn seal(
        &self,
        shown: &[UnsealedTransfer],
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<usize, SealError> {
        let shown = shown.to_vec();
        let (this, unit, reason) = (self.clone(), self.recorder.unit_at(now), reason.clone());
        let write = move |tx: &mut Tx| -> Result<usize, SealError> {
            let tx = &mut tx.without_notary();
            if !are_keys_known(tx, &this.seals)? {
                return Err(SealError::OtherSecret);
            }
            let (mut unit, mut sealed) = (unit.clone(), 0);
            let mut of_orders = BTreeSet::new();
            for shown in &shown {
                let document = shown.document_number;
                let found = transfer_search::by_document_number(tx, document)?;
                let found = found.ok_or(SealError::NoDocument(document))?;
                of_orders.insert(found.order_id);
                let one = (&found, shown);
                sealed += usize::from(this.seal_one(tx, &mut unit, one, &reason)?);
            }
            for order in of_orders {
                this.close_alarm(tx, order, &reason, now)?;
            }
            Ok(sealed)
        };
        self.store.write(write).await
    }

    /// Seals a transfer. Returns false if its seal fits already.
    fn seal_one(
        &self,
        tx: &mut WithoutNotary<'_>,
        unit: &mut UnitContext,
        (known, shown): (&Transfer, &UnsealedTransfer),
        reason: &OperatorReason,
    ) -> Result<bool, SealError> {
        let document = known.document_number;
        let found = orders::lock(tx, known.order_id)?;
        let (locked, order) = found.ok_or(SealError::NoDocument(document))?;
        let of_payment = planned_by(tx, &order, known)?;
        let found = transfers::lock_of(tx, &locked, known.id)?;
        let (locked, found) = found.ok_or(SealError::NoDocument(document))?;
        if is_sealed(tx, &self.seals, &found)? {
            return Ok(false);
        }
        if described(tx, &self.seals, found.clone())? != *shown {
            return Err(SealError::Changed(document));
        }
        let is_kept = match &of_payment {
            _ if found.replaces.is_some() => true,
            Some(said) => says_the_same(&found.planned, said),
            None => return Err(SealError::NoPayment(document)),
        };
        let mut sealed = found.clone();
        if let Some(said) = of_payment.filter(|_| !is_kept) {
            if !seals::put_back(tx, &locked, &said)? {
                return Err(SealError::Given(document));
            }
            sealed.planned.payee = said.payee;
            sealed.planned.amount = said.amount;
        }
        seal_stored(tx, &self.seals, &sealed)?;
        let (before, after) = (&found.planned, &sealed.planned);
        AuditEntry::new(AuditAction::TransferSealed)
            .of_notary(orders::notary_of(tx, found.order_id)?)
            .on_order(found.order_id)
            .on(AuditObject::Transfer(found.id))
            .with("amount", after.amount)
            .changed("iban", Some(&before.payee.iban), Some(&after.payee.iban))
            .changed("okpo", Some(&before.payee.okpo), Some(&after.payee.okpo))
            .because(reason)
            .record(tx, unit, &self.recorder.origin())?;
        Ok(true)
    }

    /// Closes the alarm about the seals of an order, once all of its planned transfers have one that fits.
    fn close_alarm(
        &self,
        tx: &mut Tx,
        order: OrderId,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        for transfer in transfers::of_order(tx, order)? {
            let is_planned = transfer.status == TransferStatus::Planned;
            if is_planned && !is_sealed(tx, &self.seals, &transfer)? {
                return Ok(());
            }
        }
        let open = alarms::open_of_kind(tx, AlarmKind::TransferSealBroken)?;
        for alarm in open.iter().filter(|alarm| alarm.order_id == Some(order)) {
            alarms::close(tx, alarm.id, reason.as_str(), now)?;
        }
        Ok(())
    }
}

/// Returns the transfers whose seals do not fit, as [`Transfers::unsealed`] does.
///
/// # Errors
/// The database failed.
pub async fn unsealed(
    store: &Store,
    keys: &SealKeys,
) -> Result<Vec<UnsealedTransfer>, StorageError> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let keys = keys.clone();
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let page = seals::next_to_leave(tx, after, PAGE)?;
            let last = page.last().copied();
            let mut unsealed = Vec::new();
            for id in page {
                if let Some(transfer) = seals::transfer(tx, id)?
                    && !is_sealed(tx, &keys, &transfer)?
                {
                    unsealed.push(described(tx, &keys, transfer)?);
                }
            }
            Ok((last, unsealed))
        };
        let (last, page) = store.read(read).await?;
        all.extend(page);
        after = last;
        if after.is_none() {
            all.sort_by_key(|of| of.document_number);
            return Ok(all);
        }
    }
}

fn described(
    tx: &mut Tx,
    keys: &SealKeys,
    transfer: Transfer,
) -> Result<UnsealedTransfer, StorageError> {
    let of_payment = planned_again(tx, &transfer);
    let of_payment = match tx.readable(of_payment)? {
        _ if transfer.replaces.is_some() => OfPayment::SentAgain,
        None => OfPayment::Unreadable,
        Some(said) if says_the_same(&transfer.planned, &said) => OfPayment::Same,
        Some(said) => OfPayment::Other(Box::new((said.payee, said.amount))),
    };
    Ok(UnsealedTransfer {
        document_number: transfer.document_number,
        order_number: orders::number_of(tx, transfer.order_id)?,
        amount: transfer.planned.amount,
        of_payment,
        fitting: fitting_seal(tx, keys, &transfer)?,
        payee: transfer.planned.payee,
    })
}
