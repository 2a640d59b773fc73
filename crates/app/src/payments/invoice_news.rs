//! The acquirer's state of an invoice in the words of the domain.

use cabinet_domain::payment::{CardDetails, InvoiceNews};
use cabinet_domain::{AttemptId, Money};
use cabinet_gateways::acquirer::{HRYVNIA, InvoiceState, PaymentReference};
use jiff::Timestamp;

/// Returns the acquirer's state of an invoice as news. `as_of`: a moment at which the state was still valid.
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
        payment_reference: attempt_of_reference(state.payment_reference.as_ref()),
        status: state.status.clone(),
        amount: state.amount,
        is_hryvnia: state.currency == HRYVNIA,
        refunded: by_refunds.max(by_rest),
        modified_at: state.modified_at,
        created_at: state.created_at,
        as_of,
        card: CardDetails {
            masked_pan: payment.and_then(|payment| payment.masked_pan.clone()),
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

/// Returns our reference, where the acquirer names one.
pub(crate) fn attempt_of_reference(
    payment_reference: Option<&PaymentReference>,
) -> Option<AttemptId> {
    payment_reference.and_then(|payment_reference| AttemptId::parse(payment_reference.as_str()))
}
