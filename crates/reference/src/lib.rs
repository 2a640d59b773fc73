//! Reference data of the cabinet: what can be paid, how much, to whom.
//!
//! The tables are files that an operator keeps and loads (`reference-data/` holds the starter set and describes every
//! column). [`parse`] checks them all and names every bad row at once; [`ReferenceData`] then answers by date, because
//! fees, tariffs and accounts move every January (specification, "Readings: money and tariff").

#![deny(clippy::as_conversions, clippy::float_arithmetic, missing_docs)]

mod cells;
mod checks;
mod choices;
mod confirm;
mod data;
mod deals;
mod demonstration;
mod difference;
mod fee_changes;
mod fees;
mod findings;
mod model;
mod multiple;
mod parse;
mod problem;
mod purpose_text;
mod recipients;
mod register;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod year;

pub use choices::{Reading, TableChoices, tells_fixed_fees};
pub use confirm::{ConfirmedTables, confirmed_tables};
pub use data::ReferenceData;
pub use deals::{
    Calculation, DealAnswer, DealFact, DealFault, DealKind, DealLine, DealRequest, DealRule, Due,
    Outcome, Reckoned, ToPay, Way,
};
pub use demonstration::{is_demonstration_account, is_demonstration_name};
pub use difference::{Difference, TableSet, difference};
pub use fees::{DisputedTerm, StaleRow};
pub use model::{FeeInForce, Name, PaymentOption, PaymentType, Period, Region, Term, TermInForce};
pub use parse::parse;
pub use problem::{BadRow, Doubt, DoubtfulRow, Reason};
pub use purpose_text::{purpose_of_fee, purpose_of_notary_part, purpose_without_name};
pub use recipients::{
    CLIENT_CODE_PLACEHOLDER, CLIENT_NAME_PLACEHOLDER, Requisite, Template, requisite_serves_term,
};
pub use register::{RegisterFault, RegisterReason, read_register};
pub use year::{Left, LeftRow, TablesOfYear, YearError, YearMinimums, tables_of_year};
