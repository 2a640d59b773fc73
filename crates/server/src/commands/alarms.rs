//! `cabinet alarms`.

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
        /// What was found and done, without numbers of cards, telephones and people's codes.
        #[arg(long)]
        note: String,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when there is no such open alarm, when the note can't be kept, or when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let administration = Administration::new(store.clone(), recorder);
    match action {
        Action::List { all } => {
            let lines = administration.alarms(all).await?;
            if lines.is_empty() {
                console::print("There are no alarms.\n");
            }
            for line in lines {
                console::print(&format!("{line}\n"));
            }
        }
        Action::Close { alarm, note } => {
            let now = environment::now();
            administration.close_alarm(&alarm, &note, now).await?;
            console::print("The alarm is closed.\n");
        }
    }
    store.close().await;
    Ok(())
}
