//! Deals: which payments one needs, who owes each, and by which ground of law
//! ([decision 36](../../../docs/decisions/36-deals.md)).

mod calculate;
mod model;
pub(crate) mod rows;

pub use calculate::{Calculation, DealFault, DealRequest, Due, Outcome, Reckoned, ToPay, Way};
pub(crate) use model::{Amount, Deals};
pub use model::{DealAnswer, DealFact, DealKind, DealLine, DealRule};
