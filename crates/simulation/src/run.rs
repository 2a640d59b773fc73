//! Runs a history: its random steps, then its end without faults.

use std::collections::BTreeMap;

use cabinet_sandbox::{LedgerEntry, LedgerKind};
use jiff::SignedDuration;

use crate::action::Action;
use crate::bank::Obstacle;
use crate::checks;
use crate::database::Database;
use crate::deeds::Deed;
use crate::gates::{Gate, Passage, Side};
use crate::history::History;
use crate::ledger;
use crate::lies::{BETWEEN_STALE, LATE_MAX, Lie, STALE_BY};
use crate::thieves::{Pretence, Theft};

/// Steps of a history before its faults end.
pub const STEPS: usize = 105;

/// Steps of the days on which the money leaves, where it does.
const STEPS_OF_BANK: usize = 75;

/// Rounds of the worker after which nothing may be due.
const ROUNDS_MAX: usize = 30;

/// The result of a history.
#[derive(Debug)]
pub struct Ended {
    /// The seed.
    pub seed: u64,
    /// Every step, and the orders at the end.
    pub trace: Vec<String>,
    /// Descriptions of the violated invariants.
    pub broken: Vec<String>,
    /// How often the acquirer lied, by the kind of lie.
    pub lies: BTreeMap<Lie, usize>,
    /// What the money that left met, and how often.
    pub obstacles: BTreeMap<Obstacle, usize>,
    /// What was done with carts, links and QR codes, and how often.
    pub deeds: BTreeMap<Deed, usize>,
    /// Which calls thieves tried in vain, and how often.
    pub thefts: BTreeMap<Theft, usize>,
    /// With what they tried.
    pub pretences: BTreeMap<Pretence, usize>,
}

/// Runs the first `steps` steps of a seed's history, and its end.
pub(crate) fn run(database: &Database, seed: u64, steps: usize) -> Ended {
    let mut history = History::new(database, seed);
    history.set_clock();
    history.save_cards();
    while history.step < steps {
        history.step += 1;
        history.take_step();
    }
    if history.weather.bank && steps >= STEPS {
        for _ in 0..STEPS_OF_BANK {
            history.step += 1;
            history.take_step_of_bank();
        }
    }
    history.end();
    checks::check_end(&mut history);
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
        lies: history.wire.lies(),
        obstacles: history.bank.met(),
        deeds: std::mem::take(&mut history.deeds),
        thefts: std::mem::take(&mut history.thieves.thefts),
        pretences: std::mem::take(&mut history.thieves.pretences),
    }
}

/// A step of a history.
type Step<H> = fn(&mut H);

impl<'a> History<'a> {
    /// Runs a random step of those that are possible.
    fn take_step(&mut self) {
        let span = self.random_span();
        self.pass_time(span);
        let steps = self.possible_steps();
        let weights = steps.map(|(weight, _)| weight);
        let (_, step) = steps[self.chance.weighted(&weights)];
        step(self);
        self.let_someone_act_besides();
        self.let_thief_try();
        self.collect_reports();
        checks::check_recipients(self);
        if self.time.truth() >= self.compare_at
            && !self.is_under_way(|action| matches!(action, Action::Compare))
        {
            self.compare();
        }
    }

    /// Runs a random step of a day on which the money leaves. Refunds go on meanwhile.
    fn take_step_of_bank(&mut self) {
        let minutes = if self.chance.percent(50) { 20 } else { 1_200 };
        let span = self.chance.between(1, minutes);
        // An answer that is awaited comes within seconds.
        let span = if self.gates.closed().is_empty() {
            SignedDuration::from_mins(span)
        } else {
            SignedDuration::from_secs(1)
        };
        self.pass_time(span);
        let is_calling = !self.gates.closed().is_empty();
        let is_working = self.is_under_way(|action| matches!(action, Action::Work));
        let can_give_back = self.weather.given_back && !self.acquirer.ledger().is_empty();
        let weight = |weight, is_possible| if is_possible { weight } else { 0 };
        let steps: [(u32, Step<History<'a>>); 6] = [
            (weight(30, is_calling), History::open_gate),
            (
                weight(4, !self.deliveries.is_empty()),
                History::deliver_a_report,
            ),
            (weight(6, !is_working), History::work),
            (weight(6, can_give_back), History::give_back),
            (weight(1, self.weather.crashes), History::crash),
            (40, History::let_clerks_act),
        ];
        let weights = steps.map(|(weight, _)| weight);
        let (_, step) = steps[self.chance.weighted(&weights)];
        step(self);
        self.let_thief_try();
        self.collect_reports();
        checks::check_recipients(self);
    }

    /// Returns the steps with their weights. An impossible step has no weight.
    fn possible_steps(&self) -> [(u32, Step<History<'a>>); 12] {
        let is_calling = !self.gates.closed().is_empty();
        let working = self.running.iter();
        let working = working.filter(|running| matches!(running.action, Action::Work));
        let can_work = working.count() < self.weather.processes;
        let can_refund = self.weather.refunds && !self.acquirer.ledger().is_empty();
        let can_give_back = self.weather.given_back && !self.acquirer.ledger().is_empty();
        let can_send = self.weather.bank && !self.acquirer.ledger().is_empty();
        let can_restore = self.weather.restore && self.restores.is_empty();
        let has_copy = self.copied.is_some();
        let has_report = !self.deliveries.is_empty();
        let can_change_tariff = self.weather.tariff_changes && self.tariffs == 0;
        // What the list of refunds hides is asked about more often.
        let give_back = if self.weather.refunds_late > 0 { 12 } else { 4 };
        // Other prices have to meet carts that are full.
        let change_tariff = match (self.weather.carts, self.step > 40) {
            (false, _) => 1,
            (true, false) => 0,
            (true, true) => 12,
        };
        let weight = |weight, is_possible| if is_possible { weight } else { 0 };
        [
            (weight(90, is_calling), History::open_gate),
            (30, History::let_someone_act),
            (weight(12, has_report), History::deliver_a_report),
            (weight(14, can_work), History::work),
            (weight(2, self.weather.crashes), History::crash),
            (weight(3, can_restore && !has_copy), History::copy),
            (weight(3, can_restore && has_copy), History::restore),
            (weight(2, self.weather.clock_jumps), History::jump_clock),
            (
                weight(change_tariff, can_change_tariff),
                History::change_tariff,
            ),
            (weight(2, can_refund), History::refund),
            (weight(give_back, can_give_back), History::give_back),
            (weight(14, can_send), History::let_clerks_act),
        ]
    }

    /// Opens a random gate.
    fn open_gate(&mut self) {
        let gates = self.gates.closed();
        let gate = &gates[self.chance.below(gates.len())];
        let passage = self.random_passage(gate);
        match passage {
            Passage::Forgotten => self.wire.count(Lie::Forgotten),
            Passage::WrongTime(_) => self.wire.count(Lie::WrongTime),
            _ => {}
        }
        let is_charge_lost = is_answer_of_charge(gate) && passage == Passage::Lost;
        self.gates.open(gate.id, passage);
        self.continue_woken();
        if is_charge_lost && self.weather.statement_stale {
            let hours = self.chance.between(3, 20);
            if self.can_clock_mislead() {
                self.set_clock_days_ahead();
            } else {
                // Nobody looks for it before the statement must have it.
                self.pass_time(SignedDuration::from_hours(hours));
            }
        }
    }

    fn random_span(&mut self) -> SignedDuration {
        // Mostly the spans are too short for a time-out of the acquirer's answer.
        let is_asking = !self.gates.closed().is_empty();
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

    /// Whether a search on the statement may be answered from an old copy, and would then lack a charge that it must show.
    fn may_be_stale(&self, gate: &Gate) -> bool {
        let now = self.time.truth();
        let is_first = self
            .stale_at
            .is_none_or(|at| now.duration_since(at) > BETWEEN_STALE);
        let is_compared = self.running.iter().any(|running| {
            running.operation.id == gate.operation && matches!(running.action, Action::Compare)
        });
        let must_be_there = |entry: &LedgerEntry| {
            entry.kind == LedgerKind::Charge
                && entry.at < now - LATE_MAX
                && entry.at > now - STALE_BY
        };
        self.weather.statement_stale
            && is_first
            && !is_compared
            && self.acquirer.ledger().iter().any(must_be_there)
    }

    fn random_passage(&mut self, gate: &Gate) -> Passage {
        if self.weather.removals_refused
            && gate.side == Side::Before
            && gate.call.starts_with("invoice/remove")
            && self.chance.percent(50)
        {
            return Passage::Refused;
        }
        let is_about_invoice = ["invoice/status", "invoice/remove"]
            .iter()
            .any(|call| gate.call.starts_with(call));
        if gate.side == Side::Before
            && is_about_invoice
            && self.chance.percent(self.weather.forgets)
        {
            return Passage::Forgotten;
        }
        if is_answer_of_charge(gate) && self.weather.statement_stale && self.chance.percent(60) {
            return Passage::Lost;
        }
        if gate.side == Side::Before && gate.call == "statement" && self.may_be_stale(gate) {
            self.stale_at = Some(self.time.truth());
            return Passage::Stale;
        }
        if gate.side == Side::After
            && self.weather.tells_time
            && self.chance.percent(self.weather.wrong_times)
        {
            let seconds = self.chance.between(120, 7_200);
            let is_behind = self.chance.percent(50);
            return Passage::WrongTime(if is_behind { -seconds } else { seconds });
        }
        if gate.side == Side::After
            && self.weather.refunds_late > 0
            && gate.call.starts_with("invoice/cancel")
            && self.chance.percent(50)
        {
            // Only then is the list asked.
            return Passage::Lost;
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

    /// Ends all faults and runs the worker until nothing can be open.
    fn end(&mut self) {
        self.trace
            .note("the end: whatever is under way gets through");
        self.gates.open_for_good();
        self.continue_woken();
        for _ in 0..400 {
            if self.running.is_empty() {
                break;
            }
            self.pass_time(SignedDuration::from_millis(100));
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
            self.run_rounds(rounds, minutes);
        }
        self.pay_on_a_page_that_was_kept();
        self.release_what_codes_hold();
        if self.weather.bank {
            for _ in 0..3 {
                self.end_at_bank();
                self.run_rounds(2, 1_440);
            }
            self.give_back_by_hand();
        }
        self.say_what_went_back_beside_refunds();
        self.run_rounds(4, 1_440);
        if ledger::has_late_refund(&self.acquirer) {
            // A refund days after its payment is found when that day is compared for the last time.
            self.run_rounds(31, 1_440);
        }
        self.work_until_nothing_is_due();
    }

    /// Runs the worker while reports arrive.
    pub(crate) fn run_rounds(&mut self, rounds: usize, minutes: i64) {
        for _ in 0..rounds {
            self.pass_time(SignedDuration::from_mins(minutes));
            self.collect_reports();
            while !self.deliveries.is_empty() {
                let delivery = self.deliveries.remove(0);
                self.deliver(delivery);
            }
            self.work_until_nothing_is_due();
            if self.time.truth() >= self.compare_at {
                self.compare();
            }
        }
    }

    fn work_until_nothing_is_due(&mut self) {
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

/// Whether the answer to the charge of a saved card waits at a gate.
fn is_answer_of_charge(gate: &Gate) -> bool {
    gate.side == Side::After && gate.call.starts_with("wallet/payment")
}
