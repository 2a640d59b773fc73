//! What the operator's accountant needs: the statement of a day and the acts of a month.

use cabinet_domain::{AuditAction, AuditValue, Balance, Key, Month, OrderStatus, Percent, Period};
use cabinet_receipts::{ActRow, Vat, acts_workbook};
use cabinet_storage::Store;
use cabinet_storage::reports::accounts::{self, ChargedOrder};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::audit::{AuditEntry, Recorder};
use crate::refusal::{Refusal, RefusalKind, Result};

/// Makes the operator's accounts.
pub struct Accountant {
    store: Store,
    recorder: Recorder,
    vat: Vat,
}

/// An order of a daily statement.
pub struct DailyRow {
    /// The order as it is stored.
    pub order: ChargedOrder,
    /// Whether charged = transfers + commissions. `None` for an order that was given back: nothing is owed for it.
    pub adds_up: Option<bool>,
}

/// The statement of a day.
pub struct Daily {
    /// The day (Kyiv) of the charges.
    pub day: Date,
    /// The orders, by number.
    pub rows: Vec<DailyRow>,
    /// What the orders that stay paid were charged.
    pub charged: Balance,
    /// Their transfers.
    pub transfers: Balance,
    /// Their commissions.
    pub commissions: Balance,
    /// What was charged and given back since.
    pub refunded: Balance,
}

impl Daily {
    /// Returns whether every order adds up, and so the day.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        self.rows.iter().all(|row| row.adds_up != Some(false))
            && self.charged == self.transfers + self.commissions
    }
}

/// The act of a month for one notary.
pub type Act = ActRow;

impl Accountant {
    /// Makes accounts from a store. `vat` is what the operator says of VAT.
    #[must_use]
    pub const fn new(store: Store, recorder: Recorder, vat: Vat) -> Self {
        Self {
            store,
            recorder,
            vat,
        }
    }

    /// Returns the statement of a day.
    ///
    /// # Errors
    /// As every use case.
    pub async fn daily(&self, day: Date, now: Timestamp) -> Result<Daily> {
        let period = Period::new(day, day).map_err(invalid)?;
        let read = move |tx: &mut cabinet_storage::Tx| accounts::charged_orders(tx, period);
        let orders = self.store.read_long(read).await?;
        let mut daily = Daily {
            day,
            rows: Vec::new(),
            charged: Balance::ZERO,
            transfers: Balance::ZERO,
            commissions: Balance::ZERO,
            refunded: Balance::ZERO,
        };
        for order in orders {
            let adds_up = if order.status == OrderStatus::Refunded {
                daily.refunded += order.charged;
                None
            } else {
                daily.charged += order.charged;
                daily.transfers += order.transfers;
                daily.commissions += order.commissions;
                Some(order.charged == order.transfers + order.commissions)
            };
            daily.rows.push(DailyRow { order, adds_up });
        }
        self.record("daily", daily.rows.len(), now).await?;
        Ok(daily)
    }

    /// Returns the acts of a month, by name: the commissions of each notary's paid orders by the day of payment.
    ///
    /// # Errors
    /// As every use case.
    pub async fn acts(&self, month: Month, now: Timestamp) -> Result<Vec<Act>> {
        let period = month.days().ok_or_else(|| invalid(Key::DateInvalid))?;
        let read = move |tx: &mut cabinet_storage::Tx| accounts::commissions(tx, period);
        let notaries = self.store.read_long(read).await?;
        let acts: Vec<Act> = notaries
            .into_iter()
            .map(|notary| Act {
                notary_name: notary.full_name,
                notary_code: notary.code,
                payments: u64::try_from(notary.payments).unwrap_or_default(),
                commission: notary.commission,
                vat: vat_in(notary.commission, self.vat),
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

/// Returns the VAT that a sum contains, rounded half up to the kopiyka.
fn vat_in(sum: Balance, vat: Vat) -> Option<Balance> {
    let Vat::Included(rate) = vat else {
        return None;
    };
    let rate = i64::from(Percent::get(rate));
    let whole = 100 + rate;
    let kopiykas = (sum.kopiykas() * rate * 2 + whole) / (whole * 2);
    Some(Balance::from_kopiykas(kopiykas))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vat_is_a_part_of_the_sum() {
        let twenty = Vat::parse("20").unwrap();
        for (sum, vat) in [(0, 0), (12_000, 2_000), (100, 17), (5, 1), (2, 0), (3, 1)] {
            let found = vat_in(Balance::from_kopiykas(sum), twenty);
            assert_eq!(found, Some(Balance::from_kopiykas(vat)), "{sum}");
        }
        assert_eq!(vat_in(Balance::from_kopiykas(100), Vat::Without), None);
        assert_eq!(vat_in(Balance::from_kopiykas(100), Vat::Unstated), None);
    }
}
