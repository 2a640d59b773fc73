//! An order, and lists of orders, as the support's commands print them.

use cabinet_app::operator::support_desk::{
    AttemptLine, FoundOrder, FoundOrders, ItemLine, OrderFile, RefundLine, ReportLine, TransferLine,
};

use super::sheet::{Cell, Sheet};

/// Returns what a search has found. A person is told where more fit.
pub fn found(found: &FoundOrders, as_json: bool) -> String {
    let mut sheet = Sheet::default();
    add_found(&mut sheet, &found.orders);
    if as_json {
        sheet.field("more", found.has_more);
        return sheet.text(true);
    }
    if found.orders.is_empty() {
        return "No order fits.\n".to_owned();
    }
    let mut text = sheet.text(false);
    if found.has_more {
        text.push_str(
            "More than fifty fit, and these are the newest. Narrow it: by --reference, by --code of the client, or by --name, --card, --sum and days.\n",
        );
    }
    text
}

/// Adds a table of orders.
pub fn add_found(sheet: &mut Sheet, found: &[FoundOrder]) {
    let columns = [
        "order", "made", "status", "payment", "sum", "card", "client", "code", "notary",
    ];
    let row = |order: &FoundOrder| {
        vec![
            order.number.into(),
            order.created_at.into(),
            order.status.as_str().into(),
            order.payment_state.as_str().into(),
            order.sum.into(),
            order.card.clone().into(),
            order.client_name.clone().into(),
            order.client_code.clone().into(),
            order.notary.to_string().into(),
        ]
    };
    sheet.table("orders", &columns, found.iter().map(row));
}

/// Returns everything that is known of an order.
pub fn sheet(file: &OrderFile) -> Sheet {
    let mut sheet = Sheet::default();
    add_fields(&mut sheet, file);
    add_items(&mut sheet, &file.items);
    add_attempts(&mut sheet, &file.attempts);
    add_refunds(&mut sheet, &file.refunds);
    add_reports(&mut sheet, &file.reports);
    let row = |event: &cabinet_domain::OrderHistoryEvent| {
        vec![
            event.at.into(),
            event.kind.clone().into(),
            event.from_status.map(|status| status.as_str()).into(),
            event.to_status.map(|status| status.as_str()).into(),
            event.detail.clone().into(),
        ]
    };
    let columns = ["at", "event", "from", "to", "detail"];
    sheet.table("timeline", &columns, file.events.iter().map(row));
    add_transfers(&mut sheet, &file.transfers);
    add_alarms_and_complaints(&mut sheet, file);
    sheet
}

fn add_fields(sheet: &mut Sheet, file: &OrderFile) {
    let acquirer = file.acquirer.as_ref();
    let notary = &file.notary;
    sheet
        .field("order", file.number)
        .field("id", file.id.to_string())
        .field("status", file.status.as_str())
        .field("payment", file.payment_state.as_str())
        .field("reason", file.failure.map(|key| key.as_str()))
        .field("sum", file.sum)
        .field("made_at", file.created_at)
        .field("status_since", file.updated_at)
        .field("paid_at", file.paid_at)
        .field("method", file.method.as_str())
        .field("card", file.card.clone())
        .field("can_be_paid_on_its_page", file.has_page)
        .field("acquirer_says", acquirer.map(|told| told.status.as_str()))
        .field("acquirer_says_since", acquirer.map(|told| told.at))
        .field(
            "acquirer_code",
            acquirer.and_then(|told| told.failure_code.clone()),
        )
        .field("codes_given_at", file.codes_given_at)
        .field("codes_paid_at", file.codes_paid_at)
        .field("cancellation_begun_at", file.cancel_begun_at)
        .field("cancelled_at", file.cancelled_at)
        .field("returned_to_cart_at", file.returned_to_cart_at)
        .field("names_taken_out", file.is_anonymised.then_some(true))
        .field("receipt_code", file.receipt_code.clone())
        .field("client", file.client_name.clone())
        .field("client_code", file.client_code.clone())
        .field("notary", notary.name.clone())
        .field("notary_id", notary.id.to_string())
        .field("notary_phone", notary.phone.clone())
        .field("notary_identifier", notary.identifier.clone())
        .field("notary_standing", notary.standing)
        .field("notary_status", notary.status);
    let link = file.link.as_ref();
    sheet
        .field("client_link_made_at", link.map(|link| link.made_at))
        .field("client_link_ends_at", link.map(|link| link.ends_at))
        .field(
            "client_link_opened_at",
            link.and_then(|link| link.opened_at),
        )
        .field(
            "client_link_withdrawn_at",
            link.and_then(|link| link.withdrawn_at),
        );
}

fn add_items(sheet: &mut Sheet, items: &[ItemLine]) {
    let columns = [
        "place",
        "kind",
        "service",
        "count",
        "recipient",
        "account",
        "code",
        "budget_code",
        "purpose",
        "shares",
        "total",
    ];
    let row = |item: &ItemLine| {
        let shares: Vec<String> = item
            .parts
            .iter()
            .map(|part| {
                format!(
                    "{} {} + {}",
                    part.role.as_str(),
                    part.amount.decimal(),
                    part.commission.decimal()
                )
            })
            .collect();
        vec![
            item.position.into(),
            item.kind.slug().into(),
            Some(item.service.clone())
                .filter(|text| !text.is_empty())
                .into(),
            item.count.into(),
            item.recipient.clone().into(),
            item.account.clone().into(),
            item.code.clone().into(),
            item.budget_code
                .as_ref()
                .map(|code| code.as_str().to_owned())
                .into(),
            item.purpose.clone().into(),
            shares.join(", ").into(),
            item.total.into(),
        ]
    };
    sheet.table("items", &columns, items.iter().map(row));
}

fn add_attempts(sheet: &mut Sheet, attempts: &[AttemptLine]) {
    let columns = [
        "begun",
        "acquirer",
        "kind",
        "state",
        "outcome",
        "amount",
        "acquirer_says",
        "since",
        "charged",
        "reversed",
        "refunded",
        "page_closed",
        "card",
        "rrn",
        "approval_code",
        "failure_code",
        "asked",
        "asked_next",
        "last_error",
        "stray",
        "invoice",
        "reference",
    ];
    let row = |attempt: &AttemptLine| {
        let told = attempt.told.as_ref();
        vec![
            attempt.created_at.into(),
            attempt.acquirer.as_str().into(),
            attempt.kind.as_str().into(),
            attempt.state.as_str().into(),
            attempt.outcome.map(|outcome| outcome.as_str()).into(),
            attempt.amount.into(),
            told.map(|(status, _)| status.as_str()).into(),
            told.map(|(_, at)| *at).into(),
            attempt.charged_at.into(),
            attempt.reversed_at.into(),
            Some(attempt.refunded).filter(|sum| !sum.is_zero()).into(),
            attempt.withdrawn_at.into(),
            attempt.card.clone().into(),
            attempt.rrn.clone().into(),
            attempt.approval_code.clone().into(),
            attempt.failure_code.clone().into(),
            attempt.checks.into(),
            attempt.next_check_at.into(),
            attempt.last_error.clone().into(),
            attempt.is_stray.then_some(true).into(),
            attempt.invoice.clone().into(),
            attempt.id.to_string().into(),
        ]
    };
    sheet.table("attempts", &columns, attempts.iter().map(row));
}

/// Adds a table of refunds.
pub fn add_refunds(sheet: &mut Sheet, refunds: &[RefundLine]) {
    let columns = [
        "asked",
        "what",
        "document",
        "amount",
        "state",
        "given_back",
        "ended",
        "code",
        "reason",
        "asked_about",
        "asked_next",
        "last_error",
        "reference",
    ];
    let row = |refund: &RefundLine| {
        vec![
            refund.created_at.into(),
            refund.scope.into(),
            refund.document.into(),
            refund.amount.into(),
            refund.state.as_str().into(),
            refund.done_at.into(),
            refund.ended_at.into(),
            refund.code.clone().into(),
            refund.reason.clone().into(),
            refund.checks.into(),
            refund.next_check_at.into(),
            refund.last_error.clone().into(),
            refund.id.to_string().into(),
        ]
    };
    sheet.table("refunds", &columns, refunds.iter().map(row));
}

fn add_reports(sheet: &mut Sheet, reports: &[ReportLine]) {
    let columns = [
        "received",
        "changed",
        "status",
        "amount",
        "final_amount",
        "failure",
        "rrn",
        "refunds",
        "verdict",
        "invoice",
    ];
    let row = |report: &ReportLine| {
        let refunds: Vec<String> = report
            .refunds
            .iter()
            .map(|(status, sum)| {
                let sum = sum.map_or_else(String::new, |sum| format!(" {}", sum.decimal()));
                format!("{status}{sum}")
            })
            .collect();
        vec![
            report.received_at.into(),
            report.modified_at.into(),
            report.status.as_ref().map(|status| status.as_str()).into(),
            report.amount.into(),
            report.final_amount.into(),
            report.failure.clone().into(),
            report.rrn.clone().into(),
            Some(refunds.join(", "))
                .filter(|text| !text.is_empty())
                .into(),
            report.verdict.clone().into(),
            report.invoice.clone().into(),
        ]
    };
    sheet.table("reports", &columns, reports.iter().map(row));
}

fn add_transfers(sheet: &mut Sheet, transfers: &[TransferLine]) {
    let columns = [
        "document",
        "part",
        "amount",
        "status",
        "recipient",
        "account",
        "held",
        "sent_on",
        "credited_on",
        "returned_on",
        "reason",
        "sends_again",
        "refund_asked",
        "refunded",
        "id",
    ];
    let row = |transfer: &TransferLine| {
        vec![
            transfer.document_number.into(),
            transfer.role.as_str().into(),
            transfer.amount.into(),
            transfer.status.as_str().into(),
            transfer.recipient.clone().into(),
            transfer.account.clone().into(),
            transfer.held_at.into(),
            transfer.value_date.into(),
            transfer.credited_on.into(),
            transfer.returned_on.into(),
            transfer.reason.clone().into(),
            transfer.replaces.into(),
            transfer.refund_asked_at.into(),
            transfer.refunded_at.into(),
            transfer.id.to_string().into(),
        ]
    };
    sheet.table("transfers", &columns, transfers.iter().map(row));
}

fn add_alarms_and_complaints(sheet: &mut Sheet, file: &OrderFile) {
    let columns = ["kind", "first", "last", "times", "closed", "note", "id"];
    let rows = file.alarms.iter().map(|alarm| -> Vec<Cell> {
        vec![
            alarm.kind.clone().into(),
            alarm.first_at.into(),
            alarm.last_at.into(),
            alarm.count.into(),
            alarm.closed_at.into(),
            alarm.note.clone().into(),
            alarm.id.to_string().into(),
        ]
    });
    sheet.table("alarms", &columns, rows);
    let rows = file.complaints.iter().map(|complaint| -> Vec<Cell> {
        vec![
            complaint.number.into(),
            complaint.created_at.into(),
            complaint.call_back.into(),
            complaint.closed_at.into(),
            complaint.answer.is_some().into(),
        ]
    });
    let columns = ["number", "made", "call_back", "closed", "answered"];
    sheet.table("complaints", &columns, rows);
}
