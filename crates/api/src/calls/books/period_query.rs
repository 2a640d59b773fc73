//! The period of a report.

use cabinet_app::books::PeriodRequest;
use schemars::JsonSchema;
use serde::Deserialize;

/// By which day a report places a sum.
#[derive(Clone, Copy, Debug, serde::Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DayBasis {
    /// The day on which the card was charged.
    Payment,
    /// The day on which the recipient's bank credited it. What came back stands on the day of its return.
    Crediting,
}

/// Query of `GET /reports`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PeriodQuery {
    /// First day (Kyiv), `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Last day (Kyiv), `YYYY-MM-DD`; at most three years after the first.
    pub to: Option<String>,
    /// By the day of payment without it.
    #[schemars(with = "Option<DayBasis>")]
    pub by: Option<String>,
}

impl From<PeriodQuery> for PeriodRequest {
    fn from(query: PeriodQuery) -> PeriodRequest {
        PeriodRequest {
            from: query.from,
            to: query.to,
            by: query.by,
        }
    }
}
