//! Links and QR codes for clients: notaries give them out and take them back, and clients use them.

use cabinet_app::client_link::LinkRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::payment::CodesPaymentRequest;
use cabinet_domain::{Actor, Locale, OrderId, Origin, TransferId};
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};
use secrecy::ExposeSecret as _;

use crate::action::{Action, Outcome, Question};
use crate::browsers::ClientLink;
use crate::database::{notary, origin_of};
use crate::history::History;
use crate::ledger;

impl History<'_> {
    /// Lets a notary or a client do something with links and codes.
    pub(super) fn use_links_and_codes(&mut self) {
        let has = |is_there: bool, weight| if is_there { weight } else { 0 };
        let weights = [
            4,
            has(!self.browsers.links.is_empty(), 18),
            has(!self.browsers.links.is_empty(), 3),
            12,
            has(!self.browsers.coded.is_empty(), 14),
            has(!self.browsers.marked.is_empty(), 20),
            has(!self.browsers.coded.is_empty(), 16),
            4,
        ];
        match self.chance.weighted(&weights) {
            0 => self.make_link(),
            1 => {
                if let Some(link) = self.pick_link() {
                    self.pay_by_link(link);
                }
            }
            2 => self.end_link_meanwhile(),
            3 => {
                if let Some((number, order)) = self.pick_unpaid_order(|_| true) {
                    self.ask_for_codes(number, order);
                }
            }
            4 => self.mark_codes_paid(),
            5 => self.undo_codes_paid(),
            6 => self.use_what_has_codes(),
            _ => self.do_at_once(),
        }
    }

    /// Returns an order that may still be paid in any way.
    fn pick_unpaid_order(
        &mut self,
        is_meant: impl Fn(OrderId) -> bool,
    ) -> Option<(usize, OrderId)> {
        let store = self.store.clone();
        let all = self.browsers.archive.iter();
        let all: Vec<_> = all.filter(|(_, order)| is_meant(*order)).copied().collect();
        let read = move |tx: &mut Tx| -> Result<Vec<_>, StorageError> {
            let mut unpaid = Vec::new();
            for (owner, id) in &all {
                if let Some(order) = orders::by_id(tx, *id)?
                    && !order.status.has_money()
                    && order.cancelled_at.is_none()
                    && order.returned_to_cart_at.is_none()
                {
                    unpaid.push((*owner, *id));
                }
            }
            Ok(unpaid)
        };
        let unpaid = self
            .executor
            .run(async move { store.read_long(read).await })
            .expect("the orders can be read");
        self.chance.pick(&unpaid).copied()
    }

    /// Lets somebody do something with an order whose codes were given out, before which that person has to be asked.
    fn use_what_has_codes(&mut self) {
        let coded = self.browsers.coded.clone();
        let Some((number, order)) = self.pick_unpaid_order(|order| coded.contains(&order)) else {
            return;
        };
        let link = self.browsers.last_link(order);
        match (self.chance.weighted(&[3, 3, 1, 1]), link) {
            (0, Some(link)) => self.pay_by_link(link),
            (0 | 1, _) => self.ask_for_link_of(number, order),
            (2, _) => self.repeat(number, order),
            _ => self.cancel_order(number, order),
        }
    }

    /// Lets several windows do something with one order at the same moment.
    fn do_at_once(&mut self) {
        let Some((number, order)) = self.pick_unpaid_order(|_| true) else {
            return;
        };
        let link = self.browsers.last_link(order);
        let chosen: Vec<usize> = (0..2).map(|_| self.chance.below(5)).collect();
        self.at_once(|history| {
            for one in chosen {
                match (one, &link) {
                    (0, Some(link)) => history.pay_by_link(link.clone()),
                    (0 | 1, _) => history.ask_for_link_of(number, order),
                    (2, _) => history.mark(number, order),
                    (3, _) => history.cancel_order(number, order),
                    _ => history.ask_for_codes(number, order),
                }
            }
        });
    }

    /// Makes a link for an order, in place of an earlier one.
    fn make_link(&mut self) {
        let Some((number, order)) = self.pick_unpaid_order(|_| true) else {
            return;
        };
        let (services, id) = (self.services.clone(), notary(number));
        self.start(
            Action::MakeLink {
                notary: number,
                order,
            },
            async move {
                let (order, request) = (order.to_string(), LinkRequest::default());
                let (errors, origin) = (FieldErrors::new(), origin_of(id));
                let made = services
                    .client_links
                    .make(id, &order, request, errors, origin);
                Ok(Outcome::ClientLink(
                    made.await?.token.expose_secret().to_owned(),
                ))
            },
        );
    }

    /// Returns a link, mostly one that is not over.
    fn pick_link(&mut self) -> Option<ClientLink> {
        let open = self.browsers.links.iter();
        let open: Vec<_> = open.filter(|link| !link.is_over).cloned().collect();
        if self.chance.percent(80) {
            return self.chance.pick(&open).cloned();
        }
        self.chance.pick(&self.browsers.links).cloned()
    }

    /// Lets a client ask for the acquirer's page, or for the codes, by a link.
    fn pay_by_link(&mut self, link: ClientLink) {
        let services = self.services.clone();
        let token = link.token.clone().into();
        if self.chance.percent(20) {
            let action = Action::Codes { order: link.order };
            self.start(action, async move {
                let codes = services.client_links.codes(&token, Locale::Uk, client());
                let given = codes.await?.is_some();
                Ok(if given {
                    Outcome::Codes
                } else {
                    Outcome::OpensNothing
                })
            });
            return;
        }
        let despite_codes = self.chance.percent(30);
        let action = Action::ClientPays {
            question: self.question_about(link.order, despite_codes),
            link,
        };
        self.start(action, async move {
            let page = services.client_links.pay(&token, despite_codes, client());
            Ok(page
                .await?
                .map_or(Outcome::OpensNothing, |page| Outcome::Link(page.url)))
        });
    }

    /// Ends a link, while the client pays by it.
    fn end_link_meanwhile(&mut self) {
        let Some(link) = self.pick_link() else { return };
        let is_paying = self.chance.percent(70);
        self.at_once(|history| {
            if is_paying {
                history.pay_by_link(link.clone());
            }
            history.withdraw_link(&link);
        });
    }

    /// Withdraws the link of an order.
    fn withdraw_link(&mut self, link: &ClientLink) {
        let (services, id, order) = (self.services.clone(), notary(link.notary), link.order);
        self.start(Action::WithdrawLink { order }, async move {
            let (order, origin) = (order.to_string(), origin_of(id));
            services.client_links.withdraw(id, &order, origin).await?;
            Ok(Outcome::Done)
        });
    }

    /// Lets a notary give out the QR codes of an order.
    fn ask_for_codes(&mut self, number: usize, order: OrderId) {
        let (services, id) = (self.services.clone(), notary(number));
        self.start(Action::Codes { order }, async move {
            let (order, origin) = (order.to_string(), origin_of(id));
            services
                .payments
                .codes(id, &order, Locale::Uk, origin)
                .await?;
            Ok(Outcome::Codes)
        });
    }

    /// Lets a notary mark an order as paid by its QR codes.
    fn mark_codes_paid(&mut self) {
        let coded = self.browsers.coded.clone();
        if let Some((number, order)) = self.pick_unpaid_order(|order| coded.contains(&order)) {
            self.mark(number, order);
        }
    }

    fn mark(&mut self, number: usize, order: OrderId) {
        self.browsers.mark_asked.insert(order);
        let (services, id) = (self.services.clone(), notary(number));
        self.start(Action::MarkCodes { order }, async move {
            let (order, errors) = (order.to_string(), FieldErrors::new());
            let request = CodesPaymentRequest { reference: None };
            let origin = origin_of(id);
            let marking = services
                .payments
                .mark_codes_paid(id, &order, request, errors, origin);
            marking.await?;
            Ok(Outcome::Done)
        });
    }

    /// Takes the mark back.
    fn undo_codes_paid(&mut self) {
        let marked = self.browsers.marked.clone();
        let Some((number, order)) = self.pick_unpaid_order(|order| marked.contains(&order)) else {
            return;
        };
        let (services, id) = (self.services.clone(), notary(number));
        let was_marked = self.browsers.marked.remove(&order);
        self.start(Action::UndoMark { order, was_marked }, async move {
            let (order, origin) = (order.to_string(), origin_of(id));
            services
                .payments
                .undo_codes_paid(id, &order, origin)
                .await?;
            Ok(Outcome::Done)
        });
    }

    /// Returns what must be asked before a page of an order is given from now on.
    pub(super) fn question_about(&self, order: OrderId, despite_codes: bool) -> Question {
        Question {
            is_due: self.browsers.coded.contains(&order) && !despite_codes,
        }
    }

    /// Returns the same for payments of an order that go into the cart. It is not asked about an order that was paid.
    pub(super) fn question_about_items(&self, order: OrderId, despite_codes: bool) -> Question {
        let is_open = !ledger::was_charged(&self.acquirer, order)
            && !self.browsers.mark_asked.contains(&order)
            && !self.browsers.cancelled.contains(&order);
        Question {
            is_due: is_open && self.question_about(order, despite_codes).is_due,
        }
    }

    /// Lets the operator release what was held because somebody may have paid by codes, too.
    pub(crate) fn release_what_codes_hold(&mut self) {
        let held: Vec<TransferId> = self
            .all_transfers()
            .into_values()
            .map(|(_, transfer)| transfer)
            .filter(|transfer| {
                transfer.held_at.is_some() && self.browsers.coded.contains(&transfer.order_id)
            })
            .map(|transfer| transfer.id)
            .collect();
        if held.is_empty() {
            return;
        }
        let (transfers, now) = (self.transfers(), self.time.of_cabinet());
        let releasing = transfers.release(&held, "nobody paid by the codes", now);
        let released = self.executor.run(releasing);
        self.trace.note(format!(
            "{} transfers are released: {}",
            held.len(),
            released.is_ok()
        ));
    }
}

/// Returns the origin of a client.
const fn client() -> Origin {
    Origin {
        actor: Actor::Stranger,
        network: None,
        browser: None,
    }
}
