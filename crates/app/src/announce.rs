//! Telling a notary's open pages what has changed. Only that something changed is told; the pages read the rest as ever.

use cabinet_domain::{NotaryId, OrderId};
use cabinet_storage::cart;
use cabinet_storage::orders::{self, Order};
use serde_json::json;

use crate::App;

/// The channel of a notary's pages.
pub fn notary_channel(notary: NotaryId) -> String {
    format!("notary:{notary}")
}

impl App {
    pub(crate) fn publish(&self, channel: &str, data: &str) {
        self.inner.environment.hub.publish(channel, data);
    }

    /// Tells where an order stands. A failure here costs the pages a moment, nothing else: they ask by themselves.
    pub(crate) async fn announce_order(&self, order: OrderId) {
        let found = self
            .inner
            .store
            .read(move |tx| orders::by_id(tx, order))
            .await;
        if let Ok(Some(order)) = found {
            self.publish_order(&order);
        }
    }

    /// Tells where an order stands that was just read or written.
    pub(crate) fn publish_order(&self, order: &Order) {
        let news = json!({ "order": { "id": order.id.to_string(), "status": order.status.as_str(), "payment_state": order.payment_state.as_str() } });
        self.publish(&notary_channel(order.notary_id), &news.to_string());
    }

    /// Tells the cart of an order's notary.
    pub(crate) async fn announce_cart_of(&self, order: OrderId) {
        let found = self
            .inner
            .store
            .read(move |tx| orders::by_id(tx, order))
            .await;
        if let Ok(Some(order)) = found {
            self.announce_cart(order.notary_id).await;
        }
    }

    /// Tells which change the cart is at, and how many items it has. Read anew, for of two changes at once the later one may be told first.
    pub(crate) async fn announce_cart(&self, notary: NotaryId) {
        if !self.hub().is_known(&notary_channel(notary)) {
            return;
        }
        let found = self
            .inner
            .store
            .read(move |tx| cart::standing(tx, notary))
            .await;
        if let Ok(standing) = found {
            let news = json!({ "cart": { "version": standing.version, "items_count": standing.items_count } });
            self.publish(&notary_channel(notary), &news.to_string());
        }
    }
}
