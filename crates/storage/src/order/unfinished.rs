//! Orders that still want something of their notary: to be paid, or to be paid anew.

use cabinet_domain::payment::PaymentState;
use cabinet_domain::{Money, NotaryId, OrderId, OrderStatus, PersonName};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// An order that is neither paid nor given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedOrder {
    /// The order.
    pub id: OrderId,
    /// Its short number.
    pub number: i64,
    /// The client whose payments it has.
    pub client: PersonName,
    /// Pending, failed or expired.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// What is charged.
    pub sum: Money,
    /// Until when it can be paid without the notary: the end of its payment page, or of its client's link, under which a page is made anew;
    /// `None` where neither is known.
    pub open_until: Option<Timestamp>,
}

/// Returns at most `limit` orders of a notary, the newest first: those that wait for the payer, and those made since `unpaid_since` that
/// were not paid. An order that was cancelled or is marked as paid by QR codes, whose payments went back to the cart, or after which the same client got another one of
/// the same sum, wants nothing more. `since` bounds both: no page is open for longer. `now`: a link whose end is past says nothing.
pub fn of_notary(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
    unpaid_since: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<UnfinishedOrder>> {
    let sql = format!(
        "select o.id, o.number, c.full_name, o.status, o.payment_state, o.sum,
             (select max(ends.at) from (select a.expires_at as at from attempts a where a.order_id = o.id and a.state = 'accepted'
                  union all select l.ends_at from client_links l where l.order_id = o.id and l.withdrawn_at is null and l.ends_at > ?4) ends) as open_until
         from orders o join clients c on c.id = o.client_id
         where o.notary_id = ?1 and o.created_at >= ?2
             and (o.status = 'pending'
                 or (o.status in ('failed', 'expired') and o.created_at >= ?3 and o.payment_state <> 'under_review'
                     and o.cancelled_at is null and o.returned_to_cart_at is null and o.codes_paid_at is null
                     and not exists (select 1 from orders later
                         where later.client_id = o.client_id and later.created_at > o.created_at and later.sum = o.sum)))
         order by o.created_at desc, o.id desc limit {limit}"
    );
    tx.rows(&sql, params![notary, since, unpaid_since, now], |row| {
        Ok(UnfinishedOrder {
            id: row.next()?,
            number: row.next()?,
            client: row.next()?,
            status: row.next()?,
            payment_state: row.next()?,
            sum: row.next()?,
            open_until: row.next()?,
        })
    })
}
