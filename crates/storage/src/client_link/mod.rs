//! Links for clients, and the consents to receipts by e-mail.

pub mod client_links;
pub mod receipt_consents;
