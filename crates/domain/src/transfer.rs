//! Who is owed what out of a paid item.
//!
//! Readings, "The 60 %": one transfer for most kinds, two for `admin_payment`; the transfers of an order and its
//! commissions together are what the card was charged, always.

use jiff::Timestamp;

use crate::words::words;
use crate::{
    Count, Iban, Inn, ItemId, Line, Money, MoneyError, Okpo, OrderId, PartRole, PersonName,
    PricePart, TransferId,
};

/// Who gets a transfer. Account and code stand together: the Treasury sends back what does not match.
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

/// The person or entity on whose behalf the service pays; the payment rules demand both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActualPayer {
    /// Code of the client.
    pub inn: Inn,
    /// Name of the client.
    pub name: PersonName,
}

/// What a paid item says about its transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferParties {
    /// Who gets the recipient's part.
    pub recipient: Payee,
    /// Who gets the notary's part, where the price has one.
    pub notary: Option<Payee>,
    /// The client.
    pub actual_payer: ActualPayer,
}

/// A transfer that a paid item owes to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedTransfer {
    /// Which part of the price it is.
    pub role: PartRole,
    /// Who gets it.
    pub payee: Payee,
    /// How much, for all units of the item together; never nothing.
    pub amount: Money,
    /// On whose behalf.
    pub actual_payer: ActualPayer,
}

/// Why transfers could not be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// The price has a part for the notary, but the item names no account of the notary's.
    #[error("the item names no account for the notary's part")]
    NotaryAccountMissing,
    /// The sum is no sum.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// Plans the transfers of a paid item: one for each part of its price, times the number of units.
///
/// A part of nothing (60 % of one kopiyka leaves none for the other part) needs no transfer.
///
/// # Errors
/// The [`TransferError`] that fits.
pub fn plan_transfers(
    facts: &TransferParties,
    parts: &[PricePart],
    count: Count,
) -> Result<Vec<PlannedTransfer>, TransferError> {
    let mut planned = Vec::with_capacity(parts.len());
    for part in parts.iter().filter(|part| !part.amount.is_zero()) {
        let payee = match part.role {
            PartRole::Recipient => &facts.recipient,
            PartRole::Notary => facts
                .notary
                .as_ref()
                .ok_or(TransferError::NotaryAccountMissing)?,
        };
        planned.push(PlannedTransfer {
            role: part.role,
            payee: payee.clone(),
            amount: part.amount.times(count)?,
            actual_payer: facts.actual_payer.clone(),
        });
    }
    Ok(planned)
}

words! {
    /// How far a transfer to a recipient has come.
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
    /// Whether a transfer in this status may take the other one.
    ///
    /// What was not sent yet is returned where the payment itself was given back. Money that was credited may still be returned. What
    /// was returned stays so: who is owed it then is decided outside the cabinet.
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
    /// Names the transfer.
    pub id: TransferId,
    /// The order.
    pub order_id: OrderId,
    /// The item.
    pub item_id: ItemId,
    /// What is owed: part, amount, payee, actual payer.
    pub planned: PlannedTransfer,
    /// How far it has come.
    pub status: TransferStatus,
    /// Why it was returned.
    pub reason: Option<String>,
    /// When it was planned.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
}
