//! What the operator and the support do: accounts, alarms, orders, complaints and erasing.

pub mod account_change;
pub mod administration;
pub(crate) mod alarms;
pub mod erasure;
mod services;
pub mod support_desk;

pub use services::OperatorServices;
