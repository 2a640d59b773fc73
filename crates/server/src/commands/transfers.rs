//! `cabinet transfers export`.

use std::path::PathBuf;

use anyhow::Context;
use cabinet_app::maintenance;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{commands, wiring};

/// What can be done with transfers.
#[derive(Subcommand)]
pub enum Action {
    /// Writes the planned transfers as CSV, for the bank.
    Export {
        /// The file to write; it must not exist.
        file: PathBuf,
    },
}

/// Carries the action out.
///
/// # Errors
/// When the file exists or can't be written, or the database can't be used.
pub async fn run(settings: Settings, action: Action) -> anyhow::Result<()> {
    let Action::Export { file } = action;
    let store = wiring::open_store(&settings).await?;
    let (text, count) = maintenance::export_transfers(&store).await?;
    let mut options = std::fs::OpenOptions::new();
    let mut target = options
        .write(true)
        .create_new(true)
        .open(&file)
        .with_context(|| format!("{} can't be made", file.display()))?;
    std::io::Write::write_all(&mut target, text.as_bytes())?;
    target.sync_all()?;
    commands::print(&format!(
        "{count} planned transfers were written to {}.\n",
        file.display()
    ));
    store.close().await;
    Ok(())
}
