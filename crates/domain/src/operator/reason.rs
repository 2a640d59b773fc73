//! Why the operator does something, as the audit trail keeps it, and what the operator writes to a notary.

use std::fmt;

use crate::{Line, TextError, names_payment_card};

/// Fewest digits of a number that may be somebody's telephone or code. Numbers of orders and tickets have fewer.
const PERSONAL_DIGITS_MIN: usize = 9;

/// Why the operator does something: one line without numbers of people.
///
/// The audit trail can't be changed, so what would name somebody there is refused and not masked: whoever typed it learns at once what
/// is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct OperatorReason(Line);

/// Why a reason was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// Nothing but white space.
    #[error("it is empty: say in a few words why, such as the number of the ticket")]
    Empty,
    /// Longer than [`OperatorReason::CHARS_MAX`], or the limit of an answer.
    #[error("it is too long")]
    TooLong,
    /// A control character.
    #[error("it has a character that is not allowed")]
    NotAllowed,
    /// A number that may be a card, a telephone or somebody's code.
    #[error("it has a long number: leave cards, telephones and codes out")]
    NamesNumber,
}

impl OperatorReason {
    /// The longest reason, in characters.
    pub const CHARS_MAX: usize = 300;

    /// Parses a reason.
    ///
    /// # Errors
    /// [`ReasonError`].
    pub fn parse(text: &str) -> Result<Self, ReasonError> {
        without_numbers(text, Self::CHARS_MAX).map(Self)
    }

    /// Takes what was stored as a reason.
    #[must_use]
    pub const fn from_saved(line: Line) -> Self {
        Self(line)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Shows nothing of the text.
impl fmt::Debug for OperatorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorReason(…)")
    }
}

/// Parses a line that the operator types and that names no numbers of people.
///
/// # Errors
/// [`ReasonError`].
pub fn without_numbers(text: &str, chars_max: usize) -> Result<Line, ReasonError> {
    let line = Line::parse(text, chars_max).map_err(|error| match error {
        TextError::Empty => ReasonError::Empty,
        TextError::TooLong => ReasonError::TooLong,
        TextError::NotAllowed => ReasonError::NotAllowed,
    })?;
    if names_payment_card(line.as_str()) || has_long_number(line.as_str()) {
        return Err(ReasonError::NamesNumber);
    }
    Ok(line)
}

/// Returns whether digits that only blanks, hyphens and brackets separate are as many as those of a telephone or a code. Points
/// separate the parts of a day, so they end a number.
fn has_long_number(text: &str) -> bool {
    let mut digits = 0;
    for character in text.chars() {
        match character {
            _ if character.is_numeric() => digits += 1,
            ' ' | '-' | '(' | ')' | '+' | '\u{2010}'..='\u{2015}' => {}
            _ => digits = 0,
        }
        if digits >= PERSONAL_DIGITS_MIN {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_no_number_of_a_person() {
        for kept in [
            "Клієнт телефонував, SD-4711",
            "замовлення 100123",
            "01.12.2026, 14:05",
            "код 12345678",
        ] {
            assert_eq!(OperatorReason::parse(kept).unwrap().as_str(), kept);
        }
        for number in [
            "+380501112233",
            "телефон 050 111-22-33",
            "+38 (050) 111-22-33",
            "код 2817364509",
            "паспорт 123456789",
            "картка 4242 4242 4242 4242",
            "UA223052990000026001234567890",
        ] {
            let refused = OperatorReason::parse(number);
            assert_eq!(refused, Err(ReasonError::NamesNumber), "{number}");
        }
    }

    #[test]
    fn a_reason_says_something_in_one_line() {
        assert_eq!(OperatorReason::parse("  "), Err(ReasonError::Empty));
        assert_eq!(
            OperatorReason::parse(&"х".repeat(301)),
            Err(ReasonError::TooLong)
        );
        assert_eq!(
            OperatorReason::parse("a\u{1}b"),
            Err(ReasonError::NotAllowed)
        );
        assert_eq!(
            format!("{:?}", OperatorReason::parse("Звернення")),
            "Ok(OperatorReason(…))"
        );
    }
}
