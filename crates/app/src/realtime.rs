//! Telling a notary's open pages that something has changed. The pages then read it by the usual calls.

use std::sync::Arc;

use cabinet_domain::{NotaryId, Order, OrderId, SessionId};
use cabinet_gateways::realtime::Hub;
use cabinet_storage::{Store, cart, orders};
use serde_json::json;

/// The channel of a notary's pages.
pub fn notary_channel(notary: NotaryId) -> String {
    format!("notary:{notary}")
}

/// The channel on which the realtime connections of a session hear that it has ended.
pub fn session_channel(session: SessionId) -> String {
    format!("session:{session}")
}

/// Publishes changes to open pages. A failure is ignored, because pages also ask by themselves.
#[derive(Clone)]
pub struct Realtime {
    pub(crate) store: Store,
    pub(crate) hub: Arc<Hub>,
}

impl Realtime {
    /// What open pages listen to.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Publishes the status of an order.
    pub(crate) async fn publish_order(&self, order: OrderId) {
        let found = self.store.read(move |tx| orders::by_id(tx, order)).await;
        if let Ok(Some(order)) = found {
            self.publish_order_row(&order);
        }
    }

    /// Publishes the status of an order that was just read or written.
    pub(crate) fn publish_order_row(&self, order: &Order) {
        let message = json!({ "order": { "id": order.id.to_string(), "status": order.status.as_str(), "payment_state": order.payment_state.as_str() } });
        self.hub
            .publish(&notary_channel(order.notary_id), &message.to_string());
    }

    /// Publishes the cart of an order's notary.
    pub(crate) async fn publish_cart_of_order(&self, order: OrderId) {
        let found = self.store.read(move |tx| orders::by_id(tx, order)).await;
        if let Ok(Some(order)) = found {
            self.publish_cart(order.notary_id).await;
        }
    }

    /// Publishes the version of the cart and its number of items. Both are read again, because of two simultaneous changes
    /// the later one may be published first.
    pub(crate) async fn publish_cart(&self, notary: NotaryId) {
        if !self.hub.is_known(&notary_channel(notary)) {
            return;
        }
        let found = self.store.read(move |tx| cart::summary(tx, notary)).await;
        if let Ok(standing) = found {
            let message = json!({ "cart": { "version": standing.version, "items_count": standing.items_count } });
            self.hub
                .publish(&notary_channel(notary), &message.to_string());
        }
    }
}
