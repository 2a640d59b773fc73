//! Signed tokens: for calls, for the cards frame and for realtime connections.

pub mod access;
pub mod frame;
pub mod realtime;
