//! The mail server and the letters that it accepted.

mod reading;
mod server;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::Serialize;

/// How many letters are kept. Older ones are forgotten.
const LETTERS_MAX: usize = 1_000;

/// A letter that the cabinet has sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Letter {
    /// The receiver's address.
    pub to: String,
    /// The subject, decoded.
    pub subject: String,
    /// The text, decoded, with line feeds.
    pub text: String,
    /// When it was accepted.
    pub sent_at: Timestamp,
}

/// The letters that were accepted.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    /// Newest first.
    kept: Mutex<VecDeque<Letter>>,
}

impl Mailbox {
    /// Returns the letters, newest first.
    pub(crate) fn letters(&self) -> Vec<Letter> {
        self.kept().iter().cloned().collect()
    }

    fn add(&self, letter: Letter) {
        let mut kept = self.kept();
        kept.push_front(letter);
        kept.truncate(LETTERS_MAX);
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Letter>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
