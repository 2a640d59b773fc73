//! Waiting for what the cabinet does by itself.

#![expect(
    clippy::disallowed_methods,
    reason = "a test looks again until a state comes"
)]

use std::time::{Duration, Instant};

/// How long a test waits for what must come. It only ends what hangs: no machine is so slow that it needs half an hour.
pub const WAITING_MAX: Duration = Duration::from_mins(30);

/// Repeats a look until it finds something, for [`WAITING_MAX`]. Returns what it found, or what the last look saw instead.
pub async fn eventually<Found, Seen, Look>(mut look: impl FnMut() -> Look) -> Result<Found, Seen>
where
    Look: Future<Output = Result<Found, Seen>>,
{
    let until = Instant::now() + WAITING_MAX;
    while Instant::now() < until {
        if let Ok(found) = look().await {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    look().await
}
