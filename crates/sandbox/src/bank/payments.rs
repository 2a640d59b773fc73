//! Operations on an invoice: paying, confirming, settling, refunding, removing, expiring.

use std::time::Duration;

use jiff::Timestamp;

use super::card::{Behaviour, Card};
use super::invoice::{Invoice, InvoiceKind, Payment, Refund, Status, Tokenized, Waiting};
use super::{Bank, LedgerEntry, LedgerKind};
use crate::time::after;

/// How long the bank waits for the holder's answer on the 3-D Secure page.
const CHALLENGE_TIME: Duration = Duration::from_secs(600);

/// Code and text of a failed 3-D Secure step.
const NOT_CONFIRMED: (&str, &str) = ("1034", "Не пройдено перевірку 3-D Secure");

/// Random codes of a payment or refund, generated before the state is locked.
#[derive(Clone, Debug)]
pub(crate) struct OperationCodes {
    pub(crate) approval_code: String,
    pub(crate) rrn: String,
    pub(crate) transaction_id: String,
    pub(crate) card_token: String,
}

/// The result of an attempt to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChargeResult {
    /// Paid.
    Success,
    /// Declined; another card may be tried.
    Declined,
    /// The holder must confirm the payment on the bank's page.
    Challenged,
    /// It is processing and will succeed.
    Processing,
}

/// Why an invoice cannot be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PayError {
    /// There is no such invoice.
    Unknown,
    /// It is paid, processing or closed.
    NotPayable(Status),
}

/// Why an invoice cannot be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemoveError {
    Unknown,
    InProgress,
    Used,
}

/// What came of a request to give money back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefundResult {
    /// It is given back.
    Success,
    /// It will be given back later.
    Processing,
}

/// Why money cannot be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefundError {
    Unknown,
    NotPaid,
    WrongAmount,
}

impl Bank {
    /// Charges a card for an invoice. `save` keeps the card in the invoice's wallet, if it has one.
    pub(crate) fn pay(
        &mut self,
        id: &str,
        card: &Card,
        save: bool,
        processing_time: Duration,
        codes: OperationCodes,
        now: Timestamp,
    ) -> Result<ChargeResult, PayError> {
        let position = self.position(id, now).ok_or(PayError::Unknown)?;
        let Some(invoice) = self.invoices.get_mut(position) else {
            return Err(PayError::Unknown);
        };
        if !invoice.is_payable(now) {
            return Err(PayError::NotPayable(invoice.status));
        }
        let save =
            invoice.wallet_id.is_some() && (save || invoice.kind == InvoiceKind::Verification);
        let method = if invoice.kind == InvoiceKind::Wallet {
            "wallet"
        } else {
            "pan"
        };
        invoice.failure = None;
        invoice.status = Status::Processing;
        invoice.modified_at = now;
        invoice.payment = Some(Payment {
            card: card.clone(),
            method: method.to_owned(),
            approval_code: codes.approval_code,
            rrn: codes.rrn,
            transaction_id: codes.transaction_id,
            save_as: save.then_some(codes.card_token),
            at: now,
        });
        invoice.waiting = match card.behaviour {
            Behaviour::Slow => Some(Waiting::Until(after(now, processing_time))),
            Behaviour::ThreeDSecure => Some(Waiting::Holder(after(now, CHALLENGE_TIME))),
            _ => None,
        };
        self.record_and_report(position);
        if let Some(failure) = card.behaviour.failure() {
            self.fail(position, failure, now);
            return Ok(ChargeResult::Declined);
        }
        Ok(match card.behaviour {
            Behaviour::ThreeDSecure => ChargeResult::Challenged,
            Behaviour::Slow => ChargeResult::Processing,
            _ => {
                self.succeed(position, now);
                ChargeResult::Success
            }
        })
    }

    /// Records the holder's answer on the 3-D Secure page.
    pub(crate) fn answer_challenge(
        &mut self,
        id: &str,
        confirmed: bool,
        now: Timestamp,
    ) -> Result<ChargeResult, PayError> {
        let position = self.position(id, now).ok_or(PayError::Unknown)?;
        let Some(invoice) = self.invoices.get(position) else {
            return Err(PayError::Unknown);
        };
        if !invoice.is_challenged() {
            return Err(PayError::NotPayable(invoice.status));
        }
        if confirmed {
            self.succeed(position, now);
            Ok(ChargeResult::Success)
        } else {
            self.fail(position, NOT_CONFIRMED, now);
            Ok(ChargeResult::Declined)
        }
    }

    /// Reports the present state of an invoice.
    pub(crate) fn report(&mut self, id: &str, now: Timestamp) {
        if let Some(position) = self.position(id, now) {
            self.record_and_report(position);
        }
    }

    /// Lets a slow payment succeed if it is still processing, and carries out slow refunds.
    pub(crate) fn finish_slow(&mut self, id: &str, now: Timestamp) {
        let Some(position) = self.position(id, now) else {
            return;
        };
        let waiting = self
            .invoices
            .get(position)
            .and_then(|invoice| invoice.waiting);
        if matches!(waiting, Some(Waiting::Until(_))) {
            self.succeed(position, now);
        }
        // Its time has passed in any case, whatever the clock says.
        self.carry_out_refunds(position, Timestamp::MAX);
    }

    /// Returns the ids of the invoices that change by themselves.
    pub(crate) fn slow_invoices(&self) -> Vec<String> {
        self.invoices
            .iter()
            .filter(|invoice| invoice.is_slow())
            .map(|invoice| invoice.id.clone())
            .collect()
    }

    /// Refunds a part of an invoice, or all that is left.
    pub(crate) fn refund(
        &mut self,
        id: &str,
        amount: Option<i64>,
        external_reference: Option<String>,
        processing_time: Duration,
        codes: OperationCodes,
        now: Timestamp,
    ) -> Result<RefundResult, RefundError> {
        let position = self.position(id, now).ok_or(RefundError::Unknown)?;
        let Some(invoice) = self.invoices.get_mut(position) else {
            return Err(RefundError::Unknown);
        };
        if invoice.status != Status::Success {
            return Err(RefundError::NotPaid);
        }
        let left = invoice.refundable_amount();
        let amount = amount.unwrap_or(left);
        if amount < 1 || amount > left {
            return Err(RefundError::WrongAmount);
        }
        invoice.refunds.push(Refund {
            amount,
            external_reference,
            approval_code: codes.approval_code,
            rrn: codes.rrn,
            at: now,
            open_until: Some(now),
        });
        let mut payment = invoice.payment.iter();
        let is_slow = payment.any(|payment| payment.card.behaviour == Behaviour::Slow);
        if is_slow && !processing_time.is_zero() {
            if let Some(refund) = invoice.refunds.last_mut() {
                refund.open_until = Some(after(now, processing_time));
            }
            invoice.modified_at = now;
            self.record_and_report(position);
            return Ok(RefundResult::Processing);
        }
        self.carry_out_refunds(position, now);
        Ok(RefundResult::Success)
    }

    /// Carries out the refunds that are due.
    fn carry_out_refunds(&mut self, position: usize, now: Timestamp) {
        let Some(invoice) = self.invoices.get_mut(position) else {
            return;
        };
        let mut amounts = Vec::new();
        for refund in &mut invoice.refunds {
            if let Some(at) = refund.open_until.filter(|at| *at <= now) {
                (refund.at, refund.open_until) = (at, None);
                amounts.push((refund.amount, at));
            }
        }
        for (amount, at) in amounts {
            let Some(invoice) = self.invoices.get_mut(position) else {
                return;
            };
            invoice.modified_at = at;
            if invoice.final_amount() == 0 {
                invoice.status = Status::Reversed;
            }
            let entry = entry(invoice, LedgerKind::Refund, amount, at);
            self.record_in_ledger(entry);
            self.record_and_report(position);
        }
    }

    /// Removes an unpaid invoice, so that it can't be paid any more.
    pub(crate) fn remove(&mut self, id: &str, now: Timestamp) -> Result<(), RemoveError> {
        let position = self.position(id, now).ok_or(RemoveError::Unknown)?;
        let Some(invoice) = self.invoices.get_mut(position) else {
            return Err(RemoveError::Unknown);
        };
        match invoice.status {
            Status::Processing => return Err(RemoveError::InProgress),
            Status::Success | Status::Reversed => return Err(RemoveError::Used),
            Status::Created | Status::Failure | Status::Expired => {}
        }
        invoice.status = Status::Expired;
        invoice.modified_at = now;
        self.record_change(position);
        Ok(())
    }

    /// Opens an expired page of monobank for good. Returns whether there was one.
    pub(crate) fn reopen(&mut self, id: &str, now: Timestamp) -> bool {
        let Some(position) = self.position(id, now) else {
            return false;
        };
        let Some(invoice) = self.invoices.get_mut(position) else {
            return false;
        };
        if invoice.kind == InvoiceKind::LiqPay || invoice.status != Status::Expired {
            return false;
        }
        (invoice.status, invoice.valid_until) = (Status::Created, None);
        self.record_change(position);
        true
    }

    /// Adds an invoice that was paid in the past, with its line in the ledger.
    pub(crate) fn add_paid(&mut self, invoice: Invoice, at: Timestamp) {
        let entry = entry(&invoice, LedgerKind::Charge, invoice.amount, at);
        self.add_new(invoice);
        self.record_in_ledger(entry);
    }

    /// Adds a new invoice.
    pub(crate) fn add_new(&mut self, invoice: Invoice) {
        self.changes.invoices.push(invoice.id.clone());
        self.add_invoice(invoice);
    }

    /// Applies the time that has passed: slow payments succeed, slow refunds are carried out, confirmations and unpaid invoices expire.
    pub(super) fn apply_elapsed_time(&mut self, position: usize, now: Timestamp) {
        self.carry_out_refunds(position, now);
        let Some(invoice) = self.invoices.get_mut(position) else {
            return;
        };
        match invoice.waiting {
            Some(Waiting::Until(at)) if at <= now => return self.succeed(position, at),
            Some(Waiting::Holder(until)) if until <= now => {
                return self.fail(position, NOT_CONFIRMED, until);
            }
            _ => {}
        }
        if let Some(until) = invoice.valid_until
            && until <= now
            && invoice.status == Status::Created
        {
            // The acquirer sends no report about this.
            invoice.status = Status::Expired;
            invoice.modified_at = until;
            self.record_change(position);
        }
    }

    fn succeed(&mut self, position: usize, now: Timestamp) {
        let Some(invoice) = self.invoices.get(position) else {
            return;
        };
        let Some(payment) = &invoice.payment else {
            return;
        };
        let saving = invoice.wallet_id.clone().zip(payment.save_as.clone());
        let card = payment.card.clone();
        let tokenized = saving.map(|(wallet_id, token)| Tokenized {
            token: self.save_card(&wallet_id, &card, now, || token),
            wallet_id,
        });
        let Some(invoice) = self.invoices.get_mut(position) else {
            return;
        };
        invoice.status = Status::Success;
        invoice.modified_at = now;
        invoice.waiting = None;
        invoice.tokenized = tokenized;
        if invoice.amount > 0 {
            let entry = entry(invoice, LedgerKind::Charge, invoice.amount, now);
            self.record_in_ledger(entry);
        }
        self.record_and_report(position);
    }

    fn fail(&mut self, position: usize, (code, text): (&str, &str), now: Timestamp) {
        let Some(invoice) = self.invoices.get_mut(position) else {
            return;
        };
        invoice.status = Status::Failure;
        invoice.modified_at = now;
        invoice.waiting = None;
        invoice.failure = Some((code.to_owned(), text.to_owned()));
        self.record_and_report(position);
    }
}

fn entry(invoice: &Invoice, kind: LedgerKind, amount: i64, at: Timestamp) -> LedgerEntry {
    LedgerEntry {
        invoice_id: invoice.id.clone(),
        reference: invoice.reference.clone().unwrap_or_default(),
        kind,
        amount,
        at,
    }
}
