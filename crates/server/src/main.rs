//! The `cabinet` binary: settings, wiring, the worker, the operator's commands and the built pages.

mod commands;
mod console;
mod environment;
mod logging;
mod metrics;
mod pages;
mod real_installation;
mod reference_data;
mod sandbox_mode;
mod serve;
mod settings;
mod shutdown;
mod wiring;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use settings::{Purpose, Settings};

/// A request makes hundreds of small texts; the system's allocator took a fifth of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The notary cabinet: pay state and administrative fees for clients.
#[derive(Parser)]
#[command(name = "cabinet", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the pages and the calls.
    Serve {
        /// With the sandbox and its notaries: no money moves.
        #[arg(long)]
        sandbox: bool,
    },
    /// Brings the database to this program's version.
    Migrate,
    /// Checks what must be true of the data, beside a working cabinet.
    Doctor {
        /// Checks every order, also those that are final and have not changed since they were last checked.
        #[arg(long)]
        full: bool,
    },
    /// Copies the database into a file while it is in use (SQLite).
    Backup {
        /// The file to write; it must not exist.
        file: std::path::PathBuf,
    },
    /// Reference data: payment types, fees, recipients, tariffs.
    #[command(subcommand)]
    Reference(commands::reference::Action),
    /// Notaries' accounts.
    #[command(subcommand)]
    Notary(commands::notary::Action),
    /// Transfers owed out of paid orders.
    #[command(subcommand)]
    Transfers(commands::transfers::Action),
    /// Lists what a person must look at, and closes it with a note.
    #[command(subcommand)]
    Alarms(commands::alarms::Action),
    /// Letters that wait to leave.
    #[command(subcommand)]
    Outbox(commands::outbox::Action),
    /// Prints the OpenAPI document.
    Openapi,
    /// Lists every setting with its default.
    Settings {
        /// As the table of docs/operations.md.
        #[arg(long)]
        markdown: bool,
    },
}

/// How long what blocks a thread may go on at the end of the process.
const BLOCKING_TIME_MAX: std::time::Duration = std::time::Duration::from_secs(2);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Openapi => print_openapi(),
        Command::Settings { markdown: false } => {
            console::print(&settings::plain());
            Ok(())
        }
        Command::Settings { markdown: true } => {
            console::print(&settings::markdown());
            Ok(())
        }
        command => run(command),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn print_openapi() -> anyhow::Result<()> {
    console::print(&serde_json::to_string_pretty(&cabinet_api::openapi())?);
    console::print("\n");
    Ok(())
}

fn run(command: Command) -> anyhow::Result<()> {
    let purpose = match command {
        Command::Serve { sandbox: true } => Purpose::ServeSandbox,
        Command::Serve { sandbox: false } => Purpose::Serve,
        _ => Purpose::Command,
    };
    let settings = Settings::from_environment(purpose)?;
    logging::start(settings.log.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async move {
        match command {
            Command::Serve { sandbox } => serve::run(settings, sandbox).await,
            Command::Migrate => commands::database::migrate(settings).await,
            Command::Doctor { full } => commands::database::doctor(settings, full).await,
            Command::Backup { file } => commands::database::backup(settings, file).await,
            Command::Reference(action) => commands::reference::run(settings, action).await,
            Command::Notary(action) => commands::notary::run(settings, action).await,
            Command::Transfers(action) => commands::transfers::run(settings, action).await,
            Command::Alarms(action) => commands::alarms::run(settings, action).await,
            Command::Outbox(action) => commands::outbox::run(settings, action).await,
            Command::Openapi | Command::Settings { .. } => Ok(()),
        }
    });
    // Work on a disk or in a library that answers no more can't be called off; it must not keep the process from ending.
    runtime.shutdown_timeout(BLOCKING_TIME_MAX);
    outcome
}
