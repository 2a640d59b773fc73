//! Deals: what one needs to be paid for, by the tables in force.

pub(crate) mod record;

use std::collections::BTreeMap;

use cabinet_domain::{
    Count, DealAdjustment, DealAnswerId, DealFactId, DealKindId, Key, Locale, Money, NotaryStatus,
    Share, Shares,
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
    /// The price of the building without its land, where a deal names it apart.
    pub building_price: Option<Money>,
    /// The documented costs of what is sold.
    pub costs: Option<Money>,
    /// How many objects it is about; without it one.
    pub objects: Option<i64>,
    /// How many acquire a share in each object; without it one.
    pub owners: Option<i64>,
    /// The share of each payer of the income tax and the levy, as numerator and denominator; without them one pays.
    pub payers: Option<Vec<(i64, i64)>>,
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
        let objects = errors.take("objects", Count::new(self.objects.unwrap_or(1)));
        let owners = errors.take("owners", Count::new(self.owners.unwrap_or(1)));
        let payers = errors.take("payers", read_shares(self.payers));
        Some(DealRequest {
            kind: kind?,
            price: self.price,
            valuation: self.valuation,
            building_price: self.building_price,
            costs: self.costs,
            objects: objects?,
            owners: owners?,
            payers: payers?,
            answers: answers?,
        })
    }
}

/// Reads the shares of several payers. One who pays alone has the whole.
pub(crate) fn read_shares(shares: Option<Vec<(i64, i64)>>) -> Result<Option<Shares>, Key> {
    let shares = shares.unwrap_or_default();
    let read = shares.iter().map(|(part, of)| Share::new(*part, *of));
    let read: Vec<Share> = read.collect::<Option<_>>().ok_or(Key::SharesInvalid)?;
    match read.as_slice() {
        [] => Ok(None),
        [only] if only.part() == only.of() => Ok(None),
        _ => Shares::new(read).map(Some).ok_or(Key::SharesInvalid),
    }
}

/// Returns the ground of a payment, for people: why so much or why nothing, what its base was changed by, and who pays it where that is a
/// tax agent.
#[must_use]
pub fn ground(to_pay: &ToPay<'_>, locale: Locale) -> String {
    let ground = match (to_pay.adjustment, locale) {
        (Some(DealAdjustment::BuildingPrice), Locale::Uk) => "; лише від ціни будівлі, без землі",
        (Some(DealAdjustment::BuildingPrice), Locale::En) => {
            "; of the price of the building alone, without its land"
        }
        (Some(DealAdjustment::Costs), Locale::Uk) => {
            "; дохід зменшено на документально підтверджені витрати"
        }
        (Some(DealAdjustment::Costs), Locale::En) => "; the income is lowered by documented costs",
        (None, _) => "",
    };
    let share = match (to_pay.share, locale) {
        (Some((_, share)), Locale::Uk) => {
            format!("; від частки {}/{}", share.part(), share.of())
        }
        (Some((_, share)), Locale::En) => {
            format!("; of the share {}/{}", share.part(), share.of())
        }
        (None, _) => String::new(),
    };
    let ground = format!("{}{share}{ground}", to_pay.rule.ground(locale));
    let is_withheld =
        matches!(&to_pay.outcome, Outcome::Due(due) if matches!(due.way, Way::Withheld));
    match locale {
        _ if !is_withheld => ground,
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
    for (field, sum) in [
        ("price", deal.price),
        ("valuation", deal.valuation),
        ("building_price", deal.building_price),
        ("costs", deal.costs),
    ] {
        if sum.is_some_and(Money::is_zero) {
            errors.add(field, Key::AmountInvalid);
        }
    }
    let calculated = reference.calculate(&deal, status, date);
    for fault in calculated.as_ref().err().into_iter().flatten() {
        let (field, key) = match fault {
            DealFault::KindUnknown => ("kind_id", Key::NotFound),
            DealFault::SumMissing(sum) => (sum.as_str(), Key::AmountRequired),
            DealFault::SumTooLarge(sum) => (sum.as_str(), Key::AmountInvalid),
            DealFault::SharesTooMany => ("owners", Key::CountInvalid),
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
