//! Deals: the table of cases in `testdata/deals.json`, and what must hold for every deal.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    Count, DealAdjustment, DealKindId, DealSum, Locale, Money, NotaryStatus, Share, Shares,
    TemplateId,
};
use jiff::civil::{Date, date};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{small, starter_files};
use crate::{
    Calculation, DealFault, DealRequest, Due, Outcome, Reckoned, ReferenceData, TableChoices,
    ToPay, Way, parse,
};

fn data() -> ReferenceData {
    parse(&starter_files()).unwrap()
}

/// A case: its name, and what is put in and expected.
struct Case {
    name: String,
    deal: DealRequest,
    notary: NotaryStatus,
    date: Date,
    expect: Value,
}

fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/deals.json");
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = table["cases"].as_array().unwrap();
    cases.iter().map(read_case).collect()
}

fn read_case(case: &Value) -> Case {
    let input = &case["input"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let sum = |name: &str| {
        let kopiykas = input.get(name)?.as_i64().unwrap();
        Some(Money::from_kopiykas(kopiykas).unwrap())
    };
    let count = |name: &str| {
        let count = input.get(name).map(|count| count.as_i64().unwrap());
        count.map_or(Count::ONE, |count| Count::new(count).unwrap())
    };
    let answers = input["answers"].as_object().unwrap().iter();
    assert!(!text(&case["law"]).is_empty());
    Case {
        name: text(&case["name"]),
        deal: DealRequest {
            kind: text(&input["kind"]).parse().unwrap(),
            price: sum("price"),
            valuation: sum("valuation"),
            building_price: sum("building_price"),
            costs: sum("costs"),
            objects: count("objects"),
            owners: count("owners"),
            payers: input.get("payers").map(read_shares),
            answers: answers
                .map(|(fact, answer)| (fact.parse().unwrap(), text(answer).parse().unwrap()))
                .collect(),
        },
        notary: NotaryStatus::parse(&text(&input["notary"])).unwrap(),
        date: text(&input["date"]).parse().unwrap(),
        expect: case["expect"].clone(),
    }
}

/// Reads shares such as `"1/2"`.
fn read_shares(shares: &Value) -> Shares {
    let share = |share: &Value| {
        let (part, of) = share.as_str().unwrap().split_once('/').unwrap();
        Share::new(part.parse().unwrap(), of.parse().unwrap()).unwrap()
    };
    let shares = shares.as_array().unwrap().iter().map(share).collect();
    Shares::new(shares).unwrap()
}

/// A calculation as the table of cases has it.
fn told(result: Result<Calculation<'_>, Vec<DealFault>>) -> Value {
    match result {
        Ok(calculation) => {
            let lines: Vec<Value> = calculation.lines.iter().map(told_line).collect();
            json!({ "lines": lines })
        }
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(told_fault).collect();
            json!({ "faults": faults })
        }
    }
}

fn told_fault(fault: &DealFault) -> String {
    match fault {
        DealFault::KindUnknown => "kind_unknown".to_owned(),
        DealFault::SumMissing(sum) => format!("sum_missing {}", sum.as_str()),
        DealFault::SumTooLarge(sum) => format!("sum_too_large {}", sum.as_str()),
        DealFault::SharesTooMany => "shares_too_many".to_owned(),
        DealFault::FactUnanswered(fact) => format!("unanswered {fact}"),
        DealFault::AnswerUnknown(fact) => format!("answer_unknown {fact}"),
    }
}

fn told_line(to_pay: &ToPay<'_>) -> Value {
    let mut told = Map::new();
    let mut put = |name: &str, value: Value| told.insert(name.to_owned(), value);
    put("line", to_pay.line.id().as_str().into());
    put("payer", to_pay.payer().to_string().into());
    match &to_pay.outcome {
        Outcome::Nothing => {
            put("sum", 0.into());
        }
        Outcome::Unknown { way } => {
            put("unknown", true.into());
            put("way", told_way(way).into());
        }
        Outcome::Due(due) => {
            put("sum", due.sum.kopiykas().into());
            put("way", told_way(&due.way).into());
            if due.count != Count::ONE {
                put("count", due.count.get().into());
            }
            if let Reckoned::Percent {
                base_sum,
                basis_points,
                ..
            } = due.reckoned
            {
                put("base", base_sum.kopiykas().into());
                put("rate", basis_points.into());
            }
        }
    }
    Value::Object(told)
}

fn told_way(way: &Way<'_>) -> &'static str {
    match way {
        Way::Fee { .. } => "fee",
        Way::Register { .. } => "register",
        Way::Template(_) => "template",
        Way::Withheld => "withheld",
        Way::Unconfirmed => "unconfirmed",
        Way::NoRequisites => "no_requisites",
    }
}

#[test]
fn every_case_comes_out_as_the_law_says() {
    let data = data();
    let cases = cases();
    assert!(cases.len() >= 120, "{} cases", cases.len());
    let names: BTreeSet<_> = cases.iter().map(|case| &case.name).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    let mut failures = Vec::new();
    for case in &cases {
        let told = told(data.calculate(&case.deal, case.notary, case.date));
        if told != case.expect {
            let expected = &case.expect;
            failures.push(format!(
                "{}\n  expected {expected}\n  got      {told}",
                case.name
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_decides_a_case() {
    let data = data();
    let mut used = BTreeSet::new();
    for case in cases() {
        if let Ok(calculation) = data.calculate(&case.deal, case.notary, case.date) {
            used.extend(calculation.lines.iter().map(|line| line.rule.id().clone()));
        }
    }
    let rules = data.deals.rules.iter().map(|rule| rule.id().clone());
    let unused: Vec<_> = rules.filter(|id| !used.contains(id)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn a_fee_of_the_table_is_paid_as_the_kind_of_the_notary() {
    let data = data();
    let case = cases().remove(0);
    let kind_of = |notary| {
        let calculation = data.calculate(&case.deal, notary, case.date).unwrap();
        let ways = calculation
            .lines
            .iter()
            .filter_map(|line| match &line.outcome {
                Outcome::Due(due) => Some(due.way),
                _ => None,
            });
        let kinds = ways.filter_map(|way| match way {
            Way::Fee {
                payment_type, term, ..
            } => Some((payment_type.kind().slug(), term.id().to_string())),
            _ => None,
        });
        kinds.collect::<Vec<_>>()
    };
    let term = || "ownership-act".to_owned();
    assert_eq!(kind_of(NotaryStatus::Private), [("admin_payment", term())]);
    assert_eq!(
        kind_of(NotaryStatus::State),
        [("admin_government_payment", term())]
    );
    assert_eq!(
        kind_of(NotaryStatus::Suspended),
        [("admin_payment", term())]
    );
}

#[test]
fn an_unconfirmed_template_is_paid_once_the_operator_has_confirmed_it() {
    let case = cases().remove(0);
    let way_of_levy = |data: &ReferenceData| {
        let calculation = data.calculate(&case.deal, case.notary, case.date).unwrap();
        let mut lines = calculation.lines.iter();
        let levy = lines
            .find(|line| line.line.id().as_str() == "pension-levy")
            .unwrap();
        match &levy.outcome {
            Outcome::Due(due) => told_way(&due.way),
            outcome => panic!("{outcome:?}"),
        }
    };
    assert_eq!(way_of_levy(&data()), "unconfirmed");
    let choices = TableChoices {
        unconfirmed_templates: BTreeSet::from([TemplateId::parse("purchase-levy").unwrap()]),
        ..TableChoices::default()
    };
    assert_eq!(way_of_levy(&data().with_choices(choices)), "template");
}

#[test]
fn a_rule_follows_the_day_and_a_fee_of_an_earlier_year_is_marked() {
    let data = parse(&small::files()).unwrap();
    let deal = DealRequest {
        kind: DealKindId::parse("sale").unwrap(),
        price: Some(Money::from_hryvnias(1_000).unwrap()),
        valuation: Some(Money::from_hryvnias(2_000).unwrap()),
        building_price: None,
        costs: None,
        objects: Count::ONE,
        owners: Count::ONE,
        payers: None,
        answers: BTreeMap::from([("turn".parse().unwrap(), "later".parse().unwrap())]),
    };
    let sums = |notary, date| -> Vec<(i64, bool)> {
        let calculation = data.calculate(&deal, notary, date).unwrap();
        let due = calculation
            .lines
            .iter()
            .filter_map(|line| match &line.outcome {
                Outcome::Due(due) => Some(due),
                _ => None,
            });
        due.map(|due| {
            let is_stale = matches!(due.reckoned, Reckoned::Fee { stale: Some(_) });
            (due.sum.kopiykas(), is_stale)
        })
        .collect()
    };
    use NotaryStatus::{Private, State};
    assert_eq!(sums(Private, date(2025, 12, 31)), [(10_000, false)]);
    assert_eq!(sums(Private, date(2026, 1, 1)), [(36_000, false)]);
    assert_eq!(
        sums(State, date(2026, 1, 1)),
        [(36_000, false), (33_000, false)]
    );
    assert_eq!(
        sums(State, date(2027, 1, 1)),
        [(36_000, false), (33_000, true)]
    );
}

#[test]
fn a_set_without_tables_of_deals_has_no_deals() {
    let mut files = starter_files();
    files.retain(|file, _| !file.starts_with("deal-"));
    assert!(parse(&files).unwrap().deal_kinds().is_empty());
}

/// Chooses a kind of deal and an answer to each of its questions by numbers.
fn any_deal(
    data: &ReferenceData,
    seed: &[prop::sample::Index],
    price: i64,
    valuation: i64,
) -> DealRequest {
    let mut seed = seed.iter();
    let kind = &data.deal_kinds()[seed.next().unwrap().index(data.deal_kinds().len())];
    let answers = data.deal_facts(kind.id()).map(|fact| {
        let answers: Vec<_> = data.deal_answers(fact.id()).collect();
        let answer = answers[seed.next().unwrap().index(answers.len())];
        (fact.id().clone(), answer.id().clone())
    });
    DealRequest {
        answers: answers.collect(),
        kind: kind.id().clone(),
        price: Some(Money::from_kopiykas(price).unwrap()),
        valuation: Some(Money::from_kopiykas(valuation).unwrap()),
        building_price: None,
        costs: None,
        objects: Count::ONE,
        owners: Count::ONE,
        payers: None,
    }
}

fn sums_of(calculation: &Calculation<'_>) -> Vec<(String, Option<Money>)> {
    let lines = calculation.lines.iter();
    let sum = |outcome: &Outcome<'_>| match outcome {
        Outcome::Due(due) => Some(due.sum),
        Outcome::Nothing => Some(Money::ZERO),
        Outcome::Unknown { .. } => None,
    };
    lines
        .map(|line| (line.rule.id().to_string(), sum(&line.outcome)))
        .collect()
}

proptest! {
    #[test]
    fn a_question_on_which_nothing_depends_any_more_is_not_asked(
        seed in prop::collection::vec(any::<prop::sample::Index>(), 10),
        price in 1..=Money::MAX.kopiykas(),
        valuation in 1..=Money::MAX.kopiykas(),
        is_state in any::<bool>(),
        days in 0..2_000_i32,
    ) {
        thread_local!(static DATA: ReferenceData = data());
        DATA.with(|data| {
            let notary = if is_state { NotaryStatus::State } else { NotaryStatus::Private };
            let day = date(2025, 1, 1) + jiff::Span::new().days(days);
            let all = any_deal(data, &seed, price, valuation);
            let asked = data.deal_facts_asked(&all.kind, &all.answers);
            let mut only = all.clone();
            only.answers.retain(|fact, _| asked.iter().any(|one| one.id() == fact));
            let lines = |deal: &DealRequest| {
                let calculation = data.calculate(deal, notary, day).unwrap();
                let lines = calculation.lines.into_iter();
                lines.map(|line| (line.rule.id().clone(), line.outcome)).collect::<Vec<_>>()
            };
            prop_assert_eq!(lines(&only), lines(&all));
            for fact in asked {
                let mut without = only.clone();
                without.answers.remove(fact.id());
                let faults = data.calculate(&without, notary, day).unwrap_err();
                let missing = DealFault::FactUnanswered(fact.id().clone());
                prop_assert!(faults.contains(&missing), "{:?}", faults);
            }
            Ok(())
        })?;
    }

    #[test]
    fn every_deal_has_sums_that_grow_with_price_and_valuation(
        seed in prop::collection::vec(any::<prop::sample::Index>(), 10),
        price in 1..=Money::MAX.kopiykas(),
        valuation in 1..=Money::MAX.kopiykas(),
        more in 0..100_000_000_i64,
        is_state in any::<bool>(),
        days in 0..2_000_i32,
    ) {
        thread_local!(static DATA: ReferenceData = data());
        DATA.with(|data| {
            let notary = if is_state { NotaryStatus::State } else { NotaryStatus::Private };
            let day = date(2025, 1, 1) + jiff::Span::new().days(days);
            let most = Money::MAX.kopiykas();
            let small = any_deal(data, &seed, price, valuation);
            let small = data.calculate(&small, notary, day).unwrap();
            let large = any_deal(data, &seed, (price + more).min(most), (valuation + more).min(most));
            let large = data.calculate(&large, notary, day).unwrap();
            assert!(!small.lines.is_empty());
            for line in &small.lines {
                for locale in Locale::ALL {
                    assert!(!line.rule.ground(locale).is_empty() && !line.line.name(locale).is_empty());
                }
                if let Outcome::Due(due) = &line.outcome {
                    assert!(!due.sum.is_zero());
                    if let (Reckoned::Percent { base_sum, .. }, (None, _)) = (due.reckoned, line.rule.limits()) {
                        assert!(due.sum <= base_sum);
                    }
                }
            }
            let (small, large) = (sums_of(&small), sums_of(&large));
            for ((rule, less), (same, most)) in small.iter().zip(&large) {
                // No rule changes with the sums.
                assert_eq!(rule, same);
                assert!(less <= most, "{rule}: {less:?}, {most:?}");
            }
        });
    }
}

proptest! {
    #[test]
    fn the_taxes_of_several_payers_are_of_the_whole_and_all_else_stays(
        seed in prop::collection::vec(any::<prop::sample::Index>(), 10),
        price in 1..=Money::MAX.kopiykas(),
        valuation in 1..=Money::MAX.kopiykas(),
        weights in prop::collection::vec(1..=50_u16, 2..=Shares::COUNT_MAX),
        is_state in any::<bool>(),
    ) {
        thread_local!(static DATA: ReferenceData = data());
        DATA.with(|data| {
            let notary = if is_state { NotaryStatus::State } else { NotaryStatus::Private };
            let day = date(2026, 6, 1);
            let of = weights.iter().map(|weight| i64::from(*weight)).sum();
            let shares = weights.iter().map(|weight| Share::new(i64::from(*weight), of).unwrap());
            let alone = any_deal(data, &seed, price, valuation);
            let together = DealRequest { payers: Shares::new(shares.collect()), ..alone.clone() };
            let together = data.calculate(&together, notary, day).unwrap();
            for one in data.calculate(&alone, notary, day).unwrap().lines {
                let several: Vec<_> = together.lines.iter().filter(|line| line.line == one.line).collect();
                if data.tax_of_line(one.line.id()).is_none() {
                    assert_eq!(several, [&one]);
                    continue;
                }
                assert_eq!(several.len(), weights.len());
                let base = |to_pay: &ToPay<'_>| match &to_pay.outcome {
                    Outcome::Due(Due { reckoned: Reckoned::Percent { base_sum, .. }, .. }) => base_sum.kopiykas(),
                    // Too little of a share for a tax of a kopiyka.
                    _ => 0,
                };
                let ids: BTreeSet<String> = several.iter().map(|line| line.id()).collect();
                assert_eq!(ids.len(), several.len());
                let off = base(&one) - several.iter().map(|line| base(line)).sum::<i64>();
                assert!((0..200).contains(&off), "{off}");
            }
        });
    }
}

#[test]
fn a_kind_asks_for_no_sum_that_its_rules_do_not_need() {
    let data = data();
    for kind in data.deal_kinds() {
        let rules = data
            .deals
            .rules
            .iter()
            .filter(|rule| rule.kinds.contains(kind.id()));
        let needed: BTreeSet<DealSum> = rules
            .flat_map(|rule| {
                let sums = rule
                    .base()
                    .map_or(&[][..], |base| base.sums())
                    .iter()
                    .copied();
                sums.chain(rule.adjustment().map(DealAdjustment::sum))
            })
            .collect();
        let asked: BTreeSet<DealSum> = kind.sums().iter().copied().collect();
        assert_eq!(asked, needed, "{}", kind.id());
    }
}
