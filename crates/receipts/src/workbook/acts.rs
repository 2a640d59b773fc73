//! The acts of a month: the commissions of each notary.

use cabinet_domain::{Balance, Month};

use super::WorkbookError;
use super::columns::Cell;
use super::sheet::Sheet;

/// The act of one notary.
#[derive(Clone, Debug)]
pub struct ActRow {
    /// The notary's name.
    pub notary_name: String,
    /// The notary's code.
    pub notary_code: Option<String>,
    /// How many payments were charged.
    pub payments: u64,
    /// The commissions that were charged.
    pub charged: Balance,
    /// The commissions that were given back.
    pub given_back: Balance,
    /// The VAT in what stays. `None`: nothing is stated about VAT, or there is none.
    pub vat: Option<Balance>,
}

impl ActRow {
    /// Returns the commission of the act: what was charged without what was given back.
    #[must_use]
    pub fn commission(&self) -> Balance {
        self.charged - self.given_back
    }
}

/// Makes the table of a month. It is for the operator's accountant and in Ukrainian.
///
/// # Errors
/// [`WorkbookError`].
pub fn acts_workbook(
    rows: &[ActRow],
    month: Month,
    vat_words: &str,
) -> Result<Vec<u8>, WorkbookError> {
    let heads = vec![
        ("Нотаріус", 40, false),
        ("Код", 13, false),
        ("Платежів", 13, true),
        ("Списано комісії, грн", 16, true),
        ("Повернено комісії, грн", 16, true),
        ("Комісія за актом, грн", 16, true),
        ("У тому числі ПДВ, грн", 16, true),
        ("ПДВ", 20, false),
    ];
    let mut sheet = Sheet::begin(&format!("Акти {month}"), heads)?;
    for row in rows {
        sheet.row(vec![
            Cell::Text(&row.notary_name),
            Cell::Maybe(row.notary_code.as_deref()),
            Cell::Number(i64::try_from(row.payments).map_err(|_| WorkbookError::Number)?),
            Cell::Balance(row.charged),
            Cell::Balance(row.given_back),
            Cell::Balance(row.commission()),
            row.vat.map_or(Cell::Maybe(None), Cell::Balance),
            Cell::Text(vat_words),
        ])?;
    }
    let sum =
        |read: fn(&ActRow) -> Option<Balance>| -> Balance { rows.iter().filter_map(read).sum() };
    let mut sums = vec![
        (3, sum(|row| Some(row.charged))),
        (4, sum(|row| Some(row.given_back))),
        (5, sum(|row| Some(row.commission()))),
    ];
    if rows.iter().any(|row| row.vat.is_some()) {
        sums.push((6, sum(|row| row.vat)));
    }
    sheet.totals("Разом", &sums)?;
    let day = month.days().map(|days| days.to());
    sheet.finish(&[], day.ok_or(WorkbookError::Time)?)
}
