//! Giving money of a charge back to the card (decision 49).
//!
//! The refund is stored before the acquirer is asked for it, and stored as submitted before the request is sent, so it is sent at most
//! once. What became of it is told by the state of the invoice, which lists refunds by our reference.

use cabinet_domain::payment::{
    Case, KnownPart, News, NextRefundCall, OpenDoubts, Refund, RefundAnswer, RefundEnd,
    RefundRefusal, RefundWish, SettlementVerdict, admit_known_refund, admit_refund,
    next_refund_call,
};
use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, Key, Money, OperatorReason, Order, OrderId, OrderStatus,
    Origin, RefundId, Transfer,
};
use cabinet_gateways::acquirer::{
    AcquirerError, AcquirerName, Refund as Listed, RefundAnswer as AcquirerAnswer, RefundReference,
    RefundRequest,
};
use cabinet_storage::operator::alarms;
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::payment::{attempts, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{LockedOrder, StorageError, Tx, lock_notary};
use jiff::{SignedDuration, Timestamp};

use super::Payments;
use super::inquire::{Unanswered, pause_of};
use super::invoice_news::news_of;
use super::sending_time::SendingTime;
use super::store_settlement::{Settled, store_settlement};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::operator::alarms::{log, may_be_made_good};

/// Refunds of one round of the worker at most.
const ROUND_MAX: u32 = 20;
/// A claimed refund is left alone by other workers for so long: longer than all its calls may take.
const CLAIM: SignedDuration = SignedDuration::from_secs(120);

/// What is wanted of a refund.
#[derive(Clone, Copy)]
enum Wanted {
    /// The acquirer is to be asked for it.
    Ask(RefundWish),
    /// The acquirer has made it by itself.
    Record(KnownPart),
}

/// The result of admitting a refund in a unit of work.
type Admitted = std::result::Result<(Refund, Settled), RefundRefusal>;

impl Payments {
    /// Gives money of a paid order back to the card, and returns how far that came, as far as is known: a refund of which the database does
    /// not tell more has the stage in which it was begun. The acquirer is asked first where the order's money stands. The inner error says
    /// why nothing was begun.
    ///
    /// # Errors
    /// `acquirer_unavailable` where the acquirer does not tell what was given back before; fails when the database fails. In both cases
    /// nothing was sent.
    pub(crate) async fn refund(
        &self,
        order: &Order,
        wish: RefundWish,
        reason: &OperatorReason,
        origin: Origin,
    ) -> Result<std::result::Result<Refund, RefundRefusal>> {
        if order.status.has_money()
            && let Some(refusal) = self.refusal_of_acquirer(order.id).await?
        {
            return Ok(Err(refusal));
        }
        let wanted = Wanted::Ask(wish);
        let (refund, settled) = match self.admit(order, wanted, reason, origin).await? {
            Ok(begun) => begun,
            Err(refusal) => return Ok(Err(refusal)),
        };
        log(&settled.committed);
        // The request may have been sent, so an error of the database must not look as if nothing was.
        if let Err(error) = self.submit_refund(&refund).await {
            tracing::error!(order.id = %order.id, refund.id = %refund.id, %error, "How far a refund came can't be stored");
        }
        let (id, order) = (refund.id, order.id);
        let read = move |tx: &mut Tx| refunds::of_order(tx, order);
        let stored = match self.store.read(read).await {
            Ok(known) => known.into_iter().find(|known| known.id == id),
            Err(error) => {
                tracing::error!(order.id = %order, refund.id = %id, %error, "How far a refund came can't be read");
                None
            }
        };
        Ok(Ok(stored.unwrap_or(refund)))
    }

    /// Records for what the acquirer gave money back without our asking. The acquirer is asked first where the order's money stands, and
    /// gives nothing back. The inner error says why nothing was recorded.
    ///
    /// # Errors
    /// As for [`Payments::refund`].
    pub(crate) async fn record_refund(
        &self,
        order: &Order,
        part: KnownPart,
        reason: &OperatorReason,
        origin: Origin,
    ) -> Result<std::result::Result<Refund, RefundRefusal>> {
        if order.status.has_money()
            && let Some(refusal) = self.refusal_of_acquirer(order.id).await?
        {
            return Ok(Err(refusal));
        }
        let wanted = Wanted::Record(part);
        let admitted = self.admit(order, wanted, reason, origin).await?;
        Ok(admitted.map(|(refund, settled)| {
            log(&settled.committed);
            refund
        }))
    }

    /// Returns what a refund would be by what is stored, and all transfers of its order. Asks nobody, and changes nothing.
    pub(crate) async fn look_at_refund(
        &self,
        order: OrderId,
        wish: RefundWish,
        reason: &OperatorReason,
    ) -> Result<std::result::Result<(Refund, Vec<Transfer>), RefundRefusal>> {
        let facts = (
            RefundId::new(self.ids.random_id()),
            reason.clone(),
            self.clock.now(),
        );
        let read = move |tx: &mut Tx| -> std::result::Result<_, StorageError> {
            let Some(case) = payments::case_of(tx, order)? else {
                return Ok(Err(RefundRefusal::NotPaid(OrderStatus::Expired)));
            };
            let known = transfers::of_order(tx, order)?;
            let admitted = admit_asked(tx, &case, &known, wish, facts.clone())?;
            Ok(admitted.map(|refund| (refund, known)))
        };
        Ok(self.store.read(read).await?)
    }

    /// Asks the acquirer for the state of the order's charges, and settles the answers. Refuses where it works at a refund that is not under way
    /// here, where it names no refunds and tells less given back than before, or where it does not say whether a charge was made after all: a
    /// payment that it does not know any more may have been made until that is a proof.
    async fn refusal_of_acquirer(&self, order: OrderId) -> Result<Option<RefundRefusal>> {
        let unavailable = || Refusal::new(RefusalKind::Outside, Key::AcquirerUnavailable);
        let read = move |tx: &mut Tx| payments::case_of(tx, order);
        let case = self.store.read(read).await?;
        let charge = case.as_ref().and_then(Case::counting_charge);
        let asked = charge.and_then(|charge| {
            let invoice = charge.invoice_id.as_ref()?;
            Some((charge.id, charge.acquirer, invoice))
        });
        let left_out = asked.map(|(id, ..)| id);
        let (_, silent) = self.question_but(order, left_out).await?;
        let given_up = |unanswered: &Unanswered| unanswered.attempt.is_given_up();
        if silent.iter().any(given_up) {
            return Ok(Some(RefundRefusal::GivenUpChargeUnread));
        }
        // What is proved to be over has taken no money, also where that acquirer can't be asked any more.
        let open = silent.iter().filter(|one| !one.attempt.is_over_unpaid());
        let unknown_until: Option<Vec<_>> = open.map(|one| one.unknown_until).collect();
        let Some(unknown_until) = unknown_until else {
            return Err(unavailable().into());
        };
        if let Some(until) = unknown_until.into_iter().max() {
            return Ok(Some(RefundRefusal::PaymentUnknown(until)));
        }
        let Some((id, name, invoice)) = asked else {
            return Ok(None);
        };
        let acquirer = self.acquirers.of(name);
        let state = acquirer.invoice_status(invoice).await;
        let state = state.map_err(|_| unavailable())?;
        let settled = self
            .settler
            .settle_state(order, &state, acquirer.as_ref())
            .await?;
        let case = settled.map(|settled| settled.case);
        if has_open_one(name, &state.refunds, case.as_ref()) {
            return Ok(Some(RefundRefusal::OpenAtAcquirer));
        }
        let charge = case.as_ref().and_then(|case| case.attempt(id));
        let known = charge.map_or(Money::ZERO, |charge| charge.refunded);
        let told = news_of(name, &state, None).refunded;
        // An answer that names no sum tells nothing about refunds, so it is no reason to give anything back by hand.
        if !name.lists_refunds() && told.is_zero() && !known.is_zero() {
            return Err(unavailable().into());
        }
        let is_less = !name.lists_refunds() && told < known;
        Ok(is_less.then_some(RefundRefusal::ToldLess { known, told }))
    }

    /// Decides whether a refund may be begun or recorded, and stores it, all under the lock of the order and its transfers.
    async fn admit(
        &self,
        order: &Order,
        wanted: Wanted,
        reason: &OperatorReason,
        origin: Origin,
    ) -> Result<Admitted> {
        let context = self.settler.context().by(origin);
        let id = RefundId::new(self.ids.random_id());
        let (order, notary, reason) = (order.id, order.notary_id, reason.clone());
        let write = move |tx: &mut Tx| -> Result<Admitted, StorageError> {
            let locked = lock_notary(tx, notary)?;
            let found = payments::lock_case_of(tx, &locked, order)?;
            let Some((locked_order, OrderCase { case, .. })) = found else {
                return Ok(Err(RefundRefusal::NotPaid(OrderStatus::Expired)));
            };
            let transfers = locked_transfers(tx, &locked_order)?;
            let facts = (id, reason.clone(), context.unit.now);
            let admitted = match wanted {
                Wanted::Ask(wish) => admit_asked(tx, &case, &transfers, wish, facts)?,
                Wanted::Record(part) => {
                    let open = alarms::open_kinds(tx, order)?;
                    admit_known_refund(&case, &transfers, part, OpenDoubts(&open), facts)
                }
            };
            let refund = match admitted {
                Ok(refund) => refund,
                Err(refusal) => return Ok(Err(refusal)),
            };
            // A restored copy may call planned what the bank has.
            if takes_transfers(wanted) && transfers::stopped_since(tx)?.is_some() {
                return Ok(Err(RefundRefusal::TransfersNotCompared));
            }
            let mut entry = AuditEntry::new(AuditAction::RefundAsked)
                .of_notary(notary)
                .on_order(order)
                .with("amount", refund.amount)
                .with("scope", AuditValue::word(refund.scope.as_str()))
                .because(&reason);
            if let Some(transfer) = refund.scope.transfer() {
                entry = entry.on(AuditObject::Transfer(transfer));
            }
            entry.record(tx, &mut context.unit.clone(), &context.origin)?;
            let boxed = Box::new(refund.clone());
            let news = match wanted {
                Wanted::Ask(_) => News::RefundAsked(boxed),
                Wanted::Record(_) => News::RefundKnown(boxed),
            };
            let guards = (&locked, &locked_order);
            let settled = store_settlement(tx, guards, &context, &case, &news)?;
            Ok(Ok((refund, settled)))
        };
        Ok(self.store.write(write).await?)
    }

    /// Sends the request of a prepared refund, and settles the answer. Another process that has sent it or given it up keeps it from
    /// being sent.
    async fn submit_refund(&self, refund: &Refund) -> Result<()> {
        let began = SendingTime::begin(&*self.clock);
        let charge = refund.attempt_id;
        let read = move |tx: &mut Tx| attempts::by_id(tx, charge);
        let Some(charge) = self.store.read(read).await? else {
            return Ok(());
        };
        let acquirer = self.acquirers.of(charge.acquirer);
        let news = News::RefundSubmitting(refund.id, acquirer.time());
        let settled = self.settler.settle(refund.order_id, news).await?;
        let Some(settled) = settled else {
            return Ok(());
        };
        let attempt = settled.case.attempt(refund.attempt_id);
        let invoice = attempt.and_then(|attempt| attempt.invoice_id.clone());
        let reference = RefundReference::parse(&refund.id.to_string());
        let (SettlementVerdict::Applied, Some(invoice), Some(refund_reference)) =
            (settled.verdict, invoice, reference)
        else {
            return Ok(());
        };
        let request = RefundRequest {
            invoice,
            refund_reference,
            amount: refund.amount,
        };
        let answer = if began.is_over(&*self.clock) {
            RefundAnswer::NotSent
        } else {
            match acquirer.refund(&request).await {
                Ok(AcquirerAnswer::Accepted) => RefundAnswer::Accepted,
                Ok(AcquirerAnswer::Failed) => RefundAnswer::Refused {
                    code: "failure".to_owned(),
                },
                Err(error) => answer_of(refund.order_id, error),
            }
        };
        let is_accepted = answer == RefundAnswer::Accepted;
        let news = News::RefundAnswered(refund.id, answer);
        self.settler.settle(refund.order_id, news).await?;
        if is_accepted {
            self.ask_about_refund(refund).await?;
        }
        Ok(())
    }

    /// Asks about every refund that is due. Returns how many there were.
    pub(super) async fn poll_refunds(&self) -> Result<usize> {
        let now = self.clock.now();
        let claim = move |tx: &mut Tx| refunds::claim_due(tx, now, now + CLAIM, ROUND_MAX);
        let due = self.store.write(claim).await?;
        for (id, order) in &due {
            if let Err(error) = self.poll_refund(*id, *order).await {
                tracing::error!(order.id = %order, refund.id = %id, %error, "A refund can't be asked about");
                self.settler.call_about(*order, &error).await;
            }
            self.heartbeat.record();
        }
        Ok(due.len())
    }

    async fn poll_refund(&self, id: RefundId, order: OrderId) -> Result<()> {
        let read = move |tx: &mut Tx| refunds::of_order(tx, order);
        let known = self.store.read(read).await?;
        let Some(refund) = known.iter().find(|refund| refund.id == id) else {
            return Ok(());
        };
        match next_refund_call(refund) {
            NextRefundCall::Nothing => Ok(()),
            NextRefundCall::GiveUpUnsent => {
                let news = News::RefundGivenUpUnsent(id);
                self.settler.settle(order, news).await.map(drop)
            }
            NextRefundCall::AskState => self.ask_about_refund(refund).await,
        }
    }

    /// Reads the invoice of a refund's charge, which lists its refunds, and settles what it says.
    async fn ask_about_refund(&self, refund: &Refund) -> Result<()> {
        let order = refund.order_id;
        let read = move |tx: &mut Tx| payments::case_of(tx, order);
        let case = self.store.read(read).await?;
        let charge = case
            .as_ref()
            .and_then(|case| case.attempt(refund.attempt_id));
        let asked = charge.and_then(|charge| Some((charge.acquirer, charge.invoice_id.clone()?)));
        let Some((acquirer, invoice)) = asked else {
            return Ok(());
        };
        let acquirer = self.acquirers.of(acquirer);
        let error = match acquirer.invoice_status(&invoice).await {
            Ok(state) => {
                return self
                    .settler
                    .settle_state(order, &state, acquirer.as_ref())
                    .await
                    .map(drop);
            }
            Err(error) => error,
        };
        tracing::warn!(order.id = %order, refund.id = %refund.id, %error, "What became of a refund is not known");
        let news = News::RefundSilent {
            refund: refund.id,
            error: error.to_string(),
            pause: pause_of(&error),
        };
        self.settler.settle(order, news).await.map(drop)
    }
}

/// Decides whether a refund that is asked for may be begun ([`admit_refund`]). What was missing where an acquirer without names of refunds told
/// less than before is given back in its cabinet: the same sum that is asked for here later would go twice.
fn admit_asked(
    tx: &mut Tx,
    case: &Case,
    transfers: &[Transfer],
    wish: RefundWish,
    facts: (RefundId, OperatorReason, Timestamp),
) -> std::result::Result<std::result::Result<Refund, RefundRefusal>, StorageError> {
    let open = alarms::open_kinds(tx, case.order.id)?;
    let admitted = admit_refund(case, transfers, wish, OpenDoubts(&open), facts);
    let charge = case.counting_charge();
    if let (
        Ok(_),
        RefundWish::Sum {
            is_again: false, ..
        },
        Some(charge),
    ) = (&admitted, wish, charge)
        && may_be_made_good(tx, charge)?
    {
        return Ok(Err(RefundRefusal::MayBeMadeGood));
    }
    Ok(admitted)
}

/// Returns whether an acquirer lists an open refund that is not under way here. Where refunds have no names, an open one may be of another
/// payment and does not count.
fn has_open_one(acquirer: AcquirerName, listed: &[Listed], case: Option<&Case>) -> bool {
    let is_ours = |reference: Option<&String>| {
        let id = reference.and_then(|text| RefundId::parse(text));
        let refund = id.and_then(|id| case?.refund(id));
        refund.is_some_and(Refund::is_under_way)
    };
    let is_open = |refund: &Listed| RefundEnd::from_wire(&refund.status) == RefundEnd::Open;
    let mut open = listed.iter().filter(|refund| is_open(refund));
    acquirer.lists_refunds() && open.any(|refund| !is_ours(refund.refund_reference.as_ref()))
}

/// Returns whether the acquirer is to be asked for money that transfers would bring to recipients.
const fn takes_transfers(wanted: Wanted) -> bool {
    match wanted {
        Wanted::Ask(RefundWish::Whole | RefundWish::Transfer(_)) => true,
        Wanted::Ask(RefundWish::Sum { .. }) | Wanted::Record(_) => false,
    }
}

/// Returns the transfers of an order, each locked, as they are after everything that others have committed.
fn locked_transfers(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<Vec<Transfer>, StorageError> {
    let mut all = Vec::new();
    for known in transfers::of_order(tx, order.id())? {
        let found = transfers::lock_of(tx, order, known.id)?;
        all.extend(found.map(|(_locked, transfer)| transfer));
    }
    Ok(all)
}

/// Returns what an error says about a refund. The errors differ in whether money can have moved.
fn answer_of(order: OrderId, error: AcquirerError) -> RefundAnswer {
    tracing::warn!(order.id = %order, %error, "The acquirer did not take a refund");
    match error {
        AcquirerError::Refused { code } => RefundAnswer::Refused { code },
        AcquirerError::Unavailable | AcquirerError::TooMany { .. } => RefundAnswer::NotSent,
        AcquirerError::Unknown => RefundAnswer::Unknown {
            error: error.to_string(),
            pause: SignedDuration::ZERO,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_that_is_kept_for_a_refund_without_a_name_keeps_no_other_out() {
        let listed = |status: &str| Listed {
            status: status.to_owned(),
            amount: None,
            refund_reference: None,
        };
        for (acquirer, keeps_out) in [
            (AcquirerName::Monobank, true),
            (AcquirerName::LiqPay, false),
        ] {
            let open = [listed("success"), listed("processing")];
            assert_eq!(has_open_one(acquirer, &open, None), keeps_out);
            assert!(!has_open_one(acquirer, &[listed("success")], None));
        }
    }
}
