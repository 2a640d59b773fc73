//! `cabinet register load|find`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cabinet_app::account::{
    AccountConfirmation, DoubtfulStatuses, REGISTER_FOUND_MAX, RegisterError,
};
use cabinet_app::audit::Recorder;
use cabinet_domain::{Email, Phone, kyiv_time};
use clap::Subcommand;

use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the register of notaries.
#[derive(Subcommand)]
pub enum Action {
    /// Checks every row of the register, saved as CSV, then replaces the register with it. Accounts that wait are confirmed where it
    /// names their owner with their telephone.
    Load {
        /// The file.
        file: PathBuf,
    },
    /// Finds rows by a part of the name, by the identifier or by the certificate. Case and apostrophes don't matter.
    Find {
        /// What is looked for; `-` reads it from standard input.
        #[arg(value_parser = typed::or_of_input)]
        text: String,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the file can't be read, a row is bad or the database fails. Then nothing is loaded.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let register = wiring::operator(&settings, &store, recorder).account_confirmation();
    match action {
        Action::Load { file } => load(&register, &file).await?,
        Action::Find { text } => find(&register, &text).await?,
    }
    store.close().await;
    Ok(())
}

async fn load(register: &AccountConfirmation, file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{} is not a text file in UTF-8", file.display()))?;
    let loaded = match register.load_register(&text, environment::now()).await {
        Ok(loaded) => loaded,
        Err(RegisterError::Rows(rows)) => {
            let name = file.file_name().unwrap_or_default().display();
            for row in &rows {
                console::complain(&format!("{name}:{row}"));
            }
            bail!("{} bad rows: nothing was loaded", rows.len());
        }
        Err(RegisterError::Storage(error)) => return Err(error.into()),
    };
    if loaded.is_same {
        console::print("Nothing changed: this file was loaded before.\n");
    } else {
        console::print(&format!(
            "The register was replaced: {} rows, {} with a telephone or e-mail. {} accounts that waited were confirmed.\n",
            loaded.rows, loaded.reachable, loaded.confirmed
        ));
    }
    if loaded.statuses > 0 {
        console::print(&format!(
            "Statuses that changed with the register: {}. Their notaries are told.\n",
            loaded.statuses
        ));
    }
    doubts(&loaded.doubtful);
    for notary in &loaded.gone {
        console::print(&format!(
            "note: {notary} was confirmed by a row that is gone, or whose activity has stopped\n"
        ));
    }
    Ok(())
}

/// Prints the statuses that the operator should look at.
fn doubts(doubtful: &DoubtfulStatuses) {
    for notary in &doubtful.unknown {
        console::print(&format!(
            "doubt: the register does not tell whether {notary} is a private or a state notary; the account counts as private: \
             cabinet notary set-status PHONE --status private|state|suspended --reason …\n"
        ));
    }
    for (notary, told) in &doubtful.otherwise {
        console::print(&format!(
            "doubt: the register tells that {notary} is {}, the operator has decided otherwise\n",
            told.as_str()
        ));
    }
}

async fn find(register: &AccountConfirmation, text: &str) -> anyhow::Result<()> {
    let Some(load) = register.last_load().await? else {
        bail!("no register was loaded: cabinet register load FILE");
    };
    let rows = register.find(text).await?;
    let found = rows.len();
    for row in rows {
        let number = row.certificate_number.as_ref();
        let number = number.map_or("no certificate".to_owned(), |number| {
            format!("certificate {}", number.as_str())
        });
        let activity = if row.is_active {
            ""
        } else {
            ", activity stopped"
        };
        let practice = row
            .practises_as
            .map_or(String::new(), |status| format!(", {}", status.as_str()));
        let identifier = row.registry_identifier.as_ref();
        let identifier = identifier.map_or("no identifier".to_owned(), |text| {
            format!("identifier {}", text.as_str())
        });
        let phone = row.phone.as_ref().map(Phone::masked);
        let email = row.email.as_ref().map(Email::masked);
        let contact: String = phone
            .into_iter()
            .chain(email)
            .fold(String::new(), |all, one| all + ", " + &one);
        console::print(&format!(
            "{}  {number}, {identifier}{practice}{activity}{contact}\n",
            row.full_name.as_str()
        ));
    }
    let told = match found {
        0 => "No row fits: look by a part of the name, by the certificate or by the identifier.\n"
            .to_owned(),
        REGISTER_FOUND_MAX.. => {
            format!("These are the first {found}, more may fit: name more of it.\n")
        }
        _ => String::new(),
    };
    let loaded = kyiv_time(load.loaded_at).strftime("%Y-%m-%d %H:%M");
    console::print(&format!(
        "{told}of {} rows, loaded {loaded} (Kyiv time)\n",
        load.row_count
    ));
    Ok(())
}
