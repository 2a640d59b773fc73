//! How a payment ended, and who must do something if it failed.

use super::absence::NO_TRACE;
use super::case::TOKEN_NOT_FOUND;
use super::decline::decline_key;
use super::refused_page::PAGE_HOST;
use super::{Attempt, AttemptState, Case, InvoiceStatus};
use crate::kernel::words::words;
use crate::{Key, OrderStatus};

/// The acquirers' codes for a request with a token, key or signature that they don't take, or of a shop that may not do it (monobank: errors of the
/// acquiring interface; LiqPay: documentation, "errors").
const ACCESS_REFUSED: [&str; 12] = [
    "FORBIDDEN",
    "HTTP_401",
    "HTTP_403",
    "err_access",
    "err_api_action",
    "err_api_ip",
    "err_auth",
    "err_signature",
    "invalid_signature",
    "public_key_not_found",
    "shop_blocked",
    "shop_not_active",
];

words! {
    /// How the payment of an order ended. An order that is paid again may have several endings.
    PaymentEnding {
        /// Paid.
        Paid = "paid",
        /// Paid and given back.
        Refunded = "refunded",
        /// The bank declined the card: no money on it, blocked, over a limit.
        Declined = "declined",
        /// The payer did not confirm the charge.
        NotConfirmed = "not_confirmed",
        /// Nobody paid while the page was open.
        NotPaidInTime = "not_paid_in_time",
        /// The notary called it off, or its payments went back to the cart because a fee or an account has changed.
        Cancelled = "cancelled",
        /// The acquirer does not know the saved card.
        CardUnknown = "card_unknown",
        /// The acquirer can't be reached.
        NotSent = "not_sent",
        /// The acquirer refused what was asked for.
        Refused = "refused",
        /// The charge failed for a fault of the acquirer.
        Faulty = "faulty",
        /// The acquirer has no trace of a request that it may have got, or of an invoice that it made.
        Lost = "lost",
        /// The acquirer does not take our token or keys.
        AccessRefused = "access_refused",
        /// The acquirer's page is shown to nobody, because our settings do not have its host, or because it is without TLS.
        PageRefused = "page_refused",
    }
}

words! {
    /// Who is to blame for an ending.
    Blamed {
        /// Nobody: it was paid, or given back because somebody wanted that.
        Nobody = "nobody",
        /// Whoever was to pay.
        Payer = "payer",
        /// The bank of the card.
        CardBank = "card_bank",
        /// The acquirer, or the way to it.
        Acquirer = "acquirer",
        /// The cabinet: its settings, token or keys.
        Cabinet = "cabinet",
    }
}

impl PaymentEnding {
    /// Returns who is to blame for it.
    #[must_use]
    pub const fn blamed(self) -> Blamed {
        match self {
            Self::Paid | Self::Refunded => Blamed::Nobody,
            Self::NotConfirmed | Self::NotPaidInTime | Self::Cancelled => Blamed::Payer,
            Self::Declined => Blamed::CardBank,
            Self::CardUnknown | Self::NotSent | Self::Refused | Self::Faulty | Self::Lost => {
                Blamed::Acquirer
            }
            Self::AccessRefused | Self::PageRefused => Blamed::Cabinet,
        }
    }
}

impl Case {
    /// Returns how the payment of the order has ended; `None` while it goes on.
    #[must_use]
    pub fn ending(&self) -> Option<PaymentEnding> {
        let latest = self.latest();
        match self.order.status {
            OrderStatus::InProgress | OrderStatus::Pending => None,
            OrderStatus::Paid => Some(PaymentEnding::Paid),
            OrderStatus::Refunded => Some(PaymentEnding::Refunded),
            OrderStatus::Expired if self.order.is_cancelled || self.order.is_returned_to_cart => {
                Some(PaymentEnding::Cancelled)
            }
            OrderStatus::Expired => Some(latest.map_or(PaymentEnding::NotPaidInTime, expired)),
            OrderStatus::Failed => Some(latest.map_or(PaymentEnding::Faulty, failed)),
        }
    }
}

/// An ended page is told of by the acquirer, or closed at our request.
fn expired(latest: &Attempt) -> PaymentEnding {
    let told = latest.told.as_ref().map(|told| &told.status);
    if latest.withdrawn_at.is_some() {
        PaymentEnding::Cancelled
    } else if told == Some(&InvoiceStatus::Expired) {
        PaymentEnding::NotPaidInTime
    } else {
        PaymentEnding::Lost
    }
}

fn failed(latest: &Attempt) -> PaymentEnding {
    let code = latest.failure_code.as_deref();
    match (latest.state, code) {
        (AttemptState::NotSent, _) => PaymentEnding::NotSent,
        (AttemptState::Refused, Some(PAGE_HOST)) => PaymentEnding::PageRefused,
        (AttemptState::Refused, Some(NO_TRACE)) => PaymentEnding::Lost,
        (AttemptState::Refused, Some(TOKEN_NOT_FOUND)) => PaymentEnding::CardUnknown,
        (AttemptState::Refused, Some(code)) if ACCESS_REFUSED.contains(&code) => {
            PaymentEnding::AccessRefused
        }
        (AttemptState::Refused, _) => PaymentEnding::Refused,
        _ => match decline_key(code) {
            Key::AcquirerUnavailable => PaymentEnding::Faulty,
            Key::PaymentNotConfirmed | Key::PaymentExpired => PaymentEnding::NotConfirmed,
            _ => PaymentEnding::Declined,
        },
    }
}
