//! Reads the fields of a request for a use case and collects the errors of those with a wrong type.

use std::borrow::Cow;

use cabinet_app::kernel::refusal::{FieldErrors, Refusal, RefusalKind};
use cabinet_domain::{Key, Money};

use crate::wire::{Given, Hryvnias, NumberText};

/// Returns the value of a field. A value of a wrong type is an error of the field.
pub fn take<T>(
    given: Given<T>,
    field: impl Into<Cow<'static, str>>,
    errors: &mut FieldErrors,
) -> Option<T> {
    match given {
        Given::Is(value) => Some(value),
        Given::Absent | Given::Null => None,
        Given::Wrong => {
            errors.add(field, Key::FieldTypeWrong);
            None
        }
    }
}

/// Returns the new value of an optional change: `None` keeps the stored value; `null` and an empty text clear it.
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

/// Returns the sum of a field. A number that is not a sum is an invalid amount, not a wrong type.
pub fn take_sum(
    given: Given<NumberText<Hryvnias>>,
    field: impl Into<Cow<'static, str>>,
    errors: &mut FieldErrors,
) -> Option<Money> {
    let field = field.into();
    let number = take(given, field.clone(), errors)?;
    errors.take(field, number.read().map_err(|error| error.key()))
}

/// Returns the integer of a field. Any other number is refused with the key `when_other`.
pub fn take_whole(
    given: Given<NumberText<i64>>,
    field: &'static str,
    when_other: Key,
    errors: &mut FieldErrors,
) -> Option<i64> {
    let number = take(given, field, errors)?;
    errors.take(field, number.read().ok_or(when_other))
}

/// Returns a required id of a query.
///
/// # Errors
/// Refused with `when_missing` on the field when the id is missing or empty.
pub fn required_id(
    given: Option<String>,
    field: &'static str,
    when_missing: Key,
) -> Result<String, Refusal> {
    given
        .filter(|id| !id.trim().is_empty())
        .ok_or_else(|| Refusal::new(RefusalKind::Invalid, when_missing).on(field))
}
