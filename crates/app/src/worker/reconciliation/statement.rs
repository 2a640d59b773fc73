//! Comparing one piece of time with the acquirer's statement.

use std::collections::HashSet;

use cabinet_domain::payment::{
    AlarmKind, Attempt, ComparisonFinding, InvoiceId, StatementLine, compare,
};
use cabinet_domain::{Money, OrderId, kyiv_time};
use cabinet_gateways::acquirer::{
    HRYVNIA, InvoiceStatus, PaymentReference, Statement, StatementItem, Statements,
};
use cabinet_storage::operator::alarms;
use cabinet_storage::order::orders;
use cabinet_storage::payment::{attempts, payments};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use super::comparison::Comparison;
use super::days::day_of;
use super::{CLOCK_MARGIN, Reconciliation};
use crate::kernel::refusal::{AppError, Result};
use crate::operator::alarms::{AfterCommit, attempt_subject, log, raise};
use crate::payment::{CARD_CHECK, attempt_of_reference, review};

/// How long before the attempt the statement is searched: our clock may have been ahead.
const SEARCHED_BEFORE: SignedDuration = SignedDuration::from_hours(24);

impl Reconciliation {
    /// Compares the charges of one piece of time with the statement of an acquirer, which is read with a margin on both sides.
    ///
    /// # Errors
    /// Fails if the statement can't be read.
    pub(super) async fn compare_piece(
        &self,
        acquirer: &dyn Statements,
        (begin, end): (Timestamp, Timestamp),
    ) -> Result<Comparison> {
        let statement = self.piece_of_statement(acquirer, begin, end).await?;
        let (mut comparison, mut charged) = (Comparison::default(), HashSet::new());
        for item in &statement.items {
            let is_ours = item.status == InvoiceStatus::Success && !is_card_check(item);
            if !is_ours || !charged.insert(item.invoice_id.clone()) {
                continue;
            }
            // Charges in the margin are compared with their own piece.
            if item.date >= begin && item.date < end {
                let compared = self.compare_item(acquirer, item, &mut comparison).await;
                let Err(error) = compared else { continue };
                if !error.is_lasting() {
                    return Err(error);
                }
                // One order that can't be read keeps no other from being compared.
                comparison.unsettled += 1;
                self.call_about(item, &error).await?;
            }
        }
        if statement.unreadable > 0 {
            tracing::error!(
                acquirer = acquirer.name().as_str(),
                statement.unreadable = statement.unreadable,
                "The acquirer's statement has entries that can't be read"
            );
            let subject = format!("day:{}", day_of(begin));
            self.alarms
                .raise(AlarmKind::StatementUnreadable, subject)
                .await?;
        } else {
            // An unreadable entry might be the missing one.
            let until = end.min(self.may_be_missing_since(acquirer.name()));
            comparison.lacking = self.lacking(acquirer, (begin, until), &charged).await?;
        }
        Ok(comparison)
    }

    async fn piece_of_statement(
        &self,
        acquirer: &dyn Statements,
        begin: Timestamp,
        end: Timestamp,
    ) -> Result<Statement> {
        let (from, until) = (begin - CLOCK_MARGIN, end + CLOCK_MARGIN);
        match acquirer.statement(from, until).await {
            Ok(statement) => Ok(statement),
            Err(error) => {
                let name = acquirer.name().as_str();
                tracing::error!(%error, "Payments from {begin} to {end} can't be compared: the statement of {name} can't be had");
                self.raise_not_compared(begin).await?;
                Err(AppError::Broken(format!(
                    "the statement can't be had: {error}"
                )))
            }
        }
    }

    /// Opens an alarm for each charge here that is not on the statement. Returns how many they are.
    async fn lacking(
        &self,
        acquirer: &dyn Statements,
        (begin, end): (Timestamp, Timestamp),
        charged: &HashSet<InvoiceId>,
    ) -> Result<usize> {
        let ours = self
            .store
            .read_long(move |tx| attempts::charged_between(tx, begin, end))
            .await?;
        let lacking: Vec<&Attempt> = ours
            .iter()
            .filter(|attempt| attempt.acquirer == acquirer.name())
            .filter(|attempt| {
                attempt
                    .invoice_id
                    .as_ref()
                    .is_none_or(|invoice| !charged.contains(invoice))
            })
            .collect();
        let mut count = 0;
        for attempt in lacking {
            if !self.stands_elsewhere(acquirer, attempt).await? {
                count += 1;
                self.raise_about(AlarmKind::StatementLacksPayment, attempt.order_id, attempt)
                    .await?;
            }
        }
        Ok(count)
    }

    /// Whether the charge of an attempt is on the statement at another time. After a partial refund, the acquirer's state carries the
    /// time of the refund.
    async fn stands_elsewhere(&self, acquirer: &dyn Statements, attempt: &Attempt) -> Result<bool> {
        let Some(payment_reference) =
            PaymentReference::parse(&attempt.payment_reference.to_string())
        else {
            return Ok(false);
        };
        let (from, until) = (
            attempt.created_at - SEARCHED_BEFORE,
            self.clock.now() + CLOCK_MARGIN,
        );
        match acquirer
            .find_on_statement(&payment_reference, from, until)
            .await
        {
            Ok(found) => Ok(found.iter().any(|item| {
                item.status == InvoiceStatus::Success
                    && Some(&item.invoice_id) == attempt.invoice_id.as_ref()
            })),
            // A needless alarm is better than a missing one.
            Err(error) => {
                tracing::warn!(order.id = %attempt.order_id, %error, "The statement can't be searched for a payment");
                Ok(false)
            }
        }
    }

    async fn compare_item(
        &self,
        acquirer: &dyn Statements,
        item: &StatementItem,
        comparison: &mut Comparison,
    ) -> Result<()> {
        let line = line_of(item);
        let (order, finding) = self.finding(&line).await?;
        match finding {
            ComparisonFinding::Agrees => comparison.agreeing += 1,
            ComparisonFinding::Unknown => {
                comparison.unknown += 1;
                self.raise_unknown(item).await?;
            }
            ComparisonFinding::Differs(attempt) => {
                comparison.different += 1;
                let read = move |tx: &mut Tx| attempts::by_id(tx, attempt);
                if let Some(attempt) = self.store.read(read).await? {
                    self.raise_about(AlarmKind::AmountDiffers, attempt.order_id, &attempt)
                        .await?;
                }
            }
            ComparisonFinding::Ask => {
                let Some(order) = order else { return Ok(()) };
                let state = match acquirer.invoice_status(&line.invoice_id).await {
                    Ok(state) => state,
                    Err(error) => {
                        tracing::warn!(order.id = %order, %error, "An invoice of the statement can't be asked about");
                        // The payment is known, so it is no unknown one. Its day is compared again.
                        comparison.unasked += 1;
                        return self.raise_not_compared(item.date).await;
                    }
                };
                self.settler.settle_state(order, &state, acquirer).await?;
                match self.finding(&line).await?.1 {
                    ComparisonFinding::Agrees => comparison.made_good += 1,
                    ComparisonFinding::Differs(_) => comparison.different += 1,
                    ComparisonFinding::Ask | ComparisonFinding::Unknown => {
                        comparison.unknown += 1;
                        self.raise_unknown(item).await?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls a person about a charge whose order can't be read or settled.
    async fn call_about(&self, item: &StatementItem, error: &AppError) -> Result<()> {
        tracing::error!(%error, "A charge of the statement can't be compared");
        let line = line_of(item);
        let read = move |tx: &mut Tx| {
            attempts::order_of_invoice(tx, &line.invoice_id, line.payment_reference)
        };
        if let Ok(Some(order)) = self.store.read(read).await {
            self.settler.call_about(order, error).await;
            return Ok(());
        }
        let subject = format!("invoice:{}", item.invoice_id);
        self.alarms.raise(AlarmKind::OrderNotSettled, subject).await
    }

    async fn finding(&self, line: &StatementLine) -> Result<(Option<OrderId>, ComparisonFinding)> {
        let line = line.clone();
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let (invoice, reference) = (&line.invoice_id, line.payment_reference);
            let found = payments::order_case_of_invoice(tx, invoice, reference)?;
            let case = found.as_ref().map(|found| &found.case);
            let finding = compare(case, &line);
            Ok((found.map(|found| found.order.id), finding))
        };
        Ok(self.store.read(read).await?)
    }

    /// Opens the alarm for the day of a moment: a part of it could not be compared.
    pub(super) async fn raise_not_compared(&self, at: Timestamp) -> Result<()> {
        let subject = format!("day:{}", day_of(at));
        self.alarms
            .raise(AlarmKind::StatementNotCompared, subject)
            .await
    }

    async fn raise_unknown(&self, item: &StatementItem) -> Result<()> {
        let subject = format!("invoice:{}", item.invoice_id);
        self.alarms
            .raise_undecided(
                AlarmKind::StatementUnknownPayment,
                subject,
                Some(described(item)),
            )
            .await
    }

    /// Opens an alarm about an attempt, unless somebody has closed it before: a day is compared several times.
    async fn raise_about(&self, kind: AlarmKind, order: OrderId, attempt: &Attempt) -> Result<()> {
        let (unit, subject) = (self.alarms.ids.unit(), attempt_subject(attempt.id));
        let write = move |tx: &mut Tx| -> Result<Vec<AfterCommit>, StorageError> {
            let mut committed = Vec::new();
            let tx = &mut tx.without_notary();
            // The order is locked before anything is stored about it.
            let locked = orders::lock(tx, order)?;
            if alarms::was_closed(tx, kind, &subject)? {
                return Ok(committed);
            }
            raise(
                tx,
                &mut unit.clone(),
                kind,
                &subject,
                Some(order),
                &mut committed,
            )?;
            if let Some((locked, _)) = locked {
                review(tx, &locked, unit.now)?;
            }
            Ok(committed)
        };
        let committed = self.store.write(write).await?;
        log(&committed);
        Ok(())
    }
}

/// Says what the statement tells of a payment: enough to find whom it belongs to. Only numbers and ids of ours.
fn described(item: &StatementItem) -> String {
    let of = item.marks.map_or_else(
        || "of no order of a cabinet".to_owned(),
        |marks| format!("order {} of notary {}", marks.order_number, marks.notary),
    );
    let currency = if item.currency == HRYVNIA {
        "UAH".to_owned()
    } else {
        format!("of currency {}", item.currency)
    };
    format!(
        "{of}, {} {currency}, charged {} (Kyiv time)",
        item.amount.decimal(),
        kyiv_time(item.date).strftime("%Y-%m-%d %H:%M:%S")
    )
}

fn line_of(item: &StatementItem) -> StatementLine {
    let payment_reference = item.payment_reference.as_ref();
    let refunded = Money::sum(item.refunded.iter().copied());
    StatementLine {
        invoice_id: item.invoice_id.clone(),
        payment_reference: attempt_of_reference(payment_reference),
        amount: item.amount,
        is_hryvnia: item.currency == HRYVNIA,
        refunded: refunded.unwrap_or(item.amount),
    }
}

fn is_card_check(item: &StatementItem) -> bool {
    item.payment_reference
        .as_ref()
        .is_some_and(|payment_reference| payment_reference.as_str().starts_with(CARD_CHECK))
}
