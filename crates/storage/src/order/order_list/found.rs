//! Which orders of the archive a filter finds.

use cabinet_domain::{Money, NotaryId, Order, OrderId, OrderStatus, sought_words};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::search::{SEARCH_WORDS_MAX, pattern};
use crate::engine::search_index::{self, AskedWord, Between, next};
use crate::engine::tx::Tx;
use crate::engine::value::{Bind as _, Value};
use crate::order::orders::{ORDER_COLUMNS, PAID_BY_CODES, read};

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

/// Orders that a search of PostgreSQL compares before it asks its index: what occurs often is found among them. The second number is
/// tried where the first ones let expect that it fills the page.
const COMPARED_FIRST: [i64; 2] = [64, 256];

/// What is looked for, and whose.
pub(crate) struct Search<'f> {
    notary: NotaryId,
    filter: &'f OrderFilter,
    sought: Vec<Sought>,
    /// Orders that are compared before the index is asked.
    pub(crate) compared_first: [i64; 2],
}

/// Which orders of a list are wanted.
struct Part {
    /// Older than this one.
    before: Option<Place>,
    limit: i64,
}

/// The place of an order in the list.
pub(crate) type Place = (Timestamp, OrderId);

impl Search<'_> {
    pub(crate) fn new(notary: NotaryId, filter: &OrderFilter) -> Search<'_> {
        Search {
            notary,
            filter,
            sought: sought(filter.search.as_deref()),
            compared_first: COMPARED_FIRST,
        }
    }

    /// Returns at most `limit` orders, the newest first, all older than a place.
    pub(crate) fn newest(
        &self,
        tx: &mut Tx,
        before: Option<Place>,
        limit: i64,
    ) -> Result<Vec<Order>> {
        let part = Part { before, limit };
        if self.sought.is_empty() || tx.sqlite().is_some() {
            self.compared(tx, &part)
        } else {
            self.by_index(tx, &part)
        }
    }

    /// Returns at most `limit` orders, the newest first, all older than a place. Compares one after the other.
    #[cfg(test)]
    pub(crate) fn newest_without_index(
        &self,
        tx: &mut Tx,
        before: Option<Place>,
        limit: i64,
    ) -> Result<Vec<Order>> {
        self.compared(tx, &Part { before, limit })
    }

    /// Returns orders that match, the newest first. Compares one after the other.
    fn compared(&self, tx: &mut Tx, part: &Part) -> Result<Vec<Order>> {
        let mut values = vec![self.notary.value()];
        let sql = self.compared_sql(part, &mut values);
        tx.rows(&sql, &values, read)
    }

    /// The statement of [`Search::compared`]. The indexes `orders_by_notary` and `order_items_by_search` are read alone; rows are read for the
    /// orders of the page only.
    fn compared_sql<'a>(&'a self, part: &'a Part, values: &mut Vec<Value<'a>>) -> String {
        self.select(
            "orders o",
            "order by o.created_at desc, o.id desc",
            part,
            values,
        )
    }

    /// Like [`Search::compared`] for so many orders, the newest of the list.
    fn compared_newest(&self, tx: &mut Tx, part: &Part, compared: i64) -> Result<Vec<Order>> {
        let mut values = vec![self.notary.value()];
        let mut newest = "(select o.* from orders o where o.notary_id = ?1".to_owned();
        self.bound(part, &mut newest, &mut values);
        newest.push_str(&format!(
            " order by o.created_at desc, o.id desc limit {compared}) o"
        ));
        let sql = self.select(
            &newest,
            "order by o.created_at desc, o.id desc",
            part,
            &mut values,
        );
        tx.rows(&sql, &values, read)
    }

    /// Like [`Search::compared`], by the index of PostgreSQL. What occurs often is found among the newest orders; otherwise those orders are
    /// compared that the index names.
    fn by_index(&self, tx: &mut Tx, part: &Part) -> Result<Vec<Order>> {
        let [few, more] = self.compared_first;
        let mut found = self.compared_newest(tx, part, few)?;
        let count = |found: &Vec<Order>| i64::try_from(found.len()).unwrap_or(i64::MAX);
        if count(&found) < part.limit && count(&found) * more >= part.limit * few {
            found = self.compared_newest(tx, part, more)?;
        }
        if count(&found) >= part.limit {
            return Ok(found);
        }
        let asked = self.asked();
        if asked.is_empty() {
            return self.compared(tx, part);
        }
        let ends = [self.filter.to, part.before.map(|(moment, _)| moment)];
        let between = Between {
            since: self.filter.from,
            until: ends.into_iter().flatten().min(),
        };
        let mut values = vec![self.notary.value()];
        let sql = self.named_sql(&asked, &between, part, &mut values);
        tx.rows(&sql, &values, read)
    }

    /// Returns the statement for the orders that the index names. They come the newest first, and are looked up one after the other until the
    /// page is full: nothing is sorted before.
    fn named_sql<'a>(
        &'a self,
        asked: &'a [AskedWord<'_>],
        between: &'a Between,
        part: &'a Part,
        values: &mut Vec<Value<'a>>,
    ) -> String {
        let named = search_index::orders_sql(asked, between, values);
        let source = format!(
            "{named} cross join lateral (select * from orders x where x.id = n.order_id offset 0) o"
        );
        self.select(&source, "", part, values)
    }

    /// Returns what the index is asked. Words that are too short for it are left to the comparison.
    fn asked(&self) -> Vec<AskedWord<'_>> {
        let asked = self.sought.iter().filter_map(|word| {
            AskedWord::new(&word.word, word.sum.map(Money::decimal), &word.of_items)
        });
        asked.collect()
    }

    /// Returns the statement for a page of the orders `o` of a source. `newest_first` sorts them. The notary is its first parameter; the
    /// others are appended.
    fn select<'a>(
        &'a self,
        source: &str,
        newest_first: &str,
        part: &'a Part,
        values: &mut Vec<Value<'a>>,
    ) -> String {
        let mut sql = format!(
            "select {ORDER_COLUMNS} from (select o.id from {source} where o.notary_id = ?1"
        );
        self.bound(part, &mut sql, values);
        if !self.filter.statuses.is_empty() {
            let statuses: Vec<String> = self
                .filter
                .statuses
                .iter()
                .map(|status| next(values, status))
                .collect();
            sql.push_str(&format!(
                " and case when {PAID_BY_CODES} then 'paid' else o.status end in ({})",
                statuses.join(", ")
            ));
        }
        for sought in &self.sought {
            let (pattern, of_items) = (
                next(values, &sought.pattern),
                next(values, &sought.of_items),
            );
            let sum = sought.sum.as_ref().map_or_else(String::new, |sum| {
                format!(" or o.sum = {}", next(values, sum))
            });
            // The offset keeps PostgreSQL from reading the payments of all notaries at once.
            sql.push_str(&format!(
                " and (o.search_text like {pattern} escape '\\'{sum}
                   or exists (select 1 from order_items i where i.order_id = o.id and i.search_text like {of_items} escape '\\'
                       limit 1 offset 0))"
            ));
        }
        sql.push_str(&format!(
            " {newest_first} limit {}) found
             join orders o on o.id = found.id join clients c on c.id = o.client_id order by o.created_at desc, o.id desc",
            // No parameter: a plan that does not know it reads all orders of the country to join a few.
            part.limit
        ));
        sql
    }

    /// Appends the conditions about the time of the orders `o`.
    fn bound<'a>(&'a self, part: &'a Part, sql: &mut String, values: &mut Vec<Value<'a>>) {
        if let Some((moment, order)) = &part.before {
            sql.push_str(&format!(
                " and (o.created_at, o.id) < ({}, {})",
                next(values, moment),
                next(values, order)
            ));
        }
        if let Some(from) = &self.filter.from {
            sql.push_str(&format!(" and o.created_at >= {}", next(values, from)));
        }
        if let Some(to) = &self.filter.to {
            sql.push_str(&format!(" and o.created_at < {}", next(values, to)));
        }
    }
}

/// What is looked for because of one word of a search.
struct Sought {
    /// The word, folded.
    word: String,
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
            word: word.word,
        })
        .collect()
}

#[cfg(test)]
mod tests;
