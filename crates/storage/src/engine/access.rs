//! Kinds of access to the database.

/// The kind of access a unit of work needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Short reads.
    Read,
    /// Long reads: there is no time limit for statements.
    ReadLong,
    /// Searches among the rows of a notary: long reads whose statements PostgreSQL plans once for all values.
    Search,
    /// Write.
    Write,
    /// PostgreSQL: outside of a transaction, on a connection that is closed afterwards, without a time limit for statements.
    Alone,
}

impl Access {
    /// Whether nothing is written.
    pub(crate) fn is_read(self) -> bool {
        match self {
            Access::Read | Access::ReadLong | Access::Search => true,
            Access::Write | Access::Alone => false,
        }
    }
}
