//! What files of a bank have told of transfers, counted by outcome, so that it can be set against the bank's page.

use std::collections::BTreeMap;

use cabinet_bank_files::Fact;
use cabinet_domain::{Balance, BankFactKind, Iban, Money, TransferStatus};

/// What a file told of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It was marked as sent.
    Sent,
    /// The bank works on it.
    AtWork,
    /// The payer's account was debited.
    Debited,
    /// It was credited.
    Credited,
    /// It came back.
    Returned,
    /// The bank does not carry it out.
    Refused,
    /// What the bank told contradicts itself.
    Disputed,
    /// Nothing that was not known.
    Unchanged,
}

impl Outcome {
    /// Returns its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::AtWork => "at work at the bank",
            Self::Debited => "debited",
            Self::Credited => "credited",
            Self::Returned => "returned",
            Self::Refused => "refused",
            Self::Disputed => "disputed",
            Self::Unchanged => "unchanged",
        }
    }

    /// Returns what a row of the operator's table tells.
    pub(crate) const fn of_status(status: TransferStatus) -> Outcome {
        match status {
            TransferStatus::Sent => Self::Sent,
            TransferStatus::Credited => Self::Credited,
            TransferStatus::Returned => Self::Returned,
            TransferStatus::Disputed => Self::Disputed,
            TransferStatus::Planned | TransferStatus::CalledOff => Self::Unchanged,
        }
    }

    /// Returns what an entry of a bank's file tells.
    pub(crate) const fn of_entry(fact: &Fact) -> Outcome {
        match fact {
            Fact::UnderWay {
                debited_on: Some(_),
            } => Self::Debited,
            Fact::UnderWay { debited_on: None } => Self::AtWork,
            // Money that came in was understood before.
            Fact::Credited { .. } | Fact::CameIn { .. } => Self::Credited,
            Fact::Returned { .. } | Fact::Reversed { .. } => Self::Returned,
            Fact::Refused { .. } => Self::Refused,
            Fact::Other(_) | Fact::Unread(_) => Self::Unchanged,
        }
    }

    /// Returns what a fact tells.
    #[must_use]
    pub const fn of_fact(kind: BankFactKind) -> Outcome {
        match kind {
            BankFactKind::Debited => Self::Debited,
            BankFactKind::Credited => Self::Credited,
            BankFactKind::Refused => Self::Refused,
            BankFactKind::Returned => Self::Returned,
        }
    }
}

/// How many transfers, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many.
    pub transfers: usize,
    /// Their sum.
    pub amount: Balance,
    /// How many of them go to the budget.
    pub to_budget: usize,
    /// The sum of these.
    pub to_budget_amount: Balance,
}

impl Totals {
    /// Adds a transfer of this sum to this account. Accounts at the Treasury are the budget's.
    pub fn add(&mut self, amount: Money, recipient: &Iban) {
        let amount = Balance::from_kopiykas(amount.kopiykas());
        self.transfers += 1;
        self.amount += amount;
        if recipient.is_treasury() {
            self.to_budget += 1;
            self.to_budget_amount += amount;
        }
    }
}

/// Transfers by what a file told of them. An outcome that no transfer has is missing.
pub type Outcomes = BTreeMap<Outcome, Totals>;
