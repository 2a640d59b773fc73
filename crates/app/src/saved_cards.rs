//! Saved cards, which the acquirer keeps in a wallet of the notary.

use std::sync::Arc;

use cabinet_domain::{AuditAction, Key, Locale, Money, NotaryId, Origin, TruncatedPan};
use cabinet_gateways::acquirer::{
    Acquirer, AcquirerError, InvoiceKind, InvoiceRequest, PaymentReference, SavedCard, WalletId,
};
use cabinet_storage::{Store, orders};

use crate::audit::AuditEntry;
use crate::ids::Ids;
use crate::keys::Keys;
use crate::payments::{CARD_CHECK, PageHosts};
use crate::refusal::{AppError, Refusal, RefusalKind, Result};
use crate::texts;

/// How long the page for adding a card is valid.
const CARD_CHECK_SECONDS: u32 = 900;

/// Keeps the notaries' saved cards at the acquirer.
#[derive(Clone)]
pub struct SavedCards {
    pub(crate) store: Store,
    pub(crate) acquirer: Arc<dyn Acquirer>,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) page_hosts: PageHosts,
    pub(crate) public_url: Arc<str>,
}

impl SavedCards {
    /// Returns the saved cards of the notary.
    ///
    /// # Errors
    /// `acquirer_refused`, `acquirer_unavailable`.
    pub async fn list(&self, notary: NotaryId) -> Result<Vec<SavedCard>> {
        let wallet = self.wallet(notary)?;
        match self.acquirer.saved_cards(&wallet).await {
            Ok(cards) => Ok(cards),
            // A wallet that the acquirer does not know is empty.
            Err(error) if error.is_unknown() => Ok(Vec::new()),
            Err(error) => {
                tracing::warn!(%error, "Saved cards can't be read");
                Err(refusal_of(&error).into())
            }
        }
    }

    /// Returns which of these cards paid the latest paid order of the notary, if one did.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn last_used<'cards>(
        &self,
        notary: NotaryId,
        cards: &'cards [SavedCard],
    ) -> Result<Option<&'cards SavedCard>> {
        if cards.is_empty() {
            return Ok(None);
        }
        let paid = self
            .store
            .read(move |tx| orders::last_paid_pan(tx, notary))
            .await?;
        // The acquirer writes one card in several forms.
        let Some(paid) = paid.and_then(|pan| TruncatedPan::parse_mask(pan.as_str()).ok()) else {
            return Ok(None);
        };
        let is_paid = |card: &&SavedCard| TruncatedPan::parse_mask(card.mask()) == Ok(paid.clone());
        Ok(cards.iter().find(is_paid))
    }

    /// Deletes a saved card of the notary.
    ///
    /// # Errors
    /// `card_not_found`, `acquirer_refused`, `acquirer_unavailable`.
    pub async fn delete(&self, notary: NotaryId, token: &str, origin: Origin) -> Result<()> {
        let cards = self.list(notary).await?;
        let card = cards.into_iter().find(|card| card.token.matches(token));
        let card = card.ok_or_else(|| Refusal::not_found(Key::CardNotFound))?;
        match self.acquirer.delete_card(&card.token).await {
            Ok(()) => {
                let pan = TruncatedPan::parse_mask(card.mask()).ok();
                AuditEntry::new(AuditAction::SavedCardDeleted)
                    .of_notary(notary)
                    .changed("card", pan.as_ref(), None)
                    .record_alone(&self.store, self.ids.unit(), origin)
                    .await?;
                tracing::info!(notary.id = %notary, "A notary removed a saved card");
                Ok(())
            }
            Err(error) if error.is_unknown_card() => {
                Err(Refusal::not_found(Key::CardNotFound).into())
            }
            Err(error) => Err(refusal_of(&error).into()),
        }
    }

    /// Returns the address of the acquirer's page where a card is added. The page checks the card without a charge and can be
    /// shown in a frame.
    ///
    /// # Errors
    /// `acquirer_refused`, `acquirer_unavailable`.
    pub async fn add(
        &self,
        notary: NotaryId,
        locale: Locale,
        return_url: String,
    ) -> Result<String> {
        let wallet = self.wallet(notary)?;
        let payment_reference =
            PaymentReference::parse(&format!("{CARD_CHECK}{}", self.ids.random_id()))
                .ok_or_else(|| AppError::Broken("a card check has no reference".to_owned()))?;
        let request = InvoiceRequest {
            payment_reference,
            amount: Money::ZERO,
            destination: texts::card_check(locale).to_owned(),
            redirect_url: return_url,
            report_url: format!("{}/api/acquirer/report", self.public_url),
            validity_seconds: CARD_CHECK_SECONDS,
            lines: Vec::new(),
            save_card: Some(wallet),
            kind: InvoiceKind::Verification,
            in_frame: true,
        };
        match self.acquirer.create_invoice(&request).await {
            Ok(invoice) if self.page_hosts.allow(&invoice.page_url) => Ok(invoice.page_url),
            Ok(_) | Err(AcquirerError::Refused { .. }) => {
                Err(Refusal::new(RefusalKind::Outside, Key::AcquirerRefused).into())
            }
            Err(_) => Err(Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable).into()),
        }
    }

    fn wallet(&self, notary: NotaryId) -> Result<WalletId> {
        self.keys
            .wallet(notary)
            .ok_or_else(|| AppError::Broken("a wallet can't be named".to_owned()))
    }
}

/// Returns the refusal for an error of the acquirer.
fn refusal_of(error: &AcquirerError) -> Refusal {
    match error {
        AcquirerError::Refused { .. } => Refusal::new(RefusalKind::Outside, Key::AcquirerRefused),
        _ => Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable),
    }
}
