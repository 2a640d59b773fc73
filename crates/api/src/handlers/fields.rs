//! From the fields of a request to what a use case takes, noting those of a wrong type.

use cabinet_app::refusal::FieldErrors;
use cabinet_domain::Key;

use crate::wire::Given;

/// The value of a field, if there is one of the right type.
pub fn take<T>(given: Given<T>, field: &'static str, errors: &mut FieldErrors) -> Option<T> {
    match given {
        Given::Is(value) => Some(value),
        Given::Absent => None,
        Given::Wrong => {
            errors.add(field, Key::FieldTypeWrong);
            None
        }
    }
}
