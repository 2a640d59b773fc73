//! Cards that an acquirer keeps for payers.

use async_trait::async_trait;

use super::identifiers::{CardToken, WalletId};
use super::requests::{PaymentAnswer, SavedCard, SavedCardPayment};
use super::{Acquirer, AcquirerError};

/// An acquirer that keeps cards in wallets. A card stays with its acquirer: nobody else can charge it.
#[async_trait]
pub trait CardKeeper: Acquirer {
    /// Returns the cards of a wallet. An unknown wallet is empty.
    async fn saved_cards(&self, wallet: &WalletId) -> Result<Vec<SavedCard>, AcquirerError>;

    /// Forgets a saved card.
    async fn delete_card(&self, token: &CardToken) -> Result<(), AcquirerError>;

    /// Charges a saved card while its holder is present. A declined card is an answer with
    /// [`InvoiceStatus::Failure`](super::InvoiceStatus::Failure), not an error.
    async fn pay_with_saved_card(
        &self,
        request: &SavedCardPayment,
    ) -> Result<PaymentAnswer, AcquirerError>;
}
