//! `GET /cart` and `GET /cart/client/last`.

use axum::extract::State;
use cabinet_app::cart::{CartItemView, CartView, Change};
use cabinet_app::refusal::AppError;
use cabinet_domain::{
    Chosen as DomainChoice, ChosenRequisite as DomainRequisite, Client as DomainClient,
    ItemContent, Locale, MoneyError, Price as DomainPrice,
};

use crate::extract::{Language, SignedIn};
use crate::json::Json;
use crate::refusal::{MessageKey, Refusal};
use crate::state::ApiState;
use crate::wire::{
    Cart, CartGroup, CartItem, Chosen, ChosenRequisite, ChosenTerm, Client, ItemChange, LastClient,
    LastClientData, PaymentType, Price, Region,
};

/// The cart by client.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
) -> Result<Json<Cart>, Refusal> {
    let cart = state.app.cart(who.notary).await?;
    Ok(Json(on_wire(cart, locale)?))
}

/// The client of the latest payment.
pub async fn last_client(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<LastClient>, Refusal> {
    let client = state.app.last_client(who.notary).await?;
    let client = client.map(|client| LastClientData {
        inn: client.inn.as_str().to_owned(),
        full_name: client.full_name.as_str().to_owned(),
    });
    Ok(Json(LastClient { client }))
}

/// The cart as it goes over the wire.
pub fn on_wire(cart: CartView, locale: Locale) -> Result<Cart, Refusal> {
    let mut groups = Vec::with_capacity(cart.groups.len());
    for group in cart.groups {
        let items = group
            .items
            .into_iter()
            .map(|item| item_on_wire(item, locale))
            .collect::<Result<Vec<_>, _>>();
        groups.push(CartGroup {
            client: Client::from(&group.client),
            amount: group.amount.into(),
            items: items?,
        });
    }
    Ok(Cart {
        version: cart.version,
        items_count: cart.items_count,
        groups,
    })
}

fn item_on_wire(view: CartItemView, locale: Locale) -> Result<CartItem, Refusal> {
    let content = view.item.content;
    let choices = Choices::of(&content, locale);
    Ok(CartItem {
        id: view.item.id.to_string(),
        created_at: view.item.created_at.into(),
        payment_type: choices.payment_type,
        payment_type_option: choices.option,
        payment_type_option_term: choices.term,
        payment_type_region: choices.region,
        payment_type_requisite: choices.requisite,
        count: i64::from(content.count.get()),
        sum_base: content.price.amount.into(),
        commission: content.price.commission.into(),
        sum_full: content.price.sum.into(),
        sum_total: content.total().map_err(broken_sum)?.into(),
        recipient_name: content.recipient_name.map(|name| name.into_string()),
        iban: content.iban.map(|iban| iban.as_str().to_owned()),
        okpo: content.okpo.map(|okpo| okpo.as_str().to_owned()),
        purpose: content.purpose.as_str().to_owned(),
        cbc_code: content.cbc_code.map(|code| code.as_str().to_owned()),
        change: view.change.as_ref().map(ItemChange::from),
    })
}

/// Sums that were stored always add up; if they do not, the data is broken.
pub fn broken_sum(error: MoneyError) -> Refusal {
    Refusal::Internal(AppError::Broken(format!(
        "a stored item has no sum: {error}"
    )))
}

/// What was chosen for an item, in one language.
pub struct Choices {
    /// Kind.
    pub payment_type: PaymentType,
    /// Service.
    pub option: Option<Chosen>,
    /// Term.
    pub term: Option<ChosenTerm>,
    /// Region.
    pub region: Option<Region>,
    /// Recipient.
    pub requisite: Option<ChosenRequisite>,
}

impl Choices {
    /// The choices of an item.
    pub fn of(content: &ItemContent, locale: Locale) -> Choices {
        Choices {
            payment_type: PaymentType {
                id: content.payment_type_id.to_string(),
                slug: content.kind.into(),
            },
            option: content.option.as_ref().map(|choice| Chosen {
                id: choice.id.to_string(),
                name: name(choice, locale),
            }),
            term: content.term.as_ref().map(|choice| ChosenTerm {
                id: choice.id.to_string(),
                period: name(choice, locale),
            }),
            region: content.region.as_ref().map(|choice| Region {
                id: choice.id.to_string(),
                name: name(choice, locale),
            }),
            requisite: content.requisite.as_ref().map(ChosenRequisite::from),
        }
    }
}

fn name<Id>(choice: &DomainChoice<Id>, locale: Locale) -> String {
    choice.names.in_locale(locale).to_owned()
}

impl From<&DomainRequisite> for ChosenRequisite {
    fn from(requisite: &DomainRequisite) -> ChosenRequisite {
        ChosenRequisite {
            id: requisite.id.to_string(),
            name: requisite.name.clone(),
            iban: requisite.iban.as_str().to_owned(),
            okpo: requisite.okpo.as_str().to_owned(),
        }
    }
}

impl From<&DomainClient> for Client {
    fn from(client: &DomainClient) -> Client {
        Client {
            id: client.id.to_string(),
            inn: client.inn.as_str().to_owned(),
            full_name: client.full_name.as_str().to_owned(),
        }
    }
}

impl From<&Change> for ItemChange {
    fn from(change: &Change) -> ItemChange {
        ItemChange {
            message: MessageKey(change.key),
            price: change.price.as_ref().map(Price::from),
        }
    }
}

impl From<&DomainPrice> for Price {
    fn from(price: &DomainPrice) -> Price {
        Price {
            amount: price.amount.into(),
            commission: price.commission.into(),
            sum: price.sum.into(),
        }
    }
}
