//! Ids of new rows, made of the clock and random numbers.

use std::sync::Arc;

use cabinet_domain::{AttemptId, Clock, OrderId, Randomness};
use jiff::Timestamp;
use uuid::{Builder, Uuid};

/// Makes ids.
#[derive(Clone)]
pub(crate) struct Ids {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) randomness: Arc<dyn Randomness>,
}

impl Ids {
    /// Returns an id that grows with time, for a row.
    pub(crate) fn new_id(&self) -> Uuid {
        self.randomness.uuid_v7(self.clock.now())
    }

    /// Returns an id that can't be guessed and tells no time.
    pub(crate) fn random_id(&self) -> Uuid {
        self.randomness.uuid_v4()
    }

    /// Returns the id of a new attempt of an order, which is also its reference at the acquirer. Half of it is random, so a
    /// restored database uses none twice.
    pub(crate) fn attempt_id(&self, order: OrderId) -> AttemptId {
        AttemptId::of_order(order, self.random_id())
    }

    /// Returns the context of a unit of work that takes place at a moment.
    pub(crate) fn unit_at(&self, now: Timestamp) -> UnitContext {
        UnitContext {
            now,
            seed: self.random_id().into_bytes(),
            ids_made: 0,
        }
    }

    /// Returns the context of a unit of work that begins now.
    pub(crate) fn unit(&self) -> UnitContext {
        self.unit_at(self.clock.now())
    }
}

/// The moment of a unit of work and the source of its ids. Both are fixed before it begins, because the database may run a
/// unit more than once.
#[derive(Clone)]
pub(crate) struct UnitContext {
    /// The moment.
    pub(crate) now: Timestamp,
    seed: [u8; 16],
    ids_made: u64,
}

impl UnitContext {
    /// Returns an id that grows with time, for a row.
    pub(crate) fn new_id(&mut self) -> Uuid {
        let milliseconds = u64::try_from(self.now.as_millisecond()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(milliseconds, &self.bytes()).into_uuid()
    }

    fn bytes(&mut self) -> [u8; 10] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed);
        hasher.update(&self.ids_made.to_le_bytes());
        self.ids_made += 1;
        let mut bytes = [0; 10];
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }
}
