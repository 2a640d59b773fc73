//! Which orders of the archive a filter finds.

use cabinet_domain::{Money, NotaryId, Order, OrderId, OrderStatus, sought_words};
use jiff::Timestamp;

use crate::error::Result;
use crate::orders::{ORDER_COLUMNS, read};
use crate::search::{SEARCH_WORDS_MAX, pattern};
use crate::search_index::{self, AskedWord, next};
use crate::tx::Tx;
use crate::value::{Bind as _, Value, params};

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

/// Orders that a search of PostgreSQL compares before it asks its index: what occurs often is found among them.
const COMPARED_FIRST: i64 = 256;

/// What is looked for, and whose.
pub(crate) struct Search<'f> {
    notary: NotaryId,
    filter: &'f OrderFilter,
    sought: Vec<Sought>,
    /// Orders that are compared before the index is asked.
    pub(crate) compared_first: i64,
}

/// Which orders of a list are wanted.
struct Part {
    /// Older than this one.
    before: Option<Place>,
    /// This one or newer.
    since: Option<Place>,
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
        let part = Part {
            before,
            since: None,
            limit,
        };
        if self.sought.is_empty() || tx.sqlite().is_some() {
            self.compared(tx, &part)
        } else {
            self.by_index(tx, part)
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
        let part = Part {
            before,
            since: None,
            limit,
        };
        self.compared(tx, &part)
    }

    /// Returns orders that match, the newest first. Compares one after the other.
    fn compared(&self, tx: &mut Tx, part: &Part) -> Result<Vec<Order>> {
        let mut values = vec![self.notary.value()];
        // The indexes `orders_by_notary` and `order_items_by_search` are read alone; rows are read for the orders of the page only.
        let sql = self.select(
            ("orders o", "o.created_at desc, o.id desc"),
            part,
            &mut values,
        );
        tx.rows(&sql, &values, read)
    }

    /// Like [`Search::compared`], by the index of PostgreSQL: the newest orders are compared, and of the others those that the index names,
    /// the newest time first.
    fn by_index(&self, tx: &mut Tx, mut part: Part) -> Result<Vec<Order>> {
        let Some(place) = self.last_compared(tx, &part)? else {
            return self.compared(tx, &part);
        };
        let wanted = part.limit;
        part.since = Some(place);
        let mut found = self.compared(tx, &part)?;
        part.before = Some(place);
        part.since = None;
        let left = |found: &Vec<Order>| wanted - i64::try_from(found.len()).unwrap_or(i64::MAX);
        if left(&found) <= 0 {
            return Ok(found);
        }
        search_index::plan_each_statement(tx)?;
        let asked = self.asked(tx)?;
        if asked.is_empty() {
            part.limit = left(&found);
            found.extend(self.compared(tx, &part)?);
            return Ok(found);
        }
        let Some(oldest) = self.oldest(tx)? else {
            return Ok(found);
        };
        for periods in search_index::periods(place.0, oldest) {
            part.limit = left(&found);
            if part.limit <= 0 {
                break;
            }
            let mut values = vec![self.notary.value()];
            let ids = search_index::orders_sql(&asked, &periods, &mut values);
            // Each order that is named is looked up, the newest first, whatever the planner believes of their number.
            let sql = self.select(
                (
                    &format!(
                        "(select k.order_id, k.created_at from ({ids}) k order by k.created_at desc, k.order_id desc offset 0) n
                         cross join lateral (select * from orders x where x.id = n.order_id offset 0) o"
                    ),
                    "n.created_at desc, n.order_id desc",
                ),
                &part,
                &mut values,
            );
            found.extend(tx.rows(&sql, &values, read)?);
        }
        Ok(found)
    }

    /// Returns the place up to which orders are compared; `None`: there are no more.
    fn last_compared(&self, tx: &mut Tx, part: &Part) -> Result<Option<Place>> {
        let mut values = vec![self.notary.value()];
        let last = self.compared_first - 1;
        let mut sql = "select o.created_at, o.id from orders o where o.notary_id = ?1".to_owned();
        self.bound(part, &mut sql, &mut values);
        sql.push_str(&format!(
            " order by o.created_at desc, o.id desc limit 1 offset {}",
            next(&mut values, &last)
        ));
        tx.row_optional(&sql, &values, |row| Ok((row.next()?, row.next()?)))
    }

    /// Returns when the first order that can be found was made.
    fn oldest(&self, tx: &mut Tx) -> Result<Option<Timestamp>> {
        let sql = "select o.created_at from orders o where o.notary_id = ?1 order by o.created_at limit 1";
        let first: Option<Timestamp> =
            tx.row_optional(sql, params![self.notary], |row| row.next())?;
        Ok(first.map(|first| self.filter.from.map_or(first, |from| from.max(first))))
    }

    /// Returns what the index is asked. Words that are too short for it are left to the comparison.
    fn asked(&self, tx: &mut Tx) -> Result<Vec<AskedWord>> {
        let mut asked = Vec::with_capacity(self.sought.len());
        for word in &self.sought {
            asked.extend(AskedWord::new(
                tx,
                self.notary,
                &word.word,
                word.sum.map(Money::decimal).into_iter().collect(),
                &word.of_items,
            )?);
        }
        Ok(asked)
    }

    /// Returns the statement for a page of the orders `o` of a source, with the order of its rows. The notary is its first parameter; the others
    /// are appended.
    fn select<'a>(
        &'a self,
        (source, newest_first): (&str, &str),
        part: &'a Part,
        values: &mut Vec<Value<'a>>,
    ) -> String {
        let mut sql = format!(
            "select {ORDER_COLUMNS} from (select o.id from {source} where o.notary_id = ?1"
        );
        self.bound(part, &mut sql, values);
        if let Some((moment, order)) = &part.since {
            sql.push_str(&format!(
                " and (o.created_at, o.id) >= ({}, {})",
                next(values, moment),
                next(values, order)
            ));
        }
        if !self.filter.statuses.is_empty() {
            let statuses: Vec<String> = self
                .filter
                .statuses
                .iter()
                .map(|status| next(values, status))
                .collect();
            sql.push_str(&format!(" and o.status in ({})", statuses.join(", ")));
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
            " order by {newest_first} limit {}) found
             join orders o on o.id = found.id join clients c on c.id = o.client_id order by o.created_at desc, o.id desc",
            next(values, &part.limit)
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
