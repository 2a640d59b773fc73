//! The address book of a notary: clients and saved recipients.

pub mod clients;
pub mod own_recipients;
