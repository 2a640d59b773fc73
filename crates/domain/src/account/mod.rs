//! The account of a notary: who she is, whether she may order, and how she is signed in.

pub(crate) mod device;
pub(crate) mod login;
pub(crate) mod notary;
pub(crate) mod notary_status;
pub(crate) mod passkey;
pub(crate) mod register;
pub(crate) mod session;
pub(crate) mod standing;
