//! `GET /deal/kinds`: kinds of deals with what each asks.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::extract::{Language, SignedIn};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Chosen, DealSum};

pub fn call() -> Call {
    Call::get("/deal/kinds", handler, |docs| {
        docs.id("dealKinds")
            .tag("deals")
            .summary("Kinds of deals with what each asks")
    })
}

/// `GET /deal/kinds`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealKinds {
    /// In the order they are offered; empty where the tables know no deals.
    pub kinds: Vec<DealKind>,
}

/// A kind of deal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealKind {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// The sums that a calculation needs.
    pub sums: Vec<DealSum>,
    /// The questions that a calculation needs answered.
    pub questions: Vec<DealQuestion>,
}

/// A question that decides on the payments of a deal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealQuestion {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub question: String,
    /// Exactly one is given.
    pub answers: Vec<Chosen>,
}

async fn handler(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
) -> Result<Json<DealKinds>, Refusal> {
    let reference = state.services.reference.current()?;
    let kinds = reference.deal_kinds().iter().map(|kind| {
        let questions = reference.deal_facts(kind.id()).map(|fact| {
            let answers = reference.deal_answers(fact.id()).map(|answer| Chosen {
                id: answer.id().to_string(),
                name: answer.name(locale).to_owned(),
            });
            DealQuestion {
                id: fact.id().to_string(),
                question: fact.question(locale).to_owned(),
                answers: answers.collect(),
            }
        });
        DealKind {
            id: kind.id().to_string(),
            name: kind.name(locale).to_owned(),
            sums: kind.sums().iter().map(|sum| DealSum(*sum)).collect(),
            questions: questions.collect(),
        }
    });
    Ok(Json(DealKinds {
        kinds: kinds.collect(),
    }))
}
