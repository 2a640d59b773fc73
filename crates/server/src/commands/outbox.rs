//! `cabinet outbox`.

use cabinet_app::outbox;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// What can be done with letters that wait.
#[derive(Clone, Copy, Subcommand)]
pub enum Action {
    /// Lets letters that were given up be tried once more.
    Retry,
}

/// Carries the action out.
///
/// # Errors
/// When the database can't be used.
pub async fn run(settings: Settings, action: Action) -> anyhow::Result<()> {
    let Action::Retry = action;
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    let count = outbox::retry_parked(&store, now).await?;
    console::print(&format!("{count} letters will be tried once more.\n"));
    store.close().await;
    Ok(())
}
