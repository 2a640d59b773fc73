//! What a person must look at.

macro_rules! alarms {
    ($($(#[$meta:meta])* $name:ident = $text:literal, $holds_payment:literal;)+) => {
        /// A kind of alarm. The operator sees each as a row until somebody closes it with a note.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AlarmKind {
            $($(#[$meta])* $name,)+
        }

        impl AlarmKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The name in storage, metrics and logs.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Whether an order with such an open alarm must not be paid: its money is in doubt.
            #[must_use]
            pub const fn holds_payment(self) -> bool {
                match self {
                    $(Self::$name => $holds_payment,)+
                }
            }

            /// Reads the name; `None` for any other text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.as_str() == text)
            }
        }
    };
}

alarms! {
    /// The acquirer names another sum or currency than ours.
    AmountDiffers = "amount_differs", true;
    /// A charge beside the one that counts for the order. One charge must be given back.
    ChargedTwice = "charged_twice", true;
    /// Money came after the order's payment had been given back.
    PaidAfterRefund = "paid_after_refund", true;
    /// A part of the payment was given back. A person decides about the transfers.
    RefundedInPart = "refunded_in_part", false;
    /// The payment was given back after a transfer of the order had gone to the bank.
    RefundedAfterTransfer = "refunded_after_transfer", false;
    /// The order was paid after it had been given up.
    LatePayment = "late_payment", false;
    /// The acquirer calls a payment failed or expired that it had called paid.
    PaymentContradicted = "payment_contradicted", true;
    /// A charge under one of our references whose invoice the cabinet did not know.
    StrayInvoicePaid = "stray_invoice_paid", false;
    /// The acquirer has given no answer about a payment for hours.
    PaymentUnanswered = "payment_unanswered", false;
    /// The acquirer does not know an invoice that it made.
    InvoiceNotFound = "invoice_not_found", false;
    /// The acquirer refuses to tell the state of an invoice.
    QuestionRefused = "question_refused", false;
    /// The acquirer's page is on a host that is not in the settings.
    PageHostUnlisted = "page_host_unlisted", false;
    /// A report with a right signature cannot be read.
    ReportUnreadable = "report_unreadable", false;
    /// The transfers of a paid order do not follow from its items.
    TransfersNotPlanned = "transfers_not_planned", false;
    /// The acquirer charged for something that no order answers for.
    StatementUnknownPayment = "statement_unknown_payment", false;
    /// The acquirer's statement lacks a payment that is known here.
    StatementLacksPayment = "statement_lacks_payment", false;
    /// The acquirer's statement has entries that cannot be read.
    StatementUnreadable = "statement_unreadable", false;
    /// A day could not be compared with the acquirer's statement.
    StatementNotCompared = "statement_not_compared", false;
    /// A mail server refused a letter for good.
    LetterRefused = "letter_refused", false;
    /// A task of the outbox was given up.
    OutboxParked = "outbox_parked", false;
}
