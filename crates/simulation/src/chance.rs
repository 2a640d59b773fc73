//! Random numbers from the seed.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

use cabinet_domain::Randomness;
use rand::rngs::StdRng;
use rand::{Rng as _, RngCore as _, SeedableRng as _};
use uuid::Uuid;

/// The generator of the driver, which chooses the steps.
pub(crate) struct Chance(StdRng);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(StdRng::seed_from_u64(seed))
    }

    /// Returns a number from 0 up to, but not including, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    /// Returns a number from one end to the other, both included.
    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        self.0.random_range(least..=most)
    }

    /// Returns true with a probability in percent.
    pub(crate) fn percent(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// Returns one of several values.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() {
            None
        } else {
            all.get(self.below(all.len()))
        }
    }

    /// Returns a random id.
    pub(crate) fn id(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(self.0.random()).into_uuid()
    }

    /// Returns a random position, according to the weights.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut rest = self.0.random_range(0..weights.iter().sum::<u32>());
        for (position, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return position;
            }
            rest -= weight;
        }
        weights.len()
    }
}

/// The product's random bytes. The driver's thread and the threads of the store have their own generators, so that the numbers do
/// not depend on which thread is faster.
pub(crate) struct Bytes {
    driver: ThreadId,
    of_driver: Mutex<StdRng>,
    of_store: Mutex<StdRng>,
}

impl Bytes {
    pub(crate) fn new(seed: u64) -> Bytes {
        Bytes {
            driver: std::thread::current().id(),
            of_driver: Mutex::new(StdRng::seed_from_u64(seed.wrapping_add(1 << 40))),
            of_store: Mutex::new(StdRng::seed_from_u64(seed.wrapping_add(2 << 40))),
        }
    }

    fn generator(&self) -> MutexGuard<'_, StdRng> {
        let generator = if std::thread::current().id() == self.driver {
            &self.of_driver
        } else {
            &self.of_store
        };
        generator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Randomness for Bytes {
    fn fill(&self, buffer: &mut [u8]) {
        self.generator().fill_bytes(buffer);
    }
}
