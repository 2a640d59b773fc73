//! Reads the cells of a row as values and collects every error of the row.

use std::str::FromStr;

use jiff::civil::Date;

use crate::choices::Reading;
use crate::model::{Name, Period};
use crate::problem::Reason;
use crate::table::{Row, Table};
use cabinet_domain::{BudgetCode, Iban, Money, Okpo, TaxKind, tidy};

/// The longest name of an option, a recipient or a bank, in characters; the national payment system carries no more.
const NAME_CHARS_MAX: usize = 140;

/// The cells of one row and what was found wrong with them so far.
///
/// A reader returns `None` for a bad cell, and the next cell is read all the same: the operator sees all errors at once.
/// So a record is built only after all its cells have been read.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    table: &'a Table,
    row: &'a Row,
    reasons: Vec<Reason>,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(table: &'a Table, row: &'a Row) -> Self {
        Self {
            table,
            row,
            reasons: Vec::new(),
        }
    }

    /// What is wrong with the row.
    pub(crate) fn into_reasons(self) -> Vec<Reason> {
        self.reasons
    }

    /// Records an error.
    pub(crate) fn refuse<T>(&mut self, reason: Reason) -> Option<T> {
        self.reasons.push(reason);
        None
    }

    /// The text of a cell, possibly empty.
    pub(crate) fn raw(&self, column: &'static str) -> &'a str {
        self.table.cell(self.row, column)
    }

    /// The text of a cell that must not be empty.
    fn filled(&mut self, column: &'static str) -> Option<&'a str> {
        match self.raw(column) {
            "" => self.refuse(Reason::Empty { column }),
            text => Some(text),
        }
    }

    /// A text for people, of any length.
    pub(crate) fn long_text(&mut self, column: &'static str) -> Option<String> {
        let text = self.filled(column)?;
        match tidy(text) {
            Err(_) => self.refuse(Reason::TextInvalid { column }),
            Ok(tidied) if tidied.is_empty() => self.refuse(Reason::Empty { column }),
            Ok(tidied) => Some(tidied),
        }
    }

    /// A name.
    pub(crate) fn text(&mut self, column: &'static str) -> Option<String> {
        self.words(column, NAME_CHARS_MAX)
    }

    /// A text of so many characters at most.
    pub(crate) fn words(&mut self, column: &'static str, chars_max: usize) -> Option<String> {
        let text = self.long_text(column)?;
        if text.chars().count() > chars_max {
            return self.refuse(Reason::TextTooLong { column, chars_max });
        }
        Some(text)
    }

    /// A name in both languages.
    pub(crate) fn name(
        &mut self,
        column_uk: &'static str,
        column_en: &'static str,
    ) -> Option<Name> {
        self.long_name(column_uk, column_en, NAME_CHARS_MAX)
    }

    /// Words in both languages, of so many characters at most.
    pub(crate) fn long_name(
        &mut self,
        column_uk: &'static str,
        column_en: &'static str,
        chars_max: usize,
    ) -> Option<Name> {
        let uk = self.words(column_uk, chars_max);
        let en = self.words(column_en, chars_max);
        Some(Name { uk: uk?, en: en? })
    }

    /// An identifier.
    pub(crate) fn id<T: FromStr>(&mut self, column: &'static str) -> Option<T> {
        let text = self.filled(column)?;
        T::from_str(text)
            .ok()
            .or_else(|| self.refuse(Reason::IdInvalid { column }))
    }

    /// Identifiers divided by spaces, at least one.
    pub(crate) fn ids<T: FromStr + PartialEq>(&mut self, column: &'static str) -> Option<Vec<T>> {
        self.filled(column)?;
        self.ids_or_none(column)
    }

    /// An identifier or an empty cell.
    pub(crate) fn optional_id<T: FromStr>(&mut self, column: &'static str) -> Option<Option<T>> {
        match self.raw(column) {
            "" => Some(None),
            _ => self.id(column).map(Some),
        }
    }

    /// Identifiers divided by spaces, possibly none.
    pub(crate) fn ids_or_none<T: FromStr + PartialEq>(
        &mut self,
        column: &'static str,
    ) -> Option<Vec<T>> {
        self.list(column, |cells, text| {
            T::from_str(text)
                .ok()
                .or_else(|| cells.refuse(Reason::IdInvalid { column }))
        })
    }

    /// One of the words that the program knows.
    pub(crate) fn word<T>(
        &mut self,
        column: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.filled(column)?;
        parse(text).or_else(|| self.refuse(Reason::WordUnknown { column }))
    }

    /// Values divided by spaces, possibly none.
    pub(crate) fn list<T: PartialEq>(
        &mut self,
        column: &'static str,
        read: impl Fn(&mut Self, &str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut values = Vec::new();
        for text in self.raw(column).split_whitespace() {
            let value = read(self, text)?;
            if values.contains(&value) {
                return self.refuse(Reason::NamedTwice {
                    column,
                    id: text.to_owned(),
                });
            }
            values.push(value);
        }
        Some(values)
    }

    /// A day of the calendar, written `2026-01-31`.
    pub(crate) fn date(&mut self, column: &'static str) -> Option<Date> {
        let text = self.filled(column)?;
        read_date(text).or_else(|| self.refuse(Reason::DateInvalid { column }))
    }

    /// A day or an empty cell.
    pub(crate) fn optional_date(&mut self, column: &'static str) -> Option<Option<Date>> {
        match self.raw(column) {
            "" => Some(None),
            _ => self.date(column).map(Some),
        }
    }

    /// The columns `valid_from` and `valid_to`, of which the second may be empty.
    pub(crate) fn period(&mut self) -> Option<Period> {
        let from = self.date("valid_from");
        let to = self.optional_date("valid_to");
        let (from, to) = (from?, to?);
        if to.is_some_and(|to| to < from) {
            return self.refuse(Reason::PeriodReversed);
        }
        Some(Period { from, to })
    }

    /// A sum, which may be zero.
    pub(crate) fn money_or_zero(&mut self, column: &'static str) -> Option<Money> {
        let text = self.filled(column)?;
        read_decimal(text).or_else(|| self.refuse(Reason::MoneyInvalid { column }))
    }

    /// A sum above zero.
    pub(crate) fn money(&mut self, column: &'static str) -> Option<Money> {
        let sum = self.money_or_zero(column)?;
        if sum.is_zero() {
            return self.refuse(Reason::MoneyZero { column });
        }
        Some(sum)
    }

    /// A sum above zero or an empty cell.
    pub(crate) fn optional_money(&mut self, column: &'static str) -> Option<Option<Money>> {
        match self.raw(column) {
            "" => Some(None),
            _ => self.money(column).map(Some),
        }
    }

    /// The column `percent` in hundredths of a percent.
    pub(crate) fn basis_points(&mut self) -> Option<i64> {
        let text = self.filled("percent")?;
        // A rate has the shape of a sum, two decimals at most, and its hundredths are the basis points.
        read_decimal(text)
            .map(Money::kopiykas)
            .filter(|basis_points| *basis_points <= 10_000)
            .or_else(|| self.refuse(Reason::PercentInvalid))
    }

    /// A cell that says `yes` or `no`.
    pub(crate) fn yes_no(&mut self, column: &'static str) -> Option<bool> {
        match self.filled(column)? {
            "yes" => Some(true),
            "no" => Some(false),
            _ => self.refuse(Reason::YesNoInvalid { column }),
        }
    }

    /// A cell that says `yes` or `no`; empty means `no`.
    pub(crate) fn yes_or_empty(&mut self, column: &'static str) -> Option<bool> {
        match self.raw(column) {
            "" => Some(false),
            _ => self.yes_no(column),
        }
    }

    /// A name or an empty cell.
    pub(crate) fn optional_text(&mut self, column: &'static str) -> Option<Option<String>> {
        self.optional_words(column, NAME_CHARS_MAX)
    }

    /// A text of so many characters at most, or an empty cell.
    pub(crate) fn optional_words(
        &mut self,
        column: &'static str,
        chars_max: usize,
    ) -> Option<Option<String>> {
        match self.raw(column) {
            "" => Some(None),
            _ => self.words(column, chars_max).map(Some),
        }
    }

    /// The column `reading` or an empty cell.
    pub(crate) fn reading(&mut self) -> Option<Option<Reading>> {
        match self.raw("reading") {
            "" => Some(None),
            word => Reading::parse(word)
                .map(Some)
                .or_else(|| self.refuse(Reason::ReadingUnknown)),
        }
    }

    /// The column `tax` or an empty cell.
    pub(crate) fn tax(&mut self) -> Option<Option<TaxKind>> {
        match self.raw("tax") {
            "" => Some(None),
            word => TaxKind::parse(word)
                .map(Some)
                .or_else(|| self.refuse(Reason::TaxUnknown)),
        }
    }

    /// The columns `iban` and `edrpou`, which come as a pair: the Treasury returns payments where they do not belong
    /// together (its check of 10.11.2025).
    pub(crate) fn account(&mut self) -> Option<(Iban, Okpo)> {
        let (iban, code) = (self.raw("iban"), self.raw("edrpou"));
        match (iban.is_empty(), code.is_empty()) {
            (true, false) => return self.refuse(Reason::PairIncomplete { column: "iban" }),
            (false, true) => return self.refuse(Reason::PairIncomplete { column: "edrpou" }),
            _ => {}
        }
        let iban = self.filled("iban").and_then(|text| {
            let iban = Iban::parse(text).ok();
            iban.or_else(|| self.refuse(Reason::IbanInvalid))
        });
        let code = self.filled("edrpou").and_then(|text| {
            let code = Okpo::parse(text).ok();
            code.or_else(|| self.refuse(Reason::CodeInvalid))
        });
        Some((iban?, code?))
    }

    /// A budget code.
    pub(crate) fn budget_code(&mut self, column: &'static str) -> Option<BudgetCode> {
        let text = self.filled(column)?;
        self.budget_code_in(column, text)
    }

    /// A budget code or an empty cell.
    pub(crate) fn optional_budget_code(
        &mut self,
        column: &'static str,
    ) -> Option<Option<BudgetCode>> {
        match self.raw(column) {
            "" => Some(None),
            text => self.budget_code_in(column, text).map(Some),
        }
    }

    /// Budget codes divided by spaces, possibly none.
    pub(crate) fn budget_codes(&mut self, column: &'static str) -> Option<Vec<BudgetCode>> {
        self.list(column, |cells, text| cells.budget_code_in(column, text))
    }

    fn budget_code_in(&mut self, column: &'static str, text: &str) -> Option<BudgetCode> {
        let code = BudgetCode::parse(text).ok();
        code.or_else(|| self.refuse(Reason::BudgetCodeInvalid { column }))
    }
}

/// A decimal number with a point or a comma; the comma is what Ukrainian spreadsheets write.
pub(crate) fn read_decimal(text: &str) -> Option<Money> {
    Money::parse_decimal(&text.replace(',', ".")).ok()
}

/// A date of exactly the form `2026-01-31`; other forms of ISO 8601 are refused, so that all tables look alike.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    let has_form = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    has_form.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_form() {
        assert_eq!(
            read_date("2026-01-31"),
            Some(jiff::civil::date(2026, 1, 31))
        );
        assert_eq!(
            read_date("2024-02-29"),
            Some(jiff::civil::date(2024, 2, 29))
        );
        for text in [
            "2026-02-29",
            "2026-1-1",
            "01.01.2026",
            "20260101",
            "2026-01-01T00:00",
            "2026/01/01",
            "-026-01-01",
            "2026-01-0١",
        ] {
            assert_eq!(read_date(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_have_a_point_or_a_comma() {
        for text in ["86.47", "86,47"] {
            assert_eq!(
                read_decimal(text).map(Money::kopiykas),
                Some(8_647),
                "{text}"
            );
        }
        for text in ["", "1,000.00", "1 000", "86.475", "-1", "1e3", "86,"] {
            assert_eq!(read_decimal(text), None, "{text}");
        }
    }
}
