//! `cabinet serve`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use cabinet_api::{ApiSettings, ApiState};
use cabinet_app::{Following, Leaving, Services};
use cabinet_clock::PassingTime;
use cabinet_storage::{StorageError, Store};
use jiff::SignedDuration;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::connections::ConnectionLimits;
use crate::sandbox_mode::RunningSandbox;
use crate::settings::Settings;
use crate::shutdown::{self, StopSignals};
use crate::wiring::{Start, Wired};
use crate::worker::Worker;
use crate::{connections, console, pages, real_installation, sandbox_mode, wiring};

/// Time for requests in flight after SIGTERM.
const SHUTDOWN_TIME_MAX: Duration = Duration::from_secs(10);
/// Time for the worker, and then for the database, to end after that.
const CLOSING_TIME_MAX: Duration = Duration::from_secs(2);

/// Serves until SIGTERM or Ctrl-C, then finishes requests in flight. Settings of a start without the sandbox were accepted before.
///
/// # Errors
/// Returns an error when the cabinet can't start, and when the database accepts no more writes or a part of the cabinet ends by itself.
/// The remaining parts could only refuse requests, so the supervisor should restart the process.
pub async fn run(mut settings: Settings, start: Start) -> anyhow::Result<()> {
    let (stop, stopped) = watch::channel(false);
    // Before anything is counted.
    let metrics = crate::metrics::start()?;
    let sandbox = start.sandbox;
    // Only the sandbox advances it.
    let time = PassingTime::default();
    let running_sandbox = if sandbox {
        Some(sandbox_mode::start(&mut settings, &time, stopped.clone()).await?)
    } else {
        None
    };
    let Wired {
        services,
        api,
        public_url,
    } = wiring::wire(&settings, start, &time).await?;
    bring_to_this_version(&services, start).await?;
    prepare(&services, &settings, running_sandbox.as_ref()).await?;
    let following = services
        .realtime
        .begin()
        .await
        .context("the changes of the database can't be followed")?;
    let listen = settings.listen;
    let listeners = Listeners {
        public: bind(listen).await?,
        operations: match settings.operations_listen {
            Some(address) => Some(bind(address).await?),
            None => None,
        },
        limits: connection_limits(&settings),
    };
    // Before the first request is answered, so that whoever was told that the cabinet is ready can stop it in order.
    let mut signals = StopSignals::receive()?;
    let (mut worker, mut serving) = begin(&services, following, api, metrics, listeners, stopped);
    tracing::info!(%listen, public_url, sandbox, "The cabinet listens on {listen}");
    if let Some(running_sandbox) = &running_sandbox {
        console::print(&running_sandbox.welcome(&public_url));
    }
    let leaving = services.health.leaving.clone();
    let told_to_stop = async {
        signals.next().await;
        leave(&leaving, settings.connections.leaving_seconds, &mut signals).await;
    };
    let outcome = until_the_end(told_to_stop, &services.store, &mut worker, &mut serving).await;
    match &outcome {
        Ok(()) => tracing::info!("Stopping: requests in flight are finished"),
        Err(error) => tracing::error!(%error, "Stopping: {error}"),
    }
    stop.send_replace(true);
    let patience = if outcome.is_ok() {
        SHUTDOWN_TIME_MAX
    } else {
        // What is broken off is as after a kill; what is waited for could only be refused.
        CLOSING_TIME_MAX
    };
    finish(&services.store, worker, serving, patience).await;
    outcome
}

/// Serves on for a while as one that leaves. Another signal ends that.
async fn leave(leaving: &Leaving, time: SignedDuration, signals: &mut StopSignals) {
    if time.is_zero() {
        return;
    }
    tracing::info!(
        "Leaving: proxies are told that there is nothing more to send here. Stopping in {} s",
        time.as_secs()
    );
    leaving.begin();
    let _ = tokio::time::timeout(time.unsigned_abs(), signals.next()).await;
}

async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("{address} can't be listened on"))
}

/// Where the web server listens.
struct Listeners {
    public: TcpListener,
    operations: Option<TcpListener>,
    limits: ConnectionLimits,
}

fn connection_limits(settings: &Settings) -> ConnectionLimits {
    let connections = &settings.connections;
    ConnectionLimits {
        head: connections.head_seconds.unsigned_abs(),
        idle: connections.idle_seconds.unsigned_abs(),
        body: connections.body_seconds.unsigned_abs(),
        most: connections.max,
        // All connections come from the proxy, if there is one.
        most_of_address: settings
            .client_address_header
            .is_none()
            .then_some(connections.address_max),
    }
}

/// Migrates the database, or refuses one that lacks migrations.
async fn bring_to_this_version(services: &Services, start: Start) -> anyhow::Result<()> {
    if !start.migrates {
        services.store.require_schema().await?;
        return Ok(());
    }
    services
        .store
        .migrate(services.now())
        .await
        .context("the database can't be brought to this version")?;
    Ok(())
}

/// Prepares the data, and refuses a database that belongs to the other kind of start.
async fn prepare(
    services: &Services,
    settings: &Settings,
    running_sandbox: Option<&RunningSandbox>,
) -> anyhow::Result<()> {
    let remembered = services.keys.remember(&services.store, services.now());
    remembered.await.map_err(real_installation::explain_keys)?;
    let restored = services
        .store
        .leave_out_used_numbers(services.now())
        .await?;
    if let Some(number) = restored {
        tracing::warn!(
            order.number = number,
            "The database is a restored copy: order numbers go on after {number}, and payments made since the copy are looked for in the acquirer's statement. Transfers are not exported until they were compared with the bank's lists: cabinet transfers resume --compared"
        );
    }
    match services.transfers.seal_at_start(services.now()).await {
        Ok(sealed) if sealed.held > 0 => tracing::warn!(
            "{} transfers that the version before has planned do not agree with their payments: they wait for you. cabinet transfers seal, and then cabinet transfers release",
            sealed.held
        ),
        Ok(_) => {}
        Err(error) => {
            tracing::error!(%error, "Transfers can't be sealed now: none without a seal is exported until a start has done it");
        }
    }
    services.follow_database();
    match running_sandbox {
        Some(running_sandbox) => sandbox_mode::seed(services, running_sandbox).await?,
        None => {
            let choices = wiring::table_choices(settings);
            real_installation::check_data(&services.store, &choices).await?;
        }
    }
    services.reference.refresh().await?;
    services
        .reference
        .current()
        .context("the cabinet can't start without reference data")?;
    services.reference.warn_of_old_rows(services.now());
    if let Err(error) = services.reconciliation.recover_after_restore().await {
        tracing::error!(%error, "Payments made since the copy can't be looked for now: that is tried again every ten minutes");
    }
    Ok(())
}

type Serving = JoinHandle<()>;

/// Starts the worker and the web server.
fn begin(
    services: &Services,
    following: Following,
    api: ApiSettings,
    metrics: PrometheusHandle,
    listeners: Listeners,
    stopped: watch::Receiver<bool>,
) -> (Worker, Serving) {
    let state = ApiState::new(services.clone(), api, stopped.clone());
    let rates = state.limits.clone();
    let router = cabinet_api::router(state, pages::serve);
    let measured = {
        let (services, metrics, limits) = (services.clone(), metrics.clone(), rates.clone());
        move || crate::metrics::text(&metrics, &services, &limits)
    };
    let leaving = services.health.leaving.clone();
    let operations = cabinet_api::operations_router(services.clone(), measured);
    let worker = Worker::start(services.clone(), following, rates, metrics, stopped.clone());
    let Listeners {
        public,
        operations: private,
        limits,
    } = listeners;
    let serving = async move {
        let until = || shutdown::requested(stopped.clone());
        let public = connections::serve(public, router, limits, leaving.clone(), until());
        match private {
            None => public.await,
            Some(private) => {
                // One collector of metrics is one address.
                let limits = ConnectionLimits {
                    most_of_address: None,
                    ..limits
                };
                let private = connections::serve(private, operations, limits, leaving, until());
                tokio::join!(public, private);
            }
        }
    };
    (worker, tokio::spawn(serving))
}

/// Waits until requests in flight, the worker and the database have ended, each for a limited time.
async fn finish(store: &Store, mut worker: Worker, serving: Serving, patience: Duration) {
    if !serving.is_finished() && tokio::time::timeout(patience, serving).await.is_err() {
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
    signal: impl Future<Output = ()>,
    store: &Store,
    worker: &mut Worker,
    serving: &mut Serving,
) -> anyhow::Result<()> {
    tokio::select! {
        () = signal => Ok(()),
        error = store.stopped() => Err(no_more_writes(&error)),
        // A loop that follows the database ends with it.
        ended = worker.ended() => Err(match store.end() {
            Some(error) => no_more_writes(&error),
            None => anyhow!("{ended}"),
        }),
        _ = serving => Err(anyhow!("the web server has ended")),
    }
}

fn no_more_writes(error: &StorageError) -> anyhow::Error {
    anyhow!("the database takes no more writes: {error}")
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
        // A loop that follows the database ends with it, and may be noticed first.
        for follower in [false, true].repeat(8) {
            let ended = end_of(async |store, worker| {
                store.close().await;
                if follower {
                    worker.run("realtime", async {});
                    tokio::task::yield_now().await;
                }
            });
            let ended = ended.await.unwrap_err().to_string();
            assert!(
                ended.starts_with("the database takes no more writes"),
                "{ended}"
            );
        }
        let ended =
            end_of(async |_, worker| worker.run("letters", async { panic!("a fault") })).await;
        assert_eq!(
            ended.unwrap_err().to_string(),
            "the worker's loop \"letters\" has panicked"
        );
    }
}
