//! The metrics of the cabinet: each is a static with its name, the values of its labels, its text for the operator and its buckets.
//!
//! A label is an enum, so nothing can be counted under a value that is not known here, and every series exists from the start: Prometheus
//! can't see the first event of a counter that appears with it. A label never carries an id or personal data. The one label that is text is
//! the pattern of a route.

mod labels;
mod list;
mod metric;
mod outbound;
mod words;
mod written;

pub use labels::{Labels, Word};
pub use list::*;
pub use metric::{Counter, Described, Gauge, Held, Histogram, Kind, Routes};
pub use outbound::{OutboundCall, OutboundOutcome, OutboundService};
pub use words::*;
pub use written::*;

#[cfg(test)]
mod tests;
