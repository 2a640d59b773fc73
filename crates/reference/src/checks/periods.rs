//! Periods of one thing: none may overlap, and a gap is doubtful.

use std::collections::BTreeMap;

use crate::findings::Findings;
use crate::model::Period;
use crate::problem::{Doubt, Reason};

/// Refuses overlapping periods of one thing, and records a doubt for a gap between two of them.
pub(super) fn check_periods<K: Ord>(
    file: &str,
    periods: impl Iterator<Item = (K, usize, Period)>,
    findings: &mut Findings,
) {
    let mut by_key: BTreeMap<K, Vec<(Period, usize)>> = BTreeMap::new();
    for (key, line, period) in periods {
        by_key.entry(key).or_default().push((period, line));
    }
    for mut series in by_key.into_values() {
        series.sort_by_key(|(period, line)| (period.from(), *line));
        let mut series = series.into_iter();
        let Some(mut latest) = series.next() else {
            continue;
        };
        for (period, line) in series {
            let (before, other_line) = latest;
            if before.overlaps(period) {
                // Named at the later of the two lines: the other one stood there first.
                findings.refuse(
                    file,
                    line.max(other_line),
                    Reason::PeriodsOverlap {
                        other_line: line.min(other_line),
                    },
                );
            } else if let (Some(first), Ok(last)) = (before.day_after(), period.from().yesterday())
                && first <= last
            {
                findings.doubt(file, line, Doubt::Gap { first, last });
            }
            let ends_later = match (before.to(), period.to()) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(before), Some(to)) => before < to,
            };
            if ends_later {
                latest = (period, line);
            }
        }
    }
}
