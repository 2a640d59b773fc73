//! `POST /api/merchant/invoice/create`

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::{PaymentInfo, address, check_currency, read};
use crate::bank::{Invoice, InvoiceKind};
use crate::sandbox::Sandbox;
use crate::time::after;

const VALIDITY_SECONDS_USUAL: u64 = 86_400;
const VALIDITY_SECONDS_MAX: u64 = 30 * 86_400;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateRequest {
    amount: Option<i64>,
    ccy: Option<i64>,
    merchant_paym_info: Option<PaymentInfo>,
    redirect_url: Option<String>,
    web_hook_url: Option<String>,
    validity: Option<i64>,
    payment_type: Option<String>,
    save_card_data: Option<SaveCard>,
    display_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SaveCard {
    save_card: bool,
    wallet_id: Option<String>,
}

fn kind(request: &CreateRequest, amount: i64) -> Result<InvoiceKind, Refusal> {
    let saves = request
        .save_card_data
        .as_ref()
        .is_some_and(|save| save.save_card);
    match request.payment_type.as_deref() {
        None | Some("debit") if amount >= 1 => Ok(InvoiceKind::Debit),
        Some("verification") if amount == 0 && saves => Ok(InvoiceKind::Verification),
        None | Some("debit") => Err(Refusal::bad_request("invalid 'amount'")),
        Some("verification") => Err(Refusal::bad_request(
            "'verification' needs amount 0 and 'saveCard'",
        )),
        Some("hold") => Err(Refusal::bad_request("'hold' is not offered by the sandbox")),
        Some(_) => Err(Refusal::bad_request("invalid 'paymentType'")),
    }
}

pub(super) async fn handler(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request: CreateRequest = read(&body)?;
    let Some(amount) = request.amount else {
        return Err(Refusal::bad_request("empty 'amount'"));
    };
    check_currency(request.ccy)?;
    let kind = kind(&request, amount)?;
    let info = request.merchant_paym_info.unwrap_or_default();
    info.check(amount, &sandbox.settings().split_receivers)?;
    let validity = match request.validity.map(u64::try_from) {
        None => VALIDITY_SECONDS_USUAL,
        Some(Ok(seconds)) if seconds > 0 => seconds.min(VALIDITY_SECONDS_MAX),
        Some(_) => return Err(Refusal::bad_request("invalid 'validity'")),
    };
    if request.display_type.is_some_and(|kind| kind != "iframe") {
        return Err(Refusal::bad_request("invalid 'displayType'"));
    }
    let wallet_id = match request.save_card_data {
        Some(save) if save.save_card => match save.wallet_id.filter(|id| !id.is_empty()) {
            Some(id) => Some(id),
            // What the acquirer does without a wallet is not documented, so the sandbox refuses it.
            None => return Err(Refusal::bad_request("empty 'walletId'")),
        },
        _ => None,
    };
    let now = sandbox.now();
    let invoice = Invoice {
        reference: info.reference,
        destination: info.destination,
        metadata: info.metadata,
        redirect_url: address("redirectUrl", request.redirect_url)?,
        web_hook_url: address("webHookUrl", request.web_hook_url)?,
        wallet_id,
        valid_until: Some(after(now, Duration::from_secs(validity))),
        ..Invoice::new(sandbox.invoice_id(now), kind, amount, now)
    };
    let answer = json!({"invoiceId": invoice.id, "pageUrl": sandbox.page_url(&invoice.id)});
    sandbox.with_bank(|bank, _| bank.add_new(invoice));
    Ok(Json(answer))
}
