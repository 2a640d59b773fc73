//! What the worker lives on: the outbox, leases and the queues.

pub mod leases;
pub mod outbox;
pub mod queues;
