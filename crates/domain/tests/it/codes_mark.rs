//! The mark that an order was paid by QR codes, in every combination of what is known of the order.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use cabinet_domain::payment::{
    AcquirerName, Answer, AttemptKind, Case, Clocks, CodesMark, Delays, NewAttempt, News,
    OrderFacts, PaymentState, Renewal, codes_mark, decide_settlement, may_undo_codes_mark, renewal,
};
use cabinet_domain::{AttemptId, CodesState, Key, Money, NotaryId, OrderId, OrderStatus};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

const CODES: [CodesState; 3] = [CodesState::NotGiven, CodesState::Given, CodesState::Paid];

fn at(second: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_700_000_000 + second)
}

fn now() -> Clocks {
    Clocks {
        ours: at(60),
        theirs: Some(at(60)),
    }
}

/// An order whose page is open, or was closed.
fn case(is_closed: bool) -> Case {
    let attempt = AttemptId::new(Uuid::from_u128(1));
    let sum = Money::from_kopiykas(10_000).unwrap();
    let order = OrderFacts {
        id: OrderId::new(Uuid::from_u128(7)),
        notary_id: NotaryId::new(Uuid::from_u128(3)),
        status: OrderStatus::InProgress,
        payment_state: PaymentState::Unknown,
        sum,
        created_at: at(0),
        paid_at: None,
        failure: None,
        pan: None,
        payment_page_url: None,
        is_returned_to_cart: false,
        is_cancelled: false,
        codes: CodesState::NotGiven,
    };
    let new = NewAttempt {
        id: attempt,
        order_id: order.id,
        acquirer: AcquirerName::Monobank,
        kind: AttemptKind::Invoice,
        amount: sum,
        created_at: at(0),
    };
    let case = Case {
        order,
        attempts: vec![new.prepared()],
        refunds: Vec::new(),
        has_money_alarm: false,
    };
    let take =
        |case: &Case, news: &News| decide_settlement(case, news, &Delays::default(), at(1)).case;
    let case = take(&case, &News::Submitting(attempt, Some(at(0))));
    let answer = Answer::Invoice {
        invoice_id: cabinet_domain::payment::InvoiceId::parse("p2_1").unwrap(),
        page: Ok("https://pay.example/1".to_owned()),
        made_at: Some(at(0)),
        fresh: AttemptId::new(Uuid::from_u128(90)),
    };
    let case = take(&case, &News::Answered(attempt, answer));
    if is_closed {
        take(&case, &News::Withdrawn(attempt))
    } else {
        case
    }
}

/// Every combination of what is known of an order.
fn all() -> impl Iterator<Item = Case> {
    let flags = || [false, true].into_iter();
    let combinations = OrderStatus::ALL.into_iter().flat_map(move |status| {
        CODES
            .into_iter()
            .flat_map(move |codes| (0_u8..16).map(move |bits| (status, codes, bits)))
    });
    combinations.flat_map(move |(status, codes, bits)| {
        flags().map(move |is_closed| {
            let mut case = case(is_closed);
            case.order.status = status;
            case.order.codes = codes;
            case.order.is_cancelled = bits & 1 > 0;
            case.order.is_returned_to_cart = bits & 2 > 0;
            case.has_money_alarm = bits & 4 > 0;
            case
        })
    })
}

#[test]
fn only_an_order_of_which_nothing_can_be_charged_is_marked() {
    let mut marked = 0;
    for case in all() {
        let (order, decided) = (&case.order, codes_mark(&case, &[], now()));
        let is_closed = case
            .attempts
            .iter()
            .all(|attempt| attempt.is_certainly_closed());
        let may_be_marked = order.codes == CodesState::Given
            && order.status != OrderStatus::Paid
            && !case.has_money_alarm
            && !order.is_cancelled
            && !order.is_returned_to_cart;
        match &decided {
            CodesMark::Mark => {
                assert!(may_be_marked && is_closed, "{case:?}");
                marked += 1;
            }
            CodesMark::Close(Renewal::Withdraw(_)) => assert!(may_be_marked && !is_closed),
            CodesMark::Close(step) => panic!("{step:?}"),
            CodesMark::Marked => assert_eq!(order.codes, CodesState::Paid),
            CodesMark::Refuse(key) => {
                assert!(!may_be_marked, "{key:?}");
                let none_given = order.codes == CodesState::NotGiven;
                assert_eq!(*key == Key::PaymentCodesNotGiven, none_given);
            }
        }
    }
    assert!(marked > 0);
}

#[test]
fn nothing_is_begun_for_a_marked_order() {
    for case in all().filter(|case| case.order.codes == CodesState::Paid) {
        for prices_hold in [true, false] {
            let decided = renewal(&case, prices_hold, &[], now());
            assert_eq!(decided, Renewal::Refuse(Key::OrderNotPayable), "{case:?}");
        }
    }
}

#[test]
fn the_mark_stays_while_money_waits_for_the_operator() {
    for case in all() {
        for has_held in [true, false] {
            let may = may_undo_codes_mark(&case, has_held).is_ok();
            assert_eq!(may, !case.has_money_alarm && !has_held);
        }
    }
}

#[test]
fn codes_pay_only_what_no_card_pays_or_may_pay() {
    for status in OrderStatus::ALL {
        for state in PaymentState::ALL {
            for codes in CODES {
                let is_open = matches!(status, OrderStatus::InProgress | OrderStatus::Pending);
                let expected = codes == CodesState::Paid
                    && status != OrderStatus::Paid
                    && !is_open
                    && state != PaymentState::UnderReview;
                assert_eq!(codes.pays(status, state), expected, "{status:?} {state:?}");
            }
        }
    }
}
