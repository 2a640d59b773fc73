//! The `cabinet` binary: settings, wiring, the worker, the operator's commands and the built pages.

mod commands;
mod connections;
mod console;
#[cfg(test)]
mod documented_commands;
mod environment;
mod logging;
mod metrics;
mod pages;
mod process;
mod real_installation;
mod reference_data;
mod sandbox_mode;
mod serve;
mod settings;
mod shutdown;
mod traces;
mod wiring;
mod worker;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use settings::{Reading, RunMode};

/// A request allocates hundreds of small strings. With the system's allocator that took a fifth of its time.
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
    /// Serves the pages and the API.
    Serve {
        /// With the sandbox and its notaries: no money moves.
        #[arg(long)]
        sandbox: bool,
        /// Refuses to start where the database lacks migrations, instead of migrating it.
        #[arg(long)]
        no_migrate: bool,
    },
    /// Checks whether a server can start and work here: settings, database, reference data, clock, outside services, files. Changes nothing.
    Check {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Migrates the database to this version of the program.
    Migrate {
        /// Prints what would be done, and changes nothing.
        #[arg(long)]
        plan: bool,
        /// Prints the plan as JSON.
        #[arg(long, requires = "plan")]
        json: bool,
    },
    /// Checks the invariants of the data. May run beside a server.
    Doctor {
        /// Checks every order, not only those that may have changed since the last check.
        #[arg(long)]
        full: bool,
        /// A seal of the audit trail that was noted before, as this command prints it: checks that the trail still holds it.
        #[arg(long)]
        audit_seal: Option<String>,
    },
    /// Copies a SQLite database into a file while it is in use.
    Backup {
        /// The file to write; it must not exist.
        file: std::path::PathBuf,
    },
    /// Reference data: payment types, fees, recipients, tariffs.
    #[command(subcommand)]
    Reference(commands::reference::Action),
    /// The register of notaries, by which new accounts are confirmed.
    #[command(subcommand)]
    Register(commands::register::Action),
    /// Orders, for the support: looking up, asking the acquirer, cancelling, giving money back.
    #[command(subcommand)]
    Order(commands::order::Action),
    /// Complaints of notaries about payments.
    #[command(subcommand)]
    Complaints(commands::complaints::Action),
    /// Notaries' accounts.
    #[command(subcommand)]
    Notary(commands::notary::Action),
    /// Transfers of paid orders to recipients and notaries.
    #[command(subcommand)]
    Transfers(commands::transfers::Action),
    /// The operator's accounts: the statement of a day, the acts of a month.
    #[command(subcommand)]
    Report(commands::report::Action),
    /// Old reports of the acquirer, in files.
    #[command(subcommand)]
    Archive(commands::archive::Action),
    /// Lists the alarms a person must look at, and closes them with a note.
    #[command(subcommand)]
    Alarms(commands::alarms::Action),
    /// Letters that wait to be sent.
    #[command(subcommand)]
    Outbox(commands::outbox::Action),
    /// The audit trail: who did what, on what, when and from where.
    #[command(subcommand)]
    Audit(commands::audit::Action),
    /// Erases a client or an account: what the law lets go of. Says first what would go and what stays.
    Erase(commands::erase::Choice),
    /// What is stored about a person, for that person.
    #[command(subcommand)]
    Person(commands::person::Action),
    /// The secret keys of the installation.
    #[command(subcommand)]
    Keys(commands::keys::Action),
    /// Prints the OpenAPI document.
    Openapi,
    /// Lists every setting with its default.
    Settings {
        /// Prints the table of docs/operate/settings.md.
        #[arg(long)]
        markdown: bool,
        /// Prints an environment file with every setting: deploy/cabinet.env.example.
        #[arg(long, conflicts_with = "markdown")]
        environment: bool,
    },
}

/// Time for blocking work at the end of the process.
const BLOCKING_TIME_MAX: std::time::Duration = std::time::Duration::from_secs(2);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Openapi => print_openapi(),
        Command::Settings {
            markdown,
            environment,
        } => {
            console::print(&match (markdown, environment) {
                (true, _) => settings::markdown(),
                (false, true) => settings::environment_file(),
                (false, false) => settings::plain(),
            });
            Ok(())
        }
        Command::Keys(commands::keys::Action::New) => {
            commands::keys::print_new();
            Ok(())
        }
        command => run(command),
    };
    let mut code = ExitCode::SUCCESS;
    let ended = [outcome, console::check_written()];
    for error in ended.into_iter().filter_map(Result::err) {
        console::complain(&format!("{error:#}"));
        code = ExitCode::FAILURE;
    }
    code
}

fn print_openapi() -> anyhow::Result<()> {
    console::print(&serde_json::to_string_pretty(&cabinet_api::openapi())?);
    console::print("\n");
    Ok(())
}

fn run(command: Command) -> anyhow::Result<()> {
    let mode = match command {
        Command::Serve { sandbox: true, .. } => RunMode::ServeSandbox,
        Command::Serve { sandbox: false, .. } | Command::Check { .. } => RunMode::Serve,
        _ => RunMode::Command,
    };
    let reading = Reading::of_environment(mode)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    // Its findings say everything, so it writes no log.
    if let Command::Check { json } = command {
        return runtime.block_on(commands::check::run(&reading, json));
    }
    let settings = match mode {
        RunMode::Serve => real_installation::accept(reading)?,
        RunMode::Command | RunMode::ServeSandbox => reading.accepted()?,
    };
    let traces = match &settings.traces_endpoint {
        Some(collector) if mode != RunMode::Command => {
            Some(traces::Traces::start(collector, runtime.handle().clone())?)
        }
        _ => None,
    };
    let is_read_by_person = mode == RunMode::Command && std::io::stderr().is_terminal();
    logging::start(
        logging::wanted(settings.log.clone(), is_read_by_person),
        traces.as_ref().map(traces::Traces::tracer),
    );
    let recorder = environment::operator_recorder(|name| std::env::var(name).ok());
    let outcome = runtime.block_on(dispatch(command, settings, recorder));
    if let Some(traces) = traces {
        traces.finish();
    }
    // Blocking work that hangs can't be cancelled. It must not keep the process alive.
    runtime.shutdown_timeout(BLOCKING_TIME_MAX);
    outcome
}

/// Does what the command says, with its settings, its log and its runtime.
async fn dispatch(
    command: Command,
    settings: settings::Settings,
    recorder: cabinet_app::audit::Recorder,
) -> anyhow::Result<()> {
    match command {
        Command::Serve {
            sandbox,
            no_migrate,
        } => {
            let start = wiring::Start {
                sandbox,
                migrates: !no_migrate,
            };
            serve::run(settings, start).await
        }
        Command::Migrate { plan: false, .. } => commands::migrate::run(settings).await,
        Command::Migrate { json, .. } => commands::migrate::plan(settings, json).await,
        Command::Doctor { full, audit_seal } => {
            commands::database::doctor(settings, full, audit_seal.as_deref(), recorder).await
        }
        Command::Backup { file } => commands::database::backup(settings, file).await,
        Command::Reference(action) => commands::reference::run(settings, action, recorder).await,
        Command::Register(action) => commands::register::run(settings, action, recorder).await,
        Command::Order(action) => commands::order::run(settings, action, recorder).await,
        Command::Complaints(action) => commands::complaints::run(settings, action, recorder).await,
        Command::Notary(action) => commands::notary::run(settings, action, recorder).await,
        Command::Transfers(action) => commands::transfers::run(settings, action, recorder).await,
        Command::Report(action) => commands::report::run(settings, action, recorder).await,
        Command::Archive(action) => commands::archive::run(settings, action, recorder).await,
        Command::Alarms(action) => commands::alarms::run(settings, action, recorder).await,
        Command::Outbox(action) => commands::outbox::run(settings, action, recorder).await,
        Command::Audit(action) => commands::audit::run(settings, action, recorder).await,
        Command::Erase(choice) => commands::erase::run(settings, choice, recorder).await,
        Command::Person(action) => commands::person::run(settings, action, recorder).await,
        Command::Keys(action) => commands::keys::run(settings, action, recorder).await,
        Command::Openapi | Command::Settings { .. } | Command::Check { .. } => Ok(()),
    }
}
