//! `POST /order/{id}/pay`: charges a saved card for an order that was not paid.

use cabinet_domain::Origin;

use super::request::read_saved_card;
use super::{OrderSummary, Orders};
use crate::kernel::refusal::{FieldErrors, Result};
use crate::order::own_order::own_order;
use crate::payment::approval::Signer;

/// The request of `POST /order/{id}/pay`.
#[derive(Default)]
pub struct PayAgainRequest {
    /// The token of a saved card.
    pub token_id: Option<String>,
    /// Its mask, as it was shown.
    pub pan: Option<String>,
}

impl Orders {
    /// Charges another saved card for an order that was not paid, and returns the order as it is afterwards: paid, declined, at the
    /// bank's confirmation page, or without an answer in progress. If an older page of the order cannot be closed, nothing is
    /// charged, and the order is returned with that page.
    ///
    /// # Errors
    /// The keys of the fields, `card_not_found`, and those of a fresh link: `order_not_found`, `order_not_payable`,
    /// `payment_outcome_unknown`, `order_returned_to_cart`, `order_under_review`, `acquirer_unavailable`, `notary_not_confirmed`,
    /// `account_blocked`, `notary_suspended`, `daily_sum_exceeded`, `too_many_declines`, `payment_codes_given`, `confirmation_required`,
    /// `device_too_new`.
    pub async fn pay_again(
        &self,
        signer: Signer,
        order: &str,
        request: PayAgainRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<OrderSummary> {
        let notary = signer.notary;
        let order = own_order(&self.store, notary, order).await?;
        let (token, pan) =
            read_saved_card(request.token_id.as_ref(), request.pan.as_ref(), errors)?;
        let card = self.saved_card(notary, &token, pan.as_ref()).await?;
        self.payments
            .charge_again(signer, &order, card, origin)
            .await?;
        self.summary(notary, order.id).await
    }
}
