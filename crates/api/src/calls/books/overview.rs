//! `GET /reports`: the report of a period.

use axum::extract::State;
use cabinet_domain as domain;
use schemars::JsonSchema;
use serde::Serialize;

use super::period_query::{DayBasis, PeriodQuery};
use crate::call::Call;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{PaymentTypeSlug, TotalHryvnias};

pub fn call() -> Call {
    Call::get("/reports", handler, |docs| {
        docs.id("report")
            .tag("reports")
            .summary("What was paid in a period, and where the notary's share stands")
    })
}

/// The figures of a period, of a month, or of a kind.
///
/// By the day of payment, amount and commission are what cards were charged, and the notary's share stands where its transfers stand
/// now. By the day of crediting, they are what recipients' banks credited, with the commission for just that; nothing is planned or
/// sent there, and nothing refunded.
#[derive(Serialize, JsonSchema)]
pub struct Figures {
    /// How many payments, or how many credited transfers.
    pub count: u64,
    /// For the recipients, without the commission.
    pub amount: TotalHryvnias,
    /// The commission.
    pub commission: TotalHryvnias,
    /// `amount` + `commission`.
    pub total: TotalHryvnias,
    /// The notary's share (60 %) that waits for the bank.
    pub own_planned: TotalHryvnias,
    /// The notary's share that the bank has.
    pub own_sent: TotalHryvnias,
    /// The notary's share that was credited.
    pub own_credited: TotalHryvnias,
    /// The notary's share that a bank sent back.
    pub own_returned: TotalHryvnias,
    /// All parts that banks sent back, with the notary's.
    pub returned: TotalHryvnias,
    /// How many payments were given back to the card as a whole. They are in no other figure.
    pub refunded_count: u64,
    /// What was given back to the card: whole payments with their commission, and parts that a bank had sent back.
    pub refunded: TotalHryvnias,
    /// How many payments were marked as paid by QR codes, past the service. They are in no other figure.
    pub codes_count: u64,
    /// What recipients got by QR codes, without any commission, as payers told.
    pub codes: TotalHryvnias,
}

/// The figures of a month.
#[derive(Serialize, JsonSchema)]
pub struct MonthFigures {
    /// `2026-03`.
    pub month: String,
    /// Its figures. At the ends of the period, of its days within the period.
    pub figures: Figures,
}

/// The figures of a kind of payment.
#[derive(Serialize, JsonSchema)]
pub struct KindFigures {
    /// The kind.
    pub payment_type: PaymentTypeSlug,
    /// Its figures.
    pub figures: Figures,
}

/// The report of a period.
#[derive(Serialize, JsonSchema)]
pub struct Report {
    /// First day (Kyiv).
    pub from: String,
    /// Last day (Kyiv).
    pub to: String,
    /// By which day sums are placed.
    pub by: DayBasis,
    /// The figures of the whole period.
    pub total: Figures,
    /// Each kind, in the order of the payment form.
    pub kinds: Vec<KindFigures>,
    /// Each month of the period, in order. They add up to the total.
    pub months: Vec<MonthFigures>,
}

impl From<&domain::Figures> for Figures {
    fn from(figures: &domain::Figures) -> Figures {
        Figures {
            count: figures.count,
            amount: figures.amount.into(),
            commission: figures.commission.into(),
            total: figures.total().into(),
            own_planned: figures.own_planned.into(),
            own_sent: figures.own_sent.into(),
            own_credited: figures.own_credited.into(),
            own_returned: figures.own_returned.into(),
            returned: figures.returned.into(),
            refunded_count: figures.refunded_count,
            refunded: figures.refunded.into(),
            codes_count: figures.codes_count,
            codes: figures.codes.into(),
        }
    }
}

impl From<&domain::Report> for Report {
    fn from(report: &domain::Report) -> Report {
        Report {
            from: report.period.from().to_string(),
            to: report.period.to().to_string(),
            by: match report.basis {
                domain::DayBasis::Payment => DayBasis::Payment,
                domain::DayBasis::Crediting => DayBasis::Crediting,
            },
            total: Figures::from(&report.total()),
            kinds: report
                .kinds
                .iter()
                .map(|(kind, figures)| KindFigures {
                    payment_type: (*kind).into(),
                    figures: figures.into(),
                })
                .collect(),
            months: report
                .months
                .iter()
                .map(|(month, figures)| MonthFigures {
                    month: month.to_string(),
                    figures: figures.into(),
                })
                .collect(),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidQuery(query): ValidQuery<PeriodQuery>,
) -> Result<Json<Report>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let reports = &state.services.reports;
    let report = reports.overview(who.notary, &query.into()).await?;
    Ok(Json(Report::from(&report)))
}
