//! Days of the acquirer's statement that were compared.

use cabinet_domain::payment::StatementDay;
use jiff::civil::Date;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Records the comparison of a day, in place of an earlier one.
pub fn record(tx: &mut Tx, day: &StatementDay) -> Result<()> {
    tx.execute(
        "insert into statement_days (day, compared_at, compared_by, agreeing, made_good, unknown, different, lacking)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         on conflict (day) do update set compared_at = excluded.compared_at, compared_by = excluded.compared_by,
             agreeing = excluded.agreeing, made_good = excluded.made_good, unknown = excluded.unknown,
             different = excluded.different, lacking = excluded.lacking",
        params![
            day.day.to_string(),
            day.compared_at,
            day.compared_by,
            day.agreeing,
            day.made_good,
            day.unknown,
            day.different,
            day.lacking
        ],
    )
    .map(|_| ())
}

/// Returns the compared days from a day on, in order.
pub fn since(tx: &mut Tx, from: Date) -> Result<Vec<StatementDay>> {
    tx.rows(
        "select day, compared_at, compared_by, agreeing, made_good, unknown, different, lacking
         from statement_days where day >= ?1 order by day",
        params![from.to_string()],
        |row| {
            Ok(StatementDay {
                day: row.next()?,
                compared_at: row.next()?,
                compared_by: row.next()?,
                agreeing: row.next()?,
                made_good: row.next()?,
                unknown: row.next()?,
                different: row.next()?,
                lacking: row.next()?,
            })
        },
    )
}
