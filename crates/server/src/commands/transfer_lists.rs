//! `cabinet transfers list|held|returned|refunds`.

use cabinet_app::transfer::returns::CardRefunds;
use cabinet_app::transfer::{HeldTransfer, ListedStatus, Transfers};
use clap::{Args, ValueEnum};
use jiff::civil::Date;

use super::sheet::{Cell, Sheet};
use super::typed;
use crate::console;

/// Which transfers are listed.
#[derive(Args)]
pub struct Wanted {
    /// planned: what the next export has, and what is held. sent: what was marked as sent, and of which the bank has told no end.
    #[arg(long, value_enum)]
    status: Status,
    /// Only those that were planned on this day (Kyiv), or that were sent with it as their value date, as in 2026-11-23 or 23.11.2026;
    /// today, yesterday.
    #[arg(long, value_parser = typed::day)]
    day: Option<Date>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// A status of listed transfers.
#[derive(Clone, Copy, ValueEnum)]
pub enum Status {
    /// Owed and not sent yet.
    Planned,
    /// Marked as sent.
    Sent,
}

/// Prints planned transfers, or those that were marked as sent. Recipients who are persons are masked.
///
/// # Errors
/// Returns an error when the database fails.
pub async fn list(transfers: &Transfers, wanted: Wanted) -> anyhow::Result<()> {
    let (status, word) = match wanted.status {
        Status::Planned => (ListedStatus::Planned, "planned"),
        Status::Sent => (ListedStatus::Sent, "sent"),
    };
    let listed = transfers.list(status, wanted.day).await?;
    let columns = [
        "order",
        "document",
        "part",
        "recipient",
        "amount",
        "status",
        "planned",
        "sent_on",
        "held",
        "id",
    ];
    let rows = listed.into_iter().map(|transfer| -> Vec<Cell> {
        vec![
            transfer.order_number.into(),
            transfer.document_number.into(),
            transfer.role.map(|role| role.as_str()).into(),
            transfer.recipient.into(),
            transfer.amount.into(),
            word.into(),
            transfer.planned_at.into(),
            transfer.value_date.into(),
            transfer.held_at.into(),
            transfer.id.to_string().into(),
        ]
    });
    print("transfers", &columns, rows, wanted.json);
    Ok(())
}

/// Prints the transfers that wait for the operator, each with the reason.
///
/// # Errors
/// Returns an error when the database fails.
pub async fn held(transfers: &Transfers, as_json: bool) -> anyhow::Result<()> {
    let held = transfers.held().await?;
    let columns = ["order", "document", "amount", "held", "why", "id"];
    let rows = held.into_iter().map(|held| -> Vec<Cell> {
        vec![
            held.order_number.into(),
            held.document_number.into(),
            held.amount.into(),
            held.held_at.into(),
            why_held(&held).into(),
            held.id.to_string().into(),
        ]
    });
    print("held_transfers", &columns, rows, as_json);
    Ok(())
}

const fn why_held(held: &HeldTransfer) -> &'static str {
    if held.is_of_copy {
        "it came back before the database was restored, so it may have been sent again or given back since the copy"
    } else if held.is_given_up {
        "the order was cancelled or its payments went back to the cart before it was paid"
    } else if held.has_codes {
        "QR codes were given for the order, so the client may have paid the recipients by them"
    } else {
        "the account is new"
    }
}

/// Prints the transfers that came back and about which nobody has decided: why, and which notary to call (`cabinet notary show`). Recipients who
/// are persons are masked.
///
/// # Errors
/// Returns an error when the database fails.
pub async fn returned(transfers: &Transfers, as_json: bool) -> anyhow::Result<()> {
    let undecided = transfers.undecided().await?;
    let columns = [
        "order",
        "document",
        "recipient",
        "amount",
        "came_back",
        "why",
        "notary",
        "id",
    ];
    let rows = undecided.into_iter().map(|transfer| -> Vec<Cell> {
        vec![
            transfer.order_number.into(),
            transfer.document_number.into(),
            transfer.recipient.into(),
            transfer.amount.into(),
            transfer.since.into(),
            transfer.reason.into(),
            transfer.notary.to_string().into(),
            transfer.id.to_string().into(),
        ]
    });
    print("returned_transfers", &columns, rows, as_json);
    Ok(())
}

/// Prints the returned transfers that are to be given back to clients' cards.
///
/// # Errors
/// Returns an error when the database fails.
pub async fn refunds(refunds: &CardRefunds, as_json: bool) -> anyhow::Result<()> {
    let open = refunds.open().await?;
    let columns = ["order", "document", "amount", "asked", "note", "id"];
    let rows = open.into_iter().map(|(order, transfer)| -> Vec<Cell> {
        let asked_at = transfer
            .refund
            .map_or(transfer.updated_at, |refund| refund.requested_at);
        let is_held = transfer.held_at.is_some();
        vec![
            order.into(),
            transfer.document_number.into(),
            transfer.planned.amount.into(),
            asked_at.into(),
            is_held
                .then_some("held: compare first (cabinet transfers held)")
                .into(),
            transfer.id.to_string().into(),
        ]
    });
    print("asked_refunds", &columns, rows, as_json);
    Ok(())
}

fn print(
    name: &'static str,
    columns: &[&'static str],
    rows: impl Iterator<Item = Vec<Cell>>,
    as_json: bool,
) {
    let mut sheet = Sheet::default();
    sheet.table(name, columns, rows);
    console::print(&sheet.list_text(as_json));
}
