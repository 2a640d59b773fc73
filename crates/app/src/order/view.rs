//! Reading orders: one, a page of them, or the status of one.

use cabinet_domain::payment::{Delays, PaymentState};
use cabinet_domain::{Key, Money, NotaryId, Order, OrderId, OrderItem, OrderStatus, ReturnedPart};
use cabinet_storage::deal::deals;
use cabinet_storage::order::order_list::{self, ListedOrder};
use cabinet_storage::order::orders;
use cabinet_storage::payment::attempts;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Orders;
use super::search::{OrderSearch, ValidSearch, read_search};
use crate::cart::{OwnCodes, refusal_today};
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::order::own_order::{not_found, own_order};

/// An order with its items.
#[derive(Clone, Debug)]
pub struct OrderView {
    /// The order. Its link is empty if it can't be paid.
    pub order: Order,
    /// In the order of the cart.
    pub items: Vec<OrderItem>,
    /// Parts that a bank has sent back.
    pub returned: Vec<ReturnedPart>,
    /// What was given back to the card before a bank had it, of an order that stays paid: a refunded one says so itself.
    pub given_back: Money,
    /// Whether a payment comes from a deal.
    pub of_deal: bool,
    /// By when it is known whether a charge was made whose answer was lost. Only of an order that is read alone.
    pub answer_expected_at: Option<Timestamp>,
}

/// A page of orders, newest first.
#[derive(Clone, Debug)]
pub struct OrderPage {
    /// The orders.
    pub orders: Vec<OrderView>,
    /// Where the next page begins.
    pub next: Option<OrderId>,
}

impl Orders {
    /// Returns a page of the notary's orders, newest first.
    ///
    /// # Errors
    /// The keys of the fields.
    pub async fn list(
        &self,
        notary: NotaryId,
        search: OrderSearch,
        errors: FieldErrors,
    ) -> Result<OrderPage> {
        let ValidSearch { filter, limit, .. } = read_search(&search, errors)?;
        let (searches, looks_through_all) = (filter.search.is_some(), !filter.statuses.is_empty());
        // One row more than is shown tells whether there is another page.
        let read = move |tx: &mut Tx| order_list::page_of(tx, notary, &filter, limit + 1);
        let page = if searches {
            self.store.search(read).await?
        } else if looks_through_all {
            self.store.read_long(read).await?
        } else {
            self.store.read(read).await?
        };
        let own_codes = self.own_codes(notary).await?;
        let mut orders: Vec<OrderView> = page
            .into_iter()
            .map(|listed| self.shown(listed, &own_codes))
            .collect();
        let more = orders.len() > usize::try_from(limit).unwrap_or(usize::MAX);
        if more {
            orders.pop();
        }
        let next = orders.last().filter(|_| more).map(|view| view.order.id);
        Ok(OrderPage { orders, next })
    }

    /// Returns an order of the notary with the status that the acquirer tells at this moment.
    ///
    /// # Errors
    /// `order_not_found`; `acquirer_unavailable` if the acquirer does not answer, so that no old status is taken for a new one.
    pub async fn status(&self, notary: NotaryId, order: &str) -> Result<OrderView> {
        let known = own_order(&self.store, notary, order).await?;
        if known.payment_state.may_take_money() && !self.payments.inquire(known.id).await? {
            return Err(Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable).into());
        }
        self.view(notary, order, false).await
    }

    /// Returns an order of the notary. With `ask`, the acquirer is asked first if the outcome is open.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn view(&self, notary: NotaryId, order: &str, ask: bool) -> Result<OrderView> {
        let known = own_order(&self.store, notary, order).await?;
        if ask && known.payment_state.may_take_money() {
            self.payments.inquire(known.id).await?;
        }
        let (id, now, delays) = (known.id, self.clock.now(), self.payments.settler.delays);
        let found = self
            .store
            .read(move |tx: &mut Tx| {
                let Some(order) = orders::order_of(tx, notary, id)? else {
                    return Ok(None);
                };
                let undelivered = transfers::undelivered_of(tx, id)?;
                let expected = answer_expected_at(tx, &order, &delays)?;
                let listed = ListedOrder {
                    order,
                    items: orders::items_of(tx, id)?,
                    returned: undelivered.returned,
                    given_back: undelivered.given_back,
                    of_deal: deals::has_order(tx, id)?,
                };
                Ok::<_, StorageError>(Some((listed, expected)))
            })
            .await?;
        let own_codes = self.own_codes(notary).await?;
        let (listed, expected) = found.ok_or_else(not_found)?;
        Ok(OrderView {
            answer_expected_at: expected.filter(|at| *at > now),
            ..self.shown(listed, &own_codes)
        })
    }

    async fn own_codes(&self, notary: NotaryId) -> Result<OwnCodes> {
        let read = move |tx: &mut Tx| OwnCodes::read(tx, notary);
        Ok(self.store.read(read).await?)
    }

    /// Returns an order as it is shown. The open page of a declined payment is left out if a fee or an account has changed:
    /// whoever asks for a link then gets that page closed and the items back in the cart.
    fn shown(&self, listed: ListedOrder, own_codes: &OwnCodes) -> OrderView {
        let ListedOrder {
            mut order,
            items,
            returned,
            given_back,
            of_deal,
        } = listed;
        if order.codes_payment().is_some() {
            // Whatever page the acquirer may still show, nobody is led to it.
            order.payment_page_url = None;
        }
        if order.payment_state == PaymentState::DeclinedPageOpen
            && let Ok(reference) = self.reference.current()
        {
            let now = self.clock.now();
            let is_changed = |item: &OrderItem| {
                refusal_today(&item.content, &reference, own_codes, now).is_some()
            };
            if items.iter().any(is_changed) {
                order.payment_page_url = None;
            }
        }
        // A charge holds every part of it, so the sum is not above what money can be.
        let given_back = Money::sum(given_back.iter().map(|part| part.planned.amount));
        let is_paid = order.status == OrderStatus::Paid;
        OrderView {
            order,
            items,
            returned,
            given_back: given_back.ok().filter(|_| is_paid).unwrap_or(Money::ZERO),
            of_deal,
            answer_expected_at: None,
        }
    }
}

/// Returns by when it is known whether the order's charge was made, where its answer was lost.
fn answer_expected_at(
    tx: &mut Tx,
    order: &Order,
    delays: &Delays,
) -> Result<Option<Timestamp>, StorageError> {
    if order.payment_state != PaymentState::Unknown {
        return Ok(None);
    }
    let attempts = attempts::of_order(tx, order.id)?;
    let expected = attempts
        .iter()
        .filter_map(|attempt| attempt.answer_expected_at(delays));
    Ok(expected.max())
}
