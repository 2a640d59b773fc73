//! Reference data of the cabinet: what can be paid, how much, to whom.

mod ids;
mod problem;
mod search;

pub use ids::{OptionId, PaymentTypeId, RegionId, RequisiteId, TemplateId, TermId};
pub use problem::{BadRow, Doubt, DoubtfulRow, Reason};
pub use search::fold_for_search;
