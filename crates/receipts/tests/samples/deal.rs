//! A deal to make a calculation of.

use std::collections::BTreeMap;

use cabinet_domain::{
    AnsweredQuestion, Count, DealAction, DealAnswerId, DealBase, DealFactId, DealKindId,
    DealLineId, DealParty, DealPayer, DealPercent, DealRecord, DealState, Line, Names,
    NotaryStatus, RecordedPayment,
};
use cabinet_receipts::{DealCalculation, PrintedDeal};
use jiff::civil::date;

use crate::samples::money;

fn names(uk: &str, en: &str) -> Names {
    Names {
        uk: uk.to_owned(),
        en: en.to_owned(),
    }
}

/// A payment that is added with the sum of the calculation.
fn payment(line: &str, uk: &str, en: &str, payer: DealParty, sum: i64) -> RecordedPayment {
    RecordedPayment {
        line: DealLineId::parse(line).expect("an id"),
        names: names(uk, en),
        payer: DealPayer::first(payer),
        share: None,
        ground: names("ПКУ, ст. 172", "Tax Code, art. 172"),
        is_unconfirmed: false,
        state: DealState::Due,
        owed: Some(money(sum)),
        count: Count::ONE,
        percent: None,
        action: Some(DealAction::Add),
        sum: Some(money(sum)),
        reason: None,
        recipient: Line::parse("ГУК у м. Києві/22012600", 100).ok(),
        item: None,
    }
}

/// The sale of a flat: a percentage with another sum, a payment elsewhere, a fee, one left out and one that is not owed.
pub fn calculation() -> DealCalculation {
    use DealParty::{Buyer, Seller};
    let tax = RecordedPayment {
        percent: Some(DealPercent {
            base: DealBase::Larger,
            base_sum: money(210_000_050),
            basis_points: 500,
            minimum: None,
            maximum: None,
        }),
        action: Some(DealAction::OtherSum),
        sum: Some(money(9_000_000)),
        reason: Line::parse("Витрати на придбання зменшують базу", 250).ok(),
        ..payment(
            "income-tax",
            "Податок на доходи фізичних осіб",
            "Income tax",
            Seller,
            10_500_003,
        )
    };
    let levy = RecordedPayment {
        percent: Some(DealPercent {
            base: DealBase::Larger,
            base_sum: money(210_000_050),
            basis_points: 150,
            minimum: Some(money(100)),
            maximum: None,
        }),
        action: None,
        sum: None,
        recipient: None,
        is_unconfirmed: true,
        ..payment(
            "levy",
            "Військовий збір",
            "Military levy",
            Seller,
            3_150_001,
        )
    };
    let nothing = RecordedPayment {
        state: DealState::Nothing,
        owed: None,
        action: None,
        sum: None,
        recipient: None,
        ground: names(
            "Декрет «Про державне мито», ст. 3: приватний нотаріус мита не справляє",
            "Decree on state duty, art. 3: a private notary collects no duty",
        ),
        ..payment("duty", "Державне мито", "State duty", Seller, 100)
    };
    let left_out = RecordedPayment {
        action: Some(DealAction::LeaveOut),
        sum: None,
        recipient: None,
        reason: Line::parse("Сплачено раніше", 250).ok(),
        ..payment(
            "information",
            "Інформація з реєстру",
            "Register information",
            Seller,
            4_000,
        )
    };
    let fee = RecordedPayment {
        count: Count::new(2).expect("a count"),
        ..payment(
            "fee",
            "Державна реєстрація права",
            "Registration of a right",
            Buyer,
            66_000,
        )
    };
    let record = DealRecord {
        kind: DealKindId::parse("sale-home").expect("an id"),
        kind_names: names("Купівля-продаж житла", "Sale of a home"),
        date: date(2026, 6, 1),
        tables_version: 3,
        status: NotaryStatus::Private,
        price: Some(money(150_000_000)),
        valuation: Some(money(210_000_050)),
        building_price: Some(money(120_000_000)),
        costs: None,
        objects: Count::new(2).expect("a count"),
        owners: Count::ONE,
        answers: vec![AnsweredQuestion {
            fact: DealFactId::parse("seller").expect("an id"),
            question: names("Хто продавець?", "Who is the seller?"),
            answer: DealAnswerId::parse("resident").expect("an id"),
            answer_names: names("фізична особа – резидент", "a resident person"),
        }],
        payments: vec![tax, levy, nothing, left_out, fee],
    };
    let seller = (
        "Гнатюк Петро Олександрович".to_owned(),
        "3652504575".to_owned(),
    );
    DealCalculation {
        notary_name: "Коваленко Олена Іванівна".to_owned(),
        deals: vec![PrintedDeal {
            record,
            parties: BTreeMap::from([(DealPayer::first(Seller), seller)]),
        }],
        order_number: Some("1042".to_owned()),
        made_at: "2026-06-01T08:21:33Z".parse().expect("a time"),
        document_id: "deal-1".to_owned(),
        sandbox: false,
    }
}
