//! Sums as people type and paste them.
//!
//! Only what is certainly a sum is read, and no character is left out of it: a sum that is read otherwise than it was meant is paid
//! otherwise. The cases are in `testdata/money-typed.json`; the pages read the same table.

use crate::{Money, MoneyError};

/// The currency behind a sum.
const HRYVNIAS: [&str; 7] = ["грн.", "грн", "гривень", "гривня", "гривні", "uah", "₴"];
/// The word behind kopiykas.
const KOPIYKAS: [&str; 5] = ["коп.", "коп", "копійка", "копійки", "копійок"];
/// The currency before a sum, with white space behind all but the sign: «грн.50» may be 50 hryvnias or 50 kopiykas.
const HRYVNIAS_BEFORE: [&str; 3] = ["грн.", "грн", "uah"];

/// Digits of a sum as they were typed, without what divides them.
pub(crate) struct TypedSum {
    /// Hryvnias; may be empty and may begin with zeros.
    pub(crate) whole: String,
    /// No, one or two decimals.
    pub(crate) fraction: String,
}

impl TypedSum {
    /// Reads digits and what divides them, with the currency before or behind: `1 234,56 грн`, `₴1,234.56`, `340 грн 50 коп.`
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let text = trimmed(&text);
        if let Some(kopiykas) = without_end(text, &KOPIYKAS) {
            return with_kopiykas(kopiykas);
        }
        if let Some(number) = without_end(text, &HRYVNIAS) {
            return number_of(number);
        }
        let number = text.strip_prefix('₴').or_else(|| {
            HRYVNIAS_BEFORE.iter().find_map(|word| {
                let rest = text.strip_prefix(word)?;
                rest.starts_with(char::is_whitespace).then_some(rest)
            })
        });
        number_of(number.map_or(text, trimmed))
    }

    fn sum(&self) -> Result<Money, MoneyError> {
        let whole = match self.whole.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        // Each is a plain decimal number, so all that can be wrong is its size.
        let sum = Money::parse_decimal(&format!("{whole}.{:0<2}", self.fraction))
            .map_err(|_| MoneyError::TooLarge)?;
        if sum.is_zero() {
            Err(MoneyError::Zero)
        } else {
            Ok(sum)
        }
    }
}

impl Money {
    /// Reads a sum that somebody has typed or pasted: `1 234,56`, `1234.56`, `1,234.56 UAH`, `1.234,56 грн`, `340 грн 50 коп.`
    ///
    /// One separator before three digits («1,234») may be of thousands or of decimals, so it is refused. What the keyboard's other
    /// layout makes of a point («340ю50»), and the hyphen of accountants («340-50»), is refused too: only a field of the page reads it,
    /// and says so.
    ///
    /// # Errors
    /// [`MoneyError::Empty`] for nothing but a currency, [`MoneyError::Zero`], [`MoneyError::TooLarge`], and
    /// [`MoneyError::NotDecimal`] for everything that is not certainly a sum.
    pub fn parse_typed(text: &str) -> Result<Self, MoneyError> {
        let lower = text.to_lowercase();
        let bare = trimmed(&lower);
        if bare.is_empty() || HRYVNIAS.contains(&bare) {
            return Err(MoneyError::Empty);
        }
        TypedSum::read(text).ok_or(MoneyError::NotDecimal)?.sum()
    }
}

/// Removes white space and the invisible characters that copying brings from both ends. Characters that turn the order of what
/// stands between them are not removed: such a text shows another sum than it holds.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|sign: char| {
        sign.is_whitespace()
            || matches!(
                sign,
                '\u{ad}' | '\u{61c}' | '\u{200b}'
                    ..='\u{200f}'
                        | '\u{202a}'
                        | '\u{202c}'
                        | '\u{2060}'
                        | '\u{2066}'
                        | '\u{2068}'
                        | '\u{2069}'
                        | '\u{feff}'
            )
    })
}

/// Returns what stands before one of these words at the end.
fn without_end<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let rest = words.iter().find_map(|word| text.strip_suffix(word));
    rest.map(trimmed)
}

/// Reads «340 грн 50», of which the word of the kopiykas was removed.
fn with_kopiykas(text: &str) -> Option<TypedSum> {
    let rest = text.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let kopiykas = text.strip_prefix(rest)?;
    let whole = whole_of(without_end(trimmed(rest), &HRYVNIAS)?)?;
    matches!(kopiykas.len(), 1..=2).then(|| TypedSum {
        whole,
        fraction: format!("{kopiykas:0>2}"),
    })
}

fn number_of(text: &str) -> Option<TypedSum> {
    plain_number(text)
        .or_else(|| grouped_number(text, ',', '.'))
        .or_else(|| grouped_number(text, '.', ','))
}

/// Reads «1234,56», «1 234.5», «340,» and «,50».
fn plain_number(text: &str) -> Option<TypedSum> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_fraction = fraction.len() <= 2 && are_digits(fraction);
    let whole = if whole.is_empty() && !fraction.is_empty() {
        String::new()
    } else {
        whole_of(whole)?
    };
    is_fraction.then(|| TypedSum {
        whole,
        fraction: fraction.to_owned(),
    })
}

/// Reads `1,234.56` and `1,234,567`, or the same with point and comma exchanged. `1,234` is left: it may have three decimals.
fn grouped_number(text: &str, separator: char, decimal: char) -> Option<TypedSum> {
    let (whole, fraction) = text.split_once(decimal).unwrap_or((text, ""));
    let is_certain = match fraction.len() {
        0 => whole.len() == text.len() && whole.matches(separator).count() >= 2,
        length => length <= 2 && are_digits(fraction),
    };
    let whole = joined_groups(whole, |sign| sign == separator)?;
    is_certain.then(|| TypedSum {
        whole,
        fraction: fraction.to_owned(),
    })
}

/// Reads whole hryvnias: digits, or groups of three with a space or an apostrophe between.
fn whole_of(text: &str) -> Option<String> {
    if !text.is_empty() && are_digits(text) {
        return Some(text.to_owned());
    }
    joined_groups(text, is_space).or_else(|| joined_groups(text, |sign| matches!(sign, '\'' | '’')))
}

/// Joins groups of three digits, of which the first may be shorter.
fn joined_groups(text: &str, is_separator: impl Fn(char) -> bool) -> Option<String> {
    let mut groups = text.split(is_separator);
    let first = groups.next()?;
    let mut joined = first.to_owned();
    if !(1..=3).contains(&first.len()) || !are_digits(first) || first.starts_with('0') {
        return None;
    }
    for group in groups {
        if group.len() != 3 || !are_digits(group) {
            return None;
        }
        joined.push_str(group);
    }
    (joined.len() > first.len()).then_some(joined)
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a character is a space of a line. A tab or a line end divides two cells of a table.
const fn is_space(sign: char) -> bool {
    matches!(
        sign,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}
