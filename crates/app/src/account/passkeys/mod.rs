//! Passkeys of notaries: adding them by a proof, signing in by them, renaming and removing them (decision 68).

mod add;
mod challenge;
mod common;
mod enter;
mod manage;
mod proof;

pub use add::{NewPasskey, NewPasskeyOptions};
pub use enter::{PasskeyLogin, PasskeyLoginOptions};
