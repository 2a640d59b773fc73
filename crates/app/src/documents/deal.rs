//! The calculation of a deal as a document: before its payments are in the cart, and of an order.

use std::collections::BTreeMap;

use cabinet_domain::{AuditAction, AuditValue, Key, Locale, NotaryId, Origin};
use cabinet_receipts::{DealCalculation, PrintedDeal, deal_calculation, deal_calculation_name};
use cabinet_storage::account::notaries;
use cabinet_storage::deal::deals;
use cabinet_storage::{StorageError, Tx};

use super::Receipts;
use super::receipts::rendered;
use crate::audit::AuditEntry;
use crate::cart::DealDraft;
use crate::kernel::download::DownloadFile;
use crate::kernel::refusal::{Refusal, Result};
use crate::order::own_order::own_order;

impl Receipts {
    /// Returns the document of a deal that is not in the cart. Nothing is stored.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn deal_draft(
        &self,
        notary: NotaryId,
        draft: DealDraft,
        locale: Locale,
    ) -> Result<DownloadFile> {
        let read = move |tx: &mut Tx| notaries::by_id(tx, notary);
        let account = self.store.read(read).await?;
        let account = account.ok_or_else(|| Refusal::not_found(Key::UserNotFound))?;
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let parties = draft.parties.iter().map(|(party, (name, code))| {
            let name = text(name.as_ref().map(|name| name.as_str()));
            (
                *party,
                (name, text(code.as_ref().map(|code| code.as_str()))),
            )
        });
        let printed = PrintedDeal {
            parties: parties.collect(),
            record: draft.record,
        };
        let calculation = DealCalculation {
            notary_name: account.profile.full_name.as_str().to_owned(),
            deals: vec![printed],
            order_number: None,
            made_at: self.clock.now(),
            document_id: format!("deal-{}", self.ids.random_id()),
            sandbox: self.sandbox,
        };
        let name = deal_calculation_name(None);
        let bytes = print(calculation, locale).await?;
        Ok(DownloadFile { name, bytes })
    }

    /// Returns the calculations of the deals that payments of an order come from, as they were put into the cart.
    ///
    /// # Errors
    /// `order_not_found`; `not_found` where no payment comes from a deal.
    pub async fn deal_of_order(
        &self,
        notary: NotaryId,
        order: &str,
        locale: Locale,
        origin: Origin,
    ) -> Result<DownloadFile> {
        let order = own_order(&self.store, notary, order).await?;
        let id = order.id;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let mut printed = Vec::new();
            let mut made_at = None;
            for deal in deals::of_order(tx, notary, id)? {
                let mut parties = BTreeMap::new();
                for (party, client) in deals::parties_of(tx, notary, deal.id)? {
                    let client = (client.full_name.as_str().into(), client.inn.as_str().into());
                    parties.entry(party).or_insert(client);
                }
                made_at = Some(deal.created_at);
                printed.push(PrintedDeal {
                    record: deal.record,
                    parties,
                });
            }
            let account = notaries::by_id(tx, notary)?;
            Ok((printed, made_at, account))
        };
        let (deals, made_at, account) = self.store.read(read).await?;
        let account = account.ok_or_else(|| Refusal::not_found(Key::UserNotFound))?;
        let made_at = made_at.ok_or_else(|| Refusal::not_found(Key::NotFound))?;
        let calculation = DealCalculation {
            notary_name: account.profile.full_name.as_str().to_owned(),
            deals,
            order_number: Some(order.number.to_string()),
            made_at,
            document_id: format!("deal-{id}"),
            sandbox: self.sandbox,
        };
        let bytes = print(calculation, locale).await?;
        let entry = AuditEntry::new(AuditAction::ReceiptsDownloaded)
            .of_notary(notary)
            .on_order(id)
            .with("receipt", AuditValue::word("deal_calculation"));
        self.record(entry, origin).await?;
        let name = deal_calculation_name(Some(id));
        Ok(DownloadFile { name, bytes })
    }
}

async fn print(calculation: DealCalculation, locale: Locale) -> Result<Vec<u8>> {
    let print = move || deal_calculation(&calculation, locale);
    rendered(tokio::task::spawn_blocking(print).await)
}
