//! The simulated acquirer's state: invoices, saved cards and the ledger, and every operation that changes them.
//!
//! The bank through which the operator pays transfers out is another one: [`crate::paying_bank`].
//!
//! [`crate::Sandbox`] holds the state behind one lock, so that each change is complete and the ledger always agrees with the
//! invoices.

mod card;
mod invoice;
mod liqpay;
mod payments;
mod wallets;

pub use card::CardError;
pub(crate) use card::{Behaviour, Card, SavedCard, TestCard};
pub(crate) use invoice::{HRYVNIA, Invoice, InvoiceKind, Payment, Status, wire_time};
pub(crate) use liqpay::{INFO as LIQPAY_INFO, hryvnias as liqpay_hryvnias, state as liqpay_state};
pub(crate) use payments::{
    ChargeResult, OperationCodes, PayError, RefundError, RefundResult, RemoveError,
};

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether money went to the merchant or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerKind {
    /// Money was taken from a card.
    Charge,
    /// Money was given back.
    Refund,
}

/// One line of the ledger. Lines are only ever added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// The invoice that was paid or given back.
    pub invoice_id: String,
    /// The merchant's reference, or an empty text if there was none.
    pub reference: String,
    /// Charge or refund.
    pub kind: LedgerKind,
    /// Kopiykas, always positive.
    pub amount: i64,
    /// When the money moved.
    pub at: Timestamp,
}

/// A past payment for sample data.
#[derive(Clone, Debug)]
pub struct PaidInvoice {
    /// The merchant's reference, which identifies the payment.
    pub reference: String,
    /// Kopiykas, above zero.
    pub amount: i64,
    /// The purpose.
    pub destination: String,
    /// The card's number; only its mask is kept.
    pub card_number: String,
    /// When it was paid.
    pub at: Timestamp,
}

/// The effects of a change outside the state: journal lines and reports.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Ids of the invoices that changed.
    pub(crate) invoices: Vec<String>,
    /// Ledger lines that were added.
    pub(crate) ledger: Vec<LedgerEntry>,
    /// Cards that were saved.
    pub(crate) saved: Vec<SavedCard>,
    /// Tokens of cards that were forgotten.
    pub(crate) forgotten: Vec<String>,
    /// Reports to send, oldest first.
    pub(crate) reports: Vec<Report>,
}

/// Whose form a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportService {
    /// monobank's: JSON, with its signature in a header.
    Monobank,
    /// LiqPay's: a form with its signature.
    LiqPay,
}

/// A report with the state of an invoice at the moment of a change.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) invoice_id: String,
    pub(crate) address: String,
    pub(crate) service: ReportService,
    pub(crate) body: Value,
}

/// Everything the acquirer knows.
#[derive(Debug, Default)]
pub(crate) struct Bank {
    invoices: Vec<Invoice>,
    invoice_positions: HashMap<String, usize>,
    ledger: Vec<LedgerEntry>,
    cards: Vec<SavedCard>,
    changes: Changes,
}

impl Bank {
    /// The ledger, oldest line first.
    pub(crate) fn ledger(&self) -> &[LedgerEntry] {
        &self.ledger
    }

    /// Returns all invoices, oldest first, after applying the time that has passed.
    pub(crate) fn invoices(&mut self, now: Timestamp) -> &[Invoice] {
        for position in 0..self.invoices.len() {
            self.apply_elapsed_time(position, now);
        }
        &self.invoices
    }

    /// Returns an invoice after applying the time that has passed.
    pub(crate) fn invoice(&mut self, id: &str, now: Timestamp) -> Option<&Invoice> {
        let position = self.position(id, now)?;
        self.invoices.get(position)
    }

    /// Returns all invoices as they are stored, for the journal.
    pub(crate) fn stored_invoices(&self) -> &[Invoice] {
        &self.invoices
    }

    /// Returns an invoice as it is stored, for the journal.
    pub(crate) fn stored_invoice(&self, id: &str) -> Option<&Invoice> {
        self.invoices.get(*self.invoice_positions.get(id)?)
    }

    /// Returns a payment of LiqPay by its order id.
    pub(crate) fn liqpay_invoice(&mut self, id: &str, now: Timestamp) -> Option<&Invoice> {
        self.invoice(id, now)
            .filter(|invoice| invoice.kind == InvoiceKind::LiqPay)
    }

    /// Returns an invoice of monobank.
    pub(crate) fn monobank_invoice(&mut self, id: &str, now: Timestamp) -> Option<&Invoice> {
        self.invoice(id, now)
            .filter(|invoice| invoice.kind != InvoiceKind::LiqPay)
    }

    /// Takes out the effects of the changes since the last call.
    pub(crate) fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// The saved cards, oldest first.
    pub(crate) fn cards(&self) -> &[SavedCard] {
        &self.cards
    }

    /// Adds an invoice, or replaces the one with the same id.
    pub(crate) fn add_invoice(&mut self, invoice: Invoice) {
        let id = invoice.id.clone();
        if let Some(known) = self
            .invoice_positions
            .get(&id)
            .and_then(|position| self.invoices.get_mut(*position))
        {
            *known = invoice;
            return;
        }
        self.invoice_positions.insert(id, self.invoices.len());
        self.invoices.push(invoice);
    }

    /// Restores a line of the ledger from the journal.
    pub(crate) fn restore_ledger(&mut self, entry: LedgerEntry) {
        self.ledger.push(entry);
    }

    /// Restores a saved card from the journal.
    pub(crate) fn restore_card(&mut self, card: SavedCard) {
        self.cards.push(card);
    }

    /// Removes a card that the journal says was forgotten.
    pub(crate) fn restore_forgotten(&mut self, token: &str) {
        self.cards.retain(|card| card.token != token);
    }

    fn position(&mut self, id: &str, now: Timestamp) -> Option<usize> {
        let position = *self.invoice_positions.get(id)?;
        self.apply_elapsed_time(position, now);
        Some(position)
    }

    fn record_change(&mut self, position: usize) {
        if let Some(invoice) = self.invoices.get(position) {
            self.changes.invoices.push(invoice.id.clone());
        }
    }

    /// Records a change and reports it to the merchant.
    fn record_and_report(&mut self, position: usize) {
        self.record_change(position);
        if let Some(invoice) = self.invoices.get(position)
            && let Some(address) = &invoice.web_hook_url
        {
            let (service, body) = match invoice.kind {
                InvoiceKind::LiqPay => (ReportService::LiqPay, liqpay_state(invoice)),
                _ => (ReportService::Monobank, Some(invoice.state())),
            };
            self.changes.reports.extend(body.map(|body| Report {
                invoice_id: invoice.id.clone(),
                address: address.clone(),
                service,
                body,
            }));
        }
    }

    fn record_in_ledger(&mut self, entry: LedgerEntry) {
        self.changes.ledger.push(entry.clone());
        self.ledger.push(entry);
    }
}
