//! Receipts of many orders at once: one PDF, or a ZIP that is sent while it is written.

use std::collections::BTreeSet;
use std::io::{self, Write};

use cabinet_domain::{Key, Locale, NotaryId, Origin, kyiv_date};
use cabinet_receipts::{ReceiptOrder, receipts_document, receipts_name, receipts_zip};
use cabinet_storage::{StorageError, Tx};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Receipts;
use super::documents::{ReceiptRequest, archive_entries, downloaded, rendered};
use crate::download::DownloadFile;
use crate::own_order::own_order;
use crate::refusal::{Refusal, RefusalKind, Result};

/// Orders whose receipts are downloaded at once.
const ORDERS_MAX: usize = 200;
/// The size of a piece of a ZIP, in bytes.
const PIECE: usize = 64 * 1024;
/// Pieces that wait for the receiver.
const PIECES_WAITING: usize = 4;

/// A file that is sent while it is made. An error in it ends it before its end, so that it can't be taken for the whole.
pub struct GrowingFile {
    /// Its name.
    pub name: String,
    /// Its pieces.
    pub pieces: Receiver<io::Result<Vec<u8>>>,
}

impl Receipts {
    /// Returns the receipts of orders, one after the other in one PDF.
    ///
    /// # Errors
    /// As [`Receipts::of_order`] for any of them; `field_required` without an order; `too_many_orders`.
    pub async fn document_of_many(
        &self,
        notary: NotaryId,
        orders: &[String],
        request: ReceiptRequest,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let receipts = self.many(notary, orders, request.locale).await?;
        self.record_many(notary, &receipts, request.kind.as_str(), origin)
            .await?;
        let rendering = tokio::task::spawn_blocking(move || {
            receipts_document(&receipts, request.kind, request.locale)
        });
        Ok(DownloadFile {
            name: receipts_name(kyiv_date(self.clock.now()), "pdf"),
            bytes: rendered(rendering.await)?,
        })
    }

    /// Returns all receipts of orders as a ZIP, which is written while it is read.
    ///
    /// # Errors
    /// As [`Receipts::document_of_many`].
    pub async fn archive_of_many(
        &self,
        notary: NotaryId,
        orders: &[String],
        locale: Locale,
        origin: Origin,
    ) -> Result<GrowingFile> {
        let receipts = self.many(notary, orders, locale).await?;
        self.record_many(notary, &receipts, "all", origin).await?;
        let (pieces, received) = channel(PIECES_WAITING);
        // Nobody waits for it: it ends by itself when the receiver is gone.
        tokio::task::spawn_blocking(move || {
            let outlet = Pieces::to(pieces.clone());
            let entries = receipts
                .iter()
                .flat_map(|receipt| archive_entries(receipt, locale));
            let written = receipts_zip(entries, outlet)
                .map_err(io::Error::other)
                .and_then(|mut outlet| outlet.flush());
            if let Err(error) = written {
                tracing::error!(%error, "A ZIP of receipts was not completed");
                // A receiver that is gone needs no error.
                let _ = pieces.blocking_send(Err(error));
            }
        });
        Ok(GrowingFile {
            name: receipts_name(kyiv_date(self.clock.now()), "zip"),
            pieces: received,
        })
    }

    /// Returns the data of the receipts of orders, each once, in the order of the request.
    async fn many(
        &self,
        notary: NotaryId,
        orders: &[String],
        locale: Locale,
    ) -> Result<Vec<ReceiptOrder>> {
        let refused = |key| Refusal::new(RefusalKind::Invalid, key).on("order_ids");
        if orders.is_empty() {
            return Err(refused(Key::FieldRequired).into());
        }
        if orders.len() > ORDERS_MAX {
            return Err(refused(Key::TooManyOrders).into());
        }
        let mut known = BTreeSet::new();
        let mut receipts = Vec::with_capacity(orders.len());
        for order in orders {
            let order = own_order(&self.store, notary, order).await?;
            if known.insert(order.id) {
                receipts.push(self.receipt_order(notary, order, locale).await?);
            }
        }
        Ok(receipts)
    }

    /// Records the download of each order before anything is handed out.
    async fn record_many(
        &self,
        notary: NotaryId,
        receipts: &[ReceiptOrder],
        kind: &'static str,
        origin: Origin,
    ) -> Result<()> {
        let entries: Vec<_> = receipts
            .iter()
            .map(|receipt| downloaded(receipt, kind).of_notary(notary))
            .collect();
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let mut unit = unit.clone();
            entries
                .iter()
                .try_for_each(|entry| entry.clone().record(tx, &mut unit, &origin))
        };
        Ok(self.store.write(write).await?)
    }
}

/// Collects what is written into pieces, and waits until each is taken.
struct Pieces {
    taken_by: Sender<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
}

impl Pieces {
    fn to(taken_by: Sender<io::Result<Vec<u8>>>) -> Pieces {
        Pieces {
            taken_by,
            piece: Vec::with_capacity(PIECE),
        }
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.taken_by
            .blocking_send(Ok(piece))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
