//! One type for each kind of identifier, so that an order's id can never stand where a notary's is wanted.

use std::fmt;

use uuid::Uuid;

/// Length of the hyphenated form of an id, in characters.
const HYPHENATED_CHARS: usize = 36;

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Names an existing or freshly made UUID as an id of this kind.
            #[must_use]
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID underneath, for storage.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// Reads the hyphenated form of 36 characters; `None` for anything else (no braces, no `urn:`).
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                if text.len() != HYPHENATED_CHARS {
                    return None;
                }
                Uuid::try_parse(text).ok().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0.hyphenated(), f)
            }
        }
    )+};
}

ids! {
    /// A notary, that is, a user of the cabinet.
    NotaryId;
    /// A signed-in session: one family of refresh tokens.
    SessionId;
    /// A login or sign-up that waits for its code (`operation_id`).
    OperationId;
    /// A login that waits for a telephone call (`transaction_id`), also the name of its realtime channel.
    TransactionId;
    /// A client (payer) of a notary; names the client's group in the cart.
    ClientId;
    /// A payment item. It keeps its id when it moves from the cart into an order.
    ItemId;
    /// An order: the items of one client, paid at once.
    OrderId;
    /// One attempt to have an order paid; its text is our reference at the acquirer.
    AttemptId;
    /// A transfer owed to a recipient out of a paid item.
    TransferId;
    /// A row of an order's history.
    EventId;
    /// A report of the acquirer as it came in.
    ReportId;
    /// An alarm: something that a person must look at.
    AlarmId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips() {
        let id = OrderId::new(Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001));
        assert_eq!(id.to_string(), "01990000-0000-7000-8000-000000000001");
        assert_eq!(OrderId::parse(&id.to_string()), Some(id));
    }

    #[test]
    fn other_forms_are_not_ids() {
        for text in [
            "",
            "1",
            "01990000000070008000000000000001",
            "{01990000-0000-7000-8000-000000000001}",
            "urn:uuid:01990000-0000-7000-8000-000000000001",
            "01990000-0000-7000-8000-00000000000g",
            "01990000-0000-7000-8000-000000000001 ",
        ] {
            assert_eq!(OrderId::parse(text), None, "{text}");
        }
    }
}
