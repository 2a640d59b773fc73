//! `cabinet transfers export|import`.

use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use cabinet_app::transfers::{ImportError, Imported, Transfers};
use cabinet_domain::TransferStatus;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on transfers.
#[derive(Subcommand)]
pub enum Action {
    /// Writes the planned transfers as CSV for the bank. Changes nothing.
    Export {
        /// The file to write; it must not exist.
        file: PathBuf,
    },
    /// Sets the states of transfers from a CSV file with the columns transfer_id, status (sent, credited, returned) and reason.
    /// Changes nothing unless every row is right.
    Import {
        /// The file to read.
        file: PathBuf,
        /// The status of every row, for a file without that column, as `export` writes it.
        #[arg(long)]
        status: Option<String>,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when a file can't be written or read, a row is wrong, or the database fails.
pub async fn run(settings: Settings, action: Action) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let transfers = Transfers::new(store.clone());
    match action {
        Action::Export { file } => export(&transfers, &file).await?,
        Action::Import { file, status } => import(&transfers, &file, status.as_deref()).await?,
    }
    store.close().await;
    Ok(())
}

async fn export(transfers: &Transfers, file: &Path) -> anyhow::Result<()> {
    let (text, count) = transfers.export().await?;
    let mut options = std::fs::OpenOptions::new();
    let mut target = options
        .write(true)
        .create_new(true)
        // The file names clients and their accounts.
        .mode(0o600)
        .open(file)
        .with_context(|| format!("{} can't be made", file.display()))?;
    std::io::Write::write_all(&mut target, text.as_bytes())?;
    target.sync_all()?;
    console::print(&format!(
        "{count} planned transfers were written to {file}.\n\
         Before the bank gets it: cabinet transfers import {file} --status sent\n",
        file = file.display()
    ));
    Ok(())
}

async fn import(transfers: &Transfers, file: &Path, status: Option<&str>) -> anyhow::Result<()> {
    let status = status
        .map(|text| {
            TransferStatus::parse(text)
                .ok_or_else(|| anyhow!("--status: sent, credited or returned"))
        })
        .transpose()?;
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} is not a text file in UTF-8", file.display()))?;
    let now = environment::now();
    match transfers.import(&text, status, now).await {
        Ok(Imported {
            changed: 0,
            unchanged,
        }) => {
            console::print(&format!(
                "Nothing changed: all {unchanged} transfers were so already. A list that the bank has must not go there again.\n"
            ));
            Ok(())
        }
        Ok(Imported { changed, unchanged }) => {
            console::print(&format!(
                "{changed} transfers were changed, {unchanged} were so already.\n"
            ));
            Ok(())
        }
        Err(ImportError::Rows(rows)) => {
            let name = file.file_name().unwrap_or_default().display();
            for row in &rows {
                console::complain(&format!("{name}:{row}"));
            }
            bail!("{} bad rows: nothing was changed", rows.len());
        }
        Err(ImportError::Storage(error)) => Err(error.into()),
    }
}
