//! The standing of an account on the wire.

use cabinet_domain::AccountStanding as DomainStanding;
use schemars::JsonSchema;
use serde::Serialize;

/// Whether the notary may order.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccountStanding {
    /// Nobody has confirmed yet that the owner is a notary.
    Waiting,
    /// The notary may order.
    Confirmed,
    /// The operator did not confirm the owner.
    Refused,
    /// The operator has closed the account.
    Blocked,
}

impl From<DomainStanding> for AccountStanding {
    fn from(standing: DomainStanding) -> AccountStanding {
        match standing {
            DomainStanding::Waiting => AccountStanding::Waiting,
            DomainStanding::Confirmed => AccountStanding::Confirmed,
            DomainStanding::Refused => AccountStanding::Refused,
            DomainStanding::Blocked => AccountStanding::Blocked,
        }
    }
}
