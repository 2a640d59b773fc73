//! Types of requests and answers that several calls share. Types of a single call are in its file.
//!
//! They are separate from the domain types, so renaming a field there never changes the interface.
//! Sums are hryvnias with at most two decimals, ids are opaque strings, times are RFC 3339 in UTC.

mod act_to_prove;
mod asked_proof;
mod card_figures;
mod cart;
mod choices;
mod client;
mod deal_words;
mod done;
mod duplicate;
mod given;
mod message_key;
mod moment;
mod notarial_act;
mod order;
mod order_summary;
mod passkey;
mod price;
mod session;
mod sheet;
mod stale_fee;
mod standing;
mod sums;
mod user;

pub use act_to_prove::ActToProve;
pub use asked_proof::AskedProof;
pub use card_figures::CardFigures;
pub use cart::{Cart, CartItemRequest, ItemsCount};
pub use choices::{
    Choices, Chosen, ChosenRequisite, ChosenTerm, PaymentType, PaymentTypeSlug, Region,
};
pub use client::Client;
pub use deal_words::{DealBase, DealParty, DealSum};
pub use done::Done;
pub use duplicate::DuplicatePayment;
pub use given::Given;
pub use message_key::MessageKey;
pub use moment::Moment;
pub use notarial_act::NotarialAct;
pub(crate) use order::returned_part;
pub use order::{Order, OrderItem, Orders, ReturnedPart};
pub use order_summary::{OrderStatus, OrderSummary, PaymentState};
pub use passkey::{
    CredentialType, KnownCredential, Passkey, PasskeySignature, PasskeyToProve, Requirement,
    base64url, read_base64url,
};
pub use price::Price;
pub use session::{LoginCodeRequest, SessionConfirmed, SessionOpened};
pub use sheet::SheetRowReport;
pub use stale_fee::{NextYearFee, StaleFee};
pub(crate) use sums::broken_sum;
pub use sums::{Hryvnias, NumberText, TotalHryvnias};
pub use user::User;
