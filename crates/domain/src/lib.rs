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

mod account;
mod address_book;
mod audit;
mod books;
mod cart;
mod catalogue;
mod client_link;
mod deal;
pub mod kernel;
mod operator;
mod order;
pub mod payment;
mod transfer;

pub use account::device::Device;
pub use account::login::{CodeBudget, LoginOperation, LoginPurpose, NewLoginOperation};
pub use account::notary::{
    CertificateNumber, LoginStep, NewNotary, Notary, Profile, RegistryIdentifier,
};
pub use account::notary_status::{KnownStatus, NotaryStatus, NotaryStatusBy, Practice};
pub use account::passkey::{Passkey, PasskeyAct};
pub use account::register::{RegisterRow, certificate_digits};
pub use account::session::{EndReason, FoundToken, Session};
pub use account::standing::{
    AccountLimits, AccountStanding, SignUpConfirmation, Standing, StandingBy, StandingDecision,
};
pub use address_book::client::Client;
pub use address_book::own_recipient::OwnRecipient;
pub use audit::{AuditAction, AuditChange, AuditEvent, AuditObject, AuditSeal, AuditValue};
pub use books::{
    Balance, BookSums, CodesItems, DayBasis, Figures, IncomeEntry, Month, MovedParts, Movement,
    PaidItems, PaidPart, Period, Quarter, Report, StandingParts, TaxKind, TaxLine, TaxPayment,
    book_sums, income_entries, tax_line,
};
pub use cart::complaint::{Complaint, KeptComplaint};
pub use cart::item::{Chosen, ChosenRequisite, ItemContent, Names};
pub use cart::purpose::{PaymentCode, Purpose};
pub use cart::same_payment::{KnownPayment, SAME_PAYMENT_WITHIN, is_same_payment};
pub use cart::sheet::{SheetColumn, comparable, sheet_name};
pub use cart::{CartAddition, CartGroup, CartItem, CartSummary};
pub use catalogue::account_year::is_confirmed_this_year;
pub use catalogue::commission::{PartRole, Price, PricePart, price};
pub use catalogue::fee_year::{StaleFee, YearDay, awaited_year};
pub use catalogue::filing_year::{FilingYear, NextYearFee, fee_day, next_filing_year};
pub use catalogue::pairs::KnownAccount;
pub use catalogue::payment_kind::PaymentKind;
pub use catalogue::reference_ids::{
    DealAnswerId, DealFactId, DealKindId, DealLineId, DealRuleId, OptionId, PaymentTypeId,
    RegionId, RequisiteId, TemplateId, TermId,
};
pub use catalogue::tariff::{Tariff, TariffTable, TariffTableError};
pub use catalogue::treasury_stop::told_treasury_day;
pub use client_link::{ClientLink, ConsentBy, ReceiptConsent};
pub use deal::record::{AnsweredQuestion, Deal, DealPercent, DealRecord, RecordedPayment};
pub use deal::shares::{DealPayer, Share, Shares};
pub use deal::{DealAction, DealAdjustment, DealBase, DealParty, DealState, DealSum, DealUnit};
pub use kernel::amount_in_words::amount_in_words;
pub use kernel::card_detection::names_payment_card;
pub use kernel::cbc::BudgetCode;
pub use kernel::client_code::{Inn, InnHint, InnKind, InnReading};
pub use kernel::email::Email;
pub use kernel::env::{Clock, Randomness};
pub use kernel::iban::{Iban, IbanReading};
pub use kernel::ids::{
    AlarmId, AttemptId, AuditEventId, ClientId, DealId, DeviceId, EventId, ItemId, NotaryId,
    OperationId, OrderId, OwnRecipientId, PasskeyId, RefundId, ReportId, SessionId, TransactionId,
    TransferId,
};
pub use kernel::key::Key;
pub use kernel::kyiv::{kyiv_date, kyiv_day_start, kyiv_time};
pub use kernel::locale::Locale;
pub use kernel::money::{Count, Money, MoneyError, Percent};
pub use kernel::okpo::Okpo;
pub use kernel::origin::{Actor, Browser, Network, Origin};
pub use kernel::phone::Phone;
pub use kernel::search::{SoughtWord, fold_for_search, search_key, sought_words};
pub use kernel::text::{Line, PersonName, TextError, tidy};
pub use operator::reason::{
    OperatorReason, ReasonError, long_numbers, without_numbers, without_other_numbers,
};
pub use order::codes::{CODES_REFERENCE_CHARS_MAX, CodesPayment, CodesState, GivenCodes};
pub use order::codes_credit::{
    CodedPart, CodesCredit, FoundCredit, FoundCredits, StatementCredit, UnclearCredit, find_credits,
};
pub use order::notarial_act::NotarialAct;
pub use order::register_number::RegisterNumberRule;
pub use order::status::OrderStatus;
pub use order::timeline::{TimelineEntry, TimelineMoment, TimelineStep, timeline};
pub use order::{
    BegunCancellation, CancelledItems, NewOrder, Order, OrderEventKind, OrderHistoryEvent,
    OrderItem, OrderStanding, PaidBy, PaymentMethod,
};
pub use payment::card::{MaskedPan, TruncatedPan, luhn_fits};
pub use payment::card_figures::CardFigures;
pub use payment::proof::ProofKind;
pub use payment::removed_card::RemovedCard;
pub use transfer::bank_fact::{BankFact, BankFactKind, facts_before, status_by};
pub use transfer::masked_words::without_codes;
pub use transfer::return_application::ReturnApplication;
pub use transfer::returned_part::{
    AfterReturn, ReturnedPart, ends_of_chains, given_back, given_back_parts, returned_parts,
};
pub use transfer::sealed_facts::SealedFacts;
pub use transfer::uetr::Uetr;
pub use transfer::{
    ActualPayer, BankAnswer, PartRefund, Payee, PlannedTransfer, ToldOtherwise, Transfer,
    TransferError, TransferParties, TransferStatus, plan_item_transfers,
};
