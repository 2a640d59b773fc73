//! The way of a payment between the cabinet and the acquirer.
//!
//! A payment is written down before the acquirer is asked for it, and what the acquirer says is written down before
//! anybody is told. What follows from it is decided by [`cabinet_domain::payment::settle`] alone; this module asks the
//! acquirer, hands the answers to it, and stores the effects.

mod owed;
mod poll;
mod reconcile;
mod renew;
mod settle;
mod submit;
mod webhook;

pub(crate) use owed::transfers_of;
pub use reconcile::Comparison;
pub(crate) use settle::{Unit, review, settle_in};
pub(crate) use submit::PaymentMethodRequest;
pub use webhook::ReportOutcome;

/// References of card checks begin with it, so that their reports are not taken for somebody else's.
pub(crate) const CARD_CHECK: &str = "card-";
