//! Receipts of paid orders: PDF documents, and all of an order as a ZIP.

use cabinet_domain::{ItemId, Key, Locale, MaskedCard, NotaryId, OrderStatus};
use cabinet_receipts::{
    ArchiveEntry, Operator, ReceiptError, ReceiptItem, ReceiptKind, ReceiptOrder, ReceiptTransfer,
    Selection, Verification, archive_name, commission_receipt, item_receipt_name,
    order_receipt_name, payment_receipt, receipts_zip,
};
use cabinet_storage::attempts::{self, Attempt};
use cabinet_storage::orders::{self, Order, OrderItem};
use cabinet_storage::transfers::{self, Transfer};
use cabinet_storage::{StorageError, Tx, notaries};

use super::receipt_check::code_of;
use super::view::not_found;
use crate::App;
use crate::refusal::{AppError, Outcome, Refusal};

/// Which receipt, from a request.
#[derive(Clone, Copy, Debug)]
pub struct ReceiptWish {
    /// Of the payment or of the commission.
    pub kind: ReceiptKind,
    /// Its language.
    pub locale: Locale,
}

/// A document to download.
pub struct ReceiptFile {
    /// Its name.
    pub name: String,
    /// PDF, ZIP or XLSX.
    pub bytes: Vec<u8>,
}

/// All that a receipt shows, as stored.
struct Paid {
    order: Order,
    items: Vec<OrderItem>,
    transfers: Vec<Transfer>,
    attempt: Option<Attempt>,
    notary_name: String,
}

impl App {
    /// A receipt of a paid order.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn order_receipt(
        &self,
        notary: NotaryId,
        order: &str,
        wish: ReceiptWish,
    ) -> Outcome<ReceiptFile> {
        let order = self.order_row(notary, order).await?;
        let receipt = self.receipt_order(notary, order, wish.locale).await?;
        let bytes = self.draw(receipt.clone(), Selection::Order, wish).await?;
        Ok(ReceiptFile {
            name: order_receipt_name(receipt.id, wish.kind),
            bytes,
        })
    }

    /// A receipt of one item of a paid order.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn item_receipt(
        &self,
        notary: NotaryId,
        item: &str,
        wish: ReceiptWish,
    ) -> Outcome<ReceiptFile> {
        let id = ItemId::parse(item).ok_or_else(not_found)?;
        let found = self
            .inner
            .store
            .read(move |tx| orders::item_of(tx, notary, id))
            .await?;
        let (order, _) = found.ok_or_else(not_found)?;
        let receipt = self.receipt_order(notary, order, wish.locale).await?;
        let bytes = self.draw(receipt, Selection::Item(id), wish).await?;
        Ok(ReceiptFile {
            name: item_receipt_name(id, wish.kind),
            bytes,
        })
    }

    /// Every receipt of a paid order: one of the payment for each item, one of the commission for the whole.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn receipts_archive(
        &self,
        notary: NotaryId,
        order: &str,
        locale: Locale,
    ) -> Outcome<ReceiptFile> {
        let order = self.order_row(notary, order).await?;
        let receipt = self.receipt_order(notary, order, locale).await?;
        let name = archive_name(receipt.id);
        let drawing = tokio::task::spawn_blocking(move || {
            let dated = receipt.paid_at;
            let of_items = receipt.items.iter().map(|item| {
                let content = payment_receipt(&receipt, Selection::Item(item.id), locale)?;
                Ok(ArchiveEntry {
                    name: item_receipt_name(item.id, ReceiptKind::Payment),
                    dated,
                    content,
                })
            });
            let of_commission = std::iter::once_with(|| {
                let content = commission_receipt(&receipt, Selection::Order, locale)?;
                Ok(ArchiveEntry {
                    name: order_receipt_name(receipt.id, ReceiptKind::Commission),
                    dated,
                    content,
                })
            });
            receipts_zip(of_items.chain(of_commission), Vec::new())
        });
        Ok(ReceiptFile {
            name,
            bytes: drawn(drawing.await)?,
        })
    }

    /// Drawing takes milliseconds of computing, so it has a thread of its own.
    async fn draw(
        &self,
        order: ReceiptOrder,
        selection: Selection,
        wish: ReceiptWish,
    ) -> Outcome<Vec<u8>> {
        let drawing = tokio::task::spawn_blocking(move || match wish.kind {
            ReceiptKind::Payment => payment_receipt(&order, selection, wish.locale),
            ReceiptKind::Commission => commission_receipt(&order, selection, wish.locale),
        });
        drawn(drawing.await)
    }

    /// What a receipt says, in the language in which it is asked for: what was paid for and the banks are named in both.
    async fn receipt_order(
        &self,
        notary: NotaryId,
        order: Order,
        locale: Locale,
    ) -> Outcome<ReceiptOrder> {
        match order.status {
            OrderStatus::Paid => {}
            OrderStatus::Refunded => return Err(Refusal::conflict(Key::OrderRefunded).into()),
            OrderStatus::InProgress
            | OrderStatus::Pending
            | OrderStatus::Failed
            | OrderStatus::Expired => return Err(Refusal::conflict(Key::OrderNotPaid).into()),
        }
        let read = move |tx: &mut Tx| -> Result<Paid, StorageError> {
            let attempts = attempts::of_order(tx, order.id)?;
            Ok(Paid {
                items: orders::items_of(tx, order.id)?,
                transfers: transfers::of_order(tx, order.id)?,
                attempt: attempts
                    .into_iter()
                    .find(|attempt| attempt.outcome == Some(OrderStatus::Paid)),
                notary_name: notaries::by_id(tx, notary)?
                    .map(|notary| notary.full_name)
                    .unwrap_or_default(),
                order: order.clone(),
            })
        };
        let paid = self.inner.store.read_long(read).await?;
        self.receipt_of(paid, locale)
    }

    fn receipt_of(&self, paid: Paid, locale: Locale) -> Outcome<ReceiptOrder> {
        let reference = self.reference()?;
        let broken =
            || AppError::Broken(format!("order {} can't be put on a receipt", paid.order.id));
        let operator = &self.settings().operator;
        let mut items = Vec::with_capacity(paid.items.len());
        for item in &paid.items {
            let content = &item.content;
            let transfers = paid
                .transfers
                .iter()
                .filter(|transfer| transfer.item_id == item.id)
                .map(|transfer| ReceiptTransfer {
                    recipient_name: transfer.planned.payee.name.as_str().to_owned(),
                    recipient_code: transfer.planned.payee.okpo.as_str().to_owned(),
                    bank_name: reference
                        .bank_name(&transfer.planned.payee.iban, locale)
                        .map(str::to_owned),
                    iban: transfer.planned.payee.iban.clone(),
                    purpose: transfer.planned.payee.purpose.as_str().to_owned(),
                    amount: transfer.planned.amount,
                    role: transfer.planned.role,
                    status: transfer.status,
                });
            items.push(ReceiptItem {
                id: item.id,
                kind: content.kind,
                label: content
                    .option
                    .as_ref()
                    .map(|option| option.names.in_locale(locale).to_owned())
                    .unwrap_or_default(),
                client_code: paid.order.client.inn.as_str().to_owned(),
                client_name: paid.order.client.full_name.as_str().to_owned(),
                count: content.count,
                amount: content.price.amount,
                commission: content.price.commission,
                total: content.total().map_err(|_| broken())?,
                transfers: transfers.collect(),
            });
        }
        let attempt = paid.attempt.as_ref();
        let check_code = code_of(self.keys(), &paid.order);
        Ok(ReceiptOrder {
            id: paid.order.id,
            number: paid.order.number.to_string(),
            created_at: paid.order.created_at,
            paid_at: paid.order.paid_at.ok_or_else(broken)?,
            notary_name: paid.notary_name,
            operator: Operator {
                name: operator.name.clone(),
                code: operator.code.clone(),
                iban: operator.iban.clone(),
                address: operator.address.clone(),
            },
            acquirer_name: self.settings().acquirer_name.clone(),
            card: paid
                .order
                .pan
                .as_deref()
                .and_then(|pan| MaskedCard::parse_mask(pan).ok()),
            payment_system: attempt.and_then(|attempt| attempt.payment_system.clone()),
            authorisation_code: attempt.and_then(|attempt| attempt.approval_code.clone()),
            rrn: attempt.and_then(|attempt| attempt.rrn.clone()),
            reference: attempt
                .map(|attempt| attempt.id.to_string())
                .unwrap_or_default(),
            verification: Some(Verification {
                address: self.check_address(&check_code),
                code: check_code,
            }),
            items,
            demonstration: self.settings().demonstration,
        })
    }
}

fn drawn(
    outcome: Result<Result<Vec<u8>, ReceiptError>, tokio::task::JoinError>,
) -> Outcome<Vec<u8>> {
    match outcome {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(AppError::Broken(format!(
            "a receipt can't be drawn: {error}"
        ))),
        Err(_) => Err(AppError::Broken("drawing a receipt broke off".to_owned())),
    }
}
