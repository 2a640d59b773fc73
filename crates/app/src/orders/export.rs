//! The payments of a search as a table for a spreadsheet program.

use cabinet_domain::{Key, Locale, NotaryId, kyiv_date};
use cabinet_receipts::{PaymentRow, payments_workbook, workbook_name};
use cabinet_storage::order_list::{self, ListedOrder, OrderFilter};

use super::receipts::ReceiptFile;
use super::view::{OrderSearch, Wanted, read_search};
use crate::App;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal, Sort};

/// Payments of a table at most: some years of a busy notary. So many are made in about a second and 80 megabytes; more would
/// press the other work of the cabinet.
const PAYMENTS_MAX: usize = 20_000;
/// Orders read at once: each reading is a unit of work of its own, so that none stays open for long.
const ORDERS_AT_ONCE: u32 = 500;

impl App {
    /// Every payment of the notary's orders that a search finds, newest order first, as a workbook. Page and limit of the search
    /// count for nothing.
    ///
    /// # Errors
    /// The keys of the fields; `export_too_large`.
    pub async fn export_orders(
        &self,
        notary: NotaryId,
        search: OrderSearch,
        locale: Locale,
        errors: FieldErrors,
    ) -> Outcome<ReceiptFile> {
        let Wanted { filter, days, .. } = read_search(&search, errors)?;
        let period = match days {
            (Some(from), Some(to)) => (from, Some(to)),
            _ => (kyiv_date(self.now()), None),
        };
        let _turn = self.inner.table_maker.acquire().await;
        let rows = self.payment_rows(notary, filter, locale).await?;
        let count = rows.len();
        let making = tokio::task::spawn_blocking(move || payments_workbook(rows, locale));
        let bytes = match making.await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => {
                return Err(AppError::Broken(format!("a table can't be made: {error}")));
            }
            Err(_) => return Err(AppError::Broken("making a table broke off".to_owned())),
        };
        tracing::info!(notary.id = %notary, payments = count, "A notary took payments away as a table");
        Ok(ReceiptFile {
            name: workbook_name(period.0, period.1),
            bytes,
        })
    }

    async fn payment_rows(
        &self,
        notary: NotaryId,
        mut filter: OrderFilter,
        locale: Locale,
    ) -> Outcome<Vec<PaymentRow>> {
        filter.before = None;
        let mut rows = Vec::new();
        loop {
            let wanted = filter.clone();
            let page = self
                .inner
                .store
                .read_long(move |tx| order_list::page_of(tx, notary, &wanted, ORDERS_AT_ONCE))
                .await?;
            let Some(last) = page.last() else {
                return Ok(rows);
            };
            filter.before = Some(last.order.id);
            for listed in &page {
                payments_of(listed, locale, &mut rows)?;
            }
            if rows.len() > PAYMENTS_MAX {
                return Err(Refusal::new(Sort::Invalid, Key::ExportTooLarge).into());
            }
        }
    }
}

/// Appends a row for each payment of an order.
fn payments_of(listed: &ListedOrder, locale: Locale, rows: &mut Vec<PaymentRow>) -> Outcome<()> {
    let order = &listed.order;
    for item in &listed.items {
        let content = &item.content;
        let broken =
            |_| AppError::Broken(format!("item {} of order {} has no sum", item.id, order.id));
        let requisite = content.requisite.as_ref();
        let name_of = |names: &cabinet_storage::items::Names| names.in_locale(locale).to_owned();
        rows.push(PaymentRow {
            order_number: order.number,
            created_at: order.created_at,
            client_name: order.client.full_name.as_str().to_owned(),
            client_code: order.client.inn.as_str().to_owned(),
            kind: content.kind,
            option: content.option.as_ref().map(|chosen| name_of(&chosen.names)),
            term: content.term.as_ref().map(|chosen| name_of(&chosen.names)),
            // Of an administrative fee the notary's own account gets a share; the recipient is whom the fee is paid to.
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
            commission: content.price.commission,
            sum: content.price.sum().map_err(broken)?,
            total: content.total().map_err(broken)?,
            status: order.status,
            paid_at: order.paid_at,
            card: order.pan.clone(),
        });
    }
    Ok(())
}
