//! The schema, as a list of numbered migrations.
//!
//! To change the schema, add a file with the next number to both folders of `migrations` and a line to [`MIGRATIONS`].
//! A released migration is never edited: its checksum is compared at every start. Expand first and contract in a later
//! release, so that the release before and the release after can both run on the schema between them.

use jiff::Timestamp;

use crate::error::{Result, SchemaError};
use crate::store::Store;
use crate::tx::Tx;
use crate::value::params;

struct Migration {
    number: u32,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! migration {
    ($number:literal, $name:literal) => {
        Migration {
            number: $number,
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }
    };
}

const MIGRATIONS: &[Migration] = &[
    migration!(1, "0001_start"),
    migration!(2, "0002_cart_sums"),
    migration!(3, "0003_carts"),
    migration!(4, "0004_refused_entries"),
    migration!(5, "0005_settlement"),
    migration!(6, "0006_cart_additions"),
    migration!(7, "0007_checks_and_search"),
    migration!(8, "0008_links_and_retries"),
    migration!(9, "0009_unused_clients"),
    migration!(10, "0010_entrance"),
    migration!(11, "0011_audit"),
    migration!(12, "0012_key_ids"),
    migration!(13, "0013_accounts"),
    migration!(14, "0014_erasure"),
    migration!(15, "0015_transfer_answers"),
    migration!(16, "0016_returned_parts"),
    migration!(17, "0017_bank_files"),
    migration!(18, "0018_reports"),
    migration!(19, "0019_notarial_acts"),
    migration!(20, "0020_notary_status"),
    migration!(21, "0021_acquirer_fee"),
    migration!(22, "0022_deals"),
    migration!(23, "0023_address_book"),
    migration!(24, "0024_cancelled_orders"),
    migration!(25, "0025_item_search"),
    migration!(26, "0026_client_links"),
    migration!(27, "0027_complaint_numbers"),
    migration!(28, "0028_removed_cards"),
    migration!(29, "0029_support"),
    migration!(30, "0030_receipt_mail"),
    migration!(31, "0031_refunds"),
    migration!(32, "0032_used_tickets"),
];

/// The table of applied migrations. It is the only table that no migration creates.
const APPLIED_TABLE: &str = "create table if not exists schema_migrations (
    number bigint primary key not null,
    name text not null,
    checksum text not null,
    applied_at bigint not null
)";

/// The advisory lock of migrating a PostgreSQL database: programs that start together migrate one after another. The
/// number is arbitrary.
const MIGRATION_LOCK: &str = "set local statement_timeout = 0; set local lock_timeout = '60s'; select pg_advisory_xact_lock(5642117320963)";

/// Returns the number of the newest migration.
pub(crate) fn newest_schema() -> u32 {
    MIGRATIONS.last().map_or(0, |migration| migration.number)
}

impl Store {
    /// Applies all missing migrations, or none if one fails. Returns the numbers of those applied now.
    ///
    /// # Errors
    /// [`SchemaError::Newer`], [`SchemaError::Changed`] and [`SchemaError::Missing`] where the database is not an
    /// earlier form of what this program knows.
    pub async fn migrate(&self, now: Timestamp) -> Result<Vec<u32>> {
        self.write(move |tx| apply(tx, now)).await
    }

    /// Returns the number of the newest applied migration, 0 for none.
    #[cfg(test)]
    pub(crate) async fn schema_version(&self) -> Result<u32> {
        self.read(|tx| Ok(applied(tx)?.last().map_or(0, |step| step.number)))
            .await
    }

    /// Checks that the database has exactly the schema that this program knows.
    ///
    /// # Errors
    /// A [`SchemaError`] that says what to do.
    pub async fn require_schema(&self) -> Result<()> {
        self.read(|tx| {
            let applied = applied(tx)?;
            compare(tx, &applied)?;
            let database = applied.last().map_or(0, |step| step.number);
            if database < newest_schema() {
                return Err(SchemaError::Older {
                    database,
                    program: newest_schema(),
                }
                .into());
            }
            Ok(())
        })
        .await
    }
}

struct Applied {
    number: u32,
    checksum: String,
}

fn apply(tx: &mut Tx, now: Timestamp) -> Result<Vec<u32>> {
    if tx.sqlite().is_none() {
        tx.batch(MIGRATION_LOCK)?;
    }
    tx.batch(APPLIED_TABLE)?;
    let applied = applied(tx)?;
    compare(tx, &applied)?;
    let mut fresh = Vec::new();
    for migration in &MIGRATIONS[applied.len()..] {
        tx.batch(text(tx, migration))?;
        tx.execute(
            "insert into schema_migrations (number, name, checksum, applied_at) values (?1, ?2, ?3, ?4)",
            params![migration.number, migration.name, checksum(text(tx, migration)), now],
        )?;
        fresh.push(migration.number);
    }
    Ok(fresh)
}

/// Returns the applied migrations by number. A database without the table has none.
fn applied(tx: &mut Tx) -> Result<Vec<Applied>> {
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

/// Checks that the applied migrations are the first ones of this program.
fn compare(tx: &Tx, applied: &[Applied]) -> Result<(), SchemaError> {
    if let Some(last) = applied.last()
        && last.number > newest_schema()
    {
        return Err(SchemaError::Newer {
            database: last.number,
            program: newest_schema(),
        });
    }
    for (step, migration) in applied.iter().zip(MIGRATIONS) {
        if step.number != migration.number {
            return Err(SchemaError::Missing {
                number: migration.number,
            });
        }
        if step.checksum != checksum(text(tx, migration)) {
            return Err(SchemaError::Changed {
                number: step.number,
            });
        }
    }
    Ok(())
}

fn text(tx: &Tx, migration: &Migration) -> &'static str {
    if tx.sqlite().is_some() {
        migration.sqlite
    } else {
        migration.postgres
    }
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Runs the statements of one migration on a migrated database, for tests of what it does to data.
#[cfg(test)]
pub(crate) fn run_again(tx: &mut Tx, number: u32) -> Result<()> {
    let found = MIGRATIONS.iter().find(|step| step.number == number);
    found.map_or(Ok(()), |step| tx.batch(text(tx, step)))
}

/// Returns a fingerprint of all migrations. It names the template database that tests copy.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn schema_fingerprint() -> String {
    let all: String = MIGRATIONS
        .iter()
        .map(|migration| migration.postgres)
        .collect();
    checksum(&all).chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_numbered_without_gaps_and_named_by_their_number() {
        for (index, migration) in MIGRATIONS.iter().enumerate() {
            assert_eq!(migration.number as usize, index + 1);
            assert!(
                migration
                    .name
                    .starts_with(&format!("{:04}_", migration.number))
            );
        }
    }
}
