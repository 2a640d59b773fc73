//! The whole cabinet for tests: built by the functions that build the real one, with the real adapters and a sandbox of its own
//! outside, on a fresh database, under a clock that is moved by hand.
//!
//! ```ignore
//! on_both_databases! {
//!     async fn paying_once_charges_once(app: TestApp) {
//!         let olena = app.notary("olena").await;
//!         olena.add(PaymentKind::RegistryPayment).await;
//!         let order = olena.order_cart().await;
//!         olena.pay(&order).await;
//!         app.settle().await;
//!     }
//! }
//! ```
//!
//! A test speaks HTTP as a browser does, and looks into the sandbox or the database afterwards. One that pays ends with
//! [`TestApp::settle`], which holds the database against its invariants and against the acquirer's own ledger; forgetting it
//! fails the test.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a test, and says so"
)]

mod answer;
mod app;
mod clock;
mod gate;
mod inspect;
mod log;
mod outside;
mod payments;
mod person;
mod randomness;
mod run;
mod settle;
mod sums;

pub use answer::Answer;
pub use app::{TestApp, TestSettings};
pub use clock::HandClock;
pub use gate::Report;
pub use log::written as log_written;
pub use outside::Outside;
pub use payments::{Client, PETRO, Payment, ZORIA};
pub use person::{Call, Person};
pub use randomness::Seeded;
pub use run::{Database, run};
pub use sums::{hryvnias, kopiykas};

pub use cabinet_domain::LoginStep;
pub use cabinet_domain::PaymentKind;
pub use cabinet_sandbox::{Fault, FaultKind, FaultService, LedgerKind};
