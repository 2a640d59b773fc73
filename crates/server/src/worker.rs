//! What goes on without anybody asking: orders whose outcome is open, letters, new reference data, tidying up.

use std::sync::Arc;
use std::time::Duration;

use cabinet_api::Limits;
use cabinet_app::App;
use tokio::sync::watch;

/// How often due work is looked for.
const TICK: Duration = Duration::from_secs(1);
/// Ticks between two rounds of tidying up.
const TIDY_TICKS: u32 = 60;

/// Works until the cabinet stops. A failed step is logged and tried again at the next tick.
pub async fn run(app: App, limits: Arc<Limits>, stopped: watch::Receiver<bool>) {
    // Each in a loop of its own: a mail server that keeps everybody waiting must not hold up payments.
    tokio::join!(
        rounds(app.clone(), limits, stopped.clone()),
        deliveries(app, stopped)
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

async fn deliveries(app: App, mut stopped: watch::Receiver<bool>) {
    while ticks(&mut stopped).await {
        if let Err(error) = app.deliver_outbox().await {
            tracing::error!(%error, "Letters can't be delivered");
        }
    }
}
