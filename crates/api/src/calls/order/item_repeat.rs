//! `GET /order/item/{id}/repeat`: data to prefill the form with an earlier payment.

use axum::extract::{Path, State};
use cabinet_app::cart::OfferedToday;
use cabinet_app::deal::ReferenceData;
use cabinet_domain::{ItemContent, Locale};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{
    Choices, Chosen, ChosenRequisite, ChosenTerm, Client, OrderItem, OrderStatus, PaymentType,
    Region,
};

pub fn call() -> Call {
    Call::get("/order/item/{id}/repeat", handler, |docs| {
        docs.id("orderItemRepeat")
            .tag("orders")
            .summary("What prefills the form with an earlier payment")
    })
}

/// `GET /order/item/{id}/repeat`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Repeat {
    /// The item as it was paid.
    pub order_item: RepeatItem,
    /// What of it is still to be had today.
    pub payment_data: RepeatData,
}

/// The earlier item and its client.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatItem {
    /// The item.
    #[serde(flatten)]
    pub item: OrderItem,
    /// The budget code, where there was one.
    pub cbc_code: Option<String>,
    /// The template it was filled from, where it is still valid.
    pub requisites_template: Option<String>,
    /// Its order.
    pub order: RepeatOrder,
}

/// The order of an earlier item.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatOrder {
    /// Opaque.
    pub id: String,
    /// For whom was paid.
    pub client: Client,
}

/// The choices of an earlier item, each null where it is no longer offered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatData {
    /// Kind.
    pub payment_type: PaymentType,
    /// Service.
    pub payment_type_option: Option<Chosen>,
    /// Region.
    pub payment_type_region: Option<Region>,
    /// Recipient.
    pub payment_type_requisite: Option<ChosenRequisite>,
    /// Term.
    pub payment_type_option_term: Option<ChosenTerm>,
    /// True where a price or an account differs from what was paid then.
    pub changed: bool,
}

impl RepeatData {
    /// Returns the choices of an item that are still offered.
    pub fn of(
        content: &ItemContent,
        offered: &OfferedToday,
        reference: &ReferenceData,
        locale: Locale,
    ) -> RepeatData {
        let choices = Choices::of(content, locale);
        let requisite = offered
            .requisite
            .as_ref()
            .and_then(|id| reference.requisite(id))
            .map(|requisite| ChosenRequisite {
                id: requisite.id().to_string(),
                name: requisite.name().to_owned(),
                iban: requisite.iban().as_str().to_owned(),
                okpo: requisite.okpo().as_str().to_owned(),
            });
        RepeatData {
            payment_type: choices.payment_type,
            payment_type_option: choices.option.filter(|_| offered.option),
            payment_type_region: choices.region.filter(|_| offered.region),
            payment_type_requisite: requisite,
            payment_type_option_term: choices.term.filter(|_| offered.term),
            changed: offered.changed,
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<Repeat>, Refusal> {
    let view = state.services.orders.repeat(who.notary, &id).await?;
    let reference = state.services.reference.current()?;
    let content = &view.item.content;
    let payment_data = RepeatData::of(content, &view.offered, &reference, locale);
    let cbc_code = content
        .cbc_code
        .as_ref()
        .map(|code| code.as_str().to_owned());
    let requisites_template = content
        .template_id
        .as_ref()
        .filter(|_| view.offered.template)
        .map(ToString::to_string);
    let order = RepeatOrder {
        id: view.order.id.to_string(),
        client: Client::from(&view.order.client),
    };
    let item = OrderItem::of(
        view.item,
        OrderStatus::from(view.order.standing().status),
        false,
        locale,
    )?;
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
