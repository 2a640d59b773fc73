//! Rules and types of the cabinet.
//!
//! This crate is pure: no database, no network, and no clock or randomness of its own ([`Clock`] and [`Randomness`] are
//! traits that other crates implement). A value is parsed once, at the edge, and from then on its type guarantees that
//! it is valid: a function takes an [`Iban`], never text that may be one.
//!
//! Entities ([`Notary`], [`Order`], [`CartItem`] and so on) are stored with the same types. A type must therefore keep
//! reading every value that was ever accepted.
//!
//! Sums are whole kopiykas. There is no binary floating point in this crate, and the lints below enforce that.
#![deny(clippy::as_conversions, clippy::float_arithmetic, missing_docs)]

mod amount_in_words;
mod audit;
mod bank_fact;
mod books;
mod card;
mod card_detection;
mod cart;
mod cbc;
mod client;
mod client_code;
mod client_link;
mod commission;
mod complaint;
pub mod csv;
mod deal;
mod deal_record;
mod device;
mod email;
mod env;
mod fee_year;
mod iban;
mod ids;
mod item;
mod key;
mod kyiv;
mod locale;
mod login;
mod masked_words;
mod money;
mod notarial_act;
mod notary;
mod notary_status;
mod okpo;
mod operator_reason;
mod order;
mod order_status;
mod origin;
mod own_recipient;
mod pairs;
pub mod payment;
mod payment_kind;
mod payment_sheet;
mod person_name;
mod phone;
mod proof;
mod purpose;
mod reference_ids;
mod register;
mod removed_card;
mod return_application;
mod returned_part;
mod same_payment;
mod search;
mod session;
mod standing;
mod tariff;
mod text;
mod timeline;
mod transfer;
mod typed_sum;
mod uetr;
mod words;

pub use amount_in_words::amount_in_words;
pub use audit::{AuditAction, AuditChange, AuditEvent, AuditObject, AuditSeal, AuditValue};
pub use bank_fact::{BankFact, BankFactKind, facts_before, status_by};
pub use books::{
    Balance, BookSums, DayBasis, Figures, IncomeEntry, Month, MovedParts, Movement, PaidItems,
    PaidPart, Period, Quarter, Report, StandingParts, TaxKind, TaxLine, TaxPayment, book_sums,
    income_entries, tax_line,
};
pub use card::{MaskedPan, TruncatedPan, luhn_fits};
pub use card_detection::names_payment_card;
pub use cart::{CartAddition, CartGroup, CartItem, CartSummary};
pub use cbc::BudgetCode;
pub use client::Client;
pub use client_code::{Inn, InnHint, InnKind, InnReading};
pub use client_link::{ClientLink, ConsentBy, ReceiptConsent};
pub use commission::{PartRole, Price, PricePart, price};
pub use complaint::{Complaint, KeptComplaint};
pub use deal::{DealAction, DealBase, DealParty, DealState, DealSum};
pub use deal_record::{AnsweredQuestion, Deal, DealPercent, DealRecord, RecordedPayment};
pub use device::Device;
pub use email::Email;
pub use env::{Clock, Randomness};
pub use fee_year::{StaleFee, YearDay, awaited_year};
pub use iban::{Iban, IbanReading};
pub use ids::{
    AlarmId, AttemptId, AuditEventId, ClientId, DealId, DeviceId, EventId, ItemId, NotaryId,
    OperationId, OrderId, OwnRecipientId, RefundId, ReportId, SessionId, TransactionId, TransferId,
};
pub use item::{Chosen, ChosenRequisite, ItemContent, Names};
pub use key::Key;
pub use kyiv::{kyiv_date, kyiv_day_start, kyiv_time};
pub use locale::Locale;
pub use login::{CodeBudget, LoginOperation, LoginPurpose, NewLoginOperation};
pub use masked_words::without_codes;
pub use money::{Count, Money, MoneyError, Percent};
pub use notarial_act::NotarialAct;
pub use notary::{CertificateNumber, LoginStep, NewNotary, Notary, Profile, RegistryIdentifier};
pub use notary_status::{KnownStatus, NotaryStatus, NotaryStatusBy, Practice};
pub use okpo::Okpo;
pub use operator_reason::{OperatorReason, ReasonError, without_numbers};
pub use order::{
    BegunCancellation, CancelledItems, NewOrder, Order, OrderEventKind, OrderHistoryEvent,
    OrderItem, PaymentMethod,
};
pub use order_status::OrderStatus;
pub use origin::{Actor, Browser, Network, Origin};
pub use own_recipient::OwnRecipient;
pub use pairs::KnownAccount;
pub use payment_kind::PaymentKind;
pub use payment_sheet::{SheetColumn, comparable, sheet_name};
pub use phone::Phone;
pub use proof::ProofKind;
pub use purpose::{PaymentCode, Purpose};
pub use reference_ids::{
    DealAnswerId, DealFactId, DealKindId, DealLineId, DealRuleId, OptionId, PaymentTypeId,
    RegionId, RequisiteId, TemplateId, TermId,
};
pub use register::{RegisterRow, certificate_digits};
pub use removed_card::RemovedCard;
pub use return_application::ReturnApplication;
pub use returned_part::{
    AfterReturn, ReturnedPart, ends_of_chains, given_back, given_back_parts, returned_parts,
};
pub use same_payment::{KnownPayment, SAME_PAYMENT_WITHIN, is_same_payment};
pub use search::{SoughtWord, fold_for_search, search_key, sought_words};
pub use session::{EndReason, FoundToken, Session};
pub use standing::{
    AccountLimits, AccountStanding, SignUpConfirmation, Standing, StandingBy, StandingDecision,
};
pub use tariff::{Tariff, TariffTable, TariffTableError};
pub use text::{Line, PersonName, TextError, tidy};
pub use timeline::{TimelineEntry, TimelineMoment, TimelineStep, timeline};
pub use transfer::{
    ActualPayer, BankAnswer, PartRefund, Payee, PlannedTransfer, ToldOtherwise, Transfer,
    TransferError, TransferParties, TransferStatus, plan_item_transfers,
};
pub use uetr::Uetr;
