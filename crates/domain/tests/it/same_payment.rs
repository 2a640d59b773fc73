//! Which payments are the same.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use cabinet_domain::{
    Chosen, ChosenRequisite, Count, Iban, Inn, ItemContent, Line, Money, Names, Okpo, OptionId,
    PaymentKind, PaymentTypeId, Price, Purpose, RequisiteId, TermId, is_same_payment,
};

const FEE_ACCOUNT: &str = "UA213223130000026007233566001";
const OTHER_ACCOUNT: &str = "UA223052990000026001234567890";

fn iban(text: &str) -> Iban {
    Iban::parse(text).unwrap()
}

fn inn(text: &str) -> Inn {
    Inn::parse(text).unwrap()
}

fn names(text: &str) -> Names {
    Names {
        uk: text.to_owned(),
        en: text.to_owned(),
    }
}

fn price(amount: i64, commission: i64) -> Price {
    let sum = |kopiykas| Money::from_kopiykas(kopiykas).unwrap();
    Price::stored(sum(amount), sum(commission), 150, sum(1_000)).unwrap()
}

/// An administrative fee, with the notary's own account.
fn fee() -> ItemContent {
    ItemContent {
        count: Count::ONE,
        kind: PaymentKind::AdminPayment,
        payment_type_id: PaymentTypeId::parse("admin").unwrap(),
        option: Some(Chosen {
            id: OptionId::parse("ownership").unwrap(),
            names: names("Право власності"),
        }),
        term: Some(Chosen {
            id: TermId::parse("five-days").unwrap(),
            names: names("5 днів"),
        }),
        region: None,
        requisite: Some(ChosenRequisite {
            id: RequisiteId::parse("kyiv").unwrap(),
            name: "ГУК у м. Києві".to_owned(),
            iban: iban(FEE_ACCOUNT),
            okpo: Okpo::parse("37993783").unwrap(),
        }),
        template_id: None,
        price: price(34_000, 2_000),
        iban: Some(iban(OTHER_ACCOUNT)),
        okpo: Some(Okpo::parse("3068208400").unwrap()),
        recipient_name: None,
        purpose: Purpose::parse("101 Адмінзбір, 3068208400").unwrap(),
        cbc_code: None,
        filing_year: None,
    }
}

/// A payment to any requisites.
fn free() -> ItemContent {
    ItemContent {
        kind: PaymentKind::RequisitesPayment,
        payment_type_id: PaymentTypeId::parse("requisites").unwrap(),
        option: None,
        term: None,
        requisite: None,
        recipient_name: Line::parse("ТОВ «Приклад»", 140).ok(),
        ..fee()
    }
}

type Change = fn(&mut ItemContent);

/// What is changed, the payment, its change, and whether both are the same then.
type Case = (&'static str, fn() -> ItemContent, Change, bool);

#[test]
fn what_makes_two_payments_the_same() {
    let cases: &[Case] = &[
        ("the same fee", fee, |_| {}, true),
        (
            "another number of units",
            fee,
            |other| other.count = Count::new(7).unwrap(),
            true,
        ),
        (
            "another purpose",
            fee,
            |other| other.purpose = Purpose::parse("101 Інше, 3068208400").unwrap(),
            true,
        ),
        (
            "another own account",
            fee,
            |other| other.iban = Some(iban(FEE_ACCOUNT)),
            true,
        ),
        (
            "another tariff of the commission",
            fee,
            |other| other.price = price(34_000, 2_500),
            true,
        ),
        (
            "the service has another name",
            fee,
            |other| other.option.as_mut().unwrap().names = names("Інша назва"),
            true,
        ),
        (
            "another row of the same recipient",
            fee,
            |other| other.requisite.as_mut().unwrap().id = RequisiteId::parse("kyiv-2").unwrap(),
            true,
        ),
        (
            "another kind",
            fee,
            |other| other.kind = PaymentKind::AdminGovernmentPayment,
            false,
        ),
        (
            "another service",
            fee,
            |other| other.option.as_mut().unwrap().id = OptionId::parse("mortgage").unwrap(),
            false,
        ),
        (
            "another term",
            fee,
            |other| other.term.as_mut().unwrap().id = TermId::parse("two-hours").unwrap(),
            false,
        ),
        ("no term", fee, |other| other.term = None, false),
        (
            "another recipient",
            fee,
            |other| other.requisite.as_mut().unwrap().iban = iban(OTHER_ACCOUNT),
            false,
        ),
        (
            "a kopiyka more",
            fee,
            |other| other.price = price(34_001, 2_000),
            false,
        ),
        ("the same typed requisites", free, |_| {}, true),
        (
            "a recipient written otherwise",
            free,
            |other| other.recipient_name = Line::parse("ТОВ Приклад", 140).ok(),
            true,
        ),
        (
            "another typed account",
            free,
            |other| other.iban = Some(iban(FEE_ACCOUNT)),
            false,
        ),
        (
            "another typed sum",
            free,
            |other| other.price = price(34_100, 2_000),
            false,
        ),
        ("no account", free, |other| other.iban = None, false),
    ];
    let client = inn("3184710691");
    for (name, make, change, same) in cases {
        let (first, mut second) = (make(), make());
        change(&mut second);
        assert_eq!(
            is_same_payment((&client, &first), (&client, &second)),
            *same,
            "{name}"
        );
        assert_eq!(
            is_same_payment((&client, &second), (&client, &first)),
            *same,
            "{name}, the other way round"
        );
    }
}

#[test]
fn a_payment_of_another_client_is_another_payment() {
    let (first, second) = (inn("3184710691"), inn("3652504575"));
    assert!(!is_same_payment((&first, &fee()), (&second, &fee())));
    // However a code is written, it is the same.
    assert!(is_same_payment(
        (&inn("КС123456"), &fee()),
        (&inn("kc 123456"), &fee())
    ));
}
