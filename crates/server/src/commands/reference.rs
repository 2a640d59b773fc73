//! `cabinet reference load DIR`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use cabinet_app::administration::{Administration, LoadError};
use cabinet_app::audit::Recorder;
use clap::Subcommand;

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the reference data.
#[derive(Subcommand)]
pub enum Action {
    /// Checks every row of the CSV files in a folder, then replaces the reference data with them.
    Load {
        /// The folder.
        dir: PathBuf,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the folder can't be read, a row is bad or the database fails. Then nothing is loaded.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let Action::Load { dir } = action;
    let mut files = BTreeMap::new();
    for entry in
        std::fs::read_dir(&dir).with_context(|| format!("{} can't be read", dir.display()))?
    {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "csv")
            && let Some(name) = path.file_name().and_then(|name| name.to_str())
        {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} is not a text file in UTF-8", path.display()))?;
            files.insert(name.to_owned(), text);
        }
    }
    let store = wiring::open_store(&settings).await?;
    let now = environment::now();
    store.migrate(now).await?;
    match Administration::new(store.clone(), recorder)
        .load_reference(files, now)
        .await
    {
        Ok(data) => {
            for row in data.doubtful_rows() {
                console::print(&format!("note: {row}\n"));
            }
            console::print("The reference data was replaced.\n");
        }
        Err(LoadError::Rows(rows)) => {
            for row in &rows {
                console::complain(&row.to_string());
            }
            bail!("{} bad rows: nothing was loaded", rows.len());
        }
        Err(LoadError::Storage(error)) => return Err(error.into()),
    }
    store.close().await;
    Ok(())
}
