//! Callbacks of the voice service.

mod callback;
pub mod key;
pub mod progress;
