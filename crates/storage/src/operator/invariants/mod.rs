//! Invariants of the data, as queries that find violations. `cabinet doctor` runs them on an installation, tests run
//! them at their end.
//!
//! Orders are checked page by page, in the order of their last change, so memory use does not grow with their number.
//! The check records up to where all orders are final and unchanged for long; the next one starts there.

mod questions;

use cabinet_domain::{Money, OrderId, OrderStatus, PaymentKind, Tariff, price};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::engine::counters;
use crate::engine::error::Result;
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use questions::{About, COMMISSION, FILE, QUESTIONS};

/// The most violations that are listed with their ids.
const SAMPLES_MAX: usize = 10;

/// The delay after which waiting work counts as overdue.
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);

/// The time that a person has for what waits.
const PERSONS_PATIENCE: SignedDuration = SignedDuration::from_hours(24);
/// How long nothing may be heard of a transfer that the bank was given: an instruction is executed within ten days (NBU Instruction 163
/// of 29.07.2022), and a statement is read on the next.
const BANKS_PATIENCE: SignedDuration = SignedDuration::from_hours(11 * 24);

/// An order is checked again until its last change is older than this. The acquirer's statement is compared for 31
/// days, so until then an order may still change.
const AT_REST_AFTER: SignedDuration = SignedDuration::from_hours(35 * 24);

/// Orders per page. Tests use small pages, so that few orders make several.
const PAGE: i64 = if cfg!(test) { 2 } else { 500 };

/// An invariant and its violations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The short name of the invariant.
    pub name: &'static str,
    /// The invariant, in words.
    pub promise: &'static str,
    /// The number of rows that violate it.
    pub count: u64,
    /// Ids of some of them.
    pub samples: Vec<String>,
}

/// Which orders are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Those that may have changed since the previous check.
    Changed,
    /// All.
    Full,
}

/// A check in progress. Each of its steps is a unit of work of its own, so that no snapshot of the database is held for
/// long.
#[derive(Clone, Debug)]
pub struct Check {
    now: Timestamp,
    /// The last order that was checked.
    position: (Timestamp, OrderId),
    /// The earliest change in a page with an order that is not final or violates an invariant.
    unsettled: Option<Timestamp>,
    orders: u64,
    findings: Vec<Finding>,
}

/// An order of a page.
struct Paged {
    position: (Timestamp, OrderId),
    status: OrderStatus,
}

impl Check {
    /// Begins a check of all orders, or of those that may have changed.
    fn begin(tx: &mut Tx, now: Timestamp, extent: Extent) -> Result<Check> {
        let from = match extent {
            Extent::Full => None,
            Extent::Changed => counters::orders_checked_until(tx)?,
        };
        let computed = [COMMISSION, FILE].into_iter();
        let promises = QUESTIONS
            .iter()
            .map(|question| (question.name, question.promise))
            .chain(computed);
        Ok(Check {
            now,
            position: (from.unwrap_or(Timestamp::MIN), OrderId::new(Uuid::nil())),
            unsettled: None,
            orders: 0,
            findings: promises
                .map(|(name, promise)| Finding {
                    name,
                    promise,
                    count: 0,
                    samples: Vec::new(),
                })
                .collect(),
        })
    }

    /// Checks the next page of orders; after the last page, everything else. Returns false when the check is complete.
    fn step(&mut self, tx: &mut Tx) -> Result<bool> {
        let page = self.page(tx)?;
        let (Some(first), Some(last)) = (page.first(), page.last()) else {
            self.ask_the_rest(tx)?;
            return Ok(false);
        };
        let broken_before = self.broken();
        let (after, until) = (self.position, last.position);
        for question in QUESTIONS {
            if question.about == About::Orders {
                let sql = question.sql.replace("{page}", IN_PAGE);
                let ids = tx.rows(&sql, params![after.0, after.1, until.0, until.1], |row| {
                    row.next::<Uuid>()
                })?;
                self.found(question.name, ids);
            }
        }
        self.check_commissions(tx, after, until)?;
        let settled = page.iter().all(|order| order.status.is_final());
        if self.unsettled.is_none() && !(settled && self.broken() == broken_before) {
            self.unsettled = Some(first.position.0);
        }
        self.orders += page.len() as u64;
        self.position = until;
        Ok(true)
    }

    /// Records up to where orders need not be checked again. Called after the last step.
    fn remember(&self, tx: &mut Tx) -> Result<()> {
        let at_rest = self
            .now
            .checked_sub(AT_REST_AFTER)
            .unwrap_or(Timestamp::MIN);
        let until = self.unsettled.unwrap_or(at_rest).min(at_rest);
        counters::set_orders_checked_until(tx, until)
    }

    /// Returns the number of checked orders.
    #[must_use]
    pub fn orders(&self) -> u64 {
        self.orders
    }

    /// Returns one finding for each invariant, also for those that hold.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn page(&self, tx: &mut Tx) -> Result<Vec<Paged>> {
        tx.rows(
            "select o.updated_at, o.id, o.status from orders o where (o.updated_at, o.id) > (?1, ?2)
             order by o.updated_at, o.id limit ?3",
            params![self.position.0, self.position.1, PAGE],
            |row| {
                Ok(Paged {
                    position: (row.next()?, row.next()?),
                    status: row.next()?,
                })
            },
        )
    }

    /// Recomputes the commission of every item of the page from its stored amount and tariff.
    fn check_commissions(
        &mut self,
        tx: &mut Tx,
        after: (Timestamp, OrderId),
        until: (Timestamp, OrderId),
    ) -> Result<()> {
        let sql = format!(
            "select i.id, i.payment_kind, i.amount, i.commission, i.tariff_basis_points, i.tariff_minimum
             from orders o join order_items i on i.order_id = o.id where {IN_PAGE}"
        );
        let mut broken = Vec::new();
        tx.rows(&sql, params![after.0, after.1, until.0, until.1], |row| {
            let (id, kind): (Uuid, PaymentKind) = (row.next()?, row.next()?);
            let (amount, stored): (Money, Money) = (row.next()?, row.next()?);
            let tariff = Tariff {
                valid_from: None,
                basis_points: row.next()?,
                minimum: row.next()?,
            };
            let computed = price(kind, amount, &tariff).map(|price| price.commission);
            if computed != Ok(stored) {
                broken.push(id);
            }
            Ok(())
        })?;
        self.found(COMMISSION.0, broken);
        Ok(())
    }

    /// Checks what is not checked page by page.
    fn ask_the_rest(&mut self, tx: &mut Tx) -> Result<()> {
        let overdue = self.now.checked_sub(PATIENCE).unwrap_or(Timestamp::MIN);
        for question in QUESTIONS {
            let ids = match question.about {
                About::Orders => continue,
                About::Overdue => {
                    tx.rows(question.sql, params![overdue], |row| row.next::<Uuid>())?
                }
                About::Waiting => {
                    let since = self.now.checked_sub(PERSONS_PATIENCE);
                    let since = since.unwrap_or(Timestamp::MIN);
                    tx.rows(question.sql, params![since], |row| row.next::<Uuid>())?
                }
                About::Unanswered => {
                    let since = self.now.checked_sub(BANKS_PATIENCE);
                    let since = since.unwrap_or(Timestamp::MIN);
                    tx.rows(question.sql, params![since], |row| row.next::<Uuid>())?
                }
                About::All => tx.rows(question.sql, params![], |row| row.next::<Uuid>())?,
            };
            self.found(question.name, ids);
        }
        self.found(FILE.0, damage(tx)?);
        Ok(())
    }

    fn broken(&self) -> u64 {
        self.findings.iter().map(|finding| finding.count).sum()
    }

    fn found(&mut self, name: &str, rows: Vec<impl ToString>) {
        let finding = self
            .findings
            .iter_mut()
            .find(|finding| finding.name == name);
        if let Some(finding) = finding {
            finding.count += rows.len() as u64;
            let room = SAMPLES_MAX - finding.samples.len();
            let samples = rows.iter().take(room).map(ToString::to_string);
            finding.samples.extend(samples);
        }
    }
}

/// Checks every invariant and records up to where orders need not be checked again.
pub async fn examine(store: &Store, now: Timestamp, extent: Extent) -> Result<Check> {
    let mut check = store
        .read_long(move |tx| Check::begin(tx, now, extent))
        .await?;
    let mut more = true;
    while more {
        let before = check;
        let step = move |tx: &mut Tx| -> Result<(Check, bool)> {
            let mut check = before.clone();
            let more = check.step(tx)?;
            Ok((check, more))
        };
        (check, more) = store.read_long(step).await?;
    }
    let kept = check.clone();
    store.write(move |tx| kept.remember(tx)).await?;
    Ok(check)
}

/// The condition for the orders of a page: those after one, up to another.
const IN_PAGE: &str = "(o.updated_at, o.id) > (?1, ?2) and (o.updated_at, o.id) <= (?3, ?4)";

/// Checks everything in one unit of work.
#[cfg(test)]
pub(crate) fn check(tx: &mut Tx, now: Timestamp) -> Result<Vec<Finding>> {
    let mut check = Check::begin(tx, now, Extent::Full)?;
    while check.step(tx)? {}
    Ok(check.findings)
}

/// Lets SQLite check the file and the foreign keys. PostgreSQL has its own tools for that.
fn damage(tx: &mut Tx) -> Result<Vec<String>> {
    if tx.sqlite().is_none() {
        return Ok(Vec::new());
    }
    let mut broken = tx.rows("pragma quick_check(10)", params![], |row| {
        row.next::<String>()
    })?;
    broken.retain(|line| line != "ok");
    broken.extend(tx.rows("pragma foreign_key_check", params![], |row| {
        row.get::<String>(0_usize)
    })?);
    Ok(broken)
}
