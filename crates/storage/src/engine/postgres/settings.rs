//! What the connections to a server have in common.

use std::path::PathBuf;
use std::time::Duration;

/// Settings of the connections of a pool.
#[derive(Clone)]
pub(crate) struct PoolSettings {
    pub(crate) connections: usize,
    pub(crate) lock_timeout: Duration,
    pub(crate) statement_timeout: Duration,
    pub(crate) root_certificates: Option<PathBuf>,
}
