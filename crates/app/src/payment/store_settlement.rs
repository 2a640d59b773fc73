//! Storing the effects of a settlement, in one unit of work.

use std::sync::Arc;

use cabinet_domain::payment::{
    AlarmKind, AttemptKind, Case, Delays, Effect, News, OrderFacts, Refund, RefundScope,
    Settlement, SettlementVerdict, by_hand, decide_settlement,
};
use cabinet_domain::{
    AccountLimits, AuditAction, CardFigures, EventId, Money, Order, OrderHistoryEvent, OrderId,
    OrderStatus, Origin, kyiv_time,
};
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::payment::{attempts, card_figures, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Change, LockedNotary, LockedOrder, StorageError, Tx, WithoutNotary};
use jiff::{SignedDuration, Timestamp};

use super::bookkeeping::{
    Planning, call_off_transfers, give_back, hold_for_refund, plan_order_transfers, return_items,
};
use crate::audit::AuditEntry;
use crate::client_link::receipt_news::{ReceiptNews, write_receipt_letter};
use crate::documents::{ReceiptFactsRecorder, ReceiptParties};
use crate::kernel::ids::UnitContext;
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::kernel::texts::charged_card;
use crate::operator::alarms::{
    AfterCommit, attempt_subject, may_be_made_good, order_subject, raise, raise_with,
};

/// What a settlement in a unit of work needs besides the transaction.
#[derive(Clone)]
pub(crate) struct SettlementContext {
    /// The moment and the ids.
    pub(crate) unit: UnitContext,
    pub(crate) receipt_facts: ReceiptFactsRecorder,
    /// Which transfers are held.
    pub(crate) account_limits: AccountLimits,
    /// Seal the transfers.
    pub(crate) seals: SealKeys,
    /// From when what an acquirer lacks has not happened.
    pub(crate) delays: Delays,
    /// Whether transfers and receipts are kept up to date. Otherwise a payment or its return is recorded alone, with an alarm.
    pub(crate) with_bookkeeping: bool,
    pub(crate) notifier: Notifier,
    /// The figures for saved cards of notaries who have set none.
    pub(crate) card_figures: CardFigures,
    /// Who asked for it.
    pub(crate) origin: Origin,
}

impl SettlementContext {
    /// Returns the context of a settlement that somebody asked for.
    pub(crate) fn by(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }
}

/// The result of a settlement in a unit of work.
pub(crate) struct Settled {
    /// How the news was taken.
    pub(crate) verdict: SettlementVerdict,
    /// The order and its attempts afterwards.
    pub(crate) case: Case,
    /// What is logged and counted after the commit.
    pub(crate) committed: Vec<AfterCommit>,
}

/// Settles news about an order. `None`: there is no such order.
pub(crate) fn settle_order(
    tx: &mut WithoutNotary<'_>,
    context: &SettlementContext,
    order: OrderId,
    news: &News,
) -> Result<Option<Settled>, StorageError> {
    match payments::lock_case(tx, order)? {
        Some((locked, found)) => settle_found(tx, &locked, context, found, news).map(Some),
        None => Ok(None),
    }
}

/// Settles news about an order that was not changed since its lock was taken.
pub(crate) fn settle_found(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    context: &SettlementContext,
    found: OrderCase,
    news: &News,
) -> Result<Settled, StorageError> {
    let read = (Some(Arc::new(found.order)), found.may_have_receipt_consent);
    store(tx, (None, locked), context, &found.case, read, news)
}

/// Settles news about a case that was read under the locks of its notary and order: items may go back to her cart.
pub(super) fn store_settlement(
    tx: &mut Tx,
    (notary, locked): (&LockedNotary, &LockedOrder<'_>),
    context: &SettlementContext,
    case: &Case,
    news: &News,
) -> Result<Settled, StorageError> {
    store(
        tx,
        (Some(notary), locked),
        context,
        case,
        (None, true),
        news,
    )
}

fn store(
    tx: &mut Tx,
    (notary, locked): (Option<&LockedNotary>, &LockedOrder<'_>),
    context: &SettlementContext,
    case: &Case,
    (order, may_have_receipt_consent): (Option<Arc<Order>>, bool),
    news: &News,
) -> Result<Settled, StorageError> {
    let Settlement {
        effects,
        verdict,
        case: after,
    } = decide_settlement(case, news, &context.delays, context.unit.now);
    let mut storing = Storing {
        context: context.clone(),
        notary,
        locked,
        before: case,
        after: &after,
        order,
        may_have_receipt_consent,
        parties: None,
        committed: Vec::new(),
    };
    for effect in &effects {
        storing.store(tx, effect)?;
    }
    // Without this condition every open page would ask the acquirer again, and so cause the next message.
    if case.order != after.order {
        tx.announce(Change::Order(after.order.notary_id, after.order.id));
    }
    let committed = storing.committed;
    Ok(Settled {
        verdict,
        committed,
        case: after,
    })
}

/// Brings an order up to date after an alarm about it was opened or closed outside of a settlement.
pub(crate) fn review(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    now: Timestamp,
) -> Result<(), StorageError> {
    let Some(case) = payments::case_of(tx, locked.id())? else {
        return Ok(());
    };
    // No word of an acquirer: delays don't matter.
    let reviewed = decide_settlement(&case, &News::Reviewed, &Delays::default(), now);
    for effect in reviewed.effects {
        if let Effect::SaveOrder(facts) = effect {
            payments::save_order(tx, locked, &facts, case.order.status, now)?;
        }
    }
    Ok(())
}

/// The storing of one settlement's effects.
struct Storing<'a> {
    context: SettlementContext,
    /// The notary, where the unit of work has locked her. Only then items go back to her cart.
    notary: Option<&'a LockedNotary>,
    locked: &'a LockedOrder<'a>,
    before: &'a Case,
    after: &'a Case,
    /// The order as it is stored by now, once it was read.
    order: Option<Arc<Order>>,
    may_have_receipt_consent: bool,
    /// Whom its receipts name, once its transfers are planned.
    parties: Option<ReceiptParties>,
    committed: Vec<AfterCommit>,
}

impl Storing<'_> {
    /// Returns the order, which is read once.
    fn order(&mut self, tx: &mut Tx) -> Result<Arc<Order>, StorageError> {
        if let Some(order) = &self.order {
            return Ok(Arc::clone(order));
        }
        let found = orders::by_id(tx, self.before.order.id)?;
        let order = Arc::new(found.ok_or_else(|| inconsistent("the order is gone"))?);
        self.order = Some(Arc::clone(&order));
        Ok(order)
    }

    fn store(&mut self, tx: &mut Tx, effect: &Effect) -> Result<(), StorageError> {
        let (order, sum) = (self.before.order.id, self.before.order.sum);
        let with_bookkeeping = self.context.with_bookkeeping;
        let limits = self.context.account_limits;
        let locked = self.locked;
        let unit = &mut self.context.unit;
        match effect {
            Effect::SaveAttempt(attempt) => attempts::save(tx, locked, attempt, unit.now),
            Effect::SaveRefund(refund) => refunds::save(tx, locked, refund, unit.now),
            Effect::HoldForRefund(refund) => hold_for_refund(tx, locked, refund),
            Effect::ReleaseFromRefund(refund) => {
                refunds::release_transfers(tx, locked, refund)?;
                // Its money may have been made good by hand: then the sum is as before, and what it was for must not be sent. The alarm is
                // the order's, so closing the one about the charge, which may still be open, does not close this one.
                let may_be_sent = refund.is_without_trace() && refund.scope != RefundScope::Sum;
                let charge = self.after.attempt(refund.attempt_id);
                if let Some(charge) = charge.filter(|_| may_be_sent)
                    && may_be_made_good(tx, charge)?
                {
                    self.raise(tx, AlarmKind::RefundContradicted, &order_subject(order))?;
                }
                Ok(())
            }
            Effect::GiveBackTransfer(refund) => {
                if give_back(tx, unit, (locked, refund), &self.context.notifier)? {
                    return Ok(());
                }
                self.raise(tx, AlarmKind::RefundedAfterTransfer, &order_subject(order))
            }
            Effect::SaveOrder(facts) => {
                save_order(tx, locked, unit.now, (&self.before.order, facts))?;
                let saved = |order: &Arc<Order>| payments::saved(order, facts, unit.now);
                self.order = self.order.as_ref().map(saved).map(Arc::new);
                self.record_end(tx, facts)
            }
            Effect::Record { kind, to, detail } => {
                let event = OrderHistoryEvent {
                    id: EventId::new(unit.new_id()),
                    order_id: order,
                    at: unit.now,
                    kind: *kind,
                    from_status: Some(self.before.order.status),
                    to_status: *to,
                    detail: detail.clone(),
                };
                let ending = self.after.ending();
                self.committed
                    .extend(to.map(|to| AfterCommit::OrderStepped {
                        order,
                        to,
                        ending,
                        kind: *kind,
                        sum,
                    }));
                order_events::add(tx, locked, &event)
            }
            Effect::Raise {
                kind,
                attempt,
                detail,
            } => {
                let subject = attempt_subject(*attempt);
                let subject = (subject.as_str(), detail.as_deref());
                raise_with(tx, unit, *kind, subject, Some(order), &mut self.committed)
            }
            // Where no transfers follow from the items, an alarm is opened. The order is paid all the same.
            Effect::PlanTransfers => {
                if with_bookkeeping {
                    let order = self.order(tx)?;
                    let unit = &mut self.context.unit;
                    let seals = &self.context.seals;
                    let planning =
                        plan_order_transfers(tx, unit, (locked, &order), (&limits, seals))?;
                    if let Planning::Planned(parties) = planning {
                        self.parties = Some(parties);
                        return Ok(());
                    }
                }
                self.raise(tx, AlarmKind::TransfersNotPlanned, &order_subject(order))
            }
            Effect::CallOffTransfers if with_bookkeeping => {
                call_off_transfers(tx, unit, locked, &mut self.committed)
            }
            // The transfers can't be read, so whether one was sent is not known. The others must not be sent in any case.
            Effect::CallOffTransfers => {
                transfers::call_off(tx, locked, unit.now)?;
                self.raise(tx, AlarmKind::RefundedAfterTransfer, &order_subject(order))
            }
            Effect::LookForPartsByHand(charge) => {
                // Where the transfers can't be read, there may be one.
                if with_bookkeeping {
                    let all = transfers::of_order(tx, order)?;
                    // What the charge that pays has itself given back there was not brought again.
                    let pays = self.after.counting_charge();
                    let of_paying = pays.map_or(Money::ZERO, |charge| {
                        self.after.given_back_without(charge.id, Refund::is_done)
                    });
                    if by_hand(self.after, &all).is_ok_and(|marked| marked <= of_paying) {
                        return Ok(());
                    }
                }
                self.raise(tx, AlarmKind::RefundContradicted, &attempt_subject(*charge))
            }
            Effect::KeepReceipt if !with_bookkeeping => Ok(()),
            Effect::KeepReceipt => {
                let (order, now) = (self.order(tx)?, self.context.unit.now);
                let facts = &self.context.receipt_facts;
                facts.record(tx, &order, self.after, self.parties.take(), now)
            }
            Effect::ReturnItems => {
                self.order = None;
                let notary = self.notary.ok_or_else(|| {
                    inconsistent("its items go back, and its notary is not locked")
                })?;
                return_items(tx, notary, unit, order)
            }
        }
    }

    /// Records in the audit trail how an order ended.
    fn record_end(&mut self, tx: &mut Tx, after: &OrderFacts) -> Result<(), StorageError> {
        let before = self.before.order.status;
        let action = match after.status {
            OrderStatus::Paid => AuditAction::OrderPaid,
            OrderStatus::Failed => AuditAction::OrderFailed,
            OrderStatus::Expired => AuditAction::OrderExpired,
            OrderStatus::Refunded => AuditAction::OrderRefunded,
            OrderStatus::InProgress | OrderStatus::Pending => return Ok(()),
        };
        if before == after.status {
            return Ok(());
        }
        if let (OrderStatus::Paid, Some(paid_at)) = (after.status, after.paid_at) {
            let time = self.context.unit.now.duration_since(paid_at);
            self.committed
                .push(AfterCommit::PaidAfter(time.max(SignedDuration::ZERO)));
        }
        let news = match after.status {
            OrderStatus::Paid => Some(ReceiptNews::Paid),
            OrderStatus::Refunded => Some(ReceiptNews::Refunded),
            _ => None,
        };
        if let Some(news) = news
            && self.may_have_receipt_consent
        {
            write_receipt_letter(tx, &mut self.context.unit, after.id, news)?;
        }
        if after.status == OrderStatus::Paid && self.context.with_bookkeeping {
            self.tell_of_charge(tx)?;
        }
        AuditEntry::new(action)
            .of_notary(after.notary_id)
            .on_order(after.id)
            .changed("status", Some(before), Some(after.status))
            .record(tx, &mut self.context.unit, &self.context.origin)
    }

    /// Tells the notary of a large charge of a saved card, and of one that a passkey has proved: no message has named its sum.
    fn tell_of_charge(&mut self, tx: &mut Tx) -> Result<(), StorageError> {
        // An order for the acquirer's page may be paid by a saved card later, and the other way round.
        let charge = self.after.counting_charge();
        if charge.is_none_or(|charge| charge.kind != AttemptKind::CardToken) {
            return Ok(());
        }
        let order = self.order(tx)?;
        let context = &mut self.context;
        let (set, is_by_passkey) = card_figures::of_order(tx, order.id)?;
        let told_from = set.unwrap_or(context.card_figures).told_from;
        if order.sum < told_from && !is_by_passkey {
            return Ok(());
        }
        let at = kyiv_time(context.unit.now);
        let notice = charged_card(&order, &at, context.notifier.support_phone());
        let (notifier, unit) = (&context.notifier, &mut context.unit);
        notifier.tell_everywhere(tx, unit, order.notary_id, &notice)
    }

    fn raise(&mut self, tx: &mut Tx, kind: AlarmKind, subject: &str) -> Result<(), StorageError> {
        let order = Some(self.before.order.id);
        let unit = &mut self.context.unit;
        raise(tx, unit, kind, subject, order, &mut self.committed)
    }
}

fn save_order(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    now: Timestamp,
    (before, after): (&OrderFacts, &OrderFacts),
) -> Result<(), StorageError> {
    let is_step = before.status != after.status;
    if is_step && !before.status.may_become(after.status) {
        return Err(inconsistent("there is no such step"));
    }
    if payments::save_order(tx, locked, after, before.status, now)? {
        Ok(())
    } else {
        Err(inconsistent("the order moved while it was locked"))
    }
}

fn inconsistent(reason: &str) -> StorageError {
    StorageError::Inconsistent {
        table: "orders".to_owned(),
        id: None,
        column: "status".to_owned(),
        reason: reason.to_owned(),
    }
}
