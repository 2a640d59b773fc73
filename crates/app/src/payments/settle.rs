//! Storing what a settlement decides, in one unit of work, and telling of it afterwards.

use cabinet_domain::payment::{
    AlarmKind, AttemptState, Case, Effect, InvoiceNews, News, OrderFacts, Settlement,
    SettlementVerdict, settle,
};
use cabinet_domain::{
    AlarmId, AttemptId, CardMask, EventId, ItemId, Key, Money, OrderId, OrderStatus, TransferId,
    TransferStatus,
};
use cabinet_gateways::acquirer::{HRYVNIA, InvoiceState, PaymentReference};
use cabinet_storage::cart::CartItem;
use cabinet_storage::order_events::{self, OrderHistoryEvent};
use cabinet_storage::orders;
use cabinet_storage::{StorageError, Tx, alarms, attempts, cart, notaries, payments, transfers};
use jiff::Timestamp;
use uuid::{Builder, Uuid};

use super::transfers_of;
use crate::App;
use crate::orders::receipt_facts;
use crate::refusal::Outcome;

/// The moment and the ids of a unit of work, drawn before it begins: the database may run a unit more than once.
#[derive(Clone)]
pub(crate) struct Unit {
    pub(crate) app: App,
    /// The moment.
    pub(crate) now: Timestamp,
    seed: [u8; 16],
    drawn: u64,
    /// Whether transfers are planned and called off, and receipts kept. Without it a payment or its return is recorded alone,
    /// with an alarm.
    with_bookkeeping: bool,
}

impl Unit {
    pub(crate) fn begin(app: &App, now: Timestamp) -> Unit {
        Unit {
            app: app.clone(),
            now,
            seed: app.randomness().uuid_v4().into_bytes(),
            drawn: 0,
            with_bookkeeping: true,
        }
    }

    fn bytes(&mut self) -> [u8; 10] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed);
        hasher.update(&self.drawn.to_le_bytes());
        self.drawn += 1;
        let mut bytes = [0; 10];
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }

    /// Returns an id that grows with time, for a row.
    fn new_id(&mut self) -> Uuid {
        let milliseconds = u64::try_from(self.now.as_millisecond()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(milliseconds, &self.bytes()).into_uuid()
    }
}

/// Something to be logged and counted once it is committed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happened {
    Stepped(OrderId, OrderStatus, &'static str),
    Alarmed(Option<OrderId>, AlarmKind),
}

/// What a settlement in a unit of work came to.
pub(crate) struct Settled {
    /// How the news was taken.
    pub(crate) verdict: SettlementVerdict,
    /// Whether anything changed that a page shows of the order.
    pub(crate) is_order_changed: bool,
    /// The order and its attempts afterwards.
    pub(crate) case: Case,
    /// To be told after the commit, by [`App::tell`].
    pub(crate) happened: Vec<Happened>,
}

/// Settles news about an order. `None`: there is no such order.
///
/// # Errors
/// Returns the database's failure.
pub(crate) fn settle_in(
    tx: &mut Tx,
    unit: &Unit,
    order: OrderId,
    news: &News,
) -> Result<Option<Settled>, StorageError> {
    let Some(case) = payments::case_of(tx, order)? else {
        return Ok(None);
    };
    settle_case(tx, unit, &case, news).map(Some)
}

/// The same for a case that was read in this unit of work.
pub(super) fn settle_case(
    tx: &mut Tx,
    unit: &Unit,
    case: &Case,
    news: &News,
) -> Result<Settled, StorageError> {
    let mut unit = unit.clone();
    let Settlement {
        effects,
        verdict,
        case: after,
    } = settle(case, news, unit.now);
    let mut happened = Vec::new();
    for effect in &effects {
        store(tx, &mut unit, (case, &after), effect, &mut happened)?;
    }
    Ok(Settled {
        verdict,
        is_order_changed: case.order != after.order,
        case: after,
        happened,
    })
}

fn store(
    tx: &mut Tx,
    unit: &mut Unit,
    (before, after): (&Case, &Case),
    effect: &Effect,
    happened: &mut Vec<Happened>,
) -> Result<(), StorageError> {
    let order = before.order.id;
    match effect {
        Effect::SaveAttempt(attempt) => attempts::save(tx, attempt, unit.now),
        Effect::SaveOrder(facts) => save_order(tx, unit, &before.order, facts),
        Effect::Record { kind, to, detail } => {
            let event = OrderHistoryEvent {
                id: EventId::new(unit.new_id()),
                order_id: order,
                at: unit.now,
                kind: (*kind).to_owned(),
                from_status: Some(before.order.status),
                to_status: *to,
                detail: detail.clone(),
            };
            happened.extend(to.map(|to| Happened::Stepped(order, to, kind)));
            order_events::add(tx, &event)
        }
        Effect::Raise(kind, attempt) => raise(
            tx,
            unit,
            *kind,
            &attempt_subject(*attempt),
            Some(order),
            happened,
        ),
        Effect::PlanTransfers => plan_transfers(tx, unit, order, happened),
        Effect::KeepReceipt if !unit.with_bookkeeping => Ok(()),
        Effect::CallOffTransfers if !unit.with_bookkeeping => {
            let (kind, subject) = (AlarmKind::RefundedAfterTransfer, format!("order:{order}"));
            raise(tx, unit, kind, &subject, Some(order), happened)
        }
        Effect::CallOffTransfers => call_off_transfers(tx, unit, after, happened),
        Effect::KeepReceipt => match orders::by_id(tx, order)? {
            Some(order) => receipt_facts::keep(tx, &unit.app, &order, unit.now),
            None => Ok(()),
        },
        Effect::ReturnItems => return_items(tx, unit, order),
    }
}

fn save_order(
    tx: &mut Tx,
    unit: &Unit,
    before: &OrderFacts,
    after: &OrderFacts,
) -> Result<(), StorageError> {
    let is_step = before.status != after.status;
    if is_step && !before.status.may_become(after.status) {
        return Err(inconsistent("there is no such step"));
    }
    if payments::save_order(tx, after, before.status, unit.now)? {
        Ok(())
    } else {
        Err(inconsistent("the order moved while it was locked"))
    }
}

/// What an alarm about an attempt is about.
pub(super) fn attempt_subject(attempt: AttemptId) -> String {
    format!("attempt:{attempt}")
}

/// Opens an alarm, with its line in the order's history.
pub(super) fn raise(
    tx: &mut Tx,
    unit: &mut Unit,
    kind: AlarmKind,
    subject: &str,
    order: Option<OrderId>,
    happened: &mut Vec<Happened>,
) -> Result<(), StorageError> {
    let id = AlarmId::new(unit.new_id());
    if !alarms::raise(tx, id, kind, subject, order, unit.now)? {
        return Ok(());
    }
    happened.push(Happened::Alarmed(order, kind));
    let Some(order) = order else { return Ok(()) };
    let event = OrderHistoryEvent {
        id: EventId::new(unit.new_id()),
        order_id: order,
        at: unit.now,
        kind: kind.as_str().to_owned(),
        from_status: None,
        to_status: None,
        detail: None,
    };
    order_events::add(tx, &event)
}

/// Brings an order up to date after an alarm about it was opened or closed outside of a settlement.
///
/// # Errors
/// Returns the database's failure.
pub(crate) fn review(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<(), StorageError> {
    let Some(case) = payments::case_of(tx, order)? else {
        return Ok(());
    };
    for effect in settle(&case, &News::Reviewed, now).effects {
        if let Effect::SaveOrder(facts) = effect {
            payments::save_order(tx, &facts, case.order.status, now)?;
        }
    }
    Ok(())
}

/// Writes down who is owed what out of a paid order. What does not follow from its items is an alarm, never a reason to
/// forget that the order is paid.
fn plan_transfers(
    tx: &mut Tx,
    unit: &mut Unit,
    order: OrderId,
    happened: &mut Vec<Happened>,
) -> Result<(), StorageError> {
    if unit.with_bookkeeping && plan_whole(tx, unit, order)? {
        return Ok(());
    }
    let subject = format!("order:{order}");
    raise(
        tx,
        unit,
        AlarmKind::TransfersNotPlanned,
        &subject,
        Some(order),
        happened,
    )
}

/// Returns whether the transfers of the order were planned: all of them, or none.
fn plan_whole(tx: &mut Tx, unit: &mut Unit, order: OrderId) -> Result<bool, StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(false);
    };
    // Not locked: the notary is locked before her orders, and this order is locked already.
    let Some(notary_name) = notaries::full_name_of(tx, order.notary_id)? else {
        return Ok(false);
    };
    let mut planned = Vec::new();
    let mut sum = Money::ZERO;
    for item in orders::items_of(tx, order.id)? {
        let Some(transfers) = transfers_of(&item.content, &order.client, &notary_name) else {
            return Ok(false);
        };
        let parts = transfers.iter().map(|transfer| transfer.amount);
        let commission = item.content.price.commission.times(item.content.count);
        let with_commission = parts.chain(commission.ok());
        match Money::sum(with_commission).and_then(|part| sum.plus(part)) {
            Ok(total) => sum = total,
            Err(_) => return Ok(false),
        }
        planned.extend(transfers.into_iter().map(|transfer| (item.id, transfer)));
    }
    if sum != order.sum {
        return Ok(false);
    }
    for (item, transfer) in &planned {
        let id = TransferId::new(unit.new_id());
        transfers::plan(tx, id, order.id, *item, transfer, unit.now)?;
    }
    // Called off by a refund that, as it turns out, gave back another charge than the one that counts.
    transfers::plan_called_off(tx, order.id, unit.now)?;
    Ok(true)
}

/// What was given back is owed to nobody any more: transfers that were not sent yet are called off. Those that were sent
/// need a person.
fn call_off_transfers(
    tx: &mut Tx,
    unit: &mut Unit,
    after: &Case,
    happened: &mut Vec<Happened>,
) -> Result<(), StorageError> {
    let order = after.order.id;
    transfers::call_off(tx, order, unit.now)?;
    let is_at_the_bank = |status| matches!(status, TransferStatus::Sent | TransferStatus::Credited);
    let all = transfers::of_order(tx, order)?;
    if all.iter().any(|transfer| is_at_the_bank(transfer.status)) {
        let subject = format!("order:{order}");
        let kind = AlarmKind::RefundedAfterTransfer;
        raise(tx, unit, kind, &subject, Some(order), happened)?;
    }
    Ok(())
}

/// Copies the items of an order into the cart under new ids. The order keeps its own.
fn return_items(tx: &mut Tx, unit: &mut Unit, order: OrderId) -> Result<(), StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(());
    };
    for item in orders::items_of(tx, order.id)? {
        let copy = CartItem {
            id: ItemId::new(unit.new_id()),
            created_at: unit.now,
            content: item.content,
        };
        cart::add(tx, order.notary_id, order.client.id, &copy)?;
    }
    Ok(())
}

fn inconsistent(reason: &str) -> StorageError {
    StorageError::Inconsistent {
        table: "orders".to_owned(),
        id: None,
        column: "status".to_owned(),
        reason: reason.to_owned(),
    }
}

impl App {
    /// The moment and the ids of a unit of work that begins now.
    pub(crate) fn unit(&self) -> Unit {
        Unit::begin(self, self.now())
    }

    /// Settles news about an order, and tells of what came of it. `None`: there is no such order.
    pub(super) async fn settle(&self, order: OrderId, news: News) -> Outcome<Option<Settled>> {
        let work = |unit: Unit| {
            let news = news.clone();
            move |tx: &mut Tx| settle_in(tx, &unit, order, &news)
        };
        let settled = self.write_settlement(work).await?;
        if let Some(settled) = &settled {
            self.tell(settled).await;
        }
        Ok(settled)
    }

    /// Writes a settlement. Where its bookkeeping meets data that contradict themselves, it is written without: a payment is
    /// recorded in any case.
    pub(super) async fn write_settlement<T, F>(&self, work: impl Fn(Unit) -> F) -> Outcome<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx) -> Result<T, StorageError> + Send + 'static,
    {
        let unit = self.unit();
        match self.inner.store.write(work(unit.clone())).await {
            Err(error @ (StorageError::Inconsistent { .. } | StorageError::Constraint { .. })) => {
                tracing::error!(%error, "A payment is recorded without its transfers");
                let alone = Unit {
                    with_bookkeeping: false,
                    ..unit
                };
                Ok(self.inner.store.write(work(alone)).await?)
            }
            written => Ok(written?),
        }
    }

    /// Settles a state of an invoice that the acquirer has just answered.
    pub(super) async fn settle_state(
        &self,
        order: OrderId,
        state: &InvoiceState,
    ) -> Outcome<Option<Settled>> {
        let fresh = self.new_attempt_id(order);
        let as_of = self.acquirer().time().unwrap_or_else(|| self.now());
        let news = News::Told(Box::new(news_of(state, Some(as_of))), fresh);
        self.settle(order, news).await
    }

    /// Logs and counts what was committed, and tells the notary's open pages.
    pub(crate) async fn tell(&self, settled: &Settled) {
        self.log(&settled.happened);
        // News of nothing would make every open page ask the acquirer again, and so be told again.
        if !settled.is_order_changed {
            return;
        }
        self.announce_order(settled.case.order.id).await;
        let is_returned = settled.case.order.failure == Some(Key::OrderReturnedToCart);
        if is_returned {
            self.announce_cart_of(settled.case.order.id).await;
        }
    }

    /// Logs and counts what was committed.
    pub(crate) fn log(&self, happened: &[Happened]) {
        for event in happened {
            match event {
                Happened::Stepped(order, to, kind) => {
                    tracing::info!(order.id = %order, order.status = to.as_str(), "Order {order} is {}: {kind}", to.as_str());
                    metrics::counter!("orders_stepped_total", "to" => to.as_str()).increment(1);
                }
                Happened::Alarmed(order, kind) => {
                    let order = order.map(|order| order.to_string());
                    tracing::error!(
                        order.id = order,
                        alarm.kind = kind.as_str(),
                        "An alarm was opened: {}",
                        kind.as_str()
                    );
                    metrics::counter!("alarms_total", "kind" => kind.as_str()).increment(1);
                }
            }
        }
    }

    /// Opens an alarm that is not about an attempt.
    pub(crate) async fn raise_alarm(&self, kind: AlarmKind, subject: String) -> Outcome<()> {
        let unit = self.unit();
        let write = move |tx: &mut Tx| -> Result<Vec<Happened>, StorageError> {
            let mut happened = Vec::new();
            raise(tx, &mut unit.clone(), kind, &subject, None, &mut happened)?;
            Ok(happened)
        };
        let happened = self.inner.store.write(write).await?;
        self.log(&happened);
        Ok(())
    }

    /// Plans transfers that could not be planned when their order was paid, and closes their alarms.
    pub(crate) async fn plan_missing_transfers(&self) -> Outcome<()> {
        let read = |tx: &mut Tx| alarms::open_of_kind(tx, AlarmKind::TransfersNotPlanned);
        for alarm in self.inner.store.read(read).await? {
            let Some(order) = alarm.order_id else {
                continue;
            };
            let unit = self.unit();
            let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                let mut unit = unit.clone();
                if plan_whole(tx, &mut unit, order)? {
                    if let Some(order) = orders::by_id(tx, order)? {
                        receipt_facts::keep(tx, &unit.app, &order, unit.now)?;
                    }
                    alarms::close(tx, alarm.id, "The transfers were planned.", unit.now)?;
                }
                Ok(())
            };
            // One order whose data contradict themselves keeps no other from being planned.
            if let Err(error) = self.inner.store.write(write).await {
                tracing::error!(order.id = %order, %error, "Transfers can't be planned");
            }
        }
        Ok(())
    }

    /// Returns the id of a new attempt of an order, which is also its reference at the acquirer. Half of it is random, so a
    /// restored database uses none twice.
    pub(crate) fn new_attempt_id(&self, order: OrderId) -> AttemptId {
        AttemptId::of_order(order, self.randomness().uuid_v4())
    }
}

/// What the acquirer's state of an invoice says to the cabinet, and when it certainly still stood so.
pub(super) fn news_of(state: &InvoiceState, as_of: Option<Timestamp>) -> InvoiceNews {
    let payment = state.payment.as_ref();
    let given_back = state
        .refunds
        .iter()
        .filter(|refund| refund.status == "success")
        .filter_map(|refund| refund.amount);
    let by_refunds = Money::sum(given_back).unwrap_or(state.amount);
    let by_rest = state
        .final_amount
        .and_then(|rest| state.amount.minus(rest).ok())
        .unwrap_or(Money::ZERO);
    InvoiceNews {
        invoice_id: state.invoice_id.clone(),
        reference: reference_of(state.reference.as_ref()),
        status: state.status.clone(),
        amount: state.amount,
        is_hryvnia: state.currency == HRYVNIA,
        refunded: by_refunds.max(by_rest),
        modified_at: state.modified_at,
        created_at: state.created_at,
        as_of,
        card: cabinet_domain::payment::CardDetails {
            masked_pan: payment.and_then(|payment| CardMask::parse(payment.masked_pan.as_str())),
            payment_system: payment.and_then(|payment| payment.payment_system.clone()),
            approval_code: payment.and_then(|payment| payment.approval_code.clone()),
            rrn: payment.and_then(|payment| payment.rrn.clone()),
        },
        failure_code: state
            .failure
            .as_ref()
            .and_then(|failure| failure.code.clone()),
    }
}

/// Our own reference, where the acquirer names one.
pub(super) fn reference_of(reference: Option<&PaymentReference>) -> Option<AttemptId> {
    reference.and_then(|reference| AttemptId::parse(reference.as_str()))
}

/// Whether the request of an attempt is on its way, in the hands of whoever began it.
pub(super) fn is_on_its_way(case: &Case) -> bool {
    case.latest().is_some_and(|latest| {
        matches!(
            latest.state,
            AttemptState::Prepared | AttemptState::Submitted
        ) && latest.last_error.is_none()
    })
}
