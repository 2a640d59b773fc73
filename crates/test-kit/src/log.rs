//! The cabinet's log, kept in memory in the server's format, so that tests can look for what must not be logged.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn lines() -> MutexGuard<'static, Vec<u8>> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Kept;

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        lines().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Starts to keep the log of all tests of this process, with more details than an operator sees.
pub(crate) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The driver logs statements with their parameters, including the tests' own queries for secrets.
        let filter = Targets::new()
            .with_default(LevelFilter::DEBUG)
            .with_target("tokio_postgres", LevelFilter::INFO);
        let layer = tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_writer(|| Kept);
        tracing_subscriber::registry()
            .with(layer)
            .with(filter)
            .init();
    });
}

/// Returns the log of all tests of this process so far.
pub fn written() -> String {
    String::from_utf8_lossy(&lines()).into_owned()
}
