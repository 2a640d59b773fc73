//! From the fields of a request to what a use case takes, noting those of a wrong type.

use cabinet_app::refusal::{FieldErrors, Refusal, Sort};
use cabinet_domain::{Key, Money};

use crate::wire::{Given, Hryvnias, NumberText};

/// The value of a field, if there is one of the right type.
pub fn take<T>(given: Given<T>, field: &'static str, errors: &mut FieldErrors) -> Option<T> {
    match given {
        Given::Is(value) => Some(value),
        Given::Absent | Given::Null => None,
        Given::Wrong => {
            errors.add(field, Key::FieldTypeWrong);
            None
        }
    }
}

/// The new text of a field that stays as it is where the request does not have it: `null` empties it, as an empty text does.
pub fn take_change(
    given: Given<String>,
    field: &'static str,
    errors: &mut FieldErrors,
) -> Option<String> {
    match given {
        Given::Null => Some(String::new()),
        given => take(given, field, errors),
    }
}

/// The sum of a field; a number that is no sum is an invalid amount, not a wrong type.
pub fn take_sum(
    given: Given<NumberText<Hryvnias>>,
    field: &'static str,
    errors: &mut FieldErrors,
) -> Option<Money> {
    let number = take(given, field, errors)?;
    errors.take(field, number.read().map_err(|error| error.key()))
}

/// The whole number of a field; any other number is refused with the field's own key.
pub fn take_whole(
    given: Given<NumberText<i64>>,
    field: &'static str,
    when_other: Key,
    errors: &mut FieldErrors,
) -> Option<i64> {
    let number = take(given, field, errors)?;
    errors.take(field, number.read().ok_or(when_other))
}

/// The id in a query; a missing or empty one is refused with the field's own key.
///
/// # Errors
/// The key, on the field.
pub fn required_id(
    given: Option<String>,
    field: &'static str,
    when_missing: Key,
) -> Result<String, Refusal> {
    given
        .filter(|id| !id.trim().is_empty())
        .ok_or_else(|| Refusal::new(Sort::Invalid, when_missing).on(field))
}
