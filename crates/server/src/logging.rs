//! Structured logs: one JSON object a line, on standard error.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Starts logging with a filter such as `info` or `cabinet_app=debug,info`.
///
/// # Errors
/// When the filter can't be read.
pub fn start(filter: Option<&str>) -> anyhow::Result<()> {
    let wanted = wanted(filter.unwrap_or("info"))?;
    tracing_subscriber::registry()
        .with(
            tracing_subscriber::fmt::layer()
                .json()
                .flatten_event(true)
                .with_writer(std::io::stderr),
        )
        .with(wanted)
        .with(allowed())
        .init();
    Ok(())
}

/// What the operator asks for.
fn wanted(filter: &str) -> anyhow::Result<Targets> {
    filter
        .parse()
        .map_err(|_| anyhow::anyhow!("CABINET_LOG: not a filter"))
}

/// What may be asked for. Below these levels the drivers write each statement with its parameters, which are personal data.
fn allowed() -> Targets {
    Targets::new()
        .with_default(LevelFilter::TRACE)
        .with_target("tokio_postgres", LevelFilter::INFO)
        .with_target("postgres", LevelFilter::INFO)
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::filter::LevelFilter;

    use super::{allowed, wanted};

    #[test]
    fn a_filter_is_a_level_or_levels_by_target() {
        let filter = wanted("cabinet_app=debug,warn").expect("a filter");
        assert!(filter.would_enable("cabinet_app::orders", &tracing::Level::DEBUG));
        assert!(!filter.would_enable("cabinet_api", &tracing::Level::INFO));
        assert_eq!(
            wanted("error").expect("a level").default_level(),
            Some(LevelFilter::ERROR)
        );
        assert!(wanted("cabinet_app=loud").is_err());
    }

    #[test]
    fn no_filter_makes_the_drivers_write_their_statements() {
        for target in [
            "tokio_postgres",
            "tokio_postgres::query",
            "postgres::client",
        ] {
            assert!(
                !allowed().would_enable(target, &tracing::Level::DEBUG),
                "{target}"
            );
        }
        assert!(allowed().would_enable("cabinet_storage", &tracing::Level::TRACE));
    }
}
