//! The help for the monthly report of a tax agent.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    DealId, DealPayer, DealState, Key, Locale, Month, NotaryId, OrderId, Origin, Period, Quarter,
    TaxLine, TaxPayment, TransferStatus, tax_line,
};
use cabinet_receipts::{TaxMark, TaxRow, tax_quarter};
use cabinet_reference::ReferenceData;
use cabinet_storage::books::{self, PaidRequisites};
use cabinet_storage::deal::deals::{self, PaidDeal};
use cabinet_storage::{StorageError, Tx};

use super::{ROWS_MAX, Reports};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};

impl Reports {
    /// Returns the taxes of a month, or of the three of a quarter: a row for each deal that is kept, also where nothing was owed, and for the
    /// other payments to requisites of each order.
    ///
    /// # Errors
    /// `date_invalid` for a text that is no month and no quarter; `export_too_large`.
    pub async fn taxes(
        &self,
        notary: NotaryId,
        (month, quarter): (Option<&str>, Option<&str>),
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let mut errors = FieldErrors::new();
        let (field, read) = match month {
            Some(text) => ("month", month_named(text)),
            None => ("quarter", quarter.and_then(quarter_named)),
        };
        let read = errors.take(field, read.ok_or(Key::DateInvalid));
        errors.check()?;
        let Some((name, period)) = read else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ValidationFailed).into());
        };
        let read = move |tx: &mut Tx| -> std::result::Result<_, StorageError> {
            let paid = books::requisites_paid(tx, notary, period)?;
            Ok((paid, deals::paid_in(tx, notary, period)?))
        };
        let (paid, deals) = self.store.read_long(read).await?;
        let rows = rows_of(&paid, &deals, period, &*self.reference.current()?, locale);
        let count = rows.len();
        if count > ROWS_MAX {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ExportTooLarge).into());
        }
        let bytes = self
            .make(move || Ok(tax_quarter(&rows, period, locale)?))
            .await?;
        self.record(notary, "tax_quarter", count, origin).await?;
        Ok(DownloadFile {
            name: format!("Taxes-{name}.xlsx"),
            bytes,
        })
    }
}

fn month_named(text: &str) -> Option<(String, Period)> {
    let month = Month::parse(text)?;
    Some((month.to_string(), month.days()?))
}

fn quarter_named(text: &str) -> Option<(String, Period)> {
    let quarter = Quarter::parse(text)?;
    Some((quarter.to_string(), quarter.days()?))
}

/// The rows in the order of the payments. Payments of one order to one deal are one row, and those to none are another.
fn rows_of(
    paid: &[PaidRequisites],
    deals: &[PaidDeal],
    period: Period,
    reference: &ReferenceData,
    locale: Locale,
) -> Vec<TaxRow> {
    type Place = (jiff::civil::Date, i64, OrderId, Option<(DealId, DealPayer)>);
    let mut groups: BTreeMap<Place, Vec<&PaidRequisites>> = BTreeMap::new();
    let is_tax = |payment: &PaidRequisites| {
        let code = payment.budget_code.as_ref();
        code.and_then(|code| reference.tax_of(code)).is_some()
    };
    for payment in paid {
        let deal = payment.deal.filter(|_| is_tax(payment));
        let order = (
            payment.paid_on,
            payment.order_number,
            payment.order_id,
            deal,
        );
        groups.entry(order).or_default().push(payment);
    }
    let known: BTreeMap<DealId, &PaidDeal> = deals.iter().map(|one| (one.deal.id, one)).collect();
    let mut rows: Vec<TaxRow> = groups
        .into_iter()
        .filter_map(|((.., deal), payments)| {
            let deal = deal.and_then(|(deal, payer)| Some((*known.get(&deal)?, payer)));
            row_of(&payments, deal, reference, locale)
        })
        .collect();
    let untaxed = deals.iter().filter(|one| period.has(one.paid_on));
    rows.extend(untaxed.flat_map(|one| untaxed_rows(one, reference, locale)));
    rows.sort_by_key(|row| (row.paid_on, row.order_number));
    rows
}

fn row_of(
    payments: &[&PaidRequisites],
    deal: Option<(&PaidDeal, DealPayer)>,
    reference: &ReferenceData,
    locale: Locale,
) -> Option<TaxRow> {
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
    let line = tax_line(&taxes);
    let has_returned = payments
        .iter()
        .any(|payment| payment.transfer_status == Some(TransferStatus::Returned));
    let mark = match (has_returned, line.has_tax()) {
        (true, _) => TaxMark::Returned,
        (false, true) => TaxMark::Tax,
        (false, false) => TaxMark::Other,
    };
    Some(TaxRow {
        client_code: first.client_code.as_str().to_owned(),
        client_name: first.client_name.as_str().to_owned(),
        price: deal.and_then(|(one, payer)| one.deal.record.income_of(payer)),
        line,
        paid_on: first.paid_on,
        order_number: first.order_number,
        document_numbers: numbers.join(", "),
        mark,
        purpose: purposes.join("; "),
        deal: deal.map(|(deal, _)| kind_of(deal, locale)),
        income_code: deal.and_then(|(deal, _)| income_code_of(deal, reference)),
    })
}

/// The rows of those payers of a deal of whose taxes none was paid in the cabinet: because nothing was owed, or because the notary left it
/// out. There is none for whom a tax was paid, also in another period, and none where deals of the kind have no taxes.
fn untaxed_rows(one: &PaidDeal, reference: &ReferenceData, locale: Locale) -> Vec<TaxRow> {
    let payments = one.deal.record.payments.iter();
    let taxes = payments.filter(|payment| reference.tax_of_line(&payment.line).is_some());
    let payers: BTreeSet<DealPayer> = taxes.map(|payment| payment.payer).collect();
    let row = |payer| untaxed_row(one, payer, reference, locale);
    payers.into_iter().filter_map(row).collect()
}

fn untaxed_row(
    one: &PaidDeal,
    payer: DealPayer,
    reference: &ReferenceData,
    locale: Locale,
) -> Option<TaxRow> {
    let payments = one.deal.record.payments.iter();
    let taxes: Vec<_> = payments
        .filter(|payment| payment.payer == payer && reference.tax_of_line(&payment.line).is_some())
        .collect();
    let mut lines = taxes.iter().map(|payment| (payment.line.clone(), payer));
    if lines.any(|line| one.paid.contains(&line)) {
        return None;
    }
    let is_nothing = taxes
        .iter()
        .all(|payment| payment.state == DealState::Nothing);
    let mut parties = one.parties.iter();
    let client = parties.find(|(party, _)| *party == payer);
    let client = client.map(|(_, client)| client);
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    Some(TaxRow {
        client_code: text(client.map(|client| client.inn.as_str())),
        client_name: text(client.map(|client| client.full_name.as_str())),
        price: one.deal.record.income_of(payer),
        line: TaxLine::default(),
        paid_on: one.paid_on,
        order_number: one.order_number,
        document_numbers: String::new(),
        mark: match (is_nothing, client) {
            (false, _) => TaxMark::NotPaidHere,
            (true, None) => TaxMark::NothingOwedByUnknown,
            (true, Some(_)) => TaxMark::NothingOwed,
        },
        purpose: String::new(),
        deal: Some(kind_of(one, locale)),
        income_code: income_code_of(one, reference),
    })
}

fn kind_of(one: &PaidDeal, locale: Locale) -> String {
    one.deal.record.kind_names.in_locale(locale).to_owned()
}

fn income_code_of(one: &PaidDeal, reference: &ReferenceData) -> Option<String> {
    let kind = reference.deal_kind(&one.deal.record.kind)?;
    kind.income_code().map(str::to_owned)
}
