//! QR codes of an order: whether they were given out, and whether the notary has marked that the payer paid by them.

use jiff::Timestamp;

use crate::payment::PaymentState;
use crate::{Line, OrderStatus};

/// Longest reference of a payer's receipt, in characters.
pub const CODES_REFERENCE_CHARS_MAX: usize = 100;

/// QR codes that were given out. Nobody can have paid by codes that nobody has, so a payment is a part of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenCodes {
    /// When they were last given out.
    pub given_at: Timestamp,
    /// When they were first given out; of orders of earlier versions, when the order was made. Nobody can have paid by them before.
    pub first_given_at: Timestamp,
    /// The notary's mark that they were paid.
    pub payment: Option<CodesPayment>,
}

/// The notary's mark that the payer paid the recipients by QR codes. The cabinet has not seen this money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesPayment {
    /// When it was marked.
    pub marked_at: Timestamp,
    /// The UETR or reference on the payer's own receipt, as told.
    pub reference: Option<Line>,
}

/// What is known of the QR codes of an order, as far as its payment is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodesState {
    /// None were given out.
    NotGiven,
    /// They were given out, so somebody may have paid by them.
    Given,
    /// The notary has marked that they were paid: nothing may be charged any more.
    Paid,
}

impl CodesState {
    /// Returns whether an order of this status and state of payment is paid by its QR codes. A charge that stands, is under way or in doubt
    /// comes first: then a person asks which of the two payments holds.
    #[must_use]
    pub const fn pays(self, status: OrderStatus, payment_state: PaymentState) -> bool {
        let is_unpaid = matches!(
            status,
            OrderStatus::Failed | OrderStatus::Expired | OrderStatus::Refunded
        );
        matches!(self, Self::Paid)
            && is_unpaid
            && !matches!(payment_state, PaymentState::UnderReview)
    }
}
