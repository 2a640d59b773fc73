//! What follows from what banks have told of a transfer.

use cabinet_domain::{BankFact, BankFactKind, TransferStatus, status_by};
use jiff::civil::date;
use proptest::prelude::*;

fn fact() -> impl Strategy<Value = BankFact> {
    let kind = prop::sample::select(BankFactKind::ALL.to_vec());
    (kind, prop::option::of(1_i8..=3))
        .prop_map(|(kind, day)| BankFact::of(kind, day.map(|day| date(2026, 3, day))))
}

/// The days of the facts of a kind; one that has none is before all others.
fn days(facts: &[BankFact], kinds: &[BankFactKind]) -> Vec<i8> {
    let of = facts.iter().filter(|fact| kinds.contains(&fact.kind));
    of.map(|fact| fact.day.map_or(0, |day| day.day())).collect()
}

proptest! {
    #[test]
    fn any_order_and_repetition_of_the_facts_gives_the_same_status(
        (facts, shuffled) in prop::collection::vec(fact(), 0..8).prop_flat_map(|facts| (Just(facts.clone()), Just(facts).prop_shuffle())),
        again in 0_usize..8,
    ) {
        let mut told = shuffled.clone();
        told.extend(shuffled.iter().take(again).rev().cloned());
        prop_assert_eq!(status_by(&facts), status_by(&told));
    }

    /// Money that may be with the recipient is with nobody who could send it again: only a return after everything that left undoes it.
    #[test]
    fn what_left_after_a_refusal_is_returned_only_by_a_later_return(facts in prop::collection::vec(fact(), 0..8)) {
        let left = days(&facts, &[BankFactKind::Debited, BankFactKind::Credited]);
        let back = facts.iter().filter(|fact| fact.kind == BankFactKind::Returned);
        let last = left.iter().max().copied();
        let is_undone = back.clone().any(|fact| fact.day.is_none_or(|day| Some(day.day()) >= last));
        let is_refused = !days(&facts, &[BankFactKind::Refused]).is_empty();
        let status = status_by(&facts);
        prop_assert_eq!(status == TransferStatus::Returned, is_undone || (is_refused && left.is_empty()));
        prop_assert_eq!(status == TransferStatus::Disputed, !is_undone && is_refused && !left.is_empty());
    }
}
