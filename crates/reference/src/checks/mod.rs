//! How the rows of a set fit together.

mod accounts;
mod deals;
mod periods;
mod references;
mod services;

use crate::findings::{Findings, Mentions};
use crate::problem::Reason;
use crate::rows::Rows;
use crate::table::TARIFFS;
use cabinet_domain::TariffTable;

/// Checks the rows against each other. Returns the commission table if it is whole.
pub(crate) fn check(
    rows: &Rows,
    mentions: &Mentions,
    findings: &mut Findings,
) -> Option<TariffTable> {
    services::check_payment_types(rows, mentions, findings);
    services::check_options(rows, mentions, findings);
    services::check_terms(rows, mentions, findings);
    services::check_purposes(rows, findings);
    services::check_sums(rows, mentions, findings);
    accounts::check_requisites(rows, mentions, findings);
    accounts::check_templates(rows, mentions, findings);
    accounts::check_accounts(rows, findings);
    accounts::check_budget_accounts(rows, mentions, findings);
    accounts::check_coverage(rows, findings);
    deals::check_deals(rows, mentions, findings);
    check_tariffs(rows, mentions, findings)
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
