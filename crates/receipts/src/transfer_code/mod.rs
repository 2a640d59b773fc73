//! The National Bank's QR code of a credit transfer, format 002 (NBU resolution 97 of 19.08.2025, in force since 01.11.2025).
//! A banking app that reads it fills in the whole transfer.

mod link;
mod symbol;

pub use link::TransferLink;
pub use symbol::Symbol;
