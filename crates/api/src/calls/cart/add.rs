//! `POST /cart/add`: adds a payment to the cart.

use axum::extract::State;
use cabinet_app::cart::PaymentRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Bearer, IdempotencyKey, ValidJson};
use crate::http::fields::{take, take_sum};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, NumberText};

pub fn call() -> Call {
    Call::post("/cart/add", handler, |docs| {
        docs.id("cartAdd")
            .tag("cart")
            .summary("Put a payment into the cart")
    })
}

/// The client of a payment, as the form has it.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct ClientRequest {
    /// Tax id, EDRPOU, ID card or passport.
    #[serde(default)]
    pub inn: Given<String>,
    /// Name of the person or entity. The apostrophe and Latin letters inside Cyrillic words are mended, unless `name_as_typed` is
    /// true. The answer has a mended name as `mended_full_name`.
    #[serde(default)]
    pub full_name: Given<String>,
    /// Whether the name is stored as it was typed, apart from spaces. False by default.
    #[serde(default)]
    pub name_as_typed: Given<bool>,
}

/// `POST /cart/add`, and the payment of `POST /cart/item/edit`. Amounts and recipients of state fees come from the server's own data; what the request says of them
/// is only compared.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct AddToCartRequest {
    /// For whom is paid.
    #[serde(default)]
    pub client: Given<ClientRequest>,
    /// `amount` + commission of one unit, as the screen showed it.
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
    /// What the recipients get for one unit, without commission, as the screen showed it. For `requisites_payment` the
    /// caller names it.
    #[serde(default)]
    pub amount: Given<NumberText<Hryvnias>>,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    #[serde(default)]
    pub iban: Given<String>,
    /// The code that belongs to `iban`. An account of the Treasury takes only its own.
    #[serde(default)]
    pub okpo: Given<String>,
    /// `requisites_payment`: the recipient.
    #[serde(default)]
    pub recipient_name: Given<String>,
    /// `requisites_payment`: the purpose, at most 160 characters. For a budget account `*;101;…;` is stored as `101 …`; the cart
    /// shows what is stored.
    #[serde(default)]
    pub purpose: Given<String>,
    /// `requisites_payment`: the template the form was filled from.
    #[serde(default)]
    pub requisites_template: Given<String>,
    /// `requisites_payment` to a budget account: budget code, 8 digits, one that the account takes.
    #[serde(default)]
    pub cbc_code: Given<String>,
    /// The year in which the application is filed: from 20 December the next one, whose fee is then `next_year` in `GET
    /// /payment-types/option/terms` and the fields of the payment type. The payment keeps it, so its price stays over the year's end. By
    /// default the present year.
    #[serde(default)]
    pub filing_year: Given<i64>,
    /// False: where the same payment is in the cart, or in an order of the last 24 hours that is paid or may still be, nothing is added
    /// and the answer is `payment_duplicate` with both. The same payment has the same client's code, kind, service, term, account of the
    /// recipient and `amount`. True by default.
    #[serde(default)]
    pub accept_duplicate: Given<bool>,
}

/// `POST /cart/add`: the item is in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AddedToCart {
    /// Rows in the cart.
    pub items_count: i64,
    /// The new item.
    pub item_id: String,
    /// The client's name as it is stored, where the apostrophe or Latin letters in it were mended; null where it is stored as it was sent,
    /// apart from spaces.
    pub mended_full_name: Option<String>,
}

/// Reads the payment of a request. Fields of a wrong type are added to `errors`.
pub fn payment_request(body: AddToCartRequest, errors: &mut FieldErrors) -> PaymentRequest {
    let client = take(body.client, "client", errors).unwrap_or_default();
    PaymentRequest {
        client_inn: take(client.inn, "client.inn", errors),
        client_full_name: take(client.full_name, "client.full_name", errors),
        name_as_typed: take(client.name_as_typed, "client.name_as_typed", errors)
            .unwrap_or_default(),
        payment_type_id: take(body.payment_type_id, "payment_type_id", errors),
        region_id: take(
            body.payment_type_region_id,
            "payment_type_region_id",
            errors,
        ),
        option_id: take(
            body.payment_type_option_id,
            "payment_type_option_id",
            errors,
        ),
        requisite_id: take(
            body.payment_type_requisite_id,
            "payment_type_requisite_id",
            errors,
        ),
        term_id: take(
            body.payment_type_option_term_id,
            "payment_type_option_term_id",
            errors,
        ),
        amount: take_sum(body.amount, "amount", errors),
        sum: take_sum(body.sum, "sum", errors),
        iban: take(body.iban, "iban", errors),
        okpo: take(body.okpo, "okpo", errors),
        recipient_name: take(body.recipient_name, "recipient_name", errors),
        purpose: take(body.purpose, "purpose", errors),
        template_id: take(body.requisites_template, "requisites_template", errors),
        cbc_code: take(body.cbc_code, "cbc_code", errors),
        filing_year: take(body.filing_year, "filing_year", errors),
        refuse_duplicate: take(body.accept_duplicate, "accept_duplicate", errors) == Some(false),
    }
}

/// Adds a payment to the cart. A repeated request with the same `Idempotency-Key` adds nothing.
async fn handler(
    State(state): State<ApiState>,
    bearer: Bearer,
    IdempotencyKey(key): IdempotencyKey,
    ValidJson(body): ValidJson<AddToCartRequest>,
) -> Result<Json<AddedToCart>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = payment_request(body, &mut errors);
    let mended = request.mended_name();
    let added = state
        .services
        .cart
        .add(
            bearer.asker(),
            bearer.session(),
            request,
            key.as_deref(),
            errors,
        )
        .await?;
    Ok(Json(AddedToCart {
        items_count: added.items_count,
        item_id: added.item.to_string(),
        mended_full_name: mended.map(|name| name.as_str().to_owned()),
    }))
}
