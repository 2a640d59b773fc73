//! `scripts/simulate`: runs histories and shows those that fail.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use cabinet_simulation::{Ended, Engine, STEPS, Simulation};
use clap::Parser;

/// Runs histories of payments and shows those that fail.
#[derive(Parser)]
#[command(name = "simulate")]
struct Arguments {
    /// How many histories.
    #[arg(long, default_value_t = 1_000)]
    count: u64,
    /// The seed of the first history.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Runs one seed and shows its whole trace.
    #[arg(long)]
    seed: Option<u64>,
    /// Steps before all faults end: with fewer of them a failure is easier to read.
    #[arg(long, default_value_t = STEPS)]
    steps: usize,
    /// The database.
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Engine,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let (from, count) = match arguments.seed {
        Some(seed) => (seed, 1),
        None => (arguments.from, arguments.count),
    };
    let started = Instant::now();
    let next = AtomicU64::new(from);
    let failed: Mutex<Vec<Ended>> = Mutex::default();
    let is_single = arguments.seed.is_some();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(usize::try_from(count).unwrap_or(threads)) {
            scope.spawn(|| {
                let simulation = Simulation::new(arguments.database);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= from + count {
                        return;
                    }
                    let ended = simulation.run(seed, arguments.steps);
                    if is_single || !ended.broken.is_empty() {
                        let mut failed = failed.lock().unwrap_or_else(|lost| lost.into_inner());
                        failed.push(ended);
                    }
                }
            });
        }
    });
    let mut out = std::io::stdout().lock();
    let mut shown = failed.into_inner().unwrap_or_else(|lost| lost.into_inner());
    shown.sort_by_key(|ended| ended.seed);
    let mut failures = 0;
    for ended in &shown {
        if is_single {
            for line in &ended.trace {
                writeln!(out, "{line}")?;
            }
        }
        for text in &ended.broken {
            writeln!(out, "seed {}: {text}", ended.seed)?;
        }
        failures += u64::from(!ended.broken.is_empty());
    }
    writeln!(
        out,
        "{count} histories in {} ms, {failures} failed",
        started.elapsed().as_millis()
    )?;
    if failures == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "Whole trace of one: scripts/simulate --seed SEED")?;
    Ok(ExitCode::FAILURE)
}
