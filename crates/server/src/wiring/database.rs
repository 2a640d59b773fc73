//! Opens the database.

use std::path::Path;

use anyhow::{Context, bail};
use cabinet_storage::{Store, StoreOptions};

use crate::settings::Settings;

/// Opens the database for a command that may run beside a server. A missing one is not made.
///
/// # Errors
/// Returns an error when the database can't be opened, or has another schema.
pub async fn open_store(settings: &Settings) -> anyhow::Result<Store> {
    let store = open_any_store(settings).await?;
    store.require_schema().await?;
    Ok(store)
}

/// Opens the database whatever its schema is: only to copy it.
///
/// # Errors
/// Returns an error when the database can't be opened, or is not there.
pub async fn open_any_store(settings: &Settings) -> anyhow::Result<Store> {
    open(settings, StoreOptions::existing()).await
}

/// Opens the database for a command that migrates it. A missing SQLite file is made.
///
/// # Errors
/// Returns an error when the database can't be opened.
pub async fn open_or_make_store(settings: &Settings) -> anyhow::Result<Store> {
    open(settings, StoreOptions::default()).await
}

pub(super) async fn open(settings: &Settings, options: StoreOptions) -> anyhow::Result<Store> {
    check_encryption(settings)?;
    let options = StoreOptions {
        connections: settings.database_connections,
        root_certificates: settings.database_root_certificates.clone(),
        ..options
    };
    let store = Store::open(&settings.database_url, options)
        .await
        .context("the database can't be opened")?;
    store
        .require_sessions()
        .await
        .context("the database can't be used")?;
    Ok(store)
}

/// Opens the database to look at it: nothing is made, and one connection is enough.
///
/// # Errors
/// Returns an error when the database can't be opened, or is not there.
pub async fn open_to_look(settings: &Settings) -> anyhow::Result<Store> {
    let options = StoreOptions {
        connections: 1,
        root_certificates: settings.database_root_certificates.clone(),
        ..StoreOptions::existing()
    };
    Ok(Store::open(&settings.database_url, options).await?)
}

/// Whether a SQLite database is not there yet. An empty file is one that somebody made by hand.
pub fn is_missing(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(file) => file.len() == 0,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Refuses a database whose password and data could be read on the way to it.
///
/// # Errors
/// Says what to do.
pub fn check_encryption(settings: &Settings) -> anyhow::Result<()> {
    if settings.database_url.is_readable_on_the_way() && !settings.database_allow_plaintext {
        bail!(
            "CABINET_DATABASE_URL names another machine without sslmode=require, so its password and all data could be read on the way. If that network is safe, set CABINET_DATABASE_ALLOW_PLAINTEXT=true"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wiring::tests::settings;

    #[test]
    fn a_password_crosses_a_network_in_clear_only_if_that_is_said() {
        let check = |pairs: &[(&str, &str)]| {
            check_encryption(&settings(pairs)).map_err(|error| error.to_string())
        };
        let name = "CABINET_DATABASE_URL";
        let allowed = ("CABINET_DATABASE_ALLOW_PLAINTEXT", "true");
        for clear in ["", "?sslmode=disable", "?sslmode=prefer"] {
            let url = format!("postgres://app:hidden-value@db.example/cabinet{clear}");
            let text = check(&[(name, &url)]).unwrap_err();
            assert!(
                text.contains(allowed.0) && !text.contains("hidden-value"),
                "{text}"
            );
            assert_eq!(check(&[(name, &url), allowed]), Ok(()));
        }
        let encrypted = "postgres://app:hidden-value@db.example/cabinet?sslmode=require";
        assert_eq!(check(&[(name, encrypted)]), Ok(()));
    }
}
