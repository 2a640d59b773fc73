//! The signed-in notary's sessions.

pub mod end;
pub mod end_others;
pub mod list;
pub mod security_events;
