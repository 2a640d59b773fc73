//! Structured logs: one JSON object a line, on standard error.
//!
//! A line has the fields of its event and those of the spans around it, all on one level: a request's id (`request.id`), an order's id and
//! number (`order.id`, `order.number`), a loop of the worker and its round (`worker.loop`, `worker.round`).

use std::fmt;

use opentelemetry_sdk::trace::SdkTracer;
use serde_json::{Map, Value};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::filter::{FilterFn, LevelFilter, Targets, filter_fn};
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// What the targets of our own code begin with.
const OWN: &str = "cabinet";

/// Returns what is logged. A person at the terminal is told by the command itself how it went: there only errors are logged, not what a server
/// would note of the same work.
pub fn wanted(asked: Targets, is_read_by_person: bool) -> Targets {
    if is_read_by_person {
        Targets::new().with_default(LevelFilter::ERROR)
    } else {
        asked
    }
}

/// Starts logging what the filter asks for. Spans, and the lines inside of them, also go to the tracer, if there is one.
pub fn start(wanted: Targets, tracer: Option<SdkTracer>) {
    let traces = tracer.map(|tracer| {
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
    });
    subscriber(wanted, std::io::stderr).with(traces).init();
    std::panic::set_hook(Box::new(|panic| log_panic(panic.location())));
}

/// Logs where a thread panicked. The message is left out: that of a text that was cut in the wrong place quotes the text.
fn log_panic(location: Option<&std::panic::Location<'_>>) {
    let location = location.map(ToString::to_string);
    tracing::error!(panic.location = location, "A thread has panicked");
}

fn subscriber<Writer>(
    wanted: Targets,
    writer: Writer,
) -> impl Subscriber + for<'lookup> LookupSpan<'lookup> + Send + Sync
where
    Writer: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .event_format(FlatLine)
        .fmt_fields(JsonFields::new())
        .with_writer(writer);
    tracing_subscriber::registry()
        .with(lines)
        .with(filter(wanted))
}

/// Returns the filter of events and spans. A span of ours is kept at any level: otherwise the lines that are let through would lose what
/// they are about.
fn filter(wanted: Targets) -> FilterFn<impl Fn(&Metadata<'_>) -> bool> {
    let allowed = allowed();
    filter_fn(move |metadata| {
        let (target, level) = (metadata.target(), metadata.level());
        if metadata.is_span() {
            target.starts_with(OWN)
        } else {
            wanted.would_enable(target, level) && allowed.would_enable(target, level)
        }
    })
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

/// Writes a line without nesting, so that every field is found by its name.
struct FlatLine;

impl<S, N> FormatEvent<S, N> for FlatLine
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (mut time, mut own) = (String::new(), String::new());
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        context.format_fields(Writer::new(&mut own), event)?;
        let mut fields = object(&own);
        // The innermost span first: what is nearest to the event counts.
        for span in context.event_scope().into_iter().flatten() {
            if let Some(around) = span.extensions().get::<FormattedFields<N>>() {
                for (name, value) in object(around) {
                    fields.entry(name).or_insert(value);
                }
            }
        }
        let message = fields.remove("message").unwrap_or(Value::Null);
        let metadata = event.metadata();
        write!(
            writer,
            "{{\"timestamp\":{},\"level\":{},\"message\":{message}",
            Value::from(time),
            Value::from(metadata.level().as_str()),
        )?;
        for (name, value) in fields {
            write!(writer, ",{}:{value}", Value::from(name))?;
        }
        writeln!(writer, ",\"target\":{}}}", Value::from(metadata.target()))
    }
}

/// Reads the fields of an event or a span.
fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

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

    /// Returns what is written while `logging` runs with a filter.
    fn written(filter: &str, logging: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = subscriber(filter.parse().unwrap(), move || writer.clone());
        tracing::subscriber::with_default(subscriber, logging);
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_person_at_the_terminal_reads_no_log_but_errors() {
        let asked: Targets = "info".parse().unwrap();
        for (is_read_by_person, lines) in [(true, 1), (false, 3)] {
            let filter = wanted(asked.clone(), is_read_by_person).to_string();
            let told = written(&filter, || {
                tracing::info!("An order is paid");
                tracing::warn!("A message was not taken");
                tracing::error!("A thread has panicked");
            });
            assert_eq!(told.lines().count(), lines, "{told}");
        }
    }

    /// Logs events of the application and of the drivers at several levels. Returns what the filter lets through.
    fn written_with(filter: &str) -> String {
        written(filter, || {
            tracing::info!(target: "cabinet_api", "api info");
            tracing::debug!(target: "cabinet_app::order", "app debug");
            tracing::debug!(target: "tokio_postgres::query", "statement");
            tracing::debug!(target: "postgres::client", "statement");
            tracing::trace!(target: "tungstenite::protocol", "frame");
            tracing::trace!(target: "tokio_tungstenite::compat", "frame");
            tracing::info!(target: "tokio_postgres::connection", "driver info");
        })
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

    #[test]
    fn a_line_has_the_fields_of_the_spans_around_it_whatever_the_filter() {
        for filter in ["error", "cabinet_gateways=error", "trace"] {
            let written = written(filter, || {
                let request = tracing::error_span!(
                    target: "cabinet_api", "request", request.id = "01-a", order.id = "outer"
                );
                let _request = request.enter();
                let order = tracing::error_span!(
                    target: "cabinet_app", "order", order.id = "inner", order.number = tracing::field::Empty
                );
                order.record("order.number", 100_123);
                let _order = order.enter();
                let stranger = tracing::error_span!(target: "hyper", "stranger", secret = 1);
                let _stranger = stranger.enter();
                tracing::error!(target: "cabinet_gateways", code = 7, "quoted \"text\"");
            });
            let line: Value = serde_json::from_str(written.trim_end()).unwrap();
            assert_eq!(line["request.id"], "01-a");
            assert_eq!(line["order.id"], "inner");
            assert_eq!(line["order.number"], 100_123);
            assert_eq!(line["code"], 7);
            assert_eq!(line["message"], "quoted \"text\"");
            assert_eq!(line["level"], "ERROR");
            assert_eq!(line["target"], "cabinet_gateways");
            assert!(line["secret"].is_null(), "{line}");
            assert!(written.starts_with("{\"timestamp\":\"20"), "{written}");
        }
    }

    #[test]
    fn no_text_makes_a_line_of_its_own() {
        let forged = "paid\r\n{\"level\":\"INFO\",\"message\":\"forged\"}\n\u{2028}\u{1b}[2J";
        let written = written("trace", || {
            let request =
                tracing::error_span!(target: "cabinet_api", "request", request.id = forged);
            let _request = request.enter();
            tracing::error!(target: "cabinet_app", reason = forged, "{forged}");
        });
        assert_eq!(written.lines().count(), 1, "{written}");
        let line: Value = serde_json::from_str(written.trim_end()).unwrap();
        for field in ["message", "reason", "request.id"] {
            assert_eq!(line[field], forged, "{field}");
        }
    }

    #[test]
    fn a_panic_is_a_line_without_its_message() {
        let written = written("error", || {
            log_panic(Some(std::panic::Location::caller()));
        });
        let line: Value = serde_json::from_str(written.trim_end()).unwrap();
        assert!(
            line["panic.location"]
                .as_str()
                .unwrap()
                .contains("logging.rs:"),
            "{line}"
        );
    }
}
