//! Alarms: what a person must look at.

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::{AlarmId, OrderId};

words! {
    /// A kind of alarm. The operator sees each as a row until somebody closes it with a note.
    AlarmKind {
        /// The acquirer names another sum or currency than ours.
        AmountDiffers = "amount_differs",
        /// A second charge of an order. One of them must be given back.
        ChargedTwice = "charged_twice",
        /// Money came, or became known, after the order's payment had been given back. If it was an earlier charge and the operator had given
        /// the payment back, the order is paid by it; no transfer is sent before a person has decided.
        PaidAfterRefund = "paid_after_refund",
        /// A part of the payment was given back, or is being given back, without our asking; or all of it according to the rest alone: the
        /// acquirer still calls it paid. A person decides about the transfers, and none is sent before.
        RefundedInPart = "refunded_in_part",
        /// The payment was given back after a transfer of the order had gone to the bank.
        RefundedAfterTransfer = "refunded_after_transfer",
        /// The bank refused a transfer, and debited or credited it all the same: where its money is, only the bank can say.
        TransferDisputed = "transfer_disputed",
        /// What a transfer says is not what was sealed when it was planned, or its seal is missing: it was changed from outside.
        TransferSealBroken = "transfer_seal_broken",
        /// The acquirer has not told for hours what became of a refund that the operator asked for.
        RefundUnanswered = "refund_unanswered",
        /// A refund that the operator asked for was not carried out: the acquirer refused it, has no trace of it, or was not asked.
        RefundNotMade = "refund_not_made",
        /// The acquirer gave something else back than was asked for, gave it back after that had been ruled out, or tells of less than before.
        RefundContradicted = "refund_contradicted",
        /// The order was paid after it had been given up.
        LatePayment = "late_payment",
        /// The acquirer reports a payment as failed or expired that it had reported as paid, or as given back with another sum or currency.
        PaymentContradicted = "payment_contradicted",
        /// A charge under one of our references whose invoice the cabinet did not know.
        StrayInvoicePaid = "stray_invoice_paid",
        /// The acquirer has given no answer about a payment for hours.
        PaymentUnanswered = "payment_unanswered",
        /// The acquirer does not know an invoice that it made.
        InvoiceNotFound = "invoice_not_found",
        /// The acquirer refuses to tell the state of an invoice.
        QuestionRefused = "question_refused",
        /// The acquirer's page is on a host that is not in the settings.
        PageHostUnlisted = "page_host_unlisted",
        /// The acquirer's page is without TLS.
        PageNotHttps = "page_not_https",
        /// A report with a right signature cannot be read.
        ReportUnreadable = "report_unreadable",
        /// The transfers of a paid order do not follow from its items.
        TransfersNotPlanned = "transfers_not_planned",
        /// What becomes known about an order can't be stored: its rows can't be read or contradict themselves.
        OrderNotSettled = "order_not_settled",
        /// The acquirer charged for something that no order answers for.
        StatementUnknownPayment = "statement_unknown_payment",
        /// The acquirer's statement lacks a payment that is known here.
        StatementLacksPayment = "statement_lacks_payment",
        /// The acquirer's statement has entries that cannot be read.
        StatementUnreadable = "statement_unreadable",
        /// A day could not be compared with the acquirer's statement.
        StatementNotCompared = "statement_not_compared",
        /// The acquirer's clock and ours differ by more than five minutes. Until that is mended, what the acquirer lacks proves something
        /// after a day only.
        ClocksDiffer = "clocks_differ",
        /// A mail server refused a letter for good.
        LetterRefused = "letter_refused",
        /// A task of the outbox was given up.
        OutboxParked = "outbox_parked",
        /// Codes of logins are being guessed. New devices get longer ones.
        CodesGuessed = "codes_guessed",
        /// Codes go to telephones, and hardly anybody enters them. Sign-ups wait.
        CodesUnanswered = "codes_unanswered",
        /// Somebody has used up what a notary's new devices are sent within a day: she can enter from devices and networks that she has used.
        EntriesUsedUp = "entries_used_up",
        /// Four fifths of the messages with codes of an hour are sent.
        MessagesRunningOut = "messages_running_out",
        /// Four fifths of the calls of an hour are made.
        CallsRunningOut = "calls_running_out",
    }
}

impl AlarmKind {
    /// Returns whether an order with such an open alarm must not be paid, because its money is in doubt.
    #[must_use]
    pub const fn holds_payment(self) -> bool {
        matches!(
            self,
            Self::AmountDiffers
                | Self::ChargedTwice
                | Self::PaidAfterRefund
                | Self::PaymentContradicted
        )
    }

    /// Returns whether no transfer of an order with such an open alarm may be sent: money of it went back to the card and nobody has
    /// decided for which transfer, it is in doubt whether the order has its money, or where the money of one of its transfers is or goes.
    #[must_use]
    pub const fn holds_transfers(self) -> bool {
        matches!(
            self,
            Self::RefundedInPart
                | Self::PaidAfterRefund
                | Self::RefundContradicted
                | Self::TransferDisputed
                | Self::TransferSealBroken
                | Self::AmountDiffers
                | Self::PaymentContradicted
                | Self::StatementLacksPayment
        )
    }
}

/// An alarm: one open row for a kind and a subject, until somebody closes it with a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm<Kind = AlarmKind> {
    /// The id.
    pub id: AlarmId,
    /// What is wrong.
    pub kind: Kind,
    /// The subject, as `attempt:…`, `order:…`, `invoice:…`, `day:…`, `report:…`, `outbox:…` or `installation`. No personal data.
    pub subject: String,
    /// The order, where there is one.
    pub order_id: Option<OrderId>,
    /// When it was first seen.
    pub first_at: Timestamp,
    /// When it was last seen.
    pub last_at: Timestamp,
    /// How often it was seen.
    pub count: i64,
    /// When somebody closed it.
    pub closed_at: Option<Timestamp>,
    /// What that person wrote.
    pub note: Option<String>,
    /// What else is known about the subject. No personal data.
    pub detail: Option<String>,
}
