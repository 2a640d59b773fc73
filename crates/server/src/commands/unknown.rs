//! What a command says where the answer to a commit was lost.

use anyhow::anyhow;
use cabinet_app::transfer::returns::RefundError;
use cabinet_app::transfer::{ImportError, NotSentError, ReleaseError, ResumeError, SealError};
use cabinet_storage::StorageError;

/// An error of a change that the database may have caused.
pub trait OfDatabase: Into<anyhow::Error> {
    /// Whether nobody knows whether the change was made.
    fn is_outcome_unknown(&self) -> bool;
}

macro_rules! of_database {
    ($($error:ident),*) => {$(
        impl OfDatabase for $error {
            fn is_outcome_unknown(&self) -> bool {
                // After a failed flush SQLite may find the change in its log when the file is opened again.
                matches!(self, $error::Storage(StorageError::OutcomeUnknown | StorageError::Damaged(_)))
            }
        }
    )*};
}

of_database!(
    ImportError,
    NotSentError,
    RefundError,
    ReleaseError,
    ResumeError,
    SealError
);

/// Says of a failed change that nothing was done; or, where nobody knows whether it was, how to find out.
pub fn change_failed(
    error: impl OfDatabase,
    nothing_done: &'static str,
    how_to_find_out: &str,
) -> anyhow::Error {
    if error.is_outcome_unknown() {
        let error: anyhow::Error = error.into();
        return anyhow!("it is not known whether this was done: {error:#}. {how_to_find_out}");
    }
    error.into().context(nothing_done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_whose_answer_was_lost_is_not_called_undone() {
        let said = |storage| {
            let error = change_failed(
                ReleaseError::Storage(storage),
                "nothing was released",
                "See X",
            );
            format!("{error:#}")
        };
        let unknown = said(StorageError::OutcomeUnknown);
        let damaged = said(StorageError::Damaged("fsync failed"));
        for said in [unknown, damaged] {
            assert!(
                said.contains("not known") && said.ends_with("See X"),
                "{said}"
            );
            assert!(!said.contains("nothing was released"), "{said}");
        }
        assert!(said(StorageError::ReadOnly).starts_with("nothing was released: "));
    }
}
