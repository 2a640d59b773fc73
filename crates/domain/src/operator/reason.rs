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
    without_other_numbers(text, chars_max, |_| false)
}

/// The same, but it may name numbers that are known to be nobody's, such as the installation's telephone or the reference of a payment.
/// `is_known` is asked for the digits of each long number, without what separates them.
///
/// # Errors
/// [`ReasonError`].
pub fn without_other_numbers(
    text: &str,
    chars_max: usize,
    is_known: impl Fn(&str) -> bool,
) -> Result<Line, ReasonError> {
    let line = Line::parse(text, chars_max).map_err(|error| match error {
        TextError::Empty => ReasonError::Empty,
        TextError::TooLong => ReasonError::TooLong,
        TextError::NotAllowed | TextError::NotAName => ReasonError::NotAllowed,
    })?;
    let numbers = long_numbers(line.as_str());
    // What may be a card is refused, whatever else it is.
    if names_payment_card(line.as_str()) || !numbers.iter().all(|number| is_known(number)) {
        return Err(ReasonError::NamesNumber);
    }
    Ok(line)
}

/// Returns the numbers of a text that have as many digits as a telephone or a code, as digits alone. Only blanks, hyphens and brackets
/// separate the digits of one. Points separate the parts of a day, so they end a number.
#[must_use]
pub fn long_numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut number = String::new();
    for character in text.chars().chain(['.']) {
        match character {
            _ if character.is_numeric() => number.push(character),
            ' ' | '-' | '(' | ')' | '+' | '\u{2010}'..='\u{2015}' => {}
            _ => {
                let ended = std::mem::take(&mut number);
                if ended.chars().count() >= PERSONAL_DIGITS_MIN {
                    found.push(ended);
                }
            }
        }
    }
    found
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
    fn a_note_may_have_numbers_that_are_known_and_no_others() {
        let note = |text: &str| {
            without_other_numbers(text, 300, |number| {
                ["0800123456", "433290164504"].contains(&number)
            })
        };
        for kept in [
            "RRN 433290164504 знайдено",
            "Телефонуйте 0 800 123 456, ми відповімо",
            "RRN 433290164504, тел. 0 800 123-456",
            "код 12345678",
        ] {
            assert_eq!(
                note(kept).map(|line| line.as_str().to_owned()).as_deref(),
                Ok(kept)
            );
        }
        for refused in [
            "RRN 433290164505",
            "RRN 433290164504, тел. 050 111-22-33",
            // One number is not a part of another.
            "433290164504 4711",
            "картка 4242 4242 4242 4242",
        ] {
            assert_eq!(note(refused), Err(ReasonError::NamesNumber), "{refused}");
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
