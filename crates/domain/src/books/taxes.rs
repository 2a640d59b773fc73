//! Help for the quarterly report of a tax agent (annex 4DF of the unified report).

use crate::kernel::words::words;
use crate::{Balance, Money};

words! {
    /// What a payment to the budget is for in a report of a tax agent.
    TaxKind {
        /// Personal income tax.
        IncomeTax = "income_tax",
        /// Military levy.
        MilitaryLevy = "military_levy",
    }
}

/// A payment to any requisites of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxPayment {
    /// What its budget code is for by the reference data. `None`: something else, or no code.
    pub kind: Option<TaxKind>,
    /// The amount without the commission.
    pub amount: Money,
}

/// What the payments of one order say about one deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaxLine {
    /// The income tax, if any was paid.
    pub income_tax: Option<Balance>,
    /// The military levy, if any was paid.
    pub military_levy: Option<Balance>,
    /// The rest: other payments to requisites in the same order.
    pub other: Option<Balance>,
}

impl TaxLine {
    /// Returns whether the order has a tax.
    #[must_use]
    pub const fn has_tax(&self) -> bool {
        self.income_tax.is_some() || self.military_levy.is_some()
    }
}

/// Adds up the payments of one order.
#[must_use]
pub fn tax_line(payments: &[TaxPayment]) -> TaxLine {
    let sum = |kind: Option<TaxKind>| {
        let mut of_kind = payments
            .iter()
            .filter(|payment| payment.kind == kind)
            .peekable();
        of_kind.peek()?;
        Some(of_kind.map(|payment| payment.amount.into()).sum())
    };
    TaxLine {
        income_tax: sum(Some(TaxKind::IncomeTax)),
        military_levy: sum(Some(TaxKind::MilitaryLevy)),
        other: sum(None),
    }
}
