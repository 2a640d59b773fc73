//! The use cases of notaries, the acquirer, the worker and the operator.
//!
//! Each service is a struct with the dependencies it needs; [`compose`] gives them to it. A use case opens a unit of work and
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
//! To add a use case, add a method to the service of its subject in a file of its own, in the folder of the subject. A new dependency
//! becomes a field of the service and is filled in [`compose`].

pub mod account;
pub mod address_book;
pub mod audit;
pub mod books;
pub mod cart;
pub mod catalogue;
pub mod client_link;
mod compose;
pub mod deal;
pub mod documents;
pub mod kernel;
pub mod operator;
pub mod order;
pub mod payment;
mod realtime;
pub mod sandbox_data;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transfer;
pub mod worker;

pub use cabinet_receipts::{Fiscal, Provider, SlipTitles, Vat};
pub use cabinet_reference::{Reading, TableChoices};
pub use cabinet_storage::Caller;
pub use cart::duplicate_payment::{ComparedPayment, DuplicatePayment};
pub use catalogue::accounts_to_confirm::AccountsToConfirm;
pub use catalogue::fee_years::FeesOfEarlierYears;
pub use catalogue::treasury_day::TreasuryDayMissing;
pub use compose::{Environment, Services, compose};
pub use kernel::asker::{Asker, Decider};
pub use kernel::download::DownloadFile;
pub use kernel::health::{Health, Leaving, WorkerHeartbeat};
pub use kernel::keys::{Keys, SECRET_CHARS_MIN, SealKeys, Secrets, network_of};
pub use kernel::notifier::Notifier;
pub use kernel::webauthn::attested_passkey;
pub use order::notarial_act::NotarialActRequest;
pub use payment::approval::Signer;
pub use payment::asked_proof::{AskedProof, CorrectedPart, LargestRecipient, ProofSubject};
pub use realtime::{Following, Realtime, notary_channel, session_channel};
pub use settings::{
    AcquirerNames, AppSettings, AttackSettings, ClientLinkSettings, CodeSettings, Operator,
    RetentionSettings, SessionSettings, Support,
};
pub use worker::leases::{LeasedWork, Leases};
pub use worker::measurements::Measurements;
