//! Receipts of paid orders: PDF documents, and all of an order as a ZIP.

use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, ItemId, Key, Locale, NotaryId, Order, OrderItem,
    OrderStatus, Origin, ReturnedPart, Transfer, TruncatedPan, ends_of_chains, returned_parts,
};
use cabinet_receipts::{
    ArchiveEntry, Operator, ReceiptError, ReceiptItem, ReceiptKind, ReceiptOrder, ReceiptTransfer,
    Returned, Selection, Verification, archive_name, archived_commission_name, archived_item_name,
    commission_receipt, item_receipt_name, order_receipt_name, payment_receipt, receipts_zip,
};
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};

use super::Receipts;
use super::code::code_of;
use super::facts::{ReceiptFacts, recorded};
use crate::audit::AuditEntry;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{AppError, Refusal, Result};
use crate::order::own_order::{not_found, own_order};

/// Which receipt is requested.
#[derive(Clone, Copy, Debug)]
pub struct ReceiptRequest {
    /// For the payment or for the commission.
    pub kind: ReceiptKind,
    /// Its language.
    pub locale: Locale,
}

/// The stored data of a receipt.
struct Paid {
    order: Order,
    items: Vec<OrderItem>,
    transfers: Vec<Transfer>,
    facts: ReceiptFacts,
}

impl Receipts {
    /// Returns a receipt of a paid order.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn of_order(
        &self,
        notary: NotaryId,
        order: &str,
        request: ReceiptRequest,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let order = own_order(&self.store, notary, order).await?;
        let receipt = self.receipt_order(notary, order, request.locale).await?;
        let bytes = self
            .render(receipt.clone(), Selection::Order, request)
            .await?;
        let entry = downloaded(&receipt, request.kind.as_str()).of_notary(notary);
        self.record(entry, origin).await?;
        Ok(DownloadFile {
            name: order_receipt_name(receipt.id, request.kind),
            bytes,
        })
    }

    /// Returns a receipt of one item of a paid order.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn of_item(
        &self,
        notary: NotaryId,
        item: &str,
        request: ReceiptRequest,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let id = ItemId::parse(item).ok_or_else(not_found)?;
        let found = self
            .store
            .read(move |tx| orders::item_of(tx, notary, id))
            .await?;
        let (order, _) = found.ok_or_else(not_found)?;
        let receipt = self.receipt_order(notary, order, request.locale).await?;
        let entry = downloaded(&receipt, request.kind.as_str()).of_notary(notary);
        let bytes = self.render(receipt, Selection::Item(id), request).await?;
        self.record(entry.on(AuditObject::Item(id)), origin).await?;
        Ok(DownloadFile {
            name: item_receipt_name(id, request.kind),
            bytes,
        })
    }

    /// Returns all receipts of a paid order as a ZIP: one for the payment of each item, one for the commission.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn archive(
        &self,
        notary: NotaryId,
        order: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let order = own_order(&self.store, notary, order).await?;
        let receipt = self.receipt_order(notary, order, locale).await?;
        let name = archive_name(receipt.id);
        let entry = downloaded(&receipt, "all").of_notary(notary);
        let rendering = tokio::task::spawn_blocking(move || {
            receipts_zip(archive_entries(&receipt, locale), Vec::new())
        });
        let bytes = rendered(rendering.await)?;
        self.record(entry, origin).await?;
        Ok(DownloadFile { name, bytes })
    }

    /// Returns the code on the receipts of an order; `None` where there are no receipts.
    #[must_use]
    pub fn code(&self, order: &Order) -> Option<String> {
        (order.standing().status == OrderStatus::Paid).then(|| code_of(&self.keys, order))
    }

    /// Records a download before the file is handed out.
    pub(super) async fn record(&self, entry: AuditEntry, origin: Origin) -> Result<()> {
        let recording = entry.record_alone(&self.store, self.ids.unit(), origin);
        Ok(recording.await?)
    }

    /// Renders a receipt. That takes milliseconds of computing, so it runs on a thread of its own.
    async fn render(
        &self,
        order: ReceiptOrder,
        selection: Selection,
        request: ReceiptRequest,
    ) -> Result<Vec<u8>> {
        let rendering = tokio::task::spawn_blocking(move || match request.kind {
            ReceiptKind::Payment => payment_receipt(&order, selection, request.locale),
            ReceiptKind::Commission => commission_receipt(&order, selection, request.locale),
        });
        rendered(rendering.await)
    }

    /// Returns the data of a receipt in the requested language.
    pub(super) async fn receipt_order(
        &self,
        notary: NotaryId,
        order: Order,
        locale: Locale,
    ) -> Result<ReceiptOrder> {
        debug_assert_eq!(order.notary_id, notary);
        if order.is_paid_by_codes() {
            return self.codes_receipt(order, locale).await;
        }
        match order.status {
            OrderStatus::Paid => {}
            OrderStatus::Refunded => return Err(Refusal::conflict(Key::OrderRefunded).into()),
            OrderStatus::InProgress
            | OrderStatus::Pending
            | OrderStatus::Failed
            | OrderStatus::Expired => return Err(Refusal::conflict(Key::OrderNotPaid).into()),
        }
        let (recorder, now) = (self.facts.clone(), self.clock.now());
        let facts = {
            let order = order.clone();
            let read = move |tx: &mut Tx| recorded(tx, &order);
            self.store.read(read).await?
        };
        if facts.is_none() {
            // The order was paid by a version that recorded no facts.
            let order = order.clone();
            let write = move |tx: &mut Tx| {
                let tx = &mut tx.without_notary();
                match payments::lock_case(tx, order.id)? {
                    Some((_locked, OrderCase { case, .. })) => {
                        recorder.record(tx, &order, &case, None, now)
                    }
                    None => Ok(()),
                }
            };
            self.store.write(write).await?;
        }
        let read = move |tx: &mut Tx| -> Result<Option<Paid>, StorageError> {
            let Some(facts) = recorded(tx, &order)? else {
                return Ok(None);
            };
            Ok(Some(Paid {
                items: orders::items_of(tx, order.id)?,
                transfers: transfers::of_order(tx, order.id)?,
                order: order.clone(),
                facts,
            }))
        };
        let paid = self.store.read_long(read).await?;
        // The transfers are not planned yet. An alarm is open about it.
        let paid = paid.ok_or_else(|| Refusal::conflict(Key::ReceiptNotAvailable))?;
        self.receipt_of(paid, locale)
    }

    /// Returns how a receipt with a code is verified.
    pub(super) fn verification(&self, code: String) -> Verification {
        Verification {
            address: format!("{}/check?code={code}", self.public_url),
            code,
        }
    }

    fn receipt_of(&self, paid: Paid, locale: Locale) -> Result<ReceiptOrder> {
        let broken =
            || AppError::Broken(format!("order {} can't be put on a receipt", paid.order.id));
        let facts = &paid.facts;
        let charge = &facts.charge;
        let operator = facts.operator().ok_or_else(broken)?;
        let items: Option<Vec<ReceiptItem>> = paid
            .items
            .iter()
            .map(|item| receipt_item(&paid, item, locale))
            .collect();
        let items = items.ok_or_else(broken)?;
        let check_code = code_of(&self.keys, &paid.order);
        Ok(ReceiptOrder {
            id: paid.order.id,
            number: paid.order.number.to_string(),
            act: paid.order.act.clone(),
            created_at: paid.order.created_at,
            by_codes: None,
            paid_at: facts.paid_at().or(paid.order.paid_at).ok_or_else(broken)?,
            notary_name: facts.notary_name.clone(),
            notary_code: facts.notary_code.clone(),
            provider: operator.provider,
            slip_titles: operator.slip_titles,
            vat: operator.vat,
            fiscal: operator.fiscal,
            operator: Operator {
                name: operator.name,
                code: operator.code,
                iban: operator.iban,
                address: operator.address,
            },
            acquirer_name: charge.acquirer_name.clone(),
            card: charge
                .card
                .as_deref()
                .and_then(|pan| TruncatedPan::parse_mask(pan).ok()),
            payment_system: charge.payment_system.clone(),
            authorisation_code: charge.authorisation_code.clone(),
            rrn: charge.rrn.clone(),
            payment_reference: charge.payment_reference.clone(),
            verification: Some(self.verification(check_code)),
            items,
            sandbox: self.sandbox,
        })
    }
}

/// Returns the files of an order in an archive, each made when it is asked for: one for the payment of each item, one for the commission.
pub(super) fn archive_entries(
    receipt: &ReceiptOrder,
    locale: Locale,
) -> impl Iterator<Item = Result<ArchiveEntry, ReceiptError>> + '_ {
    let dated = receipt.paid_at;
    let of_items = receipt.items.iter().map(move |item| {
        let content = payment_receipt(receipt, Selection::Item(item.id), locale)?;
        Ok(ArchiveEntry {
            name: archived_item_name(receipt, item, locale),
            dated,
            content,
        })
    });
    let of_commission = std::iter::once_with(move || {
        let content = commission_receipt(receipt, Selection::Order, locale)?;
        Ok(ArchiveEntry {
            name: archived_commission_name(receipt, locale),
            dated,
            content,
        })
    });
    of_items.chain(of_commission)
}

/// Returns the entry of the audit trail for a download of receipts.
pub(super) fn downloaded(receipt: &ReceiptOrder, kind: &'static str) -> AuditEntry {
    AuditEntry::new(AuditAction::ReceiptsDownloaded)
        .on_order(receipt.id)
        .with("receipt", AuditValue::word(kind))
}

/// Returns an item as a receipt shows it. `None`: its total overflows.
fn receipt_item(paid: &Paid, item: &OrderItem, locale: Locale) -> Option<ReceiptItem> {
    let content = &item.content;
    let paid_at = paid.facts.paid_at().or(paid.order.paid_at)?;
    let parts = returned_parts(&paid.transfers);
    let transfers = ends_of_chains(&paid.transfers)
        .into_iter()
        .filter(|transfer| transfer.item_id == item.id)
        .map(|transfer| ReceiptTransfer {
            document_number: transfer.document_number,
            // The bank gets what is sent again as a document of its own day.
            made_at: transfer.replaces.map_or(paid_at, |_| transfer.created_at),
            recipient_name: transfer.planned.payee.name.as_str().to_owned(),
            recipient_code: transfer.planned.payee.okpo.as_str().to_owned(),
            bank_name: paid.facts.bank_name(&transfer.planned.payee.iban, locale),
            iban: transfer.planned.payee.iban.clone(),
            purpose: transfer.planned.payee.purpose.as_str().to_owned(),
            budget_code: transfer.planned.revenue_code(content.cbc_code.as_ref()),
            payment_code: transfer.planned.payment_code(),
            amount: transfer.planned.amount,
            role: transfer.planned.role,
            status: transfer.status,
            status_at: transfer.updated_at,
            value_date: transfer.value_date,
            bank: transfer.bank.clone(),
            returned: return_of(&parts, transfer),
            given_back: transfer.is_given_back_unsent(),
        });
    Some(ReceiptItem {
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
        total: content.total().ok()?,
        transfers: transfers.collect(),
    })
}

/// Returns the return of a transfer, or of the one that it sends again.
fn return_of(parts: &[ReturnedPart], transfer: &Transfer) -> Option<Returned> {
    let part = parts.iter().find(|part| part.end().id == transfer.id)?;
    let old = &part.transfer;
    Some(Returned {
        document_number: old.document_number,
        after: part.after(),
        to_card_on: part.to_card_day(),
        on: old.returned_day()?,
        reason: old.reason.clone().unwrap_or_default(),
    })
}

pub(super) fn rendered(
    rendering: Result<Result<Vec<u8>, ReceiptError>, tokio::task::JoinError>,
) -> Result<Vec<u8>> {
    match rendering {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(AppError::Broken(format!(
            "a receipt can't be rendered: {error}"
        ))),
        Err(_) => Err(AppError::Broken("rendering a receipt broke off".to_owned())),
    }
}
