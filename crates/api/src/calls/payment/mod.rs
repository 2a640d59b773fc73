//! Saved cards, and the reports of the acquirers.

pub mod acquirer_report;
pub mod frame;
pub mod liqpay_report;
pub mod saved;
