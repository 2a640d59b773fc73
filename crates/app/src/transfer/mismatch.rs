//! Why an entry of a bank's file contradicts the transfer that it names, for the operator.

use cabinet_domain::Money;

/// Why an entry contradicts the transfer that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// Its references name different transfers.
    #[error("its references name two different transfers")]
    TwoTransfers,
    /// The bank reports what it was not given.
    #[error(
        "document {0} is still planned here, and the bank has it already: mark the list that the bank got as sent first"
    )]
    StillPlanned(i64),
    /// The bank reports what was called off.
    #[error(
        "document {0} was called off here because its payment was given back, and the bank has it: settle it with the bank by hand"
    )]
    CalledOff(i64),
    /// Another amount.
    #[error("document {document} is {} UAH, the entry {} UAH", .ours.decimal(), .theirs.decimal())]
    Amount {
        /// The number of the document.
        document: i64,
        /// Its amount.
        ours: Money,
        /// The amount of the entry.
        theirs: Money,
    },
    /// Less came back than was sent.
    #[error(
        "only {} UAH of the {} UAH of document {document} came back. If the bank kept the rest as its fee, import the file with --less-fee and the name of this entry; else ask the bank", .theirs.decimal(), .ours.decimal()
    )]
    PartlyReturned {
        /// The number of the document.
        document: i64,
        /// Its amount.
        ours: Money,
        /// What came back.
        theirs: Money,
    },
    /// Another account.
    #[error("document {0} goes to another account than the entry")]
    Account(i64),
    /// The bank refused an instruction because it had the same payment before.
    #[error(
        "the bank refused document {0} as a repetition: the first may have been paid. Ask the bank what became of it, and import the file without this entry"
    )]
    RefusedAsDuplicate(i64),
    /// It was paid after it had come back.
    #[error(
        "document {0} came back before, and the bank debited or credited it after that: the bank may have paid it twice"
    )]
    PaidAfterReturn(i64),
    /// It was debited before.
    #[error(
        "document {0} was debited before, under another reference: the bank may have paid it twice"
    )]
    DebitedBefore(i64),
    /// The same, on another day, where neither debit has a reference.
    #[error("document {0} was debited before, on another day: the bank may have paid it twice")]
    DebitedOnAnotherDay(i64),
    /// It was debited in this file before.
    #[error(
        "document {document} is debited by entry {number} of the file already: the bank may have paid it twice"
    )]
    DebitedTwice {
        /// The number of the document.
        document: i64,
        /// The number of the first debit in the file.
        number: usize,
    },
    /// The transfer was changed since it was planned.
    #[error(
        "the seal of document {0} does not fit: it was changed in the database from outside. Don't give the list to the bank; cabinet transfers seal shows what its payment says"
    )]
    Unsealed(i64),
    /// A list names a document that does not exist.
    #[error("there is no document of this number")]
    NoSuchDocument,
    /// A status for a file of the bank.
    #[error(
        "--status is for lists that the cabinet wrote: this file tells by itself what became of each payment"
    )]
    StatusOfAnswers,
    /// A list without a status.
    #[error("this is a list that the cabinet wrote: import it with --status sent")]
    StatusMissing,
}
