//! What happened to an order, as its notary is told it.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::kernel::words::words;
use crate::{
    Order, OrderEventKind, OrderHistoryEvent, OrderStatus, Transfer, TransferStatus, kyiv_date,
};

words! {
    /// Something that happened to an order.
    TimelineStep {
        /// It was made of the cart.
        Created = "created",
        /// The bank waits for the payer.
        AwaitsPayment = "awaits_payment",
        /// Payment was begun once more.
        BegunAgain = "begun_again",
        /// The bank declined the payment, or it could not be begun.
        Declined = "declined",
        /// It was not paid in time.
        Expired = "expired",
        /// The notary cancelled it.
        Cancelled = "cancelled",
        /// Its items went back to the cart.
        ReturnedToCart = "returned_to_cart",
        /// QR codes of its transfers were given out.
        CodesGiven = "codes_given",
        /// The notary marked it as paid by QR codes.
        PaidByCodes = "paid_by_codes",
        /// The notary took that mark back.
        CodesPaymentUndone = "codes_payment_undone",
        /// It was paid.
        Paid = "paid",
        /// A second charge was given back to the card.
        DuplicateRefunded = "duplicate_refunded",
        /// The whole payment was given back to the card.
        Refunded = "refunded",
        /// A transfer was handed to the bank.
        TransferSent = "transfer_sent",
        /// A transfer reached its recipient.
        TransferCredited = "transfer_credited",
        /// A bank sent a transfer back.
        TransferReturned = "transfer_returned",
        /// A returned part is sent again by this transfer.
        TransferSentAgain = "transfer_sent_again",
        /// The notary asked for a returned part to be given back to the card.
        PartRefundRequested = "part_refund_requested",
        /// A returned part was given back to the card.
        PartRefunded = "part_refunded",
    }
}

/// How long a cancellation may take from closing the payment page to its end.
const CANCELLATION: SignedDuration = SignedDuration::from_mins(5);

/// When something happened. Banks tell days only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineMoment {
    /// At this moment.
    At(Timestamp),
    /// On this day (Kyiv).
    On(Date),
}

impl TimelineMoment {
    /// Sorts by day, and within a day by moment. What has a day only comes last in it: a payment precedes its transfers.
    fn place(self) -> (Date, Timestamp) {
        match self {
            Self::At(at) => (kyiv_date(at), at),
            Self::On(day) => (day, Timestamp::MAX),
        }
    }
}

/// An entry of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineEntry {
    /// When.
    pub when: TimelineMoment,
    /// What.
    pub step: TimelineStep,
    /// The number of the transfer's document, where a transfer is meant.
    pub document_number: Option<i64>,
}

/// Returns what happened to an order, the earliest first. Events that only the operator understands are left out.
#[must_use]
pub fn timeline(
    order: &Order,
    events: &[OrderHistoryEvent],
    transfers: &[Transfer],
) -> Vec<TimelineEntry> {
    // The cabinet's own times: by the bank's clock a payment may precede its order.
    let of_events = events.iter().enumerate().filter_map(|(place, event)| {
        let step = step_of(event)?;
        // Closing the payment page is part of the cancellation, though the acquirer tells it as the end of the time.
        let is_of_cancellation = step == TimelineStep::Expired
            && events.get(place + 1).is_some_and(|next| {
                next.kind == OrderEventKind::Cancelled.as_str()
                    && next.at.duration_since(event.at) <= CANCELLATION
            });
        (!is_of_cancellation).then(|| entry(TimelineMoment::At(event.at), step, None))
    });
    let codes = order
        .codes_given_at()
        .map(|at| entry(TimelineMoment::At(at), TimelineStep::CodesGiven, None));
    // A cancellation that gives the items back is one event.
    let returned = order
        .cancelled_at
        .and(order.returned_to_cart_at)
        .map(|at| entry(TimelineMoment::At(at), TimelineStep::ReturnedToCart, None));
    let mut entries: Vec<TimelineEntry> = of_events
        .chain(codes)
        .chain(returned)
        .chain(transfers.iter().flat_map(of_transfer))
        .collect();
    entries.sort_by_key(|entry| entry.when.place());
    entries
}

fn entry(when: TimelineMoment, step: TimelineStep, document: Option<i64>) -> TimelineEntry {
    TimelineEntry {
        when,
        step,
        document_number: document,
    }
}

/// Returns what an event of the history is to the notary.
fn step_of(event: &OrderHistoryEvent) -> Option<TimelineStep> {
    match OrderEventKind::parse(&event.kind) {
        Some(OrderEventKind::Created) => return Some(TimelineStep::Created),
        Some(OrderEventKind::Cancelled) => return Some(TimelineStep::Cancelled),
        Some(OrderEventKind::ReturnedToCart) => return Some(TimelineStep::ReturnedToCart),
        Some(OrderEventKind::CodesPaid) => return Some(TimelineStep::PaidByCodes),
        Some(OrderEventKind::CodesPaymentUndone) => return Some(TimelineStep::CodesPaymentUndone),
        Some(OrderEventKind::DuplicateRefunded) => return Some(TimelineStep::DuplicateRefunded),
        _ => {}
    }
    Some(match event.to_status? {
        OrderStatus::InProgress => TimelineStep::BegunAgain,
        OrderStatus::Pending => TimelineStep::AwaitsPayment,
        OrderStatus::Paid => TimelineStep::Paid,
        OrderStatus::Failed => TimelineStep::Declined,
        OrderStatus::Expired => TimelineStep::Expired,
        OrderStatus::Refunded => TimelineStep::Refunded,
    })
}

/// Returns what is known of the way of a transfer.
fn of_transfer(transfer: &Transfer) -> Vec<TimelineEntry> {
    let mut entries = Vec::new();
    let mut add = |when, step| entries.push(entry(when, step, Some(transfer.document_number)));
    if transfer.replaces.is_some() {
        let at = TimelineMoment::At(transfer.created_at);
        add(at, TimelineStep::TransferSentAgain);
    }
    match transfer.status {
        TransferStatus::Planned | TransferStatus::CalledOff => {}
        TransferStatus::Sent | TransferStatus::Disputed => {
            let at = TimelineMoment::At(transfer.updated_at);
            add(at, TimelineStep::TransferSent);
        }
        TransferStatus::Credited => {
            let when = transfer
                .bank
                .credited_on
                .map_or(TimelineMoment::At(transfer.updated_at), TimelineMoment::On);
            add(when, TimelineStep::TransferCredited);
        }
        TransferStatus::Returned => {
            if let Some(day) = transfer.returned_day() {
                add(TimelineMoment::On(day), TimelineStep::TransferReturned);
            }
        }
    }
    if let Some(refund) = transfer.refund {
        // Nobody asks for what is given back before it was sent.
        if transfer.status == TransferStatus::Returned {
            let asked = TimelineMoment::At(refund.requested_at);
            add(asked, TimelineStep::PartRefundRequested);
        }
        if let Some(at) = refund.refunded_at {
            add(TimelineMoment::At(at), TimelineStep::PartRefunded);
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{EventId, OrderId};

    #[test]
    fn an_event_of_an_unknown_kind_is_told_by_its_status() {
        let step = |kind: &str, to_status| {
            step_of(&OrderHistoryEvent {
                id: EventId::new(Uuid::nil()),
                order_id: OrderId::new(Uuid::nil()),
                at: Timestamp::UNIX_EPOCH,
                kind: kind.to_owned(),
                from_status: None,
                to_status,
                detail: None,
            })
        };
        let (paid, later) = (Some(OrderStatus::Paid), "written_later");
        assert_eq!(step(later, paid), Some(TimelineStep::Paid));
        assert_eq!(step(later, None), None);
        let cancelled = OrderEventKind::Cancelled.as_str();
        assert_eq!(step(cancelled, None), Some(TimelineStep::Cancelled));
    }
}
