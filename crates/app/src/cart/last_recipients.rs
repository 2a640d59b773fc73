//! Whom the notary's latest fees went to, and how her latest deals were answered: the next one is probably alike.

use cabinet_domain::{NotaryId, RegionId, RequisiteId, kyiv_date};
use cabinet_reference::{PaymentType, ReferenceData, Term};
use cabinet_storage::Tx;
use cabinet_storage::cart::items;
use cabinet_storage::deal::deals::{self, LastAnswers};
use jiff::Timestamp;

use super::Cart;
use super::fee::{account_on, check_account};
use crate::kernel::refusal::Result;

/// The region of the latest fees, and a recipient that still takes such a fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRecipient {
    /// The region.
    pub region: RegionId,
    /// `None`: none of the latest recipients takes such a fee.
    pub requisite: Option<RequisiteId>,
}

/// The recipients of the notary's latest fees, the latest first.
#[derive(Clone, Debug, Default)]
pub struct LastRecipients(Vec<(RegionId, RequisiteId)>);

impl LastRecipients {
    /// Returns the recipient of the latest fee that one of a kind and a term may go to as well. `None`: no fee was paid in a region
    /// that is still known.
    #[must_use]
    pub fn fitting(
        &self,
        reference: &ReferenceData,
        payment_type: &PaymentType,
        term: Option<&Term>,
        now: Timestamp,
    ) -> Option<LastRecipient> {
        let date = kyiv_date(now);
        let fits = |(region, requisite): &(RegionId, RequisiteId)| {
            let region = reference.region(region)?;
            let chosen = reference.requisite(requisite)?;
            let account = account_on(reference, chosen, date)?;
            let is_taken = account.is_of(payment_type.id())
                && check_account(account, Some(region), term, date).is_ok();
            is_taken.then(|| LastRecipient {
                region: region.id().clone(),
                requisite: Some(account.id().clone()),
            })
        };
        self.0.iter().find_map(fits).or_else(|| {
            let mut regions = self.0.iter().map(|(region, _)| region);
            let region = regions.find(|region| reference.region(region).is_some())?;
            Some(LastRecipient {
                region: region.clone(),
                requisite: None,
            })
        })
    }
}

impl Cart {
    /// Returns the recipients of the notary's latest fees.
    pub async fn last_recipients(&self, notary: NotaryId) -> Result<LastRecipients> {
        let read = move |tx: &mut Tx| items::last_recipients(tx, notary);
        Ok(LastRecipients(self.store.read(read).await?))
    }

    /// Returns the answers of the notary's latest deal of each kind.
    pub async fn last_answers(&self, notary: NotaryId) -> Result<LastAnswers> {
        let read = move |tx: &mut Tx| deals::last_answers(tx, notary);
        Ok(self.store.read(read).await?)
    }
}
