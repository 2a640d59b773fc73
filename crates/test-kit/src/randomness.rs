//! Random bytes that are the same in every run.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cabinet_domain::Randomness;
use rand::rngs::StdRng;
use rand::{RngCore as _, SeedableRng as _};

/// A generator with the same bytes in every run.
pub struct Seeded(Mutex<State>);

struct State {
    generator: StdRng,
    /// The bytes of the last one-time code.
    code: [u8; 8],
    /// How many further codes are generated from them.
    repeats: usize,
}

impl Seeded {
    pub(crate) fn new(seed: u64) -> Seeded {
        Seeded(Mutex::new(State {
            generator: StdRng::seed_from_u64(seed),
            code: [0; 8],
            repeats: 0,
        }))
    }

    /// Makes the next one-time codes equal the last one, that many times.
    pub fn repeat_the_last_code(&self, times: usize) {
        self.state().repeats = times;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Randomness for Seeded {
    fn fill(&self, buffer: &mut [u8]) {
        let mut state = self.state();
        // Only one-time codes need exactly eight bytes.
        let Ok(code) = <&mut [u8; 8]>::try_from(&mut *buffer) else {
            state.generator.fill_bytes(buffer);
            return;
        };
        if state.repeats > 0 {
            state.repeats -= 1;
            *code = state.code;
        } else {
            state.generator.fill_bytes(code);
            state.code = *code;
        }
    }
}
