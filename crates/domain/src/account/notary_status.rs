//! The status of a notary: whether she practises privately or in a state notarial office, and whether she practises at
//! all. It decides which kinds of payment she may order (decision 35).
//!
//! 60 % of an administrative fee is the private notary's own; a state notary gets nothing of it, and the whole fee goes to the
//! budget (laws 1952-IV and 755-IV on registrations).

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::{Key, Line, PaymentKind};

words! {
    /// The status of a notary.
    NotaryStatus {
        /// A private notary: she pays fees of which 60 % is hers.
        Private = "private",
        /// A notary of a state office or archive: the whole fee goes to the budget.
        State = "state",
        /// The activity is stopped: payments may be prepared, but nothing new is ordered.
        Suspended = "suspended",
    }
}

words! {
    /// What a notary's status follows from.
    NotaryStatusBy {
        /// Nothing is known: the account counts as a private notary's, has all kinds of payment, and the operator is told of the doubt.
        Default = "default",
        /// A row of the register of notaries.
        Register = "register",
        /// A command of the operator. The register does not overrule it.
        Operator = "operator",
    }
}

/// A notary's status, and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Practice {
    /// The status.
    pub status: NotaryStatus,
    /// What it follows from.
    pub by: NotaryStatusBy,
    /// The operator's reason.
    pub reason: Option<Line>,
    /// Since when.
    pub since: Timestamp,
}

/// What is known of a notary's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownStatus {
    /// The status that the account counts as.
    pub counts_as: NotaryStatus,
    /// What it follows from.
    pub by: NotaryStatusBy,
}

impl KnownStatus {
    /// Of an account of which nobody has told anything.
    pub const UNTOLD: Self = Self {
        counts_as: NotaryStatus::Private,
        by: NotaryStatusBy::Default,
    };

    /// Returns whether a kind of payment is offered: all of them while nobody has told the status, those of the status afterwards.
    #[must_use]
    pub const fn offers(self, kind: PaymentKind) -> bool {
        matches!(self.by, NotaryStatusBy::Default) || self.counts_as.has(kind)
    }

    /// Refuses a kind of payment that is not offered.
    ///
    /// # Errors
    /// [`Key::PaymentTypeNotForStatus`].
    pub const fn kind_rule(self, kind: PaymentKind) -> Result<(), Key> {
        if self.offers(kind) {
            Ok(())
        } else {
            Err(Key::PaymentTypeNotForStatus)
        }
    }
}

impl Practice {
    /// Returns what is known of the status.
    #[must_use]
    pub const fn known(&self) -> KnownStatus {
        KnownStatus {
            counts_as: self.status,
            by: self.by,
        }
    }

    /// Returns whether nobody has said yet that the status is right.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.by == NotaryStatusBy::Default
    }

    /// Returns the status that a row of the register brings. `None`: it stays as it is, because the operator has decided it, or
    /// because the row tells nothing new.
    ///
    /// `told` is `None` for the row of a practising notary that does not say how she practises. It ends a suspension that the
    /// register itself has brought, and nothing is known then.
    #[must_use]
    pub fn told_by_register(
        &self,
        told: Option<NotaryStatus>,
    ) -> Option<(NotaryStatus, NotaryStatusBy)> {
        let after = match (self.by, told) {
            (NotaryStatusBy::Operator, _) => return None,
            (_, Some(status)) => (status, NotaryStatusBy::Register),
            (NotaryStatusBy::Register, None) if self.status == NotaryStatus::Suspended => {
                (NotaryStatus::Private, NotaryStatusBy::Default)
            }
            (_, None) => return None,
        };
        (after != (self.status, self.by)).then_some(after)
    }
}

impl NotaryStatus {
    /// Returns whether a kind of payment is for notaries of this status. Of the two kinds of administrative fee a notary has the one of
    /// her status. A suspended notary prepares whichever she will need.
    #[must_use]
    pub const fn has(self, kind: PaymentKind) -> bool {
        match kind {
            PaymentKind::AdminPayment => !matches!(self, Self::State),
            PaymentKind::AdminGovernmentPayment => !matches!(self, Self::Private),
            PaymentKind::RegistryPayment | PaymentKind::RequisitesPayment => true,
        }
    }

    /// Refuses what a notary whose activity is stopped may not do.
    ///
    /// # Errors
    /// [`Key::NotarySuspended`].
    pub const fn order_rule(self) -> Result<(), Key> {
        match self {
            Self::Suspended => Err(Key::NotarySuspended),
            Self::Private | Self::State => Ok(()),
        }
    }

    /// Reads how a notary practises from the register's words for her office or district: «… державна нотаріальна контора»,
    /// «… нотаріальний округ». `None`: the words tell neither, or both.
    #[must_use]
    pub fn of_office(words: &str) -> Option<Self> {
        let words = words.to_lowercase();
        let has = |part: &str| words.contains(part);
        let is_state = has("державн") || has("нотаріальна контора") || has("нотаріальний архів");
        let is_private = has("приватн") || has("нотаріальний округ");
        match (is_private, is_state) {
            (true, false) => Some(Self::Private),
            (false, true) => Some(Self::State),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_two_administrative_fees_is_for_one_status() {
        use NotaryStatus::{Private, State, Suspended};
        for (kind, who) in [
            (PaymentKind::AdminPayment, vec![Private, Suspended]),
            (PaymentKind::AdminGovernmentPayment, vec![State, Suspended]),
            (PaymentKind::RegistryPayment, NotaryStatus::ALL.to_vec()),
            (PaymentKind::RequisitesPayment, NotaryStatus::ALL.to_vec()),
        ] {
            for status in NotaryStatus::ALL {
                let expected = who.contains(&status);
                assert_eq!(status.has(kind), expected, "{status:?} {kind:?}");
                for by in NotaryStatusBy::ALL {
                    let known = KnownStatus {
                        counts_as: status,
                        by,
                    };
                    let expected = expected || by == NotaryStatusBy::Default;
                    assert_eq!(known.offers(kind), expected, "{known:?} {kind:?}");
                    assert_eq!(known.kind_rule(kind).is_ok(), expected);
                }
            }
        }
    }

    #[test]
    fn only_a_suspended_notary_may_not_order() {
        assert_eq!(
            NotaryStatus::Suspended.order_rule(),
            Err(Key::NotarySuspended)
        );
        assert_eq!(NotaryStatus::Private.order_rule(), Ok(()));
        assert_eq!(NotaryStatus::State.order_rule(), Ok(()));
    }

    #[test]
    fn offices_and_districts_tell_how_a_notary_practises() {
        for (words, status) in [
            (
                "Перша київська державна нотаріальна контора",
                Some(NotaryStatus::State),
            ),
            (
                "ЛЬВІВСЬКИЙ ОБЛАСНИЙ ДЕРЖАВНИЙ НОТАРІАЛЬНИЙ АРХІВ",
                Some(NotaryStatus::State),
            ),
            (
                "Київський міський нотаріальний округ",
                Some(NotaryStatus::Private),
            ),
            ("приватний нотаріус", Some(NotaryStatus::Private)),
            ("державний нотаріус", Some(NotaryStatus::State)),
            ("", None),
            ("м. Київ", None),
            ("приватний або державний", None),
        ] {
            assert_eq!(NotaryStatus::of_office(words), status, "{words}");
        }
    }

    #[test]
    fn the_register_changes_what_the_operator_has_not_decided() {
        use NotaryStatus::{Private, State, Suspended};
        use NotaryStatusBy::{Default, Operator, Register};
        for (status, by, told, after) in [
            (Private, Default, Some(State), Some((State, Register))),
            (Private, Default, Some(Private), Some((Private, Register))),
            (Private, Default, None, None),
            (State, Register, Some(State), None),
            (
                State,
                Register,
                Some(Suspended),
                Some((Suspended, Register)),
            ),
            (State, Register, None, None),
            (Suspended, Register, None, Some((Private, Default))),
            (Private, Operator, Some(State), None),
            (Suspended, Operator, None, None),
        ] {
            let practice = Practice {
                status,
                by,
                reason: None,
                since: Timestamp::UNIX_EPOCH,
            };
            assert_eq!(
                practice.told_by_register(told),
                after,
                "{status:?} {by:?} {told:?}"
            );
        }
    }
}
