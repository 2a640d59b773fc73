//! What a client does by a link. Every token that opens nothing gets the same answer, `None`.

use cabinet_domain::{AuditAction, Locale, OrderId, Origin};
use cabinet_receipts::PaymentCodes;
use cabinet_storage::client_link::client_links;
use cabinet_storage::{Change, StorageError, Tx};
use secrecy::SecretString;

use super::ClientLinks;
use super::page::{ClientPage, read_page};
use crate::audit::AuditEntry;
use crate::documents::ReceiptRequest;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::Result;
use crate::payment::Payer;

impl ClientLinks {
    /// Returns the order of a token. With `ask`, the acquirer is asked first if the outcome is open.
    pub async fn page(&self, token: &SecretString, ask: bool) -> Result<Option<ClientPage>> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(None);
        };
        if ask {
            self.payments.inquire_if_open(opened.order).await?;
        }
        let writes_letters = self.notifier.writes_letters();
        let (delays, now) = (self.payments.settler.delays, self.clock.now());
        let read = move |tx: &mut Tx| read_page(tx, &opened, writes_letters, (&delays, now));
        Ok(self.store.read(read).await?)
    }

    /// Returns the order that a token opens.
    pub async fn order_of(&self, token: &SecretString) -> Result<Option<OrderId>> {
        let opened = self.of_token(token).await?;
        Ok(opened.map(|opened| opened.order))
    }

    /// Records that a person has the page of a token before them, where nobody had before. Programs that only fetch the page, to show
    /// a preview of it, do not come so far.
    pub async fn record_opening(&self, token: &SecretString, origin: Origin) -> Result<()> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(());
        };
        if opened.link.opened_at.is_some() {
            return Ok(());
        }
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let is_first = client_links::record_opening(tx, &opened.digest, unit.now)?;
            if is_first {
                tx.announce(Change::Order(opened.notary, opened.order));
                AuditEntry::new(AuditAction::ClientLinkOpened)
                    .of_notary(opened.notary)
                    .on_order(opened.order)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await?;
        Ok(())
    }

    /// Returns the acquirer's page of the order, by the rules of [`crate::payment::Payments::renew_invoice`]. `despite_codes`: the client
    /// says that nobody paid by the QR codes.
    ///
    /// # Errors
    /// As there.
    pub async fn pay(
        &self,
        token: &SecretString,
        despite_codes: bool,
        origin: Origin,
    ) -> Result<Option<PayPage>> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(None);
        };
        let order = opened.order.to_string();
        let url = self
            .payments
            .payment_page(
                (opened.notary.into(), Payer::Client),
                &order,
                despite_codes,
                origin,
            )
            .await?;
        Ok(Some(PayPage {
            url,
            order,
            seconds: opened
                .link
                .ends_at
                .duration_since(self.clock.now())
                .as_secs(),
        }))
    }

    /// Returns the QR codes of the order, by the rules of [`crate::payment::Payments::codes`].
    ///
    /// # Errors
    /// As there.
    pub async fn codes(
        &self,
        token: &SecretString,
        locale: Locale,
        origin: Origin,
    ) -> Result<Option<PaymentCodes>> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(None);
        };
        let order = opened.order.to_string();
        let codes = self
            .payments
            .codes(opened.notary, &order, locale, origin)
            .await?;
        Ok(Some(codes))
    }

    /// Returns a receipt of the paid order.
    ///
    /// # Errors
    /// As [`crate::documents::Receipts::of_order`].
    pub async fn receipt(
        &self,
        token: &SecretString,
        request: ReceiptRequest,
        origin: Origin,
    ) -> Result<Option<DownloadFile>> {
        let Some(opened) = self.of_token(token).await? else {
            return Ok(None);
        };
        let order = opened.order.to_string();
        let file = self
            .receipts
            .of_order(opened.notary, &order, request, origin)
            .await?;
        Ok(Some(file))
    }
}

/// The acquirer's page on which a client pays.
pub struct PayPage {
    /// Its address.
    pub url: String,
    /// The id of the order: the acquirer leads back to an address with it.
    pub order: String,
    /// For how long the link still lives.
    pub seconds: i64,
}
