//! Signed tokens: for calls, for the cards frame and for realtime connections.

pub mod access;
pub mod frame;
mod keyring;
pub mod realtime;
