//! Payments as a table for a spreadsheet program (XLSX): data in, bytes out.
//!
//! Sums are numbers and times are times there, so that one can count on with them. Everything that a person typed is text,
//! whatever it begins with: no cell is ever a formula.

use cabinet_domain::{Count, Locale, Money, OrderStatus, PaymentKind, kyiv_time};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use rust_xlsxwriter::{
    Color, DocProperties, Format, FormatAlign, FormatBorder, IgnoreError, Workbook, Worksheet,
    XlsxError,
};

use crate::wording::{self, Wording};

/// One payment: a row of the table.
#[derive(Clone)]
pub struct PaymentRow {
    /// The order's short number.
    pub order_number: i64,
    /// When the order was made.
    pub created_at: Timestamp,
    /// Whose payment it is.
    pub client_name: String,
    /// The client's code.
    pub client_code: String,
    /// Kind.
    pub kind: PaymentKind,
    /// Service, where the kind has one.
    pub option: Option<String>,
    /// Term, where the kind has one.
    pub term: Option<String>,
    /// Who gets the money.
    pub recipient_name: Option<String>,
    /// The recipient's account.
    pub iban: Option<String>,
    /// The recipient's code.
    pub recipient_code: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: Count,
    /// What the recipient gets for one unit.
    pub amount: Money,
    /// Commission for one unit.
    pub commission: Money,
    /// Amount and commission of one unit.
    pub sum: Money,
    /// All units.
    pub total: Money,
    /// Where the order stands.
    pub status: OrderStatus,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// The card, masked.
    pub card: Option<String>,
}

/// Why there is no table. No variant carries personal data, so all of them may be logged.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// A time of a row cannot be shown.
    #[error("a time of a payment cannot be shown in Kyiv time")]
    Time,
    /// A number cannot be written: no sum within the limits is such a one.
    #[error("a sum cannot be written as a number")]
    Number,
    /// The library refused.
    #[error("the workbook could not be written")]
    Workbook(#[from] XlsxError),
}

/// `Archive-2026-11-21.xlsx` of one day, `Archive-2026-01-01-2026-03-31.xlsx` of a period.
#[must_use]
pub fn workbook_name(from: Date, to: Option<Date>) -> String {
    match to {
        None => format!("Archive-{from}.xlsx"),
        Some(to) => format!("Archive-{from}-{to}.xlsx"),
    }
}

/// What a column shows of a row.
enum Cell<'a> {
    Text(&'a str),
    Maybe(Option<&'a str>),
    Number(i64),
    Sum(Money),
    Time(Option<Timestamp>),
}

/// A column: its heading, its width in characters (longer text goes on in the next line of its cell), and what it shows.
struct Column {
    heading: fn(&Wording) -> &'static str,
    width: u8,
    /// Its cells stand at the right, and so does its heading.
    is_number: bool,
    cell: fn(&PaymentRow, Locale) -> Cell<'_>,
}

/// The columns in their order. The last row says how many payments there are and what they come to under two of them.
static COLUMNS: [Column; 19] = [
    Column {
        heading: |words| words.sheet_order,
        width: 17,
        is_number: true,
        cell: |row, _| Cell::Number(row.order_number),
    },
    Column {
        heading: |words| words.sheet_created,
        width: 19,
        is_number: false,
        cell: |row, _| Cell::Time(Some(row.created_at)),
    },
    Column {
        heading: |words| words.sheet_client,
        width: 30,
        is_number: false,
        cell: |row, _| Cell::Text(&row.client_name),
    },
    Column {
        heading: |words| words.sheet_client_code,
        width: 13,
        is_number: false,
        cell: |row, _| Cell::Text(&row.client_code),
    },
    Column {
        heading: |words| words.sheet_kind,
        width: 24,
        is_number: false,
        cell: |row, locale| Cell::Text(wording::sheet_kind(row.kind, locale)),
    },
    Column {
        heading: |words| words.sheet_option,
        width: 30,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.option.as_deref()),
    },
    Column {
        heading: |words| words.sheet_term,
        width: 15,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.term.as_deref()),
    },
    Column {
        heading: |words| words.sheet_recipient,
        width: 28,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.recipient_name.as_deref()),
    },
    Column {
        heading: |words| words.sheet_iban,
        width: 32,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.iban.as_deref()),
    },
    Column {
        heading: |words| words.sheet_recipient_code,
        width: 13,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.recipient_code.as_deref()),
    },
    Column {
        heading: |words| words.purpose,
        width: 46,
        is_number: false,
        cell: |row, _| Cell::Text(&row.purpose),
    },
    Column {
        heading: |words| words.sheet_count,
        width: 11,
        is_number: true,
        cell: |row, _| Cell::Number(i64::from(row.count.get())),
    },
    Column {
        heading: |words| words.sheet_amount,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.amount),
    },
    Column {
        heading: |words| words.sheet_commission,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.commission),
    },
    Column {
        heading: |words| words.sheet_sum,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.sum),
    },
    Column {
        heading: |words| words.column_total,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.total),
    },
    Column {
        heading: |words| words.sheet_status,
        width: 16,
        is_number: false,
        cell: |row, locale| Cell::Text(wording::order_status(row.status, locale)),
    },
    Column {
        heading: |words| words.paid_at,
        width: 19,
        is_number: false,
        cell: |row, _| Cell::Time(row.paid_at),
    },
    Column {
        heading: |words| words.card,
        width: 19,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.card.as_deref()),
    },
];

/// Where the last row says its words, the number of payments and what they come to.
const WORDS_COLUMN: u16 = 0;
const COUNT_COLUMN: u16 = 1;
const TOTAL_COLUMN: u16 = 15;
const LAST_COLUMN: u16 = 18;

/// Two lines of a heading, in points.
const HEADING_HEIGHT: u8 = 36;
/// One line of a row, in points.
const LINE_HEIGHT: u32 = 15;
/// More lines than this a row cannot be high.
const LINES_MAX: u32 = 27;
/// What the indent and the edges of a cell take of its width, in characters.
const CELL_EDGES: u8 = 3;
/// A4 in the numbers of the format.
const PAPER_A4: u8 = 9;
/// The columns are too many for one sheet of paper: two, side by side, each of which begins with the order's number.
const PAGES_WIDE: u16 = 2;
/// The margins of the paper in inches: left, right, top, bottom, and those of the lines above and below.
const MARGINS: [f64; 6] = [0.4, 0.4, 0.5, 0.6, 0.3, 0.3];

/// A workbook of one sheet: a heading, a row for each payment in the order given, and a last row with the number of payments
/// and the sum of their totals. The same rows give the same bytes. Each row is written when it comes, so that they need not all be in
/// memory besides.
///
/// # Errors
/// The first error of the rows, or a [`WorkbookError`].
pub fn payments_workbook<E: From<WorkbookError>>(
    rows: impl IntoIterator<Item = Result<PaymentRow, E>>,
    locale: Locale,
) -> Result<Vec<u8>, E> {
    let mut table = Table::begin(locale)?;
    for row in rows {
        table.add(&row?)?;
    }
    Ok(table.finish()?)
}

/// A workbook that is being written.
struct Table {
    workbook: Workbook,
    formats: Formats,
    locale: Locale,
    /// Rows so far; the next one stands a line below, under the heading.
    payments: u32,
    /// In kopiykas. Together the totals may be more than one sum can be, but by far no more than this number.
    total: i64,
    newest: Timestamp,
}

impl Table {
    fn begin(locale: Locale) -> Result<Table, WorkbookError> {
        let words = Wording::of(locale);
        let formats = Formats::new();
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.set_name(words.sheet_name)?;
        for (at, column) in (0..).zip(&COLUMNS) {
            sheet.set_column_width(at, column.width)?;
            let heading = if column.is_number {
                &formats.heading_of_numbers
            } else {
                &formats.heading
            };
            sheet.write_string_with_format(0, at, (column.heading)(words), heading)?;
        }
        sheet.set_row_height(0, HEADING_HEIGHT)?;
        sheet.set_freeze_panes(1, 1)?;
        sheet.set_repeat_rows(0, 0)?;
        sheet.set_repeat_columns(0, 0)?;
        sheet.set_landscape();
        sheet.set_paper_size(PAPER_A4);
        let [left, right, top, bottom, above, below] = MARGINS;
        sheet.set_margins(left, right, top, bottom, above, below);
        sheet.set_footer("&C&P / &N");
        sheet.set_print_fit_to_pages(PAGES_WIDE, 0);
        Ok(Table {
            workbook,
            formats,
            locale,
            payments: 0,
            total: 0,
            newest: Timestamp::UNIX_EPOCH,
        })
    }

    fn add(&mut self, row: &PaymentRow) -> Result<(), WorkbookError> {
        self.payments += 1;
        self.total += row.total.kopiykas();
        let paid_at = row.paid_at.unwrap_or(row.created_at);
        self.newest = self.newest.max(row.created_at).max(paid_at);
        let sheet = self.workbook.worksheet_from_index(0)?;
        let mut lines = 1;
        for (at, column) in (0..).zip(&COLUMNS) {
            let cell = (column.cell)(row, self.locale);
            if let Cell::Text(text) | Cell::Maybe(Some(text)) = cell {
                lines = lines.max(lines_of(text, column.width));
            }
            write(sheet, (self.payments, at), cell, &self.formats)?;
        }
        // Not every program makes a row as high as what is in it.
        sheet.set_row_height(self.payments, lines * LINE_HEIGHT)?;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, WorkbookError> {
        let words = Wording::of(self.locale);
        let formats = &self.formats;
        let total = number(&format!("{}.{:02}", self.total / 100, self.total % 100))?;
        let sheet = self.workbook.worksheet_from_index(0)?;
        // The last row stands outside of what is filtered and sorted.
        sheet.autofilter(0, 0, self.payments, LAST_COLUMN)?;
        let line = self.payments + 1;
        for at in 0..=LAST_COLUMN {
            sheet.write_blank(line, at, &formats.last_words)?;
        }
        let words = words.sheet_payments;
        sheet.write_string_with_format(line, WORDS_COLUMN, words, &formats.last_words)?;
        sheet.write_number_with_format(line, COUNT_COLUMN, self.payments, &formats.last_number)?;
        sheet.write_number_with_format(line, TOTAL_COLUMN, total, &formats.last_sum)?;
        // Codes are text on purpose; the program needs not point it out in each cell.
        sheet.ignore_error_range(1, 0, line, LAST_COLUMN, IgnoreError::NumberStoredAsText)?;
        let newest = TimeZone::UTC.to_datetime(self.newest);
        // The moment of making would make two tables of the same payments differ.
        self.workbook
            .set_properties(&DocProperties::new().set_creation_datetime(&newest));
        Ok(self.workbook.save_to_buffer()?)
    }
}

/// How many lines a text takes in a column, about: letters are not all of one width.
fn lines_of(text: &str, width: u8) -> u32 {
    let room = usize::from(width.saturating_sub(CELL_EDGES)).max(1);
    let (mut lines, mut filled) = (1_u32, 0);
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        let begins = filled == 0;
        if !begins && filled + 1 + letters <= room {
            filled += 1 + letters;
            continue;
        }
        // A word that is longer than a line is broken.
        let broken = letters.saturating_sub(1) / room;
        lines = lines.saturating_add(u32::try_from(broken).unwrap_or(u32::MAX));
        lines = lines.saturating_add(u32::from(!begins));
        filled = letters - broken * room;
    }
    lines.min(LINES_MAX)
}

fn write(
    sheet: &mut Worksheet,
    (line, at): (u32, u16),
    cell: Cell<'_>,
    formats: &Formats,
) -> Result<(), WorkbookError> {
    match cell {
        Cell::Text(text) | Cell::Maybe(Some(text)) => {
            sheet.write_string_with_format(line, at, text, &formats.text)?;
        }
        Cell::Number(value) => {
            let value = number(&value.to_string())?;
            sheet.write_number_with_format(line, at, value, &formats.number)?;
        }
        Cell::Sum(sum) => {
            let sum = number(&sum.decimal())?;
            sheet.write_number_with_format(line, at, sum, &formats.sum)?;
        }
        Cell::Time(Some(at_moment)) => {
            sheet.write_datetime_with_format(line, at, kyiv(at_moment)?, &formats.time)?;
        }
        Cell::Maybe(None) | Cell::Time(None) => {}
    }
    Ok(())
}

/// The number that a cell holds, read from its decimal text: the file has the shortest text of it again, so what was counted in
/// kopiykas is written to the kopiyka.
fn number(decimal: &str) -> Result<f64, WorkbookError> {
    decimal.parse().map_err(|_| WorkbookError::Number)
}

/// Date and time of day in Kyiv, in whole seconds.
fn kyiv(moment: Timestamp) -> Result<DateTime, WorkbookError> {
    kyiv_time(moment)
        .datetime()
        .with()
        .subsec_nanosecond(0)
        .build()
        .map_err(|_| WorkbookError::Time)
}

/// How cells look.
struct Formats {
    heading: Format,
    heading_of_numbers: Format,
    text: Format,
    number: Format,
    sum: Format,
    time: Format,
    last_words: Format,
    last_number: Format,
    last_sum: Format,
}

impl Formats {
    fn new() -> Formats {
        // Each program shows the separators of its own language in their place.
        let (whole, hundredths) = ("0", "#,##0.00");
        let cell = || Format::new().set_align(FormatAlign::Top);
        // A distance to the number that ends where the text begins.
        let text = || cell().set_align(FormatAlign::Left).set_indent(1);
        let heading = || {
            Format::new()
                .set_bold()
                .set_text_wrap()
                .set_align(FormatAlign::VerticalCenter)
                .set_background_color(Color::RGB(0x00F1_ECE1))
                .set_border_bottom(FormatBorder::Thin)
        };
        let last = || cell().set_bold().set_border_top(FormatBorder::Thin);
        Formats {
            heading: heading().set_align(FormatAlign::Left).set_indent(1),
            heading_of_numbers: heading().set_align(FormatAlign::Right),
            text: text().set_text_wrap(),
            number: cell().set_num_format(whole),
            sum: cell().set_num_format(hundredths),
            time: text().set_num_format("dd.mm.yyyy hh:mm:ss"),
            last_words: last(),
            last_number: last()
                .set_align(FormatAlign::Left)
                .set_indent(1)
                .set_num_format(whole),
            last_sum: last().set_num_format(hundredths),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, lines_of};

    #[test]
    fn a_row_is_as_high_as_its_longest_text() {
        for (text, width, lines) in [
            ("", 13, 1),
            ("сто", 13, 1),
            ("десять літ", 13, 1),
            ("десять літер", 13, 2),
            ("один два три чотири", 13, 2),
            ("UA213223130000026007233566001", 13, 3),
            ("код UA213223130000026007233566001", 13, 4),
        ] {
            assert_eq!(lines_of(text, width), lines, "{text}");
        }
        assert_eq!(lines_of(&"я ".repeat(5_000), 13), LINES_MAX);
    }
}
