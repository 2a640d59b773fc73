//! A fee of an earlier year.

use schemars::JsonSchema;
use serde::Serialize;

use super::Hryvnias;

/// A fee of an earlier year that is still in force: this year's is not loaded yet.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StaleFee {
    /// The first day of the fee, in Kyiv: `2026-01-01`.
    pub valid_from: String,
    /// The day in Kyiv from which payments of the fee are refused with `fee_of_last_year`; null where they never are.
    pub refused_from: Option<String>,
}

impl From<cabinet_domain::StaleFee> for StaleFee {
    fn from(stale: cabinet_domain::StaleFee) -> StaleFee {
        StaleFee {
            valid_from: stale.valid_from.to_string(),
            refused_from: stale.refused_from.map(|day| day.to_string()),
        }
    }
}

/// The fee of the next year.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NextYearFee {
    /// The year.
    pub year: i16,
    /// For one unit, without commission.
    pub amount: Hryvnias,
}

impl From<cabinet_domain::NextYearFee> for NextYearFee {
    fn from(fee: cabinet_domain::NextYearFee) -> NextYearFee {
        NextYearFee {
            year: fee.year.year(),
            amount: fee.sum.into(),
        }
    }
}
