//! Detection of full card numbers in free text. They are refused in every field (specification,
//! "Readings: orders").

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::payment::card::{is_separator, luhn_fits};

/// Digits of the cards that are in use in Ukraine.
const CARD_DIGITS: usize = 16;
/// Digits of the cards of American Express.
const AMEX_DIGITS: usize = 15;

/// The groups in which people write a number.
const GROUPINGS: [&[usize]; 7] = [
    &[CARD_DIGITS],
    &[1; CARD_DIGITS],
    &[2; CARD_DIGITS / 2],
    &[4; CARD_DIGITS / 4],
    &[AMEX_DIGITS],
    &[1; AMEX_DIGITS],
    &[4, 6, 5],
];
/// Stands for an underscore or an invisible mark.
const UNSEEN: char = '_';

/// Returns whether a text contains the full number of a payment card: 16 digits with a prefix used in Ukraine (Visa,
/// Mastercard, PROSTIR and others), or the 15 of American Express, with a right check digit. The digits may be
/// ungrouped, single, in pairs, in groups of four, or 4-6-5 for American Express.
///
/// Digits of every script are recognised. Underscores and invisible marks may stand anywhere, also as the only thing
/// between two groups, so tidying a text never hides a number. Numbers of accounts, documents and codes in other groups
/// are not taken for a card.
#[must_use]
pub fn names_payment_card(text: &str) -> bool {
    // One character may stand for two digits.
    if text
        .chars()
        .filter(|character| character.is_numeric())
        .count()
        < AMEX_DIGITS.div_ceil(2)
    {
        return false;
    }
    plain_digits(text)
        .split(|character: char| {
            !character.is_ascii_digit() && character != UNSEEN && !joins_groups(character)
        })
        .any(|part| Part::read(part).names_card())
}

/// What stands before a digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    /// Only underscores and invisible marks, so it may be the end of a group or not.
    Unseen,
    /// The end of a group, or of the text.
    Seen,
}

/// A part of a text that is digits with gaps between them.
struct Part {
    digits: String,
    /// The gap before each digit, and the one after the last.
    gaps: Vec<Gap>,
}

impl Part {
    fn read(part: &str) -> Self {
        let (mut digits, mut gaps, mut gap) = (String::new(), Vec::new(), Gap::Seen);
        for character in part.chars() {
            if character.is_ascii_digit() {
                digits.push(character);
                gaps.push(gap);
                gap = Gap::Nothing;
            } else if character == UNSEEN {
                gap = gap.max(Gap::Unseen);
            } else {
                gap = Gap::Seen;
            }
        }
        gaps.push(Gap::Seen);
        Self { digits, gaps }
    }

    fn names_card(&self) -> bool {
        GROUPINGS
            .iter()
            .any(|groups| (0..self.digits.len()).any(|start| self.has_card_at(start, groups)))
    }

    /// Returns whether a card in these groups starts at this digit.
    fn has_card_at(&self, start: usize, groups: &[usize]) -> bool {
        let end = start + groups.iter().sum::<usize>();
        let Some(digits) = self.digits.get(start..end) else {
            return false;
        };
        let mut group_end = start;
        let ends: Vec<usize> = groups
            .iter()
            .map(|length| {
                group_end += length;
                group_end
            })
            .collect();
        let is_end = |place: usize| self.gap(place) != Gap::Nothing;
        let has_groups = (start + 1..end).all(|place| match ends.contains(&place) {
            true => is_end(place),
            false => self.gap(place) != Gap::Seen,
        });
        has_groups
            && is_end(start)
            && is_end(end)
            && is_payment_card(digits)
            && !self.goes_on(start, end, groups)
    }

    /// Returns whether a group of the same length stands before or after: more than four groups of four in a row are an
    /// account, not a card.
    fn goes_on(&self, start: usize, end: usize, groups: &[usize]) -> bool {
        let &[length, _, ..] = groups else {
            return false;
        };
        let before = (0..start).rev().find(|place| self.gap(*place) == Gap::Seen);
        let after = (end + 1..self.gaps.len()).find(|place| self.gap(*place) == Gap::Seen);
        before.is_some_and(|place| start - place == length)
            || after.is_some_and(|place| place - end == length)
    }

    fn gap(&self, place: usize) -> Gap {
        self.gaps.get(place).copied().unwrap_or(Gap::Seen)
    }
}

/// Returns whether ASCII digits are the number of a card in use, with a right check digit.
fn is_payment_card(digits: &str) -> bool {
    let is_known = match digits.as_bytes() {
        [b'2' | b'4'..=b'6' | b'9', ..] => digits.len() == CARD_DIGITS,
        [b'3', b'4' | b'7', ..] => digits.len() == AMEX_DIGITS,
        _ => false,
    };
    is_known && luhn_fits(digits)
}

/// Returns the text with the digits of every script as ASCII digits, and an underscore for each invisible mark.
fn plain_digits(text: &str) -> String {
    text.nfkc()
        .map(|character| match character.general_category() {
            _ if matches!(character, '\u{115f}' | '\u{1160}' | '\u{2800}') => UNSEEN,
            GeneralCategory::NonspacingMark
            | GeneralCategory::EnclosingMark
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse => UNSEEN,
            GeneralCategory::DecimalNumber => ascii_digit(character),
            _ => character,
        })
        .collect()
}

/// Returns the ASCII form of a decimal digit. Unicode lists the digits of a script in a row from zero to nine.
fn ascii_digit(digit: char) -> char {
    let code = u32::from(digit);
    let digits_before = (1..=code)
        .take_while(|distance| {
            char::from_u32(code - distance)
                .is_some_and(|before| before.general_category() == GeneralCategory::DecimalNumber)
        })
        .count();
    // Some scripts have several rows, one after the other.
    let value = u32::try_from(digits_before % 10).unwrap_or_default();
    char::from_digit(value, 10).unwrap_or(digit)
}

/// Returns whether a character may separate groups of a card number.
fn joins_groups(character: char) -> bool {
    is_separator(character)
        || matches!(
            character,
            '.' | '/' | '\\' | '|' | '*' | '~' | '\'' | '’' | '·' | '•' | '−'
        )
        || character.general_category() == GeneralCategory::DashPunctuation
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A digit is read by its position in a row, so every decimal digit of Unicode is tried.
    #[test]
    fn digits_of_every_script_are_read() {
        let scripts = [
            "٠١٢٣٤٥٦٧٨٩",
            "۰۱۲۳۴۵۶۷۸۹",
            "०१२३४५६७८९",
            "০১২৩৪৫৬৭৮৯",
            "๐๑๒๓๔๕๖๗๘๙",
            "᪀᪁᪂᪃᪄᪅᪆᪇᪈᪉",
            "０１２３４５６７８９",
            "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
            "𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿",
            "⁰¹²³⁴⁵⁶⁷⁸⁹",
            "₀₁₂₃₄₅₆₇₈₉",
            "⓪①②③④⑤⑥⑦⑧⑨",
        ];
        for digits in scripts {
            assert_eq!(plain_digits(digits), "0123456789", "{digits}");
        }
        let decimal =
            ('\0'..=char::MAX).filter(|c| c.general_category() == GeneralCategory::DecimalNumber);
        let (mut rows, mut next) = (0, 0);
        for digit in decimal {
            let read = ascii_digit(digit);
            assert_eq!(read.to_digit(10), Some(next % 10), "{digit:?}");
            rows += usize::from(read == '0');
            next += 1;
        }
        assert!(rows > 60);
    }
}
