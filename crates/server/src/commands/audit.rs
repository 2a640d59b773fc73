//! `cabinet audit show`.

use anyhow::{anyhow, bail};
use cabinet_app::audit::{Audit, AuditFilter, ListedEvent};
use cabinet_domain::{Actor, NotaryId, Phone, kyiv_day_start, kyiv_time};
use clap::{Args, Subcommand};
use jiff::civil::Date;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the audit trail.
#[derive(Subcommand)]
pub enum Action {
    /// Lists events, the earliest first, in Kyiv time. With several options, those that fit all of them.
    Show(Choice),
}

/// Which events are listed.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Choice {
    /// Those that concern a notary: the phone or the id.
    #[arg(long)]
    notary: Option<String>,
    /// Those that concern an order: its number.
    #[arg(long)]
    order: Option<i64>,
    /// Those from a day on, as in 2026-11-23.
    #[arg(long)]
    since: Option<Date>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the notary or the order is unknown, or when the database fails.
pub async fn run(settings: Settings, action: Action) -> anyhow::Result<()> {
    let Action::Show(choice) = action;
    let store = wiring::open_store(&settings).await?;
    let audit = Audit::new(store.clone());
    let filter = filter(&audit, choice).await?;
    let mut table = Table::default();
    let mut page = audit.page(filter, None).await?;
    if page.is_empty() {
        console::print("There are no such events.\n");
    }
    while let Some(last) = page.last().map(|listed| listed.event.clone()) {
        for listed in &page {
            table.print(listed);
        }
        page = audit.page(filter, Some(last)).await?;
    }
    store.close().await;
    Ok(())
}

async fn filter(audit: &Audit, choice: Choice) -> anyhow::Result<AuditFilter> {
    let mut filter = AuditFilter::default();
    if let Some(text) = choice.notary {
        filter.notary = Some(notary(audit, &text).await?);
    }
    if let Some(number) = choice.order {
        filter.order = audit.order_with(number).await?;
        if filter.order.is_none() {
            bail!("there is no order with that number");
        }
    }
    if let Some(day) = choice.since {
        let start = kyiv_day_start(day).ok_or_else(|| anyhow!("--since: no such day"))?;
        filter.since = Some(start);
    }
    Ok(filter)
}

/// Returns the notary with a phone or an id. The events of an account that was deleted are found by its id.
async fn notary(audit: &Audit, text: &str) -> anyhow::Result<NotaryId> {
    if let Some(id) = NotaryId::parse(text) {
        return Ok(id);
    }
    let phone = Phone::parse(text).map_err(|_| anyhow!("--notary: neither a phone nor an id"))?;
    let found = audit.notary_with(phone).await?;
    found.ok_or_else(|| anyhow!("nobody is registered with that number"))
}

/// The columns that are padded, each as wide as its widest cell so far.
#[derive(Default)]
struct Table {
    widths: [usize; 4],
}

impl Table {
    fn print(&mut self, listed: &ListedEvent) {
        let event = &listed.event;
        let number = match listed.seal {
            Some(seal) => seal.sequence.to_string(),
            None => "-".to_owned(),
        };
        let moment = kyiv_time(event.created_at);
        let cells = [
            number,
            moment.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            actor(listed),
            event.action.as_str().to_owned(),
        ];
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(&mut self.widths) {
            *width = cell.chars().count().max(*width);
            line.push_str(&format!("{cell:<width$}  ", width = *width));
        }
        line.push_str(&details(listed).join("; "));
        console::print(&format!("{}\n", line.trim_end()));
    }
}

fn actor(listed: &ListedEvent) -> String {
    match &listed.event.origin.actor {
        Actor::Notary(_) => "notary".to_owned(),
        Actor::Stranger => "stranger".to_owned(),
        Actor::Operator(name) => format!("operator {}", environment::shown_user(name)),
        Actor::Worker => "worker".to_owned(),
    }
}

/// Returns what an event concerns, what changed and from where.
fn details(listed: &ListedEvent) -> Vec<String> {
    let event = &listed.event;
    let mut details = Vec::new();
    if let Some(notary) = event.notary_id {
        details.push(format!("notary {notary}"));
    }
    // A notary acts on an account that is not hers only by a fault.
    if let Actor::Notary(acting) = &event.origin.actor
        && event.notary_id != Some(*acting)
    {
        details.push(format!("by notary {acting}"));
    }
    match (listed.order_number, event.order_id) {
        (Some(number), _) => details.push(format!("order {number}")),
        (None, Some(order)) => details.push(format!("order {order}")),
        (None, None) => {}
    }
    if let Some(object) = event.object {
        details.push(format!("{} {}", object.kind(), object.id()));
    }
    details.extend(event.changes.iter().map(ToString::to_string));
    if let Some(network) = &event.origin.network {
        details.push(format!("from {}", network.as_str()));
    }
    if let Some(browser) = &event.origin.browser {
        details.push(browser.as_str().to_owned());
    }
    details
}
