//! Calculations with moments.

use std::time::Duration;

use jiff::Timestamp;

/// Returns the moment `span` after `start`, or the last moment there is.
pub(crate) fn after(start: Timestamp, span: Duration) -> Timestamp {
    start.checked_add(span).unwrap_or(Timestamp::MAX)
}
