//! The notary's saved cards.

use cabinet_domain::{Key, NotaryId};
use cabinet_gateways::acquirer::{AcquirerError, SavedCard};

use crate::App;
use crate::refusal::{AppError, Outcome, Refusal, Sort};

/// A saved card.
pub type SavedCardView = SavedCard;

impl App {
    /// The saved cards of the notary's own wallet.
    ///
    /// # Errors
    /// `acquirer_unavailable`.
    pub async fn saved_cards(&self, notary: NotaryId) -> Outcome<Vec<SavedCardView>> {
        let wallet = self
            .keys()
            .wallet(notary)
            .ok_or_else(|| AppError::Broken("a wallet can't be named".to_owned()))?;
        match self.acquirer().saved_cards(&wallet).await {
            Ok(cards) => Ok(cards),
            // A wallet the acquirer has never heard of is empty.
            Err(AcquirerError::Refused { .. }) => Ok(Vec::new()),
            Err(error) => {
                tracing::warn!(%error, "Saved cards can't be read");
                Err(Refusal::new(Sort::Unavailable, Key::AcquirerUnavailable).into())
            }
        }
    }
}
