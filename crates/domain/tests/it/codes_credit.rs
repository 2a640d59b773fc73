//! The notary's part of payments by QR codes in the statement of her bank: what is one payment for certain, and what is not.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use std::collections::HashSet;

use cabinet_domain::{
    Client, ClientId, CodedPart, CodesCredit, FoundCredit, FoundCredits, Iban, Inn, ItemId, Line,
    Money, OrderId, PersonName, StatementCredit, Uetr, find_credits,
};
use jiff::civil::{Date, date};
use uuid::Uuid;

const OWN: &str = "UA743052990000026007233566001";
const OTHER: &str = "UA223052990000026001234567890";
const UETR: &str = "97ed4827-7b6f-4491-a06f-b548d5a7512d";
const PURPOSE: &str =
    "60 % адміністративного збору за реєстрацію речових прав, Дем’яненко П. О., 3652504575";
const DAY: Date = date(2026, 11, 20);

fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).unwrap()
}

fn line(text: &str) -> Line {
    Line::parse(text, 100).unwrap()
}

fn part(number: u128) -> CodedPart {
    CodedPart {
        item: ItemId::new(Uuid::from_u128(number)),
        order: OrderId::new(Uuid::from_u128(100 + number)),
        number: 1,
        client: Client {
            id: ClientId::new(Uuid::from_u128(7)),
            inn: Inn::parse("3652504575").unwrap(),
            full_name: PersonName::parse("Дем’яненко Петро Олександрович").unwrap(),
        },
        account: Iban::parse(OWN).unwrap(),
        amount: money(20_400),
        purposes: vec![PURPOSE.to_owned()],
        given_on: DAY,
        is_marked: true,
        payer_uetr: None,
        credit: None,
    }
}

fn credit(reference: &str) -> StatementCredit {
    StatementCredit {
        account: Iban::parse(OWN).unwrap(),
        on: DAY,
        amount: money(20_400),
        text: PURPOSE.to_owned(),
        uetr: None,
        reference: (!reference.is_empty()).then(|| line(reference)),
    }
}

fn found(parts: &[CodedPart], credits: &[StatementCredit]) -> FoundCredits {
    find_credits(parts, credits, &HashSet::new())
}

/// Returns how many credits are clear, of unmarked orders, unclear, known and others.
fn counts(found: &FoundCredits) -> [usize; 5] {
    [
        found.clear.len(),
        found.unmarked.len(),
        found.unclear.len(),
        found.known,
        found.other,
    ]
}

const CLEAR: [usize; 5] = [1, 0, 0, 0, 0];
const OTHERS: [usize; 5] = [0, 0, 0, 0, 1];

#[test]
fn one_credit_of_one_part_is_clear() {
    let is = found(&[part(1)], &[credit("A")]);
    assert_eq!(is.clear, [FoundCredit { credit: 0, part: 0 }]);
    assert_eq!(counts(&is), CLEAR);
}

#[test]
fn account_sum_day_and_purpose_must_fit() {
    type Change = fn(&mut StatementCredit);
    let changes: [(Change, [usize; 5]); 9] = [
        (|of| of.amount = money(20_401), OTHERS),
        (|of| of.amount = money(20_399), OTHERS),
        (|of| of.account = Iban::parse(OTHER).unwrap(), OTHERS),
        (|of| of.on = date(2026, 11, 19), OTHERS),
        (|of| of.on = date(2027, 3, 1), CLEAR),
        (
            |of| of.text = of.text.replace("3652504575", "3652504576"),
            OTHERS,
        ),
        (|of| of.text.clear(), OTHERS),
        // Banks write in capitals, with other apostrophes and spaces, and words of their own around it.
        (
            |of| {
                of.text = format!(
                    "QR; {}; без ПДВ",
                    of.text.to_uppercase().replace('’', "'").replace(' ', "  ")
                )
            },
            CLEAR,
        ),
        (|of| of.text = of.text.replace(", ", ",\n"), CLEAR),
    ];
    for (place, (change, expected)) in changes.into_iter().enumerate() {
        let mut changed = credit("A");
        change(&mut changed);
        assert_eq!(counts(&found(&[part(1)], &[changed])), expected, "{place}");
    }
}

#[test]
fn the_purpose_without_the_name_is_the_codes_too() {
    let mut one = part(1);
    one.purposes
        .push("60 % адміністративного збору, 3652504575".to_owned());
    let mut short = credit("A");
    short.text = "60 % адміністративного збору, 3652504575".to_owned();
    assert_eq!(counts(&found(&[one], &[short])), CLEAR);
}

#[test]
fn equal_parts_or_equal_credits_are_not_decided() {
    let (two, one) = ([part(1), part(2)], [part(1)]);
    let is = found(&two, &[credit("A")]);
    assert_eq!(
        (counts(&is), &is.unclear[0].parts),
        ([0, 0, 1, 0, 0], &vec![0, 1])
    );
    assert_eq!(
        counts(&found(&one, &[credit("A"), credit("B")])),
        [0, 0, 2, 0, 0]
    );
    assert_eq!(
        counts(&found(&two, &[credit("A"), credit("B")])),
        [0, 0, 2, 0, 0]
    );
    // Also where one of the two orders is not marked: the money may be that one's.
    let mut unmarked = part(2);
    unmarked.is_marked = false;
    assert_eq!(
        counts(&found(&[part(1), unmarked], &[credit("A")])),
        [0, 0, 1, 0, 0]
    );
}

#[test]
fn an_entry_without_a_reference_marks_nothing() {
    assert_eq!(counts(&found(&[part(1)], &[credit("")])), [0, 0, 1, 0, 0]);
}

#[test]
fn an_entry_that_stands_twice_is_one_and_a_reference_of_two_entries_is_none() {
    assert_eq!(
        counts(&found(&[part(1)], &[credit("A"), credit("A")])),
        CLEAR
    );
    let mut other_sum = part(2);
    other_sum.amount = money(100);
    let mut other = credit("A");
    other.amount = money(100);
    let is = found(&[part(1), other_sum], &[credit("A"), other]);
    assert_eq!(counts(&is), [0, 0, 2, 0, 0]);
}

#[test]
fn an_order_that_is_not_marked_is_told_apart() {
    let mut unmarked = part(1);
    unmarked.is_marked = false;
    assert_eq!(counts(&found(&[unmarked], &[credit("A")])), [0, 1, 0, 0, 0]);
}

#[test]
fn a_known_entry_is_counted_and_other_money_of_that_day_is_unclear() {
    let mut credited = part(1);
    credited.credit = Some(CodesCredit {
        on: DAY,
        reference: Some(line("A")),
    });
    let used = HashSet::from([(credited.account.clone(), line("A"))]);
    let parts = [credited, part(2)];
    let again = find_credits(&parts, &[credit("A")], &used);
    assert_eq!(counts(&again), [0, 0, 0, 1, 0]);
    // Another message of the same entry may name it otherwise, so it must not mark the second payment.
    let renamed = find_credits(&parts, &[credit("B")], &used);
    assert_eq!(counts(&renamed), [0, 0, 1, 0, 0]);
    let mut next_day = credit("B");
    next_day.on = date(2026, 11, 21);
    let is = find_credits(&parts, &[next_day], &used);
    assert_eq!(is.clear, [FoundCredit { credit: 0, part: 1 }]);
}

#[test]
fn the_reference_of_the_payers_receipt_names_one_of_equal_parts() {
    let mut named = part(2);
    named.payer_uetr = Uetr::parse(UETR);
    let mut told = credit("A");
    told.uetr = Uetr::parse(UETR);
    told.text = "без призначення".to_owned();
    let parts = [part(1), named];
    let is = found(&parts, std::slice::from_ref(&told));
    assert_eq!(is.clear, [FoundCredit { credit: 0, part: 1 }]);
    // It names no payment of another sum.
    told.amount = money(20_401);
    assert_eq!(counts(&found(&parts, &[told])), OTHERS);
}
