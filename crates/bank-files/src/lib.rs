//! The files that the operator takes to a bank and gets from it.
//!
//! Three files go out: a table of the cabinet's own, the table of Privat24, and pain.001 of ISO 20022. Four come back: pain.002, camt.053
//! and camt.054 of ISO 20022, and the statement of Privat24. What is written comes from typed values, and what is read becomes typed
//! values: the database, the clock and the network are elsewhere. `docs/bank-files.md` lists every column and element with its source.

mod bounds;
mod camt;
mod comparison;
mod entry;
mod facts;
mod file;
mod instruction;
mod listing;
mod names;
mod own;
mod pain001;
mod pain002;
mod privat24;
mod problem;
mod reasons;
mod rows;
mod statement;
mod table;
mod tree;

pub use comparison::differences;
pub use entry::{Credit, Entry, EntryName, Fact, References};
pub use file::{BYTES_MAX, BankFile, read};
pub use instruction::{Instruction, Payer, Remittance};
pub use listing::write_csv;
pub use names::without_names;
pub use own::Listed;
pub use pain001::{MessageId, write_pain001};
pub use privat24::write_privat24;
pub use problem::{Finding, Problem, Unwritable};
pub use reasons::reason_in_words;
pub use table::{Encoding, Written};
