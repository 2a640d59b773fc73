//! What a service costs on a day.

use cabinet_domain::{
    Money, NextYearFee, OptionId, StaleFee, TermId, awaited_year, next_filing_year,
};
use jiff::civil::Date;

use crate::choices::Reading;
use crate::data::ReferenceData;
use crate::model::{DatedFee, FeeInForce};
use crate::table::{OPTION_TARIFFS, TERM_TAXES};

/// A fee in force that is one of an earlier year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleRow {
    /// The file of the row.
    pub file: &'static str,
    /// The term or the option.
    pub id: String,
    /// Since when it holds, and from when it is refused.
    pub stale: StaleFee,
}

/// A term whose fee depends on the reading of a disputed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputedTerm {
    /// The term.
    pub id: TermId,
    /// The fee by each reading.
    pub sums: Vec<(Reading, Money)>,
}

impl ReferenceData {
    /// The tariff of a registry option on a day.
    #[must_use]
    pub fn option_fee(&self, id: &OptionId, date: Date) -> Option<FeeInForce> {
        self.in_force(self.option_tariffs.get(id)?, date)
    }

    /// The sum of that tariff, for one unit.
    #[must_use]
    pub fn option_tariff(&self, id: &OptionId, date: Date) -> Option<Money> {
        self.option_fee(id, date).map(|fee| fee.sum)
    }

    /// The fee of a term on a day, by the reading that the operator has chosen.
    #[must_use]
    pub fn term_fee(&self, id: &TermId, date: Date) -> Option<FeeInForce> {
        self.in_force(self.term_taxes.get(id)?, date)
    }

    /// The sum of that fee, for one unit.
    #[must_use]
    pub fn term_tax(&self, id: &TermId, date: Date) -> Option<Money> {
        self.term_fee(id, date).map(|fee| fee.sum)
    }

    /// Returns the fees and tariffs in force on a day that are of an earlier year.
    #[must_use]
    pub fn stale_rows(&self, date: Date) -> Vec<StaleRow> {
        let stale = |file: &'static str, id: &str, rows: &[DatedFee]| {
            let stale = self.in_force(rows, date)?.stale?;
            let id = id.to_owned();
            Some(StaleRow { file, id, stale })
        };
        let taxes = self.term_taxes.iter();
        let taxes = taxes.filter_map(|(id, rows)| stale(TERM_TAXES.file, id.as_str(), rows));
        let tariffs = self.option_tariffs.iter();
        let tariffs =
            tariffs.filter_map(|(id, rows)| stale(OPTION_TARIFFS.file, id.as_str(), rows));
        taxes.chain(tariffs).collect()
    }

    /// Returns the terms in force on a day whose fee depends on the reading.
    #[must_use]
    pub fn disputed_terms(&self, date: Date) -> Vec<DisputedTerm> {
        let terms = self.term_taxes.iter();
        terms
            .filter_map(|(id, rows)| {
                let sums: Vec<_> = rows
                    .iter()
                    .filter(|row| row.period.contains(date))
                    .filter_map(|row| Some((row.reading?, row.sum)))
                    .collect();
                (!sums.is_empty()).then(|| DisputedTerm {
                    id: id.clone(),
                    sums,
                })
            })
            .collect()
    }

    /// The fee on a day. At most one row of the chosen reading holds it.
    fn in_force(&self, rows: &[DatedFee], date: Date) -> Option<FeeInForce> {
        let row_on = |day| {
            rows.iter().find(|row| {
                row.period.contains(day)
                    && row
                        .reading
                        .is_none_or(|reading| reading == self.choices.reading)
            })
        };
        let row = row_on(date)?;
        let refused_from = self.choices.stale_fees_refused_from;
        let stale_on =
            |day| StaleFee::on(day, row.period.from, refused_from).filter(|_| !row.is_fixed);
        // A row that ends with the year has a successor, or is no longer offered.
        let outdated_from = awaited_year(date)
            .filter(|first| row.period.contains(*first) && stale_on(*first).is_some());
        let next_year = next_filing_year(date).and_then(|year| {
            let first = year.first_day()?;
            let next = row_on(first).filter(|next| next.is_fixed || next.period.from >= first)?;
            (next.sum != row.sum).then_some(NextYearFee {
                year,
                sum: next.sum,
            })
        });
        Some(FeeInForce {
            sum: row.sum,
            stale: stale_on(date),
            outdated_from,
            next_year,
        })
    }
}
