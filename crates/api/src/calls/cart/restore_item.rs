//! `POST /cart/item/restore`: restores a deleted item.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CartItemRequest, ItemsCount};

pub fn call() -> Call {
    Call::post("/cart/item/restore", handler, |docs| {
        docs.id("cartItemRestore")
            .tag("cart")
            .summary("Undo a delete")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CartItemRequest>,
) -> Result<Json<ItemsCount>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let items_count = state
        .services
        .cart
        .restore((who.notary, who.session), item, errors)
        .await?;
    Ok(Json(ItemsCount { items_count }))
}
