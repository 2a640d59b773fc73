//! What is kept, and printed, of a calculated deal: everything with its names of the day, and what the notary decided.

use std::collections::BTreeMap;

use cabinet_domain::{
    AnsweredQuestion, CartItem, Count, DealAction, DealAnswerId, DealFactId, DealPercent,
    DealRecord, DealState, DealSum, DealUnit, ItemId, Line, Locale, Money, Names, NotaryStatus,
    RecordedPayment,
};
use cabinet_reference::{Calculation, DealFact, Outcome, Reckoned, ReferenceData, ToPay};
use jiff::civil::Date;

use crate::deal::{RequestedDeal, ground};

/// Longest name of a recipient that is kept, in characters.
const RECIPIENT_CHARS_MAX: usize = 1000;

/// What the notary decided about a payment of a deal.
#[derive(Debug)]
pub(crate) struct Decision {
    action: DealAction,
    /// What goes into the cart.
    sum: Option<Money>,
    reason: Option<Line>,
    recipient: Option<Line>,
    item: Option<ItemId>,
}

impl Decision {
    pub(crate) fn new(action: DealAction, sum: Option<Money>, reason: Option<Line>) -> Decision {
        Decision {
            action,
            sum: sum.filter(|_| action != DealAction::LeaveOut),
            reason,
            recipient: None,
            item: None,
        }
    }

    /// Names who receives the payment.
    pub(crate) fn goes_to(&mut self, recipient: &str) {
        self.recipient = Line::parse_saved(recipient, RECIPIENT_CHARS_MAX).ok();
    }

    /// The payment is an item of the cart.
    pub(crate) fn become_item(&mut self, item: &CartItem) {
        let content = &item.content;
        let requisite = content.requisite.as_ref();
        match requisite {
            Some(requisite) => self.goes_to(&requisite.name),
            None => self.recipient = content.recipient_name.clone(),
        }
        self.item = Some(item.id);
    }
}

/// What the day of a calculation says.
#[derive(Clone, Copy)]
pub(crate) struct RecordDay {
    pub(crate) status: NotaryStatus,
    pub(crate) date: Date,
    /// The version of the tables.
    pub(crate) version: i64,
}

/// Returns a calculation with the decisions about its payments. `deal` is what was calculated.
pub(crate) fn record(
    reference: &ReferenceData,
    deal: &RequestedDeal,
    calculation: &Calculation<'_>,
    day: RecordDay,
    mut decided: BTreeMap<String, Decision>,
) -> DealRecord {
    let kind = calculation.kind;
    let asks = |sum: DealSum| kind.sums().contains(&sum);
    let given = deal.answers.iter().flatten();
    let given: BTreeMap<DealFactId, DealAnswerId> = given
        .filter_map(|(fact, answer)| Some((DealFactId::parse(fact)?, DealAnswerId::parse(answer)?)))
        .collect();
    let asked = reference.deal_facts_asked(kind.id(), &given);
    let count = |given: Option<i64>, unit| {
        let count = given.and_then(|count| Count::new(count).ok());
        let count = count.filter(|_| reference.deal_counts(kind.id(), unit));
        count.unwrap_or(Count::ONE)
    };
    let payments = calculation
        .lines
        .iter()
        .map(|to_pay| payment(to_pay, decided.remove(&to_pay.id())));
    DealRecord {
        kind: kind.id().clone(),
        kind_names: names(|locale| kind.name(locale)),
        date: day.date,
        tables_version: day.version,
        status: day.status,
        price: deal.price.filter(|_| asks(DealSum::Price)),
        valuation: deal.valuation.filter(|_| asks(DealSum::Valuation)),
        building_price: deal.building_price.filter(|_| asks(DealSum::BuildingPrice)),
        costs: deal.costs.filter(|_| asks(DealSum::Costs)),
        objects: count(deal.objects, DealUnit::Object),
        owners: count(deal.owners, DealUnit::Share),
        answers: asked
            .into_iter()
            .filter_map(|fact| answered(reference, given.get(fact.id())?, fact))
            .collect(),
        payments: payments.collect(),
    }
}

fn answered(
    reference: &ReferenceData,
    given: &DealAnswerId,
    fact: &DealFact,
) -> Option<AnsweredQuestion> {
    let mut answers = reference.deal_answers(fact.id());
    let answer = answers.find(|answer| answer.id() == given)?;
    Some(AnsweredQuestion {
        fact: fact.id().clone(),
        question: names(|locale| fact.question(locale)),
        answer: given.clone(),
        answer_names: names(|locale| answer.name(locale)),
    })
}

fn payment(to_pay: &ToPay<'_>, decision: Option<Decision>) -> RecordedPayment {
    let (state, owed) = match &to_pay.outcome {
        Outcome::Due(due) => (DealState::Due, Some(due.sum)),
        Outcome::Nothing => (DealState::Nothing, None),
        Outcome::Unknown { .. } => (DealState::Unknown, None),
    };
    let count = match &to_pay.outcome {
        Outcome::Due(due) => due.count,
        Outcome::Nothing | Outcome::Unknown { .. } => Count::ONE,
    };
    let decision = decision.as_ref();
    RecordedPayment {
        line: to_pay.line.id().clone(),
        names: names(|locale| to_pay.line.name(locale)),
        payer: to_pay.payer(),
        share: to_pay.share.map(|(_, share)| share),
        ground: Names {
            uk: ground(to_pay, Locale::Uk),
            en: ground(to_pay, Locale::En),
        },
        is_unconfirmed: to_pay.is_unconfirmed,
        state,
        owed,
        count,
        percent: percent(to_pay),
        action: decision.map(|decision| decision.action),
        sum: decision.and_then(|decision| decision.sum),
        reason: decision.and_then(|decision| decision.reason.clone()),
        recipient: decision.and_then(|decision| decision.recipient.clone()),
        item: decision.and_then(|decision| decision.item),
    }
}

fn percent(to_pay: &ToPay<'_>) -> Option<DealPercent> {
    let Outcome::Due(due) = &to_pay.outcome else {
        return None;
    };
    let Reckoned::Percent {
        base,
        base_sum,
        basis_points,
    } = due.reckoned
    else {
        return None;
    };
    let (minimum, maximum) = to_pay.rule.limits();
    Some(DealPercent {
        base,
        base_sum,
        basis_points,
        minimum,
        maximum,
    })
}

fn names<'a>(name: impl Fn(Locale) -> &'a str) -> Names {
    Names {
        uk: name(Locale::Uk).to_owned(),
        en: name(Locale::En).to_owned(),
    }
}
