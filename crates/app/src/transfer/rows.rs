//! Reading the operator's table of what banks have told of transfers.

use std::collections::BTreeMap;
use std::fmt;

use cabinet_bank_files::{EntryName, Problem};
use cabinet_domain::kernel::csv::{cells_of, separator_of};
use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{
    BankAnswer, Line, TextError, TransferId, TransferStatus, Uetr, names_payment_card,
};
use jiff::civil::Date;

use crate::transfer::mismatch::Mismatch;

/// Longest reason of a return or a release, in characters.
pub(crate) const REASON_CHARS_MAX: usize = 300;

/// A row that cannot be imported. The whole file is refused then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The line. The header is line 1.
    pub line: usize,
    /// The entry of a bank's file.
    pub entry: Option<EntryName>,
    /// What is wrong.
    pub reason: Reason,
}

impl BadRow {
    /// Returns a row that is refused.
    pub(crate) const fn new(line: usize, reason: Reason) -> BadRow {
        BadRow {
            line,
            entry: None,
            reason,
        }
    }
}

impl fmt::Display for BadRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.line)?;
        if let Some(entry) = &self.entry {
            write!(formatter, "entry {entry}: ")?;
        }
        write!(formatter, "{}", self.reason)
    }
}

/// Why a row is refused, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The header lacks a column.
    #[error("column {0} is missing")]
    ColumnMissing(&'static str),
    /// The header names a column a second time.
    #[error("column {0} stands twice")]
    ColumnTwice(&'static str),
    /// The status is given by the file and by the command.
    #[error("column status and a status for the whole file were both given")]
    StatusTwice,
    /// The file has no rows.
    #[error("the file has no rows")]
    NoRows,
    /// A quoted cell is not closed on its line.
    #[error("a quotation mark is not closed, or text follows the closing one")]
    Quotes,
    /// The row has more or fewer cells than the header.
    #[error("the row has {found} cells, the header {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// Not an id.
    #[error("transfer_id is not an id")]
    IdInvalid,
    /// The file names the transfer twice.
    #[error("the transfer stands in line {0} already")]
    Repeated(usize),
    /// Not a status that the operator may give.
    #[error("status is none of sent, credited, returned")]
    StatusInvalid,
    /// A return without its reason.
    #[error("reason is empty, and returned needs one")]
    ReasonMissing,
    /// A reason where none belongs.
    #[error("only returned has a reason")]
    ReasonWithout,
    /// A reason that cannot be stored.
    #[error(
        "reason is longer than {REASON_CHARS_MAX} characters or has characters that no text may have"
    )]
    ReasonInvalid,
    /// A reason with a full card number, which is stored nowhere.
    #[error("reason names a payment card")]
    ReasonNamesCard,
    /// There is no such transfer.
    #[error("there is no such transfer")]
    Unknown,
    /// There is no such step.
    #[error("a transfer that is {} cannot become {}", .from.as_str(), .to.as_str())]
    StepNotAllowed {
        /// What it is.
        from: TransferStatus,
        /// What it should become.
        to: TransferStatus,
    },
    /// It waits for the operator.
    #[error("it is held: cabinet transfers held, cabinet transfers release")]
    Held,
    /// Its money is being given back to the card, or was.
    #[error("its money is being given back to the card: cabinet order show")]
    BeingGivenBack,
    /// An open alarm of its order keeps it from being sent.
    #[error("an open alarm keeps the transfers of its order from being sent: {}. See cabinet order show", .0.as_str())]
    AlarmOpen(AlarmKind),
    /// It was returned before, for another reason.
    #[error("it was returned before, for another reason")]
    ReturnedOtherwise,
    /// Not an end-to-end reference.
    #[error("uetr is not a UUID of version 4")]
    UetrInvalid,
    /// The reference belongs to another transfer.
    #[error("another transfer has this uetr")]
    UetrOfAnother,
    /// A reference of the bank that cannot be stored.
    #[error(
        "bank_reference is longer than {} characters or has characters that no text may have",
        BankAnswer::REFERENCE_CHARS_MAX
    )]
    ReferenceInvalid,
    /// Not a day.
    #[error("{0} is not a day such as 2026-11-20 or 20.11.2026")]
    DayInvalid(&'static str),
    /// A day before the transfer existed, or one that is still to come.
    #[error("{0} is before the transfer was planned or still to come")]
    DayOutside(&'static str),
    /// It would have come back before it arrived.
    #[error("returned_on is before credited_on")]
    ReturnedBeforeCredited,
    /// A column that does not belong to the status.
    #[error("{} has no {column}", .status.as_str())]
    ColumnOfOtherStatus {
        /// The status of the row.
        status: TransferStatus,
        /// The column.
        column: &'static str,
    },
    /// A bank told something else before.
    #[error("another {0} was imported before")]
    ToldOtherwise(&'static str),
    /// A part of the file was sent before, so the bank would pay it twice.
    #[error(
        "it was marked as sent before, and other rows of the file were not: the bank would pay it twice. Make a new list"
    )]
    SentBefore,
    /// What a bank's file tells contradicts the transfer.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// A bank's file cannot be read.
    #[error(transparent)]
    File(#[from] Problem),
}

/// A row that was read and is not checked against the database yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line. The header is line 1.
    pub line: usize,
    /// The transfer.
    pub transfer: TransferId,
    /// Its new status.
    pub status: TransferStatus,
    /// Why it was returned.
    pub reason: Option<String>,
    /// The value date of what is sent, if the file names one.
    pub value_date: Option<Date>,
    /// What the bank tells.
    pub bank: BankAnswer,
}

/// The positions of the columns.
struct Columns {
    count: usize,
    transfer: usize,
    status: Option<usize>,
    reason: Option<usize>,
    value_date: Option<usize>,
    uetr: Option<usize>,
    bank_reference: Option<usize>,
    credited_on: Option<usize>,
    returned_on: Option<usize>,
}

/// Reads a table for [`crate::transfer::Transfers::import`].
///
/// # Errors
/// Every bad row.
pub fn read_rows(
    text: &str,
    status_of_all: Option<TransferStatus>,
) -> Result<Vec<Row>, Vec<BadRow>> {
    // Spreadsheets put a byte order mark before the first cell.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().zip(1..);
    let header = lines.next().map_or("", |(header, _)| header);
    let separator = separator_of(header);
    let of_header = |reason| vec![BadRow::new(1, reason)];
    let columns = cells_of(header, separator)
        .ok_or(Reason::Quotes)
        .and_then(|names| read_header(&names, status_of_all))
        .map_err(of_header)?;
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    let mut seen: BTreeMap<TransferId, usize> = BTreeMap::new();
    for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
        let read = cells_of(text, separator)
            .ok_or(Reason::Quotes)
            .and_then(|cells| read_row(line, &cells, &columns, status_of_all))
            .and_then(|row| match seen.insert(row.transfer, line) {
                None => Ok(row),
                Some(before) => Err(Reason::Repeated(before)),
            });
        match read {
            Ok(row) => rows.push(row),
            Err(reason) => bad.push(BadRow::new(line, reason)),
        }
    }
    if rows.is_empty() && bad.is_empty() {
        return Err(of_header(Reason::NoRows));
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

fn read_header(names: &[String], status_of_all: Option<TransferStatus>) -> Result<Columns, Reason> {
    let place = |column: &'static str| {
        let mut places = (0..).zip(names).filter(|(_, name)| name.trim() == column);
        let place = places.next().map(|(place, _)| place);
        match places.next() {
            None => Ok(place),
            Some(_) => Err(Reason::ColumnTwice(column)),
        }
    };
    let columns = Columns {
        count: names.len(),
        transfer: place("transfer_id")?.ok_or(Reason::ColumnMissing("transfer_id"))?,
        status: place("status")?,
        reason: place("reason")?,
        value_date: place("value_date")?,
        uetr: place("uetr")?,
        bank_reference: place("bank_reference")?,
        credited_on: place("credited_on")?,
        returned_on: place("returned_on")?,
    };
    match (columns.status, status_of_all) {
        (None, None) => Err(Reason::ColumnMissing("status")),
        (Some(_), Some(_)) => Err(Reason::StatusTwice),
        _ => Ok(columns),
    }
}

fn read_row(
    line: usize,
    cells: &[String],
    columns: &Columns,
    status_of_all: Option<TransferStatus>,
) -> Result<Row, Reason> {
    if cells.len() != columns.count {
        return Err(Reason::CellCount {
            expected: columns.count,
            found: cells.len(),
        });
    }
    let cell = |place: usize| cells.get(place).map_or("", |cell| cell.trim());
    let transfer = TransferId::parse(cell(columns.transfer)).ok_or(Reason::IdInvalid)?;
    let status = match columns.status {
        Some(place) => TransferStatus::parse(cell(place)),
        None => status_of_all,
    };
    let status = status
        // Only a payment plans transfers, and only its refund calls them off.
        .filter(|status| {
            matches!(
                status,
                TransferStatus::Sent | TransferStatus::Credited | TransferStatus::Returned
            )
        })
        .ok_or(Reason::StatusInvalid)?;
    let optional = |place: Option<usize>| place.map(cell).filter(|text| !text.is_empty());
    let bank = read_answer(columns, optional)?;
    for (column, day, belongs) in [
        (
            "credited_on",
            bank.credited_on,
            status != TransferStatus::Sent,
        ),
        (
            "returned_on",
            bank.returned_on,
            status == TransferStatus::Returned,
        ),
    ] {
        if day.is_some() && !belongs {
            return Err(Reason::ColumnOfOtherStatus { status, column });
        }
    }
    // The list for the bank names value dates too. They count when it is marked as sent.
    let value_date = match status {
        TransferStatus::Sent => day("value_date", optional(columns.value_date))?,
        _ => None,
    };
    Ok(Row {
        line,
        transfer,
        status,
        reason: read_reason(status, optional(columns.reason))?,
        value_date,
        bank,
    })
}

fn read_reason(status: TransferStatus, text: Option<&str>) -> Result<Option<String>, Reason> {
    let reason = match Line::parse(text.unwrap_or_default(), REASON_CHARS_MAX) {
        Ok(reason) => Some(reason.into_string()),
        Err(TextError::Empty) => None,
        Err(_) => return Err(Reason::ReasonInvalid),
    };
    match (status, &reason) {
        (TransferStatus::Returned, None) => Err(Reason::ReasonMissing),
        (TransferStatus::Returned, Some(text)) if names_payment_card(text) => {
            Err(Reason::ReasonNamesCard)
        }
        (TransferStatus::Returned, Some(_)) | (_, None) => Ok(reason),
        (_, Some(_)) => Err(Reason::ReasonWithout),
    }
}

fn read_answer<'a>(
    columns: &Columns,
    cell: impl Fn(Option<usize>) -> Option<&'a str>,
) -> Result<BankAnswer, Reason> {
    let uetr = cell(columns.uetr)
        .map(|text| Uetr::parse(text).ok_or(Reason::UetrInvalid))
        .transpose()?;
    // Not searched for a card: banks' references are long numbers, and some would look like one.
    let bank_reference = cell(columns.bank_reference)
        .map(|text| Line::parse(text, BankAnswer::REFERENCE_CHARS_MAX))
        .transpose()
        .map_err(|_| Reason::ReferenceInvalid)?;
    Ok(BankAnswer {
        uetr,
        bank_reference,
        booking_reference: None,
        credited_on: day("credited_on", cell(columns.credited_on))?,
        returned_on: day("returned_on", cell(columns.returned_on))?,
    })
}

/// Reads a day as people and programs write it in Ukraine: `2026-11-20` or `20.11.2026`.
fn day(column: &'static str, text: Option<&str>) -> Result<Option<Date>, Reason> {
    let read = |text: &str| {
        let format = if text.contains('.') {
            "%d.%m.%Y"
        } else {
            "%Y-%m-%d"
        };
        Date::strptime(format, text).map_err(|_| Reason::DayInvalid(column))
    };
    text.map(read).transpose()
}
