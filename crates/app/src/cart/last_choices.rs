//! `GET /payment-types/last-choices`: what the notary chose the last time.

use cabinet_domain::{Key, NotaryId, OptionId, PaymentTypeId, TermId, kyiv_date};
use cabinet_storage::Tx;
use cabinet_storage::cart::items;

use super::{Cart, LastRecipient};
use crate::kernel::refusal::{Refusal, Result};

/// The choices of the latest fees that may be made today.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastChoices {
    /// The term that was last chosen for the option. `None`: no option was asked about, it was never chosen, or it is not in force.
    pub term: Option<TermId>,
    /// Whom the latest fees went to. `None`: no fee was paid yet.
    pub recipient: Option<LastRecipient>,
}

impl Cart {
    /// Returns what the notary chose the last time for a fee of a kind and an option.
    ///
    /// # Errors
    /// `payment_type_unknown`.
    pub async fn last_choices(
        &self,
        notary: NotaryId,
        payment_type: &str,
        option: Option<&str>,
    ) -> Result<LastChoices> {
        let reference = self.reference.current()?;
        let now = self.clock.now();
        let payment_type = PaymentTypeId::parse(payment_type)
            .and_then(|id| reference.payment_type(&id))
            .ok_or_else(|| Refusal::not_found(Key::PaymentTypeUnknown).on("payment_type_id"))?;
        let option = option.and_then(OptionId::parse);
        let terms = option
            .as_ref()
            .map(|id| reference.terms(id, kyiv_date(now)));
        let terms = terms.unwrap_or_default();
        let last = match option {
            Some(option) if !terms.is_empty() => {
                let read = move |tx: &mut Tx| items::last_term(tx, notary, &option);
                self.store.read(read).await?
            }
            _ => None,
        };
        // The only term of an option is the one that will be chosen.
        let chosen = terms
            .iter()
            .map(|in_force| in_force.term)
            .find(|term| terms.len() == 1 || Some(term.id()) == last.as_ref());
        let recipients = self.last_recipients(notary).await?;
        let mut recipient = recipients.fitting(&reference, payment_type, chosen, now);
        if payment_type.kind().needs_term() && chosen.is_none() {
            // The recipient depends on the term.
            recipient = recipient.map(|found| LastRecipient {
                requisite: None,
                ..found
            });
        }
        Ok(LastChoices {
            term: chosen.map(|term| term.id().clone()),
            recipient,
        })
    }
}
