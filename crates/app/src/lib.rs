//! The use cases of notaries, the acquirer, the worker and the operator.
//!
//! Each service is a struct with the dependencies it needs; [`Services`] composes them. A use case opens a unit of work and
//! decides inside it. It talks to the outside only between units of work, so no network call stands in a transaction. Time and
//! random numbers come from the [`Environment`].
//!
//! Every use case also fails when the database fails; its error section names only what is special about it.
//!
//! Services know each other in one direction:
//!
//! ```text
//! orders ──► payments ──► settler ──► receipt facts
//!    │       reconciliation ──┘
//!    └─────► saved cards
//! ```
//!
//! None of them tells open pages. A unit of work announces its changes ([`Tx::announce`]), and each process follows what was announced
//! and publishes it ([`Realtime`], decision 50).
//!
//! [`Tx::announce`]: cabinet_storage::Tx::announce
//!
//! To add a use case, add a method to the service of its subject in a file of its own. A new dependency becomes a field of the
//! service and is filled in [`Services::new`].

mod account_limits;
pub mod accounts;
pub mod administration;
mod alarms;
mod approval;
mod asked_proof;
pub mod audit;
mod bank_answers;
mod bank_checks;
mod bank_lists;
mod bank_mismatch;
pub mod book;
pub mod cart;
pub mod client_links;
mod deal_record;
pub mod deals;
mod download;
mod duplicate_payment;
pub mod erasure;
mod fee_years;
mod health;
mod idempotency;
mod ids;
pub mod keys;
mod lasting_trouble;
mod leases;
pub mod maintenance;
mod measurements;
mod notarial_act;
mod order_span;
mod order_summary;
pub mod orders;
pub mod outbox;
mod own_order;
pub mod payments;
mod realtime;
mod receipt_news;
pub mod receipts;
pub mod reconciliation;
pub mod reference;
pub mod reference_preview;
pub mod refusal;
pub mod report_archive;
pub mod reports;
pub mod returns;
pub mod sandbox_data;
pub mod saved_cards;
mod services;
mod settings;
pub mod support_desk;
mod texts;
mod transfer_export;
mod transfer_import;
mod transfer_list;
pub mod transfer_rows;
pub mod transfers;

pub use approval::Signer;
pub use asked_proof::{AskedProof, CorrectedPart, LargestRecipient, ProofSubject};
pub use cabinet_receipts::{Fiscal, Provider, Vat};
pub use cabinet_reference::{Reading, TableChoices};
pub use download::DownloadFile;
pub use duplicate_payment::{ComparedPayment, DuplicatePayment};
pub use fee_years::FeesOfEarlierYears;
pub use health::{Health, Leaving, WorkerHeartbeat};
pub use keys::{Keys, SECRET_CHARS_MIN, Secrets, network_of};
pub use leases::{LeasedWork, Leases};
pub use measurements::Measurements;
pub use notarial_act::NotarialActRequest;
pub use realtime::{Following, Realtime, notary_channel, session_channel};
pub use services::{Environment, Services};
pub use settings::{
    AcquirerNames, AppSettings, AttackSettings, ClientLinkSettings, CodeSettings, Operator,
    RetentionSettings, SessionSettings, Support,
};
