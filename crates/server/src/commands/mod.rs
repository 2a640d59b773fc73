//! The operator's commands.

pub mod alarms;
pub mod archive;
pub mod audit;
pub mod check;
pub mod complaints;
pub mod database;
pub mod erase;
pub mod keys;
pub mod migrate;
mod new_file;
pub mod notary;
mod notary_file;
mod notary_list;
pub mod order;
mod order_sheet;
pub mod outbox;
pub mod person;
pub mod reference;
pub mod register;
pub mod report;
mod sheet;
mod transfer_lists;
pub mod transfers;
mod typed;
mod unknown;
