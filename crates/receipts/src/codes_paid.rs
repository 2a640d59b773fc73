//! What receipts and the extract say of an order that was paid by QR codes: that the payer told so, by whose mark, and no payment
//! instruction of ours.

use cabinet_domain::{BudgetCode, Locale, Money, PaymentCode, amount_in_words};

use crate::codes_wording::CodesWording;
use crate::draft::{Draft, Head};
use crate::error::ReceiptError;
use crate::format::{date, moment, named};
use crate::items_table::{SumColumn, items_table, what, what_and_to_whom};
use crate::order::{Checked, PaidByCodes, ReceiptOrder, ReceiptTransfer, Sums};
use crate::parties::{Parties, made_out_by};
use crate::slip::Slip;

/// Lays the payment receipt out.
pub(crate) fn payment_draft<'a>(
    order: &'a ReceiptOrder,
    paid: &PaidByCodes,
    sums: &Sums<'_>,
    locale: Locale,
) -> Result<Draft<'a>, ReceiptError> {
    let title = CodesWording::of(locale).payment_title;
    let mut draft = begin(order, sums, title, locale)?;
    let columns = [SumColumn {
        heading: draft.words.column_amount,
        of: |one| one.amount,
        total: sums.amount,
    }];
    let total = draft.words.total;
    items_table(&mut draft, sums, what_and_to_whom, &columns, total);
    payment(&mut draft, paid);
    for slip in slips(&draft, sums) {
        draft.slip(&slip);
    }
    Ok(draft)
}

/// Begins a document about what the recipients got.
pub(crate) fn begin<'a>(
    order: &'a ReceiptOrder,
    sums: &Sums<'_>,
    title: &'static str,
    locale: Locale,
) -> Result<Draft<'a>, ReceiptError> {
    let head = Head {
        title,
        sum_label: crate::wording::Wording::of(locale).paid_out.to_owned(),
        sum: sums.amount,
        returned: Vec::new(),
        given_back: Vec::new(),
    };
    Draft::begin(order, locale, head)
}

/// Lays the commission receipt out: nothing was charged, and why.
pub(crate) fn commission_draft<'a>(
    order: &'a ReceiptOrder,
    paid: &PaidByCodes,
    sums: &Sums<'_>,
    locale: Locale,
) -> Result<Draft<'a>, ReceiptError> {
    let head = Head {
        title: crate::wording::Wording::of(locale).commission_title,
        sum_label: crate::wording::Wording::of(locale)
            .service_commission
            .to_owned(),
        sum: Money::ZERO,
        returned: Vec::new(),
        given_back: Vec::new(),
    };
    let mut draft = Draft::begin(order, locale, head)?;
    let columns = [
        SumColumn {
            heading: draft.words.column_amount,
            of: |one| one.amount,
            total: sums.amount,
        },
        SumColumn {
            heading: draft.words.column_commission,
            of: |one| one.commission,
            total: sums.commission,
        },
    ];
    let total = draft.words.total;
    items_table(&mut draft, sums, what, &columns, total);
    let words = CodesWording::of(locale);
    let mut lines = vec![(words.why_label, words.why.to_owned())];
    lines.extend(told(&draft, paid));
    draft.facts(words.payment, &lines);
    Ok(draft)
}

/// Writes what is known of the payment.
pub(crate) fn payment(draft: &mut Draft<'_>, paid: &PaidByCodes) {
    let words = CodesWording::of(draft.locale);
    let mut lines = told(draft, paid);
    lines.push((words.meaning_label, words.meaning.to_owned()));
    draft.facts(words.payment, &lines);
}

/// Returns who marked the payment and when, and what the payer's receipt says.
fn told(draft: &Draft<'_>, paid: &PaidByCodes) -> Vec<(&'static str, String)> {
    let words = CodesWording::of(draft.locale);
    let no_reference = || words.no_reference.to_owned();
    vec![
        (words.marked_by, made_out_by(draft.order, draft.words)),
        (words.marked_at, moment(draft.order.paid_at)),
        (
            words.reference,
            paid.reference.clone().unwrap_or_else(no_reference),
        ),
    ]
}

/// Returns what each code pays, in the sequence of the sheet with the codes.
pub(crate) fn slips(draft: &Draft<'_>, sums: &Sums<'_>) -> Vec<Slip> {
    // An item has the same number on its own receipt as on the order's.
    let all = draft.order.items.iter().flat_map(|item| &item.transfers);
    let places: Vec<&ReceiptTransfer> = all.collect();
    let place_of = |transfer: &ReceiptTransfer| {
        let place = places.iter().position(|one| std::ptr::eq(*one, transfer));
        place.map_or(0, |place| place + 1)
    };
    let of_items = sums.items.iter().flat_map(|one| {
        let transfers = one.item.transfers.iter();
        transfers.map(move |transfer| (one, transfer))
    });
    of_items
        .map(|(one, transfer)| slip(draft, one, transfer, place_of(transfer)))
        .collect()
}

fn slip(draft: &Draft<'_>, one: &Checked<'_>, transfer: &ReceiptTransfer, place: usize) -> Slip {
    let words = draft.words;
    let of_codes = CodesWording::of(draft.locale);
    let text = |code: Option<&str>| code.unwrap_or_default().to_owned();
    let credited = transfer.bank.credited_on;
    let credited = credited.map(|on| format!("{}, {}", date(on), of_codes.by_statement));
    Slip {
        heading: format!("{}\u{a0}{place}", of_codes.by_code),
        amount: transfer.amount,
        lines: vec![
            (
                words.actual_payer,
                Parties::of(draft.order, one.item, words).actual_payer,
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
                words.budget_code,
                text(transfer.budget_code.as_ref().map(BudgetCode::as_str)),
            ),
            (
                words.payment_code,
                text(transfer.payment_code.as_ref().map(PaymentCode::as_str)),
            ),
            (
                words.amount_in_words,
                amount_in_words(transfer.amount, draft.locale),
            ),
            (words.part, crate::payment::part(words, one, transfer)),
            (of_codes.credited, credited.unwrap_or_default()),
        ],
    }
}
