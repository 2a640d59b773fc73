//! Structured logs: one JSON object a line, on standard error.

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Starts logging what the filter asks for.
pub fn start(wanted: Targets) {
    subscriber(wanted, std::io::stderr).init();
}

fn subscriber<Writer>(wanted: Targets, writer: Writer) -> impl Subscriber + Send + Sync
where
    Writer: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_writer(writer);
    tracing_subscriber::registry()
        .with(lines)
        .with(wanted)
        .with(allowed())
}

/// The most detailed levels allowed. Below them the database drivers log each statement with its parameters, which are personal data,
/// and the realtime connections log each message, which holds tokens.
fn allowed() -> Targets {
    Targets::new()
        .with_default(LevelFilter::TRACE)
        .with_target("tokio_postgres", LevelFilter::INFO)
        .with_target("postgres", LevelFilter::INFO)
        .with_target("tungstenite", LevelFilter::INFO)
        .with_target("tokio_tungstenite", LevelFilter::INFO)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::subscriber;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Logs events of the application and of the drivers at several levels. Returns what the filter lets through.
    fn written_with(filter: &str) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = subscriber(filter.parse().unwrap(), move || writer.clone());
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(target: "cabinet_api", "api info");
            tracing::debug!(target: "cabinet_app::orders", "app debug");
            tracing::debug!(target: "tokio_postgres::query", "statement");
            tracing::debug!(target: "postgres::client", "statement");
            tracing::trace!(target: "tungstenite::protocol", "frame");
            tracing::trace!(target: "tokio_tungstenite::compat", "frame");
            tracing::info!(target: "tokio_postgres::connection", "driver info");
        });
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_filter_is_a_level_or_levels_by_target() {
        let written = written_with("cabinet_app=debug,warn");
        assert!(
            written.contains("app debug") && !written.contains("info"),
            "{written}"
        );
        assert!(written_with("info").contains("driver info"));
        assert_eq!(written_with("error"), "");
    }

    #[test]
    fn no_filter_makes_the_drivers_write_statements_or_messages() {
        for filter in [
            "trace",
            "tokio_postgres::query=trace,postgres::client=trace,tungstenite=trace,debug",
        ] {
            let written = written_with(filter);
            assert!(
                written.contains("app debug")
                    && !written.contains("statement")
                    && !written.contains("frame"),
                "{written}"
            );
        }
    }
}
