//! The payments of a search as a workbook.

use std::sync::Arc;

use cabinet_domain::{
    AuditAction, AuditValue, Key, Locale, Money, Names, NotaryId, OrderStatus, Origin, PaidBy,
    PartRole, kyiv_date,
};
use cabinet_receipts::{PaymentRow, WorkbookError, payments_workbook, workbook_name};
use cabinet_storage::Store;
use cabinet_storage::order::order_list::{self, ListedOrder, OrderFilter};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tracing::Span;

use super::Orders;
use super::search::{OrderSearch, ValidSearch, read_search};
use crate::audit::AuditEntry;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};

/// Payments of a workbook at most: some years of a busy notary. They take about a second and 80 megabytes; more would slow down
/// the other work of the cabinet.
const PAYMENTS_MAX: usize = 20_000;
/// Orders that are read at once. Each read is a unit of work of its own, so none stays open while the workbook is written.
const ORDERS_AT_ONCE: u32 = 500;

impl Orders {
    /// Returns every payment of the orders that a search finds, newest order first, as a workbook. The limit and the page of the
    /// search are ignored.
    ///
    /// # Errors
    /// The keys of the fields; `export_too_large`.
    pub async fn export(
        &self,
        notary: NotaryId,
        search: OrderSearch,
        locale: Locale,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let ValidSearch { filter, days, .. } = read_search(&search, errors)?;
        let (from, to) = match days {
            (Some(from), Some(to)) => (from, Some(to)),
            _ => (kyiv_date(self.clock.now()), None),
        };
        let permit = Arc::clone(&self.workbook_permit).acquire_owned().await;
        let mut payments = Payments {
            store: self.store.clone(),
            notary,
            filter: Some(filter),
            locale,
            read: Vec::new().into_iter(),
            count: 0,
        };
        let runtime = Handle::current();
        let (done, made) = oneshot::channel();
        let make = move || {
            // Held to the end, even if the browser has disconnected.
            let _permit = permit;
            let rows = std::iter::from_fn(|| payments.next(&runtime).transpose());
            let bytes = payments_workbook(rows, locale);
            let _ = done.send(bytes.map(|bytes| (bytes, payments.count)));
        };
        let span = Span::current();
        // A thread of its own, because each thread of the pool would keep as much memory for itself.
        std::thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || span.in_scope(make))
            .map_err(|_| AppError::Broken("no thread to make a table".to_owned()))?;
        let (bytes, count) = made
            .await
            .map_err(|_| AppError::Broken("making a table broke off".to_owned()))??;
        AuditEntry::new(AuditAction::OrdersExported)
            .of_notary(notary)
            .with("payments", AuditValue::count(count as u64))
            .record_alone(&self.store, self.ids.unit(), origin)
            .await?;
        tracing::info!(notary.id = %notary, payments = count, "A notary took payments away as a table");
        Ok(DownloadFile {
            name: workbook_name(from, to),
            bytes,
        })
    }
}

/// The payments of a search. They are read page by page while the workbook is written, so they are never all in memory.
struct Payments {
    store: Store,
    notary: NotaryId,
    /// The next page. `None` after the last one.
    filter: Option<OrderFilter>,
    locale: Locale,
    read: std::vec::IntoIter<PaymentRow>,
    count: usize,
}

impl Payments {
    fn next(&mut self, runtime: &Handle) -> Result<Option<PaymentRow>> {
        loop {
            if let Some(row) = self.read.next() {
                self.count += 1;
                if self.count > PAYMENTS_MAX {
                    return Err(Refusal::new(RefusalKind::Invalid, Key::ExportTooLarge).into());
                }
                return Ok(Some(row));
            }
            let Some(filter) = self.filter.take() else {
                return Ok(None);
            };
            self.read = runtime.block_on(self.page(filter))?.into_iter();
        }
    }

    async fn page(&mut self, filter: OrderFilter) -> Result<Vec<PaymentRow>> {
        let (notary, wanted) = (self.notary, filter.clone());
        let page = self
            .store
            .read_long(move |tx| order_list::page_of(tx, notary, &wanted, ORDERS_AT_ONCE))
            .await?;
        self.filter = page.last().map(|last| OrderFilter {
            before: Some(last.order.id),
            ..filter
        });
        let mut rows = Vec::new();
        for listed in &page {
            payments_of(listed, self.locale, &mut rows)?;
        }
        Ok(rows)
    }
}

/// Appends a row for each payment of an order.
fn payments_of(listed: &ListedOrder, locale: Locale, rows: &mut Vec<PaymentRow>) -> Result<()> {
    let order = &listed.order;
    let standing = order.standing();
    // What codes paid went past the service, without its commission and without a card.
    let is_by_codes = standing.paid_by == Some(PaidBy::Codes);
    let unless_by_codes = |sum: Money| if is_by_codes { Money::ZERO } else { sum };
    for item in &listed.items {
        let content = &item.content;
        let broken =
            |_| AppError::Broken(format!("item {} of order {} has no sum", item.id, order.id));
        let parts = content.price.parts(content.kind).map_err(broken)?;
        let part = |role: PartRole| {
            let amounts = parts.iter().filter(|part| part.role == role);
            Money::sum(amounts.map(|part| part.amount))
                .and_then(|amount| amount.times(content.count))
                .map_err(broken)
        };
        let missing = listed
            .returned
            .iter()
            .filter(|part| part.transfer.item_id == item.id && part.after().is_missing());
        let given_back = listed
            .given_back
            .iter()
            // A refunded order says so itself, commission included.
            .filter(|part| order.status == OrderStatus::Paid && part.item_id == item.id);
        let requisite = content.requisite.as_ref();
        let name_of = |names: &Names| names.in_locale(locale).to_owned();
        rows.push(PaymentRow {
            order_number: order.number,
            created_at: order.created_at,
            client_name: order.client.full_name.as_str().to_owned(),
            client_code: order.client.inn.as_str().to_owned(),
            kind: content.kind,
            option: content.option.as_ref().map(|chosen| name_of(&chosen.names)),
            term: content.term.as_ref().map(|chosen| name_of(&chosen.names)),
            // For an administrative fee this is the recipient of the fee, not the notary, who gets a share.
            recipient_name: match requisite {
                Some(requisite) => Some(requisite.name.clone()),
                None => content
                    .recipient_name
                    .as_ref()
                    .map(|name| name.as_str().to_owned()),
            },
            iban: requisite
                .map(|requisite| &requisite.iban)
                .or(content.iban.as_ref())
                .map(|iban| iban.as_str().to_owned()),
            recipient_code: requisite
                .map(|requisite| &requisite.okpo)
                .or(content.okpo.as_ref())
                .map(|code| code.as_str().to_owned()),
            purpose: content.purpose.as_str().to_owned(),
            count: content.count,
            amount: content.price.amount,
            commission: unless_by_codes(content.price.commission),
            sum: if is_by_codes {
                content.price.amount
            } else {
                content.price.sum
            },
            to_recipient: part(PartRole::Recipient)?,
            to_notary: part(PartRole::Notary)?,
            commission_total: unless_by_codes(
                content
                    .price
                    .commission
                    .times(content.count)
                    .map_err(broken)?,
            ),
            total: unless_by_codes(content.total().map_err(broken)?),
            returned: Money::sum(missing.map(|part| part.transfer.planned.amount))
                .map_err(broken)?,
            given_back: Money::sum(given_back.map(|part| part.planned.amount)).map_err(broken)?,
            status: standing.status,
            paid_at: standing.paid_at,
            paid_by: standing.paid_by,
            credited_on: item
                .codes_credit
                .as_ref()
                .filter(|_| order.codes_payment().is_some())
                .map(|credit| credit.on),
            card: order
                .pan
                .as_ref()
                .filter(|_| !is_by_codes)
                .map(|pan| pan.as_str().to_owned()),
            act: order.act.clone(),
        });
    }
    Ok(())
}

impl From<WorkbookError> for AppError {
    fn from(error: WorkbookError) -> AppError {
        AppError::Broken(format!("a table can't be made: {error}"))
    }
}
