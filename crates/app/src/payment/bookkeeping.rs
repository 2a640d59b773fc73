//! The bookkeeping of an order whose payment has come or was given back: transfers, and items that go back to the cart.

use cabinet_domain::payment::{AlarmKind, Refund};
use cabinet_domain::{
    AccountLimits, AuditAction, AuditObject, CartItem, ItemId, Money, Order, OrderId, OrderStatus,
    Origin, PartRole, SealedFacts, TransferId, TransferStatus,
};
use cabinet_storage::deal::deals;
use cabinet_storage::order::orders;
use cabinet_storage::payment::{attempts, refunds};
use cabinet_storage::transfer::transfers::{self, PartToPlan};
use cabinet_storage::{LockedNotary, LockedOrder, StorageError, Tx, cart};

use crate::account::account_limits::is_held;
use crate::audit::AuditEntry;
use crate::documents::ReceiptParties;
use crate::kernel::ids::UnitContext;
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::kernel::texts::given_back;
use crate::operator::alarms::{AfterCommit, order_subject, raise};
use crate::transfer::plan::transfers_of;

/// The result of planning the transfers of an order.
#[derive(Debug)]
pub(super) enum Planning {
    /// They are planned.
    Planned(ReceiptParties),
    /// Nothing was planned: they do not follow from the order's items.
    Inconsistent,
    /// Nothing was planned: the order is not paid, or its money was given back.
    NotPaid,
}

/// Plans the transfers of a paid order: all of them, or none. The order was read under its lock, because money that was given back must not
/// be sent on.
pub(super) fn plan_order_transfers(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (locked, order): (&LockedOrder<'_>, &Order),
    (limits, keys): (&AccountLimits, &SealKeys),
) -> Result<Planning, StorageError> {
    if order.status != OrderStatus::Paid {
        return Ok(Planning::NotPaid);
    }
    // Money that comes after the names were erased: what would be planned names nobody, so a person decides.
    let sender = transfers::sender_of(tx, order.id)?;
    let Some(sender) = sender.filter(|sender| !sender.is_anonymised) else {
        return Ok(Planning::Inconsistent);
    };
    let mut planned = Vec::new();
    let mut sum = Money::ZERO;
    for item in orders::items_of(tx, order.id)? {
        let Some(transfers) = transfers_of(&item.content, &order.client, &sender.own.full_name)
        else {
            return Ok(Planning::Inconsistent);
        };
        let parts = transfers.iter().map(|transfer| transfer.amount);
        let commission = item.content.price.commission.times(item.content.count);
        let with_commission = parts.chain(commission.ok());
        match Money::sum(with_commission).and_then(|part| sum.plus(part)) {
            Ok(total) => sum = total,
            Err(_) => return Ok(Planning::Inconsistent),
        }
        planned.extend(transfers.into_iter().map(|transfer| {
            let is_recipients = transfer.role == PartRole::Recipient;
            (
                item.id,
                transfer,
                is_recipients && item.content.requisite.is_some(),
                item.content.cbc_code.clone(),
            )
        }));
    }
    if sum != order.sum {
        return Ok(Planning::Inconsistent);
    }
    let known = transfers::planned_parts(tx, order.id)?;
    let may_be_paid_twice = order.is_given_up() || may_be_paid_by_codes_too(tx, order)?;
    let is_known = |item: ItemId, role: PartRole| {
        let mut known = known.iter();
        known.any(|part| (part.item, part.role) == (item, role))
    };
    let new: Vec<_> = planned
        .iter()
        .filter(|(item, transfer, ..)| !is_known(*item, transfer.role))
        .collect();
    // What a young account sends is added up, so each transfer is stored before the next one is looked at.
    let made_at = (sender.account_made_at, order.created_at);
    let at_once = if limits.is_young(made_at.0, made_at.1) {
        1
    } else {
        transfers::PLANNED_AT_ONCE
    };
    for parts in new.chunks(at_once) {
        let mut to_plan = Vec::with_capacity(parts.len());
        for (item, transfer, is_of_tables, budget_code) in parts {
            let id = TransferId::new(unit.new_id());
            let recipient = (&transfer.payee.iban, transfer.amount);
            let sealed = SealedFacts {
                id,
                order: order.id,
                item: *item,
                replaces: None,
                planned: transfer,
                budget_code: budget_code.as_ref(),
            };
            to_plan.push(PartToPlan {
                id,
                item: *item,
                planned: transfer,
                is_held: may_be_paid_twice
                    || is_held(tx, limits, made_at, recipient, *is_of_tables)?,
                seal: keys.seal(&sealed),
            });
        }
        let stored = transfers::plan_all(tx, locked, &to_plan, unit.now)?;
        for held in to_plan.iter().filter(|part| part.is_held) {
            if stored.contains(&held.id) {
                AuditEntry::new(AuditAction::TransferHeld)
                    .of_notary(order.notary_id)
                    .on_order(order.id)
                    .on(AuditObject::Transfer(held.id))
                    .with("amount", held.planned.amount)
                    .record(tx, unit, &Origin::worker())?;
            }
        }
    }
    // Called off by a refund that, as it turns out, gave back another charge than the one that counts.
    if known
        .iter()
        .any(|part| part.status == TransferStatus::CalledOff)
    {
        transfers::plan_called_off(tx, locked, unit.now)?;
    }
    let known = known.into_iter().map(|part| part.account);
    let planned = planned.into_iter().map(|(_, part, ..)| part.payee.iban);
    Ok(Planning::Planned(ReceiptParties {
        notary: Some(sender.own),
        accounts: known.chain(planned).collect(),
    }))
}

/// Whether the client paid the recipients by QR codes, too, as the notary has marked, or may have: the card was charged on a page that was
/// closed before codes were given.
fn may_be_paid_by_codes_too(tx: &mut Tx, order: &Order) -> Result<bool, StorageError> {
    let Some(given_at) = order.codes_given_at() else {
        return Ok(false);
    };
    if order.codes_payment().is_some() {
        return Ok(true);
    }
    let all = attempts::of_order(tx, order.id)?;
    Ok(all
        .iter()
        .any(|attempt| attempt.created_at <= given_at && attempt.charged_at.is_some()))
}

/// Calls off the transfers that were not sent yet, because their money was given back. Those that were sent need a person.
pub(super) fn call_off_transfers(
    tx: &mut Tx,
    unit: &mut UnitContext,
    locked: &LockedOrder<'_>,
    committed: &mut Vec<AfterCommit>,
) -> Result<(), StorageError> {
    let order = locked.id();
    transfers::call_off(tx, locked, unit.now)?;
    let is_at_the_bank = |status| {
        matches!(
            status,
            TransferStatus::Sent | TransferStatus::Credited | TransferStatus::Disputed
        )
    };
    let all = transfers::of_order(tx, order)?;
    if all.iter().any(|transfer| is_at_the_bank(transfer.status)) {
        let (kind, subject) = (AlarmKind::RefundedAfterTransfer, order_subject(order));
        raise(tx, unit, kind, &subject, Some(order), committed)?;
    }
    Ok(())
}

/// Keeps the transfers that a refund gives back from being sent. They are locked, and the refund was admitted for what they are.
pub(super) fn hold_for_refund(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    refund: &Refund,
) -> Result<(), StorageError> {
    if refunds::hold_transfers(tx, locked, refund)? {
        return Ok(());
    }
    Err(StorageError::Inconsistent {
        table: "transfers".to_owned(),
        id: refund.scope.transfer().map(|id| id.to_string()),
        column: "status".to_owned(),
        reason: "the transfer of a refund moved while it was locked".to_owned(),
    })
}

/// Marks what a refund has given back, records it and tells the notary. Returns false if its transfer was sent before the acquirer told of
/// the refund, so that a person must look at it. The transfers of a whole refund are called off with the order's status.
pub(super) fn give_back(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (locked, refund): (&LockedOrder<'_>, &Refund),
    notifier: &Notifier,
) -> Result<bool, StorageError> {
    let notary = orders::notary_of(tx, refund.order_id)?;
    let mut entry = AuditEntry::new(AuditAction::RefundDone)
        .of_notary(notary)
        .on_order(refund.order_id)
        .with("amount", refund.amount);
    let (mut is_marked, mut document) = (true, None);
    if let Some(id) = refund.scope.transfer() {
        let reason = refund.reason.as_str();
        // A bank's file may say at the same time that it came back. Whoever comes second sees what the first has stored.
        is_marked = false;
        if let Some((transfer, known)) = transfers::lock_of(tx, locked, id)? {
            is_marked = refunds::give_back_transfer(tx, refund.id, &transfer, reason, unit.now)?;
            document = Some(known.document_number);
        }
        entry = entry.on(AuditObject::Transfer(id));
    }
    entry.record(tx, unit, &Origin::worker())?;
    if let (Some(notary), Some(number)) = (notary, orders::number_of(tx, refund.order_id)?) {
        let notice = given_back(number, refund.amount, document);
        notifier.tell(tx, unit, notary, notice)?;
    }
    Ok(is_marked)
}

/// Copies the items of an order, and what is known of its notarial act, into the cart under new ids. The order keeps its own.
pub(super) fn return_items(
    tx: &mut Tx,
    notary: &LockedNotary,
    unit: &mut UnitContext,
    order: OrderId,
) -> Result<(), StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(());
    };
    for item in orders::items_of(tx, order.id)? {
        let copy = CartItem {
            id: ItemId::new(unit.new_id()),
            created_at: unit.now,
            content: item.content,
        };
        cart::add(tx, notary, order.client.id, &copy)?;
        deals::carry_over(tx, item.id, copy.id)?;
    }
    cart::return_act(tx, notary, order.client.id, &order.act)?;
    Ok(())
}
