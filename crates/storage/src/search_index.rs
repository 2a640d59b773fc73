//! The index of the searches on PostgreSQL (decision 51). SQLite reads its covering indexes, so everything here does nothing there.
//!
//! The index says which rows may match. Whoever asks it compares the rows as without it, so that both databases find the same.

use cabinet_domain::{ClientId, NotaryId, OrderId};
use jiff::Timestamp;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::{Bind, Value, params};

/// The fewest letters that a key is made of. Shorter words are looked for without the index.
const KEY_CHARS: usize = 3;
/// Microseconds of a period, as a power of two: about thirteen months. The keys of a row hold its period.
const PERIOD_BITS: u32 = 45;

/// Works out by what an order is found. Called whenever a search text of it or of its payments has changed.
pub(crate) fn keep_order(tx: &mut Tx, order: OrderId) -> Result<()> {
    if tx.sqlite().is_some() {
        return Ok(());
    }
    tx.execute(
        "insert into search_phrases (notary_id, id, text)
         select distinct p.notary_id, p.phrase_id, p.phrase from item_phrases p where p.order_id = ?1 and p.phrase <> ''
         on conflict do nothing",
        params![order],
    )?;
    tx.execute(
        "insert into order_search (order_id, notary_id, created_at, words, phrases)
         select s.order_id, s.notary_id, s.created_at, s.words, s.phrases from order_search_source s where s.order_id = ?1
         on conflict (order_id) do update set created_at = excluded.created_at, words = excluded.words, phrases = excluded.phrases",
        params![order],
    )
    .map(|_| ())
}

/// Takes out an order whose search texts were emptied, with the phrases that no other order of the notary has.
pub(crate) fn forget_order(tx: &mut Tx, order: OrderId) -> Result<()> {
    if tx.sqlite().is_some() {
        return Ok(());
    }
    tx.execute(
        "delete from search_phrases p using order_search own
         where own.order_id = ?1 and p.notary_id = own.notary_id and p.id = any(own.phrases)
             and not exists (select 1 from order_search s
                 where s.order_id <> ?1 and s.notary_id = p.notary_id and s.phrases @> array[p.id]
                     and search_keys(s.notary_id, s.created_at, s.words, s.phrases) && phrase_keys(p.notary_id, p.id))",
        params![order],
    )?;
    keep_order(tx, order)
}

/// Works out by what a client of the address book is found, from its search key.
pub(crate) fn keep_client(tx: &mut Tx, client: ClientId) -> Result<()> {
    if tx.sqlite().is_some() {
        return Ok(());
    }
    tx.execute(
        "insert into client_search (client_id, notary_id, words)
         select c.id, c.notary_id, c.search_key from clients c where c.id = ?1 and c.search_key is not null
         on conflict (client_id) do update set words = excluded.words",
        params![client],
    )
    .map(|_| ())
}

/// What the index is asked because of one word: any of these texts occurs, or any of the phrases.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AskedWord {
    texts: Vec<String>,
    /// Ids of phrases, as PostgreSQL writes an array.
    phrases: Option<String>,
}

impl AskedWord {
    /// Returns `None` for a word that is too short for the index. `others` are further texts that a match may contain in its place;
    /// `in_phrases` is the pattern of the phrases that match.
    pub(crate) fn new(
        tx: &mut Tx,
        notary: NotaryId,
        word: &str,
        others: Vec<String>,
        in_phrases: &str,
    ) -> Result<Option<AskedWord>> {
        let mut texts = vec![word.to_owned()];
        texts.extend(others);
        texts.dedup();
        if texts.iter().any(|text| is_short(text)) {
            return Ok(None);
        }
        let sql = "select p.id from search_phrases p where p.notary_id = ?1 and p.text like ?2 escape '\\'";
        let found: Vec<i64> = tx.rows(sql, params![notary, in_phrases], |row| row.next())?;
        let ids: Vec<String> = found.iter().map(i64::to_string).collect();
        Ok(Some(AskedWord {
            texts,
            phrases: (!ids.is_empty()).then(|| format!("{{{}}}", ids.join(","))),
        }))
    }

    /// Appends the parameters of a condition, and returns it. `keys` are those of a row, `period` the placeholder of a moment.
    fn condition<'a>(&'a self, keys: &str, period: &str, values: &mut Vec<Value<'a>>) -> String {
        let mut any: Vec<String> = self
            .texts
            .iter()
            .map(|text| {
                let text = next(values, text);
                format!("{keys} @> search_keys(?1, {period}, {text}, '{{}}')")
            })
            .collect();
        if let Some(phrases) = &self.phrases {
            let phrases = next(values, phrases);
            any.push(format!(
                "{keys} && search_keys(?1, {period}, '', cast(cast({phrases} as text) as bigint[]))"
            ));
        }
        format!("({})", any.join(" or "))
    }
}

/// Has PostgreSQL plan the statements of this unit of work for their values. A plan for any values expects thousands of rows, and starts
/// parallel processes and a compiler for them.
pub(crate) fn plan_each_statement(tx: &mut Tx) -> Result<()> {
    tx.batch(
        "set local plan_cache_mode = force_custom_plan; set local jit = off; set local max_parallel_workers_per_gather = 0",
    )
}

/// Whether a text has no key.
pub(crate) fn is_short(text: &str) -> bool {
    text.chars().count() < KEY_CHARS
}

/// Returns a query for the ids and moments of the orders of some periods that may match all words. The notary is the first parameter of the statement.
pub(crate) fn orders_sql<'a>(
    words: &'a [AskedWord],
    periods: &'a [i64],
    values: &mut Vec<Value<'a>>,
) -> String {
    let keys = "search_keys(s.notary_id, s.created_at, s.words, s.phrases)";
    let of_periods: Vec<String> = periods
        .iter()
        .map(|period| {
            let period = next(values, period);
            let conditions: Vec<String> = words
                .iter()
                .map(|word| word.condition(keys, &period, values))
                .collect();
            format!(
                "select s.order_id, s.created_at from order_search s where {}",
                conditions.join(" and ")
            )
        })
        .collect();
    of_periods.join(" union all ")
}

/// Returns a query for the ids of the clients that may match all words. The notary is the first parameter of the statement.
pub(crate) fn clients_sql<'a>(words: &'a [String], values: &mut Vec<Value<'a>>) -> String {
    let conditions: Vec<String> = words
        .iter()
        .map(|word| {
            let word = next(values, word);
            format!(
                "search_keys(s.notary_id, 0, s.words, '{{}}') @> search_keys(?1, 0, {word}, '{{}}')"
            )
        })
        .collect();
    format!(
        "select s.client_id from client_search s where {}",
        conditions.join(" and ")
    )
}

/// Returns groups of periods from that of the newest moment to that of the oldest, each as its first microsecond. Each group is twice as
/// large as the one before: what is found often is found in the first ones, and what is found never is asked for in few statements.
pub(crate) fn periods(newest: Timestamp, oldest: Timestamp) -> Vec<Vec<i64>> {
    let number = |moment: Timestamp| moment.as_microsecond() >> PERIOD_BITS;
    let (mut next, oldest) = (number(newest), number(oldest));
    let mut groups = Vec::new();
    let mut size = 1;
    while next >= oldest {
        // Always so many, so that there are few different statements.
        groups.push((0..size).map(|back| (next - back) << PERIOD_BITS).collect());
        next -= size;
        size *= 2;
    }
    groups
}

/// Appends a parameter and returns its placeholder.
pub(crate) fn next<'a>(values: &mut Vec<Value<'a>>, value: &'a impl Bind) -> String {
    values.push(value.value());
    format!("?{}", values.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_asked_from_the_newest_in_growing_groups() {
        let year = 1 << PERIOD_BITS;
        let moment = |number: i64| Timestamp::from_microsecond(number * year + 5).unwrap();
        let numbers = |newest, oldest| -> Vec<Vec<i64>> {
            let groups = periods(moment(newest), moment(oldest)).into_iter();
            groups
                .map(|group| group.into_iter().map(|start| start / year).collect())
                .collect()
        };
        assert_eq!(numbers(50, 50), [vec![50]]);
        assert_eq!(numbers(50, 48), [vec![50], vec![49, 48]]);
        assert_eq!(
            numbers(50, 47),
            [vec![50], vec![49, 48], vec![47, 46, 45, 44]]
        );
        assert!(numbers(47, 50).is_empty());
    }
}
