//! Documents: receipts, extracts, calculations of deals and QR codes.

pub mod calculation;
pub mod chosen_receipts;
pub mod codes_document;
pub mod deal_calculation;
pub mod extract;
pub mod item_receipt;
pub mod receipt;
pub(crate) mod receipt_query;
pub mod receipts;
