//! `cabinet outbox`.

use cabinet_app::administration::Administration;
use cabinet_app::audit::Recorder;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on letters that wait to be sent.
#[derive(Clone, Copy, Subcommand)]
pub enum Action {
    /// Tries letters once more that were given up.
    Retry,
}

/// Runs the command.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let Action::Retry = action;
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    let count = Administration::new(store.clone(), recorder)
        .retry_parked_letters(now)
        .await?;
    console::print(&format!("{count} letters will be tried once more.\n"));
    store.close().await;
    Ok(())
}
