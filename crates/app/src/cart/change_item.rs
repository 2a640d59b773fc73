//! `GET /cart/item/{id}`, `POST /cart/item/edit`: an item of the cart opens in the form and comes back changed.

use cabinet_domain::{CartItem, Client, ClientId, ItemContent, ItemId, Key, NotaryId, SessionId};
use cabinet_storage::address_book::clients;
use cabinet_storage::order::orders;
use cabinet_storage::{LockedNotary, Tx, cart};

use super::Cart;
use super::add::NewItem;
use super::capacity::checked_standing;
use super::check::check;
use super::item_id::{item_not_found, read_item};
use super::offered::{OfferedToday, offered_today};
use super::own_codes::OwnCodes;
use super::request::PaymentRequest;
use super::version::version_of;
use crate::kernel::asker::Decider;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};

/// An item as the form is filled with it.
#[derive(Clone, Debug)]
pub struct EditableItem {
    /// For whom is paid.
    pub client: Client,
    /// The item.
    pub item: CartItem,
    /// What of it is still offered.
    pub offered: OfferedToday,
    /// What the item is now; [`ItemEdit::version`] names it.
    pub version: String,
}

/// A request to change an item.
pub struct ItemEdit {
    /// The item.
    pub item: Option<String>,
    /// What the item was when the form was filled with it.
    pub version: Option<String>,
    /// What the item becomes.
    pub payment: PaymentRequest,
}

impl Cart {
    /// Returns an item of the cart for the form.
    ///
    /// # Errors
    /// `cart_item_not_found`; `cart_item_gone` where it was ordered or deleted.
    pub async fn editable(&self, notary: NotaryId, item: &str) -> Result<EditableItem> {
        let item = ItemId::parse(item).ok_or_else(item_not_found)?;
        let read = move |tx: &mut Tx| -> Result<_> {
            let (client, item) = standing_item(tx, notary, item)?;
            Ok((client, item, OwnCodes::read(tx, notary)?))
        };
        let (client, item, own_codes) = self.store.read(read).await?;
        let reference = self.reference.current()?;
        let now = self.clock.now();
        Ok(EditableItem {
            offered: offered_today(&item.content, &reference, &own_codes, now),
            version: version_of(&client, &item.content),
            client,
            item,
        })
    }

    /// Replaces client and content of an item by those of a payment that follows every rule of adding one. Id, time and count stay, and
    /// so does what hangs on the id. The same request made again changes nothing.
    ///
    /// # Errors
    /// Every bad field at once; `price_changed` with the right figures; `cart_item_not_found`; `cart_item_gone` where the item was
    /// ordered or deleted; `cart_item_changed` where it is not what `version` says; `confirmation_required` for another own account that
    /// is not the profile's.
    pub async fn edit_item(
        &self,
        (notary, session): (NotaryId, SessionId),
        edit: ItemEdit,
        mut errors: FieldErrors,
    ) -> Result<()> {
        let item = read_item(edit.item.as_deref(), &mut errors);
        if !errors.has("version") {
            errors.take("version", edit.version.as_ref().ok_or(Key::FieldRequired));
        }
        let now = self.clock.now();
        let reference = self.reference.current()?;
        let own_codes = self.own_codes(notary).await?;
        let checked = check(&edit.payment, errors, &reference, &own_codes, now)?;
        let (Some(item), Some(version)) = (item, edit.version) else {
            return Err(item_not_found());
        };
        let wanted = self.new_item((notary, session), checked, now);
        let write = move |tx: &mut Tx| replace(tx, item, &version, &wanted);
        self.store.write(write).await
    }
}

/// Replaces an item by another, unless it is that already.
fn replace(tx: &mut Tx, item: ItemId, version: &str, wanted: &NewItem) -> Result<()> {
    let decider = Decider::in_session(wanted.notary, wanted.session);
    let (notary, account) = decider.lock(tx, wanted.unit.now)?;
    let (client, standing) = standing_item(tx, notary.id(), item)?;
    let content = ItemContent {
        count: standing.content.count,
        ..wanted.item.content.clone()
    };
    let stays = client.inn == wanted.inn && client.full_name == wanted.full_name;
    if stays && content == standing.content {
        return Ok(());
    }
    if version_of(&client, &standing.content) != version {
        return Err(Refusal::conflict(Key::CartItemChanged).into());
    }
    wanted.confirm_own_account(tx, &OwnCodes::of(&account))?;
    let to = if stays {
        client.id
    } else {
        client_of(tx, &notary, wanted)?
    };
    cart::replace(tx, &notary, item, (client.id, to), &content)?;
    checked_standing(tx, notary.id(), "amount")?;
    Ok(())
}

fn client_of(tx: &mut Tx, notary: &LockedNotary, wanted: &NewItem) -> Result<ClientId> {
    let NewItem {
        client,
        inn,
        full_name,
        unit,
        ..
    } = wanted;
    Ok(clients::upsert(tx, notary, *client, inn, full_name, unit.now)?.id)
}

/// Returns an item of the cart with its client.
///
/// # Errors
/// `cart_item_not_found`; `cart_item_gone` where it was ordered or deleted.
fn standing_item(tx: &mut Tx, notary: NotaryId, item: ItemId) -> Result<(Client, CartItem)> {
    if let Some((client, found)) = cart::item_of(tx, notary, item)?
        && let Some(client) = clients::client_of(tx, notary, client)?
    {
        return Ok((client, found));
    }
    let was_there =
        cart::is_deleted(tx, notary, item)? || orders::item_of(tx, notary, item)?.is_some();
    if was_there {
        return Err(Refusal::conflict(Key::CartItemGone).into());
    }
    Err(item_not_found())
}
