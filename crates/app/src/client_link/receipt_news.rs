//! News of a paid order for the client who agreed to letters about it. The unit of work that changes the order leaves a row in the outbox
//! that names the order and the news; the letter is written when it is sent.

use cabinet_domain::OrderId;
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::worker::outbox::{self, Undelivered};
use cabinet_storage::{StorageError, Tx};
use serde::{Deserialize, Serialize};

use crate::kernel::ids::UnitContext;

/// The kind of a row of the outbox.
pub(crate) const RECEIPT_LETTER: &str = "receipt_letter";

/// What a client is told of a paid order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReceiptNews {
    /// It was paid.
    Paid,
    /// All its recipients have their money.
    Credited,
    /// A bank has sent a part back.
    Returned,
    /// The money was given back to the card.
    Refunded,
}

/// The payload of a row.
#[derive(Serialize, Deserialize)]
struct Payload {
    order: String,
    news: ReceiptNews,
}

/// Has a letter sent after the commit, if somebody agreed to letters about the order.
pub(crate) fn write_receipt_letter(
    tx: &mut Tx,
    unit: &mut UnitContext,
    order: OrderId,
    news: ReceiptNews,
) -> Result<(), StorageError> {
    if !receipt_consents::is_given(tx, order)? {
        return Ok(());
    }
    let payload = payload_of(order, news);
    outbox::add(
        tx,
        unit.new_id(),
        RECEIPT_LETTER,
        &payload,
        unit.now,
        unit.now,
    )
}

/// Returns the letters with such news that have not left.
pub(crate) fn undelivered(
    tx: &mut Tx,
    order: OrderId,
    news: ReceiptNews,
) -> Result<Vec<Undelivered>, StorageError> {
    outbox::undelivered(tx, RECEIPT_LETTER, &payload_of(order, news))
}

/// Returns how often it was tried to send such a letter that still waits. `None`: none waits.
pub(crate) fn tries_of_waiting(
    tx: &mut Tx,
    order: OrderId,
    news: ReceiptNews,
) -> Result<Option<i64>, StorageError> {
    let left = undelivered(tx, order, news)?;
    let waiting = left.iter().filter(|letter| letter.parked_at.is_none());
    Ok(waiting.map(|letter| letter.tries).min())
}

fn payload_of(order: OrderId, news: ReceiptNews) -> String {
    let payload = Payload {
        order: order.to_string(),
        news,
    };
    serde_json::json!(payload).to_string()
}

/// Reads a row. `None`: it can't be read.
pub(crate) fn read_receipt_news(payload: &str) -> Option<(OrderId, ReceiptNews)> {
    let payload: Payload = serde_json::from_str(payload).ok()?;
    Some((OrderId::parse(&payload.order)?, payload.news))
}
