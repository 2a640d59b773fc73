//! Sessions and their refresh tokens. A session is one family of tokens: each use replaces the token by the next.

use cabinet_domain::{EndReason, FoundToken, Network, NotaryId, Session, SessionId};
use jiff::Timestamp;

use crate::engine::changes::Change;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};

/// `sessions.confirmed_at` is not among them: only the release before reads and writes it, so a later migration drops it.
const COLUMNS: &str = "s.id, s.notary_id, s.device_id, s.browser, s.network, s.created_at, s.last_used_at, \
    s.expires_at, s.ended_at, s.end_reason";

fn read(row: &mut Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.next()?,
        notary_id: row.next()?,
        device_id: row.next()?,
        browser: row.next()?,
        network: row.next()?,
        created_at: row.next()?,
        last_used_at: row.next()?,
        expires_at: row.next()?,
        ended_at: row.next()?,
        end_reason: row.next()?,
    })
}

/// Stores a session.
pub fn insert(tx: &mut Tx, session: &Session) -> Result<()> {
    tx.execute(
        "insert into sessions (id, notary_id, device_id, browser, network, created_at, last_used_at, expires_at, ended_at,
             end_reason)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            session.id,
            session.notary_id,
            session.device_id,
            session.browser,
            session.network,
            session.created_at,
            session.last_used_at,
            session.expires_at,
            session.ended_at,
            session.end_reason,
        ],
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
        "select {COLUMNS}, t.expires_at as token_expires_at, t.replaced_at, t.answered_at
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

/// Revokes the unused tokens that replaced the same token as this one. A revoked token counts as replaced long ago. Of the successors
/// of one token, the first that is used stays.
pub fn withdraw_siblings(
    tx: &mut Tx,
    session: SessionId,
    hash: &[u8; 32],
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "update refresh_tokens set replaced_at = 0, answered_at = ?3
         where session_id = ?1 and hash <> ?2 and replaced_at is null
             and predecessor = (select t.predecessor from refresh_tokens t where t.hash = ?2)",
        params![session, hash, now],
    )
    .map(|_| ())
}

/// Revokes all unused tokens of a session, in the same way.
pub fn withdraw_unused(tx: &mut Tx, session: SessionId, now: Timestamp) -> Result<()> {
    tx.execute(
        "update refresh_tokens set replaced_at = 0, answered_at = ?2 where session_id = ?1 and replaced_at is null",
        params![session, now],
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

/// Ends a session with all its tokens, and its realtime connections. Returns false if it had ended already.
pub fn end(tx: &mut Tx, session: SessionId, now: Timestamp, reason: EndReason) -> Result<bool> {
    let sql = "update sessions set ended_at = ?2, end_reason = ?3 where id = ?1 and ended_at is null returning id";
    Ok(end_found(tx, sql, params![session, now, reason])? == 1)
}

/// Runs a statement that ends sessions and returns their ids. Returns their number.
fn end_found(tx: &mut Tx, sql: &str, params: &[Value<'_>]) -> Result<u64> {
    let ended: Vec<SessionId> = tx.rows(sql, params, |row| row.next())?;
    for session in &ended {
        tx.announce(Change::SessionEnded(*session));
    }
    Ok(ended.len() as u64)
}

/// Ends all sessions of a notary that have not expired. Returns their number.
pub fn end_all(tx: &mut Tx, notary: NotaryId, now: Timestamp, reason: EndReason) -> Result<u64> {
    let sql = "update sessions set ended_at = ?2, end_reason = ?3
               where notary_id = ?1 and ended_at is null and expires_at > ?2 returning id";
    end_found(tx, sql, params![notary, now, reason])
}

/// Returns the sessions that the operator has ended since a moment.
pub fn ended_by_operator(tx: &mut Tx, since: Timestamp) -> Result<Vec<SessionId>> {
    tx.rows(
        "select id from sessions where end_reason = 'ended_by_operator' and ended_at > ?1 order by ended_at, id",
        params![since],
        |row| row.next(),
    )
}

/// Ends all sessions of a notary but one. Returns their number.
pub fn end_others(
    tx: &mut Tx,
    notary: NotaryId,
    kept: SessionId,
    now: Timestamp,
    reason: EndReason,
) -> Result<u64> {
    let sql = "update sessions set ended_at = ?3, end_reason = ?4 where notary_id = ?1 and id <> ?2 and ended_at is null and expires_at > ?3 returning id";
    end_found(tx, sql, params![notary, kept, now, reason])
}

/// The condition for the notary `?1` that her session `?2` is alive at the moment `?3`, and her phone verified.
pub(crate) const OF_LIVE_SESSION: &str = "id = ?1 and phone_verified_at is not null
    and exists (select 1 from sessions s where s.id = ?2 and s.notary_id = ?1 and s.ended_at is null and s.expires_at > ?3)";

/// Returns whether a session of this notary is alive and the phone is verified. Every request asks this, unless it reads more of its notary
/// by the same condition; it is one lookup by key.
pub fn alive(tx: &mut Tx, session: SessionId, notary: NotaryId, now: Timestamp) -> Result<bool> {
    let sql = format!("select 1 as alive from notaries where {OF_LIVE_SESSION}");
    Ok(tx
        .row_optional(&sql, params![notary, session, now], |_| Ok(()))?
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

/// Returns the sessions of a notary that have not ended, the last used first.
pub fn alive_of(tx: &mut Tx, notary: NotaryId, now: Timestamp) -> Result<Vec<Session>> {
    let sql = format!(
        "select {COLUMNS} from sessions s where s.notary_id = ?1 and s.ended_at is null and s.expires_at > ?2
             and exists (select 1 from refresh_tokens t where t.session_id = s.id and t.expires_at > ?2)
         order by s.last_used_at desc, s.id"
    );
    tx.rows(&sql, params![notary, now], read)
}

/// Returns a session of a notary. Locks it in a unit of work that may write.
pub fn of_notary(tx: &mut Tx, session: SessionId, notary: NotaryId) -> Result<Option<Session>> {
    let sql = format!(
        "select {COLUMNS} from sessions s where s.id = ?1 and s.notary_id = ?2{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![session, notary], read)
}

/// Returns whether a notary has signed in from a network since a moment.
pub fn has_entered_from(
    tx: &mut Tx,
    notary: NotaryId,
    network: &Network,
    since: Timestamp,
) -> Result<bool> {
    let sql = "select count(*) as entries from sessions where notary_id = ?1 and created_at >= ?3 and network = ?2";
    Ok(tx.row(sql, params![notary, network, since], |row| {
        row.next::<i64>()
    })? > 0)
}

/// Forgets the networks of a notary's sessions but one.
pub fn forget_networks_of_others(tx: &mut Tx, notary: NotaryId, kept: SessionId) -> Result<()> {
    let sql = "update sessions set network = null where notary_id = ?1 and id <> ?2";
    tx.execute(sql, params![notary, kept]).map(|_| ())
}

/// Returns whether any notary has signed in from a network since a moment. The session of a sign-up counts once its phone is verified.
pub fn has_anybody_entered_from(tx: &mut Tx, network: &Network, since: Timestamp) -> Result<bool> {
    let sql = "select 1 as entered from sessions s join notaries n on n.id = s.notary_id
               where s.network = ?1 and s.created_at >= ?2 and n.phone_verified_at is not null limit 1";
    Ok(tx
        .row_optional(sql, params![network, since], |_| Ok(()))?
        .is_some())
}

/// Returns the number of notaries who have signed in since a moment.
pub fn count_notaries_since(tx: &mut Tx, since: Timestamp) -> Result<i64> {
    let sql = "select count(distinct s.notary_id) as notaries from sessions s join notaries n on n.id = s.notary_id
               where s.created_at >= ?1 and n.phone_verified_at is not null";
    tx.row(sql, params![since], |row| row.next())
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
