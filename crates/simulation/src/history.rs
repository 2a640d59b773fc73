//! A history: its parts, its steps and its end.

use std::sync::Arc;

use cabinet_app::Services;
use cabinet_domain::{ItemId, OrderId};
use cabinet_sandbox::{Sandbox, SandboxSettings};
use cabinet_storage::Store;
use jiff::{SignedDuration, Timestamp};

use crate::chance::{Bytes, Chance};
use crate::database::Database;
use crate::doing::{Doing, Letter, Running};
use crate::executor::Executor;
use crate::installation::{COMPARED_EVERY, start_services};
use crate::people::People;
use crate::time::{AcquirerClock, Time};
use crate::trace::Trace;
use crate::weather::Weather;
use crate::wire::{Gate, Passage, Side, Wire};
use crate::world::{ADDRESS, World};
use crate::{Ended, checks};

/// Rounds of the worker after which nothing may be due.
const ROUNDS_MAX: usize = 30;

/// A page that a browser was sent to.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) order: OrderId,
    pub(crate) invoice: String,
    pub(crate) step: usize,
}

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
    pub(crate) world: World,
    pub(crate) executor: Executor,
    pub(crate) services: Services,
    pub(crate) store: Store,
    pub(crate) step: usize,
    pub(crate) people: People,
    pub(crate) pages: Vec<Page>,
    pub(crate) orders: Vec<Acknowledged<OrderId>>,
    pub(crate) items: Vec<Acknowledged<ItemId>>,
    pub(crate) restores: Vec<Restore>,
    pub(crate) broken: Vec<String>,
    pub(crate) database: &'a Database,
    pub(crate) bytes: Arc<Bytes>,
    pub(crate) wire: Wire,
    pub(crate) running: Vec<Running>,
    pub(crate) operations: u32,
    pub(crate) letters: Vec<Letter>,
    /// How many orders were due in the worker's last round.
    pub(crate) due: Option<usize>,
    pub(crate) copied: Option<usize>,
    pub(crate) tariffs: usize,
    pub(crate) compare_at: Timestamp,
}

/// Runs a history.
pub(crate) fn run(database: &Database, seed: u64, steps: usize) -> Ended {
    let mut history = History::begin(database, seed);
    while history.step < steps {
        history.step += 1;
        history.take_step();
    }
    history.end();
    checks::at_the_end(&mut history);
    let mut broken = std::mem::take(&mut history.broken);
    broken.dedup();
    for text in &broken {
        history.trace.note(format!("BROKEN: {text}"));
    }
    history.running.clear();
    let store = history.store.clone();
    history.executor.run(store.close());
    Ended {
        seed,
        trace: history.trace.lines(),
        broken,
    }
}

impl<'a> History<'a> {
    fn begin(database: &'a Database, seed: u64) -> History<'a> {
        let mut chance = Chance::new(seed);
        let weather = Weather::generate(&mut chance);
        let time = Time::at(weather.start);
        let trace = Trace::new(Arc::clone(&time));
        let bytes = Arc::new(Bytes::new(seed));
        let mut settings = SandboxSettings::new(ADDRESS);
        settings.by_hand = true;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .max_blocking_threads(1)
            .build()
            .expect("a runtime can be built");
        let clock = Arc::new(AcquirerClock(Arc::clone(&time)));
        let sandbox = Sandbox::new(settings.clone(), clock, Arc::clone(&bytes) as _)
            .expect("a sandbox without a journal needs nothing");
        let world = World::new(sandbox.clone(), &settings);
        let wire = Wire::new(
            sandbox.router(),
            &settings.acquirer_token,
            weather.tells_time,
            Arc::clone(&time),
            trace.clone(),
        );
        let executor = Executor::new(runtime, wire.clone());
        let store = executor.run(database.begin());
        trace.note(format!("seed {seed}: {weather:?}"));
        let services = executor.run(start_services(&store, &time, &bytes, &wire));
        let mut history = History {
            compare_at: weather.start + COMPARED_EVERY,
            people: People::default(),
            pages: Vec::new(),
            orders: Vec::new(),
            items: Vec::new(),
            restores: Vec::new(),
            broken: Vec::new(),
            running: Vec::new(),
            operations: 0,
            letters: Vec::new(),
            due: None,
            copied: None,
            tariffs: 0,
            step: 0,
            chance,
            weather,
            time,
            trace,
            world,
            executor,
            services,
            store,
            database,
            bytes,
            wire,
        };
        history.set_clock();
        history.save_cards();
        history
    }

    /// Runs a random step of those that are possible.
    fn take_step(&mut self) {
        let span = self.random_span();
        self.pass(span);
        let gates = self.wire.closed_gates();
        let working = self.running.iter();
        let working = working.filter(|running| matches!(running.doing, Doing::Work));
        let is_working = working.count() >= self.weather.processes;
        let refundable = self.weather.refunds && !self.world.ledger().is_empty();
        let restorable = self.weather.restore && self.restores.is_empty();
        let weights = [
            if gates.is_empty() { 0 } else { 90 },
            30,
            if self.letters.is_empty() { 0 } else { 12 },
            if is_working { 0 } else { 14 },
            if self.weather.crashes { 2 } else { 0 },
            if restorable && self.copied.is_none() {
                3
            } else {
                0
            },
            if restorable && self.copied.is_some() {
                3
            } else {
                0
            },
            if self.weather.clock_jumps { 2 } else { 0 },
            u32::from(self.weather.tariff_changes && self.tariffs == 0),
            if refundable { 2 } else { 0 },
        ];
        match self.chance.weighted(&weights) {
            0 => {
                let gate = &gates[self.chance.below(gates.len())];
                let passage = self.random_passage(gate);
                self.wire.open(gate.id, passage);
                self.go_on_with_woken();
            }
            1 => self.let_somebody_act(),
            2 => self.deliver_a_report(),
            3 => self.work(),
            4 => self.crash(),
            5 => self.copy(),
            6 => self.restore(),
            7 => self.jump_clock(),
            8 => self.change_tariff(),
            _ => self.give_back(),
        }
        self.collect_reports();
        if self.time.truth() >= self.compare_at
            && !self.is_doing(|doing| matches!(doing, Doing::Compare))
        {
            self.compare();
        }
    }

    fn random_span(&mut self) -> SignedDuration {
        // Mostly the spans are too short for a time-out of the acquirer's answer.
        let is_asking = !self.wire.closed_gates().is_empty();
        let weights = match (is_asking, self.weather.long_waits) {
            (true, _) => [95, 4, 1, 0],
            (false, true) => [35, 35, 15, 8],
            (false, false) => [40, 40, 15, 0],
        };
        match self.chance.weighted(&weights) {
            0 => SignedDuration::from_millis(self.chance.between(0, 1_500)),
            1 => SignedDuration::from_secs(self.chance.between(1, 60)),
            2 => SignedDuration::from_secs(self.chance.between(60, 1_200)),
            _ => SignedDuration::from_mins(self.chance.between(20, 30 * 60)),
        }
    }

    fn random_passage(&mut self, gate: &Gate) -> Passage {
        if self.weather.removals_refused
            && gate.side == Side::Before
            && gate.call.starts_with("invoice/remove")
            && self.chance.percent(50)
        {
            return Passage::Refused;
        }
        if !self.chance.percent(self.weather.faults) {
            return Passage::Through;
        }
        match gate.side {
            Side::Before => {
                let arrival = SignedDuration::from_secs(self.chance.between(1, 120));
                [
                    Passage::Lost,
                    Passage::Late(self.time.truth() + arrival),
                    Passage::NotSent,
                    Passage::TooMany,
                    Passage::Broken,
                ][self.chance.weighted(&[3, 2, 3, 1, 2])]
            }
            Side::After => {
                [Passage::Lost, Passage::Broken, Passage::Garbage][self.chance.weighted(&[4, 2, 1])]
            }
        }
    }

    /// Lets time pass. Late requests arrive at the acquirer at their own moments.
    pub(crate) fn pass(&mut self, span: SignedDuration) {
        let end = self.time.truth() + span;
        while let Some(arrival) = self.wire.next_arrival().filter(|arrival| *arrival < end) {
            self.go_to(arrival);
        }
        self.go_to(end);
    }

    /// Lets time pass until a moment. Requests time out, and sleeping operations continue.
    fn go_to(&mut self, moment: Timestamp) {
        let left = moment.duration_since(self.time.truth());
        let span = left.max(SignedDuration::ZERO);
        self.time.pass(span);
        self.executor.pass(span);
        self.wire.let_late_arrive();
        let now = self.time.truth();
        for gate in self.wire.closed_gates() {
            if gate.until <= now {
                self.wire.open(gate.id, Passage::Lost);
            }
        }
        self.go_on_with_woken();
    }

    /// Ends all faults and runs the worker until nothing can be open.
    fn end(&mut self) {
        self.trace
            .note("the end: whatever is under way gets through");
        self.wire.open_for_good();
        self.go_on_with_woken();
        for _ in 0..400 {
            if self.running.is_empty() {
                break;
            }
            self.pass(SignedDuration::from_millis(100));
        }
        if !self.running.is_empty() {
            self.broken.push("an operation does not end".to_owned());
            return;
        }
        if self.weather.clock_is_mended {
            self.time.set_ahead(SignedDuration::ZERO);
        }
        // At growing intervals, until every invoice has expired and every day was compared twice.
        for (rounds, minutes) in [(8, 1), (8, 5), (8, 20), (12, 150), (4, 1_440)] {
            self.go_round(rounds, minutes);
        }
        if checks::has_late_refund(self) {
            // A refund days after its payment is found when that day is compared for the last time.
            self.go_round(31, 1_440);
        }
        self.work_off();
    }

    /// Runs the worker while reports arrive.
    fn go_round(&mut self, rounds: usize, minutes: i64) {
        for _ in 0..rounds {
            self.pass(SignedDuration::from_mins(minutes));
            self.collect_reports();
            while !self.letters.is_empty() {
                let letter = self.letters.remove(0);
                self.deliver(letter);
            }
            self.work_off();
            if self.time.truth() >= self.compare_at {
                self.compare();
            }
        }
    }

    fn work_off(&mut self) {
        for _ in 0..ROUNDS_MAX {
            self.due = None;
            self.work();
            match self.due {
                Some(0) => return,
                Some(_) => {}
                None => break,
            }
        }
        self.broken
            .push("the worker asks about the same orders again and again".to_owned());
    }
}
