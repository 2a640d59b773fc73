//! The form of every message to LiqPay: `data`, JSON in base64, and its signature.

use axum::Json;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::keys::{LiqPayHash, liqpay_signature};
use crate::settings::SandboxSettings;

/// The two fields of a form.
#[derive(Deserialize)]
pub(super) struct SignedForm {
    data: String,
    signature: String,
}

/// What the parameters of all actions have in common, and those of each.
#[derive(Deserialize)]
pub(super) struct Parameters {
    version: Value,
    public_key: Option<String>,
    pub(super) action: String,
    pub(super) order_id: Option<String>,
    pub(super) amount: Option<Value>,
    pub(super) currency: Option<String>,
    pub(super) description: Option<String>,
    pub(super) result_url: Option<String>,
    pub(super) server_url: Option<String>,
    pub(super) expired_date: Option<String>,
    pub(super) info: Option<String>,
    pub(super) date_from: Option<i64>,
    pub(super) date_to: Option<i64>,
}

/// A refusal by its code. It is sent with status 200.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal(pub(super) &'static str);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({
            "result": "error", "status": "error", "err_code": self.0, "err_description": self.0,
        });
        Json(body).into_response()
    }
}

impl SignedForm {
    /// Checks the signature over the text as it came, and reads the parameters.
    pub(super) fn read(&self, settings: &SandboxSettings) -> Result<Parameters, Refusal> {
        let json = STANDARD
            .decode(&self.data)
            .map_err(|_| Refusal("err_wrong"))?;
        let parameters: Parameters =
            serde_json::from_slice(&json).map_err(|_| Refusal("err_missing"))?;
        // The version decides about the hash, so it is the one thing that is read before.
        let hash = match parameters.version.to_string().trim_matches('"') {
            "3" => LiqPayHash::Sha1,
            "7" => LiqPayHash::Sha3,
            _ => return Err(Refusal("err_wrong")),
        };
        if self.signature != liqpay_signature(&settings.liqpay_private_key, &self.data, hash) {
            return Err(Refusal("invalid_signature"));
        }
        if parameters.public_key.as_ref() != Some(&settings.liqpay_public_key) {
            return Err(Refusal("public_key_not_found"));
        }
        Ok(parameters)
    }
}

impl Parameters {
    pub(super) fn order_id(&self) -> Result<&str, Refusal> {
        let id = self.order_id.as_deref().filter(|id| !id.is_empty());
        id.ok_or(Refusal("order_id_empty"))
    }

    /// The sum in kopiykas, read from its digits.
    pub(super) fn amount(&self) -> Result<i64, Refusal> {
        let written = match &self.amount {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return Err(Refusal("err_missing")),
        };
        cabinet_domain::Money::parse_decimal(&written)
            .ok()
            .map(cabinet_domain::Money::kopiykas)
            .filter(|kopiykas| *kopiykas > 0)
            .ok_or(Refusal("amount_limit"))
    }
}
