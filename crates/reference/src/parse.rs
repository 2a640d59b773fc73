//! Reads the files of a set: reference data, or every error in them.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::checks;
use crate::data::ReferenceData;
use crate::deals;
use crate::findings::{Findings, Mentioned, Mentions};
use crate::problem::{BadRow, Reason};
use crate::rows::{self, Bank, DealRows, Rows};
use crate::table::{self, SCHEMAS, Schema, Table};

/// The longest name of a budget code in characters; the official ones are whole sentences.
const BUDGET_CODE_NAME_CHARS_MAX: usize = 250;

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
    let tables = Tables::read(files, &mut findings.bad);
    tables.refuse_repeated(&mut findings);
    let mentions = tables.mentions();
    let rows = tables.rows(&mut findings);
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

/// The files of a set as text.
struct Tables {
    payment_types: Table,
    options: Table,
    option_tariffs: Table,
    terms: Table,
    term_taxes: Table,
    regions: Table,
    requisites: Table,
    templates: Table,
    tariffs: Table,
    budget_codes: Table,
    payment_codes: Table,
    banks: Table,
    treasury_last_days: Table,
    deal_kinds: Table,
    deal_facts: Table,
    deal_answers: Table,
    deal_lines: Table,
    deal_rules: Table,
}

impl Tables {
    /// Reads the files and adds what is wrong with their form to `bad`.
    fn read(files: &BTreeMap<String, String>, bad: &mut Vec<BadRow>) -> Self {
        let mut read = |schema: &Schema| Table::read(schema, files, bad);
        Self {
            payment_types: read(&table::PAYMENT_TYPES),
            options: read(&table::OPTIONS),
            option_tariffs: read(&table::OPTION_TARIFFS),
            terms: read(&table::TERMS),
            term_taxes: read(&table::TERM_TAXES),
            regions: read(&table::REGIONS),
            requisites: read(&table::REQUISITES),
            templates: read(&table::TEMPLATES),
            tariffs: read(&table::TARIFFS),
            budget_codes: read(&table::BUDGET_CODES),
            payment_codes: read(&table::PAYMENT_CODES),
            banks: read(&table::BANKS),
            treasury_last_days: read(&table::TREASURY_LAST_DAYS),
            deal_kinds: read(&table::DEAL_KINDS),
            deal_facts: read(&table::DEAL_FACTS),
            deal_answers: read(&table::DEAL_ANSWERS),
            deal_lines: read(&table::DEAL_LINES),
            deal_rules: read(&table::DEAL_RULES),
        }
    }

    /// Refuses values that may stand only once in their column.
    fn refuse_repeated(&self, findings: &mut Findings) {
        for (table, column) in [
            (&self.payment_types, "id"),
            (&self.payment_types, "slug"),
            (&self.options, "id"),
            (&self.terms, "id"),
            (&self.regions, "id"),
            (&self.regions, "iso_code"),
            (&self.requisites, "id"),
            (&self.templates, "id"),
            (&self.tariffs, "valid_from"),
            (&self.budget_codes, "code"),
            (&self.payment_codes, "code"),
            (&self.banks, "code"),
            (&self.deal_kinds, "id"),
            (&self.deal_facts, "id"),
            (&self.deal_answers, "id"),
            (&self.deal_lines, "id"),
            (&self.deal_rules, "id"),
        ] {
            findings.refuse_repeated(table, column);
        }
    }

    /// Returns the last days of the Treasury, of which a year has one.
    fn treasury_last_days(&self, findings: &mut Findings) -> BTreeMap<i16, Date> {
        let table = &self.treasury_last_days;
        let rows = findings.rows(table, |cells| {
            let (day, source) = (cells.date("last_day"), cells.text("source"));
            source?;
            day
        });
        let mut days = BTreeMap::new();
        let mut first_lines = BTreeMap::new();
        for row in rows {
            let year = row.value.year();
            if let Some(first_line) = first_lines.get(&year).copied() {
                let reason = Reason::YearTwice { first_line };
                findings.refuse(table.file, row.line, reason);
                continue;
            }
            first_lines.insert(year, row.line);
            days.insert(year, row.value);
        }
        days
    }

    /// Returns the columns by which the tables refer to each other.
    fn mentions(&self) -> Mentions {
        let tariffs = &self.tariffs;
        let mut tariff_rows = tariffs.rows.iter();
        Mentions {
            payment_types: Mentioned::in_column(&self.payment_types, "id"),
            slugs: Mentioned::in_column(&self.payment_types, "slug"),
            options: Mentioned::in_column(&self.options, "id"),
            types_of_options: Mentioned::in_column(&self.options, "payment_types"),
            terms: Mentioned::in_column(&self.terms, "id"),
            options_of_terms: Mentioned::in_column(&self.terms, "option_id"),
            regions: Mentioned::in_column(&self.regions, "id"),
            budget_codes: Mentioned::in_column(&self.budget_codes, "code"),
            payment_codes: Mentioned::in_column(&self.payment_codes, "code"),
            templates: Mentioned::in_column(&self.templates, "id"),
            deal_kinds: Mentioned::in_column(&self.deal_kinds, "id"),
            deal_facts: Mentioned::in_column(&self.deal_facts, "id"),
            deal_answers: Mentioned::in_column(&self.deal_answers, "id"),
            deal_lines: Mentioned::in_column(&self.deal_lines, "id"),
            tariff_may_start: !tariffs.is_readable
                || tariff_rows.any(|row| tariffs.cell(row, "valid_from").is_empty()),
        }
    }

    /// Returns the rows that are right by themselves. The others are recorded.
    fn rows(&self, findings: &mut Findings) -> Rows {
        for table in [
            &self.option_tariffs,
            &self.terms,
            &self.term_taxes,
            &self.templates,
            &self.deal_rules,
        ] {
            findings.doubt_unconfirmed(table);
        }
        Rows {
            payment_types: findings.rows(&self.payment_types, rows::payment_type),
            options: findings.rows(&self.options, rows::option),
            option_tariffs: findings.rows(&self.option_tariffs, |cells| {
                let (id, tariff) = (cells.id("option_id"), rows::fee(cells, "tariff"));
                Some((id?, tariff?))
            }),
            terms: findings.rows(&self.terms, rows::term),
            term_taxes: findings.rows(&self.term_taxes, |cells| {
                let (id, tax) = (cells.id("term_id"), rows::fee(cells, "tax"));
                Some((id?, tax?))
            }),
            regions: findings.rows(&self.regions, rows::region),
            requisites: findings.rows(&self.requisites, rows::requisite),
            tells_confirmations: self.requisites.has_column("confirmed_on"),
            templates: findings.rows(&self.templates, rows::template),
            tariffs: findings.rows(&self.tariffs, rows::tariff),
            payment_codes: findings.rows(&self.payment_codes, rows::payment_code),
            // The names explain the codes to whoever reads the table. Other tables refer to the codes alone.
            tax_codes: findings.rows(&self.budget_codes, |cells| {
                let code = cells.budget_code("code");
                let name = cells.long_name("name_uk", "name_en", BUDGET_CODE_NAME_CHARS_MAX);
                let tax = cells.tax();
                name?;
                Some((code?, tax?))
            }),
            banks: findings.rows(&self.banks, |cells| {
                let (code, name) = (rows::bank_code(cells), cells.name("name_uk", "name_en"));
                let is_treasury = cells.yes_or_empty("treasury");
                Some(Bank {
                    code: code?,
                    name: name?,
                    is_treasury: is_treasury?,
                })
            }),
            treasury_last_days: self.treasury_last_days(findings),
            deals: DealRows {
                kinds: findings.rows(&self.deal_kinds, deals::rows::kind),
                facts: findings.rows(&self.deal_facts, deals::rows::fact),
                answers: findings.rows(&self.deal_answers, deals::rows::answer),
                lines: findings.rows(&self.deal_lines, deals::rows::line),
                rules: findings.rows(&self.deal_rules, deals::rows::rule),
            },
        }
    }
}
