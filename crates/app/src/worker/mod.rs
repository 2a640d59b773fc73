//! What the worker does by itself: the outbox, tidying up, measuring and reconciliation.

pub(crate) mod leases;
pub mod maintenance;
pub(crate) mod measurements;
pub mod outbox;
pub mod reconciliation;
pub mod report_archive;
