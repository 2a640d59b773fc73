//! What happened on a day to transfers, by document, and what is between: for the daily report.

use std::collections::BTreeMap;

use cabinet_domain::{Balance, Money, kyiv_day_start};
use cabinet_storage::transfer::transfers_of_day::{self, OfDay, Told};
use cabinet_storage::{StorageError, Tx};
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::transfer::{Outcome, Outcomes, Totals};

/// Of transfers that were sent earlier nobody waits for their crediting any more: some banks do not tell of it.
const CREDITING_DAYS: i32 = 30;

/// A transfer to which something happened on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferOfDay {
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: i64,
    /// The sum.
    pub amount: Money,
    /// Whether its recipient is the budget.
    pub is_to_budget: bool,
    /// What happened.
    pub outcomes: Vec<Outcome>,
}

/// What happened on a day to transfers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayOfTransfers {
    /// By document.
    pub rows: Vec<TransferOfDay>,
    /// By what happened.
    pub totals: Outcomes,
    /// What banks kept of the money that came back.
    pub fees: Balance,
    /// Sent by the end of the day, and no bank had told anything of their money.
    pub not_debited: Totals,
    /// Sent within thirty days before the end of the day and debited, and no bank had told that they were credited or came back.
    pub not_credited: Totals,
}

/// Returns what happened on a day (Kyiv) to transfers: what was sent with it as the value date, and what banks told of it.
pub(super) fn day_of_transfers(tx: &mut Tx, day: Date) -> Result<DayOfTransfers, StorageError> {
    let to = day.tomorrow().ok().and_then(kyiv_day_start);
    let Some((from, to)) = kyiv_day_start(day).zip(to) else {
        return Ok(DayOfTransfers::default());
    };
    let since = day.saturating_sub(CREDITING_DAYS.days());
    let sent = transfers_of_day::sent(tx, day)?.into_iter();
    let sent = sent.map(|of| (of, Outcome::Sent));
    let told = transfers_of_day::told(tx, day, (from, to))?.into_iter();
    let mut fees = Balance::default();
    let told = told.map(|Told { of, kind, fee }| {
        let fee = fee.unwrap_or(Money::ZERO);
        fees += Balance::from_kopiykas(fee.kopiykas());
        (of, Outcome::of_fact(kind))
    });
    let mut totals = Outcomes::new();
    let mut by_document: BTreeMap<OfDay, Vec<Outcome>> = BTreeMap::new();
    for (of, outcome) in sent.chain(told) {
        totals
            .entry(outcome)
            .or_default()
            .add(of.amount, &of.recipient);
        by_document.entry(of).or_default().push(outcome);
    }
    let row = |(of, mut outcomes): (OfDay, Vec<Outcome>)| {
        outcomes.sort_unstable();
        TransferOfDay {
            document_number: of.document_number,
            order_number: of.order_number,
            amount: of.amount,
            is_to_budget: of.recipient.is_treasury(),
            outcomes,
        }
    };
    Ok(DayOfTransfers {
        rows: by_document.into_iter().map(row).collect(),
        totals,
        fees,
        not_debited: totals_of(&transfers_of_day::not_debited(tx, day, to)?),
        not_credited: totals_of(&transfers_of_day::not_credited(tx, since, day, to)?),
    })
}

fn totals_of(transfers: &[OfDay]) -> Totals {
    let mut totals = Totals::default();
    for of in transfers {
        totals.add(of.amount, &of.recipient);
    }
    totals
}
