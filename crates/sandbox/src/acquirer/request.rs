//! Parts that several requests have in common, and their checks.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::refusal::Refusal;
use crate::bank::HRYVNIA;
use crate::settings::SplitReceiver;

const TEXT_CHARS_MAX: usize = 280;
const METADATA_KEYS_MAX: usize = 10;

/// The merchant's information about a payment (`merchantPaymInfo`).
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
    /// Checks the acquirer's rules, and that the lines add up to `amount`.
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

/// Reads a JSON body.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad_request(format!("invalid body: {error}")))
}

/// Checks that an address, if there is one, is an absolute http or https address.
pub(super) fn address(name: &str, text: Option<String>) -> Result<Option<String>, Refusal> {
    let fits = |text: &String| {
        reqwest::Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    };
    match text {
        None => Ok(None),
        Some(text) if fits(&text) => Ok(Some(text)),
        Some(_) => Err(Refusal::bad_request(format!("invalid '{name}'"))),
    }
}

/// Checks that the currency is the hryvnia, which is also the default.
pub(super) fn check_currency(ccy: Option<i64>) -> Result<(), Refusal> {
    if ccy.is_none_or(|ccy| ccy == HRYVNIA) {
        Ok(())
    } else {
        Err(Refusal::bad_request("invalid 'ccy'"))
    }
}
