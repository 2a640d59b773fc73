//! What a deal costs: one pure function of the deal, the notary, the day and the tables.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    Count, DealAdjustment, DealAnswerId, DealBase, DealFactId, DealKindId, DealLineId, DealParty,
    DealPayer, DealSum, DealUnit, Money, NotaryStatus, PaymentKind, Share, Shares, StaleFee,
    TaxKind,
};
use jiff::civil::Date;

use super::model::{Amount, DealAnswer, DealFact, DealKind, DealLine, DealRule};
use crate::data::ReferenceData;
use crate::model::{PaymentOption, PaymentType, Term};
use crate::recipients::Template;

/// What is known of a deal. Who the parties are doesn't matter to the sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealRequest {
    /// The kind of deal.
    pub kind: DealKindId,
    /// The price by the contract.
    pub price: Option<Money>,
    /// The registered valuation.
    pub valuation: Option<Money>,
    /// The price of the building without its land.
    pub building_price: Option<Money>,
    /// The documented costs of what is sold.
    pub costs: Option<Money>,
    /// How many objects it is about.
    pub objects: Count,
    /// How many acquire a share in each object.
    pub owners: Count,
    /// The shares of several payers of the income tax and the levy, such as co-owners who sell. `None`: one pays.
    pub payers: Option<Shares>,
    /// The answer to each question that the kind asks.
    pub answers: BTreeMap<DealFactId, DealAnswerId>,
}

impl DealRequest {
    fn sum(&self, sum: DealSum) -> Option<Money> {
        match sum {
            DealSum::Price => self.price,
            DealSum::Valuation => self.valuation,
            DealSum::BuildingPrice => self.building_price,
            DealSum::Costs => self.costs,
        }
    }

    /// How many shares are acquired in all objects; `None` above what a payment can have units.
    fn shares(&self) -> Option<Count> {
        Count::new(i64::from(self.objects.get()) * i64::from(self.owners.get())).ok()
    }

    /// Whether a sum that a percentage is taken of is left out.
    fn lacks(&self, base: DealBase) -> bool {
        base.sums().iter().any(|sum| self.sum(*sum).is_none())
    }
}

/// Why a deal can't be calculated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DealFault {
    /// There is no such kind of deal on the day.
    KindUnknown,
    /// A sum that the kind asks for is missing.
    SumMissing(DealSum),
    /// The building costs more than the whole.
    SumTooLarge(DealSum),
    /// There are more shares in all objects than a payment can have units.
    SharesTooMany,
    /// A question that the kind asks has no answer.
    FactUnanswered(DealFactId),
    /// The kind does not ask the question, or the question has no such answer.
    AnswerUnknown(DealFactId),
}

/// The payments of a deal, in the order of the table of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calculation<'a> {
    /// The kind of deal.
    pub kind: &'a DealKind,
    /// Every payment that deals of the kind may need, also those that this one doesn't.
    pub lines: Vec<ToPay<'a>>,
}

/// A payment of a deal: who owes it, why, and how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToPay<'a> {
    /// What is paid.
    pub line: &'a DealLine,
    /// The rule by which it is owed or not: payer, ground, source and doubt.
    pub rule: &'a DealRule,
    /// How much.
    pub outcome: Outcome<'a>,
    /// No source confirms something about the rule, or about what the deal says beside what every deal of the kind does: documented costs, a
    /// building apart from its land, several objects or shares.
    pub is_unconfirmed: bool,
    /// What changes the base of the percentage, where the deal names it.
    pub adjustment: Option<DealAdjustment>,
    /// Who owes it, where several of the party pay a share each: her number from 1, and her share.
    pub share: Option<(u8, Share)>,
}

impl ToPay<'_> {
    /// Returns who owes it.
    #[must_use]
    pub fn payer(&self) -> DealPayer {
        DealPayer {
            party: self.rule.payer(),
            number: self.share.map_or(1, |(number, _)| number),
        }
    }

    /// Returns the name of the payment within its deal: the line, and the number of any but the first of several payers.
    #[must_use]
    pub fn id(&self) -> String {
        match self.payer().number {
            1 => self.line.id().to_string(),
            number => format!("{}:{number}", self.line.id()),
        }
    }
}

/// How much a payment is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// A sum above zero.
    Due(Due<'a>),
    /// Nothing is owed; the ground of the rule says why.
    Nothing,
    /// It is owed, but no confirmed source tells the sum, or none is in force on the day. The notary enters it.
    Unknown {
        /// How it is paid.
        way: Way<'a>,
    },
}

/// A sum that is owed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due<'a> {
    /// Above zero, for all objects and shares.
    pub sum: Money,
    /// For one object or share.
    pub unit: Money,
    /// For how many objects or shares it is owed, each the same.
    pub count: Count,
    /// Where it comes from.
    pub reckoned: Reckoned,
    /// How it is paid.
    pub way: Way<'a>,
}

/// Where a sum comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reckoned {
    /// A part of a sum of the deal, rounded half up to the kopiyka and kept within the rule's limits.
    Percent {
        /// What the part was taken of.
        base: DealBase,
        /// That sum.
        base_sum: Money,
        /// Hundredths of a percent.
        basis_points: i64,
    },
    /// The rule names the sum.
    Fixed,
    /// A fee by date.
    Fee {
        /// How the fee is one of an earlier year; `None` where it is not.
        stale: Option<StaleFee>,
    },
}

/// How a payment becomes an item of the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<'a> {
    /// An administrative fee of the notary's kind; region and recipient are chosen.
    Fee {
        /// The kind of payment that fits the notary's status.
        payment_type: &'a PaymentType,
        /// The service.
        option: &'a PaymentOption,
        /// How fast.
        term: &'a Term,
    },
    /// A fee for the use of a register; region and recipient are chosen.
    Register {
        /// The kind of payment.
        payment_type: &'a PaymentType,
        /// The service.
        option: &'a PaymentOption,
    },
    /// A payment to the requisites of a template.
    Template(&'a Template),
    /// A party to the deal, a company or a sole proprietor, withholds it from the payer's income as a tax agent and pays it itself.
    Withheld,
    /// The template is not confirmed, so it is not paid here until the operator confirms it.
    Unconfirmed,
    /// The tables have no requisites for it.
    NoRequisites,
}

impl Way<'_> {
    /// Whether it can be paid in the cabinet.
    #[must_use]
    pub const fn is_payable(&self) -> bool {
        match self {
            Way::Fee { .. } | Way::Register { .. } | Way::Template(_) => true,
            Way::Withheld | Way::Unconfirmed | Way::NoRequisites => false,
        }
    }
}

/// The sums that are left out although a payment is reckoned from them.
fn sums_missing(rules: &[&DealRule], deal: &DealRequest) -> Vec<DealFault> {
    let needed = rules.iter().filter_map(|rule| match rule.amount {
        Amount::Percent {
            base,
            without_base: None,
            ..
        } => Some(base),
        _ => None,
    });
    let needed: BTreeSet<DealSum> = needed
        .flat_map(|base| base.sums().iter().copied())
        .collect();
    let missing = needed.into_iter().filter(|sum| deal.sum(*sum).is_none());
    missing.map(DealFault::SumMissing).collect()
}

impl ReferenceData {
    /// The kinds of deal, in the order they are offered.
    #[must_use]
    pub fn deal_kinds(&self) -> &[DealKind] {
        &self.deals.kinds
    }

    /// Returns a kind of deal.
    #[must_use]
    pub fn deal_kind(&self, id: &DealKindId) -> Option<&DealKind> {
        self.deals.kinds.iter().find(|kind| kind.id == *id)
    }

    /// Returns what a payment of a deal is in a report of a tax agent, by the budget code of its template.
    #[must_use]
    pub fn tax_of_line(&self, id: &DealLineId) -> Option<TaxKind> {
        let line = self.deals.lines.iter().find(|line| line.id == *id)?;
        let template = self.template(line.template.as_ref()?)?;
        self.tax_of(template.budget_code()?)
    }

    /// Returns who owes the income tax and the levy of a kind of deal: several of the party may pay a share each.
    #[must_use]
    pub fn deal_taxpayer(&self, kind: &DealKindId) -> Option<DealParty> {
        let mut rules = self.deals.rules.iter();
        let rule = rules
            .find(|rule| rule.kinds.contains(kind) && self.tax_of_line(&rule.line).is_some())?;
        Some(rule.payer)
    }

    /// Whether deals of a kind owe something for each object, or for each share in one.
    #[must_use]
    pub fn deal_counts(&self, kind: &DealKindId, unit: DealUnit) -> bool {
        let mut rules = self.deals.rules.iter();
        rules.any(|rule| rule.kinds.contains(kind) && rule.for_each == Some(unit))
    }

    /// The questions of a kind of deal.
    pub fn deal_facts<'a>(
        &'a self,
        kind: &'a DealKindId,
    ) -> impl Iterator<Item = &'a DealFact> + use<'a> {
        let facts = self.deals.facts.iter();
        facts.filter(move |fact| fact.is_asked_by(kind))
    }

    /// The answers to earlier questions of a kind of deal after which a question is not asked, because no rule depends on it any more:
    /// a company that sells has no sales of the year to count.
    #[must_use]
    pub fn deal_spared_by(&self, kind: &DealKindId, fact: &DealFactId) -> Vec<&DealAnswerId> {
        let rules = self.deals.rules.iter();
        let rules: Vec<&DealRule> = rules.filter(|rule| rule.kinds.contains(kind)).collect();
        let earlier = self.deal_facts(kind).map(|earlier| earlier.id.clone());
        let earlier: Vec<DealFactId> = earlier.take_while(|earlier| earlier != fact).collect();
        let answers = self.deals.answers.iter();
        answers
            .filter(|answer| earlier.contains(&answer.fact))
            .filter(|answer| {
                let mut fitting = rules.iter().filter(|rule| {
                    rule.answers.contains(&answer.id) || !self.deals.names(rule, &answer.fact)
                });
                !fitting.any(|rule| self.deals.depends(rule, fact))
            })
            .map(|answer| &answer.id)
            .collect()
    }

    /// The questions of a kind that a deal with these answers is asked, in their order.
    #[must_use]
    pub fn deal_facts_asked(
        &self,
        kind: &DealKindId,
        answers: &BTreeMap<DealFactId, DealAnswerId>,
    ) -> Vec<&DealFact> {
        let mut asked: Vec<&DealFact> = Vec::new();
        let facts = self.deals.facts.iter();
        for fact in facts.filter(|fact| fact.is_asked_by(kind)) {
            let spared_by = self.deal_spared_by(kind, &fact.id);
            let mut given = asked.iter().filter_map(|fact| answers.get(&fact.id));
            if !given.any(|answer| spared_by.contains(&answer)) {
                asked.push(fact);
            }
        }
        asked
    }

    /// The answers to a question.
    pub fn deal_answers<'a>(
        &'a self,
        fact: &'a DealFactId,
    ) -> impl Iterator<Item = &'a DealAnswer> + use<'a> {
        let answers = self.deals.answers.iter();
        answers.filter(move |answer| answer.fact == *fact)
    }

    /// Calculates the payments of a deal that a notary certifies on a day.
    ///
    /// # Errors
    /// Everything that is missing or wrong in the request.
    pub fn calculate(
        &self,
        deal: &DealRequest,
        notary: NotaryStatus,
        date: Date,
    ) -> Result<Calculation<'_>, Vec<DealFault>> {
        // A notary whose activity is stopped only prepares; most practise privately.
        let notary = match notary {
            NotaryStatus::State => NotaryStatus::State,
            NotaryStatus::Private | NotaryStatus::Suspended => NotaryStatus::Private,
        };
        let mut kinds = self.deals.kinds.iter();
        let kind = kinds.find(|kind| kind.id == deal.kind);
        let kind = kind.ok_or_else(|| vec![DealFault::KindUnknown])?;
        let faults = self.faults(kind, deal);
        if !faults.is_empty() {
            return Err(faults);
        }
        let answers: BTreeSet<DealAnswerId> = deal.answers.values().cloned().collect();
        let in_force: Vec<&DealRule> = self
            .deals
            .rules
            .iter()
            .filter(|rule| rule.is_for(&kind.id, notary, date) && self.deals.fits(rule, &answers))
            .collect();
        if in_force.is_empty() {
            return Err(vec![DealFault::KindUnknown]);
        }
        let faults = sums_missing(&in_force, deal);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut lines = Vec::new();
        for line in &self.deals.lines {
            // The checks of the tables have made sure that there is one, if the kind has the line.
            let Some(&rule) = in_force.iter().find(|rule| rule.line == line.id) else {
                continue;
            };
            let to_pay = |payer: Option<(&Shares, u8)>| {
                self.to_pay((line, rule), deal, payer, &answers, (notary, date))
            };
            let payers = deal.payers.as_ref();
            match payers.filter(|_| self.tax_of_line(&line.id).is_some()) {
                None => lines.push(to_pay(None)),
                Some(shares) => {
                    let numbers = (1..).zip(shares.all()).map(|(number, _)| number);
                    lines.extend(numbers.map(|number| to_pay(Some((shares, number)))));
                }
            }
        }
        Ok(Calculation { kind, lines })
    }

    /// What is missing or wrong in a request.
    fn faults(&self, kind: &DealKind, deal: &DealRequest) -> Vec<DealFault> {
        let sums = kind.sums.iter().copied();
        let mut faults: Vec<_> = sums
            .filter(|sum| !kind.optional_sums.contains(sum) && deal.sum(*sum).is_none())
            .map(DealFault::SumMissing)
            .collect();
        if deal.shares().is_none() {
            faults.push(DealFault::SharesTooMany);
        }
        if kind.sums.contains(&DealSum::BuildingPrice) && deal.building_price > deal.price {
            faults.push(DealFault::SumTooLarge(DealSum::BuildingPrice));
        }
        let asked = self.deal_facts_asked(&kind.id, &deal.answers);
        let unanswered = asked.into_iter().map(|fact| &fact.id);
        let unanswered = unanswered.filter(|fact| !deal.answers.contains_key(fact));
        faults.extend(unanswered.cloned().map(DealFault::FactUnanswered));
        for (fact, answer) in &deal.answers {
            let is_asked = self.deal_facts(&kind.id).any(|asked| asked.id == *fact);
            if !is_asked || self.deals.fact_of(answer) != Some(fact) {
                faults.push(DealFault::AnswerUnknown(fact.clone()));
            }
        }
        faults
    }

    /// Calculates a payment by its rule: that of one payer with her share, where several pay.
    fn to_pay<'a>(
        &'a self,
        (line, rule): (&'a DealLine, &'a DealRule),
        deal: &DealRequest,
        payer: Option<(&Shares, u8)>,
        answers: &BTreeSet<DealAnswerId>,
        (notary, date): (NotaryStatus, Date),
    ) -> ToPay<'a> {
        let outcome = match self.outcome((line, rule), deal, payer, notary, date) {
            Outcome::Due(due) if rule.is_withheld(answers) => Outcome::Due(Due {
                way: Way::Withheld,
                ..due
            }),
            outcome => outcome,
        };
        let adjustment = rule.adjustment();
        let adjustment = adjustment.filter(|one| deal.sum(one.sum()).is_some());
        let is_several = matches!(&outcome, Outcome::Due(due) if due.count != Count::ONE);
        ToPay {
            line,
            rule,
            outcome,
            is_unconfirmed: rule.is_unconfirmed
                || adjustment.is_some()
                || is_several
                || payer.is_some(),
            adjustment,
            share: payer.and_then(|(shares, number)| Some((number, shares.of(number)?))),
        }
    }

    fn outcome<'a>(
        &'a self,
        (line, rule): (&'a DealLine, &'a DealRule),
        deal: &DealRequest,
        payer: Option<(&Shares, u8)>,
        notary: NotaryStatus,
        date: Date,
    ) -> Outcome<'a> {
        let by_template = || self.way_of_line(line, date);
        let (sum, reckoned, way) = match &rule.amount {
            Amount::Fixed(sum) => (Some(*sum), Reckoned::Fixed, by_template()),
            Amount::Percent {
                base,
                without_base: Some(sum),
                ..
            } if deal.lacks(*base) => (Some(*sum), Reckoned::Fixed, by_template()),
            Amount::ByHand => (None, Reckoned::Fixed, by_template()),
            Amount::Percent {
                base,
                adjustment,
                basis_points,
                minimum,
                maximum,
                without_base: _,
            } => {
                // A deal without the base has been refused.
                let sums = base.sums().iter().filter_map(|sum| deal.sum(*sum));
                let base_sum = sums.max().unwrap_or(Money::ZERO);
                let named = adjustment.and_then(|one| Some((one, deal.sum(one.sum())?)));
                let base_sum = named.map_or(base_sum, |(one, named)| one.of(base_sum, named));
                let base_sum = payer.map_or(base_sum, |(shares, number)| {
                    shares.part_of(number, base_sum)
                });
                let sum = base_sum.basis_points(*basis_points).unwrap_or(Money::MAX);
                let sum = sum.max(minimum.unwrap_or(Money::ZERO));
                let sum = sum.min(maximum.unwrap_or(Money::MAX));
                let reckoned = Reckoned::Percent {
                    base: *base,
                    base_sum,
                    basis_points: *basis_points,
                };
                (Some(sum), reckoned, by_template())
            }
            Amount::Term(id) => {
                let fee = self.term_fee(id, date);
                let stale = fee.and_then(|fee| fee.stale);
                let way = self
                    .term(id)
                    .and_then(|term| self.way_of_term(term, notary));
                let way = way.unwrap_or(Way::NoRequisites);
                (fee.map(|fee| fee.sum), Reckoned::Fee { stale }, way)
            }
            Amount::Option(id) => {
                let fee = self.option_fee(id, date);
                let stale = fee.and_then(|fee| fee.stale);
                let way = self
                    .option(id)
                    .and_then(|option| self.way_of_option(option));
                let way = way.unwrap_or(Way::NoRequisites);
                (fee.map(|fee| fee.sum), Reckoned::Fee { stale }, way)
            }
        };
        match sum {
            None => Outcome::Unknown { way },
            Some(sum) if sum.is_zero() => Outcome::Nothing,
            Some(sum) => {
                let count = match rule.for_each {
                    None => Count::ONE,
                    Some(DealUnit::Object) => deal.objects,
                    Some(DealUnit::Share) => deal.shares().unwrap_or(Count::MAX),
                };
                Outcome::Due(Due {
                    sum: sum.times(count).unwrap_or(Money::MAX),
                    unit: sum,
                    count,
                    reckoned,
                    way,
                })
            }
        }
    }

    fn way_of_line(&self, line: &DealLine, date: Date) -> Way<'_> {
        let template = line.template.as_ref().and_then(|id| self.template(id));
        match template.filter(|template| template.period().contains(date)) {
            None => Way::NoRequisites,
            Some(template) if self.may_be_used(template) => Way::Template(template),
            Some(_) => Way::Unconfirmed,
        }
    }

    fn way_of_term<'a>(&'a self, term: &'a Term, notary: NotaryStatus) -> Option<Way<'a>> {
        let option = self.option(term.option())?;
        let mut kinds = PaymentKind::ALL.into_iter();
        let kind = kinds.find(|kind| kind.needs_term() && notary.has(*kind))?;
        let payment_type = self.payment_type_of(kind)?;
        option.is_of(payment_type.id()).then_some(Way::Fee {
            payment_type,
            option,
            term,
        })
    }

    fn way_of_option<'a>(&'a self, option: &'a PaymentOption) -> Option<Way<'a>> {
        let payment_type = self.payment_type_of(PaymentKind::RegistryPayment)?;
        option.is_of(payment_type.id()).then_some(Way::Register {
            payment_type,
            option,
        })
    }
}
