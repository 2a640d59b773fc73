//! The sandbox simulates the outside services: two acquirers, a message service, a voice service, a mail server, and the bank through
//! which the operator pays transfers out. They speak the documented protocols of the real ones, on an HTTP origin and an SMTP port of
//! their own.
//!
//! The cabinet's adapters call it like the real services; only addresses and keys differ. It has pages for people (payment
//! page, 3-D Secure step, inbox, a ringing phone) and an interface for tests under `/sandbox`. Its append-only ledger of all
//! charges and refunds is what tests compare the product with.
//!
//! Cards: `4242424242424242` pays, `4000000000000002` is declined (59), `4100000000000019` (55), `4000000000000069` (1419),
//! `4000000000006975` (61), `4000000000000119` (54) and `4000000000000127` (8001) too, `4000000000003063` asks for 3-D Secure,
//! `4000000000000259` stays processing for 8 s and then pays (its refunds take as long), and any other number with a right check digit pays.
//! No full card number is kept, in memory or in the journal, although none here is real.
//!
//! Differences from the real services: holds are not supported, the only currency is the hryvnia, basket lines must be whole
//! pieces that add up to the sum, and a statement of more than 31 days is refused.

mod acquirer;
mod bank;
mod charging;
mod control;
mod errors;
mod faults;
mod journal;
mod keys;
mod liqpay;
mod mail;
mod pages;
mod paying_bank;
mod reports;
mod router;
mod sandbox;
mod serve;
mod settings;
mod sms;
mod time;
mod voice;

pub use bank::{CardError, LedgerEntry, LedgerKind, PaidInvoice, ReportService};
pub use faults::{Fault, FaultKind, FaultService};
pub use mail::Letter;
pub use paying_bank::{Customer, PayingBankSettings};
pub use reports::SignedReport;
pub use sandbox::{Sandbox, SandboxError};
pub use settings::{SandboxSettings, SplitReceiver};
pub use sms::Message;
