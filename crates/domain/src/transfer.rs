//! Transfers: what a paid item owes to whom.
//!
//! Most kinds have one transfer, `admin_payment` has two. The transfers of an order and its commissions always add up to
//! the charge (specification, "Readings: money and tariff").

use jiff::Timestamp;

use crate::words::words;
use crate::{
    Count, Iban, Inn, ItemId, Line, Money, MoneyError, Okpo, OrderId, PartRole, PersonName,
    PricePart, TransferId,
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
    }
}

impl TransferStatus {
    /// Returns whether a transfer in this status may take the next one.
    ///
    /// The cabinet returns a planned transfer when its payment was refunded, and may plan that one again. One that the
    /// bank returned stays returned.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Planned, Self::Sent | Self::Returned)
                | (Self::Sent, Self::Credited | Self::Returned)
                | (Self::Credited, Self::Returned)
        )
    }
}

/// A transfer as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The id.
    pub id: TransferId,
    /// The order.
    pub order_id: OrderId,
    /// The item.
    pub item_id: ItemId,
    /// Part, amount, payee and actual payer.
    pub planned: PlannedTransfer,
    /// The status.
    pub status: TransferStatus,
    /// Why it was returned.
    pub reason: Option<String>,
    /// Since when it waits for the operator. It is not exported and not sent until it is released.
    pub held_at: Option<Timestamp>,
    /// When it was planned.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
}
