//! What the operator says when something is done by hand.

pub(crate) mod reason;
