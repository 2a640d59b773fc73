//! The tables of what can be paid: those in force, and new ones before they are loaded.

pub(crate) mod accounts_to_confirm;
pub(crate) mod fee_years;
pub mod reference;
pub mod reference_preview;
pub mod reference_versions;
pub(crate) mod treasury_day;
