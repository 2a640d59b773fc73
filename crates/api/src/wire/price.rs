//! The price of one unit on the wire.

use cabinet_domain::Price as DomainPrice;
use schemars::JsonSchema;
use serde::Serialize;

use super::sums::Hryvnias;

/// The right figures of one unit.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Price {
    /// What the recipients get for one unit, without commission: an item's `sum_base`.
    pub amount: Hryvnias,
    /// The commission of one unit.
    pub commission: Hryvnias,
    /// `amount` + `commission`: an item's `sum_full`.
    pub sum: Hryvnias,
}

impl From<&DomainPrice> for Price {
    fn from(price: &DomainPrice) -> Price {
        Price {
            amount: price.amount.into(),
            commission: price.commission.into(),
            sum: price.sum.into(),
        }
    }
}
