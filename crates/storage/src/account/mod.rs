//! Accounts of notaries: logins, sessions, devices and the register of notaries.

pub mod devices;
pub mod login_operations;
pub mod notaries;
pub mod passkey_proofs;
pub mod passkeys;
pub mod register;
pub mod register_proofs;
pub mod sessions;
