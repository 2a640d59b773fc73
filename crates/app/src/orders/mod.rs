//! Orders: from the cart to the acquirer, and whatever happens to them there.
//!
//! A payment is written down before the acquirer is asked for it, and what the acquirer says is written down before anybody is
//! told. Between the two an outcome may be unknown; then the order stays in progress and is asked for by our reference, never
//! charged again.

mod apply;
mod ask;
mod cards;
mod checks;
mod create;
mod export;
mod failure;
mod pay_link;
mod receipt_check;
mod receipts;
mod reconcile;
mod repeat;
mod reports;
mod view;

pub(crate) use apply::{Facts, step_order};
pub use cards::SavedCardView;
pub use create::OrderWish;
pub use receipt_check::CheckedReceipt;
pub use receipts::{ReceiptFile, ReceiptWish};
pub use reconcile::Comparison;
pub use repeat::RepeatView;
pub use reports::ReportOutcome;
pub use view::{OrderPage, OrderSearch, OrderSummary, OrderView};

use jiff::SignedDuration;

/// How long an invoice can be paid.
const INVOICE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// When an order is first asked about by itself.
const FIRST_CHECK: SignedDuration = SignedDuration::from_secs(60);
/// How long a charge that the acquirer has no trace of may still appear there, before it counts as never made.
const TRACE_TIME_MAX: SignedDuration = SignedDuration::from_mins(15);

/// When an order that was asked about so many times is asked about again: soon at first, then ever more rarely.
fn next_check(checks: i64) -> SignedDuration {
    match checks {
        ..=2 => SignedDuration::from_secs(60),
        3..=5 => SignedDuration::from_mins(3),
        6..=10 => SignedDuration::from_mins(10),
        11..=30 => SignedDuration::from_mins(30),
        _ => SignedDuration::from_hours(2),
    }
}
