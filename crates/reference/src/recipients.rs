//! The rows of recipients after every check: accounts, and ready-made sets of requisites.

use cabinet_domain::{
    BudgetCode, Iban, Locale, Money, Okpo, PaymentTypeId, RegionId, RequisiteId, TemplateId,
    is_confirmed_this_year,
};
use jiff::civil::Date;

use crate::model::{Name, Period, Region, Term};

/// The placeholder of the client's name.
pub const CLIENT_NAME_PLACEHOLDER: &str = "{clientName}";
/// The placeholder of the client's code.
pub const CLIENT_CODE_PLACEHOLDER: &str = "{clientIPN}";

/// Where a recipient is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RegionScope {
    /// In every region that has recipients; so the administrator of the registers.
    Everywhere,
    /// In one region.
    Only(RegionId),
}

/// A recipient's account: name, code and IBAN, which belong together and are changed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requisite {
    pub(crate) id: RequisiteId,
    pub(crate) scope: RegionScope,
    pub(crate) payment_types: Vec<PaymentTypeId>,
    pub(crate) budget_codes: Vec<BudgetCode>,
    pub(crate) name: String,
    pub(crate) okpo: Okpo,
    pub(crate) iban: Iban,
    pub(crate) period: Period,
    pub(crate) confirmed_on: Option<Date>,
    pub(crate) demonstration: bool,
}

impl Requisite {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &RequisiteId {
        &self.id
    }

    /// The recipient's name, spelt as the payment must carry it; the same in every language.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The recipient's code.
    #[must_use]
    pub fn okpo(&self) -> &Okpo {
        &self.okpo
    }

    /// The account.
    #[must_use]
    pub fn iban(&self) -> &Iban {
        &self.iban
    }

    /// The budget codes the account takes; empty where the recipient is not the budget.
    #[must_use]
    pub fn budget_codes(&self) -> &[BudgetCode] {
        &self.budget_codes
    }

    /// The days on which the account is valid.
    #[must_use]
    pub fn period(&self) -> Period {
        self.period
    }

    /// The day in Kyiv on which somebody last compared the account with what its keeper has published; `None`: never, or nobody wrote it
    /// down.
    #[must_use]
    pub fn confirmed_on(&self) -> Option<Date> {
        self.confirmed_on
    }

    /// Whether the account is invented for demonstration and nothing may really be paid to it. Known ones are, also where their row is
    /// not marked.
    #[must_use]
    pub fn is_demonstration(&self) -> bool {
        self.demonstration
    }

    /// Whether nobody has confirmed the account in the year of a day, by that day. Nobody confirms invented ones.
    #[must_use]
    pub fn is_unconfirmed_on(&self, date: Date) -> bool {
        !self.demonstration && !is_confirmed_this_year(date, self.confirmed_on)
    }

    /// Whether the account is valid on a day.
    #[must_use]
    pub fn is_valid_on(&self, date: Date) -> bool {
        self.period.contains(date)
    }

    /// Whether the recipient takes payments of a type.
    #[must_use]
    pub fn is_of(&self, payment_type: &PaymentTypeId) -> bool {
        self.payment_types.contains(payment_type)
    }

    /// Whether the recipient is offered in a region.
    #[must_use]
    pub fn is_in(&self, region: &Region) -> bool {
        region.has_recipients
            && match &self.scope {
                RegionScope::Everywhere => true,
                RegionScope::Only(id) => *id == region.id,
            }
    }

    /// Whether the account takes payments under a budget code. A payment that names no code fits any account.
    #[must_use]
    pub fn takes_code(&self, budget_code: Option<&BudgetCode>) -> bool {
        budget_code.is_none_or(|code| self.budget_codes.contains(code))
    }

    /// Whether another row is an account of the same recipient for the same payments: one of them stands where the other
    /// stood before.
    pub(crate) fn takes_the_place_of(&self, other: &Self) -> bool {
        let shares_type = self.payment_types.iter().any(|id| other.is_of(id));
        let shares_code = if self.budget_codes.is_empty() {
            other.budget_codes.is_empty()
        } else {
            let mut codes = self.budget_codes.iter();
            codes.any(|code| other.budget_codes.contains(code))
        };
        self.scope == other.scope && self.name == other.name && shares_type && shares_code
    }
}

/// Whether an account may receive the fee of a term: a term that names a budget code takes only accounts of that code.
#[must_use]
pub fn requisite_serves_term(requisite: &Requisite, term: &Term) -> bool {
    requisite.takes_code(term.budget_code())
}

/// A ready-made set of requisites that fills the form of a payment to arbitrary requisites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub(crate) id: TemplateId,
    pub(crate) title: Name,
    pub(crate) amount: Option<Money>,
    pub(crate) recipient_name: String,
    pub(crate) iban: Iban,
    pub(crate) okpo: Okpo,
    pub(crate) budget_code: Option<BudgetCode>,
    pub(crate) is_unconfirmed: bool,
    pub(crate) comment: String,
    pub(crate) period: Period,
    pub(crate) demonstration: bool,
}

impl Template {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &TemplateId {
        &self.id
    }

    /// The title in a language.
    #[must_use]
    pub fn title(&self, locale: Locale) -> &str {
        self.title.in_locale(locale)
    }

    /// The sum, where it is fixed.
    #[must_use]
    pub fn amount(&self) -> Option<Money> {
        self.amount
    }

    /// The recipient's name as the payment must carry it.
    #[must_use]
    pub fn recipient_name(&self) -> &str {
        &self.recipient_name
    }

    /// The recipient's account.
    #[must_use]
    pub fn iban(&self) -> &Iban {
        &self.iban
    }

    /// The recipient's code.
    #[must_use]
    pub fn okpo(&self) -> &Okpo {
        &self.okpo
    }

    /// The budget code; always there for a Treasury account.
    #[must_use]
    pub fn budget_code(&self) -> Option<&BudgetCode> {
        self.budget_code.as_ref()
    }

    /// The purpose with its placeholders `{clientName}` and `{clientIPN}`.
    #[must_use]
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// The text of the purpose for one client.
    #[must_use]
    pub fn purpose_for(&self, client_name: &str, client_code: &str) -> String {
        // The code goes first, so that a name is never searched for placeholders.
        self.comment
            .replace(CLIENT_CODE_PLACEHOLDER, client_code)
            .replace(CLIENT_NAME_PLACEHOLDER, client_name)
    }

    /// Whether the table says that something about it is not confirmed. It is offered only if the operator says so.
    #[must_use]
    pub fn is_unconfirmed(&self) -> bool {
        self.is_unconfirmed
    }

    /// The days on which the template is valid.
    #[must_use]
    pub fn period(&self) -> Period {
        self.period
    }

    /// Whether the account is invented for demonstration and nothing may really be paid to it. Known ones are, also where their row is
    /// not marked.
    #[must_use]
    pub fn is_demonstration(&self) -> bool {
        self.demonstration
    }
}
