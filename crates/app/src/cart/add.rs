//! `POST /cart/add`.

use cabinet_domain::{ClientId, Count, Inn, ItemId, Key, Locale, NotaryId};
use cabinet_storage::cart::{Addition, CartItem, Standing};
use cabinet_storage::items::{Chosen, ChosenRequisite, ItemContent, Names};
use cabinet_storage::{Tx, cart, clients, notaries};

use super::check::{CheckedPayment, PaymentWish, check};
use super::edit::must_hold;
use crate::App;
use crate::idempotency;
use crate::keys::Digest;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal};

/// The item that was added.
#[derive(Clone, Copy, Debug)]
pub struct AddedItem {
    /// The item.
    pub item: ItemId,
    /// Rows in the cart once it was added.
    pub items_count: i64,
}

/// A request to add that carries a key.
#[derive(Clone, Copy)]
struct KeyedRequest {
    key_hash: Digest,
    fingerprint: Digest,
}

enum Written {
    Added(AddedItem),
    /// The same request was answered before; nothing was written.
    AddedBefore(AddedItem),
}

impl App {
    /// Puts a payment into the group of its client. The same `key` adds once and is answered alike each time: whoever lost the
    /// answer may ask again.
    ///
    /// # Errors
    /// Every bad field at once; `price_changed` with the right figures; `cart_full`; `idempotency_key_invalid`;
    /// `idempotency_key_reused`.
    pub async fn add_to_cart(
        &self,
        notary: NotaryId,
        wish: PaymentWish,
        key: Option<&str>,
        errors: FieldErrors,
    ) -> Outcome<AddedItem> {
        let keyed = key
            .map(|key| keyed_request(key, &wish, &errors))
            .transpose()?;
        let now = self.now();
        if let Some(keyed) = keyed {
            // Before any rule: what was added a moment ago stays added, whatever it costs by now.
            let read = move |tx: &mut Tx| added_before(tx, notary, keyed);
            if let Some(added) = self.inner.store.read(read).await? {
                return Ok(added);
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
            let added = CartItem {
                id: ItemId::new(self.new_id()),
                created_at: now,
                content: content_of(&checked, Count::ONE),
            };
            (checked.inn, checked.full_name, added)
        };
        let client = ClientId::new(self.new_id());
        let written = self
            .inner
            .store
            .write(move |tx| {
                if let Some(keyed) = keyed
                    && let Some(added) = added_before(tx, notary, keyed)?
                {
                    return Ok(Written::AddedBefore(added));
                }
                let standing = cart::standing(tx, notary)?;
                let own = added
                    .content
                    .total()
                    .map_err(|error| Refusal::field("amount", error.key()))?;
                let grown = Standing {
                    items_count: standing.items_count + 1,
                    total: standing.total + own.kopiykas(),
                    ..standing
                };
                must_hold(&grown, "amount")?;
                let client = clients::upsert(tx, client, notary, &inn, &full_name, now)?;
                cart::add(tx, notary, client.id, &added)?;
                let item = AddedItem {
                    item: added.id,
                    items_count: grown.items_count,
                };
                if let Some(keyed) = keyed {
                    let addition = Addition {
                        key_hash: keyed.key_hash,
                        request_fingerprint: keyed.fingerprint,
                        item_id: item.item,
                        items_count: item.items_count,
                        created_at: now,
                    };
                    cart::record_addition(tx, notary, &addition)?;
                }
                Ok::<_, AppError>(Written::Added(item))
            })
            .await?;
        match written {
            Written::AddedBefore(item) => Ok(item),
            Written::Added(item) => {
                self.announce_cart(notary).await;
                Ok(item)
            }
        }
    }

    /// The notary's own code from the profile, where it is filled in.
    pub(super) async fn own_code(&self, notary: NotaryId) -> Outcome<Option<Inn>> {
        let read = move |tx: &mut Tx| notaries::inn_of(tx, notary);
        Ok(self.inner.store.read(read).await?)
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

/// Reads the key, and what the request asks for: fields of a wrong type are a part of it.
fn keyed_request(
    key: &str,
    wish: &PaymentWish,
    errors: &FieldErrors,
) -> Result<KeyedRequest, Refusal> {
    let key =
        idempotency::read_key(key).map_err(|refused| Refusal::field("Idempotency-Key", refused))?;
    let PaymentWish {
        client_inn,
        client_full_name,
        payment_type_id,
        region_id,
        option_id,
        requisite_id,
        term_id,
        amount,
        sum,
        iban,
        okpo,
        recipient_name,
        purpose,
        template_id,
        cbc_code,
    } = wish;
    let mut hasher = blake3::Hasher::new();
    let mut add = |value: Option<&[u8]>| {
        hasher.update(&value.map_or(-1, |bytes| bytes.len() as i64).to_le_bytes());
        hasher.update(value.unwrap_or_default());
    };
    for text in [
        client_inn,
        client_full_name,
        payment_type_id,
        region_id,
        option_id,
        requisite_id,
        term_id,
        iban,
        okpo,
        recipient_name,
        purpose,
        template_id,
        cbc_code,
    ] {
        add(text.as_deref().map(str::as_bytes));
    }
    for sum in [amount, sum] {
        add(sum
            .map(|sum| sum.kopiykas().to_le_bytes())
            .as_ref()
            .map(<[u8; 8]>::as_slice));
    }
    for (field, _) in errors.iter() {
        add(Some(field.as_bytes()));
    }
    Ok(KeyedRequest {
        key_hash: *key.as_bytes(),
        fingerprint: *hasher.finalize().as_bytes(),
    })
}

/// What the same request was answered before, if it was; the same key with another request is refused.
fn added_before(tx: &mut Tx, notary: NotaryId, keyed: KeyedRequest) -> Outcome<Option<AddedItem>> {
    match cart::addition(tx, notary, &keyed.key_hash)? {
        None => Ok(None),
        Some(known) if known.request_fingerprint == keyed.fingerprint => Ok(Some(AddedItem {
            item: known.item_id,
            items_count: known.items_count,
        })),
        Some(_) => Err(Refusal::conflict(Key::IdempotencyKeyReused).into()),
    }
}

/// What is stored of a checked payment: all that was chosen, as it was called and as it was priced then.
pub(crate) fn content_of(checked: &CheckedPayment<'_>, count: Count) -> ItemContent {
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
        price: checked.price,
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
