//! `POST /order/{id}/codes/paid` and `…/undo`: the notary marks an order as paid by QR codes, and takes the mark back.
//!
//! The cabinet has not seen this money, so the mark changes nothing that is counted of cards: neither the status that follows from the
//! acquirer's word, nor transfers, sums or reports of the operator. It ends every way to pay by card, by the steps that precede the codes
//! (decision 34).

use cabinet_domain::payment::{Case, Clocks, CodesMark, Renewal, codes_mark, may_undo_codes_mark};
use cabinet_domain::{
    AttemptId, AuditAction, CODES_REFERENCE_CHARS_MAX, CodesPayment, EventId, Key, Line, Order,
    OrderEventKind, OrderHistoryEvent, OrderId, Origin,
};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::{codes_credits, order_events, orders};
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Change, LockedOrder, StorageError, Tx};

use super::Payments;
use super::cancel::page_is_open;
use super::withdraw::ROUNDS_MAX;
use crate::audit::AuditEntry;
use crate::kernel::asker::Decider;
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::order::own_order::{not_found, own_order};

/// What the notary tells of a payment by QR codes. Nothing of it is trusted.
#[derive(Default)]
pub struct CodesPaymentRequest {
    /// The UETR or reference on the payer's own receipt; blank for none.
    pub reference: Option<String>,
}

/// The next step of a mark.
enum Step {
    /// It is made, or was before.
    Done,
    /// This must happen first.
    Close(Renewal, Box<Case>),
}

impl Payments {
    /// Marks an order as paid by its QR codes. What is open of it is closed first. One that is marked already stays so, with the new
    /// reference.
    ///
    /// # Errors
    /// The keys of the field; `unauthorized`; `order_not_found`; `payment_codes_not_given`; `order_not_payable` where a card has paid it;
    /// `payment_outcome_unknown` while a card is being charged; `payment_page_not_closed` and `acquirer_unavailable` where the acquirer does
    /// not confirm that the page is closed; `order_cancelled`, `order_returned_to_cart`, `order_under_review`, `order_anonymised`.
    pub async fn mark_codes_paid(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        request: CodesPaymentRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<()> {
        let decider = decider.into();
        let order = own_order(&self.store, decider.notary, order).await?;
        let reference = read_reference(request, errors)?;
        if !order.status.has_money() {
            // It may have been paid a moment ago.
            self.inquire(order.id).await?;
        }
        let mut tried = Vec::new();
        for _ in 0..ROUNDS_MAX {
            let mark = self.mark_if_closed((decider, order.id), &reference, &tried, &origin);
            match mark.await? {
                Step::Done => return Ok(()),
                Step::Close(step, case) => {
                    let closed = self.close_next(step, &case, &mut tried).await;
                    closed.map_err(|error| page_is_open(error, &case))?;
                }
            }
        }
        Err(Refusal::conflict(Key::PaymentPageNotClosed).into())
    }

    /// Takes the mark back, and with it what statements told of the payment. An order without a mark stays as it is.
    ///
    /// # Errors
    /// `unauthorized`; `order_not_found`; `order_under_review` while money that came by card all the same waits for the operator; `order_anonymised`.
    pub async fn undo_codes_paid(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        origin: Origin,
    ) -> Result<()> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?.id;
        let unit = self.ids.unit_at(self.clock.now());
        let write = move |tx: &mut Tx| -> Result<()> {
            let (locked, _) = decider.lock(tx, unit.now)?;
            let found = payments::lock_case_of(tx, &locked, order)?;
            let (
                locked,
                OrderCase {
                    order: known, case, ..
                },
            ) = found.ok_or_else(not_found)?;
            if known.codes_payment().is_none() {
                return Ok(());
            }
            refuse_anonymised(tx, order)?;
            may_undo_codes_mark(&case, transfers::has_held(tx, order)?)
                .map_err(Refusal::conflict)?;
            let mut unit = unit.clone();
            orders::record_codes_payment(tx, &locked, None, unit.now)?;
            codes_credits::forget(tx, &locked)?;
            let of = (&locked, &known);
            tell(tx, &mut unit, of, OrderEventKind::CodesPaymentUndone)?;
            AuditEntry::new(AuditAction::PaymentCodesMarkUndone)
                .of_notary(notary)
                .on_order(order)
                .record(tx, &mut unit, &origin)?;
            Ok(())
        };
        self.store.write(write).await
    }

    /// Marks the order if nothing of it is open. Decided and stored in one unit of work, so that nobody makes a new page meanwhile.
    async fn mark_if_closed(
        &self,
        (decider, order): (Decider, OrderId),
        reference: &Option<Line>,
        tried: &[AttemptId],
        origin: &Origin,
    ) -> Result<Step> {
        let (notary, now) = (decider.notary, self.clock.now());
        let unit = self.ids.unit_at(now);
        let time = Clocks {
            ours: now,
            theirs: self.acquirers.time(),
        };
        let (reference, tried, origin) = (reference.clone(), tried.to_vec(), origin.clone());
        let write = move |tx: &mut Tx| -> Result<Step> {
            let (locked, _) = decider.lock(tx, now)?;
            let found = payments::lock_case_of(tx, &locked, order)?;
            let (
                locked,
                OrderCase {
                    order: known, case, ..
                },
            ) = found.ok_or_else(not_found)?;
            refuse_anonymised(tx, order)?;
            let marked_at = match codes_mark(&case, &tried, time) {
                CodesMark::Refuse(key) => {
                    let refused = Refusal::conflict(key).into();
                    return Err(page_is_open(refused, &case));
                }
                CodesMark::Close(step) => return Ok(Step::Close(step, Box::new(case))),
                CodesMark::Mark => now,
                CodesMark::Marked => known.codes_payment().map_or(now, |known| known.marked_at),
            };
            let payment = CodesPayment {
                marked_at,
                reference: reference.clone(),
            };
            if known.codes_payment() == Some(&payment) {
                return Ok(Step::Done);
            }
            let mut unit = unit.clone();
            orders::record_codes_payment(tx, &locked, Some(&payment), now)?;
            orders::end_cancellation(tx, &locked)?;
            if known.codes_payment().is_none() {
                let of = (&locked, &known);
                tell(tx, &mut unit, of, OrderEventKind::CodesPaid)?;
            } else {
                tx.announce(Change::Order(notary, order));
            }
            AuditEntry::new(AuditAction::PaymentCodesMarked)
                .of_notary(notary)
                .on_order(order)
                .record(tx, &mut unit, &origin)?;
            Ok(Step::Done)
        };
        self.store.write(write).await
    }
}

fn read_reference(
    request: CodesPaymentRequest,
    mut errors: FieldErrors,
) -> Result<Option<Line>, Refusal> {
    errors.refuse_card("reference", request.reference.as_deref());
    let reference = errors.optional("reference", &request.reference, |text| {
        Line::parse(text, CODES_REFERENCE_CHARS_MAX).map_err(|error| error.key(Key::FieldRequired))
    });
    errors.check()?;
    Ok(reference.flatten())
}

pub(super) fn refuse_anonymised(tx: &mut Tx, order: OrderId) -> Result<()> {
    if erasure::is_anonymised(tx, order)? {
        return Err(Refusal::conflict(Key::OrderAnonymised).into());
    }
    Ok(())
}

/// Records an event of the order's history, and tells open pages.
fn tell(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (locked, order): (&LockedOrder<'_>, &Order),
    kind: OrderEventKind,
) -> Result<(), StorageError> {
    tx.announce(Change::Order(order.notary_id, order.id));
    let event = OrderHistoryEvent {
        id: EventId::new(unit.new_id()),
        order_id: order.id,
        at: unit.now,
        kind,
        from_status: Some(order.status),
        to_status: None,
        detail: None,
    };
    order_events::add(tx, locked, &event)
}
