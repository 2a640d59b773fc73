//! `cabinet complaints list|answer|close`.

use cabinet_app::audit::Recorder;
use cabinet_app::operator::support_desk::ListedComplaint;
use cabinet_domain::KeptComplaint;
use clap::Subcommand;

use super::order::read_reason;
use super::sheet::{Cell, Sheet};
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on complaints about payments.
#[derive(Subcommand)]
pub enum Action {
    /// Lists the complaints that nobody has closed, the earliest first, as notaries wrote them.
    List {
        /// Also lists closed ones, with their answers.
        #[arg(long)]
        all: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sends the notary an answer, by letter or text message, and closes the complaint.
    Answer {
        /// The number, as the list shows it; the id, where there is no number.
        complaint: String,
        /// What the notary is told, at most 600 characters. Name nobody: letters stay in mailboxes.
        #[arg(long)]
        text: String,
        /// What was found and done; kept in the audit trail and not sent.
        #[arg(long)]
        reason: String,
    },
    /// Closes a complaint without an answer. Nobody is told.
    Close {
        /// The number, as the list shows it; the id, where there is no number.
        complaint: String,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when there is no such complaint, it was closed before, a text can't be kept, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let complaints = wiring::operator(&settings, &store, recorder).complaints();
    let now = environment::now();
    match action {
        Action::List { all, json } => {
            let listed = complaints.list(all).await?;
            if listed.is_empty() && !json {
                console::print("There are no complaints.\n");
            } else {
                let mut sheet = Sheet::default();
                add_listed(&mut sheet, &listed);
                console::print(&sheet.text(json));
            }
        }
        Action::Answer {
            complaint,
            text,
            reason,
        } => {
            let reason = read_reason(&reason)?;
            complaints.answer(&complaint, &text, &reason, now).await?;
            console::print("The complaint is closed. The notary is sent the answer.\n");
        }
        Action::Close { complaint, reason } => {
            let reason = read_reason(&reason)?;
            complaints.close(&complaint, &reason, now).await?;
            console::print("The complaint is closed. Nobody is told.\n");
        }
    }
    store.close().await;
    Ok(())
}

/// Adds a table of complaints with the payments that they are about.
fn add_listed(sheet: &mut Sheet, listed: &[ListedComplaint]) {
    let columns: Vec<&'static str> = COLUMNS
        .into_iter()
        .chain(["service", "recipient", "account", "count", "total"])
        .collect();
    let rows = listed.iter().map(|listed| {
        let payment = listed.payment.as_ref();
        let service = payment.map(|payment| payment.service.clone());
        let mut row = row(&listed.complaint);
        row.extend([
            service.filter(|text| !text.is_empty()).into(),
            payment.and_then(|payment| payment.recipient.clone()).into(),
            payment.and_then(|payment| payment.account.clone()).into(),
            payment.map(|payment| payment.count).into(),
            payment.and_then(|payment| payment.total).into(),
        ]);
        row
    });
    sheet.table("complaints", &columns, rows);
}

/// Adds a table of complaints.
pub fn add_complaints(sheet: &mut Sheet, listed: &[KeptComplaint]) {
    sheet.table("complaints", &COLUMNS, listed.iter().map(row));
}

const COLUMNS: [&str; 10] = [
    "number",
    "made",
    "order",
    "notary",
    "text",
    "call_back",
    "closed",
    "answer",
    "id",
    "item",
];

fn row(complaint: &KeptComplaint) -> Vec<Cell> {
    let answer = complaint.answer.as_ref();
    vec![
        complaint.number.into(),
        complaint.created_at.into(),
        complaint.order_number.into(),
        complaint.notary_id.to_string().into(),
        complaint.text.as_str().into(),
        complaint.call_back.into(),
        complaint.closed_at.into(),
        answer.map(|answer| answer.as_str()).into(),
        complaint.id.to_string().into(),
        complaint.item_id.to_string().into(),
    ]
}
