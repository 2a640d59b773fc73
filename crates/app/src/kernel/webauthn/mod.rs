//! Verifies what authenticators answer: the registration of a passkey and an assertion by it (W3C Web Authentication Level 3, sections 7.1
//! and 7.2). It knows nothing of accounts: the caller keeps keys and counters, and sees to it that a challenge is used once.
//!
//! No attestation is asked for, so a registration proves nothing about the authenticator's make. Presence and verification of the user are
//! always required.

mod answers;
mod authenticator_data;
mod client_data;
mod error;
mod parts;
mod public_key;
mod relying_party;
#[cfg(test)]
mod tests;

pub use answers::attested_passkey;
pub(crate) use answers::{Asserted, Assertion, Registration, check_counter};
pub(crate) use client_data::challenge_of;
pub(crate) use error::WebAuthnError;
pub(crate) use public_key::ALGORITHMS;
pub(crate) use relying_party::RelyingParty;
