//! The tables of a year, computed from the minimums of the year and from the multiples in the rows.

use std::collections::BTreeMap;
use std::fmt;

use cabinet_domain::kernel::csv::separator_of;
use cabinet_domain::{Money, TermId};
use jiff::civil::Date;

use crate::cells::Cells;
use crate::choices::Reading;
use crate::model::DatedFee;
use crate::multiple::{Base, Multiple, multiple};
use crate::parse::parse;
use crate::problem::BadRow;
use crate::rows;
use crate::table::{OPTION_TARIFFS, Row, Schema, TERM_TAXES, Table};

/// A year and the minimums that its law on the budget sets for 1 January.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YearMinimums {
    /// The year.
    pub year: i16,
    /// The subsistence minimum of an able-bodied person for a month.
    pub subsistence_minimum: Money,
    /// The minimum wage for a month.
    pub minimum_wage: Money,
}

impl YearMinimums {
    /// Returns the sum of a minimum; `None` for the fee of another term.
    fn of(self, base: &Base) -> Option<Money> {
        match base {
            Base::SubsistenceMinimum => Some(self.subsistence_minimum),
            Base::MinimumWage => Some(self.minimum_wage),
            Base::FeeOf(_) => None,
        }
    }
}

/// A set of tables in which a year has its fees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablesOfYear {
    /// The files by name. Only rows of fees differ from those that were given.
    pub files: BTreeMap<String, String>,
    /// How many fees were computed.
    pub computed: usize,
    /// The rows that the operator has to set by hand.
    pub left: Vec<LeftRow>,
}

/// A row of a fee that follows the year and was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftRow {
    /// The file's name, without a folder.
    pub file: &'static str,
    /// The line in the given file, counted from 1, the header's being 1.
    pub line: usize,
    /// The term or the option.
    pub id: String,
    /// Why it was left.
    pub why: Left,
}

impl fmt::Display for LeftRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftRow {
            file,
            line,
            id,
            why,
        } = self;
        write!(f, "{file}:{line}: {id}: {why}")
    }
}

/// Why a row was left as it is. The text is for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Left {
    /// The row has no multiple.
    #[error("base and multiples are empty")]
    NoMultiple,
    /// The fee that the row is a part of was not computed itself.
    #[error("the fee that it is a part of is not computed")]
    BaseNotComputed,
    /// The sum would be zero or out of range.
    #[error("the sum would be zero or too large")]
    SumInvalid,
    /// The row begins within the year.
    #[error("it begins later in the year")]
    BeginsLater,
}

/// Why there are no tables of a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum YearError {
    /// Rows that break a rule.
    Rows(Vec<BadRow>),
    /// No fee in force on 1 January tells its multiple.
    NoMultiples,
    /// The calendar has no such year.
    YearInvalid,
}

/// Computes the fees of a year. Rows in force on 1 January end the day before, and rows of the new sums follow them; rows that begin on
/// 1 January get the new sums. Fixed fees stay.
///
/// # Errors
/// The bad rows of the given set, and a set of which nothing can be computed.
pub fn tables_of_year(
    files: &BTreeMap<String, String>,
    minimums: YearMinimums,
) -> Result<TablesOfYear, YearError> {
    parse(files).map_err(YearError::Rows)?;
    let first = Date::new(minimums.year, 1, 1).map_err(|_| YearError::YearInvalid)?;
    let last_before = first.yesterday().map_err(|_| YearError::YearInvalid)?;
    let taxes = Fees::read(&TERM_TAXES, ("term_id", "tax"), files, first);
    let tariffs = Fees::read(&OPTION_TARIFFS, ("option_id", "tariff"), files, first);
    let known = taxes.sums_without_others(minimums);
    let mut made = TablesOfYear {
        files: files.clone(),
        computed: 0,
        left: Vec::new(),
    };
    for fees in [&taxes, &tariffs] {
        let mut sums = BTreeMap::new();
        for fee in &fees.fees {
            match fee.new_sum(minimums, &known) {
                Ok(Some(sum)) => {
                    sums.insert(fee.line, (fee.fee.period.from() == first, sum));
                }
                Ok(None) => {}
                Err(why) => made.left.push(LeftRow {
                    file: fees.schema.file,
                    line: fee.line,
                    id: fee.id.clone(),
                    why,
                }),
            }
        }
        made.computed += sums.len();
        let text = fees.with_sums(files, &sums, first, last_before);
        made.files.insert(fees.schema.file.to_owned(), text);
    }
    match made.computed {
        0 => Err(YearError::NoMultiples),
        _ => Ok(made),
    }
}

/// A table of fees, and the rows of it that hold on the first day of the year or begin later in it.
struct Fees {
    schema: &'static Schema,
    sum_column: &'static str,
    table: Table,
    fees: Vec<Fee>,
}

/// A fee of a row.
struct Fee {
    line: usize,
    id: String,
    fee: DatedFee,
    multiple: Option<Multiple>,
    begins_later: bool,
}

/// Sums of terms on the first day of the year that need no other fee, by term and reading.
type KnownSums = BTreeMap<(String, Option<Reading>), Money>;

impl Fees {
    /// Reads a table that was read without fault before.
    fn read(
        schema: &'static Schema,
        (id_column, sum_column): (&'static str, &'static str),
        files: &BTreeMap<String, String>,
        first: Date,
    ) -> Fees {
        let table = Table::read(schema, files, &mut Vec::new());
        let read = |row: &Row| {
            let cells = &mut Cells::new(&table, row);
            let fee = rows::fee(cells, sum_column)?;
            let from = fee.period.from();
            Some(Fee {
                line: row.line,
                id: table.cell(row, id_column).to_owned(),
                fee,
                multiple: multiple(cells)?,
                begins_later: from > first && from.year() == first.year(),
            })
        };
        let fees = table.rows.iter().filter_map(read);
        let fees = fees
            .filter(|fee| fee.begins_later || fee.fee.period.contains(first))
            .collect();
        Fees {
            schema,
            sum_column,
            table,
            fees,
        }
    }

    /// Returns the sums that follow from the minimums alone, and those of fixed fees.
    fn sums_without_others(&self, minimums: YearMinimums) -> KnownSums {
        let fees = self.fees.iter().filter(|fee| !fee.begins_later);
        fees.filter_map(|fee| {
            let sum = if fee.fee.is_fixed {
                fee.fee.sum
            } else {
                let multiple = fee.multiple.as_ref()?;
                multiple.of(minimums.of(&multiple.base)?)?
            };
            Some(((fee.id.clone(), fee.fee.reading), sum))
        })
        .collect()
    }

    /// Returns the table with the sums of the year. A row that begins on the first day has its sum replaced; any other ends the day before,
    /// and a row like it follows. What a note says belongs to its row and is not repeated.
    fn with_sums(
        &self,
        files: &BTreeMap<String, String>,
        sums: &BTreeMap<usize, (bool, Money)>,
        first: Date,
        last_before: Date,
    ) -> String {
        let text = files.get(self.schema.file).map_or("", String::as_str);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let separator = separator_of(text.lines().next().unwrap_or_default());
        let written = |row: &Row, changes: &[(&'static str, String)]| {
            self.table.changed_line(row, changes, separator)
        };
        let rows: BTreeMap<usize, &Row> =
            self.table.rows.iter().map(|row| (row.line, row)).collect();
        let mut lines = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let (Some(row), Some((begins_with_year, sum))) = (rows.get(&number), sums.get(&number))
            else {
                lines.push(line.to_owned());
                continue;
            };
            let sum = (self.sum_column, sum.decimal());
            let from = ("valid_from", first.to_string());
            let note = ("note", String::new());
            if !begins_with_year {
                lines.push(written(row, &[("valid_to", last_before.to_string())]));
            }
            lines.push(written(row, &[sum, from, note]));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

impl Fee {
    /// Returns the sum of the year; `None` for a fee that does not follow the year.
    fn new_sum(&self, minimums: YearMinimums, known: &KnownSums) -> Result<Option<Money>, Left> {
        if self.fee.is_fixed {
            return Ok(None);
        }
        if self.begins_later {
            return Err(Left::BeginsLater);
        }
        let multiple = self.multiple.as_ref().ok_or(Left::NoMultiple)?;
        let base = match &multiple.base {
            Base::FeeOf(term) => fee_of(term, self.fee.reading, known),
            minimum => minimums.of(minimum),
        };
        let base = base.ok_or(Left::BaseNotComputed)?;
        multiple.of(base).map(Some).ok_or(Left::SumInvalid)
    }
}

/// The fee of another term: undisputed, or by the same reading.
fn fee_of(term: &TermId, reading: Option<Reading>, known: &KnownSums) -> Option<Money> {
    let of = |reading| known.get(&(term.as_str().to_owned(), reading)).copied();
    of(None).or_else(|| of(reading))
}
