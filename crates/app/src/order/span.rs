//! What lines of the log say of the order that they are about.

use cabinet_domain::{Order, OrderId};
use tracing::Span;
use tracing::field::Empty;

/// Returns the span of work on an order. At the level of errors, so that no filter of levels takes the id from a line.
pub(crate) fn span_of(order: OrderId) -> Span {
    tracing::error_span!("order", order.id = %order, order.number = Empty)
}

/// Returns the span of work on an order whose number is known, by which people name it.
pub(crate) fn span_of_order(order: &Order) -> Span {
    let span = span_of(order.id);
    span.record("order.number", order.number);
    span
}
