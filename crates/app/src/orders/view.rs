//! Looking at orders: one, a page of them, or just where one stands.

use cabinet_domain::payment::PaymentState;
use cabinet_domain::{Key, Line, Money, NotaryId, OrderId, OrderStatus, TextError, kyiv_day_start};
use cabinet_storage::order_list::{self, ListedOrder, OrderFilter};
use cabinet_storage::orders::{self, Order, OrderItem};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::App;
use crate::refusal::{FieldErrors, Outcome, Refusal, Sort};

/// Orders of a page without a wish for more or fewer.
const PAGE_DEFAULT: u32 = 50;
/// Orders of a page at most.
const PAGE_MAX: u32 = 100;
/// Longest text that is searched for, in characters.
const SEARCH_CHARS_MAX: usize = 140;

/// What the browser needs to go on with an order.
#[derive(Clone, Debug)]
pub struct OrderSummary {
    /// The order.
    pub id: OrderId,
    /// Its short number.
    pub number: i64,
    /// Where it stands.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// When it was created.
    pub created_at: Timestamp,
    /// What is charged.
    pub sum: Money,
    /// Where to pay or to confirm.
    pub widget_url: Option<String>,
}

impl From<&Order> for OrderSummary {
    fn from(order: &Order) -> OrderSummary {
        OrderSummary {
            id: order.id,
            number: order.number,
            status: order.status,
            payment_state: order.payment_state,
            created_at: order.created_at,
            sum: order.sum,
            widget_url: order.widget_url.clone(),
        }
    }
}

/// An order with its items.
#[derive(Clone, Debug)]
pub struct OrderView {
    /// The order; its link is empty where it can't be paid.
    pub order: Order,
    /// In the order of the cart.
    pub items: Vec<OrderItem>,
}

/// A page of orders, newest first.
#[derive(Clone, Debug)]
pub struct OrderPage {
    /// The orders.
    pub orders: Vec<OrderView>,
    /// Where the next page begins.
    pub next: Option<OrderId>,
}

/// Which orders are wanted: nothing of it is trusted.
#[derive(Default)]
pub struct OrderSearch {
    /// How many.
    pub limit: Option<i64>,
    /// `next` of the page before.
    pub before: Option<String>,
    /// Only this status.
    pub status: Option<String>,
    /// Part of a client's name or code, or a number.
    pub text: Option<String>,
    /// First day (Kyiv).
    pub from: Option<String>,
    /// Last day (Kyiv).
    pub to: Option<String>,
}

impl App {
    /// A page of the notary's orders, newest first.
    ///
    /// # Errors
    /// The keys of the fields.
    pub async fn orders(
        &self,
        notary: NotaryId,
        search: OrderSearch,
        errors: FieldErrors,
    ) -> Outcome<OrderPage> {
        let Wanted { filter, limit, .. } = read_search(&search, errors)?;
        let looks_through_all = filter.search.is_some() || !filter.statuses.is_empty();
        // One row more than is shown tells whether there is another page.
        let read = move |tx: &mut Tx| order_list::page_of(tx, notary, &filter, limit + 1);
        let page = if looks_through_all {
            self.inner.store.read_long(read).await?
        } else {
            self.inner.store.read(read).await?
        };
        let mut orders: Vec<OrderView> = page
            .into_iter()
            .map(|ListedOrder { order, items }| OrderView { order, items })
            .collect();
        let more = orders.len() > usize::try_from(limit).unwrap_or(usize::MAX);
        if more {
            orders.pop();
        }
        let next = orders.last().filter(|_| more).map(|view| view.order.id);
        Ok(OrderPage { orders, next })
    }

    /// Where an order of the notary stands by what the acquirer says at this moment.
    ///
    /// # Errors
    /// `order_not_found`; `acquirer_unavailable` where it does not answer, so that nobody takes an old status for a fresh one.
    pub async fn order_status(&self, notary: NotaryId, order: &str) -> Outcome<OrderView> {
        let known = self.order_row(notary, order).await?;
        if known.payment_state.may_take_money() && !self.ask_about_order(known.id).await? {
            return Err(Refusal::new(Sort::Unavailable, Key::AcquirerUnavailable).into());
        }
        self.order(notary, order, false).await
    }

    /// One order of the notary. With `ask`, the acquirer is asked first where the outcome is open.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn order(&self, notary: NotaryId, order: &str, ask: bool) -> Outcome<OrderView> {
        let known = self.order_row(notary, order).await?;
        if ask && known.payment_state.may_take_money() {
            self.ask_about_order(known.id).await?;
        }
        let id = known.id;
        let found = self
            .inner
            .store
            .read(move |tx: &mut Tx| {
                let Some(order) = orders::order_of(tx, notary, id)? else {
                    return Ok(None);
                };
                let items = orders::items_of(tx, id)?;
                Ok::<_, StorageError>(Some(OrderView { order, items }))
            })
            .await?;
        found.ok_or_else(|| not_found().into())
    }

    /// The row of an order of the notary.
    pub(crate) async fn order_row(&self, notary: NotaryId, order: &str) -> Outcome<Order> {
        let id = OrderId::parse(order).ok_or_else(not_found)?;
        let found = self
            .inner
            .store
            .read(move |tx| orders::order_of(tx, notary, id))
            .await?;
        found.ok_or_else(|| not_found().into())
    }

    /// What the browser needs to go on with an order.
    pub(super) async fn summary(&self, notary: NotaryId, order: OrderId) -> Outcome<OrderSummary> {
        let found = self
            .inner
            .store
            .read(move |tx| orders::order_of(tx, notary, order))
            .await?;
        found
            .as_ref()
            .map(OrderSummary::from)
            .ok_or_else(|| not_found().into())
    }
}

/// There is no such order, or it is somebody else's.
pub(crate) fn not_found() -> Refusal {
    Refusal::not_found(Key::OrderNotFound)
}

/// Which orders are wanted, read.
pub(super) struct Wanted {
    pub(super) filter: OrderFilter,
    pub(super) limit: u32,
    /// First and last day (Kyiv).
    pub(super) days: (Option<Date>, Option<Date>),
}

pub(super) fn read_search(
    search: &OrderSearch,
    mut errors: FieldErrors,
) -> Result<Wanted, Refusal> {
    let given = |text: &Option<String>| {
        text.clone()
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    };
    let limit = search.limit.map_or(Ok(PAGE_DEFAULT), |limit| {
        u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=PAGE_MAX).contains(limit))
            .ok_or(Key::NumberInvalid)
    });
    let limit = errors.take("limit", limit);
    let before = given(&search.before)
        .map(|text| OrderId::parse(&text).ok_or(Key::IdInvalid))
        .transpose();
    let before = errors.take("before", before);
    let status = given(&search.status)
        .map(|text| OrderStatus::parse(&text).ok_or(Key::StatusInvalid))
        .transpose();
    let status = errors.take("status", status);
    errors.refuse_card("text", search.text.as_deref());
    let text = match given(&search.text).map(|text| Line::parse(&text, SEARCH_CHARS_MAX)) {
        // Nothing that can be seen is nothing to search for.
        None | Some(Err(TextError::Empty)) => None,
        Some(read) => errors
            .take("text", read.map_err(|error| error.key(Key::FieldRequired)))
            .map(Line::into_string),
    };
    let day = |text: Option<String>| {
        text.map(|text| text.parse::<Date>().map_err(|_| Key::DateInvalid))
            .transpose()
    };
    let from = errors.take("from", day(given(&search.from)));
    let to = errors.take("to", day(given(&search.to)));
    if let (Some(Some(from)), Some(Some(to))) = (from, to)
        && to < from
    {
        errors.add("to", Key::PeriodInvalid);
    }
    errors.check()?;
    let (Some(limit), Some(before), Some(status), Some(from), Some(to)) =
        (limit, before, status, from, to)
    else {
        return Err(Refusal::new(Sort::Invalid, Key::ValidationFailed));
    };
    let filter = OrderFilter {
        statuses: status.into_iter().collect(),
        search: text,
        from: from.and_then(kyiv_day_start),
        // The last day counts whole.
        to: to
            .and_then(|day| day.tomorrow().ok())
            .and_then(kyiv_day_start),
        before,
    };
    Ok(Wanted {
        filter,
        limit,
        days: (from, to),
    })
}
