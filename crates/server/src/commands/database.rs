//! `cabinet migrate`, `cabinet doctor` and `cabinet backup`.

use std::path::PathBuf;

use anyhow::{Context, bail};
use cabinet_storage::invariants::{self, Extent};

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// `cabinet migrate`.
///
/// # Errors
/// Returns an error when the database can't be migrated.
pub async fn migrate(settings: Settings) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    store
        .migrate(now)
        .await
        .context("the database can't be brought to this version")?;
    console::print("The database has this program's version.\n");
    store.close().await;
    Ok(())
}

/// `cabinet doctor`: prints one line for each invariant. Checks the orders that may have changed since the last check, or all of them.
///
/// # Errors
/// Returns an error when an invariant does not hold, or when the database fails.
pub async fn doctor(settings: Settings, full: bool) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    store.require_schema().await?;
    let now = environment::now();
    let extent = if full { Extent::Full } else { Extent::Changed };
    let check = invariants::examine(&store, now, extent).await?;
    let findings = check.findings();
    let mut broken = 0;
    for finding in findings {
        if finding.count == 0 {
            console::print(&format!("holds   {}: {}\n", finding.name, finding.promise));
        } else {
            broken += 1;
            console::print(&format!(
                "BROKEN  {}: {} – {} times: {}\n",
                finding.name,
                finding.promise,
                finding.count,
                finding.samples.join(", ")
            ));
        }
    }
    console::print(&match extent {
        Extent::Full => format!("All {} orders were checked.\n", check.orders()),
        Extent::Changed => format!(
            "{} orders were checked; older ones were right when they were last checked and have not changed since.\n",
            check.orders()
        ),
    });
    store.close().await;
    if broken > 0 {
        bail!("{broken} of {} invariants do not hold", findings.len());
    }
    Ok(())
}

/// `cabinet backup FILE`.
///
/// # Errors
/// Returns an error when the file exists or can't be written, and when the database is not SQLite.
pub async fn backup(settings: Settings, file: PathBuf) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    store.backup(&file).await?;
    console::print(&format!("The database was copied to {}.\n", file.display()));
    store.close().await;
    Ok(())
}
