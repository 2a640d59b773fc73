//! `GET /order/{id}` and `GET /order/{id}/status`.

use axum::extract::{Path, State};
use cabinet_app::orders::OrderView;
use cabinet_app::refusal::{Refusal as AppRefusal, Sort};
use cabinet_domain::payment::PaymentState as DomainPaymentState;
use cabinet_domain::{Key, Locale, OrderItem as DomainItem, OrderStatus as DomainStatus};

use crate::extract::{Language, SignedIn, ValidQuery};
use crate::handlers::cart::list::{Choices, broken_sum};
use crate::json::Json;
use crate::refusal::{MessageKey, Refusal};
use crate::state::ApiState;
use crate::wire::{
    Client, Order, OrderAnswer, OrderItem, OrderItemStatus, OrderQuery, OrderStatus,
    OrderStatusAnswer, PaymentState,
};

/// One order of the notary.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidQuery(query): ValidQuery<OrderQuery>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let ask = match query.update_status.as_deref() {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(_) => {
            return Err(AppRefusal::new(Sort::Invalid, Key::NumberInvalid)
                .on("update_status")
                .into());
        }
    };
    if ask {
        state.limits.asking(who.notary)?;
    }
    let view = state.app.order(who.notary, &id, ask).await?;
    Ok(Json(OrderAnswer {
        order: order_on_wire(view, locale)?,
    }))
}

/// Asks the acquirer where an order stands.
pub async fn status(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<OrderStatusAnswer>, Refusal> {
    state.limits.asking(who.notary)?;
    let view = state.app.order_status(who.notary, &id).await?;
    let status = OrderStatus::from(view.order.status);
    let items = view
        .items
        .iter()
        .map(|item| OrderItemStatus {
            id: item.id.to_string(),
            status,
        })
        .collect();
    Ok(Json(OrderStatusAnswer {
        status,
        payment_state: view.order.payment_state.into(),
        items,
    }))
}

/// An order as it goes over the wire.
pub fn order_on_wire(view: OrderView, locale: Locale) -> Result<Order, Refusal> {
    let order = view.order;
    let status = OrderStatus::from(order.status);
    let items = view
        .items
        .into_iter()
        .map(|item| item_on_wire(item, status, locale))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Order {
        id: order.id.to_string(),
        number: order.number.to_string(),
        status,
        payment_state: order.payment_state.into(),
        created_at: order.created_at.into(),
        paid_at: order.paid_at.map(Into::into),
        client: Client::from(&order.client),
        sum: order.sum.into(),
        widget_url: order.widget_url,
        pan: order.pan.map(|pan| pan.as_str().to_owned()),
        failure: order.failure.map(MessageKey),
        items,
    })
}

/// An item as it goes over the wire; its status is its order's.
pub fn item_on_wire(
    item: DomainItem,
    status: OrderStatus,
    locale: Locale,
) -> Result<OrderItem, Refusal> {
    let content = item.content;
    let choices = Choices::of(&content, locale);
    Ok(OrderItem {
        id: item.id.to_string(),
        created_at: item.created_at.into(),
        status,
        payment_type: choices.payment_type,
        payment_type_option: choices.option,
        payment_type_option_term: choices.term,
        payment_type_requisite: choices.requisite,
        count: i64::from(content.count.get()),
        sum_base: content.price.amount.into(),
        commission: content.price.commission.into(),
        sum_full: content.price.sum.into(),
        sum_total: content.total().map_err(broken_sum)?.into(),
        recipient_name: content.recipient_name.map(|name| name.into_string()),
        iban: content.iban.map(|iban| iban.as_str().to_owned()),
        okpo: content.okpo.map(|okpo| okpo.as_str().to_owned()),
        purpose: content.purpose.as_str().to_owned(),
    })
}

impl From<DomainPaymentState> for PaymentState {
    fn from(state: DomainPaymentState) -> PaymentState {
        match state {
            DomainPaymentState::NotSent => PaymentState::NotSent,
            DomainPaymentState::Unknown => PaymentState::Unknown,
            DomainPaymentState::Waiting => PaymentState::Waiting,
            DomainPaymentState::DeclinedPageOpen => PaymentState::DeclinedPageOpen,
            DomainPaymentState::Declined => PaymentState::Declined,
            DomainPaymentState::Expired => PaymentState::Expired,
            DomainPaymentState::Paid => PaymentState::Paid,
            DomainPaymentState::Refunded => PaymentState::Refunded,
            DomainPaymentState::UnderReview => PaymentState::UnderReview,
        }
    }
}

impl From<DomainStatus> for OrderStatus {
    fn from(status: DomainStatus) -> OrderStatus {
        match status {
            DomainStatus::InProgress => OrderStatus::InProgress,
            DomainStatus::Pending => OrderStatus::Pending,
            DomainStatus::Paid => OrderStatus::Paid,
            DomainStatus::Failed => OrderStatus::Failed,
            DomainStatus::Expired => OrderStatus::Expired,
            DomainStatus::Refunded => OrderStatus::Refunded,
        }
    }
}
