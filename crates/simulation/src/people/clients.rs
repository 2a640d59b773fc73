//! Links and QR codes for clients: notaries give them out and take them back, and clients use them.

use cabinet_app::client_link::LinkRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::payment::CodesPaymentRequest;
use cabinet_domain::{Actor, Locale, OrderId, Origin, TransferId};
use secrecy::ExposeSecret as _;

use crate::action::{Action, Outcome, Question};
use crate::browsers::ClientLink;
use crate::database::{notary, origin_of};
use crate::history::History;

impl History<'_> {
    /// Lets a notary or a client do something with links and codes.
    pub(super) fn use_links_and_codes(&mut self) {
        let has_link = !self.browsers.links.is_empty();
        let if_link = |weight| if has_link { weight } else { 0 };
        match self.chance.weighted(&[3, if_link(6), if_link(1), 2, 1, 1]) {
            0 => self.make_link(),
            1 => self.pay_by_link(),
            2 => self.withdraw_link(),
            3 => self.ask_for_codes(),
            4 => self.mark_codes_paid(),
            _ => self.undo_codes_paid(),
        }
    }

    /// Makes a link for an order, in place of an earlier one.
    fn make_link(&mut self) {
        let Some((number, order)) = self.pick_order() else {
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

    fn pick_link(&mut self) -> Option<ClientLink> {
        self.chance.pick(&self.browsers.links).cloned()
    }

    /// Lets a client ask for the acquirer's page, or for the codes, by a link.
    fn pay_by_link(&mut self) {
        let Some(link) = self.pick_link() else { return };
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

    /// Withdraws the link of an order, perhaps while the client pays by it.
    fn withdraw_link(&mut self) {
        let Some(link) = self.pick_link() else { return };
        let (services, id, order) = (self.services.clone(), notary(link.notary), link.order);
        self.start(Action::WithdrawLink { order }, async move {
            let (order, origin) = (order.to_string(), origin_of(id));
            services.client_links.withdraw(id, &order, origin).await?;
            Ok(Outcome::Done)
        });
    }

    /// Lets a notary give out the QR codes of an order.
    fn ask_for_codes(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
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
        let Some((number, order)) = self.pick_order() else {
            return;
        };
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
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let (services, id) = (self.services.clone(), notary(number));
        self.browsers.marked.remove(&order);
        self.start(Action::UndoMark { order }, async move {
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
            is_marked: self.browsers.marked.contains(&order),
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
