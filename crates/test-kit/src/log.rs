//! The cabinet's log, kept in memory in the server's format, so that tests can look for what must not be logged; and the statements that it
//! sends to its database, so that tests can count them.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use serde_json::Value;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets, dynamic_filter_fn};
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
        let counted = tracing_subscriber::fmt::layer()
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .with_current_span(false)
            .with_writer(|| Counted);
        let counts = dynamic_filter_fn(|event, _| {
            COUNTS.load(Ordering::Relaxed) && [UNIT, STATEMENT].contains(&event.target())
        });
        tracing_subscriber::registry()
            .with(layer.with_filter(filter))
            .with(counted.with_filter(counts))
            .init();
    });
}

/// What the store says of each unit of work, and of each statement.
const UNIT: &str = "cabinet_storage::unit";
const STATEMENT: &str = "cabinet_storage::statement";

/// Whether units of work and statements are counted at present.
static COUNTS: AtomicBool = AtomicBool::new(false);
static COUNTED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Counted;

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
        counted.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What some work has asked of the database.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// How many units of work have ended.
    pub units: usize,
    /// The statements, without beginnings and ends of transactions.
    pub statements: Vec<String>,
}

/// Does some work and returns what was asked of the database meanwhile, by everybody in this process.
pub async fn counted<Work: Future>(work: Work) -> (Work::Output, Asked) {
    let take = || std::mem::take(&mut *COUNTED.lock().unwrap_or_else(PoisonError::into_inner));
    take();
    COUNTS.store(true, Ordering::Relaxed);
    let done = work.await;
    COUNTS.store(false, Ordering::Relaxed);
    let mut asked = Asked::default();
    for line in String::from_utf8_lossy(&take()).lines() {
        let told: Value = serde_json::from_str(line).expect("a line of the log is JSON");
        if told["target"] == UNIT {
            asked.units += 1;
        } else {
            let statement = told["message"].as_str().unwrap_or_default();
            asked.statements.push(statement.to_owned());
        }
    }
    (done, asked)
}

/// Returns the log of all tests of this process so far.
pub fn written() -> String {
    String::from_utf8_lossy(&lines()).into_owned()
}
