//! `POST /order/{id}/cancel`: an unpaid order ends at the notary's wish.
//!
//! The payment page is closed first, by the steps that precede a new link. In the unit of work that sees that nothing is open, the
//! order ends and its items go back to the cart, or not. Whatever keeps the page from being closed leaves the order as it is. The
//! press is stored before the page is closed, so that the worker finishes what a stopped process has begun (decision 39), and no link is
//! given that is closed then. Whoever pays meanwhile, or has QR codes shown, takes it back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cabinet_domain::payment::{
    AttemptKind, AttemptState, Case, Clocks, InvoiceStatus, News, Renewal, renewal,
};
use cabinet_domain::{
    Actor, AttemptId, AuditAction, BegunCancellation, CancelledItems, EventId, Key, NotaryId,
    Order, OrderEventKind, OrderHistoryEvent, OrderId, Origin,
};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::{LockedOrder, StorageError, Tx, lock_notary};
use jiff::{SignedDuration, Timestamp};
use tracing::Instrument as _;

use super::Payments;
use super::store_settlement::{Settled, store_settlement};
use super::withdraw::ROUNDS_MAX;
use crate::audit::AuditEntry;
use crate::cart::check_room_for;
use crate::kernel::asker::Decider;
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts;
use crate::operator::alarms::log;
use crate::order::own_order::{not_found, own_order};
use crate::order::span::span_of;

/// A cancellation that is not over after so long was left behind by a process that has ended: it is longer than all its calls may take.
const LEFT_BEHIND_AFTER: SignedDuration = SignedDuration::from_secs(120);
/// Cancellations that one round of the worker finishes at most, beside those that wait for an acquirer.
const ROUND_MAX: u32 = 20;
/// The worker waits so long after an acquirer did not answer: its rounds follow each other within a second.
const PAUSE: SignedDuration = SignedDuration::from_secs(60);

/// How an order is cancelled.
#[derive(Clone, Copy, Debug)]
pub struct CancelRequest {
    /// What happens to its items.
    pub items: CancelledItems,
    /// The notary says that nobody paid by the order's QR codes.
    pub despite_codes: bool,
}

/// Remembers the orders whose cancellation the worker could not finish, because an acquirer did not answer, and when that was.
#[derive(Clone, Debug, Default)]
pub(crate) struct CancellationPause {
    silent: Arc<Mutex<HashMap<OrderId, Timestamp>>>,
}

impl CancellationPause {
    fn orders(&self) -> MutexGuard<'_, HashMap<OrderId, Timestamp>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, order: OrderId, now: Timestamp) {
        self.orders().insert(order, now);
    }

    fn count(&self) -> u32 {
        u32::try_from(self.orders().len()).unwrap_or(u32::MAX)
    }

    /// Whether the worker still waits. A pause that begins in the future is over: the clock was set back.
    fn lasts(&self, now: Timestamp) -> bool {
        let is_recent = |begun: &Timestamp| {
            let age = now.duration_since(*begun);
            age >= SignedDuration::ZERO && age < PAUSE
        };
        self.orders().values().any(is_recent)
    }

    /// Sorts the orders of a round so that none keeps another waiting, and forgets those that wait no more.
    fn sort(&self, round: &mut [(OrderId, NotaryId)]) {
        let mut silent = self.orders();
        silent.retain(|order, _| round.iter().any(|(waiting, _)| waiting == order));
        round.sort_by_key(|(order, _)| silent.get(order).copied());
    }
}

/// The next step of a cancellation.
enum Step {
    /// The order is cancelled.
    Done(Option<Settled>),
    /// This must happen first.
    Close(Renewal, Box<Case>),
}

impl Payments {
    /// Cancels an unpaid order. An order that was cancelled before stays so, and nothing is returned twice.
    ///
    /// # Errors
    /// `unauthorized`; `order_not_found`; `order_not_cancellable` if it was paid, also meanwhile; `payment_codes_given` where items would go back
    /// though somebody may have paid by QR codes; `payment_outcome_unknown` while a card is being charged; `payment_page_not_closed`
    /// and `acquirer_unavailable` if the acquirer does not confirm that the page is closed; `order_returned_to_cart`,
    /// `order_under_review`, `order_anonymised`, `cart_full`. The order then stays as it is.
    pub async fn cancel(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        request: CancelRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<()> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?;
        errors.check()?;
        if order.cancelled_at.is_some() {
            return Ok(());
        }
        if !order.status.has_money() {
            // It may have been paid a moment ago.
            self.inquire(order.id).await?;
        }
        let by_support = matches!(origin.actor, Actor::Operator(_));
        let press = self
            .begin_cancellation(decider, order.id, request, by_support)
            .await?;
        self.carry_out_cancellation((notary, order.id), press, origin)
            .await
    }

    /// Finishes the cancellations that ended processes have left behind.
    pub(super) async fn finish_cancellations(&self) -> Result<()> {
        let now = self.clock.now();
        if self.cancellation_pause.lasts(now) {
            return Ok(());
        }
        let moment = now - LEFT_BEHIND_AFTER;
        let limit = ROUND_MAX.saturating_add(self.cancellation_pause.count());
        let read = move |tx: &mut Tx| orders::cancellations_begun_before(tx, moment, limit);
        let mut round = self.store.read(read).await?;
        self.cancellation_pause.sort(&mut round);
        for (order, notary) in round {
            let read = move |tx: &mut Tx| orders::begun_cancellation(tx, order);
            // It may have ended meanwhile.
            let Some(press) = self.store.read(read).await? else {
                continue;
            };
            let finishing = self.finish_cancellation((notary, order), press);
            if let Err(error) = finishing.instrument(span_of(order)).await {
                tracing::error!(order.id = %order, %error, "A cancellation can't be finished");
            }
            self.heartbeat.record();
            // Payments wait for this round.
            if self.cancellation_pause.lasts(self.clock.now()) {
                break;
            }
        }
        Ok(())
    }

    /// Finishes a cancellation. One that is refused is dropped, but not because an acquirer does not answer now.
    async fn finish_cancellation(
        &self,
        (notary, order): (NotaryId, OrderId),
        press: BegunCancellation,
    ) -> Result<()> {
        let origin = Origin::worker();
        match self.close_and_cancel((notary, order), press, &origin).await {
            Ok(()) => tracing::info!(order.id = %order, "A cancellation is finished"),
            Err(AppError::Refused(refusal)) if refusal.kind == RefusalKind::Unavailable => {
                tracing::warn!(order.id = %order, key = %refusal.key, "A cancellation waits for the acquirer");
                self.cancellation_pause.begin(order, self.clock.now());
            }
            Err(AppError::Refused(refusal)) => {
                tracing::warn!(order.id = %order, key = %refusal.key, "A cancellation is dropped");
                // Nobody waits for the worker's answer.
                self.forget_press(order, press, Some(refusal.key)).await?;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Stores a press of the notary or of the support. What refuses it now leaves the payer the page.
    async fn begin_cancellation(
        &self,
        decider: Decider,
        order: OrderId,
        request: CancelRequest,
        by_support: bool,
    ) -> Result<BegunCancellation> {
        let press = BegunCancellation {
            at: self.clock.now(),
            items: request.items,
            by_support,
        };
        let notary = decider.notary;
        let write = move |tx: &mut Tx| -> Result<BegunCancellation> {
            let (locked, _) = decider.lock(tx, press.at)?;
            let found = orders::lock_of(tx, &locked, order)?;
            let (locked, known) = found.ok_or_else(not_found)?;
            if known.status.has_money() || known.codes_payment().is_some() {
                return Err(Refusal::conflict(Key::OrderNotCancellable).into());
            }
            if request.items == CancelledItems::ToCart {
                // What may have been paid by a code must not be offered for paying by card.
                if known.may_be_paid_by_codes() && !request.despite_codes {
                    return Err(Refusal::conflict(Key::PaymentCodesGiven).into());
                }
                let items = orders::items_of(tx, order)?;
                check_room_for(tx, notary, &items)?;
            }
            orders::begin_cancellation(tx, &locked, press)?;
            // As it is stored: without nanoseconds.
            Ok(orders::begun_cancellation(tx, order)?.ok_or_else(not_found)?)
        };
        self.store.write(write).await
    }

    /// Closes what is open of an order, and ends it. The press is forgotten if that is refused.
    async fn carry_out_cancellation(
        &self,
        (notary, order): (NotaryId, OrderId),
        press: BegunCancellation,
        origin: Origin,
    ) -> Result<()> {
        let ended = self.close_and_cancel((notary, order), press, &origin).await;
        if matches!(ended, Err(AppError::Refused(_))) {
            self.forget_press(order, press, None).await?;
        }
        ended
    }

    /// Forgets a press that was refused. `told_by_history`: the reason, where the order's history alone tells of it.
    async fn forget_press(
        &self,
        order: OrderId,
        press: BegunCancellation,
        told_by_history: Option<Key>,
    ) -> Result<()> {
        let unit = self.ids.unit();
        let forget = move |tx: &mut Tx| -> Result<(), StorageError> {
            let tx = &mut tx.without_notary();
            let Some((locked, known)) = orders::lock(tx, order)? else {
                return Ok(());
            };
            // A later press has a request of its own.
            if orders::begun_cancellation(tx, order)? != Some(press) {
                return Ok(());
            }
            orders::end_cancellation(tx, &locked)?;
            match told_by_history {
                Some(key) => record_dropped(tx, &mut unit.clone(), (&locked, &known), key),
                None => Ok(()),
            }
        };
        Ok(self.store.write(forget).await?)
    }

    async fn close_and_cancel(
        &self,
        (notary, order): (NotaryId, OrderId),
        press: BegunCancellation,
        origin: &Origin,
    ) -> Result<()> {
        let mut tried = Vec::new();
        for _ in 0..ROUNDS_MAX {
            match self
                .cancel_if_closed((notary, order), press, &tried, origin)
                .await?
            {
                Step::Done(settled) => {
                    if let Some(settled) = &settled {
                        log(&settled.committed);
                    }
                    return Ok(());
                }
                Step::Close(step, case) => {
                    let closed = self.close_next(step, &case, &mut tried).await;
                    closed.map_err(|error| exact(error, &case))?;
                }
            }
        }
        Err(Refusal::conflict(Key::PaymentPageNotClosed).into())
    }

    /// Cancels the order if nothing of it is open and a press stands: the latest, which says what happens to the items. Where another
    /// press was refused and forgotten, the one whose answer is waited for stands. Decided and stored in one unit of work, so that nobody
    /// makes a new page meanwhile.
    async fn cancel_if_closed(
        &self,
        (notary, order): (NotaryId, OrderId),
        press: BegunCancellation,
        tried: &[AttemptId],
        origin: &Origin,
    ) -> Result<Step> {
        let context = self.settler.context().by(origin.clone());
        let unit = self.ids.unit_at(context.unit.now);
        let tried = tried.to_vec();
        let time = Clocks {
            ours: context.unit.now,
            theirs: self.acquirers.time(),
        };
        let notifier = self.notifier.clone();
        let is_waited_for = !matches!(origin.actor, Actor::Worker);
        let write = move |tx: &mut Tx| -> Result<Step> {
            let locked = lock_notary(tx, notary)?;
            let found = payments::lock_case_of(tx, &locked, order)?;
            let (
                locked_order,
                OrderCase {
                    order: known, case, ..
                },
            ) = found.ok_or_else(not_found)?;
            if case.order.is_cancelled {
                orders::end_cancellation(tx, &locked_order)?;
                return Ok(Step::Done(None));
            }
            let stands = match orders::begun_cancellation(tx, order)? {
                Some(stands) => stands,
                None => match taken_back(&known, press) {
                    None if is_waited_for => press,
                    why => {
                        let why = why.unwrap_or(Key::PaymentPageNotClosed);
                        return Err(Refusal::conflict(why).into());
                    }
                },
            };
            // Items of an erased notary or client would name them again.
            if erasure::is_anonymised(tx, order)? || erasure::is_notary_erased(tx, notary)? {
                return Err(Refusal::conflict(Key::OrderAnonymised).into());
            }
            let step = renewal(&case, false, &tried, time);
            if step != Renewal::ReturnToCart {
                return Ok(Step::Close(step, Box::new(case)));
            }
            if stands.items == CancelledItems::ToCart {
                let items = orders::items_of(tx, order)?;
                check_room_for(tx, notary, &items)?;
            }
            let mut unit = unit.clone();
            AuditEntry::new(AuditAction::OrderCancelled)
                .of_notary(notary)
                .on_order(order)
                .with("items", stands.items)
                .record(tx, &mut unit, &context.origin)?;
            let news = News::Cancelled(stands.items);
            let guards = (&locked, &locked_order);
            let settled = store_settlement(tx, guards, &context, &case, &news)?;
            if !settled.case.order.is_cancelled {
                return Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into());
            }
            orders::end_cancellation(tx, &locked_order)?;
            // A notary who cancels sees it.
            if stands.by_support {
                let number = orders::number_of(tx, order)?.unwrap_or_default();
                let notice = texts::cancelled_by_support(number, stands.items);
                notifier.tell(tx, &mut unit, notary, notice)?;
            }
            Ok(Step::Done(Some(settled)))
        };
        self.store.write(write).await
    }
}

/// Records in the order's history why its cancellation was dropped.
fn record_dropped(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (locked, order): (&LockedOrder<'_>, &Order),
    key: Key,
) -> Result<(), StorageError> {
    let event = OrderHistoryEvent {
        id: EventId::new(unit.new_id()),
        order_id: order.id,
        at: unit.now,
        kind: OrderEventKind::CancellationDropped,
        from_status: Some(order.status),
        to_status: None,
        detail: Some(key.to_string()),
    };
    order_events::add(tx, locked, &event)
}

/// Returns why a press does not stand any more, if anybody took it back: somebody has paid meanwhile, or has QR codes.
fn taken_back(order: &Order, press: BegunCancellation) -> Option<Key> {
    if order.status.has_money() || order.codes_payment().is_some() {
        Some(Key::OrderNotCancellable)
    } else if order.returned_to_cart_at.is_some() {
        Some(Key::OrderReturnedToCart)
    } else if order.codes_given_at().is_some_and(|at| at >= press.at) {
        Some(Key::PaymentCodesGiven)
    } else {
        None
    }
}

/// Says of a refusal what it means for a cancellation.
fn exact(error: AppError, case: &Case) -> AppError {
    match page_is_open(error, case) {
        AppError::Refused(refusal) if refusal.key == Key::OrderNotPayable => {
            Refusal::conflict(Key::OrderNotCancellable).into()
        }
        other => other,
    }
}

/// Turns `payment_outcome_unknown` into `payment_page_not_closed` where the latest attempt is an open page on which nobody has paid yet.
/// Other errors stay as they are.
pub(super) fn page_is_open(error: AppError, case: &Case) -> AppError {
    let is_unpaid_page = case.latest().is_some_and(|latest| {
        let told = latest.told.as_ref().map(|told| &told.status);
        latest.kind == AttemptKind::Invoice
            && latest.state == AttemptState::Accepted
            && matches!(
                told,
                None | Some(InvoiceStatus::Created | InvoiceStatus::Failure)
            )
    });
    match error {
        AppError::Refused(refusal)
            if refusal.key == Key::PaymentOutcomeUnknown && is_unpaid_page =>
        {
            Refusal::conflict(Key::PaymentPageNotClosed).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn an_order_whose_acquirer_is_silent_keeps_no_other_waiting() {
        let order = |number| OrderId::new(Uuid::from_u128(number));
        let notary = NotaryId::new(Uuid::nil());
        let pause = CancellationPause::default();
        pause.begin(order(1), at(100));
        assert_eq!(
            [99, 100, 159, 160].map(|now| pause.lasts(at(now))),
            [false, true, true, false]
        );
        pause.begin(order(2), at(200));
        pause.begin(order(9), at(210));
        assert_eq!(pause.count(), 3);
        let mut round = [order(2), order(1), order(3)].map(|order| (order, notary));
        pause.sort(&mut round);
        assert_eq!(round.map(|(order, _)| order), [3, 1, 2].map(order));
        assert_eq!(pause.count(), 2, "one of them waits no more");
    }
}
