//! `POST /cart/sheet/read`: what of the rows is right, and what is to be mended.

use std::collections::HashMap;

use cabinet_domain::{Key, Locale, Money, NotaryId, Price, SheetColumn, kyiv_date};
use cabinet_reference::ReferenceData;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::cells::SheetRow;
use super::payment::SheetPayment;
use super::recognise::{Recogniser, column_of_field};
use crate::cart::Cart;
use crate::cart::add::is_added;
use crate::cart::check::check;
use crate::cart::content::content_of;
use crate::cart::own_codes::Own;
use crate::kernel::keys::{Digest, RowDigest};
use crate::kernel::refusal::{Detail, RefusalKind, Result};

/// What is wrong with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cell.
    pub column: SheetColumn,
    /// Why.
    pub key: Key,
}

/// What was found of a row.
#[derive(Clone, Debug)]
pub struct RowReport {
    /// The row.
    pub row: SheetRow,
    /// What is to be mended. Empty exactly where there is a payment.
    pub findings: Vec<Finding>,
    /// The payment, if nothing is to be mended.
    pub payment: Option<SheetPayment>,
    /// The right price, where the row has another sum.
    pub price: Option<Price>,
    /// The same payment was added from a sheet within the last 30 days.
    pub is_added: bool,
    /// The number of the earlier row with the same payment.
    pub repeats: Option<u32>,
}

/// A row, held against the rules of the form.
pub(super) struct CheckedRow {
    pub(super) result: Result<SheetPayment, Vec<Finding>>,
    pub(super) price: Option<Price>,
    /// Nothing is wrong but the sum on the screen.
    pub(super) is_conflict: bool,
}

/// Checks a row by the rules of the form. `shown` is the sum of one unit on the screen.
pub(super) fn check_row(
    row: &SheetRow,
    shown: Option<Money>,
    (reference, own): (&ReferenceData, &Own),
    now: Timestamp,
) -> CheckedRow {
    let recogniser = Recogniser {
        reference,
        own,
        today: kyiv_date(now),
    };
    let mut recognised = recogniser.row(&row.cells);
    recognised.request.sum = shown;
    let finding = |(field, key): (&str, Key)| Finding {
        column: column_of_field(field),
        key,
    };
    let mut price = None;
    let mut is_conflict = false;
    let errors = recognised.errors;
    let checked = check(
        &recognised.request,
        errors.clone(),
        reference,
        &own.codes,
        now,
    );
    let result = match (checked, recognised.count) {
        (Ok(checked), Some(count)) => {
            let content = content_of(&checked, count);
            match content.total() {
                Ok(_) => Ok(SheetPayment {
                    inn: checked.inn,
                    full_name: checked.full_name,
                    content,
                }),
                Err(error) => Err(vec![finding(("amount", error.key()))]),
            }
        }
        (Ok(_), None) => Err(errors.iter().map(finding).collect()),
        (Err(refusal), _) => {
            is_conflict = refusal.kind == RefusalKind::Conflict;
            if let Some(Detail::Price(right)) = refusal.detail {
                price = Some(right);
            }
            let mut findings: Vec<Finding> = refusal.errors.iter().map(finding).collect();
            if findings.is_empty() {
                findings.push(finding(("payment_type", refusal.key)));
            }
            Err(without_what_follows(findings))
        }
    };
    CheckedRow {
        result,
        price,
        is_conflict,
    }
}

/// Leaves out what can't be said yet. Which terms there are follows from the service, and which recipients from the region and the
/// term: while one of these is wrong, nothing is said of what follows from it.
fn without_what_follows(mut findings: Vec<Finding>) -> Vec<Finding> {
    let is_wrong = |column| findings.iter().any(|finding| finding.column == column);
    let is_service_wrong = is_wrong(SheetColumn::Service);
    let is_place_wrong = is_wrong(SheetColumn::Term) || is_wrong(SheetColumn::Region);
    findings.retain(|finding| match finding.column {
        SheetColumn::Term => !is_service_wrong,
        SheetColumn::Recipient => !is_place_wrong,
        _ => true,
    });
    findings
}

impl Cart {
    /// Says of each row what is right and what is to be mended, with the names that the language has. Stores nothing.
    pub async fn report_of_sheet(
        &self,
        notary: NotaryId,
        rows: Vec<SheetRow>,
        locale: Locale,
    ) -> Result<Vec<RowReport>> {
        let now = self.clock.now();
        let reference = self.reference.current()?;
        let own = self.own(notary).await?;
        let recogniser = Recogniser {
            reference: &reference,
            own: &own,
            today: kyiv_date(now),
        };
        let rows: Vec<SheetRow> = rows
            .into_iter()
            .map(|SheetRow { number, cells }| SheetRow {
                number,
                cells: recogniser.in_language(cells, locale),
            })
            .collect();
        let checked: Vec<CheckedRow> = rows
            .iter()
            .map(|row| check_row(row, None, (&reference, &own), now))
            .collect();
        let digests: Vec<Option<RowDigest>> = checked
            .iter()
            .map(|row| Some(row.result.as_ref().ok()?.digest(notary, &self.keys)))
            .collect();
        let asked = digests.clone();
        let read = move |tx: &mut Tx| added(tx, notary, &asked);
        let added = self.store.read(read).await?;
        let mut first: HashMap<Digest, u32> = HashMap::new();
        let reports = rows.into_iter().zip(checked).zip(digests).zip(added);
        Ok(reports
            .map(|(((row, checked), digest), is_added)| {
                let number = row.number;
                let earlier = digest.map(|digest| *first.entry(digest.current).or_insert(number));
                let (findings, payment) = match checked.result {
                    Ok(payment) => (Vec::new(), Some(payment)),
                    Err(findings) => (findings, None),
                };
                RowReport {
                    row,
                    findings,
                    payment,
                    price: checked.price,
                    is_added,
                    repeats: earlier.filter(|earlier| *earlier != number),
                }
            })
            .collect())
    }
}

/// Returns for each payment whether it was added before.
fn added(
    tx: &mut Tx,
    notary: NotaryId,
    digests: &[Option<RowDigest>],
) -> Result<Vec<bool>, StorageError> {
    let known = digests.iter().map(|digest| match digest {
        Some(digest) => is_added(tx, notary, digest),
        None => Ok(false),
    });
    known.collect()
}
