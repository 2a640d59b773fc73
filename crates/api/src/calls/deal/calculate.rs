//! `POST /deal/calculate`: what a deal needs to be paid for.

use std::collections::BTreeMap;

use axum::extract::State;
use cabinet_app::cart::{LastRecipient, LastRecipients};
use cabinet_app::deal::{self, Outcome, Reckoned, ReferenceData, RequestedDeal, ToPay, Way};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{Key, Locale, kyiv_date};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::{take, take_sum, take_whole};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{
    Chosen, ChosenTerm, DealBase, DealParty, Given, Hryvnias, NumberText, PaymentType, StaleFee,
};

pub fn call() -> Call {
    Call::post("/deal/calculate", handler, |docs| {
        docs.id("dealCalculate")
            .tag("deals")
            .summary("What a deal needs to be paid for")
    })
}

/// `POST /deal/calculate`. Nothing is stored.
#[derive(Deserialize, JsonSchema)]
pub struct CalculateDealRequest {
    /// From `GET /deal/kinds`; required.
    #[serde(default)]
    pub kind_id: Given<String>,
    /// The price by the contract, where the kind asks for it.
    #[serde(default)]
    pub price: Given<NumberText<Hryvnias>>,
    /// The registered valuation, where the kind asks for it. A kind with it among its `optional_sums` needs it only where a payment is
    /// reckoned from it.
    #[serde(default)]
    pub valuation: Given<NumberText<Hryvnias>>,
    /// The price of the building without its land: the levy on the purchase of buildings is taken of it. At most the price.
    #[serde(default)]
    pub building_price: Given<NumberText<Hryvnias>>,
    /// The documented costs of what is sold, by which the income of a third sale is lowered.
    #[serde(default)]
    pub costs: Given<NumberText<Hryvnias>>,
    /// How many objects it is about, 1 to 999; without it one.
    #[serde(default)]
    pub objects: Given<NumberText<i64>>,
    /// How many acquire a share in each object, 1 to 999; without it one. At most 999 shares in all.
    #[serde(default)]
    pub owners: Given<NumberText<i64>>,
    /// The shares of those who pay the income tax and the levy together, such as co-owners who sell: 2 to 20 fractions that are the whole,
    /// for a kind with a `taxpayer`. Without them one pays.
    #[serde(default)]
    pub payers: Option<Vec<DealShareRequest>>,
    /// The id of an answer for the id of each question of the kind.
    #[serde(default)]
    pub answers: Given<BTreeMap<String, String>>,
}

/// A share in a whole, as a fraction: 1/3.
#[derive(Deserialize, JsonSchema)]
pub struct DealShareRequest {
    /// The numerator.
    #[serde(default)]
    pub part: Given<NumberText<i64>>,
    /// The denominator, at most 1000.
    #[serde(default)]
    pub of: Given<NumberText<i64>>,
}

/// A share in a whole, as a fraction: 1/3.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealShare {
    /// The numerator.
    pub part: i64,
    /// The denominator, at most 1000.
    pub of: i64,
}

/// Reads the shares of several payers. What is missing is no share.
pub fn take_shares(
    given: Option<Vec<DealShareRequest>>,
    errors: &mut FieldErrors,
) -> Option<Vec<(i64, i64)>> {
    let mut whole = |number| take_whole(number, "payers", Key::SharesInvalid, errors).unwrap_or(0);
    let shares = given?.into_iter();
    Some(
        shares
            .map(|share| (whole(share.part), whole(share.of)))
            .collect(),
    )
}

/// `POST /deal/calculate`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealCalculation {
    /// The day in Kyiv for which the payments are calculated: `2026-06-01`.
    pub date: String,
    /// Every payment that deals of the kind may need, also those that this one doesn't.
    pub payments: Vec<DealPayment>,
}

/// A payment of a deal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealPayment {
    /// Opaque; the same payment has the same one in every deal.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// Who owes it. The payments of one payer belong into one group of the cart.
    pub payer: DealParty,
    /// Which of several payers of the party, from 1. The payer is the party's word in `parties`, of any but the first with `:` and the number.
    pub payer_number: u8,
    /// Her share, where several pay.
    pub share: Option<DealShare>,
    /// The ground of law: why so much, or why nothing.
    pub ground: String,
    /// No source confirms something about the rule, so the notary checks it.
    pub unconfirmed: bool,
    /// How much.
    pub outcome: DealOutcome,
}

/// How much a payment is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DealOutcome {
    /// It is owed.
    Due {
        /// Without the service's commission, for all objects and shares.
        sum: Hryvnias,
        /// For how many objects or shares it is owed, each the same.
        count: i64,
        /// How a percentage was taken; null for a fee or a fixed sum.
        percentage: Option<DealPercentage>,
        /// Set where the fee is that of an earlier year.
        stale: Option<StaleFee>,
        /// How it is paid.
        way: DealWay,
    },
    /// Nothing is owed; the ground says why.
    Nothing,
    /// It is owed, but the tables don't tell the sum: the notary enters it.
    Unknown {
        /// How it is paid.
        way: DealWay,
    },
}

/// How a percentage was taken.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealPercentage {
    /// What of.
    pub base: DealBase,
    /// That sum.
    pub base_sum: Hryvnias,
    /// Hundredths of a percent: 500 is 5 %.
    pub basis_points: i64,
    /// The least sum, if there is one.
    pub minimum: Option<Hryvnias>,
    /// The largest sum, if there is one.
    pub maximum: Option<Hryvnias>,
}

/// How a payment of a deal becomes an item of the cart.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "way", rename_all = "snake_case")]
pub enum DealWay {
    /// An administrative fee; region and recipient are chosen.
    Fee {
        /// The kind that fits the notary's status.
        payment_type: PaymentType,
        /// The service.
        option: Chosen,
        /// How fast.
        term: ChosenTerm,
        /// Where the notary's latest fees went; null before the first.
        last: Option<DealRecipient>,
    },
    /// A fee for the use of a register; region and recipient are chosen.
    Register {
        /// The kind.
        payment_type: PaymentType,
        /// The service.
        option: Chosen,
        /// Where the notary's latest fees went; null before the first.
        last: Option<DealRecipient>,
    },
    /// A payment to any requisites, filled from a template.
    Template {
        /// From `GET /payment-types/requisites/templates`.
        template_id: String,
    },
    /// Not paid here: the other party withholds it as a tax agent and pays it.
    Withheld,
    /// Not paid here until the operator has confirmed the requisites.
    Unconfirmed,
    /// Not paid here: the tables have no requisites.
    NoRequisites,
}

/// Where the notary's latest fees went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealRecipient {
    /// The region.
    pub payment_type_region_id: String,
    /// A recipient that this fee may go to as well; null where it may go to none of the latest.
    pub payment_type_requisite_id: Option<String>,
}

impl From<LastRecipient> for DealRecipient {
    fn from(last: LastRecipient) -> DealRecipient {
        DealRecipient {
            payment_type_region_id: last.region.to_string(),
            payment_type_requisite_id: last.requisite.map(|id| id.to_string()),
        }
    }
}

/// What the payments are described with.
struct Description<'a> {
    reference: &'a ReferenceData,
    last: &'a LastRecipients,
    now: Timestamp,
    locale: Locale,
}

impl DealWay {
    fn of(way: &Way<'_>, with: &Description<'_>) -> DealWay {
        let locale = with.locale;
        let last = |of: &deal::PaymentType, term| {
            let last = with.last.fitting(with.reference, of, term, with.now);
            last.map(Into::into)
        };
        let payment_type = |of: &deal::PaymentType| PaymentType {
            id: of.id().to_string(),
            slug: of.kind().into(),
        };
        let option = |of: &deal::PaymentOption| Chosen {
            id: of.id().to_string(),
            name: of.name(locale).to_owned(),
        };
        match way {
            Way::Fee {
                payment_type: of,
                option: service,
                term,
            } => DealWay::Fee {
                payment_type: payment_type(of),
                option: option(service),
                term: ChosenTerm {
                    id: term.id().to_string(),
                    period: term.period(locale).to_owned(),
                },
                last: last(of, Some(term)),
            },
            Way::Register {
                payment_type: of,
                option: service,
            } => DealWay::Register {
                payment_type: payment_type(of),
                option: option(service),
                last: last(of, None),
            },
            Way::Template(template) => DealWay::Template {
                template_id: template.id().to_string(),
            },
            Way::Withheld => DealWay::Withheld,
            Way::Unconfirmed => DealWay::Unconfirmed,
            Way::NoRequisites => DealWay::NoRequisites,
        }
    }
}

impl DealOutcome {
    fn of(to_pay: &ToPay<'_>, with: &Description<'_>) -> DealOutcome {
        let due = match &to_pay.outcome {
            Outcome::Nothing => return DealOutcome::Nothing,
            Outcome::Unknown { way } => {
                let way = DealWay::of(way, with);
                return DealOutcome::Unknown { way };
            }
            Outcome::Due(due) => due,
        };
        let (percentage, stale) = match due.reckoned {
            Reckoned::Fixed => (None, None),
            Reckoned::Fee { stale } => (None, stale.map(Into::into)),
            Reckoned::Percent {
                base,
                base_sum,
                basis_points,
            } => {
                let (minimum, maximum) = to_pay.rule.limits();
                let percentage = DealPercentage {
                    base: DealBase(base),
                    base_sum: base_sum.into(),
                    basis_points,
                    minimum: minimum.map(Into::into),
                    maximum: maximum.map(Into::into),
                };
                (Some(percentage), None)
            }
        };
        DealOutcome::Due {
            sum: due.sum.into(),
            count: i64::from(due.count.get()),
            percentage,
            stale,
            way: DealWay::of(&due.way, with),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<CalculateDealRequest>,
) -> Result<Json<DealCalculation>, Refusal> {
    let mut errors = FieldErrors::new();
    let deal = RequestedDeal {
        kind_id: take(body.kind_id, "kind_id", &mut errors),
        price: take_sum(body.price, "price", &mut errors),
        valuation: take_sum(body.valuation, "valuation", &mut errors),
        building_price: take_sum(body.building_price, "building_price", &mut errors),
        costs: take_sum(body.costs, "costs", &mut errors),
        objects: take_whole(body.objects, "objects", Key::CountInvalid, &mut errors),
        owners: take_whole(body.owners, "owners", Key::CountInvalid, &mut errors),
        payers: take_shares(body.payers, &mut errors),
        answers: take(body.answers, "answers", &mut errors),
    };
    let reference = state.services.reference.current()?;
    let status = state.services.cart.status(who.notary).await?.counts_as;
    let last = state.services.cart.last_recipients(who.notary).await?;
    let now = state.services.now();
    let date = kyiv_date(now);
    let calculation = deal::calculate(&reference, deal, status, date, errors)?;
    let with = Description {
        reference: &reference,
        last: &last,
        now,
        locale,
    };
    let payments = calculation.lines.iter().map(|to_pay| DealPayment {
        id: to_pay.id(),
        name: to_pay.line.name(locale).to_owned(),
        payer: DealParty(to_pay.rule.payer()),
        payer_number: to_pay.payer().number,
        share: to_pay.share.map(|(_, share)| DealShare {
            part: share.part().into(),
            of: share.of().into(),
        }),
        ground: deal::ground(to_pay, locale),
        unconfirmed: to_pay.is_unconfirmed,
        outcome: DealOutcome::of(to_pay, &with),
    });
    Ok(Json(DealCalculation {
        date: date.to_string(),
        payments: payments.collect(),
    }))
}
