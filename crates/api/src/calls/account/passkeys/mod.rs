//! The signed-in notary's passkeys.

pub mod add;
pub mod list;
pub mod options;
pub mod remove;
pub mod rename;

use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::{Key, PasskeyId};

use crate::http::refusal::Refusal;

/// Reads the id of an address.
fn read_id(id: &str) -> Result<PasskeyId, Refusal> {
    PasskeyId::parse(id).ok_or_else(|| Refusal::new(RefusalKind::NotFound, Key::PasskeyUnknown))
}
