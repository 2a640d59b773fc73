//! `POST /cart/item/delete`, `…/restore`, `…/refresh`, and the counts.

use axum::extract::State;
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::Key;

use super::list;
use crate::extract::{Language, SignedIn, ValidJson};
use crate::handlers::fields::{take, take_whole};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Cart, CartItemRequest, CountChanged, CountRequest, ItemsCount};

/// Takes an item out of the cart.
pub async fn delete(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CartItemRequest>,
) -> Result<Json<ItemsCount>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let items_count = state.app.delete_item(who.notary, item, errors).await?;
    Ok(Json(ItemsCount { items_count }))
}

/// Brings a deleted item back.
pub async fn restore(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CartItemRequest>,
) -> Result<Json<ItemsCount>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let items_count = state.app.restore_item(who.notary, item, errors).await?;
    Ok(Json(ItemsCount { items_count }))
}

/// Takes over today's price and answers the whole cart.
pub async fn refresh(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<CartItemRequest>,
) -> Result<Json<Cart>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    state.app.refresh_item(who.notary, item, errors).await?;
    Ok(Json(list::on_wire(
        state.app.cart(who.notary).await?,
        locale,
    )?))
}

/// How many items the cart has.
pub async fn count(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<ItemsCount>, Refusal> {
    Ok(Json(ItemsCount {
        items_count: state.app.cart_items_count(who.notary).await?,
    }))
}

/// Changes an item's count.
pub async fn set_count(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CountRequest>,
) -> Result<Json<CountChanged>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let count = take_whole(body.new_count, "new_count", Key::CountInvalid, &mut errors);
    let change = state.app.set_count(who.notary, item, count, errors).await?;
    Ok(Json(CountChanged {
        items_count: change.items_count,
        count: i64::from(change.count.get()),
        sum_total: change.sum_total.into(),
    }))
}
