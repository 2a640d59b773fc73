//! What the rules need from outside, as arguments: time and random bytes.

use jiff::Timestamp;
use uuid::{Builder, Uuid};

/// Returns the time. Prices, codes and links depend on it, so tests use a clock that they set.
pub trait Clock: Send + Sync {
    /// The present moment, UTC.
    fn now(&self) -> Timestamp;
}

/// Returns random bytes: from the operating system's generator, or in tests from a seeded one.
pub trait Randomness: Send + Sync {
    /// Fills the whole buffer with random bytes.
    fn fill(&self, buffer: &mut [u8]);

    /// Returns an id that grows with time (version 7), for rows. `now` is the moment encoded in it, in milliseconds.
    fn uuid_v7(&self, now: Timestamp) -> Uuid {
        let mut bytes = [0; 10];
        self.fill(&mut bytes);
        // A version 7 id cannot encode a moment before 1970. Such a clock is wrong anyway, and the id is still unique.
        let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(milliseconds, &bytes).into_uuid()
    }

    /// Returns a random id (version 4), for anything that must not be guessed or dated.
    fn uuid_v4(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        Builder::from_random_bytes(bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;

    impl Randomness for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    #[test]
    fn ids_carry_their_version_and_the_moment() {
        let early = Timestamp::from_second(1_700_000_000).unwrap();
        let late = Timestamp::from_second(1_800_000_000).unwrap();
        assert_eq!(Sevens.uuid_v7(early).get_version_num(), 7);
        assert_eq!(Sevens.uuid_v4().get_version_num(), 4);
        assert!(Sevens.uuid_v7(early) < Sevens.uuid_v7(late));
        assert_eq!(
            Sevens
                .uuid_v7(Timestamp::from_second(-5).unwrap())
                .get_version_num(),
            7
        );
    }
}
