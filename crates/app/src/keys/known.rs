//! What the database remembers of the keys in use: their ids. A start with other keys would lose saved cards, or call genuine
//! receipts false.

use cabinet_domain::{AuditAction, AuditValue};
use cabinet_storage::{StorageError, Store, Tx, key_ids};
use jiff::Timestamp;

use super::Keys;
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
    if known.iter().any(|id| id != wallet) {
        return Err(KeysError::OtherWallet);
    }
    let mut missing = key_ids::of_purpose(tx, KeyPurpose::Receipts.name())?;
    missing.retain(|id| !receipts.contains(id));
    if !missing.is_empty() {
        return Err(KeysError::ReceiptsUnprovable(missing));
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
            Ok(known.iter().all(|id| *id == wallet))
        };
        store.read(read).await
    }
}

/// Forgets the keys of a purpose whose secret is lost. Returns how many they were.
///
/// # Errors
/// The database failed.
pub async fn forget(
    store: &Store,
    purpose: KeyPurpose,
    recorder: &Recorder,
    now: Timestamp,
) -> Result<u64, StorageError> {
    let (unit, origin) = (recorder.unit_at(now), recorder.origin());
    let write = move |tx: &mut Tx| -> Result<u64, StorageError> {
        let count = key_ids::forget(tx, purpose.name())?;
        if count > 0 {
            AuditEntry::new(AuditAction::KeysForgotten)
                .with("purpose", AuditValue::word(purpose.name()))
                .with("keys", AuditValue::count(count))
                .record(tx, &mut unit.clone(), &origin)?;
        }
        Ok(count)
    };
    store.write(write).await
}
