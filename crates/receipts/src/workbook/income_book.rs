//! The income book.

use cabinet_domain::{Balance, BookSums, IncomeEntry, Locale, Month, Period, Quarter, book_sums};

use super::WorkbookError;
use super::columns::Cell;
use super::sheet::Sheet;
use super::words::BookWords;

/// An entry of the book with what explains it.
#[derive(Clone, Debug)]
pub struct BookRow {
    /// The entry.
    pub entry: IncomeEntry,
    /// The client's name.
    pub client_name: String,
    /// The client's code.
    pub client_code: String,
    /// The service.
    pub service: Option<String>,
    /// The order's short number.
    pub order_number: i64,
    /// The number of the transfer's document.
    pub document_number: i64,
}

/// Widths of the columns, and whether they have numbers.
const COLUMNS: [(u8, bool); 11] = [
    (32, false),
    (14, true),
    (14, true),
    (14, true),
    (28, false),
    (14, true),
    (30, false),
    (13, false),
    (36, false),
    (13, true),
    (13, true),
];

/// Makes the book of a period: an entry a row, by day and document; the totals of each month, quarter and year after their last
/// entry; and notes. The same rows give the same bytes, in whatever order they come.
///
/// # Errors
/// [`WorkbookError`].
pub fn income_book(
    mut rows: Vec<BookRow>,
    period: Period,
    locale: Locale,
) -> Result<Vec<u8>, WorkbookError> {
    rows.sort_by_key(|row| (row.entry.day, row.document_number, row.entry));
    let words = BookWords::of(locale);
    let heads = words.columns.into_iter().zip(COLUMNS);
    let heads = heads.map(|(heading, (width, is_number))| (heading, width, is_number));
    let mut sheet = Sheet::begin(words.sheet, heads.collect())?;
    let entries: Vec<IncomeEntry> = rows.iter().map(|row| row.entry).collect();
    let months = book_sums(&entries, Month::of);
    let quarters = book_sums(&entries, |day| Month::of(day).quarter());
    let years = book_sums(&entries, |day| day.year());
    let mut rows = rows.iter().peekable();
    while let Some(row) = rows.next() {
        add(&mut sheet, row, words)?;
        let month = Month::of(row.entry.day);
        let next = rows.peek().map(|next| Month::of(next.entry.day));
        if next == Some(month) {
            continue;
        }
        let label = format!("{} {:02}.{}", words.total_of, month.number(), month.year());
        add_sums(&mut sheet, &label, months.get(&month))?;
        if next.map(Month::quarter) != Some(month.quarter()) {
            let label = label_of_quarter(month.quarter(), words);
            add_sums(&mut sheet, &label, quarters.get(&month.quarter()))?;
        }
        if next.map(Month::year) != Some(month.year()) {
            let label = format!("{} {}{}", words.total_of, month.year(), words.year);
            add_sums(&mut sheet, &label, years.get(&month.year()))?;
        }
    }
    let all = book_sums(&entries, |_| ());
    add_sums(
        &mut sheet,
        words.all,
        Some(all.get(&()).unwrap_or(&BookSums::default())),
    )?;
    sheet.finish(words.notes, period.to())
}

fn label_of_quarter(quarter: Quarter, words: &BookWords) -> String {
    let name = words
        .quarters
        .into_iter()
        .zip(1_i8..)
        .find_map(|(name, number)| (number == quarter.number()).then_some(name));
    format!(
        "{} {} {}{}",
        words.total_of,
        name.unwrap_or_default(),
        quarter.year(),
        words.of_year
    )
}

fn add(sheet: &mut Sheet, row: &BookRow, words: &BookWords) -> Result<(), WorkbookError> {
    let entry = &row.entry;
    let sum = |sum: cabinet_domain::Money| match sum.is_zero() {
        true => Cell::Maybe(None),
        false => Cell::Sum(sum),
    };
    let document = (!entry.commission.is_zero())
        .then(|| format!("{}{}", words.commission_document, row.order_number));
    sheet.row(vec![
        Cell::Day(Some(entry.day)),
        sum(entry.income),
        sum(entry.returned),
        Cell::Balance(entry.difference()),
        Cell::Maybe(document.as_deref()),
        sum(entry.commission),
        Cell::Text(&row.client_name),
        Cell::Text(&row.client_code),
        Cell::Maybe(row.service.as_deref()),
        Cell::Number(row.order_number),
        Cell::Number(row.document_number),
    ])
}

fn add_sums(sheet: &mut Sheet, label: &str, sums: Option<&BookSums>) -> Result<(), WorkbookError> {
    let Some(sums) = sums else { return Ok(()) };
    let sums: [(u16, Balance); 4] = [
        (1, sums.income),
        (2, sums.returned),
        (3, sums.difference()),
        (5, sums.commission),
    ];
    sheet.totals(label, &sums)
}
