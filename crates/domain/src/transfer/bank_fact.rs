//! What banks have told of the money of one transfer, and what follows from it.
//!
//! A fact is kept as it was told and never changed. What follows from the facts does not depend on the order in which the bank's files were
//! read, nor on how often.

use jiff::civil::Date;

use crate::kernel::words::words;
use crate::{Line, Money, Transfer, TransferStatus};

words! {
    /// What a bank tells of a transfer.
    BankFactKind {
        /// The payer's account was debited: the money has left.
        Debited = "debited",
        /// The recipient's account was credited.
        Credited = "credited",
        /// The instruction is not carried out.
        Refused = "refused",
        /// The money came back.
        Returned = "returned",
    }
}

/// Something that a bank has told of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BankFact {
    /// What.
    pub kind: BankFactKind,
    /// The day of which the bank tells it. `None`: it names none.
    pub day: Option<Date>,
    /// The bank's reference of the payment, or else of its booking.
    pub bank_reference: Option<Line>,
    /// The bank's reference of the booking.
    pub booking_reference: Option<Line>,
    /// What the bank kept for itself of money that came back. `None`: nothing.
    pub fee: Option<Money>,
}

impl BankFact {
    /// Returns a fact without references.
    #[must_use]
    pub const fn of(kind: BankFactKind, day: Option<Date>) -> BankFact {
        BankFact {
            kind,
            day,
            bank_reference: None,
            booking_reference: None,
            fee: None,
        }
    }
}

/// Returns the status that follows from facts.
///
/// - Money that came back is returned, also if the bank refused the instruction besides: it is with the payer. What was debited or credited
///   later than it came back is not undone by that.
/// - A refused instruction whose money has left all the same is [`TransferStatus::Disputed`]: nobody but the bank knows where the money is.
/// - A refused instruction is returned; what was credited is credited; anything else is on its way.
#[must_use]
pub fn status_by(facts: &[BankFact]) -> TransferStatus {
    let of = |kind| facts.iter().filter(move |fact| fact.kind == kind);
    let left = || of(BankFactKind::Debited).chain(of(BankFactKind::Credited));
    let undoes = |back: &BankFact| {
        left().all(|fact| match (fact.day, back.day) {
            (Some(left), Some(back)) => left <= back,
            _ => true,
        })
    };
    let is_refused = of(BankFactKind::Refused).next().is_some();
    if of(BankFactKind::Returned).any(undoes) {
        TransferStatus::Returned
    } else if is_refused && left().next().is_some() {
        TransferStatus::Disputed
    } else if is_refused {
        TransferStatus::Returned
    } else if of(BankFactKind::Credited).next().is_some() {
        TransferStatus::Credited
    } else {
        TransferStatus::Sent
    }
}

/// Returns the facts of a transfer of which none was kept: what its columns tell. That a debit or a crediting came before a return is known
/// of them, so they have no day.
#[must_use]
pub fn facts_before(transfer: &Transfer) -> Vec<BankFact> {
    let bank = &transfer.bank;
    let mut facts = Vec::new();
    if bank.bank_reference.is_some() {
        facts.push(BankFact {
            bank_reference: bank.bank_reference.clone(),
            booking_reference: bank.booking_reference.clone(),
            ..BankFact::of(BankFactKind::Debited, None)
        });
    }
    if bank.credited_on.is_some() || transfer.status == TransferStatus::Credited {
        facts.push(BankFact::of(BankFactKind::Credited, None));
    }
    if let Some(day) = transfer.returned_day() {
        facts.push(BankFact::of(BankFactKind::Returned, Some(day)));
    }
    facts
}
