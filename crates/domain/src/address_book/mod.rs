//! The address book of a notary: clients and saved recipients.

pub(crate) mod client;
pub(crate) mod own_recipient;
