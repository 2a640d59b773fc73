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

/// How an acquirer differs from the others.
struct Traits {
    page_lifetime: SignedDuration,
    keeps_unpaid_invoices: bool,
    lists_refunds: bool,
    takes_several_cards: bool,
}

impl AcquirerName {
    /// The table of the acquirers: a new one is a row here, and nobody is taken for another one.
    const fn traits(self) -> Traits {
        match self {
            Self::Monobank => Traits {
                page_lifetime: SignedDuration::from_hours(24),
                keeps_unpaid_invoices: true,
                lists_refunds: true,
                takes_several_cards: true,
            },
            Self::LiqPay => Traits {
                page_lifetime: SignedDuration::from_hours(1),
                keeps_unpaid_invoices: false,
                lists_refunds: false,
                takes_several_cards: false,
            },
        }
    }

    /// How long a payment page can be paid. That of LiqPay can't be closed before, so it is short.
    #[must_use]
    pub const fn page_lifetime(self) -> SignedDuration {
        self.traits().page_lifetime
    }

    /// Whether the acquirer keeps an invoice for each page from the moment at which it was made, knows it and can close it. The page of
    /// LiqPay is a signed address: LiqPay knows nothing of it until somebody begins to pay there, and it is open until its time is over.
    #[must_use]
    pub const fn keeps_unpaid_invoices(self) -> bool {
        self.traits().keeps_unpaid_invoices
    }

    /// Whether the state of an invoice lists its refunds by our references. LiqPay tells only how much was given back in all.
    #[must_use]
    pub const fn lists_refunds(self) -> bool {
        self.traits().lists_refunds
    }

    /// Whether another card can be tried on the same page after one was declined. With LiqPay a failure is final.
    #[must_use]
    pub const fn takes_several_cards(self) -> bool {
        self.traits().takes_several_cards
    }
}
