//! The rows of reference data after every check: what can be paid, where, and for how much. Whom it can be paid to is in
//! [`crate::recipients`].

use jiff::civil::Date;

use cabinet_domain::{
    BudgetCode, Locale, Money, NextYearFee, OptionId, PaymentKind, PaymentTypeId, RegionId,
    StaleFee, TermId,
};

use crate::choices::Reading;

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

/// A fee or a tariff as a row has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DatedFee {
    /// The sum for one unit.
    pub(crate) sum: Money,
    /// The days on which it holds.
    pub(crate) period: Period,
    /// Whether it does not follow the year, so that it never gets stale.
    pub(crate) is_fixed: bool,
    /// The reading of a disputed rule by which the sum was computed; `None`: the sum is undisputed.
    pub(crate) reading: Option<Reading>,
}

/// A fee or a tariff in force on the day asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeInForce {
    /// The sum for one unit.
    pub sum: Money,
    /// How the fee is one of an earlier year; `None` where it is not.
    pub stale: Option<StaleFee>,
    /// The 1 January from which it will be one: from 1 December, where the tables lack the fee of the next year. `None` else.
    pub outdated_from: Option<Date>,
    /// The fee of the next year, from the day on which a payment may name that year, where it is loaded and differs. `None` else.
    pub next_year: Option<NextYearFee>,
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
    pub(crate) short_name: Option<String>,
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

    /// Returns the short official name for purposes: said where there are no words for a purpose, and where they leave no room.
    #[must_use]
    pub fn short_name(&self) -> Option<&str> {
        self.short_name.as_deref()
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
    /// How the fee is one of an earlier year; `None` where it is not.
    pub stale: Option<StaleFee>,
    /// The 1 January from which it will be one: from 1 December, where the tables lack the fee of the next year. `None` else.
    pub outdated_from: Option<Date>,
    /// The fee of the next year, from the day on which a payment may name that year, where it is loaded and differs. `None` else.
    pub next_year: Option<NextYearFee>,
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
