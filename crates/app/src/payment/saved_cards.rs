//! Saved cards, which the acquirer keeps in a wallet of the notary.

use std::sync::Arc;

use cabinet_domain::{
    AuditAction, Key, Locale, Money, NotaryId, Origin, RemovedCard, TruncatedPan,
};
use cabinet_gateways::acquirer::{
    AcquirerError, CardKeeper, InvoiceKind, InvoiceRequest, PaymentReference, SavedCard, WalletId,
};
use cabinet_storage::order::orders;
use cabinet_storage::payment::{removed_cards, used_tickets};
use cabinet_storage::{StorageError, Store, Tx, lock_notary};
use jiff::{SignedDuration, Timestamp};

use crate::audit::AuditEntry;
use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;
use crate::kernel::refusal::{AppError, Refusal, RefusalKind, Result};
use crate::kernel::texts;
use crate::operator::alarms::Alarms;
use crate::payment::{CARD_CHECK, PageHosts, report_url};

/// How long the page for adding a card is valid.
const CARD_CHECK_SECONDS: u32 = 900;
/// Cards that the acquirer is told to forget in one round at most.
const FORGOTTEN_MAX: u32 = 50;
/// After a failure the acquirer is told again so much later.
const TOLD_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// The cards of a notary's wallet.
pub struct Wallet {
    /// Those that can be charged.
    pub cards: Vec<SavedCard>,
    /// Those that were removed and can be put back, the latest first.
    pub removed: Vec<Restorable>,
}

/// A removed card that can be put back.
pub struct Restorable {
    /// The card.
    pub card: SavedCard,
    /// Until when.
    pub until: Timestamp,
}

/// Keeps the notaries' saved cards at the acquirer.
#[derive(Clone)]
pub struct SavedCards {
    pub(crate) store: Store,
    pub(crate) acquirer: Arc<dyn CardKeeper>,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) page_hosts: PageHosts,
    pub(crate) alarms: Alarms,
    pub(crate) public_url: Arc<str>,
}

impl SavedCards {
    /// Uses a ticket of the cards frame, whichever process gave it. `until`: from then on it is refused in any case. Returns false if it
    /// was used before.
    ///
    /// # Errors
    /// The database can't be used.
    pub async fn use_ticket(&self, ticket: String, until: Timestamp) -> Result<bool> {
        let write = move |tx: &mut Tx| used_tickets::use_once(tx, &ticket, until);
        Ok(self.store.write(write).await?)
    }

    /// Returns the saved cards of the notary that can be charged.
    ///
    /// # Errors
    /// `acquirer_refused`, `acquirer_unavailable`.
    pub async fn list(&self, notary: NotaryId) -> Result<Vec<SavedCard>> {
        Ok(self.contents(notary).await?.cards)
    }

    /// Returns the saved cards of the notary, and those that can be put back.
    ///
    /// # Errors
    /// `acquirer_refused`, `acquirer_unavailable`.
    pub async fn contents(&self, notary: NotaryId) -> Result<Wallet> {
        let mut cards = self.kept_by_acquirer(notary).await?;
        // After the acquirer's answer: a card that was removed meanwhile is not offered.
        let removed = self
            .store
            .read(move |tx| removed_cards::of_notary(tx, notary))
            .await?;
        let now = self.ids.unit().now;
        let mut wallet = Wallet {
            cards: Vec::new(),
            removed: Vec::new(),
        };
        for removed in removed {
            let is_it = |card: &mut SavedCard| hash_of(card.token.expose()) == removed.token_hash;
            for card in cards.extract_if(.., is_it) {
                if removed.is_restorable(now) {
                    let until = removed.restorable_until();
                    wallet.removed.push(Restorable { card, until });
                }
            }
        }
        wallet.cards = cards;
        Ok(wallet)
    }

    async fn kept_by_acquirer(&self, notary: NotaryId) -> Result<Vec<SavedCard>> {
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

    /// Removes a saved card of the notary: from now on it is neither offered nor charged. It can be put back for 24 hours; after that
    /// the acquirer is told to forget it.
    ///
    /// # Errors
    /// `card_not_found`, `acquirer_refused`, `acquirer_unavailable`.
    pub async fn remove(&self, notary: NotaryId, token: &str, origin: Origin) -> Result<()> {
        let cards = self.list(notary).await?;
        let card = cards.into_iter().find(|card| card.token.matches(token));
        let card = card.ok_or_else(|| Refusal::not_found(Key::CardNotFound))?;
        let pan = TruncatedPan::parse_mask(card.mask()).ok();
        let unit = self.ids.unit();
        let removed = RemovedCard {
            token_hash: hash_of(card.token.expose()),
            notary,
            removed_at: unit.now,
        };
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let locked = lock_notary(tx, notary)?;
            // Two clicks at once remove it once.
            if removed_cards::insert(tx, &locked, &removed)? {
                AuditEntry::new(AuditAction::SavedCardDeleted)
                    .of_notary(notary)
                    .changed("card", pan.as_ref(), None)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await?;
        tracing::info!(notary.id = %notary, "A notary removed a saved card");
        Ok(())
    }

    /// Puts a removed card back.
    ///
    /// # Errors
    /// `card_not_found`, also once the time is over; `acquirer_refused`, `acquirer_unavailable`.
    pub async fn restore(&self, notary: NotaryId, token: &str, origin: Origin) -> Result<()> {
        let not_found = || Refusal::not_found(Key::CardNotFound);
        let mut removed = self.contents(notary).await?.removed.into_iter();
        let found = removed.find(|removed| removed.card.token.matches(token));
        let card = found.ok_or_else(not_found)?.card;
        let pan = TruncatedPan::parse_mask(card.mask()).ok();
        let (hash, unit) = (hash_of(card.token.expose()), self.ids.unit());
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let locked = lock_notary(tx, notary)?;
            let is_restored = removed_cards::delete(tx, &locked, &hash)?;
            if is_restored {
                AuditEntry::new(AuditAction::SavedCardRestored)
                    .of_notary(notary)
                    .changed("card", None, pan.as_ref())
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(is_restored)
        };
        if self.store.write(write).await? {
            Ok(())
        } else {
            Err(not_found().into())
        }
    }

    /// Tells the acquirer to forget the cards that can no longer be put back. What fails is tried again later.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn forget_removed(&self) -> Result<()> {
        let now = self.ids.unit().now;
        let due = self
            .store
            .read(move |tx| removed_cards::due(tx, now, FORGOTTEN_MAX))
            .await?;
        for card in due {
            match self.forget(&card).await {
                Ok(pan) => self.record_forgotten(card, pan).await?,
                Err(error) => {
                    tracing::warn!(%error, "A removed card can't be deleted at the acquirer; it is tried again");
                    let again = now + TOLD_AGAIN;
                    let write = move |tx: &mut Tx| removed_cards::postpone(tx, &card, again);
                    self.store.write(write).await?;
                }
            }
        }
        Ok(())
    }

    /// Tells the acquirer to forget a card. Returns its number as it was shown; `None` where it was gone already.
    async fn forget(&self, removed: &RemovedCard) -> Result<Option<TruncatedPan>> {
        let cards = self.kept_by_acquirer(removed.notary).await?;
        let is_it = |card: &SavedCard| hash_of(card.token.expose()) == removed.token_hash;
        let Some(card) = cards.into_iter().find(is_it) else {
            return Ok(None);
        };
        match self.acquirer.delete_card(&card.token).await {
            Ok(()) => Ok(TruncatedPan::parse_mask(card.mask()).ok()),
            Err(error) if error.is_unknown_card() => Ok(None),
            Err(error) => Err(refusal_of(&error).into()),
        }
    }

    async fn record_forgotten(&self, card: RemovedCard, pan: Option<TruncatedPan>) -> Result<()> {
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let notary = lock_notary(tx, card.notary)?;
            removed_cards::delete(tx, &notary, &card.token_hash)?;
            if let Some(pan) = &pan {
                AuditEntry::new(AuditAction::SavedCardForgotten)
                    .of_notary(card.notary)
                    .changed("card", Some(pan), None)
                    .record(tx, &mut unit.clone(), &Origin::worker())?;
            }
            Ok(())
        };
        Ok(self.store.write(write).await?)
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
            report_url: report_url(&self.public_url, self.acquirer.name()),
            asked_at: self.acquirer.time().unwrap_or_else(|| self.ids.unit().now),
            validity_seconds: CARD_CHECK_SECONDS,
            lines: Vec::new(),
            kind: InvoiceKind::SaveCard(wallet),
            in_frame: true,
            marks: None,
        };
        match self.acquirer.create_invoice(&request).await {
            Ok(invoice) => match self.page_hosts.allow(invoice.page_url) {
                Ok(page) => Ok(page),
                Err(refused) => {
                    let (kind, detail) = (refused.alarm(), refused.to_string());
                    let subject = "installation".to_owned();
                    self.alarms.raise_with(kind, subject, Some(detail)).await?;
                    Err(Refusal::new(RefusalKind::Outside, Key::AcquirerRefused).into())
                }
            },
            Err(AcquirerError::Refused { .. }) => {
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

/// Returns what a removed card is remembered by. Tokens are random, so that their hash tells nothing.
pub(crate) fn hash_of(token: &str) -> [u8; 32] {
    *blake3::hash(token.as_bytes()).as_bytes()
}

/// Returns the refusal for an error of the acquirer.
fn refusal_of(error: &AcquirerError) -> Refusal {
    match error {
        AcquirerError::Refused { .. } => Refusal::new(RefusalKind::Outside, Key::AcquirerRefused),
        _ => Refusal::new(RefusalKind::Unavailable, Key::AcquirerUnavailable),
    }
}
