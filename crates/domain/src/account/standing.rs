//! The standing of an account: whether its owner may order (decision 25), and the limits of young accounts (decision 26).

use jiff::{SignedDuration, Timestamp};

use crate::kernel::words::words;
use crate::{Key, Line, Money};

words! {
    /// Whether the owner of an account may order.
    AccountStanding {
        /// Nobody has confirmed yet that the owner is a notary.
        Waiting = "waiting",
        /// The owner is a notary and may order.
        Confirmed = "confirmed",
        /// The operator did not confirm the owner.
        Refused = "refused",
        /// The operator has closed the account: nobody can sign in.
        Blocked = "blocked",
    }
}

words! {
    /// What an account's standing follows from.
    StandingBy {
        /// The sign-up: nobody has looked at it.
        SignUp = "sign_up",
        /// A row of the register of notaries.
        Register = "register",
        /// A command of the operator.
        Operator = "operator",
        /// The installation asks for no confirmation, or asked for none when the account was made.
        Setting = "setting",
    }
}

words! {
    /// Who confirms the owners of new accounts.
    SignUpConfirmation {
        /// The register of notaries; the operator, where it has no fitting row.
        Register = "register",
        /// The operator.
        Operator = "operator",
        /// Nobody: every account is confirmed as soon as its phone is verified.
        Nobody = "none",
    }
}

/// The standing of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether the owner may order.
    pub account: AccountStanding,
    /// The operator's reason.
    pub reason: Option<Line>,
    /// Since when.
    pub since: Timestamp,
    /// What it follows from.
    pub by: StandingBy,
    /// When the owner was confirmed. A block keeps it.
    pub confirmed_at: Option<Timestamp>,
}

impl Standing {
    /// Returns why the owner may not order or pay.
    #[must_use]
    pub const fn refusal(&self) -> Option<Key> {
        match self.account {
            AccountStanding::Confirmed => None,
            AccountStanding::Waiting | AccountStanding::Refused => Some(Key::NotaryNotConfirmed),
            AccountStanding::Blocked => Some(Key::AccountBlocked),
        }
    }
}

/// What the operator decides about an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingDecision {
    /// The owner is a notary.
    Confirm,
    /// The owner was not found to be a notary.
    Refuse,
    /// Nobody may use the account any more.
    Block,
    /// The block ends.
    Unblock,
}

impl StandingDecision {
    /// Returns the standing that follows. `None`: the decision does not fit the present one.
    #[must_use]
    pub const fn applied_to(self, standing: &Standing) -> Option<AccountStanding> {
        use AccountStanding::{Blocked, Confirmed, Refused, Waiting};
        match (self, standing.account) {
            (Self::Confirm, Waiting | Refused) => Some(Confirmed),
            (Self::Refuse, Waiting) => Some(Refused),
            (Self::Block, Waiting | Confirmed | Refused) => Some(Blocked),
            // What it was before the block. A refusal is decided anew.
            (Self::Unblock, Blocked) if standing.confirmed_at.is_some() => Some(Confirmed),
            (Self::Unblock, Blocked) => Some(Waiting),
            _ => None,
        }
    }
}

/// Limits that depend on an account's age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountLimits {
    /// An account is young for so long after it was made.
    pub young_for: SignedDuration,
    /// The most that a young account may order within a day.
    pub young_daily_sum_max: Money,
    /// Transfers of young accounts above this wait for the operator.
    pub young_transfer_max: Money,
    /// Declined cards of a young account within an hour.
    pub young_declines_hourly_max: i64,
    /// Declined cards of any other account within an hour.
    pub declines_hourly_max: i64,
}

impl Default for AccountLimits {
    fn default() -> Self {
        Self {
            young_for: SignedDuration::from_hours(24 * 30),
            young_daily_sum_max: hryvnias(200_000),
            young_transfer_max: hryvnias(50_000),
            young_declines_hourly_max: 5,
            declines_hourly_max: 30,
        }
    }
}

/// Returns a sum of whole hryvnias; zero for one that can't be paid.
fn hryvnias(sum: i64) -> Money {
    Money::from_hryvnias(sum).unwrap_or(Money::ZERO)
}

impl AccountLimits {
    /// Returns whether an account that was made at a moment is young.
    #[must_use]
    pub fn is_young(&self, created_at: Timestamp, now: Timestamp) -> bool {
        now.duration_since(created_at) < self.young_for
    }

    /// Returns the number of declined cards after which an account pauses.
    #[must_use]
    pub fn declines_max(&self, created_at: Timestamp, now: Timestamp) -> i64 {
        if self.is_young(created_at, now) {
            self.young_declines_hourly_max
        } else {
            self.declines_hourly_max
        }
    }

    /// Returns whether a transfer of an account waits for the operator.
    #[must_use]
    pub fn holds(&self, created_at: Timestamp, now: Timestamp, amount: Money) -> bool {
        self.is_young(created_at, now) && amount > self.young_transfer_max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(account: AccountStanding, confirmed: bool) -> Standing {
        Standing {
            account,
            reason: None,
            since: Timestamp::UNIX_EPOCH,
            by: StandingBy::SignUp,
            confirmed_at: confirmed.then_some(Timestamp::UNIX_EPOCH),
        }
    }

    #[test]
    fn decisions_fit_some_standings_and_no_others() {
        use AccountStanding::{Blocked, Confirmed, Refused, Waiting};
        use StandingDecision::{Block, Confirm, Refuse, Unblock};
        // Of an account that was never confirmed, and of one that was.
        for (decision, from, never, before) in [
            (Confirm, Waiting, Some(Confirmed), Some(Confirmed)),
            (Confirm, Confirmed, None, None),
            (Confirm, Refused, Some(Confirmed), Some(Confirmed)),
            (Confirm, Blocked, None, None),
            (Refuse, Waiting, Some(Refused), Some(Refused)),
            (Refuse, Confirmed, None, None),
            (Refuse, Refused, None, None),
            (Refuse, Blocked, None, None),
            (Block, Waiting, Some(Blocked), Some(Blocked)),
            (Block, Confirmed, Some(Blocked), Some(Blocked)),
            (Block, Refused, Some(Blocked), Some(Blocked)),
            (Block, Blocked, None, None),
            (Unblock, Waiting, None, None),
            (Unblock, Confirmed, None, None),
            (Unblock, Refused, None, None),
            (Unblock, Blocked, Some(Waiting), Some(Confirmed)),
        ] {
            let decided = |confirmed| decision.applied_to(&standing(from, confirmed));
            assert_eq!(
                (decided(false), decided(true)),
                (never, before),
                "{decision:?} {from:?}"
            );
        }
    }

    #[test]
    fn only_a_confirmed_notary_may_order() {
        for (account, refusal) in [
            (AccountStanding::Waiting, Some(Key::NotaryNotConfirmed)),
            (AccountStanding::Confirmed, None),
            (AccountStanding::Refused, Some(Key::NotaryNotConfirmed)),
            (AccountStanding::Blocked, Some(Key::AccountBlocked)),
        ] {
            assert_eq!(standing(account, false).refusal(), refusal, "{account:?}");
        }
    }

    #[test]
    fn limits_end_with_the_youth_of_an_account() {
        let money = |kopiykas| Money::from_kopiykas(kopiykas).unwrap();
        let limits = AccountLimits {
            young_for: SignedDuration::from_hours(24),
            young_daily_sum_max: money(100),
            young_transfer_max: money(50),
            young_declines_hourly_max: 2,
            declines_hourly_max: 9,
        };
        let made = Timestamp::UNIX_EPOCH;
        let grown = made + SignedDuration::from_hours(24);
        let young = grown - SignedDuration::from_secs(1);
        assert!(limits.is_young(made, young) && !limits.is_young(made, grown));
        assert_eq!(
            (
                limits.declines_max(made, young),
                limits.declines_max(made, grown)
            ),
            (2, 9)
        );
        assert!(limits.holds(made, young, money(51)));
        assert!(!limits.holds(made, young, money(50)));
        assert!(!limits.holds(made, grown, money(51)));
    }
}
