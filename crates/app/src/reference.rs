//! The reference data in force: kept in the database as the files it was loaded from, held in memory as one value.
//!
//! A lookup costs nothing and sees one version. Every process takes a new version over as a whole, within the worker's
//! interval.

use std::sync::{Arc, PoisonError, RwLock};

use cabinet_reference::{ReferenceData, parse};
use cabinet_storage::{Store, reference_data};

use crate::refusal::{AppError, Result};

/// The reference data in force.
#[derive(Clone)]
pub struct Reference {
    store: Store,
    held: Arc<RwLock<Option<Held>>>,
}

struct Held {
    version: i64,
    data: Arc<ReferenceData>,
}

impl Reference {
    /// Holds nothing until [`Reference::refresh`] has found something.
    pub(crate) fn new(store: Store) -> Reference {
        Reference {
            store,
            held: Arc::default(),
        }
    }

    /// Returns the reference data in force.
    ///
    /// # Errors
    /// Fails where none was ever loaded.
    pub fn current(&self) -> Result<Arc<ReferenceData>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref()
            .map(|held| Arc::clone(&held.data))
            .ok_or_else(|| {
                AppError::Broken(
                    "no reference data is loaded: run `cabinet reference load DIR`".to_owned(),
                )
            })
    }

    /// Takes over the newest version in the database if it is newer than the one in memory. Returns whether it was.
    ///
    /// # Errors
    /// Fails where the database can't be read, or its content breaks a rule of this program's version.
    pub async fn refresh(&self) -> Result<bool> {
        let newest = self.store.read(reference_data::latest_version).await?;
        let Some(newest) = newest else {
            return Ok(false);
        };
        if self.version() == Some(newest) {
            return Ok(false);
        }
        let files = self
            .store
            .read_long(move |tx| reference_data::files_of(tx, newest))
            .await?;
        let data = parse(&files).map_err(|rows| {
            AppError::Broken(format!(
                "{} rows of the stored reference data break a rule",
                rows.len()
            ))
        })?;
        let held = Held {
            version: newest,
            data: Arc::new(data),
        };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some(held);
        tracing::info!(
            reference.version = newest,
            "Reference data of version {newest} is in force"
        );
        Ok(true)
    }

    fn version(&self) -> Option<i64> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().map(|held| held.version)
    }
}
