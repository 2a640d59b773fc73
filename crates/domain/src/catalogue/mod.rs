//! What can be paid and what it costs: kinds of payments, tariffs, fees, and the ids of the tables.

pub(crate) mod account_year;
pub(crate) mod commission;
pub(crate) mod fee_year;
pub(crate) mod filing_year;
pub(crate) mod pairs;
pub(crate) mod payment_kind;
pub(crate) mod reference_ids;
pub(crate) mod tariff;
pub(crate) mod treasury_stop;
