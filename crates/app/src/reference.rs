//! The reference data in force: kept in the database as the files it was loaded from, held in memory as one value.
//!
//! Lookups cost nothing and see one version at a time. A new version is taken over whole, by every process, within the
//! worker's interval.

use std::sync::{Arc, PoisonError, RwLock};

use cabinet_reference::{ReferenceData, parse};
use cabinet_storage::reference_data;

use crate::App;
use crate::refusal::{AppError, Outcome};

#[derive(Default)]
pub(crate) struct Holder(RwLock<Option<Held>>);

struct Held {
    version: i64,
    data: Arc<ReferenceData>,
}

impl App {
    /// The reference data in force.
    ///
    /// # Errors
    /// When none was ever loaded.
    pub fn reference(&self) -> Outcome<Arc<ReferenceData>> {
        let held = self
            .inner
            .reference
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        held.as_ref()
            .map(|held| Arc::clone(&held.data))
            .ok_or_else(|| {
                AppError::Broken(
                    "no reference data is loaded: run `cabinet reference load DIR`".to_owned(),
                )
            })
    }

    /// Takes over the newest version in the database, if there is a newer one than that in memory. Answers whether there was.
    ///
    /// # Errors
    /// When the database can't be read, or what it holds breaks a rule of this program's version.
    pub async fn follow_reference(&self) -> Outcome<bool> {
        let newest = self
            .inner
            .store
            .read(reference_data::latest_version)
            .await?;
        let Some(newest) = newest else {
            return Ok(false);
        };
        let known = self
            .inner
            .reference
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|held| held.version);
        if known == Some(newest) {
            return Ok(false);
        }
        let files = self
            .inner
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
        *self
            .inner
            .reference
            .0
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Some(held);
        tracing::info!(
            reference.version = newest,
            "Reference data of version {newest} is in force"
        );
        Ok(true)
    }
}
