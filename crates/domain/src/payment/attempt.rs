//! One attempt to have an order paid.

use std::fmt;

use jiff::{SignedDuration, Timestamp};

use super::absence::{BETWEEN_READINGS, NO_TRACE};
use super::schedule::{FIRST_CHECK, PREPARED_WITHIN};
use super::{
    Absence, AcquirerName, Clocks, Delays, Evidence, Expected, InvoiceId, InvoiceStatus, Missing,
};
use crate::kernel::words::words;
use crate::{AttemptId, MaskedPan, Money, OrderId, OrderStatus};

/// The time after which an invoice that was made may be forgotten: its charge is looked for in the statement, its page is over. Before that an
/// answer without it is stale or wrong, also where the page was to be closed and the answer to that was lost.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24);

words! {
    /// What is requested of the acquirer.
    AttemptKind {
        /// A payment page.
        Invoice = "invoice",
        /// A charge of a saved card.
        CardToken = "card_token",
    }
}

words! {
    /// The state of an attempt.
    AttemptState {
        /// Stored; nothing was sent to the acquirer.
        Prepared = "prepared",
        /// Sent, or about to be; no answer is known.
        Submitted = "submitted",
        /// The acquirer has an invoice for it, and its outcome is open.
        Accepted = "accepted",
        /// The request certainly did not reach the acquirer.
        NotSent = "not_sent",
        /// The acquirer refused the request, or has no trace of it.
        Refused = "refused",
        /// Its outcome is known.
        Finished = "finished",
    }
}

/// The latest state of the invoice as reported by the acquirer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Where the invoice stands.
    pub status: InvoiceStatus,
    /// When it changed, by the acquirer's clock.
    pub modified_at: Timestamp,
}

/// An attempt. Its reference identifies it at the acquirer, so that a lost answer can be found again.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The id.
    pub id: AttemptId,
    /// The order.
    pub order_id: OrderId,
    /// The acquirer. It never changes.
    pub acquirer: AcquirerName,
    /// Our reference at the acquirer: the attempt's own id, or that of the attempt whose stray invoice this is.
    pub payment_reference: AttemptId,
    /// Whether this is an invoice under one of our references that the cabinet did not know: it was made before a copy
    /// of the database was restored, or by a request whose answer was lost. It is never the latest attempt of its
    /// order.
    pub is_stray: bool,
    /// What was requested.
    pub kind: AttemptKind,
    /// The state.
    pub state: AttemptState,
    /// The outcome; `Some` if and only if it is finished.
    pub outcome: Option<OrderStatus>,
    /// The acquirer's id of the invoice.
    pub invoice_id: Option<InvoiceId>,
    /// The page to pay or to confirm at.
    pub page_url: Option<String>,
    /// The latest state that the acquirer reported.
    pub told: Option<Told>,
    /// When the money was charged, by the acquirer's clock. It is never removed.
    pub charged_at: Option<Timestamp>,
    /// When all of the money was given back, by the acquirer's clock.
    pub reversed_at: Option<Timestamp>,
    /// The sum given back so far.
    pub refunded: Money,
    /// When the acquirer closed the page at our request; nothing can be paid there any more.
    pub withdrawn_at: Option<Timestamp>,
    /// The card as the acquirer masks it.
    pub masked_pan: Option<MaskedPan>,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// Retrieval reference number of the card scheme.
    pub rrn: Option<String>,
    /// What the acquirer keeps of the charge; `None` while it has not said.
    pub acquirer_fee: Option<Money>,
    /// The acquirer's code of a failure or refusal.
    pub failure_code: Option<String>,
    /// The sum to be charged.
    pub amount: Money,
    /// When it was begun, by our clock.
    pub created_at: Timestamp,
    /// When the request was sent, by the acquirer's clock, where that was known.
    pub submitted_at: Option<Timestamp>,
    /// When the acquirer answered, by our clock.
    pub answered_at: Option<Timestamp>,
    /// When its page can no longer be paid, by the acquirer's clock where that was known. An unanswered page has none, unless it may have been
    /// shown ([`Attempt::may_have_been_shown`]).
    pub expires_at: Option<Timestamp>,
    /// When the acquirer is asked next; `None` where nothing more is expected.
    pub next_check_at: Option<Timestamp>,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// The latest error, for the operator.
    pub last_error: Option<String>,
    /// What of it the acquirer lacked when it was asked last.
    pub absence: Option<Absence>,
}

/// Hides addresses, card and codes.
impl fmt::Debug for Attempt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Attempt")
            .field("id", &self.id)
            .field("acquirer", &self.acquirer)
            .field("kind", &self.kind)
            .field("state", &self.state)
            .field("outcome", &self.outcome)
            .field("is_stray", &self.is_stray)
            .field("told", &self.told)
            .field("charged_at", &self.charged_at)
            .field("reversed_at", &self.reversed_at)
            .field("withdrawn_at", &self.withdrawn_at)
            .field("next_check_at", &self.next_check_at)
            .finish_non_exhaustive()
    }
}

/// A new attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAttempt {
    /// The id.
    pub id: AttemptId,
    /// The order.
    pub order_id: OrderId,
    /// The acquirer that is asked.
    pub acquirer: AcquirerName,
    /// What is requested.
    pub kind: AttemptKind,
    /// What is to be charged.
    pub amount: Money,
    /// When it is begun.
    pub created_at: Timestamp,
}

impl NewAttempt {
    /// Returns the attempt before anything is sent. If the process ends here, it is given up after some seconds.
    #[must_use]
    pub fn prepared(self) -> Attempt {
        Attempt {
            id: self.id,
            order_id: self.order_id,
            acquirer: self.acquirer,
            payment_reference: self.id,
            is_stray: false,
            kind: self.kind,
            state: AttemptState::Prepared,
            outcome: None,
            invoice_id: None,
            page_url: None,
            told: None,
            charged_at: None,
            reversed_at: None,
            refunded: Money::ZERO,
            withdrawn_at: None,
            masked_pan: None,
            payment_system: None,
            approval_code: None,
            rrn: None,
            acquirer_fee: None,
            failure_code: None,
            amount: self.amount,
            created_at: self.created_at,
            submitted_at: None,
            answered_at: None,
            expires_at: None,
            next_check_at: Some(self.created_at + PREPARED_WITHIN),
            checks: 0,
            last_error: None,
            absence: None,
        }
    }
}

impl Attempt {
    /// Returns whether the money was charged and has not been given back in full.
    #[must_use]
    pub const fn has_standing_charge(&self) -> bool {
        self.charged_at.is_some() && self.reversed_at.is_none()
    }

    /// Returns whether the request may have reached the acquirer and no answer is known.
    #[must_use]
    pub const fn is_unanswered(&self) -> bool {
        matches!(self.state, AttemptState::Submitted)
    }

    /// Returns when the page expires, with a margin of a minute.
    #[must_use]
    pub fn page_ends_at(&self) -> Timestamp {
        self.expires_at
            .unwrap_or(self.created_at + self.acquirer.page_lifetime())
            + FIRST_CHECK
    }

    /// Returns whether its charge was given up because the acquirer has no trace of it.
    #[must_use]
    pub fn is_given_up(&self) -> bool {
        self.state == AttemptState::Refused && self.failure_code.as_deref() == Some(NO_TRACE)
    }

    /// Returns when the page expires by both clocks, with a margin of a minute.
    #[must_use]
    pub fn page_end(&self) -> Clocks {
        let made_at = self.answered_at.unwrap_or(self.created_at);
        Clocks {
            ours: made_at + self.acquirer.page_lifetime() + FIRST_CHECK,
            // Where the acquirer's clock was not known this is by ours; on a page of LiqPay it is signed, so it counts by LiqPay's clock.
            theirs: self.expires_at.map(|end| end + FIRST_CHECK),
        }
    }

    /// Returns when the request was sent, by both clocks.
    #[must_use]
    pub const fn sent(&self) -> Clocks {
        Clocks {
            ours: self.created_at,
            theirs: self.submitted_at,
        }
    }

    /// Returns by when it is known whether a charge was made whose answer was lost, by our clock. `None`: it is known, or a page was asked for,
    /// which is asked for again.
    #[must_use]
    pub fn answer_expected_at(&self, delays: &Delays) -> Option<Timestamp> {
        let is_charge =
            self.state == AttemptState::Submitted && self.kind == AttemptKind::CardToken;
        (is_charge || self.may_have_been_shown()).then(|| {
            self.charge_expected(delays)
                .proved_at(self.is_clock_in_doubt())
        })
    }

    /// Returns whether somebody may have its page although no answer is known: its request was unanswered in a copy of the database that was
    /// restored ([`Attempt::expires_at`] says until when). Any other unanswered page is known to nobody.
    #[must_use]
    pub fn may_have_been_shown(&self) -> bool {
        self.is_unanswered() && self.kind == AttemptKind::Invoice && self.expires_at.is_some()
    }

    /// Returns when a page that may have been shown expires: it may have been asked for anew at any moment before the copy was restored, so both
    /// clocks have the later end.
    fn shown_page_end(&self) -> Clocks {
        let end = self.page_end();
        Clocks {
            ours: end.ours.max(self.page_ends_at()),
            ..end
        }
    }

    /// Returns whether only the acquirer's statement can tell whether it was paid.
    #[must_use]
    pub fn is_outcome_lost(&self) -> bool {
        // Without an error the charge of a saved card is still under way.
        let is_lost_charge = self.is_unanswered()
            && self.kind == AttemptKind::CardToken
            && self.last_error.is_some();
        is_lost_charge || self.may_have_been_shown()
    }

    /// Returns from when the acquirer's statement shows its charge.
    pub(super) fn charge_expected(&self, delays: &Delays) -> Expected {
        Expected {
            since: if self.may_have_been_shown() {
                self.shown_page_end()
            } else {
                self.sent()
            },
            within: delays.until(self.acquirer, Missing::Charge),
        }
    }

    /// Returns from when the acquirer may have forgotten its invoice.
    pub(super) fn invoice_expected(&self) -> Expected {
        Expected {
            since: match self.kind {
                AttemptKind::Invoice => self.page_end(),
                AttemptKind::CardToken => self.sent(),
            },
            within: FORGOTTEN_AFTER,
        }
    }

    /// Returns by when, by our clock, it proves something that the acquirer does not know its invoice now: after one more reading at least.
    #[must_use]
    pub fn unknown_until(&self, now: Timestamp) -> Timestamp {
        let proved_at = self.invoice_expected().proved_at(self.is_clock_in_doubt());
        proved_at.max(now + BETWEEN_READINGS)
    }

    /// Returns whether the clocks differed when something of it was missing.
    pub(super) fn is_clock_in_doubt(&self) -> bool {
        self.absence.is_some_and(|absence| !absence.last.agree())
    }

    /// Keeps that the acquirer lacks something of this attempt, and returns what that proves.
    pub(super) fn lacks(&mut self, missing: Missing, at: Clocks, expected: Expected) -> Evidence {
        let (absence, evidence) = Absence::read(self.absence, missing, at, expected);
        self.absence = Some(absence);
        evidence
    }

    /// Returns whether the acquirer reported that the last card was declined.
    #[must_use]
    pub fn is_declined(&self) -> bool {
        self.told
            .as_ref()
            .is_some_and(|told| told.status == InvoiceStatus::Failure)
    }

    /// Returns whether nothing can be charged any more once a card was declined: there is no page where another one could be tried.
    #[must_use]
    pub const fn is_failure_final(&self) -> bool {
        matches!(self.kind, AttemptKind::CardToken) || !self.acquirer.takes_several_cards()
    }

    /// Returns whether its page is over unpaid: the acquirer says so, or has not known it for long enough. A payment that is told of it later
    /// says otherwise, also one of another sum.
    #[must_use]
    pub fn has_expired(&self) -> bool {
        let is_expired =
            self.state == AttemptState::Finished && self.outcome == Some(OrderStatus::Expired);
        let told = self.told.as_ref().map(|told| &told.status);
        is_expired && told != Some(&InvoiceStatus::Success)
    }

    /// Returns whether nothing was paid by it and nothing can be any more: the acquirer says so, or has not known it for long enough.
    #[must_use]
    pub fn is_over_unpaid(&self) -> bool {
        self.charged_at.is_none() && (self.is_certainly_closed() || self.has_expired())
    }

    /// Returns whether the attempt can certainly not take money any more, according to the acquirer. Our own clock
    /// proves nothing.
    #[must_use]
    pub fn is_certainly_closed(&self) -> bool {
        let told = self.told.as_ref().map(|told| &told.status);
        match self.state {
            AttemptState::Prepared | AttemptState::Submitted => false,
            AttemptState::NotSent | AttemptState::Refused => true,
            AttemptState::Accepted | AttemptState::Finished => {
                self.withdrawn_at.is_some()
                    || self.reversed_at.is_some()
                    || told == Some(&InvoiceStatus::Expired)
                    || (self.is_failure_final() && told == Some(&InvoiceStatus::Failure))
            }
        }
    }
}
