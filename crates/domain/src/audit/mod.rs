//! The audit trail: who did what, on what, when and from where. Values are masked before they are kept.

mod value;

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::kernel::words::words;
use crate::{
    AlarmId, AuditEventId, ItemId, NotaryId, OrderId, Origin, PasskeyId, SessionId, TransferId,
};

pub use value::AuditValue;

words! {
    /// What was done.
    AuditAction {
        /// An account was made.
        SignedUp = "signed_up",
        /// A notary signed in.
        SignedIn = "signed_in",
        /// Somebody tried to sign in and failed.
        EntryFailed = "entry_failed",
        /// A notary signed in from a browser that had not been used before.
        NewDevice = "new_device",
        /// A notary signed out.
        SignedOut = "signed_out",
        /// Sessions were ended from outside: by another session, by the operator or by a rule.
        SessionsEnded = "sessions_ended",
        /// A notary added a passkey.
        PasskeyAdded = "passkey_added",
        /// A notary removed a passkey.
        PasskeyRemoved = "passkey_removed",
        /// A notary changed the figures of her saved cards.
        CardFiguresChanged = "card_figures_changed",
        /// The profile was changed.
        ProfileChanged = "profile_changed",
        /// A fresh code or call confirmed changes in a session.
        ChangeConfirmed = "change_confirmed",
        /// A code or call that was to confirm changes in a session failed.
        ConfirmationFailed = "confirmation_failed",
        /// An order was made.
        OrderCreated = "order_created",
        /// An order got a new payment link.
        OrderLinkRenewed = "order_link_renewed",
        /// A saved card was charged for an order that had not been paid.
        OrderCardRetried = "order_card_retried",
        /// An order was paid.
        OrderPaid = "order_paid",
        /// The payment of an order failed.
        OrderFailed = "order_failed",
        /// An order expired.
        OrderExpired = "order_expired",
        /// The payment of an order was given back.
        OrderRefunded = "order_refunded",
        /// Payments of a search were downloaded as a table.
        OrdersExported = "orders_exported",
        /// Receipts were downloaded.
        ReceiptsDownloaded = "receipts_downloaded",
        /// A notary removed a saved card.
        SavedCardDeleted = "saved_card_deleted",
        /// A notary put a removed card back.
        SavedCardRestored = "saved_card_restored",
        /// The acquirer was told to forget a removed card.
        SavedCardForgotten = "saved_card_forgotten",
        /// A recipient was saved or changed in the address book.
        RecipientSaved = "recipient_saved",
        /// A saved recipient was deleted.
        RecipientDeleted = "recipient_deleted",
        /// Reference data was loaded.
        ReferenceLoaded = "reference_loaded",
        /// The acquirer's reports of a month were taken away as a file.
        ReportsArchived = "reports_archived",
        /// The register of notaries was loaded.
        RegisterLoaded = "register_loaded",
        /// A notary was confirmed.
        NotaryConfirmed = "notary_confirmed",
        /// A notary was refused.
        NotaryRefused = "notary_refused",
        /// A notary was blocked.
        NotaryBlocked = "notary_blocked",
        /// A notary was unblocked.
        NotaryUnblocked = "notary_unblocked",
        /// The status of a notary was changed: private, state or suspended.
        NotaryStatusChanged = "notary_status_changed",
        /// The login step of an account was changed.
        LoginStepChanged = "login_step_changed",
        /// The payment flow of an account was changed.
        PaymentFlowChanged = "payment_flow_changed",
        /// Planned transfers were written to a list for the bank.
        TransfersExported = "transfers_exported",
        /// A transfer was marked as sent, credited or returned.
        TransferMarked = "transfer_marked",
        /// An entry of a bank's file was left out, because it is settled by hand.
        BankEntryLeftOut = "bank_entry_left_out",
        /// A bank kept a fee of money that came back.
        BankFeeKept = "bank_fee_kept",
        /// A transfer that was marked as sent was planned again, because the bank was not given it.
        TransferNotSent = "transfer_not_sent",
        /// After a restore the transfers were compared with the bank, and may be exported again.
        TransfersResumed = "transfers_resumed",
        /// Transfers that an earlier version had planned were sealed.
        TransfersSealed = "transfers_sealed",
        /// The operator looked at a transfer without a seal that fits, and sealed it.
        TransferSealed = "transfer_sealed",
        /// A transfer was held.
        TransferHeld = "transfer_held",
        /// A held transfer was released.
        TransferReleased = "transfer_released",
        /// The operator wrote a report.
        ReportWritten = "report_written",
        /// An alarm was closed.
        AlarmClosed = "alarm_closed",
        /// Letters that had been given up are tried again.
        LettersRetried = "letters_retried",
        /// Letters that had been given up are not sent any more.
        LettersDropped = "letters_dropped",
        /// Keys whose secrets are lost were forgotten.
        KeysForgotten = "keys_forgotten",
        /// The operator erased a client.
        ClientErased = "client_erased",
        /// The operator erased an account.
        NotaryErased = "notary_erased",
        /// The names were taken out of an order.
        OrderAnonymised = "order_anonymised",
        /// A returned transfer is sent again.
        TransferSentAgain = "transfer_sent_again",
        /// The notary asked for a returned part to be given back to the card.
        PartRefundRequested = "part_refund_requested",
        /// The operator entered that a returned part was given back to the card.
        PartRefunded = "part_refunded",
        /// The notarial act of an order was entered or changed.
        OrderActChanged = "order_act_changed",
        /// QR codes for paying the recipients past the cabinet were given out.
        PaymentCodesGiven = "payment_codes_given",
        /// The notary marked an order as paid by QR codes, or changed what the payer's receipt says.
        PaymentCodesMarked = "payment_codes_marked",
        /// The notary took that mark back.
        PaymentCodesMarkUndone = "payment_codes_mark_undone",
        /// The notary's part of a payment by QR code was marked as credited, by the statement of her bank.
        PaymentCodesCredited = "payment_codes_credited",
        /// The notary took that mark back.
        PaymentCodesCreditUndone = "payment_codes_credit_undone",
        /// The notary cancelled an unpaid order.
        OrderCancelled = "order_cancelled",
        /// The notary made a link by which the client pays an order.
        ClientLinkMade = "client_link_made",
        /// The notary withdrew it.
        ClientLinkWithdrawn = "client_link_withdrawn",
        /// The notary had it sent to the client.
        ClientLinkSent = "client_link_sent",
        /// It was opened for the first time.
        ClientLinkOpened = "client_link_opened",
        /// Somebody agreed to receipts of an order by e-mail.
        ReceiptConsentGiven = "receipt_consent_given",
        /// That was taken back.
        ReceiptConsentWithdrawn = "receipt_consent_withdrawn",
        /// The operator had the personal data of an order or an account shown in full.
        PersonalDataShown = "personal_data_shown",
        /// The operator had the acquirer asked about an order.
        OrderAsked = "order_asked",
        /// The operator wants an order cancelled. What came of it is an event of its own.
        OrderCancelAsked = "order_cancel_asked",
        /// The operator wants money given back to the card. What came of it is an event of its own.
        RefundAsked = "refund_asked",
        /// The acquirer gave back what the operator wanted.
        RefundDone = "refund_done",
        /// The operator answered a complaint.
        ComplaintAnswered = "complaint_answered",
        /// The operator closed a complaint without an answer.
        ComplaintClosed = "complaint_closed",
    }
}

impl AuditAction {
    /// Returns whether the notary is shown it as an event of the account's security.
    #[must_use]
    pub const fn is_security_event(self) -> bool {
        match self {
            Self::SignedUp
            | Self::SignedIn
            | Self::EntryFailed
            | Self::NewDevice
            | Self::SignedOut
            | Self::SessionsEnded
            | Self::PasskeyAdded
            | Self::PasskeyRemoved
            | Self::CardFiguresChanged
            | Self::ProfileChanged
            | Self::ChangeConfirmed
            | Self::ConfirmationFailed
            | Self::OrdersExported
            | Self::SavedCardDeleted
            | Self::SavedCardRestored
            | Self::SavedCardForgotten
            | Self::RecipientSaved
            | Self::RecipientDeleted
            | Self::NotaryConfirmed
            | Self::NotaryRefused
            | Self::NotaryBlocked
            | Self::NotaryUnblocked
            | Self::NotaryStatusChanged
            | Self::LoginStepChanged
            | Self::PaymentFlowChanged => true,
            Self::OrderCreated
            | Self::OrderActChanged
            | Self::PaymentCodesGiven
            | Self::PaymentCodesMarked
            | Self::PaymentCodesMarkUndone
            | Self::PaymentCodesCredited
            | Self::PaymentCodesCreditUndone
            | Self::OrderCancelled
            | Self::ClientLinkMade
            | Self::ClientLinkWithdrawn
            | Self::ClientLinkSent
            | Self::ClientLinkOpened
            | Self::ReceiptConsentGiven
            | Self::ReceiptConsentWithdrawn
            | Self::OrderLinkRenewed
            | Self::OrderCardRetried
            | Self::OrderPaid
            | Self::OrderFailed
            | Self::OrderExpired
            | Self::OrderRefunded
            | Self::ReceiptsDownloaded
            | Self::ReferenceLoaded
            | Self::ReportsArchived
            | Self::RegisterLoaded
            | Self::TransfersExported
            | Self::TransferMarked
            | Self::BankEntryLeftOut
            | Self::BankFeeKept
            | Self::TransferNotSent
            | Self::TransfersResumed
            | Self::TransfersSealed
            | Self::TransferSealed
            | Self::TransferHeld
            | Self::TransferReleased
            | Self::ReportWritten
            | Self::AlarmClosed
            | Self::LettersRetried
            | Self::LettersDropped
            | Self::KeysForgotten
            | Self::ClientErased
            | Self::NotaryErased
            | Self::OrderAnonymised
            | Self::TransferSentAgain
            | Self::PartRefundRequested
            | Self::PartRefunded
            | Self::PersonalDataShown
            | Self::OrderAsked
            | Self::OrderCancelAsked
            | Self::RefundAsked
            | Self::RefundDone
            | Self::ComplaintAnswered
            | Self::ComplaintClosed => false,
        }
    }
}

/// What an event concerns beside its notary and its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditObject {
    /// An item of an order.
    Item(ItemId),
    /// A transfer of an order.
    Transfer(TransferId),
    /// An alarm.
    Alarm(AlarmId),
    /// A session.
    Session(SessionId),
    /// A passkey.
    Passkey(PasskeyId),
    /// A version of the reference data.
    ReferenceVersion(i64),
    /// A complaint.
    Complaint(Uuid),
}

impl AuditObject {
    /// Returns the word of its kind.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Item(_) => "item",
            Self::Transfer(_) => "transfer",
            Self::Alarm(_) => "alarm",
            Self::Session(_) => "session",
            Self::Passkey(_) => "passkey",
            Self::ReferenceVersion(_) => "reference_version",
            Self::Complaint(_) => "complaint",
        }
    }

    /// Returns its id as text.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Item(id) => id.to_string(),
            Self::Transfer(id) => id.to_string(),
            Self::Alarm(id) => id.to_string(),
            Self::Session(id) => id.to_string(),
            Self::Passkey(id) => id.to_string(),
            Self::ReferenceVersion(number) => number.to_string(),
            Self::Complaint(id) => id.hyphenated().to_string(),
        }
    }

    /// Reads a stored object.
    #[must_use]
    pub fn parse_saved(kind: &str, id: &str) -> Option<Self> {
        match kind {
            "item" => ItemId::parse(id).map(Self::Item),
            "transfer" => TransferId::parse(id).map(Self::Transfer),
            "alarm" => AlarmId::parse(id).map(Self::Alarm),
            "session" => SessionId::parse(id).map(Self::Session),
            "passkey" => PasskeyId::parse(id).map(Self::Passkey),
            "reference_version" => id.parse().ok().map(Self::ReferenceVersion),
            "complaint" => Uuid::try_parse(id).ok().map(Self::Complaint),
            _ => None,
        }
    }
}

/// A field that took another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditChange {
    /// The name of the field.
    pub field: String,
    /// What it was.
    pub from: Option<AuditValue>,
    /// What it is.
    pub to: Option<AuditValue>,
}

impl fmt::Display for AuditChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<AuditValue>| {
            value
                .as_ref()
                .map_or_else(|| "–".to_owned(), AuditValue::to_string)
        };
        match &self.from {
            None => write!(f, "{}: {}", self.field, shown(&self.to)),
            Some(_) => write!(
                f,
                "{}: {} → {}",
                self.field,
                shown(&self.from),
                shown(&self.to)
            ),
        }
    }
}

/// One event of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// The id.
    pub id: AuditEventId,
    /// When it happened.
    pub created_at: Timestamp,
    /// Who did it, and from where.
    pub origin: Origin,
    /// What was done.
    pub action: AuditAction,
    /// The notary whom it concerns.
    pub notary_id: Option<NotaryId>,
    /// The order that it concerns.
    pub order_id: Option<OrderId>,
    /// What else it concerns.
    pub object: Option<AuditObject>,
    /// What changed.
    pub changes: Vec<AuditChange>,
}

/// The place of an event in the chain. Its hash covers the event and the hash of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditSeal {
    /// The number of the event, from 1.
    pub sequence: i64,
    /// The hash.
    pub hash: [u8; 32],
}

impl AuditSeal {
    /// What stands before the first event.
    pub const START: Self = Self {
        sequence: 0,
        hash: [0; 32],
    };

    /// Reads the written form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (sequence, hash) = text.split_once(':')?;
        let sequence: i64 = sequence.parse().ok().filter(|number| *number > 0)?;
        if hash.len() != 64 || !hash.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (position, byte) in bytes.iter_mut().enumerate() {
            let digits = hash.get(position * 2..position * 2 + 2)?;
            *byte = u8::from_str_radix(digits, 16).ok()?;
        }
        Some(Self {
            sequence,
            hash: bytes,
        })
    }
}

/// Number and hash, as in `120:9f86d0…`.
impl fmt::Display for AuditSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.sequence)?;
        self.hash
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_is_read_as_it_is_written() {
        let id = Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001);
        for object in [
            AuditObject::Item(ItemId::new(id)),
            AuditObject::Transfer(TransferId::new(id)),
            AuditObject::Alarm(AlarmId::new(id)),
            AuditObject::Session(SessionId::new(id)),
            AuditObject::ReferenceVersion(7),
            AuditObject::Complaint(id),
        ] {
            assert_eq!(
                AuditObject::parse_saved(object.kind(), &object.id()),
                Some(object)
            );
        }
        assert_eq!(AuditObject::parse_saved("nothing", "7"), None);
    }

    #[test]
    fn a_seal_is_read_as_it_is_written_and_nothing_else() {
        let mut hash = [0; 32];
        hash[0] = 0x9f;
        hash[31] = 7;
        let seal = AuditSeal {
            sequence: 120,
            hash,
        };
        assert_eq!(AuditSeal::parse(&seal.to_string()), Some(seal));
        let text = seal.to_string();
        for wrong in [
            "",
            "120",
            "120:",
            "120:9f",
            &text[..text.len() - 1],
            &text.replace("120", "0"),
            &text.replace("9f", "é"),
        ] {
            assert_eq!(AuditSeal::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_change_reads_as_a_person_would_write_it() {
        let change = |from: Option<&'static str>, to: Option<&'static str>| {
            AuditChange {
                field: "status".to_owned(),
                from: from.map(AuditValue::word),
                to: to.map(AuditValue::word),
            }
            .to_string()
        };
        assert_eq!(change(None, Some("sent")), "status: sent");
        assert_eq!(
            change(Some("planned"), Some("sent")),
            "status: planned → sent"
        );
        assert_eq!(change(Some("planned"), None), "status: planned → –");
    }
}
