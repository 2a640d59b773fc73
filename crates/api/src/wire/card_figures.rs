//! The sums of a notary from which more is asked, and told, of her saved cards.

use schemars::JsonSchema;
use serde::Serialize;

use super::Hryvnias;

/// The figures of a notary for her saved cards.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CardFigures {
    /// The most that saved cards pay within 24 hours without a proof to recipients outside of the tables.
    pub daily_unproved_max: Hryvnias,
    /// From this sum on the notary is told of each charge.
    pub told_from: Hryvnias,
}

impl From<cabinet_domain::CardFigures> for CardFigures {
    fn from(figures: cabinet_domain::CardFigures) -> CardFigures {
        CardFigures {
            daily_unproved_max: figures.daily_unproved_max.into(),
            told_from: figures.told_from.into(),
        }
    }
}
