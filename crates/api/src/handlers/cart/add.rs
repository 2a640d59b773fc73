//! `POST /cart/add`.

use axum::extract::State;
use axum::http::HeaderMap;
use cabinet_app::cart::PaymentWish;
use cabinet_app::refusal::FieldErrors;

use crate::extract::{SignedIn, ValidJson};
use crate::handlers::fields::{take, take_sum};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{AddToCartRequest, AddedToCart};

/// Puts a payment into the cart. The `Idempotency-Key` header, where there is one, names this wish to add: the same key adds once.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    headers: HeaderMap,
    ValidJson(body): ValidJson<AddToCartRequest>,
) -> Result<Json<AddedToCart>, Refusal> {
    let mut errors = FieldErrors::new();
    let client = take(body.client, "client", &mut errors).unwrap_or_default();
    let wish = PaymentWish {
        client_inn: take(client.inn, "client.inn", &mut errors),
        client_full_name: take(client.full_name, "client.full_name", &mut errors),
        payment_type_id: take(body.payment_type_id, "payment_type_id", &mut errors),
        region_id: take(
            body.payment_type_region_id,
            "payment_type_region_id",
            &mut errors,
        ),
        option_id: take(
            body.payment_type_option_id,
            "payment_type_option_id",
            &mut errors,
        ),
        requisite_id: take(
            body.payment_type_requisite_id,
            "payment_type_requisite_id",
            &mut errors,
        ),
        term_id: take(
            body.payment_type_option_term_id,
            "payment_type_option_term_id",
            &mut errors,
        ),
        amount: take_sum(body.amount, "amount", &mut errors),
        sum: take_sum(body.sum, "sum", &mut errors),
        iban: take(body.iban, "iban", &mut errors),
        okpo: take(body.okpo, "okpo", &mut errors),
        recipient_name: take(body.recipient_name, "recipient_name", &mut errors),
        purpose: take(body.purpose, "purpose", &mut errors),
        template_id: take(body.requisites_template, "requisites_template", &mut errors),
        cbc_code: take(body.cbc_code, "cbc_code", &mut errors),
    };
    // A key that is no text is no key either, and is refused as one that is wrong.
    let key = headers
        .get("idempotency-key")
        .map(|value| value.to_str().unwrap_or_default());
    let added = state.app.add_to_cart(who.notary, wish, key, errors).await?;
    Ok(Json(AddedToCart {
        items_count: added.items_count,
        item_id: added.item.to_string(),
    }))
}
