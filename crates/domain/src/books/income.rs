//! The book of income and expenses of a person of an independent professional activity (MinFin order 261 of 13.05.2021).
//!
//! Income is the notary's share of an administrative fee on the day on which her bank credited it. A share that came back is taken off
//! on the day of the return.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use jiff::civil::Date;

use super::balance::Balance;
use super::report::{Movement, PaidPart};
use crate::{Money, PartRole};

/// An entry of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IncomeEntry {
    /// The day of the entry.
    pub day: Date,
    /// Column 2: what was credited.
    pub income: Money,
    /// Column 3: what came back.
    pub returned: Money,
    /// What the service charged for the notary's part. It is an expense only if the notary's accountant says so: the client's card
    /// was charged with it.
    pub commission: Money,
}

impl IncomeEntry {
    /// Returns column 4: income without what came back.
    #[must_use]
    pub fn difference(&self) -> Balance {
        Balance::from(self.income) - Balance::from(self.returned)
    }
}

/// Returns the entries of a transfer: none unless it is the notary's and was credited.
#[must_use]
pub fn income_entries(part: &PaidPart) -> Vec<IncomeEntry> {
    if part.role != PartRole::Notary {
        return Vec::new();
    }
    let entry = |movement| match movement {
        Movement::Credited(day) => Some(IncomeEntry {
            day,
            income: part.amount,
            returned: Money::ZERO,
            commission: part.commission,
        }),
        Movement::Returned {
            on,
            after_crediting: true,
        } => Some(IncomeEntry {
            day: on,
            income: Money::ZERO,
            returned: part.amount,
            commission: Money::ZERO,
        }),
        // What never arrived is not taken off.
        Movement::Returned { .. } => None,
    };
    part.movements().into_iter().filter_map(entry).collect()
}

/// The sums of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSums {
    /// Column 2.
    pub income: Balance,
    /// Column 3.
    pub returned: Balance,
    /// The commissions.
    pub commission: Balance,
}

impl BookSums {
    /// Returns column 4.
    #[must_use]
    pub fn difference(&self) -> Balance {
        self.income - self.returned
    }
}

impl AddAssign<&IncomeEntry> for BookSums {
    fn add_assign(&mut self, entry: &IncomeEntry) {
        self.income += entry.income.into();
        self.returned += entry.returned.into();
        self.commission += entry.commission.into();
    }
}

/// Returns the sums of entries by something that each day belongs to: the day, its month, its quarter or its year.
pub fn book_sums<K: Ord>(entries: &[IncomeEntry], of: impl Fn(Date) -> K) -> BTreeMap<K, BookSums> {
    let mut sums: BTreeMap<K, BookSums> = BTreeMap::new();
    for entry in entries {
        *sums.entry(of(entry.day)).or_default() += entry;
    }
    sums
}
