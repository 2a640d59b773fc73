//! Letters about receipts. They are written when they are sent, so a consent that was taken back meanwhile, or an erased client, gets none.
//! They carry no receipt: nobody has proved the address ([`super::receipt_by_letter`]).

use std::sync::Arc;

use async_trait::async_trait;
use cabinet_domain::{Clock, OrderId, OrderStatus, ReceiptConsent};
use cabinet_storage::account::notaries;
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::worker::outbox::OutboxRow;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use super::letter_token::{LetterLink, ReceiptLink};
use super::texts::{self, ReceiptText};
use crate::client_link::receipt_news::{RECEIPT_LETTER, ReceiptNews, read_receipt_news};
use crate::kernel::keys::Keys;
use crate::kernel::refusal::Result;
use crate::worker::outbox::{LateLetters, ReadyLetter};

/// Writes letters about receipts.
#[derive(Clone)]
pub(crate) struct ReceiptLetters {
    pub(crate) store: Store,
    pub(crate) keys: Arc<Keys>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) public_url: Arc<str>,
}

#[async_trait]
impl LateLetters for ReceiptLetters {
    async fn write(&self, kind: &str, payload: &str) -> Option<Result<Option<ReadyLetter>>> {
        let (order, news) = read_receipt_news(payload).filter(|_| kind == RECEIPT_LETTER)?;
        Some(self.letter(order, news).await)
    }

    fn keep_sent(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        match receipt_letter(row) {
            Some(order) => receipt_consents::record_sent(tx, order, since, now),
            None => Ok(()),
        }
    }

    fn keep_given_up(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        match receipt_letter(row) {
            Some(order) => receipt_consents::record_given_up(tx, order, now),
            None => Ok(()),
        }
    }
}

/// Returns the order whose receipt the letter of a row brings. Later news say nothing of that letter.
fn receipt_letter(row: &OutboxRow) -> Option<OrderId> {
    let (order, news) = read_receipt_news(&row.payload)?;
    (row.kind == RECEIPT_LETTER && news == ReceiptNews::Paid).then_some(order)
}

impl ReceiptLetters {
    async fn letter(&self, id: OrderId, news: ReceiptNews) -> Result<Option<ReadyLetter>> {
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let consent = receipt_consents::of_order(tx, id)?;
            let order = orders::by_id(tx, id)?;
            let (Some(consent), Some(order)) = (consent, order) else {
                return Ok(None);
            };
            if erasure::is_anonymised(tx, id)? {
                return Ok(None);
            }
            let name = notaries::full_name_of(tx, order.notary_id)?;
            let notary = name.map(|name| name.as_str().to_owned());
            Ok(Some((consent, order, notary.unwrap_or_default())))
        };
        let Some((consent, order, notary)) = self.store.read(read).await? else {
            return Ok(None);
        };
        let is_paid = order.status == OrderStatus::Paid;
        // Later news have a letter of their own, and this one would be false by now.
        if is_paid == (news == ReceiptNews::Refunded) {
            return Ok(None);
        }
        let ends_at = ReceiptConsent::link_ends_at(self.clock.now());
        let addresses = self.keys.refused_address(id, &consent.email);
        let link = LetterLink {
            order: id,
            address: addresses.first().copied(),
            receipt: is_paid.then_some(ReceiptLink {
                letters_since: consent.letters_since(),
                ends_at,
            }),
        };
        let token = link.token(&self.keys);
        let text = texts::receipt(&ReceiptText {
            news,
            number: order.number,
            notary: &notary,
            receipt_until: is_paid.then_some(ends_at),
            url: &format!("{}/letters/{token}", self.public_url),
            locale: consent.locale,
        });
        Ok(Some(ReadyLetter {
            to: consent.email.as_str().to_owned(),
            text,
            since: consent.letters_since(),
        }))
    }
}
