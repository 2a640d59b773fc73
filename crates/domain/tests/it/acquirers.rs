//! What differs between acquirers, and how the next one is asked.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use cabinet_domain::payment::{
    AcquirerName, Answer, AttemptKind, AttemptState, CardDetails, Case, Clocks, Delays, Effect,
    InvoiceId, InvoiceNews, InvoiceStatus, NewAttempt, News, NextCall, OpenDoubts, OrderFacts,
    PaymentState, RefundAnswer, RefundEnd, RefundNews, RefundState, RefundWish, Renewal,
    Settlement, SettlementVerdict, admit_refund, decide_settlement, next_call, renewal,
};
use cabinet_domain::{
    AttemptId, CodesState, Money, NotaryId, OperatorReason, OrderId, OrderStatus, RefundId,
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

const HOUR: i64 = 3_600;
const SUM: i64 = 34_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000).unwrap() + SignedDuration::from_secs(seconds)
}

fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).unwrap()
}

fn id(number: u128) -> AttemptId {
    AttemptId::new(Uuid::from_u128(number))
}

fn invoice() -> InvoiceId {
    InvoiceId::parse("invoice-1").unwrap()
}

fn new_attempt(number: u128, acquirer: AcquirerName) -> NewAttempt {
    NewAttempt {
        id: id(number),
        order_id: OrderId::new(Uuid::from_u128(7)),
        acquirer,
        kind: AttemptKind::Invoice,
        amount: money(SUM),
        created_at: at(0),
    }
}

fn take(case: &Case, news: &News, second: i64) -> Settlement {
    decide_settlement(case, news, &Delays::default(), at(second))
}

/// An order whose first attempt was sent to an acquirer.
fn submitted(acquirer: AcquirerName) -> Case {
    let case = Case {
        order: OrderFacts {
            id: OrderId::new(Uuid::from_u128(7)),
            notary_id: NotaryId::new(Uuid::from_u128(3)),
            status: OrderStatus::InProgress,
            payment_state: PaymentState::Unknown,
            sum: money(SUM),
            created_at: at(0),
            paid_at: None,
            failure: None,
            pan: None,
            payment_page_url: None,
            is_returned_to_cart: false,
            is_cancelled: false,
            codes: CodesState::NotGiven,
        },
        attempts: vec![new_attempt(1, acquirer).prepared()],
        refunds: Vec::new(),
        has_money_alarm: false,
    };
    take(&case, &News::Submitting(id(1), Some(at(0))), 0).case
}

/// The same with an open page.
fn open(acquirer: AcquirerName) -> Case {
    let answer = Answer::Invoice {
        invoice_id: invoice(),
        page: Ok("https://pay.example/1".to_owned()),
        made_at: Some(at(0)),
        fresh: id(90),
    };
    take(&submitted(acquirer), &News::Answered(id(1), answer), 1).case
}

fn told(acquirer: AcquirerName, status: InvoiceStatus, refunded: i64, second: i64) -> News {
    let news = InvoiceNews {
        acquirer,
        invoice_id: invoice(),
        payment_reference: Some(id(1)),
        status,
        amount: money(SUM),
        is_hryvnia: true,
        refunded: money(refunded),
        refunds: Vec::new(),
        modified_at: Some(at(second)),
        created_at: Some(at(0)),
        as_of: Some(at(second)),
        card: CardDetails::default(),
        acquirer_fee: None,
        failure_code: None,
    };
    News::Told(Box::new(news), id(91))
}

fn raises(settled: &Settlement) -> bool {
    let is_alarm = |effect: &Effect| matches!(effect, Effect::Raise { .. });
    settled.effects.iter().any(is_alarm)
}

fn ask_elsewhere() -> News {
    News::AskedElsewhere(id(1), new_attempt(2, AcquirerName::LiqPay))
}

#[test]
fn the_next_acquirer_gets_an_attempt_of_its_own_and_the_order_does_not_fail_meanwhile() {
    let settled = take(&submitted(AcquirerName::Monobank), &ask_elsewhere(), 1);
    let case = settled.case;
    assert_eq!(case.order.status, OrderStatus::InProgress);
    let states: Vec<_> = case
        .attempts
        .iter()
        .map(|attempt| (attempt.acquirer, attempt.state))
        .collect();
    assert_eq!(
        states,
        [
            (AcquirerName::Monobank, AttemptState::NotSent),
            (AcquirerName::LiqPay, AttemptState::Prepared)
        ]
    );
    assert_eq!(case.latest().unwrap().id, id(2));
}

#[test]
fn nobody_else_is_asked_after_an_unknown_outcome_or_for_an_order_that_needs_nothing() {
    let lost = Answer::Unknown {
        error: "lost".to_owned(),
        pause: SignedDuration::ZERO,
    };
    let submitted = submitted(AcquirerName::Monobank);
    let unknown = take(&submitted, &News::Answered(id(1), lost), 1).case;
    assert_eq!(take(&unknown, &ask_elsewhere(), 2).case.attempts.len(), 1);
    let mut cancelled = submitted.clone();
    cancelled.order.is_cancelled = true;
    assert_eq!(take(&cancelled, &ask_elsewhere(), 2).case.attempts.len(), 1);
    // An attempt that was answered meanwhile.
    let answered = take(&open(AcquirerName::Monobank), &ask_elsewhere(), 2);
    assert_eq!(answered.verdict, SettlementVerdict::Unknown);
    assert_eq!(answered.case.attempts.len(), 1);
}

#[test]
fn a_page_of_liqpay_that_nobody_opened_ends_by_its_clock_and_without_an_alarm() {
    let page = open(AcquirerName::LiqPay);
    let early = take(&page, &News::Missing(id(1), Some(at(HOUR))), 10 * HOUR);
    assert!(!raises(&early));
    assert_eq!(early.case.order.status, OrderStatus::Pending);
    let untimed = take(&page, &News::Missing(id(1), None), 2 * HOUR);
    assert_eq!(untimed.case.order.status, OrderStatus::Pending);
    // One answer that is an hour ahead, and two of them.
    let ahead = take(&page, &News::Missing(id(1), Some(at(HOUR + 62))), 60);
    let ahead = take(
        &ahead.case,
        &News::Missing(id(1), Some(at(HOUR + 162))),
        160,
    );
    assert_eq!(ahead.case.order.status, OrderStatus::Pending);
    let first = take(&page, &News::Missing(id(1), Some(at(HOUR + 61))), HOUR + 61);
    assert_eq!(first.case.order.status, OrderStatus::Pending);
    let over = take(
        &first.case,
        &News::Missing(id(1), Some(at(HOUR + 121))),
        HOUR + 121,
    );
    assert!(!raises(&first) && !raises(&over));
    assert_eq!(over.case.order.status, OrderStatus::Expired);
    assert!(over.case.attempts[0].is_certainly_closed());
    let next = renewal(
        &over.case,
        true,
        &[],
        Clocks {
            ours: at(HOUR + 61),
            theirs: Some(at(HOUR + 61)),
        },
    );
    assert_eq!(next, Renewal::Fresh);
    // The other acquirer knows its pages, so the same is an alarm.
    let monobank = take(
        &open(AcquirerName::Monobank),
        &News::Missing(id(1), Some(at(60))),
        60,
    );
    assert!(raises(&monobank));
}

#[test]
fn money_that_comes_after_a_page_of_liqpay_had_ended_is_not_forgotten() {
    let page = open(AcquirerName::LiqPay);
    let mut over = page;
    for second in [HOUR + 61, HOUR + 121] {
        over = take(&over, &News::Missing(id(1), Some(at(second))), second).case;
    }
    let late = told(AcquirerName::LiqPay, InvoiceStatus::Success, 0, HOUR - 1);
    let settled = take(&over, &late, HOUR + 70);
    assert_eq!(settled.case.order.status, OrderStatus::Paid);
    assert!(raises(&settled));
}

#[test]
fn a_failure_is_final_at_liqpay_alone() {
    for (acquirer, is_final) in [
        (AcquirerName::Monobank, false),
        (AcquirerName::LiqPay, true),
    ] {
        let failed = told(acquirer, InvoiceStatus::Failure, 0, 10);
        let case = take(&open(acquirer), &failed, 10).case;
        assert_eq!(case.order.status, OrderStatus::Failed);
        assert_eq!(case.attempts[0].is_certainly_closed(), is_final);
        let is_fresh = renewal(
            &case,
            true,
            &[],
            Clocks {
                ours: at(11),
                theirs: Some(at(11)),
            },
        ) == Renewal::Fresh;
        assert_eq!(is_fresh, is_final);
    }
}

#[test]
fn a_needless_page_is_closed_where_it_can_be_and_asked_about_elsewhere() {
    for (acquirer, call) in [
        (AcquirerName::Monobank, NextCall::Withdraw),
        (AcquirerName::LiqPay, NextCall::AskState),
    ] {
        let mut case = open(acquirer);
        case.order.status = OrderStatus::Paid;
        assert_eq!(next_call(&case, &case.attempts[0]), call);
    }
}

#[test]
fn what_one_acquirer_says_settles_no_attempt_of_the_other() {
    let case = open(AcquirerName::Monobank);
    let said = told(AcquirerName::LiqPay, InvoiceStatus::Success, 0, 10);
    let after = take(&case, &said, 10).case;
    assert!(after.attempts[0].charged_at.is_none());
    let stray = &after.attempts[1];
    assert!(stray.is_stray && stray.acquirer == AcquirerName::LiqPay);
}

#[test]
fn a_refund_at_liqpay_is_known_by_the_sum() {
    let paid = told(AcquirerName::LiqPay, InvoiceStatus::Success, 0, 10);
    let mut case = take(&open(AcquirerName::LiqPay), &paid, 10).case;
    // Transfers of the whole sum would leave nothing to give back, so the wish is the whole charge.
    let refund_id = RefundId::new(Uuid::from_u128(50));
    let reason = OperatorReason::parse("why").unwrap();
    let facts = (refund_id, reason, at(20));
    let refund = admit_refund(&case, &[], RefundWish::Whole, OpenDoubts(&[]), facts).unwrap();
    case = take(&case, &News::RefundAsked(Box::new(refund)), 20).case;
    case = take(&case, &News::RefundSubmitting(refund_id, Some(at(20))), 20).case;
    let state = |case: &Case| case.refund(refund_id).unwrap().stage.state();
    // Nothing went back yet, and for a day that proves nothing: LiqPay may wait until the shop has the money.
    let nothing = |second| told(AcquirerName::LiqPay, InvoiceStatus::Success, 0, second);
    for second in [60, 2_000, 23 * HOUR] {
        let waits = take(&case, &nothing(second), second);
        assert_eq!(state(&waits.case), RefundState::Submitted);
    }
    let end = 24 * HOUR + 20;
    let first = take(&case, &nothing(end), end).case;
    assert_eq!(state(&first), RefundState::Submitted);
    let gone = take(&first, &nothing(end + 60), end + 60);
    assert_eq!(state(&gone.case), RefundState::Refused);
    // Nor does a payment whose money is kept for a refund, or of which nothing is known.
    let mut kept = nothing(end);
    if let News::Told(news, _) = &mut kept {
        news.refunds = vec![RefundNews {
            refund: None,
            end: RefundEnd::Open,
            amount: None,
        }];
    }
    let unclear = told(AcquirerName::LiqPay, InvoiceStatus::Processing, 0, end);
    for news in [kept, unclear] {
        let waits = take(&first, &news, end + 60);
        assert_eq!(state(&waits.case), RefundState::Submitted);
    }
    // A part that nothing of ours explains is no end of it.
    let other = told(AcquirerName::LiqPay, InvoiceStatus::Success, 5, 60);
    assert_eq!(state(&take(&case, &other, 60).case), RefundState::Submitted);
    let all = told(AcquirerName::LiqPay, InvoiceStatus::Reversed, SUM, 60);
    let done = take(&case, &all, 60).case;
    assert_eq!(state(&done), RefundState::Done);
    assert_eq!(done.order.status, OrderStatus::Refunded);
    let accepted = News::RefundAnswered(refund_id, RefundAnswer::Accepted);
    let accepted = take(&case, &accepted, 21).case;
    assert_eq!(state(&take(&accepted, &all, 60).case), RefundState::Done);
}

#[test]
fn a_payment_whose_end_stays_open_for_hours_is_told_to_a_person() {
    let without_page = |acquirer| {
        let mut case = open(acquirer);
        case.attempts[0].kind = AttemptKind::CardToken;
        let begin = case.attempts[0].created_at;
        (acquirer, case, begin)
    };
    let with_page = |acquirer| {
        let case = open(acquirer);
        let end = case.attempts[0].page_ends_at();
        (acquirer, case, end)
    };
    for (acquirer, case, since) in [
        with_page(AcquirerName::Monobank),
        with_page(AcquirerName::LiqPay),
        without_page(AcquirerName::Monobank),
        without_page(AcquirerName::LiqPay),
    ] {
        let end = since.as_second() - at(0).as_second();
        let (early, late) = (end + 3 * HOUR - 1, end + 3 * HOUR);
        let processing = |second| told(acquirer, InvoiceStatus::Processing, 0, second);
        let silent = News::Silent {
            attempt: id(1),
            error: "unavailable".to_owned(),
            pause: SignedDuration::ZERO,
            is_refusal: false,
        };
        assert!(!raises(&take(&case, &processing(early), early)));
        assert!(raises(&take(&case, &processing(late), late)));
        assert!(!raises(&take(&case, &silent, early)));
        assert!(raises(&take(&case, &silent, late)));
    }
}

#[test]
fn parts_that_went_back_at_liqpay_add_up_one_after_the_other() {
    let liqpay = AcquirerName::LiqPay;
    let paid = told(liqpay, InvoiceStatus::Success, 0, 10);
    let mut case = take(&open(liqpay), &paid, 10).case;
    for (number, refunded) in [(50, 100), (51, 200)] {
        let refund_id = RefundId::new(Uuid::from_u128(number));
        let facts = (refund_id, OperatorReason::parse("why").unwrap(), at(20));
        let mut refund =
            admit_refund(&case, &[], RefundWish::Whole, OpenDoubts(&[]), facts).unwrap();
        refund.amount = money(100);
        refund.scope = cabinet_domain::payment::RefundScope::Sum;
        case = take(&case, &News::RefundAsked(Box::new(refund)), 20).case;
        case = take(&case, &News::RefundSubmitting(refund_id, Some(at(20))), 20).case;
        let settled = take(
            &case,
            &told(liqpay, InvoiceStatus::Success, refunded, 30),
            30,
        );
        assert!(!raises(&settled));
        case = settled.case;
        assert!(case.refund(refund_id).unwrap().is_done());
    }
    // A part that was given back in LiqPay's own cabinet is told to a person.
    let more = told(liqpay, InvoiceStatus::Success, 250, 40);
    assert!(raises(&take(&case, &more, 40)));
}
