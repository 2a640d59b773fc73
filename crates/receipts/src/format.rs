//! Formats of times, names and lists.

use cabinet_domain::kyiv_time;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::wording::Wording;

/// Formats day and time in Kyiv: `20.11.2026 10:21:33`.
pub(crate) fn moment(at: Timestamp) -> String {
    kyiv_time(at).strftime("%d.%m.%Y\u{a0}%H:%M:%S").to_string()
}

/// Formats the day in Kyiv: `20.11.2026`.
pub(crate) fn day(at: Timestamp) -> String {
    kyiv_time(at).strftime("%d.%m.%Y").to_string()
}

/// Formats a day: `20.11.2026`.
pub(crate) fn date(day: Date) -> String {
    day.strftime("%d.%m.%Y").to_string()
}

/// Joins the parts that are not empty.
pub(crate) fn joined(parts: &[&str], separator: &str) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(separator)
}

/// Formats name and code of a person or organisation.
pub(crate) fn named(name: &str, code: &str, words: &Wording) -> String {
    let code = code.trim();
    let code = if code.is_empty() {
        String::new()
    } else {
        format!("{}\u{a0}{code}", words.code)
    };
    joined(&[name, &code], ", ")
}

/// Formats the name of a payment system: acquirers write `visa` for Visa.
pub(crate) fn brand(payment_system: &str) -> String {
    let mut letters = payment_system.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
