//! `POST /cart/add`.

use cabinet_domain::{ClientId, Count, Inn, ItemId, Key, Locale, NotaryId, Tariff};
use cabinet_storage::cart::CartItem;
use cabinet_storage::items::{Chosen, ChosenRequisite, ItemContent, ItemPrice, Names};
use cabinet_storage::{cart, clients, notaries};

use super::check::{CheckedPayment, PaymentWish, check};
use super::edit::check_total;
use crate::App;
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

impl App {
    /// Puts a payment into the group of its client.
    ///
    /// # Errors
    /// Every bad field at once; `price_changed` with the right figures; `cart_full`.
    pub async fn add_to_cart(
        &self,
        notary: NotaryId,
        wish: PaymentWish,
        errors: FieldErrors,
    ) -> Outcome<AddedItem> {
        let reference = self.reference()?;
        let now = self.now();
        let own_code = self.own_code(notary).await?;
        let (inn, full_name, content) = {
            let checked = check(&wish, errors, &reference, own_code.as_ref(), now)?;
            let tariff = reference.tariffs().in_force(now);
            let content = content_of(&checked, tariff, Count::ONE);
            (checked.inn, checked.full_name, content)
        };
        let (item, client) = (ItemId::new(self.new_id()), ClientId::new(self.new_id()));
        let count = self
            .inner
            .store
            .write(move |tx| {
                let client = clients::upsert(tx, client, notary, &inn, &full_name, now)?;
                if cart::count_of(tx, notary)? >= CART_ITEMS_MAX {
                    return Ok(None);
                }
                let added = CartItem {
                    id: item,
                    created_at: now,
                    content: content.clone(),
                };
                cart::add(tx, notary, client.id, &added)?;
                check_total(tx, notary, client.id, "amount")?;
                Ok::<_, AppError>(Some(cart::count_of(tx, notary)?))
            })
            .await?;
        match count {
            Some(items_count) => {
                self.announce_cart(notary).await;
                Ok(AddedItem { item, items_count })
            }
            None => Err(Refusal::conflict(Key::CartFull).into()),
        }
    }

    /// The notary's own code from the profile, where it is filled in.
    pub(super) async fn own_code(&self, notary: NotaryId) -> Outcome<Option<Inn>> {
        let found = self
            .inner
            .store
            .read(move |tx| notaries::by_id(tx, notary))
            .await?;
        Ok(found
            .and_then(|notary| notary.inn)
            .and_then(|inn| Inn::parse(&inn).ok()))
    }
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
