//! The receipts of many orders in one document.

use cabinet_domain::Locale;
use jiff::civil::Date;

use crate::error::ReceiptError;
use crate::names::ReceiptKind;
use crate::order::{ReceiptOrder, Selection};
use crate::paint::pdf;
use crate::{commission, payment};

/// Writes the receipts of orders one after the other. Each begins on a page of its own and counts its own pages.
///
/// # Errors
/// As [`crate::payment_receipt`]; [`ReceiptError::NothingPaid`] without an order.
pub fn receipts_document(
    orders: &[ReceiptOrder],
    kind: ReceiptKind,
    locale: Locale,
) -> Result<Vec<u8>, ReceiptError> {
    let mut parts = Vec::with_capacity(orders.len());
    let mut about = None;
    for order in orders {
        let draft = match kind {
            ReceiptKind::Payment => payment::draft(order, Selection::Order, locale)?,
            ReceiptKind::Commission => commission::draft(order, Selection::Order, locale)?,
        };
        let id = format!("{}-{}-{}", kind.as_str(), order.id, orders.len());
        let (sheets, of_order) = draft.complete(id);
        parts.push(sheets);
        about.get_or_insert(of_order);
    }
    pdf(&parts, about.ok_or(ReceiptError::NothingPaid)?)
}

/// Returns the name of a file with the receipts of many orders: `Receipts-2026-11-24.zip`.
#[must_use]
pub fn receipts_name(day: Date, extension: &str) -> String {
    format!("Receipts-{day}.{extension}")
}
