//! The cart: payments of one notary, grouped by client.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Given, Hryvnias, Moment, NumberText, PaymentType, Region};
use crate::refusal::MessageKey;

/// The client of a payment, as the form has it.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct ClientRequest {
    /// Tax id, EDRPOU, ID card or passport.
    #[serde(default)]
    pub inn: Given<String>,
    /// Name of the person or entity.
    #[serde(default)]
    pub full_name: Given<String>,
}

/// `POST /cart/add`. Amounts and recipients of state fees come from the server's own data; what the request says of them
/// is only compared.
#[derive(Deserialize, JsonSchema)]
pub struct AddToCartRequest {
    /// For whom is paid.
    #[serde(default)]
    pub client: Given<ClientRequest>,
    /// What recipient and commission cost together, as the screen showed it.
    #[serde(default)]
    pub sum: Given<NumberText<Hryvnias>>,
    /// From `GET /payment-types`.
    #[serde(default)]
    pub payment_type_id: Given<String>,
    /// From the fields of the payment type.
    #[serde(default)]
    pub payment_type_region_id: Given<String>,
    /// From the fields of the payment type.
    #[serde(default)]
    pub payment_type_option_id: Given<String>,
    /// From the requisites of the region.
    #[serde(default)]
    pub payment_type_requisite_id: Given<String>,
    /// From the terms of the option.
    #[serde(default)]
    pub payment_type_option_term_id: Given<String>,
    /// What the recipient gets for one unit, as the screen showed it; the caller's own for payments to any requisites.
    #[serde(default)]
    pub amount: Given<NumberText<Hryvnias>>,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    #[serde(default)]
    pub iban: Given<String>,
    /// The code that belongs to `iban`.
    #[serde(default)]
    pub okpo: Given<String>,
    /// `requisites_payment`: the recipient.
    #[serde(default)]
    pub recipient_name: Given<String>,
    /// `requisites_payment`: the purpose, at most 160 characters.
    #[serde(default)]
    pub purpose: Given<String>,
    /// `requisites_payment`: the template the form was filled from.
    #[serde(default)]
    pub requisites_template: Given<String>,
    /// `requisites_payment` to a budget account: budget code, 8 digits.
    #[serde(default)]
    pub cbc_code: Given<String>,
}

/// `POST /cart/add`: the item is in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AddedToCart {
    /// Rows in the cart.
    pub items_count: i64,
    /// The new item.
    pub item_id: String,
}

/// How many items the cart has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemsCount {
    /// Rows in the cart.
    pub items_count: i64,
}

/// A client of the notary.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Client {
    /// Opaque; names the cart group in `POST /order/create`.
    pub id: String,
    /// Tax id, EDRPOU, ID card or passport.
    pub inn: String,
    /// Name of the person or entity.
    pub full_name: String,
}

/// `GET /cart/client/last`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastClient {
    /// The client of the latest payment; null before the first.
    pub client: Option<LastClientData>,
}

/// A client without an id, as the form takes it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastClientData {
    /// Tax id, EDRPOU, ID card or passport.
    pub inn: String,
    /// Name of the person or entity.
    pub full_name: String,
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
    /// Sum of the items' `sum_total`.
    pub amount: Hryvnias,
    /// Oldest first.
    pub items: Vec<CartItem>,
}

/// The id and name of what was chosen, as it was called when it was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Chosen {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
}

/// The term that was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChosenTerm {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub period: String,
}

/// The recipient that was chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChosenRequisite {
    /// Opaque.
    pub id: String,
    /// As the payment names it.
    pub name: String,
    /// The account.
    pub iban: String,
    /// The code that belongs to the account.
    pub okpo: String,
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
    /// What the recipient gets for one unit.
    pub sum_base: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// `sum_base` + `commission`.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
    /// Why the item can't be paid as it is; null where it can.
    pub change: Option<ItemChange>,
}

/// A price or an account that is no longer valid.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemChange {
    /// `price_changed`, `requisite_expired` or `fee_not_in_force`.
    pub message: MessageKey,
    /// Today's, where there is one: `POST /cart/item/refresh` takes it over.
    pub price: Option<Price>,
}

/// The right figures.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Price {
    /// What the recipient gets for one unit.
    pub amount: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// Both.
    pub sum: Hryvnias,
}

/// Body of the calls that name one item.
#[derive(Deserialize, JsonSchema)]
pub struct CartItemRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
}

/// `POST /cart/items/count`.
#[derive(Deserialize, JsonSchema)]
pub struct CountRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
    /// At least 1.
    #[serde(default)]
    pub new_count: Given<NumberText<i64>>,
}

/// `POST /cart/items/count`: the count was changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CountChanged {
    /// Rows in the cart.
    pub items_count: i64,
    /// The item's count now.
    pub count: i64,
    /// The item's `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

/// `POST /cart/item/complaint`.
#[derive(Deserialize, JsonSchema)]
pub struct ComplaintRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
    /// What is wrong, in the notary's words; at most 2000 characters.
    #[serde(default)]
    pub text: Given<String>,
}
