//! Everything that is known of an order.

use std::collections::BTreeMap;

use cabinet_domain::payment::{
    Alarm, Attempt, AttemptKind, AttemptState, InvoiceStatus, NewReport, PaymentState,
};
use cabinet_domain::{
    AttemptId, BudgetCode, Client, ClientLink, ItemId, KeptComplaint, Key, Money, Notary,
    NotaryId, Order, OrderHistoryEvent, OrderId, OrderItem, OrderStatus, PartRole, PaymentKind,
    PaymentMethod, Phone, RegistryIdentifier, Transfer, TransferId, TransferStatus,
};
use cabinet_storage::{
    StorageError, Tx, acquirer_reports, alarms, attempts, client_links, complaints, erasure,
    notaries, order_events, orders, transfers,
};
use jiff::Timestamp;
use jiff::civil::Date;

use super::mask::Mask;
use super::{DeskError, ReportReader, Shown, SupportDesk};
use crate::receipts::code_of;

/// An order with everything that is known of it. Texts about people are masked unless they were asked for.
#[derive(Clone, Debug)]
pub struct OrderFile {
    /// The id.
    pub id: OrderId,
    /// The short number.
    pub number: i64,
    /// The status.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// Why it is not paid.
    pub failure: Option<Key>,
    /// The charged sum.
    pub sum: Money,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The card, masked.
    pub card: Option<String>,
    /// Whether there is a page where it can be paid now.
    pub has_page: bool,
    /// When QR codes were given out.
    pub codes_given_at: Option<Timestamp>,
    /// When a cancellation was begun that has not ended.
    pub cancel_begun_at: Option<Timestamp>,
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
    /// When its items went back to the cart.
    pub returned_to_cart_at: Option<Timestamp>,
    /// Whether the names were taken out of it.
    pub is_anonymised: bool,
    /// The code on its receipts, if it was paid.
    pub receipt_code: Option<String>,
    /// Name of the client.
    pub client_name: String,
    /// Code of the client.
    pub client_code: String,
    /// The notary.
    pub notary: NotaryLine,
    /// The link for the client.
    pub link: Option<ClientLink>,
    /// What the acquirer said last.
    pub acquirer: Option<AcquirerWord>,
    /// In the order of the cart.
    pub items: Vec<ItemLine>,
    /// Its own attempts, the earliest first, then stray invoices.
    pub attempts: Vec<AttemptLine>,
    /// The acquirer's reports, the earliest first.
    pub reports: Vec<ReportLine>,
    /// What happened, the earliest first.
    pub events: Vec<OrderHistoryEvent>,
    /// By document number.
    pub transfers: Vec<TransferLine>,
    /// Open and closed.
    pub alarms: Vec<Alarm>,
    /// About its items.
    pub complaints: Vec<KeptComplaint>,
}

/// The account of an order.
#[derive(Clone, Debug)]
pub struct NotaryLine {
    /// The id.
    pub id: NotaryId,
    /// Name.
    pub name: String,
    /// Phone.
    pub phone: String,
    /// Identifier in the register.
    pub identifier: String,
    /// Whether the owner may order.
    pub standing: &'static str,
    /// private, state or suspended.
    pub status: &'static str,
}

/// The latest thing that the acquirer told of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcquirerWord {
    /// The state of the invoice.
    pub status: InvoiceStatus,
    /// When it changed, by the acquirer's clock.
    pub at: Timestamp,
    /// The code of a failure.
    pub failure_code: Option<String>,
}

/// An item of an order.
#[derive(Clone, Debug)]
pub struct ItemLine {
    /// The id.
    pub id: ItemId,
    /// Place in the order.
    pub position: i64,
    /// What is paid for.
    pub kind: PaymentKind,
    /// Service, term and region.
    pub service: String,
    /// How many units.
    pub count: u16,
    /// Name of the recipient.
    pub recipient: Option<String>,
    /// Account of the recipient.
    pub account: Option<String>,
    /// Code of the recipient.
    pub code: Option<String>,
    /// The budget code.
    pub budget_code: Option<BudgetCode>,
    /// The purpose.
    pub purpose: String,
    /// Who gets what of one unit.
    pub parts: Vec<PartLine>,
    /// What the card is charged for all units.
    pub total: Option<Money>,
}

/// A part of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartLine {
    /// Who gets it.
    pub role: PartRole,
    /// What that one gets.
    pub amount: Money,
    /// What the service charges for it.
    pub commission: Money,
}

/// An attempt to have an order paid.
#[derive(Clone, Debug)]
pub struct AttemptLine {
    /// The id, which is our reference at the acquirer unless it is a stray invoice.
    pub id: AttemptId,
    /// What was requested.
    pub kind: AttemptKind,
    /// The state.
    pub state: AttemptState,
    /// The outcome.
    pub outcome: Option<OrderStatus>,
    /// Whether the cabinet did not know its invoice.
    pub is_stray: bool,
    /// The acquirer's invoice.
    pub invoice: Option<String>,
    /// The sum to be charged.
    pub amount: Money,
    /// When it was begun.
    pub created_at: Timestamp,
    /// The latest state that the acquirer told, and its time.
    pub told: Option<(InvoiceStatus, Timestamp)>,
    /// When the money was charged.
    pub charged_at: Option<Timestamp>,
    /// When all of it was given back.
    pub reversed_at: Option<Timestamp>,
    /// What was given back so far.
    pub refunded: Money,
    /// When its page was closed at our request.
    pub withdrawn_at: Option<Timestamp>,
    /// The card, masked.
    pub card: Option<String>,
    /// The reference of the card operation.
    pub rrn: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// The acquirer's code of a failure.
    pub failure_code: Option<String>,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// When it is asked next.
    pub next_check_at: Option<Timestamp>,
    /// The latest error.
    pub last_error: Option<String>,
}

/// A report of the acquirer.
#[derive(Clone, Debug)]
pub struct ReportLine {
    /// When it came.
    pub received_at: Timestamp,
    /// The invoice.
    pub invoice: Option<String>,
    /// The acquirer's time of the change.
    pub modified_at: Option<Timestamp>,
    /// What became of it.
    pub verdict: String,
    /// The state that it tells. `None`: its body can't be read, or is not kept any more.
    pub status: Option<InvoiceStatus>,
    /// The sum of the invoice.
    pub amount: Option<Money>,
    /// What was charged less what was given back.
    pub final_amount: Option<Money>,
    /// Code and words of a failure.
    pub failure: Option<String>,
    /// The reference of the card operation.
    pub rrn: Option<String>,
    /// Refunds: status and sum of each.
    pub refunds: Vec<(String, Option<Money>)>,
}

/// A transfer of an order.
#[derive(Clone, Debug)]
pub struct TransferLine {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// Whose part it is.
    pub role: PartRole,
    /// The sum.
    pub amount: Money,
    /// The state.
    pub status: TransferStatus,
    /// Name of the recipient.
    pub recipient: String,
    /// Account of the recipient.
    pub account: String,
    /// Since when it waits for the operator.
    pub held_at: Option<Timestamp>,
    /// The day on which the bank was given it.
    pub value_date: Option<Date>,
    /// The day on which it was credited.
    pub credited_on: Option<Date>,
    /// The day on which it came back.
    pub returned_on: Option<Date>,
    /// The bank's reason.
    pub reason: Option<String>,
    /// The number of the returned transfer that it sends again.
    pub replaces: Option<i64>,
    /// When the notary asked for it to go back to the card.
    pub refund_asked_at: Option<Timestamp>,
    /// When it went back to the card.
    pub refunded_at: Option<Timestamp>,
}

/// What is read of an order.
struct Found {
    order: Order,
    notary: Notary,
    is_anonymised: bool,
    cancel_begun_at: Option<Timestamp>,
    link: Option<ClientLink>,
    items: Vec<OrderItem>,
    attempts: Vec<Attempt>,
    reports: Vec<NewReport>,
    events: Vec<OrderHistoryEvent>,
    transfers: Vec<Transfer>,
    alarms: Vec<Alarm>,
    complaints: Vec<KeptComplaint>,
}

impl SupportDesk {
    /// Returns everything that is known of an order. That it is shown in full is recorded first.
    ///
    /// # Errors
    /// [`DeskError::NoOrder`].
    pub async fn order(
        &self,
        number: i64,
        shown: &Shown,
        now: Timestamp,
    ) -> Result<OrderFile, DeskError> {
        let read = move |tx: &mut Tx| found(tx, number);
        let found = self.store.read(read).await?;
        let found = found.ok_or(DeskError::NoOrder(number))?;
        let (notary, order) = (found.order.notary_id, found.order.id);
        self.record_shown(shown, notary, Some(order), now).await?;
        let receipt_code = self
            .keys
            .as_deref()
            .filter(|_| found.order.status.has_money())
            .map(|keys| code_of(keys, &found.order));
        let mask = Mask {
            is_full: shown.is_full(),
        };
        Ok(file(found, receipt_code, mask, self.read_report))
    }
}

fn found(tx: &mut Tx, number: i64) -> Result<Option<Found>, StorageError> {
    let Some(order) = orders::by_number(tx, number)? else {
        return Ok(None);
    };
    let Some(notary) = notaries::by_id(tx, order.notary_id)? else {
        return Ok(None);
    };
    let id = order.id;
    Ok(Some(Found {
        notary,
        is_anonymised: erasure::is_anonymised(tx, id)?,
        cancel_begun_at: orders::begun_cancellation(tx, id)?.map(|begun| begun.at),
        link: client_links::of_order(tx, id)?,
        items: orders::items_of(tx, id)?,
        attempts: attempts::of_order(tx, id)?,
        reports: acquirer_reports::of_order(tx, id)?,
        events: order_events::of_order(tx, id)?,
        transfers: transfers::of_order(tx, id)?,
        alarms: alarms::of_order(tx, id)?,
        complaints: complaints::about_order(tx, id)?,
        order,
    }))
}

fn file(
    found: Found,
    receipt_code: Option<String>,
    mask: Mask,
    read_report: ReportReader,
) -> OrderFile {
    let order = found.order;
    let client = &order.client;
    OrderFile {
        client_name: mask.name(&client.full_name),
        client_code: mask.code(&client.inn),
        notary: notary_line(&found.notary, mask),
        items: found
            .items
            .iter()
            .map(|item| item_line(item, client, mask))
            .collect(),
        acquirer: acquirer_word(&found.attempts),
        attempts: found.attempts.into_iter().map(attempt_line).collect(),
        reports: found
            .reports
            .iter()
            .map(|report| report_line(report, mask, read_report))
            .collect(),
        events: found.events,
        transfers: transfer_lines(&found.transfers, mask),
        alarms: found.alarms,
        complaints: found.complaints,
        id: order.id,
        number: order.number,
        status: order.status,
        payment_state: order.payment_state,
        failure: order.failure,
        sum: order.sum,
        created_at: order.created_at,
        updated_at: order.updated_at,
        paid_at: order.paid_at,
        method: order.method,
        card: order.pan.as_ref().map(|pan| pan.as_str().to_owned()),
        has_page: order.payment_page_url.is_some(),
        codes_given_at: order.codes_given_at,
        cancel_begun_at: found.cancel_begun_at,
        cancelled_at: order.cancelled_at,
        returned_to_cart_at: order.returned_to_cart_at,
        is_anonymised: found.is_anonymised,
        receipt_code,
        link: found.link,
    }
}

pub(super) fn notary_line(notary: &Notary, mask: Mask) -> NotaryLine {
    let identifier = &notary.profile.registry_identifier;
    NotaryLine {
        id: notary.id,
        name: mask.name(&notary.profile.full_name),
        phone: mask.show(&notary.phone, Phone::as_str),
        identifier: mask.show(identifier, RegistryIdentifier::as_str),
        standing: notary.standing.account.as_str(),
        status: notary.practice.status.as_str(),
    }
}

/// Returns what the acquirer told last of any attempt.
pub(super) fn acquirer_word(attempts: &[Attempt]) -> Option<AcquirerWord> {
    let told = attempts
        .iter()
        .filter_map(|attempt| Some((attempt.told.as_ref()?, attempt)));
    let (told, attempt) = told.max_by_key(|(told, _)| told.modified_at)?;
    Some(AcquirerWord {
        status: told.status.clone(),
        at: told.modified_at,
        failure_code: attempt.failure_code.clone(),
    })
}

fn item_line(item: &OrderItem, client: &Client, mask: Mask) -> ItemLine {
    let content = &item.content;
    let names = [
        content.option.as_ref().map(|chosen| &chosen.names),
        content.term.as_ref().map(|chosen| &chosen.names),
        content.region.as_ref().map(|chosen| &chosen.names),
    ];
    let names: Vec<&str> = names
        .into_iter()
        .flatten()
        .map(|names| names.uk.as_str())
        .collect();
    let (name, iban, code) = match &content.requisite {
        Some(chosen) => (
            Some(chosen.name.as_str()),
            Some(&chosen.iban),
            Some(&chosen.okpo),
        ),
        None => (
            content.recipient_name.as_ref().map(|name| name.as_str()),
            content.iban.as_ref(),
            content.okpo.as_ref(),
        ),
    };
    let is_person = code.is_some_and(|code| code.is_person());
    let parts = content.price.parts(content.kind).unwrap_or_default();
    ItemLine {
        id: item.id,
        position: item.position,
        kind: content.kind,
        service: names.join("; "),
        count: content.count.get(),
        recipient: name.map(|name| mask.recipient(name, is_person)),
        account: iban.map(|iban| mask.account(iban, is_person)),
        code: code.map(|code| mask.recipient_code(code, is_person)),
        budget_code: content.cbc_code.clone(),
        purpose: mask.purpose(content.purpose.as_str(), content.kind, client),
        parts: parts
            .into_iter()
            .map(|part| PartLine {
                role: part.role,
                amount: part.amount,
                commission: part.commission,
            })
            .collect(),
        total: content.total().ok(),
    }
}

fn attempt_line(attempt: Attempt) -> AttemptLine {
    AttemptLine {
        id: attempt.id,
        kind: attempt.kind,
        state: attempt.state,
        outcome: attempt.outcome,
        is_stray: attempt.is_stray,
        invoice: attempt.invoice_id.map(|invoice| invoice.as_str().to_owned()),
        amount: attempt.amount,
        created_at: attempt.created_at,
        told: attempt.told.map(|told| (told.status, told.modified_at)),
        charged_at: attempt.charged_at,
        reversed_at: attempt.reversed_at,
        refunded: attempt.refunded,
        withdrawn_at: attempt.withdrawn_at,
        card: attempt.masked_pan.map(|pan| pan.as_str().to_owned()),
        rrn: attempt.rrn,
        approval_code: attempt.approval_code,
        failure_code: attempt.failure_code,
        checks: attempt.checks,
        next_check_at: attempt.next_check_at,
        last_error: attempt.last_error,
    }
}

fn report_line(report: &NewReport, mask: Mask, read_report: ReportReader) -> ReportLine {
    let state = read_report(&report.body);
    let failure = state.as_ref().and_then(|state| state.failure.as_ref());
    let failure = failure.map(|failure| {
        let words = [failure.code.as_deref(), failure.text.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        mask.words(&words.join(": "))
    });
    let payment = state.as_ref().and_then(|state| state.payment.as_ref());
    ReportLine {
        received_at: report.received_at,
        invoice: report
            .invoice_id
            .as_ref()
            .map(|invoice| invoice.as_str().to_owned()),
        modified_at: report.modified_at,
        verdict: report.verdict.clone(),
        amount: state.as_ref().map(|state| state.amount),
        final_amount: state.as_ref().and_then(|state| state.final_amount),
        failure: failure.filter(|words| !words.is_empty()),
        rrn: payment.and_then(|payment| payment.rrn.clone()),
        refunds: state.as_ref().map_or_else(Vec::new, |state| {
            let refunds = state.refunds.iter();
            refunds
                .map(|refund| (refund.status.clone(), refund.amount))
                .collect()
        }),
        status: state.map(|state| state.status),
    }
}

fn transfer_lines(transfers: &[Transfer], mask: Mask) -> Vec<TransferLine> {
    let numbers: BTreeMap<TransferId, i64> = transfers
        .iter()
        .map(|transfer| (transfer.id, transfer.document_number))
        .collect();
    let line = |transfer: &Transfer| {
        let payee = &transfer.planned.payee;
        // The notary is a person, whatever code her account has.
        let is_person = payee.okpo.is_person() || transfer.planned.role == PartRole::Notary;
        TransferLine {
            id: transfer.id,
            document_number: transfer.document_number,
            role: transfer.planned.role,
            amount: transfer.planned.amount,
            status: transfer.status,
            recipient: mask.recipient(payee.name.as_str(), is_person),
            account: mask.account(&payee.iban, is_person),
            held_at: transfer.held_at,
            value_date: transfer.value_date,
            credited_on: transfer.bank.credited_on,
            returned_on: transfer.returned_day(),
            reason: transfer.reason.as_deref().map(|text| mask.words(text)),
            replaces: transfer.replaces.and_then(|id| numbers.get(&id).copied()),
            refund_asked_at: transfer.refund.map(|refund| refund.requested_at),
            refunded_at: transfer.refund.and_then(|refund| refund.refunded_at),
        }
    };
    let mut lines: Vec<TransferLine> = transfers.iter().map(line).collect();
    lines.sort_by_key(|line| line.document_number);
    lines
}
