//! The income book as a workbook.

use cabinet_domain::{Key, Locale, NotaryId, Origin, Period, income_entries};
use cabinet_receipts::{BookRow, income_book};
use cabinet_storage::StorageError;
use cabinet_storage::books::{self, BookedPart};

use super::{PeriodRequest, ROWS_MAX, Reports};
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};

impl Reports {
    /// Returns the income book of a period.
    ///
    /// # Errors
    /// The keys of the fields; `export_too_large`.
    pub async fn income_book(
        &self,
        notary: NotaryId,
        request: &PeriodRequest,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let (period, _) = request.read()?;
        // Counted first: the book of years has more rows than need be read to refuse it.
        let read = move |tx: &mut cabinet_storage::Tx| {
            let count = books::shares_counted(tx, notary, period)?;
            if count > ROWS_MAX as u64 {
                return Ok(None);
            }
            books::shares_booked(tx, notary, period).map(Some)
        };
        let booked: std::result::Result<_, StorageError> = self.store.read_long(read).await;
        let Some(booked) = booked? else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::ExportTooLarge).into());
        };
        let rows: Vec<BookRow> = booked
            .iter()
            .flat_map(|booked| rows_of(booked, period, locale))
            .collect();
        let count = rows.len();
        let bytes = self
            .make(move || Ok(income_book(rows, period, locale)?))
            .await?;
        self.record(notary, "income_book", count, origin).await?;
        Ok(DownloadFile {
            name: format!("Income-{}-{}.xlsx", period.from(), period.to()),
            bytes,
        })
    }
}

fn rows_of(booked: &BookedPart, period: Period, locale: Locale) -> Vec<BookRow> {
    let entries = income_entries(&booked.part).into_iter();
    let service = booked.service.as_ref().map(|(uk, en)| match locale {
        Locale::Uk => uk.clone(),
        Locale::En => en.clone(),
    });
    entries
        .filter(|entry| period.has(entry.day))
        .map(|entry| BookRow {
            entry,
            client_name: booked.client_name.as_str().to_owned(),
            client_code: booked.client_code.as_str().to_owned(),
            service: service.clone(),
            order_number: booked.order_number,
            document_number: booked.part.document_number,
        })
        .collect()
}
