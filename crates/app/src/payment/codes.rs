//! QR codes of an unpaid order: another way to pay, past the cabinet, straight to the recipients.
//!
//! Nothing may be charged while somebody holds the codes. So an open payment page is closed first, and it is recorded that codes
//! were given out; a new page is made only if the notary says that nobody paid by them (decision 34).

use cabinet_domain::payment::{Case, Clocks, Renewal, renewal};
use cabinet_domain::{
    AttemptId, AuditAction, Key, Locale, Money, NotaryId, OrderId, Origin, PlannedTransfer,
};
use cabinet_receipts::{
    CodedTransfer, PaymentCodes, TransferLink, payment_codes, payment_codes_name,
};
use cabinet_reference::{ReferenceData, purpose_without_name};
use cabinet_storage::account::notaries;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::{Change, Tx};

use super::Payments;
use super::cancel::page_is_open;
use super::withdraw::ROUNDS_MAX;
use crate::account::account_limits::refusal_by_sum;
use crate::account::{refuse_suspended, refuse_unconfirmed};
use crate::audit::AuditEntry;
use crate::cart::{OwnCodes, refusal_today};
use crate::kernel::asker::Decider;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{AppError, Refusal, Result};
use crate::order::own_order::{not_found, own_order};
use crate::transfer::plan::planned_of_order;

impl Payments {
    /// Returns the codes of an unpaid order, one for each transfer that its payment would make. Open payment pages are closed first.
    ///
    /// # Errors
    /// `unauthorized`, `order_not_found`, `order_not_payable`, `payment_outcome_unknown`, `order_returned_to_cart`, `order_under_review`,
    /// `acquirer_unavailable`, `notary_not_confirmed`, `account_blocked`, `daily_sum_exceeded`; the key of a fee or account that has changed.
    pub async fn codes(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<PaymentCodes> {
        let decider = decider.into();
        let notary = decider.notary;
        let order = own_order(&self.store, notary, order).await?;
        if !order.status.has_money() {
            // It may have been paid a moment ago.
            self.inquire(order.id).await?;
        }
        let mut tried = Vec::new();
        for _ in 0..ROUNDS_MAX {
            let (step, case) = self.next_step(notary, order.id, &tried).await?;
            let closed = self.close_next(step, &case, &mut tried).await;
            if !closed.map_err(|error| page_is_open(error, &case))? {
                return self
                    .give_codes(decider, order.id, &tried, (locale, origin))
                    .await;
            }
        }
        Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into())
    }

    /// Returns the codes as a sheet for the client.
    ///
    /// # Errors
    /// As [`Payments::codes`].
    pub async fn codes_document(
        &self,
        decider: impl Into<Decider>,
        order: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let codes = self.codes(decider, order, locale, origin).await?;
        let name = payment_codes_name(codes.id);
        let rendering = tokio::task::spawn_blocking(move || payment_codes(&codes, locale));
        match rendering.await {
            Ok(Ok(bytes)) => Ok(DownloadFile { name, bytes }),
            _ => Err(AppError::Broken("codes can't be rendered".to_owned())),
        }
    }

    /// Decides what must happen before codes are given. It is the decision about a new payment page for an order whose terms don't
    /// hold, because then no open page is left open.
    async fn next_step(
        &self,
        notary: NotaryId,
        order: OrderId,
        tried: &[AttemptId],
    ) -> Result<(Renewal, Case)> {
        let (now, tried) = (self.clock.now(), tried.to_vec());
        let limits = self.account_limits;
        let time = Clocks {
            ours: now,
            theirs: self.acquirers.time(),
        };
        let reference = self.reference.current()?;
        let read = move |tx: &mut Tx| -> Result<(Renewal, Case)> {
            let account = notaries::by_id(tx, notary)?.ok_or_else(not_found)?;
            refuse_unconfirmed(&account)?;
            // Codes are a new way to pay.
            refuse_suspended(&account)?;
            let case = payments::case_of_notary(tx, notary, order)?.ok_or_else(not_found)?;
            if erasure::is_anonymised(tx, order)? {
                return Ok((Renewal::Refuse(Key::OrderNotPayable), case));
            }
            // Asked before a page is closed, so that a refusal leaves the payer the page.
            let begun = (Some(order), case.order.sum);
            if let Some(refusal) = refusal_by_sum(tx, &account, &limits, begun, now)? {
                return Err(refusal.into());
            }
            let items = orders::items_of(tx, order)?;
            let own_codes = OwnCodes::read(tx, notary)?;
            let changed = items
                .iter()
                .find_map(|item| refusal_today(&item.content, &reference, &own_codes, now));
            let step = match changed {
                Some(changed) if !case.order.status.has_money() => Renewal::Refuse(changed.key),
                _ => renewal(&case, false, &tried, time),
            };
            Ok((step, case))
        };
        self.store.read(read).await
    }

    /// Records that codes are given out, in the unit of work that sees that nothing is open, and returns them.
    async fn give_codes(
        &self,
        decider: Decider,
        order: OrderId,
        tried: &[AttemptId],
        (locale, origin): (Locale, Origin),
    ) -> Result<PaymentCodes> {
        let (notary, now) = (decider.notary, self.clock.now());
        let (unit, tried) = (self.ids.unit_at(now), tried.to_vec());
        let time = Clocks {
            ours: now,
            theirs: self.acquirers.time(),
        };
        let (reference, is_sandbox) = (self.reference.current()?, self.is_sandbox);
        let operator_name = self.operator_name.to_string();
        let limits = self.account_limits;
        let write = move |tx: &mut Tx| -> Result<PaymentCodes> {
            // Nobody makes a new page meanwhile.
            let (locked, account) = decider.lock(tx, now)?;
            refuse_unconfirmed(&account)?;
            refuse_suspended(&account)?;
            let found = payments::lock_case_of(tx, &locked, order)?;
            let (
                locked,
                OrderCase {
                    order: known, case, ..
                },
            ) = found.ok_or_else(not_found)?;
            let begun = (Some(order), known.sum);
            if let Some(refusal) = refusal_by_sum(tx, &account, &limits, begun, now)? {
                return Err(refusal.into());
            }
            let step = renewal(&case, false, &tried, time);
            if !matches!(step, Renewal::Fresh | Renewal::ReturnToCart) {
                let unknown = Refusal::conflict(Key::PaymentOutcomeUnknown).into();
                return Err(page_is_open(unknown, &case));
            }
            orders::record_codes(tx, &locked, now)?;
            tx.announce(Change::Order(notary, order));
            orders::end_cancellation(tx, &locked)?;
            AuditEntry::new(AuditAction::PaymentCodesGiven)
                .of_notary(notary)
                .on_order(order)
                .record(tx, &mut unit.clone(), &origin)?;
            let planned = planned_of_order(tx, &known)?.ok_or_else(|| broken(order))?;
            let total = Money::sum(planned.iter().map(|transfer| transfer.amount))
                .map_err(|_| broken(order))?;
            Ok(PaymentCodes {
                id: order,
                number: known.number.to_string(),
                made_at: now,
                notary_name: notaries::full_name_of(tx, notary)?
                    .map(|name| name.as_str().to_owned())
                    .unwrap_or_default(),
                client_name: known.client.full_name.as_str().to_owned(),
                client_code: known.client.inn.as_str().to_owned(),
                operator_name: operator_name.clone(),
                transfers: planned
                    .into_iter()
                    .map(|transfer| coded(transfer, &reference, locale))
                    .collect(),
                total,
                sandbox: is_sandbox,
            })
        };
        self.store.write(write).await
    }
}

/// Returns a transfer with its code. Where its purpose is too long, the payer's name is left out, as generated purposes do.
fn coded(transfer: PlannedTransfer, reference: &ReferenceData, locale: Locale) -> CodedTransfer {
    let (payee, payer) = (&transfer.payee, &transfer.actual_payer);
    let link_of = |purpose: &str| {
        TransferLink::new(
            payee.name.as_str(),
            &payee.iban,
            transfer.amount,
            &payee.okpo,
            purpose,
        )
    };
    let whole = payee.purpose.as_str();
    let mut link = link_of(whole);
    let mut purpose = whole.to_owned();
    if link.is_none()
        && let Some(short) = purpose_without_name(whole, (&payer.name, &payer.inn))
    {
        link = link_of(&short);
        if link.is_some() {
            purpose = short;
        }
    }
    CodedTransfer {
        recipient_name: payee.name.as_str().to_owned(),
        recipient_code: payee.okpo.as_str().to_owned(),
        bank_name: reference.bank_name(&payee.iban, locale).map(str::to_owned),
        iban: payee.iban.clone(),
        amount: transfer.amount,
        purpose,
        link,
    }
}

fn broken(order: OrderId) -> AppError {
    AppError::Broken(format!("the transfers of order {order} can't be planned"))
}
