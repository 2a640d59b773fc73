//! `cabinet archive reports|find`: old reports of the acquirer in files.

#![expect(
    clippy::disallowed_methods,
    reason = "the acquirer limits how often it is asked"
)]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use aws_lc_rs::digest::{Context, SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_app::audit::Recorder;
use cabinet_app::worker::report_archive::{ReportArchive, ReportMonth, WrittenMonth};
use cabinet_domain::payment::NewReport;
use cabinet_storage::StorageError;
use clap::{Args, Subcommand};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::order::read_reason;
use super::sheet::{Cell, Sheet};
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// How often a month is tried to be removed: a long reading of the reports may hold it up.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// Actions on old reports of the acquirer.
#[derive(Subcommand)]
pub enum Action {
    /// Writes the reports of whole months to compressed files, one a month, and then deletes them from the database. Repeated reports are
    /// recognised afterwards as well.
    Reports {
        /// The first month that stays (UTC), for instance 2026-03.
        #[arg(long, value_name = "YYYY-MM")]
        before: String,
        /// The folder for the files. It must exist.
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
        /// Why; kept in the audit trail.
        #[arg(long)]
        reason: String,
    },
    /// Looks for reports in the files of a folder. Checks each file against its checksum.
    Find(Wanted),
}

/// What is looked for in files.
#[derive(Args)]
#[group(skip)]
pub struct Wanted {
    /// The folder with the files.
    #[arg(long, value_name = "FOLDER")]
    from: PathBuf,
    /// The acquirer's id of an invoice.
    #[arg(long, required_unless_present = "order", conflicts_with = "order")]
    invoice: Option<String>,
    /// The number of an order: its invoices are looked up in the database.
    #[arg(long)]
    order: Option<i64>,
    /// Prints JSON, with the bodies as they came (base64) and their signatures. They name payers, so the audit trail keeps it.
    #[arg(long, requires = "reason")]
    json: bool,
    /// Why the bodies are printed; kept in the audit trail.
    #[arg(long, requires = "json")]
    reason: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error when a file can't be written or read or does not match its checksum, a month can't be removed, or the database fails.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    let store = wiring::open_store(&settings).await?;
    let archive = wiring::operator(&settings, &store, recorder).report_archive();
    let outcome = match action {
        Action::Reports { before, to, reason } => take_away(&archive, &before, &to, &reason).await,
        Action::Find(wanted) => find(&archive, &wanted).await,
    };
    store.close().await;
    outcome
}

async fn take_away(
    archive: &ReportArchive,
    before: &str,
    folder: &Path,
    reason: &str,
) -> anyhow::Result<()> {
    let reason = read_reason(reason)?;
    let now = environment::now();
    let before = ReportMonth::parse(before)
        .filter(|month| *month <= ReportMonth::of(now))
        .ok_or_else(|| anyhow!("--before: a month that has begun, for instance 2026-03"))?;
    let mut taken = 0;
    let mut next = archive.earliest().await?;
    while let Some(month) = next.filter(|month| *month < before) {
        next = Some(month.next());
        let open = archive.open_of(month).await?;
        if open > 0 {
            console::print(&format!(
                "{month}: stays, {open} reports are about orders that are still open\n"
            ));
            continue;
        }
        let path = folder.join(format!("acquirer-reports-{month}.jsonl.gz"));
        let Some(written) = write_month(archive, month, &path).await? else {
            continue;
        };
        remove(archive, &written, &reason).await.map_err(|error| {
            let file = path.display();
            if matches!(error, StorageError::OutcomeUnknown | StorageError::Damaged(_)) {
                return anyhow!("{month} was written to {file}, and it is not known whether it was deleted: {error}. Keep the file. Repeat the command, with another folder: what it does not write again was deleted");
            }
            anyhow::Error::from(error).context(format!("{month} was written to {file} and not deleted"))
        })?;
        taken += 1;
        console::print(&format!(
            "{month}: {} reports, {}\n",
            written.reports,
            path.display()
        ));
    }
    if taken == 0 {
        console::print(&format!(
            "There are no reports before {before} to take away.\n"
        ));
    }
    Ok(())
}

/// Writes the reports of a month. `None`: it has none. The file gets its name when it is complete, was read again and has its checksum
/// beside it, in the form of `sha256sum`.
async fn write_month(
    archive: &ReportArchive,
    month: ReportMonth,
    path: &Path,
) -> anyhow::Result<Option<WrittenMonth>> {
    let mut page = archive.page(month, None).await?;
    if page.is_empty() {
        return Ok(None);
    }
    if path.exists() {
        bail!("{} exists already: choose another folder", path.display());
    }
    let part = path.with_extension("part");
    let mut file = GzEncoder::new(new_file(&part)?, Compression::default());
    let mut reports = 0;
    while let Some(last) = page.last().map(|report| (report.received_at, report.id)) {
        for report in &page {
            file.write_all(format!("{}\n", line(report)).as_bytes())?;
            reports += 1;
        }
        page = archive.page(month, Some(last)).await?;
    }
    let file = file.finish()?;
    file.sync_all()?;
    let mut read_again = 0;
    each_line(&part, |_| {
        read_again += 1;
        Ok(())
    })?;
    if read_again != reports {
        bail!("{} can't be read again", part.display());
    }
    let sha256 = sha256_of(&part)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut sum = new_file(&checksum_path(path))?;
    sum.write_all(format!("{}  {name}\n", hexadecimal(&sha256)).as_bytes())?;
    sum.sync_all()?;
    std::fs::rename(&part, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(Some(WrittenMonth {
        month,
        reports,
        sha256,
    }))
}

async fn remove(
    archive: &ReportArchive,
    written: &WrittenMonth,
    reason: &cabinet_domain::OperatorReason,
) -> Result<(), StorageError> {
    let mut tries = 1;
    loop {
        match archive.remove(written, reason, environment::now()).await {
            Err(StorageError::TimedOut) if tries < TRIES => tries += 1,
            outcome => return outcome,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn find(archive: &ReportArchive, wanted: &Wanted) -> anyhow::Result<()> {
    let invoices = match (wanted.order, &wanted.invoice) {
        (Some(number), _) => archive
            .invoices_of(number)
            .await?
            .ok_or_else(|| anyhow!("there is no order {number}"))?,
        (None, invoice) => invoice.iter().cloned().collect(),
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&wanted.from)
        .with_context(|| wanted.from.display().to_string())?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    paths.sort();
    let mut found = Vec::new();
    for path in &paths {
        check(path)?;
        each_line(path, |line| {
            let is_wanted = |invoice: &String| line["invoice_id"] == invoice.as_str();
            if invoices.iter().any(is_wanted) {
                found.push(line);
            }
            Ok(())
        })?;
    }
    if let Some(reason) = &wanted.reason {
        let reason = read_reason(reason)?;
        archive
            .record_shown(wanted.order, found.len(), &reason, environment::now())
            .await?;
        console::print(&format!("{:#}\n", Value::Array(found)));
        return Ok(());
    }
    let mut sheet = Sheet::default();
    let columns = [
        "received", "changed", "acquirer", "invoice", "verdict", "bytes",
    ];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rows = found.iter().map(|line| -> Vec<Cell> {
        let body = line["body"].as_str().unwrap_or_default();
        vec![
            text(&line["received_at"]).into(),
            text(&line["modified_at"]).into(),
            text(&line["acquirer"]).into(),
            text(&line["invoice_id"]).into(),
            text(&line["verdict"]).into(),
            i64::try_from(STANDARD.decode(body).unwrap_or_default().len())
                .unwrap_or(i64::MAX)
                .into(),
        ]
    });
    sheet.table("reports", &columns, rows);
    if found.is_empty() {
        console::print(&format!("{} files have no such report.\n", paths.len()));
    } else {
        console::print(&sheet.text(false));
    }
    Ok(())
}

/// A report as a line of the file.
fn line(report: &NewReport) -> Value {
    json!({
        "id": report.id.to_string(),
        "received_at": report.received_at.to_string(),
        "invoice_id": report.invoice_id.as_ref().map(|invoice| invoice.as_str()),
        "modified_at": report.modified_at.map(|moment| moment.to_string()),
        "acquirer": report.acquirer.as_str(),
        "verdict": report.verdict,
        "signature": report.signature,
        "body": STANDARD.encode(&report.body),
    })
}

fn each_line(path: &Path, mut work: impl FnMut(Value) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let line = line.with_context(|| path.display().to_string())?;
        work(serde_json::from_str(&line).with_context(|| path.display().to_string())?)?;
    }
    Ok(())
}

fn checksum_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// Checks a file against the checksum beside it.
fn check(path: &Path) -> anyhow::Result<()> {
    let sum = checksum_path(path);
    let noted = std::fs::read_to_string(&sum).with_context(|| sum.display().to_string())?;
    if noted.split_whitespace().next() != Some(hexadecimal(&sha256_of(path)?).as_str()) {
        bail!(
            "{} is not the file that was written: its checksum differs",
            path.display()
        );
    }
    Ok(())
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha256_of(path: &Path) -> anyhow::Result<[u8; 32]> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    let mut context = Context::new(&SHA256);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        context.update(&buffer[..count]);
    }
    let digest = context.finish();
    digest
        .as_ref()
        .try_into()
        .map_err(|_| anyhow!("a digest has 32 bytes"))
}

/// Makes a file that nobody else may read. What an interrupted command has left of it is overwritten.
fn new_file(path: &Path) -> anyhow::Result<File> {
    let mut options = File::options();
    let file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    file.map_err(|error| anyhow!("{} can't be made: {error}", path.display()))
}
