//! What every use case is made of: refusals, ids, idempotency, keys, texts, and health.

pub(crate) mod asker;
pub(crate) mod download;
pub(crate) mod health;
pub(crate) mod idempotency;
pub(crate) mod ids;
pub mod keys;
pub(crate) mod lasting_trouble;
pub(crate) mod notifier;
pub mod refusal;
pub(crate) mod sparse_log;
pub(crate) mod texts;
pub(crate) mod webauthn;
