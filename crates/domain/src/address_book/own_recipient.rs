//! Recipients that a notary saves for payments to any requisites.

use crate::{BudgetCode, Iban, Line, Okpo, OwnRecipientId};

/// A saved recipient: the requisites of a payment without its client and its amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnRecipient {
    /// The id.
    pub id: OwnRecipientId,
    /// What the notary calls it.
    pub title: Line,
    /// The recipient's name.
    pub recipient_name: Line,
    /// The recipient's account.
    pub iban: Iban,
    /// The recipient's code.
    pub okpo: Okpo,
    /// The budget code. `None`: the account is not one of the budget.
    pub cbc_code: Option<BudgetCode>,
    /// The purpose; may hold `{clientName}` and `{clientIPN}`. `None`: it is typed each time.
    pub purpose: Option<Line>,
}
