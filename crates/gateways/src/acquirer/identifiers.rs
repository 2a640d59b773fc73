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
    /// Our reference of a refund. The acquirer repeats it in the states of the invoice.
    RefundReference
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
    fn a_token_stays_out_of_debug_texts() {
        let token = CardToken::parse("67XZtXdR4NpKU3").unwrap();
        assert!(!format!("{token:?}").contains("67XZ"));
        assert!(token.matches("67XZtXdR4NpKU3"));
        assert!(!token.matches("67XZtXdR4NpKU4"));
        assert!(!token.matches("67XZ"));
    }
}
