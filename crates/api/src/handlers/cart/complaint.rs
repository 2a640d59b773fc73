//! `POST /cart/item/complaint`.

use axum::extract::State;
use cabinet_app::refusal::FieldErrors;

use crate::extract::{SignedIn, ValidJson};
use crate::handlers::fields::take;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{ComplaintRequest, Done};

/// Tells the support what is wrong with an item.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<ComplaintRequest>,
) -> Result<Json<Done>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let text = take(body.text, "text", &mut errors);
    state.app.complain(who.notary, item, text, errors).await?;
    Ok(Json(Done::carried_out()))
}
