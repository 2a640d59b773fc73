//! The report of a period.

use cabinet_domain::{DayBasis, NotaryId, Report};
use cabinet_storage::books;

use super::{PeriodRequest, Reports};
use crate::kernel::refusal::Result;

impl Reports {
    /// Returns the report of a period. Every sum is computed here.
    ///
    /// # Errors
    /// The keys of the fields.
    pub async fn overview(&self, notary: NotaryId, request: &PeriodRequest) -> Result<Report> {
        let (period, basis) = request.read()?;
        let read = move |tx: &mut cabinet_storage::Tx| {
            Ok(match basis {
                DayBasis::Payment => Report::by_payment(
                    period,
                    &books::items_paid(tx, notary, period)?,
                    &books::parts_paid(tx, notary, period)?,
                    &books::items_paid_by_codes(tx, notary, period)?,
                ),
                DayBasis::Crediting => {
                    Report::by_crediting(period, &books::parts_moved(tx, notary, period)?)
                }
            })
        };
        let report: Result<Report, cabinet_storage::StorageError> =
            self.store.read_long(read).await;
        Ok(report?)
    }
}
