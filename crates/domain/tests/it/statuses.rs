//! The statuses of orders and transfers, and the steps between them.

use cabinet_domain::{
    BankAnswer, Inn, Money, OrderStatus, Percent, PersonName, ToldOtherwise, TransferStatus, Uetr,
};
use jiff::civil::date;

#[test]
fn names_read_back() {
    for status in OrderStatus::ALL {
        assert_eq!(OrderStatus::parse(status.as_str()), Some(status));
    }
    for status in TransferStatus::ALL {
        assert_eq!(TransferStatus::parse(status.as_str()), Some(status));
    }
    assert_eq!(OrderStatus::parse("Paid"), None);
    assert_eq!(TransferStatus::parse(""), None);
}

#[test]
fn a_transfer_goes_forward_or_comes_back() {
    let steps: Vec<_> = TransferStatus::ALL
        .into_iter()
        .flat_map(|from| TransferStatus::ALL.map(|to| (from, to)))
        .filter(|(from, to)| from.may_become(*to))
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    let expected = [
        ("planned", "sent"),
        ("planned", "called_off"),
        ("sent", "planned"),
        ("sent", "credited"),
        ("sent", "returned"),
        ("credited", "returned"),
        ("called_off", "planned"),
    ];
    assert_eq!(steps, expected);
}

#[test]
fn what_banks_tell_is_added_and_never_replaced() {
    let uetr = Uetr::parse("eb6305c9-1f7f-49de-aed0-16487c27b42d");
    let first = BankAnswer {
        uetr: uetr.clone(),
        ..BankAnswer::default()
    };
    let second = BankAnswer {
        credited_on: Some(date(2026, 3, 3)),
        ..BankAnswer::default()
    };
    let both = first.join(&second).unwrap();
    assert_eq!((&both.uetr, both.credited_on), (&uetr, second.credited_on));
    assert_eq!(both.join(&first), Ok(both.clone()));
    let other = BankAnswer {
        credited_on: Some(date(2026, 3, 4)),
        ..BankAnswer::default()
    };
    assert_eq!(both.join(&other), Err(ToldOtherwise("credited_on")));
    assert!(!BankAnswer::default().confirms());
    assert!(first.confirms() && second.confirms());
}

#[test]
fn the_vat_inside_a_sum_is_rounded_to_the_kopiyka() {
    let rate = Percent::new(20).unwrap();
    for (sum, vat) in [
        (12_000, 2_000),
        (1_000, 167),
        (4_995, 833),
        (1, 0),
        (3, 1),
        (0, 0),
    ] {
        let sum = Money::from_kopiykas(sum).unwrap();
        assert_eq!(sum.contained(rate).kopiykas(), vat, "{sum:?}");
    }
}

#[test]
fn masks_show_initials_and_the_end_of_a_code() {
    let name = PersonName::parse("Гнатюк Петро Олександрович").unwrap();
    assert_eq!(name.initials(), "Г. П. О.");
    assert_eq!(PersonName::parse("ТОВ «Мрія»").unwrap().initials(), "Т. М.");
    assert_eq!(Inn::parse("3652504575").unwrap().masked(), "•••••••575");
    assert_eq!(Inn::parse("АВ123456").unwrap().masked(), "•••••456");
}

#[test]
fn a_code_of_each_form_ends_with_four_digits() {
    for (code, end) in [
        ("3652504575", "4575"),
        ("32855961", "5961"),
        ("123456789", "6789"),
        ("АВ123456", "3456"),
    ] {
        assert_eq!(Inn::parse(code).unwrap().last_digits(), end);
    }
}
