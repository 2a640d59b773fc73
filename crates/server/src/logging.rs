//! Structured logs: one JSON object a line, on standard error.

use tracing_subscriber::EnvFilter;

/// Starts logging with a filter such as `info` or `cabinet_app=debug,info`.
///
/// # Errors
/// When the filter can't be read.
pub fn start(filter: Option<&str>) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter.unwrap_or("info"))
        .map_err(|_| anyhow::anyhow!("CABINET_LOG: not a filter"))?
        // Below that the driver writes each statement with its parameters, which are personal data.
        .add_directive("tokio_postgres=info".parse()?)
        .add_directive("postgres=info".parse()?);
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    Ok(())
}
