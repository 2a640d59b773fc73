//! What the seal of a transfer covers: a change of anything in it makes other bytes.
#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use cabinet_domain::{
    ActualPayer, BudgetCode, Iban, Inn, ItemId, Line, Money, Okpo, OrderId, PartRole, Payee,
    PersonName, PlannedTransfer, SealedFacts, TransferId,
};
use proptest::prelude::*;
use proptest::sample::select;
use uuid::Uuid;

/// A transfer and what its seal covers besides.
#[derive(Clone, Debug, PartialEq)]
struct Case {
    ids: [u128; 3],
    replaces: Option<u128>,
    planned: PlannedTransfer,
    budget_code: Option<BudgetCode>,
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let [id, order, item] = self.ids.map(Uuid::from_u128);
        SealedFacts {
            id: TransferId::new(id),
            order: OrderId::new(order),
            item: ItemId::new(item),
            replaces: self.replaces.map(|id| TransferId::new(Uuid::from_u128(id))),
            planned: &self.planned,
            budget_code: self.budget_code.as_ref(),
        }
        .bytes()
    }
}

/// Texts of few letters, so that the end of one often is the beginning of the next.
fn line() -> impl Strategy<Value = Line> {
    "[аб]{1,4}".prop_map(|text| Line::parse(&text, 10).unwrap())
}

fn payee() -> impl Strategy<Value = Payee> {
    let ibans = select(vec![
        "UA213223130000026007233566001",
        "UA643223130000026007233566003",
    ]);
    let codes = select(vec!["32855961", "37993783"]);
    (line(), ibans, codes, line()).prop_map(|(name, iban, okpo, purpose)| Payee {
        name,
        iban: Iban::parse(iban).unwrap(),
        okpo: Okpo::parse(okpo).unwrap(),
        purpose,
    })
}

fn case() -> impl Strategy<Value = Case> {
    let ids = [0..3_u128, 0..3, 0..3];
    let budget = proptest::option::of(select(vec!["22012600", "22090200"]));
    let clients = (select(vec!["3652504575", "3184710691"]), "[А-В]{1,3}");
    let roles = select(vec![PartRole::Recipient, PartRole::Notary]);
    let replaces = proptest::option::of(0..3_u128);
    (ids, replaces, (roles, payee(), 1..4_i64), clients, budget).prop_map(
        |(ids, replaces, (role, payee, kopiykas), (inn, name), code)| Case {
            ids,
            replaces,
            planned: PlannedTransfer {
                role,
                payee,
                amount: Money::from_kopiykas(kopiykas).unwrap(),
                actual_payer: ActualPayer {
                    inn: Inn::parse(inn).unwrap(),
                    name: PersonName::parse_saved(&name).unwrap(),
                },
            },
            budget_code: code.map(|code| BudgetCode::parse(code).unwrap()),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_changed_field_breaks_the_seal(one in case(), other in case(), field in 0..12_usize) {
        // All but one field are the same, so that most cases try a single change.
        let mut changed = one.clone();
        let (to, from) = (&mut changed.planned, &other.planned);
        match field {
            0 => changed.ids[0] = other.ids[0],
            1 => changed.ids[1] = other.ids[1],
            2 => changed.ids[2] = other.ids[2],
            3 => changed.replaces = other.replaces,
            4 => to.role = from.role,
            5 => to.amount = from.amount,
            6 => to.payee.name = from.payee.name.clone(),
            7 => to.payee.iban = from.payee.iban.clone(),
            8 => to.payee.okpo = from.payee.okpo.clone(),
            9 => to.payee.purpose = from.payee.purpose.clone(),
            10 => to.actual_payer = from.actual_payer.clone(),
            _ => changed.budget_code = other.budget_code.clone(),
        }
        prop_assert_eq!(one.bytes() == changed.bytes(), one == changed);
        prop_assert_eq!(one.bytes() == other.bytes(), one == other);
    }
}
