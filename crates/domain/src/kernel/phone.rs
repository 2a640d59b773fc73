//! Ukrainian telephone numbers (specification, "Readings: identifiers").

use std::fmt;

use crate::Key;
use crate::kernel::text::is_unseen_between_digits;

/// A Ukrainian telephone number, kept as `+380XXXXXXXXX`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(String);

impl Phone {
    /// Parses the usual forms: `+380XXXXXXXXX`, `380XXXXXXXXX`, `00380XXXXXXXXX`, `0XXXXXXXXX` and the masked `+38 (0XX) XXX-XX-XX`,
    /// with white space, brackets, hyphens, dashes, dots and slashes between, and the `tel:` of a copied link before it.
    ///
    /// # Errors
    /// Returns [`Key::PhoneRequired`] for an empty text, [`Key::PhoneIncorrect`] for anything else.
    pub fn parse(text: &str) -> Result<Self, Key> {
        let bare: String = text
            .chars()
            .filter(|character| !is_decoration(*character))
            .collect();
        if bare.is_empty() {
            return Err(Key::PhoneRequired);
        }
        let number = bare
            .split_at_checked(4)
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("tel:"))
            .map_or(bare.as_str(), |(_, rest)| rest);
        let (has_plus, digits) = number
            .strip_prefix('+')
            .map_or((false, number), |rest| (true, rest));
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Key::PhoneIncorrect);
        }
        let subscriber = match digits.len() {
            12 => digits.strip_prefix("380"),
            14 if !has_plus => digits.strip_prefix("00380"),
            10 if !has_plus => digits.strip_prefix('0'),
            _ => None,
        };
        subscriber
            .map(|rest| Self(format!("+380{rest}")))
            .ok_or(Key::PhoneIncorrect)
    }

    /// Returns the number as `+380XXXXXXXXX`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the number without the plus sign, as messaging services want it: `380XXXXXXXXX`.
    #[must_use]
    pub fn digits(&self) -> &str {
        self.0.trim_start_matches('+')
    }

    /// Returns the number with the operator's code and the last two digits only: `+38 (050) ***-**-33`. It may be shown
    /// to people who know the number.
    #[must_use]
    pub fn masked(&self) -> String {
        let characters: Vec<char> = self.0.chars().collect();
        let part = |from: usize, to: usize| {
            characters
                .get(from..to)
                .unwrap_or_default()
                .iter()
                .collect::<String>()
        };
        format!("+38 ({}) ***-**-{}", part(3, 6), part(11, 13))
    }
}

/// Returns whether people write this character between the digits of a number.
fn is_decoration(character: char) -> bool {
    character.is_whitespace()
        || is_unseen_between_digits(character)
        || matches!(
            character,
            '(' | ')' | '-' | '.' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}'
        )
}

/// Hides the number.
impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phone(…)")
    }
}
