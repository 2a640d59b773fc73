//! From the files of a set to reference data, or to everything that is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use crate::cells::Cells;
use crate::checks;
use crate::data::ReferenceData;
use crate::model::{
    Dated, Name, PaymentOption, PaymentType, Region, RegionScope, Requisite, Template, Term,
};
use crate::problem::{BadRow, Doubt, DoubtfulRow, Reason};
use crate::table::{self, SCHEMAS, Schema, Table};
use cabinet_domain::{BudgetCode, Money, OptionId, PaymentKind, RegionId, Tariff, TermId};

/// A value with the line it was read from.
#[derive(Debug)]
pub(crate) struct Located<T> {
    pub(crate) line: usize,
    pub(crate) value: T,
}

/// All rows that are right in themselves; how they fit together is checked after.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) payment_types: Vec<Located<PaymentType>>,
    pub(crate) options: Vec<Located<PaymentOption>>,
    pub(crate) option_tariffs: Vec<Located<(OptionId, Dated<Money>)>>,
    pub(crate) terms: Vec<Located<Term>>,
    pub(crate) term_taxes: Vec<Located<(TermId, Dated<Money>)>>,
    pub(crate) regions: Vec<Located<Region>>,
    pub(crate) requisites: Vec<Located<Requisite>>,
    pub(crate) templates: Vec<Located<Template>>,
    pub(crate) tariffs: Vec<Located<Tariff>>,
    pub(crate) budget_codes: Vec<Located<(BudgetCode, Name)>>,
    pub(crate) banks: Vec<Located<(String, Name)>>,
}

/// What stands in a column, also in rows that are bad otherwise: a row that refers to a bad one is not itself bad, and
/// what stands in a bad row is not missing.
#[derive(Debug)]
pub(crate) struct Mentioned {
    is_known: bool,
    words: BTreeSet<String>,
}

impl Mentioned {
    /// Collects the words of a column.
    fn in_column(table: &Table, column: &'static str) -> Self {
        let cells = table.rows.iter().map(|row| table.cell(row, column));
        Self {
            is_known: table.is_readable,
            words: cells
                .flat_map(str::split_whitespace)
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Whether the column has the word, or may have it because the table could not be read.
    pub(crate) fn may_have(&self, word: &str) -> bool {
        !self.is_known || self.words.contains(word)
    }

    /// Whether the table was read and has nothing in the column.
    pub(crate) fn is_certainly_empty(&self) -> bool {
        self.is_known && self.words.is_empty()
    }
}

/// What the tables say of each other.
#[derive(Debug)]
pub(crate) struct Mentions {
    pub(crate) payment_types: Mentioned,
    pub(crate) slugs: Mentioned,
    pub(crate) options: Mentioned,
    pub(crate) types_of_options: Mentioned,
    pub(crate) terms: Mentioned,
    pub(crate) options_of_terms: Mentioned,
    pub(crate) regions: Mentioned,
    pub(crate) budget_codes: Mentioned,
    /// Whether a row of the commission table has no first day, or may have none.
    pub(crate) tariff_may_start: bool,
}

/// What was found wrong or doubtful.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    bad: Vec<BadRow>,
    doubtful: Vec<DoubtfulRow>,
}

impl Findings {
    pub(crate) fn refuse(&mut self, file: &str, line: usize, reason: Reason) {
        self.bad.push(BadRow {
            file: file.to_owned(),
            line,
            reason,
        });
    }

    pub(crate) fn doubt(&mut self, file: &str, line: usize, doubt: Doubt) {
        self.doubtful.push(DoubtfulRow {
            file: file.to_owned(),
            line,
            doubt,
        });
    }

    /// Refuses values of a column that stand there a second time.
    fn refuse_repeated(&mut self, table: &Table, column: &'static str) {
        let mut first_line_of = BTreeMap::new();
        for row in &table.rows {
            let value = table.cell(row, column);
            if value.is_empty() {
                continue;
            }
            let first_line = *first_line_of.entry(value).or_insert(row.line);
            if first_line != row.line {
                let reason = Reason::Duplicate { column, first_line };
                self.refuse(table.file, row.line, reason);
            }
        }
    }

    /// Reads the rows of a table; bad ones are noted and left out.
    fn rows<T>(
        &mut self,
        table: &Table,
        read: impl Fn(&mut Cells<'_>) -> Option<T>,
    ) -> Vec<Located<T>> {
        let mut rows = Vec::new();
        for row in table.rows.iter().filter(|row| row.is_whole) {
            let mut cells = Cells::new(table, row);
            let value = read(&mut cells);
            let reasons = cells.into_reasons();
            if let (Some(value), true) = (value, reasons.is_empty()) {
                rows.push(Located {
                    line: row.line,
                    value,
                });
            }
            for reason in reasons {
                self.refuse(table.file, row.line, reason);
            }
        }
        rows
    }
}

/// Reads a set of reference data: the texts of its files by their names, such as `options.csv`.
///
/// Files whose names do not end in `.csv` are passed over. Nothing is ever taken in part: either all rows are right, or
/// nothing is loaded.
///
/// # Errors
/// Every row that is wrong, by file and line, so that the operator mends them in one go.
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

    let rows = Rows {
        payment_types: findings.rows(&payment_types, payment_type),
        options: findings.rows(&options, option),
        option_tariffs: findings.rows(&option_tariffs, |cells| {
            let (id, tariff) = (cells.id("option_id"), dated_sum(cells, "tariff"));
            Some((id?, tariff?))
        }),
        terms: findings.rows(&terms, term),
        term_taxes: findings.rows(&term_taxes, |cells| {
            let (id, tax) = (cells.id("term_id"), dated_sum(cells, "tax"));
            Some((id?, tax?))
        }),
        regions: findings.rows(&regions, region),
        requisites: findings.rows(&requisites, requisite),
        templates: findings.rows(&templates, template),
        tariffs: findings.rows(&tariffs, tariff),
        budget_codes: findings.rows(&budget_codes, |cells| {
            let (code, name) = (cells.budget_code("code"), cells.name("name_uk", "name_en"));
            Some((code?, name?))
        }),
        banks: findings.rows(&banks, |cells| {
            let (code, name) = (bank_code(cells), cells.name("name_uk", "name_en"));
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

fn payment_type(cells: &mut Cells<'_>) -> Option<PaymentType> {
    let id = cells.id("id");
    let kind = match cells.raw("slug") {
        "" => cells.refuse(Reason::Empty { column: "slug" }),
        slug => PaymentKind::from_slug(slug).or_else(|| cells.refuse(Reason::SlugUnknown)),
    };
    Some(PaymentType {
        id: id?,
        kind: kind?,
    })
}

fn option(cells: &mut Cells<'_>) -> Option<PaymentOption> {
    let id = cells.id("id");
    let payment_types = cells.ids("payment_types");
    let name = cells.name("name_uk", "name_en");
    let budget_code = cells.optional_budget_code("budget_code");
    Some(PaymentOption {
        id: id?,
        payment_types: payment_types?,
        name: name?,
        budget_code: budget_code?,
    })
}

fn term(cells: &mut Cells<'_>) -> Option<Term> {
    let id = cells.id("id");
    let option = cells.id("option_id");
    let period = cells.name("period_uk", "period_en");
    let budget_code = cells.optional_budget_code("budget_code");
    Some(Term {
        id: id?,
        option: option?,
        period: period?,
        budget_code: budget_code?,
    })
}

fn dated_sum(cells: &mut Cells<'_>, column: &'static str) -> Option<Dated<Money>> {
    let value = cells.money(column);
    let period = cells.period();
    Some(Dated {
        value: value?,
        period: period?,
    })
}

fn region(cells: &mut Cells<'_>) -> Option<Region> {
    let id = cells.id("id");
    let iso_code = match cells.raw("iso_code") {
        "" => cells.refuse(Reason::Empty { column: "iso_code" }),
        code if is_iso_code(code) => Some(code.to_owned()),
        _ => cells.refuse(Reason::IsoCodeInvalid),
    };
    let name = cells.name("name_uk", "name_en");
    let has_recipients = cells.yes_no("has_recipients");
    Some(Region {
        id: id?,
        iso_code: iso_code?,
        name: name?,
        has_recipients: has_recipients?,
    })
}

/// `UA-` and two digits.
fn is_iso_code(text: &str) -> bool {
    text.strip_prefix("UA-")
        .is_some_and(|digits| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn requisite(cells: &mut Cells<'_>) -> Option<Requisite> {
    let id = cells.id("id");
    let scope = match cells.raw("region_id") {
        "*" => Some(RegionScope::Everywhere),
        _ => cells.id::<RegionId>("region_id").map(RegionScope::Only),
    };
    let payment_types = cells.ids("payment_types");
    let budget_codes = cells.budget_codes("budget_codes");
    let name = cells.text("recipient_name");
    let account = cells.account();
    let period = cells.period();
    let demonstration = cells.yes_no("demonstration");
    let (iban, okpo) = account?;
    Some(Requisite {
        id: id?,
        scope: scope?,
        payment_types: payment_types?,
        budget_codes: budget_codes?,
        name: name?,
        okpo,
        iban,
        period: period?,
        demonstration: demonstration?,
    })
}

fn template(cells: &mut Cells<'_>) -> Option<Template> {
    let id = cells.id("id");
    let title = cells.name("title_uk", "title_en");
    let amount = cells.optional_money("amount");
    let recipient_name = cells.text("recipient_name");
    let account = cells.account();
    let budget_code = cells.optional_budget_code("budget_code");
    let comment = cells.long_text("comment");
    let period = cells.period();
    let demonstration = cells.yes_no("demonstration");
    let (iban, okpo) = account?;
    Some(Template {
        id: id?,
        title: title?,
        amount: amount?,
        recipient_name: recipient_name?,
        iban,
        okpo,
        budget_code: budget_code?,
        comment: comment?,
        period: period?,
        demonstration: demonstration?,
    })
}

fn tariff(cells: &mut Cells<'_>) -> Option<Tariff> {
    let valid_from = match cells.raw("valid_from") {
        "" => Some(None),
        _ => cells.date("valid_from").map(Some),
    };
    let basis_points = cells.basis_points();
    let minimum = cells.money_or_zero("minimum");
    Some(Tariff {
        valid_from: valid_from?,
        basis_points: basis_points?,
        minimum: minimum?,
    })
}

/// The six digits at characters 5 to 10 of an IBAN.
fn bank_code(cells: &mut Cells<'_>) -> Option<String> {
    match cells.raw("code") {
        "" => cells.refuse(Reason::Empty { column: "code" }),
        code if code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(code.to_owned())
        }
        _ => cells.refuse(Reason::BankCodeInvalid),
    }
}
