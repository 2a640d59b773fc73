//! `cabinet alarms list|close`.

use cabinet_app::audit::Recorder;
use cabinet_app::operator::administration::{Administration, ListedAlarm};
use clap::Subcommand;

use super::sheet::{Cell, Sheet};
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
        /// Prints JSON.
        #[arg(long)]
        json: bool,
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
        Action::List { all, json } => {
            let listed = administration.alarms(all).await?;
            console::print(&sheet(listed).list_text(json));
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

fn sheet(listed: Vec<ListedAlarm>) -> Sheet {
    let columns = [
        "kind", "order", "first", "last", "times", "subject", "detail", "closed", "note", "id",
    ];
    let rows = listed.into_iter().map(|listed| -> Vec<Cell> {
        let alarm = listed.alarm;
        vec![
            alarm.kind.into(),
            listed.order_number.into(),
            alarm.first_at.into(),
            alarm.last_at.into(),
            alarm.count.into(),
            alarm.subject.into(),
            alarm.detail.into(),
            alarm.closed_at.into(),
            alarm.note.into(),
            alarm.id.to_string().into(),
        ]
    });
    let mut sheet = Sheet::default();
    sheet.table("alarms", &columns, rows);
    sheet
}
