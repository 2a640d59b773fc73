//! Tests of the program. One program, so that it is linked once.

mod accounts;
mod archive;
mod audit;
mod authority;
mod check;
mod clock;
mod command;
mod erase;
mod folder;
mod person;
mod process;
mod reference;
mod refund;
mod report;
mod restoring;
mod server;
mod support;
mod tables;
mod traces;
mod transfers;
mod upgrading;
