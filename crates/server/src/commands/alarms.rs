//! `cabinet alarms`.

use anyhow::bail;
use cabinet_app::administration::Administration;
use cabinet_app::audit::Recorder;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on alarms.
#[derive(Clone, Subcommand)]
pub enum Action {
    /// Lists the open alarms, the newest first.
    List {
        /// Also lists closed alarms.
        #[arg(long)]
        all: bool,
    },
    /// Closes an alarm. An order that it blocked can be paid again.
    Close {
        /// The alarm's id, as the list shows it.
        alarm: String,
        /// What was found and done.
        #[arg(long)]
        note: String,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when there is no such open alarm, or when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let administration = Administration::new(store.clone(), recorder);
    let outcome = match action {
        Action::List { all } => {
            let lines = administration.alarms(all).await?;
            if lines.is_empty() {
                console::print("There are no alarms.\n");
            }
            for line in lines {
                console::print(&format!("{line}\n"));
            }
            Ok(())
        }
        Action::Close { alarm, note } => {
            let now = environment::now();
            if administration.close_alarm(&alarm, &note, now).await? {
                console::print("The alarm is closed.\n");
                Ok(())
            } else {
                Err(())
            }
        }
    };
    store.close().await;
    if outcome.is_err() {
        bail!("there is no open alarm of this id, or the note is empty or names a payment card");
    }
    Ok(())
}
