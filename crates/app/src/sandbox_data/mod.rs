//! Notaries of the sandbox and their history.
//!
//! Past orders are stored by the same functions as real ones, so they have the same invariants.

mod history;
mod past_item;
mod people;

use std::sync::Arc;

use cabinet_domain::{Clock, NewNotary, NotaryId, Phone, Practice, StandingBy};
use cabinet_storage::account::notaries;
use cabinet_storage::{StorageError, Store, Tx, lock_notary};

use jiff::SignedDuration;

use crate::catalogue::reference::Reference;
use crate::kernel::ids::Ids;
use crate::kernel::refusal::Result;
use crate::payment::Settler;

pub use history::SandboxPayment;
pub use people::{SANDBOX_NOTARIES, SandboxNotary};

/// The notaries of the sandbox have had their accounts for so long, so that they are not limited as new ones.
const SETTLED_FOR: SignedDuration = SignedDuration::from_hours(24 * 400);

/// Fills the database of a sandbox.
#[derive(Clone)]
pub struct SandboxData {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) reference: Reference,
    pub(crate) settler: Settler,
}

fn has_sandbox_notary(notaries: &[NotaryId]) -> bool {
    SANDBOX_NOTARIES
        .iter()
        .any(|known| notaries.contains(&known.id()))
}

/// Whether a database has notaries of the sandbox.
///
/// # Errors
/// The database failed.
pub async fn has_sandbox_notaries(store: &Store) -> Result<bool> {
    let all = store.read_long(notaries::ids).await?;
    Ok(has_sandbox_notary(&all))
}

impl SandboxData {
    /// Whether the database has notaries, and none of the sandbox.
    pub async fn has_real_notaries(&self) -> Result<bool> {
        let all = self.store.read_long(notaries::ids).await?;
        Ok(!all.is_empty() && !has_sandbox_notary(&all))
    }

    /// Adds the notaries of the sandbox that are missing.
    pub async fn add_notaries(&self) -> Result<()> {
        let now = self.clock.now();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            for notary in &SANDBOX_NOTARIES {
                // Known by the id: somebody may have tried out a change of the phone.
                if notaries::created_at_of(tx, notary.id())?.is_some() {
                    continue;
                }
                let (Ok(phone), Ok(profile)) = (Phone::parse(notary.phone), notary.profile())
                else {
                    continue;
                };
                let account = NewNotary {
                    id: notary.id(),
                    phone,
                    full_name: profile.full_name.clone(),
                    registry_identifier: profile.registry_identifier.clone(),
                    login_step: notary.login_step,
                    chooses_payment_method: notary.chooses_payment_method,
                    agreed_terms_at: notary.agreed.then_some(now),
                    phone_verified_at: Some(now),
                    created_at: now - SETTLED_FOR,
                    confirmation: Some(StandingBy::Register),
                };
                if notaries::insert(tx, &account)? {
                    let locked = lock_notary(tx, notary.id())?;
                    notaries::save_profile(tx, &locked, &profile, now)?;
                    let practice = Practice {
                        status: notary.status.counts_as,
                        by: notary.status.by,
                        reason: None,
                        since: account.created_at,
                    };
                    notaries::set_practice(tx, &locked, &practice)?;
                }
            }
            Ok(())
        };
        Ok(self.store.write(write).await?)
    }
}
