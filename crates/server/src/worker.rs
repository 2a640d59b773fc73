//! Background work: orders without an outcome, letters, new reference data, the acquirer's statement, the seals of the audit trail,
//! deletion of removed cards and of old rows.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use cabinet_api::Limits;
use cabinet_app::refusal::AppError;
use cabinet_app::{Following, LeasedWork, Services};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;
use tokio::task::{Id, JoinSet};

/// Pause between two looks for due work.
const TICK: Duration = Duration::from_secs(1);
/// Ticks between two deletions of old rows.
const TIDY_TICKS: u32 = 60;
/// Pause between two looks for days to compare with the acquirer's statement.
const COMPARED_EVERY: Duration = Duration::from_secs(10 * 60);
/// Pause between two looks for removed cards that the acquirer should forget.
const REMOVED_EVERY: Duration = Duration::from_secs(60);

/// The loops of the worker. Each is a task of its own, so that a slow mail server delays no payments and a panic ends one loop only.
/// A failed step is logged and tried again at the next tick.
#[derive(Default)]
pub struct Worker {
    loops: JoinSet<()>,
    names: HashMap<Id, &'static str>,
}

impl Worker {
    /// Starts every loop. A loop that ends before the cabinet stops has failed.
    pub fn start(
        services: Services,
        following: Following,
        limits: Arc<Limits>,
        metrics: PrometheusHandle,
        stopped: watch::Receiver<bool>,
    ) -> Worker {
        let mut worker = Worker::default();
        worker.run("orders", rounds(services.clone(), limits, stopped.clone()));
        worker.run("realtime", news(following, stopped.clone()));
        worker.run("metrics", measurements(metrics, stopped.clone()));
        worker.run("letters", deliveries(services.clone(), stopped.clone()));
        worker.run("audit", seals(services.clone(), stopped.clone()));
        worker.run("cards", removals(services.clone(), stopped.clone()));
        worker.run("statement", comparisons(services, stopped));
        worker
    }

    pub(crate) fn run(
        &mut self,
        name: &'static str,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        let task = self.loops.spawn(work);
        self.names.insert(task.id(), name);
    }

    /// Waits until a loop ends.
    pub async fn ended(&mut self) -> EndedLoop {
        match self.loops.join_next_with_id().await {
            Some(Ok((id, ()))) => self.ended_loop(id, false),
            Some(Err(error)) => self.ended_loop(error.id(), error.is_panic()),
            None => std::future::pending().await,
        }
    }

    fn ended_loop(&self, id: Id, panicked: bool) -> EndedLoop {
        EndedLoop {
            name: self.names.get(&id).copied().unwrap_or("unknown"),
            panicked,
        }
    }

    /// Waits until every loop has ended.
    pub async fn finish(&mut self) {
        while self.loops.join_next().await.is_some() {}
    }
}

/// A loop that ended before the cabinet was told to stop.
#[derive(Debug, PartialEq, Eq)]
pub struct EndedLoop {
    name: &'static str,
    panicked: bool,
}

impl std::fmt::Display for EndedLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = if self.panicked { "panicked" } else { "ended" };
        write!(f, "the worker's loop \"{}\" has {how}", self.name)
    }
}

/// Waits for the next tick. Returns `false` when the cabinet stops.
async fn ticks(stopped: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        _ = stopped.wait_for(|stopped| *stopped) => false,
        () = tokio::time::sleep(TICK) => true,
    }
}

async fn rounds(services: Services, limits: Arc<Limits>, mut stopped: watch::Receiver<bool>) {
    let mut round = 0_u32;
    while ticks(&mut stopped).await {
        if let Err(error) = services.reference.refresh().await {
            tracing::error!(%error, "Reference data can't be followed");
        }
        if let Err(error) = services.payments.poll_due().await {
            tracing::error!(%error, "Due orders can't be checked");
        }
        if let Err(error) = services.realtime.publish_commands().await {
            tracing::error!(%error, "What commands have changed can't be looked for");
        }
        services.heartbeat.record();
        round = round.wrapping_add(1);
        if round.is_multiple_of(TIDY_TICKS) {
            limits.forget_idle();
            services.realtime.hub().forget_idle();
            services.reference.warn_of_stale_fees(services.now());
            if let Err(error) = tidy_up(&services).await {
                tracing::error!(%error, "Old rows can't be tidied up");
            }
        }
    }
}

async fn tidy_up(services: &Services) -> Result<(), AppError> {
    if services.leases.take(LeasedWork::Tidying).await? {
        services.maintenance.tidy_up().await
    } else {
        // Each process shows how full the outbox is.
        services.outbox.measure().await
    }
}

async fn forget_removed(services: &Services) -> Result<(), AppError> {
    if services.leases.take(LeasedWork::RemovedCards).await? {
        services.saved_cards.forget_removed().await?;
    }
    Ok(())
}

/// Publishes what units of work announce.
async fn news(following: Following, mut stopped: watch::Receiver<bool>) {
    tokio::select! {
        _ = stopped.wait_for(|stopped| *stopped) => {}
        () = following.run() => {}
    }
}

/// Aggregates the samples of histograms. Without this they fill the memory while nobody reads the metrics.
async fn measurements(metrics: PrometheusHandle, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        metrics.run_upkeep();
    }
}

async fn deliveries(services: Services, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        if let Err(error) = services.outbox.deliver().await {
            tracing::error!(%error, "Letters can't be delivered");
        }
    }
}

async fn seals(services: Services, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        if let Err(error) = services.audit.seal().await {
            tracing::error!(%error, "The audit trail can't be sealed");
        }
    }
}

async fn removals(services: Services, mut stopped: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(REMOVED_EVERY) => {}
        }
        if let Err(error) = forget_removed(&services).await {
            tracing::error!(%error, "Removed cards can't be looked for");
        }
    }
}

async fn comparisons(services: Services, mut stopped: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(COMPARED_EVERY) => {}
        }
        if let Err(error) = services.reconciliation.compare_due_days().await {
            tracing::error!(%error, "Payments can't be compared with the acquirer's statement");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_loop_that_panics_or_ends_is_named_and_the_others_go_on() {
        let mut worker = Worker::default();
        let (stop, mut stopped) = watch::channel(false);
        worker.run("goes on", async move {
            let _ = stopped.wait_for(|stopped| *stopped).await;
        });
        worker.run("panics", async { panic!("a fault of the loop") });
        let told = worker.ended().await;
        assert_eq!(
            told.to_string(),
            "the worker's loop \"panics\" has panicked"
        );
        worker.run("ends", async {});
        let told = worker.ended().await;
        assert_eq!(told.to_string(), "the worker's loop \"ends\" has ended");
        assert_eq!(worker.loops.len(), 1);
        stop.send_replace(true);
        worker.finish().await;
    }
}
