//! Comparing our orders with the acquirer's own statement: what neither a report nor a question has told is found here, also
//! after an older copy of the database was restored.

use std::collections::HashSet;

use cabinet_domain::{AttemptId, OrderStatus};
use cabinet_gateways::acquirer::{HRYVNIA, InvoiceId, InvoiceStatus, Statement, StatementItem};
use cabinet_storage::attempts::{self, Attempt};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use super::apply::{Verdict, apply_state};
use super::cards::CARD_CHECK;
use crate::App;
use crate::refusal::{AppError, Outcome};

/// Payments made so shortly before the comparison may be missing from a statement without anything being wrong.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// So much of the statement is asked for and compared at once: a month of many notaries is more than is held in memory.
const PIECE: SignedDuration = SignedDuration::from_hours(24);

/// What a comparison found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Payments on the statement that are right here, too.
    pub agreeing: usize,
    /// Payments or refunds that were not known here and are now.
    pub made_good: usize,
    /// Payments on the statement that no order here answers for.
    pub unknown: usize,
    /// Payments whose sum or currency is not ours.
    pub different: usize,
    /// Payments here that are not on the statement.
    pub lacking: usize,
}

impl App {
    /// Compares the payments since a moment with the acquirer's statement. What was missed is applied like a report; what
    /// contradicts raises an alarm and changes nothing.
    ///
    /// # Errors
    /// When the statement can't be had or the database can't be used.
    pub async fn compare_with_statement(&self, since: Timestamp) -> Outcome<Comparison> {
        let now = self.now();
        let (mut comparison, mut charged) = (Comparison::default(), HashSet::new());
        let mut unreadable = 0;
        // The newest first, so that a day that can't be had keeps nothing newer from being compared.
        let mut end = now;
        while end > since {
            let begin = since.max(end - PIECE);
            let statement = self.piece_of_statement(begin, end).await?;
            unreadable += statement.unreadable;
            for item in &statement.items {
                // Pieces share the second in which one ends and the other begins.
                if item.status == InvoiceStatus::Success
                    && !is_card_check(item)
                    && charged.insert(item.invoice_id.clone())
                {
                    self.compare(item, &mut comparison).await?;
                }
            }
            end = begin;
        }
        // An entry that could not be read may be the one that is missing.
        if unreadable > 0 {
            tracing::error!(
                statement.unreadable = unreadable,
                "The acquirer's statement has entries that can't be read"
            );
            alarm("statement_unreadable");
        } else {
            comparison.lacking = self.lacking(since, now, &charged).await?;
        }
        tracing::info!(
            agreeing = comparison.agreeing,
            made_good = comparison.made_good,
            unknown = comparison.unknown,
            different = comparison.different,
            lacking = comparison.lacking,
            "Our payments were compared with the acquirer's statement"
        );
        Ok(comparison)
    }

    async fn piece_of_statement(&self, begin: Timestamp, end: Timestamp) -> Outcome<Statement> {
        self.acquirer()
            .statement(begin, end)
            .await
            .map_err(|error| {
                tracing::error!(
                    %error,
                    "Payments from {begin} to {end} can't be compared: the acquirer's statement can't be had"
                );
                alarm("statement_not_compared");
                AppError::Broken(format!("the statement can't be had: {error}"))
            })
    }

    /// Tells of the payments here whose charge is not on the statement, and counts them.
    async fn lacking(
        &self,
        since: Timestamp,
        now: Timestamp,
        charged: &HashSet<InvoiceId>,
    ) -> Outcome<usize> {
        let (mut lacking, mut begin) = (0, since);
        while begin < now {
            let end = now.min(begin + PIECE);
            let ours = self
                .inner
                .store
                .read_long(move |tx| attempts::begun_between(tx, begin, end))
                .await?;
            for attempt in ours {
                let is_charged = attempt
                    .invoice_id
                    .as_deref()
                    .and_then(InvoiceId::parse)
                    .is_some_and(|invoice| charged.contains(&invoice));
                if attempt.outcome.is_some_and(OrderStatus::has_money)
                    && attempt
                        .acquirer_modified_at
                        .is_none_or(|at| at < now - FRESH)
                    && !is_charged
                {
                    tracing::error!(order.id = %attempt.order_id, "Order {} is paid here, and its payment is not on the acquirer's statement", attempt.order_id);
                    alarm("statement_lacks_payment");
                    lacking += 1;
                }
            }
            begin = end;
        }
        Ok(lacking)
    }

    async fn compare(&self, item: &StatementItem, comparison: &mut Comparison) -> Outcome<()> {
        let Some(attempt) = self.attempt_of(item).await? else {
            tracing::error!(
                invoice.id = item.invoice_id.as_str(),
                "The acquirer charged for an invoice that no order here answers for"
            );
            alarm("statement_unknown_payment");
            comparison.unknown += 1;
            return Ok(());
        };
        if attempt.amount != item.amount || item.currency != HRYVNIA {
            tracing::error!(order.id = %attempt.order_id, "The acquirer's statement has another sum for order {}", attempt.order_id);
            alarm("amount_differs");
            comparison.different += 1;
            return Ok(());
        }
        let was_told = is_told(&attempt, item);
        // Whether a part that was given back is known here, only the invoice's own state tells.
        if was_told && !is_refunded_in_part(item) {
            comparison.agreeing += 1;
            return Ok(());
        }
        let state = match self.acquirer().invoice_status(&item.invoice_id).await {
            Ok(state) => state,
            Err(error) => {
                tracing::warn!(order.id = %attempt.order_id, %error, "An invoice of the statement can't be asked about");
                return Ok(());
            }
        };
        let facts = self.facts();
        let write = move |tx: &mut Tx| apply_state(tx, &state, &facts);
        let verdict = self.inner.store.write(write).await?;
        self.announce_invoice(item.invoice_id.as_str().to_owned())
            .await;
        let known = self.attempt_of(item).await?;
        if was_told && verdict == Verdict::Late {
            comparison.agreeing += 1;
        } else if known.is_some_and(|attempt| is_told(&attempt, item)) {
            comparison.made_good += 1;
        } else {
            alarm("statement_unknown_payment");
            comparison.unknown += 1;
        }
        Ok(())
    }

    /// The attempt a payment of the statement belongs to: by its invoice, or by our reference where the answer was lost.
    async fn attempt_of(&self, item: &StatementItem) -> Outcome<Option<Attempt>> {
        let invoice = item.invoice_id.as_str().to_owned();
        let reference = item
            .reference
            .as_ref()
            .and_then(|reference| AttemptId::parse(reference.as_str()));
        let read = move |tx: &mut Tx| -> Result<Option<Attempt>, StorageError> {
            if let Some(found) = attempts::by_invoice(tx, &invoice)? {
                return Ok(Some(found));
            }
            match reference {
                Some(id) => attempts::by_id(tx, id),
                None => Ok(None),
            }
        };
        Ok(self.inner.store.read(read).await?)
    }
}

/// Whether what the statement says is known here: the payment, and that it was given back whole.
fn is_told(attempt: &Attempt, item: &StatementItem) -> bool {
    match attempt.outcome {
        Some(OrderStatus::Refunded) => true,
        Some(OrderStatus::Paid) => refunded(item) < item.amount.kopiykas(),
        _ => false,
    }
}

/// How many kopiykas were given back.
fn refunded(item: &StatementItem) -> i64 {
    item.refunded.iter().map(|part| part.kopiykas()).sum()
}

fn is_refunded_in_part(item: &StatementItem) -> bool {
    (1..item.amount.kopiykas()).contains(&refunded(item))
}

fn is_card_check(item: &StatementItem) -> bool {
    item.reference
        .as_ref()
        .is_some_and(|reference| reference.as_str().starts_with(CARD_CHECK))
}

fn alarm(kind: &'static str) {
    metrics::counter!("alarms_total", "kind" => kind).increment(1);
}
