//! The operator's commands.

pub mod alarms;
pub mod audit;
pub mod database;
pub mod erase;
pub mod keys;
pub mod notary;
pub mod outbox;
pub mod reference;
pub mod register;
pub mod report;
pub mod transfers;
