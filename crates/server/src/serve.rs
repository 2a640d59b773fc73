//! `cabinet serve`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use cabinet_api::{ApiSettings, ApiState, Observability};
use cabinet_app::Services;
use cabinet_storage::Store;
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::sandbox_mode::RunningSandbox;
use crate::settings::Settings;
use crate::wiring::Wired;
use crate::worker::Worker;
use crate::{console, pages, real_installation, sandbox_mode, shutdown, wiring};

/// Time for requests in flight after SIGTERM.
const SHUTDOWN_TIME_MAX: Duration = Duration::from_secs(10);
/// Time for the worker, and then for the database, to end after that.
const CLOSING_TIME_MAX: Duration = Duration::from_secs(2);

/// Serves until SIGTERM or Ctrl-C, then finishes requests in flight.
///
/// # Errors
/// Returns an error when the cabinet can't start, and when the database accepts no more writes or a part of the cabinet ends by itself.
/// The remaining parts could only refuse requests, so the supervisor should restart the process.
pub async fn run(mut settings: Settings, sandbox: bool) -> anyhow::Result<()> {
    let (stop, stopped) = watch::channel(false);
    let running_sandbox = if sandbox {
        Some(sandbox_mode::start(&mut settings, stopped.clone()).await?)
    } else {
        real_installation::check_settings(&settings)?;
        None
    };
    let Wired {
        services,
        api,
        public_url,
    } = wiring::wire(&settings, sandbox).await?;
    prepare(&services, running_sandbox.as_ref()).await?;
    let listen = settings.listen;
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("{listen} can't be listened on"))?;
    let (mut worker, mut serving) = start(&services, api, listener, stopped)?;
    tracing::info!(%listen, public_url, sandbox, "The cabinet listens on {listen}");
    if let Some(running_sandbox) = &running_sandbox {
        console::print(&running_sandbox.welcome(&public_url));
    }
    let outcome = until_the_end(
        shutdown::signalled(),
        &services.store,
        &mut worker,
        &mut serving,
    )
    .await;
    match &outcome {
        Ok(()) => tracing::info!("Stopping: requests in flight are finished"),
        Err(error) => tracing::error!(%error, "Stopping: {error}"),
    }
    stop.send_replace(true);
    finish(&services.store, worker, serving).await;
    outcome
}

/// Migrates the database, and refuses one that belongs to the other kind of start.
async fn prepare(
    services: &Services,
    running_sandbox: Option<&RunningSandbox>,
) -> anyhow::Result<()> {
    services
        .store
        .migrate(services.now())
        .await
        .context("the database can't be brought to this version")?;
    let restored = services.store.leave_out_used_numbers().await?;
    if let Some(number) = restored {
        tracing::warn!(
            order.number = number,
            "The database is a restored copy: order numbers go on after {number}, and payments made since the copy are looked for in the acquirer's statement"
        );
    }
    match running_sandbox {
        Some(running_sandbox) => sandbox_mode::seed(services, running_sandbox).await?,
        None => real_installation::check_data(services).await?,
    }
    services.reference.refresh().await?;
    services
        .reference
        .current()
        .context("the cabinet can't start without reference data")?;
    if restored.is_some()
        && let Err(error) = services.reconciliation.recover_after_restore().await
    {
        tracing::error!(%error, "Payments made since the copy can't be looked for: compare with the acquirer's own list");
    }
    Ok(())
}

type Serving = JoinHandle<std::io::Result<()>>;

/// Starts the worker and the web server.
fn start(
    services: &Services,
    api: ApiSettings,
    listener: TcpListener,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<(Worker, Serving)> {
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .context("metrics can't be recorded")?;
    crate::metrics::register();
    let observability = Observability {
        services: services.clone(),
        metrics: metrics.clone(),
    };
    let state = ApiState::new(services.clone(), api, stopped.clone());
    let limits = state.limits.clone();
    let router = cabinet_api::router(state, observability, pages::serve);
    let worker = Worker::start(services.clone(), limits, metrics, stopped.clone());
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service)
        .with_graceful_shutdown(shutdown::requested(stopped))
        .into_future();
    Ok((worker, tokio::spawn(serving)))
}

/// Waits until requests in flight, the worker and the database have ended, each for a limited time.
async fn finish(store: &Store, mut worker: Worker, serving: Serving) {
    if !serving.is_finished()
        && tokio::time::timeout(SHUTDOWN_TIME_MAX, serving)
            .await
            .is_err()
    {
        tracing::warn!("Some requests were still in flight when the time was over");
    }
    // The worker ends after its current step. A step that is cut off does no harm.
    let _ = tokio::time::timeout(CLOSING_TIME_MAX, worker.finish()).await;
    if tokio::time::timeout(CLOSING_TIME_MAX, store.close())
        .await
        .is_err()
    {
        tracing::warn!("The database was still at work when the time was over");
    }
}

/// Waits for the signal to stop.
///
/// # Errors
/// Names the part of the cabinet that ended before the signal.
async fn until_the_end(
    signal: impl Future<Output = anyhow::Result<()>>,
    store: &Store,
    worker: &mut Worker,
    serving: &mut Serving,
) -> anyhow::Result<()> {
    tokio::select! {
        outcome = signal => outcome,
        error = store.stopped() => Err(anyhow!("the database takes no more writes: {error}")),
        ended = worker.ended() => Err(anyhow!("{ended}")),
        _ = serving => Err(anyhow!("the web server has ended")),
    }
}

#[cfg(test)]
mod tests {
    use cabinet_storage::testing::TestDatabase;

    use super::*;

    /// Runs a cabinet that nobody stops, breaks a part of it, and returns how it ended.
    async fn end_of(break_off: impl AsyncFnOnce(&Store, &mut Worker)) -> anyhow::Result<()> {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        let mut worker = Worker::default();
        worker.run("goes on", std::future::pending());
        let mut serving = tokio::spawn(std::future::pending());
        break_off(&store, &mut worker).await;
        until_the_end(std::future::pending(), &store, &mut worker, &mut serving).await
    }

    #[tokio::test]
    async fn a_database_that_ends_or_a_loop_that_panics_ends_the_cabinet() {
        let ended = end_of(async |store, _| store.close().await).await;
        assert!(
            ended
                .unwrap_err()
                .to_string()
                .starts_with("the database takes no more writes")
        );
        let ended =
            end_of(async |_, worker| worker.run("letters", async { panic!("a fault") })).await;
        assert_eq!(
            ended.unwrap_err().to_string(),
            "the worker's loop \"letters\" has panicked"
        );
    }
}
