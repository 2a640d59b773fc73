//! The extract of a paid order for the notarial file.

use cabinet_domain::{Locale, NotaryId, Origin};
use cabinet_receipts::{extract, extract_name};

use super::Receipts;
use super::receipts::{downloaded, rendered};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::Result;
use crate::order::own_order::own_order;

impl Receipts {
    /// Returns the extract of a paid order.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`.
    pub async fn extract(
        &self,
        notary: NotaryId,
        order: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let order = own_order(&self.store, notary, order).await?;
        let receipt = self.receipt_order(notary, order, locale).await?;
        let name = extract_name(receipt.id);
        let entry = downloaded(&receipt, "extract").of_notary(notary);
        let bytes = rendered(tokio::task::spawn_blocking(move || extract(&receipt, locale)).await)?;
        self.record(entry, origin).await?;
        Ok(DownloadFile { name, bytes })
    }
}
