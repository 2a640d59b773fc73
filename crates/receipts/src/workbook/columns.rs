//! The columns of the table.

use cabinet_domain::{
    Balance, Count, Line, Locale, Money, NotarialAct, OrderStatus, PaidBy, PaymentKind,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::wording::{self, Wording};

/// A payment: one row of the spreadsheet.
#[derive(Clone)]
pub struct PaymentRow {
    /// The order's short number.
    pub order_number: i64,
    /// When the order was made.
    pub created_at: Timestamp,
    /// The client's name.
    pub client_name: String,
    /// The client's code.
    pub client_code: String,
    /// The kind of payment.
    pub kind: PaymentKind,
    /// The service, if the kind has one.
    pub option: Option<String>,
    /// The term, if the kind has one.
    pub term: Option<String>,
    /// The recipient's name.
    pub recipient_name: Option<String>,
    /// The recipient's account.
    pub iban: Option<String>,
    /// The recipient's code.
    pub recipient_code: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: Count,
    /// The sum of one unit for the recipient.
    pub amount: Money,
    /// Commission for one unit.
    pub commission: Money,
    /// Sum and commission of one unit.
    pub sum: Money,
    /// What the recipient gets of the amount, for all units.
    pub to_recipient: Money,
    /// What the notary gets of the amount, for all units.
    pub to_notary: Money,
    /// The commission of all units.
    pub commission_total: Money,
    /// Sum and commission of all units: what the card is charged.
    pub total: Money,
    /// What banks have sent back of it.
    pub returned: Money,
    /// What of it was given back to the card before a bank had it.
    pub given_back: Money,
    /// The order's status.
    pub status: OrderStatus,
    /// When it was paid, or marked as paid by QR codes.
    pub paid_at: Option<Timestamp>,
    /// By what it was paid. What codes paid was charged to no card, and has no commission.
    pub paid_by: Option<PaidBy>,
    /// When the notary's part of what codes paid was credited, by the statement of her own bank.
    pub credited_on: Option<Date>,
    /// The card, masked.
    pub card: Option<String>,
    /// The notarial act that it is for.
    pub act: NotarialAct,
}

/// The content of a cell.
pub(super) enum Cell<'a> {
    Text(&'a str),
    Maybe(Option<&'a str>),
    Number(i64),
    Sum(Money),
    Balance(Balance),
    Time(Option<Timestamp>),
    Day(Option<Date>),
}

/// A column: heading, width in characters, and content. Longer text is wrapped.
pub(super) struct Column {
    pub(super) heading: fn(&Wording) -> &'static str,
    pub(super) width: u8,
    /// Whether cells and heading are right-aligned.
    pub(super) is_number: bool,
    pub(super) cell: fn(&PaymentRow, Locale) -> Cell<'_>,
}

/// The columns in their order.
pub(super) static COLUMNS: [Column; 28] = [
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
        cell: |row, locale| Cell::Text(wording::kind_name(row.kind, locale)),
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
        heading: |words| words.sheet_to_recipient,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.to_recipient),
    },
    Column {
        heading: |words| words.sheet_to_notary,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.to_notary),
    },
    Column {
        heading: |words| words.sheet_commission_total,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.commission_total),
    },
    Column {
        heading: |words| words.sheet_total,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.total),
    },
    Column {
        heading: |words| words.sheet_returned,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.returned),
    },
    Column {
        heading: |words| words.sheet_given_back,
        width: 14,
        is_number: true,
        cell: |row, _| Cell::Sum(row.given_back),
    },
    Column {
        heading: |words| words.sheet_status,
        width: 16,
        is_number: false,
        cell: |row, locale| Cell::Text(wording::paid_status(row.status, row.paid_by, locale)),
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
    Column {
        heading: |words| words.register_number,
        width: 17,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.act.register_number.as_ref().map(Line::as_str)),
    },
    Column {
        heading: |words| words.act_date,
        width: 14,
        is_number: false,
        cell: |row, _| Cell::Day(row.act.date),
    },
    Column {
        heading: |words| words.act_object,
        width: 40,
        is_number: false,
        cell: |row, _| Cell::Maybe(row.act.object.as_ref().map(Line::as_str)),
    },
    Column {
        heading: |words| words.sheet_credited,
        width: 14,
        is_number: false,
        cell: |row, _| Cell::Day(row.credited_on),
    },
];

/// The columns of the last rows: the label, the number of payments, the first of the sums and how many sums there are.
pub(super) const WORDS_COLUMN: u16 = 0;
pub(super) const COUNT_COLUMN: u16 = 1;
pub(super) const SUMS_COLUMN: u16 = 15;
pub(super) const SUMS_COUNT: usize = 6;
pub(super) const LAST_COLUMN: u16 = 27;

/// The sums of the last rows, from [`SUMS_COLUMN`] on.
pub(super) const fn sums_of(row: &PaymentRow) -> [Money; SUMS_COUNT] {
    [
        row.to_recipient,
        row.to_notary,
        row.commission_total,
        row.total,
        row.returned,
        row.given_back,
    ]
}
