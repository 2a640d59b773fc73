//! `GET /cart`: the cart by client.

use axum::extract::State;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
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
    who: SignedIn,
    Language(locale): Language,
) -> Result<Json<Cart>, Refusal> {
    let cart = state.services.cart.view(who.notary).await?;
    Ok(Json(Cart::of(cart, locale)?))
}
