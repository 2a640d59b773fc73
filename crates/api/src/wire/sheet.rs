//! Rows of a sheet of payments on the wire.

use std::collections::BTreeMap;

use cabinet_app::cart::sheet::{RowReport, SheetPayment};
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::Locale;
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{Choices, PaymentType};
use super::message_key::MessageKey;
use super::price::Price;
use super::sums::{Hryvnias, broken_sum};

/// What was found of a row.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetRowReport {
    /// Its number in the sheet.
    pub number: u32,
    /// The texts of its cells by column, known names in the language of the call. Empty cells are missing.
    pub cells: BTreeMap<String, String>,
    /// What is to be mended, by column. Empty exactly where `payment` is there.
    pub findings: Vec<SheetFinding>,
    /// The payment, if nothing is to be mended.
    pub payment: Option<SheetPaymentView>,
    /// The right price, where the row has another sum.
    pub price: Option<Price>,
    /// The same payment was added from a sheet within the last 30 days. It is added again only with `again`.
    pub added_before: bool,
    /// The number of the earlier row with the same payment. It is added as well only with `again`.
    pub repeats: Option<u32>,
}

/// What is to be mended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetFinding {
    /// The column.
    pub column: String,
    /// Why.
    pub message: MessageKey,
}

/// A payment as a row was understood.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetPaymentView {
    /// The client's code, as it would be stored.
    pub inn: String,
    /// The client's name.
    pub full_name: String,
    /// Kind.
    pub payment_type: PaymentType,
    /// Service.
    pub option: Option<String>,
    /// Term.
    pub term: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// The recipient's name.
    pub recipient: Option<String>,
    /// The recipient's account.
    pub iban: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: i64,
    /// What the recipients get for one unit, without commission.
    pub sum_base: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// `sum_base` + `commission`.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

impl SheetRowReport {
    /// Converts the report.
    ///
    /// # Errors
    /// Returns an error when a sum overflows.
    pub fn of(report: RowReport, locale: Locale) -> Result<SheetRowReport, AppError> {
        let cells = report.row.cells.iter();
        let findings = report.findings.iter().map(|finding| SheetFinding {
            column: finding.column.as_str().to_owned(),
            message: MessageKey(finding.key),
        });
        let payment = report.payment.as_ref();
        let payment = payment.map(|payment| SheetPaymentView::of(payment, locale));
        Ok(SheetRowReport {
            number: report.row.number,
            cells: cells
                .map(|(column, text)| (column.as_str().to_owned(), text.to_owned()))
                .collect(),
            findings: findings.collect(),
            payment: payment.transpose()?,
            price: report.price.as_ref().map(Price::from),
            added_before: report.is_added,
            repeats: report.repeats,
        })
    }
}

impl SheetPaymentView {
    fn of(payment: &SheetPayment, locale: Locale) -> Result<SheetPaymentView, AppError> {
        let content = &payment.content;
        let choices = Choices::of(content, locale);
        let typed = content.recipient_name.as_ref();
        let typed = typed.map(|name| name.as_str().to_owned());
        let account = content.iban.as_ref();
        let account = account.map(|iban| iban.as_str().to_owned());
        let (recipient, iban) = match choices.requisite {
            Some(requisite) => (Some(requisite.name), Some(requisite.iban)),
            None => (typed, account),
        };
        Ok(SheetPaymentView {
            inn: payment.inn.as_str().to_owned(),
            full_name: payment.full_name.as_str().to_owned(),
            payment_type: choices.payment_type,
            option: choices.option.map(|chosen| chosen.name),
            term: choices.term.map(|chosen| chosen.period),
            region: choices.region.map(|region| region.name),
            recipient,
            iban,
            purpose: content.purpose.as_str().to_owned(),
            count: i64::from(content.count.get()),
            sum_base: content.price.amount.into(),
            commission: content.price.commission.into(),
            sum_full: content.price.sum.into(),
            sum_total: content.total().map_err(broken_sum)?.into(),
        })
    }
}
