//! The code of a client (`inn`): tax id, EDRPOU, ID card or passport.

use std::fmt;

use crate::Key;
use crate::kernel::text::without_white_space;

/// Characters of a code that its mask shows.
const MASK_SHOWS: usize = 3;

/// Digits at the end of a code by which whoever knows it opens a receipt. Each of the four forms ends with so many.
const LAST_DIGITS: usize = 4;

/// A client's code in one of the four forms (specification, point 5), normalised: no white space, letters in upper case
/// and Cyrillic (specification, "Readings: identifiers").
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inn {
    text: String,
    kind: InnKind,
}

/// Which of the four forms a client's code has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InnKind {
    /// Tax id of a person: 10 digits.
    TaxId,
    /// Number of an ID card: 9 digits.
    IdCard,
    /// Code of a legal entity (EDRPOU): 8 digits.
    Edrpou,
    /// Series and number of a passport: two Cyrillic letters and 6 digits.
    Passport,
}

/// A hint about a code that is accepted nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnHint {
    /// The check digit is wrong. Some documents in force have such a code, so it does not block.
    WrongCheckDigit,
}

/// A parsed code, and what was corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnReading {
    /// The code.
    pub inn: Inn,
    /// Whether Latin letters that look like Cyrillic ones were replaced; the form says so.
    pub latin_letters_replaced: bool,
}

impl Inn {
    /// Parses a code; see [`Inn::read`].
    ///
    /// # Errors
    /// As [`Inn::read`].
    pub fn parse(text: &str) -> Result<Self, Key> {
        Self::read(text).map(|reading| reading.inn)
    }

    /// Parses a code: white space is removed, letters become upper case, Latin look-alikes become Cyrillic.
    ///
    /// # Errors
    /// Returns [`Key::ClientInnRequired`] for an empty text, [`Key::ClientInnFormatInvalid`] for none of the four
    /// forms, [`Key::ClientInnSameDigits`] for ten equal digits.
    pub fn read(text: &str) -> Result<InnReading, Key> {
        let bare = without_white_space(text);
        if bare.is_empty() {
            return Err(Key::ClientInnRequired);
        }
        let (code, latin_letters_replaced) = to_cyrillic_capitals(&bare);
        let kind = kind_of(&code).ok_or(Key::ClientInnFormatInvalid)?;
        if kind == InnKind::TaxId && has_equal_digits(&code) {
            return Err(Key::ClientInnSameDigits);
        }
        Ok(InnReading {
            inn: Self { text: code, kind },
            latin_letters_replaced,
        })
    }

    /// Returns the normalised code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the code with all but its last three characters hidden: `•••••••575`.
    #[must_use]
    pub fn masked(&self) -> String {
        let hidden = self.text.chars().count().saturating_sub(MASK_SHOWS);
        let mask = |(place, character)| if place < hidden { '•' } else { character };
        self.text.chars().enumerate().map(mask).collect()
    }

    /// Returns the last four digits: of a tax id or a legal entity's code, else of the document's number.
    #[must_use]
    pub fn last_digits(&self) -> &str {
        let at = self.text.len().saturating_sub(LAST_DIGITS);
        self.text.get(at..).unwrap_or_default()
    }

    /// Returns its form.
    #[must_use]
    pub const fn kind(&self) -> InnKind {
        self.kind
    }

    /// Returns a hint if the check digit of a tax id or an EDRPOU is wrong; documents have none. It never blocks.
    #[must_use]
    pub fn check(&self) -> Option<InnHint> {
        check_digit_hint(self.kind, &self.text)
    }
}

/// Hides the code: it names a person.
impl fmt::Debug for Inn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inn({:?}, …)", self.kind)
    }
}

/// Returns the text in upper case with Latin look-alikes replaced by Cyrillic letters, and whether any were replaced.
///
/// Letters that macOS pastes as a base and a combining mark (І and ¨, И and ˘) are composed.
pub(crate) fn to_cyrillic_capitals(text: &str) -> (String, bool) {
    let mut code = String::with_capacity(text.len());
    let mut replaced = false;
    for character in text.chars().flat_map(char::to_uppercase) {
        match (code.chars().next_back(), character) {
            (Some('І'), '\u{308}') => {
                code.pop();
                code.push('Ї');
            }
            (Some('И'), '\u{306}') => {
                code.pop();
                code.push('Й');
            }
            _ => {
                let cyrillic = cyrillic_look_alike(character);
                replaced |= cyrillic.is_some();
                code.push(cyrillic.unwrap_or(character));
            }
        }
    }
    (code, replaced)
}

/// Returns the Cyrillic capital that looks like this Latin one.
pub(crate) const fn cyrillic_look_alike(latin: char) -> Option<char> {
    Some(match latin {
        'A' => 'А',
        'B' => 'В',
        'C' => 'С',
        'E' => 'Е',
        'H' => 'Н',
        'I' => 'І',
        'K' => 'К',
        'M' => 'М',
        'O' => 'О',
        'P' => 'Р',
        'T' => 'Т',
        'X' => 'Х',
        'Ï' => 'Ї',
        _ => return None,
    })
}

/// Returns a hint if a code of this form has a wrong check digit. Documents have none.
pub(crate) fn check_digit_hint(kind: InnKind, code: &str) -> Option<InnHint> {
    let fits = match kind {
        InnKind::TaxId => tax_id_check_digit_fits(code),
        InnKind::Edrpou => edrpou_check_digit_fits(code),
        InnKind::IdCard | InnKind::Passport => true,
    };
    (!fits).then_some(InnHint::WrongCheckDigit)
}

/// Returns the form of a code, if it has any.
pub(crate) fn kind_of(code: &str) -> Option<InnKind> {
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    match code.len() {
        10 if all_digits(code) => return Some(InnKind::TaxId),
        9 if all_digits(code) => return Some(InnKind::IdCard),
        8 if all_digits(code) => return Some(InnKind::Edrpou),
        _ => {}
    }
    let mut rest = code.chars();
    let two_letters = rest
        .by_ref()
        .take(2)
        .filter(|letter| is_series_letter(*letter))
        .count()
        == 2;
    let number = rest.as_str();
    (two_letters && number.len() == 6 && all_digits(number)).then_some(InnKind::Passport)
}

/// А-Я, І, Ї, Є (specification, point 5) and Ґ (specification, "Readings: identifiers").
const fn is_series_letter(letter: char) -> bool {
    matches!(letter, 'А'..='Я' | 'І' | 'Ї' | 'Є' | 'Ґ')
}

/// Returns whether all digits of a code are equal.
fn has_equal_digits(code: &str) -> bool {
    code.bytes()
        .next()
        .is_some_and(|first| code.bytes().all(|byte| byte == first))
}

/// Returns the values of the digits and the check digit; `None` if the code has another length.
fn digits_and_check_digit<const DIGITS: usize>(code: &str) -> Option<([i64; DIGITS], i64)> {
    let (head, last) = code.split_at_checked(DIGITS)?;
    let mut digits = [0; DIGITS];
    if head.len() != DIGITS || last.len() != 1 {
        return None;
    }
    for (place, digit) in digits.iter_mut().zip(head.chars()) {
        *place = i64::from(digit.to_digit(10)?);
    }
    Some((digits, i64::from(last.chars().next()?.to_digit(10)?)))
}

/// Returns the weighted sum of digits.
fn weighted<const DIGITS: usize>(digits: [i64; DIGITS], weights: [i64; DIGITS]) -> i64 {
    digits
        .into_iter()
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum()
}

/// Returns whether the check digit of a tax id is right: `(weighted sum mod 11) mod 10`, the remainder not negative.
fn tax_id_check_digit_fits(code: &str) -> bool {
    const WEIGHTS: [i64; 9] = [-1, 5, 7, 9, 4, 6, 10, 5, 7];
    digits_and_check_digit(code)
        .is_some_and(|(digits, last)| weighted(digits, WEIGHTS).rem_euclid(11) % 10 == last)
}

/// Returns whether the check digit of an EDRPOU is right.
///
/// The weights are 1 to 7, rotated by one for codes from 30000000 to 60000000. A remainder of 10 requires a second pass
/// with every weight larger by two; 10 again means 0.
fn edrpou_check_digit_fits(code: &str) -> bool {
    const OUTER: [i64; 7] = [1, 2, 3, 4, 5, 6, 7];
    const INNER: [i64; 7] = [7, 1, 2, 3, 4, 5, 6];
    let Some((digits, last)) = digits_and_check_digit(code) else {
        return false;
    };
    let weights = if ("30000000"..="60000000").contains(&code) {
        INNER
    } else {
        OUTER
    };
    let first_pass = weighted(digits, weights) % 11;
    let check_digit = if first_pass < 10 {
        first_pass
    } else {
        weighted(digits, weights.map(|weight| weight + 2)) % 11 % 10
    };
    check_digit == last
}
