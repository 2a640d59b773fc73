//! What the operator's accountant adds up: charges of cards and what was given back of them, each at its own moment.
//!
//! The first charge of an order is the one that transfers and commissions are owed for. Any other is a duplicate that must be given back.
//! The commission is given back with the last charge that stood, or before in sums that the operator gave back of it. None of this depends on what happens to the order later.

use std::collections::BTreeMap;

use cabinet_domain::{AttemptId, Balance, NotaryId, OrderId, OrderStatus, Period};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// A charge of a card.
#[derive(Clone, Debug)]
pub struct Charge {
    /// The short number of its order.
    pub number: i64,
    /// The notary's name.
    pub notary_name: String,
    /// The status of the order.
    pub status: OrderStatus,
    /// When it was charged.
    pub at: Timestamp,
    /// What was charged.
    pub charged: Balance,
    /// Whether it is the first charge of its order. For any other nothing is owed.
    pub is_first: bool,
    /// What is owed to recipients. Of several transfers for one part only the last counts. Without transfers: what the items say.
    pub transfers: Balance,
    /// Whether transfers were planned.
    pub has_transfers: bool,
    /// The commissions.
    pub commissions: Balance,
    /// What the acquirer keeps of the charge; `None` while it has not said.
    pub acquirer_fee: Option<Balance>,
}

/// Why money was given back to a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundKind {
    /// The order was refunded: its commission is given back too.
    Order,
    /// A charge beside the one that counts.
    Duplicate,
    /// A part of a charge.
    Part {
        /// The numbers of the order's transfers that came back and were marked as given back to the card.
        documents: Vec<i64>,
        /// The numbers of those that were planned and called off, and never sent.
        called_off: Vec<i64>,
        /// What was given back of the order in parts, without what was so marked and what the operator gave back of the commission.
        unmarked: Balance,
    },
}

/// Money that was given back to a card.
#[derive(Clone, Debug)]
pub struct GivenBack {
    /// The short number of the order.
    pub number: i64,
    /// The notary's id.
    pub notary_id: NotaryId,
    /// The notary's name.
    pub notary_name: String,
    /// The notary's code.
    pub notary_code: Option<String>,
    /// When the card was charged.
    pub charged_at: Timestamp,
    /// When it was given back.
    pub at: Timestamp,
    /// Why.
    pub kind: RefundKind,
    /// The sum, with the commission. What was given back of the charge before is not in it.
    pub amount: Balance,
    /// The commission in it.
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

/// The charges of a period: of a charge that was heard of only when it had been given back, the moment of that; of one whose moment is
/// unknown, the moment of its order. `place` puts the charges of an order in order.
const CHARGES: &str = "select a.id, a.order_id, a.amount, a.charged_at as at, a.charged_at as place
    from attempts a where a.charged_at >= ?1 and a.charged_at < ?2 and a.charged_at > 0
    union all
    select a.id, a.order_id, a.amount, r.at, a.reversed_at
    from card_refunds r join attempts a on a.id = r.attempt_id
    where r.at >= ?1 and r.at < ?2 and a.charged_at is null
    union all
    select a.id, a.order_id, a.amount, o.paid_at, a.charged_at
    from attempts a join orders o on o.id = a.order_id
    where a.charged_at <= 0 and o.paid_at >= ?1 and o.paid_at < ?2";

/// Whether a charge `c` is not the first of its order.
const EARLIER: &str =
    "exists (select 1 from attempts b where b.order_id = c.order_id and b.id <> c.id
    and (coalesce(b.charged_at, b.reversed_at), b.id) < (c.place, c.id))";

/// Returns all charges of a period, by the number of the order. The transfers of a refunded order were called off and still say what was
/// owed, and so do those that the operator gave back; others that were called off are missing.
pub fn charges(tx: &mut Tx, period: Period) -> Result<Vec<Charge>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select o.number, n.full_name, o.status, c.at, c.amount, cast(case when {EARLIER} then 0 else 1 end as bigint) as is_first,
            (select cast(sum(t.amount) as bigint) from transfers t
                where t.order_id = o.id and (o.status = ?3 or t.status <> 'called_off' or t.given_back_at is not null) and not exists (
                    select 1 from transfers l where l.replaces = t.id)) as transfers,
            (select cast(sum(i.amount * i.count) as bigint) from order_items i where i.order_id = o.id) as items,
            (select cast(sum(i.commission * i.count) as bigint) from order_items i where i.order_id = o.id) as commissions,
            (select f.acquirer_fee from attempts f where f.id = c.id) as acquirer_fee
        from ({CHARGES}) c join orders o on o.id = c.order_id join notaries n on n.id = o.notary_id
        order by o.number, c.at, c.id"
    );
    tx.rows(&sql, params![begin, end, OrderStatus::Refunded], |row| {
        let (number, notary_name, status) = (row.next()?, row.next()?, row.next()?);
        let (at, charged) = (row.next()?, balance(row)?);
        let is_first = row.next::<i64>()? == 1;
        let transfers: Option<i64> = row.next()?;
        let (items, commissions): (Option<i64>, Option<i64>) = (row.next()?, row.next()?);
        let acquirer_fee: Option<i64> = row.next()?;
        let owed = |sum: Option<i64>| match sum {
            Some(sum) if is_first => Balance::from_kopiykas(sum),
            _ => Balance::ZERO,
        };
        Ok(Charge {
            number,
            notary_name,
            status,
            at,
            charged,
            is_first,
            // Only a refunded order may lack transfers: the money came and went before they were planned.
            transfers: owed(transfers.or(items.filter(|_| status == OrderStatus::Refunded))),
            has_transfers: transfers.is_some(),
            commissions: owed(commissions),
            acquirer_fee: acquirer_fee.map(Balance::from_kopiykas),
        })
    })
}

/// The orders of which something was given back in a period.
const REFUNDED: &str = "select a.order_id from card_refunds r join attempts a on a.id = r.attempt_id where r.at >= ?1 and r.at < ?2";

/// A charge of an order of which something was given back.
struct RefundedCharge {
    order: OrderId,
    attempt: AttemptId,
    number: i64,
    notary_id: NotaryId,
    notary_name: String,
    notary_code: Option<String>,
    amount: Balance,
    charged_at: Timestamp,
    reversed_at: Option<Timestamp>,
    commission: Balance,
    /// All that was given back until a moment, and how much the operator gave back of the commission at that moment.
    refunds: Vec<(Balance, Timestamp, Balance)>,
}

/// What of an order was marked as given back to the card.
#[derive(Clone, Default)]
struct Marked {
    /// Documents of transfers that came back.
    returned: Vec<i64>,
    /// Documents of transfers that were never sent.
    called_off: Vec<i64>,
    /// The sum of all of them, and of what was given back of the commission.
    sum: Balance,
}

impl RefundedCharge {
    /// Returns whether this sum is the charge as a whole.
    fn is_whole(&self, refunded: Balance) -> bool {
        self.reversed_at.is_some() && refunded == self.amount
    }

    /// Returns what was given back in parts.
    fn in_parts(&self) -> Balance {
        let parts = self.refunds.iter().map(|(refunded, ..)| *refunded);
        let parts = parts.filter(|refunded| !self.is_whole(*refunded));
        parts.max().unwrap_or_default()
    }
}

/// Returns what was given back to cards in a period, by the number of the order.
pub fn given_back(tx: &mut Tx, period: Period) -> Result<Vec<GivenBack>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let marked = marked_by_order(tx, begin, end)?;
    let charges = refunded_charges(tx, begin, end)?;
    let mut found = Vec::new();
    for charges in charges.chunk_by(|one, next| one.order == next.order) {
        let last = last_that_stood(charges);
        let in_parts: Balance = charges.iter().map(RefundedCharge::in_parts).sum();
        for charge in charges {
            let (mut before, mut commission_before) = (Balance::ZERO, Balance::ZERO);
            for (refunded, at, of_commission) in &charge.refunds {
                let amount = *refunded - before;
                before = *refunded;
                let rest = charge.commission - commission_before;
                commission_before += *of_commission;
                if !(begin..end).contains(at) {
                    continue;
                }
                let is_order = last == Some(charge.attempt);
                let kind = if !charge.is_whole(*refunded) {
                    let marked = marked.get(&charge.order).cloned().unwrap_or_default();
                    RefundKind::Part {
                        documents: marked.returned,
                        called_off: marked.called_off,
                        unmarked: (in_parts - marked.sum).max(Balance::ZERO),
                    }
                } else if is_order {
                    RefundKind::Order
                } else {
                    RefundKind::Duplicate
                };
                found.push(GivenBack {
                    number: charge.number,
                    notary_id: charge.notary_id,
                    notary_name: charge.notary_name.clone(),
                    notary_code: charge.notary_code.clone(),
                    charged_at: charge.charged_at,
                    at: *at,
                    commission: match kind {
                        RefundKind::Order => rest,
                        RefundKind::Part { .. } => (*of_commission).min(amount),
                        RefundKind::Duplicate => Balance::ZERO,
                    },
                    kind,
                    amount,
                });
            }
        }
    }
    Ok(found)
}

/// Returns what was marked as given back of the orders of which something was given back from one moment to before another.
fn marked_by_order(
    tx: &mut Tx,
    begin: Timestamp,
    end: Timestamp,
) -> Result<BTreeMap<OrderId, Marked>> {
    let sql = format!(
        "select t.order_id, t.document_number, t.amount, case when t.status = 'called_off' then 1 else 0 end from transfers t
         where (t.refunded_at is not null or t.given_back_at is not null) and t.order_id in ({REFUNDED}) order by t.document_number"
    );
    let mut marked: BTreeMap<OrderId, Marked> = BTreeMap::new();
    for (order, number, amount, called_off) in tx.rows(&sql, params![begin, end], |row| {
        Ok((row.next()?, row.next()?, balance(row)?, row.next::<i64>()?))
    })? {
        let marked = marked.entry(order).or_default();
        if called_off == 1 {
            marked.called_off.push(number);
        } else {
            marked.returned.push(number);
        }
        marked.sum += amount;
    }
    let sums = format!(
        "select f.order_id, cast(sum(f.amount) as bigint) as amount from refunds f
         where f.state = 'done' and f.scope = 'sum' and f.order_id in ({REFUNDED}) group by f.order_id"
    );
    for (order, amount) in tx.rows(&sums, params![begin, end], |row| {
        Ok((row.next::<OrderId>()?, balance(row)?))
    })? {
        marked.entry(order).or_default().sum += amount;
    }
    Ok(marked)
}

/// Returns all charges of the orders of which something was given back from one moment to before another, order by order.
fn refunded_charges(tx: &mut Tx, begin: Timestamp, end: Timestamp) -> Result<Vec<RefundedCharge>> {
    let sql = format!(
        "select a.order_id, a.id, o.number, n.id as notary_id, n.full_name, n.inn, a.amount,
            case when a.charged_at > 0 then a.charged_at when a.charged_at is null then a.reversed_at else o.paid_at end as charged_at,
            a.reversed_at,
            (select cast(sum(i.commission * i.count) as bigint) from order_items i where i.order_id = o.id) as commission,
            r.refunded, r.at,
            (select cast(sum(f.amount) as bigint) from refunds f
                where f.attempt_id = a.id and f.state = 'done' and f.scope = 'sum'
                    and r.at = (select max(l.at) from card_refunds l where l.attempt_id = a.id and l.at <= f.ended_at)) as of_commission
        from attempts a join orders o on o.id = a.order_id join notaries n on n.id = o.notary_id
            left join card_refunds r on r.attempt_id = a.id
        where a.order_id in ({REFUNDED}) and (a.charged_at is not null or a.reversed_at is not null)
        order by o.number, a.id, r.refunded"
    );
    let mut charges: Vec<RefundedCharge> = Vec::new();
    let rows = tx.rows(&sql, params![begin, end], |row| {
        let charge = RefundedCharge {
            order: row.next()?,
            attempt: row.next()?,
            number: row.next()?,
            notary_id: row.next()?,
            notary_name: row.next()?,
            notary_code: row.next()?,
            amount: balance(row)?,
            charged_at: row.next()?,
            reversed_at: row.next()?,
            commission: Balance::from_kopiykas(row.next::<Option<i64>>()?.unwrap_or_default()),
            refunds: Vec::new(),
        };
        let (refunded, at): (Option<i64>, Option<Timestamp>) = (row.next()?, row.next()?);
        let of_commission: Option<i64> = row.next()?;
        let of_commission = Balance::from_kopiykas(of_commission.unwrap_or_default());
        let refund = refunded.map(Balance::from_kopiykas).zip(at);
        Ok((
            charge,
            refund.map(|(refunded, at)| (refunded, at, of_commission)),
        ))
    })?;
    for (mut charge, refund) in rows {
        match charges.last_mut() {
            Some(last) if last.attempt == charge.attempt => last.refunds.extend(refund),
            _ => {
                charge.refunds.extend(refund);
                charges.push(charge);
            }
        }
    }
    Ok(charges)
}

/// Returns the charge of an order with whose return nothing was left of its money for the first time.
fn last_that_stood(charges: &[RefundedCharge]) -> Option<AttemptId> {
    let charged = charges.iter().map(|one| (one.charged_at, 1, one.attempt));
    let reversed = charges
        .iter()
        .filter_map(|one| Some((one.reversed_at?, -1, one.attempt)));
    let mut events: Vec<(Timestamp, i32, AttemptId)> = charged.chain(reversed).collect();
    // At one moment the charge comes first.
    events.sort_unstable_by_key(|(at, change, attempt)| (*at, -change, *attempt));
    let mut standing = 0;
    let mut events = events.into_iter();
    let last = events.find(|(_, change, _)| {
        standing += change;
        standing == 0
    });
    last.map(|(_, _, attempt)| attempt)
}

/// Returns the commissions that were charged or given back in a period, of each notary, by name.
pub fn commissions(tx: &mut Tx, period: Period) -> Result<Vec<NotaryCommission>> {
    let Some((begin, end)) = period.moments() else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "select n.id, n.full_name, n.inn, count(*) as payments, cast(sum(i.commission * i.count) as bigint) as charged
        from ({CHARGES}) c join orders o on o.id = c.order_id join order_items i on i.order_id = o.id
            join notaries n on n.id = o.notary_id
        where not {EARLIER}
        group by n.id, n.full_name, n.inn"
    );
    let charged = tx.rows(&sql, params![begin, end], |row| {
        let id: NotaryId = row.next()?;
        Ok((
            id,
            NotaryCommission {
                full_name: row.next()?,
                code: row.next()?,
                payments: row.next()?,
                charged: balance(row)?,
                given_back: Balance::ZERO,
            },
        ))
    })?;
    let mut notaries: BTreeMap<NotaryId, NotaryCommission> = charged.into_iter().collect();
    for given in given_back(tx, period)? {
        if given.commission > Balance::ZERO {
            let notary = notaries
                .entry(given.notary_id)
                .or_insert_with(|| NotaryCommission {
                    full_name: given.notary_name,
                    code: given.notary_code,
                    payments: 0,
                    charged: Balance::ZERO,
                    given_back: Balance::ZERO,
                });
            notary.given_back += given.commission;
        }
    }
    let mut commissions: Vec<NotaryCommission> = notaries.into_values().collect();
    commissions.sort_by(|one, other| one.full_name.cmp(&other.full_name));
    Ok(commissions)
}
