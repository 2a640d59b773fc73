//! Reading everything that is known of an order, and masking what names people.

use std::collections::BTreeMap;

use cabinet_domain::payment::{Alarm, Attempt, NewReport, Refund};
use cabinet_domain::{
    Client, ClientLink, ItemContent, ItemId, KeptComplaint, Notary, Order, OrderHistoryEvent,
    OrderItem, PartRole, Phone, RegistryIdentifier, Transfer, TransferId,
};
use cabinet_storage::account::notaries;
use cabinet_storage::cart::complaints;
use cabinet_storage::client_link::client_links;
use cabinet_storage::operator::{alarms, erasure};
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::{acquirer_reports, attempts, refunds};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::lines::{
    AcquirerWord, AttemptLine, ItemLine, NotaryLine, OrderFile, PartLine, RefundLine, ReportLine,
    TransferLine,
};
use super::mask::Mask;
use super::{DeskError, ReportReader, Shown, SupportDesk};
use crate::documents::code_of;

/// What is read of an order.
struct Found {
    order: Order,
    notary: Notary,
    is_anonymised: bool,
    cancel_begun_at: Option<Timestamp>,
    link: Option<ClientLink>,
    items: Vec<OrderItem>,
    attempts: Vec<Attempt>,
    refunds: Vec<Refund>,
    reports: Vec<NewReport>,
    events: Vec<OrderHistoryEvent>,
    transfers: Vec<Transfer>,
    alarms: Vec<Alarm<String>>,
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
        refunds: refunds::of_order(tx, id)?,
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
        refunds: refund_lines(&found.refunds, &found.transfers),
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
        codes_given_at: order.codes_given_at(),
        codes_paid_at: order.codes_payment().map(|payment| payment.marked_at),
        cancel_begun_at: found.cancel_begun_at,
        cancelled_at: order.cancelled_at,
        returned_to_cart_at: order.returned_to_cart_at,
        is_anonymised: found.is_anonymised,
        receipt_code,
        link: found.link,
    }
}

fn notary_line(notary: &Notary, mask: Mask) -> NotaryLine {
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
    payment_line((item.id, item.position), &item.content, client, mask)
}

/// Returns what is paid for, with the id and the place of the item.
pub(super) fn payment_line(
    (id, position): (ItemId, i64),
    content: &ItemContent,
    client: &Client,
    mask: Mask,
) -> ItemLine {
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
        id,
        position,
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
        acquirer: attempt.acquirer,
        kind: attempt.kind,
        state: attempt.state,
        outcome: attempt.outcome,
        is_stray: attempt.is_stray,
        invoice: attempt
            .invoice_id
            .map(|invoice| invoice.as_str().to_owned()),
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

fn refund_lines(refunds: &[Refund], transfers: &[Transfer]) -> Vec<RefundLine> {
    let document = |refund: &Refund| {
        let transfer = refund.scope.transfer()?;
        let mut known = transfers.iter();
        let found = known.find(|known| known.id == transfer)?;
        Some(found.document_number)
    };
    refunds
        .iter()
        .map(|refund| RefundLine::of(refund, document(refund)))
        .collect()
}

fn report_line(report: &NewReport, mask: Mask, read_report: ReportReader) -> ReportLine {
    let state = read_report(report.acquirer, &report.body);
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
