//! The link by which a client pays an order, and where the receipt is sent.

pub mod make;
pub mod receipt_mail;
pub mod receipt_mail_stop;
pub mod send;
pub mod view;
pub mod withdraw;
