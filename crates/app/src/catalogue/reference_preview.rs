//! What a set of tables would change, before it is loaded.

use std::collections::BTreeMap;

use cabinet_domain::{kyiv_date, kyiv_day_start};
pub use cabinet_reference::Difference;
use cabinet_reference::{BadRow, ReferenceData, TableChoices, TableSet, difference, parse};
use cabinet_storage::catalogue::reference_data;
use cabinet_storage::{Store, cart};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::cart::{OwnCodes, repricing};
use crate::catalogue::reference::{StoredTables, version_tables};
use crate::kernel::refusal::AppError;

/// Why there is no preview.
#[derive(Debug)]
pub enum PreviewError {
    /// Rows of the new set that break a rule.
    Rows(Vec<BadRow>),
    /// The database failed, or its own tables break a rule.
    App(AppError),
}

/// What a set of tables would change.
#[derive(Debug)]
pub struct Preview {
    /// The changes of the tables.
    pub change: ReferenceChange,
    /// How the carts are touched.
    pub carts: TouchedCarts,
}

/// A set of tables beside the one in force.
#[derive(Clone, Debug)]
pub struct ReferenceChange {
    /// The new files.
    pub files: BTreeMap<String, String>,
    /// The new set under the operator's decisions.
    pub data: ReferenceData,
    /// What the new set was compared with.
    pub from: Compared,
}

/// The tables in force with which a new set was compared.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Nothing is loaded yet, and all would be new.
    Nothing,
    /// A version, and what changes.
    Version(i64, Difference),
    /// A version that breaks a rule of this program, so that it can't be compared.
    Unreadable(i64, String),
}

impl Compared {
    /// Returns the version in force.
    #[must_use]
    pub const fn version(&self) -> Option<i64> {
        match self {
            Self::Nothing => None,
            Self::Version(version, _) | Self::Unreadable(version, _) => Some(*version),
        }
    }

    /// Returns what changes, where both sets can be compared.
    #[must_use]
    pub const fn difference(&self) -> Option<&Difference> {
        match self {
            Self::Version(_, difference) => Some(difference),
            Self::Nothing | Self::Unreadable(..) => None,
        }
    }
}

/// Reads a set of files, and compares it with the tables in the database. Changes nothing.
///
/// # Errors
/// Every bad row.
pub async fn reference_change(
    store: &Store,
    files: BTreeMap<String, String>,
    choices: &TableChoices,
) -> Result<ReferenceChange, PreviewError> {
    Ok(compared(store, files, choices).await?.0)
}

/// Compares two sets of files.
///
/// # Errors
/// Every bad row of the first set that has one.
pub fn difference_of(
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> Result<Difference, Vec<BadRow>> {
    let (old_data, new_data) = (parse(old)?, parse(new)?);
    let old = TableSet {
        files: old,
        data: &old_data,
    };
    let new = TableSet {
        files: new,
        data: &new_data,
    };
    Ok(difference(old, new))
}

async fn compared(
    store: &Store,
    files: BTreeMap<String, String>,
    choices: &TableChoices,
) -> Result<(ReferenceChange, Option<StoredTables>), PreviewError> {
    let data = parse(&files).map_err(PreviewError::Rows)?;
    let data = data.with_choices(choices.clone());
    let latest = store.read(reference_data::latest_version).await;
    let Some(version) = latest.map_err(|error| PreviewError::App(error.into()))? else {
        let from = Compared::Nothing;
        return Ok((ReferenceChange { files, data, from }, None));
    };
    let (from, stored) = match version_tables(store, version, choices).await {
        Ok(stored) => {
            let old = TableSet {
                files: &stored.files,
                data: &stored.data,
            };
            let new = TableSet {
                files: &files,
                data: &data,
            };
            let difference = difference(old, new);
            (Compared::Version(version, difference), Some(stored))
        }
        Err(AppError::Broken(reason)) => (Compared::Unreadable(version, reason), None),
        Err(error) => return Err(PreviewError::App(error)),
    };
    Ok((ReferenceChange { files, data, from }, stored))
}

/// How many items of carts get another price or account, or none, because of the new set.
#[derive(Debug, Default)]
pub struct TouchedCarts {
    /// Items in carts.
    pub items: usize,
    /// Items that are touched on a day, today first. A day on which the number stays the same is left out.
    pub touched: Vec<(Date, usize)>,
}

/// Compares a set of files with the tables in the database. Changes nothing.
///
/// # Errors
/// Every bad row.
pub async fn preview(
    store: &Store,
    files: BTreeMap<String, String>,
    choices: &TableChoices,
    now: Timestamp,
) -> Result<Preview, PreviewError> {
    let (change, stored) = compared(store, files, choices).await?;
    let (Some(difference), Some(stored)) = (change.from.difference(), stored) else {
        let carts = TouchedCarts::default();
        return Ok(Preview { change, carts });
    };
    let contents = store
        .read_long(cart::all_contents)
        .await
        .map_err(|error| PreviewError::App(error.into()))?;
    let mut carts = TouchedCarts {
        items: contents.len(),
        touched: Vec::new(),
    };
    let today = kyiv_date(now);
    let days = difference.days.range(today..).copied();
    let days = days
        .filter(|day| *day != today)
        .filter_map(|day| Some((day, kyiv_day_start(day)?)));
    for (day, moment) in std::iter::once((today, now)).chain(days) {
        let touched = contents.iter().filter(|content| {
            // The notaries' own codes are the same before and after.
            let own = OwnCodes::NOBODY;
            repricing(content, &stored.data, &own, moment)
                != repricing(content, &change.data, &own, moment)
        });
        let count = touched.count();
        if carts.touched.last().is_none_or(|(_, last)| *last != count) {
            carts.touched.push((day, count));
        }
    }
    Ok(Preview { change, carts })
}
