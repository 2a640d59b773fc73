//! The price of one unit on the wire.

use cabinet_domain::Price as DomainPrice;
use schemars::JsonSchema;
use serde::Serialize;

use super::sums::Hryvnias;

/// The right figures.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Price {
    /// What the recipient gets for one unit.
    pub amount: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// Both.
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
