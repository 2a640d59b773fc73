//! What an acquirer lacks of an attempt or a refund: six columns that are null together, of either table. Its clock may be unknown.

use cabinet_domain::payment::{Absence, Clocks, Missing};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::value::Value;

/// The columns, in the order of [`read`] and [`values`].
pub(super) const COLUMNS: &str = "missing, missing_first_at, missing_first_as_of, missing_last_at, missing_last_as_of, missing_readings";

/// Replaces the columns by those of the row that was to be inserted.
pub(super) const REPLACED: &str = "missing = excluded.missing, missing_first_at = excluded.missing_first_at, \
    missing_first_as_of = excluded.missing_first_as_of, missing_last_at = excluded.missing_last_at, \
    missing_last_as_of = excluded.missing_last_as_of, missing_readings = excluded.missing_readings";

pub(super) fn read(row: &mut Row<'_>) -> Result<Option<Absence>> {
    let missing: Option<Missing> = row.next()?;
    let (first, first_as_of): (Option<Timestamp>, _) = (row.next()?, row.next()?);
    let (last, last_as_of): (Option<Timestamp>, _) = (row.next()?, row.next()?);
    let readings: Option<i64> = row.next()?;
    let Some((((missing, first), last), readings)) = missing.zip(first).zip(last).zip(readings)
    else {
        return Ok(None);
    };
    Ok(Some(Absence {
        missing,
        first: Clocks {
            ours: first,
            theirs: first_as_of,
        },
        last: Clocks {
            ours: last,
            theirs: last_as_of,
        },
        readings,
    }))
}

pub(super) fn values(absence: Option<Absence>) -> [Value<'static>; 6] {
    let Some(absence) = absence else {
        return [Value::Null; 6];
    };
    let at = |at: Timestamp| Value::Integer(at.as_microsecond());
    let as_of = |as_of: Option<Timestamp>| as_of.map_or(Value::Null, at);
    [
        Value::Text(absence.missing.as_str()),
        at(absence.first.ours),
        as_of(absence.first.theirs),
        at(absence.last.ours),
        as_of(absence.last.theirs),
        Value::Integer(absence.readings),
    ]
}
