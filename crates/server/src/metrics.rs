//! The recorder of metrics, and the text that the collector reads.

use anyhow::Context as _;
use cabinet_api::Limits;
use cabinet_app::Services;
use cabinet_metrics::{BUILD_INFO, Described, Kind};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::process;

/// Starts to record: every series is there from now on, at zero.
///
/// # Errors
/// Fails if something else records already.
pub fn start() -> anyhow::Result<PrometheusHandle> {
    process::note_start();
    let handle = builder()?
        .install_recorder()
        .context("metrics can't be recorded")?;
    register();
    Ok(handle)
}

/// Returns a builder that knows the buckets of every histogram. Buckets can be added over processes, quantiles can't.
fn builder() -> anyhow::Result<PrometheusBuilder> {
    let mut builder = PrometheusBuilder::new();
    for metric in histograms() {
        let name = Matcher::Full(metric.name().to_owned());
        builder = builder.set_buckets_for_metric(name, metric.buckets())?;
    }
    Ok(builder)
}

fn histograms() -> impl Iterator<Item = &'static &'static dyn Described> {
    cabinet_metrics::ALL
        .iter()
        .filter(|metric| metric.kind() == Kind::Histogram)
}

fn register() {
    for metric in cabinet_metrics::ALL {
        metric.start();
    }
}

/// Writes the metrics of this moment.
pub fn text(handle: &PrometheusHandle, services: &Services, limits: &Limits) -> String {
    services.store.measure();
    limits.measure();
    let mut text = handle.render();
    let database = if services.store.is_sqlite() {
        "sqlite"
    } else {
        "postgresql"
    };
    BUILD_INFO.write(&mut text, &[env!("CARGO_PKG_VERSION"), database], 1.0);
    process::write(&mut text);
    text
}

#[cfg(test)]
mod tests;
