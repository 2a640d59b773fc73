//! The operator's commands.

pub mod alarms;
pub mod database;
pub mod notary;
pub mod outbox;
pub mod reference;
pub mod transfers;
