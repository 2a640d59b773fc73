//! The outbox: letters that are sent after a commit.
//!
//! A letter is a row that is stored in the same unit of work as its cause, so it is sent exactly if that was committed. It may be
//! sent twice if the answer to the first try was lost. Both copies then have the same `Message-ID`.

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_domain::payment::AlarmKind;
use cabinet_gateways::mail::{Letter, Mail, MailError};
use cabinet_storage::outbox::{self, OutboxRow};
use cabinet_storage::{StorageError, Store, Tx};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::alarms::Alarms;
use crate::refusal::Result;

/// The kind of a row with a letter.
const LETTER: &str = "letter";
/// A row that is being delivered is left alone by other processes for so long: longer than the time limits of the adapters.
const LEASE: SignedDuration = SignedDuration::from_mins(5);
/// A row is parked after so many tries.
const TRIES_MAX: i64 = 10;
/// The pause after the first try. Each further pause is three times as long, up to [`PAUSE_MAX`]. Ten tries take about 42 hours,
/// so no letter is lost while a mail server is down for a day.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause between two tries.
const PAUSE_MAX: SignedDuration = SignedDuration::from_hours(12);
/// Rows of one round at most.
const ROUND_MAX: usize = 20;

/// The payload of a row. It is emptied once the letter was sent.
#[derive(Serialize, Deserialize)]
struct Payload {
    to: String,
    subject: String,
    text: String,
}

/// Subject and text of a letter.
pub(crate) struct LetterText {
    pub(crate) subject: String,
    pub(crate) text: String,
}

/// Stores a letter that is sent after the commit.
pub(crate) fn write_letter(
    tx: &mut Tx,
    id: Uuid,
    to: &str,
    letter: LetterText,
    now: Timestamp,
) -> Result<(), StorageError> {
    let payload = Payload {
        to: to.to_owned(),
        subject: letter.subject,
        text: letter.text,
    };
    let payload = serde_json::json!(payload).to_string();
    outbox::add(tx, id, LETTER, &payload, now, now)
}

/// Delivers letters.
#[derive(Clone)]
pub struct Outbox {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) alarms: Alarms,
    /// `None` where no mail server is set up. Letters then wait.
    pub(crate) mail: Option<Arc<dyn Mail>>,
}

impl Outbox {
    /// Delivers the letters that are due, and returns how many rows were tried. Without a mail server there are none.
    ///
    /// A round ends at the first failure, because the next letter would fail too and lose a try.
    pub async fn deliver(&self) -> Result<usize> {
        let Some(mail) = self.mail.as_deref() else {
            return Ok(0);
        };
        let mut taken = 0;
        while taken < ROUND_MAX {
            let now = self.clock.now();
            let claim = move |tx: &mut Tx| outbox::claim_due(tx, now, now + LEASE, 1);
            let Some(row) = self.store.write(claim).await?.pop() else {
                break;
            };
            taken += 1;
            if !self.deliver_row(mail, row).await? {
                break;
            }
        }
        Ok(taken)
    }

    /// Delivers one row and stores the result. Returns `false` where the mail server did not take it.
    async fn deliver_row(&self, mail: &dyn Mail, row: OutboxRow) -> Result<bool> {
        let id = row.id;
        let Some(letter) = read_letter(&row) else {
            // It is damaged or was written by another version, so another try would not help.
            self.park(&row, "the row is not a letter").await?;
            return Ok(true);
        };
        let error = match mail.send(&letter).await {
            Ok(()) => {
                metrics::counter!("outbox_tries_total", "outcome" => "delivered").increment(1);
                let now = self.clock.now();
                let write = move |tx: &mut Tx| outbox::delivered(tx, id, now);
                self.store.write(write).await?;
                return Ok(true);
            }
            Err(error) => error,
        };
        let outcome = match &error {
            MailError::Refused { .. } => "refused",
            MailError::Unavailable => "unavailable",
            MailError::Unknown => "unknown",
        };
        metrics::counter!("outbox_tries_total", "outcome" => outcome).increment(1);
        if row.tries >= TRIES_MAX {
            self.park(&row, &error.to_string()).await?;
            return Ok(false);
        }
        if matches!(error, MailError::Refused { .. }) {
            // A setting may be wrong. The operator learns of it now, not when the row is parked.
            self.alarms
                .raise(AlarmKind::LetterRefused, format!("outbox:{id}"))
                .await?;
            tracing::error!(outbox.id = %id, tries = row.tries, %error, "A letter was refused; it is tried again later");
        } else {
            tracing::warn!(outbox.id = %id, tries = row.tries, %error, "A letter has not left; it is tried again later");
        }
        let now = self.clock.now();
        let next = now + pause_after(row.tries);
        let reason = error.to_string();
        let write = move |tx: &mut Tx| outbox::retry(tx, id, now, next, &reason);
        self.store.write(write).await?;
        Ok(false)
    }

    async fn park(&self, row: &OutboxRow, reason: &str) -> Result<()> {
        let (id, now, reason) = (row.id, self.clock.now(), reason.to_owned());
        self.alarms
            .raise(AlarmKind::OutboxParked, format!("outbox:{id}"))
            .await?;
        tracing::error!(outbox.id = %id, tries = row.tries, reason, "What must follow was given up: look into it, then `cabinet outbox retry`");
        let write = move |tx: &mut Tx| outbox::park(tx, id, now, &reason);
        Ok(self.store.write(write).await?)
    }

    /// Measures how many rows wait and how many are parked.
    pub(crate) async fn measure(&self) -> Result<()> {
        let counts = self.store.read(outbox::counts).await?;
        metrics::gauge!("outbox_waiting").set(counts.waiting as f64);
        metrics::gauge!("outbox_parked").set(counts.parked as f64);
        Ok(())
    }
}

fn read_letter(row: &OutboxRow) -> Option<Letter> {
    if row.kind != LETTER {
        return None;
    }
    let payload: Payload = serde_json::from_str(&row.payload).ok()?;
    Some(Letter {
        id: row.id.to_string(),
        to: payload.to,
        subject: payload.subject,
        text: payload.text,
        written_at: row.created_at,
    })
}

/// Returns the pause after so many tries.
fn pause_after(tries: i64) -> SignedDuration {
    let mut pause = FIRST_PAUSE;
    for _ in 1..tries {
        pause = (pause * 3).min(PAUSE_MAX);
    }
    pause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest_and_outlast_a_day() {
        let minutes: Vec<i64> = (1..TRIES_MAX)
            .map(|tries| pause_after(tries).as_mins())
            .collect();
        assert_eq!(minutes, [1, 3, 9, 27, 81, 243, 720, 720, 720]);
        assert_eq!(pause_after(i64::from(u8::MAX)), PAUSE_MAX);
    }
}
