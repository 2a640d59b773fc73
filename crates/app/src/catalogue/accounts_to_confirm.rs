//! Which accounts of recipients nobody has confirmed this year, in words for the operator.

use std::fmt;

use cabinet_reference::ReferenceData;
use jiff::civil::Date;

/// Rows that are named at most.
const NAMED_MAX: usize = 3;

/// The recipients in force whose accounts nobody has confirmed in the year of a day, at least one.
#[derive(Clone, Debug)]
pub struct AccountsToConfirm {
    year: i16,
    /// The recipients, each with the day on which it was last confirmed.
    rows: Vec<(String, Option<Date>)>,
    /// Whether the tables can say so at all.
    are_told: bool,
}

impl AccountsToConfirm {
    /// Looks for them on a day in Kyiv. `None`: each was confirmed this year, or is invented.
    pub fn on(date: Date, data: &ReferenceData) -> Option<AccountsToConfirm> {
        let rows: Vec<_> = data
            .unconfirmed_requisites(date)
            .map(|row| (row.id().to_string(), row.confirmed_on()))
            .collect();
        (!rows.is_empty()).then_some(AccountsToConfirm {
            year: date.year(),
            rows,
            are_told: data.tells_confirmations(),
        })
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }
}

impl fmt::Display for AccountsToConfirm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, year) = (self.count(), self.year);
        if !self.are_told {
            return write!(
                f,
                "the tables do not tell when the accounts of {count} recipients were last confirmed. Compare them with what the Treasury \
                 publishes; `cabinet reference confirm --from FILE` writes it down"
            );
        }
        let named: Vec<String> = self
            .rows
            .iter()
            .take(NAMED_MAX)
            .map(|(id, on)| match on {
                Some(on) => format!("{id} on {on}"),
                None => format!("{id} never"),
            })
            .collect();
        let more = if count > NAMED_MAX { ", …" } else { "" };
        write!(
            f,
            "the accounts of {count} recipients were not confirmed in {year} (last: {}{more}): they may be of an earlier year. Compare them \
             with what the Treasury publishes; `cabinet reference confirm --from FILE` writes it down",
            named.join(", ")
        )
    }
}
