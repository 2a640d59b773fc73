//! `POST /order/{id}/repeat`: all payments of an earlier order go into the cart again, as they cost today.

use cabinet_domain::{Iban, ItemContent, Key, NotaryId, Okpo, Order, OrderItem, SessionId};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};
use jiff::SignedDuration;

use super::Cart;
use super::add::{AddedItem, KeyedRequest, NewItem};
use super::check::check;
use super::edit::request_today;
use super::own_codes::OwnCodes;
use super::request::PaymentRequest;
use crate::kernel::idempotency::Fingerprint;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::order::own_order::{not_found, own_order};

/// The payments of an order that are in the cart again.
#[derive(Clone, Copy, Debug)]
pub struct RepeatedOrder {
    /// Rows in the cart once they were added.
    pub items_count: i64,
    /// How many payments were added.
    pub added: usize,
}

/// What of the order and its notary is needed.
struct Earlier {
    items: Vec<OrderItem>,
    codes: OwnCodes,
    /// The account of the profile, to which her share of a fee goes now.
    iban: Option<Iban>,
}

impl Cart {
    /// Puts all payments of an order into its client's group again, as many units as then, to today's accounts and at today's
    /// prices: all of them, or none. Requests with the same `key` add once and get the same answer. `despite_codes`: the notary says that
    /// nobody paid by the QR codes of the unpaid order.
    ///
    /// # Errors
    /// `order_not_found`; `payment_codes_given` where somebody may have paid by QR codes; `order_not_repeatable` with the key of each payment that can't be made today, as `items.<id>`; and what
    /// [`Cart::add`] refuses.
    pub async fn repeat_order(
        &self,
        (notary, session): (NotaryId, SessionId),
        order: &str,
        key: Option<&str>,
        despite_codes: bool,
    ) -> Result<RepeatedOrder> {
        let order = own_order(&self.store, notary, order).await?;
        let keyed = key
            .map(|key| KeyedRequest::read(key, fingerprint(&order)))
            .transpose()?;
        let earlier = self.earlier(notary, &order).await?;
        let added = earlier.items.len();
        if let Some(before) = self.added_before(notary, keyed).await? {
            return Ok(repeated(before, added));
        }
        if order.may_be_paid_by_codes() && !despite_codes {
            return Err(Refusal::conflict(Key::PaymentCodesGiven).into());
        }
        let reference = self.reference.current()?;
        let now = self.clock.now();
        let mut errors = FieldErrors::new();
        let mut new: Vec<NewItem> = Vec::new();
        // A millisecond apart: the cart shows items by their time, so in the order of the order.
        let moments = (0..).map(|number| now + SignedDuration::from_millis(number));
        for (item, moment) in earlier.items.iter().zip(moments) {
            // A repeated payment is one for this year, whatever the earlier one was for.
            let request = PaymentRequest {
                filing_year: None,
                ..request_today(&order.client, &item.content, &reference, now)
            };
            let request = to_own_account(request, &item.content, &earlier);
            match check(
                &request,
                FieldErrors::new(),
                &reference,
                &earlier.codes,
                now,
            ) {
                Ok(checked) => {
                    let item = self
                        .new_item((notary, session), checked, moment)
                        .times(item.content.count);
                    new.push(item);
                }
                Err(refusal) => errors.add(format!("items.{}", item.id), refusal.first_key()),
            }
        }
        if errors.iter().next().is_some() {
            let mut refusal = Refusal::conflict(Key::OrderNotRepeatable);
            refusal.errors = errors;
            return Err(refusal.into());
        }
        Ok(repeated(
            self.put((notary, session), new, None, keyed).await?,
            added,
        ))
    }

    async fn earlier(&self, notary: NotaryId, order: &Order) -> Result<Earlier> {
        let id = order.id;
        let read = move |tx: &mut Tx| -> Result<Option<Earlier>, StorageError> {
            // There is nobody left for whom it could be repeated.
            if erasure::is_anonymised(tx, id)? {
                return Ok(None);
            }
            let codes = OwnCodes::read(tx, notary)?;
            Ok(Some(Earlier {
                items: orders::items_of(tx, id)?,
                iban: codes.iban.clone(),
                codes,
            }))
        };
        Ok(self.store.read(read).await?.ok_or_else(not_found)?)
    }
}

/// Sends the notary's share to the account that her profile has now, as the form does.
fn to_own_account(
    request: PaymentRequest,
    content: &ItemContent,
    earlier: &Earlier,
) -> PaymentRequest {
    let Some(iban) = earlier.iban.as_ref() else {
        return request;
    };
    if !content.kind.has_notary_share() {
        return request;
    }
    let okpo = earlier.codes.of_account();
    PaymentRequest {
        iban: Some(iban.as_str().to_owned()),
        okpo: okpo
            .map(|okpo: Okpo| okpo.as_str().to_owned())
            .or(request.okpo),
        ..request
    }
}

const fn repeated(added: AddedItem, count: usize) -> RepeatedOrder {
    RepeatedOrder {
        items_count: added.items_count,
        added: count,
    }
}

fn fingerprint(order: &Order) -> crate::kernel::keys::Digest {
    let mut fingerprint = Fingerprint::default();
    fingerprint.text(Some("repeat"));
    fingerprint.text(Some(&order.id.to_string()));
    fingerprint.digest()
}
