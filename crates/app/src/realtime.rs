//! Telling a notary's open pages that something has changed. The pages then read it by the usual calls.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use cabinet_domain::{Clock, NotaryId, OrderId, SessionId, TransactionId};
use cabinet_gateways::realtime::Hub;
use cabinet_storage::account::sessions;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{Change, ChangeFeed, Heard, StorageError, Store, Tx, cart};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::kernel::refusal::Result;

/// The message that a call was confirmed (specification, point 4).
const CONFIRMED: &str = r#"{"result":10}"#;
/// The message that it was not: another key, silence, or a call that nobody answered.
const NOT_CONFIRMED: &str = r#"{"result":20}"#;
/// How long after its beginning a command of the operator is looked for: longer than the longest one takes.
const COMMANDS_SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);

/// The channel of a notary's pages.
pub fn notary_channel(notary: NotaryId) -> String {
    format!("notary:{notary}")
}

/// The channel on which the realtime connections of a session hear that it has ended.
pub fn session_channel(session: SessionId) -> String {
    format!("session:{session}")
}

/// The channel of a page that waits for a call.
fn call_channel(call: TransactionId) -> String {
    call.to_string()
}

/// Publishes changes to open pages. A failure is logged and otherwise ignored, because pages also ask by themselves.
#[derive(Clone)]
pub struct Realtime {
    store: Store,
    clock: Arc<dyn Clock>,
    hub: Arc<Hub>,
    /// The transfers changed by a command that were told already, so that each change is told once.
    told: Arc<Mutex<BTreeSet<(Timestamp, OrderId)>>>,
}

impl Realtime {
    pub(crate) fn new(store: Store, clock: Arc<dyn Clock>, hub: Arc<Hub>) -> Realtime {
        Realtime {
            store,
            clock,
            hub,
            told: Arc::default(),
        }
    }

    /// What open pages listen to.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Begins to follow what units of work announce, in this process and in others on the same PostgreSQL database.
    ///
    /// # Errors
    /// The database can't be followed.
    pub async fn begin(&self) -> Result<Following> {
        Ok(Following {
            feed: self.store.changes().await?,
            realtime: self.clone(),
        })
    }

    /// Publishes what commands of the operator have changed: each is a process of its own, whose changes are not announced here on SQLite.
    ///
    /// # Errors
    /// The database can't be read.
    pub async fn publish_commands(&self) -> Result<()> {
        let since = self.clock.now() - COMMANDS_SEEN_WITHIN;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            Ok((
                sessions::ended_by_operator(tx, since)?,
                transfers::imported_since(tx, since)?,
            ))
        };
        let (ended, imported) = self.store.read(read).await?;
        for session in ended {
            self.publish_end(session);
        }
        let imported: BTreeSet<_> = imported.into_iter().collect();
        let fresh: BTreeSet<OrderId> = {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = imported
                .difference(&told)
                .map(|(_, order)| *order)
                .collect();
            *told = imported;
            fresh
        };
        for order in fresh {
            self.publish_order(order).await?;
        }
        Ok(())
    }

    async fn publish(&self, change: Change) -> Result<()> {
        match change {
            Change::Cart(notary) => self.publish_cart(notary).await,
            Change::Order(notary, order) if self.hub.is_known(&notary_channel(notary)) => {
                self.publish_order(order).await
            }
            Change::Order(..) => Ok(()),
            Change::SessionEnded(session) => {
                self.publish_end(session);
                Ok(())
            }
            Change::CallConfirmed(call) => {
                self.hub.publish(&call_channel(call), CONFIRMED);
                Ok(())
            }
            Change::CallEnded(call) => {
                self.hub.publish(&call_channel(call), NOT_CONFIRMED);
                Ok(())
            }
        }
    }

    /// Publishes the end of a session: its connections are closed.
    fn publish_end(&self, session: SessionId) {
        self.hub.publish(&session_channel(session), "{}");
    }

    /// Publishes the status of an order.
    async fn publish_order(&self, order: OrderId) -> Result<()> {
        let found = self.store.read(move |tx| orders::by_id(tx, order)).await?;
        if let Some(order) = found {
            let standing = order.standing();
            let message = json!({ "order": { "id": order.id.to_string(), "status": standing.status.as_str(), "payment_state": standing.payment_state.as_str() } });
            self.hub
                .publish(&notary_channel(order.notary_id), &message.to_string());
        }
        Ok(())
    }

    /// Publishes the version of the cart and its number of items.
    async fn publish_cart(&self, notary: NotaryId) -> Result<()> {
        let channel = notary_channel(notary);
        if self.hub.is_known(&channel) {
            let standing = self.store.read(move |tx| cart::summary(tx, notary)).await?;
            let message = json!({ "cart": { "version": standing.version, "items_count": standing.items_count } });
            self.hub.publish(&channel, &message.to_string());
        }
        Ok(())
    }
}

/// Follows the changes of a database.
pub struct Following {
    feed: ChangeFeed,
    realtime: Realtime,
}

impl Following {
    /// Publishes every change until the store ends.
    pub async fn run(mut self) {
        while let Some(heard) = self.feed.next().await {
            let published = match heard {
                Heard::Change(change) => self.realtime.publish(change).await,
                Heard::Gap => {
                    // Pages connect anew and read everything again.
                    self.realtime.hub.begin_anew();
                    Ok(())
                }
            };
            if let Err(error) = published {
                error.log("A change can't be told to open pages", Instant::now());
            }
        }
    }
}
