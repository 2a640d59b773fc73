//! Reads the files of a set: reference data, or every error in them.

use std::collections::BTreeMap;

use crate::checks;
use crate::data::ReferenceData;
use crate::findings::{Findings, Mentioned, Mentions};
use crate::problem::{BadRow, Reason};
use crate::rows::{self, Rows};
use crate::table::{self, SCHEMAS, Schema, Table};

/// Reads a set of reference data: the texts of its files by their names, such as `options.csv`.
///
/// Files whose names do not end in `.csv` are ignored. Nothing is loaded unless all rows are right.
///
/// # Errors
/// Every bad row, by file and line, so that the operator can mend them all at once.
pub fn parse(files: &BTreeMap<String, String>) -> Result<ReferenceData, Vec<BadRow>> {
    let mut findings = Findings::default();
    for file in files.keys().filter(|file| file.ends_with(".csv")) {
        if !SCHEMAS.iter().any(|schema| schema.file == file) {
            findings.refuse(file, 0, Reason::FileUnknown);
        }
    }
    let mut read = |schema: &Schema| Table::read(schema, files, &mut findings.bad);
    let payment_types = read(&table::PAYMENT_TYPES);
    let options = read(&table::OPTIONS);
    let option_tariffs = read(&table::OPTION_TARIFFS);
    let terms = read(&table::TERMS);
    let term_taxes = read(&table::TERM_TAXES);
    let regions = read(&table::REGIONS);
    let requisites = read(&table::REQUISITES);
    let templates = read(&table::TEMPLATES);
    let tariffs = read(&table::TARIFFS);
    let budget_codes = read(&table::BUDGET_CODES);
    let banks = read(&table::BANKS);

    for (table, column) in [
        (&payment_types, "id"),
        (&payment_types, "slug"),
        (&options, "id"),
        (&terms, "id"),
        (&regions, "id"),
        (&regions, "iso_code"),
        (&requisites, "id"),
        (&templates, "id"),
        (&tariffs, "valid_from"),
        (&budget_codes, "code"),
        (&banks, "code"),
    ] {
        findings.refuse_repeated(table, column);
    }
    let mut tariff_rows = tariffs.rows.iter();
    let mentions = Mentions {
        payment_types: Mentioned::in_column(&payment_types, "id"),
        slugs: Mentioned::in_column(&payment_types, "slug"),
        options: Mentioned::in_column(&options, "id"),
        types_of_options: Mentioned::in_column(&options, "payment_types"),
        terms: Mentioned::in_column(&terms, "id"),
        options_of_terms: Mentioned::in_column(&terms, "option_id"),
        regions: Mentioned::in_column(&regions, "id"),
        budget_codes: Mentioned::in_column(&budget_codes, "code"),
        tariff_may_start: !tariffs.is_readable
            || tariff_rows.any(|row| tariffs.cell(row, "valid_from").is_empty()),
    };

    // The names explain the codes to whoever reads the table. Other tables refer to the codes alone.
    findings.rows(&budget_codes, |cells| {
        let (code, name) = (cells.budget_code("code"), cells.name("name_uk", "name_en"));
        Some((code?, name?))
    });
    let rows = Rows {
        payment_types: findings.rows(&payment_types, rows::payment_type),
        options: findings.rows(&options, rows::option),
        option_tariffs: findings.rows(&option_tariffs, |cells| {
            let (id, tariff) = (cells.id("option_id"), rows::dated_sum(cells, "tariff"));
            Some((id?, tariff?))
        }),
        terms: findings.rows(&terms, rows::term),
        term_taxes: findings.rows(&term_taxes, |cells| {
            let (id, tax) = (cells.id("term_id"), rows::dated_sum(cells, "tax"));
            Some((id?, tax?))
        }),
        regions: findings.rows(&regions, rows::region),
        requisites: findings.rows(&requisites, rows::requisite),
        templates: findings.rows(&templates, rows::template),
        tariffs: findings.rows(&tariffs, rows::tariff),
        banks: findings.rows(&banks, |cells| {
            let (code, name) = (rows::bank_code(cells), cells.name("name_uk", "name_en"));
            Some((code?, name?))
        }),
    };
    let tariffs = checks::check(&rows, &mentions, &mut findings);

    let Findings {
        mut bad,
        mut doubtful,
    } = findings;
    // Accounts that overlap for several codes or payment types are found once for each.
    bad.sort();
    bad.dedup();
    doubtful.sort();
    doubtful.dedup();
    match tariffs {
        Some(tariffs) if bad.is_empty() => Ok(ReferenceData::new(rows, tariffs, doubtful)),
        _ => Err(bad),
    }
}
