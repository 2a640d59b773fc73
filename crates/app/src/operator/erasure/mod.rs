//! Erasing clients and accounts at their request, and taking names out of old orders
//! ([decision 27](../../../../docs/decisions/27-what-is-erased-and-what-stays.md)).

mod anonymiser;
mod client;
mod export;
mod letters;
mod notary;

use std::sync::Arc;

use cabinet_gateways::acquirer::CardKeeper;
use cabinet_storage::operator::erasure::{Age, NamedOrder};
use cabinet_storage::{StorageError, Store};
use jiff::Timestamp;

pub(crate) use anonymiser::Anonymiser;
pub use export::{ExportError, PersonExport};

use crate::audit::Recorder;
use crate::kernel::keys::Keys;
use crate::settings::RetentionSettings;

/// Orders that lose their names at once at most. The worker takes the others.
const ANONYMISED_MAX: u32 = 1_000;

/// Why something is erased. One of four words, because a free text could name the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The person asks for it.
    Request,
    /// The data were entered by mistake.
    Mistake,
    /// Their purpose has ended.
    PurposeEnded,
    /// An authority or a court orders it.
    Order,
}

impl Reason {
    /// Returns the word in the audit trail.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Mistake => "mistake",
            Self::PurposeEnded => "purpose_ended",
            Self::Order => "order",
        }
    }
}

/// What an erasure takes away and what stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erasable {
    /// Clients.
    pub clients: usize,
    /// Items of carts.
    pub cart_items: u64,
    /// Complaints.
    pub complaints: u64,
    /// Letters and text messages that are not delivered.
    pub letters: u64,
    /// Saved recipients that name a client.
    pub recipients: u64,
    /// Saved cards at the acquirer. `None`: it was not asked, or did not answer.
    pub saved_cards: Option<usize>,
    /// Numbers of orders that lose their names now.
    pub anonymised: Vec<i64>,
    /// Numbers of orders that name somebody until a moment, because of bookkeeping.
    pub kept: Vec<(i64, Timestamp)>,
    /// Numbers of orders that are open: nothing of them is touched.
    pub open: Vec<i64>,
}

impl Erasable {
    fn sort(&mut self, orders: &[NamedOrder], before: Timestamp, kept_for: jiff::SignedDuration) {
        for order in orders {
            if order.is_open {
                self.open.push(order.number);
            } else if order.since < before {
                self.anonymised.push(order.number);
            } else {
                self.kept.push((order.number, order.since + kept_for));
            }
        }
    }
}

/// What was erased.
#[derive(Clone, Debug)]
pub struct Erased {
    /// What it was.
    pub erasable: Erasable,
    /// Whether the journal of the database was emptied. Otherwise it holds earlier forms of the rows for a while.
    pub journal_emptied: bool,
    /// Whether the acquirer has no saved card of the notary any more.
    pub cards_gone: bool,
}

/// Why nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseError {
    /// Nobody is registered with the phone.
    #[error("nobody is registered with that number")]
    NoAccount,
    /// The notary has no such client.
    #[error("the notary has no client of that name or code")]
    NoClient,
    /// Several people have the name.
    #[error("{0} clients have that name and different codes: give the code")]
    SeveralClients(usize),
    /// Orders of the account are open.
    #[error(
        "money may still move: the orders {} are being paid, have a transfer on its way or an open alarm. Nothing was erased", list(.0)
    )]
    OpenOrders(Vec<i64>),
    /// Orders of the account were begun while its saved cards were being deleted.
    #[error(
        "the orders {} were begun meanwhile. {deleted} saved cards were deleted, and nothing else was erased: try again later", list(.orders)
    )]
    OrdersBegun {
        /// Their numbers.
        orders: Vec<i64>,
        /// The saved cards that were deleted.
        deleted: usize,
    },
    /// The acquirer did not answer, or refused.
    #[error(
        "the acquirer does not delete the saved cards ({reason}); {deleted} were deleted before. The account is as it was: try again later"
    )]
    Acquirer {
        /// What it said.
        reason: String,
        /// The cards that were deleted before.
        deleted: usize,
    },
    /// The keys name other wallets.
    #[error(
        "the saved cards are in wallets that another key names: set CABINET_SECRET_KEY and CABINET_WALLET_SECRET_KEY as the server has them"
    )]
    OtherKeys,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

/// Erases clients and accounts.
#[derive(Clone)]
pub struct Erasure {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) retention: RetentionSettings,
}

/// Where the saved cards of an account are.
#[derive(Clone)]
pub struct Wallets {
    /// Keeps them.
    pub acquirer: Arc<dyn CardKeeper>,
    /// Names them.
    pub keys: Arc<Keys>,
}

impl Erasure {
    fn age(&self, now: Timestamp) -> Age {
        Age {
            before: now - self.retention.bookkeeping,
            all: false,
        }
    }

    /// Takes the names out of what is old enough, and empties the journal. Returns whether the journal could be emptied.
    async fn finish(&self, now: Timestamp) -> Result<bool, EraseError> {
        let anonymiser = Anonymiser {
            store: self.store.clone(),
            ids: self.recorder.ids(),
        };
        let origin = self.recorder.origin();
        anonymiser
            .run(self.age(now), now, &origin, ANONYMISED_MAX)
            .await?;
        Ok(self.store.truncate_journal().await?)
    }
}
