//! Following the changes of a database: what units of work have announced, from every process that writes to it.

use std::collections::VecDeque;

use tokio::sync::broadcast;

use crate::engine::changes::{Change, Heard};
use crate::engine::postgres::Listener;

/// The changes of a database from the moment when they were first asked for.
pub struct ChangeFeed {
    source: Source,
}

enum Source {
    Local(broadcast::Receiver<Change>),
    Postgres(Box<Listener>, VecDeque<Heard>),
}

impl ChangeFeed {
    pub(crate) fn local(changes: broadcast::Receiver<Change>) -> ChangeFeed {
        ChangeFeed {
            source: Source::Local(changes),
        }
    }

    pub(crate) fn postgres(listener: Listener) -> ChangeFeed {
        ChangeFeed {
            source: Source::Postgres(Box::new(listener), VecDeque::new()),
        }
    }

    /// Waits for the next change. `None` once a SQLite store has ended. A lost connection to PostgreSQL is made anew, however long that
    /// takes.
    pub async fn next(&mut self) -> Option<Heard> {
        match &mut self.source {
            Source::Local(changes) => match changes.recv().await {
                Ok(change) => Some(Heard::Change(change)),
                Err(broadcast::error::RecvError::Lagged(_)) => Some(Heard::Gap),
                Err(broadcast::error::RecvError::Closed) => None,
            },
            Source::Postgres(listener, waiting) => loop {
                if let Some(heard) = waiting.pop_front() {
                    return Some(heard);
                }
                match listener.next().await {
                    Some(payload) => waiting.extend(Heard::parse_all(&payload)),
                    None => return Some(Heard::Gap),
                }
            },
        }
    }
}
