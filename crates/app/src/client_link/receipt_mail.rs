//! What a notary is shown of the letters with the receipt of an order: where they go, and what became of the last one.

use cabinet_domain::{
    AuditAction, Order, OrderId, OrderStatus, ReceiptConsent, TransferStatus, ends_of_chains,
};
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx, audit};
use jiff::Timestamp;

use super::receipt_news::{ReceiptNews, undelivered};

/// Where the receipt of an order is sent.
#[derive(Clone, Debug)]
pub enum ReceiptMail {
    /// To an address, with a consent.
    Sent(ReceiptConsent, ReceiptLetter),
    /// Nowhere: letters were refused.
    Refused {
        /// When.
        at: Timestamp,
        /// Whether they were refused by a letter, so that only its address gets none.
        is_of_address: bool,
    },
}

/// What became of the letter with the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptLetter {
    /// There is none: the order is not paid.
    NotDue,
    /// It has not left yet.
    Waiting,
    /// It was given up: the mail server does not take it.
    NotSent,
    /// The mail server has it, and nobody has taken the receipt.
    Sent,
    /// Nothing says whether it has left: an earlier version sent it, or what would have sent it was dropped.
    Unknown,
    /// Somebody took the receipt then, by the letter or by the link of the order.
    Opened(Timestamp),
    /// Its link gives no receipt any more: too many wrong digits were entered.
    UsedUp,
    /// Its link gives no receipt any more: its time has run out.
    Ended,
}

/// Reads where the receipt of an order is sent. `None`: nobody has said.
pub(super) fn read_receipt_mail(
    tx: &mut Tx,
    order: OrderId,
    now: Timestamp,
) -> Result<Option<ReceiptMail>, StorageError> {
    if let Some(consent) = receipt_consents::of_order(tx, order)? {
        let order = orders::by_id(tx, order)?;
        let letter = match order.filter(|order| order.status == OrderStatus::Paid) {
            Some(order) => letter_of(tx, &order, &consent, now)?,
            None => ReceiptLetter::NotDue,
        };
        return Ok(Some(ReceiptMail::Sent(consent, letter)));
    }
    let refusal = receipt_consents::refusal(tx, order)?;
    Ok(refusal.map(|refusal| ReceiptMail::Refused {
        at: refusal.at,
        is_of_address: refusal.address.is_some(),
    }))
}

fn letter_of(
    tx: &mut Tx,
    order: &Order,
    consent: &ReceiptConsent,
    now: Timestamp,
) -> Result<ReceiptLetter, StorageError> {
    let left = undelivered(tx, order.id, ReceiptNews::Paid)?;
    if left.iter().any(|letter| letter.parked_at.is_none()) {
        return Ok(ReceiptLetter::Waiting);
    }
    let since = consent.letters_since();
    let facts = receipt_consents::letter_facts(tx, order.id)?;
    // What became of one from before is not what became of the last one.
    let is_sent = facts.sent_at >= Some(since);
    let mut given_up = left.iter().map(|letter| letter.parked_at);
    if !is_sent && (facts.given_up_at >= Some(since) || given_up.any(|at| at >= Some(since))) {
        return Ok(ReceiptLetter::NotSent);
    }
    if facts.wrong_tries >= ReceiptConsent::WRONG_TRIES_MAX {
        return Ok(ReceiptLetter::UsedUp);
    }
    let taken = AuditAction::ReceiptsDownloaded;
    if let Some(at) = audit::first_by_stranger(tx, order.id, taken, since)? {
        return Ok(ReceiptLetter::Opened(at));
    }
    let last = last_letter_at(tx, order)?.max(Some(since));
    Ok(
        if last.is_some_and(|last| ReceiptConsent::link_ends_at(last) <= now) {
            ReceiptLetter::Ended
        } else if is_sent {
            ReceiptLetter::Sent
        } else {
            ReceiptLetter::Unknown
        },
    )
}

/// Returns when there was last something to write of a paid order: its payment, or that its money arrived or came back. Each of these
/// letters has a link of its own.
fn last_letter_at(tx: &mut Tx, order: &Order) -> Result<Option<Timestamp>, StorageError> {
    let made = transfers::of_order(tx, order.id)?;
    let ends = ends_of_chains(&made);
    let have_all = ends
        .iter()
        .all(|transfer| transfer.status == TransferStatus::Credited);
    let told = ends
        .iter()
        .filter(|transfer| have_all || transfer.status == TransferStatus::Returned);
    Ok(told
        .map(|transfer| transfer.updated_at)
        .max()
        .max(order.paid_at))
}
