//! `POST /api/merchant/invoice/create`

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Number, Value, json};

use super::{Refusal, address, check_currency, read};
use crate::bank::{Invoice, InvoiceKind};
use crate::sandbox::Sandbox;
use crate::settings::SplitReceiver;
use crate::time::after;

const VALIDITY_SECONDS_USUAL: u64 = 86_400;
const VALIDITY_SECONDS_MAX: u64 = 30 * 86_400;
const TEXT_CHARS_MAX: usize = 280;
const METADATA_KEYS_MAX: usize = 10;

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

/// What the merchant says about a payment.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentInfo {
    pub(super) reference: Option<String>,
    pub(super) destination: Option<String>,
    comment: Option<String>,
    pub(super) metadata: Option<Map<String, Value>>,
    basket_order: Option<Vec<Line>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    name: String,
    qty: Number,
    sum: i64,
    total: Option<i64>,
    code: String,
    split_receiver_id: Option<String>,
}

impl PaymentInfo {
    /// Checks what the acquirer checks, and that the lines add up to the sum.
    pub(super) fn check(&self, amount: i64, receivers: &[SplitReceiver]) -> Result<(), Refusal> {
        for (name, text) in [
            ("destination", &self.destination),
            ("comment", &self.comment),
        ] {
            if text
                .as_ref()
                .is_some_and(|text| text.chars().count() > TEXT_CHARS_MAX)
            {
                return Err(Refusal::payment_info(format!(
                    "'{name}' is longer than {TEXT_CHARS_MAX}"
                )));
            }
        }
        if let Some(metadata) = &self.metadata
            && (metadata.len() > METADATA_KEYS_MAX || !metadata.values().all(Value::is_string))
        {
            return Err(Refusal::payment_info(
                "'metadata' must be at most 10 strings",
            ));
        }
        let Some(lines) = self.basket_order.as_ref().filter(|lines| !lines.is_empty()) else {
            return Ok(());
        };
        let mut sum = 0_i64;
        for line in lines {
            sum = line
                .total(receivers)?
                .checked_add(sum)
                .ok_or_else(|| Refusal::payment_info("too much"))?;
        }
        if sum == amount {
            Ok(())
        } else {
            Err(Refusal::payment_info(
                "'basketOrder' does not add up to 'amount'",
            ))
        }
    }
}

impl Line {
    fn total(&self, receivers: &[SplitReceiver]) -> Result<i64, Refusal> {
        let refused = |text: &str| Err(Refusal::payment_info(format!("'basketOrder': {text}")));
        if self.name.trim().is_empty() || self.code.trim().is_empty() {
            return refused("name and code are required");
        }
        let Some(quantity) = self.qty.as_i64().filter(|quantity| *quantity > 0) else {
            return refused("'qty' must be whole pieces");
        };
        let Some(total) = quantity.checked_mul(self.sum).filter(|total| *total >= 0) else {
            return refused("'sum' is out of range");
        };
        if self.total.is_some_and(|told| told != total) {
            return refused("'total' is not 'qty' times 'sum'");
        }
        match &self.split_receiver_id {
            Some(id) if !receivers.iter().any(|receiver| receiver.id == *id) => {
                refused("unknown 'splitReceiverId'")
            }
            _ => Ok(total),
        }
    }
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
            // What the acquirer does without a wallet is not documented, so nobody should rely on it.
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
