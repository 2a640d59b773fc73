//! The books of a notary: what was paid in a period, and the income by the day of crediting.
//!
//! Everything here is a sum over rows, so totals are the sums of their rows in any order, and months add up to quarters and years.

mod balance;
mod income;
mod period;
mod report;
mod taxes;

pub use balance::Balance;
pub use income::{BookSums, IncomeEntry, book_sums, income_entries};
pub use period::{DayBasis, Month, Period, Quarter};
pub use report::{
    CodesItems, Figures, MovedParts, Movement, PaidItems, PaidPart, Report, StandingParts,
};
pub use taxes::{TaxKind, TaxLine, TaxPayment, tax_line};
