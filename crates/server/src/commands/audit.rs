//! `cabinet audit show`.

use anyhow::{anyhow, bail};
use cabinet_app::audit::{Audit, AuditFilter, ListedEvent, Recorder};
use cabinet_domain::{Actor, NotaryId, Phone, kyiv_date, kyiv_day_start, kyiv_time};
use clap::{Args, Subcommand};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the audit trail.
#[derive(Subcommand)]
pub enum Action {
    /// Lists events, the earliest first, in Kyiv time. With several options, those that fit all of them.
    Show {
        #[command(flatten)]
        choice: Choice,
        #[command(flatten)]
        narrower: Narrower,
        /// Prints an object of JSON a line, with moments in UTC.
        #[arg(long)]
        json: bool,
    },
}

/// Which of them are listed.
#[derive(Args)]
pub struct Narrower {
    /// Those up to a day, that day included, as in 2026-11-23 or 23.11.2026; today, yesterday.
    #[arg(long, value_parser = typed::day)]
    until: Option<Date>,
    /// Those of one who acted: notary, stranger, operator, worker, or an operator's name.
    #[arg(long)]
    who: Option<String>,
    /// Those of a kind, or of all kinds that end so: alarm_closed, _shown.
    #[arg(long)]
    kind: Option<String>,
    /// Those whose line has this text in its details: a reason, a ticket, a field. Case doesn't matter.
    #[arg(long)]
    text: Option<String>,
}

impl Narrower {
    /// Whether the listed line of an event is wanted, by what a person sees of it.
    fn lets_through(&self, listed: &ListedEvent) -> bool {
        let who = actor(listed);
        let is_theirs = |wanted: &str| {
            let wanted = wanted.trim();
            let (kind, name) = who.split_once(' ').unwrap_or((&who, ""));
            let name = name.split(',').next().unwrap_or_default();
            [kind, name, who.as_str()].contains(&wanted)
        };
        let kind = listed.event.action.as_str();
        let has = |wanted: &str| {
            details(listed)
                .join("; ")
                .to_lowercase()
                .contains(&wanted.to_lowercase())
        };
        self.until
            .is_none_or(|day| kyiv_date(listed.event.created_at) <= day)
            && self.who.as_deref().is_none_or(is_theirs)
            && self
                .kind
                .as_deref()
                .is_none_or(|wanted| kind.ends_with(wanted.trim()))
            && self.text.as_deref().is_none_or(has)
    }
}

/// Whose events are listed, or since when: at least one of them, so that not the whole trail is read.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Choice {
    /// Those that concern a notary: the phone or the id.
    #[arg(long)]
    notary: Option<String>,
    /// Those that concern an order: its number.
    #[arg(long, value_parser = typed::order_number)]
    order: Option<i64>,
    /// Those from a day on, as in 2026-11-23 or 23.11.2026; today, yesterday.
    #[arg(long, value_parser = typed::day)]
    since: Option<Date>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the notary or the order is unknown, or when the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let Action::Show {
        choice,
        narrower,
        json,
    } = action;
    let store = wiring::open_store(&settings).await?;
    let audit = wiring::operator(&settings, &store, recorder).audit();
    let filter = filter(&audit, choice).await?;
    let mut table = Table::default();
    let mut page = audit.page(filter, None).await?;
    let mut found = 0_usize;
    while let Some(last) = page.last().map(|listed| listed.event.clone()) {
        let is_over = narrower
            .until
            .is_some_and(|day| kyiv_date(last.created_at) > day);
        for listed in page.iter().filter(|listed| narrower.lets_through(listed)) {
            found += 1;
            if json {
                console::print(&format!("{}\n", as_json(listed)));
            } else {
                table.print(listed);
            }
        }
        if is_over {
            break;
        }
        page = audit.page(filter, Some(last)).await?;
    }
    if found == 0 && !json {
        console::print("There are no such events.\n");
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
    let phone = Phone::parse(typed::bare_phone(text))
        .map_err(|_| anyhow!("--notary: neither a phone nor an id"))?;
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

fn as_json(listed: &ListedEvent) -> Value {
    let event = &listed.event;
    json!({
        "number": listed.seal.map(|seal| seal.sequence),
        "at": event.created_at.to_string(),
        "who": actor(listed),
        "kind": event.action.as_str(),
        "notary": event.notary_id.map(|id| id.to_string()),
        "order": listed.order_number,
        "details": details(listed),
    })
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
