//! Letters with receipts. They are written when they are sent, so a consent that was taken back meanwhile, or an erased client, gets none.

use std::sync::Arc;

use async_trait::async_trait;
use cabinet_domain::{Locale, Order, OrderId, OrderStatus, Origin};
use cabinet_gateways::mail::Attachment;
use cabinet_receipts::ReceiptKind;
use cabinet_storage::account::notaries;
use cabinet_storage::client_link::receipt_consents;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Store, Tx};

use super::letter_token::letter_token;
use super::texts::{self, ReceiptText};
use crate::client_link::receipt_news::{RECEIPT_LETTER, ReceiptNews, read_receipt_news};
use crate::documents::{ReceiptRequest, Receipts};
use crate::kernel::keys::Keys;
use crate::kernel::refusal::{AppError, Result};
use crate::worker::outbox::{LateLetters, ReadyLetter};

/// Writes letters with receipts.
#[derive(Clone)]
pub(crate) struct ReceiptLetters {
    pub(crate) store: Store,
    pub(crate) keys: Arc<Keys>,
    pub(crate) receipts: Receipts,
    pub(crate) public_url: Arc<str>,
}

#[async_trait]
impl LateLetters for ReceiptLetters {
    async fn write(&self, kind: &str, payload: &str) -> Option<Result<Option<ReadyLetter>>> {
        let (order, news) = read_receipt_news(payload).filter(|_| kind == RECEIPT_LETTER)?;
        Some(self.letter(order, news).await)
    }
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
        let attachments = if is_paid {
            self.receipt(&order, consent.locale).await?
        } else {
            Vec::new()
        };
        let stop = letter_token(&self.keys, id);
        let text = texts::receipt(&ReceiptText {
            news,
            number: order.number,
            sum: order.sum,
            notary: &notary,
            has_receipt: !attachments.is_empty(),
            stop_url: &format!("{}/letters/{stop}", self.public_url),
            locale: consent.locale,
        });
        Ok(Some(ReadyLetter {
            to: consent.email.as_str().to_owned(),
            text,
            attachments,
        }))
    }

    /// Returns the receipt as it is now. None, while an alarm about its transfers is open.
    async fn receipt(&self, order: &Order, locale: Locale) -> Result<Vec<Attachment>> {
        let request = ReceiptRequest {
            kind: ReceiptKind::Payment,
            locale,
        };
        let id = order.id.to_string();
        let made = self
            .receipts
            .of_order(order.notary_id, &id, request, Origin::worker())
            .await;
        match made {
            Ok(file) => Ok(vec![Attachment {
                name: file.name,
                content_type: "application/pdf",
                bytes: file.bytes,
            }]),
            Err(AppError::Refused(_)) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}
