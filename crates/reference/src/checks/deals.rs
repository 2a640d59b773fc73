//! Deals: every reference has its row, and for every deal on every day exactly one rule says what each payment is.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    DealAdjustment, DealAnswerId, DealFactId, DealKindId, DealLineId, NotaryStatus,
};
use jiff::civil::Date;

use super::references::{has_tariffs, kinds};
use crate::deals::{Amount, DealRule, Deals};
use crate::findings::{Findings, Mentioned, Mentions};
use crate::problem::Reason;
use crate::rows::{Located, Rows};
use crate::table::{DEAL_ANSWERS, DEAL_FACTS, DEAL_KINDS, DEAL_LINES, DEAL_RULES};

/// The most combinations of answers that are checked for one payment of one kind of deal.
const CASES_MAX: usize = 1_000;

/// The two ways to practise that a rule may depend on.
const NOTARIES: [NotaryStatus; 2] = [NotaryStatus::Private, NotaryStatus::State];

pub(super) fn check_deals(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    check_references(rows, mentions, findings);
    let deals = rows.deals.tables();
    check_questions(rows, &deals, findings);
    // A rule that was refused would seem to be missing.
    let is_deal_table = |file: &str| file.starts_with("deal-");
    if findings.bad.iter().any(|bad| is_deal_table(&bad.file)) {
        return;
    }
    for kind in &rows.deals.kinds {
        check_kind(&kind.value.id, kind.line, rows, &deals, findings);
    }
}

fn check_references(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let mut check = |file: &str, line, column, id: &str, known: &Mentioned| {
        if !known.may_have(id) {
            let id = id.to_owned();
            findings.refuse(file, line, Reason::UnknownParent { column, id });
        }
    };
    for row in &rows.deals.facts {
        for kind in &row.value.kinds {
            check(
                DEAL_FACTS.file,
                row.line,
                "kinds",
                kind.as_str(),
                &mentions.deal_kinds,
            );
        }
    }
    for row in &rows.deals.answers {
        let fact = row.value.fact.as_str();
        check(
            DEAL_ANSWERS.file,
            row.line,
            "fact_id",
            fact,
            &mentions.deal_facts,
        );
    }
    for row in &rows.deals.lines {
        if let Some(id) = &row.value.template {
            check(
                DEAL_LINES.file,
                row.line,
                "template_id",
                id.as_str(),
                &mentions.templates,
            );
        }
    }
    for row in &rows.deals.rules {
        let (rule, line) = (&row.value, row.line);
        let file = DEAL_RULES.file;
        check(
            file,
            line,
            "line_id",
            rule.line.as_str(),
            &mentions.deal_lines,
        );
        for kind in &rule.kinds {
            check(file, line, "kinds", kind.as_str(), &mentions.deal_kinds);
        }
        for (column, answers) in [("answers", &rule.answers), ("withheld", &rule.withheld)] {
            for answer in answers {
                check(file, line, column, answer.as_str(), &mentions.deal_answers);
            }
        }
        match &rule.amount {
            Amount::Term(id) => check(file, line, "term_id", id.as_str(), &mentions.terms),
            Amount::Option(id) => check(file, line, "option_id", id.as_str(), &mentions.options),
            Amount::Percent { .. } | Amount::Fixed(_) | Amount::ByHand => {}
        }
    }
}

/// Checks that the kinds ask for what their rules need, and that options of rules are of a register.
fn check_questions(rows: &Rows, deals: &Deals, findings: &mut Findings) {
    for row in &rows.deals.facts {
        if !deals
            .answers
            .iter()
            .any(|answer| answer.fact == row.value.id)
        {
            findings.refuse(DEAL_FACTS.file, row.line, Reason::FactWithoutAnswers);
        }
    }
    let types = kinds(rows);
    for row in &rows.deals.rules {
        let rule = &row.value;
        for kind in deals
            .kinds
            .iter()
            .filter(|kind| rule.kinds.contains(&kind.id))
        {
            let asks_for = |fact: &DealFactId| {
                let mut facts = deals.facts.iter();
                facts.any(|row| row.id == *fact && row.is_asked_by(&kind.id))
            };
            for answer in rule.answers.iter().chain(&rule.withheld) {
                if deals.fact_of(answer).is_some_and(|fact| !asks_for(fact)) {
                    let reason = Reason::AnswerNotAsked {
                        kind: kind.id.to_string(),
                        answer: answer.to_string(),
                    };
                    findings.refuse(DEAL_RULES.file, row.line, reason);
                }
            }
            if let Some(base) = rule.base()
                && base
                    .sums()
                    .iter()
                    .chain(rule.adjustment().map(DealAdjustment::sum).as_ref())
                    .any(|sum| !kind.sums.contains(sum))
            {
                let kind = kind.id.to_string();
                findings.refuse(DEAL_RULES.file, row.line, Reason::BaseNotAsked { kind });
            }
        }
        if let Amount::Option(id) = &rule.amount {
            let mut options = rows.options.iter().map(|row| &row.value);
            let option = options.find(|option| option.id() == id);
            let is_of_register = |id: &str| types.get(id).is_none_or(|kind| has_tariffs(*kind));
            let of_register = |types: &[_]| {
                types
                    .iter()
                    .any(|id: &cabinet_domain::PaymentTypeId| is_of_register(id.as_str()))
            };
            if option.is_some_and(|option| !of_register(&option.payment_types)) {
                findings.refuse(DEAL_RULES.file, row.line, Reason::TariffOutOfPlace);
            }
        }
    }
}

/// Checks that from the first day of a kind of deal to its last exactly one rule says what each of its payments is.
fn check_kind(kind: &DealKindId, line: usize, rows: &Rows, deals: &Deals, findings: &mut Findings) {
    let rules = rows.deals.rules.iter();
    let rules: Vec<_> = rules.filter(|row| row.value.kinds.contains(kind)).collect();
    let days = days_of(&rules);
    if days.is_empty() {
        findings.refuse(DEAL_KINDS.file, line, Reason::KindWithoutRules);
    }
    let mut by_line: BTreeMap<&DealLineId, Vec<&Located<DealRule>>> = BTreeMap::new();
    for rule in rules {
        by_line.entry(&rule.value.line).or_default().push(rule);
    }
    for (id, rules) in by_line {
        let own_line = rows.deals.lines.iter().find(|row| row.value.id == *id);
        let own_line = own_line.map_or(0, |row| row.line);
        let Some(cases) = cases_of(&rules, deals) else {
            let reason = Reason::TooManyCases {
                kind: kind.to_string(),
                cases_max: CASES_MAX,
            };
            findings.refuse(DEAL_LINES.file, own_line, reason);
            continue;
        };
        for answers in &cases {
            check_case(kind, own_line, &rules, answers, &days, deals, findings);
        }
    }
}

/// Checks one combination of answers for both kinds of notaries. Only the first fault is told: the others are mostly the same one.
fn check_case(
    kind: &DealKindId,
    own_line: usize,
    rules: &[&Located<DealRule>],
    answers: &BTreeSet<DealAnswerId>,
    days: &BTreeSet<Date>,
    deals: &Deals,
    findings: &mut Findings,
) {
    for notary in NOTARIES {
        for day in days {
            let mut fitting = rules.iter().filter(|row| {
                row.value.is_for(kind, notary, *day) && deals.fits(&row.value, answers)
            });
            let case = || {
                let answers: Vec<_> = answers.iter().map(DealAnswerId::as_str).collect();
                let notary = notary.as_str();
                let answers = answers.join(" ");
                format!("{kind}, {notary} notary, answers [{answers}], {day}")
            };
            match (fitting.next(), fitting.next()) {
                (None, _) => {
                    let reason = Reason::RuleMissing { case: case() };
                    findings.refuse(DEAL_LINES.file, own_line, reason);
                    return;
                }
                (Some(first), Some(second)) => {
                    let reason = Reason::RulesOverlap {
                        case: case(),
                        other_line: first.line,
                    };
                    findings.refuse(DEAL_RULES.file, second.line, reason);
                    return;
                }
                (Some(_), None) => {}
            }
        }
    }
}

/// The days on which rules begin to hold or no longer do, from the first day of any rule to the last.
fn days_of(rules: &[&Located<DealRule>]) -> BTreeSet<Date> {
    let periods = || rules.iter().map(|row| row.value.period);
    let Some(first) = periods().map(|period| period.from).min() else {
        return BTreeSet::new();
    };
    // `None`: some rule has no end.
    let last = periods()
        .map(|period| period.to)
        .collect::<Option<Vec<_>>>();
    let last = last.and_then(|days| days.into_iter().max());
    let starts = periods().map(|period| period.from);
    let ends = periods().filter_map(|period| period.day_after());
    let mut days: BTreeSet<Date> = starts.chain(ends).collect();
    days.insert(first);
    days.retain(|day| last.is_none_or(|last| *day <= last));
    days
}

/// Every combination of answers to the questions that rules name; `None` above [`CASES_MAX`].
fn cases_of(rules: &[&Located<DealRule>], deals: &Deals) -> Option<Vec<BTreeSet<DealAnswerId>>> {
    let answers = rules.iter().flat_map(|row| &row.value.answers);
    let facts: BTreeSet<&DealFactId> = answers.filter_map(|id| deals.fact_of(id)).collect();
    let mut cases = vec![BTreeSet::new()];
    for fact in facts {
        let answers = || deals.answers.iter().filter(|answer| answer.fact == *fact);
        if cases.len().saturating_mul(answers().count()) > CASES_MAX {
            return None;
        }
        cases = cases
            .iter()
            .flat_map(|case| {
                answers().map(move |answer| {
                    let mut case = case.clone();
                    case.insert(answer.id.clone());
                    case
                })
            })
            .collect();
    }
    Some(cases)
}
