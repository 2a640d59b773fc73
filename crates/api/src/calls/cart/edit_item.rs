//! `GET /cart/item/{id}`, `POST /cart/item/edit`: an item opens in the form and comes back changed.

use axum::extract::{Path, State};
use cabinet_app::cart::ItemEdit;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::FilingYear;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::order::item_repeat::RepeatData;
use super::add::{AddToCartRequest, payment_request};
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Cart, Choices, Chosen, ChosenRequisite, ChosenTerm, Client, Given, Hryvnias};

pub fn read_call() -> Call {
    Call::get("/cart/item/{id}", read, |docs| {
        docs.id("cartItem")
            .tag("cart")
            .summary("What fills the form with an item of the cart")
    })
}

pub fn call() -> Call {
    Call::post("/cart/item/edit", edit, |docs| {
        docs.id("cartItemEdit")
            .tag("cart")
            .summary("Replace an item of the cart by a changed payment")
    })
}

/// `GET /cart/item/{id}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditableItem {
    /// The item as it stands in the cart.
    pub item: EditedItem,
    /// What of it is still to be had today.
    pub payment_data: RepeatData,
    /// What the item is now, for `POST /cart/item/edit`. It changes with the item, but not with its count.
    pub version: String,
}

/// The item and its client.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedItem {
    /// For whom is paid.
    pub client: Client,
    /// Service, where the kind has one.
    pub payment_type_option: Option<Chosen>,
    /// Term, where the kind has one.
    pub payment_type_option_term: Option<ChosenTerm>,
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
    /// The template it was filled from, where it is still valid.
    pub requisites_template: Option<String>,
    /// What the recipients get for one unit, without commission.
    pub sum_base: Hryvnias,
    /// The year of filing whose fee it takes, where that was not the year of the day on which it was added.
    pub filing_year: Option<i16>,
    /// How many units. An edit keeps it.
    pub count: i64,
}

/// `POST /cart/item/edit`.
#[derive(Deserialize, JsonSchema)]
pub struct EditItemRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
    /// From `GET /cart/item/{id}`.
    #[serde(default)]
    pub version: Given<String>,
    /// What the item becomes. Refused fields are named as `POST /cart/add` names them.
    #[serde(default)]
    pub payment: Given<AddToCartRequest>,
}

/// `POST /cart/item/edit`: the whole cart, in which the item is changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedCart {
    /// The cart.
    #[serde(flatten)]
    pub cart: Cart,
    /// As in the answer of `POST /cart/add`.
    pub mended_full_name: Option<String>,
}

async fn read(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<EditableItem>, Refusal> {
    let found = state.services.cart.editable(who.notary, &id).await?;
    let reference = state.services.reference.current()?;
    let content = found.item.content;
    let choices = Choices::of(&content, locale);
    Ok(Json(EditableItem {
        payment_data: RepeatData::of(&content, &found.offered, &reference, locale),
        version: found.version,
        item: EditedItem {
            client: Client::from(&found.client),
            payment_type_option: choices.option,
            payment_type_option_term: choices.term,
            payment_type_requisite: choices.requisite,
            requisites_template: content
                .template_id
                .filter(|_| found.offered.template)
                .map(|id| id.to_string()),
            recipient_name: content.recipient_name.map(|name| name.into_string()),
            iban: content.iban.map(|iban| iban.as_str().to_owned()),
            okpo: content.okpo.map(|okpo| okpo.as_str().to_owned()),
            purpose: content.purpose.as_str().to_owned(),
            cbc_code: content.cbc_code.map(|code| code.as_str().to_owned()),
            sum_base: content.price.amount.into(),
            filing_year: content.filing_year.map(FilingYear::year),
            count: i64::from(content.count.get()),
        },
    }))
}

/// Replaces an item by a changed payment and returns the whole cart. The same request made again changes nothing.
async fn edit(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<EditItemRequest>,
) -> Result<Json<EditedCart>, Refusal> {
    let mut errors = FieldErrors::new();
    let payment = take(body.payment, "payment", &mut errors).unwrap_or_default();
    let edit = ItemEdit {
        item: take(body.cart_item_id, "cart_item_id", &mut errors),
        version: take(body.version, "version", &mut errors),
        payment: payment_request(payment, &mut errors),
    };
    let mended = edit.payment.mended_name();
    let cart = &state.services.cart;
    cart.edit_item((who.notary, who.session), edit, errors)
        .await?;
    Ok(Json(EditedCart {
        cart: Cart::of(cart.view(who.notary).await?, locale)?,
        mended_full_name: mended.map(|name| name.as_str().to_owned()),
    }))
}
