//! `GET /reports/tax-quarter`: help for the report of a tax agent.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidQuery};
use crate::http::file::{FileAnswer, Xlsx};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/reports/tax-quarter", handler, |docs| {
        docs.id("taxQuarter")
            .tag("reports")
            .summary("Taxes of clients in a month or a quarter, as help for annex 4DF, XLSX")
    })
}

/// Query of `GET /reports/tax-quarter`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TaxQuarterQuery {
    /// `2026-03`.
    pub month: Option<String>,
    /// `2026-Q1`; without a month.
    pub quarter: Option<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<TaxQuarterQuery>,
) -> Result<FileAnswer<Xlsx>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let named = (query.month.as_deref(), query.quarter.as_deref());
    let reports = &state.services.reports;
    let file = reports
        .taxes(who.notary, named, locale, origin.by(who))
        .await?;
    Ok(file.into())
}
