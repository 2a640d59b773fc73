//! `GET /order` and `POST /order/search`.

use axum::extract::State;
use cabinet_app::orders::{OrderPage, OrderSearch};
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::{Key, Locale};

use super::one::order_on_wire;
use crate::extract::{Language, SignedIn, ValidJson, ValidQuery};
use crate::handlers::fields::{take, take_whole};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Orders, OrdersQuery, SearchOrdersRequest};

/// Orders, newest first.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<OrdersQuery>,
) -> Result<Json<Orders>, Refusal> {
    let mut errors = FieldErrors::new();
    let limit = query
        .limit
        .filter(|text| !text.is_empty())
        .and_then(|text| {
            let number = text.parse().ok();
            if number.is_none() {
                errors.add("limit", Key::NumberInvalid);
            }
            number
        });
    let search = OrderSearch {
        limit,
        before: query.before,
        status: query.status,
        text: None,
        from: query.from,
        to: query.to,
    };
    Ok(Json(on_wire(
        state.app.orders(who.notary, search, errors).await?,
        locale,
    )?))
}

/// Orders by a text that must not stand in an address: a client's name or code is personal data.
pub async fn search(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<SearchOrdersRequest>,
) -> Result<Json<Orders>, Refusal> {
    let mut errors = FieldErrors::new();
    let search = OrderSearch {
        limit: take_whole(body.limit, "limit", Key::NumberInvalid, &mut errors),
        before: take(body.before, "before", &mut errors),
        status: take(body.status, "status", &mut errors),
        text: take(body.text, "text", &mut errors),
        from: take(body.from, "from", &mut errors),
        to: take(body.to, "to", &mut errors),
    };
    Ok(Json(on_wire(
        state.app.orders(who.notary, search, errors).await?,
        locale,
    )?))
}

fn on_wire(page: OrderPage, locale: Locale) -> Result<Orders, Refusal> {
    let orders = page
        .orders
        .into_iter()
        .map(|view| order_on_wire(view, locale))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Orders {
        orders,
        next: page.next.map(|id| id.to_string()),
    })
}
