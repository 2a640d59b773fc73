//! What became of the parts of an order that a bank sent back, and what was given back to the card before a bank had it.
//!
//! A part is sent again by a new transfer that replaces the old one, so the transfers of a part form a chain. Only the last of a chain
//! counts in sums. A part that was sent again is not given back to the card, and the other way round.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use crate::kernel::words::words;
use crate::{Money, MoneyError, Transfer, TransferId, TransferStatus, kyiv_date};

words! {
    /// What became of a part after a bank had sent it back.
    AfterReturn {
        /// Nobody has decided yet.
        Undecided = "undecided",
        /// A new transfer is planned, or on its way.
        SentAgain = "sent_again",
        /// The new transfer reached its recipient.
        Credited = "credited",
        /// The new transfer was called off, because the whole payment was given back to the card.
        CalledOff = "called_off",
        /// The notary has asked for the money to be given back to the card.
        RefundRequested = "refund_requested",
        /// The money went back to the card.
        Refunded = "refunded",
    }
}

impl AfterReturn {
    /// Returns whether the part has not reached its recipient.
    #[must_use]
    pub const fn is_missing(self) -> bool {
        !matches!(self, Self::Credited)
    }
}

/// A part of an order that a bank sent back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnedPart {
    /// The transfer that came back: the latest, if it came back more than once.
    pub transfer: Transfer,
    /// The transfer that sends it again.
    pub replacement: Option<Transfer>,
}

impl ReturnedPart {
    /// Returns the last transfer of the part.
    #[must_use]
    pub fn end(&self) -> &Transfer {
        self.replacement.as_ref().unwrap_or(&self.transfer)
    }

    /// Returns the day (Kyiv) on which the money went back to the card, or else the day of the request for it.
    #[must_use]
    pub fn to_card_day(&self) -> Option<Date> {
        let refund = self.transfer.refund?;
        Some(kyiv_date(refund.refunded_at.unwrap_or(refund.requested_at)))
    }

    /// Returns what became of the part.
    #[must_use]
    pub fn after(&self) -> AfterReturn {
        match (&self.replacement, &self.transfer.refund) {
            (Some(replacement), _) => match replacement.status {
                TransferStatus::Credited => AfterReturn::Credited,
                TransferStatus::CalledOff => AfterReturn::CalledOff,
                TransferStatus::Planned
                | TransferStatus::Sent
                | TransferStatus::Disputed
                | TransferStatus::Returned => AfterReturn::SentAgain,
            },
            (None, None) => AfterReturn::Undecided,
            (None, Some(refund)) if refund.refunded_at.is_none() => AfterReturn::RefundRequested,
            (None, Some(_)) => AfterReturn::Refunded,
        }
    }
}

/// Returns the transfers that no other one replaces, in their order.
#[must_use]
pub fn ends_of_chains(transfers: &[Transfer]) -> Vec<&Transfer> {
    let replaced: BTreeSet<TransferId> = transfers
        .iter()
        .filter_map(|transfer| transfer.replaces)
        .collect();
    let ends = transfers
        .iter()
        .filter(|transfer| !replaced.contains(&transfer.id));
    ends.collect()
}

/// Returns the parts that came back, one for each chain, by document number. Other transfers are left out.
#[must_use]
pub fn returned_parts(transfers: &[Transfer]) -> Vec<ReturnedPart> {
    let by_id: BTreeMap<TransferId, &Transfer> = transfers
        .iter()
        .map(|transfer| (transfer.id, transfer))
        .collect();
    let part_of = |end: &Transfer| {
        if end.status == TransferStatus::Returned {
            return Some(ReturnedPart {
                transfer: end.clone(),
                replacement: None,
            });
        }
        let old = by_id.get(&end.replaces?)?;
        Some(ReturnedPart {
            transfer: (*old).clone(),
            replacement: Some(end.clone()),
        })
    };
    let mut parts: Vec<ReturnedPart> = ends_of_chains(transfers)
        .into_iter()
        .filter_map(part_of)
        .collect();
    parts.sort_by_key(|part| part.transfer.document_number);
    parts
}

/// Returns the parts of an order that were given back to the card before a bank had them: the transfers that were called off. One that
/// sends a returned part again is left out, because it stands in [`returned_parts`].
pub fn given_back_parts(transfers: &[Transfer]) -> impl Iterator<Item = &Transfer> {
    ends_of_chains(transfers)
        .into_iter()
        .filter(|transfer| transfer.is_given_back_unsent())
}

/// Returns the sum of [`given_back_parts`].
///
/// # Errors
/// [`MoneyError::TooLarge`] above [`Money::MAX`], which no charge is.
pub fn given_back(transfers: &[Transfer]) -> Result<Money, MoneyError> {
    Money::sum(given_back_parts(transfers).map(|transfer| transfer.planned.amount))
}
