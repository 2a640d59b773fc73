//! One type for each kind of identifier, so that they cannot be confused.

use std::fmt;

use uuid::{Builder, Uuid, Version};

/// Length of the hyphenated form of an id, in characters.
const HYPHENATED_CHARS: usize = 36;

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID.
            #[must_use]
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// Returns the UUID, for storage.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// Parses the hyphenated form of 36 characters; `None` for anything else (no braces, no `urn:`).
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
    /// A browser that has signed a notary in.
    DeviceId;
    /// A passkey of a notary.
    PasskeyId;
    /// A login or sign-up that waits for its code (`operation_id`).
    OperationId;
    /// A login that waits for a telephone call (`transaction_id`), also the name of its realtime channel.
    TransactionId;
    /// A client (payer) of a notary, and the client's group in the cart.
    ClientId;
    /// A recipient that a notary has saved.
    OwnRecipientId;
    /// A payment item. It keeps its id when it moves from the cart into an order.
    ItemId;
    /// An order: the items of one client, paid at once.
    OrderId;
    /// An attempt to have an order paid. Its text is our reference at the acquirer and encodes the order
    /// ([`AttemptId::of_order`]).
    AttemptId;
    /// A transfer owed to a recipient out of a paid item.
    TransferId;
    /// A refund that the operator asked for. Its text is our reference of it at the acquirer.
    RefundId;
    /// A row of an order's history.
    EventId;
    /// A report of the acquirer as it came in.
    ReportId;
    /// An alarm: something that a person must look at.
    AlarmId;
    /// An event of the audit trail.
    AuditEventId;
    /// A deal whose payments were put into the cart.
    DealId;
}

/// The number of leading bytes of an order's id (version 7) that are copied into the ids of its attempts (version 8):
/// the moment and 12 random bits.
const ORDER_BYTES: usize = 8;
/// The byte with the version and four random bits.
const VERSION_BYTE: usize = 6;
/// The random half of [`VERSION_BYTE`].
const BESIDE_VERSION: u8 = 0x0f;

impl AttemptId {
    /// Returns the id of a new attempt, made of the order's id and a random one. A payment can so be assigned to its
    /// order even if a restored copy of the database has lost the attempt.
    #[must_use]
    pub fn of_order(order: OrderId, random: Uuid) -> Self {
        let mut bytes = random.into_bytes();
        let of_order = order.0.into_bytes().into_iter().take(ORDER_BYTES);
        for (byte, of_order) in bytes.iter_mut().zip(of_order) {
            *byte = of_order;
        }
        Self(Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Returns the range of ids that the attempt's order can have; `None` for an id that encodes no order.
    #[must_use]
    pub fn orders(self) -> Option<(OrderId, OrderId)> {
        if self.0.get_version() != Some(Version::Custom) {
            return None;
        }
        let mut first = [0; 16];
        let own = self.0.into_bytes().into_iter().take(ORDER_BYTES);
        for (index, (byte, own)) in first.iter_mut().zip(own).enumerate() {
            *byte = if index == VERSION_BYTE {
                0x70 | (own & BESIDE_VERSION)
            } else {
                own
            };
        }
        let mut last = first;
        for byte in last.iter_mut().skip(ORDER_BYTES) {
            *byte = u8::MAX;
        }
        let order = |bytes| OrderId(Uuid::from_bytes(bytes));
        Some((order(first), order(last)))
    }

    /// Returns whether the id can be that of an attempt of the order.
    #[must_use]
    pub fn names(self, order: OrderId) -> bool {
        self.orders()
            .is_some_and(|(first, last)| (first..=last).contains(&order))
    }
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
    fn an_attempt_names_its_order_and_no_other() {
        let order = |text| OrderId::parse(text).unwrap();
        let own = order("0199abcd-ef01-7234-9678-9abcdef01234");
        let attempt = AttemptId::of_order(own, Uuid::from_u128(0x4000_8000_0000_0000_0007));
        assert_eq!(attempt.to_string(), "0199abcd-ef01-8234-8000-000000000007");
        assert!(attempt.names(own));
        for other in [
            // Of the next millisecond, and of the same one with other random bits.
            "0199abcd-ef02-7234-9678-9abcdef01234",
            "0199abcd-ef01-7235-9678-9abcdef01234",
            // No order has an id of this version.
            "0199abcd-ef01-8234-9678-9abcdef01234",
        ] {
            assert!(!attempt.names(order(other)), "{other}");
        }
        let random = AttemptId::parse("0199abcd-ef01-4234-9678-9abcdef01234").unwrap();
        assert_eq!(
            random.orders(),
            None,
            "made before attempts named their orders"
        );
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
