//! `GET /cart`: the cart by client.

use axum::extract::State;

use crate::call::Call;
use crate::http::extract::{Bearer, Language};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Cart;

pub fn call() -> Call {
    Call::get("/cart", handler, |docs| {
        docs.id("cart").tag("cart").summary("The cart by client")
    })
}

async fn handler(
    State(state): State<ApiState>,
    bearer: Bearer,
    Language(locale): Language,
) -> Result<Json<Cart>, Refusal> {
    let cart = state.services.cart.view(bearer.asker()).await?;
    Ok(Json(Cart::of(cart, locale)?))
}
