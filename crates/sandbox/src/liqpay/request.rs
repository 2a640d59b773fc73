//! `POST /api/request`: calls of the shop's server.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::signed::{Parameters, Refusal, SignedForm};
use crate::bank::{InvoiceKind, RefundError, Status, liqpay_state};
use crate::sandbox::Sandbox;

pub(super) async fn handler(
    State(sandbox): State<Sandbox>,
    form: Result<Form<SignedForm>, FormRejection>,
) -> Response {
    let Ok(Form(form)) = form else {
        return Refusal("err_missing").into_response();
    };
    let answer =
        form.read(sandbox.settings())
            .and_then(|parameters| match parameters.action.as_str() {
                "status" => status(&sandbox, &parameters),
                "refund" => refund(&sandbox, &parameters),
                "reports" => archive(&sandbox, &parameters),
                _ => Err(Refusal("err_api_action")),
            });
    answer.map(Json).into_response()
}

fn status(sandbox: &Sandbox, parameters: &Parameters) -> Result<Value, Refusal> {
    let id = parameters.order_id()?;
    let state = sandbox.with_bank(|bank, now| liqpay_state(bank.liqpay_invoice(id, now)?));
    state.ok_or(Refusal("payment_not_found"))
}

/// Returns the archive of payments of a period: those that were taken, also where they were given back since.
fn archive(sandbox: &Sandbox, parameters: &Parameters) -> Result<Value, Refusal> {
    let (Some(from), Some(until)) = (parameters.date_from, parameters.date_to) else {
        return Err(Refusal("err_missing"));
    };
    let payments: Vec<Value> = sandbox.with_bank(|bank, now| {
        let taken = bank.invoices(now).iter().filter(|invoice| {
            invoice.kind == InvoiceKind::LiqPay
                && matches!(invoice.status, Status::Success | Status::Reversed)
                && invoice
                    .payment
                    .as_ref()
                    .is_some_and(|payment| (from..=until).contains(&payment.at.as_millisecond()))
        });
        taken.filter_map(liqpay_state).collect()
    });
    Ok(json!({"result": "success", "data": payments}))
}

fn refund(sandbox: &Sandbox, parameters: &Parameters) -> Result<Value, Refusal> {
    let (id, amount) = (parameters.order_id()?, parameters.amount()?);
    let codes = sandbox.operation_codes();
    let payment_id = codes.transaction_id.parse::<u64>().unwrap_or_default();
    let left = sandbox.with_bank(|bank, now| {
        bank.liqpay_invoice(id, now).ok_or(RefundError::Unknown)?;
        // LiqPay does not tell of a refund that is under way, so it is carried out at once.
        bank.refund(id, Some(amount), None, Duration::ZERO, codes, now)?;
        Ok(bank.liqpay_invoice(id, now).map(|invoice| invoice.status))
    });
    let status = left.map_err(|error| {
        Refusal(match error {
            RefundError::Unknown => "payment_not_found",
            RefundError::NotPaid => "payment_err_status",
            RefundError::WrongAmount => "amount_limit",
        })
    })?;
    let word = match status {
        Some(Status::Reversed) => "reversed",
        _ => "success",
    };
    Ok(json!({
        "result": "ok", "action": "refund", "payment_id": payment_id, "status": word, "wait_amount": false,
    }))
}
