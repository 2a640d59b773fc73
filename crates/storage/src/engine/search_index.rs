//! The index of the searches on PostgreSQL (decision 51). SQLite reads its covering indexes, so everything here does nothing there.
//!
//! The index says which rows may match. Whoever asks it compares the rows as without it, so that both databases find the same.

use cabinet_domain::{ClientId, OrderId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::search::pattern;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};

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
        "with phrases as (
             insert into search_phrases (notary_id, id, text)
             select distinct p.notary_id, p.phrase_id, p.phrase from item_phrases p where p.order_id = ?1 and p.phrase <> ''
             on conflict do nothing)
         insert into order_search (order_id, notary_id, created_at, words, phrases)
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

/// What the index is asked because of one word: any of these texts occurs, or any phrase that matches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AskedWord<'s> {
    texts: Vec<AskedText>,
    /// The pattern of the phrases that match.
    in_phrases: &'s str,
}

/// A text that is looked for.
#[derive(Debug, PartialEq, Eq)]
struct AskedText {
    /// As [`asked_parts`] returns it.
    parts: String,
    /// The `like` pattern of the whole text.
    pattern: String,
}

impl AskedText {
    fn new(text: &str) -> Option<AskedText> {
        Some(AskedText {
            parts: asked_parts(text)?,
            pattern: pattern(text),
        })
    }
}

impl<'s> AskedWord<'s> {
    /// Returns `None` for a word that is too short for the index. `others` are further texts that a match may contain in its place;
    /// `in_phrases` is the pattern of the phrases that match.
    pub(crate) fn new(
        word: &str,
        others: Option<String>,
        in_phrases: &'s str,
    ) -> Option<AskedWord<'s>> {
        // What contains another text together with the word is found by the word.
        let others = others.filter(|other| !other.contains(word));
        let texts = others.iter().map(String::as_str).chain([word]);
        Some(AskedWord {
            texts: texts.map(AskedText::new).collect::<Option<_>>()?,
            in_phrases,
        })
    }

    /// Appends the parameters of a condition on the keys of a row, and returns it. `period` is a moment, `phrases` the ids of the phrases
    /// that match.
    fn has_keys<'a>(
        &'a self,
        keys: &str,
        period: &str,
        phrases: &str,
        values: &mut Vec<Value<'a>>,
    ) -> String {
        let mut any: Vec<String> = self
            .texts
            .iter()
            .map(|text| {
                let parts = next(values, &text.parts);
                format!("{keys} @> search_keys(?1, {period}, {parts}, '{{}}')")
            })
            .collect();
        any.push(format!(
            "{keys} && search_keys(?1, {period}, '', {phrases})"
        ));
        format!("({})", any.join(" or "))
    }

    /// Appends the parameters of a condition on the words and phrases of the index's row `k`, and returns it: keys may stand at a row without
    /// the text.
    fn has_text<'a>(&'a self, phrases: &str, values: &mut Vec<Value<'a>>) -> String {
        let mut any: Vec<String> = self
            .texts
            .iter()
            .map(|text| format!("k.words like {} escape '\\'", next(values, &text.pattern)))
            .collect();
        any.push(format!("k.phrases && {phrases}"));
        format!("({})", any.join(" or "))
    }
}

/// The moments between which orders are looked for. `None`: as long as the notary has orders.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Between {
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
}

/// Returns a source of the ids `order_id` and moments `created_at` of the orders that may match all words, the newest first. Each period is
/// asked only when the rows of the newer ones have been used. The notary is the first parameter of the statement.
pub(crate) fn orders_sql<'a>(
    words: &'a [AskedWord<'_>],
    between: &'a Between,
    values: &mut Vec<Value<'a>>,
) -> String {
    let period = format!("(p.number << {PERIOD_BITS})");
    let keys = "search_keys(s.notary_id, s.created_at, s.words, s.phrases)";
    let asked = asked_sql(words, between, values);
    let with_phrases = || words.iter().zip((0..).map(phrases_of));
    let has_keys: Vec<String> = with_phrases()
        .map(|(word, phrases)| word.has_keys(keys, &period, &phrases, values))
        .collect();
    let has_text: Vec<String> = with_phrases()
        .map(|(word, phrases)| word.has_text(&phrases, values))
        .collect();
    format!(
        "{asked} cross join lateral generate_series(asked.newest, asked.oldest, -1) p (number)
         cross join lateral (select k.order_id, k.created_at
             from (select s.order_id, s.created_at, s.words, s.phrases from order_search s where {} offset 0) k where {}
             order by k.created_at desc, k.order_id desc offset 0) n",
        has_keys.join(" and "),
        has_text.join(" and ")
    )
}

/// The phrases that match a word, as the source of [`asked_sql`] has them.
fn phrases_of(word: usize) -> String {
    format!("asked.phrases_{word}")
}

/// Returns a source `asked` of one row: the numbers of the newest and of the oldest period that are looked through, and the phrases that
/// match each word. It has no row where the notary has no order.
fn asked_sql<'a>(
    words: &'a [AskedWord<'_>],
    between: &'a Between,
    values: &mut Vec<Value<'a>>,
) -> String {
    let (since, until) = (next(values, &between.since), next(values, &between.until));
    let phrases: String = words
        .iter()
        .enumerate()
        .map(|(place, word)| {
            let pattern = next(values, &word.in_phrases);
            format!(
                ", array(select p.id from search_phrases p where p.notary_id = ?1 and p.text like {pattern} escape '\\') as phrases_{place}"
            )
        })
        .collect();
    format!(
        "(select least(made.newest, cast({until} as bigint)) >> {PERIOD_BITS} as newest,
             greatest(made.oldest, cast({since} as bigint)) >> {PERIOD_BITS} as oldest{phrases}
         from (select (select max(o.created_at) from orders o where o.notary_id = ?1) as newest,
             (select min(o.created_at) from orders o where o.notary_id = ?1) as oldest offset 0) made
         where made.oldest is not null offset 0) asked"
    )
}

/// Letters of a word that the index is asked for. Endings such as «енко» are in a third of all names: reading their lists costs more than it
/// leaves out.
const ASKED_LETTERS: usize = 6;

/// Returns the parts of a word that the index is asked for, separated by spaces, each of one key. They stand side by side: those between them
/// leave out hardly more, and each key that is asked for costs the reading of its list. Digits are asked for to the end, because numbers begin
/// alike. `None`: the word is too short for a key.
pub(crate) fn asked_parts(word: &str) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    let asked = if letters.iter().all(|letter| letter.is_alphabetic()) {
        &letters[..letters.len().min(ASKED_LETTERS)]
    } else {
        &letters[..]
    };
    let last = asked.len().checked_sub(KEY_CHARS)?;
    let begins = (0..last).step_by(KEY_CHARS).chain([last]);
    let parts = begins.map(|begin| asked[begin..begin + KEY_CHARS].iter().collect::<String>());
    Some(parts.collect::<Vec<_>>().join(" "))
}

/// Returns a query for the ids of the clients that may have all parts, which are separated by spaces as in [`asked_parts`]. The notary is the
/// first parameter of the statement.
pub(crate) fn clients_sql<'a>(parts: &'a String, values: &mut Vec<Value<'a>>) -> String {
    format!(
        "select s.client_id from client_search s
         where search_keys(s.notary_id, 0, s.words, '{{}}') @> search_keys(?1, 0, {}, '{{}}')",
        next(values, parts)
    )
}

/// Appends a parameter and returns its placeholder.
pub(crate) fn next<'a>(values: &mut Vec<Value<'a>>, value: &'a impl Bind) -> String {
    values.push(value.value());
    format!("?{}", values.len())
}
