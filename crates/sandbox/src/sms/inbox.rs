//! The messages that the cabinet has sent.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::time::after;

/// How many messages are kept. Older ones are forgotten.
const MESSAGES_MAX: usize = 5_000;

/// A short message that the cabinet has sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The receiver, as `+380XXXXXXXXX`.
    pub phone: String,
    /// The text.
    pub text: String,
    /// The service that took it: `turbosms` or `smsclub`.
    pub service: &'static str,
    /// When it was accepted.
    pub sent_at: Timestamp,
}

/// The messages that arrived, and the answer to each sequence id.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Oldest first.
    messages: Vec<Message>,
    pub(super) answers: HashMap<String, Value>,
    /// The receiver's number by message id.
    pub(super) phones: HashMap<String, String>,
}

impl Inbox {
    /// Returns the messages, newest first, either all or those to one number.
    pub(crate) fn messages(&self, phone: Option<&str>) -> Vec<Message> {
        let kept = self.kept();
        let fits = |message: &&Message| phone.is_none_or(|phone| message.phone == phone);
        kept.messages.iter().rev().filter(fits).cloned().collect()
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Whether the same number got the same text by a service within a time.
    pub(super) fn is_repeat(&self, message: &Message, window: Duration) -> bool {
        self.messages
            .iter()
            .rev()
            .take_while(|kept| message.sent_at < after(kept.sent_at, window))
            .any(|kept| {
                kept.phone == message.phone
                    && kept.text == message.text
                    && kept.service == message.service
            })
    }

    pub(super) fn add(&mut self, message: Message) {
        if self.messages.len() >= MESSAGES_MAX {
            self.messages.remove(0);
        }
        self.messages.push(message);
    }
}
