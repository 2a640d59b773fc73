//! The form of a payment in LiqPay's answers and callbacks.

use serde_json::{Map, Number, Value, json};

use super::card::Card;
use super::invoice::{Invoice, Status, fee};

/// The name under which an invoice keeps what the shop sent along.
pub(crate) const INFO: &str = "info";

/// Returns the word of a status.
fn status(invoice: &Invoice) -> &'static str {
    match invoice.status {
        Status::Processing if invoice.is_challenged() => "3ds_verify",
        Status::Processing => "processing",
        Status::Success => "success",
        Status::Failure => "failure",
        Status::Reversed => "reversed",
        Status::Created | Status::Expired => "error",
    }
}

/// Returns LiqPay's code for a decline. The test cards know the codes of the other acquirer.
fn error_code(code: &str) -> &'static str {
    match code {
        "59" => "9859",
        "61" => "limit",
        "1034" => "expired_3ds",
        "1419" => "err_card",
        "8001" => "expired_prepared",
        "54" => "err_cache",
        _ => "decline",
    }
}

/// Returns a sum as a number of hryvnias, digit by digit.
pub(crate) fn hryvnias(kopiykas: i64) -> Value {
    let written = format!("{}.{:02}", kopiykas / 100, kopiykas % 100);
    written.parse::<Number>().map_or(Value::Null, Value::Number)
}

/// Returns the mask as LiqPay writes it: `424242*42`.
fn mask(card: &Card) -> String {
    let mask = &card.masked_pan;
    let first = mask.get(..6).unwrap_or_default();
    let last = mask.get(mask.len().saturating_sub(2)..).unwrap_or_default();
    format!("{first}*{last}")
}

/// Returns what is told of a payment. `None`: nobody has begun to pay.
pub(crate) fn state(invoice: &Invoice) -> Option<Value> {
    let payment = invoice.payment.as_ref()?;
    let is_over = invoice.status != Status::Processing;
    let state = json!({
        "result": if invoice.status == Status::Failure { "error" } else { "ok" },
        "status": status(invoice),
        "action": "pay",
        "payment_id": payment.transaction_id.parse::<u64>().unwrap_or_default(),
        "order_id": invoice.id,
        "version": 7,
        "type": "buy",
        "paytype": "card",
        "amount": hryvnias(invoice.amount),
        "currency": "UAH",
        "description": invoice.destination,
        "create_date": payment.at.as_millisecond(),
        "sender_card_mask2": mask(&payment.card),
        "sender_card_bank": "Test bank",
        "sender_card_type": payment.card.payment_system,
        "sender_card_country": 804,
        "sender_commission": hryvnias(0),
    });
    let Value::Object(mut fields) = state else {
        return None;
    };
    let mut put = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    if let Some(info) = invoice.metadata.as_ref().and_then(|sent| sent.get(INFO)) {
        put("info", info.clone());
    }
    if is_over {
        put("end_date", invoice.modified_at.as_millisecond().into());
    }
    if matches!(invoice.status, Status::Success | Status::Reversed) {
        put("authcode_debit", payment.approval_code.as_str().into());
        put("rrn_debit", payment.rrn.as_str().into());
        put("receiver_commission", hryvnias(fee(invoice.amount)));
    }
    if let Some((code, text)) = &invoice.failure {
        put("err_code", error_code(code).into());
        put("err_description", text.as_str().into());
    }
    if let Some(last) = invoice.refunds.last() {
        let sum = invoice.refunds.iter().map(|refund| refund.amount).sum();
        put("refund_amount", hryvnias(sum));
        put("refund_date_last", last.at.as_millisecond().into());
    }
    Some(Value::Object(Map::from_iter(fields)))
}
