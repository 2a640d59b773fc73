//! The acquirers, and how their payment pages differ.

use jiff::SignedDuration;

use crate::kernel::words::words;

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

    /// Whether another card can be tried on the same page after one was declined. With LiqPay a failure is final.
    #[must_use]
    pub const fn takes_several_cards(self) -> bool {
        matches!(self, Self::Monobank)
    }
}
