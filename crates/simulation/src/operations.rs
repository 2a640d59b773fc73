//! Operations of the cabinet: their start, and how they continue when time passes or a gate opens.

use cabinet_app::kernel::refusal::AppError;
use jiff::{SignedDuration, Timestamp};

use crate::action::{Action, Outcome, Running};
use crate::checks;
use crate::executor::{Operation, Waits};
use crate::gates::{OperationId, Passage};
use crate::history::History;

impl History<'_> {
    /// Starts an operation and runs it until it waits.
    pub(crate) fn start(
        &mut self,
        action: Action,
        future: impl Future<Output = Result<Outcome, AppError>> + 'static,
    ) {
        self.operations += 1;
        self.trace
            .note(format!("#{} {}", self.operations, self.name_of(&action)));
        let waits = match action {
            Action::Work => Waits::Several,
            // A repeated press waits for the first answer, and a report waits for the key that another one fetches.
            Action::Order { .. } | Action::Steal { .. } | Action::Report(_) => Waits::Others,
            _ => Waits::Store,
        };
        let operation = Operation::new(self.operations, waits, future);
        self.running.push(Running {
            started: self.time.truth(),
            operation,
            action,
        });
        if !self.is_gathering {
            self.continue_woken();
        }
    }

    /// Runs what `presses` start as if it came at the same moment, through several windows: their units of work follow each other in a random
    /// order, until each waits for the acquirer or has ended.
    pub(crate) fn at_once(&mut self, presses: impl FnOnce(&mut Self)) {
        let last = self.operations;
        self.is_gathering = true;
        presses(self);
        self.is_gathering = false;
        loop {
            let ready = |running: &Running| {
                running.operation.id > last
                    && running.operation.is_woken()
                    && !self.gates.is_at_gate(running.operation.id)
            };
            let mut ready: Vec<OperationId> = self
                .running
                .iter()
                .filter(|running| ready(running))
                .map(|running| running.operation.id)
                .collect();
            if ready.is_empty() {
                break;
            }
            let mut turn = Vec::new();
            while !ready.is_empty() {
                let next = ready.remove(self.chance.below(ready.len()));
                // Some fall behind.
                if turn.is_empty() || self.chance.percent(75) {
                    turn.push(next);
                }
            }
            self.take_turn(&turn);
        }
        self.continue_woken();
    }

    fn take_turn(&mut self, turn: &[OperationId]) {
        let place = |id: OperationId| turn.iter().position(|one| *one == id);
        let mut polled: Vec<_> = self
            .running
            .iter_mut()
            .filter_map(|running| Some((place(running.operation.id)?, &mut running.operation)))
            .collect();
        polled.sort_by_key(|(place, _)| *place);
        let polled = polled.into_iter().map(|(_, operation)| operation);
        let ended = self.executor.take_turn(polled.collect(), &self.store);
        for (id, result) in ended {
            let found = self.running.iter().position(|one| one.operation.id == id);
            if let Some(position) = found {
                let running = self.running.remove(position);
                self.record_result(running, result);
            }
        }
    }

    /// Continues the operations that were woken, until all of them wait or have ended.
    pub(crate) fn continue_woken(&mut self) {
        while let Some(position) = self
            .running
            .iter()
            .position(|running| running.operation.is_woken())
        {
            let running = &mut self.running[position];
            let ended = self
                .executor
                .run_until_waiting(&mut running.operation, &self.store);
            let started = running.started;
            for asked in self.wire.take_asked() {
                checks::check_asked_payment(self, &asked, started);
            }
            if let Some(ended) = ended {
                let running = self.running.remove(position);
                self.record_result(running, ended);
            }
        }
    }

    /// Returns whether such an action is under way.
    pub(crate) fn is_under_way(&self, is_meant: impl Fn(&Action) -> bool) -> bool {
        self.running.iter().any(|running| is_meant(&running.action))
    }

    /// Lets time pass. Late requests arrive at the acquirer at their own moments.
    pub(crate) fn pass_time(&mut self, span: SignedDuration) {
        let end = self.time.truth() + span;
        while let Some(arrival) = self.wire.next_arrival().filter(|arrival| *arrival < end) {
            self.advance_to(arrival);
        }
        self.advance_to(end);
    }

    /// Lets time pass until a moment. Requests time out, and sleeping operations continue.
    fn advance_to(&mut self, moment: Timestamp) {
        let left = moment.duration_since(self.time.truth());
        let span = left.max(SignedDuration::ZERO);
        self.time.pass(span);
        self.executor.pass(span);
        self.wire.let_late_arrive();
        let now = self.time.truth();
        for gate in self.gates.closed() {
            if gate.until <= now {
                self.gates.open(gate.id, Passage::Lost);
            }
        }
        self.continue_woken();
    }

    /// Returns the name of an operation in the trace.
    fn name_of(&self, action: &Action) -> String {
        match action {
            Action::Add { notary, key, .. } => format!("notary {notary} adds {key}"),
            Action::Edit { .. } => "the cart is changed".to_owned(),
            Action::Undo { .. } => "a deletion is undone".to_owned(),
            Action::SaveForm { form, .. } => {
                let name = self.trace.name("item", &form.item.to_string());
                format!("a form of {name} is saved")
            }
            Action::Repeat { order, .. } => format!("{} is repeated", self.name_order(*order)),
            Action::MakeLink { order, .. } => {
                format!("a link for {} is made", self.name_order(*order))
            }
            Action::WithdrawLink { order } => {
                format!("the link for {} is withdrawn", self.name_order(*order))
            }
            Action::ClientPays { link, question } => {
                let name = self.name_order(link.order);
                format!("a client pays {name} by a link: {question:?}")
            }
            Action::Codes { order } => format!("QR codes of {}", self.name_order(*order)),
            Action::MarkCodes { order } => {
                format!("{} is marked as paid by QR codes", self.name_order(*order))
            }
            Action::UndoMark { order, .. } => {
                format!("the mark of {} is taken back", self.name_order(*order))
            }
            Action::Order {
                notary, key, token, ..
            } => {
                let method = if token.is_some() {
                    "a saved card"
                } else {
                    "a page"
                };
                format!("notary {notary} orders by {method}, {key}")
            }
            Action::Link { notary, order, .. } => {
                format!(
                    "notary {notary} asks for a link for {}",
                    self.name_order(*order)
                )
            }
            Action::Cancel { notary, order, .. } => {
                format!("notary {notary} cancels {}", self.name_order(*order))
            }
            Action::GiveBack { order, wish } => {
                format!(
                    "the support gives back {wish:?} of {}",
                    self.name_order(*order)
                )
            }
            Action::Decide {
                document_number,
                again,
            } => {
                let what = if *again {
                    "sends it again"
                } else {
                    "wants it back on the card"
                };
                format!("document {document_number} came back: the notary {what}")
            }
            Action::PayAgain { notary, order, .. } => {
                format!(
                    "notary {notary} charges a saved card for {}",
                    self.name_order(*order)
                )
            }
            Action::Look { notary, order, .. } => {
                format!("notary {notary} looks at {}", self.name_order(*order))
            }
            Action::Steal {
                notary,
                what: (theft, pretence),
            } => format!("a thief of notary {notary}: {theft:?} with {pretence:?}"),
            Action::Report(delivery) => {
                let body: serde_json::Value =
                    serde_json::from_slice(&delivery.report.body).unwrap_or_default();
                format!(
                    "a report: {} is {}",
                    self.trace.name("invoice", &delivery.report.invoice_id),
                    body["status"].as_str().unwrap_or_default()
                )
            }
            Action::Work => "the worker".to_owned(),
            Action::Compare => "the comparison with the statement".to_owned(),
        }
    }
}
