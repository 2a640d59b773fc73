//! The locks of rows that several units of work change, as types.
//!
//! Reads never lock. Who writes what a lock protects shows its guard, so that writing without the lock does not compile. A guard can't leave
//! its unit of work: it is not `Send`. On SQLite the unit of work that may write is the lock, and nothing is sent.
//!
//! A notary is locked before her orders, an order before its transfers. An order is locked under the guard of its notary, or in a unit of work
//! that locks no notary; a transfer under the guard of its order, or in a unit of work that locks no order:
//!
//! ```
//! # use cabinet_domain::{NotaryId, OrderId};
//! # use cabinet_storage::{Result, Tx, lock_notary, order::orders};
//! fn of_her(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<()> {
//!     let notary = lock_notary(tx, notary)?;
//!     orders::lock_of(tx, &notary, order)?;
//!     Ok(())
//! }
//! fn alone(tx: &mut Tx, order: OrderId) -> Result<()> {
//!     let tx = &mut tx.without_notary();
//!     orders::lock(tx, order)?;
//!     Ok(())
//! }
//! ```
//!
//! While an order is held that was locked without her, no notary is locked,
//!
//! ```compile_fail,E0277
//! # use cabinet_domain::{NotaryId, OrderId};
//! # use cabinet_storage::{Result, Tx, lock_notary, order::orders};
//! fn wrong(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<()> {
//!     let tx = &mut tx.without_notary();
//!     orders::lock(tx, order)?;
//!     lock_notary(tx, notary)?;
//!     Ok(())
//! }
//! ```
//!
//! also not by the way round it,
//!
//! ```compile_fail,E0499
//! # use cabinet_domain::{NotaryId, OrderId};
//! # use cabinet_storage::{Result, Tx, lock_notary, order::orders};
//! fn wrong(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<()> {
//!     let found = orders::lock(&mut tx.without_notary(), order)?;
//!     lock_notary(tx, notary)?;
//!     drop(found);
//!     Ok(())
//! }
//! ```
//!
//! no order while a transfer is held that was locked without one,
//!
//! ```compile_fail,E0308
//! # use cabinet_domain::{OrderId, TransferId};
//! # use cabinet_storage::{Result, Tx, order::orders, transfer::transfers};
//! fn wrong(tx: &mut Tx, order: OrderId, transfer: TransferId) -> Result<()> {
//!     let tx = &mut tx.without_order();
//!     transfers::lock(tx, transfer)?;
//!     orders::lock(tx, order)?;
//!     Ok(())
//! }
//! ```
//!
//! and none without one or the other.
//!
//! ```compile_fail,E0308
//! # use cabinet_domain::OrderId;
//! # use cabinet_storage::{Result, Tx, order::orders};
//! fn wrong(tx: &mut Tx, order: OrderId) -> Result<()> {
//!     orders::lock(tx, order)?;
//!     Ok(())
//! }
//! ```

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use cabinet_domain::{NotaryId, OrderId, SessionId, TransferId};
use jiff::Timestamp;

use crate::engine::error::{Result, StorageError};
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

    /// Returns the guard of an order of hers that this unit of work has made: nobody else sees it yet.
    pub(crate) const fn made(&self, order: OrderId) -> LockedOrder<'_> {
        LockedOrder::new(order)
    }
}

impl Bind for LockedNotary {
    fn value(&self) -> Value<'_> {
        self.id.value()
    }
}

/// A unit of work that may lock a notary: not one that locks an order without her ([`WithoutNotary`]).
pub trait MayLockNotary {
    /// Returns its handle.
    fn tx(&mut self) -> &mut Tx;
}

impl MayLockNotary for Tx {
    fn tx(&mut self) -> &mut Tx {
        self
    }
}

/// A unit of work that locks no notary, so that an order may be the first.
pub struct WithoutNotary<'t>(&'t mut Tx);

impl Tx {
    /// Promises that this unit of work locks no notary from now on: no guard of an order outlives the promise. A function that locks one
    /// itself asks for [`MayLockNotary`], not for a [`Tx`], wherever it may be called here.
    pub const fn without_notary(&mut self) -> WithoutNotary<'_> {
        WithoutNotary(self)
    }
}

impl Deref for WithoutNotary<'_> {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        self.0
    }
}

impl DerefMut for WithoutNotary<'_> {
    fn deref_mut(&mut self) -> &mut Tx {
        self.0
    }
}

/// A unit of work that locks neither a notary nor an order, so that a transfer may be the first.
pub struct WithoutOrder<'t>(&'t mut Tx);

impl Tx {
    /// Promises that this unit of work locks neither a notary nor an order from now on, as [`Tx::without_notary`] does. No type keeps it from
    /// the lesser promise after this one.
    pub const fn without_order(&mut self) -> WithoutOrder<'_> {
        WithoutOrder(self)
    }
}

impl Deref for WithoutOrder<'_> {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        self.0
    }
}

impl DerefMut for WithoutOrder<'_> {
    fn deref_mut(&mut self) -> &mut Tx {
        self.0
    }
}

/// An order whose row is locked until the unit of work ends, and with it its attempts, refunds, history and items, its consent to letters,
/// and which transfers it has.
#[derive(Debug)]
pub struct LockedOrder<'t> {
    id: OrderId,
    of_one_unit: PhantomData<(&'t mut Tx, *const ())>,
}

impl LockedOrder<'_> {
    const fn new(id: OrderId) -> Self {
        Self {
            id,
            of_one_unit: PhantomData,
        }
    }

    /// Returns its id.
    #[must_use]
    pub const fn id(&self) -> OrderId {
        self.id
    }

    /// Refuses a row of a table that belongs to another order: nobody keeps others from writing that one meanwhile.
    pub(crate) fn covers(&self, of_row: OrderId, table: &str) -> Result<()> {
        if of_row == self.id {
            return Ok(());
        }
        Err(StorageError::Inconsistent {
            table: table.to_owned(),
            id: None,
            column: "order_id".to_owned(),
            reason: "another order is locked".to_owned(),
        })
    }
}

impl Bind for LockedOrder<'_> {
    fn value(&self) -> Value<'_> {
        self.id.value()
    }
}

/// A transfer whose row is locked until the unit of work ends: what becomes of it is decided and stored under its lock, besides what becomes of
/// all that are planned of its order.
#[derive(Debug)]
pub struct LockedTransfer<'t> {
    id: TransferId,
    of_one_unit: PhantomData<(&'t mut Tx, *const ())>,
}

impl LockedTransfer<'_> {
    const fn new(id: TransferId) -> Self {
        Self {
            id,
            of_one_unit: PhantomData,
        }
    }

    /// Returns its id.
    #[must_use]
    pub const fn id(&self) -> TransferId {
        self.id
    }
}

impl Bind for LockedTransfer<'_> {
    fn value(&self) -> Value<'_> {
        self.id.value()
    }
}

/// Locks the transfer that a statement finds, and returns what `read` tells of it, with its id.
pub(crate) fn locked_transfer<'t, T>(
    tx: &mut WithoutOrder<'t>,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(TransferId, T)>,
) -> Result<Option<(LockedTransfer<'t>, T)>> {
    let found = transfer_row(tx, select, params, read)?;
    Ok(found.map(|(id, told)| (LockedTransfer::new(id), told)))
}

/// The same for a transfer of a locked order.
pub(crate) fn locked_transfer_of<'t, T>(
    tx: &mut Tx,
    _order: &LockedOrder<'t>,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(TransferId, T)>,
) -> Result<Option<(LockedTransfer<'t>, T)>> {
    let found = transfer_row(tx, select, params, read)?;
    Ok(found.map(|(id, told)| (LockedTransfer::new(id), told)))
}

fn transfer_row<T>(
    tx: &mut Tx,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(TransferId, T)>,
) -> Result<Option<(TransferId, T)>> {
    let lock = tx.row_lock();
    tx.row_optional(&format!("{select}{lock}"), params, read)
}

/// Locks the order `o` that a statement finds, and returns what `read` tells of it, with its id.
pub(crate) fn locked_order<'t, T>(
    tx: &mut WithoutNotary<'t>,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(OrderId, T)>,
) -> Result<Option<(LockedOrder<'t>, T)>> {
    let found = order_row(tx, select, params, read)?;
    Ok(found.map(|(id, told)| (LockedOrder::new(id), told)))
}

/// The same for an order of a locked notary.
pub(crate) fn locked_order_of<'n, T>(
    tx: &mut Tx,
    _notary: &'n LockedNotary,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(OrderId, T)>,
) -> Result<Option<(LockedOrder<'n>, T)>> {
    let found = order_row(tx, select, params, read)?;
    Ok(found.map(|(id, told)| (LockedOrder::new(id), told)))
}

fn order_row<T>(
    tx: &mut Tx,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(OrderId, T)>,
) -> Result<Option<(OrderId, T)>> {
    let lock = tx.row_lock_of("o");
    tx.row_optional(&format!("{select}{lock}"), params, read)
}

/// Locks a notary.
pub fn lock_notary(tx: &mut impl MayLockNotary, notary: NotaryId) -> Result<LockedNotary> {
    let tx = tx.tx();
    if tx.sqlite().is_none() {
        let select = "select id from notaries where id = ?1";
        locked_notary(tx, select, params![notary], |row| Ok((row.next()?, ())))?;
    }
    Ok(LockedNotary::new(notary))
}

/// Locks the notary whom a statement finds. `read` returns her id, and what the statement tells of her.
pub(crate) fn locked_notary<T>(
    tx: &mut impl MayLockNotary,
    select: &str,
    params: &[Value<'_>],
    read: impl FnMut(&mut Row<'_>) -> Result<(NotaryId, T)>,
) -> Result<Option<(LockedNotary, T)>> {
    let tx = tx.tx();
    let found = tx.row_optional(&format!("{select}{}", tx.row_lock()), params, read)?;
    Ok(found.map(|(id, told)| (LockedNotary::new(id), told)))
}

/// Locks a notary `n` whose phone is verified and whose session is alive, and reads columns of her. `read` returns what they tell.
///
/// The session is locked, too, because PostgreSQL reads anew only those rows that it locks: it may have ended while the statement waited for
/// the notary. A lock that lets it end would go on with what it was.
pub(crate) fn locked_notary_of_session<T>(
    tx: &mut impl MayLockNotary,
    columns: &str,
    (notary, session, now): (NotaryId, SessionId, Timestamp),
    read: impl FnMut(&mut Row<'_>) -> Result<T>,
) -> Result<Option<(LockedNotary, T)>> {
    let tx = tx.tx();
    let lock = tx.row_lock_with("n", "alive");
    let sql = format!(
        "select {columns} from notaries n, (select s.id as session_id from sessions s
             where s.id = ?2 and s.notary_id = ?1 and s.ended_at is null and s.expires_at > ?3) alive
         where n.id = ?1 and n.phone_verified_at is not null{lock}"
    );
    let found = tx.row_optional(&sql, params![notary, session, now], read)?;
    Ok(found.map(|told| (LockedNotary::new(notary), told)))
}
