//! Another phone for an account whose owner has lost the old one.

use cabinet_domain::{AuditAction, AuditValue, Notary, OperatorReason, Phone, kyiv_time};
use cabinet_storage::account::{login_operations, notaries};
use cabinet_storage::operator::erasure;
use cabinet_storage::{LockedNotary, StorageError, Store, Tx};
use jiff::Timestamp;

use super::DeskError;
use super::accounts::find_notary;
use crate::account::shut_out;
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::notifier::Notifier;
use crate::kernel::texts::{ChangedField, changed_profile};
use crate::worker::outbox::{Contact, tell};

/// Changes the phone by which a notary logs in. Whoever does this has proved the owner otherwise: nobody is asked for a code here.
#[derive(Clone)]
pub struct PhoneChange {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) notifier: Notifier,
}

impl PhoneChange {
    /// Replaces the phone of the account with a phone, an identifier or an id. A sign-up with the new phone that was not finished is erased. Its sessions end, its browsers are forgotten, and codes
    /// that wait for an answer are of no use any more. The old phone, the new one and the e-mail address are told. Returns how many
    /// sessions ended.
    ///
    /// # Errors
    /// [`DeskError::NoNotary`], [`DeskError::SeveralNotaries`], [`DeskError::SamePhone`], [`DeskError::PhoneTaken`].
    pub async fn change(
        &self,
        account: &str,
        phone: Phone,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<u64, DeskError> {
        let known = find_notary(&self.store, account).await?;
        let this = self.clone();
        let reason = reason.clone();
        let write = move |tx: &mut Tx| -> Result<u64, DeskError> {
            // A sign-up with that phone waits.
            login_operations::lock_phone(tx, &phone)?;
            let found = notaries::lock(tx, known.id)?;
            let (locked, notary) = found.ok_or(DeskError::NoNotary)?;
            if notary.phone == phone {
                return Err(DeskError::SamePhone);
            }
            if let Some((locked, other)) = notaries::lock_by_phone(tx, &phone)? {
                if other.phone_verified_at.is_some() {
                    return Err(DeskError::PhoneTaken(other.id));
                }
                // A sign-up that was begun with somebody's phone proves nothing.
                erasure::erase_notary(tx, &locked, now)?;
                AuditEntry::new(AuditAction::NotaryErased)
                    .of_notary(other.id)
                    .because(&reason)
                    .record(tx, &mut this.recorder.unit_at(now), &this.recorder.origin())?;
            }
            Ok(this.store_change(tx, (&locked, &notary), &phone, &reason, now)?)
        };
        self.store.write(write).await
    }

    fn store_change(
        &self,
        tx: &mut Tx,
        (locked, notary): (&LockedNotary, &Notary),
        phone: &Phone,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let (mut unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        notaries::set_phone(tx, locked, phone, now)?;
        let ended = shut_out(tx, locked, now)?;
        AuditEntry::new(AuditAction::ProfileChanged)
            .of_notary(notary.id)
            .changed("phone", Some(&notary.phone), Some(phone))
            .with("sessions", AuditValue::count(ended))
            .because(reason)
            .record(tx, &mut unit, &origin)?;
        let fields = [ChangedField::Phone];
        let notice = changed_profile(&fields, &kyiv_time(now), self.notifier.support_phone());
        self.notifier
            .tell_known_everywhere(tx, &mut unit, notary, &notice)?;
        tell(tx, &mut unit, Contact::Phone(phone.clone()), notice)?;
        Ok(ended)
    }
}
