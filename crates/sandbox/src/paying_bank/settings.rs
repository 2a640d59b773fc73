//! What the paying bank is told when it starts.

use std::fmt;

/// The customer of the paying bank: the operator, who pays the transfers out.
#[derive(Clone, PartialEq, Eq)]
pub struct Customer {
    /// The name.
    pub name: String,
    /// The code in the register of enterprises.
    pub code: String,
    /// The account.
    pub iban: String,
}

/// Hides the account.
impl fmt::Debug for Customer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Customer(…)")
    }
}

/// Settings of the paying bank.
#[derive(Clone, Debug)]
pub struct PayingBankSettings {
    /// Whose account it keeps. Files that name another payer are refused.
    pub customer: Customer,
    /// Kopiykas on that account before the first payment.
    pub opening_balance: i64,
    /// The table of recipients' accounts as CSV: the columns `iban`, `edrpou` and `budget_codes`. The Treasury knows these pairs.
    pub recipients: String,
}

impl Default for PayingBankSettings {
    /// The operator of the demonstration, with ten million hryvnias, and the recipients of the starter set.
    fn default() -> Self {
        Self {
            customer: Customer {
                name: "ТОВ «Демонстраційний кабінет»".to_owned(),
                code: "32855961".to_owned(),
                iban: "UA573220010000026007233566001".to_owned(),
            },
            opening_balance: 1_000_000_000,
            recipients: include_str!("../../../../reference-data/requisites.csv").to_owned(),
        }
    }
}
