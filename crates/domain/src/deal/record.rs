//! A deal as it was calculated and decided on one day. Everything is copied from the tables, with names in both languages, so
//! that a record does not depend on later versions of them. It names no party: who pays is told by the payments that it became.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::{
    Count, DealAction, DealAnswerId, DealBase, DealFactId, DealId, DealKindId, DealLineId,
    DealPayer, DealState, DealSum, ItemId, Line, Money, Names, NotaryStatus, Share, Shares,
};

/// A stored deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The id.
    pub id: DealId,
    /// When its payments were put into the cart.
    pub created_at: Timestamp,
    /// What was calculated and decided.
    pub record: DealRecord,
}

/// What was calculated for a deal, and what the notary decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealRecord {
    /// The kind of deal.
    pub kind: DealKindId,
    /// Its name.
    pub kind_names: Names,
    /// The day in Kyiv for which it was calculated.
    pub date: Date,
    /// The version of the tables.
    pub tables_version: i64,
    /// The status of the notary.
    pub status: NotaryStatus,
    /// The price by the contract, where the kind asks for it.
    pub price: Option<Money>,
    /// The registered valuation, where the kind asks for it.
    pub valuation: Option<Money>,
    /// The price of the building without its land, where the deal names it.
    pub building_price: Option<Money>,
    /// The documented costs of what is sold, where the deal names them.
    pub costs: Option<Money>,
    /// How many objects it is about.
    pub objects: Count,
    /// How many acquire a share in each object.
    pub owners: Count,
    /// The questions with their answers, in the order of the kind.
    pub answers: Vec<AnsweredQuestion>,
    /// Every payment that deals of the kind may need, in the order of the calculation.
    pub payments: Vec<RecordedPayment>,
}

impl DealRecord {
    /// Returns a sum of the deal.
    #[must_use]
    pub fn sum(&self, sum: DealSum) -> Option<Money> {
        match sum {
            DealSum::Price => self.price,
            DealSum::Valuation => self.valuation,
            DealSum::BuildingPrice => self.building_price,
            DealSum::Costs => self.costs,
        }
    }

    /// Returns the price, but at least the valuation: of one of several payers that for her share.
    #[must_use]
    pub fn income_of(&self, payer: DealPayer) -> Option<Money> {
        let of_party = self
            .payments
            .iter()
            .filter(|one| one.payer.party == payer.party);
        let shares: BTreeMap<u8, Share> = of_party
            .filter_map(|one| Some((one.payer.number, one.share?)))
            .collect();
        let shares = Shares::new(shares.into_values().collect());
        let income = self.price.max(self.valuation)?;
        Some(shares.map_or(income, |shares| shares.part_of(payer.number, income)))
    }
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredQuestion {
    /// The question.
    pub fact: DealFactId,
    /// Its text.
    pub question: Names,
    /// The answer.
    pub answer: DealAnswerId,
    /// Its text.
    pub answer_names: Names,
}

/// A payment of a deal as it was calculated, and what was done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPayment {
    /// What is paid.
    pub line: DealLineId,
    /// Its name.
    pub names: Names,
    /// Who owes it.
    pub payer: DealPayer,
    /// Her share, where several of the party pay.
    pub share: Option<Share>,
    /// The ground of law: why so much, or why nothing.
    pub ground: Names,
    /// No source confirms something about the rule.
    pub is_unconfirmed: bool,
    /// What the calculation says.
    pub state: DealState,
    /// The sum of the calculation, where it is [`DealState::Due`].
    pub owed: Option<Money>,
    /// How often a fee of the tables is owed: for each object or share.
    pub count: Count,
    /// How a percentage was taken.
    pub percent: Option<DealPercent>,
    /// What was decided. `None`: nothing is owed, or it can't be paid in the cabinet.
    pub action: Option<DealAction>,
    /// What goes into the cart, without commission.
    pub sum: Option<Money>,
    /// Why it is left out or has another sum.
    pub reason: Option<Line>,
    /// Who receives it, where that is known.
    pub recipient: Option<Line>,
    /// The item of the cart, and later of an order, that it became.
    pub item: Option<ItemId>,
}

/// How a percentage was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealPercent {
    /// What of.
    pub base: DealBase,
    /// That sum.
    pub base_sum: Money,
    /// Hundredths of a percent.
    pub basis_points: i64,
    /// The least sum, if there is one.
    pub minimum: Option<Money>,
    /// The largest sum, if there is one.
    pub maximum: Option<Money>,
}
