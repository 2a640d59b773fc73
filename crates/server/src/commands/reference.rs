//! `cabinet reference`: loading tables and going back to earlier ones, showing and comparing them, and those of a new year.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cabinet_app::audit::Recorder;
use cabinet_app::catalogue::reference::{
    BadRow, ConfirmedTables, ReferenceData, TablesOfYear, YearError, YearMinimums,
    confirmed_tables, stored_tables, tables_of_year,
};
use cabinet_app::catalogue::reference_preview::{
    Compared, Difference, Preview, PreviewError, TouchedCarts, difference_of, preview,
};
use cabinet_app::catalogue::reference_versions::{reference_versions, stored_files};
use cabinet_app::operator::administration::LoadError;
use cabinet_app::{AccountsToConfirm, FeesOfEarlierYears, TreasuryDayMissing};
use cabinet_domain::{Money, kyiv_date, kyiv_time};
use cabinet_storage::{SchemaError, StorageError, Store};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::civil::Date;

use super::order::read_reason;
use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Actions on the reference data.
#[derive(Subcommand)]
pub enum Action {
    /// Checks every row of the CSV files in a folder, says what they change, asks, and replaces the reference data with them.
    Load {
        /// The folder.
        dir: PathBuf,
        #[command(flatten)]
        taking: Taking,
    },
    /// Says what would change, table by table. Changes nothing.
    Diff {
        /// The new tables: a folder, or the number of a version. With two arguments, the old ones.
        #[arg(value_name = "TABLES")]
        first: String,
        /// The new tables, where they are not compared with those in force.
        #[arg(value_name = "NEW")]
        second: Option<String>,
    },
    /// Prints the tables in force, or those of a version.
    Show {
        /// The number of the version.
        version: Option<i64>,
        /// The folder to write the files to, in the place of printing them. It is made, or empty.
        #[arg(long, value_name = "DIR")]
        to: Option<PathBuf>,
    },
    /// Lists the versions, newest first: when each was loaded, by whom and why.
    Versions,
    /// Makes the tables of an earlier version the newest ones: says what changes, asks, and loads them.
    Restore {
        /// The number of the version.
        version: i64,
        #[command(flatten)]
        taking: Taking,
    },
    /// Writes beside recipients that their accounts were compared with what was published: says what changes, asks, and loads the tables.
    Confirm {
        /// A CSV file with the columns iban, edrpou, confirmed_on and confirmed_source.
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        #[command(flatten)]
        taking: Taking,
    },
    /// Writes the tables in force with the fees of a year, computed from the minimums of that year. Loads nothing.
    Year {
        /// The year: this one or the next.
        year: i16,
        /// The subsistence minimum of an able-bodied person for a month on 1 January, in hryvnias.
        #[arg(long, value_name = "SUM", value_parser = minimum)]
        minimum: Money,
        /// The minimum wage for a month on 1 January, in hryvnias.
        #[arg(long, value_name = "SUM", value_parser = minimum)]
        wage: Money,
        /// The folder to write to. It is made, or empty.
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
}

/// How tables are taken over.
#[derive(Args)]
pub struct Taking {
    /// Why, as the audit trail keeps it.
    #[arg(long)]
    reason: String,
    /// Does not ask.
    #[arg(long)]
    yes: bool,
}

/// Reads a minimum of the law on the budget.
fn minimum(text: &str) -> Result<Money, String> {
    match Money::parse_decimal(&text.replace(',', ".")) {
        Ok(sum) if !sum.is_zero() => Ok(sum),
        _ => Err("a sum above zero such as 3328 or 3328.00 is expected".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error when the folder can't be read, a row is bad or the database fails. Then nothing is loaded.
pub async fn run(settings: Settings, action: Action, recorder: Recorder) -> anyhow::Result<()> {
    match action {
        Action::Load { dir, taking } => {
            let files = read_files(&dir)?;
            let store = wiring::open_or_make_store(&settings).await?;
            make_or_require(&store, environment::now()).await?;
            take(&settings, store, files, taking, recorder).await
        }
        Action::Diff { first, second } => diff(&settings, &first, second.as_deref()).await,
        Action::Show { version, to } => show(&settings, version, to.as_deref()).await,
        Action::Versions => versions(&settings).await,
        Action::Restore { version, taking } => {
            let store = wiring::open_store(&settings).await?;
            let files = files_of(&store, version).await?;
            take(&settings, store, files, taking, recorder).await
        }
        Action::Confirm { from, taking } => confirm(&settings, &from, taking, recorder).await,
        Action::Year {
            year,
            minimum,
            wage,
            to,
        } => {
            let minimums = YearMinimums {
                year,
                subsistence_minimum: minimum,
                minimum_wage: wage,
            };
            write_year(&settings, minimums, &to).await
        }
    }
}

/// Says what files change, asks, and loads them.
async fn take(
    settings: &Settings,
    store: Store,
    files: BTreeMap<String, String>,
    taking: Taking,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let reason = read_reason(&taking.reason)?;
    let now = environment::now();
    let choices = wiring::table_choices(settings);
    let preview = match preview(&store, files, &choices, now).await {
        Ok(preview) => preview,
        Err(PreviewError::Rows(rows)) => return Err(refuse(&rows, "nothing was loaded")),
        Err(PreviewError::App(error)) => return Err(error.into()),
    };
    print_changes(&preview);
    print_notes(&preview.change.data, kyiv_date(now));
    console::agree(
        "The tables in force would be replaced by these.\n",
        taking.yes,
    )?;
    let administration = wiring::operator(settings, &store, recorder).administration();
    let taken = administration.take_reference(preview.change, &reason, now);
    match taken.await {
        Ok(version) => console::print(&format!(
            "The reference data was replaced: version {version} is in force.\n"
        )),
        Err(LoadError::Overtaken) => anyhow::bail!(
            "other tables have come into force meanwhile: nothing was loaded. Repeat the command and look at what changes"
        ),
        Err(LoadError::Rows(rows)) => return Err(refuse(&rows, "nothing was loaded")),
        Err(LoadError::Storage(error)) => return Err(error.into()),
        Err(LoadError::App(error)) => return Err(error.into()),
    }
    store.close().await;
    Ok(())
}

/// Writes the days of a list beside the recipients, and loads the tables.
async fn confirm(
    settings: &Settings,
    from: &Path,
    taking: Taking,
    recorder: Recorder,
) -> anyhow::Result<()> {
    let list = std::fs::read_to_string(from)
        .with_context(|| format!("{} is not a text file in UTF-8", from.display()))?;
    let store = wiring::open_store(settings).await?;
    let stored = stored_tables(&store, &wiring::table_choices(settings)).await?;
    let stored = stored.context("no reference data is loaded: there are no accounts to confirm")?;
    let today = kyiv_date(environment::now());
    let made = match confirmed_tables(&stored.files, &list, today) {
        Ok(made) => made,
        Err(rows) => return Err(refuse(&rows, "nothing was confirmed")),
    };
    tell_confirmed(&made);
    if made.files == stored.files || made.confirmed == 0 {
        console::print("The list tells nothing new. Nothing was changed.\n");
        store.close().await;
        return Ok(());
    }
    take(settings, store, made.files, taking, recorder).await
}

/// Tells how many recipients a list confirms, and which of its accounts none has.
fn tell_confirmed(made: &ConfirmedTables) {
    console::print(&format!(
        "The list has the accounts of {} recipients.\n",
        made.confirmed
    ));
    for line in &made.unknown {
        console::print(&format!(
            "note: the list:{line}: no recipient has this account: is it new?\n"
        ));
    }
}

/// Makes the tables of a new database. One that has tables is not migrated here: a server may be at work on it.
async fn make_or_require(store: &Store, now: Timestamp) -> anyhow::Result<()> {
    match store.require_schema().await {
        Err(StorageError::Schema(SchemaError::Older { database: 0, .. })) => {
            store.migrate(now).await?;
        }
        required => drop(required?),
    }
    Ok(())
}

async fn diff(settings: &Settings, first: &str, second: Option<&str>) -> anyhow::Result<()> {
    let store = wiring::open_store(settings).await?;
    let now = environment::now();
    let choices = wiring::table_choices(settings);
    let first_files = tables_named(&store, first).await?;
    if let Some(second) = second {
        let new = tables_named(&store, second).await?;
        match difference_of(&first_files, &new) {
            Ok(difference) => print_difference(&difference),
            Err(rows) => return Err(refuse(&rows, "nothing can be compared")),
        }
        store.close().await;
        return Ok(());
    }
    match preview(&store, first_files, &choices, now).await {
        Ok(preview) => {
            print_changes(&preview);
            print_notes(&preview.change.data, kyiv_date(now));
            console::print("Nothing was changed.\n");
        }
        Err(PreviewError::Rows(rows)) => return Err(refuse(&rows, "nothing can be compared")),
        Err(PreviewError::App(error)) => return Err(error.into()),
    }
    store.close().await;
    Ok(())
}

/// Returns the files of a version, where its number is given, or of a folder.
async fn tables_named(store: &Store, name: &str) -> anyhow::Result<BTreeMap<String, String>> {
    match name.parse() {
        Ok(version) => files_of(store, version).await,
        Err(_) => read_files(Path::new(name)),
    }
}

async fn files_of(store: &Store, version: i64) -> anyhow::Result<BTreeMap<String, String>> {
    let files = stored_files(store, version).await?;
    files.with_context(|| format!("there is no version {version}: cabinet reference versions"))
}

async fn show(settings: &Settings, version: Option<i64>, to: Option<&Path>) -> anyhow::Result<()> {
    let store = wiring::open_store(settings).await?;
    let version = match version {
        Some(version) => version,
        None => {
            let latest = reference_versions(&store).await?;
            let latest = latest.first().context("no reference data is loaded")?;
            latest.version
        }
    };
    let files = files_of(&store, version).await?;
    store.close().await;
    if let Some(to) = to {
        write_files(to, &files)?;
        console::print(&format!(
            "{} has the tables of version {version}.\n",
            to.display()
        ));
        return Ok(());
    }
    console::print(&format!("version {version}\n"));
    for (name, text) in &files {
        console::print(&format!("\n== {name}\n{}\n", text.trim_end()));
    }
    Ok(())
}

async fn versions(settings: &Settings) -> anyhow::Result<()> {
    let store = wiring::open_store(settings).await?;
    let versions = reference_versions(&store).await?;
    store.close().await;
    if versions.is_empty() {
        console::print("No reference data is loaded.\n");
    }
    for version in versions {
        let moment = kyiv_time(version.loaded_at);
        let by = version.by.as_deref().unwrap_or("-");
        let reason = version.reason.as_deref().unwrap_or("-");
        console::print(&format!(
            "{}  {}  {by}  {reason}\n",
            version.version,
            moment.strftime("%Y-%m-%d %H:%M:%S"),
        ));
    }
    Ok(())
}

async fn write_year(settings: &Settings, minimums: YearMinimums, to: &Path) -> anyhow::Result<()> {
    let this_year = kyiv_date(environment::now()).year();
    if minimums.year != this_year && Some(minimums.year) != this_year.checked_add(1) {
        anyhow::bail!("the year is this one or the next: {this_year} has come");
    }
    let store = wiring::open_store(settings).await?;
    let stored = stored_tables(&store, &wiring::table_choices(settings)).await?;
    store.close().await;
    let stored = stored.context("no reference data is loaded: nothing can be computed from it")?;
    let made = match tables_of_year(&stored.files, minimums) {
        Ok(made) => made,
        Err(YearError::Rows(rows)) => return Err(refuse(&rows, "nothing was written")),
        Err(YearError::NoMultiples) => anyhow::bail!(
            "no fee in force tells what it is a multiple of: fill the columns base, multiples and rounded_to of term-taxes.csv and option-tariffs.csv, as reference-data/README.md describes them, and load the tables. Nothing was written"
        ),
        Err(YearError::YearInvalid) => anyhow::bail!("the calendar has no such year"),
    };
    write_files(to, &made.files)?;
    tell_year(minimums, to, &made);
    Ok(())
}

/// Writes files into a folder that has none.
fn write_files(to: &Path, files: &BTreeMap<String, String>) -> anyhow::Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("{} can't be made", to.display()))?;
    let mut found =
        std::fs::read_dir(to).with_context(|| format!("{} can't be read", to.display()))?;
    if found.next().is_some() {
        anyhow::bail!("{} is not empty: nothing was written", to.display());
    }
    for (name, text) in files {
        let path = to.join(name);
        std::fs::write(&path, text)
            .with_context(|| format!("{} can't be written", path.display()))?;
    }
    Ok(())
}

/// Tells what was computed, what is left to do by hand, and what to do next.
fn tell_year(minimums: YearMinimums, to: &Path, made: &TablesOfYear) {
    let (year, dir) = (minimums.year, to.display());
    console::print(&format!(
        "{dir} has the tables with {} fees of {year}, computed from the subsistence minimum {} and the minimum wage {}.\n",
        made.computed,
        minimums.subsistence_minimum.decimal(),
        minimums.minimum_wage.decimal()
    ));
    for row in &made.left {
        console::print(&format!("left as it was, set it by hand: {row}\n"));
    }
    console::print(&format!(
        "Nothing was loaded. See what changes: cabinet reference diff {dir}. Then: cabinet reference load {dir} --reason TEXT\n"
    ));
}

/// Reads the tables of a folder.
fn read_files(dir: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("{} can't be read", dir.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "csv")
            && let Some(name) = path.file_name().and_then(|name| name.to_str())
        {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} is not a text file in UTF-8", path.display()))?;
            files.insert(name.to_owned(), text);
        }
    }
    Ok(files)
}

/// Names every bad row. Returns the error of the command.
fn refuse(rows: &[BadRow], outcome: &str) -> anyhow::Error {
    for row in rows {
        console::complain(&row.to_string());
    }
    anyhow::anyhow!("{} bad rows: {outcome}", rows.len())
}

/// Prints what a set changes, table by table, and how many items of carts it touches.
fn print_changes(preview: &Preview) {
    match &preview.change.from {
        Compared::Nothing => {
            console::print("No reference data is loaded: all of these tables would be new.\n");
        }
        Compared::Unreadable(version, reason) => console::print(&format!(
            "The tables in force, version {version}, can't be compared, so look at each account: {reason}\n"
        )),
        Compared::Version(_, difference) => {
            print_difference(difference);
            print_carts(&preview.carts);
        }
    }
}

fn print_difference(difference: &Difference) {
    if difference.tables.is_empty() {
        console::print("The tables do not differ.\n");
    }
    for (file, lines) in &difference.tables {
        console::print(&format!("{file}: {} changes\n", lines.len()));
        for line in lines {
            console::print(&format!("  {line}\n"));
        }
    }
}

fn print_carts(carts: &TouchedCarts) {
    let mut text = format!("{} items are in carts.", carts.items);
    for (place, (day, count)) in carts.touched.iter().enumerate() {
        let when = if place == 0 {
            "at once".to_owned()
        } else {
            format!("on {day}")
        };
        text.push_str(&format!(" Touched {when}: {count}."));
    }
    console::print(&format!("{text}\n"));
}

/// Prints what the operator should look at or decide about a set.
fn print_notes(data: &ReferenceData, today: Date) {
    for row in data.doubtful_rows() {
        console::print(&format!("note: {row}\n"));
    }
    for template in data.unconfirmed_templates() {
        let is_offered = if data.may_be_used(template) {
            "offered, because CABINET_FEES_UNCONFIRMED_TEMPLATES names it"
        } else {
            "not offered, unless CABINET_FEES_UNCONFIRMED_TEMPLATES names it"
        };
        console::print(&format!(
            "note: the template {} is unconfirmed and {is_offered}\n",
            template.id()
        ));
    }
    let invented = data.demonstrations();
    if invented > 0 {
        console::print(&format!(
            "note: {invented} recipients and templates are demonstration accounts: only `cabinet serve --sandbox` uses such tables\n"
        ));
    }
    let disputed = data.disputed_terms(today);
    if !disputed.is_empty() {
        console::print(&format!(
            "question: {} fees depend on how resolution 1133 is read. CABINET_FEES_READING is {}. Ask your registrar, and set it:\n",
            disputed.len(),
            data.choices().reading.as_str()
        ));
    }
    for term in disputed {
        let sums: Vec<String> = term
            .sums
            .iter()
            .map(|(reading, sum)| format!("{} {}", reading.as_str(), sum.decimal()))
            .collect();
        console::print(&format!("  {}: {}\n", term.id, sums.join(", ")));
    }
    for stale in FeesOfEarlierYears::all_on(today, data) {
        console::print(&format!("note: {stale}\n"));
    }
    if let Some(missing) = TreasuryDayMissing::on(today, data) {
        console::print(&format!("note: {missing}\n"));
    }
    if let Some(accounts) = AccountsToConfirm::on(today, data) {
        console::print(&format!("note: {accounts}\n"));
    }
}
