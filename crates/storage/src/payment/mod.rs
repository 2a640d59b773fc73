//! Paying an order: attempts, refunds, cards, and what the acquirers report.

mod absences;
pub mod acquirer_reports;
pub mod attempts;
pub mod card_figures;
pub mod payment_proofs;
pub mod payments;
pub mod refunds;
pub mod removed_cards;
pub mod statement_days;
pub mod used_tickets;
