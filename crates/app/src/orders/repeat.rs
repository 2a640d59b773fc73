//! `GET /order/item/{id}/repeat`: the data that prefills the form with an earlier payment.

use cabinet_domain::RequisiteId;
use cabinet_domain::{ItemId, NotaryId, Order, OrderItem, kyiv_date};
use cabinet_storage::{StorageError, erasure, orders};

use super::Orders;
use crate::cart::{OwnCodes, account_on, refusal_today};
use crate::own_order::not_found;
use crate::refusal::Result;

/// An earlier item, and what of it is available today.
#[derive(Clone, Debug)]
pub struct RepeatView {
    /// Its order.
    pub order: Order,
    /// The item.
    pub item: OrderItem,
    /// Whether the service is still offered, to a notary of this status.
    pub option_offered: bool,
    /// Whether the term still has a tax in force.
    pub term_offered: bool,
    /// Whether the region is still known.
    pub region_offered: bool,
    /// The recipient's account of today: the same or its replacement.
    pub requisite_today: Option<RequisiteId>,
    /// Whether the template is still offered.
    pub template_offered: bool,
    /// Whether the price or the account is different today, or the kind is not offered any more.
    pub changed: bool,
}

impl Orders {
    /// Returns an earlier payment of the notary.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn repeat(&self, notary: NotaryId, item: &str) -> Result<RepeatView> {
        let id = ItemId::parse(item).ok_or_else(not_found)?;
        let found = self
            .store
            .read(move |tx| match orders::item_of(tx, notary, id)? {
                // There is nobody left for whom it could be repeated.
                Some((order, _)) if erasure::is_anonymised(tx, order.id)? => Ok(None),
                Some(found) => Ok(Some((found, OwnCodes::read(tx, notary)?))),
                None => Ok::<_, StorageError>(None),
            })
            .await?;
        let ((order, item), own_codes) = found.ok_or_else(not_found)?;
        let reference = self.reference.current()?;
        let now = self.clock.now();
        let today = kyiv_date(now);
        let content = &item.content;
        let requisite = content
            .requisite
            .as_ref()
            .and_then(|chosen| reference.requisite(&chosen.id));
        let requisite_today = requisite
            .and_then(|known| account_on(&reference, known, today))
            .map(|requisite| requisite.id().clone());
        let kind_offered = own_codes.status.offers(content.kind);
        let option_offered = content.option.as_ref().is_some_and(|chosen| {
            kind_offered
                && reference
                    .options(&content.payment_type_id, today)
                    .iter()
                    .any(|option| option.id() == &chosen.id)
        });
        let term_offered = content
            .term
            .as_ref()
            .is_some_and(|chosen| reference.term_tax(&chosen.id, today).is_some());
        let region_offered = content
            .region
            .as_ref()
            .is_some_and(|chosen| reference.region(&chosen.id).is_some());
        let template_offered = content.template_id.as_ref().is_some_and(|id| {
            reference.template(id).is_some_and(|template| {
                template.period().contains(today) && reference.may_be_used(template)
            })
        });
        let changed = refusal_today(content, &reference, &own_codes, now).is_some();
        Ok(RepeatView {
            option_offered,
            term_offered,
            region_offered,
            requisite_today,
            template_offered,
            changed,
            order,
            item,
        })
    }
}
