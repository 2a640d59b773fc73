//! `cabinet transfers export|import|held|release|resume`.

use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use cabinet_app::audit::Recorder;
use cabinet_app::transfers::{ImportError, Imported, Transfers};
use cabinet_domain::{TransferId, TransferStatus};
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on transfers.
#[derive(Subcommand)]
pub enum Action {
    /// Writes the planned transfers as CSV for the bank. Changes none of them.
    Export {
        /// The file to write; it must not exist.
        file: PathBuf,
    },
    /// Takes over what the bank tells of transfers from a CSV file: the columns transfer_id and status (sent, credited, returned), and
    /// where the bank tells them reason, uetr, bank_reference, credited_on and returned_on. Changes nothing unless every row is right.
    Import {
        /// The file to read.
        file: PathBuf,
        /// The status of every row, for a file without that column, as `export` writes it.
        #[arg(long)]
        status: Option<String>,
    },
    /// Lists the transfers of new accounts that wait for the operator.
    Held,
    /// Lets held transfers be exported.
    Release {
        /// The id of a transfer; may be given several times.
        #[arg(long = "id", required = true)]
        ids: Vec<String>,
        /// Why; kept with the transfers.
        #[arg(long)]
        reason: String,
    },
    /// Lets transfers be exported again after a restore, once they were compared with what the bank has.
    Resume {
        /// Says that they were compared.
        #[arg(long, required = true)]
        compared: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when a file can't be written or read, a row is wrong, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let transfers = Transfers::new(store.clone(), recorder, settings.mail.host.is_some());
    match action {
        Action::Export { file } => export(&transfers, &file).await?,
        Action::Import { file, status } => import(&transfers, &file, status.as_deref()).await?,
        Action::Held => list_held(&transfers).await?,
        Action::Release { ids, reason } => release(&transfers, &ids, &reason).await?,
        Action::Resume { compared: _ } => {
            transfers.resume(environment::now()).await?;
            console::print("The next export has all planned transfers.\n");
        }
    }
    store.close().await;
    Ok(())
}

async fn export(transfers: &Transfers, file: &Path) -> anyhow::Result<()> {
    // Made first: an export is recorded, so it must not fail for want of a file.
    let mut options = std::fs::OpenOptions::new();
    let mut target = options
        .write(true)
        .create_new(true)
        // The file names clients and their accounts.
        .mode(0o600)
        .open(file)
        .with_context(|| format!("{} can't be made", file.display()))?;
    let (text, count) = match transfers.export(environment::now()).await {
        Ok(exported) => exported,
        Err(error) => {
            let _ = std::fs::remove_file(file);
            return Err(error.into());
        }
    };
    std::io::Write::write_all(&mut target, text.as_bytes())?;
    target.sync_all()?;
    console::print(&format!(
        "{count} planned transfers were written to {file}.\n\
         Before the bank gets it: cabinet transfers import {file} --status sent\n",
        file = file.display()
    ));
    let held = transfers.held().await?.len();
    if held > 0 {
        console::print(&format!(
            "{held} transfers of new accounts wait: cabinet transfers held\n"
        ));
    }
    Ok(())
}

async fn list_held(transfers: &Transfers) -> anyhow::Result<()> {
    for transfer in transfers.held().await? {
        let since = transfer.held_at.unwrap_or(transfer.created_at);
        console::print(&format!(
            "{}  {} UAH  order {}, held since {since}\n",
            transfer.id,
            transfer.planned.amount.decimal(),
            transfer.order_id,
        ));
    }
    Ok(())
}

async fn release(transfers: &Transfers, ids: &[String], reason: &str) -> anyhow::Result<()> {
    let read =
        |id: &String| TransferId::parse(id).ok_or_else(|| anyhow!("--id: {id} is not an id"));
    let ids: Vec<TransferId> = ids.iter().map(read).collect::<Result<_, _>>()?;
    transfers
        .release(&ids, reason, environment::now())
        .await
        .context("nothing was released")?;
    console::print("Released. The next export has them.\n");
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
