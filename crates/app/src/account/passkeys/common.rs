//! What all acts on passkeys share.

use cabinet_domain::{Key, Line, NotaryId, Passkey, kyiv_time};
use cabinet_storage::Tx;
use cabinet_storage::account::notaries;

use super::super::Accounts;
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::kernel::texts::{self, PasskeyChange};
use crate::kernel::webauthn::RelyingParty;
use crate::worker::outbox::{Contact, tell};

impl Accounts {
    /// Returns for whom authenticators answer.
    pub(super) fn relying_party(&self) -> RelyingParty {
        RelyingParty::of(&self.public_url)
    }
}

/// Tells the notary what became of her passkeys, at every contact.
pub(super) fn tell_all(
    tx: &mut Tx,
    unit: &mut UnitContext,
    notary: NotaryId,
    change: PasskeyChange,
    (support_phone, writes_letters): (&str, bool),
) -> Result<()> {
    let Some(account) = notaries::by_id(tx, notary)? else {
        return Ok(());
    };
    let at = kyiv_time(unit.now);
    for contact in Contact::all_of(&account, writes_letters) {
        let notice = texts::changed_passkeys(change, &at, support_phone);
        tell(tx, unit, Some(contact), notice)?;
    }
    Ok(())
}

pub(super) fn read_label(text: Option<&str>, errors: &mut FieldErrors) -> Option<Line> {
    errors.refuse_card("label", text);
    if errors.has("label") {
        return None;
    }
    let label = Line::parse(text.unwrap_or_default(), Passkey::LABEL_CHARS_MAX);
    errors.take(
        "label",
        label.map_err(|error| error.key(Key::FieldRequired)),
    )
}

pub(super) fn unknown_passkey() -> Refusal {
    Refusal::not_found(Key::PasskeyUnknown)
}
