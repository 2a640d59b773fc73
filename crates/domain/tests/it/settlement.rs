//! Properties of the settlement: whatever the acquirer tells, in whatever order and however often, the same facts end in
//! the same state, and no money is forgotten.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::payment::{
    AcquirerName, AlarmKind, Answer, Attempt, AttemptKind, AttemptState, Blamed, CardDetails, Case,
    ClientStanding, Clocks, Delays, Effect, InvoiceId, InvoiceNews, InvoiceStatus, NewAttempt,
    News, NextCall, OrderFacts, PageFault, PaymentEnding, PaymentState, RefusedPage, Renewal,
    Search, Settlement, Told, decide_settlement, next_call, renewal, statement_window,
};
use cabinet_domain::{
    AttemptId, CancelledItems, CodesState, Key, MaskedPan, Money, NotaryId, OrderEventKind,
    OrderId, OrderStatus,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use uuid::Uuid;

const SUM: i64 = 34_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000).unwrap() + SignedDuration::from_secs(seconds)
}

/// A moment by both clocks.
fn clocks(at: Timestamp) -> Clocks {
    Clocks {
        ours: at,
        theirs: Some(at),
    }
}

fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).unwrap()
}

fn attempt_id(number: u128) -> AttemptId {
    AttemptId::new(Uuid::from_u128(number))
}

fn invoice(number: u128) -> InvoiceId {
    InvoiceId::parse(&format!("invoice-{number}")).unwrap()
}

/// A row's id of a stray invoice, the same for the same invoice, as only storage's rows need.
fn stray_id(invoice: &InvoiceId) -> AttemptId {
    let number: u128 = invoice.as_str()["invoice-".len()..].parse().unwrap();
    attempt_id(1_000 + number)
}

fn new_case(kind: AttemptKind) -> Case {
    let order_id = OrderId::new(Uuid::from_u128(7));
    Case {
        order: OrderFacts {
            id: order_id,
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
        attempts: vec![fresh(1, kind, 0)],
        refunds: Vec::new(),
        has_money_alarm: false,
    }
}

fn fresh(number: u128, kind: AttemptKind, second: i64) -> Attempt {
    new_attempt(number, kind, second).prepared()
}

fn new_attempt(number: u128, kind: AttemptKind, second: i64) -> NewAttempt {
    NewAttempt {
        acquirer: AcquirerName::Monobank,
        id: attempt_id(number),
        order_id: OrderId::new(Uuid::from_u128(7)),
        kind,
        amount: money(SUM),
        created_at: at(second),
    }
}

fn told(
    invoice_number: u128,
    payment_reference: u128,
    status: InvoiceStatus,
    second: i64,
    refunded: i64,
) -> News {
    let invoice_id = invoice(invoice_number);
    let fresh = stray_id(&invoice_id);
    let news = InvoiceNews {
        acquirer: AcquirerName::Monobank,
        invoice_id,
        payment_reference: Some(attempt_id(payment_reference)),
        status,
        amount: money(SUM),
        is_hryvnia: true,
        refunded: money(refunded),
        refunds: Vec::new(),
        modified_at: Some(at(second)),
        created_at: Some(at(0)),
        as_of: Some(at(second)),
        card: CardDetails {
            masked_pan: MaskedPan::parse("424242******4242"),
            ..CardDetails::default()
        },
        acquirer_fee: Some(money(SUM / 100)),
        failure_code: Some("59".to_owned()),
    };
    News::Told(Box::new(news), fresh)
}

/// Applies the effects to the case as storage does, and returns the alarms that were raised.
fn apply(case: &Case, settled: &Settlement) -> (Case, Vec<(AlarmKind, AttemptId)>) {
    let mut next = case.clone();
    let mut alarms = Vec::new();
    for effect in &settled.effects {
        match effect {
            Effect::SaveAttempt(attempt) => {
                let known = next
                    .attempts
                    .iter_mut()
                    .find(|known| known.id == attempt.id);
                match known {
                    Some(known) => *known = (**attempt).clone(),
                    None => next.attempts.push((**attempt).clone()),
                }
            }
            Effect::SaveRefund(refund) => {
                let known = next.refunds.iter_mut().find(|known| known.id == refund.id);
                match known {
                    Some(known) => *known = (**refund).clone(),
                    None => next.refunds.push((**refund).clone()),
                }
            }
            Effect::SaveOrder(order) => next.order = (**order).clone(),
            Effect::Raise { kind, attempt, .. } => {
                next.has_money_alarm |= kind.holds_payment();
                alarms.push((*kind, *attempt));
            }
            Effect::Record { .. }
            | Effect::PlanTransfers
            | Effect::CallOffTransfers
            | Effect::HoldForRefund(_)
            | Effect::ReleaseFromRefund(_)
            | Effect::GiveBackTransfer(_)
            | Effect::LookForPartsByHand(_)
            | Effect::KeepReceipt
            | Effect::ReturnItems => {}
        }
    }
    assert_eq!(next, settled.case, "the effects are the whole difference");
    (next, alarms)
}

/// The world of one order: its case, the alarms raised, and whether transfers stand planned.
#[derive(Clone)]
struct World {
    case: Case,
    alarms: BTreeSet<(AlarmKind, AttemptId)>,
    transfers_stand: bool,
}

impl World {
    fn new(kind: AttemptKind) -> World {
        World {
            case: new_case(kind),
            alarms: BTreeSet::new(),
            transfers_stand: false,
        }
    }

    fn take(&mut self, news: &News, now: Timestamp) {
        let before = self.case.clone();
        let settled = decide_settlement(&before, news, &Delays::default(), now);
        for effect in &settled.effects {
            match effect {
                Effect::PlanTransfers => self.transfers_stand = true,
                Effect::CallOffTransfers => self.transfers_stand = false,
                _ => {}
            }
        }
        let (next, alarms) = apply(&before, &settled);
        self.case = next;
        self.alarms.extend(alarms);
        self.check(&before);
    }

    /// What must hold after every step.
    fn check(&self, before: &Case) {
        let (from, to) = (before.order.status, self.case.order.status);
        assert!(
            from == to || from.may_become(to),
            "{from:?} may not become {to:?}"
        );
        for known in &before.attempts {
            let now = self.case.attempt(known.id).unwrap();
            assert!(
                known.charged_at.is_none() || now.charged_at.is_some(),
                "a charge is never forgotten"
            );
            assert!(
                known.reversed_at.is_none() || now.reversed_at.is_some(),
                "a reversal is never forgotten"
            );
            assert!(now.refunded >= known.refunded);
        }
        for attempt in &self.case.attempts {
            let is_finished = attempt.state == AttemptState::Finished;
            assert_eq!(is_finished, attempt.outcome.is_some());
            let is_open = matches!(
                attempt.state,
                AttemptState::Prepared | AttemptState::Submitted | AttemptState::Accepted
            );
            assert!(
                !is_open || attempt.next_check_at.is_some(),
                "an open attempt is asked about"
            );
            assert!(
                is_open || attempt.next_check_at.is_none(),
                "nobody asks about a closed one"
            );
        }
        let standing: Vec<&Attempt> = self
            .case
            .attempts
            .iter()
            .filter(|attempt| attempt.has_standing_charge())
            .collect();
        let paid = self.case.order.status == OrderStatus::Paid;
        assert_eq!(
            self.transfers_stand, paid,
            "transfers are owed exactly while the order is paid"
        );
        let counting = self.case.counting_charge().map(|charge| charge.id);
        for charge in standing {
            let counts = paid && Some(charge.id) == counting;
            let is_alarmed = self.alarms.iter().any(|(kind, attempt)| {
                *attempt == charge.id
                    && matches!(kind, AlarmKind::ChargedTwice | AlarmKind::PaidAfterRefund)
            });
            assert!(
                counts || is_alarmed,
                "a charge counts for the order or has an alarm"
            );
        }
        assert_eq!(
            self.case.order.payment_state,
            PaymentState::of(
                self.case.order.status,
                self.case.latest(),
                self.case.has_money_alarm
            )
        );
    }

    /// What must not depend on the order of the reports.
    fn end(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let attempts: BTreeMap<AttemptId, _> = self
            .case
            .attempts
            .iter()
            .map(|attempt| {
                let facts = (
                    attempt.state,
                    attempt.outcome,
                    attempt.told.clone(),
                    attempt.charged_at,
                    attempt.reversed_at,
                    attempt.refunded,
                    attempt.invoice_id.clone(),
                );
                (attempt.id, facts)
            })
            .collect();
        let order = &self.case.order;
        // An alarm stays open until a person closes it, whatever came afterwards.
        let payment_state = PaymentState::of(order.status, self.case.latest(), false);
        (
            order.status,
            payment_state,
            order.failure,
            order.pan.clone(),
            order.paid_at,
            attempts,
            self.transfers_stand,
        )
    }
}

fn statuses() -> impl Strategy<Value = InvoiceStatus> {
    prop_oneof![
        Just(InvoiceStatus::Created),
        Just(InvoiceStatus::Processing),
        Just(InvoiceStatus::Hold),
        Just(InvoiceStatus::Success),
        Just(InvoiceStatus::Failure),
        Just(InvoiceStatus::Expired),
        Just(InvoiceStatus::Reversed),
        Just(InvoiceStatus::Other("frozen".to_owned())),
    ]
}

fn unpaid_statuses() -> impl Strategy<Value = InvoiceStatus> {
    prop_oneof![
        Just(InvoiceStatus::Created),
        Just(InvoiceStatus::Processing),
        Just(InvoiceStatus::Hold),
        Just(InvoiceStatus::Failure),
        Just(InvoiceStatus::Expired),
        Just(InvoiceStatus::Other("frozen".to_owned())),
    ]
}

/// A report about one of three invoices: that of the first attempt, that of the second, and a stray one of the first.
fn report() -> impl Strategy<Value = News> {
    (0_u128..3, statuses(), 10_i64..40, 0_i64..3).prop_map(|(which, status, second, part)| {
        let payment_reference = if which == 1 { 2 } else { 1 };
        let refunded = match status {
            InvoiceStatus::Reversed => SUM,
            InvoiceStatus::Success => part * 100,
            _ => 0,
        };
        told(which + 1, payment_reference, status, second, refunded)
    })
}

/// Two pages of one order, both open at the acquirer.
fn two_pages() -> World {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(
        &News::Renewed(new_attempt(2, AttemptKind::Invoice, 5), None),
        at(5),
    );
    world.take(&News::Submitting(attempt_id(2), Some(at(5))), at(5));
    world.take(&page_of(2), at(6));
    world
}

fn page_of(number: u128) -> News {
    let answer = Answer::Invoice {
        invoice_id: invoice(number),
        page: Ok(format!("https://pay.example/{number}")),
        made_at: Some(at(1)),
        fresh: attempt_id(2_000 + number),
    };
    News::Answered(attempt_id(number), answer)
}

/// Anything that can become known about one of the attempts.
fn anything() -> impl Strategy<Value = News> {
    let id = || (1_u128..4).prop_map(attempt_id);
    let page = |is_listed: bool| {
        is_listed
            .then(|| "https://pay.example".to_owned())
            .ok_or_else(|| RefusedPage::new(PageFault::HostUnlisted, "pay.example"))
    };
    let answer = prop_oneof![
        Just(Answer::NotSent),
        Just(Answer::Refused {
            code: "TOKEN_NOT_FOUND".to_owned()
        }),
        Just(Answer::Unknown {
            error: "no answer".to_owned(),
            pause: SignedDuration::from_secs(5),
        }),
        (1_u128..5, any::<bool>()).prop_map(move |(number, is_listed)| Answer::Invoice {
            invoice_id: invoice(number),
            page: page(is_listed),
            made_at: None,
            fresh: attempt_id(3_000 + number),
        }),
        (1_u128..5, any::<bool>()).prop_map(move |(number, is_refused)| Answer::Charge {
            invoice_id: invoice(number),
            page: is_refused.then(|| page(false)),
        }),
    ];
    prop_oneof![
        4 => report(),
        1 => id().prop_map(|id| News::Submitting(id, None)),
        1 => id().prop_map(News::GivenUpUnsent),
        2 => (id(), answer).prop_map(|(id, answer)| News::Answered(id, answer)),
        1 => id().prop_map(|id| News::Missing(id, None)),
        1 => id().prop_map(|id| News::NotOnStatement(id, Search { as_of: Some(at(5_000)) })),
        1 => id().prop_map(|attempt| News::Silent {
            attempt,
            error: "no answer".to_owned(),
            pause: SignedDuration::ZERO,
            is_refusal: true,
        }),
        1 => id().prop_map(News::Withdrawn),
        1 => id().prop_map(News::NotWithdrawn),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_reports_end_in_the_same_state_in_any_order_and_number(
        reports in prop::collection::vec(report(), 1..7),
        shuffled in any::<prop::sample::Index>(),
        repeats in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        seed in any::<u64>(),
    ) {
        let mut first = two_pages();
        for report in &reports {
            first.take(report, at(100));
        }
        // A permutation with repetitions.
        let mut other: Vec<News> = reports.clone();
        other.extend(repeats.iter().map(|index| index.get(&reports).clone()));
        let mut state = seed | 1;
        for place in (1..other.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let with = usize::try_from(state >> 33).unwrap() % (place + 1);
            other.swap(place, with);
        }
        let begin = shuffled.index(other.len());
        other.rotate_left(begin);
        let mut second = two_pages();
        for report in &other {
            second.take(report, at(100));
        }
        prop_assert_eq!(first.end(), second.end());
    }

    #[test]
    fn no_page_is_taken_for_closed_because_it_is_not_found_before_a_day_after_its_end(
        states in prop::collection::vec((prop_oneof![Just(InvoiceStatus::Created), Just(InvoiceStatus::Failure)], 10_i64..40), 0..3),
        readings in prop::collection::vec((1_i64..60_000, -200_i64..200, any::<bool>()), 1..40),
    ) {
        let first = attempt_id(1);
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&News::Submitting(first, Some(at(0))), at(0));
        world.take(&page_of(1), at(1));
        for (status, second) in states {
            world.take(&told(1, 1, status, second, 0), at(40));
        }
        let over = 2 * 24 * 3_600 + 61;
        let mut second = 40;
        for (later, ahead, is_to_be_closed) in readings {
            second += later;
            if is_to_be_closed {
                world.take(&News::NotWithdrawn(first), at(second));
            }
            world.take(&News::Missing(first, Some(at(second + ahead))), at(second));
            let is_closed = world.case.attempt(first).unwrap().state == AttemptState::Finished;
            prop_assert!(!is_closed || second >= over, "closed after {second} seconds");
        }
        // It does not hang for ever.
        for second in [second + over, second + over + 60] {
            world.take(&News::Missing(first, Some(at(second))), at(second));
        }
        prop_assert_eq!(world.case.attempt(first).unwrap().state, AttemptState::Finished);
    }

    #[test]
    fn a_lost_report_is_made_good_by_the_next_question(
        unpaid in prop::collection::vec((unpaid_statuses(), 10_i64..40), 1..5),
        is_paid in any::<bool>(),
        is_given_back in any::<bool>(),
        lost in prop::collection::vec(any::<bool>(), 7),
    ) {
        // What the acquirer tells at the end is the last of its states.
        let mut states: Vec<(InvoiceStatus, i64)> = unpaid;
        states.sort_by_key(|(status, second)| (*second, status.finality(), status.clone()));
        if is_paid {
            states.push((InvoiceStatus::Success, 50));
        }
        if is_paid && is_given_back {
            states.push((InvoiceStatus::Reversed, 60));
        }
        let news: Vec<News> = states
            .iter()
            .map(|(status, second)| {
                let refunded = if *status == InvoiceStatus::Reversed { SUM } else { 0 };
                told(2, 2, status.clone(), *second, refunded)
            })
            .collect();
        let last = news.last().unwrap().clone();
        let (mut all, mut some) = (two_pages(), two_pages());
        for (report, is_lost) in news.iter().zip(&lost) {
            all.take(report, at(100));
            if !is_lost {
                some.take(report, at(100));
            }
        }
        all.take(&last, at(200));
        some.take(&last, at(200));
        let (all, some) = (all.case.order, some.case.order);
        prop_assert_eq!((all.status, all.payment_state), (some.status, some.payment_state));
    }

    #[test]
    fn every_news_about_every_case_has_an_answer(
        is_card in any::<bool>(),
        news in prop::collection::vec((anything(), 0_i64..200_000), 1..14),
    ) {
        let kind = if is_card { AttemptKind::CardToken } else { AttemptKind::Invoice };
        let mut world = World::new(kind);
        let mut number = 1;
        for (news, second) in &news {
            world.take(news, at(*second));
            // No fresh page while an older one may take money, whatever came before.
            for tried in [vec![], world.case.attempts.iter().map(|attempt| attempt.id).collect::<Vec<_>>()] {
                if renewal(&world.case, true, &tried, clocks(at(*second))) == Renewal::Fresh {
                    let open = world.case.attempts.iter().filter(|attempt| !attempt.is_certainly_closed());
                    for attempt in open {
                        let is_over = at(*second) >= attempt.page_end().ours;
                        prop_assert!(attempt.has_expired() || is_over, "{attempt:?}");
                        prop_assert!(tried.contains(&attempt.id));
                    }
                    prop_assert!(!world.case.has_money_alarm);
                    prop_assert!(!world.case.order.status.has_money());
                }
            }
            if renewal(&world.case, true, &[], clocks(at(*second))) == Renewal::Fresh && number < 3 {
                number += 1;
                let kind = if second % 2 == 0 { AttemptKind::Invoice } else { AttemptKind::CardToken };
                let next = new_attempt(number, kind, *second);
                world.take(&News::Renewed(next, None), at(*second));
            }
            for attempt in &world.case.attempts {
                let call = next_call(&world.case, attempt);
                prop_assert_eq!(call == NextCall::Nothing, attempt.next_check_at.is_none());
            }
        }
    }
}

#[test]
fn what_was_certainly_not_sent_can_be_paid_again_at_once() {
    for kind in AttemptKind::ALL {
        let mut world = World::new(kind);
        assert_eq!(
            renewal(&world.case, true, &[], clocks(at(1))),
            Renewal::Refuse(Key::PaymentOutcomeUnknown),
            "somebody may be about to send it"
        );
        assert_eq!(
            renewal(&world.case, true, &[], clocks(at(10))),
            Renewal::GiveUpUnsent(attempt_id(1))
        );
        world.take(&News::Submitting(attempt_id(1), None), at(0));
        assert_eq!(
            renewal(&world.case, true, &[], clocks(at(1))),
            Renewal::Refuse(Key::PaymentOutcomeUnknown)
        );
        world.take(&News::Answered(attempt_id(1), Answer::NotSent), at(1));
        assert_eq!(world.case.order.status, OrderStatus::Failed);
        assert_eq!(world.case.order.payment_state, PaymentState::NotSent);
        assert_eq!(world.case.order.failure, Some(Key::AcquirerUnavailable));
        assert_eq!(
            renewal(&world.case, true, &[], clocks(at(2))),
            Renewal::Fresh
        );
    }
}

#[test]
fn an_open_page_is_withdrawn_where_its_price_no_longer_holds() {
    let page_open = |declined: bool| {
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
        world.take(&page_of(1), at(1));
        if declined {
            world.take(&told(1, 1, InvoiceStatus::Failure, 10, 0), at(10));
        }
        world.case
    };
    let page = Renewal::Give("https://pay.example/1".to_owned());
    let withdraw = Renewal::Withdraw(attempt_id(1));
    let unknown = Renewal::Refuse(Key::PaymentOutcomeUnknown);
    for declined in [false, true] {
        let case = page_open(declined);
        let first = if declined { &withdraw } else { &page };
        let tried = [attempt_id(1)];
        assert_eq!(renewal(&case, true, &[], clocks(at(20))), *first);
        assert_eq!(renewal(&case, true, &tried, clocks(at(20))), page);
        assert_eq!(renewal(&case, false, &[], clocks(at(20))), withdraw);
        assert_eq!(
            renewal(&case, false, &tried, clocks(at(20))),
            unknown,
            "the acquirer did not close it"
        );
        // The same where the order is too old.
        let mut old = case;
        old.order.created_at = at(20) - SignedDuration::from_hours(24 * 31);
        assert_eq!(renewal(&old, true, &[], clocks(at(20))), withdraw);
        assert_eq!(renewal(&old, true, &tried, clocks(at(20))), unknown);
    }
}

#[test]
fn the_confirmation_page_of_a_charge_in_progress_is_returned_at_any_price() {
    let mut world = World::new(AttemptKind::CardToken);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    let page = Renewal::Give("https://pay.example/1".to_owned());
    assert_eq!(renewal(&world.case, false, &[], clocks(at(20))), page);
}

#[test]
fn the_time_of_payment_is_that_of_the_charge_that_counts() {
    let mut world = two_pages();
    world.take(&told(1, 1, InvoiceStatus::Success, 20, 0), at(90_000));
    assert_eq!(world.case.order.paid_at, Some(at(20)), "heard a day later");
    world.take(&told(2, 2, InvoiceStatus::Success, 30, 0), at(90_001));
    assert_eq!(world.case.order.paid_at, Some(at(20)));
    world.take(&told(1, 1, InvoiceStatus::Reversed, 40, SUM), at(90_002));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    assert_eq!(
        world.case.order.paid_at,
        Some(at(30)),
        "the other charge counts now"
    );
    world.take(&told(2, 2, InvoiceStatus::Reversed, 50, SUM), at(90_003));
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    assert_eq!(world.case.order.paid_at, Some(at(30)));
}

#[test]
fn a_refunded_order_has_the_time_and_the_card_of_the_charge_that_was_given_back_last() {
    let with_card = |news: News, mask: &str| {
        let News::Told(mut state, fresh) = news else {
            unreachable!()
        };
        state.card.masked_pan = MaskedPan::parse(mask);
        News::Told(state, fresh)
    };
    let cards = ["424242******4242", "555555******4444"];
    for (first, second, paid_at, card) in [(1, 2, at(30), cards[1]), (2, 1, at(20), cards[0])] {
        let mut world = two_pages();
        for (number, second) in [(1, 20), (2, 30)] {
            let charge = told(number, number, InvoiceStatus::Success, second, 0);
            let mask = if number == 1 { cards[0] } else { cards[1] };
            world.take(&with_card(charge, mask), at(60));
        }
        for (number, second) in [(first, 70), (second, 80)] {
            let refund = told(number, number, InvoiceStatus::Reversed, second, SUM);
            let mask = if number == 1 { cards[0] } else { cards[1] };
            world.take(&with_card(refund, mask), at(second));
        }
        let order = &world.case.order;
        assert_eq!(order.status, OrderStatus::Refunded);
        assert_eq!(
            (order.paid_at, order.pan.clone()),
            (Some(paid_at), MaskedPan::parse(card))
        );
    }
}

#[test]
fn a_time_of_payment_that_cannot_be_is_the_moment_when_it_was_heard_of() {
    let success = |time: Option<Timestamp>| {
        let News::Told(mut news, fresh) = told(1, 1, InvoiceStatus::Success, 20, 0) else {
            unreachable!()
        };
        (news.modified_at, news.created_at) = (time, None);
        News::Told(news, fresh)
    };
    let paid_at = |time, now| {
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&News::Submitting(attempt_id(1), None), at(0));
        world.take(&page_of(1), at(1));
        world.take(&success(time), now);
        // Known already, and a refund leaves it.
        world.take(&success(time), at(80_000));
        world.take(
            &told(1, 1, InvoiceStatus::Reversed, 70_000, SUM),
            at(80_001),
        );
        world.case.order.paid_at
    };
    assert_eq!(paid_at(Some(at(50)), at(60)), Some(at(50)));
    assert_eq!(
        paid_at(Some(at(650)), at(60)),
        Some(at(650)),
        "the clocks are ten minutes apart"
    );
    assert_eq!(paid_at(Some(at(661)), at(60)), Some(at(60)));
    assert_eq!(paid_at(None, at(60)), Some(at(60)));
}

#[test]
fn the_fee_of_the_charge_is_kept_whatever_a_refund_names() {
    let with_fee = |status, second, refunded, fee| {
        let News::Told(mut news, fresh) = told(1, 1, status, second, refunded) else {
            unreachable!("told always tells");
        };
        news.acquirer_fee = Some(money(fee));
        News::Told(news, fresh)
    };
    let charge = with_fee(InvoiceStatus::Success, 20, 0, 340);
    for after_refund in [
        with_fee(InvoiceStatus::Success, 30, 100, 339),
        with_fee(InvoiceStatus::Reversed, 30, SUM, 0),
    ] {
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&charge, at(21));
        world.take(&after_refund, at(31));
        assert_eq!(fee_of(&world), Some(money(340)));

        let mut world = World::new(AttemptKind::Invoice);
        world.take(&after_refund, at(31));
        assert!(fee_of(&world).is_some(), "better than no fee at all");
        world.take(&charge, at(32));
        assert_eq!(fee_of(&world), Some(money(340)));
    }
}

fn fee_of(world: &World) -> Option<Money> {
    let attempt = world.case.attempt(attempt_id(1));
    attempt.and_then(|attempt| attempt.acquirer_fee)
}

#[test]
fn a_payment_stored_by_our_clock_keeps_its_time_until_another_charge_counts() {
    let mut world = two_pages();
    world.take(&told(1, 1, InvoiceStatus::Success, 20, 0), at(100));
    // As a version stored it that did not know the acquirer's time.
    world.case.order.paid_at = Some(at(95));
    world.take(&told(1, 1, InvoiceStatus::Success, 25, 100), at(200));
    world.take(&News::Reviewed, at(201));
    assert_eq!(world.case.order.paid_at, Some(at(95)));
    world.take(&told(1, 1, InvoiceStatus::Reversed, 40, SUM), at(300));
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    assert_eq!(world.case.order.paid_at, Some(at(95)));
}

#[test]
fn a_refund_heard_of_before_the_payment_dates_both() {
    let mut world = two_pages();
    world.take(&told(1, 1, InvoiceStatus::Reversed, 40, SUM), at(100));
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    assert_eq!(world.case.order.paid_at, Some(at(100)));
    world.take(&told(1, 1, InvoiceStatus::Success, 20, 0), at(200));
    assert_eq!(
        world.case.order.paid_at,
        Some(at(20)),
        "until the charge is known"
    );
}

#[test]
fn nothing_is_sent_for_an_attempt_that_was_given_up() {
    let mut world = World::new(AttemptKind::CardToken);
    world.take(&News::GivenUpUnsent(attempt_id(1)), at(61));
    assert_eq!(world.case.order.payment_state, PaymentState::NotSent);
    let late = decide_settlement(
        &world.case,
        &News::Submitting(attempt_id(1), None),
        &Delays::default(),
        at(62),
    );
    assert!(late.effects.is_empty());
}

#[test]
fn an_attempt_that_was_sent_meanwhile_is_not_given_up_as_unsent() {
    for kind in [AttemptKind::CardToken, AttemptKind::Invoice] {
        let mut world = World::new(kind);
        // Another process has read that it is due and unsent. Then it is sent.
        world.take(&News::Submitting(attempt_id(1), Some(at(10))), at(10));
        let stale = decide_settlement(
            &world.case,
            &News::GivenUpUnsent(attempt_id(1)),
            &Delays::default(),
            at(11),
        );
        assert_eq!(
            (stale.effects, stale.case),
            (Vec::new(), world.case.clone())
        );
        // The sender itself may know that the request did not arrive.
        world.take(&News::Answered(attempt_id(1), Answer::NotSent), at(12));
        assert_eq!(world.case.order.payment_state, PaymentState::NotSent);
    }
}

/// A saved card's charge without an answer, and a search of the statement in vain.
fn lost_charge(by_theirs: Option<Timestamp>) -> (World, fn(Option<Timestamp>) -> News) {
    let mut world = World::new(AttemptKind::CardToken);
    world.take(&News::Submitting(attempt_id(1), by_theirs), at(0));
    (world, |as_of| {
        News::NotOnStatement(attempt_id(1), Search { as_of })
    })
}

#[test]
fn a_charge_is_given_up_after_two_readings_when_both_clocks_say_that_it_must_have_appeared() {
    let minutes = |count: i64| at(count * 60);
    let (mut world, search) = lost_charge(Some(at(0)));
    world.take(&search(Some(minutes(16))), minutes(16));
    world.take(&search(Some(minutes(119))), minutes(119));
    // One reading in time, and the same again.
    world.take(&search(Some(minutes(120))), minutes(120));
    world.take(&search(Some(at(7_230))), at(7_230));
    assert_eq!(world.case.order.status, OrderStatus::InProgress);
    let attempt = world.case.attempt(attempt_id(1)).unwrap();
    assert_eq!(attempt.next_check_at, Some(at(7_230 + 60)), "soon again");
    world.take(&search(Some(minutes(121))), minutes(121));
    assert_eq!(world.case.order.status, OrderStatus::Failed);
    assert_eq!(world.case.order.failure, Some(Key::PaymentNoTrace));
    assert_eq!(
        renewal(&world.case, true, &[], clocks(minutes(122))),
        Renewal::Fresh
    );
    // It was charged after all.
    world.take(&told(1, 1, InvoiceStatus::Success, 30, 0), minutes(130));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    let late = (AlarmKind::LatePayment, attempt_id(1));
    assert!(world.alarms.contains(&late));
}

#[test]
fn the_operator_knows_a_longer_delay_and_people_are_told_by_when_it_is_known() {
    let minutes = |count: i64| at(count * 60);
    let mut delays = Delays::default();
    delays.monobank.statement = SignedDuration::from_mins(200);
    let (world, search) = lost_charge(Some(at(0)));
    let mut case = world.case;
    let expected = |case: &Case| {
        let latest = case.latest().unwrap();
        (latest.answer_expected_at(&delays), latest.next_check_at)
    };
    for minute in [100, 198] {
        let (time, news) = (minutes(minute), search(Some(minutes(minute))));
        case = decide_settlement(&case, &news, &delays, time).case;
        assert_eq!(expected(&case).0, Some(minutes(202)), "{minute}");
    }
    assert_eq!(expected(&case).1, Some(minutes(199)), "the usual pause");
    case.attempts[0].checks = 20;
    let news = search(Some(minutes(199)));
    case = decide_settlement(&case, &news, &delays, minutes(199)).case;
    assert_eq!(
        expected(&case).1,
        Some(minutes(201)),
        "not half an hour later"
    );
    for minute in [201, 202] {
        assert_eq!(case.order.status, OrderStatus::InProgress, "{minute}");
        let (time, news) = (minutes(minute), search(Some(minutes(minute))));
        case = decide_settlement(&case, &news, &delays, time).case;
    }
    assert_eq!(case.order.failure, Some(Key::PaymentNoTrace));
    assert_eq!(expected(&case).0, None);
    // Where a clock is in doubt, a day is waited for.
    let day = 24 * 60;
    for sent in [None, Some(minutes(-20))] {
        let (world, _) = lost_charge(sent);
        let latest = world.case.latest().unwrap();
        assert_eq!(latest.answer_expected_at(&delays), Some(minutes(day + 2)));
    }
    let (mut world, search) = lost_charge(Some(at(0)));
    world.take(&search(Some(minutes(30))), minutes(10));
    let latest = world.case.latest().unwrap();
    assert_eq!(latest.answer_expected_at(&delays), Some(minutes(day + 2)));
}

#[test]
fn one_wrong_clock_gives_no_charge_up() {
    let minutes = |count: i64| at(count * 60);
    // (their clock at the request, their clock at both readings, ours at both readings)
    let wrong = [
        // Ours is hours ahead at the readings, theirs is right.
        (Some(0), 1, 600),
        // Theirs is hours ahead at the readings.
        (Some(0), 600, 1),
        // The same by more than the day that is waited for where the clocks differ.
        (Some(0), 1, 1_600),
        (Some(0), 1_600, 1),
        // The same where theirs was not known at the request.
        (None, 1, 1_600),
        (None, 1_600, 1),
        // Theirs was wrong at the request, in either direction.
        (Some(20), 150, 150),
        (Some(-200), 150, 150),
        // Theirs is wrong by six minutes, all along.
        (Some(6), 156, 150),
    ];
    for (sent, theirs, ours) in wrong {
        let (mut world, search) = lost_charge(sent.map(minutes));
        for later in 0..3 {
            world.take(
                &search(Some(minutes(theirs + later))),
                minutes(ours + later),
            );
        }
        assert_eq!(
            world.case.order.status,
            OrderStatus::InProgress,
            "{sent:?} {theirs} {ours}"
        );
    }
    // After a day by both clocks it is given up all the same, also where one of them is not known.
    let day = 24 * 60;
    for (sent, theirs) in [(Some(6), Some(day + 6)), (None, Some(day)), (Some(0), None)] {
        let (mut world, search) = lost_charge(sent.map(minutes));
        for later in [-1, 0, 1] {
            assert_eq!(
                world.case.order.status,
                OrderStatus::InProgress,
                "{sent:?} {theirs:?} {later}"
            );
            world.take(
                &search(theirs.map(|theirs| minutes(theirs + later))),
                minutes(day + later),
            );
        }
        assert_eq!(world.case.order.failure, Some(Key::PaymentNoTrace));
    }
}

#[test]
fn the_statement_is_read_for_a_day_where_the_clocks_differ() {
    let day = SignedDuration::from_hours(24);
    let window = |sent: i64, now: Clocks| {
        let (world, _) = lost_charge(Some(at(sent)));
        statement_window(world.case.attempt(attempt_id(1)).unwrap(), now)
    };
    let now = clocks(at(1_800));
    let (from, until) = window(0, now);
    assert_eq!((from, until), (at(-300), at(1_800 + 300)));
    // One wrong `Date` right before the charge.
    let (from, until) = window(20 * 60, now);
    assert!(
        from <= at(0) - day && until >= at(1_800) + day,
        "{from} {until}"
    );
    let (from, _) = window(299, now);
    assert!(from <= at(-300));
}

/// Found by the simulation: a card was charged meanwhile, and each answer that told of it was lost.
#[test]
fn a_page_that_is_not_found_is_given_again_until_a_day_after_its_end() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&told(1, 1, InvoiceStatus::Failure, 5, 0), at(5));
    let unknown = |world: &mut World, second| {
        world.take(&News::NotWithdrawn(attempt_id(1)), at(second));
        world.take(&News::Missing(attempt_id(1), Some(at(second))), at(second));
        renewal(&world.case, true, &[attempt_id(1)], clocks(at(second + 1)))
    };
    for second in [10, 80, 400, 3_600] {
        assert_eq!(
            unknown(&mut world, second),
            Renewal::Give("https://pay.example/1".to_owned())
        );
    }
    // It has ended, and perhaps another card paid there before.
    let day = 24 * 3_600;
    assert_eq!(
        unknown(&mut world, day + 62),
        Renewal::Refuse(Key::PaymentOutcomeUnknown)
    );
    let mut answered = world.clone();
    answered.take(&told(1, 1, InvoiceStatus::Failure, 5, 0), at(day + 70));
    assert_eq!(
        renewal(&answered.case, true, &[attempt_id(1)], clocks(at(day + 71))),
        Renewal::Fresh
    );
    unknown(&mut world, 2 * day + 62);
    assert_eq!(unknown(&mut world, 2 * day + 122), Renewal::Fresh);
    // A payment that is under way is no closed page.
    let mut world = two_pages();
    world.take(&told(1, 1, InvoiceStatus::Processing, 6, 0), at(6));
    assert_eq!(
        unknown(&mut world, 900_000),
        Renewal::Refuse(Key::PaymentOutcomeUnknown)
    );
}

#[test]
fn a_page_that_took_another_sum_after_its_end_is_not_replaced() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    let day = 24 * 3_600;
    for second in [2 * day + 62, 2 * day + 122] {
        world.take(&News::Missing(attempt_id(1), Some(at(second))), at(second));
    }
    let later = 2 * day + 200;
    let again = |world: &World| renewal(&world.case, true, &[attempt_id(1)], clocks(at(later)));
    assert_eq!(again(&world), Renewal::Fresh);
    let News::Told(mut wrong, fresh) = told(1, 1, InvoiceStatus::Success, later - 2, 0) else {
        unreachable!()
    };
    wrong.amount = money(SUM - 1);
    world.take(&News::Told(wrong, fresh), at(later - 1));
    assert_eq!(again(&world), Renewal::Refuse(Key::OrderUnderReview));
    // A person has closed the alarm: the money still stands at the acquirer.
    world.case.has_money_alarm = false;
    assert_eq!(again(&world), Renewal::Refuse(Key::PaymentOutcomeUnknown));
}

#[test]
fn a_page_beside_a_paid_one_is_over_also_where_a_payment_was_told_of_it() {
    let day = 24 * 3_600;
    for is_paid in [true, false] {
        let mut world = two_pages();
        world.take(&told(1, 1, InvoiceStatus::Processing, 6, 0), at(6));
        if is_paid {
            world.take(&told(2, 2, InvoiceStatus::Success, 7, 0), at(7));
        }
        for second in [2 * day + 62, 2 * day + 122] {
            world.take(&News::Missing(attempt_id(1), Some(at(second))), at(second));
        }
        let page = world.case.attempt(attempt_id(1)).unwrap();
        assert_eq!(page.is_over_unpaid(), is_paid);
        // Whatever is told of it later counts.
        let later = 2 * day + 200;
        world.take(&told(1, 1, InvoiceStatus::Success, later, 0), at(later));
        assert_eq!(world.case.order.status, OrderStatus::Paid);
        let page = world.case.attempt(attempt_id(1)).unwrap();
        assert!(page.has_standing_charge() && !page.is_over_unpaid());
    }
}

#[test]
fn another_card_on_an_open_page_is_an_ordinary_payment() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&told(1, 1, InvoiceStatus::Failure, 10, 0), at(11));
    assert_eq!(
        world.case.order.payment_state,
        PaymentState::DeclinedPageOpen
    );
    assert_eq!(
        world.case.order.payment_page_url.as_deref(),
        Some("https://pay.example/1")
    );
    world.take(&told(1, 1, InvoiceStatus::Success, 20, 0), at(21));
    assert_eq!(world.case.order.payment_state, PaymentState::Paid);
    assert!(world.alarms.is_empty(), "{:?}", world.alarms);
}

/// Found by the simulation: the report was late by a day, and the card that had paid after it was not yet heard of.
#[test]
fn a_late_report_of_a_declined_card_does_not_end_the_page_it_was_tried_on() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    let after_the_end = 25 * 3_600;
    let reported = told(1, 1, InvoiceStatus::Failure, 10, 0);
    world.take(&reported, at(after_the_end));
    let attempt = world.case.attempt(attempt_id(1)).unwrap();
    assert_eq!(attempt.state, AttemptState::Accepted);
    assert!(attempt.next_check_at.is_some(), "the acquirer is asked");
    // Its answer of now says what became of the page.
    let News::Told(mut answered, fresh) = reported else {
        unreachable!()
    };
    answered.as_of = Some(at(after_the_end));
    world.take(&News::Told(answered, fresh), at(after_the_end + 1));
    assert_eq!(world.case.order.payment_state, PaymentState::Declined);
    assert_eq!(world.case.order.status, OrderStatus::Failed);
}

#[test]
fn a_paid_invoice_of_which_nothing_remains_is_an_alarm() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&told(1, 1, InvoiceStatus::Success, 10, SUM), at(11));
    assert_eq!(world.case.order.payment_state, PaymentState::Paid);
    let alarm = (AlarmKind::RefundedInPart, attempt_id(1));
    assert_eq!(world.alarms, BTreeSet::from([alarm]));
}

#[test]
fn a_part_that_is_given_back_in_the_second_of_the_payment_is_heard() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&told(1, 1, InvoiceStatus::Success, 10, 0), at(11));
    assert!(world.alarms.is_empty());
    world.take(&told(1, 1, InvoiceStatus::Success, 10, 100), at(12));
    let part = (AlarmKind::RefundedInPart, attempt_id(1));
    assert!(world.alarms.contains(&part));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
}

#[test]
fn a_page_that_the_acquirer_will_not_close_is_given_again() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&told(1, 1, InvoiceStatus::Failure, 10, 0), at(11));
    let first = attempt_id(1);
    assert_eq!(
        renewal(&world.case, true, &[], clocks(at(12))),
        Renewal::Withdraw(first)
    );
    world.take(&News::NotWithdrawn(first), at(13));
    assert_eq!(
        renewal(&world.case, true, &[first], clocks(at(14))),
        Renewal::Give("https://pay.example/1".to_owned())
    );
    world.take(&News::Withdrawn(first), at(15));
    assert_eq!(
        renewal(&world.case, true, &[first], clocks(at(16))),
        Renewal::Fresh
    );
    assert_eq!(
        renewal(&world.case, false, &[first], clocks(at(16))),
        Renewal::ReturnToCart
    );
    let a_month_later = at(31 * 24 * 3_600);
    assert_eq!(
        renewal(&world.case, true, &[first], clocks(a_month_later)),
        Renewal::ReturnToCart
    );
}

#[test]
fn an_order_that_went_back_to_the_cart_is_paid_by_nothing_but_money_that_came() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Answered(attempt_id(1), Answer::NotSent), at(1));
    world.take(&News::ReturnedToCart, at(2));
    assert_eq!(world.case.order.status, OrderStatus::Expired);
    assert_eq!(world.case.order.failure, Some(Key::OrderReturnedToCart));
    assert_eq!(
        renewal(&world.case, true, &[], clocks(at(3))),
        Renewal::Refuse(Key::OrderReturnedToCart)
    );
    world.take(&told(1, 1, InvoiceStatus::Success, 4, 0), at(5));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
}

/// Returns a page that the acquirer has closed.
fn closed_page() -> World {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    world.take(&News::Withdrawn(attempt_id(1)), at(2));
    world
}

#[test]
fn a_cancelled_order_is_over_and_its_items_go_back_only_if_they_are_wanted() {
    for (items, returned) in [(CancelledItems::ToCart, 1), (CancelledItems::Drop, 0)] {
        let world = closed_page();
        let cancelled = decide_settlement(
            &world.case,
            &News::Cancelled(items),
            &Delays::default(),
            at(3),
        );
        let order = &cancelled.case.order;
        assert_eq!(order.status, OrderStatus::Expired);
        assert_eq!(order.failure, Some(Key::OrderCancelled));
        let effects = cancelled.effects.iter();
        let back = effects.filter(|effect| **effect == Effect::ReturnItems);
        assert_eq!(back.count(), returned);
        let is_recorded = cancelled.effects.iter().any(|effect| {
            matches!(effect, Effect::Record { kind, .. } if *kind == OrderEventKind::Cancelled)
        });
        assert!(is_recorded);
        assert_eq!(
            renewal(&cancelled.case, true, &[], clocks(at(4))),
            Renewal::Refuse(Key::OrderCancelled)
        );
        let again = decide_settlement(
            &cancelled.case,
            &News::Cancelled(items),
            &Delays::default(),
            at(5),
        );
        assert_eq!(again.effects, [], "a second press changes nothing");
    }
}

#[test]
fn what_may_still_be_paid_or_was_paid_is_not_cancelled() {
    let mut open = World::new(AttemptKind::Invoice);
    open.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    let asked = open.clone();
    open.take(&page_of(1), at(1));
    let mut paid = open.clone();
    paid.take(&told(1, 1, InvoiceStatus::Success, 4, 0), at(5));
    let mut charging = World::new(AttemptKind::CardToken);
    charging.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    for world in [asked, open, paid, charging] {
        let news = News::Cancelled(CancelledItems::ToCart);
        let refused = decide_settlement(&world.case, &news, &Delays::default(), at(6));
        assert_eq!(refused.effects, []);
        assert_eq!(refused.case, world.case);
    }
}

#[test]
fn money_for_a_cancelled_order_is_taken_and_calls_a_person() {
    let mut world = closed_page();
    world.take(&News::Cancelled(CancelledItems::ToCart), at(3));
    world.take(&told(1, 1, InvoiceStatus::Success, 4, 0), at(5));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    assert!(
        world
            .alarms
            .contains(&(AlarmKind::LatePayment, attempt_id(1)))
    );
}

#[test]
fn what_goes_back_to_the_cart_comes_there_once_whatever_status_the_order_had() {
    let mut expired = World::new(AttemptKind::Invoice);
    expired.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    expired.take(&page_of(1), at(1));
    expired.take(&told(1, 1, InvoiceStatus::Expired, 10, 0), at(11));
    let mut failed = World::new(AttemptKind::Invoice);
    failed.take(&News::Answered(attempt_id(1), Answer::NotSent), at(1));
    for world in [expired, failed] {
        let returned = decide_settlement(
            &world.case,
            &News::ReturnedToCart,
            &Delays::default(),
            at(20),
        );
        let items = |settled: &Settlement| {
            let effects = settled.effects.iter();
            effects
                .filter(|effect| **effect == Effect::ReturnItems)
                .count()
        };
        assert_eq!(items(&returned), 1, "{:?}", world.case.order.status);
        let again = decide_settlement(
            &returned.case,
            &News::ReturnedToCart,
            &Delays::default(),
            at(21),
        );
        assert_eq!(items(&again), 0);
    }
}

#[test]
fn the_latest_attempt_is_the_one_that_was_begun_last_also_where_the_clock_was_set_back() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Answered(attempt_id(1), Answer::NotSent), at(1));
    let fresh = new_attempt(2, AttemptKind::Invoice, -3_600);
    world.take(&News::Renewed(fresh, None), at(-3_600));
    let mut attempts = world.case.attempts.clone();
    attempts.sort_by_key(|attempt| (attempt.is_stray, attempt.created_at, attempt.id));
    assert_eq!(attempts, world.case.attempts, "as storage reads them");
    assert_eq!(
        world.case.latest().map(|latest| latest.id),
        Some(attempt_id(2))
    );
}

#[test]
fn an_ended_payment_says_how_it_ended_and_who_is_to_blame() {
    let refused = |code: &str| Answer::Refused {
        code: code.to_owned(),
    };
    let page = |fault| Answer::Invoice {
        invoice_id: invoice(1),
        page: Err(RefusedPage::new(fault, "pay.example")),
        made_at: Some(at(1)),
        fresh: attempt_id(2_001),
    };
    for (answer, ending, blamed) in [
        (Answer::NotSent, PaymentEnding::NotSent, Blamed::Acquirer),
        (
            refused("FORBIDDEN"),
            PaymentEnding::AccessRefused,
            Blamed::Cabinet,
        ),
        (
            refused("invalid_signature"),
            PaymentEnding::AccessRefused,
            Blamed::Cabinet,
        ),
        (
            refused("BAD_REQUEST"),
            PaymentEnding::Refused,
            Blamed::Acquirer,
        ),
        (
            refused("TOKEN_NOT_FOUND"),
            PaymentEnding::CardUnknown,
            Blamed::Acquirer,
        ),
        (
            page(PageFault::HostUnlisted),
            PaymentEnding::PageRefused,
            Blamed::Cabinet,
        ),
        (
            page(PageFault::NotHttps),
            PaymentEnding::PageRefused,
            Blamed::Cabinet,
        ),
    ] {
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
        assert_eq!(world.case.ending(), None);
        world.take(&News::Answered(attempt_id(1), answer.clone()), at(1));
        assert_eq!(world.case.ending(), Some(ending), "{answer:?}");
        assert_eq!(ending.blamed(), blamed, "{answer:?}");
    }
    for (status, code, ending, blamed) in [
        (
            InvoiceStatus::Success,
            None,
            PaymentEnding::Paid,
            Blamed::Nobody,
        ),
        (
            InvoiceStatus::Reversed,
            None,
            PaymentEnding::Refunded,
            Blamed::Nobody,
        ),
        (
            InvoiceStatus::Expired,
            None,
            PaymentEnding::NotPaidInTime,
            Blamed::Payer,
        ),
        (
            InvoiceStatus::Failure,
            Some("59"),
            PaymentEnding::Declined,
            Blamed::CardBank,
        ),
        (
            InvoiceStatus::Failure,
            Some("8004"),
            PaymentEnding::NotConfirmed,
            Blamed::Payer,
        ),
        (
            InvoiceStatus::Failure,
            Some("54"),
            PaymentEnding::Faulty,
            Blamed::Acquirer,
        ),
    ] {
        let mut world = World::new(AttemptKind::CardToken);
        world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
        let News::Told(mut news, fresh) = told(1, 1, status.clone(), 5, 0) else {
            panic!("news of an invoice");
        };
        news.failure_code = code.map(str::to_owned);
        world.take(&News::Told(news, fresh), at(5));
        assert_eq!(world.case.ending(), Some(ending), "{status:?} {code:?}");
        assert_eq!(ending.blamed(), blamed, "{status:?} {code:?}");
    }
    // A page that the cabinet closed, and one of which there is no trace any more.
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    assert_eq!(world.case.ending(), None);
    let open = world.case.clone();
    world.take(&News::Withdrawn(attempt_id(1)), at(2));
    assert_eq!(world.case.ending(), Some(PaymentEnding::Cancelled));
    world.case = open;
    let day = 24 * 3_600;
    for second in [2 * day + 62, 2 * day + 122] {
        world.take(&News::Missing(attempt_id(1), Some(at(second))), at(second));
    }
    assert_eq!(world.case.ending(), Some(PaymentEnding::Lost));
}

#[test]
fn a_charge_whose_invoice_is_forgotten_is_looked_for_in_the_statement() {
    let day = 24 * 3_600;
    let mut world = World::new(AttemptKind::CardToken);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    let charge = Answer::Charge {
        invoice_id: invoice(1),
        page: None,
    };
    world.take(&News::Answered(attempt_id(1), charge), at(1));
    world.take(&News::Missing(attempt_id(1), None), at(60));
    assert_eq!(world.case.order.status, OrderStatus::Pending);
    world.take(&News::Missing(attempt_id(1), None), at(day));
    world.take(&News::Missing(attempt_id(1), None), at(day + 60));
    let attempt = world.case.attempt(attempt_id(1)).unwrap();
    assert_eq!(next_call(&world.case, attempt), NextCall::SearchStatement);
    // That the invoice is not known says nothing of the charge: the statement alone is read twice.
    for (second, failure) in [(day + 120, None), (day + 180, Some(Key::PaymentNoTrace))] {
        let search = Search {
            as_of: Some(at(second)),
        };
        world.take(&News::NotOnStatement(attempt_id(1), search), at(second));
        assert_eq!(world.case.order.failure, failure);
    }
}

#[test]
fn a_payment_under_our_reference_is_the_orders_whatever_the_database_forgot() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    // An invoice that was made before a copy of the database was restored.
    world.take(&told(9, 1, InvoiceStatus::Success, 3, 0), at(60));
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    let stray = stray_id(&invoice(9));
    assert!(world.alarms.contains(&(AlarmKind::StrayInvoicePaid, stray)));
    let page = world.case.attempt(attempt_id(1)).unwrap();
    assert_eq!(page.next_check_at, Some(at(60)), "it is closed at once");
    assert_eq!(next_call(&world.case, page), NextCall::Withdraw);
    // Somebody was quicker.
    world.take(&told(1, 1, InvoiceStatus::Success, 61, 0), at(62));
    assert!(
        world
            .alarms
            .contains(&(AlarmKind::ChargedTwice, attempt_id(1)))
    );
}

#[test]
fn an_invoice_whose_page_nobody_was_shown_makes_room_for_the_answered_one() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&told(8, 1, InvoiceStatus::Created, 1, 0), at(2));
    world.take(&page_of(1), at(3));
    let order = &world.case.order;
    assert_eq!(
        order.payment_page_url.as_deref(),
        Some("https://pay.example/1")
    );
    let stray = world.case.attempts.iter().find(|attempt| attempt.is_stray);
    let stray = stray.unwrap();
    assert_eq!(stray.invoice_id, Some(invoice(8)));
    assert_eq!(next_call(&world.case, stray), NextCall::Withdraw);
}

#[test]
fn a_wrong_sum_is_never_a_payment_and_holds_the_order() {
    let mut world = World::new(AttemptKind::Invoice);
    world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
    world.take(&page_of(1), at(1));
    let News::Told(mut wrong, fresh) = told(1, 1, InvoiceStatus::Success, 5, 0) else {
        unreachable!()
    };
    wrong.amount = money(SUM - 1);
    world.take(&News::Told(wrong, fresh), at(6));
    assert_eq!(world.case.order.status, OrderStatus::Pending);
    assert_eq!(
        world.case.order.payment_state,
        PaymentState::UnderReview,
        "no page says that nothing was taken"
    );
    assert!(
        world
            .alarms
            .contains(&(AlarmKind::AmountDiffers, attempt_id(1)))
    );
    assert_eq!(
        renewal(&world.case, true, &[], clocks(at(7))),
        Renewal::Refuse(Key::OrderUnderReview)
    );
    // Told again it is nothing new, and once a person has given it back nobody asks any more.
    let News::Told(mut same, fresh) = told(1, 1, InvoiceStatus::Success, 5, 0) else {
        unreachable!()
    };
    same.amount = money(SUM - 1);
    let settled = decide_settlement(
        &world.case,
        &News::Told(same.clone(), fresh),
        &Delays::default(),
        at(8),
    );
    assert!(
        !settled
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Raise { .. }))
    );
    same.status = InvoiceStatus::Reversed;
    same.modified_at = Some(at(9));
    world.take(&News::Told(same, fresh), at(10));
    assert_eq!(
        world.case.attempt(attempt_id(1)).unwrap().next_check_at,
        None
    );
}

#[test]
fn a_paid_order_that_is_given_back_with_another_sum_or_currency_calls_a_person_once() {
    for (sum, is_hryvnia) in [(SUM - 1, true), (SUM, false)] {
        let mut world = World::new(AttemptKind::Invoice);
        world.take(&News::Submitting(attempt_id(1), Some(at(0))), at(0));
        world.take(&page_of(1), at(1));
        world.take(&told(1, 1, InvoiceStatus::Success, 5, 0), at(6));
        let News::Told(mut other, fresh) = told(1, 1, InvoiceStatus::Reversed, 9, sum) else {
            unreachable!()
        };
        (other.amount, other.is_hryvnia) = (money(sum), is_hryvnia);
        let news = News::Told(other, fresh);
        let alarms = |case: &Case| {
            apply(
                case,
                &decide_settlement(case, &news, &Delays::default(), at(10)),
            )
            .1
        };
        let contradicted = (AlarmKind::PaymentContradicted, attempt_id(1));
        assert!(contradicted.0.holds_transfers());
        assert_eq!(alarms(&world.case), [contradicted]);
        world.take(&news, at(10));
        assert_eq!(world.case.order.status, OrderStatus::Paid);
        assert!(world.case.has_money_alarm);
        assert!(alarms(&world.case).is_empty(), "told again it is no news");
    }
}

#[test]
fn the_drawing_is_that_of_the_code() {
    let drawn = cabinet_domain::payment::diagrams();
    let kept = include_str!("../../../../docs/settlement.md");
    assert!(
        kept == drawn,
        "docs/settlement.md is stale: run make generate"
    );
}

#[test]
fn a_client_is_told_of_money_before_anything_else() {
    for (is_cancelled, is_returned_to_cart) in [(true, false), (false, true), (true, true)] {
        let mut case = new_case(AttemptKind::Invoice);
        (case.order.is_cancelled, case.order.is_returned_to_cart) =
            (is_cancelled, is_returned_to_cart);
        for (state, told) in [
            (PaymentState::Paid, ClientStanding::Paid),
            (PaymentState::Refunded, ClientStanding::Refunded),
            (PaymentState::UnderReview, ClientStanding::UnderReview),
            (PaymentState::Unknown, ClientStanding::Processing),
        ] {
            case.order.payment_state = state;
            assert_eq!(ClientStanding::of(&case), told);
            assert!(!told.may_pay(), "{told:?}");
        }
        for state in [
            PaymentState::Expired,
            PaymentState::Declined,
            PaymentState::DeclinedPageOpen,
            PaymentState::NotSent,
        ] {
            case.order.payment_state = state;
            let told = ClientStanding::of(&case);
            let given_up = if is_cancelled {
                ClientStanding::Cancelled
            } else {
                ClientStanding::Returned
            };
            assert_eq!(told, given_up, "{state:?}");
            assert!(!told.may_pay());
            assert!(told.receipt_refusal().is_some(), "no receipt is promised");
        }
    }
}

#[test]
fn while_a_card_is_being_charged_no_client_may_pay() {
    let mut case = new_case(AttemptKind::CardToken);
    case.order.payment_state = PaymentState::Waiting;
    let attempt = &mut case.attempts[0];
    attempt.state = AttemptState::Accepted;
    attempt.page_url = Some("https://bank.example/3ds".to_owned());
    assert!(case.is_being_charged(), "it waits for its holder");
    assert_eq!(ClientStanding::of(&case), ClientStanding::Processing);
    let mut case = new_case(AttemptKind::Invoice);
    case.order.payment_state = PaymentState::Waiting;
    case.attempts[0].state = AttemptState::Accepted;
    assert_eq!(ClientStanding::of(&case), ClientStanding::Waiting);
    for (status, standing) in [
        (InvoiceStatus::Created, ClientStanding::Waiting),
        (InvoiceStatus::Processing, ClientStanding::Processing),
        (InvoiceStatus::Hold, ClientStanding::Processing),
        (InvoiceStatus::Failure, ClientStanding::Waiting),
        (InvoiceStatus::Expired, ClientStanding::Waiting),
    ] {
        case.attempts[0].told = Some(Told {
            status: status.clone(),
            modified_at: at(1),
        });
        assert_eq!(ClientStanding::of(&case), standing, "{status:?}");
    }
}

#[test]
fn of_a_charge_without_a_trace_no_client_is_told_that_it_was_declined() {
    let mut case = new_case(AttemptKind::CardToken);
    case.order.payment_state = PaymentState::Declined;
    assert_eq!(ClientStanding::of(&case), ClientStanding::Declined);
    case.order.failure = Some(Key::PaymentNoTrace);
    assert_eq!(ClientStanding::of(&case), ClientStanding::NoTrace);
    assert!(ClientStanding::NoTrace.may_pay());
}
