//! The address book of a notary.

pub mod client_delete;
pub mod client_search;
pub mod recipient_delete;
pub mod recipient_save;
pub mod recipients;
