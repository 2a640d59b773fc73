//! What the operator's accountant adds up.

use cabinet_domain::{Balance, OrderStatus, Period};
use jiff::Timestamp;

use crate::error::Result;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

/// A charged order with what is owed for it.
#[derive(Clone, Debug)]
pub struct ChargedOrder {
    /// Its short number.
    pub number: i64,
    /// The notary's name.
    pub notary_name: String,
    /// The status: paid or refunded.
    pub status: OrderStatus,
    /// When it was charged.
    pub paid_at: Timestamp,
    /// What was charged.
    pub charged: Balance,
    /// Its transfers. Of several for one part only the last counts. Of a refunded order, what its items say.
    pub transfers: Balance,
    /// Its commissions.
    pub commissions: Balance,
}

/// Money that was given back to a card.
#[derive(Clone, Debug)]
pub struct GivenBack {
    /// The short number of the order.
    pub number: i64,
    /// The notary's name.
    pub notary_name: String,
    /// When the order was charged.
    pub paid_at: Timestamp,
    /// The number of the transfer that a bank had returned. `None`: the order was refunded as a whole, without the parts that were
    /// given back before.
    pub document_number: Option<i64>,
    /// When it was given back: the acquirer's time, or for a part when the operator entered it.
    pub at: Timestamp,
    /// The sum, with the commission.
    pub amount: Balance,
    /// The commission in it. It is given back with the whole order only.
    pub commission: Balance,
}

/// The commissions of one notary.
#[derive(Clone, Debug)]
pub struct NotaryCommission {
    /// The name.
    pub full_name: String,
    /// The code.
    pub code: Option<String>,
    /// How many payments were charged.
    pub payments: i64,
    /// The commissions that were charged.
    pub charged: Balance,
    /// The commissions that were given back.
    pub given_back: Balance,
}

fn balance(row: &mut Row<'_>) -> Result<Balance> {
    row.next().map(Balance::from_kopiykas)
}

/// Returns all orders that were charged in a period, by number. What became of them later changes nothing but the status: a transfer
/// that came back and was given back to the card counts, and of a refunded order the items say what was owed, because its transfers
/// were called off or never planned.
pub fn charged_orders(tx: &mut Tx, period: Period) -> Result<Vec<ChargedOrder>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = "select o.number, n.full_name, o.status, o.paid_at, o.sum,
            case when o.status = ?3
                then (select cast(coalesce(sum(i.amount * i.count), 0) as bigint) from order_items i where i.order_id = o.id)
                else (select cast(coalesce(sum(t.amount), 0) as bigint) from transfers t
                    where t.order_id = o.id and t.status <> 'called_off' and not exists (
                        select 1 from transfers l where l.item_id = t.item_id and l.role = t.role
                            and l.document_number > t.document_number))
            end as transfers,
            (select cast(coalesce(sum(i.commission * i.count), 0) as bigint) from order_items i where i.order_id = o.id) as commissions
        from orders o join notaries n on n.id = o.notary_id
        where o.paid_at >= ?1 and o.paid_at < ?2 order by o.number";
    tx.rows(sql, params![begin, end, OrderStatus::Refunded], |row| {
        Ok(ChargedOrder {
            number: row.next()?,
            notary_name: row.next()?,
            status: row.next()?,
            paid_at: row.next()?,
            charged: balance(row)?,
            transfers: balance(row)?,
            commissions: balance(row)?,
        })
    })
}

/// The refunds of whole orders in a period: `order_id` and `given_back_at`. An order that was charged and refunded twice has the last.
const REFUNDS: &str = "select a.order_id, max(a.reversed_at) as given_back_at from attempts a join orders o on o.id = a.order_id
    where a.reversed_at >= ?1 and o.status = ?3 and o.paid_at is not null
    group by a.order_id having max(a.reversed_at) < ?2";

/// Returns what was given back to cards in a period, by the number of the order: whole orders, and parts that a bank had returned.
pub fn given_back(tx: &mut Tx, period: Period) -> Result<Vec<GivenBack>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select o.number, n.full_name, o.paid_at, g.document_number, g.given_back_at, g.amount, g.commission
        from (
            select t.order_id, t.document_number, t.refunded_at as given_back_at, t.amount, cast(0 as bigint) as commission
            from transfers t where t.refunded_at >= ?1 and t.refunded_at < ?2
            union all
            select r.order_id, null, r.given_back_at,
                w.sum - (select cast(coalesce(sum(p.amount), 0) as bigint) from transfers p
                    where p.order_id = w.id and p.refunded_at is not null),
                (select cast(coalesce(sum(i.commission * i.count), 0) as bigint) from order_items i where i.order_id = w.id)
            from ({REFUNDS}) r join orders w on w.id = r.order_id
        ) g join orders o on o.id = g.order_id join notaries n on n.id = o.notary_id
        order by o.number, g.given_back_at, g.document_number"
    );
    tx.rows(&sql, params![begin, end, OrderStatus::Refunded], |row| {
        Ok(GivenBack {
            number: row.next()?,
            notary_name: row.next()?,
            paid_at: row.next()?,
            document_number: row.next()?,
            at: row.next()?,
            amount: balance(row)?,
            commission: balance(row)?,
        })
    })
}

/// Returns the commissions that were charged or given back in a period, of each notary, by name.
pub fn commissions(tx: &mut Tx, period: Period) -> Result<Vec<NotaryCommission>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select n.full_name, n.inn, cast(sum(m.payments) as bigint) as payments, cast(sum(m.charged) as bigint) as charged,
            cast(sum(m.given_back) as bigint) as given_back
        from (
            select o.notary_id, count(*) as payments, sum(i.commission * i.count) as charged, 0 as given_back
            from orders o join order_items i on i.order_id = o.id
            where o.paid_at >= ?1 and o.paid_at < ?2 group by o.notary_id
            union all
            select o.notary_id, 0, 0, sum(i.commission * i.count)
            from ({REFUNDS}) r join orders o on o.id = r.order_id join order_items i on i.order_id = o.id group by o.notary_id
        ) m join notaries n on n.id = m.notary_id
        group by n.id, n.full_name, n.inn order by n.full_name, n.id"
    );
    tx.rows(&sql, params![begin, end, OrderStatus::Refunded], |row| {
        Ok(NotaryCommission {
            full_name: row.next()?,
            code: row.next()?,
            payments: row.next()?,
            charged: balance(row)?,
            given_back: balance(row)?,
        })
    })
}
