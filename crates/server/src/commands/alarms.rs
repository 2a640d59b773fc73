//! `cabinet alarms list|close`.

use anyhow::anyhow;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::administration::{ListedAlarm, WhichAlarms};
use cabinet_domain::Money;
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
    /// Closes alarms. An order that one of them blocked can be paid again.
    Close {
        /// The ids of alarms, as the list shows them, or their beginnings.
        #[arg(required_unless_present = "kind")]
        alarms: Vec<String>,
        /// Closes all open alarms of a kind, which are shown and asked about first.
        #[arg(long, conflicts_with = "alarms")]
        kind: Option<String>,
        /// Closes all of a kind without asking.
        #[arg(long, requires = "kind")]
        yes: bool,
        /// What was found and done, without numbers of cards, telephones and people's codes.
        #[arg(long)]
        note: String,
        /// What was given back of the order and can't be recorded, in UAH.
        #[arg(long, value_name = "SUM", requires = "alarms")]
        unexplained: Option<String>,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when there is no such open alarm, when the note can't be kept, or when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let administration = wiring::operator(&settings, &store, recorder).administration();
    match action {
        Action::List { all, json } => {
            let listed = administration.alarms(all).await?;
            console::print(&sheet(listed).list_text(json));
            let left_out = administration.alarms_left_out(all).await?;
            if left_out > 0 {
                // Beside the list, so that a program can still read it.
                console::advise(&format!(
                    "{left_out} alarms are NOT listed: the oldest. Close what is dealt with; --kind closes all of a kind\n"
                ));
            }
        }
        Action::Close {
            alarms,
            kind,
            yes,
            note,
            unexplained,
        } => {
            let unexplained = unexplained.as_deref().map(Money::parse_typed).transpose();
            let unexplained = unexplained.map_err(|_| {
                anyhow!("--unexplained: that is not a sum in hryvnias, write 10.50")
            })?;
            let unexplained = unexplained.unwrap_or(Money::ZERO);
            let which = match kind.clone() {
                Some(kind) => WhichAlarms::OfKind(kind),
                None => WhichAlarms::Named(alarms),
            };
            let found = administration.open_alarms(&which).await?;
            if let Some(kind) = kind {
                let what = format!(
                    "{} open alarms of the kind {kind} would be closed\n",
                    found.len()
                );
                console::agree(&what, yes)?;
            }
            let now = environment::now();
            for (closed, alarm) in found.iter().enumerate() {
                let done = administration
                    .close_alarm(*alarm, &note, unexplained, now)
                    .await;
                done.map_err(|error| match closed {
                    0 => anyhow::Error::from(error),
                    _ => anyhow::Error::from(error)
                        .context(format!("{closed} of {} alarms were closed", found.len())),
                })?;
            }
            match found.len() {
                1 => console::print("The alarm is closed.\n"),
                count => console::print(&format!("{count} alarms are closed.\n")),
            }
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
