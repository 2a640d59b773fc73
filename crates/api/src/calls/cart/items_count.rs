//! `GET /cart/items/count`: how many items the cart has.

use axum::extract::State;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::ItemsCount;

pub fn call() -> Call {
    Call::get("/cart/items/count", handler, |docs| {
        docs.id("cartItemsCount")
            .tag("cart")
            .summary("How many items the cart has")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<ItemsCount>, Refusal> {
    Ok(Json(ItemsCount {
        items_count: state.services.cart.items_count(who.notary).await?,
    }))
}
