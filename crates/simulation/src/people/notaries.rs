//! What notaries do with their carts, orders and links.

use cabinet_app::cart::CartGroupView;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::{OrderRequest, PayAgainRequest};
use cabinet_app::payment::CancelRequest;
use cabinet_domain::{CancelledItems, ItemId, Money, OrderId, SessionId};

use super::forms::CLIENTS;
use crate::action::{Action, Outcome};
use crate::database::{notary, origin_of, signer};
use crate::history::History;
use crate::ledger;

impl History<'_> {
    pub(super) fn add(&mut self, number: usize) {
        let Some(request) = self.random_payment() else {
            return;
        };
        let key = self.browsers.fresh_key();
        let (services, id) = (self.services.clone(), notary(number));
        let words = request.recipient_name.is_some();
        let words = request
            .purpose
            .clone()
            .zip(request.amount)
            .filter(|_| words);
        let action = Action::Add {
            notary: number,
            key: key.clone(),
            words,
        };
        self.start(action, async move {
            let errors = FieldErrors::new();
            // A payment to the profile's own account asks for no confirmation, so no session is needed.
            let session = SessionId::new(id.uuid());
            let added = services
                .cart
                .add(id.into(), session, request, Some(&key), errors)
                .await;
            added.map(Outcome::Added)
        });
    }

    /// Returns a random group of the notary's cart.
    pub(super) fn pick_group(&mut self, number: usize) -> Option<CartGroupView> {
        let groups = self.groups(number);
        self.chance.pick(&groups).cloned()
    }

    /// Returns the groups of the notary's cart, without those of thieves and of what is proved before it is paid.
    pub(super) fn groups(&self, number: usize) -> Vec<CartGroupView> {
        let mut groups = self.all_groups(number);
        groups.retain(|group| {
            CLIENTS
                .iter()
                .any(|known| known.0 == group.client.inn.as_str())
        });
        groups
    }

    /// Returns all groups of the notary's cart.
    pub(super) fn all_groups(&self, number: usize) -> Vec<CartGroupView> {
        let (services, id) = (self.services.clone(), notary(number));
        let cart = self
            .executor
            .run(async move { services.cart.view(id).await });
        cart.expect("the cart can be read").groups
    }

    /// Takes today's price for an item.
    pub(super) fn reprice(&mut self, number: usize, item: ItemId) {
        let (services, id) = (self.services.clone(), notary(number));
        self.start(Action::Edit { ticket: None }, async move {
            services
                .cart
                .reprice(id, Some(item.to_string()), FieldErrors::new())
                .await?;
            Ok(Outcome::Done)
        });
    }

    pub(super) fn order(&mut self, number: usize) {
        let Some(group) = self.pick_group(number) else {
            return self.add(number);
        };
        let changed: Vec<ItemId> = group
            .items
            .iter()
            .filter(|view| view.repricing.is_some())
            .map(|view| view.item.id)
            .collect();
        if !changed.is_empty() && self.chance.percent(70) {
            for item in changed {
                self.reprice(number, item);
            }
            return;
        }
        let own = self
            .browsers
            .saved_cards
            .iter()
            .find(|token| token.0 == number);
        let token = own.map(|token| token.1.clone());
        let token = token.filter(|_| self.chance.percent(self.weather.paid_by_card));
        let (key, client) = (self.browsers.fresh_key(), group.client.id.to_string());
        let shown = Some(group.amount);
        self.start_order(number, &key, &client, token.clone(), shown);
        if self.chance.percent(20) {
            // The button is pressed twice.
            self.start_order(number, &key, &client, token, shown);
        } else if self.chance.percent(10) {
            // It is pressed in another tab too.
            let key = self.browsers.fresh_key();
            self.start_order(number, &key, &client, None, shown);
        }
    }

    pub(super) fn start_order(
        &mut self,
        number: usize,
        key: &str,
        client: &str,
        token: Option<String>,
        sum: Option<Money>,
    ) {
        let (services, id) = (self.services.clone(), notary(number));
        let request = OrderRequest {
            client_id: Some(client.to_owned()),
            token_id: token.clone(),
            sum,
            idempotency_key: Some(key.to_owned()),
            ..OrderRequest::default()
        };
        let action = Action::Order {
            notary: number,
            key: key.to_owned(),
            client: client.to_owned(),
            token,
        };
        self.start(action, async move {
            let made = services
                .orders
                .create(signer(number), request, FieldErrors::new(), origin_of(id))
                .await;
            made.map(Outcome::Ordered)
        });
    }

    /// Tries again if there was no answer, or none with an order.
    pub(super) fn try_again(&mut self) {
        let position = self.chance.below(self.browsers.unanswered_orders.len());
        let again = self.browsers.unanswered_orders.remove(position);
        // No sum is sent, because the group may have changed since the first try.
        self.start_order(again.notary, &again.key, &again.client, again.token, None);
    }

    /// Returns an order of the archive, mostly the latest.
    pub(super) fn pick_order(&mut self) -> Option<(usize, OrderId)> {
        if self.chance.percent(50) {
            self.browsers.archive.last().copied()
        } else {
            self.chance.pick(&self.browsers.archive).copied()
        }
    }

    pub(super) fn look(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let charged = !self.is_forgetful() && ledger::is_charged(&self.acquirer, order);
        let strictly = self.chance.percent(50);
        let action = Action::Look {
            notary: number,
            order,
            charged,
            strictly,
        };
        let (services, id) = (self.services.clone(), notary(number));
        self.start(action, async move {
            let order = order.to_string();
            let view = if strictly {
                services.orders.status(id, &order).await?
            } else {
                services.orders.view(id, &order, true).await?
            };
            Ok(Outcome::Looked(Box::new(view)))
        });
    }

    pub(super) fn ask_for_link(&mut self) {
        let Some((number, order)) = self.pick_order() else {
            return;
        };
        let now = self.time.truth();
        if self.browsers.waits_for_link(order, now) {
            return self.look();
        }
        self.ask_for_link_of(number, order);
    }

    pub(super) fn ask_for_link_of(&mut self, number: usize, order: OrderId) {
        let times = if self.chance.percent(15) { 2 } else { 1 };
        let mut cards = self.browsers.saved_cards.iter();
        let card = cards.find(|token| token.0 == number);
        let card = card.map(|token| token.1.clone());
        if let Some(token) = card.filter(|_| self.chance.percent(self.weather.paid_by_card)) {
            for _ in 0..times {
                self.pay_again(number, order, token.clone());
            }
            return;
        }
        let despite_codes = self.browsers.coded.contains(&order) && self.chance.percent(40);
        for _ in 0..times {
            let action = Action::Link {
                notary: number,
                order,
                question: self.question_about(order, despite_codes),
            };
            let (services, id) = (self.services.clone(), notary(number));
            self.start(action, async move {
                services
                    .payments
                    .renew_invoice(id, &order.to_string(), despite_codes, origin_of(id))
                    .await
                    .map(Outcome::Link)
            });
        }
    }

    /// Cancels an order, sometimes with two presses.
    pub(super) fn cancel(&mut self) {
        if let Some((number, order)) = self.pick_order() {
            self.cancel_order(number, order);
        }
    }

    pub(super) fn cancel_order(&mut self, number: usize, order: OrderId) {
        let items = if self.chance.percent(60) {
            CancelledItems::ToCart
        } else {
            CancelledItems::Drop
        };
        let times = if self.chance.percent(15) { 2 } else { 1 };
        let despite_codes = self.weather.clients && self.chance.percent(50);
        let goes_back = items == CancelledItems::ToCart;
        let question = self.question_about_items(order, despite_codes || !goes_back);
        self.browsers.cancelled.insert(order);
        for _ in 0..times {
            let action = Action::Cancel {
                notary: number,
                order,
                question,
            };
            let (services, id) = (self.services.clone(), notary(number));
            let request = CancelRequest {
                items,
                despite_codes,
            };
            self.start(action, async move {
                services
                    .payments
                    .cancel(
                        id,
                        &order.to_string(),
                        request,
                        FieldErrors::new(),
                        origin_of(id),
                    )
                    .await
                    .map(|()| Outcome::Cancelled)
            });
        }
    }

    /// Charges a saved card for an order.
    fn pay_again(&mut self, number: usize, order: OrderId, token: String) {
        let action = Action::PayAgain {
            notary: number,
            order,
            question: self.question_about(order, false),
        };
        let (services, id) = (self.services.clone(), notary(number));
        let request = PayAgainRequest {
            token_id: Some(token),
            pan: None,
        };
        self.start(action, async move {
            let (order, errors) = (order.to_string(), FieldErrors::new());
            services
                .orders
                .pay_again(signer(number), &order, request, errors, origin_of(id))
                .await
                .map(Outcome::PaidAgain)
        });
    }
}
