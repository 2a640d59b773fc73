//! The acquirers, and how their payment pages differ.

use jiff::SignedDuration;

use super::Missing;
use crate::kernel::words::words;

/// Statements have been late by an hour and more; this is twice that.
pub const SHOWN_WITHIN: SignedDuration = SignedDuration::from_hours(2);

words! {
    /// Who charges the card of an attempt. Everything later about the attempt is asked of the same one.
    AcquirerName {
        /// monobank, "plata by mono".
        Monobank = "monobank",
        /// LiqPay of PrivatBank.
        LiqPay = "liqpay",
    }
}

impl AcquirerName {
    /// How long a payment page can be paid. That of LiqPay can't be closed before, so it is short.
    #[must_use]
    pub const fn page_lifetime(self) -> SignedDuration {
        match self {
            Self::Monobank => SignedDuration::from_hours(24),
            Self::LiqPay => SignedDuration::from_hours(1),
        }
    }

    /// Whether the acquirer keeps an invoice for each page from the moment at which it was made, knows it and can close it. The page of
    /// LiqPay is a signed address: LiqPay knows nothing of it until somebody begins to pay there, and it is open until its time is over.
    #[must_use]
    pub const fn keeps_unpaid_invoices(self) -> bool {
        matches!(self, Self::Monobank)
    }

    /// Whether the state of an invoice lists its refunds by our references. LiqPay tells only how much was given back in all.
    #[must_use]
    pub const fn lists_refunds(self) -> bool {
        matches!(self, Self::Monobank)
    }

    /// The longest time after which a charge stands on the statement, and a refund in the state of its invoice. No acquirer documents one.
    /// LiqPay may queue a refund until the shop has the money.
    #[must_use]
    pub const fn shows_within(self, missing: Missing) -> SignedDuration {
        match (self, missing) {
            (Self::LiqPay, Missing::Refund) => SignedDuration::from_hours(24),
            (_, Missing::Charge | Missing::Refund) => SHOWN_WITHIN,
            // The invoice is known from the moment at which it is made; how long it may still be paid is another question.
            (_, Missing::Invoice) => SignedDuration::ZERO,
        }
    }

    /// Whether another card can be tried on the same page after one was declined. With LiqPay a failure is final.
    #[must_use]
    pub const fn takes_several_cards(self) -> bool {
        matches!(self, Self::Monobank)
    }
}
