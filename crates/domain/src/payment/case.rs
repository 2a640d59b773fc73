//! An order with its attempts, and what follows from them.

use jiff::{SignedDuration, Timestamp};

use super::absence::NO_TRACE;
use super::decline::decline_key;
use super::{
    AcquirerName, Attempt, AttemptKind, AttemptState, InvoiceId, InvoiceStatus, PaymentState,
    Refund, RefundScope,
};
use crate::{
    AttemptId, CodesState, Key, MaskedPan, Money, NotaryId, OrderId, OrderStatus, RefundId,
};

/// The acquirer's code for a token that it does not know.
pub(super) const TOKEN_NOT_FOUND: &str = "TOKEN_NOT_FOUND";
/// How far a charge by the acquirer's clock may be ahead of ours. One that is later gets the moment when we heard of it.
const CHARGE_AHEAD_MAX: SignedDuration = SignedDuration::from_mins(10);

/// The fields of an order that concern its payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFacts {
    /// The order.
    pub id: OrderId,
    /// Whose order it is.
    pub notary_id: NotaryId,
    /// The status.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// The charged sum.
    pub sum: Money,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was paid: see [`Order::paid_at`](crate::Order::paid_at).
    pub paid_at: Option<Timestamp>,
    /// Why it was not paid.
    pub failure: Option<Key>,
    /// The card, masked.
    pub pan: Option<MaskedPan>,
    /// Address of the acquirer's page where the order is paid or confirmed.
    pub payment_page_url: Option<String>,
    /// Whether its items were returned to the cart, so that it cannot be paid any more.
    pub is_returned_to_cart: bool,
    /// Whether the notary has cancelled it, so that it cannot be paid any more.
    pub is_cancelled: bool,
    /// What is known of its QR codes. Once they are marked as paid, nothing may be charged.
    pub codes: CodesState,
}

/// An order with all its attempts: its own, the earliest first, and then stray invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The order.
    pub order: OrderFacts,
    /// Its attempts.
    pub attempts: Vec<Attempt>,
    /// What the operator gave or gives back of its charges, the earliest first.
    pub refunds: Vec<Refund>,
    /// Whether an open alarm puts the order's money in doubt.
    pub has_money_alarm: bool,
}

impl Case {
    /// Returns the current attempt of the order: the latest one that is no stray invoice.
    #[must_use]
    pub fn latest(&self) -> Option<&Attempt> {
        self.attempts.iter().rfind(|attempt| !attempt.is_stray)
    }

    /// Returns an attempt of the order.
    #[must_use]
    pub fn attempt(&self, id: AttemptId) -> Option<&Attempt> {
        self.attempts.iter().find(|attempt| attempt.id == id)
    }

    /// Returns a refund of the order.
    #[must_use]
    pub fn refund(&self, id: RefundId) -> Option<&Refund> {
        self.refunds.iter().find(|refund| refund.id == id)
    }

    /// Returns what was given back of a charge beyond those of its refunds that explain it.
    #[must_use]
    pub fn given_back_without(
        &self,
        attempt: AttemptId,
        explains: impl Fn(&Refund) -> bool,
    ) -> Money {
        let asked = self.refunds.iter();
        let asked = asked.filter(|refund| refund.attempt_id == attempt && explains(refund));
        let asked = Money::sum(asked.map(|refund| refund.amount));
        let given_back = self.attempt(attempt);
        let given_back = given_back.map_or(Money::ZERO, |attempt| attempt.refunded);
        asked
            .and_then(|asked| given_back.minus(asked))
            .unwrap_or(Money::ZERO)
    }

    /// Returns whether a card is being charged: the bank is at work, or waits for the holder's confirmation. A page that waits for a card
    /// is none.
    #[must_use]
    pub fn is_being_charged(&self) -> bool {
        let charging = |attempt: &Attempt| {
            let told = attempt.told.as_ref().map(|told| &told.status);
            attempt.kind == AttemptKind::CardToken
                || matches!(told, Some(InvoiceStatus::Processing | InvoiceStatus::Hold))
        };
        self.attempts.iter().any(|attempt| {
            attempt.state == AttemptState::Accepted
                && !attempt.is_certainly_closed()
                && charging(attempt)
        })
    }

    /// Returns the charge that counts for the order: the earliest one that was not given back.
    #[must_use]
    pub fn counting_charge(&self) -> Option<&Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| attempt.has_standing_charge())
            .min_by_key(|attempt| (attempt.charged_at, attempt.id))
    }

    /// Returns whether a refund has given a whole charge back, and another one pays the order.
    pub(super) fn is_given_back_beside_payment(&self, refund: RefundId) -> bool {
        let given_back = self
            .refund(refund)
            .filter(|refund| refund.is_done() && refund.scope == RefundScope::Whole);
        let counting = self.counting_charge();
        self.order.status == OrderStatus::Paid
            && given_back
                .zip(counting)
                .is_some_and(|(given_back, charge)| given_back.attempt_id != charge.id)
    }

    /// Returns the charges that were given back whole while another one pays the order.
    pub(super) fn gone_beside_payment(&self) -> Vec<AttemptId> {
        let gone = self.attempts.iter();
        let gone = gone.filter(|attempt| attempt.reversed_at.is_some());
        let pays = self.status() == OrderStatus::Paid;
        gone.filter(|_| pays).map(|attempt| attempt.id).collect()
    }

    /// Returns whether the first standing charge was made after the payment had been given back.
    pub(super) fn is_charged_after_refund(&self) -> bool {
        let reversed = self
            .attempts
            .iter()
            .filter_map(|attempt| attempt.reversed_at)
            .max();
        let charged = self.counting_charge().and_then(|charge| charge.charged_at);
        matches!((reversed, charged), (Some(reversed), Some(charged)) if charged > reversed)
    }

    /// Returns the status that follows from the facts.
    pub(super) fn status(&self) -> OrderStatus {
        let is_reversed = self
            .attempts
            .iter()
            .any(|attempt| attempt.reversed_at.is_some());
        if self.counting_charge().is_some() && !self.is_charged_after_refund() {
            return OrderStatus::Paid;
        }
        if is_reversed {
            return OrderStatus::Refunded;
        }
        if self.order.is_returned_to_cart || self.order.is_cancelled {
            return OrderStatus::Expired;
        }
        let Some(latest) = self.latest() else {
            return self.order.status;
        };
        match latest.state {
            AttemptState::Prepared | AttemptState::Submitted => OrderStatus::InProgress,
            AttemptState::NotSent | AttemptState::Refused => OrderStatus::Failed,
            AttemptState::Accepted => match latest.told.as_ref().map(|told| &told.status) {
                Some(InvoiceStatus::Failure) => OrderStatus::Failed,
                _ => OrderStatus::Pending,
            },
            AttemptState::Finished => match latest.outcome {
                Some(OrderStatus::Failed) => OrderStatus::Failed,
                _ => OrderStatus::Expired,
            },
        }
    }

    /// Returns the charge whose time and card an order in this status shows: the one that counts, or of a refunded order the
    /// one that was given back last. One that is only known to be given back is the last choice. `None` if there is none.
    #[must_use]
    pub fn shown_charge(&self, status: OrderStatus) -> Option<&Attempt> {
        let last_given_back = |is_charge_known: bool| {
            let attempts = self.attempts.iter();
            attempts
                .filter(|attempt| attempt.reversed_at.is_some())
                .filter(|attempt| attempt.charged_at.is_some() == is_charge_known)
                .max_by_key(|attempt| (attempt.reversed_at, attempt.id))
        };
        match status {
            OrderStatus::Paid => self.counting_charge(),
            OrderStatus::Refunded => last_given_back(true)
                .or_else(|| self.counting_charge())
                .or_else(|| last_given_back(false)),
            _ => None,
        }
    }

    /// Returns when the order, now in `status`, was paid: the acquirer's time of the charge, or `now` if that is unknown or
    /// cannot be. It changes only if the charge or its time is another one than `before`.
    pub(super) fn paid_at(
        &self,
        before: &Case,
        status: OrderStatus,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let known = before.order.paid_at;
        if !status.has_money() {
            return known;
        }
        let charge_of = |case: &Case, status| -> Option<(AttemptId, Timestamp)> {
            let charge = case.shown_charge(status)?;
            Some((charge.id, charge.charged_at?))
        };
        let dating = charge_of(self, status);
        if known.is_some() && (dating.is_none() || dating == charge_of(before, before.order.status))
        {
            return known;
        }
        // A state without any time is stored as the epoch.
        let is_possible = |at: &Timestamp| {
            *at > Timestamp::UNIX_EPOCH && at.duration_since(now) <= CHARGE_AHEAD_MAX
        };
        Some(dating.map(|(_, at)| at).filter(is_possible).unwrap_or(now))
    }

    /// Returns the reason why the order is not paid, if there is more to say than its status.
    pub(super) fn failure(&self, status: OrderStatus) -> Option<Key> {
        match status {
            OrderStatus::Expired if self.order.is_cancelled => Some(Key::OrderCancelled),
            OrderStatus::Expired if self.order.is_returned_to_cart => {
                Some(Key::OrderReturnedToCart)
            }
            OrderStatus::Failed => self.latest().map(|latest| match latest.state {
                AttemptState::NotSent => Key::AcquirerUnavailable,
                AttemptState::Refused => match latest.failure_code.as_deref() {
                    Some(TOKEN_NOT_FOUND) => Key::CardNotFound,
                    Some(NO_TRACE) => Key::PaymentNoTrace,
                    _ => Key::AcquirerRefused,
                },
                _ => decline_key(latest.failure_code.as_deref()),
            }),
            _ => None,
        }
    }

    /// Returns the page where the order can be paid or confirmed now. There is none while its money is in doubt.
    pub(super) fn payment_page_url(&self, status: OrderStatus) -> Option<String> {
        let is_payable =
            matches!(status, OrderStatus::Pending | OrderStatus::Failed) && !self.has_money_alarm;
        self.latest()
            .filter(|latest| is_payable && latest.state == AttemptState::Accepted)
            .and_then(|latest| latest.page_url.clone())
    }
}

/// Returns the attempt of an acquirer's invoice: by the invoice, or by our reference if the attempt has no invoice yet.
#[must_use]
pub fn find_attempt<'case>(
    case: &'case Case,
    acquirer: AcquirerName,
    invoice: &InvoiceId,
    payment_reference: Option<AttemptId>,
) -> Option<&'case Attempt> {
    let mut of_acquirer = case
        .attempts
        .iter()
        .filter(|attempt| attempt.acquirer == acquirer);
    let by_invoice = of_acquirer
        .clone()
        .find(|attempt| attempt.invoice_id.as_ref() == Some(invoice));
    by_invoice.or_else(|| {
        of_acquirer.find(|attempt| {
            Some(attempt.payment_reference) == payment_reference
                && !attempt.is_stray
                && attempt.invoice_id.is_none()
        })
    })
}

/// The next request to the acquirer about an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextCall {
    /// Nothing.
    Nothing,
    /// Nothing was sent, and nobody is about to send it: the attempt is over
    /// ([`News::GivenUpUnsent`](super::News::GivenUpUnsent)).
    GiveUpUnsent,
    /// Read the statement and look for a payment under our reference.
    SearchStatement,
    /// Ask for the state of the invoice.
    AskState,
    /// Close its page.
    Withdraw,
}

/// Returns the next request to the acquirer about an attempt that is due.
#[must_use]
pub fn next_call(case: &Case, attempt: &Attempt) -> NextCall {
    let is_latest = case.latest().is_some_and(|latest| latest.id == attempt.id);
    match attempt.state {
        AttemptState::Prepared => NextCall::GiveUpUnsent,
        AttemptState::Submitted => NextCall::SearchStatement,
        AttemptState::Accepted => {
            let is_needless = case.order.status.has_money() || !is_latest;
            let can_be_closed =
                attempt.kind == AttemptKind::Invoice && attempt.acquirer.keeps_unpaid_invoices();
            if can_be_closed && is_needless {
                NextCall::Withdraw
            } else {
                NextCall::AskState
            }
        }
        AttemptState::NotSent | AttemptState::Refused | AttemptState::Finished => NextCall::Nothing,
    }
}
