//! Columns that name rows of other tables.

use std::collections::BTreeMap;

use crate::findings::{Findings, Mentions};
use crate::problem::Reason;
use crate::rows::Rows;
use cabinet_domain::{BudgetCode, PaymentKind};

/// Whether payments of a kind have options.
pub(super) fn has_options(kind: PaymentKind) -> bool {
    !kind.is_free_form()
}

/// Whether options of a kind have tariffs of their own.
pub(super) fn has_tariffs(kind: PaymentKind) -> bool {
    has_options(kind) && !kind.needs_term()
}

/// The kind of each payment type, by its identifier.
pub(super) fn kinds(rows: &Rows) -> BTreeMap<&str, PaymentKind> {
    rows.payment_types
        .iter()
        .map(|row| (row.value.id().as_str(), row.value.kind()))
        .collect()
}

/// Checks the column `payment_types` of an option or a recipient.
pub(super) fn check_types<'a>(
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
pub(super) fn check_budget_code(
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
