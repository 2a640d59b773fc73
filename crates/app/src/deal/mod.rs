//! Deals: what one needs to be paid for, by the tables in force.

pub(crate) mod record;

use std::collections::BTreeMap;

use cabinet_domain::{
    DealAnswerId, DealFactId, DealKindId, DealSum, Key, Locale, Money, NotaryStatus,
};
pub use cabinet_reference::{
    Calculation, Outcome, PaymentOption, PaymentType, Reckoned, ReferenceData, ToPay, Way,
};
use cabinet_reference::{DealFault, DealRequest};
use jiff::civil::Date;

use crate::kernel::refusal::{FieldErrors, Refusal, Result};

/// A deal as it was requested. Nothing of it is trusted.
#[derive(Clone, Default)]
pub struct RequestedDeal {
    /// The kind of deal.
    pub kind_id: Option<String>,
    /// The price by the contract.
    pub price: Option<Money>,
    /// The registered valuation.
    pub valuation: Option<Money>,
    /// The answer to each question of the kind.
    pub answers: Option<BTreeMap<String, String>>,
}

impl RequestedDeal {
    /// Reads the ids. An answer that is no id is no answer of any question.
    fn read(self, errors: &mut FieldErrors) -> Option<DealRequest> {
        let kind = self.kind_id.filter(|id| !id.trim().is_empty());
        if kind.is_none() && !errors.has("kind_id") {
            errors.add("kind_id", Key::FieldRequired);
        }
        let answers = self.answers.unwrap_or_default().into_iter();
        let answers: Option<BTreeMap<_, _>> = answers
            .map(|(fact, answer)| Some((DealFactId::parse(&fact)?, DealAnswerId::parse(&answer)?)))
            .collect();
        let answers = errors.take("answers", answers.ok_or(Key::IdInvalid));
        let kind = kind.and_then(|id| {
            let kind = DealKindId::parse(&id).ok_or(Key::NotFound);
            errors.take("kind_id", kind)
        });
        Some(DealRequest {
            kind: kind?,
            price: self.price,
            valuation: self.valuation,
            answers: answers?,
        })
    }
}

/// Returns the ground of a payment, for people: why so much or why nothing, and who pays it where that is a tax agent.
#[must_use]
pub fn ground(to_pay: &ToPay<'_>, locale: Locale) -> String {
    let ground = to_pay.rule.ground(locale);
    let is_withheld =
        matches!(&to_pay.outcome, Outcome::Due(due) if matches!(due.way, Way::Withheld));
    match locale {
        _ if !is_withheld => ground.to_owned(),
        Locale::Uk => format!("{ground}; утримує й сплачує інша сторона – податковий агент"),
        Locale::En => format!("{ground}; the other party withholds and pays it as a tax agent"),
    }
}

/// Calculates what a deal needs to be paid for, if a notary of this status certifies it on a day.
///
/// # Errors
/// Refused with every bad field: those in `errors`, and a kind that is unknown on the day, a sum that the kind needs, and answers that
/// are missing or don't belong to their question.
pub fn calculate<'a>(
    reference: &'a ReferenceData,
    deal: RequestedDeal,
    status: NotaryStatus,
    date: Date,
    mut errors: FieldErrors,
) -> Result<Calculation<'a>> {
    let deal = deal.read(&mut errors);
    let Some(deal) = deal else {
        errors.check()?;
        return Err(Refusal::field("kind_id", Key::FieldRequired).into());
    };
    for (field, sum) in [("price", deal.price), ("valuation", deal.valuation)] {
        if sum.is_some_and(Money::is_zero) {
            errors.add(field, Key::AmountInvalid);
        }
    }
    let calculated = reference.calculate(&deal, status, date);
    for fault in calculated.as_ref().err().into_iter().flatten() {
        let (field, key) = match fault {
            DealFault::KindUnknown => ("kind_id", Key::NotFound),
            DealFault::SumMissing(DealSum::Price) => ("price", Key::AmountRequired),
            DealFault::SumMissing(DealSum::Valuation) => ("valuation", Key::AmountRequired),
            DealFault::FactUnanswered(_) => ("answers", Key::FieldRequired),
            DealFault::AnswerUnknown(_) => ("answers", Key::IdInvalid),
        };
        // A sum that could not be read isn't missing as well.
        if !errors.has(field) {
            errors.add(field, key);
        }
    }
    errors.check()?;
    calculated.map_err(|_| Refusal::field("kind_id", Key::NotFound).into())
}
