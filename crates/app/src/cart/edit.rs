//! Changing what is in the cart: counts, deleting and its undo, today's price.

use cabinet_domain::{Count, ItemId, Key, Money, NotaryId};
use cabinet_storage::cart::Standing;
use cabinet_storage::{StorageError, Tx, cart, clients};

use super::add::content_of;
use super::check::{PaymentWish, check};
use super::today::changes_of;
use crate::App;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal};

/// Items a cart holds at most: far more than a day's work, and few enough to be shown at once.
const CART_ITEMS_MAX: i64 = 200;

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

/// The id of an item from a request, or its key noted.
fn read_item(text: Option<&str>, errors: &mut FieldErrors) -> Option<ItemId> {
    if errors.has("cart_item_id") {
        return None;
    }
    let text = text.filter(|text| !text.is_empty());
    errors.take(
        "cart_item_id",
        text.ok_or(Key::FieldRequired)
            .and_then(|text| ItemId::parse(text).ok_or(Key::CartItemNotFound)),
    )
}

/// Returns where the cart stands after a change, or refuses a total that is no sum. The refusal undoes the change.
fn checked_standing(tx: &mut Tx, notary: NotaryId, field: &'static str) -> Outcome<Standing> {
    let standing = cart::standing(tx, notary)?;
    must_be_a_sum(standing.total, field)?;
    Ok(standing)
}

/// Refuses a cart that has grown beyond its limits: every way to put an item into a cart asks this.
pub(super) fn must_hold(grown: &Standing, field: &'static str) -> Outcome<()> {
    if grown.items_count > CART_ITEMS_MAX {
        return Err(Refusal::conflict(Key::CartFull).into());
    }
    must_be_a_sum(grown.total, field)
}

/// Refuses a total of a cart, in kopiykas, that is no sum: a cart with such a total can't be shown.
fn must_be_a_sum(total: i64, field: &'static str) -> Outcome<()> {
    match Money::from_kopiykas(total) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::field(field, error.key()).into()),
    }
}

fn gone() -> AppError {
    Refusal::not_found(Key::CartItemNotFound)
        .on("cart_item_id")
        .into()
}

impl App {
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
    ) -> Outcome<CountChange> {
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
            return Err(gone());
        };
        let changed = self
            .inner
            .store
            .write(move |tx| {
                if !cart::set_count(tx, notary, item, count)? {
                    return Ok(None);
                }
                let Some((_, row)) = cart::item_of(tx, notary, item)? else {
                    return Ok(None);
                };
                let standing = checked_standing(tx, notary, "new_count")?;
                Ok::<_, AppError>(Some((row, standing.items_count)))
            })
            .await?;
        let (row, items_count) = changed.ok_or_else(gone)?;
        self.announce_cart(notary).await;
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

    /// Takes an item out of the cart. It can be brought back for a while.
    ///
    /// # Errors
    /// `cart_item_not_found`.
    pub async fn delete_item(
        &self,
        notary: NotaryId,
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Outcome<i64> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let Some(item) = item else { return Err(gone()) };
        let now = self.now();
        let count = self
            .inner
            .store
            .write(move |tx| {
                let deleted = cart::delete(tx, notary, item, now)?;
                Ok::<_, StorageError>(if deleted {
                    Some(cart::standing(tx, notary)?.items_count)
                } else {
                    None
                })
            })
            .await?;
        self.announce_cart(notary).await;
        count.ok_or_else(gone)
    }

    /// Brings a deleted item back.
    ///
    /// # Errors
    /// `cart_item_not_found` once it is tidied away; `cart_full`; `amount_invalid` where the cart's total would be no sum.
    pub async fn restore_item(
        &self,
        notary: NotaryId,
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Outcome<i64> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let Some(item) = item else { return Err(gone()) };
        let count = self
            .inner
            .store
            .write(move |tx| {
                if !cart::restore(tx, notary, item)? {
                    return Ok(None);
                }
                let standing = cart::standing(tx, notary)?;
                must_hold(&standing, "cart_item_id")?;
                Ok::<_, AppError>(Some(standing.items_count))
            })
            .await?;
        self.announce_cart(notary).await;
        count.ok_or_else(gone)
    }

    /// Takes over today's price, and today's account of the same recipient where the old one has ended.
    ///
    /// # Errors
    /// `cart_item_not_found`; the key of what can't be had today.
    pub async fn refresh_item(
        &self,
        notary: NotaryId,
        item: Option<String>,
        mut errors: FieldErrors,
    ) -> Outcome<()> {
        let item = read_item(item.as_deref(), &mut errors);
        errors.check()?;
        let Some(item) = item else { return Err(gone()) };
        let found = self
            .inner
            .store
            .read(move |tx| {
                let Some((client, item)) = cart::item_of(tx, notary, item)? else {
                    return Ok(None);
                };
                Ok::<_, StorageError>(
                    clients::client_of(tx, notary, client)?.map(|client| (client, item)),
                )
            })
            .await?;
        let (client, row) = found.ok_or_else(gone)?;
        let reference = self.reference()?;
        let now = self.now();
        if changes_of(&row.content, &reference, now).is_none() {
            return Ok(());
        }
        let own_code = self.own_code(notary).await?;
        let content = {
            let old = &row.content;
            let today = cabinet_domain::kyiv_date(now);
            let requisite_id = old.requisite.as_ref().map(|chosen| {
                let successor = reference
                    .requisite(&chosen.id)
                    .and_then(|known| reference.replacement(known, today));
                successor
                    .map_or(&chosen.id, |successor| successor.id())
                    .to_string()
            });
            let wish = PaymentWish {
                client_inn: Some(client.inn.as_str().to_owned()),
                client_full_name: Some(client.full_name.as_str().to_owned()),
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
            };
            let checked = check(
                &wish,
                FieldErrors::new(),
                &reference,
                own_code.as_ref(),
                now,
            )?;
            content_of(&checked, old.count)
        };
        let replaced = self
            .inner
            .store
            .write(move |tx| {
                let replaced = cart::replace_content(tx, notary, item, &content)?;
                checked_standing(tx, notary, "cart_item_id")?;
                Ok::<_, AppError>(replaced)
            })
            .await?;
        if !replaced {
            return Err(gone());
        }
        self.announce_cart(notary).await;
        Ok(())
    }
}
