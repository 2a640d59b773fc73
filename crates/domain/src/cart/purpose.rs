//! The purpose of a payment by requisites (specification, point 5, and "Readings: identifiers").

use std::collections::BTreeSet;
use std::fmt;

use crate::kernel::client_code::to_cyrillic_capitals;
use crate::kernel::text::{tidy, typed_line};
use crate::{Iban, Inn, InnKind, Key, Line};

/// A purpose: tidy text of 1 to [`Purpose::CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Purpose(String);

/// A payment code: the three digits with which a purpose to the budget begins, such as 101 (MinFin order 148 of 22.03.2023).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentCode(String);

impl PaymentCode {
    /// Parses a code. `None`: not exactly three digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| Self(text.to_owned()))
    }

    /// Returns the three digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Purpose {
    /// The longest purpose that a person may type, in Unicode scalar values.
    pub const TYPED_CHARS_MAX: usize = 160;
    /// The longest purpose that the banks' system carries (SEP-4.0), in Unicode scalar values. What the cabinet writes may be as long.
    pub const CHARS_MAX: usize = 420;

    /// Parses a purpose that a person typed, whatever it is for. White space becomes plain spaces and is trimmed, zero-width
    /// characters are dropped; inner spaces stay as typed.
    ///
    /// # Errors
    /// Returns [`Key::TextInvalid`] for control characters, direction marks, tags and characters of private use,
    /// [`Key::PurposeRequired`] for an empty text, [`Key::PurposeMaxHeight`] for one of more than [`Purpose::TYPED_CHARS_MAX`]
    /// characters.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let typed = typed_line(text).map_err(|_| Key::TextInvalid)?;
        Self::of_length(&typed, Self::TYPED_CHARS_MAX)
    }

    /// Reads a purpose that the cabinet wrote, or one that is stored. Earlier versions accepted tags and characters of private use.
    ///
    /// # Errors
    /// As [`Purpose::parse`], with [`Purpose::CHARS_MAX`] for the length.
    pub fn written(text: &str) -> Result<Self, Key> {
        Self::of_length(text, Self::CHARS_MAX)
    }

    fn of_length(text: &str, chars_max: usize) -> Result<Self, Key> {
        let clean = tidy(text).map_err(|_| Key::TextInvalid)?;
        if clean.is_empty() {
            Err(Key::PurposeRequired)
        } else if clean.chars().count() > chars_max {
            Err(Key::PurposeMaxHeight)
        } else {
            Ok(Self(clean))
        }
    }

    /// Parses a typed purpose and checks it against its payment, in this order: the text ([`Purpose::parse`]), the form that
    /// the recipient's account needs, the payment code, the code of the client or the notary.
    ///
    /// For a budget account the form of MinFin order 666 of 24.07.2015 (`*;101;3068208400;text;text;text;`) is accepted and
    /// converted to the form in force since 01.12.2023 (`101 text`, MinFin order 148 of 22.03.2023), which is never longer.
    ///
    /// `notary` is the notary's own code from the profile, if it is filled in; `codes` are the payment codes in force.
    ///
    /// # Errors
    /// Returns the first of the errors of [`Purpose::parse`], [`Key::PurposeInvalid`], [`Key::PurposeCodeUnknown`] and
    /// [`Key::PurposeMustContainsIpn`] that applies.
    pub fn for_payment(
        text: &str,
        recipient: &Iban,
        client: &Inn,
        notary: Option<&Inn>,
        codes: &BTreeSet<PaymentCode>,
    ) -> Result<Self, Key> {
        let typed = Self::parse(text)?;
        let purpose = if recipient.is_budget_account() {
            typed.of_budget(codes)?
        } else {
            typed
        };
        let names_somebody =
            purpose.contains(client) || notary.is_some_and(|inn| purpose.contains(inn));
        if names_somebody {
            Ok(purpose)
        } else {
            Err(Key::PurposeMustContainsIpn)
        }
    }

    /// Returns the purpose in the form in force for a budget account.
    fn of_budget(self, codes: &BTreeSet<PaymentCode>) -> Result<Self, Key> {
        let purpose = converted(&self.0).map_or(self, Self);
        purpose.check_payment_code(codes)?;
        Ok(purpose)
    }

    /// Checks that the purpose has the form in force for a budget account, with one of the payment codes in force.
    ///
    /// # Errors
    /// [`Key::PurposeInvalid`], [`Key::PurposeCodeUnknown`].
    pub fn check_payment_code(&self, codes: &BTreeSet<PaymentCode>) -> Result<(), Key> {
        let code = self.payment_code().ok_or(Key::PurposeInvalid)?;
        if codes.contains(&code) {
            Ok(())
        } else {
            Err(Key::PurposeCodeUnknown)
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

    /// Returns the payment code if the purpose has the form in force for budget accounts: three digits, one space, and more
    /// text.
    #[must_use]
    pub fn payment_code(&self) -> Option<PaymentCode> {
        let (code, text) = self.0.split_once(' ')?;
        let has_text = !text.is_empty() && !text.starts_with(' ');
        PaymentCode::parse(code).filter(|_| has_text)
    }

    /// Returns whether the purpose contains this code as a word of its own, with neither a letter nor a digit beside it.
    ///
    /// Digits must match exactly. A passport is found in upper and lower case, with Latin look-alikes, and with spaces inside.
    #[must_use]
    pub fn contains(&self, inn: &Inn) -> bool {
        match inn.kind() {
            InnKind::TaxId | InnKind::IdCard | InnKind::Edrpou => {
                has_word(&self.0, inn.as_str(), false)
            }
            InnKind::Passport => has_word(&to_cyrillic_capitals(&self.0).0, inn.as_str(), true),
        }
    }
}

/// Shows only the length: a purpose names a person.
impl fmt::Debug for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Purpose({} chars)", self.0.chars().count())
    }
}

/// Returns the form in force of a purpose in the form of order 666: six fields, each followed by a semicolon – an asterisk, three
/// digits, a code of 8 to 10 characters without spaces, and three texts that may be empty. `None` for a text of another form.
///
/// The texts keep their order. The payer's code follows them, unless they name it already.
fn converted(text: &str) -> Option<String> {
    let fields: Vec<&str> = text.split(';').collect();
    let &["*", payment_code, payer_code, first, second, third, ""] = fields.as_slice() else {
        return None;
    };
    let payment_code = PaymentCode::parse(payment_code)?;
    if !(8..=10).contains(&payer_code.chars().count()) || payer_code.contains(' ') {
        return None;
    }
    let mut words: Vec<&str> = [first, second, third]
        .into_iter()
        .map(|field| field.trim_matches(' '))
        .filter(|field| !field.is_empty())
        .collect();
    if !words.iter().any(|field| has_word(field, payer_code, false)) {
        words.push(payer_code);
    }
    Some(format!("{} {}", payment_code.as_str(), words.join(", ")))
}

/// Returns whether a word stands in a text with neither a letter nor a digit before or after it. `spaced`: spaces inside the word
/// don't count.
fn has_word(text: &str, word: &str, spaced: bool) -> bool {
    let mut before = None;
    text.char_indices().any(|(at, character)| {
        let is_apart = before.is_none_or(|neighbour: char| !neighbour.is_alphanumeric());
        before = Some(character);
        is_apart
            && text
                .get(at..)
                .and_then(|rest| after_word(rest, word, spaced))
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Returns what follows a word at the beginning of a text.
fn after_word<'a>(text: &'a str, word: &str, spaced: bool) -> Option<&'a str> {
    let mut rest = text;
    for (place, character) in word.chars().enumerate() {
        if spaced && place > 0 {
            rest = rest.trim_start_matches(' ');
        }
        rest = rest.strip_prefix(character)?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_form_in_force_has_a_payment_code() {
        let code = |text: &str| {
            let code = Purpose::parse(text).unwrap().payment_code();
            code.map(|code| code.as_str().to_owned())
        };
        assert_eq!(code("101 Адмінзбір 3068208400").as_deref(), Some("101"));
        assert_eq!(code("*;101;3068208400;Адмінзбір;;;"), None);
        assert_eq!(code("Адмінзбір 3068208400"), None);
    }

    #[test]
    fn what_the_cabinet_writes_may_be_longer_than_what_is_typed() {
        let long = "ї".repeat(Purpose::CHARS_MAX);
        assert_eq!(Purpose::written(&long).unwrap().as_str(), long);
        assert_eq!(
            Purpose::written(&format!("{long}ї")),
            Err(Key::PurposeMaxHeight)
        );
        assert_eq!(Purpose::parse(&long), Err(Key::PurposeMaxHeight));
    }

    #[test]
    fn a_purpose_stored_before_is_still_read() {
        let old = "101 Збір \u{e000} 3068208400";
        assert_eq!(Purpose::parse(old), Err(Key::TextInvalid));
        assert_eq!(Purpose::written(old).unwrap().as_str(), old);
    }

    #[test]
    fn debug_output_names_nobody() {
        let purpose = Purpose::parse("101 Збір, Шевченко, 3068208400").unwrap();
        assert_eq!(format!("{purpose:?}"), "Purpose(30 chars)");
    }
}
