//! Reports of a notary, her books, and the operator's accounts.

mod accountant;
mod day_of_transfers;
mod income_book;
mod overview;
mod request;
mod tax_quarter;

use std::sync::Arc;

use cabinet_domain::{AuditAction, AuditValue, NotaryId, Origin};
use cabinet_storage::Store;
use tokio::sync::Semaphore;
use tracing::Span;

use crate::audit::AuditEntry;
use crate::catalogue::reference::Reference;
use crate::kernel::ids::Ids;
use crate::kernel::refusal::{AppError, Result};

pub use accountant::{Accountant, Act, Daily, DailyRow};
pub use cabinet_storage::books::accountant::{GivenBack, RefundKind};
pub use day_of_transfers::{DayOfTransfers, TransferOfDay};
pub use request::PeriodRequest;

/// Makes reports and books.
#[derive(Clone)]
pub struct Reports {
    pub(crate) store: Store,
    pub(crate) ids: Ids,
    pub(crate) reference: Reference,
    /// Held while a workbook is made: the same as for the export of the archive.
    pub(crate) workbook_permit: Arc<Semaphore>,
}

/// Rows of a workbook at most.
const ROWS_MAX: usize = 20_000;

impl Reports {
    /// Makes a workbook outside of the runtime's threads, one after the other.
    async fn make<F>(&self, make: F) -> Result<Vec<u8>>
    where
        F: FnOnce() -> Result<Vec<u8>> + Send + 'static,
    {
        let permit = Arc::clone(&self.workbook_permit).acquire_owned().await;
        let span = Span::current();
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            span.in_scope(make)
        })
        .await
        .map_err(|_| AppError::Broken("making a table broke off".to_owned()))?
    }

    async fn record(
        &self,
        notary: NotaryId,
        book: &'static str,
        rows: usize,
        origin: Origin,
    ) -> Result<()> {
        AuditEntry::new(AuditAction::OrdersExported)
            .of_notary(notary)
            .with("book", AuditValue::word(book))
            .with("payments", AuditValue::count(rows as u64))
            .record_alone(&self.store, self.ids.unit(), origin)
            .await?;
        tracing::info!(notary.id = %notary, book, rows, "A notary took a book away as a table");
        Ok(())
    }
}
