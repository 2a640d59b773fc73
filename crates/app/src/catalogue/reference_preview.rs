//! What a set of tables would change, before it is loaded.

use std::collections::BTreeMap;

use cabinet_domain::{kyiv_date, kyiv_day_start};
use cabinet_reference::{
    BadRow, Difference, ReferenceData, TableChoices, TableSet, difference, parse,
};
use cabinet_storage::{Store, cart};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::cart::{OwnCodes, repricing};
use crate::catalogue::reference::stored_tables;
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
    /// The changes of the tables; `None`: nothing is loaded yet, and all would be new.
    pub difference: Option<Difference>,
    /// How the carts are touched.
    pub carts: TouchedCarts,
    /// The new set under the operator's decisions.
    pub data: ReferenceData,
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
    files: &BTreeMap<String, String>,
    choices: &TableChoices,
    now: Timestamp,
) -> Result<Preview, PreviewError> {
    let data = parse(files).map_err(PreviewError::Rows)?;
    let data = data.with_choices(choices.clone());
    let stored = stored_tables(store, choices).await;
    let Some(stored) = stored.map_err(PreviewError::App)? else {
        return Ok(Preview {
            difference: None,
            carts: TouchedCarts::default(),
            data,
        });
    };
    let old = TableSet {
        files: &stored.files,
        data: &stored.data,
    };
    let new = TableSet { files, data: &data };
    let difference = difference(old, new);
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
                != repricing(content, &data, &own, moment)
        });
        let count = touched.count();
        if carts.touched.last().is_none_or(|(_, last)| *last != count) {
            carts.touched.push((day, count));
        }
    }
    Ok(Preview {
        difference: Some(difference),
        carts,
        data,
    })
}
