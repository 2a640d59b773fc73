//! The help for the quarterly report of a tax agent.

use std::collections::BTreeMap;

use cabinet_domain::{
    Key, Locale, NotaryId, OrderId, Origin, Quarter, TaxPayment, TransferStatus, tax_line,
};
use cabinet_receipts::{TaxRow, tax_quarter};
use cabinet_reference::ReferenceData;
use cabinet_storage::books::{self, PaidRequisites};

use super::{ROWS_MAX, Reports};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

impl Reports {
    /// Returns the payments to requisites of a quarter, order by order, with what of them are taxes.
    ///
    /// # Errors
    /// `date_invalid` for a text that is no quarter; `export_too_large`.
    pub async fn tax_quarter(
        &self,
        notary: NotaryId,
        quarter: Option<&str>,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let mut errors = FieldErrors::new();
        let quarter = quarter.and_then(Quarter::parse);
        let days = quarter.and_then(Quarter::days);
        let days = errors.take("quarter", days.ok_or(Key::DateInvalid));
        errors.check()?;
        let (Some(quarter), Some(period)) = (quarter, days) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed).into());
        };
        let read = move |tx: &mut cabinet_storage::Tx| books::requisites_paid(tx, notary, period);
        let paid = self.store.read_long(read).await?;
        let rows = rows_of(&paid, &*self.reference.current()?);
        let count = rows.len();
        if count > ROWS_MAX {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ExportTooLarge).into());
        }
        let bytes = self
            .make(move || Ok(tax_quarter(&rows, period, locale)?))
            .await?;
        self.record(notary, "tax_quarter", count, origin).await?;
        Ok(DownloadFile {
            name: format!("Taxes-{quarter}.xlsx"),
            bytes,
        })
    }
}

fn rows_of(paid: &[PaidRequisites], reference: &ReferenceData) -> Vec<TaxRow> {
    let mut orders: BTreeMap<(jiff::civil::Date, i64, OrderId), Vec<&PaidRequisites>> =
        BTreeMap::new();
    for payment in paid {
        let order = (payment.paid_on, payment.order_number, payment.order_id);
        orders.entry(order).or_default().push(payment);
    }
    let rows = orders.into_values();
    rows.filter_map(|payments| row_of(&payments, reference))
        .collect()
}

fn row_of(payments: &[&PaidRequisites], reference: &ReferenceData) -> Option<TaxRow> {
    let first = payments.first()?;
    let taxes: Vec<TaxPayment> = payments
        .iter()
        .map(|payment| TaxPayment {
            kind: payment
                .budget_code
                .as_ref()
                .and_then(|code| reference.tax_of(code)),
            amount: payment.amount,
        })
        .collect();
    let numbers: Vec<String> = payments
        .iter()
        .filter_map(|payment| Some(payment.document_number?.to_string()))
        .collect();
    let purposes: Vec<&str> = payments
        .iter()
        .map(|payment| payment.purpose.as_str())
        .collect();
    Some(TaxRow {
        client_code: first.client_code.as_str().to_owned(),
        client_name: first.client_name.as_str().to_owned(),
        line: tax_line(&taxes),
        paid_on: first.paid_on,
        order_number: first.order_number,
        document_numbers: numbers.join(", "),
        has_returned: payments
            .iter()
            .any(|payment| payment.transfer_status == Some(TransferStatus::Returned)),
        purpose: purposes.join("; "),
    })
}
