//! Detection of full card numbers in free text. They are refused in every field (specification,
//! "Readings: orders").

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::card::{is_separator, luhn_fits};

/// Digits of the cards that are in use in Ukraine.
const CARD_DIGITS: usize = 16;
/// Digits of the cards of American Express.
const AMEX_DIGITS: usize = 15;

/// Returns whether a text contains the full number of a payment card: 16 digits with a prefix used in Ukraine (Visa,
/// Mastercard, PROSTIR and others), or the 15 of American Express, with a right check digit. The digits may be
/// ungrouped, single, in pairs, in groups of four, or 4-6-5 for American Express.
///
/// Digits of every script are recognised and invisible marks are ignored, so tidying a text does not change the result.
/// Numbers of accounts, documents and codes in other groups are not taken for a card.
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
        .split(|character: char| !character.is_ascii_digit() && !joins_groups(character))
        .any(|part| {
            let groups: Vec<&str> = part
                .split(joins_groups)
                .filter(|group| !group.is_empty())
                .collect();
            groups.iter().any(|group| is_payment_card(group))
                // More than four groups of four in a row are an account, not a card.
                || groups
                    .chunk_by(|one, next| one.len() == next.len())
                    .any(|run| {
                        matches!(run.first().map(|group| group.len()), Some(1 | 2 | 4))
                            && is_payment_card(&run.concat())
                    })
                || groups.windows(3).any(|run| {
                    run.iter().map(|group| group.len()).eq([4, 6, 5])
                        && is_payment_card(&run.concat())
                })
        })
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

/// Returns the text with the digits of every script as ASCII digits, without underscores and invisible marks.
fn plain_digits(text: &str) -> String {
    text.nfkc()
        .filter_map(|character| match character.general_category() {
            _ if matches!(character, '_' | '\u{115f}' | '\u{1160}' | '\u{2800}') => None,
            GeneralCategory::NonspacingMark
            | GeneralCategory::EnclosingMark
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse => None,
            GeneralCategory::DecimalNumber => Some(ascii_digit(character)),
            _ => Some(character),
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
