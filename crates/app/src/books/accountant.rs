//! What the operator's accountant needs: the statement of a day and the acts of a month.

use cabinet_domain::{AuditAction, AuditValue, Balance, Key, Month, OrderStatus, Percent, Period};
use cabinet_receipts::{ActRow, Vat, acts_workbook};
use cabinet_storage::books::accountant::{self, Charge, GivenBack};
use cabinet_storage::{StorageError, Store};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::audit::{AuditEntry, Recorder};
use crate::books::day_of_transfers::{DayOfTransfers, day_of_transfers};
use crate::kernel::refusal::{Refusal, RefusalKind, Result};

/// Makes the operator's accounts.
pub struct Accountant {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) vat: Vat,
}

/// A charge of a daily statement.
pub struct DailyRow {
    /// The charge as it is stored.
    pub charge: Charge,
    /// Whether charged = transfers + commissions. `None`: there is nothing to compare with, because the money of the order came and
    /// went before transfers were planned, or nothing is owed for a duplicate.
    pub adds_up: Option<bool>,
}

/// The statement of a day: charged = transfers + commissions + duplicates. What happens later to an order does not change the sums of
/// its day.
pub struct Daily {
    /// The day (Kyiv).
    pub day: Date,
    /// The charges of the day, by the number of the order.
    pub rows: Vec<DailyRow>,
    /// What was charged.
    pub charged: Balance,
    /// What of it is owed to recipients.
    pub transfers: Balance,
    /// The commissions in it.
    pub commissions: Balance,
    /// What the acquirer keeps of the charges, as far as it has said. It is a part of the commissions and of duplicates.
    pub acquirer_fees: Balance,
    /// The charges whose fee the acquirer has not told.
    pub fees_unknown: usize,
    /// What of it must be given back: further charges of orders that had been charged before.
    pub duplicates: Balance,
    /// What was given back to cards on the day, of charges of any day.
    pub given_back: Vec<GivenBack>,
    /// What happened on the day to transfers, of charges of any day.
    pub of_transfers: DayOfTransfers,
}

impl Daily {
    /// Returns whether every charge adds up, and so the day.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        self.rows.iter().all(|row| row.adds_up != Some(false))
    }

    /// Returns what of the commissions is the operator's, without the acquirer's fees as far as they are known.
    #[must_use]
    pub fn remainder(&self) -> Balance {
        self.commissions - self.acquirer_fees
    }

    /// Returns the sum of what was given back.
    #[must_use]
    pub fn refunded(&self) -> Balance {
        self.given_back.iter().map(|given| given.amount).sum()
    }

    /// Returns what the day leaves at the acquirer: charged without what was given back.
    #[must_use]
    pub fn left(&self) -> Balance {
        self.charged - self.refunded()
    }
}

/// The act of a month for one notary.
pub type Act = ActRow;

impl Accountant {
    /// Returns the statement of a day.
    ///
    /// # Errors
    /// As every use case.
    pub async fn daily(&self, day: Date, now: Timestamp) -> Result<Daily> {
        let period = Period::new(day, day).map_err(invalid)?;
        let read = move |tx: &mut cabinet_storage::Tx| -> std::result::Result<_, StorageError> {
            Ok((
                accountant::charges(tx, period)?,
                accountant::given_back(tx, period)?,
                day_of_transfers(tx, day)?,
            ))
        };
        let (charges, given_back, of_transfers) = self.store.read_long(read).await?;
        let mut daily = Daily {
            day,
            rows: Vec::with_capacity(charges.len()),
            charged: Balance::ZERO,
            transfers: Balance::ZERO,
            commissions: Balance::ZERO,
            acquirer_fees: Balance::ZERO,
            fees_unknown: 0,
            duplicates: Balance::ZERO,
            given_back,
            of_transfers,
        };
        for charge in charges {
            daily.charged += charge.charged;
            daily.transfers += charge.transfers;
            daily.commissions += charge.commissions;
            match charge.acquirer_fee {
                Some(fee) => daily.acquirer_fees += fee,
                None => daily.fees_unknown += 1,
            }
            if !charge.is_first {
                daily.duplicates += charge.charged;
            }
            let is_compared =
                charge.is_first && (charge.has_transfers || charge.status == OrderStatus::Paid);
            let adds_up =
                is_compared.then(|| charge.charged == charge.transfers + charge.commissions);
            daily.rows.push(DailyRow { charge, adds_up });
        }
        self.record("daily", daily.rows.len(), now).await?;
        Ok(daily)
    }

    /// Returns the acts of a month, by name: the commissions that each notary's clients were charged in it, less those that were given
    /// back in it. A commission is given back with the whole order, or in sums that the operator gave back of it; of another part it stays
    /// charged. A duplicate charge has none.
    ///
    /// # Errors
    /// As every use case.
    pub async fn acts(&self, month: Month, now: Timestamp) -> Result<Vec<Act>> {
        let period = month.days().ok_or_else(|| invalid(Key::DateInvalid))?;
        let read = move |tx: &mut cabinet_storage::Tx| accountant::commissions(tx, period);
        let notaries = self.store.read_long(read).await?;
        let acts: Vec<Act> = notaries
            .into_iter()
            .map(|notary| Act {
                notary_name: notary.full_name,
                notary_code: notary.code,
                payments: u64::try_from(notary.payments).unwrap_or_default(),
                charged: notary.charged,
                given_back: notary.given_back,
                vat: vat_in(notary.charged - notary.given_back, self.vat),
            })
            .collect();
        self.record("acts", acts.len(), now).await?;
        Ok(acts)
    }

    /// Returns what acts say of VAT.
    #[must_use]
    pub fn vat_words(&self) -> String {
        match self.vat {
            Vat::Unstated => String::new(),
            Vat::Without => "Без ПДВ".to_owned(),
            Vat::Included(rate) => format!("ПДВ {} %", rate.get()),
        }
    }

    /// Returns acts as a workbook.
    ///
    /// # Errors
    /// As every use case.
    pub fn workbook(&self, acts: &[Act], month: Month) -> Result<Vec<u8>> {
        Ok(acts_workbook(acts, month, &self.vat_words())?)
    }

    async fn record(&self, report: &'static str, rows: usize, now: Timestamp) -> Result<()> {
        AuditEntry::new(AuditAction::ReportWritten)
            .with("report", AuditValue::word(report))
            .with("rows", AuditValue::count(rows as u64))
            .record_alone(
                &self.store,
                self.recorder.ids().unit_at(now),
                self.recorder.origin(),
            )
            .await?;
        Ok(())
    }
}

fn invalid(key: Key) -> Refusal {
    Refusal::new(RefusalKind::Invalid, key)
}

/// Returns the VAT that a sum contains, rounded half away from zero to the kopiyka: that of what was given back is what it was.
fn vat_in(sum: Balance, vat: Vat) -> Option<Balance> {
    let Vat::Included(rate) = vat else {
        return None;
    };
    let rate = i64::from(Percent::get(rate));
    let whole = 100 + rate;
    let kopiykas = sum.kopiykas();
    let vat = (kopiykas.abs() * rate * 2 + whole) / (whole * 2);
    Some(Balance::from_kopiykas(vat * kopiykas.signum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vat_is_a_part_of_the_sum() {
        let twenty = Vat::parse("20").unwrap();
        for (sum, vat) in [
            (0, 0),
            (12_000, 2_000),
            (100, 17),
            (5, 1),
            (2, 0),
            (3, 1),
            (-12_000, -2_000),
            (-3, -1),
        ] {
            let found = vat_in(Balance::from_kopiykas(sum), twenty);
            assert_eq!(found, Some(Balance::from_kopiykas(vat)), "{sum}");
        }
        assert_eq!(vat_in(Balance::from_kopiykas(100), Vat::Without), None);
        assert_eq!(vat_in(Balance::from_kopiykas(100), Vat::Unstated), None);
    }
}
