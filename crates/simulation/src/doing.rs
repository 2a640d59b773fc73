//! Operations of the cabinet: their start, and the checks of their results.

use cabinet_app::cart;
use cabinet_app::orders::{OrderSummary, OrderView};
use cabinet_app::payments::ReportOutcome;
use cabinet_app::refusal::{AppError, Detail};
use cabinet_domain::OrderId;
use cabinet_sandbox::SignedReport;
use jiff::Timestamp;

use crate::checks;
use crate::executor::{Operation, Waits};
use crate::history::{Acknowledged, History};
use crate::installation::COMPARED_EVERY;
use crate::world::invoice_of_page;

/// The kind of an operation.
pub(crate) enum Doing {
    Add {
        notary: usize,
        key: String,
    },
    Edit,
    Order {
        notary: usize,
        key: String,
        client: String,
        token: Option<String>,
    },
    Link {
        notary: usize,
        order: OrderId,
    },
    Look {
        notary: usize,
        order: OrderId,
        /// Whether the order had been charged before.
        charged: bool,
        /// Whether only a fresh answer of the acquirer is accepted.
        strictly: bool,
    },
    Report(Letter),
    Work,
    Compare,
}

/// The result of an operation.
pub(crate) enum Told {
    Added(cart::AddedItem),
    Ordered(OrderSummary),
    Link(String),
    Looked(Box<OrderView>),
    Report(ReportOutcome),
    Due(usize),
    Done,
}

/// A report that is being delivered.
#[derive(Clone)]
pub(crate) struct Letter {
    pub(crate) report: SignedReport,
    pub(crate) tries: u32,
}

pub(crate) struct Running {
    started: Timestamp,
    operation: Operation<Result<Told, AppError>>,
    pub(crate) doing: Doing,
}

impl History<'_> {
    /// Starts an operation and runs it until it waits.
    pub(crate) fn start(
        &mut self,
        doing: Doing,
        future: impl Future<Output = Result<Told, AppError>> + 'static,
    ) {
        self.operations += 1;
        self.trace
            .note(format!("#{} {}", self.operations, self.name_of(&doing)));
        let waits = match doing {
            Doing::Work => Waits::Several,
            // A repeated press waits for the first answer, and a report waits for the key that another one fetches.
            Doing::Order { .. } | Doing::Report(_) => Waits::Others,
            _ => Waits::Store,
        };
        let operation = Operation::new(self.operations, waits, future);
        self.running.push(Running {
            started: self.time.truth(),
            operation,
            doing,
        });
        self.go_on_with_woken();
    }

    pub(crate) fn go_on_with_woken(&mut self) {
        while let Some(position) = self
            .running
            .iter()
            .position(|running| running.operation.is_woken())
        {
            let running = &mut self.running[position];
            let ended = self.executor.go_on(&mut running.operation, &self.store);
            let started = running.started;
            for asked in self.wire.take_asked() {
                checks::not_asked_again(self, &asked, started);
            }
            if let Some(ended) = ended {
                let running = self.running.remove(position);
                self.note_end(running, ended);
            }
        }
    }

    pub(crate) fn is_doing(&self, what: impl Fn(&Doing) -> bool) -> bool {
        self.running.iter().any(|running| what(&running.doing))
    }

    fn note_end(&mut self, running: Running, ended: Result<Told, AppError>) {
        let id = running.operation.id;
        let told = match ended {
            Ok(told) => told,
            Err(error) => {
                self.trace.note(format!("#{id} ends: {error}"));
                // A statement that failed is asked for again.
                if !matches!(error, AppError::Refused(_))
                    && !matches!(running.doing, Doing::Compare)
                {
                    self.broken.push(format!("#{id} failed: {error}"));
                }
                self.note_refusal(running.doing, error);
                return;
            }
        };
        match (told, running.doing) {
            (Told::Added(added), Doing::Add { notary, .. }) => {
                self.trace.note(format!(
                    "#{id} ends: added {}",
                    self.trace.name("item", &added.item.to_string())
                ));
                self.items.push(Acknowledged {
                    what: added.item,
                    notary,
                    step: self.step,
                });
            }
            (Told::Ordered(summary), Doing::Order { notary, key, .. }) => {
                let name = self.name_order(summary.id);
                self.trace.note(format!(
                    "#{id} ends: {name} (number {}) of {} kopiykas is {}",
                    summary.number,
                    summary.sum.kopiykas(),
                    summary.status.as_str()
                ));
                self.note_order(notary, &key, summary.id);
                self.show(summary.id, summary.widget_url.as_deref());
            }
            (Told::Link(url), Doing::Link { order, .. }) => {
                let name = self.trace.name("invoice", invoice_of_page(&url));
                self.trace.note(format!("#{id} ends: the page of {name}"));
                self.show(order, Some(&url));
            }
            (
                Told::Looked(view),
                Doing::Look {
                    order,
                    charged,
                    strictly,
                    ..
                },
            ) => {
                let status = view.order.status;
                // While money may still come, the page does not say that the payment is over.
                let is_over = strictly || !view.order.payment_state.may_take_money();
                self.trace.note(format!("#{id} ends: {}", status.as_str()));
                if charged
                    && is_over
                    && !status.has_money()
                    && status.is_final()
                    && !self.wire.met_a_fault(id)
                {
                    self.broken.push(format!(
                        "{} is called {} although its money had been taken when it was asked about",
                        self.name_order(order),
                        status.as_str()
                    ));
                }
                if status.has_money() && !checks::was_charged(self, order) {
                    self.broken.push(format!(
                        "{} is called {} and was never charged",
                        self.name_order(order),
                        status.as_str()
                    ));
                }
                self.show(order, view.order.widget_url.as_deref());
            }
            (Told::Report(outcome), Doing::Report(letter)) => {
                self.trace.note(format!("#{id} ends: {outcome:?}"));
                match outcome {
                    ReportOutcome::Taken => {}
                    ReportOutcome::TryAgain => self.send_again(letter),
                    ReportOutcome::NotGenuine => {
                        self.broken.push("a genuine report was refused".to_owned())
                    }
                }
            }
            (Told::Due(due), Doing::Work) => {
                self.trace.note(format!("#{id} ends: {due} were due"));
                self.due = Some(due);
            }
            (Told::Done, Doing::Compare) => {
                self.trace.note(format!("#{id} ends"));
                self.compare_at = self.time.truth() + COMPARED_EVERY;
            }
            (_, _) => self.trace.note(format!("#{id} ends")),
        }
    }

    fn note_refusal(&mut self, doing: Doing, error: AppError) {
        match doing {
            Doing::Order {
                notary,
                key,
                client,
                token,
            } => {
                if let AppError::Refused(refusal) = &error
                    && let Some(Detail::Order(order)) = &refusal.detail
                {
                    // The page opens the order of the other tab.
                    self.show(order.id, order.widget_url.as_deref());
                    self.people.know(notary, order.id);
                }
                self.people.remember_try(notary, key, client, token);
            }
            Doing::Report(letter) => self.send_again(letter),
            Doing::Link { order, .. } => self.people.wait_for_link(order, self.time.truth()),
            Doing::Compare => self.compare_at = self.time.truth() + COMPARED_EVERY,
            _ => {}
        }
    }

    /// Returns the name of an operation in the trace.
    fn name_of(&self, doing: &Doing) -> String {
        match doing {
            Doing::Add { notary, key } => format!("notary {notary} adds {key}"),
            Doing::Edit => "the cart is changed".to_owned(),
            Doing::Order {
                notary, key, token, ..
            } => {
                let method = if token.is_some() {
                    "a saved card"
                } else {
                    "a page"
                };
                format!("notary {notary} orders by {method}, {key}")
            }
            Doing::Link { notary, order } => {
                format!(
                    "notary {notary} asks for a link for {}",
                    self.name_order(*order)
                )
            }
            Doing::Look { notary, order, .. } => {
                format!("notary {notary} looks at {}", self.name_order(*order))
            }
            Doing::Report(letter) => {
                let body: serde_json::Value =
                    serde_json::from_slice(&letter.report.body).unwrap_or_default();
                format!(
                    "a report: {} is {}",
                    self.trace.name("invoice", &letter.report.invoice_id),
                    body["status"].as_str().unwrap_or_default()
                )
            }
            Doing::Work => "the worker".to_owned(),
            Doing::Compare => "the comparison with the statement".to_owned(),
        }
    }

    pub(crate) fn name_order(&self, order: OrderId) -> String {
        self.trace.name("order", &order.to_string())
    }
}
