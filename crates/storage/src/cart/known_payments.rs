//! The payments of a client that a new one is compared with.

use std::sync::LazyLock;

use cabinet_domain::payment::PaymentState;
use cabinet_domain::{Inn, Key, KnownPayment, NotaryId, OrderId};
use jiff::Timestamp;

use crate::cart::items::{self, COLUMNS};
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

fn qualified() -> String {
    let columns: Vec<String> = COLUMNS
        .split(", ")
        .map(|column| format!("i.{}", column.trim()))
        .collect();
    columns.join(", ")
}

static IN_CART: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select i.id, c.full_name, i.created_at, {}
         from clients c join cart_items i on i.client_id = c.id
         where c.notary_id = ?1 and c.inn = ?2 and i.notary_id = ?1 and i.deleted_at is null
         order by i.created_at desc, i.id desc",
        qualified()
    )
});

// The orders of one client are few, also where the notary has tens of thousands: the index of the clients' orders is read.
static IN_ORDERS: LazyLock<String> = LazyLock::new(|| {
    let states: Vec<String> = PaymentState::ALL
        .into_iter()
        .filter(|state| state.may_take_money() || *state == PaymentState::Paid)
        .map(|state| format!("'{}'", state.as_str()))
        .collect();
    format!(
        "select o.id as order_id, i.id, c.full_name, i.created_at, {}
         from clients c join orders o on o.client_id = c.id join order_items i on i.order_id = o.id
         where c.notary_id = ?1 and c.inn = ?2 and o.created_at >= ?3
             and (o.payment_state in ({}) or o.failure = '{}'
                 or o.codes_given_at is not null and (o.status <> 'refunded' or o.codes_paid_at is not null) and o.returned_to_cart_at is null)
         order by o.created_at desc, o.id desc, i.position desc",
        qualified(),
        states.join(", "),
        Key::PaymentNoTrace.as_str()
    )
});

fn read(row: &mut Row<'_>, order: Option<OrderId>) -> Result<KnownPayment> {
    Ok(KnownPayment {
        order,
        item: row.next()?,
        full_name: row.next()?,
        added_at: row.next()?,
        content: items::read(row)?,
    })
}

/// Returns what a notary has for clients with a code: in the cart, and then in orders made since a moment that are paid, may still be, or
/// may have been by QR codes; of both the latest first.
pub fn of_client(
    tx: &mut Tx,
    notary: NotaryId,
    inn: &Inn,
    since: Timestamp,
) -> Result<Vec<KnownPayment>> {
    let mut known = tx.rows(&IN_CART, params![notary, inn], |row| read(row, None))?;
    known.extend(tx.rows(&IN_ORDERS, params![notary, inn, since], |row| {
        let order = row.next()?;
        read(row, Some(order))
    })?);
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on_sqlite;

    #[test]
    fn only_orders_of_the_client_are_read() {
        run_on_sqlite(|store| async move {
            let plan = store
                .read(|tx| {
                    let notary = NotaryId::new(uuid::Uuid::nil());
                    let inn = Inn::parse("3184710691").unwrap();
                    let since = Timestamp::UNIX_EPOCH;
                    let sql = format!("explain query plan {}", *IN_ORDERS);
                    tx.rows(&sql, params![notary, inn, since], |row| {
                        row.get::<String>("detail")
                    })
                })
                .await
                .unwrap();
            for search in [
                "SEARCH o USING INDEX orders_by_client (client_id=? AND created_at>?)",
                "SEARCH i USING INDEX sqlite_autoindex_order_items_2 (order_id=?)",
            ] {
                assert!(plan.iter().any(|step| step == search), "{plan:#?}");
            }
        });
    }
}
