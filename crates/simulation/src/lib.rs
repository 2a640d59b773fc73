//! A deterministic simulation of payments: the real use cases, a real database and the real adapter run against the sandbox's
//! acquirer, in random histories that a seed determines.
//!
//! A history is a sequence of steps: a person fills a cart, orders, or pays on a new or old page; a request to the acquirer or its
//! answer arrives or is lost; a report comes late or twice; the worker runs; the cabinet crashes and starts again; an older copy of
//! the database is restored; a clock is wrong; fees change. Then all faults end, the worker runs until nothing can be open, and
//! [`checks`] compares the database with the acquirer's ledger.
//!
//! Nothing depends on the machine's clock or on the speed of threads, so a seed always gives the same history.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a history, and says so"
)]

mod acquirer;
mod action;
mod bank;
mod browsers;
mod carts;
mod chance;
mod checks;
mod database;
mod deeds;
mod executor;
mod gates;
mod history;
mod installation;
mod ledger;
mod lies;
mod messages;
mod operations;
mod people;
mod reports;
mod results;
mod run;
mod services;
mod thieves;
mod time;
mod trace;
mod weather;
mod wire;

pub use bank::Obstacle;
pub use database::Engine;
pub use deeds::Deed;
pub use lies::Lie;
pub use run::{Ended, STEPS};
pub use thieves::{Pretence, Theft};

use database::Database;

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

    /// Makes PostgreSQL choose other plans for the same queries. Does nothing on SQLite.
    pub fn change_plans(&self) {
        let database = self.database.as_ref().expect("the database is there");
        self.runtime.block_on(database.change_plans());
    }

    /// Runs the first `steps` steps of a seed's history, and its end.
    pub fn run(&self, seed: u64, steps: usize) -> Ended {
        let database = self.database.as_ref().expect("the database is there");
        run::run(database, seed, steps)
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        let _runtime = self.runtime.enter();
        self.database = None;
    }
}
