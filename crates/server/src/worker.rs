//! Background work: orders without an outcome, letters, new reference data, the acquirer's statement, the seals of the audit trail,
//! deletion of removed cards and of old rows.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cabinet_api::Limits;
use cabinet_app::kernel::refusal::AppError;
use cabinet_app::{Following, LeasedWork, Services};
use cabinet_clock::{Moment, PassingTime};
use cabinet_metrics::{
    RoundOutcome, WORKER_LAST_ROUND, WORKER_ROUND_SECONDS, WORKER_ROUNDS, Word as _, WorkerLoop,
};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;
use tokio::task::{Id, JoinSet};
use tracing::Instrument as _;

/// Pause between two looks for due work.
const TICK: Duration = Duration::from_secs(1);
/// Pause between two deletions of old rows.
const TIDY_EVERY: Duration = Duration::from_secs(60);
/// Pause between two measurements of what waits in the database.
const MEASURED_EVERY: Duration = Duration::from_secs(30);
/// Pause between two looks for days to compare with the acquirer's statement.
const COMPARED_EVERY: Duration = Duration::from_secs(10 * 60);
/// Pause between two looks whether the database may have lost commits under this process.
const COMPARED_ROUND: Duration = Duration::from_secs(5);
/// Pause between two looks for removed cards that the acquirer should forget.
const REMOVED_EVERY: Duration = Duration::from_secs(60);

/// Pause between two looks at the balances of the message services.
const BALANCES_EVERY: Duration = Duration::from_secs(30 * 60);
/// Pause between two rounds of that loop.
const BALANCE_ROUND: Duration = Duration::from_secs(60);

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
        worker.run("orders", orders(services.clone(), limits, stopped.clone()));
        worker.run("realtime", news(following, stopped.clone()));
        worker.run(
            "metrics",
            upkeep(services.clone(), metrics, stopped.clone()),
        );
        worker.run("queues", measurements(services.clone(), stopped.clone()));
        worker.run("letters", deliveries(services.clone(), stopped.clone()));
        worker.run("audit", seals(services.clone(), stopped.clone()));
        worker.run("cards", removals(services.clone(), stopped.clone()));
        worker.run("balances", balances(services.clone(), stopped.clone()));
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

/// The pauses between the rounds of a loop.
struct Pauses {
    time: PassingTime,
    /// By how much the time was advanced when the round began.
    advanced: Duration,
    stopped: watch::Receiver<bool>,
}

impl Pauses {
    fn new(services: &Services, stopped: watch::Receiver<bool>) -> Pauses {
        Pauses {
            advanced: services.time.advanced(),
            time: services.time.clone(),
            stopped,
        }
    }

    /// Waits for a pause after a round, or until the clock is advanced by that. An advance during the round counts as well: what the round
    /// did before it may be due again. Returns `false` when the cabinet stops.
    async fn over(&mut self, pause: Duration) -> bool {
        tokio::select! {
            _ = self.stopped.wait_for(|stopped| *stopped) => false,
            () = self.time.sleep_since_advance(self.advanced, pause) => {
                self.advanced = self.time.advanced();
                true
            }
        }
    }
}

/// What a loop does in some of its rounds.
struct Every {
    pause: Duration,
    time: PassingTime,
    last: Option<Moment>,
}

impl Every {
    /// Due after the first pause, and then after each.
    fn after(pause: Duration, time: &PassingTime) -> Every {
        Every {
            last: Some(time.now()),
            ..Every::at_once(pause, time)
        }
    }

    /// Due at once, and then after each pause.
    fn at_once(pause: Duration, time: &PassingTime) -> Every {
        Every {
            pause,
            time: time.clone(),
            last: None,
        }
    }

    /// Whether it is due. Then the next pause begins.
    fn is_due(&mut self) -> bool {
        let is_over = |last| self.time.since(last) >= self.pause;
        let is_due = self.last.is_none_or(is_over);
        if is_due {
            self.last = Some(self.time.now());
        }
        is_due
    }
}

/// One loop: its rounds are counted and measured, and each line that a round writes names loop and round.
struct Rounds {
    of: WorkerLoop,
    number: u64,
    services: Services,
}

impl Rounds {
    fn new(of: WorkerLoop, services: &Services) -> Rounds {
        let rounds = Rounds {
            of,
            number: 0,
            services: services.clone(),
        };
        // A loop whose first round is due in ten minutes is not one that has stopped.
        rounds.record_time();
        rounds
    }

    fn record_time(&self) {
        WORKER_LAST_ROUND.set(self.of, self.services.now().as_second() as f64);
    }

    /// Does a round. `work` returns whether every step was done.
    async fn round(&mut self, work: impl Future<Output = bool>) {
        self.number = self.number.wrapping_add(1);
        let span = tracing::error_span!(
            "round",
            worker.loop = self.of.word(),
            worker.round = self.number
        );
        let started = Instant::now();
        let outcome = if work.instrument(span).await {
            RoundOutcome::Ok
        } else {
            RoundOutcome::Failed
        };
        WORKER_ROUND_SECONDS.record(self.of, started.elapsed().as_secs_f64());
        WORKER_ROUNDS.count((self.of, outcome));
        self.record_time();
    }
}

/// Logs the failure of a step. Returns whether it was done.
fn done<T, E: Into<AppError>>(step: Result<T, E>, failure: &'static str) -> bool {
    let Err(error) = step.map_err(Into::into) else {
        return true;
    };
    error.log(failure, Instant::now());
    false
}

async fn orders(services: Services, limits: Arc<Limits>, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Orders, &services);
    let mut pauses = Pauses::new(&services, stopped);
    let mut tidying = Every::after(TIDY_EVERY, &services.time);
    while pauses.over(TICK).await {
        let tidies = tidying.is_due();
        rounds
            .round(look_after_orders(&services, &limits, tidies))
            .await;
    }
}

async fn look_after_orders(services: &Services, limits: &Limits, tidies: bool) -> bool {
    let mut steps = vec![
        done(
            services.reference.refresh().await,
            "Reference data can't be followed",
        ),
        done(
            services.payments.poll_due().await,
            "Due orders can't be checked",
        ),
        done(
            services.realtime.publish_commands().await,
            "What commands have changed can't be looked for",
        ),
    ];
    services.heartbeat.record();
    if tidies {
        limits.forget_idle();
        services.realtime.hub().forget_idle();
        services.reference.warn_of_old_rows(services.now());
        steps.push(done(tidy_up(services).await, "Old rows can't be tidied up"));
    }
    steps.into_iter().all(|step| step)
}

async fn tidy_up(services: &Services) -> Result<(), AppError> {
    if services.leases.take(LeasedWork::Tidying).await? {
        services.maintenance.tidy_up().await?;
    }
    Ok(())
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
async fn upkeep(services: Services, metrics: PrometheusHandle, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Metrics, &services);
    let mut pauses = Pauses::new(&services, stopped);
    while pauses.over(TICK).await {
        let work = async {
            metrics.run_upkeep();
            true
        };
        rounds.round(work).await;
    }
}

/// A loop of its own: where the database does not answer, the metrics are looked after all the same.
async fn measurements(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Queues, &services);
    let mut pauses = Pauses::new(&services, stopped);
    let mut pause = TICK;
    while pauses.over(pause).await {
        let work = async {
            let measured = services.measurements.measure().await;
            done(measured, "What waits can't be measured")
        };
        rounds.round(work).await;
        pause = MEASURED_EVERY;
    }
}

async fn deliveries(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Letters, &services);
    let mut pauses = Pauses::new(&services, stopped);
    while pauses.over(TICK).await {
        let work = async {
            done(
                services.outbox.deliver().await,
                "Letters can't be delivered",
            )
        };
        rounds.round(work).await;
    }
}

async fn seals(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Audit, &services);
    let mut pauses = Pauses::new(&services, stopped);
    while pauses.over(TICK).await {
        let work = async {
            let sealed = services.audit.seal().await;
            done(sealed, "The audit trail can't be sealed")
        };
        rounds.round(work).await;
    }
}

async fn removals(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Cards, &services);
    let mut pauses = Pauses::new(&services, stopped);
    while pauses.over(REMOVED_EVERY).await {
        let work = async {
            let forgotten = forget_removed(&services).await;
            done(forgotten, "Removed cards can't be looked for")
        };
        rounds.round(work).await;
    }
}

/// Reads the balances at the start and then twice an hour. Each process does: its metrics are its own.
async fn balances(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Balances, &services);
    let mut pauses = Pauses::new(&services, stopped);
    let mut reading = Every::at_once(BALANCES_EVERY, &services.time);
    let mut pause = TICK;
    while pauses.over(pause).await {
        let is_due = reading.is_due();
        let work = async { !is_due || services.sms.measure_balances(services.now()).await };
        rounds.round(work).await;
        pause = BALANCE_ROUND;
    }
}

async fn comparisons(services: Services, stopped: watch::Receiver<bool>) {
    let mut rounds = Rounds::new(WorkerLoop::Statement, &services);
    let mut pauses = Pauses::new(&services, stopped);
    let mut comparing = Every::after(COMPARED_EVERY, &services.time);
    while pauses.over(COMPARED_ROUND).await {
        let has_found_loss = services.store.take_found_loss();
        let is_due = comparing.is_due();
        if !has_found_loss && !is_due {
            continue;
        }
        let work = async {
            if has_found_loss {
                let recovered = services.reconciliation.recover_after_restore().await;
                return done(
                    recovered,
                    "Payments made since the copy can't be looked for",
                );
            }
            let recovered = services.reconciliation.recover_again().await;
            let compared = services.reconciliation.compare_due_days().await;
            done(
                recovered,
                "Payments made since the copy can't be looked for",
            ) & done(
                compared,
                "Payments can't be compared with the acquirer's statement",
            )
        };
        rounds.round(work).await;
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
