//! `cabinet erase`.

use anyhow::anyhow;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::erasure::{Erasable, Erased, Reason};
use cabinet_domain::{Phone, kyiv_date};
use clap::{Args, ValueEnum};
use jiff::Timestamp;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Whom to erase.
#[derive(Args)]
pub struct Choice {
    /// The phone of the account.
    #[arg(long)]
    notary: String,
    /// A client of that notary: the code, or the full name. Without it the account itself is erased.
    #[arg(long)]
    client: Option<String>,
    /// Why. It is written into the audit trail.
    #[arg(long)]
    reason: Why,
    /// Carries it out. Without it the command only says what would go and what stays.
    #[arg(long)]
    yes: bool,
}

/// Why somebody is erased.
#[derive(Clone, Copy, ValueEnum)]
pub enum Why {
    /// The person asks for it.
    Request,
    /// The data were entered by mistake.
    Mistake,
    /// Their purpose has ended.
    PurposeEnded,
    /// An authority or a court orders it.
    Order,
}

impl From<Why> for Reason {
    fn from(why: Why) -> Self {
        match why {
            Why::Request => Self::Request,
            Why::Mistake => Self::Mistake,
            Why::PurposeEnded => Self::PurposeEnded,
            Why::Order => Self::Order,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error when there is nobody to erase, when money may still move, when the acquirer does not answer, or when the database
/// fails.
pub async fn run(settings: Settings, choice: Choice, recorder: Recorder) -> anyhow::Result<()> {
    let phone =
        Phone::parse(&choice.notary).map_err(|_| anyhow!("--notary: not a telephone number"))?;
    let store = wiring::open_store(&settings).await?;
    let erasure = wiring::operator(&settings, &store, recorder).erasure();
    let now = environment::now();
    let reason = choice.reason.into();
    let done = match (&choice.client, choice.yes) {
        (Some(client), false) => Err(erasure.list_client(phone, client, now).await?),
        (Some(client), true) => Ok(erasure.erase_client(phone, client, reason, now).await?),
        (None, false) => {
            let wallets = wiring::wallets(&settings)?;
            Err(erasure.list_notary(phone, &wallets, now).await?)
        }
        (None, true) => {
            let wallets = wiring::wallets(&settings)?;
            Ok(erasure.erase_notary(phone, &wallets, reason, now).await?)
        }
    };
    match done {
        Err(listed) => console::print(&listing(&listed, now)),
        Ok(erased) => console::print(&outcome(&erased, store.is_sqlite())),
    }
    store.close().await;
    Ok(())
}

/// Returns what would go and what stays, a line for each.
fn listing(listed: &Erasable, now: Timestamp) -> String {
    let mut text = gone("Goes", listed);
    if listed.clients == 0 && listed.saved_cards.is_none() {
        text.push_str("Unknown  saved cards: the acquirer does not answer now, and without it nothing is erased\n");
    }
    text.push_str(&stays(listed));
    if !listed.open.is_empty() {
        text.push_str(&format!(
            "Open     orders {}: being paid, with a transfer on its way or an open alarm; {}\n",
            numbers(&listed.open),
            if listed.clients == 0 {
                "the account can't be erased until they are not"
            } else {
                "nothing of them is touched until they are not"
            }
        ));
    }
    text.push_str(&format!(
        "Nothing was erased ({}). To carry it out, repeat the command with --yes.\n",
        kyiv_date(now)
    ));
    text
}

fn gone(verb: &str, erasable: &Erasable) -> String {
    let mut text = String::new();
    let mut line = |count: u64, what: &str| {
        if count > 0 {
            text.push_str(&format!("{verb:<8} {count} {what}\n"));
        }
    };
    line(
        erasable.clients as u64,
        "clients: no longer offered in the form",
    );
    line(
        u64::from(erasable.clients == 0),
        "account: profile, sessions, devices and codes; nobody can log in, and the phone becomes free",
    );
    line(
        erasable.saved_cards.unwrap_or(0) as u64,
        "saved cards at the acquirer",
    );
    line(erasable.cart_items, "items of the cart");
    line(erasable.complaints, "complaints");
    line(erasable.letters, "letters that are not sent yet");
    line(erasable.recipients, "saved recipients that name the client");
    if !erasable.anonymised.is_empty() {
        text.push_str(&format!(
            "{verb:<8} names, codes, purposes and cards in the orders {}; their sums, dates and recipients stay\n",
            numbers(&erasable.anonymised)
        ));
    }
    text
}

fn stays(erasable: &Erasable) -> String {
    let mut text = String::new();
    for (number, until) in &erasable.kept {
        text.push_str(&format!(
            "Stays    order {number} with its names until {}: bookkeeping (CABINET_RETENTION_BOOKKEEPING_DAYS)\n",
            kyiv_date(*until)
        ));
    }
    text.push_str(
        "Stays    the audit trail, where names are masked; backups, until you delete them\n",
    );
    text
}

fn outcome(erased: &Erased, is_sqlite: bool) -> String {
    let mut text = gone("Gone", &erased.erasable);
    text.push_str(&stays(&erased.erasable));
    if !erased.erasable.open.is_empty() {
        text.push_str(&format!(
            "Stays    open orders {}: their names go once they are closed and old enough\n",
            numbers(&erased.erasable.open)
        ));
    }
    if !erased.cards_gone {
        text.push_str("ATTENTION: a card was saved meanwhile, and the acquirer did not delete it. Delete it at the acquirer.\n");
    }
    if !erased.journal_emptied {
        text.push_str("ATTENTION: the database was in use, and its journal still has the old rows. Restart the cabinet, or run the command again.\n");
    }
    if !is_sqlite {
        text.push_str("PostgreSQL keeps old rows until a vacuum: see the page on operations.\n");
    }
    text
}

fn numbers(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
