//! What committed units of work tell the servers of a database, for their open pages.
//!
//! A unit of work announces a change with [`Tx::announce`](crate::Tx::announce); it is told once the unit is committed, and never if it is undone. On PostgreSQL
//! changes travel by `notify`, in the order of the commits, to every server that follows them, also from commands. On SQLite they stay in
//! the one process that writes.
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

    /// Reads the changes of one notification.
    pub(crate) fn parse_all(payload: &str) -> impl Iterator<Item = Change> {
        payload.lines().filter_map(Change::parse)
    }
}

/// The longest payload of one notification, in bytes; PostgreSQL allows fewer than 8,000.
const PAYLOAD_BYTES_MAX: usize = 7_000;

/// Puts changes together to as few notifications as possible.
pub(crate) fn payloads(changes: &[Change]) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for change in changes {
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
        let payloads = payloads(&all);
        assert_eq!(payloads.len(), 1);
        assert_eq!(Change::parse_all(&payloads[0]).collect::<Vec<_>>(), all);
        for strange in [
            "",
            "cart",
            "cart 1",
            "tariff 00000000-0000-0000-0000-000000000001",
            "order 00000000-0000-0000-0000-000000000001",
        ] {
            assert_eq!(Change::parse_all(strange).count(), 0, "{strange}");
        }
    }

    #[test]
    fn many_changes_are_several_notifications() {
        let changes: Vec<Change> = (0..1_000)
            .map(|number| Change::Cart(NotaryId::new(Uuid::from_u128(number))))
            .collect();
        let payloads = payloads(&changes);
        assert!(payloads.iter().all(|payload| payload.len() < 8_000));
        let read: Vec<Change> = payloads
            .iter()
            .flat_map(|payload| Change::parse_all(payload))
            .collect();
        assert_eq!(read, changes);
    }
}
