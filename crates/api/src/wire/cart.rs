//! The cart on the wire: payments of one notary, grouped by client.

use cabinet_app::cart::{CartItemView, CartView, Repricing};
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{FilingYear, Locale, PlannedTransfer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choices::{Choices, Chosen, ChosenRequisite, ChosenTerm, PaymentType, Region};
use super::client::Client;
use super::given::Given;
use super::message_key::MessageKey;
use super::moment::Moment;
use super::notarial_act::NotarialAct;
use super::price::Price;
use super::sums::{Hryvnias, broken_sum};

/// Body of the calls that name one item.
#[derive(Deserialize, JsonSchema)]
pub struct CartItemRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
}

/// How many items the cart has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemsCount {
    /// Rows in the cart.
    pub items_count: i64,
}

/// `GET /cart`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cart {
    /// Grows with every change of the cart, in whatever window it was made.
    pub version: i64,
    /// Rows in the cart.
    pub items_count: i64,
    /// One a client, oldest first.
    pub groups: Vec<CartGroup>,
}

/// The items of one client.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CartGroup {
    /// For whom is paid.
    pub client: Client,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// What an order of the group charges: the sum of the items' `sum_total`, so with commissions and counts.
    pub amount: Hryvnias,
    /// Oldest first.
    pub items: Vec<CartItem>,
}

/// A payment in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CartItem {
    /// Opaque; stays the same in the order.
    pub id: String,
    /// When it was added.
    pub created_at: Moment,
    /// Kind.
    pub payment_type: PaymentType,
    /// Service, where the kind has one.
    pub payment_type_option: Option<Chosen>,
    /// Term, where the kind has one.
    pub payment_type_option_term: Option<ChosenTerm>,
    /// Region, where the kind has one.
    pub payment_type_region: Option<Region>,
    /// Recipient from the server's data, where the kind has one.
    pub payment_type_requisite: Option<ChosenRequisite>,
    /// `requisites_payment`: the recipient.
    pub recipient_name: Option<String>,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    pub iban: Option<String>,
    /// The code that belongs to `iban`.
    pub okpo: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// Budget code.
    pub cbc_code: Option<String>,
    /// How many units.
    pub count: i64,
    /// The year of filing whose fee it takes, where that was not the year of the day on which it was added.
    pub filing_year: Option<i16>,
    /// What the recipients get for one unit, without commission.
    pub sum_base: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// `sum_base` + `commission`.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
    /// The transfers that the payment would make: who gets which part of the money, on which account and for what.
    pub transfers: Vec<CartTransfer>,
    /// Why the item can't be paid as it is; null where it can.
    pub change: Option<ItemChange>,
    /// The number of the latest complaint about the item; null without one.
    pub complaint_number: Option<i64>,
}

/// A transfer that the payment of an item would make.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CartTransfer {
    /// Name of the recipient.
    pub recipient_name: String,
    /// The recipient's code: EDRPOU, or a person's tax id.
    pub recipient_code: String,
    /// The recipient's account.
    pub iban: String,
    /// Purpose, as the recipient's bank gets it.
    pub purpose: String,
    /// What the recipient gets for all units, without commission.
    pub amount: Hryvnias,
}

/// A price or an account that is no longer valid.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemChange {
    /// `price_changed`, `requisite_expired`, `fee_not_in_force`, `fee_of_last_year`, `payment_type_not_for_status`, or the key of
    /// another rule that the item breaks by now.
    pub message: MessageKey,
    /// Today's, where there is one: `POST /cart/item/refresh` takes it over.
    pub price: Option<Price>,
}

impl Cart {
    /// Converts the cart.
    ///
    /// # Errors
    /// Returns an error when the sum of a stored item overflows.
    pub fn of(cart: CartView, locale: Locale) -> Result<Cart, AppError> {
        let mut groups = Vec::with_capacity(cart.groups.len());
        for group in cart.groups {
            let items = group
                .items
                .into_iter()
                .map(|item| CartItem::of(item, locale))
                .collect::<Result<Vec<_>, _>>();
            groups.push(CartGroup {
                client: Client::from(&group.client),
                act: group.act.into(),
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
}

impl CartItem {
    fn of(view: CartItemView, locale: Locale) -> Result<CartItem, AppError> {
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
            filing_year: content.filing_year.map(FilingYear::year),
            transfers: view.transfers.iter().map(CartTransfer::from).collect(),
            change: view.repricing.as_ref().map(ItemChange::from),
            complaint_number: view.complaint,
        })
    }
}

impl From<&PlannedTransfer> for CartTransfer {
    fn from(planned: &PlannedTransfer) -> CartTransfer {
        let payee = &planned.payee;
        CartTransfer {
            recipient_name: payee.name.as_str().to_owned(),
            recipient_code: payee.okpo.as_str().to_owned(),
            iban: payee.iban.as_str().to_owned(),
            purpose: payee.purpose.as_str().to_owned(),
            amount: planned.amount.into(),
        }
    }
}

impl From<&Repricing> for ItemChange {
    fn from(repricing: &Repricing) -> ItemChange {
        ItemChange {
            message: MessageKey(repricing.key),
            price: repricing.price.as_ref().map(Price::from),
        }
    }
}
