//! The commission receipt: what the service charged, with the operator as the recipient.

use cabinet_domain::{Locale, Money, amount_in_words};

use crate::codes_paid;
use crate::draft::{Draft, Head};
use crate::error::ReceiptError;
use crate::format::{day, named};
use crate::items_table::{SumColumn, items_table, what};
use crate::order::{ReceiptOrder, Selection, Sums, Vat, check};
use crate::parties::{Parties, made_out_by};
use crate::slip::Slip;
use crate::wording::{COMMISSION_PURPOSE, Wording};

/// Makes the commission receipt of an order or of one of its items, as PDF/A-2a and PDF/UA-1.
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
    if let Some(paid) = &order.by_codes {
        return codes_paid::commission_draft(order, paid, &sums, locale);
    }
    let words = Wording::of(locale);
    let head = Head {
        title: words.commission_title,
        sum_label: words.service_commission.to_owned(),
        sum: sums.commission,
        returned: Vec::new(),
        given_back: Vec::new(),
    };
    let mut draft = Draft::begin(order, locale, head)?;
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
    items_table(&mut draft, &sums, what, &columns, words.total);
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
        .map(|one| Parties::of(order, one.item, words).actual_payer)
        .collect();
    clients.dedup();
    Slip {
        heading: format!(
            "{} {}\u{a0}{number} {}\u{a0}{}",
            words.commission_instruction,
            words.number_sign,
            words.of_date,
            day(order.paid_at)
        ),
        amount: sums.commission,
        lines: vec![
            // The commission is no transfer: it stays with the operator, who is the payer of the transfers.
            (words.actual_payer, clients.join("; ")),
            (words.made_out_by, made_out_by(order, words)),
            (
                words.recipient,
                named(&order.operator.name, &order.operator.code, words),
            ),
            ("IBAN", order.operator.iban.grouped().replace(' ', "\u{a0}")),
            (words.recipient_address, order.operator.address.clone()),
            (
                words.purpose,
                format!("{COMMISSION_PURPOSE}\u{a0}{}", order.number),
            ),
            (
                words.amount_in_words,
                amount_in_words(sums.commission, draft.locale),
            ),
            (words.vat, vat(draft, sums.commission)),
            (words.fiscal_number, text(&order.fiscal.fiscal_number)),
            (words.prro_number, text(&order.fiscal.prro_number)),
            (words.fiscal_check, text(&order.fiscal.fiscal_qr_url)),
        ],
    }
}

fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

/// Returns what the slip says of VAT. A commission of 120,00 with 20 % contains 20,00.
fn vat(draft: &Draft<'_>, commission: Money) -> String {
    let words = draft.words;
    match draft.order.vat {
        Vat::Unstated => String::new(),
        Vat::Without => words.without_vat.to_owned(),
        Vat::Included(rate) => {
            let sum = commission.contained(rate).display(draft.locale);
            format!(
                "{} {}{}: {sum}\u{a0}{}",
                words.vat_included,
                rate.get(),
                words.percent,
                words.currency
            )
        }
    }
}
