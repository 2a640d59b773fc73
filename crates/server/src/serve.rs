//! `cabinet serve`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use cabinet_api::{ApiState, Observability};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::settings::Settings;
use crate::{commands, pages, sandbox_mode, wiring, worker};

/// How long requests in flight may go on after SIGTERM.
const SHUTDOWN_TIME_MAX: Duration = Duration::from_secs(10);

/// Serves until SIGTERM or Ctrl-C, then finishes what is in flight.
///
/// # Errors
/// When a setting is missing or wrong, an address can't be bound, or the database can't be used.
pub async fn run(mut settings: Settings, sandbox: bool) -> anyhow::Result<()> {
    let (stop, stopped) = watch::channel(false);
    let world = if sandbox {
        Some(sandbox_mode::start(&mut settings, stopped.clone()).await?)
    } else {
        sandbox_mode::refuse_leftovers(&settings)?;
        None
    };
    let wired = wiring::wire(&settings, sandbox).await?;
    wired
        .app
        .store()
        .migrate(wired.app.now())
        .await
        .context("the database can't be brought to this version")?;
    match &world {
        Some(world) => sandbox_mode::furnish(&wired.app, world).await?,
        None => sandbox_mode::refuse_demonstration(&wired.app).await?,
    }
    wired.app.follow_reference().await?;
    wired
        .app
        .reference()
        .context("the cabinet can't start without reference data")?;

    let listener = TcpListener::bind(wired.listen)
        .await
        .with_context(|| format!("{} can't be listened on", wired.listen))?;
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .context("metrics can't be recorded")?;
    let observability = Observability {
        app: wired.app.clone(),
        metrics: metrics.clone(),
    };
    let state = ApiState::new(wired.app.clone(), wired.api, stopped.clone());
    let limits = state.limits.clone();
    let router = cabinet_api::router(state, observability, pages::serve);
    let working = tokio::spawn(worker::run(
        wired.app.clone(),
        limits,
        metrics,
        stopped.clone(),
    ));
    tracing::info!(listen = %wired.listen, public_url = wired.public_url, sandbox, "The cabinet listens on {}", wired.listen);
    if let Some(world) = &world {
        commands::print(&world.welcome(&wired.public_url));
    }

    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service)
        .with_graceful_shutdown(wait(stopped.clone()))
        .into_future();
    let serving = tokio::spawn(serving);
    signal().await?;
    tracing::info!("Stopping: requests in flight are finished");
    stop.send_replace(true);
    if tokio::time::timeout(SHUTDOWN_TIME_MAX, serving)
        .await
        .is_err()
    {
        tracing::warn!("Some requests were still in flight when the time was over");
    }
    // The worker ends after the step it is at; every step is safe to be cut off all the same.
    let _ = tokio::time::timeout(Duration::from_secs(2), working).await;
    wired.app.store().close().await;
    Ok(())
}

async fn wait(mut stopped: watch::Receiver<bool>) {
    // A closed channel means that the process is going down as well.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

async fn signal() -> anyhow::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => {}
        outcome = tokio::signal::ctrl_c() => outcome?,
    }
    Ok(())
}
