//! The outside world in a box: an acquirer, a message service, a telephone exchange and a mail server that speak the
//! documented protocols of the real ones, on an HTTP origin (and an SMTP port) of their own.
//!
//! The cabinet's adapters talk to it exactly as to the real services; only addresses and keys differ. It has pages for
//! a person (payment page, 3-D Secure step, inbox, a phone that rings) and an interface for tests under `/sandbox`,
//! with an append-only ledger of everything that was charged: the oracle that stands outside the product.
//!
//! Cards: `4242424242424242` pays, `4000000000000002` is declined (59), `4100000000000019` (55), `4000000000000069` (1419),
//! `4000000000006975` (61), `4000000000000119` (54) and `4000000000000127` (8001) too, `4000000000003063` asks for 3-D Secure,
//! `4000000000000259` stays processing for 8 s and then pays, and any other number with a right check digit pays.
//! No full card number is kept, in memory or in the journal, although none here is real.
//!
//! Where it differs from the real services: blocked sums (`hold`) are not offered, only hryvnias are, basket lines
//! must be whole pieces that add up to the sum, and a span of a statement above 31 days is refused.

mod acquirer;
mod bank;
mod charging;
mod control;
mod errors;
mod faults;
mod journal;
mod keys;
mod mail;
mod pages;
mod reports;
mod router;
mod sandbox;
mod serve;
mod settings;
mod sms;
mod time;
mod voice;

pub use bank::{CardError, LedgerEntry, LedgerKind, PaidInvoice};
pub use faults::{Fault, FaultKind, FaultService};
pub use mail::Letter;
pub use reports::SignedReport;
pub use sandbox::{Sandbox, SandboxError};
pub use settings::{SandboxSettings, SplitReceiver};
pub use sms::Message;
