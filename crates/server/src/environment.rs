//! The real clock and the real source of randomness.

use cabinet_domain::{Clock, Randomness};
use jiff::Timestamp;
use rand::{TryRngCore, rngs::OsRng};

/// The system clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the machine's clock"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The time, for a command that works without the use cases.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// The random number generator of the operating system. The process aborts when it fails.
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, buffer: &mut [u8]) {
        // Codes and tokens that can be guessed would let strangers in.
        if OsRng.try_fill_bytes(buffer).is_err() {
            tracing::error!("The operating system gives no random bytes: stopping");
            std::process::abort();
        }
    }
}
