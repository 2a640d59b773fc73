//! What committed units of work tell the servers of a database, for their open pages.
//!
//! A unit of work announces a change with [`Tx::announce`](crate::Tx::announce); it is told after the unit is committed, and never if it is undone. On PostgreSQL
//! changes travel by `notify` to every server that follows them, also from commands: those of one process in the order in which it has answered. On SQLite they
//! stay in the one process that writes.
//!
//! A change only says what is different now; who hears of it reads the facts.

use std::fmt;

use cabinet_domain::{NotaryId, OrderId, SessionId, TransactionId};

/// Something that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The cart of a notary.
    Cart(NotaryId),
    /// An order of a notary, or what belongs to it.
    Order(NotaryId, OrderId),
    /// A session has ended.
    SessionEnded(SessionId),
    /// The right key was pressed in a call.
    CallConfirmed(TransactionId),
    /// A call can't be confirmed any more.
    CallEnded(TransactionId),
}

/// What a follower hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Something has changed.
    Change(Change),
    /// Changes may have been lost: whatever was read before may be out of date.
    Gap,
}

impl fmt::Display for Change {
    /// The form in which a change travels between servers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Cart(notary) => write!(f, "cart {notary}"),
            Change::Order(notary, order) => write!(f, "order {notary} {order}"),
            Change::SessionEnded(session) => write!(f, "session {session}"),
            Change::CallConfirmed(call) => write!(f, "call-confirmed {call}"),
            Change::CallEnded(call) => write!(f, "call-ended {call}"),
        }
    }
}

impl Change {
    /// Reads what [`fmt::Display`] has written. `None` for anything else, such as a change of a later version.
    fn parse(line: &str) -> Option<Change> {
        let mut words = line.split(' ');
        let (kind, first, second) = (words.next()?, words.next()?, words.next());
        match (kind, second) {
            ("cart", None) => NotaryId::parse(first).map(Change::Cart),
            ("order", Some(order)) => Some(Change::Order(
                NotaryId::parse(first)?,
                OrderId::parse(order)?,
            )),
            ("session", None) => SessionId::parse(first).map(Change::SessionEnded),
            ("call-confirmed", None) => TransactionId::parse(first).map(Change::CallConfirmed),
            ("call-ended", None) => TransactionId::parse(first).map(Change::CallEnded),
            _ => None,
        }
    }
}

impl Heard {
    /// Reads one notification.
    pub(crate) fn parse_all(payload: &str) -> impl Iterator<Item = Heard> {
        payload.lines().filter_map(|line| match line {
            GAP => Some(Heard::Gap),
            _ => Change::parse(line).map(Heard::Change),
        })
    }
}

/// How many changes may wait for whoever tells or hears them. Of more it is told only that there were some.
pub(crate) const BACKLOG: usize = 4096;

/// The form in which a gap travels between servers.
pub(crate) const GAP: &str = "gap";

/// The longest payload of one notification, in bytes; PostgreSQL allows fewer than 8,000.
const PAYLOAD_BYTES_MAX: usize = 7_000;

/// What was announced and is not told yet, in its order.
#[derive(Default)]
pub(crate) struct Untold {
    begins_with_gap: bool,
    changes: Vec<Change>,
}

impl Untold {
    /// Adds changes, each of which is told once. Facts are read when it is heard, so the place of the first is as good as that of the last.
    pub(crate) fn add(&mut self, changes: Vec<Change>) {
        for change in changes {
            if !self.changes.contains(&change) {
                self.changes.push(change);
            }
        }
        if self.changes.len() > BACKLOG {
            self.begins_with_gap = true;
            self.changes.clear();
        }
    }

    /// Puts it together to as few notifications as possible.
    pub(crate) fn payloads(&self) -> Vec<String> {
        let mut payloads: Vec<String> = Vec::new();
        payloads.extend(self.begins_with_gap.then(|| GAP.to_owned()));
        for change in &self.changes {
            let line = change.to_string();
            match payloads.last_mut() {
                Some(last) if last.len() + line.len() < PAYLOAD_BYTES_MAX => {
                    last.push('\n');
                    last.push_str(&line);
                }
                _ => payloads.push(line),
            }
        }
        payloads
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn changes_are_read_as_they_were_written_and_nothing_else_is() {
        let id = Uuid::from_u128;
        let all = [
            Change::Cart(NotaryId::new(id(1))),
            Change::Order(NotaryId::new(id(1)), OrderId::new(id(2))),
            Change::SessionEnded(SessionId::new(id(3))),
            Change::CallConfirmed(TransactionId::new(id(4))),
            Change::CallEnded(TransactionId::new(id(4))),
        ];
        let heard = heard_of(all.to_vec(), 1);
        assert_eq!(heard, all.map(Heard::Change));
        for strange in [
            "",
            "cart",
            "cart 1",
            "tariff 00000000-0000-0000-0000-000000000001",
            "order 00000000-0000-0000-0000-000000000001",
        ] {
            assert_eq!(Heard::parse_all(strange).count(), 0, "{strange}");
        }
    }

    #[test]
    fn many_changes_are_several_notifications_and_too_many_are_a_gap() {
        let carts = |count: usize| -> Vec<Change> {
            let id = |number: usize| Uuid::from_u128(number as u128);
            let cart = |number| Change::Cart(NotaryId::new(id(number)));
            (0..count).map(cart).collect()
        };
        let expected: Vec<Heard> = carts(1_000).into_iter().map(Heard::Change).collect();
        assert_eq!(heard_of(carts(1_000), 7), expected);
        assert_eq!(heard_of(carts(BACKLOG + 1), 1), [Heard::Gap]);
        let mut untold = Untold::default();
        untold.add(carts(BACKLOG));
        untold.add(carts(BACKLOG));
        untold.add(carts(BACKLOG + 1));
        untold.add(carts(1));
        let heard: Vec<Heard> = Heard::parse_all(&untold.payloads()[0]).collect();
        assert_eq!(heard, [Heard::Gap, Heard::Change(carts(1)[0])]);
    }

    /// Tells changes and hears them again.
    fn heard_of(changes: Vec<Change>, notifications: usize) -> Vec<Heard> {
        let mut untold = Untold::default();
        untold.add(changes);
        let payloads = untold.payloads();
        assert_eq!(payloads.len(), notifications);
        assert!(payloads.iter().all(|payload| payload.len() < 8_000));
        let heard = payloads
            .iter()
            .flat_map(|payload| Heard::parse_all(payload));
        heard.collect()
    }
}
