//! The figures of notaries for their saved cards, and what these have paid to recipients outside of the tables.

use cabinet_domain::{CardFigures, Money, NotaryId, OrderId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// Returns the figures that a notary has set; `None`: those of the installation hold.
pub fn of_notary(tx: &mut Tx, notary: NotaryId) -> Result<Option<CardFigures>> {
    tx.row_optional(
        "select card_daily_unproved_max, card_told_from from notaries
         where id = ?1 and card_daily_unproved_max is not null",
        params![notary],
        |row| {
            Ok(CardFigures {
                daily_unproved_max: row.next()?,
                told_from: row.next()?,
            })
        },
    )
}

/// Stores the figures of a notary.
pub fn set(tx: &mut Tx, notary: &LockedNotary, figures: CardFigures, now: Timestamp) -> Result<()> {
    tx.execute(
        "update notaries set card_daily_unproved_max = ?2, card_told_from = ?3, updated_at = ?4 where id = ?1",
        params![notary, figures.daily_unproved_max, figures.told_from, now],
    )
    .map(|_| ())
}

/// Stores what a charge of an order pays to recipients outside of the tables.
pub fn add_charge(
    tx: &mut Tx,
    notary: &LockedNotary,
    order: OrderId,
    amount: Money,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into charges_outside_tables (order_id, notary_id, amount, charged_at) values (?1, ?2, ?3, ?4)
         on conflict (order_id) do update set amount = excluded.amount, charged_at = excluded.charged_at",
        params![order, notary, amount, now],
    )
    .map(|_| ())
}

/// Returns what the saved cards of a notary have paid since a moment to recipients outside of the tables, or still may, without one order.
pub fn charged_since(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
    without: Option<OrderId>,
) -> Result<Money> {
    tx.row(
        "select cast(coalesce(sum(c.amount), 0) as bigint) as amount
         from charges_outside_tables c join orders o on o.id = c.order_id
         where c.notary_id = ?1 and c.charged_at > ?2 and (c.order_id <> ?3 or ?3 is null)
             and (o.status in ('in_progress', 'pending', 'paid')
                 or exists (select 1 from attempts a where a.order_id = o.id and a.state = 'accepted'))",
        params![notary, since, without],
        |row| row.next(),
    )
}

/// Forgets charges before a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from charges_outside_tables where charged_at < ?1",
        params![before],
    )
}
