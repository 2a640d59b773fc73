//! `POST /cart/add`.

use cabinet_domain::{ClientId, Count, Inn, ItemId, Key, Locale, NotaryId, SessionId, Tariff};
use cabinet_storage::cart::CartItem;
use cabinet_storage::items::{Chosen, ChosenRequisite, ItemContent, ItemPrice, Names};
use cabinet_storage::{StorageError, Tx, cart, clients, notaries, orders, sessions};

use super::check::{CheckedPayment, PaymentWish, check};
use super::edit::must_be_a_sum;
use crate::App;
use crate::idempotency;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal};

/// Items a cart holds at most: far more than a day's work, and few enough to be shown at once.
const CART_ITEMS_MAX: i64 = 200;

/// The item that was added.
#[derive(Clone, Copy, Debug)]
pub struct AddedItem {
    /// The item.
    pub item: ItemId,
    /// Rows in the cart now.
    pub items_count: i64,
}

/// What became of the wish where it was to be written.
enum Written {
    NotSignedIn,
    CartFull,
    Added { items_count: i64 },
}

impl App {
    /// Puts a payment into the group of its client. The same `key` adds once: whoever lost the answer may ask again. `None` where
    /// the session is not alive: that is asked together with the writing, so that nothing is added to a session that has ended.
    ///
    /// # Errors
    /// Every bad field at once; `price_changed` with the right figures; `cart_full`; `idempotency_key_invalid`.
    pub async fn add_to_cart(
        &self,
        notary: NotaryId,
        session: SessionId,
        wish: PaymentWish,
        key: Option<&str>,
        errors: FieldErrors,
    ) -> Outcome<Option<AddedItem>> {
        let refused = match self
            .add_where_signed_in(notary, session, wish, key, errors)
            .await
        {
            Err(refused @ AppError::Refused(_)) => refused,
            added => return added,
        };
        // What is wrong with a wish is told to nobody else.
        if self.session_alive(notary, session).await? {
            Err(refused)
        } else {
            Ok(None)
        }
    }

    async fn add_where_signed_in(
        &self,
        notary: NotaryId,
        session: SessionId,
        wish: PaymentWish,
        key: Option<&str>,
        errors: FieldErrors,
    ) -> Outcome<Option<AddedItem>> {
        let item = match key {
            None => ItemId::new(self.new_id()),
            Some(key) => item_of_key(notary, key)?,
        };
        let may_be_there = key.is_some();
        let now = self.now();
        if may_be_there {
            // Before any rule: what was added a moment ago stays added, whatever it costs by now.
            let write = move |tx: &mut Tx| {
                if !sessions::alive(tx, session, notary, now)? {
                    return Ok(Some(Written::NotSignedIn));
                }
                let before = added_before(tx, notary, item)?;
                Ok::<_, StorageError>(before.map(|items_count| Written::Added { items_count }))
            };
            if let Some(written) = self.inner.store.write(write).await? {
                return self.told_of(notary, item, written).await;
            }
        }
        let reference = self.reference()?;
        let own_code = if names_client(&wish) {
            None
        } else {
            self.own_code(notary).await?
        };
        let (inn, full_name, added) = {
            let checked = check(&wish, errors, &reference, own_code.as_ref(), now)?;
            let tariff = reference.tariffs().in_force(now);
            let added = CartItem {
                id: item,
                created_at: now,
                content: content_of(&checked, tariff, Count::ONE),
            };
            (checked.inn, checked.full_name, added)
        };
        let client = ClientId::new(self.new_id());
        let written = self
            .inner
            .store
            .write(move |tx| {
                if !sessions::alive(tx, session, notary, now)? {
                    return Ok(Written::NotSignedIn);
                }
                if may_be_there && let Some(items_count) = added_before(tx, notary, item)? {
                    return Ok(Written::Added { items_count });
                }
                let standing = cart::standing(tx, notary)?;
                if standing.items_count >= CART_ITEMS_MAX {
                    return Ok(Written::CartFull);
                }
                let own = added
                    .content
                    .total()
                    .map_err(|error| Refusal::field("amount", error.key()))?;
                must_be_a_sum(standing.total + own.kopiykas(), "amount")?;
                let client = clients::upsert(tx, client, notary, &inn, &full_name, now)?;
                cart::add(tx, notary, client.id, &added)?;
                Ok::<_, AppError>(Written::Added {
                    items_count: standing.items_count + 1,
                })
            })
            .await?;
        self.told_of(notary, item, written).await
    }

    /// The answer to what was written; the notary's other windows are told of what was added.
    async fn told_of(
        &self,
        notary: NotaryId,
        item: ItemId,
        written: Written,
    ) -> Outcome<Option<AddedItem>> {
        match written {
            Written::NotSignedIn => Ok(None),
            Written::CartFull => Err(Refusal::conflict(Key::CartFull).into()),
            Written::Added { items_count } => {
                self.announce_cart(notary).await;
                Ok(Some(AddedItem { item, items_count }))
            }
        }
    }

    /// The notary's own code from the profile, where it is filled in.
    pub(super) async fn own_code(&self, notary: NotaryId) -> Outcome<Option<Inn>> {
        let inn = self
            .inner
            .store
            .read(move |tx| notaries::inn_of(tx, notary))
            .await?;
        Ok(inn.and_then(|inn| Inn::parse(&inn).ok()))
    }
}

/// Whether the purpose names the client just as her code is written: then nobody asks whether it names the notary.
fn names_client(wish: &PaymentWish) -> bool {
    let code = wish.client_inn.as_deref().map(Inn::parse);
    match (code, &wish.purpose) {
        (Some(Ok(inn)), Some(purpose)) => purpose.contains(inn.as_str()),
        _ => false,
    }
}

/// The item of a wish that was sent with a key: the same for the same notary and key.
fn item_of_key(notary: NotaryId, key: &str) -> Result<ItemId, Refusal> {
    let key =
        idempotency::read_key(key).map_err(|refused| Refusal::field("Idempotency-Key", refused))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(notary.uuid().as_bytes());
    hasher.update(key.as_bytes());
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    Ok(ItemId::new(
        uuid::Builder::from_random_bytes(bytes).into_uuid(),
    ))
}

/// How many rows the cart has where the item was added before; one that was deleted since is brought back, one that was ordered
/// since stays in its order.
fn added_before(tx: &mut Tx, notary: NotaryId, item: ItemId) -> Result<Option<i64>, StorageError> {
    if cart::item_of(tx, notary, item)?.is_some()
        || cart::restore(tx, notary, item)?
        || orders::item_of(tx, notary, item)?.is_some()
    {
        return Ok(Some(cart::standing(tx, notary)?.items_count));
    }
    Ok(None)
}

/// What is stored of a checked payment: all that was chosen, as it was called and as it was priced then.
pub(crate) fn content_of(
    checked: &CheckedPayment<'_>,
    tariff: &Tariff,
    count: Count,
) -> ItemContent {
    let fee = checked.fee.as_ref();
    ItemContent {
        count,
        kind: checked.payment_type.kind(),
        payment_type_id: checked.payment_type.id().clone(),
        option: fee.map(|fee| Chosen {
            id: fee.option.id().clone(),
            names: names(|locale| fee.option.name(locale)),
        }),
        term: fee.and_then(|fee| fee.term).map(|term| Chosen {
            id: term.id().clone(),
            names: names(|locale| term.period(locale)),
        }),
        region: fee.map(|fee| Chosen {
            id: fee.region.id().clone(),
            names: names(|locale| fee.region.name(locale)),
        }),
        requisite: fee.map(|fee| ChosenRequisite {
            id: fee.requisite.id().clone(),
            name: fee.requisite.name().to_owned(),
            iban: fee.requisite.iban().clone(),
            okpo: fee.requisite.okpo().clone(),
        }),
        template_id: checked.template.clone(),
        price: ItemPrice {
            amount: checked.price.amount,
            commission: checked.price.commission,
            tariff_basis_points: tariff.basis_points,
            tariff_minimum: tariff.minimum,
        },
        iban: checked.iban.clone(),
        okpo: checked.okpo.clone(),
        recipient_name: checked.recipient_name.clone(),
        purpose: checked.purpose.clone(),
        cbc_code: checked.cbc_code.clone(),
    }
}

fn names<'a>(name: impl Fn(Locale) -> &'a str) -> Names {
    Names {
        uk: name(Locale::Uk).to_owned(),
        en: name(Locale::En).to_owned(),
    }
}
