//! The whole application for tests. It is built by the functions of the real one, with the real adapters, its own sandbox, a new
//! database and a clock that is moved by hand.
//!
//! ```ignore
//! on_both_databases! {
//!     async fn paying_once_charges_once(app: TestApp) {
//!         let olena = app.notary("olena").await;
//!         olena.add(PaymentKind::RegistryPayment).await;
//!         let order = olena.order_cart().await;
//!         olena.pay(&order).await;
//!         app.finish_and_check().await;
//!     }
//! }
//! ```
//!
//! A test makes HTTP requests like a browser, and reads the sandbox or the database afterwards. A test that pays must end with
//! [`TestApp::finish_and_check`], which checks the database's invariants and the acquirer's ledger. Without it the test fails.

#![expect(
    clippy::expect_used,
    reason = "what fails here fails a test, and says so"
)]

mod accounts;
mod answer;
mod app;
mod cards_frame;
mod clock;
mod command;
mod eventually;
mod final_check;
mod gate;
mod held_clock;
mod inspect;
mod installation;
mod log;
mod outside;
mod paying_bank;
mod payments;
mod people;
mod person;
mod randomness;
mod run;
mod settings;
mod sums;

pub use accounts::device_token;
pub use answer::Answer;
pub use app::TestApp;
pub use cards_frame::CardsFrame;
pub use clock::HandClock;
pub use command::{command_on, complained, said};
pub use eventually::{WAITING_MAX, eventually};
pub use gate::Report;
pub use held_clock::HeldClock;
pub use log::{Asked, counted, written as log_written};
pub use outside::{Outside, SLOW_CARD_SECONDS, keys_of};
pub use paying_bank::BankLine;
pub use payments::{Client, PETRO, Payment, ZORIA};
pub use person::{Call, Person};
pub use randomness::Seeded;
pub use run::{Database, run, run_after};
pub use settings::TestSettings;
pub use sums::{hryvnias, kopiykas};

pub use cabinet_domain::LoginStep;
pub use cabinet_domain::PaymentKind;
pub use cabinet_sandbox::{Fault, FaultKind, FaultService, LedgerKind};
pub use cabinet_storage::testing::EarlierRows;
