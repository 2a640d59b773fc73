//! How the rows of a set fit together.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    CLIENT_CODE_PLACEHOLDER, CLIENT_NAME_PLACEHOLDER, Period, RegionScope, Template,
};
use crate::parse::{Findings, Located, Mentions, Rows};
use crate::problem::{Doubt, Reason};
use crate::table::{
    OPTION_TARIFFS, OPTIONS, PAYMENT_TYPES, REGIONS, REQUISITES, TARIFFS, TEMPLATES, TERM_TAXES,
    TERMS,
};
use cabinet_domain::{BudgetCode, BudgetForm, Iban, Okpo, PaymentKind, Purpose, TariffTable};

/// A usual full name, a rather long one: a comment must leave room for it.
const USUAL_CLIENT_NAME: &str = "Костянтиненко Олександра Володимирівна";
/// A code of the longest of the four forms.
const USUAL_CLIENT_CODE: &str = "0000000000";
/// Notes everything that does not fit together. Gives the commission table if it is whole.
pub(crate) fn check(
    rows: &Rows,
    mentions: &Mentions,
    findings: &mut Findings,
) -> Option<TariffTable> {
    check_payment_types(rows, mentions, findings);
    check_options(rows, mentions, findings);
    check_terms(rows, mentions, findings);
    check_sums(rows, mentions, findings);
    check_requisites(rows, mentions, findings);
    check_templates(rows, mentions, findings);
    check_accounts(rows, findings);
    check_coverage(rows, findings);
    check_tariffs(rows, mentions, findings)
}

/// Whether payments of a kind have options.
fn has_options(kind: PaymentKind) -> bool {
    !kind.is_free_form()
}

/// Whether options of a kind have tariffs of their own.
fn has_tariffs(kind: PaymentKind) -> bool {
    has_options(kind) && !kind.needs_term()
}

/// The kind of each payment type, by its identifier.
fn kinds(rows: &Rows) -> BTreeMap<&str, PaymentKind> {
    rows.payment_types
        .iter()
        .map(|row| (row.value.id().as_str(), row.value.kind()))
        .collect()
}

/// The kinds of each option, by its identifier. An option of a payment type that could not be read is left out.
fn kinds_of_options(rows: &Rows) -> BTreeMap<&str, Vec<PaymentKind>> {
    let kinds = kinds(rows);
    rows.options
        .iter()
        .filter_map(|row| {
            let of_option: Option<Vec<_>> = row
                .value
                .payment_types
                .iter()
                .map(|id| kinds.get(id.as_str()).copied())
                .collect();
            Some((row.value.id().as_str(), of_option?))
        })
        .collect()
}

fn check_payment_types(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    for kind in PaymentKind::ALL {
        if !mentions.slugs.may_have(kind.slug()) {
            let reason = Reason::SlugMissing { slug: kind.slug() };
            findings.refuse(PAYMENT_TYPES.file, 0, reason);
        }
    }
    for row in &rows.payment_types {
        let payment_type = &row.value;
        let id = payment_type.id().as_str();
        if has_options(payment_type.kind()) && !mentions.types_of_options.may_have(id) {
            findings.refuse(PAYMENT_TYPES.file, row.line, Reason::TypeWithoutOptions);
        }
    }
    if mentions.regions.is_certainly_empty() {
        findings.refuse(REGIONS.file, 0, Reason::NoRows);
    }
}

/// Checks the column `payment_types` of an option or a recipient.
fn check_types<'a>(
    file: &str,
    line: usize,
    ids: impl Iterator<Item = &'a str>,
    kinds: &BTreeMap<&str, PaymentKind>,
    mentions: &Mentions,
    findings: &mut Findings,
) {
    let column = "payment_types";
    for id in ids {
        if !mentions.payment_types.may_have(id) {
            let id = id.to_owned();
            findings.refuse(file, line, Reason::UnknownParent { column, id });
        } else if kinds.get(id).is_some_and(|kind| !has_options(*kind)) {
            findings.refuse(file, line, Reason::TypeTakesNone { column });
        }
    }
}

/// Checks that a budget code has a name.
fn check_budget_code(
    file: &str,
    line: usize,
    column: &'static str,
    code: Option<&BudgetCode>,
    mentions: &Mentions,
    findings: &mut Findings,
) {
    if let Some(code) = code.filter(|code| !mentions.budget_codes.may_have(code.as_str())) {
        let id = code.as_str().to_owned();
        findings.refuse(file, line, Reason::UnknownParent { column, id });
    }
}

fn check_options(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let kinds = kinds(rows);
    let kinds_of_options = kinds_of_options(rows);
    for row in &rows.options {
        let option = &row.value;
        let types = option.payment_types.iter().map(|id| id.as_str());
        check_types(OPTIONS.file, row.line, types, &kinds, mentions, findings);
        let code = option.budget_code();
        check_budget_code(
            OPTIONS.file,
            row.line,
            "budget_code",
            code,
            mentions,
            findings,
        );
        let is_any = |test: fn(PaymentKind) -> bool| {
            kinds_of_options
                .get(option.id().as_str())
                .is_some_and(|kinds| kinds.iter().any(|kind| test(*kind)))
        };
        let id = option.id().as_str();
        if is_any(PaymentKind::needs_term) && !mentions.options_of_terms.may_have(id) {
            findings.refuse(OPTIONS.file, row.line, Reason::OptionWithoutTerms);
        }
        let mut tariffs = rows.option_tariffs.iter();
        if is_any(has_tariffs) && !tariffs.any(|tariff| tariff.value.0 == *option.id()) {
            findings.doubt(OPTIONS.file, row.line, Doubt::NeverOffered);
        }
    }
}

fn check_terms(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let kinds_of_options = kinds_of_options(rows);
    for row in &rows.terms {
        let term = &row.value;
        let option = term.option().as_str();
        if !mentions.options.may_have(option) {
            findings.refuse(
                TERMS.file,
                row.line,
                Reason::UnknownParent {
                    column: "option_id",
                    id: option.to_owned(),
                },
            );
        }
        let kinds = kinds_of_options.get(option);
        if kinds.is_some_and(|kinds| !kinds.iter().any(|kind| kind.needs_term())) {
            findings.refuse(TERMS.file, row.line, Reason::TermOutOfPlace);
        }
        let code = term.budget_code();
        check_budget_code(
            TERMS.file,
            row.line,
            "budget_code",
            code,
            mentions,
            findings,
        );
        if !rows.term_taxes.iter().any(|tax| tax.value.0 == *term.id()) {
            findings.doubt(TERMS.file, row.line, Doubt::NeverOffered);
        }
    }
}

fn check_sums(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let kinds_of_options = kinds_of_options(rows);
    for row in &rows.option_tariffs {
        let option = row.value.0.as_str();
        if !mentions.options.may_have(option) {
            findings.refuse(
                OPTION_TARIFFS.file,
                row.line,
                Reason::UnknownParent {
                    column: "option_id",
                    id: option.to_owned(),
                },
            );
        }
        let kinds = kinds_of_options.get(option);
        if kinds.is_some_and(|kinds| !kinds.iter().any(|kind| has_tariffs(*kind))) {
            findings.refuse(OPTION_TARIFFS.file, row.line, Reason::TariffOutOfPlace);
        }
    }
    for row in &rows.term_taxes {
        let term = row.value.0.as_str();
        if !mentions.terms.may_have(term) {
            findings.refuse(
                TERM_TAXES.file,
                row.line,
                Reason::UnknownParent {
                    column: "term_id",
                    id: term.to_owned(),
                },
            );
        }
    }
    let tariffs = rows.option_tariffs.iter();
    check_periods(
        OPTION_TARIFFS.file,
        tariffs.map(|row| (row.value.0.as_str(), row.line, row.value.1.period)),
        findings,
    );
    let taxes = rows.term_taxes.iter();
    check_periods(
        TERM_TAXES.file,
        taxes.map(|row| (row.value.0.as_str(), row.line, row.value.1.period)),
        findings,
    );
}

/// Refuses periods of one thing that overlap, and doubts days between them.
fn check_periods<K: Ord>(
    file: &str,
    periods: impl Iterator<Item = (K, usize, Period)>,
    findings: &mut Findings,
) {
    let mut by_key: BTreeMap<K, Vec<(Period, usize)>> = BTreeMap::new();
    for (key, line, period) in periods {
        by_key.entry(key).or_default().push((period, line));
    }
    for mut series in by_key.into_values() {
        series.sort_by_key(|(period, line)| (period.from(), *line));
        let mut series = series.into_iter();
        let Some(mut latest) = series.next() else {
            continue;
        };
        for (period, line) in series {
            let (before, other_line) = latest;
            if before.overlaps(period) {
                // Named at the later of the two lines: the other one stood there first.
                findings.refuse(
                    file,
                    line.max(other_line),
                    Reason::PeriodsOverlap {
                        other_line: line.min(other_line),
                    },
                );
            } else if let (Some(first), Ok(last)) = (before.day_after(), period.from().yesterday())
                && first <= last
            {
                findings.doubt(file, line, Doubt::Gap { first, last });
            }
            let ends_later = match (before.to(), period.to()) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(before), Some(to)) => before < to,
            };
            if ends_later {
                latest = (period, line);
            }
        }
    }
}

fn check_requisites(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let kinds = kinds(rows);
    for row in &rows.requisites {
        let (requisite, line) = (&row.value, row.line);
        if let RegionScope::Only(id) = &requisite.scope {
            let region = rows.regions.iter().find(|region| region.value.id() == id);
            if !mentions.regions.may_have(id.as_str()) {
                findings.refuse(
                    REQUISITES.file,
                    line,
                    Reason::UnknownParent {
                        column: "region_id",
                        id: id.as_str().to_owned(),
                    },
                );
            } else if region.is_some_and(|region| !region.value.has_recipients()) {
                findings.refuse(REQUISITES.file, line, Reason::RegionWithoutRecipients);
            }
        }
        let types = requisite.payment_types.iter().map(|id| id.as_str());
        check_types(REQUISITES.file, line, types, &kinds, mentions, findings);
        for code in requisite.budget_codes() {
            check_budget_code(
                REQUISITES.file,
                line,
                "budget_codes",
                Some(code),
                mentions,
                findings,
            );
        }
        if requisite.okpo().check().is_some() {
            findings.doubt(REQUISITES.file, line, Doubt::CodeCheckDigit);
        }
        if name_has_another_code(requisite.name(), requisite.budget_codes()) {
            findings.doubt(REQUISITES.file, line, Doubt::NameWithAnotherCode);
        }
    }
    // Two accounts of one name for the same payments in one region look the same to the notary, so only one of them
    // may hold on a day. Names need not carry the budget code, so accounts for different codes may share one.
    let mut periods = Vec::new();
    for row in &rows.requisites {
        let requisite = &row.value;
        let region = match &requisite.scope {
            RegionScope::Everywhere => "*",
            RegionScope::Only(id) => id.as_str(),
        };
        let mut codes: Vec<_> = requisite.budget_codes().iter().map(Some).collect();
        if codes.is_empty() {
            codes.push(None);
        }
        for payment_type in &requisite.payment_types {
            for code in &codes {
                let key = (region, requisite.name(), payment_type, *code);
                periods.push((key, row.line, requisite.period()));
            }
        }
    }
    check_periods(REQUISITES.file, periods.into_iter(), findings);
}

/// Whether the last part of a name in the Treasury's slash form is a budget code that is none of the recipient's.
fn name_has_another_code(name: &str, codes: &[BudgetCode]) -> bool {
    name.rsplit('/')
        .next()
        .and_then(|part| BudgetCode::parse(part).ok())
        .is_some_and(|code| !codes.contains(&code))
}

fn check_templates(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    for row in &rows.templates {
        let (template, line) = (&row.value, row.line);
        let code = template.budget_code();
        check_budget_code(
            TEMPLATES.file,
            line,
            "budget_code",
            code,
            mentions,
            findings,
        );
        for reason in comment_reasons(template) {
            findings.refuse(TEMPLATES.file, line, reason);
        }
        if !template.comment().contains(CLIENT_CODE_PLACEHOLDER) {
            findings.doubt(TEMPLATES.file, line, Doubt::CommentWithoutCode);
        }
        if template.okpo().check().is_some() {
            findings.doubt(TEMPLATES.file, line, Doubt::CodeCheckDigit);
        }
        let codes = code.map_or(&[][..], std::slice::from_ref);
        if name_has_another_code(template.recipient_name(), codes) {
            findings.doubt(TEMPLATES.file, line, Doubt::NameWithAnotherCode);
        }
    }
}

/// What is wrong with a template's comment or with what it needs beside it.
fn comment_reasons(template: &Template) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let is_budget = template.iban().fifth_is_8();
    if is_budget && template.budget_code().is_none() {
        reasons.push(Reason::BudgetCodeRequired);
    }
    let without_placeholders = template
        .comment()
        .replace(CLIENT_NAME_PLACEHOLDER, "")
        .replace(CLIENT_CODE_PLACEHOLDER, "");
    if without_placeholders.contains(['{', '}']) {
        reasons.push(Reason::PlaceholderUnknown);
    }
    match Purpose::parse(&template.purpose_for(USUAL_CLIENT_NAME, USUAL_CLIENT_CODE)) {
        // The comment is tidy and not empty, so only its length can be the matter.
        Err(_) => {
            let chars_max = Purpose::CHARS_MAX;
            reasons.push(Reason::CommentTooLong { chars_max });
        }
        // The older form is accepted from people who are used to it, but no template offers it.
        Ok(purpose) if is_budget && purpose.budget_form() != Some(BudgetForm::CodeAndText) => {
            reasons.push(Reason::PurposeFormInvalid);
        }
        Ok(_) => {}
    }
    reasons
}

/// Refuses an account that stands with two recipient codes.
fn check_accounts(rows: &Rows, findings: &mut Findings) {
    let requisites = rows.requisites.iter().map(|row| {
        let (iban, okpo) = (row.value.iban(), row.value.okpo());
        (iban, okpo, REQUISITES.file, row.line)
    });
    let templates = rows.templates.iter().map(|row| {
        let (iban, okpo) = (row.value.iban(), row.value.okpo());
        (iban, okpo, TEMPLATES.file, row.line)
    });
    let mut first: BTreeMap<&Iban, (&Okpo, &'static str, usize)> = BTreeMap::new();
    for (iban, okpo, file, line) in requisites.chain(templates) {
        let (first_okpo, first_file, first_line) = *first.entry(iban).or_insert((okpo, file, line));
        if first_okpo != okpo {
            findings.refuse(
                file,
                line,
                Reason::AccountOfAnother {
                    file: first_file,
                    line: first_line,
                },
            );
        }
    }
}

/// Doubts every region that lacks a recipient for something that is offered there.
fn check_coverage(rows: &Rows, findings: &mut Findings) {
    for payment_type in rows.payment_types.iter().map(|row| &row.value) {
        let options = rows.options.iter().map(|row| &row.value);
        let mut codes: BTreeSet<Option<&BudgetCode>> = BTreeSet::new();
        for option in options.filter(|option| option.is_of(payment_type.id())) {
            if payment_type.kind().needs_term() {
                let terms = rows.terms.iter().map(|row| &row.value);
                codes.extend(
                    terms
                        .filter(|term| term.option() == option.id())
                        .map(|term| term.budget_code().or(option.budget_code())),
                );
            } else {
                codes.insert(option.budget_code());
            }
        }
        for Located {
            line,
            value: region,
        } in &rows.regions
        {
            for code in codes.iter().filter(|_| region.has_recipients()) {
                let mut requisites = rows.requisites.iter().map(|row| &row.value);
                let is_covered = requisites.any(|requisite| {
                    requisite.is_in(region)
                        && requisite.is_of(payment_type.id())
                        && requisite.takes_code(*code)
                });
                if !is_covered {
                    findings.doubt(
                        REGIONS.file,
                        *line,
                        Doubt::RecipientMissing {
                            payment_type: payment_type.id().as_str().to_owned(),
                            budget_code: code.map(|code| code.as_str().to_owned()),
                        },
                    );
                }
            }
        }
    }
}

fn check_tariffs(rows: &Rows, mentions: &Mentions, findings: &mut Findings) -> Option<TariffTable> {
    if !mentions.tariff_may_start {
        findings.refuse(TARIFFS.file, 0, Reason::TariffStartMissing);
    }
    let starts = rows
        .tariffs
        .iter()
        .filter(|row| row.value.valid_from.is_none());
    let mut lines = starts.map(|row| row.line);
    if let Some(first_line) = lines.next() {
        for line in lines {
            let column = "valid_from";
            let reason = Reason::Duplicate { column, first_line };
            findings.refuse(TARIFFS.file, line, reason);
        }
    }
    let tariffs = rows.tariffs.iter().map(|row| row.value).collect();
    TariffTable::new(tariffs).ok()
}
