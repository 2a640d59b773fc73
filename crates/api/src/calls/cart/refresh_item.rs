//! `POST /cart/item/refresh`: updates an item to today's price.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Cart, CartItemRequest};

pub fn call() -> Call {
    Call::post("/cart/item/refresh", handler, |docs| {
        docs.id("cartItemRefresh")
            .tag("cart")
            .summary("Take over today's price")
    })
}

/// Updates the item to today's price. Returns the whole cart.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<CartItemRequest>,
) -> Result<Json<Cart>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    state
        .services
        .cart
        .reprice(who.notary, item, errors)
        .await?;
    Ok(Json(Cart::of(
        state.services.cart.view(who.notary).await?,
        locale,
    )?))
}
