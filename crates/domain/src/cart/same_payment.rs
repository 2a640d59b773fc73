//! When two payments are the same, so that the second may be a slip.

use jiff::{SignedDuration, Timestamp};

use crate::{Inn, ItemContent, ItemId, OrderId, PersonName};

/// A new payment is compared with the cart, and with orders that were made within this time.
pub const SAME_PAYMENT_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// A payment that a notary has in the cart or in an order.
#[derive(Clone, Debug)]
pub struct KnownPayment {
    /// The item.
    pub item: ItemId,
    /// The order. `None`: it is in the cart.
    pub order: Option<OrderId>,
    /// The name of the client.
    pub full_name: PersonName,
    /// When it was added to the cart.
    pub added_at: Timestamp,
    /// What is paid for.
    pub content: ItemContent,
}

/// Returns whether two payments, each of a client, are the same: the code of the client, kind, service, term, account of the recipient,
/// and the sum of one unit without commission.
///
/// The rest may differ. Names and purposes are written in several ways; two payments of one unit are as much as one of two; and the
/// tariff of the commission may change between the two. The notary's own account is not that of the recipient.
#[must_use]
pub fn is_same_payment(
    (inn, content): (&Inn, &ItemContent),
    (other_inn, other): (&Inn, &ItemContent),
) -> bool {
    inn == other_inn
        && content.kind == other.kind
        && id_of(content.option.as_ref()) == id_of(other.option.as_ref())
        && id_of(content.term.as_ref()) == id_of(other.term.as_ref())
        && content.recipient_account() == other.recipient_account()
        && content.price.amount == other.price.amount
}

fn id_of<Id>(chosen: Option<&crate::Chosen<Id>>) -> Option<&Id> {
    chosen.map(|chosen| &chosen.id)
}
