//! `GET /order/item/{id}/repeat`.

use axum::extract::{Path, State};

use super::one::item_on_wire;
use crate::extract::{Language, SignedIn};
use crate::handlers::cart::list::Choices;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{
    ChosenRequisite, Client, OrderStatus, Repeat, RepeatData, RepeatItem, RepeatOrder,
};

/// What prefills the form with an earlier payment.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<Repeat>, Refusal> {
    let view = state.app.repeat(who.notary, &id).await?;
    let reference = state.app.reference()?;
    let content = &view.item.content;
    let choices = Choices::of(content, locale);
    let requisite = view
        .requisite_today
        .as_ref()
        .and_then(|id| reference.requisite(id))
        .map(|requisite| ChosenRequisite {
            id: requisite.id().to_string(),
            name: requisite.name().to_owned(),
            iban: requisite.iban().as_str().to_owned(),
            okpo: requisite.okpo().as_str().to_owned(),
        });
    let payment_data = RepeatData {
        payment_type: choices.payment_type,
        payment_type_option: choices.option.filter(|_| view.option_offered),
        payment_type_region: choices.region.filter(|_| view.region_offered),
        payment_type_requisite: requisite,
        payment_type_option_term: choices.term.filter(|_| view.term_offered),
        changed: view.changed,
    };
    let cbc_code = content
        .cbc_code
        .as_ref()
        .map(|code| code.as_str().to_owned());
    let requisites_template = content
        .template_id
        .as_ref()
        .filter(|_| view.template_offered)
        .map(ToString::to_string);
    let order = RepeatOrder {
        id: view.order.id.to_string(),
        client: Client::from(&view.order.client),
    };
    let item = item_on_wire(view.item, OrderStatus::from(view.order.status), locale)?;
    Ok(Json(Repeat {
        order_item: RepeatItem {
            item,
            cbc_code,
            requisites_template,
            order,
        },
        payment_data,
    }))
}
