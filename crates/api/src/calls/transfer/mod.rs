//! Transfers of an order, and what a notary does about a returned one.

pub mod application;
pub mod refund_part;
pub mod refund_parts;
pub mod send_again;
pub mod transfers;
