//! Alarms that need a person, and what is logged and counted once it is committed.

use cabinet_domain::payment::{AlarmKind, Attempt, PaymentEnding};
use cabinet_domain::{
    AlarmId, AttemptId, EventId, Money, OrderEventKind, OrderHistoryEvent, OrderId, OrderStatus,
};
use cabinet_metrics::{
    ALARMS, ORDERS_STEPPED, ORDERS_STEPPED_KOPIYKAS, PAID_AFTER_SECONDS, PAYMENTS_ENDED,
};
use cabinet_storage::operator::alarms;
use cabinet_storage::order::order_events;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::SignedDuration;

use crate::kernel::ids::{Ids, UnitContext};
use crate::kernel::refusal::Result;

/// Something that a unit of work did, to be logged and counted after its commit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AfterCommit {
    /// An order took a status.
    OrderStepped {
        /// The order.
        order: OrderId,
        /// The status.
        to: OrderStatus,
        /// How its payment has ended, if it has.
        ending: Option<PaymentEnding>,
        /// The kind of the event that caused it.
        kind: OrderEventKind,
        /// The sum of the order.
        sum: Money,
    },
    /// An order is known to be paid so long after its charge.
    PaidAfter(SignedDuration),
    /// An alarm was opened.
    AlarmOpened(Option<OrderId>, AlarmKind),
}

/// Logs and counts what was committed.
pub(crate) fn log(committed: &[AfterCommit]) {
    for event in committed {
        match event {
            AfterCommit::OrderStepped {
                order,
                to,
                ending,
                kind,
                sum,
            } => {
                tracing::info!(
                    order.id = %order,
                    order.status = to.as_str(),
                    order.ending = ending.map(PaymentEnding::as_str),
                    order.blamed = ending.map(|ending| ending.blamed().as_str()),
                    "Order {order} is {}: {}",
                    to.as_str(),
                    kind.as_str()
                );
                ORDERS_STEPPED.count(*to);
                if let Some(ending) = ending {
                    PAYMENTS_ENDED.count(*ending);
                }
                ORDERS_STEPPED_KOPIYKAS.add(*to, u64::try_from(sum.kopiykas()).unwrap_or_default());
            }
            AfterCommit::PaidAfter(time) => PAID_AFTER_SECONDS.record((), time.as_secs_f64()),
            AfterCommit::AlarmOpened(order, kind) => {
                let order = order.map(|order| order.to_string());
                tracing::error!(
                    order.id = order,
                    alarm.kind = kind.as_str(),
                    "An alarm was opened: {}",
                    kind.as_str()
                );
                ALARMS.count(*kind);
            }
        }
    }
}

/// Returns whether an acquirer without names of refunds told less of a charge than before: what it tells since may be what a person has made good
/// in its cabinet, also while nobody has closed the alarm.
pub(crate) fn may_be_made_good(tx: &mut Tx, charge: &Attempt) -> Result<bool, StorageError> {
    let (kind, subject) = (AlarmKind::RefundContradicted, attempt_subject(charge.id));
    Ok(!charge.acquirer.lists_refunds() && alarms::was_opened(tx, kind, &subject)?)
}

/// Returns the subject of an alarm about an attempt.
pub(crate) fn attempt_subject(attempt: AttemptId) -> String {
    format!("attempt:{attempt}")
}

/// Returns the subject of an alarm about an order.
pub(crate) fn order_subject(order: OrderId) -> String {
    format!("order:{order}")
}

/// Opens an alarm, with its line in the order's history. An alarm that is open already only counts once more.
pub(crate) fn raise(
    tx: &mut Tx,
    unit: &mut UnitContext,
    kind: AlarmKind,
    subject: &str,
    order: Option<OrderId>,
    committed: &mut Vec<AfterCommit>,
) -> Result<(), StorageError> {
    raise_with(tx, unit, kind, (subject, None), order, committed)
}

/// The same with the subject and what is known about it beside.
pub(crate) fn raise_with(
    tx: &mut Tx,
    unit: &mut UnitContext,
    kind: AlarmKind,
    subject: (&str, Option<&str>),
    order: Option<OrderId>,
    committed: &mut Vec<AfterCommit>,
) -> Result<(), StorageError> {
    let id = AlarmId::new(unit.new_id());
    if !alarms::raise_with(tx, id, kind, subject, order, unit.now)? {
        return Ok(());
    }
    committed.push(AfterCommit::AlarmOpened(order, kind));
    let Some(order) = order else { return Ok(()) };
    let event = OrderHistoryEvent {
        id: EventId::new(unit.new_id()),
        order_id: order,
        at: unit.now,
        kind,
        from_status: None,
        to_status: None,
        detail: None,
    };
    order_events::add_alarm(tx, &event)
}

/// Opens alarms, each in a unit of work of its own.
#[derive(Clone)]
pub(crate) struct Alarms {
    pub(crate) store: Store,
    pub(crate) ids: Ids,
}

impl Alarms {
    /// Opens an alarm in a unit of work of its own.
    pub(crate) async fn raise(&self, kind: AlarmKind, subject: String) -> Result<()> {
        self.raise_with(kind, subject, None).await
    }

    /// The same with what is known about the subject beside.
    pub(crate) async fn raise_with(
        &self,
        kind: AlarmKind,
        subject: String,
        detail: Option<String>,
    ) -> Result<()> {
        self.raise_unless(false, kind, (subject, detail), None)
            .await
    }

    /// The same for what is found again and again: not once somebody has closed it.
    pub(crate) async fn raise_undecided(
        &self,
        kind: AlarmKind,
        subject: String,
        detail: Option<String>,
    ) -> Result<()> {
        self.raise_unless(true, kind, (subject, detail), None).await
    }

    /// Opens an alarm about an order.
    pub(crate) async fn raise_about_order(&self, kind: AlarmKind, order: OrderId) -> Result<()> {
        let subject = (order_subject(order), None);
        self.raise_unless(false, kind, subject, Some(order)).await
    }

    async fn raise_unless(
        &self,
        closed_counts: bool,
        kind: AlarmKind,
        (subject, detail): (String, Option<String>),
        order: Option<OrderId>,
    ) -> Result<()> {
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<Vec<AfterCommit>, StorageError> {
            let mut committed = Vec::new();
            if closed_counts && alarms::was_closed(tx, kind, &subject)? {
                return Ok(committed);
            }
            let subject = (subject.as_str(), detail.as_deref());
            raise_with(tx, &mut unit.clone(), kind, subject, order, &mut committed)?;
            Ok(committed)
        };
        let committed = self.store.write(write).await?;
        log(&committed);
        Ok(())
    }
}
