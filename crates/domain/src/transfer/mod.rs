//! Transfers: what a paid item owes to whom.
//!
//! Most kinds have one transfer, `admin_payment` has two. The transfers of an order and its commissions always add up to
//! the charge (specification, "Readings: money and tariff").

pub(crate) mod bank_fact;
pub(crate) mod masked_words;
pub(crate) mod return_application;
pub(crate) mod returned_part;
pub(crate) mod sealed_facts;
pub(crate) mod uetr;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::kernel::words::words;
use crate::{
    Count, Iban, Inn, ItemId, Line, Money, MoneyError, Okpo, OrderId, PartRole, PersonName,
    PricePart, TransferId, Uetr, kyiv_date,
};

/// The payee of a transfer. Account and code must match, or the Treasury returns the money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payee {
    /// Name of the recipient.
    pub name: Line,
    /// Account of the recipient.
    pub iban: Iban,
    /// Code of the recipient.
    pub okpo: Okpo,
    /// Purpose of the transfer.
    pub purpose: Line,
}

/// The person or entity on whose behalf the service pays. The payment rules require both fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActualPayer {
    /// Code of the client.
    pub inn: Inn,
    /// Name of the client.
    pub name: PersonName,
}

/// The parties of a paid item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferParties {
    /// The payee of the recipient's part.
    pub recipient: Payee,
    /// The payee of the notary's part, if the price has one.
    pub notary: Option<Payee>,
    /// The client.
    pub actual_payer: ActualPayer,
}

/// A transfer that a paid item owes to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedTransfer {
    /// Which part of the price it is.
    pub role: PartRole,
    /// The payee.
    pub payee: Payee,
    /// The amount for all units of the item together; never zero.
    pub amount: Money,
    /// The client.
    pub actual_payer: ActualPayer,
}

/// Why transfers could not be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// The price has a part for the notary, but the item names no account of the notary's.
    #[error("the item names no account for the notary's part")]
    NotaryAccountMissing,
    /// The sum is invalid.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Plans the transfers of a paid item: one for each part of its price, times the number of units.
///
/// A part of zero needs no transfer (60 % of one kopiyka is the whole kopiyka).
///
/// # Errors
/// Returns the fitting [`TransferError`].
pub fn plan_item_transfers(
    parties: &TransferParties,
    parts: &[PricePart],
    count: Count,
) -> Result<Vec<PlannedTransfer>, TransferError> {
    let mut planned = Vec::with_capacity(parts.len());
    for part in parts.iter().filter(|part| !part.amount.is_zero()) {
        let payee = match part.role {
            PartRole::Recipient => &parties.recipient,
            PartRole::Notary => parties
                .notary
                .as_ref()
                .ok_or(TransferError::NotaryAccountMissing)?,
        };
        planned.push(PlannedTransfer {
            role: part.role,
            payee: payee.clone(),
            amount: part.amount.times(count)?,
            actual_payer: parties.actual_payer.clone(),
        });
    }
    Ok(planned)
}

words! {
    /// The status of a transfer to a recipient.
    TransferStatus {
        /// Owed, not sent yet.
        Planned = "planned",
        /// Handed to the bank.
        Sent = "sent",
        /// On the recipient's account.
        Credited = "credited",
        /// Sent back by the bank or the Treasury, with a reason.
        Returned = "returned",
        /// Never sent: the payment was given back before. The cabinet sets and takes back this status, no bank does.
        CalledOff = "called_off",
        /// What banks told contradicts itself: the instruction was refused, and its money has left. Nobody may send it again or give it back
        /// before a person has asked the bank.
        Disputed = "disputed",
    }
}

impl TransferStatus {
    /// Returns whether a transfer in this status may take the next one.
    ///
    /// The cabinet calls a planned transfer off when its payment was refunded, and may plan that one again. Only what was sent can
    /// come back from a bank, and it stays returned. One that was marked as sent and that no bank was given is planned again by the
    /// operator.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Planned, Self::Sent | Self::CalledOff)
                | (Self::Sent, Self::Credited | Self::Returned | Self::Planned)
                | (Self::Credited, Self::Returned)
                | (Self::CalledOff, Self::Planned)
        )
    }
}

/// What banks have told of a transfer. Each part may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankAnswer {
    /// The reference under which every bank of its way knows it.
    pub uetr: Option<Uetr>,
    /// The sending bank's own reference of the payment, or else that of its booking.
    pub bank_reference: Option<Line>,
    /// The sending bank's reference of the booking with which the payer's account was debited.
    pub booking_reference: Option<Line>,
    /// The day on which it was credited to the recipient.
    pub credited_on: Option<Date>,
    /// The day on which it came back.
    pub returned_on: Option<Date>,
}

/// A part of [`BankAnswer`] that was told otherwise before. Its name is that of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldOtherwise(pub &'static str);

impl BankAnswer {
    /// Most characters of the bank's own reference (ISO 20022, `Max35Text`).
    pub const REFERENCE_CHARS_MAX: usize = 35;

    /// Adds what was told now. What was told before stays.
    ///
    /// # Errors
    /// [`ToldOtherwise`] where a part differs, or where no reference of the bank is one of those that it told before.
    pub fn join(&self, told: &BankAnswer) -> Result<BankAnswer, ToldOtherwise> {
        if self.is_of_another_debit(told) {
            return Err(ToldOtherwise("bank_reference"));
        }
        let (bank_reference, booking_reference) = self.joined_references(told);
        Ok(BankAnswer {
            uetr: joined("uetr", self.uetr.as_ref(), told.uetr.as_ref())?,
            bank_reference,
            booking_reference,
            credited_on: joined(
                "credited_on",
                self.credited_on.as_ref(),
                told.credited_on.as_ref(),
            )?,
            returned_on: joined(
                "returned_on",
                self.returned_on.as_ref(),
                told.returned_on.as_ref(),
            )?,
        })
    }

    /// Returns the bank's own references.
    fn references(&self) -> impl Iterator<Item = &Line> {
        [&self.bank_reference, &self.booking_reference]
            .into_iter()
            .flatten()
    }

    /// Returns whether a reference of the bank is the same in both.
    #[must_use]
    pub fn shares_reference(&self, told: &BankAnswer) -> bool {
        self.references()
            .any(|kept| told.references().any(|told| kept == told))
    }

    /// Returns whether what is told belongs to another debit: both have references of the bank, and none in common. A debit has up to two
    /// of them, and a message about it may have either.
    #[must_use]
    pub fn is_of_another_debit(&self, told: &BankAnswer) -> bool {
        self.references().next().is_some()
            && told.references().next().is_some()
            && !self.shares_reference(told)
    }

    /// Returns the references of both: that of the payment, or else of the booking, and that of the booking. The same in whatever order
    /// they were told.
    fn joined_references(&self, told: &BankAnswer) -> (Option<Line>, Option<Line>) {
        let least = |one: &Option<Line>, other: &Option<Line>| {
            let known = one.iter().chain(other).cloned();
            known.min_by(|one, other| one.as_str().cmp(other.as_str()))
        };
        let booking = least(&self.booking_reference, &told.booking_reference);
        let of_payment = |of: &BankAnswer| {
            let bookings = [&self.booking_reference, &told.booking_reference];
            let reference = of.bank_reference.clone();
            reference
                .filter(|reference| !bookings.into_iter().flatten().any(|one| one == reference))
        };
        let payment = least(&of_payment(self), &of_payment(told));
        (payment.or_else(|| booking.clone()), booking)
    }

    /// Returns whether the bank has told enough for the document to be called a payment instruction: its end-to-end reference or the
    /// day of crediting.
    #[must_use]
    pub const fn confirms(&self) -> bool {
        self.uetr.is_some() || self.credited_on.is_some()
    }
}

fn joined<T: Clone + PartialEq>(
    field: &'static str,
    kept: Option<&T>,
    told: Option<&T>,
) -> Result<Option<T>, ToldOtherwise> {
    match (kept, told) {
        (Some(kept), Some(told)) if kept != told => Err(ToldOtherwise(field)),
        _ => Ok(kept.or(told).cloned()),
    }
}

/// A request to give a returned part back to the client's card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRefund {
    /// When the notary asked for it.
    pub requested_at: Timestamp,
    /// When the operator entered that the money went back.
    pub refunded_at: Option<Timestamp>,
}

/// A transfer as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The id.
    pub id: TransferId,
    /// The number of its document, on receipts and in the list for the bank. It has at most 10 digits, never changes, and is not
    /// given twice.
    pub document_number: i64,
    /// The order.
    pub order_id: OrderId,
    /// The item.
    pub item_id: ItemId,
    /// Part, amount, payee and actual payer.
    pub planned: PlannedTransfer,
    /// The status.
    pub status: TransferStatus,
    /// Why the bank returned it, in the bank's words.
    pub reason: Option<String>,
    /// The day from which the recipient's bank has the money (Kyiv). Transfers that were sent by earlier versions have none.
    pub value_date: Option<Date>,
    /// What banks have told of it.
    pub bank: BankAnswer,
    /// The transfer that came back and that this one sends again.
    pub replaces: Option<TransferId>,
    /// The notary's request to give it back to the client's card, after it came back.
    pub refund: Option<PartRefund>,
    /// Since when it waits for the operator. It is not exported and not sent until it is released. One that came back before the database was
    /// restored is not given back by a command until then, and what sends it again waits as well.
    pub held_at: Option<Timestamp>,
    /// When it was planned.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
}

impl Transfer {
    /// Returns whether its money was given back to the card before a bank had it. A transfer that sends a returned part again does not
    /// count, because a bank had that money before.
    #[must_use]
    pub fn is_given_back_unsent(&self) -> bool {
        self.status == TransferStatus::CalledOff && self.replaces.is_none()
    }

    /// Returns the day on which the money came back: the bank's, or else the day (Kyiv) on which the operator entered it. `None`: it
    /// did not come back.
    #[must_use]
    pub fn returned_day(&self) -> Option<Date> {
        (self.status == TransferStatus::Returned).then(|| {
            self.bank
                .returned_on
                .unwrap_or_else(|| kyiv_date(self.updated_at))
        })
    }
}
