//! What the notaries' browsers remember.

use std::collections::BTreeSet;

use cabinet_domain::OrderId;
use jiff::{SignedDuration, Timestamp};

/// How long a notary waits before a refused link is asked for again.
const LINK_WAIT: SignedDuration = SignedDuration::from_secs(60);

/// What the notaries' browsers remember.
#[derive(Default)]
pub(crate) struct Browsers {
    keys: u32,
    /// The order of each notary's idempotency key.
    pub(crate) ordered: Vec<(usize, String, OrderId)>,
    /// Orders in a notary's archive.
    pub(crate) archive: Vec<(usize, OrderId)>,
    /// Orders without an answer, which are tried again with the same key.
    pub(crate) unanswered_orders: Vec<UnansweredOrder>,
    /// Orders whose card was declined, for which a new link is asked.
    pub(crate) declined: Vec<OrderId>,
    /// Orders whose new link was refused, and when to ask again.
    link_waits: Vec<(OrderId, Timestamp)>,
    /// Saved cards: the notary and the token.
    pub(crate) saved_cards: Vec<(usize, String)>,
    /// The links that clients were given.
    pub(crate) links: Vec<ClientLink>,
    /// The pages that clients got by links a moment ago.
    pub(crate) opened: Vec<Page>,
    /// The orders whose QR codes were given out.
    pub(crate) coded: BTreeSet<OrderId>,
    /// The orders that are marked as paid by QR codes.
    pub(crate) marked: BTreeSet<OrderId>,
    /// The orders of which a mark was ever asked for, with or without an answer.
    pub(crate) mark_asked: BTreeSet<OrderId>,
    /// The orders that somebody wanted to cancel.
    pub(crate) cancelled: BTreeSet<OrderId>,
}

/// A page that a browser was sent to.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) order: OrderId,
    pub(crate) invoice: String,
    pub(crate) address: String,
    /// Whether a client got it by a link.
    pub(crate) is_by_link: bool,
    pub(crate) step: usize,
}

/// A link that a client was given.
#[derive(Clone, Debug)]
pub(crate) struct ClientLink {
    pub(crate) notary: usize,
    pub(crate) order: OrderId,
    pub(crate) token: String,
    /// It was withdrawn, or another one was made in its place.
    pub(crate) is_over: bool,
}

/// An order that was asked for and is not known to exist.
pub(crate) struct UnansweredOrder {
    pub(crate) notary: usize,
    pub(crate) key: String,
    pub(crate) client: String,
    pub(crate) token: Option<String>,
}

impl Browsers {
    pub(crate) fn add_to_archive(&mut self, notary: usize, order: OrderId) {
        if !self.archive.contains(&(notary, order)) {
            self.archive.push((notary, order));
        }
    }

    pub(crate) fn remember_unanswered_order(
        &mut self,
        notary: usize,
        key: String,
        client: String,
        token: Option<String>,
    ) {
        self.unanswered_orders.push(UnansweredOrder {
            notary,
            key,
            client,
            token,
        });
    }

    /// Returns the last link of an order, which may be over.
    pub(crate) fn last_link(&self, order: OrderId) -> Option<ClientLink> {
        let mut links = self.links.iter();
        links.rfind(|link| link.order == order).cloned()
    }

    /// Records that the links of an order open nothing any more.
    pub(crate) fn end_links(&mut self, order: OrderId) {
        for link in self.links.iter_mut().filter(|link| link.order == order) {
            link.is_over = true;
        }
    }

    /// Records that a link was refused, so that it is not asked for again at once.
    pub(crate) fn wait_for_link(&mut self, order: OrderId, now: Timestamp) {
        self.link_waits.push((order, now + LINK_WAIT));
    }

    /// Returns whether a link of an order was refused a short time ago.
    pub(crate) fn waits_for_link(&self, order: OrderId, now: Timestamp) -> bool {
        let mut waits = self.link_waits.iter();
        waits.any(|(waiting, until)| *waiting == order && now < *until)
    }

    /// Returns a new idempotency key.
    pub(crate) fn fresh_key(&mut self) -> String {
        self.keys += 1;
        format!("key-{:08}", self.keys)
    }
}
