//! Whether a program and the schema of a database fit each other.

use crate::engine::error::{Result, SchemaError};
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;

use super::{MIGRATIONS, Migration, SAYS_OLDEST_PROGRAM, checksum, newest, text};

/// The version of this program.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A schema that a newer program has made, and on which this one can still work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerSchema {
    /// The number of the newest applied migration.
    pub database: u32,
    /// The newest migration that this program knows.
    pub program: u32,
    /// The version of the program that applied it.
    pub applied_by: String,
}

impl std::fmt::Display for NewerSchema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the database has schema {} of cabinet {}; this program, {VERSION}, knows schema {} and can work on it",
            self.database, self.applied_by, self.program
        )
    }
}

impl Store {
    /// Checks that this program can work on the database. Where a newer program has migrated it, that is returned and stands in the log.
    ///
    /// # Errors
    /// A [`SchemaError`] that says what to do.
    pub async fn require_schema(&self) -> Result<Option<NewerSchema>> {
        let newer = self.read(required).await?;
        warn_of(newer.as_ref());
        Ok(newer)
    }

    /// Returns the number of the newest applied migration, 0 for none.
    #[cfg(test)]
    pub(crate) async fn schema_version(&self) -> Result<u32> {
        self.read(|tx| Ok(applied(tx)?.last().map_or(0, |step| step.number)))
            .await
    }
}

fn required(tx: &mut Tx) -> Result<Option<NewerSchema>> {
    let applied = applied(tx)?;
    let newer = compare(tx, MIGRATIONS, &applied)?;
    let missing = pending(MIGRATIONS, &applied);
    if missing.is_empty() {
        return Ok(newer);
    }
    Err(SchemaError::Older {
        database: applied.last().map_or(0, |step| step.number),
        program: newest(MIGRATIONS),
        missing: missing.iter().map(|step| step.name).collect(),
    }
    .into())
}

/// Writes a line into the log where a newer program has migrated the database.
pub(super) fn warn_of(newer: Option<&NewerSchema>) {
    if let Some(newer) = newer {
        tracing::warn!(
            schema.database = newer.database,
            schema.program = newer.program,
            "Going on with an older program: {newer}"
        );
    }
}

pub(super) struct Applied {
    pub(super) number: u32,
    checksum: String,
}

/// Returns the applied migrations by number. A database without the table has none.
pub(super) fn applied(tx: &mut Tx) -> Result<Vec<Applied>> {
    let table = if tx.sqlite().is_some() {
        "select name from sqlite_schema where type = 'table' and name = 'schema_migrations'"
    } else {
        "select cast(to_regclass('schema_migrations') as text) as name"
    };
    if tx
        .row_optional(table, params![], |row| row.next::<Option<String>>())?
        .flatten()
        .is_none()
    {
        return Ok(Vec::new());
    }
    tx.rows(
        "select number, checksum from schema_migrations order by number",
        params![],
        |row| {
            Ok(Applied {
                number: row.next()?,
                checksum: row.next()?,
            })
        },
    )
}

/// Returns the migrations that are not applied.
pub(super) fn pending(list: &'static [Migration], applied: &[Applied]) -> Vec<&'static Migration> {
    let is_missing = |step: &&Migration| applied.iter().all(|one| one.number != step.number);
    list.iter().filter(is_missing).collect()
}

/// Checks that the applied migrations are the first ones of this program, or all of them and later ones that let it work.
pub(super) fn compare(
    tx: &mut Tx,
    list: &[Migration],
    applied: &[Applied],
) -> Result<Option<NewerSchema>> {
    let database = applied.last().map_or(0, |step| step.number);
    let program = newest(list);
    for step in applied.iter().filter(|step| step.number <= program) {
        let known = list.iter().find(|known| known.number == step.number);
        if known.is_none_or(|known| step.checksum != checksum(text(tx, known))) {
            return Err(SchemaError::Changed {
                number: step.number,
            }
            .into());
        }
    }
    let gap = list.iter().find(|known| {
        known.number < database && applied.iter().all(|step| step.number != known.number)
    });
    if database <= program {
        return match gap {
            Some(known) => Err(SchemaError::Missing {
                number: known.number,
            }
            .into()),
            None => Ok(None),
        };
    }
    let (needed, applied_by) = needed_program(tx, program, database)?;
    if needed > program || gap.is_some() {
        return Err(SchemaError::Newer {
            database,
            needed,
            program,
            applied_by,
        }
        .into());
    }
    Ok(Some(NewerSchema {
        database,
        program,
        applied_by,
    }))
}

/// Returns the oldest program that works on a newer schema, by the number of its newest migration, and the version of the program that
/// made it. A migration that does not say it needs a program that knows it.
fn needed_program(tx: &mut Tx, program: u32, database: u32) -> Result<(u32, String)> {
    if program < SAYS_OLDEST_PROGRAM {
        return Ok((database, "?".to_owned()));
    }
    let steps = tx.rows(
        "select number, oldest_program, applied_by from schema_migrations where number > ?1 order by number",
        params![program],
        |row| {
            let number: u32 = row.next()?;
            let oldest: Option<u32> = row.next()?;
            Ok((oldest.unwrap_or(number), row.next::<Option<String>>()?))
        },
    )?;
    let needed = steps.iter().map(|(oldest, _)| *oldest).max();
    let applied_by = steps
        .into_iter()
        .filter_map(|(_, version)| version)
        .next_back();
    Ok((
        needed.unwrap_or(database),
        applied_by.unwrap_or_else(|| "?".to_owned()),
    ))
}
