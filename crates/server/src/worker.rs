//! What goes on without anybody asking: orders whose outcome is open, new reference data, tidying up.

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
pub async fn run(app: App, limits: Arc<Limits>, mut stopped: watch::Receiver<bool>) {
    let mut ticks = 0_u32;
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(TICK) => {}
        }
        if let Err(error) = app.follow_reference().await {
            tracing::error!(%error, "Reference data can't be followed");
        }
        if let Err(error) = app.check_due_orders().await {
            tracing::error!(%error, "Due orders can't be checked");
        }
        app.note_worker_alive();
        ticks = ticks.wrapping_add(1);
        if ticks.is_multiple_of(TIDY_TICKS) {
            limits.forget_idle();
            app.hub().forget_idle();
            if let Err(error) = app.tidy_up().await {
                tracing::error!(%error, "Old rows can't be tidied up");
            }
        }
    }
}
