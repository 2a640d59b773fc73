//! Property tests: receipts can be made with any text, and nothing is drawn outside of the page.

use cabinet_domain::Locale;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::draft::Draft;
use crate::error::ReceiptError;
use crate::font::{Fonts, Weight};
use crate::marks::{Mark, Owner};
use crate::order::{ReceiptOrder, Returned, Selection};
use crate::sheet::{LEFT, RIGHT};
use crate::text::Letter;
use crate::units::{Length, PAGE_HEIGHT, POINT, at_size};

#[path = "../tests/samples/mod.rs"]
#[expect(dead_code, reason = "the integration tests use the other samples")]
mod samples;

/// Ordinary, damaged and hostile texts.
fn text() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        4 => prop::char::range('а', 'ї'),
        2 => prop::char::range(' ', '~'),
        1 => any::<char>(),
        1 => prop::sample::select(vec!['\0', '\n', '\u{A0}', '\u{AD}', '\u{202E}', '\u{301}', '\u{200D}', '\u{FFFE}', '🙂', 'ﷺ']),
    ];
    prop_oneof![
        8 => prop::collection::vec(letters.clone(), 0..120).prop_map(String::from_iter),
        1 => (letters, 0_usize..6_000).prop_map(|(letter, times)| String::from_iter(vec![letter; times])),
        1 => Just(String::new()),
    ]
}

/// Returns an order with that many items and these texts in its fields.
fn order(items: u128, texts: Vec<String>, sandbox: bool) -> ReceiptOrder {
    let mut order = ReceiptOrder {
        sandbox,
        ..samples::many(items)
    };
    let mut texts = texts.into_iter();
    let mut next = || texts.next().unwrap_or_default();
    order.number = next();
    order.notary_name = next();
    order.operator.name = next();
    order.operator.code = next();
    order.operator.address = next();
    order.acquirer_name = next();
    order.payment_system = Some(next());
    order.authorisation_code = Some(next());
    order.rrn = Some(next());
    order.payment_reference = next();
    if let Some(verification) = &mut order.verification {
        verification.code = next();
        verification.address = format!("https://{}", next());
    }
    if let Some(item) = order.items.last_mut() {
        item.label = next();
        item.client_code = next();
        item.client_name = next();
        if let Some(transfer) = item.transfers.last_mut() {
            transfer.recipient_name = next();
            transfer.bank_name = Some(next());
            transfer.purpose = next();
            transfer.returned = Some(Returned {
                document_number: transfer.document_number,
                after: cabinet_domain::AfterReturn::Undecided,
                to_card_on: None,
                on: jiff::civil::date(2026, 11, 22),
                reason: next(),
            });
        }
    }
    order
}

/// Returns the width of a line without the spaces at its end.
fn width(letters: &[Letter], weight: Weight, size: Length) -> Length {
    let end = letters
        .iter()
        .rposition(|letter| letter.shown != ' ')
        .map_or(0, |last| last + 1);
    let Some((last, before)) = letters[..end].split_last() else {
        return 0;
    };
    let units: i64 = before.iter().map(|letter| i64::from(letter.advance)).sum();
    let units_per_em = Fonts::get().unwrap().of(weight).units_per_em;
    at_size(units + i64::from(last.glyph.advance), size, units_per_em)
}

fn check_drawing(draft: &Draft<'_>) -> Result<(), TestCaseError> {
    for mark in draft.sheets.pages.iter().flatten() {
        if let Mark::Text {
            x,
            baseline,
            weight,
            size,
            letters,
            owner,
            ..
        } = mark
        {
            let right = x + width(letters, *weight, *size);
            prop_assert!(
                *x >= LEFT && right <= RIGHT + POINT,
                "{x}..{right} of {owner:?}"
            );
            let foot = if matches!(owner, Owner::Node(_)) {
                PAGE_HEIGHT - 50 * POINT
            } else {
                PAGE_HEIGHT
            };
            prop_assert!(
                (30 * POINT..foot).contains(baseline),
                "baseline at {baseline} of {owner:?}"
            );
        }
    }
    Ok(())
}

type Drafting = for<'a> fn(&'a ReceiptOrder, Selection, Locale) -> Result<Draft<'a>, ReceiptError>;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_gives_a_receipt_that_stays_on_the_paper(
        items in prop::sample::select(vec![1_u128, 3, 7]),
        texts in prop::collection::vec(text(), 18),
        sandbox in any::<bool>(),
    ) {
        let order = order(items, texts, sandbox);
        let draftings: [Drafting; 2] = [crate::payment::draft, crate::commission::draft];
        for (drafting, locale) in draftings.into_iter().zip(Locale::ALL) {
            let draft = drafting(&order, Selection::Order, locale).unwrap();
            check_drawing(&draft)?;
            let pdf = draft.finish("test".to_owned()).unwrap();
            prop_assert!(pdf.starts_with(b"%PDF-1.7"));
        }
    }
}
