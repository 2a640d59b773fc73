//! The application for the return of money that its recipient has already.

use cabinet_domain::{
    AuditObject, Iban, ItemContent, Key, Line, Locale, NotaryId, Order, Origin, Transfer,
};
use cabinet_receipts::{Application, application, application_name};
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};

use super::Receipts;
use super::receipts::{downloaded, rendered};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::order::own_order::{not_found, own_transfer, transfer_id};

/// Most characters of the reason.
const REASON_CHARS_MAX: usize = 300;

/// What the notary types for the application. Nothing of it is trusted, and nothing of it is stored.
#[derive(Clone, Debug, Default)]
pub struct ApplicationRequest {
    /// Why the money is to be returned.
    pub reason: Option<String>,
    /// The applicant's account.
    pub iban: Option<String>,
}

/// A transfer with what the application names beside it.
struct Found {
    order: Order,
    transfer: Transfer,
    /// What is paid by it.
    content: ItemContent,
}

impl Receipts {
    /// Returns the application for the return of a transfer.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_paid`, `order_refunded`; `part_not_reclaimable` where there is no application for the transfer;
    /// every bad field at once.
    pub async fn application(
        &self,
        notary: NotaryId,
        transfer: &str,
        request: ApplicationRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let id = transfer_id(transfer)?;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some((order, transfer)) = own_transfer(tx, notary, id)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            let item = items.into_iter().find(|item| item.id == transfer.item_id);
            Ok(item.map(|item| Found {
                order,
                transfer,
                content: item.content,
            }))
        };
        let found = self.store.read(read).await?;
        let Found {
            order,
            transfer,
            content,
        } = found.ok_or_else(not_found)?;
        // The application is Ukrainian in every language of the pages: an authority reads it.
        let receipt = self.receipt_order(notary, order, Locale::Uk).await?;
        let given = content.cbc_code.as_ref();
        let form = transfer
            .return_application(content.kind, given)
            .ok_or_else(|| Refusal::conflict(Key::PartNotReclaimable))?;
        let (reason, iban) = checked(request, errors)?;
        let entry = downloaded(&receipt, "application")
            .of_notary(notary)
            .on(AuditObject::Transfer(id));
        let asked = Application {
            form,
            document_number: transfer.document_number,
            budget_code: transfer.planned.revenue_code(given),
            reason,
            iban,
            made_at: self.clock.now(),
        };
        let rendering = tokio::task::spawn_blocking(move || application(&receipt, &asked));
        let bytes = rendered(rendering.await)?;
        self.record(entry, origin).await?;
        Ok(DownloadFile {
            name: application_name(id),
            bytes,
        })
    }
}

/// Reads what was typed.
fn checked(request: ApplicationRequest, mut errors: FieldErrors) -> Result<(Line, Iban)> {
    errors.refuse_card("reason", request.reason.as_deref());
    let reason = if errors.has("reason") {
        None
    } else {
        let text = request.reason.unwrap_or_default();
        let read = Line::parse(&text, REASON_CHARS_MAX);
        errors.take(
            "reason",
            read.map_err(|error| error.key(Key::FieldRequired)),
        )
    };
    let iban = if errors.has("iban") {
        None
    } else {
        errors.take("iban", Iban::parse(&request.iban.unwrap_or_default()))
    };
    errors.check()?;
    let invalid = || Refusal::new(RefusalKind::Invalid, Key::ValidationFailed);
    Ok(reason.zip(iban).ok_or_else(invalid)?)
}
