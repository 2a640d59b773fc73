//! What a fact about a payment does to its order. The one place where an order's status changes.

use cabinet_domain::{
    ActualPayer, AttemptId, EventId, Line, OrderEvent, OrderId, OrderStatus, Payee, PaymentKind,
    PlannedTransfer, Step, Tariff, TransferFacts, TransferId, TransferStatus, history_name,
    plan_transfers, price, step,
};
use cabinet_gateways::acquirer::{HRYVNIA, InvoiceState, InvoiceStatus};
use cabinet_storage::attempts::{self, AcquirerFacts, Attempt, AttemptKind, AttemptState};
use cabinet_storage::clients::Client;
use cabinet_storage::items::ItemContent;
use cabinet_storage::order_events::{self, OrderHistoryEvent};
use cabinet_storage::orders::{self, Order};
use cabinet_storage::{StorageError, Tx, notaries, transfers};
use jiff::Timestamp;

use super::ask::failure_key;
use super::{FIRST_CHECK, INVOICE_LIFETIME, next_check};
use crate::App;
use crate::cart::of_notary_part;

/// The time and the source of ids of a unit of work.
#[derive(Clone)]
pub(crate) struct Facts {
    app: App,
    /// The moment the work began.
    pub now: Timestamp,
}

impl Facts {
    pub(super) fn draw(app: &App) -> Facts {
        Facts::at(app, app.now())
    }

    /// Of another moment than this one.
    pub(crate) fn at(app: &App, now: Timestamp) -> Facts {
        Facts {
            app: app.clone(),
            now,
        }
    }
}

/// How a report was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It told something new.
    Applied,
    /// Nothing newer than what is known.
    Late,
    /// No attempt of ours.
    Unknown,
    /// It can't be true together with what is known; a person is told.
    Contradiction,
}

impl Verdict {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Verdict::Applied => "applied",
            Verdict::Late => "late",
            Verdict::Unknown => "unknown",
            Verdict::Contradiction => "contradiction",
        }
    }
}

/// Applies the acquirer's state of an invoice to its attempt and its order.
pub(super) fn apply_state(
    tx: &mut Tx,
    state: &InvoiceState,
    facts: &Facts,
) -> Result<Verdict, StorageError> {
    let Some(attempt) = find_attempt(tx, state)? else {
        return Ok(Verdict::Unknown);
    };
    let Some(order) = orders::by_id(tx, attempt.order_id)? else {
        return Ok(Verdict::Unknown);
    };
    // Whoever held the order before may have changed the attempt.
    let Some(attempt) = attempts::by_id(tx, attempt.id)? else {
        return Ok(Verdict::Unknown);
    };
    let is_current =
        attempts::current_of(tx, order.id)?.is_some_and(|current| current.id == attempt.id);

    if state.status == InvoiceStatus::Success
        && (state.amount != attempt.amount || state.currency != HRYVNIA)
    {
        alarm(tx, &order, "amount_differs", facts)?;
        return Ok(Verdict::Contradiction);
    }
    let payment = state.payment.as_ref();
    let news = AcquirerFacts {
        status: state.status.as_str().to_owned(),
        rank: i64::from(state.status.finality()),
        modified_at: state.modified_at.unwrap_or(facts.now),
        invoice_id: Some(state.invoice_id.as_str().to_owned()),
        masked_pan: payment
            .map(|payment| payment.masked_pan.as_str().to_owned())
            .filter(|pan| pan.contains('*')),
        payment_system: payment.and_then(|payment| payment.payment_system.clone()),
        approval_code: payment.and_then(|payment| payment.approval_code.clone()),
        rrn: payment.and_then(|payment| payment.rrn.clone()),
        failure_code: state
            .failure
            .as_ref()
            .and_then(|failure| failure.code.clone()),
    };
    let is_new = attempts::record_facts(tx, attempt.id, &news, facts.now)?;
    // What is older than what is known says nothing about how the attempt ends; what is known may end it by the time that passed.
    let is_known = attempt.acquirer_status.as_ref() == Some(&news.status)
        && attempt.acquirer_modified_at == Some(news.modified_at);
    if !is_new && !is_known {
        return Ok(Verdict::Late);
    }
    match ending_of(&attempt, &state.status, facts.now) {
        Some(outcome) => {
            attempts::finish(tx, attempt.id, outcome)?;
        }
        None => attempts::schedule(
            tx,
            attempt.id,
            Some(facts.now + next_check(attempt.checks)),
            None,
        )?,
    }
    if !is_new {
        return Ok(Verdict::Late);
    }
    if is_refunded_in_part(state) {
        alarm(tx, &order, "refunded_in_part", facts)?;
    }
    let Some(event) = event_of(&state.status) else {
        return Ok(Verdict::Applied);
    };
    let another_was_paid = another_was_paid(tx, &order, &attempt)?;
    // An invoice that was given up, or beside which another was paid, tells nothing about the order any more, unless money moved
    // on it.
    if (!is_current || another_was_paid)
        && !matches!(
            event,
            OrderEvent::AcquirerPaid | OrderEvent::AcquirerRefunded
        )
    {
        return Ok(Verdict::Applied);
    }
    // The order stands or falls with another charge than the one that was given back.
    let stands_otherwise =
        another_was_paid || (!is_current && attempt.outcome != Some(OrderStatus::Paid));
    if event == OrderEvent::AcquirerRefunded && stands_otherwise {
        let detail = Some(state.status.as_str());
        note(tx, &order, "duplicate_refunded", None, detail, facts)?;
        return Ok(Verdict::Applied);
    }
    if event == OrderEvent::AcquirerPaid && order.status == OrderStatus::Paid && another_was_paid {
        alarm(tx, &order, "charged_twice", facts)?;
        return Ok(Verdict::Contradiction);
    }
    if event == OrderEvent::AcquirerPaid && order.status == OrderStatus::Refunded {
        // Whether the payer wants the order or the money can't be known here.
        alarm(tx, &order, "paid_after_refund", facts)?;
        return Ok(Verdict::Contradiction);
    }
    if event == OrderEvent::AcquirerFailed && !order.status.has_money() {
        orders::set_failure(
            tx,
            order.id,
            Some(failure_key(news.failure_code.as_deref())),
        )?;
    }
    if event == OrderEvent::AcquirerPaid
        && let Some(pan) = &news.masked_pan
    {
        orders::set_pan(tx, order.id, pan)?;
    }
    if event == OrderEvent::AcquirerPaid && !is_current {
        // The page that took its place must not take the money once more: the worker withdraws it at once.
        if let Some(fresh) = attempts::current_of(tx, order.id)? {
            attempts::schedule(tx, fresh.id, Some(facts.now), None)?;
        }
    }
    let event = if event == OrderEvent::AcquirerPaid
        && order.status == OrderStatus::Failed
        && is_current
        && is_page_open(&attempt, facts.now)
    {
        OrderEvent::AcquirerPaidAfterDecline
    } else {
        event
    };
    let verdict = match step(order.status, event) {
        Step::Contradiction => Verdict::Contradiction,
        Step::To(_) | Step::Stay => Verdict::Applied,
    };
    step_order(tx, order.id, event, Some(state.status.as_str()), facts)?;
    Ok(verdict)
}

/// Ends an attempt whose invoice the acquirer knows nothing of, once its page can't be open any more; an order that waited for it has
/// expired. `false` where that is no end: the page may be open, a payment was heard of, or a saved card was charged.
///
/// Nothing is written down as the acquirer's word, so that whatever it says of the invoice after all is heard.
pub(super) fn apply_absence(
    tx: &mut Tx,
    (order, attempt): (OrderId, AttemptId),
    facts: &Facts,
) -> Result<bool, StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(false);
    };
    let Some(attempt) = attempts::by_id(tx, attempt)? else {
        return Ok(false);
    };
    let nobody_paid = matches!(
        attempt.acquirer_status.as_deref(),
        None | Some("created" | "failure" | "expired")
    );
    let end = attempt
        .expires_at
        .unwrap_or(attempt.created_at + INVOICE_LIFETIME);
    if !nobody_paid || attempt.kind != AttemptKind::Invoice || facts.now < end + FIRST_CHECK {
        return Ok(false);
    }
    if attempt.outcome.is_none() {
        attempts::finish(tx, attempt.id, OrderStatus::Expired)?;
    }
    let is_current =
        attempts::current_of(tx, order.id)?.is_some_and(|current| current.id == attempt.id);
    if is_current && !order.status.is_final() {
        let detail = Some("not_found");
        step_order(tx, order.id, OrderEvent::AcquirerExpired, detail, facts)?;
    }
    Ok(true)
}

/// By the invoice, or by our reference where the acquirer's first answer was lost.
fn find_attempt(tx: &mut Tx, state: &InvoiceState) -> Result<Option<Attempt>, StorageError> {
    if let Some(found) = attempts::by_invoice(tx, state.invoice_id.as_str())? {
        return Ok(Some(found));
    }
    let reference = state
        .reference
        .as_ref()
        .and_then(|reference| cabinet_domain::AttemptId::parse(reference.as_str()));
    match reference {
        // An attempt that knows another invoice is not this one's.
        Some(id) => Ok(attempts::by_id(tx, id)?.filter(|attempt| attempt.invoice_id.is_none())),
        None => Ok(None),
    }
}

/// Whether a part of what was charged was given back. No step of the order says so: it stays paid, and a person decides about its
/// transfers.
fn is_refunded_in_part(state: &InvoiceState) -> bool {
    state.status == InvoiceStatus::Success
        && (state.final_amount.is_some_and(|left| left < state.amount)
            || state
                .refunds
                .iter()
                .any(|refund| refund.status == "success"))
}

fn another_was_paid(tx: &mut Tx, order: &Order, this: &Attempt) -> Result<bool, StorageError> {
    let all = attempts::of_order(tx, order.id)?;
    Ok(all
        .iter()
        .any(|attempt| attempt.id != this.id && attempt.outcome == Some(OrderStatus::Paid)))
}

const fn event_of(status: &InvoiceStatus) -> Option<OrderEvent> {
    match status {
        InvoiceStatus::Created | InvoiceStatus::Processing | InvoiceStatus::Hold => {
            Some(OrderEvent::AcquirerWaits)
        }
        InvoiceStatus::Success => Some(OrderEvent::AcquirerPaid),
        InvoiceStatus::Failure => Some(OrderEvent::AcquirerFailed),
        InvoiceStatus::Expired => Some(OrderEvent::AcquirerExpired),
        InvoiceStatus::Reversed => Some(OrderEvent::AcquirerRefunded),
        InvoiceStatus::Other(_) => None,
    }
}

/// How an attempt ended; `None` while more can come of it, so that it is asked about again.
fn ending_of(attempt: &Attempt, status: &InvoiceStatus, now: Timestamp) -> Option<OrderStatus> {
    match status {
        InvoiceStatus::Success => Some(OrderStatus::Paid),
        InvoiceStatus::Expired => Some(OrderStatus::Expired),
        InvoiceStatus::Reversed => Some(OrderStatus::Refunded),
        InvoiceStatus::Failure => {
            let is_closed =
                attempt.state == AttemptState::Superseded && attempt.next_check_at.is_none();
            (is_closed || !is_page_open(attempt, now)).then_some(OrderStatus::Failed)
        }
        InvoiceStatus::Created
        | InvoiceStatus::Processing
        | InvoiceStatus::Hold
        | InvoiceStatus::Other(_) => None,
    }
}

/// Whether the payer may still try another card on the attempt's page.
fn is_page_open(attempt: &Attempt, now: Timestamp) -> bool {
    attempt.kind == AttemptKind::Invoice
        && attempt
            .expires_at
            .is_some_and(|end| now < end + FIRST_CHECK)
}

/// Takes a step of the order's table, with its line in the history; a payment plans the transfers in the same unit of work.
pub(crate) fn step_order(
    tx: &mut Tx,
    order: OrderId,
    event: OrderEvent,
    detail: Option<&str>,
    facts: &Facts,
) -> Result<(), StorageError> {
    let Some(order) = orders::by_id(tx, order)? else {
        return Ok(());
    };
    let name = history_name(order.status, event);
    match step(order.status, event) {
        Step::Stay => Ok(()),
        Step::Contradiction => alarm(tx, &order, name, facts),
        Step::To(status) => {
            if !orders::step(tx, order.id, order.status, status, facts.now)? {
                return Ok(());
            }
            if status == OrderStatus::Paid {
                orders::set_failure(tx, order.id, None)?;
                plan(tx, &order, facts)?;
            }
            if status == OrderStatus::Refunded {
                call_off(tx, &order, facts)?;
            }
            note(tx, &order, name, Some(status), detail, facts)?;
            tracing::info!(order.id = %order.id, order.status = status.as_str(), "Order {} is {}: {name}", order.id, status.as_str());
            metrics::counter!("orders_stepped_total", "to" => status.as_str()).increment(1);
            if name == "late_payment" {
                tracing::error!(order.id = %order.id, "Order {} was paid after it had been given up", order.id);
                metrics::counter!("alarms_total", "kind" => "late_payment").increment(1);
            }
            Ok(())
        }
    }
}

/// Something that can't be: kept in the history, logged for a person to act, counted for an alarm. Nothing is changed by it.
fn alarm(
    tx: &mut Tx,
    order: &Order,
    kind: &'static str,
    facts: &Facts,
) -> Result<(), StorageError> {
    tracing::error!(order.id = %order.id, alarm.kind = kind, "Order {}: {kind}", order.id);
    metrics::counter!("alarms_total", "kind" => kind).increment(1);
    note(tx, order, kind, None, None, facts)
}

fn note(
    tx: &mut Tx,
    order: &Order,
    kind: &str,
    to_status: Option<OrderStatus>,
    detail: Option<&str>,
    facts: &Facts,
) -> Result<(), StorageError> {
    order_events::add(
        tx,
        &OrderHistoryEvent {
            id: EventId::new(facts.app.new_id()),
            order_id: order.id,
            at: facts.now,
            kind: kind.to_owned(),
            from_status: Some(order.status),
            to_status,
            detail: detail.map(str::to_owned),
        },
    )
}

/// Writes down who is owed what out of a paid order.
fn plan(tx: &mut Tx, order: &Order, facts: &Facts) -> Result<(), StorageError> {
    // Not locked: the notary is locked before her orders, and this order is locked already.
    let Some(notary_name) = notaries::full_name_of(tx, order.notary_id)? else {
        return Err(inconsistent(
            "orders",
            "notary_id",
            "there is no such notary",
        ));
    };
    for item in orders::items_of(tx, order.id)? {
        let planned =
            transfers_of(&item.content, &order.client, &notary_name).ok_or_else(|| {
                inconsistent(
                    "order_items",
                    "commission",
                    "it does not follow from amount and tariff",
                )
            })?;
        for transfer in &planned {
            transfers::plan(
                tx,
                TransferId::new(facts.app.new_id()),
                order.id,
                item.id,
                transfer,
                facts.now,
            )?;
        }
    }
    Ok(())
}

/// What was given back is owed to nobody any more: transfers that were not sent yet are called off. Those that were sent need a
/// person, who finds them by the refunded order.
fn call_off(tx: &mut Tx, order: &Order, facts: &Facts) -> Result<(), StorageError> {
    for transfer in transfers::of_order(tx, order.id)? {
        let next = TransferStatus::Returned;
        if transfer.status == TransferStatus::Planned && transfer.status.may_become(next) {
            transfers::step(
                tx,
                transfer.id,
                transfer.status,
                next,
                Some("order_refunded"),
                facts.now,
            )?;
        }
    }
    Ok(())
}

fn inconsistent(table: &str, column: &str, reason: &str) -> StorageError {
    StorageError::Inconsistent {
        table: table.to_owned(),
        column: column.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The transfers of one item; `None` where its stored content contradicts itself.
pub(super) fn transfers_of(
    content: &ItemContent,
    client: &Client,
    notary_name: &str,
) -> Option<Vec<PlannedTransfer>> {
    let actual_payer = ActualPayer {
        inn: client.inn.clone(),
        name: client.full_name.clone(),
    };
    let purpose = content.purpose.to_line();
    let recipient = match &content.requisite {
        Some(requisite) => Payee {
            name: Line::parse(&requisite.name, 420).ok()?,
            iban: requisite.iban.clone(),
            okpo: requisite.okpo.clone(),
            purpose,
        },
        None => Payee {
            name: content.recipient_name.clone()?,
            iban: content.iban.clone()?,
            okpo: content.okpo.clone()?,
            purpose,
        },
    };
    let notary = match content.kind {
        PaymentKind::AdminPayment => {
            let service = content
                .option
                .as_ref()
                .map(|option| option.names.uk.as_str())?;
            let purpose = of_notary_part(service, (&actual_payer.name, &actual_payer.inn));
            Some(Payee {
                name: Line::parse(notary_name, 140).ok()?,
                iban: content.iban.clone()?,
                okpo: content.okpo.clone()?,
                purpose: Line::parse(&purpose, 420).ok()?,
            })
        }
        PaymentKind::AdminGovernmentPayment
        | PaymentKind::RegistryPayment
        | PaymentKind::RequisitesPayment => None,
    };
    // The tariff of the moment of adding is kept with the item, so the parts come out as they were shown.
    let tariff = Tariff {
        valid_from: None,
        basis_points: content.price.tariff_basis_points,
        minimum: content.price.tariff_minimum,
    };
    let parts = price(content.kind, content.price.amount, &tariff).ok()?;
    if parts.commission != content.price.commission {
        return None;
    }
    plan_transfers(
        &TransferFacts {
            recipient,
            notary,
            actual_payer,
        },
        &parts.parts,
        content.count,
    )
    .ok()
}

/// Whether the attempt is still waiting for the acquirer's first answer.
pub(super) fn is_asked(attempt: &Attempt) -> bool {
    attempt.state == AttemptState::Asked
}
