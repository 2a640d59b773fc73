//! Passkeys of notaries: adding them by a proof, signing in and proving payments by them, renaming and removing them (decision 68).

mod add;
mod challenge;
mod common;
mod enter;
mod manage;
mod payment;
mod proof;

pub use add::{NewPasskey, NewPasskeyOptions};
pub use common::PasskeyAnswer;
pub use enter::PasskeyLoginOptions;
pub use payment::PasskeyProofOptions;
