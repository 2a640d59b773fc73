//! A simulation of everything around the money: the real use cases over a real database and the real adapter of the acquirer, against
//! the sandbox's acquirer, in histories that a seed decides.
//!
//! A history is a sequence of steps: a person fills a cart, orders, pays on a page of today or of yesterday; a request to the acquirer
//! or its answer arrives or is lost; a report comes, late or twice; the worker looks after what is due; the cabinet ends in the middle
//! of what it does and starts again; an older copy of the database is put back; a clock is wrong; fees change. Then all faults end,
//! the worker goes on until nothing can be open any more, and the [`checks`] hold the database against the acquirer's ledger.
//!
//! Nothing depends on the machine's clock or on the speed of a thread, so a seed gives the same history each time.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a history, and says so"
)]

mod chance;
mod checks;
mod database;
mod doing;
mod executor;
mod history;
mod installation;
mod people;
mod time;
mod trace;
mod weather;
mod wire;
mod world;

pub use database::Engine;

use database::Database;

/// Steps of a history before its faults end.
pub const STEPS: usize = 90;

/// What a history came to.
#[derive(Debug)]
pub struct Ended {
    /// The seed.
    pub seed: u64,
    /// Every step, and how the orders stand at the end.
    pub trace: Vec<String>,
    /// What must not be, in words; empty where all is well.
    pub broken: Vec<String>,
}

/// Runs histories one after the other, on one database.
pub struct Simulation {
    runtime: tokio::runtime::Runtime,
    database: Option<Database>,
}

impl Simulation {
    /// Makes the database.
    pub fn new(engine: Engine) -> Simulation {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime can be built");
        let database = runtime.block_on(Database::make(engine));
        Simulation {
            runtime,
            database: Some(database),
        }
    }

    /// Runs the history of a seed, with its first `steps` steps.
    pub fn run(&self, seed: u64, steps: usize) -> Ended {
        let database = self.database.as_ref().expect("the database is there");
        history::run(database, seed, steps)
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        let _runtime = self.runtime.enter();
        self.database = None;
    }
}
