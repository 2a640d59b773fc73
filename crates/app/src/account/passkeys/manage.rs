//! Listing, renaming and removing passkeys.

use cabinet_domain::{
    AuditAction, AuditObject, Key, NotaryId, Origin, Passkey, PasskeyId, SessionId,
};
use cabinet_storage::account::{passkeys, sessions};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{Tx, lock_notary};

use super::super::Accounts;
use super::super::passkey_to_prove::PasskeyToProve;
use super::common::{read_label, tell_all, unknown_passkey};
use super::proof::{check_possible, use_proof};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::kernel::texts::PasskeyChange;

impl Accounts {
    /// `GET /me/passkeys`: returns the passkeys of a notary, the oldest first.
    pub async fn list_passkeys(&self, notary: NotaryId) -> Result<Vec<Passkey>> {
        let read = move |tx: &mut Tx| passkeys::of_notary(tx, notary);
        Ok(self.store.read(read).await?)
    }

    /// `POST /me/passkeys/{id}/rename`: gives a passkey another label.
    ///
    /// # Errors
    /// `field_required`, `text_too_long`, `text_invalid`, `card_number_not_accepted`, `passkey_unknown`.
    pub async fn rename_passkey(
        &self,
        notary: NotaryId,
        passkey: PasskeyId,
        label: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<()> {
        let label = read_label(label.as_deref(), &mut errors);
        errors.check()?;
        let label = label.ok_or_else(|| Refusal::field("label", Key::FieldRequired))?;
        let write = move |tx: &mut Tx| passkeys::rename(tx, notary, passkey, &label);
        if self.store.write(write).await? {
            return Ok(());
        }
        Err(unknown_passkey().into())
    }

    /// `POST /me/passkeys/{id}/remove`: removes a passkey. Sessions that it has opened stay, what passkeys have proved is void. The notary is told.
    ///
    /// # Errors
    /// `passkey_unknown`, `confirmation_required`.
    pub async fn remove_passkey(
        &self,
        (notary, session): (NotaryId, SessionId),
        passkey: PasskeyId,
        origin: Origin,
    ) -> Result<()> {
        let unit = self.ids.unit();
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| -> Result<()> {
            let mut unit = unit.clone();
            let now = unit.now;
            let locked = lock_notary(tx, notary)?;
            if !sessions::alive(tx, session, notary, now)? {
                return Err(Refusal::unauthorized().into());
            }
            let wanted = PasskeyToProve::Remove(passkey);
            check_possible(tx, notary, wanted)?;
            use_proof(tx, session, wanted, now)?;
            passkeys::delete(tx, &locked, passkey)?;
            // Nobody knows which of them the removed one gave.
            payment_proofs::forget_unused_by_passkey(tx, notary)?;
            AuditEntry::new(AuditAction::PasskeyRemoved)
                .of_notary(notary)
                .on(AuditObject::Passkey(passkey))
                .record(tx, &mut unit, &origin)?;
            let change = PasskeyChange::Removed;
            tell_all(tx, &mut unit, notary, change, &notifier)
        };
        self.store.write(write).await?;
        tracing::info!(notary.id = %notary, passkey.id = %passkey, "A notary removed a passkey");
        Ok(())
    }
}
