//! What goes on without anybody asking: orders whose outcome is open, letters, new reference data, tidying up.

use std::sync::Arc;
use std::time::Duration;

use cabinet_api::Limits;
use cabinet_app::App;
use jiff::SignedDuration;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;

/// How often due work is looked for.
const TICK: Duration = Duration::from_secs(1);
/// Ticks between two rounds of tidying up.
const TIDY_TICKS: u32 = 60;
/// How long after the start, and after one that failed, payments are compared with the acquirer's statement.
const COMPARED_AFTER: Duration = Duration::from_secs(10 * 60);
/// How often they are compared.
const COMPARED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// How far back the first comparison looks: as far as the acquirer gives a statement, in case an older copy of the database
/// was restored.
const FIRST_COMPARED: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How far back later ones look; they overlap, so that one which failed is made up for.
const COMPARED: SignedDuration = SignedDuration::from_hours(3 * 24);

/// Works until the cabinet stops. A failed step is logged and tried again at the next tick.
pub async fn run(
    app: App,
    limits: Arc<Limits>,
    metrics: PrometheusHandle,
    stopped: watch::Receiver<bool>,
) {
    // Each in a loop of its own: a mail server that keeps everybody waiting must not hold up payments.
    tokio::join!(
        rounds(app.clone(), limits, stopped.clone()),
        measurements(metrics, stopped.clone()),
        deliveries(app.clone(), stopped.clone()),
        comparisons(app, stopped)
    );
}

/// Waits for the next tick. `false`: the cabinet stops.
async fn ticks(stopped: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        _ = stopped.wait_for(|stopped| *stopped) => false,
        () = tokio::time::sleep(TICK) => true,
    }
}

async fn rounds(app: App, limits: Arc<Limits>, mut stopped: watch::Receiver<bool>) {
    let mut round = 0_u32;
    while ticks(&mut stopped).await {
        if let Err(error) = app.follow_reference().await {
            tracing::error!(%error, "Reference data can't be followed");
        }
        if let Err(error) = app.check_due_orders().await {
            tracing::error!(%error, "Due orders can't be checked");
        }
        app.note_worker_alive();
        round = round.wrapping_add(1);
        if round.is_multiple_of(TIDY_TICKS) {
            limits.forget_idle();
            app.hub().forget_idle();
            if let Err(error) = app.tidy_up().await {
                tracing::error!(%error, "Old rows can't be tidied up");
            }
        }
    }
}

/// Sums up what was measured. Until then each single measurement is kept, without end where nobody reads the metrics.
async fn measurements(metrics: PrometheusHandle, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        metrics.run_upkeep();
    }
}

async fn deliveries(app: App, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        if let Err(error) = app.deliver_outbox().await {
            tracing::error!(%error, "Letters can't be delivered");
        }
    }
}

async fn comparisons(app: App, mut stopped: watch::Receiver<bool>) {
    let (mut pause, mut back) = (COMPARED_AFTER, FIRST_COMPARED);
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(pause) => {}
        }
        match app.compare_with_statement(app.now() - back).await {
            Ok(_) => (pause, back) = (COMPARED_EVERY, COMPARED),
            Err(error) => {
                tracing::error!(%error, "Payments can't be compared with the acquirer's statement");
                pause = COMPARED_AFTER;
            }
        }
    }
}
