//! Errors of the database, distinguished by what a caller can do about them.

/// The result of everything in this crate.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;

/// Why a unit of work, or opening the database, failed.
///
/// The texts name tables, columns and constraints, never their values: they may be logged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The disk is full. Nothing was written. Reads still work, and writes work again once there is space.
    #[error("the disk of the database is full")]
    Full,
    /// The database can be read only (file permissions, a read-only file system, a PostgreSQL standby).
    #[error("the database can only be read")]
    ReadOnly,
    /// The database cannot be reached or cannot be trusted now.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The file is damaged, or the disk failed to flush it. Its content is unknown, so nothing more is written.
    #[error("the database can't be trusted any more: {0}")]
    Damaged(&'static str),
    /// A lock or a statement took longer than its limit. Nothing was written.
    #[error("the database did not answer in time")]
    TimedOut,
    /// Too many units of work are waiting. Nothing was written; try again later.
    #[error("too many units of work are waiting for the database")]
    Overloaded,
    /// The store is closed or closing.
    #[error("the database is closed")]
    Closed,
    /// A unit of work kept conflicting with parallel ones. Nothing was written.
    #[error("parallel changes were in each other's way {attempts} times in a row")]
    Contention {
        /// How often the unit of work was run.
        attempts: u32,
    },
    /// The connection broke during the commit, nothing was heard of it in time, or its wait for the synchronous standby was cancelled, so the
    /// outcome is unknown. Check before repeating.
    #[error("the database did not vouch for a commit, its outcome is unknown")]
    OutcomeUnknown,
    /// A constraint of the schema refused the change.
    #[error("{kind} refused: {name}")]
    Constraint {
        /// The kind of constraint.
        kind: ConstraintKind,
        /// PostgreSQL: the constraint's name. SQLite: `table.column`, where it says so.
        name: String,
    },
    /// A stored value is not what its column requires. The value itself is never part of the error.
    #[error("inconsistent value in {table}.{column}{}: {reason}", of_row(.id.as_deref()))]
    Inconsistent {
        /// The table the statement is about.
        table: String,
        /// The id of the row, where the statement reads it.
        id: Option<String>,
        /// The column, as named in the statement.
        column: String,
        /// What was expected, and the kind of value that was found.
        reason: String,
    },
    /// A statement that must return exactly one row returned none or more.
    #[error("expected one row of {table}, got {got}")]
    RowCount {
        /// The table the statement is about.
        table: String,
        /// What came instead.
        got: &'static str,
    },
    /// The database rejected a statement: a bug in the program.
    #[error("the database refused a statement: {0}")]
    Statement(String),
    /// The closure panicked. Its work was undone.
    #[error("a unit of work panicked")]
    Panicked,
    /// The address has neither of the two forms. The text never holds a password.
    #[error("{0}")]
    Address(String),
    /// The schema is not the one the program needs.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The operation does not exist for this kind of database.
    #[error("{0}")]
    Unsupported(&'static str),
}

/// The kinds of constraint in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Unique index or primary key.
    Unique,
    /// A reference to a missing row, or deletion of a row that is referred to.
    ForeignKey,
    /// `check`, `not null` and the types of strict tables.
    Check,
}

impl std::fmt::Display for ConstraintKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ConstraintKind::Unique => "unique constraint",
            ConstraintKind::ForeignKey => "foreign key",
            ConstraintKind::Check => "check",
        })
    }
}

/// Why the schema of a database does not fit the migrations of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The database was migrated by a newer program, and this one is too old to work on it.
    #[error(
        "the database has schema {database} of cabinet {applied_by}, for programs that know schema {needed} or later; this program, {}, knows schema {program}. Start the newer program, or put a copy from before the upgrade in place: see \"Upgrading\" in docs/operate/new-machine.md",
        env!("CARGO_PKG_VERSION")
    )]
    Newer {
        /// The version in the database.
        database: u32,
        /// What a program must know to work on it.
        needed: u32,
        /// The newest version this program knows.
        program: u32,
        /// The version of the program that migrated the database, where it is known.
        applied_by: String,
    },
    /// The database lacks migrations.
    #[error(
        "the database has schema {database}, this program needs {program} ({} missing): run `cabinet migrate`; `cabinet migrate --plan` says what it does",
        missing_names(.missing)
    )]
    Older {
        /// The version in the database, 0 for an empty one.
        database: u32,
        /// The newest version this program knows.
        program: u32,
        /// The names of the missing migrations.
        missing: Vec<&'static str>,
    },
    /// Another program migrates the database.
    #[error(
        "another program has been migrating the database for a minute: wait until it is done, then start again"
    )]
    Busy,
    /// An applied migration differs from the one in this program.
    #[error("migration {number} was applied with another content than this program has")]
    Changed {
        /// The number of the migration.
        number: u32,
    },
    /// An earlier migration is missing although a later one is applied.
    #[error("migration {number} is missing although later ones are applied")]
    Missing {
        /// The number of the migration.
        number: u32,
    },
}

impl StorageError {
    /// Whether the database does not serve now, and may serve again without a change of the program or of its data: it is full, away, changing its
    /// leader, or overloaded. After [`StorageError::OutcomeUnknown`] what was asked for may have been done.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(
            self,
            StorageError::Full
                | StorageError::ReadOnly
                | StorageError::Unavailable(_)
                | StorageError::Damaged(_)
                | StorageError::TimedOut
                | StorageError::Overloaded
                | StorageError::Closed
                | StorageError::Contention { .. }
                | StorageError::OutcomeUnknown
        )
    }

    /// Whether running the same unit of work again now may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, StorageError::Contention { .. })
    }
}

fn of_row(id: Option<&str>) -> String {
    id.map(|id| format!(" of row {id}")).unwrap_or_default()
}

/// Names a few migrations, or says how many there are.
fn missing_names(names: &[&str]) -> String {
    match names {
        [_] => format!("{} is", names.join("")),
        _ if names.len() <= 3 => format!("{} are", names.join(", ")),
        _ => format!("{} migrations are", names.len()),
    }
}
