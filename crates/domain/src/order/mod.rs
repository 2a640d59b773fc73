//! Orders: the items of one client, paid at once.

pub(crate) mod codes;
pub(crate) mod codes_credit;
pub(crate) mod notarial_act;
pub(crate) mod register_number;
pub(crate) mod status;
pub(crate) mod timeline;

use std::fmt;

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::order::codes::{CodesPayment, CodesState, GivenCodes};
use crate::order::codes_credit::CodesCredit;
use crate::order::status::OrderStatus;
use crate::payment::PaymentState;
use crate::{
    Client, EventId, ItemContent, ItemId, Key, Locale, MaskedPan, Money, NotarialAct, NotaryId,
    OrderId, TruncatedPan,
};

words! {
    /// How an order is paid.
    PaymentMethod {
        /// On the acquirer's page.
        CardPage = "card_page",
        /// By a card saved with the acquirer.
        SavedCard = "saved_card",
    }
}

words! {
    /// By what an order was paid.
    PaidBy {
        /// A card, through the operator.
        Card = "card",
        /// QR codes, past the operator, as the notary has marked.
        Codes = "codes",
    }
}

/// Where an order stands for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderStanding {
    /// The status. A paid order may have been paid past the operator.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// When it was paid, or marked as paid by QR codes.
    pub paid_at: Option<Timestamp>,
    /// By what it was paid. `Some` if and only if its status has money.
    pub paid_by: Option<PaidBy>,
}

words! {
    /// What happens to the items of an order that the notary cancels.
    CancelledItems {
        /// Copies of them go back to the cart.
        ToCart = "to_cart",
        /// They stay in the cancelled order alone.
        Drop = "drop",
    }
}

/// A cancellation that was begun: the order's page is being closed. Left behind only where the process ended meanwhile; the worker
/// then finishes or drops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BegunCancellation {
    /// When it was begun.
    pub at: Timestamp,
    /// What happens to the items.
    pub items: CancelledItems,
    /// The support has begun it, so the notary does not know of it yet.
    pub by_support: bool,
}

/// An order.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// The id.
    pub id: OrderId,
    /// The short number, for people.
    pub number: i64,
    /// The notary.
    pub notary_id: NotaryId,
    /// The client on whose behalf is paid.
    pub client: Client,
    /// The status.
    pub status: OrderStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// When it was paid: the acquirer's time of the charge that counts, or of a refunded order the charge that was given
    /// back last. The moment when the cabinet heard of it, where that time is unknown or far in the future. `Some` if and
    /// only if its status has money.
    pub paid_at: Option<Timestamp>,
    /// The charged sum: the sum of the items' totals.
    pub sum: Money,
    /// The language it was made in.
    pub locale: Locale,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The card, masked.
    pub pan: Option<MaskedPan>,
    /// The key of the request that made it.
    pub idempotency_key: String,
    /// Digest of the content of that request.
    pub request_fingerprint: [u8; 32],
    /// Address of the acquirer's page where the order is paid or confirmed; `None` where there is nothing to open. The column and
    /// the public field are called `widget_url`, as in the specification.
    pub payment_page_url: Option<String>,
    /// Why it was not paid.
    pub failure: Option<Key>,
    /// The state of its payment, in more detail than the status.
    pub payment_state: PaymentState,
    /// When its items were returned to the cart; it cannot be paid after that.
    pub returned_to_cart_at: Option<Timestamp>,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// QR codes for paying the recipients past the cabinet: whether they were given out, and whether they were paid.
    pub codes: Option<GivenCodes>,
    /// When the notary cancelled it; it cannot be paid after that.
    pub cancelled_at: Option<Timestamp>,
}

impl Order {
    /// Returns whether somebody may have paid the recipients by QR codes, past the cabinet: nobody may be asked to pay the same by a card
    /// until a person says that nobody has (decision 34).
    #[must_use]
    pub const fn may_be_paid_by_codes(&self) -> bool {
        matches!(self.codes_state(), CodesState::Given) && !self.status.has_money()
    }

    /// Returns what is known of its QR codes.
    #[must_use]
    pub const fn codes_state(&self) -> CodesState {
        match &self.codes {
            None => CodesState::NotGiven,
            Some(GivenCodes { payment: None, .. }) => CodesState::Given,
            Some(GivenCodes {
                payment: Some(_), ..
            }) => CodesState::Paid,
        }
    }

    /// Returns when its QR codes were last given out.
    #[must_use]
    pub fn codes_given_at(&self) -> Option<Timestamp> {
        self.codes.as_ref().map(|codes| codes.given_at)
    }

    /// Returns the notary's mark that it was paid by QR codes, whatever came by card besides.
    #[must_use]
    pub fn codes_payment(&self) -> Option<&CodesPayment> {
        self.codes.as_ref()?.payment.as_ref()
    }

    /// Returns where it stands for people: paid by QR codes where the notary has marked it so, and otherwise as the acquirer tells. Money
    /// is never counted by this: what the service received follows from [`Order::status`] alone (decision 34).
    #[must_use]
    pub fn standing(&self) -> OrderStanding {
        let pays = self.codes_state().pays(self.status, self.payment_state);
        match self.codes_payment().filter(|_| pays) {
            Some(payment) => OrderStanding {
                status: OrderStatus::Paid,
                payment_state: PaymentState::Paid,
                paid_at: Some(payment.marked_at),
                paid_by: Some(PaidBy::Codes),
            },
            None => OrderStanding {
                status: self.status,
                payment_state: self.payment_state,
                paid_at: self.paid_at,
                paid_by: self.status.has_money().then_some(PaidBy::Card),
            },
        }
    }

    /// Returns whether the notary's mark says that it was paid by QR codes, and no card paid it.
    #[must_use]
    pub fn is_paid_by_codes(&self) -> bool {
        self.standing().paid_by == Some(PaidBy::Codes)
    }

    /// Returns whether the notary has cancelled it or its items went back to the cart. Money that comes all the same may be for what
    /// was paid again meanwhile, or is not wanted any more.
    #[must_use]
    pub const fn is_given_up(&self) -> bool {
        self.returned_to_cart_at.is_some() || self.cancelled_at.is_some()
    }
}

/// Hides the link to pay, the key and the client.
impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("id", &self.id)
            .field("number", &self.number)
            .field("status", &self.status)
            .field("sum", &self.sum)
            .field("updated_at", &self.updated_at)
            .finish_non_exhaustive()
    }
}

/// An item of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderItem {
    /// The id; the same as in the cart.
    pub id: ItemId,
    /// The order.
    pub order_id: OrderId,
    /// Place in the order, from 1.
    pub position: i64,
    /// When it was added to the cart.
    pub created_at: Timestamp,
    /// What is paid for.
    pub content: ItemContent,
    /// That the notary's part of it, paid by QR code, is on her account, by the statement of her own bank.
    pub codes_credit: Option<CodesCredit>,
}

/// An order to be made out of a group of the cart.
#[derive(Clone)]
pub struct NewOrder {
    /// The id.
    pub id: OrderId,
    /// When it is made.
    pub created_at: Timestamp,
    /// What is charged: the group's total ([`crate::CartGroup::total`]).
    pub sum: Money,
    /// The language it is made in.
    pub locale: Locale,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The saved card.
    pub pan: Option<TruncatedPan>,
    /// The key of the request.
    pub idempotency_key: String,
    /// Digest of the content of the request.
    pub request_fingerprint: [u8; 32],
}

/// Hides the key.
impl fmt::Debug for NewOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewOrder")
            .field("id", &self.id)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

words! {
    /// A kind of event of an order's history, apart from alarms: an alarm about an order has an event of the alarm's own kind
    /// ([`crate::payment::AlarmKind`]).
    OrderEventKind {
        /// The order was made of the cart, and its payment begun.
        Created = "created",
        /// Its payment was begun once more.
        PayAgain = "pay_again",
        /// The acquirer or the bank waits for the payer.
        AcquirerWaits = "acquirer_waits",
        /// It was paid.
        AcquirerPaid = "acquirer_paid",
        /// The payment was declined, or could not be begun.
        AcquirerFailed = "acquirer_failed",
        /// It was not paid in time, or its page was closed before.
        AcquirerExpired = "acquirer_expired",
        /// The whole payment was given back to the card.
        AcquirerRefunded = "acquirer_refunded",
        /// One charge was given back to the card, and the order is paid by another one.
        DuplicateRefunded = "duplicate_refunded",
        /// It was cancelled. Its items may have gone back to the cart.
        Cancelled = "cancelled",
        /// A cancellation that a stopped process had left behind was refused, and is not tried again.
        CancellationDropped = "cancellation_dropped",
        /// Its items went back to the cart: it can't be paid any more as it is.
        ReturnedToCart = "returned_to_cart",
        /// The notary marked it as paid by QR codes.
        CodesPaid = "codes_paid",
        /// The notary took that mark back.
        CodesPaymentUndone = "codes_payment_undone",
        /// A refund was asked for.
        RefundAsked = "refund_asked",
        /// A refund gave its money back to the card.
        RefundDone = "refund_done",
        /// A refund was not carried out. The alarm about it has the same name.
        RefundNotMade = "refund_not_made",
    }
}

/// Something that happened to an order. It is read with the name of its kind: a later program may have written one of a kind that this one
/// does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderHistoryEvent<Kind = String> {
    /// The id.
    pub id: EventId,
    /// The order.
    pub order_id: OrderId,
    /// When it happened.
    pub at: Timestamp,
    /// What happened: an [`OrderEventKind`], or the kind of an alarm.
    pub kind: Kind,
    /// The status before; `None` for the first event of an order.
    pub from_status: Option<OrderStatus>,
    /// The status after, where it changed.
    pub to_status: Option<OrderStatus>,
    /// Details for the operator. No personal data.
    pub detail: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_event_is_read_as_it_is_written() {
        for kind in OrderEventKind::ALL {
            assert_eq!(OrderEventKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(OrderEventKind::parse("written_later"), None);
    }
}
