//! The page that the link of a letter opens. It gives the receipt to who knows the last digits of the client's code: nobody has proved the
//! address of the letter, and the receipt names its payer in full.

use std::sync::Arc;

use cabinet_domain::{Locale, Order, OrderStatus, Origin, ReceiptConsent};
use cabinet_receipts::ReceiptKind;
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use super::ClientLinks;
use super::letter_token::LetterLink;
use crate::documents::ReceiptRequest;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::Result;

/// How many digits are asked for.
const DIGITS: usize = 4;

/// The order of a letter.
#[derive(Clone, Copy, Debug)]
pub struct LetterOrder {
    /// Its short number.
    pub number: i64,
    /// Whether more letters about it would be sent to the address of this one.
    pub is_on: bool,
    /// Whether the link gives its receipt.
    pub receipt: LetterReceipt,
}

/// Whether the link of a letter gives the receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterReceipt {
    /// For the last digits of the client's code.
    Asked,
    /// The letter itself has it: an earlier version sent it.
    Attached,
    /// Not any more: its time has run out, the consent was taken back, or another one was given. A letter about a refund never gave it.
    Ended,
    /// Not any more: too many wrong digits were entered.
    UsedUp,
    /// There is none: the money was given back.
    Refunded,
}

/// What comes of entered digits.
pub enum EnteredDigits {
    /// They are right.
    Right(DownloadFile),
    /// They are not those of the client's code. That was counted.
    Wrong,
    /// They are no four digits. That was not counted.
    Unreadable,
    /// The link gives no receipt, whatever was entered.
    NotAsked,
}

impl ClientLinks {
    /// Returns the order of a letter, by the token in it. `None`: there is none.
    pub async fn order_of_letter(&self, token: &SecretString) -> Result<Option<LetterOrder>> {
        let Some(link) = LetterLink::of_token(&self.keys, token) else {
            return Ok(None);
        };
        let (now, keys) = (self.clock.now(), Arc::clone(&self.keys));
        let read = move |tx: &mut Tx| -> Result<Option<LetterOrder>, StorageError> {
            let Some(order) = orders::by_id(tx, link.order)? else {
                return Ok(None);
            };
            let receipt = receipt_of(tx, link, &order, now)?;
            let consent = receipt_consents::of_order(tx, order.id)?;
            Ok(Some(LetterOrder {
                number: order.number,
                is_on: consent.is_some_and(|consent| link.is_to(&keys, &consent.email)),
                receipt,
            }))
        };
        Ok(self.store.read(read).await?)
    }

    /// Returns the receipt of a letter's order to who knows the last digits of its client's code. `None`: there is no such letter.
    ///
    /// # Errors
    /// As [`crate::documents::Receipts::of_order`].
    pub async fn receipt_by_letter(
        &self,
        token: &SecretString,
        digits: &SecretString,
        locale: Locale,
        origin: Origin,
    ) -> Result<Option<EnteredDigits>> {
        let Some(link) = LetterLink::of_token(&self.keys, token) else {
            return Ok(None);
        };
        let Some(digits) = four_digits(digits) else {
            return Ok(Some(EnteredDigits::Unreadable));
        };
        let now = self.clock.now();
        let write = move |tx: &mut Tx| -> Result<_, StorageError> {
            let tx = &mut tx.without_notary();
            // No two tries pass the limit together.
            let Some((locked, order)) = orders::lock(tx, link.order)? else {
                return Ok(None);
            };
            let receipt = receipt_of(tx, link, &order, now)?;
            if receipt != LetterReceipt::Asked {
                return Ok(Some(Err(EnteredDigits::NotAsked)));
            }
            if order.client.inn.last_digits() != digits.expose_secret() {
                receipt_consents::record_wrong_try(tx, &locked)?;
                return Ok(Some(Err(EnteredDigits::Wrong)));
            }
            Ok(Some(Ok(order)))
        };
        let order = match self.store.write(write).await? {
            None => return Ok(None),
            Some(Err(refused)) => return Ok(Some(refused)),
            Some(Ok(order)) => order,
        };
        let request = ReceiptRequest {
            kind: ReceiptKind::Payment,
            locale,
        };
        let id = order.id.to_string();
        let file = self
            .receipts
            .of_order(order.notary_id, &id, request, origin)
            .await?;
        Ok(Some(EnteredDigits::Right(file)))
    }
}

/// Returns what was typed, if that is four digits.
fn four_digits(typed: &SecretString) -> Option<SecretString> {
    let typed: String = typed.expose_secret().split_whitespace().collect();
    let is_read = typed.len() == DIGITS && typed.bytes().all(|byte| byte.is_ascii_digit());
    is_read.then(|| typed.into())
}

/// Returns whether the link of a letter gives the receipt of its order now.
fn receipt_of(
    tx: &mut Tx,
    link: LetterLink,
    order: &Order,
    now: Timestamp,
) -> Result<LetterReceipt, StorageError> {
    let consent = receipt_consents::of_order(tx, order.id)?;
    let is_of_letter = consent.is_some_and(|consent| link.is_of(&consent));
    Ok(if order.status == OrderStatus::Refunded {
        LetterReceipt::Refunded
    } else if link.address.is_none() {
        LetterReceipt::Attached
    } else if !is_of_letter
        || link.receipt.is_some_and(|receipt| receipt.ends_at <= now)
        || erasure::is_anonymised(tx, order.id)?
    {
        LetterReceipt::Ended
    } else if receipt_consents::letter_facts(tx, order.id)?.wrong_tries
        >= ReceiptConsent::WRONG_TRIES_MAX
    {
        LetterReceipt::UsedUp
    } else {
        LetterReceipt::Asked
    })
}
