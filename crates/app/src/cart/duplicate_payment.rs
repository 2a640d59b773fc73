//! Two payments that are the same, as both are shown to whoever decides.

use cabinet_domain::{Count, ItemContent, ItemId, Money, MoneyError, PersonName, Purpose};
use jiff::Timestamp;

use crate::order::summary::OrderSummary;

/// Two payments that are the same, as both are shown to whoever decides.
#[derive(Clone, Debug)]
pub struct DuplicatePayment {
    /// The one that is there.
    pub earlier: ComparedPayment,
    /// Its item.
    pub item: ItemId,
    /// When it was added to the cart.
    pub added_at: Timestamp,
    /// The order that it is in. `None`: it is in the cart.
    pub order: Option<OrderSummary>,
    /// The one that was not added.
    pub wanted: ComparedPayment,
}

/// What may differ between two payments that are the same, and what each costs.
#[derive(Clone, Debug)]
pub struct ComparedPayment {
    /// The name of the client.
    pub full_name: PersonName,
    /// The name of the recipient.
    pub recipient_name: String,
    /// The purpose.
    pub purpose: Purpose,
    /// How many units.
    pub count: Count,
    /// The price of one unit, with commission.
    pub sum: Money,
    /// The price of all units.
    pub total: Money,
}

impl ComparedPayment {
    /// Returns what is shown of a payment.
    ///
    /// # Errors
    /// Returns the error of [`ItemContent::total`].
    pub(crate) fn of(
        full_name: PersonName,
        content: &ItemContent,
    ) -> Result<ComparedPayment, MoneyError> {
        Ok(ComparedPayment {
            full_name,
            recipient_name: content.recipient_name().to_owned(),
            purpose: content.purpose.clone(),
            count: content.count,
            sum: content.price.sum,
            total: content.total()?,
        })
    }
}
