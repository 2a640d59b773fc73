//! Kinds of access to the database.

/// The kind of access a unit of work needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Short reads.
    Read,
    /// Long reads: there is no time limit for statements.
    ReadLong,
    /// Write.
    Write,
    /// PostgreSQL: outside of a transaction, on a connection that is closed afterwards, without a time limit for statements.
    Alone,
}
