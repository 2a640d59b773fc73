//! Receipts of many orders at once: one PDF, or a ZIP that is sent while it is written.

#![expect(
    clippy::disallowed_methods,
    reason = "how long a connection may take what it asked for"
)]

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use cabinet_domain::{Key, Locale, NotaryId, Origin, kyiv_date};
use cabinet_receipts::{ReceiptOrder, receipts_document, receipts_name, receipts_zip};
use cabinet_storage::{StorageError, Tx};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, timeout_at};
use tracing::Span;

use super::Receipts;
use super::receipts::{ReceiptRequest, archive_entries, downloaded, rendered};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::order::own_order::own_order;

/// Orders whose receipts are downloaded at once.
const ORDERS_MAX: usize = 200;
/// The size of a piece of a ZIP, in bytes.
const PIECE: usize = 64 * 1024;
/// Pieces that wait for the receiver.
const PIECES_WAITING: usize = 4;
/// A ZIP that was not taken for so long is given up: it holds a thread that others need, too.
const TAKEN_WITHIN: Duration = Duration::from_secs(10 * 60);

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

    /// Returns all receipts of orders as a ZIP, which is written while it is read. `place` is dropped once it is written or given up.
    ///
    /// # Errors
    /// As [`Receipts::document_of_many`].
    pub async fn archive_of_many(
        &self,
        notary: NotaryId,
        orders: &[String],
        locale: Locale,
        origin: Origin,
        place: impl Send + 'static,
    ) -> Result<GrowingFile> {
        let receipts = self.many(notary, orders, locale).await?;
        self.record_many(notary, &receipts, "all", origin).await?;
        let (pieces, received) = channel(PIECES_WAITING + 1);
        // An error has a place of its own, so that it arrives although nothing is taken.
        let last = pieces.clone().reserve_owned().await.ok();
        // Nobody waits for it: it ends by itself when the receiver is gone, or takes nothing.
        let span = Span::current();
        tokio::task::spawn_blocking(move || {
            let _place = place;
            let _entered = span.enter();
            let outlet = Pieces::to(pieces, Instant::now() + TAKEN_WITHIN);
            let entries = receipts
                .iter()
                .flat_map(|receipt| archive_entries(receipt, locale));
            let written = receipts_zip(entries, outlet)
                .map_err(io::Error::other)
                .and_then(|mut outlet| outlet.flush());
            if let Err(error) = written {
                tracing::error!(%error, "A ZIP of receipts was not completed");
                if let Some(last) = last {
                    last.send(Err(error));
                }
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

/// Collects what is written into pieces, and waits until each is taken, up to a moment.
struct Pieces {
    taken_by: Sender<io::Result<Vec<u8>>>,
    runtime: Handle,
    until: Instant,
    piece: Vec<u8>,
}

impl Pieces {
    /// Must be called on a thread of the pool for blocking work.
    fn to(taken_by: Sender<io::Result<Vec<u8>>>, until: Instant) -> Pieces {
        Pieces {
            taken_by,
            runtime: Handle::current(),
            until,
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
        let taken = timeout_at(self.until, self.taken_by.send(Ok(piece)));
        match self.runtime.block_on(taken) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_archive_taken_slowly_leaves_room_for_others() {
        let (pieces, mut received) = channel(PIECES_WAITING);
        let until = Instant::now() + Duration::from_millis(50);
        let whole = vec![7; PIECE];
        let given = whole.clone();
        let written = tokio::task::spawn_blocking(move || {
            let mut outlet = Pieces::to(pieces, until);
            (0..2 * PIECES_WAITING).try_for_each(|_| outlet.write_all(&given))
        });
        let error = written.await.unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        // What was written before is whole.
        let first = received.recv().await.unwrap().unwrap();
        assert_eq!(first, whole);
    }
}
