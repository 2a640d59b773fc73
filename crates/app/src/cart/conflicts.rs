//! What was right when it was shown.

use cabinet_domain::Key;

use crate::kernel::refusal::{FieldErrors, Refusal};

/// What was right on the screen, and is otherwise now.
#[derive(Default)]
pub(super) struct Conflicts {
    errors: FieldErrors,
}

impl Conflicts {
    pub(super) fn add(&mut self, field: String, key: Key) {
        self.errors.add(field, key);
    }

    /// # Errors
    /// A conflict with the key of the first.
    pub(super) fn check(self) -> Result<(), Refusal> {
        let Some((_, key)) = self.errors.iter().next() else {
            return Ok(());
        };
        let mut refusal = Refusal::conflict(key);
        refusal.errors = self.errors;
        Err(refusal)
    }
}
