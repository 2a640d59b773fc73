//! Waiting for what the cabinet does by itself.

use std::time::Duration;

/// Repeats a look until it finds something, for about a minute, which a busy machine does not need. Returns what it found, or what the last look
/// saw instead.
pub async fn eventually<Found, Seen, Look>(mut look: impl FnMut() -> Look) -> Result<Found, Seen>
where
    Look: Future<Output = Result<Found, Seen>>,
{
    for _ in 0..6_000 {
        if let Ok(found) = look().await {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    look().await
}
