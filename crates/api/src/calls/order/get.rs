//! `GET /order/{id}`: one order.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::{Refusal as AppRefusal, RefusalKind};
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Bearer, Language, ValidQuery};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Order;

pub fn call() -> Call {
    Call::get("/order/{id}", handler, |docs| {
        docs.id("order").tag("orders").summary("One order")
    })
}

/// Query of `GET /order/{id}`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrderQuery {
    /// 1: the acquirer is asked first; 0 or nothing: not.
    #[schemars(with = "Option<u8>")]
    pub update_status: Option<String>,
}

/// `GET /order/{id}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderAnswer {
    /// The order.
    pub order: Order,
}

async fn handler(
    State(state): State<ApiState>,
    bearer: Bearer,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidQuery(query): ValidQuery<OrderQuery>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let ask = match query.update_status.as_deref() {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(_) => {
            return Err(AppRefusal::new(RefusalKind::Invalid, Key::NumberInvalid)
                .on("update_status")
                .into());
        }
    };
    if ask {
        let who = bearer.signed_in(&state).await?;
        state.limits.count_acquirer_call(who.notary)?;
    }
    let orders = &state.services.orders;
    let view = orders.view(bearer.asker(), &id, ask).await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}
