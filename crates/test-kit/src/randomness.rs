//! Random bytes that are the same in every run.

use std::sync::{Mutex, PoisonError};

use cabinet_domain::Randomness;
use rand::rngs::StdRng;
use rand::{RngCore as _, SeedableRng as _};

/// A generator that gives the same bytes in every run.
pub(crate) struct Seeded(Mutex<StdRng>);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Seeded {
        Seeded(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Randomness for Seeded {
    fn fill(&self, buffer: &mut [u8]) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fill_bytes(buffer);
    }
}
