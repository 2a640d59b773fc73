//! Bank cards: only what may be kept of them.
//!
//! Readings, "`card_pan`" and "`pan`": a full card number is never stored or logged anywhere; what still comes in full
//! is truncated at once.

use std::fmt;

use crate::Key;
use crate::text::is_invisible;

/// A card number with its first six and last four digits, the rest masked: `424242******4242`.
///
/// No value of this type ever holds more digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaskedCard(String);

/// Whose card it is, guessed from the first digit (specification, point 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CardBrand {
    /// 4.
    Visa,
    /// 5.
    Mastercard,
    /// 3.
    AmEx,
    /// Any other digit.
    Card,
}

/// Digits of card numbers in use, shortest and longest.
const DIGITS_MIN: usize = 13;
const DIGITS_MAX: usize = 19;
/// Digits of the cards that are in use in Ukraine.
const CARD_DIGITS: usize = 16;
/// Digits of the number in the profile.
const PROFILE_DIGITS: usize = 16;
/// Digits kept at the beginning and at the end.
const KEPT_FIRST: usize = 6;
const KEPT_LAST: usize = 4;
/// The fewest masked digits that make a number a mask: with fewer, the missing ones could be computed or guessed.
const MASKED_MIN: usize = 4;

impl MaskedCard {
    /// Reads the card of the profile: 16 digits in full (truncated at once) or already masked (`*`, `X` or `•` for a
    /// digit), with white space and hyphens between.
    ///
    /// # Errors
    /// [`Key::CardPanInvalid`] where it is not 16 places with the first six and last four shown, or a full number has
    /// a wrong check digit (Luhn).
    pub fn parse_profile(text: &str) -> Result<Self, Key> {
        let places = places(text).ok_or(Key::CardPanInvalid)?;
        let is_full = places.bytes().all(|place| place.is_ascii_digit());
        if places.len() != PROFILE_DIGITS || (is_full && !luhn_fits(&places)) {
            return Err(Key::CardPanInvalid);
        }
        truncated(&places).ok_or(Key::CardPanInvalid)
    }

    /// Reads the mask of a saved card, of 13 to 19 places. Digits shown beyond the first six and last four are dropped.
    ///
    /// # Errors
    /// [`Key::CardNumberNotAccepted`] for a full number, or one with so few masked places that it is as good as full;
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

    /// The masked number: `424242******4242`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last four digits.
    #[must_use]
    pub fn last4(&self) -> &str {
        self.0
            .len()
            .checked_sub(KEPT_LAST)
            .and_then(|from| self.0.get(from..))
            .unwrap_or_default()
    }

    /// Whose card it is.
    #[must_use]
    pub fn brand(&self) -> CardBrand {
        match self.0.as_bytes().first() {
            Some(b'4') => CardBrand::Visa,
            Some(b'5') => CardBrand::Mastercard,
            Some(b'3') => CardBrand::AmEx,
            _ => CardBrand::Card,
        }
    }
}

impl CardBrand {
    /// The name that people know.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Visa => "Visa",
            Self::Mastercard => "Mastercard",
            Self::AmEx => "AmEx",
            Self::Card => "Card",
        }
    }
}

/// Shows the last four digits, as screens do.
impl fmt::Debug for MaskedCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MaskedCard(…{})", self.last4())
    }
}

/// Whether a card number's last digit fits the others (Luhn). False for anything but digits.
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

/// Whether a text holds a full card number: 13 to 19 digits in a row with a right check digit, perhaps grouped by
/// single spaces or hyphens.
///
/// For fields that may carry a card and for scanning what was stored or logged. One in ten other numbers of that length
/// passes too, so it must not refuse free text.
#[must_use]
pub fn looks_like_full_card(text: &str) -> bool {
    let mut run = String::new();
    let mut after_separator = false;
    for character in text.chars() {
        if character.is_ascii_digit() {
            run.push(character);
            after_separator = false;
        } else if is_separator(character) && !after_separator && !run.is_empty() {
            after_separator = true;
        } else {
            if is_card_number(&run) {
                return true;
            }
            run.clear();
            after_separator = false;
        }
    }
    is_card_number(&run)
}

/// Whether a free text names a payment card: 16 digits written as one number or as four groups of four, that begin as
/// the cards used in Ukraine do (Visa, Mastercard, PROSTIR and others) and have a right check digit.
///
/// Far stricter than [`looks_like_full_card`], so that the numbers of accounts, documents and codes that a purpose or a
/// name may well carry are not taken for a card.
#[must_use]
pub fn names_payment_card(text: &str) -> bool {
    let is_card = |digits: &str| {
        digits.len() == CARD_DIGITS
            && matches!(digits.as_bytes(), [b'2' | b'4'..=b'6' | b'9', ..])
            && luhn_fits(digits)
    };
    text.split(|character: char| !character.is_ascii_digit() && !is_separator(character))
        .any(|part| {
            let groups: Vec<&str> = part
                .split(is_separator)
                .filter(|group| !group.is_empty())
                .collect();
            // More than four groups in a row are an account, not a card.
            groups.iter().any(|group| is_card(group))
                || groups
                    .chunk_by(|one, next| one.len() == 4 && next.len() == 4)
                    .any(|run| run.len() == 4 && is_card(&run.concat()))
        })
}

/// Digits of a card number's length with a right check digit.
fn is_card_number(digits: &str) -> bool {
    (DIGITS_MIN..=DIGITS_MAX).contains(&digits.len()) && luhn_fits(digits)
}

/// White space or a hyphen between groups of digits.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{2010}'..='\u{2015}')
}

/// The places of a number: digits as they are, `*` for a masked one, separators dropped; `None` for other characters.
fn places(text: &str) -> Option<String> {
    text.chars()
        .filter(|character| !is_separator(*character) && !is_invisible(*character))
        .map(|character| match character {
            '0'..='9' => Some(character),
            '*' | 'x' | 'X' | 'х' | 'Х' | '•' | '●' => Some('*'),
            _ => None,
        })
        .collect()
}

/// First six and last four of at least 13 places; `None` where one of these is not a digit.
fn truncated(places: &str) -> Option<MaskedCard> {
    let masked = places.len().checked_sub(KEPT_FIRST + KEPT_LAST)?;
    let (first, rest) = places.split_at_checked(KEPT_FIRST)?;
    let (_, last) = rest.split_at_checked(masked)?;
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (all_digits(first) && all_digits(last))
        .then(|| MaskedCard(format!("{first}{}{last}", "*".repeat(masked))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> Result<String, Key> {
        MaskedCard::parse_profile(text).map(|card| card.as_str().to_owned())
    }

    fn mask(text: &str) -> Result<String, Key> {
        MaskedCard::parse_mask(text).map(|card| card.as_str().to_owned())
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
    fn brand_and_last_four_are_shown() {
        let brand = |text: &str| MaskedCard::parse_mask(text).unwrap().brand().name();
        assert_eq!(brand("424242******4242"), "Visa");
        assert_eq!(brand("555555******4444"), "Mastercard");
        assert_eq!(brand("378282*****0005"), "AmEx");
        assert_eq!(brand("980400******0000"), "Card");
        let card = MaskedCard::parse_profile("4242424242424242").unwrap();
        assert_eq!(card.last4(), "4242");
        assert_eq!(format!("{card:?}"), "MaskedCard(…4242)");
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

    #[test]
    fn a_card_in_free_text_is_told_from_other_numbers() {
        for card in [
            "4242424242424242",
            "поповнення картки 4242 4242 4242 4242.",
            "картка 5555-5555-5555-4444, Коваль",
        ] {
            assert!(names_payment_card(card), "{card}");
        }
        for other in [
            "",
            "За послуги, код 3184710691",
            "4242424242424241",
            "рахунок UA213223130000026007233566001",
            "UA21 3223 1300 0002 6007 2335 6600 1",
            "14242424242424242",
            "424242 4242424242",
            "витяг 1242424242424246",
        ] {
            assert!(!names_payment_card(other), "{other}");
        }
    }

    #[test]
    fn full_numbers_are_seen_inside_text() {
        for text in [
            "4242424242424242",
            "card: 4242 4242 4242 4242.",
            "{\"pan\":\"4000-0000-0000-0002\"}",
            "378282246310005",
            "4242\u{a0}4242\u{a0}4242\u{a0}4242",
        ] {
            assert!(looks_like_full_card(text), "{text}");
        }
        for text in [
            "",
            "424242******4242",
            "4242424242424241",
            "UA223052990000026001234567890",
            "+380501112233",
            "4242 4242  4242 4242",
            "42424242424242424242424242424242",
        ] {
            assert!(!looks_like_full_card(text), "{text}");
        }
    }
}
