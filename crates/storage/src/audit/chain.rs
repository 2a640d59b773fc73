//! The chain of the audit trail: sealing events in order, and checking that they still are what was sealed.
//!
//! Writers append events without a number, so they don't wait for each other. One process at a time seals what was committed.

use cabinet_domain::AuditSeal;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::engine::counters;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Events that are sealed in one unit of work.
const SEALED_AT_ONCE: u32 = 500;

/// Events that are checked in one unit of work. Tests use small pages, so that few events make several.
const CHECKED_AT_ONCE: u32 = if cfg!(test) { 2 } else { 2_000 };

/// The most breaks that are listed.
const BREAKS_MAX: usize = 10;

/// The name of the hash function's use. Another form of the chain gets another one.
const CONTEXT: &str = "notary cabinet 2026 audit chain";

/// The columns that a hash covers, in the order of the canonical form.
const COLUMNS: &str = "id, created_at, actor, actor_id, actor_name, action, notary_id, order_id, object_kind, object_id,
    changes, network, browser";

/// What a hash covers, as it is stored.
struct Content {
    id: Uuid,
    created_at: i64,
    /// Actor and action.
    words: [String; 2],
    /// Ids of the acting notary, the notary and the order.
    ids: [Option<Uuid>; 3],
    /// Name of the actor, kind and id of the object, network and browser.
    texts: [Option<String>; 5],
    changes: String,
}

fn read(row: &mut Row<'_>) -> Result<Content> {
    let (id, created_at) = (row.next()?, row.next()?);
    let actor: String = row.next()?;
    let (actor_id, actor_name) = (row.next()?, row.next()?);
    let action: String = row.next()?;
    let (notary_id, order_id) = (row.next()?, row.next()?);
    let (object_kind, object_id) = (row.next()?, row.next()?);
    let changes = row.next()?;
    let (network, browser) = (row.next()?, row.next()?);
    Ok(Content {
        id,
        created_at,
        words: [actor, action],
        ids: [actor_id, notary_id, order_id],
        texts: [actor_name, object_kind, object_id, network, browser],
        changes,
    })
}

/// Returns the seal of an event that follows another one. Each part is written with its length, so that no two contents have
/// the same form.
fn seal_of(previous: &AuditSeal, sequence: i64, content: &Content) -> AuditSeal {
    fn part(hasher: &mut blake3::Hasher, bytes: Option<&[u8]>) {
        let length = bytes.map_or(u64::MAX, |bytes| bytes.len() as u64);
        hasher.update(&length.to_le_bytes());
        hasher.update(bytes.unwrap_or_default());
    }
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(&previous.hash);
    hasher.update(&sequence.to_le_bytes());
    hasher.update(content.id.as_bytes());
    hasher.update(&content.created_at.to_le_bytes());
    for word in &content.words {
        part(&mut hasher, Some(word.as_bytes()));
    }
    for id in &content.ids {
        part(&mut hasher, id.as_ref().map(|id| id.as_bytes().as_slice()));
    }
    for text in &content.texts {
        part(&mut hasher, text.as_deref().map(str::as_bytes));
    }
    part(&mut hasher, Some(content.changes.as_bytes()));
    AuditSeal {
        sequence,
        hash: hasher.finalize().into(),
    }
}

/// Seals events that are not sealed yet, at most a batch. Returns their number.
pub fn seal(tx: &mut Tx) -> Result<usize> {
    tx.advisory_lock(b"audit chain")?;
    let sql = format!(
        "select {COLUMNS} from audit_events where sequence is null order by created_at, id limit ?1"
    );
    let unsealed = tx.rows(&sql, params![SEALED_AT_ONCE], read)?;
    if unsealed.is_empty() {
        return Ok(0);
    }
    let mut last = end(tx)?;
    // Where the last events are missing, their numbers are not given again.
    let mut sequence = last
        .sequence
        .max(counters::audit_sealed_until(tx)?.unwrap_or(0));
    for content in &unsealed {
        sequence += 1;
        last = seal_of(&last, sequence, content);
        tx.execute(
            "update audit_events set sequence = ?2, hash = ?3 where id = ?1 and sequence is null",
            params![content.id, last.sequence, last.hash],
        )?;
    }
    counters::set_audit_sealed_until(tx, sequence)?;
    Ok(unsealed.len())
}

/// Returns whether an event waits to be sealed.
pub fn has_unsealed(tx: &mut Tx) -> Result<bool> {
    let sql = "select 1 as one from audit_events where sequence is null limit 1";
    let found = tx.row_optional(sql, params![], |row| row.next::<i64>())?;
    Ok(found.is_some())
}

/// Returns the number of events that happened before a moment and are not sealed.
pub fn unsealed_before(tx: &mut Tx, moment: Timestamp) -> Result<i64> {
    let sql = "select count(*) from audit_events where sequence is null and created_at < ?1";
    tx.row(sql, params![moment], |row| row.next())
}

/// Returns where the trail begins: the seal before the first event that is kept.
pub fn start(tx: &mut Tx) -> Result<AuditSeal> {
    let sql = "select sequence, hash from audit_starts order by sequence desc limit 1";
    Ok(tx
        .row_optional(sql, params![], read_seal)?
        .unwrap_or(AuditSeal::START))
}

/// Returns the seal of the last sealed event.
pub fn end(tx: &mut Tx) -> Result<AuditSeal> {
    let sql = "select sequence, hash from audit_events where sequence is not null
               order by sequence desc limit 1";
    match tx.row_optional(sql, params![], read_seal)? {
        Some(seal) => Ok(seal),
        None => start(tx),
    }
}

fn read_seal(row: &mut Row<'_>) -> Result<AuditSeal> {
    Ok(AuditSeal {
        sequence: row.next()?,
        hash: row.next()?,
    })
}

/// Returns when the first event of the trail happened.
pub fn oldest(tx: &mut Tx) -> Result<Option<Timestamp>> {
    let start = start(tx)?.sequence;
    let sql = "select created_at from audit_events where sequence > ?1 order by sequence limit 1";
    tx.row_optional(sql, params![start], |row| row.next())
}

/// Makes the trail begin with the first sealed event that happened at a moment or later. What follows can still be checked, because the
/// seal before it is kept. The events before it may be removed from now on.
pub fn begin_at(tx: &mut Tx, moment: Timestamp, now: Timestamp) -> Result<()> {
    tx.advisory_lock(b"audit chain")?;
    let start = start(tx)?.sequence;
    let sql = "select sequence, hash from audit_events
               where sequence < coalesce((select min(sequence) from audit_events where created_at >= ?1 and sequence is not null),
                                         (select max(sequence) + 1 from audit_events))
               order by sequence desc limit 1";
    let last = tx.row_optional(sql, params![moment], read_seal)?;
    let Some(last) = last.filter(|last| last.sequence > start) else {
        return Ok(());
    };
    tx.execute(
        "insert into audit_starts (sequence, hash, created_at) values (?1, ?2, ?3)",
        params![last.sequence, last.hash, now],
    )
    .map(|_| ())
}

/// Removes at most `limit` events before the beginning of the trail. Returns their number.
pub fn remove_before_start(tx: &mut Tx, limit: u32) -> Result<u64> {
    let start = start(tx)?.sequence;
    let sql = "delete from audit_events where sequence in
                   (select sequence from audit_events where sequence <= ?1 order by sequence limit ?2)";
    tx.execute(sql, params![start, limit])
}

/// Where the trail is not what was sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// The event with this number does not follow from the one before: one of the two was changed, put in or moved.
    Changed(i64),
    /// The events with these numbers are missing.
    Missing(i64, i64),
    /// The trail begins after the event with the number of a seal that was noted elsewhere: what was noted was removed.
    BeginsAfterNoted(i64, i64),
    /// The trail begins after this event, and the events before it had to be kept.
    BeginsTooLate(i64),
    /// The event with the number of a seal that was noted elsewhere has another hash: what was sealed up to it was written anew.
    NotAsNoted(i64),
}

impl std::fmt::Display for Break {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Changed(number) => write!(
                f,
                "event {number} does not follow from the one before: one of the two was changed, put in or moved"
            ),
            Self::Missing(from, to) if from == to => write!(f, "event {from} is missing"),
            Self::Missing(from, to) => write!(f, "events {from} to {to} are missing"),
            Self::BeginsAfterNoted(number, noted) => write!(
                f,
                "the trail begins after event {number}, and event {noted} was noted: events were removed that had to be kept, or the noted seal is older than they are kept"
            ),
            Self::BeginsTooLate(number) => write!(
                f,
                "the trail begins after event {number}: events were removed that had to be kept"
            ),
            Self::NotAsNoted(number) => write!(
                f,
                "event {number} has another hash than the noted one: the trail up to it was written anew"
            ),
        }
    }
}

/// How long events are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// It is not known, so the beginning of the trail is not judged by it.
    Unknown,
    /// For ever.
    All,
    /// For so long, as it is decided at this moment.
    For(SignedDuration, Timestamp),
}

/// Whole months are removed, and nothing happens for some days in any installation: the first event that is kept may be so much younger
/// than the last one that may be removed.
const BEGINS_WITHIN: SignedDuration = SignedDuration::from_hours(24 * 62);

/// Whether events were removed that had to be kept when the trail got its beginning.
fn begins_too_late(tx: &mut Tx, keeps: Keeps) -> Result<bool> {
    let sql = "select sequence, created_at from audit_starts order by sequence desc limit 1";
    let start = tx.row_optional(sql, params![], |row| {
        Ok((row.next::<i64>()?, row.next::<Timestamp>()?))
    })?;
    let (Some((sequence, begun_at)), Keeps::All | Keeps::For(..)) = (start, keeps) else {
        return Ok(false);
    };
    let Keeps::For(kept, now) = keeps else {
        return Ok(true);
    };
    let sql = "select created_at from audit_events where sequence > ?1 order by sequence limit 1";
    let first: Option<Timestamp> = tx.row_optional(sql, params![sequence], |row| row.next())?;
    // Whoever empties the trail leaves no event, or only those since then.
    // A beginning that says that it was made in the future is as old as now.
    Ok(first.is_none_or(|first| first > begun_at.min(now) - kept + BEGINS_WITHIN))
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainCheck {
    /// The seal before the first event that is kept.
    pub start: AuditSeal,
    /// The last seal.
    pub end: AuditSeal,
    /// The number of checked events.
    pub events: u64,
    /// The number of breaks.
    pub broken: u64,
    /// Some of them.
    pub breaks: Vec<Break>,
    noted: Option<AuditSeal>,
}

impl ChainCheck {
    fn begin(tx: &mut Tx, noted: Option<AuditSeal>, keeps: Keeps) -> Result<ChainCheck> {
        let start = start(tx)?;
        let mut check = ChainCheck {
            start,
            end: start,
            events: 0,
            broken: 0,
            breaks: Vec::new(),
            noted,
        };
        check.compare_noted(start);
        if let Some(noted) = noted.filter(|noted| noted.sequence < start.sequence) {
            check.found(Break::BeginsAfterNoted(start.sequence, noted.sequence));
        }
        if begins_too_late(tx, keeps)? {
            check.found(Break::BeginsTooLate(start.sequence));
        }
        Ok(check)
    }

    fn compare_noted(&mut self, seal: AuditSeal) {
        let differs = |noted: AuditSeal| noted.sequence == seal.sequence && noted.hash != seal.hash;
        if self.noted.is_some_and(differs) {
            self.found(Break::NotAsNoted(seal.sequence));
        }
    }

    /// Checks the next page. Returns false after the last one.
    fn step(&mut self, tx: &mut Tx) -> Result<bool> {
        let sql = format!(
            "select {COLUMNS}, sequence, hash from audit_events where sequence > ?1 order by sequence limit ?2"
        );
        let page = tx.rows(&sql, params![self.end.sequence, CHECKED_AT_ONCE], |row| {
            Ok((read(row)?, read_seal(row)?))
        })?;
        for (content, seal) in &page {
            self.take(content, *seal);
        }
        if page.is_empty() {
            self.finish(tx)?;
        }
        Ok(!page.is_empty())
    }

    fn take(&mut self, content: &Content, seal: AuditSeal) {
        let expected = self.end.sequence + 1;
        if seal.sequence != expected {
            // What it followed is gone, so its hash can't be computed.
            self.found(Break::Missing(expected, seal.sequence - 1));
        } else if seal_of(&self.end, expected, content) != seal {
            self.found(Break::Changed(expected));
        }
        self.compare_noted(seal);
        self.end = seal;
        self.events += 1;
    }

    fn finish(&mut self, tx: &mut Tx) -> Result<()> {
        let sealed = counters::audit_sealed_until(tx)?.unwrap_or(0);
        let noted = self.noted.map_or(0, |noted| noted.sequence);
        let last = sealed.max(noted);
        if last > self.end.sequence {
            self.found(Break::Missing(self.end.sequence + 1, last));
        }
        Ok(())
    }

    fn found(&mut self, found: Break) {
        self.broken += 1;
        if self.breaks.len() < BREAKS_MAX {
            self.breaks.push(found);
        }
    }
}

/// Checks the whole chain, and whether it holds a seal that was noted elsewhere. Each page is a unit of work of its own, so that
/// no snapshot of the database is held for long.
pub async fn check(store: &Store, noted: Option<AuditSeal>, keeps: Keeps) -> Result<ChainCheck> {
    let mut check = store
        .read_long(move |tx| ChainCheck::begin(tx, noted, keeps))
        .await?;
    let mut more = true;
    while more {
        let before = check;
        let step = move |tx: &mut Tx| -> Result<(ChainCheck, bool)> {
            let mut check = before.clone();
            let more = check.step(tx)?;
            Ok((check, more))
        };
        (check, more) = store.read_long(step).await?;
    }
    Ok(check)
}
