//! `POST /cart/add`.

use cabinet_domain::{
    CartAddition, CartItem, ClientId, Count, Deal, Inn, ItemId, Key, NotaryId, PersonName,
    SessionId,
};
use cabinet_storage::address_book::clients;
use cabinet_storage::deal::deals;
use cabinet_storage::{LockedNotary, StorageError, Tx, cart};
use jiff::Timestamp;

use super::Cart;
use super::capacity::check_limits;
use super::check::{CheckedPayment, check};
use super::conflicts::Conflicts;
use super::content::content_of;
use super::duplicate::refuse_duplicate;
use super::own_account::OwnAccounts;
use super::own_codes::OwnCodes;
use super::request::PaymentRequest;
use crate::kernel::asker::{Asker, Decider};
use crate::kernel::idempotency;
use crate::kernel::ids::UnitContext;
use crate::kernel::keys::{Digest, RowDigest};
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::payment::approval::Signer;

/// The item that was added.
#[derive(Clone, Copy, Debug)]
pub struct AddedItem {
    /// The item.
    pub item: ItemId,
    /// Rows in the cart once it was added.
    pub items_count: i64,
}

/// The key of a request, and what the request asks for.
#[derive(Clone, Copy)]
pub(super) struct KeyedRequest {
    key_hash: Digest,
    fingerprint: Digest,
}

impl KeyedRequest {
    /// Reads the key of a request.
    ///
    /// # Errors
    /// `idempotency_key_invalid`.
    pub(super) fn read(key: &str, fingerprint: Digest) -> Result<KeyedRequest, Refusal> {
        let key = idempotency::read_key(key)
            .map_err(|refused| Refusal::field("Idempotency-Key", refused))?;
        Ok(KeyedRequest {
            key_hash: *key.as_bytes(),
            fingerprint,
        })
    }
}

/// An item that is ready to be stored.
#[derive(Clone)]
pub(super) struct NewItem {
    pub(super) notary: NotaryId,
    pub(super) session: SessionId,
    pub(super) own_accounts: OwnAccounts,
    pub(super) unit: UnitContext,
    /// The id of the client if the notary has none with this code.
    pub(super) client: ClientId,
    pub(super) inn: Inn,
    pub(super) full_name: PersonName,
    pub(super) item: CartItem,
    /// The row of a sheet that it comes from.
    pub(super) from_sheet: Option<FromSheet>,
    /// It is not added where the same payment is there already.
    pub(super) refuse_duplicate: bool,
}

/// A row of a sheet whose payment is added: it is remembered, so that it is not added again when the sheet comes once more.
#[derive(Clone)]
pub(super) struct FromSheet {
    /// What the row means.
    pub(super) digest: RowDigest,
    /// Its number in the sheet.
    pub(super) number: u32,
    /// It is wanted although it was added before.
    pub(super) again: bool,
}

impl NewItem {
    /// Makes an item of a checked payment. The ids are those of the item, and of its client if the notary has none with this code.
    fn of(
        (item, client): (ItemId, ClientId),
        (notary, session): (NotaryId, SessionId),
        own_accounts: OwnAccounts,
        checked: CheckedPayment<'_>,
        unit: UnitContext,
    ) -> NewItem {
        let item = CartItem {
            id: item,
            created_at: unit.now,
            content: content_of(&checked, Count::ONE),
        };
        NewItem {
            notary,
            session,
            own_accounts,
            client,
            inn: checked.inn,
            full_name: checked.full_name,
            item,
            unit,
            from_sheet: None,
            refuse_duplicate: false,
        }
    }

    /// See [`OwnAccounts::confirm`].
    pub(super) fn confirm_own_account(&self, tx: &mut Tx, own: &OwnCodes) -> Result<()> {
        let signer = Signer {
            notary: self.notary,
            session: self.session,
        };
        let content = (&self.item.content, None);
        let mut unit = self.unit.clone();
        self.own_accounts
            .confirm(tx, signer, content, own, &mut unit)
    }

    /// Returns the item with another number of units than one.
    pub(super) fn times(mut self, count: Count) -> Self {
        self.item.content.count = count;
        self
    }
}

impl Cart {
    /// Puts a payment into the group of its client. Requests with the same `key` add once and get the same answer, so a
    /// request whose answer was lost can be repeated.
    ///
    /// # Errors
    /// Every bad field at once; `price_changed` with the right figures; `cart_full`; `idempotency_key_invalid`;
    /// `idempotency_key_reused`; `confirmation_required` for an own account that is not the profile's; `payment_duplicate` with both
    /// payments, where the request asks for that.
    pub async fn add(
        &self,
        asker: Asker,
        session: SessionId,
        request: PaymentRequest,
        key: Option<&str>,
        errors: FieldErrors,
    ) -> Result<AddedItem> {
        let unit = self.ids.unit();
        let now = unit.now;
        let reference = self.reference.current()?;
        let (ids, own_accounts) = (self.item_ids(), self.own_accounts.clone());
        let key = key.map(str::to_owned);
        // All in one unit of work: what is checked needs no network, and is quickly done.
        let write = move |tx: &mut Tx| {
            let (notary, own_codes) = asker.lock(tx, now)?;
            let own_codes = OwnCodes::from(own_codes);
            let keyed = key
                .as_deref()
                .map(|key| KeyedRequest::read(key, request.fingerprint(&errors)))
                .transpose()?;
            if let Some(added) = added_before(tx, notary.id(), keyed)? {
                return Ok(added);
            }
            let checked = check(&request, errors.clone(), &reference, &own_codes, now)?;
            let new = NewItem {
                refuse_duplicate: request.refuse_duplicate,
                ..NewItem::of(
                    ids,
                    (notary.id(), session),
                    own_accounts.clone(),
                    checked,
                    unit.clone(),
                )
            };
            insert(tx, (&notary, &own_codes), (&[new], None), keyed)
        };
        self.store.write(write).await
    }

    /// Returns what the same request was answered before, whatever the items cost by now.
    ///
    /// # Errors
    /// `idempotency_key_reused` for the same key with another request.
    pub(super) async fn added_before(
        &self,
        notary: NotaryId,
        keyed: Option<KeyedRequest>,
    ) -> Result<Option<AddedItem>> {
        if keyed.is_none() {
            return Ok(None);
        }
        let read = move |tx: &mut Tx| added_before(tx, notary, keyed);
        let added = self.store.read(read).await?;
        if added.is_some() {
            self.store.answer_again().await?;
        }
        Ok(added)
    }

    /// Stores items, all or none, with the deal that they come from.
    ///
    /// # Errors
    /// `cart_full`; `idempotency_key_reused`; `confirmation_required` for an own account that is not the profile's.
    pub(super) async fn put(
        &self,
        (notary, session): (NotaryId, SessionId),
        new: Vec<NewItem>,
        deal: Option<Deal>,
        keyed: Option<KeyedRequest>,
    ) -> Result<AddedItem> {
        let (decider, now) = (Decider::in_session(notary, session), self.clock.now());
        let write = move |tx: &mut Tx| {
            let (notary, account) = decider.lock(tx, now)?;
            if let Some(added) = added_before(tx, notary.id(), keyed)? {
                return Ok(added);
            }
            let own_codes = OwnCodes::of(&account);
            insert(tx, (&notary, &own_codes), (&new, deal.as_ref()), keyed)
        };
        self.store.write(write).await
    }

    /// Makes an item of a checked payment.
    pub(super) fn new_item(
        &self,
        whose: (NotaryId, SessionId),
        checked: CheckedPayment<'_>,
        now: Timestamp,
    ) -> NewItem {
        NewItem::of(
            self.item_ids(),
            whose,
            self.own_accounts.clone(),
            checked,
            self.ids.unit_at(now),
        )
    }

    /// Items that are added at one moment stand in the order of their ids, so these grow, unlike those of a unit of work.
    fn item_ids(&self) -> (ItemId, ClientId) {
        let (item, client) = (self.ids.new_id(), self.ids.new_id());
        (ItemId::new(item), ClientId::new(client))
    }
}

/// Stores items with their deal. The same request was not answered before.
fn insert(
    tx: &mut Tx,
    (notary, own_codes): (&LockedNotary, &OwnCodes),
    (new, deal): (&[NewItem], Option<&Deal>),
    keyed: Option<KeyedRequest>,
) -> Result<AddedItem> {
    refuse_added(tx, notary.id(), new)?;
    for new in new.iter().filter(|new| new.refuse_duplicate) {
        let client = (&new.inn, &new.full_name);
        refuse_duplicate(tx, notary.id(), client, &new.item.content, new.unit.now)?;
    }
    let mut last = None;
    for item in new {
        let added = insert_item(tx, notary, item, own_codes)?;
        if let Some(row) = &item.from_sheet {
            remember_row(tx, notary, (item, row), added)?;
        }
        last = Some((added, item.unit.now));
    }
    let nothing = || Refusal::new(RefusalKind::Invalid, Key::FieldRequired);
    let (added, now) = last.ok_or_else(nothing)?;
    if let Some(deal) = deal {
        deals::insert(tx, notary, deal)?;
    }
    if let Some(keyed) = keyed {
        let addition = CartAddition {
            key_hash: keyed.key_hash,
            request_fingerprint: keyed.fingerprint,
            item_id: added.item,
            items_count: added.items_count,
            created_at: now,
        };
        cart::record_addition(tx, notary, &addition)?;
    }
    Ok(added)
}

/// Refuses rows of a sheet that were added before, unless they are wanted again.
fn refuse_added(tx: &mut Tx, notary: NotaryId, new: &[NewItem]) -> Result<()> {
    let mut conflicts = Conflicts::default();
    for row in new.iter().filter_map(|item| item.from_sheet.as_ref()) {
        if !row.again && is_added(tx, notary, &row.digest)? {
            conflicts.add(format!("rows.{}.row", row.number), Key::SheetRowAdded);
        }
    }
    Ok(conflicts.check()?)
}

/// Returns whether the payment of a row was added from a sheet before.
pub(super) fn is_added(
    tx: &mut Tx,
    notary: NotaryId,
    row: &RowDigest,
) -> Result<bool, StorageError> {
    for digest in std::iter::once(&row.current).chain(&row.earlier) {
        if cart::addition(tx, notary, digest)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Remembers a row as the answer to its digest. It is forgotten with the keys of other additions, and with its item before that.
fn remember_row(
    tx: &mut Tx,
    notary: &LockedNotary,
    (new, row): (&NewItem, &FromSheet),
    added: AddedItem,
) -> Result<()> {
    if is_added(tx, notary.id(), &row.digest)? {
        return Ok(());
    }
    let addition = CartAddition {
        key_hash: row.digest.current,
        request_fingerprint: row.digest.current,
        item_id: added.item,
        items_count: added.items_count,
        created_at: new.unit.now,
    };
    Ok(cart::record_addition(tx, notary, &addition)?)
}

fn insert_item(
    tx: &mut Tx,
    notary: &LockedNotary,
    new: &NewItem,
    own_codes: &OwnCodes,
) -> Result<AddedItem> {
    new.confirm_own_account(tx, own_codes)?;
    let total = new.item.content.total();
    let total = total.map_err(|error| Refusal::field("amount", error.key()))?;
    let before = cart::before_adding(tx, notary)?;
    if let Some(before) = before {
        check_limits(&before.with_one_of(total.kopiykas()), "amount")?;
    }
    let client = clients::upsert(
        tx,
        notary,
        new.client,
        &new.inn,
        &new.full_name,
        new.unit.now,
    )?;
    let grown = cart::add_to(tx, before, (notary, client.id), &new.item)?;
    // A refusal undoes what was stored.
    check_limits(&grown, "amount")?;
    Ok(AddedItem {
        item: new.item.id,
        items_count: grown.items_count,
    })
}

/// Returns the answer that the same request got before.
///
/// # Errors
/// `idempotency_key_reused` for the same key with another request.
fn added_before(
    tx: &mut Tx,
    notary: NotaryId,
    keyed: Option<KeyedRequest>,
) -> Result<Option<AddedItem>> {
    let Some(keyed) = keyed else { return Ok(None) };
    match cart::addition(tx, notary, &keyed.key_hash)? {
        None => Ok(None),
        Some(known) if known.request_fingerprint == keyed.fingerprint => {
            tx.answer_again()?;
            Ok(Some(AddedItem {
                item: known.item_id,
                items_count: known.items_count,
            }))
        }
        Some(_) => Err(Refusal::conflict(Key::IdempotencyKeyReused).into()),
    }
}
