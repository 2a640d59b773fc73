//! What the rules of every kind of payment share.

use cabinet_domain::{
    BudgetCode, FilingYear, Iban, Key, Line, Money, Okpo, PaymentKind, Purpose, TemplateId,
};
use cabinet_reference::{PaymentOption, ReferenceData, Region, Requisite, Term};
use jiff::Timestamp;

use super::request::PaymentRequest;
use crate::kernel::refusal::{FieldErrors, Result};

/// A state or registry fee.
pub(crate) struct Fee<'a> {
    /// The service.
    pub(crate) option: &'a PaymentOption,
    /// The term. `None`: a registry fee.
    pub(crate) term: Option<&'a Term>,
    /// The region.
    pub(crate) region: &'a Region,
    /// The recipient.
    pub(crate) requisite: &'a Requisite,
}

/// Returns a text that has more than white space.
pub(super) fn given(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str)
        .filter(|text| !text.trim().is_empty())
}

/// What the rules of a kind result in.
pub(super) struct Parts<'a> {
    pub(super) amount: Money,
    pub(super) fee: Option<Fee<'a>>,
    pub(super) iban: Option<Iban>,
    pub(super) okpo: Option<Okpo>,
    pub(super) recipient_name: Option<Line>,
    pub(super) purpose: Purpose,
    pub(super) template: Option<TemplateId>,
    pub(super) cbc_code: Option<BudgetCode>,
    pub(super) filing_year: Option<FilingYear>,
}

/// The state of a check.
pub(super) struct Rules<'r, 'a> {
    pub(super) request: &'r PaymentRequest,
    pub(super) errors: FieldErrors,
    pub(super) reference: &'a ReferenceData,
    pub(super) now: Timestamp,
    pub(super) kind: PaymentKind,
}

impl Rules<'_, '_> {
    /// Returns the value of a field, or adds its key. A field that is bad already is skipped.
    pub(super) fn take<T>(&mut self, field: &'static str, read: Result<T, Key>) -> Option<T> {
        if self.errors.has(field) {
            None
        } else {
            self.errors.take(field, read)
        }
    }

    pub(super) fn iban(&mut self) -> Option<Iban> {
        let own = self.kind.has_notary_share();
        let read = given(self.request.iban.as_ref())
            .ok_or(Key::IbanRequired)
            .and_then(Iban::parse);
        self.take(
            "iban",
            read.map_err(|key| if own { key.about_own_account() } else { key }),
        )
    }

    pub(super) fn okpo(&mut self) -> Option<Okpo> {
        let own = self.kind.has_notary_share();
        let read = given(self.request.okpo.as_ref())
            .ok_or(Key::OkpoRequired)
            .and_then(Okpo::parse);
        self.take(
            "okpo",
            read.map_err(|key| if own { key.about_own_account() } else { key }),
        )
    }
}
