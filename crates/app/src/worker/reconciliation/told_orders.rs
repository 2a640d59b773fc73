//! What was asked in a recovery.

use std::collections::HashSet;

use cabinet_domain::OrderId;
use jiff::Timestamp;

/// The orders of which the acquirers have told since a recovery began. They are not asked about again where others are not told.
#[derive(Debug, Default)]
pub(crate) struct ToldOrders {
    pub(super) since: Option<Timestamp>,
    pub(super) orders: HashSet<OrderId>,
}

impl ToldOrders {
    /// Starts with none, for the recovery that began at this moment.
    pub(super) fn since(since: Timestamp) -> ToldOrders {
        ToldOrders {
            since: Some(since),
            orders: HashSet::new(),
        }
    }
}
