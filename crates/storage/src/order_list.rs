//! The archive: orders of a notary, newest first, page by page.

use cabinet_domain::{
    Money, NotaryId, Order, OrderId, OrderItem, OrderStatus, ReturnedPart, Transfer,
    returned_parts, sought_words,
};
use jiff::Timestamp;

use crate::error::Result;
use crate::orders::{ITEM_COLUMNS, ORDER_COLUMNS, read, read_item};
use crate::search::{SEARCH_WORDS_MAX, pattern};
use crate::transfers;
use crate::tx::Tx;
use crate::value::{Bind, Value, params};

/// Orders whose items are fetched in one query.
const ORDERS_AT_ONCE: usize = 50;

/// Which orders are listed.
#[derive(Clone, Debug, Default)]
pub struct OrderFilter {
    /// In one of these statuses; empty for all.
    pub statuses: Vec<OrderStatus>,
    /// Every word of it occurs in the client's name or code, the order's number or act, or in the sums, recipient, budget code or
    /// service of one of its payments, or is its sum.
    pub search: Option<String>,
    /// Made at this moment or later.
    pub from: Option<Timestamp>,
    /// Made before this moment.
    pub to: Option<Timestamp>,
    /// Older than this order, which is the last one of the previous page.
    pub before: Option<OrderId>,
}

/// An order with its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// The order.
    pub order: Order,
    /// Its items, in the order of the cart.
    pub items: Vec<OrderItem>,
    /// Its parts that a bank has sent back.
    pub returned: Vec<ReturnedPart>,
    /// Whether a payment comes from a deal.
    pub of_deal: bool,
}

/// Returns a page of at most `limit` orders, the newest first. To learn whether there are more, ask for one more.
///
/// The page after an order of another notary is empty. The cost does not depend on the number of orders, except for a
/// search, which needs `Store::read_long`.
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
    let (sought, limit) = (sought(filter.search.as_deref()), i64::from(limit));
    let mut values = vec![notary.value()];
    let sql = select(filter, before.as_ref(), &sought, &limit, &mut values);
    let orders = tx.rows(&sql, &values, read)?;
    with_items(tx, orders)
}

/// Returns the statement for a page. The notary is its first parameter; the others are appended.
fn select<'a>(
    filter: &'a OrderFilter,
    before: Option<&'a (Timestamp, OrderId)>,
    sought: &'a [Sought],
    limit: &'a i64,
    values: &mut Vec<Value<'a>>,
) -> String {
    // The search reads the indexes `orders_by_notary` and `order_items_by_search` alone; rows are read for the orders of the page only.
    let mut sql =
        format!("select {ORDER_COLUMNS} from (select o.id from orders o where o.notary_id = ?1");
    if let Some((moment, order)) = before {
        sql.push_str(&format!(
            " and (o.created_at, o.id) < ({}, {})",
            next(values, moment),
            next(values, order)
        ));
    }
    if let Some(from) = &filter.from {
        sql.push_str(&format!(" and o.created_at >= {}", next(values, from)));
    }
    if let Some(to) = &filter.to {
        sql.push_str(&format!(" and o.created_at < {}", next(values, to)));
    }
    if !filter.statuses.is_empty() {
        let statuses: Vec<String> = filter
            .statuses
            .iter()
            .map(|status| next(values, status))
            .collect();
        sql.push_str(&format!(" and o.status in ({})", statuses.join(", ")));
    }
    for Sought {
        pattern,
        of_items,
        sum,
    } in sought
    {
        let (pattern, of_items) = (next(values, pattern), next(values, of_items));
        let sum = sum.as_ref().map_or_else(String::new, |sum| {
            format!(" or o.sum = {}", next(values, sum))
        });
        sql.push_str(&format!(
            " and (o.search_text like {pattern} escape '\\'{sum}
               or exists (select 1 from order_items i where i.order_id = o.id and i.search_text like {of_items} escape '\\'))"
        ));
    }
    sql.push_str(&format!(
        " order by o.created_at desc, o.id desc limit {}) found
         join orders o on o.id = found.id join clients c on c.id = o.client_id order by o.created_at desc, o.id desc",
        next(values, limit)
    ));
    sql
}

/// Appends a parameter and returns its placeholder.
fn next<'a>(values: &mut Vec<Value<'a>>, value: &'a impl Bind) -> String {
    values.push(value.value());
    format!("?{}", values.len())
}

fn moment_of(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<Timestamp>> {
    let sql = "select created_at from orders where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![order, notary], |row| row.next())
}

/// What is looked for because of one word of a search.
struct Sought {
    /// The `like` pattern for client, number and act.
    pattern: String,
    /// The `like` pattern for the payments.
    of_items: String,
    /// The sum of the order.
    sum: Option<Money>,
}

/// Returns what is looked for, with special characters of patterns escaped.
fn sought(search: Option<&str>) -> Vec<Sought> {
    sought_words(search.unwrap_or_default(), SEARCH_WORDS_MAX)
        .into_iter()
        .map(|word| Sought {
            pattern: pattern(&word.word),
            of_items: pattern(&word.in_sums()),
            sum: word.sum,
        })
        .collect()
}

/// Loads the items of all orders, and what banks sent back of them, with few queries.
fn with_items(tx: &mut Tx, orders: Vec<Order>) -> Result<Vec<ListedOrder>> {
    let mut listed: Vec<ListedOrder> = orders
        .into_iter()
        .map(|order| ListedOrder {
            order,
            items: Vec::new(),
            returned: Vec::new(),
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
        let sql = format!(
            "select {} from order_items where order_id in ({}) order by order_id, position",
            *ITEM_COLUMNS,
            crate::items::placeholders(1, ORDERS_AT_ONCE)
        );
        for item in tx.rows(&sql, &values, read_item)? {
            if let Some(listed) = chunk
                .iter_mut()
                .find(|listed| listed.order.id == item.order_id)
            {
                listed.items.push(item);
            }
        }
        let sql = format!(
            "select distinct i.order_id from order_items i join deal_items d on d.item_id = i.id where i.order_id in ({})",
            crate::items::placeholders(1, ORDERS_AT_ONCE)
        );
        let of_deals: Vec<OrderId> = tx.rows(&sql, &values, |row| row.next())?;
        for listed in chunk.iter_mut() {
            listed.of_deal = of_deals.contains(&listed.order.id);
        }
        let sql = format!(
            "select {} from transfers where {} and order_id in ({})",
            transfers::COLUMNS,
            transfers::IN_CHAIN,
            crate::items::placeholders(1, ORDERS_AT_ONCE)
        );
        let found = tx.rows(&sql, &values, transfers::read)?;
        if found.is_empty() {
            continue;
        }
        for listed in chunk {
            let is_of = |transfer: &&Transfer| transfer.order_id == listed.order.id;
            let of_order: Vec<Transfer> = found.iter().filter(is_of).cloned().collect();
            listed.returned = returned_parts(&of_order);
        }
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on_sqlite;

    #[test]
    fn a_search_reads_no_order_but_those_it_finds() {
        run_on_sqlite(|store| async move {
            let filter = OrderFilter {
                statuses: vec![OrderStatus::Paid],
                search: Some("Шевченко 4080".to_owned()),
                ..OrderFilter::default()
            };
            let plan = store
                .read(move |tx| {
                    let notary = NotaryId::new(uuid::Uuid::nil());
                    let sought = sought(filter.search.as_deref());
                    let mut values = vec![notary.value()];
                    let sql = select(&filter, None, &sought, &21, &mut values);
                    tx.rows(&format!("explain query plan {sql}"), &values, |row| {
                        row.get::<String>("detail")
                    })
                })
                .await
                .unwrap();
            for search in [
                "SEARCH o USING COVERING INDEX orders_by_notary (notary_id=?)",
                "SEARCH i USING COVERING INDEX order_items_by_search (order_id=?)",
            ] {
                assert!(plan.iter().any(|step| step == search), "{plan:#?}");
            }
        });
    }

    #[test]
    fn what_means_something_in_a_pattern_is_taken_literally() {
        let patterns = |text| -> Vec<String> {
            let sought = sought(Some(text)).into_iter();
            sought.map(|one| one.pattern).collect()
        };
        assert_eq!(patterns("50%_\\"), ["%50\\%\\_\\\\%"]);
        assert_eq!(patterns("  №100001 "), ["%100001%"]);
        assert!(patterns("   ").is_empty());
        assert!(sought(None).is_empty());
    }
}
