//! Two payments that are the same, on the wire.

use cabinet_app::{ComparedPayment as Compared, DuplicatePayment as Duplicate};
use schemars::JsonSchema;
use serde::Serialize;

use super::moment::Moment;
use super::order_summary::OrderSummary;
use super::sums::Hryvnias;

/// A payment that is there already, and the same one that was not added.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DuplicatePayment {
    /// The one that is there.
    pub earlier: ComparedPayment,
    /// Its item.
    pub item_id: String,
    /// When it was added to the cart.
    pub added_at: Moment,
    /// The order that it is in; null where it is in the cart.
    pub order: Option<OrderSummary>,
    /// The one that was not added.
    pub wanted: ComparedPayment,
}

/// What may differ between two payments that are the same, and what each costs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ComparedPayment {
    /// Name of the client.
    pub full_name: String,
    /// Name of the recipient.
    pub recipient_name: String,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: i64,
    /// The price of one unit, with commission.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

impl From<&Duplicate> for DuplicatePayment {
    fn from(duplicate: &Duplicate) -> DuplicatePayment {
        DuplicatePayment {
            earlier: (&duplicate.earlier).into(),
            item_id: duplicate.item.to_string(),
            added_at: duplicate.added_at.into(),
            order: duplicate.order.as_ref().map(Into::into),
            wanted: (&duplicate.wanted).into(),
        }
    }
}

impl From<&Compared> for ComparedPayment {
    fn from(payment: &Compared) -> ComparedPayment {
        ComparedPayment {
            full_name: payment.full_name.as_str().to_owned(),
            recipient_name: payment.recipient_name.clone(),
            purpose: payment.purpose.as_str().to_owned(),
            count: i64::from(payment.count.get()),
            sum_full: payment.sum.into(),
            sum_total: payment.total.into(),
        }
    }
}
