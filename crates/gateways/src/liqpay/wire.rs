//! The JSON of LiqPay. Field names are LiqPay's. Sums are hryvnias with a decimal point, and are never read or written as binary
//! fractions.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_domain::Money;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::acquirer::{InvoiceRequest, PaymentMarks, error_code, lenient, text};

/// The currency of every request.
const HRYVNIA_CODE: &str = "UAH";
/// Longest description. LiqPay names no limit; the other acquirer's holds here, too.
const DESCRIPTION_CHARS_MAX: usize = 280;
/// The ways to pay that end at once. Cash, instalments and invoices take days.
const PAY_TYPES: &str = "card,apay,gpay,privat24";

/// The parameters of a request.
#[derive(Serialize)]
pub(super) struct Parameters<'a> {
    pub(super) version: u8,
    pub(super) public_key: &'a str,
    pub(super) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) amount: Option<Number>,
    #[serde(flatten)]
    pub(super) checkout: Option<Checkout<'a>>,
    #[serde(flatten)]
    pub(super) period: Option<Period>,
}

/// The period of an archive, in milliseconds since 1970.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Period {
    date_from: i64,
    date_to: i64,
    resp_format: &'static str,
}

impl Period {
    pub(super) fn of(from: Timestamp, until: Timestamp) -> Self {
        Self {
            date_from: from.as_millisecond(),
            date_to: until.as_millisecond(),
            resp_format: "json",
        }
    }
}

/// What only the payment page needs.
#[derive(Serialize)]
pub(super) struct Checkout<'a> {
    currency: &'static str,
    description: String,
    paytypes: &'static str,
    result_url: &'a str,
    server_url: &'a str,
    /// UTC.
    expired_date: String,
    /// The marks, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<String>,
}

impl<'a> Checkout<'a> {
    /// `None`: the page would end at a moment that can't be written.
    pub(super) fn of(request: &'a InvoiceRequest) -> Option<Self> {
        let validity = jiff::SignedDuration::from_secs(i64::from(request.validity_seconds));
        let ends = request.asked_at.checked_add(validity).ok()?;
        Some(Self {
            currency: HRYVNIA_CODE,
            description: request
                .destination
                .chars()
                .take(DESCRIPTION_CHARS_MAX)
                .collect(),
            paytypes: PAY_TYPES,
            result_url: &request.redirect_url,
            server_url: &request.report_url,
            expired_date: ends.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            info: request.marks.and_then(written_marks),
        })
    }
}

fn written_marks(marks: PaymentMarks) -> Option<String> {
    serde_json::to_string(&BTreeMap::from(marks.fields())).ok()
}

/// Returns a sum as a number of hryvnias.
pub(super) fn hryvnias(sum: Money) -> Option<Number> {
    Number::from_str(&sum.decimal()).ok()
}

/// Returns `data` of a request.
pub(super) fn encode(parameters: &Parameters<'_>) -> Option<String> {
    serde_json::to_vec(parameters)
        .ok()
        .map(|json| STANDARD.encode(json))
}

/// Returns the two fields of a form.
pub(super) fn form(data: &str, signature: &str) -> String {
    form_urlencoded::Serializer::new(String::new())
        .append_pair("data", data)
        .append_pair("signature", signature)
        .finish()
}

/// Reads the two fields of a callback, each of which must be there once.
pub(super) fn read_form(body: &[u8]) -> Option<(String, String)> {
    let (mut data, mut signature) = (None, None);
    for (name, value) in form_urlencoded::parse(body) {
        let field = match name.as_ref() {
            "data" => &mut data,
            "signature" => &mut signature,
            _ => continue,
        };
        if field.replace(value.into_owned()).is_some() {
            return None;
        }
    }
    data.zip(signature)
}

/// Decodes `data` of a callback.
pub(super) fn decode(data: &str) -> Option<Payment> {
    let json = STANDARD.decode(data).ok()?;
    serde_json::from_slice(&json).ok()
}

/// A sum of hryvnias: a number or a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hryvnias(pub(super) Money);

impl<'de> Deserialize<'de> for Hryvnias {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        Money::parse_padded_decimal(&written)
            .map(Self)
            .map_err(serde::de::Error::custom)
    }
}

/// What was given back in all; `None` if that can't be read. Where nothing is told of it, it is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenBack(pub(super) Option<Money>);

impl Default for GivenBack {
    fn default() -> Self {
        Self(Some(Money::ZERO))
    }
}

impl<'de> Deserialize<'de> for GivenBack {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let told: Value = match Value::deserialize(deserializer)? {
            Value::Null => return Ok(Self::default()),
            told => told,
        };
        let sum: Option<Hryvnias> = serde_json::from_value(told).ok();
        Ok(Self(sum.map(|sum| sum.0)))
    }
}

/// Milliseconds since 1970: a number, or a text of digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(pub(super) Timestamp);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let milliseconds = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        milliseconds
            .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("not a moment"))
    }
}

/// The archive of payments.
#[derive(Deserialize)]
pub(super) struct Archive {
    /// Each is read alone, so that one that can't be read leaves the others.
    pub(super) data: Vec<Value>,
}

/// A payment as an answer or a callback tells of it. An answer that is an error has hardly any of the fields.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Payment {
    #[serde(deserialize_with = "text")]
    pub(super) result: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) status: Option<String>,
    /// What was asked for. We ask for `pay` alone.
    #[serde(deserialize_with = "text")]
    pub(super) action: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) order_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) amount: Option<Hryvnias>,
    #[serde(deserialize_with = "text")]
    pub(super) currency: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) create_date: Option<Moment>,
    #[serde(deserialize_with = "lenient")]
    pub(super) end_date: Option<Moment>,
    #[serde(deserialize_with = "lenient")]
    pub(super) completion_date: Option<Moment>,
    #[serde(deserialize_with = "text")]
    pub(super) sender_card_mask2: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) sender_card_type: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) authcode_debit: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) rrn_debit: Option<String>,
    /// What LiqPay keeps of the charge.
    #[serde(deserialize_with = "lenient")]
    pub(super) receiver_commission: Option<Hryvnias>,
    pub(super) refund_amount: GivenBack,
    #[serde(deserialize_with = "lenient")]
    pub(super) refund_date_last: Option<Moment>,
    /// What the shop sent along.
    #[serde(deserialize_with = "text")]
    pub(super) info: Option<String>,
    #[serde(deserialize_with = "text")]
    err_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) err_description: Option<String>,
}

impl Payment {
    /// Returns the code of an error or decline.
    pub(super) fn code(&self) -> Option<String> {
        error_code(self.err_code.clone())
    }

    /// Whether the request failed, and nothing is told of a payment.
    pub(super) fn is_error(&self) -> bool {
        let says = |field: &Option<String>| field.as_deref() == Some("error");
        (says(&self.result) || says(&self.status)) && self.amount.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_and_read_digit_by_digit() {
        for (kopiykas, written) in [
            (1, "0.01"),
            (32_550, "325.50"),
            (29, "0.29"),
            (99_999_999_999, "999999999.99"),
        ] {
            let sum = Money::from_kopiykas(kopiykas).unwrap();
            let number = hryvnias(sum).unwrap();
            assert_eq!(number.to_string(), written);
            for json in [written.to_owned(), format!("\"{written}\"")] {
                let read: Hryvnias = serde_json::from_str(&json).unwrap();
                assert_eq!(read.0, sum);
            }
        }
        for (json, kopiykas) in [
            ("325.5", 32_550),
            ("\"7\"", 700),
            ("0", 0),
            ("40.5000", 4_050),
            ("\"100.00000\"", 10_000),
        ] {
            let read: Hryvnias = serde_json::from_str(json).unwrap();
            assert_eq!(read.0.kopiykas(), kopiykas);
        }
        for json in ["1.005", "1e2", "-1", "\"\"", "\"1,50\"", "null", "[]"] {
            assert!(serde_json::from_str::<Hryvnias>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn a_form_has_each_field_once() {
        assert_eq!(form("a+/=", "b+"), "data=a%2B%2F%3D&signature=b%2B");
        assert_eq!(
            read_form(b"signature=b%2B&data=a%2B%2F%3D&other=1"),
            Some(("a+/=".to_owned(), "b+".to_owned()))
        );
        for body in ["", "data=a", "data=a&signature=b&data=c", "{\"data\":1}"] {
            assert_eq!(read_form(body.as_bytes()), None, "{body}");
        }
    }
}
