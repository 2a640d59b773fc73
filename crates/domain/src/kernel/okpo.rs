//! The code of a recipient or of the notary: EDRPOU of an entity or tax id of a person.

use std::fmt;

use crate::Key;
use crate::kernel::client_code::{InnHint, InnKind, check_digit_hint, kind_of};
use crate::kernel::text::without_white_space;

/// A recipient's code: 8 digits (EDRPOU) or 10 digits (tax id) (specification, "Readings: identifiers"). It is
/// text, because it may begin with zeros.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Okpo {
    text: String,
    kind: InnKind,
}

impl Okpo {
    /// Parses a code; white space is ignored.
    ///
    /// # Errors
    /// Returns [`Key::OkpoRequired`] for an empty text, [`Key::OkpoInvalid`] for anything but 8 or 10 digits.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let text = without_white_space(text);
        if text.is_empty() {
            return Err(Key::OkpoRequired);
        }
        match kind_of(&text) {
            Some(kind @ (InnKind::Edrpou | InnKind::TaxId)) => Ok(Self { text, kind }),
            Some(InnKind::IdCard | InnKind::Passport) | None => Err(Key::OkpoInvalid),
        }
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether it is a person's code (tax id).
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self.kind, InnKind::TaxId)
    }

    /// Returns a hint if the check digit is wrong. It never blocks: such codes are in circulation.
    #[must_use]
    pub fn check(&self) -> Option<InnHint> {
        check_digit_hint(self.kind, &self.text)
    }
}

/// Hides the code: ten digits of it name a person.
impl fmt::Debug for Okpo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Okpo(…)")
    }
}
