//! The voice service's callbacks: what was pressed, and how the call went.

mod callback;
pub mod key;
pub mod progress;
