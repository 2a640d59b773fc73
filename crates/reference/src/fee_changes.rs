//! How the rows of one fee differ between two sets of tables, day by day.

use std::collections::BTreeSet;

use cabinet_domain::Money;
use jiff::civil::Date;

use crate::model::DatedFee;

/// What a set says about a fee on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeeOnDay {
    pub(crate) sum: Money,
    /// The first day of the row.
    pub(crate) valid_from: Date,
    pub(crate) is_fixed: bool,
}

/// Days on which two sets say different things about a fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeeChange {
    /// The first of the days.
    pub(crate) from: Date,
    /// The last of the days; `None` where there is no end.
    pub(crate) to: Option<Date>,
    pub(crate) old: Option<FeeOnDay>,
    pub(crate) new: Option<FeeOnDay>,
}

/// Compares the rows of one fee. The days are in order, and days with the same change are one.
pub(crate) fn fee_changes(old: &[DatedFee], new: &[DatedFee]) -> Vec<FeeChange> {
    let rows = || old.iter().chain(new);
    let firsts = rows().map(|row| row.period.from());
    let ends = rows().filter_map(|row| row.period.day_after());
    let days: Vec<Date> = firsts
        .chain(ends)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut changes: Vec<FeeChange> = Vec::new();
    for (place, day) in days.iter().enumerate() {
        let next = days.get(place + 1);
        let change = FeeChange {
            from: *day,
            to: next.and_then(|next| next.yesterday().ok()),
            old: fee_on(old, *day),
            new: fee_on(new, *day),
        };
        if change.old == change.new {
            continue;
        }
        match changes.last_mut() {
            Some(last)
                if (last.old, last.new) == (change.old, change.new)
                    && last.to.and_then(|to| to.tomorrow().ok()) == Some(*day) =>
            {
                last.to = change.to;
            }
            _ => changes.push(change),
        }
    }
    changes
}

fn fee_on(rows: &[DatedFee], day: Date) -> Option<FeeOnDay> {
    let row = rows.iter().find(|row| row.period.contains(day))?;
    Some(FeeOnDay {
        sum: row.sum,
        valid_from: row.period.from(),
        is_fixed: row.is_fixed,
    })
}
