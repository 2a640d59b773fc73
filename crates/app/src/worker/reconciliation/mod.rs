//! Reconciliation: comparing our payments with the statements of the acquirers.

mod compare;
mod comparison;
mod days;
mod recovery;
mod statement;
mod told_orders;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use cabinet_domain::Clock;
use cabinet_domain::payment::AcquirerName;
use cabinet_gateways::acquirer::{Acquirers, Statements};
use cabinet_storage::Store;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::operator::alarms::Alarms;
use crate::payment::Settler;
use crate::worker::leases::Leases;

pub use comparison::Comparison;
use told_orders::ToldOrders;

/// How far back days are compared: as far as the acquirer gives a statement.
const DAYS_BACK: i64 = 31;
/// The clocks of the cabinet, the acquirer and another process may differ by so much.
const CLOCK_MARGIN: SignedDuration = SignedDuration::from_mins(10);

/// Compares our payments with the acquirers' statements.
#[derive(Clone)]
pub struct Reconciliation {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    /// The acquirers that give a statement.
    pub(crate) acquirers: Vec<Arc<dyn Statements>>,
    /// All acquirers, also those without a statement: they can be asked about an invoice.
    pub(crate) callable: Acquirers,
    pub(crate) settler: Settler,
    pub(crate) alarms: Alarms,
    pub(crate) leases: Leases,
    /// When this process has compared a day with the statement of one acquirer. A day of which another one's statement can't be had is not
    /// done, and stays due.
    pub(crate) compared: Arc<Mutex<HashMap<(AcquirerName, Date), Timestamp>>>,
    /// Of which orders the acquirers have told after a restore.
    pub(crate) told: Arc<Mutex<ToldOrders>>,
}
