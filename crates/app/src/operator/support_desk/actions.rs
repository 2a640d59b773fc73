//! What the support does with an order: asks the acquirer, cancels.

use cabinet_domain::payment::{Absence, AlarmKind, PaymentState};
use cabinet_domain::{
    AuditAction, AuditValue, CancelledItems, Key, OperatorReason, Order, OrderId, OrderStatus,
};
use cabinet_storage::operator::alarms;
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use super::DeskError;
use super::lines::AcquirerWord;
use super::order_file::acquirer_word;
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::refusal::{AppError, FieldErrors};
use crate::payment::{CancelRequest, Payments, Questioned};

/// Where an order stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderState {
    /// The status.
    pub status: OrderStatus,
    /// The state of its payment.
    pub payment_state: PaymentState,
    /// Why it is not paid.
    pub failure: Option<Key>,
    /// What the acquirer told last.
    pub acquirer: Option<AcquirerWord>,
    /// The latest error of asking.
    pub last_error: Option<String>,
    /// What the acquirer lacked of its attempts and refunds when it was asked last.
    pub absences: Vec<Absence>,
    /// Alarms that wait for a person.
    pub alarms: Vec<AlarmKind>,
}

/// What came of asking the acquirer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Before.
    pub before: OrderState,
    /// After.
    pub after: OrderState,
    /// Whether the acquirer answered.
    pub questioned: Questioned,
}

/// How an order is cancelled.
#[derive(Clone, Debug)]
pub struct CancelOrder {
    /// The order's number.
    pub number: i64,
    /// What happens to its items.
    pub items: CancelledItems,
    /// The notary says that nobody paid by the order's QR codes.
    pub despite_codes: bool,
    /// Why.
    pub reason: OperatorReason,
}

/// Acts on orders by the same steps as notaries and the worker do. It calls the acquirer.
#[derive(Clone)]
pub struct OrderActions {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) payments: Payments,
}

impl OrderActions {
    /// Asks the acquirer about every invoice of an order, and settles the answers as the worker does.
    ///
    /// # Errors
    /// [`DeskError::NoOrder`].
    pub async fn ask(&self, number: i64, now: Timestamp) -> Result<Asked, DeskError> {
        let order = self.by_number(number).await?;
        let before = self.state_of(order.id, number).await?;
        self.entry(AuditAction::OrderAsked, &order, now, |entry| entry)
            .await?;
        let questioned = self
            .payments
            .question(order.id)
            .await
            .map_err(|error| broken(&error))?;
        let after = self.state_of(order.id, number).await?;
        Ok(Asked {
            before,
            after,
            questioned,
        })
    }

    /// Cancels an unpaid order, as its notary does: the page is closed first. The wish is recorded first, with its reason. The notary is
    /// told. Returns false if it was cancelled before.
    ///
    /// # Errors
    /// [`DeskError::NoOrder`]; [`DeskError::NotCancelled`], which says what to do instead; [`DeskError::CancellationUnknown`].
    pub async fn cancel(&self, cancel: &CancelOrder, now: Timestamp) -> Result<bool, DeskError> {
        let order = self.by_number(cancel.number).await?;
        if order.cancelled_at.is_some() {
            return Ok(false);
        }
        self.entry(AuditAction::OrderCancelAsked, &order, now, |entry| {
            entry
                .with("items", AuditValue::from(cancel.items))
                .because(&cancel.reason)
        })
        .await?;
        let request = CancelRequest {
            items: cancel.items,
            despite_codes: cancel.despite_codes,
        };
        let (notary, id) = (order.notary_id, order.id.to_string());
        let origin = self.recorder.origin();
        self.payments
            .cancel(notary, &id, request, FieldErrors::new(), origin)
            .await
            .map_err(|error| match &error {
                AppError::Refused(refusal) => DeskError::NotCancelled(advice(refusal.key)),
                AppError::Storage(_) | AppError::Broken(_) => {
                    DeskError::CancellationUnknown(cancel.number, error.to_string())
                }
            })?;
        Ok(true)
    }

    /// Returns the order with a number, if something may be done with it.
    pub(super) async fn by_number(&self, number: i64) -> Result<Order, DeskError> {
        if self.store.is_unprepared_copy().await? {
            return Err(DeskError::NotStarted);
        }
        let read = move |tx: &mut Tx| orders::by_number(tx, number);
        let found = self.store.read(read).await?;
        found.ok_or(DeskError::NoOrder(number))
    }

    async fn state_of(&self, order: OrderId, number: i64) -> Result<OrderState, DeskError> {
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let case = payments::case_of(tx, order)?;
            let kinds = alarms::open_kinds(tx, order)?;
            Ok(case.map(|case| (case, kinds)))
        };
        let found = self.store.read(read).await?;
        let (case, alarms) = found.ok_or(DeskError::NoOrder(number))?;
        let of_refunds = case.refunds.iter().filter_map(|refund| refund.absence);
        let absences = case.attempts.iter().filter_map(|attempt| attempt.absence);
        Ok(OrderState {
            absences: absences.chain(of_refunds).collect(),
            status: case.order.status,
            payment_state: case.order.payment_state,
            failure: case.order.failure,
            acquirer: acquirer_word(&case.attempts),
            last_error: case.latest().and_then(|latest| latest.last_error.clone()),
            alarms,
        })
    }

    async fn entry(
        &self,
        action: AuditAction,
        order: &Order,
        now: Timestamp,
        with: impl FnOnce(AuditEntry) -> AuditEntry,
    ) -> Result<(), StorageError> {
        let entry = AuditEntry::new(action)
            .of_notary(order.notary_id)
            .on_order(order.id);
        with(entry)
            .record_alone(
                &self.store,
                self.recorder.unit_at(now),
                self.recorder.origin(),
            )
            .await
    }
}

pub(super) fn broken(error: &AppError) -> DeskError {
    match error {
        AppError::Storage(error) => DeskError::Storage(error.clone()),
        AppError::Refused(_) | AppError::Broken(_) => DeskError::Broken(error.to_string()),
    }
}

/// Says what a refusal to cancel means, and what to do.
const fn advice(key: Key) -> &'static str {
    match key {
        Key::OrderNotCancellable => {
            "the order is paid, so it can't be cancelled. Its money is given back to the card with cabinet order refund"
        }
        Key::PaymentCodesGiven => {
            "QR codes were given for the order, and somebody may have paid by them. Ask the notary; if nobody did, repeat with --despite-codes, or leave out --return-items"
        }
        Key::PaymentOutcomeUnknown => {
            "a payment is under way and its outcome is not known yet. Nothing was changed: cabinet order ask, and cancel once it has failed"
        }
        Key::PaymentPageNotClosed => {
            "the acquirer does not close the payment page, so somebody may still pay there. Nothing was changed: try again in some minutes"
        }
        Key::AcquirerUnavailable => {
            "the acquirer does not answer, so the payment page may still be open. Nothing was changed: try again in some minutes"
        }
        Key::OrderReturnedToCart => {
            "its payments are in the cart again, and it can't be paid any more: there is nothing to cancel"
        }
        Key::OrderUnderReview => {
            "an alarm puts the order's money in doubt: settle it first, see cabinet order show"
        }
        Key::OrderAnonymised => {
            "the names were taken out of the order, so its payments can't go back to the cart"
        }
        Key::CartFull => {
            "the notary's cart is full: without --return-items the payments stay in the order"
        }
        _ => {
            "the order can't be cancelled as it is now. Nothing was changed: see cabinet order show"
        }
    }
}
