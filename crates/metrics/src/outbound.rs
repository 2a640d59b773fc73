//! Calls to outside services.

use crate::labels::{Labels, Word as _, values};

/// A call to an outside service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboundCall {
    /// An address that only has to answer, before the cabinet is used.
    CheckLook,
    /// LiqPay: the archive of payments.
    LiqPayArchive,
    /// LiqPay: money given back.
    LiqPayRefund,
    /// LiqPay: where a payment stands.
    LiqPayStatus,
    /// monobank: money given back.
    MonobankInvoiceCancel,
    /// monobank: a payment page.
    MonobankInvoiceCreate,
    /// monobank: closing a page.
    MonobankInvoiceRemove,
    /// monobank: where an invoice stands.
    MonobankInvoiceStatus,
    /// monobank: the key of its reports.
    MonobankPubkey,
    /// monobank: the statement.
    MonobankStatement,
    /// monobank: saved cards.
    MonobankWallet,
    /// monobank: deleting a saved card.
    MonobankWalletCard,
    /// monobank: a payment with a saved card.
    MonobankWalletPayment,
    /// SMS Club: what the account has left.
    SmsClubBalance,
    /// SMS Club: a text message.
    SmsClubSend,
    /// The mail server: a letter.
    SmtpSend,
    /// TurboSMS: what the account has left.
    TurboSmsBalance,
    /// TurboSMS: a text message.
    TurboSmsSend,
    /// The voice service: a call.
    VoiceCallsCreate,
    /// The voice service: where a call stands.
    VoiceCallsStatus,
}

impl OutboundCall {
    /// All calls.
    pub const ALL: [OutboundCall; 20] = [
        OutboundCall::CheckLook,
        OutboundCall::LiqPayArchive,
        OutboundCall::LiqPayRefund,
        OutboundCall::LiqPayStatus,
        OutboundCall::MonobankInvoiceCancel,
        OutboundCall::MonobankInvoiceCreate,
        OutboundCall::MonobankInvoiceRemove,
        OutboundCall::MonobankInvoiceStatus,
        OutboundCall::MonobankPubkey,
        OutboundCall::MonobankStatement,
        OutboundCall::MonobankWallet,
        OutboundCall::MonobankWalletCard,
        OutboundCall::MonobankWalletPayment,
        OutboundCall::SmsClubBalance,
        OutboundCall::SmsClubSend,
        OutboundCall::SmtpSend,
        OutboundCall::TurboSmsBalance,
        OutboundCall::TurboSmsSend,
        OutboundCall::VoiceCallsCreate,
        OutboundCall::VoiceCallsStatus,
    ];

    /// Returns the service.
    #[must_use]
    pub const fn service(self) -> OutboundService {
        match self {
            OutboundCall::CheckLook => OutboundService::Check,
            OutboundCall::LiqPayArchive
            | OutboundCall::LiqPayRefund
            | OutboundCall::LiqPayStatus => OutboundService::LiqPay,
            OutboundCall::MonobankInvoiceCancel
            | OutboundCall::MonobankInvoiceCreate
            | OutboundCall::MonobankInvoiceRemove
            | OutboundCall::MonobankInvoiceStatus
            | OutboundCall::MonobankPubkey
            | OutboundCall::MonobankStatement
            | OutboundCall::MonobankWallet
            | OutboundCall::MonobankWalletCard
            | OutboundCall::MonobankWalletPayment => OutboundService::Monobank,
            OutboundCall::SmsClubBalance | OutboundCall::SmsClubSend => OutboundService::SmsClub,
            OutboundCall::SmtpSend => OutboundService::Smtp,
            OutboundCall::TurboSmsBalance | OutboundCall::TurboSmsSend => OutboundService::TurboSms,
            OutboundCall::VoiceCallsCreate | OutboundCall::VoiceCallsStatus => {
                OutboundService::Voice
            }
        }
    }

    /// Returns the name of the call.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OutboundCall::CheckLook => "look",
            OutboundCall::LiqPayArchive => "reports",
            OutboundCall::LiqPayRefund => "refund",
            OutboundCall::LiqPayStatus => "status",
            OutboundCall::MonobankInvoiceCancel => "invoice/cancel",
            OutboundCall::MonobankInvoiceCreate => "invoice/create",
            OutboundCall::MonobankInvoiceRemove => "invoice/remove",
            OutboundCall::MonobankInvoiceStatus => "invoice/status",
            OutboundCall::MonobankPubkey => "pubkey",
            OutboundCall::MonobankStatement => "statement",
            OutboundCall::MonobankWallet => "wallet",
            OutboundCall::MonobankWalletCard => "wallet/card",
            OutboundCall::MonobankWalletPayment => "wallet/payment",
            OutboundCall::SmsClubBalance => "sms/balance",
            OutboundCall::SmsClubSend => "sms/send",
            OutboundCall::SmtpSend => "send",
            OutboundCall::TurboSmsBalance => "user/balance",
            OutboundCall::TurboSmsSend => "message/send",
            OutboundCall::VoiceCallsCreate => "calls/create",
            OutboundCall::VoiceCallsStatus => "calls/status",
        }
    }
}

impl Labels for OutboundCall {
    fn all() -> Vec<OutboundCall> {
        OutboundCall::ALL.to_vec()
    }

    fn index(self) -> usize {
        OutboundCall::ALL
            .iter()
            .position(|call| *call == self)
            .unwrap_or_default()
    }

    fn words(self) -> Vec<&'static str> {
        vec![self.service().word(), self.name()]
    }
}

values! {
    /// An outside service.
    OutboundService {
        /// `cabinet check`.
        Check = "check",
        /// The acquirer LiqPay.
        LiqPay = "liqpay",
        /// The acquirer monobank.
        Monobank = "monobank",
        /// Text messages, by SMS Club.
        SmsClub = "smsclub",
        /// The mail server.
        Smtp = "smtp",
        /// Text messages, by TurboSMS.
        TurboSms = "turbosms",
        /// Calls.
        Voice = "voice",
    }
}

values! {
    /// How a call to an outside service ended.
    OutboundOutcome {
        /// 2xx, or what means the same.
        Ok = "ok",
        /// 3xx.
        RedirectNotFollowed = "redirect_not_followed",
        /// 429.
        TooMany = "too_many",
        /// Another 4xx.
        Refused = "refused",
        /// 5xx.
        Failed = "failed",
        /// There was no connection, so nothing was sent.
        NotSent = "not_sent",
        /// No answer in time: what was sent may have been done.
        TimedOut = "timed_out",
        /// The answer broke off: what was sent may have been done.
        Cut = "cut",
        /// The answer was longer than is read.
        TooLarge = "too_large",
        /// The service kept failing and was not called.
        CircuitOpen = "circuit_open",
    }
}
