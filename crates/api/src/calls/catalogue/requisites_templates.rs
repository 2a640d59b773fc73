//! `GET /payment-types/requisites/templates`: ready requisites.

use axum::extract::State;
use cabinet_domain::{KnownAccount, kyiv_date};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Hryvnias;

pub fn call() -> Call {
    Call::get("/payment-types/requisites/templates", handler, |docs| {
        docs.id("requisitesTemplates")
            .tag("payment types")
            .summary("Ready requisites")
    })
}

/// `GET /payment-types/requisites/templates`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RequisitesTemplates {
    /// Templates valid today.
    pub requisites_templates: Vec<RequisitesTemplate>,
    /// The payment codes in force: the three digits with which a purpose to a budget account begins.
    pub payment_codes: Vec<String>,
}

/// Ready requisites.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RequisitesTemplate {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub title: String,
    /// What the recipient gets for one unit, without commission; null where the notary enters it.
    pub amount: Option<Hryvnias>,
    /// Recipient.
    pub recipient_name: String,
    /// Recipient's account.
    pub recipient_iban: String,
    /// Recipient's code.
    pub recipient_code: String,
    /// Purpose; may hold `{clientName}` and `{clientIPN}`.
    pub comment: String,
    /// Budget code; null where there is none.
    pub cbc_code: Option<String>,
    /// Every budget code that the account takes; empty where it takes any.
    pub account_cbc_codes: Vec<String>,
}

/// Returns the budget codes that an account takes.
fn budget_codes_of(account: Option<&KnownAccount>) -> Vec<String> {
    let codes = account.into_iter().flat_map(|known| &known.budget_codes);
    codes.map(|code| code.as_str().to_owned()).collect()
}

async fn handler(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
) -> Result<Json<RequisitesTemplates>, Refusal> {
    let reference = state.services.reference.current()?;
    let requisites_templates = reference
        .templates(kyiv_date(state.services.now()))
        .into_iter()
        .map(|template| RequisitesTemplate {
            account_cbc_codes: budget_codes_of(reference.account(template.iban())),
            id: template.id().to_string(),
            title: template.title(locale).to_owned(),
            amount: template.amount().map(Into::into),
            recipient_name: template.recipient_name().to_owned(),
            recipient_iban: template.iban().as_str().to_owned(),
            recipient_code: template.okpo().as_str().to_owned(),
            comment: template.comment().to_owned(),
            cbc_code: template.budget_code().map(|code| code.as_str().to_owned()),
        })
        .collect();
    let payment_codes = reference.payment_codes().iter();
    Ok(Json(RequisitesTemplates {
        requisites_templates,
        payment_codes: payment_codes.map(|code| code.as_str().to_owned()).collect(),
    }))
}
