//! Saved cards.

use jiff::Timestamp;

use super::Bank;
use super::card::{Card, SavedCard};

impl Bank {
    /// Saves a card and returns its token. A card that the wallet already has keeps its token.
    pub(crate) fn save_card(
        &mut self,
        wallet_id: &str,
        card: &Card,
        now: Timestamp,
        fresh_token: impl FnOnce() -> String,
    ) -> String {
        let known = self
            .cards
            .iter()
            .find(|saved| saved.wallet_id == wallet_id && saved.card == *card);
        if let Some(known) = known {
            return known.token.clone();
        }
        let saved = SavedCard {
            token: fresh_token(),
            wallet_id: wallet_id.to_owned(),
            card: card.clone(),
            saved_at: now,
        };
        let token = saved.token.clone();
        self.changes.saved.push(saved.clone());
        self.cards.push(saved);
        token
    }

    /// Returns the cards of a wallet, oldest first.
    pub(crate) fn wallet(&self, wallet_id: &str) -> Vec<&SavedCard> {
        self.cards
            .iter()
            .filter(|saved| saved.wallet_id == wallet_id)
            .collect()
    }

    /// Returns the card of a token.
    pub(crate) fn card_by_token(&self, token: &str) -> Option<&SavedCard> {
        self.cards.iter().find(|saved| saved.token == token)
    }

    /// Forgets a card. Returns whether there was one.
    pub(crate) fn forget_card(&mut self, token: &str) -> bool {
        let before = self.cards.len();
        self.cards.retain(|saved| saved.token != token);
        let forgotten = self.cards.len() < before;
        if forgotten {
            self.changes.forgotten.push(token.to_owned());
        }
        forgotten
    }
}
