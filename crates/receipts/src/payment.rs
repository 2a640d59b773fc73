//! The payment receipt: what was paid to whom, with a slip for each transfer.

use cabinet_domain::{Locale, PartRole, Percent, amount_in_words};

use crate::draft::Draft;
use crate::error::ReceiptError;
use crate::format::{day, named};
use crate::items_table::{SumColumn, items_table};
use crate::order::{Checked, ReceiptOrder, ReceiptTransfer, Selection, check};
use crate::slip::Slip;
use crate::wording::{Wording, transfer_status};

/// Makes the payment receipt of an order or of one of its items, as PDF/A-2a with tags.
///
/// The same input gives the same bytes. The large sum is what the recipients get. The commission and the sum charged to the card
/// stand below it.
///
/// # Errors
/// [`ReceiptError::NoSuchItem`] or [`ReceiptError::NothingPaid`] if the selection is empty, [`ReceiptError::SumsDisagree`] or
/// [`ReceiptError::SumTooLarge`] if the sums are wrong. Other errors are faults of the program.
pub fn payment_receipt(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Vec<u8>, ReceiptError> {
    let draft = draft(order, selection, locale)?;
    draft.finish(format!("payment-{}", selection.id_in(order)))
}

/// Lays the receipt out.
pub(crate) fn draft(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Draft<'_>, ReceiptError> {
    let sums = check(order, selection)?;
    let words = Wording::of(locale);
    let mut draft = Draft::begin(order, locale, words.payment_title, sums.amount)?;
    let columns = [
        SumColumn {
            heading: words.column_amount,
            of: |one| one.amount,
            total: sums.amount,
        },
        SumColumn {
            heading: words.column_commission,
            of: |one| one.commission,
            total: sums.commission,
        },
        SumColumn {
            heading: words.column_total,
            of: |one| one.item.total,
            total: sums.total,
        },
    ];
    items_table(&mut draft, &sums, &columns, words.total_charged);
    draft.card_operation();
    for one in &sums.items {
        for (index, transfer) in one.item.transfers.iter().enumerate() {
            let slip = slip(&draft, one, index, transfer);
            draft.slip(&slip);
        }
    }
    Ok(draft)
}

/// Returns the slip of a transfer.
fn slip(draft: &Draft<'_>, one: &Checked<'_>, index: usize, transfer: &ReceiptTransfer) -> Slip {
    let (words, locale, order) = (draft.words, draft.locale, draft.order);
    let mut number = format!("{}-{}", order.number, one.place);
    let mut part = String::new();
    if one.item.transfers.len() > 1 {
        number = format!("{number}/{}", index + 1);
        let (share, name) = match transfer.role {
            PartRole::Notary => (Percent::NOTARY_SHARE, words.part_of_notary),
            PartRole::Recipient => (Percent::NOTARY_SHARE.rest(), words.part_of_recipient),
        };
        part = format!("{}{} {name}", share.get(), words.percent);
    }
    Slip {
        heading: format!(
            "{}\u{a0}{number} {}\u{a0}{}",
            words.instruction,
            words.of_date,
            day(order.paid_at)
        ),
        amount: transfer.amount,
        lines: vec![
            (words.payer, order.notary_name.clone()),
            (
                words.actual_payer,
                named(&one.item.client_name, &one.item.client_code, words),
            ),
            (
                words.recipient,
                named(&transfer.recipient_name, &transfer.recipient_code, words),
            ),
            ("IBAN", transfer.iban.grouped().replace(' ', "\u{a0}")),
            (
                words.recipient_bank,
                transfer.bank_name.clone().unwrap_or_default(),
            ),
            (words.purpose, transfer.purpose.clone()),
            (
                words.amount_in_words,
                amount_in_words(transfer.amount, locale),
            ),
            (words.part, part),
            (
                words.status,
                format!(
                    "{}, {}",
                    transfer_status(transfer.status, locale),
                    day(transfer.status_at)
                ),
            ),
        ],
    }
}
