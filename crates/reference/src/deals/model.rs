//! The rows of the tables of deals.

use std::collections::BTreeSet;

use cabinet_domain::{
    DealAdjustment, DealAnswerId, DealBase, DealFactId, DealKindId, DealLineId, DealParty,
    DealRuleId, DealSum, DealUnit, Locale, Money, NotaryStatus, OptionId, TemplateId, TermId,
};
use jiff::civil::Date;

use crate::model::{Name, Period};

/// A kind of deal, such as the sale of a home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealKind {
    pub(crate) id: DealKindId,
    pub(crate) name: Name,
    pub(crate) sums: Vec<DealSum>,
    /// Those of `sums` that a deal may leave out where none of its payments is reckoned from them.
    pub(crate) optional_sums: Vec<DealSum>,
    pub(crate) income_code: Option<String>,
}

impl DealKind {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &DealKindId {
        &self.id
    }

    /// The name in a language.
    #[must_use]
    pub fn name(&self, locale: Locale) -> &str {
        self.name.in_locale(locale)
    }

    /// The sums that a deal of the kind names.
    #[must_use]
    pub fn sums(&self) -> &[DealSum] {
        &self.sums
    }

    /// The code of the income in annex 4DF, where the table tells one.
    #[must_use]
    pub fn income_code(&self) -> Option<&str> {
        self.income_code.as_deref()
    }

    /// Those of [`DealKind::sums`] that a deal may leave out where none of its payments is reckoned from them.
    #[must_use]
    pub fn optional_sums(&self) -> &[DealSum] {
        &self.optional_sums
    }
}

/// A question that decides on the payments of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealFact {
    pub(crate) id: DealFactId,
    pub(crate) kinds: Vec<DealKindId>,
    pub(crate) question: Name,
}

impl DealFact {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &DealFactId {
        &self.id
    }

    /// The question in a language.
    #[must_use]
    pub fn question(&self, locale: Locale) -> &str {
        self.question.in_locale(locale)
    }

    /// Whether deals of a kind must answer the question.
    #[must_use]
    pub fn is_asked_by(&self, kind: &DealKindId) -> bool {
        self.kinds.contains(kind)
    }
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealAnswer {
    pub(crate) id: DealAnswerId,
    pub(crate) fact: DealFactId,
    pub(crate) name: Name,
}

impl DealAnswer {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &DealAnswerId {
        &self.id
    }

    /// The answer in a language.
    #[must_use]
    pub fn name(&self, locale: Locale) -> &str {
        self.name.in_locale(locale)
    }
}

/// A payment that a deal may need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealLine {
    pub(crate) id: DealLineId,
    pub(crate) name: Name,
    pub(crate) template: Option<TemplateId>,
}

impl DealLine {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &DealLineId {
        &self.id
    }

    /// The name in a language.
    #[must_use]
    pub fn name(&self, locale: Locale) -> &str {
        self.name.in_locale(locale)
    }
}

/// How much a rule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// A part of a sum of the deal.
    Percent {
        base: DealBase,
        /// What changes the base where the deal names it.
        adjustment: Option<DealAdjustment>,
        basis_points: i64,
        minimum: Option<Money>,
        maximum: Option<Money>,
        /// What is owed where the deal leaves out the base; `None`: the base is needed.
        without_base: Option<Money>,
    },
    /// The same sum always; zero where nothing is due.
    Fixed(Money),
    /// The fee of a term.
    Term(TermId),
    /// The tariff of a register.
    Option(OptionId),
    /// Something that no confirmed source tells: the notary enters it.
    ByHand,
}

/// By what a payment is calculated in some deals, on some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealRule {
    pub(crate) id: DealRuleId,
    pub(crate) line: DealLineId,
    pub(crate) kinds: Vec<DealKindId>,
    /// The answers that the rule is for. Those to one question are alternatives; a question without any here doesn't matter.
    pub(crate) answers: BTreeSet<DealAnswerId>,
    /// The notaries that the rule is for; `None`: all.
    pub(crate) notary: Option<NotaryStatus>,
    pub(crate) payer: DealParty,
    pub(crate) amount: Amount,
    /// For what a fee is owed once; `None`: for the deal.
    pub(crate) for_each: Option<DealUnit>,
    /// The answers with which a party is the payer's tax agent: it withholds the payment, and nobody pays it here.
    pub(crate) withheld: BTreeSet<DealAnswerId>,
    pub(crate) ground: Name,
    pub(crate) is_unconfirmed: bool,
    pub(crate) period: Period,
}

impl DealRule {
    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &DealRuleId {
        &self.id
    }

    /// Who owes the payment.
    #[must_use]
    pub fn payer(&self) -> DealParty {
        self.payer
    }

    /// The ground of law, for people: why so much, or why nothing.
    #[must_use]
    pub fn ground(&self, locale: Locale) -> &str {
        self.ground.in_locale(locale)
    }

    /// Whether something about the rule is confirmed by no source. The table says what.
    #[must_use]
    pub fn is_unconfirmed(&self) -> bool {
        self.is_unconfirmed
    }

    /// The least and the largest sum of a percentage.
    #[must_use]
    pub fn limits(&self) -> (Option<Money>, Option<Money>) {
        match self.amount {
            Amount::Percent {
                minimum, maximum, ..
            } => (minimum, maximum),
            _ => (None, None),
        }
    }

    /// Whether a tax agent withholds the payment in a deal with these answers.
    pub(crate) fn is_withheld(&self, given: &BTreeSet<DealAnswerId>) -> bool {
        self.withheld.iter().any(|answer| given.contains(answer))
    }

    /// What changes the base where a deal names it.
    pub(crate) fn adjustment(&self) -> Option<DealAdjustment> {
        match self.amount {
            Amount::Percent { adjustment, .. } => adjustment,
            _ => None,
        }
    }

    /// What a percentage is taken of; `None` where the rule names none.
    pub(crate) fn base(&self) -> Option<DealBase> {
        match self.amount {
            Amount::Percent { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Whether the rule is for a kind and a notary on a day. What was answered is another matter.
    pub(crate) fn is_for(&self, kind: &DealKindId, notary: NotaryStatus, date: Date) -> bool {
        self.kinds.contains(kind)
            && self.notary.is_none_or(|own| own == notary)
            && self.period.contains(date)
    }
}

/// The tables of deals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deals {
    pub(crate) kinds: Vec<DealKind>,
    pub(crate) facts: Vec<DealFact>,
    pub(crate) answers: Vec<DealAnswer>,
    pub(crate) lines: Vec<DealLine>,
    pub(crate) rules: Vec<DealRule>,
}

impl Deals {
    /// The question that an answer belongs to.
    pub(crate) fn fact_of(&self, answer: &DealAnswerId) -> Option<&DealFactId> {
        let mut answers = self.answers.iter();
        Some(&answers.find(|row| row.id == *answer)?.fact)
    }

    /// Whether a rule names answers to a question that it is for.
    pub(crate) fn names(&self, rule: &DealRule, fact: &DealFactId) -> bool {
        let mut named = rule.answers.iter();
        named.any(|answer| self.fact_of(answer) == Some(fact))
    }

    /// Whether what a rule says, or who pays by it, depends on a question.
    pub(crate) fn depends(&self, rule: &DealRule, fact: &DealFactId) -> bool {
        let mut withheld = rule.withheld.iter();
        self.names(rule, fact) || withheld.any(|answer| self.fact_of(answer) == Some(fact))
    }

    /// Whether a rule is for what was answered: of the answers that it names to a question, one was given.
    pub(crate) fn fits(&self, rule: &DealRule, given: &BTreeSet<DealAnswerId>) -> bool {
        let facts: BTreeSet<_> = rule.answers.iter().map(|id| self.fact_of(id)).collect();
        facts.iter().all(|fact| {
            let mut named = rule.answers.iter();
            named.any(|id| self.fact_of(id) == *fact && given.contains(id))
        })
    }
}
