//! `cabinet outbox list|retry|drop`.

use anyhow::anyhow;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::administration::{Administration, ParkedLetters};
use clap::Subcommand;
use uuid::Uuid;

use super::order::read_reason;
use super::sheet::{Cell, Sheet};
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on letters and text messages that were given up.
#[derive(Subcommand)]
pub enum Action {
    /// Lists letters and text messages that were given up, the earliest first, with the last error and without what they say.
    List {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Tries letters and text messages once more that were given up.
    Retry {
        /// The ids, as the list shows them. Without any: all.
        ids: Vec<Uuid>,
    },
    /// Deletes letters and text messages that were given up and are not to be sent any more. Nobody is told.
    Drop {
        /// The ids, as the list shows them.
        #[arg(required = true)]
        ids: Vec<Uuid>,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the reason can't be kept, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    let administration = wiring::operator(&settings, &store, recorder).administration();
    match action {
        Action::List { json } => list(&administration, json).await?,
        Action::Retry { ids } => {
            let are_named = !ids.is_empty();
            let which = if are_named {
                ParkedLetters::Only(ids)
            } else {
                ParkedLetters::All
            };
            let count = administration.retry_parked_letters(which, now).await?;
            if count == 0 && are_named {
                return Err(anyhow!(
                    "no letter of these ids was given up: cabinet outbox list"
                ));
            }
            console::print(&format!("{count} letters will be tried once more.\n"));
        }
        Action::Drop { ids, reason } => {
            let reason = read_reason(&reason)?;
            let count = administration.drop_parked_letters(ids, &reason, now);
            let count = count.await?;
            if count == 0 {
                return Err(anyhow!(
                    "no letter of these ids was given up: cabinet outbox list"
                ));
            }
            console::print(&format!("{count} letters are deleted.\n"));
        }
    }
    store.close().await;
    Ok(())
}

async fn list(administration: &Administration, as_json: bool) -> anyhow::Result<()> {
    let parked = administration.parked_letters().await?;
    if parked.is_empty() && !as_json {
        console::print("No letter was given up.\n");
        return Ok(());
    }
    let mut sheet = Sheet::default();
    let columns = ["id", "kind", "written", "given_up", "tries", "last_error"];
    let rows = parked.into_iter().map(|task| -> Vec<Cell> {
        vec![
            task.id.to_string().into(),
            task.kind.into(),
            task.created_at.into(),
            task.parked_at.into(),
            task.tries.into(),
            task.last_error.into(),
        ]
    });
    sheet.table("letters", &columns, rows);
    console::print(&sheet.text(as_json));
    Ok(())
}
