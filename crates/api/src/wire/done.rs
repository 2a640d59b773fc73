//! The answer of a call without a result.

use schemars::JsonSchema;
use serde::Serialize;

/// A call that has nothing else to tell than that it was carried out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always true: a failure is a refusal with a status of its own.
    pub success: bool,
}

impl Done {
    /// Returns the answer.
    pub const fn carried_out() -> Done {
        Done { success: true }
    }
}
