//! Identifiers of the acquirer and of the cabinet, each with its own type.

use std::fmt;

pub use cabinet_domain::payment::InvoiceId;
use secrecy::{ExposeSecret as _, SecretString};

/// Longest identifier that is accepted or sent.
const IDENTIFIER_CHARS_MAX: usize = 128;

/// Returns whether a text is 1 to 128 visible ASCII characters.
fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= IDENTIFIER_CHARS_MAX
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

macro_rules! identifier {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Reads 1 to 128 visible ASCII characters. Returns `None` for anything else.
            pub fn parse(text: &str) -> Option<Self> {
                is_identifier(text).then(|| Self(text.to_owned()))
            }

            /// Returns the identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

identifier!(
    /// Our reference of an attempt to pay. The acquirer repeats it in states, reports and the statement.
    PaymentReference
);
identifier!(
    /// The id of a payer's saved cards at the acquirer. The caller chooses it.
    WalletId
);

/// The acquirer's token of a saved card. Whoever has it can charge the card, so `Debug` hides it.
#[derive(Clone, Debug)]
pub struct CardToken(SecretString);

impl CardToken {
    /// Reads 1 to 128 visible ASCII characters. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        is_identifier(text).then(|| Self(SecretString::from(text.to_owned())))
    }

    /// Returns the token, only for requests to the acquirer.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Compares a text with the token in constant time.
    pub fn matches(&self, text: &str) -> bool {
        aws_lc_rs::constant_time::verify_slices_are_equal(self.expose().as_bytes(), text.as_bytes())
            .is_ok()
    }
}

/// A masked card number: first digits, asterisks, last digits. Its form differs from payment to payment (`444403******1902`,
/// `44414145******98`), so it must not be cut by position.
#[derive(Clone, PartialEq, Eq)]
pub struct MaskedPan(String);

impl MaskedPan {
    /// Most digits of a mask: six and four, or eight and two.
    const DIGITS_MAX: usize = 10;
    const CHARS_MAX: usize = 32;

    /// Keeps a mask as it is. Of a full number only the first six and last four digits are kept.
    pub fn from_outside(text: &str) -> Self {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if digits.len() > Self::DIGITS_MAX {
            let (first, last) = (&digits[..6], &digits[digits.len() - 4..]);
            return Self(format!("{first}******{last}"));
        }
        Self(
            text.chars()
                .filter(|char| char.is_ascii_digit() || *char == '*')
                .take(Self::CHARS_MAX)
                .collect(),
        )
    }

    /// Returns the mask.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MaskedPan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MaskedPan(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_refuse_what_could_break_an_address_or_a_header() {
        assert_eq!(WalletId::parse("p2_9Zgp").unwrap().as_str(), "p2_9Zgp");
        for bad in ["", "a b", "a\nb", "гаманець", &"x".repeat(129)] {
            assert!(WalletId::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_token_and_a_mask_stay_out_of_debug_texts() {
        let token = CardToken::parse("67XZtXdR4NpKU3").unwrap();
        assert!(!format!("{token:?}").contains("67XZ"));
        assert!(token.matches("67XZtXdR4NpKU3"));
        assert!(!token.matches("67XZtXdR4NpKU4"));
        assert!(!token.matches("67XZ"));
        assert!(!format!("{:?}", MaskedPan::from_outside("444403******1902")).contains("4444"));
    }

    #[test]
    fn masks_are_kept_as_they_are_and_full_numbers_are_cut() {
        assert_eq!(
            MaskedPan::from_outside("444403******1902").as_str(),
            "444403******1902"
        );
        assert_eq!(
            MaskedPan::from_outside("44414145******98").as_str(),
            "44414145******98"
        );
        assert_eq!(
            MaskedPan::from_outside("4242424242424242").as_str(),
            "424242******4242"
        );
        assert_eq!(
            MaskedPan::from_outside("4242 4242 4242 4242").as_str(),
            "424242******4242"
        );
        assert_eq!(
            MaskedPan::from_outside("<b>4444**1902").as_str(),
            "4444**1902"
        );
    }
}
