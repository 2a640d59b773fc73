//! Records how operations ended: what the cabinet acknowledged, and what the browsers learnt.

use cabinet_app::kernel::refusal::{AppError, Detail};
use cabinet_app::order::OrderSummary;
use cabinet_app::payment::ReportOutcome;
use cabinet_domain::{ItemId, Key, Money, OrderId};

use crate::acquirer::{end_of_page, invoice_of_page};
use crate::action::{Action, Outcome, ReportDelivery, Running};
use crate::browsers::{ClientLink, Page};
use crate::checks;
use crate::deeds::Deed;
use crate::gates::OperationId;
use crate::history::{Acknowledged, COMPARED_EVERY, History};
use crate::thieves::OrderOfThieves;

impl History<'_> {
    /// Records how an operation ended.
    pub(crate) fn record_result(&mut self, running: Running, result: Result<Outcome, AppError>) {
        let id = running.operation.id;
        match result {
            Ok(outcome) => self.record_outcome(id, running.action, outcome),
            Err(error) => self.record_failure(id, running.action, error),
        }
    }

    fn record_outcome(&mut self, id: OperationId, action: Action, outcome: Outcome) {
        match (outcome, action) {
            (Outcome::Added(added), Action::Add { words, .. }) => {
                self.record_item(id, added.item, words);
            }
            (Outcome::Ordered(summary), Action::Order { notary, key, .. }) => {
                self.record_order(id, notary, key, &summary);
            }
            (Outcome::Done, Action::Edit { ticket }) => {
                self.trace.note(format!("#{id} ends"));
                if let Some(ticket) = ticket {
                    self.carts.done(ticket);
                }
            }
            (Outcome::Done, Action::Undo { ticket }) => {
                self.trace.note(format!("#{id} ends"));
                self.carts.done(ticket);
                self.count(Deed::DeletionUndone);
            }
            (Outcome::Done, Action::SaveForm { ticket, form }) => {
                self.trace.note(format!("#{id} ends: saved"));
                self.carts.done(ticket);
                self.count(Deed::FormSaved);
                if form.is_with_other_price {
                    self.count(Deed::FormSavedWhileRepriced);
                }
                if !self.carts.saved(form.item, form.version) && !self.is_forgetful() {
                    self.broken.push(format!(
                        "#{id} overwrites what another window saved, without a word"
                    ));
                }
            }
            (
                Outcome::Repeated(count),
                Action::Repeat {
                    order,
                    key,
                    question,
                },
            ) => {
                self.trace.note(format!("#{id} ends: {count} items"));
                self.count(Deed::Repeated);
                checks::check_question(self, order, question, "is repeated");
                let before = self.carts.repeated.insert(key, count);
                if before.is_some_and(|before| before != count) && !self.is_forgetful() {
                    self.broken
                        .push(format!("#{id}: one press repeats an order twice"));
                }
            }
            (Outcome::ClientLink(token), Action::MakeLink { notary, order }) => {
                self.trace.note(format!("#{id} ends"));
                self.end_links(order);
                self.browsers.links.push(ClientLink {
                    notary,
                    order,
                    token,
                    is_over: false,
                });
            }
            (Outcome::Done, Action::WithdrawLink { order }) => {
                self.trace.note(format!("#{id} ends: withdrawn"));
                self.end_links(order);
            }
            (Outcome::Link(url), Action::ClientPays { link, question }) => {
                let name = self.trace.name("invoice", &invoice_of_page(&url));
                self.trace.note(format!("#{id} ends: the page of {name}"));
                if link.is_over && !self.is_forgetful() {
                    self.broken
                        .push(format!("#{id}: a link that is over opens a page"));
                }
                checks::check_page(self, link.order, question);
                self.count(Deed::PageByLink);
                self.record_page(link.order, Some(&url));
                let given = invoice_of_page(&url);
                let mut pages = self.pages.iter_mut();
                if let Some(page) = pages.find(|page| page.invoice == given) {
                    page.is_by_link = true;
                    self.browsers.opened.push(page.clone());
                }
            }
            (Outcome::OpensNothing, Action::ClientPays { link, .. }) => {
                self.trace
                    .note(format!("#{id} ends: the link opens nothing"));
                if link.is_over {
                    self.count(Deed::LinkOver);
                }
            }
            (Outcome::Codes, Action::Codes { order }) => {
                self.trace.note(format!("#{id} ends: codes"));
                self.count(Deed::CodesGiven);
                self.browsers.coded.insert(order);
                checks::check_closed(self, order, "has QR codes");
            }
            (Outcome::Done, Action::MarkCodes { order }) => {
                self.trace.note(format!("#{id} ends: marked"));
                self.count(Deed::Marked);
                self.browsers.marked.insert(order);
                checks::check_closed(self, order, "is marked as paid by QR codes");
            }
            (
                Outcome::Link(url),
                Action::Link {
                    order, question, ..
                },
            ) => {
                checks::check_page(self, order, question);
                let name = self.trace.name("invoice", &invoice_of_page(&url));
                self.trace.note(format!("#{id} ends: the page of {name}"));
                self.record_page(order, Some(&url));
            }
            (Outcome::Done, Action::UndoMark { was_marked, .. }) => {
                self.trace.note(format!("#{id} ends: not marked"));
                if was_marked {
                    self.count(Deed::MarkUndone);
                }
            }
            (
                Outcome::Cancelled,
                Action::Cancel {
                    order, question, ..
                },
            ) => {
                self.trace.note(format!("#{id} ends: cancelled"));
                checks::check_question(self, order, question, "goes back to the cart");
                checks::check_closed(self, order, "is cancelled");
            }
            (Outcome::GivenBack(state), Action::GiveBack { .. }) => {
                self.trace.note(format!("#{id} ends: {state}"));
            }
            (
                Outcome::PaidAgain(summary),
                Action::PayAgain {
                    order, question, ..
                },
            ) => {
                checks::check_page(self, order, question);
                let status = summary.status.as_str();
                self.trace.note(format!("#{id} ends: {status}"));
                self.record_page(order, summary.payment_page_url.as_deref());
            }
            (
                Outcome::Looked(view),
                Action::Look {
                    charged, strictly, ..
                },
            ) => {
                let status = view.order.status.as_str();
                self.trace.note(format!("#{id} ends: {status}"));
                checks::check_shown_order(self, id, &view, charged, strictly);
                self.record_page(view.order.id, view.order.payment_page_url.as_deref());
            }
            (Outcome::Report(taken), Action::Report(delivery)) => {
                self.record_delivery(id, delivery, taken);
            }
            (Outcome::Due(due), Action::Work) => {
                self.trace.note(format!("#{id} ends: {due} were due"));
                self.due = Some(due);
            }
            (Outcome::Done, Action::Compare) => {
                self.trace.note(format!("#{id} ends"));
                self.compare_at = self.time.truth() + COMPARED_EVERY;
            }
            (outcome, Action::Steal { notary, what }) => {
                self.trace.note(format!("#{id} ends: done"));
                self.record_theft(what, None);
                if let Outcome::Ordered(made) = outcome {
                    self.thieves.orders.push(OrderOfThieves {
                        notary,
                        order: made.id,
                        page: made.payment_page_url,
                    });
                }
            }
            (_, _) => self.trace.note(format!("#{id} ends")),
        }
    }

    /// Records that the links of an order open nothing any more.
    fn end_links(&mut self, order: OrderId) {
        let pays = |action: &Action| matches!(action, Action::ClientPays { link, .. } if link.order == order);
        if self.is_under_way(pays) {
            self.count(Deed::LinkEndedWhilePaying);
        }
        self.browsers.end_links(order);
    }

    /// Records an item that was added to a cart.
    fn record_item(&mut self, id: OperationId, item: ItemId, words: Option<(String, Money)>) {
        self.carts.added(item, words, self.step);
        let name = self.trace.name("item", &item.to_string());
        self.trace.note(format!("#{id} ends: added {name}"));
    }

    /// Records an order that was answered to the browser.
    fn record_order(&mut self, id: OperationId, notary: usize, key: String, made: &OrderSummary) {
        let order = made.id;
        let name = self.name_order(order);
        self.trace.note(format!(
            "#{id} ends: {name} (number {}) of {} kopiykas is {}",
            made.number,
            made.sum.kopiykas(),
            made.status.as_str()
        ));
        let mut earlier = self.browsers.ordered.iter();
        let before = earlier.find(|ordered| ordered.0 == notary && ordered.1 == key);
        if before.is_some_and(|before| before.2 != order) && !self.is_forgetful() {
            self.broken.push(format!("{key} has made two orders"));
        }
        self.browsers.ordered.push((notary, key, order));
        self.browsers.add_to_archive(notary, order);
        self.orders.push(Acknowledged {
            what: order,
            notary,
            step: self.step,
        });
        self.record_page(order, made.payment_page_url.as_deref());
    }

    /// Records a page that a browser is sent to, where somebody may pay from now on.
    fn record_page(&mut self, order: OrderId, address: Option<&str>) {
        let Some(address) = address else { return };
        let invoice = invoice_of_page(address);
        checks::check_other_pages(self, order, &invoice);
        if self.pages.iter().any(|page| page.invoice == invoice) {
            return;
        }
        self.pages.push(Page {
            order,
            invoice,
            address: address.to_owned(),
            is_by_link: false,
            step: self.step,
        });
        // A payer may also open it later.
        if end_of_page(address).is_some() && self.chance.percent(70) {
            self.acquirer.open(address);
        }
    }

    fn record_delivery(&mut self, id: OperationId, delivery: ReportDelivery, taken: ReportOutcome) {
        self.trace.note(format!("#{id} ends: {taken:?}"));
        match taken {
            ReportOutcome::Taken => {}
            ReportOutcome::TryAgain => self.deliveries.extend(delivery.next_try()),
            ReportOutcome::NotGenuine => {
                self.broken.push("a genuine report was refused".to_owned());
            }
        }
    }

    fn record_failure(&mut self, id: OperationId, action: Action, error: AppError) {
        self.trace.note(format!("#{id} ends: {error}"));
        // A statement that failed is asked for again.
        if !matches!(error, AppError::Refused(_)) && !matches!(action, Action::Compare) {
            self.broken.push(format!("#{id} failed: {error}"));
        }
        let refused = match &error {
            AppError::Refused(refusal) => Some(refusal.key),
            _ => None,
        };
        match (refused, &action) {
            (Some(Key::CartItemChanged), Action::SaveForm { .. }) => self.count(Deed::FormRefused),
            (Some(Key::PaymentCodesGiven), _) => self.count(Deed::CodesAskedAbout),
            (
                Some(Key::OrderNotPayable),
                Action::Link { order, .. }
                | Action::PayAgain { order, .. }
                | Action::ClientPays {
                    link: ClientLink { order, .. },
                    ..
                },
            ) if self.browsers.marked.contains(order) => self.count(Deed::RefusedForMark),
            _ => {}
        }
        match action {
            Action::Edit {
                ticket: Some(ticket),
            }
            | Action::Undo { ticket }
            | Action::SaveForm { ticket, .. }
                if refused.is_some() =>
            {
                self.carts.refused(ticket);
            }
            Action::Order {
                notary,
                key,
                client,
                token,
            } => {
                if let AppError::Refused(refusal) = &error
                    && let Some(Detail::Order(order)) = &refusal.detail
                {
                    // The page opens the order of the other tab.
                    self.record_page(order.id, order.payment_page_url.as_deref());
                    self.browsers.add_to_archive(notary, order.id);
                }
                self.browsers
                    .remember_unanswered_order(notary, key, client, token);
            }
            Action::Steal { what, .. } => self.record_theft(what, Some(&error)),
            Action::Report(delivery) => self.deliveries.extend(delivery.next_try()),
            Action::Link { order, .. } | Action::PayAgain { order, .. } => {
                self.browsers.wait_for_link(order, self.time.truth())
            }
            Action::Compare => self.compare_at = self.time.truth() + COMPARED_EVERY,
            _ => {}
        }
    }
}
