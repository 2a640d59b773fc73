//! The references under which a bank's messages name one debit.

use cabinet_domain::{BankAnswer, Line};
use proptest::prelude::*;

fn told(payment: Option<u8>, booking: Option<u8>) -> BankAnswer {
    let line = |kind: &str, number: u8| Line::parse(&format!("{kind}-{number}"), 35).ok();
    let booking = booking.and_then(|number| line("BOOK", number));
    BankAnswer {
        // A message without a reference of the payment has that of the booking in its place.
        bank_reference: payment
            .and_then(|number| line("TX", number))
            .or_else(|| booking.clone()),
        booking_reference: booking,
        ..BankAnswer::default()
    }
}

/// Takes messages one after the other. One that is refused changes nothing, and is given again at the end, as a person does. Returns what is
/// kept, and whether one was refused to the last.
fn taken(messages: &[BankAnswer]) -> (BankAnswer, bool) {
    let mut kept = BankAnswer::default();
    let mut is_refused = false;
    for _ in 0..=messages.len() {
        is_refused = false;
        for message in messages {
            match kept.join(message) {
                Ok(joined) => kept = joined,
                Err(_) => is_refused = true,
            }
        }
    }
    (kept, is_refused)
}

proptest! {
    /// camt.054 has both references, camt.053 that of the booking or that of the payment, and some messages have none.
    #[test]
    fn messages_of_one_debit_give_the_same_in_any_order_and_repetition(
        order in Just(vec![(Some(1), Some(1)), (None, Some(1)), (Some(1), None), (None, None), (Some(1), Some(1))]).prop_shuffle(),
    ) {
        let messages: Vec<BankAnswer> = order.iter().map(|(payment, booking)| told(*payment, *booking)).collect();
        prop_assert_eq!(taken(&messages), (told(Some(1), Some(1)), false));
    }

    #[test]
    fn a_debit_with_neither_reference_in_common_is_found_in_any_order(
        order in Just(vec![(Some(1), Some(1)), (None, Some(1)), (Some(2), Some(2)), (None, None)]).prop_shuffle(),
    ) {
        let messages: Vec<BankAnswer> = order.iter().map(|(payment, booking)| told(*payment, *booking)).collect();
        prop_assert!(taken(&messages).1);
    }
}

#[test]
fn what_earlier_programs_kept_as_the_reference_may_be_that_of_the_booking() {
    let earlier = BankAnswer {
        booking_reference: None,
        ..told(None, Some(1))
    };
    assert_eq!(
        earlier.join(&told(Some(1), Some(1))),
        Ok(told(Some(1), Some(1)))
    );
    assert_eq!(earlier.join(&told(None, Some(1))), Ok(told(None, Some(1))));
    assert!(earlier.join(&told(Some(1), Some(2))).is_err());
}
