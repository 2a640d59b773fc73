//! The rows of reference data after every check.

use jiff::civil::Date;

use cabinet_domain::{
    BudgetCode, Iban, Locale, Money, Okpo, OptionId, PaymentKind, PaymentTypeId, RegionId,
    RequisiteId, TemplateId, TermId,
};

/// A name in both languages of the cabinet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub(crate) uk: String,
    pub(crate) en: String,
}

impl Name {
    /// The name in a language. Neither is ever empty.
    #[must_use]
    pub fn in_locale(&self, locale: Locale) -> &str {
        match locale {
            Locale::Uk => &self.uk,
            Locale::En => &self.en,
        }
    }
}

/// Days on which a row holds, both ends included. Days are those of Kyiv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub(crate) from: Date,
    pub(crate) to: Option<Date>,
}

impl Period {
    /// The first day.
    #[must_use]
    pub fn from(self) -> Date {
        self.from
    }

    /// The last day; `None` while no end is known.
    #[must_use]
    pub fn to(self) -> Option<Date> {
        self.to
    }

    /// Whether the row holds on a day.
    #[must_use]
    pub fn contains(self, date: Date) -> bool {
        self.from <= date && self.to.is_none_or(|to| date <= to)
    }

    /// The first day after the period; `None` if it has no end or ends with the calendar.
    #[must_use]
    pub fn day_after(self) -> Option<Date> {
        self.to.and_then(|to| to.tomorrow().ok())
    }

    /// Whether two periods have a day in common.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let starts_before_end = |one: Self, two: Self| two.to.is_none_or(|to| one.from <= to);
        starts_before_end(self, other) && starts_before_end(other, self)
    }
}

/// A value with the days on which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated<T> {
    /// The value.
    pub value: T,
    /// The days on which it holds.
    pub period: Period,
}

/// One of the four payment types. Its label is translated from the slug by the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentType {
    pub(crate) id: PaymentTypeId,
    pub(crate) kind: PaymentKind,
}

impl PaymentType {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &PaymentTypeId {
        &self.id
    }

    /// The kind, which decides on price, fields and transfers.
    #[must_use]
    pub fn kind(&self) -> PaymentKind {
        self.kind
    }
}

/// What can be paid for within one or more payment types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentOption {
    pub(crate) id: OptionId,
    pub(crate) payment_types: Vec<PaymentTypeId>,
    pub(crate) name: Name,
    pub(crate) purpose: Option<String>,
    pub(crate) budget_code: Option<BudgetCode>,
}

impl PaymentOption {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &OptionId {
        &self.id
    }

    /// The name in a language.
    #[must_use]
    pub fn name(&self, locale: Locale) -> &str {
        self.name.in_locale(locale)
    }

    /// Returns what a purpose says after «Адміністративний збір» or «Плата за користування», such as «за державну
    /// реєстрацію права власності»; `None` where the table has no such words.
    #[must_use]
    pub fn purpose(&self) -> Option<&str> {
        self.purpose.as_deref()
    }

    /// Whether the option belongs to a payment type.
    #[must_use]
    pub fn is_of(&self, payment_type: &PaymentTypeId) -> bool {
        self.payment_types.contains(payment_type)
    }

    /// The budget code of the option's ordinary fee; `None` where the recipient is not the budget.
    #[must_use]
    pub fn budget_code(&self) -> Option<&BudgetCode> {
        self.budget_code.as_ref()
    }
}

/// How fast the service of an option is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub(crate) id: TermId,
    pub(crate) option: OptionId,
    pub(crate) period: Name,
    pub(crate) budget_code: Option<BudgetCode>,
}

impl Term {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &TermId {
        &self.id
    }

    /// The option whose term this is.
    #[must_use]
    pub fn option(&self) -> &OptionId {
        &self.option
    }

    /// The length of the term in words, such as "2 working days".
    #[must_use]
    pub fn period(&self, locale: Locale) -> &str {
        self.period.in_locale(locale)
    }

    /// The budget code under which the fee is paid: the term's own or else the option's. Shortened terms of real
    /// rights have one of their own (22012900).
    #[must_use]
    pub fn budget_code(&self) -> Option<&BudgetCode> {
        self.budget_code.as_ref()
    }
}

/// A term together with its fee on the day asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermInForce<'a> {
    /// The term.
    pub term: &'a Term,
    /// The fee for one unit.
    pub tax: Money,
}

/// One of the 27 regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub(crate) id: RegionId,
    pub(crate) iso_code: String,
    pub(crate) name: Name,
    pub(crate) has_recipients: bool,
}

impl Region {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &RegionId {
        &self.id
    }

    /// The code of ISO 3166-2, such as `UA-46`.
    #[must_use]
    pub fn iso_code(&self) -> &str {
        &self.iso_code
    }

    /// The name in a language.
    #[must_use]
    pub fn name(&self, locale: Locale) -> &str {
        self.name.in_locale(locale)
    }

    /// Whether payments to the region are possible at all; not so for the occupied Crimea and Sevastopol.
    #[must_use]
    pub fn has_recipients(&self) -> bool {
        self.has_recipients
    }
}

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

    /// Whether the account is invented for demonstration and nothing may really be paid to it.
    #[must_use]
    pub fn is_demonstration(&self) -> bool {
        self.demonstration
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

    /// The days on which the template is valid.
    #[must_use]
    pub fn period(&self) -> Period {
        self.period
    }

    /// Whether the account is invented for demonstration and nothing may really be paid to it.
    #[must_use]
    pub fn is_demonstration(&self) -> bool {
        self.demonstration
    }
}

/// The placeholder of the client's name.
pub const CLIENT_NAME_PLACEHOLDER: &str = "{clientName}";
/// The placeholder of the client's code.
pub const CLIENT_CODE_PLACEHOLDER: &str = "{clientIPN}";
