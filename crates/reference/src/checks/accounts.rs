//! Accounts of recipients and templates, and which regions lack one.

use std::collections::{BTreeMap, BTreeSet};

use super::periods::check_periods;
use super::references::{check_budget_code, check_types, kinds};
use crate::findings::{Findings, Mentions};
use crate::problem::{Doubt, Reason};
use crate::recipients::{CLIENT_CODE_PLACEHOLDER, CLIENT_NAME_PLACEHOLDER, RegionScope, Template};
use crate::rows::{Located, Rows};
use crate::table::{REGIONS, REQUISITES, TEMPLATES};
use cabinet_domain::{BudgetCode, Iban, Okpo, Purpose};

/// A usual full name, a rather long one: a comment must leave room for it.
const USUAL_CLIENT_NAME: &str = "Костянтиненко Олександра Володимирівна";
/// A code of the longest of the four forms.
const USUAL_CLIENT_CODE: &str = "0000000000";
pub(super) fn check_requisites(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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
    // The notary can't tell two accounts of one name for the same payments in one region apart, so only one of them may
    // be valid on a day. Names need not contain the budget code, so accounts for different codes may share a name.
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
    BudgetCode::in_name(name).is_some_and(|code| !codes.contains(&code))
}

pub(super) fn check_templates(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
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
        for reason in comment_reasons(template, mentions) {
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
fn comment_reasons(template: &Template, mentions: &Mentions) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let is_budget = template.iban().is_budget_account();
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
            let chars_max = Purpose::TYPED_CHARS_MAX;
            reasons.push(Reason::CommentTooLong { chars_max });
        }
        // The older form is accepted from people who are used to it, but no template offers it.
        Ok(purpose) if is_budget => match purpose.payment_code() {
            None => reasons.push(Reason::PurposeFormInvalid),
            Some(code) if !mentions.payment_codes.may_have(code.as_str()) => {
                reasons.push(Reason::PaymentCodeUnknown);
            }
            Some(_) => {}
        },
        Ok(_) => {}
    }
    reasons
}

/// The Treasury, where no bank of the table is marked as one.
const TREASURY_BANK_CODE: &str = "899998";

/// Refuses a budget code beside an account that is kept elsewhere than at the Treasury.
pub(super) fn check_budget_accounts(rows: &Rows, mentions: &Mentions, findings: &mut Findings) {
    let banks = rows.banks.iter().map(|row| &row.value);
    let mut treasuries: BTreeSet<&str> = banks
        .filter(|bank| bank.is_treasury)
        .map(|bank| bank.code.as_str())
        .collect();
    if treasuries.is_empty() {
        treasuries.insert(TREASURY_BANK_CODE);
    }
    let requisites = rows.requisites.iter().map(|row| {
        let codes = row.value.budget_codes();
        (REQUISITES.file, row.line, row.value.iban(), codes)
    });
    let templates = rows.templates.iter().map(|row| {
        let codes = row
            .value
            .budget_code()
            .map_or(&[][..], std::slice::from_ref);
        (TEMPLATES.file, row.line, row.value.iban(), codes)
    });
    for (file, line, iban, codes) in requisites.chain(templates) {
        let is_of_budget = codes
            .iter()
            .any(|code| mentions.budget_codes.may_have(code.as_str()));
        if is_of_budget && !treasuries.contains(iban.bank_code()) {
            let bank = iban.bank_code().to_owned();
            findings.refuse(file, line, Reason::BudgetAccountElsewhere { bank });
        }
    }
}

/// Refuses an account that stands with two recipient codes, and a person's code beside an account of the Treasury.
pub(super) fn check_accounts(rows: &Rows, findings: &mut Findings) {
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
        if iban.is_treasury() && okpo.is_person() {
            findings.refuse(file, line, Reason::TreasuryCodeInvalid);
        }
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

/// Records a doubt for every region without a recipient for something that is offered there.
pub(super) fn check_coverage(rows: &Rows, findings: &mut Findings) {
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
