//! The versions of the reference data, as the operator looks at them.

use std::collections::BTreeMap;

use cabinet_domain::{Actor, AuditAction, AuditObject};
use cabinet_storage::audit::{AuditFilter, ListedEvent};
use cabinet_storage::catalogue::reference_data;
use cabinet_storage::{StorageError, Store};
use jiff::Timestamp;

use crate::audit::{Audit, REASON};

/// A version of the reference data.
#[derive(Clone, Debug)]
pub struct ReferenceVersion {
    /// The number.
    pub version: i64,
    /// When it was loaded.
    pub loaded_at: Timestamp,
    /// The operator who loaded it, as far as the audit trail still tells.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// Returns the versions, newest first.
///
/// # Errors
/// Fails where the database can't be read.
pub async fn reference_versions(store: &Store) -> Result<Vec<ReferenceVersion>, StorageError> {
    let mut told = BTreeMap::new();
    let audit = Audit::new(store.clone());
    let filter = AuditFilter {
        action: Some(AuditAction::ReferenceLoaded),
        ..AuditFilter::default()
    };
    let mut page = audit.page(filter, None).await?;
    while let Some(last) = page.last().map(|listed| listed.event.clone()) {
        told.extend(page.iter().filter_map(by_and_reason));
        page = audit.page(filter, Some(last)).await?;
    }
    let versions = store.read_long(reference_data::versions).await?;
    let version = |(version, loaded_at)| {
        let (by, reason) = told.remove(&version).unwrap_or_default();
        ReferenceVersion {
            version,
            loaded_at,
            by,
            reason,
        }
    };
    Ok(versions.into_iter().map(version).collect())
}

/// What an event tells of a version: who loaded it, and why.
type Told = (Option<String>, Option<String>);

/// Returns the number of the version that an event names, and what it tells of it.
fn by_and_reason(listed: &ListedEvent) -> Option<(i64, Told)> {
    let event = &listed.event;
    let Some(AuditObject::ReferenceVersion(version)) = event.object else {
        return None;
    };
    let by = match &event.origin.actor {
        Actor::Operator(name) => Some(name.clone()),
        _ => None,
    };
    let mut changes = event.changes.iter();
    let reason = changes.find(|change| change.field == REASON);
    let reason = reason.and_then(|change| Some(change.to.as_ref()?.as_str().to_owned()));
    Some((version, (by, reason)))
}

/// Returns the files of a version. `None`: there is none of this number.
///
/// # Errors
/// Fails where the database can't be read.
pub async fn stored_files(
    store: &Store,
    version: i64,
) -> Result<Option<BTreeMap<String, String>>, StorageError> {
    let files = store.read_long(move |tx| reference_data::files_of(tx, version));
    Ok(Some(files.await?).filter(|files| !files.is_empty()))
}
