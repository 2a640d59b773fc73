//! Payment types, options, terms, and what each costs.

use std::collections::{BTreeMap, BTreeSet};

use super::periods::check_periods;
use super::references::{check_budget_code, check_types, has_options, has_tariffs, kinds};
use crate::choices::Reading;
use crate::findings::{Findings, Mentions};
use crate::model::DatedFee;
use crate::problem::{Doubt, Reason};
use crate::purpose_text::purpose_fits;
use crate::rows::{Located, Rows};
use crate::table::{OPTION_TARIFFS, OPTIONS, PAYMENT_TYPES, REGIONS, TERM_TAXES, TERMS};
use cabinet_domain::{PaymentKind, Purpose, TermId};

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

pub(super) fn check_payment_types(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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

pub(super) fn check_options(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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

/// Refuses an option whose purposes could not be whole with the longest names and codes of payers.
pub(super) fn check_purposes(rows: &Rows, findings: &mut Findings) {
    let kinds_of_options = kinds_of_options(rows);
    for row in &rows.options {
        let option = &row.value;
        let kinds = kinds_of_options.get(option.id().as_str());
        let is_too_long = kinds.into_iter().flatten().any(|kind| {
            let terms = rows.terms.iter().map(|row| &row.value);
            let mut terms = terms
                .filter(|term| kind.needs_term() && term.option() == option.id())
                .map(Some)
                .chain((!kind.needs_term()).then_some(None));
            terms.any(|term| !purpose_fits(*kind, option, term))
        });
        if is_too_long {
            let chars_max = Purpose::CHARS_MAX;
            findings.refuse(OPTIONS.file, row.line, Reason::PurposeTooLong { chars_max });
        }
    }
}

pub(super) fn check_terms(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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

pub(super) fn check_sums(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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
    for reading in Reading::ALL {
        // An undisputed row stands in both readings.
        let taxes = rows.term_taxes.iter();
        let taxes = taxes.filter(|row| row.value.1.reading.is_none_or(|one| one == reading));
        check_periods(
            TERM_TAXES.file,
            taxes.map(|row| (row.value.0.as_str(), row.line, row.value.1.period)),
            findings,
        );
        check_other_reading(rows, reading, findings);
    }
}

/// Refuses a disputed fee whose other reading, `reading`, does not stand beside it for the same days.
fn check_other_reading(rows: &Rows, reading: Reading, findings: &mut Findings) {
    let key = |row: &Located<(TermId, DatedFee)>| {
        let (term, fee) = &row.value;
        (term.clone(), fee.period.from, fee.period.to)
    };
    let of_reading = rows.term_taxes.iter();
    let of_reading: BTreeSet<_> = of_reading
        .filter(|row| row.value.1.reading == Some(reading))
        .map(key)
        .collect();
    for row in &rows.term_taxes {
        let own = row.value.1.reading;
        if own.is_some_and(|own| own != reading) && !of_reading.contains(&key(row)) {
            let reading = reading.as_str();
            findings.refuse(
                TERM_TAXES.file,
                row.line,
                Reason::ReadingMissing { reading },
            );
        }
    }
}
