//! The codes and the status of the notary that a payment is compared with, and the name that her own share goes to.

use cabinet_domain::{
    Iban, Inn, Key, KnownStatus, Notary, NotaryId, NotaryStatus, NotaryStatusBy, Okpo, PersonName,
};
use cabinet_storage::account::notaries;
use cabinet_storage::{StorageError, Tx};

use super::Cart;
use crate::kernel::refusal::{Refusal, Result};

/// The notary's own codes, as the profile has them, and her status.
#[derive(Clone, Debug)]
pub(crate) struct OwnCodes {
    /// Her own code, which a purpose may name in place of the client's.
    pub(crate) inn: Option<Inn>,
    /// The code of the profile's account.
    pub(crate) okpo: Option<Okpo>,
    /// That account.
    pub(crate) iban: Option<Iban>,
    /// Her name. `None`: nobody's.
    pub(crate) name: Option<PersonName>,
    /// What is known of her status, which decides about the kinds of payment.
    pub(crate) status: KnownStatus,
}

impl OwnCodes {
    /// The codes of nobody: nothing may be ordered.
    pub(crate) const NOBODY: Self = Self {
        inn: None,
        okpo: None,
        iban: None,
        name: None,
        status: KnownStatus {
            counts_as: NotaryStatus::Suspended,
            by: NotaryStatusBy::Operator,
        },
    };

    /// Reads the codes and the status of a notary.
    pub(crate) fn read(tx: &mut Tx, notary: NotaryId) -> Result<Self, StorageError> {
        Ok(notaries::own_codes_of(tx, notary)?.into())
    }

    /// Returns those of an account that was read as a whole.
    pub(crate) fn of(account: &Notary) -> Self {
        Self {
            inn: account.profile.inn.clone(),
            okpo: account.profile.okpo.clone(),
            iban: account.profile.iban.clone(),
            name: Some(account.profile.full_name.clone()),
            status: account.practice.known(),
        }
    }

    /// Returns the code that her own account must have, if the profile tells it.
    pub(super) fn of_account(&self) -> Option<Okpo> {
        Okpo::of_notary(self.inn.as_ref(), self.okpo.as_ref())
    }
}

impl From<Option<notaries::OwnCodes>> for OwnCodes {
    fn from(found: Option<notaries::OwnCodes>) -> Self {
        found.map_or(Self::NOBODY, |codes| Self {
            inn: codes.inn,
            okpo: codes.okpo,
            iban: codes.iban,
            name: Some(codes.full_name),
            status: codes.status,
        })
    }
}

/// The notary's codes and her account, to which her share of a fee goes.
pub(super) struct Own {
    pub(super) codes: OwnCodes,
    pub(super) iban: Option<Iban>,
}

impl Cart {
    /// Returns what is known of the notary's status, which decides about the kinds of payment. Nothing else of the account is read, so that one which
    /// can't be read as a whole keeps its form.
    pub async fn status(&self, notary: NotaryId) -> Result<KnownStatus> {
        let read = move |tx: &mut Tx| notaries::status_of(tx, notary);
        let found = self.store.read(read).await?;
        Ok(found.ok_or_else(|| Refusal::not_found(Key::UserNotFound))?)
    }

    /// Returns the notary's own codes from the profile.
    pub(super) async fn own_codes(&self, notary: NotaryId) -> Result<OwnCodes> {
        let read = move |tx: &mut Tx| OwnCodes::read(tx, notary);
        Ok(self.store.read(read).await?)
    }

    /// Returns the notary's codes and account.
    pub(super) async fn own(&self, notary: NotaryId) -> Result<Own> {
        let codes = self.own_codes(notary).await?;
        let iban = codes.iban.clone();
        Ok(Own { codes, iban })
    }
}
