//! The code of a recipient or of the notary: EDRPOU of an entity or tax id of a person.

use std::fmt;

use crate::Key;
use crate::client_code::{InnHint, edrpou_check_digit_fits, tax_id_check_digit_fits};
use crate::text::without_white_space;

/// A recipient's code: 8 digits (EDRPOU) or 10 digits (tax id) (readings, "okpo"). It is text, because it may begin
/// with zeros.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Okpo(String);

impl Okpo {
    /// Parses a code; white space is ignored.
    ///
    /// # Errors
    /// Returns [`Key::OkpoRequired`] for an empty text, [`Key::OkpoInvalid`] for anything but 8 or 10 digits.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let code = without_white_space(text);
        match code.len() {
            0 => Err(Key::OkpoRequired),
            8 | 10 if code.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Self(code)),
            _ => Err(Key::OkpoInvalid),
        }
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether it is a person's code (10 digits).
    #[must_use]
    pub const fn is_person(&self) -> bool {
        self.0.len() == 10
    }

    /// Returns a hint if the check digit is wrong. It never blocks: such codes are in circulation.
    #[must_use]
    pub fn check(&self) -> Option<InnHint> {
        let fits = if self.is_person() {
            tax_id_check_digit_fits(&self.0)
        } else {
            edrpou_check_digit_fits(&self.0)
        };
        (!fits).then_some(InnHint::WrongCheckDigit)
    }
}

/// Hides the code: ten digits of it name a person.
impl fmt::Debug for Okpo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Okpo(…)")
    }
}
