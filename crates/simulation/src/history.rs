//! The state of a history.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cabinet_app::Services;
use cabinet_domain::{OrderId, TransferId};
use cabinet_sandbox::{Sandbox, SandboxSettings};
use cabinet_storage::Store;
use jiff::{SignedDuration, Timestamp};

use crate::acquirer::{ADDRESS, Acquirer};
use crate::action::{ReportDelivery, Running};
use crate::bank::Bank;
use crate::browsers::{Browsers, Page};
use crate::carts::Carts;
use crate::chance::{Bytes, Chance};
use crate::database::Database;
use crate::deeds::Deed;
use crate::executor::Executor;
use crate::gates::Gates;
use crate::messages::Messages;
use crate::services::start_services;
use crate::thieves::Thieves;
use crate::time::{AcquirerClock, Time};
use crate::trace::Trace;
use crate::weather::Weather;
use crate::wire::{Lateness, Wire};

/// How often the cabinet compares due days with the acquirer's statement.
pub(crate) const COMPARED_EVERY: SignedDuration = SignedDuration::from_mins(10);

/// Something that the cabinet has acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged<T> {
    pub(crate) what: T,
    pub(crate) notary: usize,
    pub(crate) step: usize,
}

/// A restored copy. Everything between the two steps is lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restore {
    pub(crate) copied: usize,
    pub(crate) restored: usize,
}

/// A running history.
pub(crate) struct History<'a> {
    pub(crate) chance: Chance,
    pub(crate) weather: Weather,
    pub(crate) time: Arc<Time>,
    pub(crate) trace: Trace,
    pub(crate) acquirer: Acquirer,
    pub(crate) executor: Executor,
    pub(crate) services: Services,
    pub(crate) store: Store,
    pub(crate) step: usize,
    pub(crate) browsers: Browsers,
    pub(crate) pages: Vec<Page>,
    pub(crate) orders: Vec<Acknowledged<OrderId>>,
    pub(crate) carts: Carts,
    pub(crate) restores: Vec<Restore>,
    pub(crate) broken: Vec<String>,
    pub(crate) database: &'a Database,
    pub(crate) bytes: Arc<Bytes>,
    pub(crate) wire: Wire,
    pub(crate) gates: Gates,
    pub(crate) running: Vec<Running>,
    pub(crate) operations: u32,
    /// Whether what is started waits for others that start at the same moment.
    pub(crate) is_gathering: bool,
    /// What was done with carts, links and QR codes, and how often.
    pub(crate) deeds: BTreeMap<Deed, usize>,
    pub(crate) deliveries: Vec<ReportDelivery>,
    /// How many orders were due in the worker's last round.
    pub(crate) due: Option<usize>,
    /// The step of the copy of the database.
    pub(crate) copied: Option<usize>,
    /// How many times the commission changed.
    pub(crate) tariffs: usize,
    pub(crate) compare_at: Timestamp,
    /// The places in the acquirer's ledger of what a clerk gave back in LiqPay's cabinet.
    pub(crate) by_clerk_of_liqpay: BTreeSet<usize>,
    /// What was marked as given back and is still to be done in the acquirer's cabinet: the order, the invoice and the sum.
    pub(crate) to_give_back: Vec<(OrderId, String, i64)>,
    /// What was given back so, by order.
    pub(crate) by_hand: BTreeMap<OrderId, i64>,
    /// The orders that were paid on a page that had been closed, after the support had given all back.
    pub(crate) paid_after_refund: BTreeSet<OrderId>,
    /// When a statement was last told from an old copy.
    pub(crate) stale_at: Option<Timestamp>,
    /// Whether something is marked that the acquirer then refused to give back.
    pub(crate) is_mark_wrong: bool,
    /// The thieves.
    pub(crate) thieves: Thieves,
    /// What came to the notaries' phones.
    pub(crate) messages: Arc<Messages>,
    /// The operator's bank.
    pub(crate) bank: Bank,
    /// Lists for the bank that were exported and may be marked as sent.
    pub(crate) lists: Vec<Vec<u8>>,
    /// Transfers that were marked as sent and never given to the bank.
    pub(crate) not_given: Vec<TransferId>,
    /// Disputed transfers about which the bank was asked.
    pub(crate) settled: BTreeSet<TransferId>,
}

impl<'a> History<'a> {
    /// Makes the parts of a history and starts the cabinet.
    pub(crate) fn new(database: &'a Database, seed: u64) -> History<'a> {
        let mut chance = Chance::new(seed);
        let weather = Weather::generate(&mut chance);
        let time = Time::at(weather.start);
        let trace = Trace::new(Arc::clone(&time));
        let bytes = Arc::new(Bytes::new(seed));
        let gates = Gates::new(trace.clone());
        let (acquirer, wire) = connect_acquirer(&weather, &time, &trace, &bytes, &gates);
        let executor = Executor::new(gates.clone());
        let store = executor.run(database.begin());
        trace.note(format!("seed {seed}: {weather:?}"));
        let messages = Arc::new(Messages::default());
        let starting = start_services(&store, &time, &bytes, &wire, &messages, &weather);
        let services = executor.run(starting);
        History {
            compare_at: weather.start + COMPARED_EVERY,
            by_clerk_of_liqpay: BTreeSet::new(),
            to_give_back: Vec::new(),
            by_hand: BTreeMap::new(),
            paid_after_refund: BTreeSet::new(),
            stale_at: None,
            is_mark_wrong: false,
            thieves: Thieves::new(seed),
            messages,
            bank: Bank::default(),
            lists: Vec::new(),
            not_given: Vec::new(),
            settled: BTreeSet::new(),
            browsers: Browsers::default(),
            pages: Vec::new(),
            orders: Vec::new(),
            carts: Carts::default(),
            restores: Vec::new(),
            broken: Vec::new(),
            running: Vec::new(),
            operations: 0,
            is_gathering: false,
            deeds: BTreeMap::new(),
            deliveries: Vec::new(),
            due: None,
            copied: None,
            tariffs: 0,
            step: 0,
            chance,
            weather,
            time,
            trace,
            acquirer,
            executor,
            services,
            store,
            database,
            bytes,
            wire,
            gates,
        }
    }

    /// Counts a deed.
    pub(crate) fn count(&mut self, deed: Deed) {
        *self.deeds.entry(deed).or_default() += 1;
    }

    /// Returns whether an older copy was restored, so that the cabinet can't know everything that it did.
    pub(crate) fn is_forgetful(&self) -> bool {
        !self.restores.is_empty()
    }

    /// Returns whether a restored copy has lost what was done at a step.
    pub(crate) fn is_forgotten(&self, step: usize) -> bool {
        let mut restores = self.restores.iter();
        restores.any(|restore| (restore.copied..=restore.restored).contains(&step))
    }

    /// Returns the name of an order in the trace.
    pub(crate) fn name_order(&self, order: OrderId) -> String {
        self.trace.name("order", &order.to_string())
    }
}

/// Makes the acquirer, and the cabinet's connection to it.
fn connect_acquirer(
    weather: &Weather,
    time: &Arc<Time>,
    trace: &Trace,
    bytes: &Arc<Bytes>,
    gates: &Gates,
) -> (Acquirer, Wire) {
    let mut settings = SandboxSettings::new(ADDRESS);
    settings.by_hand = true;
    let clock = Arc::new(AcquirerClock(Arc::clone(time)));
    let sandbox = Sandbox::new(settings.clone(), clock, Arc::clone(bytes) as _)
        .expect("a sandbox without a journal needs nothing");
    let acquirer = Acquirer::new(sandbox.clone(), &settings);
    let wire = Wire::new(
        sandbox.router(),
        &settings.acquirer_token,
        (
            weather.tells_time,
            Lateness {
                statement: SignedDuration::from_mins(weather.statement_late),
                refunds: SignedDuration::from_mins(weather.refunds_late),
                ahead: weather.clock_ahead.map(|(from, minutes)| {
                    let from = weather.start + SignedDuration::from_mins(from);
                    (from, from + SignedDuration::from_mins(minutes))
                }),
            },
        ),
        Arc::clone(time),
        trace.clone(),
        gates.clone(),
    );
    (acquirer, wire)
}
