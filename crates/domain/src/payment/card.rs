//! Bank cards: only what may be stored of them.
//!
//! A full card number is never stored or logged. One that arrives in full is truncated at once (specification,
//! "Readings: identifiers").

use std::fmt;

use crate::Key;
use crate::kernel::text::is_unseen_between_digits;

/// A card number of which exactly the first six and the last four digits are kept: `424242******4242`. This is the form
/// that people type and that two cards are compared in. Every value is also a [`MaskedPan`].
///
/// No value of this type ever holds more digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TruncatedPan(String);

/// A card number in any masked form, as the acquirer names a card. Its form differs from payment to payment
/// (`444403******1902`, `44414145******98`), so it is kept as it came and must not be cut by position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaskedPan(String);

/// Digits of card numbers in use, shortest and longest.
const DIGITS_MIN: usize = 13;
const DIGITS_MAX: usize = 19;
/// Digits of the number in the profile.
const PROFILE_DIGITS: usize = 16;
/// Digits kept at the beginning and at the end.
const KEPT_FIRST: usize = 6;
const KEPT_LAST: usize = 4;
/// The fewest masked digits of a mask. With fewer, the hidden ones could be computed or guessed.
const MASKED_MIN: usize = 4;

impl TruncatedPan {
    /// Parses the card of the profile: 16 digits in full (truncated at once) or already masked (`*`, `X` or `•` for a
    /// digit), with white space and hyphens between.
    ///
    /// # Errors
    /// Returns [`Key::CardPanInvalid`] unless there are 16 places with the first six and last four shown, and a full
    /// number has a right check digit (Luhn).
    pub fn parse_profile(text: &str) -> Result<Self, Key> {
        let places = places(text).ok_or(Key::CardPanInvalid)?;
        let is_full = places.bytes().all(|place| place.is_ascii_digit());
        if places.len() != PROFILE_DIGITS || (is_full && !luhn_fits(&places)) {
            return Err(Key::CardPanInvalid);
        }
        truncated(&places).ok_or(Key::CardPanInvalid)
    }

    /// Parses the mask of a saved card, of 13 to 19 places. Digits shown beyond the first six and last four are
    /// dropped.
    ///
    /// # Errors
    /// Returns [`Key::CardNumberNotAccepted`] for a full number or one with too few masked places, and
    /// [`Key::CardPanInvalid`] for anything else that is no mask.
    pub fn parse_mask(text: &str) -> Result<Self, Key> {
        let places = places(text).ok_or(Key::CardPanInvalid)?;
        let digits = places.bytes().filter(u8::is_ascii_digit).count();
        if !(DIGITS_MIN..=DIGITS_MAX).contains(&places.len()) {
            let may_be_full = digits >= DIGITS_MIN;
            return Err(if may_be_full {
                Key::CardNumberNotAccepted
            } else {
                Key::CardPanInvalid
            });
        }
        if places.len() - digits < MASKED_MIN.min(places.len() - KEPT_FIRST - KEPT_LAST) {
            return Err(Key::CardNumberNotAccepted);
        }
        truncated(&places).ok_or(Key::CardPanInvalid)
    }

    /// Returns the masked number: `424242******4242`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last four digits.
    fn last4(&self) -> &str {
        self.0
            .len()
            .checked_sub(KEPT_LAST)
            .and_then(|from| self.0.get(from..))
            .unwrap_or_default()
    }
}

impl MaskedPan {
    /// The longest mask, in characters.
    const CHARS_MAX: usize = 32;
    /// The most digits a mask shows: the first six or eight and the last four or two.
    const DIGITS_MAX: usize = KEPT_FIRST + KEPT_LAST;

    /// Parses a mask: at most 32 digits and asterisks, with at most ten digits and at least one asterisk. Returns
    /// `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let asterisks = text.bytes().filter(|byte| *byte == b'*').count();
        let fits = digits + asterisks == text.len()
            && text.len() <= Self::CHARS_MAX
            && digits <= Self::DIGITS_MAX
            && asterisks > 0;
        fits.then(|| Self(text.to_owned()))
    }

    /// Reads a mask in an answer of the acquirer. Characters other than digits and asterisks are dropped. Of a number
    /// with more than ten digits only the first six and last four are kept. Returns `None` for a text that is no mask
    /// even then.
    #[must_use]
    pub fn from_acquirer(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if digits.len() > Self::DIGITS_MAX {
            let (first, _) = digits.split_at_checked(KEPT_FIRST)?;
            let (_, last) = digits.split_at_checked(digits.len().checked_sub(KEPT_LAST)?)?;
            return Some(Self(format!("{first}******{last}")));
        }
        let is_kept = |character: &char| character.is_ascii_digit() || *character == '*';
        let mask: String = text.chars().filter(is_kept).take(Self::CHARS_MAX).collect();
        Self::parse(&mask)
    }

    /// Returns the mask.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<TruncatedPan> for MaskedPan {
    fn from(card: TruncatedPan) -> Self {
        Self(card.0)
    }
}

/// Hides the digits.
impl fmt::Debug for MaskedPan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MaskedPan(…)")
    }
}

/// Shows the last four digits, as screens do.
impl fmt::Debug for TruncatedPan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TruncatedPan(…{})", self.last4())
    }
}

/// Returns whether the check digit of a card number is right (Luhn). False for anything but digits.
#[must_use]
pub fn luhn_fits(digits: &str) -> bool {
    let mut sum = 0;
    for (index, character) in digits.chars().rev().enumerate() {
        let Some(digit) = character.to_digit(10) else {
            return false;
        };
        sum += match (index % 2, digit) {
            (0, _) => digit,
            (_, 0..=4) => digit * 2,
            _ => digit * 2 - 9,
        };
    }
    !digits.is_empty() && sum % 10 == 0
}

/// Returns whether a character is white space or a hyphen, as between groups of digits.
pub(crate) fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}'..='\u{2015}')
}

/// Returns the places of a number: digits as they are, `*` for a masked one, without separators; `None` if there are
/// other characters.
fn places(text: &str) -> Option<String> {
    text.chars()
        .filter(|character| !is_separator(*character) && !is_unseen_between_digits(*character))
        .map(|character| match character {
            '0'..='9' => Some(character),
            '*' | 'x' | 'X' | 'х' | 'Х' | '•' | '●' => Some('*'),
            _ => None,
        })
        .collect()
}

/// Keeps the first six and last four of at least 13 places; `None` if one of these is not a digit.
fn truncated(places: &str) -> Option<TruncatedPan> {
    let masked = places.len().checked_sub(KEPT_FIRST + KEPT_LAST)?;
    let (first, rest) = places.split_at_checked(KEPT_FIRST)?;
    let (_, last) = rest.split_at_checked(masked)?;
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (all_digits(first) && all_digits(last))
        .then(|| TruncatedPan(format!("{first}{}{last}", "*".repeat(masked))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> Result<String, Key> {
        TruncatedPan::parse_profile(text).map(|card| card.as_str().to_owned())
    }

    fn mask(text: &str) -> Result<String, Key> {
        TruncatedPan::parse_mask(text).map(|card| card.as_str().to_owned())
    }

    #[test]
    fn a_full_number_in_the_profile_is_truncated_at_once() {
        assert_eq!(
            profile("4242424242424242").as_deref(),
            Ok("424242******4242")
        );
        assert_eq!(
            profile("4242 4242\u{a0}4242-4242").as_deref(),
            Ok("424242******4242")
        );
        assert_eq!(profile("4242424242424241"), Err(Key::CardPanInvalid));
    }

    #[test]
    fn a_masked_number_in_the_profile_is_kept() {
        for text in [
            "424242******4242",
            "4242 42** **** 4242",
            "424242XXXXXX4242",
            "42424242••••4242",
        ] {
            assert_eq!(profile(text).as_deref(), Ok("424242******4242"), "{text}");
        }
        for text in [
            "",
            "4242",
            "4242************",
            "424242*****4242",
            "42424a******4242",
            "4242424242424242424",
        ] {
            assert_eq!(profile(text), Err(Key::CardPanInvalid), "{text}");
        }
    }

    #[test]
    fn a_saved_card_is_named_by_its_mask_alone() {
        assert_eq!(mask("444403******1902").as_deref(), Ok("444403******1902"));
        assert_eq!(mask("44440312****1902").as_deref(), Ok("444403******1902"));
        assert_eq!(mask("378282*****0005").as_deref(), Ok("378282*****0005"));
        assert_eq!(mask("400000***0000").as_deref(), Ok("400000***0000"));
        for full in [
            "4242424242424242",
            "4242424242424241",
            "4242 4242 4242 4242",
            "424242424*424242",
            "424242424***4242",
        ] {
            assert_eq!(mask(full), Err(Key::CardNumberNotAccepted), "{full}");
        }
        assert_eq!(
            mask("42424242424242424242"),
            Err(Key::CardNumberNotAccepted)
        );
        for text in ["", "*4242", "****************", "424242******42a2"] {
            assert_eq!(mask(text), Err(Key::CardPanInvalid), "{text}");
        }
    }

    #[test]
    fn any_masked_form_is_kept_as_it_came() {
        for text in [
            "444403******1902",
            "44414145******98",
            "4444**1902",
            "****",
            "4*",
            "378282*****0005",
        ] {
            assert_eq!(MaskedPan::parse(text).unwrap().as_str(), text);
        }
        let long = "*".repeat(33);
        for text in [
            "",
            "4242",
            "4242424242424242",
            "42424242424*",
            "4242 **** 4242",
            "4242XXXX4242",
            &long,
        ] {
            assert_eq!(MaskedPan::parse(text), None, "{text}");
        }
        let own = TruncatedPan::parse_profile("4242424242424242").unwrap();
        let mask = MaskedPan::from(own);
        assert_eq!(MaskedPan::parse(mask.as_str()), Some(mask.clone()));
        assert_eq!(format!("{mask:?}"), "MaskedPan(…)");
    }

    #[test]
    fn masks_of_the_acquirer_are_kept_as_they_are_and_full_numbers_are_cut() {
        let read = |text: &str| MaskedPan::from_acquirer(text).map(|pan| pan.as_str().to_owned());
        for (text, kept) in [
            ("444403******1902", "444403******1902"),
            ("44414145******98", "44414145******98"),
            ("4242424242424242", "424242******4242"),
            ("4242 4242 4242 4242", "424242******4242"),
            ("<b>4444**1902", "4444**1902"),
        ] {
            assert_eq!(read(text).as_deref(), Some(kept), "{text}");
        }
        for text in ["", "4242", "card"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_shows_the_last_four_digits() {
        let card = TruncatedPan::parse_profile("4242424242424242").unwrap();
        assert_eq!(format!("{card:?}"), "TruncatedPan(…4242)");
    }

    #[test]
    fn check_digits_of_published_test_cards_fit() {
        for number in [
            "4242424242424242",
            "4000000000000002",
            "4000000000003063",
            "378282246310005",
            "0",
        ] {
            assert!(luhn_fits(number), "{number}");
        }
        for number in ["", "4242424242424241", "424242424242424a", "1"] {
            assert!(!luhn_fits(number), "{number}");
        }
    }
}
