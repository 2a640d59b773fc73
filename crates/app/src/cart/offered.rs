//! What of a payment that was made before is still offered today: the form is filled with it.

use cabinet_domain::{ItemContent, RequisiteId, kyiv_date};
use cabinet_reference::ReferenceData;
use jiff::Timestamp;

use super::fee::account_on;
use super::own_codes::OwnCodes;
use super::repricing::refusal_today;

/// What of a payment is still offered.
#[derive(Clone, Debug)]
pub struct OfferedToday {
    /// Whether the service is still offered, to a notary of this status.
    pub option: bool,
    /// Whether the term still has a tax in force.
    pub term: bool,
    /// Whether the region is still known.
    pub region: bool,
    /// The recipient's account of today: the same or its replacement.
    pub requisite: Option<RequisiteId>,
    /// Whether the template is still offered.
    pub template: bool,
    /// Whether the price or the account is different today, or the kind is not offered any more.
    pub changed: bool,
}

/// Compares a payment with what is offered now.
pub(crate) fn offered_today(
    content: &ItemContent,
    reference: &ReferenceData,
    own_codes: &OwnCodes,
    now: Timestamp,
) -> OfferedToday {
    let today = kyiv_date(now);
    let requisite = content
        .requisite
        .as_ref()
        .and_then(|chosen| reference.requisite(&chosen.id))
        .and_then(|known| account_on(reference, known, today))
        .map(|requisite| requisite.id().clone());
    let option = content.option.as_ref().is_some_and(|chosen| {
        own_codes.status.offers(content.kind)
            && reference
                .options(&content.payment_type_id, today)
                .iter()
                .any(|option| option.id() == &chosen.id)
    });
    let term = content
        .term
        .as_ref()
        .is_some_and(|chosen| reference.term_tax(&chosen.id, today).is_some());
    let region = content
        .region
        .as_ref()
        .is_some_and(|chosen| reference.region(&chosen.id).is_some());
    let template = content.template_id.as_ref().is_some_and(|id| {
        reference.template(id).is_some_and(|template| {
            template.period().contains(today) && reference.may_be_used(template)
        })
    });
    OfferedToday {
        option,
        term,
        region,
        requisite,
        template,
        changed: refusal_today(content, reference, own_codes, now).is_some(),
    }
}
