//! What the documents of an order are made of.

pub mod order_receipts;
