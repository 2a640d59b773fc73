//! `GET /deal/kinds`: kinds of deals with what each asks.

use std::collections::BTreeMap;

use axum::extract::State;
use cabinet_domain::{DealKindId, DealUnit};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Chosen, DealParty, DealSum};

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
    /// The kinds of the notary's deals, that of the latest one first.
    pub latest: Vec<String>,
}

/// A kind of deal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealKind {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// The sums that a calculation asks for.
    pub sums: Vec<DealSum>,
    /// Those of `sums` that are needed only where a payment is reckoned from them.
    pub optional_sums: Vec<DealSum>,
    /// Whether something is owed for each object.
    pub counts_objects: bool,
    /// Whether something is owed for each share in an object.
    pub counts_shares: bool,
    /// Who owes the income tax and the levy: several of the party may pay a share each. Null where a deal of the kind has neither.
    pub taxpayer: Option<DealParty>,
    /// The questions that a calculation needs answered.
    pub questions: Vec<DealQuestion>,
    /// The answers of the notary's latest deal of the kind that can still be given; null before the first.
    pub last_answers: Option<BTreeMap<String, String>>,
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
    /// Answers to earlier questions after which this one is not asked: no payment depends on it then, and an answer is passed over.
    pub spared_by: Vec<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
) -> Result<Json<DealKinds>, Refusal> {
    let reference = state.services.reference.current()?;
    let last = state.services.cart.last_answers(who.notary).await?;
    let last_of = |kind: &DealKindId| {
        let mut all = last.iter();
        all.find(|(known, _)| known == kind)
            .map(|(_, answers)| answers)
    };
    let is_offered = |kind: &DealKindId| {
        let mut offered = reference.deal_kinds().iter();
        offered.any(|one| one.id() == kind)
    };
    let latest = last.iter().map(|(kind, _)| kind);
    let latest = latest.filter(|kind| is_offered(kind));
    let kinds = reference.deal_kinds().iter().map(|kind| {
        let questions = reference.deal_facts(kind.id()).map(|fact| {
            let answers = reference.deal_answers(fact.id()).map(|answer| Chosen {
                id: answer.id().to_string(),
                name: answer.name(locale).to_owned(),
            });
            let spared_by = reference.deal_spared_by(kind.id(), fact.id());
            DealQuestion {
                id: fact.id().to_string(),
                question: fact.question(locale).to_owned(),
                answers: answers.collect(),
                spared_by: spared_by.into_iter().map(ToString::to_string).collect(),
            }
        });
        DealKind {
            id: kind.id().to_string(),
            name: kind.name(locale).to_owned(),
            sums: kind.sums().iter().copied().map(DealSum).collect(),
            optional_sums: kind.optional_sums().iter().copied().map(DealSum).collect(),
            counts_objects: reference.deal_counts(kind.id(), DealUnit::Object)
                || reference.deal_counts(kind.id(), DealUnit::Share),
            counts_shares: reference.deal_counts(kind.id(), DealUnit::Share),
            taxpayer: reference.deal_taxpayer(kind.id()).map(DealParty),
            questions: questions.collect(),
            last_answers: last_of(kind.id()).map(|answers| {
                let still = reference.deal_facts(kind.id()).filter_map(|fact| {
                    let mut known = reference.deal_answers(fact.id());
                    let last = answers.get(fact.id())?;
                    known
                        .any(|answer| answer.id() == last)
                        .then(|| (fact.id().to_string(), last.to_string()))
                });
                still.collect()
            }),
        }
    });
    Ok(Json(DealKinds {
        latest: latest.map(ToString::to_string).collect(),
        kinds: kinds.collect(),
    }))
}
