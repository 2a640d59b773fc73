//! The standing of an account, and the status of its notary, on the wire.

use cabinet_domain::AccountStanding as DomainStanding;
use cabinet_domain::NotaryStatus as DomainStatus;
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

/// The status of a notary. It decides which kinds of payment are offered.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotaryStatus {
    /// A private notary: 60 % of an administrative fee is hers.
    Private,
    /// A notary of a state office: the whole fee goes to the budget.
    State,
    /// The activity is stopped: payments can be prepared, but not ordered.
    Suspended,
}

impl From<DomainStatus> for NotaryStatus {
    fn from(status: DomainStatus) -> NotaryStatus {
        match status {
            DomainStatus::Private => NotaryStatus::Private,
            DomainStatus::State => NotaryStatus::State,
            DomainStatus::Suspended => NotaryStatus::Suspended,
        }
    }
}
