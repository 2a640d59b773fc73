//! The extract for the notarial file: the act, its parties, and every payment with its requisites, status and receipt code.

use cabinet_domain::{Line, Locale, OrderId};

use crate::act_wording::ActWording;
use crate::codes_paid;
use crate::draft::{Draft, Head};
use crate::error::ReceiptError;
use crate::format::date;
use crate::marks::{Align, Column, Ink, Mark, Owner};
use crate::order::{ReceiptOrder, Selection, check};
use crate::parties::{Parties, made_out_by};
use crate::payment::{head, slip};
use crate::sheet::{LEFT, MEASURE, Sheets};
use crate::slip::Slip;
use crate::style::{LABEL, STRONG};
use crate::units::{Length, POINT};

/// What stands in place of a detail that is not known yet, to be filled in by hand.
pub(crate) const BLANK: &str = "______________________________";
/// Height of the lines to sign on.
const SIGNATURE_HEIGHT: Length = 90 * POINT;
/// White space between two lines to sign on.
const GAP: Length = 18 * POINT;

/// Makes the extract of a paid order as PDF/A-2a with tags. The same input gives the same bytes. Details of the act that are not
/// known yet are lines to fill in.
///
/// # Errors
/// As [`crate::payment_receipt`].
pub fn extract(order: &ReceiptOrder, locale: Locale) -> Result<Vec<u8>, ReceiptError> {
    draft(order, locale)?.finish(format!("extract-{}", order.id))
}

/// Returns `Extract-{orderId}.pdf`.
#[must_use]
pub fn extract_name(order: OrderId) -> String {
    format!("Extract-{order}.pdf")
}

/// Lays the extract out.
pub(crate) fn draft(order: &ReceiptOrder, locale: Locale) -> Result<Draft<'_>, ReceiptError> {
    let sums = check(order, Selection::Order)?;
    let words = ActWording::of(locale);
    if let Some(paid) = &order.by_codes {
        let mut draft = codes_paid::begin(order, &sums, words.extract_title, locale)?;
        act(&mut draft, words);
        codes_paid::payment(&mut draft, paid);
        let slips = codes_paid::slips(&draft, &sums);
        signed(&mut draft, slips, order, words);
        return Ok(draft);
    }
    let mut draft = Draft::begin(
        order,
        locale,
        Head {
            title: words.extract_title,
            ..head(&sums, crate::wording::Wording::of(locale), locale)?
        },
    )?;
    act(&mut draft, words);
    let transfers = sums.items.iter().flat_map(|one| {
        one.item
            .transfers
            .iter()
            .map(move |transfer| (one, transfer))
    });
    let slips: Vec<Slip> = transfers
        .map(|(one, transfer)| slip(&draft, one, transfer))
        .collect();
    signed(&mut draft, slips, order, words);
    Ok(draft)
}

/// Draws the slips and the lines to sign on, which stay with the last slip: nobody signs a page that has nothing else on it.
fn signed(draft: &mut Draft<'_>, slips: Vec<Slip>, order: &ReceiptOrder, words: &ActWording) {
    let last = slips.len().saturating_sub(1);
    for (place, slip) in slips.into_iter().enumerate() {
        let below = if place == last {
            14 * POINT + SIGNATURE_HEIGHT
        } else {
            0
        };
        draft.slip_above(&with_code(slip, order, words), below);
    }
    signature(draft, words);
}

/// Adds the code of the receipt to a slip.
fn with_code(mut slip: Slip, order: &ReceiptOrder, words: &ActWording) -> Slip {
    if let Some(verification) = &order.verification {
        slip.lines
            .push((words.receipt_code, verification.code.clone()));
    }
    slip
}

/// Writes what is known of the act, and its parties.
fn act(draft: &mut Draft<'_>, words: &ActWording) {
    let (order, all) = (draft.order, draft.words);
    let text = |line: &Option<Line>| {
        line.as_ref()
            .map_or_else(|| BLANK.to_owned(), |line| line.as_str().to_owned())
    };
    let client = order.items.first();
    let lines = [
        (all.register_number, text(&order.act.register_number)),
        (
            all.act_date,
            order.act.date.map_or_else(|| BLANK.to_owned(), date),
        ),
        (all.act_object, text(&order.act.object)),
        (words.notary, made_out_by(order, all)),
        (
            words.client,
            client.map_or_else(String::new, |item| {
                Parties::of(order, item, all).actual_payer
            }),
        ),
    ];
    draft.facts(words.act, &lines);
}

/// Draws the lines for signature, seal and date, which stay together.
fn signature(draft: &mut Draft<'_>, words: &ActWording) {
    let sheets = &mut draft.sheets;
    sheets.keep(SIGNATURE_HEIGHT, SIGNATURE_HEIGHT);
    let notary = format!("{} {}", words.certified_by, draft.order.notary_name);
    sheets.rule();
    sheets.skip(10 * POINT);
    sheets.text(&notary, STRONG, crate::sheet::WIDE);
    sheets.skip(34 * POINT);
    signing_lines(sheets, [words.signature, words.seal, words.date]);
}

/// Draws three lines to write on beside each other, each above its label.
pub(crate) fn signing_lines(sheets: &mut Sheets, labels: [&str; 3]) {
    let width = (MEASURE - 2 * GAP) / 3;
    let top = sheets.y();
    for (place, label) in (0..).zip(labels) {
        let x = LEFT + place * (width + GAP);
        sheets.put(Mark::Bar {
            x,
            y: top,
            width,
            height: POINT / 2,
            ink: Ink::Grey,
            owner: Owner::Ornament,
        });
        sheets.move_to(top + 3 * POINT);
        let column = Column {
            x,
            width,
            align: Align::Left,
        };
        sheets.text(label, LABEL, column);
    }
}
