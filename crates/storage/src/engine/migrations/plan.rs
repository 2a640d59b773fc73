//! What migrating would do, without doing it.

use crate::engine::error::{Result, StorageError};
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;

use super::fit::{NewerSchema, applied, compare, pending};
use super::{Kind, MIGRATIONS, Migration, newest_schema, text};

/// What migrating would do to a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationPlan {
    /// The number of the newest applied migration, 0 for none.
    pub database: u32,
    /// The newest migration of this program.
    pub program: u32,
    /// Set where the database is of a newer program.
    pub newer: Option<NewerSchema>,
    /// The migrations that would be run, in their order.
    pub steps: Vec<PlannedStep>,
}

/// One migration that would be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep {
    /// Its number.
    pub number: u32,
    /// Its name, which begins with the number.
    pub name: &'static str,
    /// How it is run.
    pub kind: StepKind,
    /// Existing tables that it names.
    pub tables: Vec<TouchedTable>,
    /// The oldest program that works on the schema after it, by the number of its newest migration.
    pub oldest_program: u32,
}

/// How a migration is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// In one transaction with the neighbours of this kind.
    Transaction,
    /// Builds an index.
    Index,
    /// In many short transactions.
    Batches,
}

/// A table that a migration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedTable {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
}

impl MigrationPlan {
    /// The plan for a database that is not there yet.
    #[must_use]
    pub fn of_nothing() -> MigrationPlan {
        MigrationPlan {
            database: 0,
            program: newest_schema(),
            newer: None,
            steps: MIGRATIONS
                .iter()
                .map(|step| planned(step, Vec::new()))
                .collect(),
        }
    }
}

impl Store {
    /// Returns what [`Store::migrate`] would do. Changes nothing.
    ///
    /// # Errors
    /// As of [`Store::migrate`].
    pub async fn migration_plan(&self) -> Result<MigrationPlan> {
        self.migration_plan_by(MIGRATIONS).await
    }

    pub(super) async fn migration_plan_by(
        &self,
        list: &'static [Migration],
    ) -> Result<MigrationPlan> {
        self.read_long(move |tx| {
            let applied = applied(tx)?;
            let newer = compare(tx, list, &applied)?;
            let names = table_names(tx)?;
            let steps = pending(list, &applied).into_iter().map(|step| {
                let touched = touched(tx, text(tx, step), &names)?;
                Ok(planned(step, touched))
            });
            Ok::<_, StorageError>(MigrationPlan {
                database: applied.last().map_or(0, |step| step.number),
                program: super::newest(list),
                newer,
                steps: steps.collect::<Result<_>>()?,
            })
        })
        .await
    }
}

fn planned(step: &Migration, tables: Vec<TouchedTable>) -> PlannedStep {
    PlannedStep {
        number: step.number,
        name: step.name,
        kind: match step.kind {
            Kind::Transaction => StepKind::Transaction,
            Kind::Index(_) => StepKind::Index,
            Kind::Batches => StepKind::Batches,
        },
        tables,
        oldest_program: step.oldest_program,
    }
}

fn table_names(tx: &mut Tx) -> Result<Vec<String>> {
    let sql = if tx.sqlite().is_some() {
        "select name from sqlite_schema where type = 'table' order by name"
    } else {
        "select cast(tablename as text) as name from pg_tables where schemaname = current_schema() order by tablename"
    };
    tx.rows(sql, params![], |row| row.next())
}

/// Returns the tables that the text of a migration names outside of its comments.
fn touched(tx: &mut Tx, text: &str, tables: &[String]) -> Result<Vec<TouchedTable>> {
    let words: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split("--").next())
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        .collect();
    let named = tables
        .iter()
        .filter(|table| words.contains(&table.as_str()));
    named
        .map(|name| {
            let sql = format!("select count(*) as rows from {name}");
            Ok(TouchedTable {
                name: name.clone(),
                rows: tx
                    .row(&sql, params![], |row| row.next::<i64>())?
                    .unsigned_abs(),
            })
        })
        .collect()
}
