//! What a number in the register of notarial acts may be.

use crate::{Key, Line};

/// Which numbers of the register an installation takes. The register decides on their form, so it is a setting. Numbers that are stored
/// already stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterNumberRule {
    /// Longest number, in characters; at most 100, because the client's name, the number and the object share an index of the search.
    pub chars_max: usize,
    /// The characters that a number may have beside letters, digits and spaces. `None`: all that a line may have.
    pub marks: Option<String>,
}

impl RegisterNumberRule {
    /// Reads a number.
    ///
    /// # Errors
    /// [`Key::FieldRequired`] for an empty one; [`Key::TextInvalid`] for a character that no line may have;
    /// [`Key::RegisterNumberInvalid`] for one that is too long or has another character than the rule allows.
    pub fn parse(&self, text: &str) -> Result<Line, Key> {
        let number =
            Line::parse(text, usize::MAX).map_err(|error| error.key(Key::FieldRequired))?;
        let is_allowed = |character: char| match &self.marks {
            None => true,
            Some(marks) => {
                character.is_alphabetic()
                    || character.is_ascii_digit()
                    || character == ' '
                    || marks.contains(character)
            }
        };
        let is_short = number.as_str().chars().count() <= self.chars_max;
        if is_short && number.as_str().chars().all(is_allowed) {
            Ok(number)
        } else {
            Err(Key::RegisterNumberInvalid)
        }
    }
}

impl Default for RegisterNumberRule {
    fn default() -> RegisterNumberRule {
        RegisterNumberRule {
            chars_max: 40,
            marks: None,
        }
    }
}
