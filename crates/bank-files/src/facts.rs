//! Reading the values that all files of banks have: references, sums and days.

use cabinet_domain::{BankAnswer, Line, Money, TransferId};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::temporal::DateTimeParser;
use uuid::Uuid;

/// Reads the id of a transfer, with or without hyphens. `None`: the payment is not ours, or the bank replaced the id.
pub(crate) fn transfer_id(text: &str) -> Option<TransferId> {
    Uuid::try_parse(text.trim()).ok().map(TransferId::new)
}

/// Reads the number of a document: at most ten digits. `None`: no number of ours.
pub(crate) fn document_number(text: &str) -> Option<i64> {
    let text = text.trim();
    let is_number =
        (1..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Reads a bank's reference. `None`: there is none that could be stored.
pub(crate) fn bank_reference(text: &str) -> Option<Line> {
    Line::parse(text, BankAnswer::REFERENCE_CHARS_MAX).ok()
}

/// Reads a sum such as `1234.5`, as XML and programs write it, or `1234,5`, as people do. More digits after a comma may be thousands.
pub(crate) fn sum(text: &str) -> Option<Money> {
    let text = text.trim();
    // The standard allows more digits than the currency has.
    let read = |text: &str| Money::parse_padded_decimal(text).ok();
    match text.split_once(',') {
        None => read(text),
        Some((whole, rest)) if (1..=2).contains(&rest.len()) && !whole.contains('.') => {
            read(&format!("{whole}.{rest}"))
        }
        Some(_) => None,
    }
}

/// Returns a sum in hryvnias, or one in another currency as it is shown.
pub(crate) fn sum_in(amount: Option<Money>, currency: &str) -> (Option<Money>, Option<String>) {
    if currency == "UAH" {
        return (amount, None);
    }
    let is_currency = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    let shown = |amount: Money| format!("{} {currency}", amount.decimal());
    (None, amount.filter(|_| is_currency).map(shown))
}

/// Reads a day: `2026-03-02`, also with an offset, or the day in Kyiv of a moment. A moment without an offset is in Kyiv.
pub(crate) fn day(text: &str) -> Option<Date> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(cabinet_domain::kyiv_date(moment));
    }
    // `ISODate` may end in an offset, which says nothing for a day.
    let date = text.get(..10)?;
    let rest = text.get(10..)?;
    let is_known = rest.is_empty() || rest.starts_with(['T', 'Z', '+', '-']);
    is_known
        .then(|| DateTimeParser::new().parse_date(date).ok())
        .flatten()
}
