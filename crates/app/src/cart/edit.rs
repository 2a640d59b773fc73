//! Changes of the cart: counts, deleting and restoring, today's price.

use cabinet_domain::{
    Client, Count, ItemContent, ItemId, Key, Money, NotaryId, SessionId, kyiv_date,
};
use cabinet_reference::ReferenceData;
use cabinet_storage::address_book::clients;
use cabinet_storage::{StorageError, Tx, cart, lock_notary};
use jiff::Timestamp;

use super::Cart;
use super::capacity::{check_limits, checked_standing};
use super::check::check;
use super::content::content_of;
use super::fee::account_on;
use super::item_id::{item_not_found, read_item};
use super::own_codes::OwnCodes;
use super::repricing::refusal_today;
use super::request::PaymentRequest;
use super::version::version_of;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, Result};
use crate::payment::approval::Signer;

/// How often today's price is looked for again because another window changed the item meanwhile.
const REPRICE_TRIES: u32 = 5;

/// A count that was changed.
#[derive(Clone, Copy, Debug)]
pub struct CountChange {
    /// Rows in the cart.
    pub items_count: i64,
    /// The item's count now.
    pub count: Count,
    /// The item's total now.
    pub sum_total: Money,
}

impl Cart {
    /// Changes an item's count.
    ///
    /// # Errors
    /// `count_invalid`, `cart_item_not_found`.
    pub async fn set_count(
        &self,
        notary: NotaryId,
        item: Option<String>,
        count: Option<i64>,
        mut errors: FieldErrors,
    ) -> Result<CountChange> {
        let item = read_item(item.as_deref(), &mut errors);
        let count = if errors.has("new_count") {
            None
        } else {
            errors.take(
                "new_count",
                count.ok_or(Key::CountInvalid).and_then(Count::new),
            )
        };
        errors.check()?;
        let (Some(item), Some(count)) = (item, count) else {
            return Err(item_not_found());
        };
        let changed = self
            .store
            .write(move |tx| {
                let notary = lock_notary(tx, notary)?;
                if !cart::set_count(tx, &notary, item, count)? {
                    return Ok(None);
                }
                let Some((_, row)) = cart::item_of(tx, notary.id(), item)? else {
                    return Ok(None);
                };
                let standing = checked_standing(tx, notary.id(), "new_count")?;
                Ok::<_, AppError>(Some((row, standing.items_count)))
            })
            .await?;
        let (row, items_count) = changed.ok_or_else(item_not_found)?;
        let sum_total = row
            .content
            .total()
            .map_err(|error| Refusal::field("new_count", error.key()))?;
        Ok(CountChange {
            items_count,
            count: row.content.count,
            sum_total,
        })
    }

    /// Deletes an item. It can be restored for a while. Returns the number of rows that are left.
    ///
    /// # Errors
    /// `cart_item_not_found`.
    pub async fn delete(
        &self,
        notary: NotaryId,
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<i64> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let item = item.ok_or_else(item_not_found)?;
        let now = self.clock.now();
        let count = self
            .store
            .write(move |tx| {
                let notary = lock_notary(tx, notary)?;
                let deleted = cart::delete(tx, &notary, item, now)?;
                Ok::<_, StorageError>(if deleted {
                    Some(cart::summary(tx, notary.id())?.items_count)
                } else {
                    None
                })
            })
            .await?;
        count.ok_or_else(item_not_found)
    }

    /// Restores a deleted item. Returns the number of rows then. An own account that is not the profile's is proved as when it was added:
    /// the owner may have deleted it because somebody else had added it.
    ///
    /// # Errors
    /// `cart_item_not_found` once it was purged; `cart_full`; `amount_invalid` where the cart's total would overflow;
    /// `confirmation_required`.
    pub async fn restore(
        &self,
        (notary, session): (NotaryId, SessionId),
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<i64> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let item = item.ok_or_else(item_not_found)?;
        let (own_accounts, unit) = (self.own_accounts.clone(), self.ids.unit());
        let count = self
            .store
            .write(move |tx| {
                let signer = Signer { notary, session };
                let (locked, account) = Decider::from(signer).lock(tx, unit.now)?;
                let is_restored = cart::restore(tx, &locked, item)?;
                let Some((_, restored)) = cart::item_of(tx, notary, item)? else {
                    return Ok(None);
                };
                // Where the first answer was lost it is in the cart.
                if is_restored {
                    let content = (&restored.content, Some(item));
                    let own = OwnCodes::of(&account);
                    own_accounts.confirm(tx, signer, content, &own, &mut unit.clone())?;
                }
                let standing = cart::summary(tx, notary)?;
                check_limits(&standing, "cart_item_id")?;
                Ok::<_, AppError>(Some(standing.items_count))
            })
            .await?;
        count.ok_or_else(item_not_found)
    }

    /// Sets today's price, and the recipient's account of today if the old one has ended.
    ///
    /// # Errors
    /// `cart_item_not_found`; the key of the rule that the payment would break today; `cart_item_changed` where other windows change it again
    /// and again.
    pub async fn reprice(
        &self,
        notary: NotaryId,
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<()> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let item = item.ok_or_else(item_not_found)?;
        let reference = self.reference.current()?;
        for _ in 0..REPRICE_TRIES {
            let (client, old) = self.item_with_client(notary, item).await?;
            let now = self.clock.now();
            let own_codes = self.own_codes(notary).await?;
            if refusal_today(&old, &reference, &own_codes, now).is_none() {
                return Ok(());
            }
            let content = {
                let request = request_today(&client, &old, &reference, now);
                let errors = FieldErrors::new();
                let checked = check(&request, errors, &reference, &own_codes, now)?;
                content_of(&checked, old.count)
            };
            let version = version_of(&client, &old);
            let write = move |tx: &mut Tx| replace_read(tx, (notary, item), &version, &content);
            if self.store.write(write).await? {
                return Ok(());
            }
        }
        Err(Refusal::conflict(Key::CartItemChanged).into())
    }

    async fn item_with_client(
        &self,
        notary: NotaryId,
        item: ItemId,
    ) -> Result<(Client, ItemContent)> {
        let found = self
            .store
            .read(move |tx| {
                let Some((client, item)) = cart::item_of(tx, notary, item)? else {
                    return Ok(None);
                };
                let client = clients::client_of(tx, notary, client)?;
                Ok::<_, StorageError>(client.map(|client| (client, item.content)))
            })
            .await?;
        found.ok_or_else(item_not_found)
    }
}

/// Replaces the content of an item by that of today, made of what was read. Returns false if another window has changed the item since then:
/// what it has saved must not be overwritten. Its count stays.
fn replace_read(
    tx: &mut Tx,
    (notary, item): (NotaryId, ItemId),
    version: &str,
    today: &ItemContent,
) -> Result<bool> {
    let notary = lock_notary(tx, notary)?;
    let Some((client, standing)) = cart::item_of(tx, notary.id(), item)? else {
        return Err(item_not_found());
    };
    let client = clients::client_of(tx, notary.id(), client)?.ok_or_else(item_not_found)?;
    if version_of(&client, &standing.content) != version {
        return Ok(false);
    }
    let today = ItemContent {
        count: standing.content.count,
        ..today.clone()
    };
    cart::replace_content(tx, &notary, item, &today)?;
    checked_standing(tx, notary.id(), "cart_item_id")?;
    Ok(true)
}

/// Returns a request for the same payment to today's account. It names no price that comes from the reference data.
pub(super) fn request_today(
    client: &Client,
    old: &ItemContent,
    reference: &ReferenceData,
    now: Timestamp,
) -> PaymentRequest {
    let requisite_id = old.requisite.as_ref().map(|chosen| {
        let account = reference
            .requisite(&chosen.id)
            .and_then(|known| account_on(reference, known, kyiv_date(now)));
        account
            .map_or(&chosen.id, |account| account.id())
            .to_string()
    });
    PaymentRequest {
        client_inn: Some(client.inn.as_str().to_owned()),
        client_full_name: Some(client.full_name.as_str().to_owned()),
        name_as_typed: true,
        payment_type_id: Some(old.payment_type_id.to_string()),
        region_id: old.region.as_ref().map(|chosen| chosen.id.to_string()),
        option_id: old.option.as_ref().map(|chosen| chosen.id.to_string()),
        requisite_id,
        term_id: old.term.as_ref().map(|chosen| chosen.id.to_string()),
        amount: old.kind.is_free_form().then_some(old.price.amount),
        sum: None,
        iban: old.iban.as_ref().map(|iban| iban.as_str().to_owned()),
        okpo: old.okpo.as_ref().map(|okpo| okpo.as_str().to_owned()),
        recipient_name: old
            .recipient_name
            .as_ref()
            .map(|name| name.as_str().to_owned()),
        purpose: Some(old.purpose.as_str().to_owned()),
        template_id: None,
        cbc_code: old.cbc_code.as_ref().map(|code| code.as_str().to_owned()),
        filing_year: old
            .filing_year
            .filter(|year| year.year() > kyiv_date(now).year())
            .map(|year| i64::from(year.year())),
        refuse_duplicate: false,
    }
}
