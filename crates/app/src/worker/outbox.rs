//! The outbox: letters and text messages that are sent after a commit.
//!
//! Each is a row that is stored in the same unit of work as its cause, so it is sent exactly if that was committed. A letter may
//! be sent twice if the answer to the first try was lost. Both copies then have the same `Message-ID`. A text message whose answer was lost
//! is tried again only by the same service, and only if that sends nothing twice; otherwise it is left to the operator.

use std::sync::Arc;

use async_trait::async_trait;
use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{Clock, Email, OrderId, Phone};
use cabinet_gateways::mail::{Letter, Mail, MailError};
use cabinet_gateways::sms::{SmsError, SmsFailure, SmsService, SmsServices};
use cabinet_metrics::{OUTBOX_TRIES, SendOutcome, Word as _};
use cabinet_storage::worker::outbox::{
    self, CLIENT_MESSAGE, Kinds, OutboxRow, TEXT_MESSAGE, TEXT_MESSAGES,
};
use cabinet_storage::{StorageError, Store, Tx};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::Result;
use crate::operator::alarms::Alarms;

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
    /// The order that it is about, where it goes to a client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<String>,
}

/// The payload of a row with a text message.
#[derive(Serialize, Deserialize)]
struct TextMessage {
    phone: String,
    text: String,
    /// As in a letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    /// The service that may have sent it already. No other may be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begun_at: Option<String>,
}

impl TextMessage {
    /// Returns the service that may have sent it.
    fn begun_at(&self) -> Option<SmsService> {
        let name = self.begun_at.as_deref()?;
        let mut known = SmsService::ALL.iter();
        known.find(|service| service.word() == name).copied()
    }
}

/// Subject and text of a letter.
#[derive(Clone)]
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
    store_letter(tx, id, to, (letter, None), now)
}

fn store_letter(
    tx: &mut Tx,
    id: Uuid,
    to: &str,
    (letter, order): (LetterText, Option<OrderId>),
    now: Timestamp,
) -> Result<(), StorageError> {
    let payload = Payload {
        to: to.to_owned(),
        subject: letter.subject,
        text: letter.text,
        order: order.map(|order| order.to_string()),
    };
    let payload = serde_json::json!(payload).to_string();
    outbox::add(tx, id, LETTER, &payload, now, now)
}

/// Stores a text message that is sent after the commit.
fn store_message(
    tx: &mut Tx,
    id: Uuid,
    phone: &Phone,
    (text, order): (String, Option<OrderId>),
    now: Timestamp,
) -> Result<(), StorageError> {
    let payload = TextMessage {
        phone: phone.as_str().to_owned(),
        text,
        order: order.map(|order| order.to_string()),
        begun_at: None,
    };
    let payload = serde_json::json!(payload).to_string();
    let kind = if order.is_some() {
        CLIENT_MESSAGE
    } else {
        TEXT_MESSAGE
    };
    outbox::add(tx, id, kind, &payload, now, now)
}

/// Where somebody is told of something.
#[derive(Clone)]
pub(crate) enum Contact {
    /// A letter.
    Email(Email),
    /// A text message, where there is no e-mail address or no mail server.
    Phone(Phone),
}

impl Contact {
    /// Returns it as it may be shown to people who know it.
    pub(crate) fn masked(&self) -> String {
        match self {
            Contact::Email(email) => email.masked(),
            Contact::Phone(phone) => phone.masked(),
        }
    }
}

/// A message in the form of a letter and in that of a text message.
#[derive(Clone)]
pub(crate) struct Notice {
    pub(crate) letter: LetterText,
    pub(crate) short: String,
}

/// Stores a notice that is sent after the commit.
pub(crate) fn tell(
    tx: &mut Tx,
    unit: &mut UnitContext,
    contact: Contact,
    notice: Notice,
) -> Result<(), StorageError> {
    store_notice(tx, unit, contact, notice, None)
}

/// Stores a notice to a client. It names the order, so that it is found when the client is erased.
pub(crate) fn tell_client(
    tx: &mut Tx,
    unit: &mut UnitContext,
    contact: Contact,
    notice: Notice,
    order: OrderId,
) -> Result<(), StorageError> {
    store_notice(tx, unit, contact, notice, Some(order))
}

fn store_notice(
    tx: &mut Tx,
    unit: &mut UnitContext,
    contact: Contact,
    notice: Notice,
    order: Option<OrderId>,
) -> Result<(), StorageError> {
    let id = unit.new_id();
    match contact {
        Contact::Email(email) => {
            store_letter(tx, id, email.as_str(), (notice.letter, order), unit.now)
        }
        Contact::Phone(phone) => store_message(tx, id, &phone, (notice.short, order), unit.now),
    }
}

/// Deletes the messages with the link of an order that have not left. Letters with its receipt stay: they hold no link.
pub(crate) fn forget_link_messages(tx: &mut Tx, order: OrderId) -> Result<(), StorageError> {
    let order = order.to_string();
    for row in outbox::open(tx)? {
        let about = match row.kind.as_str() {
            LETTER => serde_json::from_str(&row.payload)
                .ok()
                .and_then(|letter: Payload| letter.order),
            CLIENT_MESSAGE => serde_json::from_str(&row.payload)
                .ok()
                .and_then(|message: TextMessage| message.order),
            _ => None,
        };
        if about.is_some_and(|about| about == order) {
            outbox::delete(tx, row.id)?;
        }
    }
    Ok(())
}

/// A letter that is ready to be sent.
pub(crate) struct ReadyLetter {
    pub(crate) to: String,
    pub(crate) text: LetterText,
    /// Since when such letters are sent there. [`LateLetters::keep_sent`] is told of it.
    pub(crate) since: Timestamp,
}

/// Writes letters when they are sent, so that they say what is true then.
#[async_trait]
pub(crate) trait LateLetters: Send + Sync {
    /// Writes the letter of a row. `None`: the row can't be read. A row of which nobody is to get a letter any more has none.
    async fn write(&self, kind: &str, payload: &str) -> Option<Result<Option<ReadyLetter>>>;

    /// Keeps that the letter of a row was handed to the mail server, in the unit of work that marks the row as delivered.
    fn keep_sent(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), StorageError>;

    /// Keeps that a row was given up, in the unit of work that does so: the operator may drop it.
    fn keep_given_up(
        &self,
        tx: &mut Tx,
        row: &OutboxRow,
        now: Timestamp,
    ) -> Result<(), StorageError>;
}

/// Delivers letters and text messages.
#[derive(Clone)]
pub struct Outbox {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) alarms: Alarms,
    /// `None` where no mail server is set up. Letters then wait.
    pub(crate) mail: Option<Arc<dyn Mail>>,
    pub(crate) sms: SmsServices,
    /// Writes the letters whose rows only say what they are about.
    pub(crate) late_letters: Arc<dyn LateLetters>,
}

impl Outbox {
    /// Delivers what is due, and returns how many rows were tried. Without a mail server letters wait.
    ///
    /// Letters and text messages go different ways, so each kind has a round of its own. A round ends at the first failure,
    /// because the next row would fail too and lose a try.
    pub async fn deliver(&self) -> Result<usize> {
        let mut tried = self.deliver_kinds(Kinds::Only(TEXT_MESSAGES)).await?;
        if self.mail.is_some() {
            tried += self.deliver_kinds(Kinds::Except(TEXT_MESSAGES)).await?;
        }
        Ok(tried)
    }

    async fn deliver_kinds(&self, kinds: Kinds) -> Result<usize> {
        let mut taken = 0;
        while taken < ROUND_MAX {
            let now = self.clock.now();
            let claim = move |tx: &mut Tx| outbox::claim_due(tx, kinds, now, now + LEASE, 1);
            let Some(row) = self.store.write(claim).await?.pop() else {
                break;
            };
            taken += 1;
            if !self.deliver_row(row).await? {
                break;
            }
        }
        Ok(taken)
    }

    /// Delivers one row and stores the result. Returns `false` where the service did not take it.
    async fn deliver_row(&self, row: OutboxRow) -> Result<bool> {
        let id = row.id;
        let Some(sending) = self.send(&row).await else {
            // It is damaged or was written by another version, so another try would not help.
            self.park(&row, "the row can't be read").await?;
            return Ok(true);
        };
        let error = match sending {
            Ok(late) => {
                OUTBOX_TRIES.count(SendOutcome::Delivered);
                let (now, letters) = (self.clock.now(), Arc::clone(&self.late_letters));
                let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                    outbox::delivered(tx, id, now)?;
                    match late {
                        Some(since) => letters.keep_sent(tx, &row, since, now),
                        None => Ok(()),
                    }
                };
                self.store.write(write).await?;
                return Ok(true);
            }
            Err(error) => error,
        };
        OUTBOX_TRIES.count(error.outcome());
        if row.tries >= TRIES_MAX || !error.is_repeatable() {
            self.park(&row, &error.to_string()).await?;
            return Ok(false);
        }
        if let SendError::Mail(MailError::Refused { .. }) = &error {
            // A setting may be wrong. The operator learns of it now, not when the row is parked.
            self.alarms
                .raise(AlarmKind::LetterRefused, format!("outbox:{id}"))
                .await?;
            tracing::error!(outbox.id = %id, tries = row.tries, %error, "A letter was refused; it is tried again later");
        } else {
            tracing::warn!(outbox.id = %id, tries = row.tries, %error, "A message has not left; it is tried again later");
        }
        let now = self.clock.now();
        let next = now + pause_after(row.tries);
        let reason = error.to_string();
        let begun = begun_payload(&row, &error);
        let write = move |tx: &mut Tx| {
            if let Some(payload) = &begun {
                outbox::replace_payload(tx, id, payload)?;
            }
            outbox::retry(tx, id, now, next, &reason)
        };
        self.store.write(write).await?;
        Ok(false)
    }

    /// Sends what a row holds. `None`: it can't be read. Returns since when such letters are sent, of one that was written just now.
    async fn send(&self, row: &OutboxRow) -> Option<Result<Option<Timestamp>, SendError>> {
        if TEXT_MESSAGES.contains(&row.kind.as_str()) {
            let message: TextMessage = serde_json::from_str(&row.payload).ok()?;
            let phone = Phone::parse(&message.phone).ok()?;
            let (text, id) = (&message.text, row.id.to_string());
            let sent = match message.begun_at() {
                Some(service) => self.sms.repeat(service, &phone, text, &id).await,
                None => self.sms.send(&phone, text, &id).await,
            };
            return Some(sent.map(|()| None).map_err(SendError::Sms));
        }
        let mail = self.mail.as_deref()?;
        let (letter, since) = match read_letter(row) {
            Some(letter) => (letter, None),
            None => match self.write_late(row).await? {
                Ok(Some((letter, since))) => (letter, Some(since)),
                // Nobody is to get it any more.
                Ok(None) => return Some(Ok(None)),
                Err(error) => return Some(Err(error)),
            },
        };
        let sent = mail.send(&letter).await;
        Some(sent.map(|()| since).map_err(SendError::Mail))
    }

    /// Writes a letter whose row only says what it is about.
    async fn write_late(
        &self,
        row: &OutboxRow,
    ) -> Option<Result<Option<(Letter, Timestamp)>, SendError>> {
        let ready = match self.late_letters.write(&row.kind, &row.payload).await? {
            Ok(Some(ready)) => ready,
            Ok(None) => return Some(Ok(None)),
            Err(error) => {
                tracing::error!(outbox.id = %row.id, %error, "A letter can't be written; it is tried again later");
                return Some(Err(SendError::NotWritten));
            }
        };
        let letter = Letter {
            id: row.id.to_string(),
            to: ready.to,
            subject: ready.text.subject,
            text: ready.text.text,
            written_at: row.created_at,
        };
        Some(Ok(Some((letter, ready.since))))
    }

    async fn park(&self, row: &OutboxRow, reason: &str) -> Result<()> {
        let (id, now, reason) = (row.id, self.clock.now(), reason.to_owned());
        self.alarms
            .raise(AlarmKind::OutboxParked, format!("outbox:{id}"))
            .await?;
        tracing::error!(outbox.id = %id, tries = row.tries, reason, "What must follow was given up: look into it, then `cabinet outbox retry`");
        let (letters, row) = (Arc::clone(&self.late_letters), row.clone());
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            outbox::park(tx, id, now, &reason)?;
            letters.keep_given_up(tx, &row, now)
        };
        Ok(self.store.write(write).await?)
    }
}

/// Why a row was not delivered.
#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error(transparent)]
    Mail(MailError),
    #[error(transparent)]
    Sms(SmsFailure),
    #[error("the letter can't be written")]
    NotWritten,
}

impl SendError {
    fn outcome(&self) -> SendOutcome {
        match self {
            SendError::Mail(MailError::Refused { .. }) => SendOutcome::Refused,
            SendError::Mail(MailError::Unavailable) => SendOutcome::Unavailable,
            SendError::Mail(MailError::Unknown) => SendOutcome::Unknown,
            SendError::NotWritten => SendOutcome::NotWritten,
            SendError::Sms(failure) => match failure.error {
                SmsError::Refused { .. } | SmsError::NotServed { .. } => SendOutcome::Refused,
                SmsError::Unavailable => SendOutcome::Unavailable,
                SmsError::Unknown => SendOutcome::Unknown,
            },
        }
    }

    /// Whether it may be tried again without a person. Both copies of a letter have the same `Message-ID`.
    fn is_repeatable(&self) -> bool {
        match self {
            SendError::Mail(_) | SendError::NotWritten => true,
            SendError::Sms(failure) => failure.is_repeatable,
        }
    }
}

/// Returns the payload of a text message that a service may have sent, if it does not say so yet.
fn begun_payload(row: &OutboxRow, error: &SendError) -> Option<String> {
    let SendError::Sms(failure) = error else {
        return None;
    };
    if !failure.may_be_sent() {
        return None;
    }
    let mut message: TextMessage = serde_json::from_str(&row.payload).ok()?;
    message.begun_at = Some(failure.service.word().to_owned());
    serde_json::to_string(&message).ok()
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
