//! How domain types are stored in columns.

use cabinet_domain::payment::{
    AcquirerName, AlarmKind, AttemptKind, AttemptState, InvoiceId, Missing, PaymentState,
    RefundState,
};
use cabinet_domain::{
    AccountStanding, AlarmId, AttemptId, AuditAction, AuditEventId, BankFactKind, Browser,
    BudgetCode, CancelledItems, CertificateNumber, ClientId, CodeBudget, ConsentBy, Count,
    DealAction, DealAnswerId, DealBase, DealFactId, DealId, DealKindId, DealLineId, DealParty,
    DealState, DeviceId, Email, EndReason, EventId, FilingYear, Iban, Inn, ItemId, Key, Line,
    Locale, LoginPurpose, LoginStep, MaskedPan, Money, Network, NotaryId, NotaryStatus,
    NotaryStatusBy, Okpo, OperationId, OptionId, OrderId, OrderStatus, OwnRecipientId, PartRole,
    PasskeyAct, PasskeyId, PaymentKind, PaymentMethod, PaymentTypeId, PersonName, Phone, ProofKind,
    Purpose, RefundId, RegionId, RegistryIdentifier, ReportId, RequisiteId, SessionId, StandingBy,
    TemplateId, TermId, TransactionId, TransferId, TransferStatus, TruncatedPan, Uetr,
};
use jiff::civil::Date;
use uuid::Uuid;

use crate::engine::row::{Column, FromColumn, Misfit};
use crate::engine::value::{Bind, Value};

macro_rules! ids {
    ($($name:ident),+ $(,)?) => {$(
        impl Bind for $name {
            fn value(&self) -> Value<'_> {
                Value::Uuid(self.uuid())
            }
        }

        impl FromColumn for $name {
            fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
                Uuid::from_column(column).map($name::new)
            }
        }
    )+};
}

ids! {
    AlarmId, AttemptId, AuditEventId, ClientId, DealId, DeviceId, EventId, ItemId, NotaryId, OperationId, OrderId, OwnRecipientId, PasskeyId, RefundId, ReportId, SessionId, TransactionId, TransferId,
}

/// Implements storage as text. The reading function must accept every value that the product has ever written.
macro_rules! texts {
    ($($name:ident: $write:ident, $read:expr, $what:literal;)+) => {$(
        impl Bind for $name {
            fn value(&self) -> Value<'_> {
                Value::Text(self.$write())
            }
        }

        impl FromColumn for $name {
            fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
                let Column::Text(text) = column else { return Err(Misfit($what)) };
                $read(text).ok_or(Misfit($what))
            }
        }
    )+};
}

/// The longest stored line, in characters. Fields have their own limits where a person types them.
const LINE_CHARS_MAX: usize = 4000;

texts! {
    Phone: as_str, |text| Phone::parse(text).ok(), "a phone";
    Inn: as_str, |text| Inn::parse(text).ok(), "a client's code";
    PersonName: as_str, |text| PersonName::parse_saved(text).ok(), "a name";
    Iban: as_str, |text| Iban::parse(text).ok(), "an account";
    RegistryIdentifier: as_str, RegistryIdentifier::parse_saved, "a registry identifier";
    CertificateNumber: as_str, |text| CertificateNumber::parse(text).ok(), "a certificate's number";
    Email: as_str, Email::from_saved, "an e-mail address";
    TruncatedPan: as_str, |text| TruncatedPan::parse_mask(text).ok(), "a masked card";
    MaskedPan: as_str, MaskedPan::parse, "a masked card";
    Okpo: as_str, |text| Okpo::parse(text).ok(), "a recipient's code";
    Uetr: as_str, Uetr::parse, "a UETR";
    Purpose: as_str, |text| Purpose::written(text).ok(), "a purpose";
    BudgetCode: as_str, |text| BudgetCode::parse(text).ok(), "a budget code";
    Line: as_str, |text| Line::parse_saved(text, LINE_CHARS_MAX).ok(), "a line of text";
    Locale: code, Locale::parse, "a language";
    AuditAction: as_str, AuditAction::parse, "an action of the audit trail";
    Network: as_str, Network::parse_saved, "a network";
    Browser: as_str, Browser::parse_saved, "a browser";
    Key: as_str, Key::parse, "a message key";
    AccountStanding: as_str, AccountStanding::parse, "the standing of an account";
    StandingBy: as_str, StandingBy::parse, "what a standing follows from";
    NotaryStatus: as_str, NotaryStatus::parse, "a notary's status";
    NotaryStatusBy: as_str, NotaryStatusBy::parse, "what a notary's status follows from";
    LoginStep: as_str, LoginStep::parse, "a login step";
    LoginPurpose: as_str, LoginPurpose::parse, "a purpose of a login operation";
    PasskeyAct: as_str, PasskeyAct::parse, "an act on passkeys";
    ProofKind: as_str, ProofKind::parse, "a kind of proof";
    CodeBudget: as_str, CodeBudget::parse, "a budget of codes";
    ConsentBy: as_str, ConsentBy::parse, "who gave a consent";
    EndReason: as_str, EndReason::parse, "a reason of a session's end";
    PaymentMethod: as_str, PaymentMethod::parse, "a method of payment";
    CancelledItems: as_str, CancelledItems::parse, "what happens to the items of a cancelled order";
    OrderStatus: as_str, OrderStatus::parse, "an order's status";
    AcquirerName: as_str, AcquirerName::parse, "an acquirer";
    AttemptKind: as_str, AttemptKind::parse, "a kind of attempt";
    AttemptState: as_str, AttemptState::parse, "an attempt's state";
    PaymentState: as_str, PaymentState::parse, "a payment's state";
    Missing: as_str, Missing::parse, "what an acquirer lacks";
    RefundState: as_str, RefundState::parse, "a refund's state";
    AlarmKind: as_str, AlarmKind::parse, "a kind of alarm";
    InvoiceId: as_str, InvoiceId::parse, "an invoice's id";
    PaymentKind: slug, PaymentKind::from_slug, "a kind of payment";
    TransferStatus: as_str, TransferStatus::parse, "a transfer's status";
    BankFactKind: as_str, BankFactKind::parse, "the kind of a bank's fact";
    PartRole: as_str, PartRole::parse, "a part's role";
    PaymentTypeId: as_str, PaymentTypeId::parse, "an id of reference data";
    OptionId: as_str, OptionId::parse, "an id of reference data";
    TermId: as_str, TermId::parse, "an id of reference data";
    RegionId: as_str, RegionId::parse, "an id of reference data";
    RequisiteId: as_str, RequisiteId::parse, "an id of reference data";
    TemplateId: as_str, TemplateId::parse, "an id of reference data";
    DealKindId: as_str, DealKindId::parse, "an id of reference data";
    DealFactId: as_str, DealFactId::parse, "an id of reference data";
    DealAnswerId: as_str, DealAnswerId::parse, "an id of reference data";
    DealLineId: as_str, DealLineId::parse, "an id of reference data";
    DealParty: as_str, DealParty::parse, "a party to a deal";
    DealBase: as_str, DealBase::parse, "a base of a percentage";
    DealState: as_str, DealState::parse, "what a calculation says";
    DealAction: as_str, DealAction::parse, "what is done with a payment";
}

impl Bind for Money {
    fn value(&self) -> Value<'_> {
        Value::Integer(self.kopiykas())
    }
}

impl FromColumn for Money {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        let kopiykas = i64::from_column(column)?;
        Money::from_kopiykas(kopiykas).map_err(|_| Misfit("a sum that can be paid"))
    }
}

impl Bind for Count {
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(self.get()))
    }
}

impl FromColumn for Count {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        Count::new(i64::from_column(column)?).map_err(|_| Misfit("a number of units"))
    }
}

impl Bind for FilingYear {
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(self.year()))
    }
}

impl FromColumn for FilingYear {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        let year = FilingYear::stored(i64::from_column(column)?);
        year.ok_or(Misfit("a year of filing"))
    }
}

impl FromColumn for Date {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        let Column::Text(text) = column else {
            return Err(Misfit("a date"));
        };
        text.parse().map_err(|_| Misfit("a date"))
    }
}
