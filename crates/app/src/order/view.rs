//! Reading orders: one, a page of them, or the status of one.

use cabinet_domain::payment::{Delays, PaymentState};
use cabinet_domain::{Key, Money, NotaryId, Order, OrderId, OrderItem, OrderStatus, ReturnedPart};
use cabinet_storage::order::order_list::{self, ListedOrder};
use cabinet_storage::payment::attempts;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Orders;
use super::search::{OrderSearch, ValidSearch, read_search};
use crate::cart::{OwnCodes, refusal_today};
use crate::kernel::asker::Asker;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};
use crate::order::own_order::not_found;

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
        asker: impl Into<Asker>,
        search: OrderSearch,
        errors: FieldErrors,
    ) -> Result<OrderPage> {
        let ValidSearch { filter, limit, .. } = read_search(&search, errors)?;
        let (searches, looks_through_all) = (filter.search.is_some(), !filter.statuses.is_empty());
        let (asker, now) = (asker.into(), self.clock.now());
        // One row more than is shown tells whether there is another page.
        let read = move |tx: &mut Tx| {
            let notary = asker.notary(tx, now)?;
            let page = order_list::page_of(tx, notary, &filter, limit + 1)?;
            let own_codes = compared_codes(tx, notary, &page)?;
            Ok::<_, AppError>((page, own_codes))
        };
        let (page, own_codes) = if searches {
            self.store.search(read).await?
        } else if looks_through_all {
            self.store.read_long(read).await?
        } else {
            self.store.read(read).await?
        };
        let mut orders: Vec<OrderView> = page
            .into_iter()
            .map(|listed| self.shown(listed, own_codes.as_ref()))
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
        let view = self.view(notary, order, false).await?;
        if !view.order.payment_state.may_take_money() {
            return Ok(view);
        }
        if !self.payments.inquire(view.order.id).await? {
            return Err(Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable).into());
        }
        self.view(notary, order, false).await
    }

    /// Returns an order of the notary. With `ask`, the acquirer is asked first if the outcome is open.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn view(&self, asker: impl Into<Asker>, order: &str, ask: bool) -> Result<OrderView> {
        let (asker, id) = (asker.into(), OrderId::parse(order));
        let view = self.read_view(asker, id).await?;
        if !ask || !view.order.payment_state.may_take_money() {
            return Ok(view);
        }
        self.payments.inquire(view.order.id).await?;
        self.read_view(asker, id).await
    }

    async fn read_view(&self, asker: Asker, id: Option<OrderId>) -> Result<OrderView> {
        let (now, delays) = (self.clock.now(), self.payments.settler.delays);
        let read = move |tx: &mut Tx| {
            let notary = asker.notary(tx, now)?;
            let id = id.ok_or_else(not_found)?;
            let listed = order_list::one(tx, notary, id)?.ok_or_else(not_found)?;
            let expected = answer_expected_at(tx, &listed.order, &delays)?;
            let own_codes = compared_codes(tx, notary, std::slice::from_ref(&listed))?;
            Ok::<_, AppError>((listed, expected, own_codes))
        };
        let (listed, expected, own_codes) = self.store.read(read).await?;
        Ok(OrderView {
            answer_expected_at: expected.filter(|at| *at > now),
            ..self.shown(listed, own_codes.as_ref())
        })
    }

    /// Returns an order as it is shown. The open page of a declined payment is left out if a fee or an account has changed:
    /// whoever asks for a link then gets that page closed and the items back in the cart.
    fn shown(&self, listed: ListedOrder, own_codes: Option<&OwnCodes>) -> OrderView {
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
            && let Some(own_codes) = own_codes
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

/// Returns what the items of an open page are compared with, if one of the orders has such a page.
fn compared_codes(
    tx: &mut Tx,
    notary: NotaryId,
    orders: &[ListedOrder],
) -> Result<Option<OwnCodes>, StorageError> {
    let is_open =
        |listed: &ListedOrder| listed.order.payment_state == PaymentState::DeclinedPageOpen;
    let has_open = orders.iter().any(is_open);
    has_open.then(|| OwnCodes::read(tx, notary)).transpose()
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
