//! What the cabinet wrote into its log: kept in memory, in the form the server writes it, so that tests can look for what must
//! never stand there.

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

/// Begins to keep the log, of all tests of this process together, and in more detail than an operator sees.
pub(crate) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The driver logs every statement with its parameters, the questions of tests after secrets among them.
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

/// Everything that was written so far, by every test of this process.
pub fn written() -> String {
    String::from_utf8_lossy(&lines()).into_owned()
}
