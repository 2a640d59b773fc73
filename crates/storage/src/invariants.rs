//! What must always be true of the data, as questions that find what is not. `cabinet doctor` asks them of a running
//! installation, tests ask them at their end.

use cabinet_domain::{Money, Tariff, price};
use jiff::{SignedDuration, Timestamp};

use crate::error::Result;
use crate::items::{self, COLUMNS};
use crate::tx::Tx;
use crate::value::{Value, params};

/// How many violations are named.
const SAMPLES_MAX: usize = 10;

/// How long after its time something may still be waiting before it counts as forgotten.
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);

/// One promise about the data and what breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The promise's short name.
    pub name: &'static str,
    /// The promise, in words.
    pub promise: &'static str,
    /// How many rows break it.
    pub count: u64,
    /// Ids of some of them.
    pub samples: Vec<String>,
}

struct Question {
    name: &'static str,
    promise: &'static str,
    /// Gives the id, as text or uuid, of every row that breaks the promise.
    sql: &'static str,
    /// Whether `?1` is the moment before which things are overdue.
    dated: bool,
}

const QUESTIONS: &[Question] = &[
    Question {
        name: "order_sum",
        promise: "the sum of an order is that of its items",
        sql: "select o.id from orders o
              where o.sum <> coalesce((select sum(i.count * (i.amount + i.commission)) from order_items i
                                       where i.order_id = o.id), 0)",
        dated: false,
    },
    Question {
        name: "transfers_sum",
        promise: "transfers and commissions of a paid order are what the card was charged",
        sql: "select o.id from orders o
              where o.status = 'paid'
                  and o.sum <> coalesce((select sum(t.amount) from transfers t where t.order_id = o.id), 0)
                      + coalesce((select sum(i.count * i.commission) from order_items i where i.order_id = o.id), 0)",
        dated: false,
    },
    Question {
        name: "item_in_both",
        promise: "an item is in a cart or in an order, never in both",
        sql: "select c.id from cart_items c join order_items i on i.id = c.id",
        dated: false,
    },
    Question {
        name: "cart_standing",
        promise: "a cart knows how many items it has and what they cost",
        sql: "select n.id from notaries n left join carts c on c.notary_id = n.id
              where coalesce(c.items_count, 0) <> (select count(*) from cart_items i
                                                   where i.notary_id = n.id and i.deleted_at is null)
                  or coalesce(c.total, 0) <> (select coalesce(sum(i.count * (i.amount + i.commission)), 0) from cart_items i
                                              where i.notary_id = n.id and i.deleted_at is null)",
        dated: false,
    },
    Question {
        name: "order_without_check",
        promise: "every order that is not final has an attempt that the acquirer is going to be asked about",
        sql: "select o.id from orders o
              where o.status in ('in_progress', 'pending')
                  and not exists (select 1 from attempts a where a.order_id = o.id and a.next_check_at is not null)",
        dated: false,
    },
    Question {
        name: "check_overdue",
        promise: "the acquirer is asked when it is time to",
        sql: "select a.id from attempts a where a.next_check_at < ?1",
        dated: true,
    },
    Question {
        name: "paid_without_attempt",
        promise: "every paid order has an attempt that ended paid",
        sql: "select o.id from orders o
              where o.status = 'paid'
                  and not exists (select 1 from attempts a where a.order_id = o.id and a.outcome = 'paid')",
        dated: false,
    },
    Question {
        name: "paid_twice",
        promise: "no order has two attempts that ended paid",
        sql: "select a.order_id as id from attempts a where a.outcome = 'paid' group by a.order_id having count(*) > 1",
        dated: false,
    },
    Question {
        name: "paid_but_not",
        promise: "an order whose attempt ended paid is paid",
        sql: "select o.id from orders o join attempts a on a.order_id = o.id
              where a.outcome = 'paid' and o.status <> 'paid'",
        dated: false,
    },
    Question {
        name: "attempt_amount",
        promise: "an attempt charges the sum of its order",
        sql: "select a.id from attempts a join orders o on o.id = a.order_id where a.amount <> o.sum",
        dated: false,
    },
    Question {
        name: "order_history",
        promise: "the last step in the history of an order leads to its status",
        sql: "select o.id from orders o
              where o.status <> coalesce((select e.to_status from order_events e
                                          where e.order_id = o.id and e.to_status is not null
                                          order by e.at desc, e.id desc limit 1), 'in_progress')",
        dated: false,
    },
    Question {
        name: "outbox_overdue",
        promise: "what must follow is done when it is time to",
        sql: "select x.id from outbox x where x.delivered_at is null and x.parked_at is null and x.next_try_at < ?1",
        dated: true,
    },
    Question {
        name: "outbox_parked",
        promise: "nothing that must follow was given up",
        sql: "select x.id from outbox x where x.parked_at is not null and x.delivered_at is null",
        dated: false,
    },
];

/// Asks everything. One finding for each promise, also for those that hold. Reads whole tables: for `Store::read_long`.
///
/// # Errors
/// Those of the database.
pub fn check(tx: &mut Tx, now: Timestamp) -> Result<Vec<Finding>> {
    let overdue = now.checked_sub(PATIENCE).unwrap_or(Timestamp::MIN);
    let mut findings = Vec::with_capacity(QUESTIONS.len() + 2);
    for question in QUESTIONS {
        let parameters: &[Value<'_>] = if question.dated {
            params![overdue]
        } else {
            params![]
        };
        let broken = tx.rows(question.sql, parameters, |row| row.next::<uuid::Uuid>())?;
        findings.push(finding(
            question.name,
            question.promise,
            broken.iter().map(ToString::to_string),
        ));
    }
    findings.push(commissions(tx)?);
    findings.push(file(tx)?);
    Ok(findings)
}

fn finding(
    name: &'static str,
    promise: &'static str,
    broken: impl ExactSizeIterator<Item = String>,
) -> Finding {
    let count = broken.len() as u64;
    Finding {
        name,
        promise,
        count,
        samples: broken.take(SAMPLES_MAX).collect(),
    }
}

/// Computes the commission of every ordered item again, from what is stored with it.
fn commissions(tx: &mut Tx) -> Result<Finding> {
    let mut broken = Vec::new();
    let sql = format!("select id, {COLUMNS} from order_items");
    let items = tx.rows(&sql, params![], |row| {
        let id: uuid::Uuid = row.next()?;
        Ok((id, items::read(row)?))
    })?;
    for (id, content) in items {
        let tariff = Tariff {
            valid_from: None,
            basis_points: content.price.tariff_basis_points,
            minimum: content.price.tariff_minimum,
        };
        let commission: Option<Money> = price(content.kind, content.price.amount, &tariff)
            .ok()
            .map(|price| price.commission);
        if commission != Some(content.price.commission) {
            broken.push(id.to_string());
        }
    }
    Ok(finding(
        "commission",
        "the commission of an item follows from its amount and tariff",
        broken.into_iter(),
    ))
}

/// Lets SQLite look for damage in the file, and for references that lead nowhere. PostgreSQL has tools of its own for that.
fn file(tx: &mut Tx) -> Result<Finding> {
    let mut broken: Vec<String> = Vec::new();
    if tx.sqlite().is_some() {
        broken = tx.rows("pragma quick_check(10)", params![], |row| {
            row.next::<String>()
        })?;
        broken.retain(|line| line != "ok");
        broken.extend(tx.rows("pragma foreign_key_check", params![], |row| {
            row.get::<String>(0_usize)
        })?);
    }
    Ok(finding(
        "file",
        "the database file is whole",
        broken.into_iter(),
    ))
}
