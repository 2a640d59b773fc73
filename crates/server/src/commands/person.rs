//! `cabinet person export`.

use std::path::PathBuf;

use anyhow::anyhow;
use cabinet_app::audit::Recorder;
use cabinet_app::operator::erasure::{Erasure, PersonExport};
use cabinet_domain::{Inn, OperatorReason};
use clap::Subcommand;

use super::new_file::NewFile;
use super::order::read_reason;
use super::typed;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the data of a person.
#[derive(Subcommand)]
pub enum Action {
    /// Writes everything that is stored about a person, over all notaries, as person.json and person.pdf: what the person may ask for by law.
    Export {
        /// The code of the person: of a taxpayer, an organisation, an identity card or a passport; `-` reads it from standard input.
        #[arg(long, value_parser = typed::or_of_input)]
        code: String,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
        /// The folder for the two files, which must not exist in it.
        #[arg(long)]
        to: PathBuf,
    },
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the code or the reason can't be read, a file can't be made, nothing is stored, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let Action::Export { code, reason, to } = action;
    let code = Inn::parse(&code)
        .map_err(|_| anyhow!("--code: neither the code of a taxpayer or an organisation (8 to 10 digits) nor a passport"))?;
    let reason = read_reason(&reason)?;
    let store = wiring::open_store(&settings).await?;
    let erasure = wiring::operator(&settings, &store, recorder).erasure();
    let files = [to.join("person.json"), to.join("person.pdf")];
    let outcome = export(&erasure, code, &reason, &files).await;
    store.close().await;
    console::print(&told(&outcome?, &files));
    Ok(())
}

/// Both files are made before anything is recorded, and are gone again where one of them can't be filled.
async fn export(
    erasure: &Erasure,
    code: Inn,
    reason: &OperatorReason,
    [json, pdf]: &[PathBuf; 2],
) -> anyhow::Result<PersonExport> {
    let (as_json, as_pdf) = (NewFile::make(json)?, NewFile::make(pdf)?);
    let now = environment::now();
    let export = erasure.export_person(code, reason, now).await?;
    as_pdf.fill(&export.pdf)?;
    as_json.fill(format!("{:#}\n", export.json).as_bytes())?;
    Ok(export)
}

/// Returns what was found, a line for each kind.
fn told(export: &PersonExport, [json, pdf]: &[PathBuf; 2]) -> String {
    let mut text = format!("notaries  {}\n", export.notaries);
    for (kind, count) in &export.counts {
        text.push_str(&format!("{kind}  {count}\n"));
    }
    text.push_str(&format!(
        "Everything was written to {} and {}. They name a person: hand them over, and delete them.\n",
        json.display(),
        pdf.display()
    ));
    text
}
