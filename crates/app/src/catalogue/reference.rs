//! The reference data in force: kept in the database as the files it was loaded from, held in memory as one value.
//!
//! A lookup costs nothing and sees one version. Every process takes a new version over as a whole, within the worker's
//! interval.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use cabinet_domain::kyiv_date;
use cabinet_metrics::{ACCOUNTS_UNCONFIRMED, FEES_OUTDATED, FeeYear};
pub use cabinet_reference::{
    BadRow, ConfirmedTables, ReferenceData, TablesOfYear, YearError, YearMinimums,
    confirmed_tables, is_demonstration_account, is_demonstration_name, tables_of_year,
};
use cabinet_reference::{TableChoices, parse, tells_fixed_fees};
use cabinet_storage::Store;
use cabinet_storage::catalogue::reference_data;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::catalogue::accounts_to_confirm::AccountsToConfirm;
use crate::catalogue::fee_years::FeesOfEarlierYears;
use crate::catalogue::treasury_day::TreasuryDayMissing;
use crate::kernel::refusal::{AppError, Result};

/// The reference data in force.
#[derive(Clone)]
pub struct Reference {
    store: Store,
    choices: TableChoices,
    /// Whether tables with demonstration accounts may not be in force.
    refuses_demonstration: bool,
    held: Arc<RwLock<Option<Held>>>,
    /// The day and the version of which old rows were logged last.
    warned: Arc<Mutex<Option<(Date, i64)>>>,
}

struct Held {
    version: i64,
    data: Arc<ReferenceData>,
}

impl Reference {
    /// Holds nothing until [`Reference::refresh`] has found something.
    pub(crate) fn new(
        store: Store,
        choices: TableChoices,
        refuses_demonstration: bool,
    ) -> Reference {
        Reference {
            store,
            choices,
            refuses_demonstration,
            held: Arc::default(),
            warned: Arc::default(),
        }
    }

    /// Returns the reference data in force.
    ///
    /// # Errors
    /// Fails where none was ever loaded.
    pub fn current(&self) -> Result<Arc<ReferenceData>> {
        Ok(self.current_version()?.0)
    }

    /// Returns the reference data in force with the number of its version.
    ///
    /// # Errors
    /// As [`Reference::current`].
    pub(crate) fn current_version(&self) -> Result<(Arc<ReferenceData>, i64)> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref()
            .map(|held| (Arc::clone(&held.data), held.version))
            .ok_or_else(|| {
                AppError::Broken(
                    "no reference data is loaded: run `cabinet reference load DIR`".to_owned(),
                )
            })
    }

    /// Takes over the newest version in the database if it is newer than the one in memory. Returns whether it was.
    ///
    /// # Errors
    /// Fails where the database can't be read, or its content breaks a rule of this program's version. In a server without the sandbox also
    /// where it has demonstration accounts. The version in force stays in force.
    pub async fn refresh(&self) -> Result<bool> {
        let newest = self.store.read(reference_data::latest_version).await?;
        let Some(newest) = newest else {
            return Ok(false);
        };
        if self.version() == Some(newest) {
            return Ok(false);
        }
        let tables = version_tables(&self.store, newest, &self.choices).await?;
        if self.refuses_demonstration {
            refuse_demonstration(&tables.data)?;
        }
        let held = Held {
            version: newest,
            data: Arc::new(tables.data),
        };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Some(held);
        tracing::info!(
            reference.version = newest,
            "Reference data of version {newest} is in force"
        );
        Ok(true)
    }

    /// Measures the fees of an earlier year, from 1 December those that will be, and the accounts that nobody has confirmed this year. Logs a
    /// warning about them: once a day, and again for new tables.
    pub fn warn_of_old_rows(&self, now: Timestamp) {
        let (Ok(data), Some(version)) = (self.current(), self.version()) else {
            return;
        };
        let today = kyiv_date(now);
        let stale = FeesOfEarlierYears::on(today, &data);
        let next = FeesOfEarlierYears::of_next_year(today, &data);
        for (year, found) in [(FeeYear::This, &stale), (FeeYear::Next, &next)] {
            let count = found.as_ref().map_or(0, FeesOfEarlierYears::count);
            FEES_OUTDATED.set(year, count as f64);
        }
        let accounts = AccountsToConfirm::on(today, &data);
        let count = accounts.as_ref().map_or(0, AccountsToConfirm::count);
        ACCOUNTS_UNCONFIRMED.set((), count as f64);
        let seen = Some((today, version));
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if *warned == seen {
            return;
        }
        *warned = seen;
        for found in [stale, next].into_iter().flatten() {
            tracing::warn!(fees.stale = found.count(), "{found}");
        }
        if let Some(missing) = TreasuryDayMissing::on(today, &data) {
            tracing::warn!("{missing}");
        }
        if let Some(found) = accounts {
            tracing::warn!(accounts.unconfirmed = found.count(), "{found}");
        }
    }

    fn version(&self) -> Option<i64> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().map(|held| held.version)
    }
}

/// Tables in the database.
#[derive(Debug)]
pub struct StoredTables {
    /// The files that were loaded.
    pub files: BTreeMap<String, String>,
    /// What they say, under the operator's decisions.
    pub data: ReferenceData,
}

/// Returns the tables in force in the database; `None` where none was ever loaded.
///
/// # Errors
/// Fails where their content breaks a rule of this program's version.
pub async fn stored_tables(store: &Store, choices: &TableChoices) -> Result<Option<StoredTables>> {
    match store.read(reference_data::latest_version).await? {
        None => Ok(None),
        Some(version) => version_tables(store, version, choices).await.map(Some),
    }
}

/// Refuses tables with demonstration accounts.
///
/// # Errors
/// Says how many there are.
pub fn refuse_demonstration(data: &ReferenceData) -> Result<()> {
    match data.demonstrations() {
        0 => Ok(()),
        count => Err(AppError::Broken(format!(
            "{count} recipients and templates of the reference data are demonstration accounts, which must not be paid to: load real data by `cabinet reference load DIR`"
        ))),
    }
}

/// The most bad rows that one error names.
const ROWS_NAMED_MAX: usize = 50;

/// Tables from before the column `fixed` can't say which of their fees don't follow the year. Their old fees are only warned of.
fn choices_for(files: &BTreeMap<String, String>, choices: &TableChoices) -> TableChoices {
    let mut choices = choices.clone();
    if !tells_fixed_fees(files) {
        choices.stale_fees_refused_from = None;
    }
    choices
}

/// Returns the tables of a version in the database.
///
/// # Errors
/// Fails where their content breaks a rule of this program's version.
pub async fn version_tables(
    store: &Store,
    version: i64,
    choices: &TableChoices,
) -> Result<StoredTables> {
    let files = store
        .read_long(move |tx| reference_data::files_of(tx, version))
        .await?;
    let data = parse(&files).map_err(|rows| {
        let named: Vec<String> = rows
            .iter()
            .take(ROWS_NAMED_MAX)
            .map(ToString::to_string)
            .collect();
        AppError::Broken(format!(
            "{} rows of the stored reference data break a rule of this version. Mend them in the tables' files and load these: \
             cabinet reference load DIR. The rows: {}",
            rows.len(),
            named.join("; ")
        ))
    })?;
    let data = data.with_choices(choices_for(&files, choices));
    Ok(StoredTables { files, data })
}
