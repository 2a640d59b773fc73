//! The commission receipt: what the service charged, with the operator as the recipient.

use cabinet_domain::{Locale, amount_in_words};

use crate::draft::Draft;
use crate::error::ReceiptError;
use crate::format::{day, named};
use crate::items_table::{SumColumn, items_table};
use crate::order::{ReceiptOrder, Selection, Sums, check};
use crate::slip::Slip;
use crate::wording::Wording;

/// Makes the commission receipt of an order or of one of its items, as PDF/A-2a with tags.
///
/// # Errors
/// Those of [`crate::payment_receipt`].
pub fn commission_receipt(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Vec<u8>, ReceiptError> {
    let draft = draft(order, selection, locale)?;
    draft.finish(format!("commission-{}", selection.id_in(order)))
}

/// Lays the receipt out.
pub(crate) fn draft(
    order: &ReceiptOrder,
    selection: Selection,
    locale: Locale,
) -> Result<Draft<'_>, ReceiptError> {
    let sums = check(order, selection)?;
    let words = Wording::of(locale);
    let mut draft = Draft::begin(order, locale, words.commission_title, sums.commission)?;
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
    ];
    items_table(&mut draft, &sums, &columns, words.total);
    draft.card_operation();
    let slip = slip(&draft, &sums, selection);
    draft.slip(&slip);
    Ok(draft)
}

/// Returns the slip of the commission.
fn slip(draft: &Draft<'_>, sums: &Sums<'_>, selection: Selection) -> Slip {
    let (words, order) = (draft.words, draft.order);
    let number = match (selection, sums.items.first()) {
        (Selection::Item(_), Some(one)) => format!("{}-{}", order.number, one.place),
        _ => order.number.clone(),
    };
    // An order has one client. If there were more, each would be named once.
    let mut clients: Vec<String> = sums
        .items
        .iter()
        .map(|one| named(&one.item.client_name, &one.item.client_code, words))
        .collect();
    clients.dedup();
    Slip {
        heading: format!(
            "{}\u{a0}{number} {}\u{a0}{}",
            words.commission_instruction,
            words.of_date,
            day(order.paid_at)
        ),
        amount: sums.commission,
        lines: vec![
            (words.payer, order.notary_name.clone()),
            (words.actual_payer, clients.join("; ")),
            (
                words.recipient,
                named(&order.operator.name, &order.operator.code, words),
            ),
            ("IBAN", order.operator.iban.grouped().replace(' ', "\u{a0}")),
            (words.recipient_address, order.operator.address.clone()),
            (
                words.purpose,
                format!("{}\u{a0}{}", words.commission_purpose, order.number),
            ),
            (
                words.amount_in_words,
                amount_in_words(sums.commission, draft.locale),
            ),
        ],
    }
}
