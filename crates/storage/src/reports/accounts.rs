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
    /// Its transfers. Of several for one part only the last counts.
    pub transfers: Balance,
    /// Its commissions.
    pub commissions: Balance,
}

/// The commissions of one notary.
#[derive(Clone, Debug)]
pub struct NotaryCommission {
    /// The name.
    pub full_name: String,
    /// The code.
    pub code: Option<String>,
    /// How many payments.
    pub payments: i64,
    /// The commissions.
    pub commission: Balance,
}

fn balance(row: &mut Row<'_>) -> Result<Balance> {
    row.next().map(Balance::from_kopiykas)
}

/// Returns all orders that were charged in a period, by number. Transfers that were called off are owed no more.
pub fn charged_orders(tx: &mut Tx, period: Period) -> Result<Vec<ChargedOrder>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = "select o.number, n.full_name, o.status, o.paid_at, o.sum,
            (select cast(coalesce(sum(t.amount), 0) as bigint) from transfers t
             where t.order_id = o.id and t.status <> 'called_off' and not exists (
                select 1 from transfers l where l.item_id = t.item_id and l.role = t.role
                    and l.document_number > t.document_number)) as transfers,
            (select cast(coalesce(sum(i.commission * i.count), 0) as bigint) from order_items i where i.order_id = o.id) as commissions
        from orders o join notaries n on n.id = o.notary_id
        where o.paid_at >= ?1 and o.paid_at < ?2 order by o.number";
    tx.rows(sql, params![begin, end], |row| {
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

/// Returns the commissions of each notary whose orders were paid in a period and not given back, by name.
pub fn commissions(tx: &mut Tx, period: Period) -> Result<Vec<NotaryCommission>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = "select n.full_name, n.inn, count(*) as payments, cast(sum(i.commission * i.count) as bigint) as commission
        from orders o join order_items i on i.order_id = o.id join notaries n on n.id = o.notary_id
        where o.paid_at >= ?1 and o.paid_at < ?2 and o.status = ?3
        group by n.id, n.full_name, n.inn order by n.full_name, n.id";
    tx.rows(sql, params![begin, end, OrderStatus::Paid], |row| {
        Ok(NotaryCommission {
            full_name: row.next()?,
            code: row.next()?,
            payments: row.next()?,
            commission: balance(row)?,
        })
    })
}
