//! Comparing our payments with the acquirer's own statement: what neither a report nor a question has told is found here,
//! also after an older copy of the database was restored.

use std::collections::HashSet;

use cabinet_domain::OrderId;
use cabinet_domain::payment::{
    AlarmKind, Attempt, ComparisonFinding, InvoiceId, StatementLine, compare,
};
use cabinet_gateways::acquirer::{
    HRYVNIA, InvoiceStatus, PaymentReference, Statement, StatementItem,
};
use cabinet_storage::statement_days::{self, StatementDay};
use cabinet_storage::{StorageError, Tx, attempts, payments};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::CARD_CHECK;
use super::settle::{Happened, attempt_subject, raise, reference_of, review};

use crate::App;
use crate::refusal::{AppError, Outcome};

/// A charge made so shortly before may be missing from a statement without anything being wrong.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// So much of the statement is asked for and compared at once, so that memory stays bounded.
const PIECE: SignedDuration = SignedDuration::from_hours(6);
/// The two clocks may put a charge on different sides of midnight.
const MARGIN: SignedDuration = SignedDuration::from_mins(10);
/// How long before the attempt the statement is searched: our clock may have been ahead.
const SEARCHED_BEFORE: SignedDuration = SignedDuration::from_hours(24);
/// How far back days are compared: as far as the acquirer gives a statement.
const DAYS_BACK: i64 = 31;
/// A day is compared so long after its end, and again: refunds are told on the day of the payment.
const COMPARED_AFTER: [SignedDuration; 3] = [
    SignedDuration::from_hours(1),
    SignedDuration::from_hours(3 * 24),
    SignedDuration::from_hours(27 * 24),
];
/// After so many days that can't be had the others wait for the next time: the acquirer is not there.
const FAILING_DAYS_MAX: usize = 3;
/// One process compares at a time; a day takes it far less.
const LEASE: SignedDuration = SignedDuration::from_mins(10);
const LEASE_NAME: &str = "statement";

/// What a comparison found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Charges on the statement that are known here as they stand there.
    pub agreeing: usize,
    /// Charges or refunds that were not known here and are now.
    pub made_good: usize,
    /// Charges on the statement that no order here answers for.
    pub unknown: usize,
    /// Charges whose sum or currency is not ours.
    pub different: usize,
    /// Payments here that are not on the statement.
    pub lacking: usize,
    /// Charges on the statement whose invoice could not be asked about. Their day is compared again.
    pub unasked: usize,
}

impl Comparison {
    fn add(&mut self, other: Comparison) {
        self.agreeing += other.agreeing;
        self.made_good += other.made_good;
        self.unknown += other.unknown;
        self.different += other.different;
        self.lacking += other.lacking;
        self.unasked += other.unasked;
    }
}

impl App {
    /// Compares the days of the last month that were not compared yet, or whose next look has come, the newest first. Each
    /// leaves a row. A day that can't be had is left for the next time, and the older ones are compared. `None`: another
    /// process is at it.
    ///
    /// # Errors
    /// Fails where the statement of a day can't be had or the database can't be used. Days that were compared stay so.
    pub async fn compare_due_days(&self) -> Outcome<Option<Comparison>> {
        let mut all = Comparison::default();
        let mut failures = Vec::new();
        for day in self.due_days().await? {
            if !self.take_lease().await? {
                return Ok(None);
            }
            let (begin, end) = bounds(day)?;
            match self.compare_period(begin, end).await {
                Ok(comparison) => {
                    if comparison.unasked == 0 {
                        self.record_day(day, comparison).await?;
                    }
                    all.add(comparison);
                }
                Err(error) => failures.push(error),
            }
            if failures.len() >= FAILING_DAYS_MAX {
                break;
            }
        }
        failures.into_iter().next().map_or(Ok(Some(all)), Err)
    }

    /// Looks for what a restored copy of the database has forgotten: the charges of the last month, up to now, and whether
    /// what stands prepared in the copy was sent.
    ///
    /// # Errors
    /// Fails where the statement can't be had or the database can't be used.
    pub async fn recover_after_restore(&self) -> Outcome<Comparison> {
        self.inner.store.write(attempts::doubt_prepared).await?;
        let month = SignedDuration::from_hours(24 * DAYS_BACK);
        self.compare_with_statement(self.now() - month).await
    }

    /// Compares the charges since a moment with the acquirer's statement, the newest first, so that a time that can't be
    /// had keeps nothing newer from being compared. What was missed is settled like a report; what contradicts raises an
    /// alarm and changes nothing.
    ///
    /// # Errors
    /// Fails where the statement can't be had or the database can't be used.
    pub async fn compare_with_statement(&self, since: Timestamp) -> Outcome<Comparison> {
        // The acquirer's clock may be ahead of ours, or behind.
        self.compare_period(since - MARGIN, self.now() + MARGIN)
            .await
    }

    async fn compare_period(&self, begin: Timestamp, end: Timestamp) -> Outcome<Comparison> {
        let fresh = self.now() - FRESH;
        let (mut all, mut until) = (Comparison::default(), end);
        while until > begin {
            let from = begin.max(until - PIECE);
            all.add(self.compare_piece(from, until, fresh).await?);
            until = from;
        }
        tell_of(&all);
        Ok(all)
    }

    /// Compares the charges of one piece of time. Its statement is read a little wider than what must stand on it.
    async fn compare_piece(
        &self,
        begin: Timestamp,
        end: Timestamp,
        fresh: Timestamp,
    ) -> Outcome<Comparison> {
        let statement = self
            .piece_of_statement(begin - MARGIN, end + MARGIN)
            .await?;
        let (mut comparison, mut charged) = (Comparison::default(), HashSet::new());
        for item in &statement.items {
            let is_ours = item.status == InvoiceStatus::Success && !is_card_check(item);
            if !is_ours || !charged.insert(item.invoice_id.clone()) {
                continue;
            }
            // What stands in the margin is compared with its own piece.
            if item.date >= begin && item.date < end {
                self.compare_item(item, &mut comparison).await?;
            }
        }
        if statement.unreadable > 0 {
            tracing::error!(
                statement.unreadable = statement.unreadable,
                "The acquirer's statement has entries that can't be read"
            );
            let subject = format!("day:{}", day_of(begin));
            self.raise_alarm(AlarmKind::StatementUnreadable, subject)
                .await?;
        } else {
            // An entry that could not be read might have been the one that is missing.
            let until = end.min(fresh);
            comparison.lacking = self.lacking(begin, until, &charged).await?;
        }
        Ok(comparison)
    }

    async fn piece_of_statement(&self, begin: Timestamp, end: Timestamp) -> Outcome<Statement> {
        match self.acquirer().statement(begin, end).await {
            Ok(statement) => Ok(statement),
            Err(error) => {
                tracing::error!(%error, "Payments from {begin} to {end} can't be compared: the acquirer's statement can't be had");
                let subject = format!("day:{}", day_of(begin));
                self.raise_alarm(AlarmKind::StatementNotCompared, subject)
                    .await?;
                Err(AppError::Broken(format!(
                    "the statement can't be had: {error}"
                )))
            }
        }
    }

    /// Raises an alarm for each charge here that is not on the statement, and counts them.
    async fn lacking(
        &self,
        begin: Timestamp,
        end: Timestamp,
        charged: &HashSet<InvoiceId>,
    ) -> Outcome<usize> {
        let ours = self
            .inner
            .store
            .read_long(move |tx| attempts::charged_between(tx, begin, end))
            .await?;
        let lacking: Vec<&Attempt> = ours
            .iter()
            .filter(|attempt| {
                attempt
                    .invoice_id
                    .as_ref()
                    .is_none_or(|invoice| !charged.contains(invoice))
            })
            .collect();
        let mut count = 0;
        for attempt in lacking {
            if !self.stands_elsewhere(attempt).await? {
                count += 1;
                self.raise_about(AlarmKind::StatementLacksPayment, attempt.order_id, attempt)
                    .await?;
            }
        }
        Ok(count)
    }

    /// Whether the charge of an attempt stands on the statement at another time than the one that was told first: a state
    /// that tells of a part given back, too, carries the time of that.
    async fn stands_elsewhere(&self, attempt: &Attempt) -> Outcome<bool> {
        let Some(reference) = PaymentReference::parse(&attempt.reference.to_string()) else {
            return Ok(false);
        };
        let (from, until) = (attempt.created_at - SEARCHED_BEFORE, self.now() + MARGIN);
        match self
            .acquirer()
            .find_by_reference(&reference, from, until)
            .await
        {
            Ok(found) => Ok(found.iter().any(|item| {
                item.status == InvoiceStatus::Success
                    && Some(&item.invoice_id) == attempt.invoice_id.as_ref()
            })),
            // Better a person who looks for nothing than nobody who looks.
            Err(error) => {
                tracing::warn!(order.id = %attempt.order_id, %error, "The statement can't be searched for a payment");
                Ok(false)
            }
        }
    }

    async fn compare_item(&self, item: &StatementItem, comparison: &mut Comparison) -> Outcome<()> {
        let line = line_of(item);
        let (order, finding) = self.finding(&line).await?;
        match finding {
            ComparisonFinding::Agrees => comparison.agreeing += 1,
            ComparisonFinding::Unknown => {
                comparison.unknown += 1;
                self.raise_unknown(&line).await?;
            }
            ComparisonFinding::Differs(attempt) => {
                comparison.different += 1;
                let read = move |tx: &mut Tx| attempts::by_id(tx, attempt);
                if let Some(attempt) = self.inner.store.read(read).await? {
                    self.raise_about(AlarmKind::AmountDiffers, attempt.order_id, &attempt)
                        .await?;
                }
            }
            ComparisonFinding::Ask => {
                let Some(order) = order else { return Ok(()) };
                let state = match self.acquirer().invoice_status(&line.invoice_id).await {
                    Ok(state) => state,
                    Err(error) => {
                        tracing::warn!(order.id = %order, %error, "An invoice of the statement can't be asked about");
                        comparison.unasked += 1;
                        return self.raise_unknown(&line).await;
                    }
                };
                self.settle_state(order, &state).await?;
                match self.finding(&line).await?.1 {
                    ComparisonFinding::Agrees => comparison.made_good += 1,
                    ComparisonFinding::Differs(_) => comparison.different += 1,
                    ComparisonFinding::Ask | ComparisonFinding::Unknown => {
                        comparison.unknown += 1;
                        self.raise_unknown(&line).await?;
                    }
                }
            }
        }
        Ok(())
    }

    async fn finding(&self, line: &StatementLine) -> Outcome<(Option<OrderId>, ComparisonFinding)> {
        let line = line.clone();
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let order = attempts::order_of_invoice(tx, &line.invoice_id, line.reference)?;
            let case = match order {
                Some(order) => payments::case_of(tx, order)?,
                None => None,
            };
            Ok((order, compare(case.as_ref(), &line)))
        };
        Ok(self.inner.store.read(read).await?)
    }

    async fn raise_unknown(&self, line: &StatementLine) -> Outcome<()> {
        let subject = format!("invoice:{}", line.invoice_id);
        self.raise_alarm(AlarmKind::StatementUnknownPayment, subject)
            .await
    }

    async fn raise_about(&self, kind: AlarmKind, order: OrderId, attempt: &Attempt) -> Outcome<()> {
        let (unit, subject) = (self.unit(), attempt_subject(attempt.id));
        let write = move |tx: &mut Tx| -> Result<Vec<Happened>, StorageError> {
            let mut happened = Vec::new();
            // Locked before anything is written about it.
            payments::case_of(tx, order)?;
            raise(
                tx,
                &mut unit.clone(),
                kind,
                &subject,
                Some(order),
                &mut happened,
            )?;
            review(tx, order, unit.now)?;
            Ok(happened)
        };
        let happened = self.inner.store.write(write).await?;
        self.log(&happened);
        Ok(())
    }

    /// Returns the days that are due, the newest first.
    async fn due_days(&self) -> Outcome<Vec<Date>> {
        let now = self.now();
        let today = day_of(now);
        let oldest = (0..DAYS_BACK).try_fold(today, |day, _| day.yesterday());
        let oldest =
            oldest.map_err(|_| AppError::Broken("the clock is out of range".to_owned()))?;
        let compared = self
            .inner
            .store
            .read(move |tx| statement_days::since(tx, oldest))
            .await?;
        let mut due = Vec::new();
        let mut day = today;
        while day > oldest {
            day = day
                .yesterday()
                .map_err(|_| AppError::Broken("the clock is out of range".to_owned()))?;
            let (_, end) = bounds(day)?;
            // A row of the future was written while the clock was ahead.
            let known = compared
                .iter()
                .find(|known| known.day == day && known.compared_at <= now + MARGIN);
            let is_due = COMPARED_AFTER.iter().any(|after| {
                now >= end + *after && known.is_none_or(|known| known.compared_at < end + *after)
            });
            if is_due {
                due.push(day);
            }
        }
        Ok(due)
    }

    async fn take_lease(&self) -> Outcome<bool> {
        let (holder, now) = (self.process_name(), self.now());
        let write = move |tx: &mut Tx| {
            statement_days::take_lease(tx, LEASE_NAME, &holder, now, now + LEASE, MARGIN)
        };
        Ok(self.inner.store.write(write).await?)
    }

    async fn record_day(&self, day: Date, found: Comparison) -> Outcome<()> {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let row = StatementDay {
            day,
            compared_at: self.now(),
            compared_by: self.process_name(),
            agreeing: count(found.agreeing),
            made_good: count(found.made_good),
            unknown: count(found.unknown),
            different: count(found.different),
            lacking: count(found.lacking),
        };
        let write = move |tx: &mut Tx| statement_days::record(tx, &row);
        Ok(self.inner.store.write(write).await?)
    }
}

fn tell_of(found: &Comparison) {
    tracing::info!(
        agreeing = found.agreeing,
        made_good = found.made_good,
        unknown = found.unknown,
        different = found.different,
        lacking = found.lacking,
        "Our payments were compared with the acquirer's statement"
    );
}

fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// The moments in which a day (UTC) begins and ends.
fn bounds(day: Date) -> Outcome<(Timestamp, Timestamp)> {
    let begin = day
        .to_zoned(TimeZone::UTC)
        .map_err(|_| AppError::Broken("a day is out of range".to_owned()))?
        .timestamp();
    Ok((begin, begin + SignedDuration::from_hours(24)))
}

fn line_of(item: &StatementItem) -> StatementLine {
    let reference = item.reference.as_ref();
    let refunded = cabinet_domain::Money::sum(item.refunded.iter().copied());
    StatementLine {
        invoice_id: item.invoice_id.clone(),
        reference: reference_of(reference),
        amount: item.amount,
        is_hryvnia: item.currency == HRYVNIA,
        refunded: refunded.unwrap_or(item.amount),
    }
}

fn is_card_check(item: &StatementItem) -> bool {
    item.reference
        .as_ref()
        .is_some_and(|reference| reference.as_str().starts_with(CARD_CHECK))
}
