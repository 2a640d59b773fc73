//! `POST /order/receipts`: the receipts of chosen orders in one PDF; `POST /order/receipts/archive`: all of them in a ZIP.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::receipt_query::{ReceiptQuery, ReceiptType};
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::file::{FileAnswer, Pdf, Zip};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/order/receipts", handler, |docs| {
        docs.id("chosenReceipts")
            .tag("orders")
            .summary("Receipts of chosen orders, one PDF")
    })
}

pub fn archive_call() -> Call {
    Call::post("/order/receipts/archive", archive, |docs| {
        docs.id("chosenReceiptsArchive")
            .tag("orders")
            .summary("All receipts of chosen orders, ZIP")
    })
}

/// The list of a request. Anything that is no list of texts is a wrong type of the field.
pub struct OrderIds(Result<Vec<String>, Key>);

impl Default for OrderIds {
    fn default() -> Self {
        Self(Ok(Vec::new()))
    }
}

impl<'de> Deserialize<'de> for OrderIds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(
            serde_json::from_value(value).map_err(|_| Key::FieldTypeWrong),
        ))
    }
}

/// `POST /order/receipts`.
#[derive(Deserialize, JsonSchema)]
pub struct ChosenReceiptsRequest {
    /// Paid orders, 1 to 200.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub order_ids: OrderIds,
    /// Which receipt; the payment receipt without it.
    #[serde(default)]
    #[schemars(with = "Option<ReceiptType>")]
    pub receipt_type: Given<String>,
}

/// `POST /order/receipts/archive`.
#[derive(Deserialize, JsonSchema)]
pub struct ChosenArchiveRequest {
    /// Paid orders, 1 to 200.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub order_ids: OrderIds,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    ValidJson(body): ValidJson<ChosenReceiptsRequest>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let orders = errors
        .take("order_ids", body.order_ids.0)
        .unwrap_or_default();
    let receipt_type = take(body.receipt_type, "receipt_type", &mut errors);
    errors.check()?;
    let request = ReceiptQuery { receipt_type }.request(locale)?;
    let file = state
        .services
        .receipts
        .document_of_many(who.notary, &orders, request, origin.by(who))
        .await?;
    Ok(file.into())
}

async fn archive(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    ValidJson(body): ValidJson<ChosenArchiveRequest>,
) -> Result<FileAnswer<Zip>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let orders = errors
        .take("order_ids", body.order_ids.0)
        .unwrap_or_default();
    errors.check()?;
    let place = state.limits.archive(who.notary)?;
    let file = state
        .services
        .receipts
        .archive_of_many(who.notary, &orders, locale, origin.by(who), place)
        .await?;
    Ok(file.into())
}
