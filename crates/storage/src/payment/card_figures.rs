//! The figures of notaries for their saved cards, and what these have paid to recipients outside of the tables.

use cabinet_domain::{CardFigures, Money, NotaryId, OrderId, ProofKind};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// Returns the figures that a notary has set; `None`: those of the installation hold.
pub fn of_notary(tx: &mut Tx, notary: NotaryId) -> Result<Option<CardFigures>> {
    let found = tx.row_optional(
        "select card_daily_unproved_max, card_told_from from notaries where id = ?1",
        params![notary],
        read_figures,
    )?;
    Ok(found.flatten())
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

/// Returns the figures that the notary of an order has set, and whether a passkey has proved its payment.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<(Option<CardFigures>, bool)> {
    tx.row(
        "select n.card_daily_unproved_max, n.card_told_from,
             exists (select 1 from payment_proofs p where p.order_id = o.id and p.kind = ?2) as by_passkey
         from orders o join notaries n on n.id = o.notary_id where o.id = ?1",
        params![order, ProofKind::Passkey],
        |row| Ok((read_figures(row)?, row.next()?)),
    )
}

/// Returns the figures that a notary has set, and what her saved cards have paid since a moment to recipients outside of the tables, or still
/// may, without one order.
pub fn charged_since(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
    without: Option<OrderId>,
) -> Result<(Option<CardFigures>, Money)> {
    tx.row(
        "select n.card_daily_unproved_max, n.card_told_from,
             (select cast(coalesce(sum(c.amount), 0) as bigint)
              from charges_outside_tables c join orders o on o.id = c.order_id
              where c.notary_id = n.id and c.charged_at > ?2 and (c.order_id <> ?3 or ?3 is null)
                  and (o.status in ('in_progress', 'pending', 'paid')
                      or exists (select 1 from attempts a where a.order_id = o.id and a.state = 'accepted'))) as amount
         from notaries n where n.id = ?1",
        params![notary, since, without],
        |row| Ok((read_figures(row)?, row.next()?)),
    )
}

/// Reads both figures, which are set together.
fn read_figures(row: &mut Row<'_>) -> Result<Option<CardFigures>> {
    let (daily_unproved_max, told_from): (Option<Money>, Option<Money>) =
        (row.next()?, row.next()?);
    Ok(daily_unproved_max
        .zip(told_from)
        .map(|(daily_unproved_max, told_from)| CardFigures {
            daily_unproved_max,
            told_from,
        }))
}

/// Forgets charges before a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from charges_outside_tables where charged_at < ?1",
        params![before],
    )
}
