//! Which days a report is asked for.

use cabinet_domain::{DayBasis, Key, Period};
use jiff::civil::Date;

use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

/// A period as it was requested. Nothing of it is trusted.
#[derive(Default)]
pub struct PeriodRequest {
    /// First day (Kyiv).
    pub from: Option<String>,
    /// Last day (Kyiv).
    pub to: Option<String>,
    /// By which day sums are placed; by the day of payment without it.
    pub by: Option<String>,
}

impl PeriodRequest {
    pub(super) fn read(&self) -> Result<(Period, DayBasis), Refusal> {
        let mut errors = FieldErrors::new();
        let day = |text: Option<&String>| match text.map(|text| text.trim()) {
            None | Some("") => Err(Key::FieldRequired),
            Some(text) => text.parse::<Date>().map_err(|_| Key::DateInvalid),
        };
        let from = errors.take("from", day(self.from.as_ref()));
        let to = errors.take("to", day(self.to.as_ref()));
        let basis = self.by.as_deref().map_or(Ok(DayBasis::Payment), |word| {
            DayBasis::parse(word).ok_or(Key::FieldTypeWrong)
        });
        let basis = errors.take("by", basis);
        let period = match (from, to) {
            (Some(from), Some(to)) => errors.take("to", Period::new(from, to)),
            _ => None,
        };
        errors.check()?;
        match (period, basis) {
            (Some(period), Some(basis)) => Ok((period, basis)),
            _ => Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed)),
        }
    }
}
