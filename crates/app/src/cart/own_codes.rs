//! The codes of the notary that a payment is compared with.

use cabinet_domain::{Inn, NotaryId, Okpo};
use cabinet_storage::{Tx, notaries};

use super::Cart;
use crate::refusal::Result;

/// The notary's own codes, as the profile has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnCodes {
    /// Her own code, which a purpose may name in place of the client's.
    pub(crate) inn: Option<Inn>,
    /// The code of the profile's account.
    pub(crate) okpo: Option<Okpo>,
}

impl OwnCodes {
    /// Returns the code that her own account must have, if the profile tells it.
    pub(super) fn of_account(&self) -> Option<Okpo> {
        Okpo::of_notary(self.inn.as_ref(), self.okpo.as_ref())
    }
}

impl Cart {
    /// Returns the notary's own codes from the profile.
    pub(super) async fn own_codes(&self, notary: NotaryId) -> Result<OwnCodes> {
        let read = move |tx: &mut Tx| notaries::own_codes_of(tx, notary);
        let (inn, okpo) = self.store.read(read).await?.unwrap_or_default();
        Ok(OwnCodes { inn, okpo })
    }
}
