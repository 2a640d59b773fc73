//! What the database remembers of the keys in use: their ids. A start with other keys would lose saved cards, or call genuine
//! receipts false.

use cabinet_domain::{AuditAction, AuditValue, OperatorReason};
use cabinet_storage::engine::key_ids;
pub use cabinet_storage::engine::key_ids::KnownKey;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use super::{KeyId, Keys};
use crate::audit::{AuditEntry, Recorder};

/// What a remembered key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Names the notaries' wallets at the acquirer.
    Wallet,
    /// Proves receipts.
    Receipts,
}

impl KeyPurpose {
    const fn name(self) -> &'static str {
        match self {
            KeyPurpose::Wallet => "wallet",
            KeyPurpose::Receipts => "receipts",
        }
    }
}

/// Why a cabinet can't start with its keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// Saved cards are in wallets that another key names.
    #[error("the wallets of saved cards were named under another key")]
    OtherWallet,
    /// The secrets of these keys are missing.
    #[error("receipts were printed under keys that are missing: {}", .0.join(", "))]
    ReceiptsUnprovable(Vec<String>),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Keys {
    /// Remembers these keys, unless the database knows others that are missing here.
    ///
    /// # Errors
    /// [`KeysError::OtherWallet`], [`KeysError::ReceiptsUnprovable`].
    pub async fn remember(&self, store: &Store, now: Timestamp) -> Result<(), KeysError> {
        let wallet = self.wallet_id.to_string();
        let receipts: Vec<String> = self.receipt_ids.iter().map(ToString::to_string).collect();
        let write = move |tx: &mut Tx| -> Result<(), KeysError> {
            compare(tx, &wallet, &receipts)?;
            key_ids::remember(tx, KeyPurpose::Wallet.name(), &wallet, now)?;
            for id in &receipts {
                key_ids::remember(tx, KeyPurpose::Receipts.name(), id, now)?;
            }
            Ok(())
        };
        store.write(write).await
    }
}

/// Refuses keys without those that the database knows.
fn compare(tx: &mut Tx, wallet: &str, receipts: &[String]) -> Result<(), KeysError> {
    let known = key_ids::of_purpose(tx, KeyPurpose::Wallet.name())?;
    if known.iter().any(|key| key.id != wallet) {
        return Err(KeysError::OtherWallet);
    }
    let missing = missing(tx, KeyPurpose::Receipts, receipts)?;
    if !missing.is_empty() {
        let ids = missing.into_iter().map(|key| key.id).collect();
        return Err(KeysError::ReceiptsUnprovable(ids));
    }
    Ok(())
}

impl Keys {
    /// Checks these keys as [`Keys::remember`] does, and remembers nothing.
    ///
    /// # Errors
    /// As there.
    pub async fn check(&self, store: &Store) -> Result<(), KeysError> {
        let wallet = self.wallet_id.to_string();
        let receipts: Vec<String> = self.receipt_ids.iter().map(ToString::to_string).collect();
        let read = move |tx: &mut Tx| compare(tx, &wallet, &receipts);
        store.read(read).await
    }

    /// Returns whether these keys name the wallets that were in use. Also where none was.
    ///
    /// # Errors
    /// The database failed.
    pub async fn name_known_wallets(&self, store: &Store) -> Result<bool, StorageError> {
        let wallet = self.wallet_id.to_string();
        let read = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let known = key_ids::of_purpose(tx, KeyPurpose::Wallet.name())?;
            Ok(known.iter().all(|key| key.id == wallet))
        };
        store.read(read).await
    }
}

/// Returns the keys of a purpose that the database knows and that are not among these.
fn missing(
    tx: &mut Tx,
    purpose: KeyPurpose,
    present: &[String],
) -> Result<Vec<KnownKey>, StorageError> {
    let mut known = key_ids::of_purpose(tx, purpose.name())?;
    known.retain(|key| !present.contains(&key.id));
    Ok(known)
}

impl Keys {
    /// The ids of these keys for a purpose.
    fn ids_for(&self, purpose: KeyPurpose) -> Vec<String> {
        match purpose {
            KeyPurpose::Wallet => vec![self.wallet_id.to_string()],
            KeyPurpose::Receipts => self.receipt_ids.iter().map(KeyId::to_string).collect(),
        }
    }

    /// Returns the keys of a purpose that were in use and that are not among these, the earliest first: those that [`Keys::forget_lost`]
    /// forgets.
    ///
    /// # Errors
    /// The database failed.
    pub async fn lost(
        &self,
        store: &Store,
        purpose: KeyPurpose,
    ) -> Result<Vec<KnownKey>, StorageError> {
        let present = self.ids_for(purpose);
        let read = move |tx: &mut Tx| missing(tx, purpose, &present);
        store.read(read).await
    }

    /// Forgets the keys of a purpose that were in use and that are not among these, because their secrets are lost. Returns them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_lost(
        &self,
        store: &Store,
        purpose: KeyPurpose,
        reason: &OperatorReason,
        recorder: &Recorder,
        now: Timestamp,
    ) -> Result<Vec<KnownKey>, StorageError> {
        let present = self.ids_for(purpose);
        let (unit, origin) = (recorder.unit_at(now), recorder.origin());
        let reason = reason.clone();
        let write = move |tx: &mut Tx| -> Result<Vec<KnownKey>, StorageError> {
            let lost = missing(tx, purpose, &present)?;
            for key in &lost {
                key_ids::forget(tx, purpose.name(), &key.id)?;
            }
            if !lost.is_empty() {
                AuditEntry::new(AuditAction::KeysForgotten)
                    .with("purpose", AuditValue::word(purpose.name()))
                    .with("keys", AuditValue::count(lost.len() as u64))
                    .because(&reason)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(lost)
        };
        store.write(write).await
    }
}
