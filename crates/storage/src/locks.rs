//! The locks of rows that several units of work change, as types.
//!
//! Reads never lock. Who writes what a lock protects shows its guard, so that writing without the lock does not compile. A guard can't leave
//! its unit of work: it is not `Send`. On SQLite the unit of work that may write is the lock, and nothing is sent.

use std::marker::PhantomData;

use cabinet_domain::{NotaryId, SessionId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};

/// A notary whose row is locked until the unit of work ends, and with it her account, her cart and what else she alone changes, and the
/// making of her orders.
#[derive(Debug)]
pub struct LockedNotary {
    id: NotaryId,
    of_one_unit: PhantomData<*const ()>,
}

impl LockedNotary {
    const fn new(id: NotaryId) -> LockedNotary {
        LockedNotary {
            id,
            of_one_unit: PhantomData,
        }
    }

    /// Returns her id.
    #[must_use]
    pub const fn id(&self) -> NotaryId {
        self.id
    }
}

impl Bind for LockedNotary {
    fn value(&self) -> Value<'_> {
        self.id.value()
    }
}

/// Locks a notary.
pub fn lock_notary(tx: &mut Tx, notary: NotaryId) -> Result<LockedNotary> {
    if tx.sqlite().is_none() {
        let select = "select id from notaries where id = ?1";
        locked_notary(tx, select, params![notary], |row| Ok((row.next()?, ())))?;
    }
    Ok(LockedNotary::new(notary))
}

/// Locks the notary whom a statement finds. `read` returns her id, and what the statement tells of her.
pub(crate) fn locked_notary<T>(
    tx: &mut Tx,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(NotaryId, T)>,
) -> Result<Option<(LockedNotary, T)>> {
    let found = tx.row_optional(&format!("{select}{}", tx.row_lock()), params, read)?;
    Ok(found.map(|(id, told)| (LockedNotary::new(id), told)))
}

/// Locks a notary `n` whose phone is verified and whose session is alive, and reads columns of her. `read` returns what they tell.
///
/// The session is locked, too, because PostgreSQL reads anew only those rows that it locks: it may have ended while the statement waited for
/// the notary. A lock that lets it end would go on with what it was.
pub(crate) fn locked_notary_of_session<T>(
    tx: &mut Tx,
    columns: &str,
    (notary, session, now): (NotaryId, SessionId, Timestamp),
    read: impl FnMut(&mut Row<'_>) -> Result<T>,
) -> Result<Option<(LockedNotary, T)>> {
    let lock = tx.row_lock_with("n", "alive");
    let sql = format!(
        "select {columns} from notaries n, (select s.id as session_id from sessions s
             where s.id = ?2 and s.notary_id = ?1 and s.ended_at is null and s.expires_at > ?3) alive
         where n.id = ?1 and n.phone_verified_at is not null{lock}"
    );
    let found = tx.row_optional(&sql, params![notary, session, now], read)?;
    Ok(found.map(|told| (LockedNotary::new(notary), told)))
}
