//! Sessions and their refresh tokens. A session is one family of tokens: each use replaces the token by the next.

use cabinet_domain::{EndReason, FoundToken, NotaryId, Session, SessionId};
use jiff::Timestamp;

use crate::error::Result;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

fn read(row: &mut Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.next()?,
        notary_id: row.next()?,
        created_at: row.next()?,
        last_used_at: row.next()?,
        expires_at: row.next()?,
        ended_at: row.next()?,
        end_reason: row.next()?,
    })
}

/// Inserts a session.
pub fn insert(
    tx: &mut Tx,
    session: SessionId,
    notary: NotaryId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into sessions (id, notary_id, created_at, last_used_at, expires_at) values (?1, ?2, ?3, ?3, ?4)",
        params![session, notary, now, expires_at],
    )
    .map(|_| ())
}

/// Adds a token to a session, by its hash, with the hash of the token that it replaces.
pub fn add_token(
    tx: &mut Tx,
    hash: &[u8; 32],
    predecessor: Option<&[u8; 32]>,
    session: SessionId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into refresh_tokens (hash, session_id, created_at, expires_at, predecessor) values (?1, ?2, ?3, ?4, ?5)",
        params![hash, session, now, expires_at, predecessor],
    )
    .map(|_| ())
}

/// Returns a token with its session, by its hash. Locks both in a unit of work that may write, so that of two parallel
/// uses of a token the second sees the effect of the first.
pub fn by_token(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<FoundToken>> {
    let sql = format!(
        "select s.id, s.notary_id, s.created_at, s.last_used_at, s.expires_at, s.ended_at, s.end_reason,
             t.expires_at as token_expires_at, t.replaced_at, t.answered_at
         from refresh_tokens t join sessions s on s.id = t.session_id
         where t.hash = ?1{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![hash], |row| {
        Ok(FoundToken {
            session: read(row)?,
            expires_at: row.next()?,
            replaced_at: row.next()?,
            answered_at: row.next()?,
        })
    })
}

/// Marks a token as replaced. Returns false if it was already.
pub fn replace_token(tx: &mut Tx, hash: &[u8; 32], now: Timestamp) -> Result<bool> {
    let sql = "update refresh_tokens set replaced_at = ?2 where hash = ?1 and replaced_at is null";
    Ok(tx.execute(sql, params![hash, now])? == 1)
}

/// Records that a token was used, so the answer that carried it has arrived. From then on the token that it replaced is
/// invalid.
pub fn record_arrival(tx: &mut Tx, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    tx.execute(
        "update refresh_tokens set answered_at = ?2
         where hash = (select t.predecessor from refresh_tokens t where t.hash = ?1) and answered_at is null",
        params![hash, now],
    )
    .map(|_| ())
}

/// Revokes the unused tokens that replaced a token, because that token was used again. Using a revoked token counts as
/// using a replaced one.
pub fn withdraw_successors(
    tx: &mut Tx,
    session: SessionId,
    hash: &[u8; 32],
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "update refresh_tokens set replaced_at = ?3, answered_at = ?3
         where session_id = ?1 and predecessor = ?2 and replaced_at is null",
        params![session, hash, now],
    )
    .map(|_| ())
}

/// Records that a person used a session.
pub fn touch(tx: &mut Tx, session: SessionId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update sessions set last_used_at = ?2 where id = ?1 and last_used_at < ?2",
        params![session, now],
    )
    .map(|_| ())
}

/// Ends a session with all its tokens. Returns false if it had ended already.
pub fn end(tx: &mut Tx, session: SessionId, now: Timestamp, reason: EndReason) -> Result<bool> {
    let sql =
        "update sessions set ended_at = ?2, end_reason = ?3 where id = ?1 and ended_at is null";
    Ok(tx.execute(sql, params![session, now, reason])? == 1)
}

/// Ends all sessions of a notary. Returns their number.
pub fn end_all(tx: &mut Tx, notary: NotaryId, now: Timestamp, reason: EndReason) -> Result<u64> {
    let sql = "update sessions set ended_at = ?2, end_reason = ?3 where notary_id = ?1 and ended_at is null";
    tx.execute(sql, params![notary, now, reason])
}

/// Ends all sessions of a notary but one. Returns their number.
pub fn end_others(
    tx: &mut Tx,
    notary: NotaryId,
    kept: SessionId,
    now: Timestamp,
    reason: EndReason,
) -> Result<u64> {
    let sql = "update sessions set ended_at = ?3, end_reason = ?4 where notary_id = ?1 and id <> ?2 and ended_at is null";
    tx.execute(sql, params![notary, kept, now, reason])
}

/// Returns whether a session of this notary is alive and the phone is verified. Every request asks this; it is one
/// lookup by key.
pub fn alive(tx: &mut Tx, session: SessionId, notary: NotaryId, now: Timestamp) -> Result<bool> {
    let sql = "select 1 as alive from sessions s join notaries n on n.id = s.notary_id
               where s.id = ?1 and s.notary_id = ?2 and s.ended_at is null and s.expires_at > ?3
                   and n.phone_verified_at is not null";
    Ok(tx
        .row_optional(sql, params![session, notary, now], |_| Ok(()))?
        .is_some())
}

/// Like [`alive`], but the phone need not be verified: for the calls that finish a sign-up.
pub fn alive_unverified(
    tx: &mut Tx,
    session: SessionId,
    notary: NotaryId,
    now: Timestamp,
) -> Result<bool> {
    let sql = "select 1 as alive from sessions where id = ?1 and notary_id = ?2 and ended_at is null and expires_at > ?3";
    Ok(tx
        .row_optional(sql, params![session, notary, now], |_| Ok(()))?
        .is_some())
}

/// Returns when a session ends unless it is refreshed before: with the last of its tokens.
pub fn ends_at(tx: &mut Tx, session: SessionId) -> Result<Timestamp> {
    let sql = "select max(expires_at) as ends_at from refresh_tokens where session_id = ?1";
    tx.row(sql, params![session], |row| row.next())
}

/// Deletes sessions and their tokens that expired or ended before a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from sessions where expires_at < ?1 or ended_at < ?1",
        params![before],
    )
}
