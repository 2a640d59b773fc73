//! Saved cards that a notary removed.

use jiff::{SignedDuration, Timestamp};

use crate::NotaryId;

/// A removed card can be put back for so long.
const RESTORABLE: SignedDuration = SignedDuration::from_hours(24);
/// The acquirer is told so much later, so that it never forgets a card that is just being put back.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);

/// A saved card that a notary removed. It is neither shown nor charged. It can be put back for 24 hours; after that the acquirer is told
/// to forget it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemovedCard {
    /// The hash of the acquirer's token. The token itself is not stored.
    pub token_hash: [u8; 32],
    /// Whose card it is.
    pub notary: NotaryId,
    /// When it was removed.
    pub removed_at: Timestamp,
}

impl RemovedCard {
    /// Returns until when it can be put back.
    #[must_use]
    pub fn restorable_until(&self) -> Timestamp {
        self.removed_at + RESTORABLE
    }

    /// Returns whether it can be put back.
    #[must_use]
    pub fn is_restorable(&self, now: Timestamp) -> bool {
        now < self.restorable_until()
    }

    /// Returns when the acquirer is first told to forget it.
    #[must_use]
    pub fn forgotten_from(&self) -> Timestamp {
        self.restorable_until() + PAUSE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_can_be_put_back_for_a_day_and_is_forgotten_after_that() {
        let removed_at: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
        let card = RemovedCard {
            token_hash: [1; 32],
            notary: NotaryId::new(uuid::Uuid::nil()),
            removed_at,
        };
        let end: Timestamp = "2026-03-03T08:00:00Z".parse().unwrap();
        assert_eq!(card.restorable_until(), end);
        assert!(card.is_restorable(removed_at));
        assert!(card.is_restorable(end - SignedDuration::from_micros(1)));
        assert!(!card.is_restorable(end));
        assert!(card.forgotten_from() > end);
    }
}
