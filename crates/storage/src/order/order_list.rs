//! The archive: orders of a notary, newest first, page by page.

pub(crate) mod found;

use cabinet_domain::{NotaryId, Order, OrderId, OrderItem, ReturnedPart, Transfer};
use jiff::Timestamp;

pub use self::found::OrderFilter;
use self::found::Search;
use crate::cart::items::placeholders;
use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};
use crate::order::orders::{self, ITEM_COLUMNS, read_item};
use crate::transfer::transfers::{self, Undelivered};

/// Orders whose items are fetched in one query.
const ORDERS_AT_ONCE: usize = 50;

/// An order with its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// The order.
    pub order: Order,
    /// Its items, in the order of the cart.
    pub items: Vec<OrderItem>,
    /// Its parts that a bank has sent back.
    pub returned: Vec<ReturnedPart>,
    /// Its parts that were given back to the card before a bank had them.
    pub given_back: Vec<Transfer>,
    /// Whether a payment comes from a deal.
    pub of_deal: bool,
}

/// Returns a page of at most `limit` orders, the newest first. To learn whether there are more, ask for one more.
///
/// The page after an order of another notary is empty. The cost does not depend on the number of orders, except for a search on SQLite or
/// for words of one or two letters, which needs `Store::search`.
pub fn page_of(
    tx: &mut Tx,
    notary: NotaryId,
    filter: &OrderFilter,
    limit: u32,
) -> Result<Vec<ListedOrder>> {
    let before = match filter.before {
        None => None,
        Some(order) => match moment_of(tx, notary, order)? {
            Some(moment) => Some((moment, order)),
            None => return Ok(Vec::new()),
        },
    };
    let orders = Search::new(notary, filter).newest(tx, before, i64::from(limit))?;
    with_items(tx, orders)
}

fn moment_of(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<Timestamp>> {
    let sql = "select created_at from orders where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![order, notary], |row| row.next())
}

/// Returns an order of this notary like one of a page. Locks nothing.
pub fn one(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<ListedOrder>> {
    let Some((found, has_undelivered)) = orders::order_and_undelivered(tx, notary, order)? else {
        return Ok(None);
    };
    let of_deals = items(tx, "order_id = ?1", params![order])?;
    let undelivered = if has_undelivered {
        transfers::undelivered_of(tx, order)?
    } else {
        Undelivered::of(&[])
    };
    Ok(Some(ListedOrder {
        order: found,
        of_deal: of_deals.iter().any(|(_, of_deal)| *of_deal),
        items: of_deals.into_iter().map(|(item, _)| item).collect(),
        returned: undelivered.returned,
        given_back: undelivered.given_back,
    }))
}

/// Returns items, by order, and whether each comes from a deal.
fn items(tx: &mut Tx, condition: &str, params: &[Value<'_>]) -> Result<Vec<(OrderItem, bool)>> {
    let sql = format!(
        "select {}, exists (select 1 from deal_items where deal_items.item_id = order_items.id) as of_deal
         from order_items where {condition} order by order_id, position",
        *ITEM_COLUMNS
    );
    tx.rows(&sql, params, |row| Ok((read_item(row)?, row.next()?)))
}

/// Loads the items of all orders, and what of them did not reach its recipient, with few queries.
pub(crate) fn with_items(tx: &mut Tx, orders: Vec<Order>) -> Result<Vec<ListedOrder>> {
    let mut listed: Vec<ListedOrder> = orders
        .into_iter()
        .map(|order| ListedOrder {
            order,
            items: Vec::new(),
            returned: Vec::new(),
            given_back: Vec::new(),
            of_deal: false,
        })
        .collect();
    for chunk in listed.chunks_mut(ORDERS_AT_ONCE) {
        let mut values: Vec<Value<'_>> = chunk
            .iter()
            .map(|listed| Value::Uuid(listed.order.id.uuid()))
            .collect();
        // A fixed number of parameters, so that one prepared statement serves all.
        values.resize(
            ORDERS_AT_ONCE,
            values.last().copied().unwrap_or(Value::Null),
        );
        let condition = format!("order_id in ({})", placeholders(1, ORDERS_AT_ONCE));
        for (item, of_deal) in items(tx, &condition, &values)? {
            if let Some(listed) = chunk
                .iter_mut()
                .find(|listed| listed.order.id == item.order_id)
            {
                listed.items.push(item);
                listed.of_deal |= of_deal;
            }
        }
        let sql = format!(
            "select {} from transfers where {} and order_id in ({})",
            transfers::COLUMNS,
            transfers::UNDELIVERED,
            placeholders(1, ORDERS_AT_ONCE)
        );
        let found = tx.rows(&sql, &values, transfers::read)?;
        if found.is_empty() {
            continue;
        }
        for listed in chunk {
            let is_of = |transfer: &&Transfer| transfer.order_id == listed.order.id;
            let of_order: Vec<Transfer> = found.iter().filter(is_of).cloned().collect();
            Undelivered {
                returned: listed.returned,
                given_back: listed.given_back,
            } = Undelivered::of(&of_order);
        }
    }
    Ok(listed)
}
