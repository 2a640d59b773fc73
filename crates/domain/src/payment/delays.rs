//! How late acquirers show what has happened.

use jiff::SignedDuration;

use super::{AcquirerName, Missing};

/// The longest delays of one acquirer that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcquirerDelays {
    /// Until a charge stands on its statement.
    pub statement: SignedDuration,
    /// Until a refund stands in the state of its invoice.
    pub refunds: SignedDuration,
}

impl AcquirerDelays {
    /// Returns the longest of them: after it, everything that has happened is shown.
    #[must_use]
    pub fn longest(self) -> SignedDuration {
        self.statement.max(self.refunds)
    }
}

/// The longest delays of each acquirer that are known. No acquirer documents them, so the operator may know better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delays {
    /// Those of monobank.
    pub monobank: AcquirerDelays,
    /// Those of LiqPay.
    pub liqpay: AcquirerDelays,
}

/// What the settings have without a word of the operator. Statements have been late by an hour and more; this is twice that. LiqPay may queue
/// a refund until the shop has the money.
impl Default for Delays {
    fn default() -> Delays {
        let twice = SignedDuration::from_hours(2);
        Delays {
            monobank: AcquirerDelays {
                statement: twice,
                refunds: twice,
            },
            liqpay: AcquirerDelays {
                statement: twice,
                refunds: SignedDuration::from_hours(24),
            },
        }
    }
}

impl Delays {
    /// Returns those of an acquirer.
    #[must_use]
    pub const fn of(&self, acquirer: AcquirerName) -> AcquirerDelays {
        match acquirer {
            AcquirerName::Monobank => self.monobank,
            AcquirerName::LiqPay => self.liqpay,
        }
    }

    /// Returns how late the statements of all acquirers may be.
    #[must_use]
    pub fn latest_statement(&self) -> SignedDuration {
        self.monobank.statement.max(self.liqpay.statement)
    }

    /// Returns the longest time after which an acquirer shows what is missing now.
    #[must_use]
    pub const fn until(&self, acquirer: AcquirerName, missing: Missing) -> SignedDuration {
        match missing {
            Missing::Charge => self.of(acquirer).statement,
            Missing::Refund => self.of(acquirer).refunds,
            // The invoice is known from the moment at which it is made; how long it may still be paid is another question.
            Missing::Invoice => SignedDuration::ZERO,
        }
    }
}
