//! The purpose of a payment by requisites (specification, point 5, and "Readings: identifiers").

use std::fmt;

use crate::client_code::to_cyrillic_capitals;
use crate::text::{tidy, without_white_space};
use crate::{Iban, Inn, InnKind, Key, Line};

/// A purpose: tidy text of 1 to [`Purpose::CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Purpose(String);

/// The two forms of a purpose that budget accounts accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetForm {
    /// `*;101;3068208400;text;text;text;`: the form of the specification, of order 666 of 24.07.2015.
    Structured,
    /// `101 text`: the form in force since 01.12.2023, of order 148 of 22.03.2023.
    CodeAndText,
}

impl Purpose {
    /// The longest purpose, in Unicode scalar values.
    pub const CHARS_MAX: usize = 160;

    /// Parses a purpose, whatever it is for. White space becomes plain spaces and is trimmed, zero-width characters are
    /// dropped; inner spaces stay as typed.
    ///
    /// # Errors
    /// Returns [`Key::TextInvalid`] for control characters and direction marks, [`Key::PurposeRequired`] for an empty
    /// text, [`Key::PurposeMaxHeight`] for one that is too long.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let clean = tidy(text).map_err(|_| Key::TextInvalid)?;
        if clean.is_empty() {
            Err(Key::PurposeRequired)
        } else if clean.chars().count() > Self::CHARS_MAX {
            Err(Key::PurposeMaxHeight)
        } else {
            Ok(Self(clean))
        }
    }

    /// Parses a purpose and checks it against its payment, in this order: the text ([`Purpose::parse`]), the form that
    /// the recipient's account needs, the code of the client or the notary.
    ///
    /// `notary` is the notary's own code from the profile, if it is filled in.
    ///
    /// # Errors
    /// Returns the first of the errors of [`Purpose::parse`], [`Key::PurposeInvalid`] and
    /// [`Key::PurposeMustContainsIpn`] that applies.
    pub fn for_payment(
        text: &str,
        recipient: &Iban,
        client: &Inn,
        notary: Option<&Inn>,
    ) -> Result<Self, Key> {
        let purpose = Self::parse(text)?;
        if recipient.is_budget_account() && purpose.budget_form().is_none() {
            return Err(Key::PurposeInvalid);
        }
        let names_somebody =
            purpose.contains(client) || notary.is_some_and(|inn| purpose.contains(inn));
        if names_somebody {
            Ok(purpose)
        } else {
            Err(Key::PurposeMustContainsIpn)
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the purpose as a line, for a transfer.
    #[must_use]
    pub fn to_line(&self) -> Line {
        Line::tidied(self.0.clone())
    }

    /// Returns the form for budget accounts that the purpose has, if any.
    #[must_use]
    pub fn budget_form(&self) -> Option<BudgetForm> {
        if is_structured(&self.0) {
            Some(BudgetForm::Structured)
        } else if is_code_and_text(&self.0) {
            Some(BudgetForm::CodeAndText)
        } else {
            None
        }
    }

    /// Returns whether the purpose contains this code.
    ///
    /// Digits must match exactly. A passport is found in upper and lower case, with Latin look-alikes, and with a space
    /// between series and number.
    #[must_use]
    pub fn contains(&self, inn: &Inn) -> bool {
        match inn.kind() {
            InnKind::TaxId | InnKind::IdCard | InnKind::Edrpou => self.0.contains(inn.as_str()),
            InnKind::Passport => to_cyrillic_capitals(&without_white_space(&self.0))
                .0
                .contains(inn.as_str()),
        }
    }
}

/// Shows only the length: a purpose names a person.
impl fmt::Debug for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Purpose({} chars)", self.0.chars().count())
    }
}

/// Returns whether the text has six fields, each followed by a semicolon: an asterisk, three digits, a code of 8 to 10
/// characters without spaces, and three texts that may be empty.
fn is_structured(text: &str) -> bool {
    let fields: Vec<&str> = text.split(';').collect();
    let &["*", payment_code, payer_code, _, _, _, ""] = fields.as_slice() else {
        return false;
    };
    is_payment_code(payment_code)
        && (8..=10).contains(&payer_code.chars().count())
        && !payer_code.contains(' ')
}

/// Returns whether the text is three digits, one space, and more text.
fn is_code_and_text(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(code, rest)| {
        is_payment_code(code) && !rest.is_empty() && !rest.starts_with(' ')
    })
}

/// Returns whether a text is a payment type code: three digits.
fn is_payment_code(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_forms_are_told_apart() {
        let form = |text: &str| Purpose::parse(text).unwrap().budget_form();
        assert_eq!(
            form("*;101;3068208400;Адмінзбір;;;"),
            Some(BudgetForm::Structured)
        );
        assert_eq!(
            form("101 Адмінзбір 3068208400"),
            Some(BudgetForm::CodeAndText)
        );
        assert_eq!(form("Адмінзбір 3068208400"), None);
    }

    #[test]
    fn debug_output_names_nobody() {
        let purpose = Purpose::parse("101 Збір, Шевченко, 3068208400").unwrap();
        assert_eq!(format!("{purpose:?}"), "Purpose(30 chars)");
    }
}
