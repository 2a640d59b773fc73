//! `GET /order/{id}/details`: everything that is known of one order.

use std::borrow::Cow;

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{
    Locale, Money, OrderItem as DomainItem, TimelineEntry as DomainEntry, TimelineMoment,
    TimelineStep as DomainStep, Transfer,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::call::Call;
use crate::calls::transfer::transfers::{TransferRole, TransferState};
use crate::http::extract::{Language, SignedIn};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Choices, Hryvnias, Moment, Order, Region, broken_sum};

pub fn call() -> Call {
    Call::get("/order/{id}/details", handler, |docs| {
        docs.id("orderDetails")
            .tag("orders")
            .summary("Everything that is known of one order")
    })
}

/// `GET /order/{id}/details`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderDetails {
    /// The order.
    pub order: Order,
    /// More about its payments, in the same order.
    pub items: Vec<ItemDetails>,
    /// Its transfers, by document number; empty before it is paid and once its names were taken out.
    pub transfers: Vec<TransferDetails>,
    /// What happened to it, the earliest first.
    pub timeline: Vec<TimelineEntry>,
    /// The code on its receipts, for `/check`; null where there are none.
    pub receipt_code: Option<String>,
}

/// More about a payment of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemDetails {
    /// The payment.
    pub id: String,
    /// Region, where the kind has one.
    pub region: Option<Region>,
    /// Budget revenue classification code.
    pub cbc_code: Option<String>,
    /// The parts of the amount for all units together, the recipient's first.
    pub shares: Vec<Share>,
}

/// A part of an amount.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Share {
    /// Whose it is.
    pub role: TransferRole,
    /// The sum.
    pub amount: Hryvnias,
    /// The commission for it; 0 where QR codes paid.
    pub commission: Hryvnias,
}

/// A transfer of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TransferDetails {
    /// The payment that it belongs to.
    pub item_id: String,
    /// The number of its document, as on the receipt.
    pub document_number: i64,
    /// Whose part of the amount it is.
    pub role: TransferRole,
    /// How far it has come.
    pub status: TransferState,
    /// The sum.
    pub amount: Hryvnias,
    /// The recipient.
    pub recipient_name: String,
    /// The recipient's account.
    pub iban: String,
    /// The recipient's code.
    pub okpo: String,
    /// The day (Kyiv) on which it was credited or came back, `YYYY-MM-DD`; null where no bank has told it.
    pub on: Option<String>,
}

/// Something that happened to an order. Either `at` or `on` is given: banks tell days only.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TimelineEntry {
    /// The moment.
    pub at: Option<Moment>,
    /// The day (Kyiv), `YYYY-MM-DD`.
    pub on: Option<String>,
    /// What happened.
    pub step: TimelineStep,
    /// The number of the transfer's document, where a transfer is meant.
    pub document_number: Option<i64>,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub struct TimelineStep(DomainStep);

impl Serialize for TimelineStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for TimelineStep {
    fn schema_name() -> Cow<'static, str> {
        "TimelineStep".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let steps = DomainStep::ALL.map(DomainStep::as_str);
        json_schema!({ "type": "string", "enum": steps, "description": "What happened to an order." })
    }
}

impl From<DomainEntry> for TimelineEntry {
    fn from(entry: DomainEntry) -> TimelineEntry {
        let (at, on) = match entry.when {
            TimelineMoment::At(at) => (Some(at.into()), None),
            TimelineMoment::On(day) => (None, Some(day.to_string())),
        };
        TimelineEntry {
            at,
            on,
            step: TimelineStep(entry.step),
            document_number: entry.document_number,
        }
    }
}

impl From<Transfer> for TransferDetails {
    fn from(transfer: Transfer) -> TransferDetails {
        let on = transfer.returned_day().or(transfer.bank.credited_on);
        let payee = transfer.planned.payee;
        TransferDetails {
            item_id: transfer.item_id.to_string(),
            document_number: transfer.document_number,
            role: transfer.planned.role.into(),
            status: transfer.status.into(),
            amount: transfer.planned.amount.into(),
            recipient_name: payee.name.into_string(),
            iban: payee.iban.as_str().to_owned(),
            okpo: payee.okpo.as_str().to_owned(),
            on: on.map(|day| day.to_string()),
        }
    }
}

fn item_details(
    item: &DomainItem,
    is_by_codes: bool,
    locale: Locale,
) -> Result<ItemDetails, AppError> {
    let content = &item.content;
    let parts = content.price.parts(content.kind).map_err(broken_sum)?;
    let shares = parts.into_iter().map(|part| {
        let commission = if is_by_codes {
            Money::ZERO
        } else {
            part.commission
        };
        Ok(Share {
            role: part.role.into(),
            amount: part.amount.times(content.count)?.into(),
            commission: commission.times(content.count)?.into(),
        })
    });
    Ok(ItemDetails {
        id: item.id.to_string(),
        region: Choices::of(content, locale).region,
        cbc_code: content
            .cbc_code
            .as_ref()
            .map(|code| code.as_str().to_owned()),
        shares: shares.collect::<Result<_, _>>().map_err(broken_sum)?,
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<OrderDetails>, Refusal> {
    let services = &state.services;
    let details = services.orders.details(who.notary, &id).await?;
    let view = details.view;
    let is_by_codes = view.order.is_paid_by_codes();
    let items = view.items.iter();
    let items = items.map(|item| item_details(item, is_by_codes, locale));
    Ok(Json(OrderDetails {
        items: items.collect::<Result<_, _>>()?,
        receipt_code: services.receipts.code(&view.order),
        order: Order::of(view, locale)?,
        transfers: details.transfers.into_iter().map(Into::into).collect(),
        timeline: details.timeline.into_iter().map(Into::into).collect(),
    }))
}
