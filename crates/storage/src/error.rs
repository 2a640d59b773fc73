//! What can go wrong in the database, told apart by what a caller can do about it.

/// The result of everything in this crate.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;

/// Why a unit of work, or the opening of the database, did not succeed.
///
/// The texts name tables, columns and constraints, never the values in them: they may go to the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The disk of the database is full. Nothing was written; reading goes on, and writing works again once there is space.
    #[error("the disk of the database is full")]
    Full,
    /// The database can be read only (file permissions, a read-only file system, a PostgreSQL standby).
    #[error("the database can only be read")]
    ReadOnly,
    /// The database cannot be reached or cannot be trusted at present.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The file of the database is damaged, or the disk failed to flush it. What it holds is unknown, so nothing more is written.
    #[error("the database can't be trusted any more: {0}")]
    Damaged(&'static str),
    /// A lock or a statement took longer than its limit. Nothing was written.
    #[error("the database did not answer in time")]
    TimedOut,
    /// More units of work are waiting than the store accepts. Nothing was written; come back later.
    #[error("too many units of work are waiting for the database")]
    Overloaded,
    /// The store is closed or closing.
    #[error("the database is closed")]
    Closed,
    /// Parallel units of work were in each other's way more often than the store repeats. Nothing was written.
    #[error("parallel changes were in each other's way {attempts} times in a row")]
    Contention {
        /// How often the unit of work was run.
        attempts: u32,
    },
    /// The connection broke while PostgreSQL was committing: it may be written, or not. Ask before repeating.
    #[error("the connection broke during the commit, its outcome is unknown")]
    OutcomeUnknown,
    /// A constraint of the schema refused the change.
    #[error("{kind} refused: {name}")]
    Constraint {
        /// Which sort of constraint.
        kind: ConstraintKind,
        /// PostgreSQL: the constraint's name. SQLite: `table.column`, where it says so.
        name: String,
    },
    /// A stored value cannot be what its column promises. The value itself is never named.
    #[error("inconsistent value in {table}.{column}{}: {reason}", of_row(.id.as_deref()))]
    Inconsistent {
        /// The table the statement is about.
        table: String,
        /// The id of the row, where the statement reads it.
        id: Option<String>,
        /// The column, as named in the statement.
        column: String,
        /// What was expected, and which sort of value was found.
        reason: String,
    },
    /// A statement that must give exactly one row gave none or more.
    #[error("expected one row of {table}, got {got}")]
    RowCount {
        /// The table the statement is about.
        table: String,
        /// What came instead.
        got: &'static str,
    },
    /// The database refused a statement: a fault of the program.
    #[error("the database refused a statement: {0}")]
    Statement(String),
    /// The closure of the unit of work panicked. Its work was undone.
    #[error("a unit of work panicked")]
    Panicked,
    /// The database address is not one of the two forms. The text never holds a password.
    #[error("{0}")]
    Address(String),
    /// The database is not in the state the program needs.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The operation does not exist for this kind of database.
    #[error("{0}")]
    Unsupported(&'static str),
}

/// The sorts of constraint a schema has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Unique index or primary key.
    Unique,
    /// Reference to a row that is not there, or deletion of one that is referred to.
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

/// Why the schema of a database and the migrations of this program do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The database was migrated by a newer program.
    #[error(
        "the database has schema {database}, this program knows {program}: start a newer program"
    )]
    Newer {
        /// The version in the database.
        database: u32,
        /// The newest version this program knows.
        program: u32,
    },
    /// The database is waiting for migrations.
    #[error(
        "the database has schema {database}, this program needs {program}: run `cabinet migrate`"
    )]
    Older {
        /// The version in the database, 0 for an empty one.
        database: u32,
        /// The newest version this program knows.
        program: u32,
    },
    /// A migration that is applied differs from the one in this program.
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
    /// Whether the same unit of work may succeed when it is simply run again now.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, StorageError::Contention { .. })
    }
}

fn of_row(id: Option<&str>) -> String {
    id.map(|id| format!(" of row {id}")).unwrap_or_default()
}
