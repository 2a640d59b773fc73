//! What was asked in a recovery.

use std::collections::{HashMap, HashSet};

use cabinet_domain::OrderId;
use cabinet_domain::payment::{Absence, AcquirerName};
use jiff::Timestamp;

/// The orders of which the acquirers have told since a recovery began. They are not asked about again where others are not told.
#[derive(Debug, Default)]
pub(crate) struct ToldOrders {
    pub(super) since: Option<Timestamp>,
    pub(super) orders: HashSet<OrderId>,
    /// That the statement of an acquirer may lack charges of before. Another process reads them anew.
    pub(super) readings: HashMap<AcquirerName, Absence>,
    /// Whether no statement lacks one any more.
    pub(super) is_proved: bool,
}

impl ToldOrders {
    /// Starts with none, for the recovery that began at this moment.
    pub(super) fn since(since: Timestamp) -> ToldOrders {
        ToldOrders {
            since: Some(since),
            ..ToldOrders::default()
        }
    }
}
