//! `cabinet erase --notary`.

use cabinet_domain::{AuditAction, AuditValue, Notary, NotaryId, Phone};
use cabinet_gateways::acquirer::{AcquirerError, SavedCard};
use cabinet_storage::account::notaries;
use cabinet_storage::cart::complaints;
use cabinet_storage::operator::erasure::{self, NamedOrder};
use cabinet_storage::worker::outbox;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use uuid::Uuid;

use super::letters::{open_letters, open_letters_about};
use super::{Erasable, EraseError, Erased, Erasure, Reason, Wallets};
use crate::audit::AuditEntry;

/// An account as it is found before anything is erased.
struct Found {
    notary: Box<Notary>,
    cart_items: u64,
    complaints: u64,
    letters: Vec<Uuid>,
    orders: Vec<NamedOrder>,
}

impl Found {
    /// Refuses an account while money may still move.
    fn check(&self) -> Result<(), EraseError> {
        let open: Vec<i64> = self
            .orders
            .iter()
            .filter(|order| order.is_open)
            .map(|order| order.number)
            .collect();
        if open.is_empty() {
            Ok(())
        } else {
            Err(EraseError::OpenOrders(open))
        }
    }
}

impl Erasure {
    /// Returns what of an account would be erased, and what stays.
    ///
    /// # Errors
    /// [`EraseError::NoAccount`], [`EraseError::OtherKeys`].
    pub async fn list_notary(
        &self,
        phone: Phone,
        wallets: &Wallets,
        now: Timestamp,
    ) -> Result<Erasable, EraseError> {
        self.check_keys(wallets).await?;
        let found = self.found(phone).await?;
        let mut erasable = self.describe_notary(&found, now);
        let cards = saved_cards(wallets, found.notary.id).await;
        erasable.saved_cards = cards.ok().map(|cards| cards.len());
        Ok(erasable)
    }

    /// Erases an account. The saved cards are deleted at the acquirer first: if it does not answer, nothing else is done.
    ///
    /// # Errors
    /// As [`Erasure::list_notary`], and [`EraseError::OpenOrders`], [`EraseError::OrdersBegun`], [`EraseError::Acquirer`].
    pub async fn erase_notary(
        &self,
        phone: Phone,
        wallets: &Wallets,
        reason: Reason,
        now: Timestamp,
    ) -> Result<Erased, EraseError> {
        self.check_keys(wallets).await?;
        let found = self.found(phone.clone()).await?;
        found.check()?;
        let cards = delete_cards(wallets, found.notary.id).await?;
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<Found, EraseError> {
            let locked = notaries::lock_by_phone(tx, &phone)?;
            let (locked, notary) = locked.ok_or(EraseError::NoAccount)?;
            let found = find(tx, notary)?;
            found.check()?;
            for id in &found.letters {
                outbox::delete(tx, *id)?;
            }
            erasure::erase_notary(tx, &locked, now)?;
            AuditEntry::new(AuditAction::NotaryErased)
                .of_notary(found.notary.id)
                .with("phone", &found.notary.phone)
                .with("saved_cards", AuditValue::count(cards as u64))
                .with("reason", AuditValue::word(reason.as_str()))
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(found)
        };
        let found = match self.store.write(write).await {
            Err(EraseError::OpenOrders(orders)) if cards > 0 => {
                return Err(EraseError::OrdersBegun {
                    orders,
                    deleted: cards,
                });
            }
            outcome => outcome?,
        };
        // A page for adding a card may have been open until then.
        let cards_gone = delete_cards(wallets, found.notary.id).await.is_ok();
        let mut erasable = self.describe_notary(&found, now);
        erasable.saved_cards = Some(cards);
        Ok(Erased {
            erasable,
            journal_emptied: self.finish(now).await?,
            cards_gone,
        })
    }

    async fn found(&self, phone: Phone) -> Result<Found, EraseError> {
        let read = move |tx: &mut Tx| {
            let notary = notaries::by_phone(tx, &phone)?.ok_or(EraseError::NoAccount)?;
            Ok(find(tx, notary)?)
        };
        self.store.read_long(read).await
    }

    async fn check_keys(&self, wallets: &Wallets) -> Result<(), EraseError> {
        if wallets.keys.name_known_wallets(&self.store).await? {
            Ok(())
        } else {
            Err(EraseError::OtherKeys)
        }
    }

    fn describe_notary(&self, found: &Found, now: Timestamp) -> Erasable {
        let mut erasable = Erasable {
            cart_items: found.cart_items,
            complaints: found.complaints,
            letters: found.letters.len() as u64,
            ..Erasable::default()
        };
        erasable.sort(
            &found.orders,
            self.age(now).before,
            self.retention.bookkeeping,
        );
        erasable
    }
}

fn find(tx: &mut Tx, notary: Notary) -> Result<Found, StorageError> {
    let orders = erasure::orders_of_notary(tx, notary.id)?;
    let mut letters = open_letters(tx, &notary, None)?;
    letters.extend(open_letters_about(tx, &orders)?);
    letters.sort_unstable();
    letters.dedup();
    Ok(Found {
        cart_items: erasure::count_all_cart_items(tx, notary.id)?,
        complaints: complaints::texts_of(tx, notary.id)?.len() as u64,
        letters,
        orders,
        notary: Box::new(notary),
    })
}

async fn saved_cards(wallets: &Wallets, notary: NotaryId) -> Result<Vec<SavedCard>, AcquirerError> {
    let Some(wallet) = wallets.keys.wallet(notary) else {
        return Ok(Vec::new());
    };
    match wallets.acquirer.saved_cards(&wallet).await {
        // A wallet that the acquirer does not know is empty.
        Err(error) if error.is_unknown() => Ok(Vec::new()),
        answer => answer,
    }
}

/// Deletes the saved cards of a notary at the acquirer. Returns their number.
async fn delete_cards(wallets: &Wallets, notary: NotaryId) -> Result<usize, EraseError> {
    let refused = |error: &AcquirerError, deleted| EraseError::Acquirer {
        reason: error.to_string(),
        deleted,
    };
    let cards = saved_cards(wallets, notary).await;
    let cards = cards.map_err(|error| refused(&error, 0))?;
    let mut deleted = 0;
    for card in &cards {
        match wallets.acquirer.delete_card(&card.token).await {
            Ok(()) => deleted += 1,
            Err(error) if error.is_unknown_card() => {}
            Err(error) => return Err(refused(&error, deleted)),
        }
    }
    Ok(deleted)
}
