//! Properties of refunds: whatever is asked for, lost, answered and told in whatever order, no more is given back than was charged, nothing
//! is sent twice, and what the acquirer did is known in the end.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail the test")]

use std::collections::BTreeSet;

use cabinet_domain::payment::{
    AcquirerName, AlarmKind, AttemptKind, AttemptState, CardDetails, Case, Delays, Effect,
    InvoiceId, InvoiceNews, InvoiceStatus, KnownPart, NewAttempt, News, OpenDoubts, OrderFacts,
    PaymentState, Refund, RefundAnswer, RefundEnd, RefundNews, RefundRefusal, RefundScope,
    RefundStage, RefundState, RefundWish, SettlementVerdict, admit_known_refund, admit_refund,
    decide_settlement,
};
use cabinet_domain::{
    ActualPayer, AttemptId, BankAnswer, CodesState, Iban, Inn, ItemId, Line, Money, NotaryId, Okpo,
    OperatorReason, OrderId, OrderStatus, PartRefund, PartRole, Payee, PersonName, PlannedTransfer,
    RefundId, Transfer, TransferId, TransferStatus, ends_of_chains, given_back, returned_parts,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use uuid::Uuid;

/// 198 and 132 UAH for recipients, and 20 UAH of commission.
const SUM: i64 = 35_000;
const PARTS: [i64; 2] = [19_800, 13_200];

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000).unwrap() + SignedDuration::from_secs(seconds)
}

fn money(kopiykas: i64) -> Money {
    Money::from_kopiykas(kopiykas).unwrap()
}

fn refund_id(number: u128) -> RefundId {
    RefundId::new(Uuid::from_u128(number))
}

fn charge() -> AttemptId {
    AttemptId::new(Uuid::from_u128(1))
}

fn reason() -> OperatorReason {
    OperatorReason::parse("SD-1").unwrap()
}

fn transfer(index: usize, status: TransferStatus) -> Transfer {
    Transfer {
        id: TransferId::new(Uuid::from_u128(10 + index as u128)),
        document_number: i64::try_from(index).unwrap() + 1,
        order_id: OrderId::new(Uuid::from_u128(7)),
        item_id: ItemId::new(Uuid::from_u128(8)),
        planned: PlannedTransfer {
            role: PartRole::Recipient,
            payee: Payee {
                name: Line::parse("ТОВ «Зоря»", 100).unwrap(),
                iban: Iban::parse("UA573220010000026007233566001").unwrap(),
                okpo: Okpo::parse("32855961").unwrap(),
                purpose: Line::parse("Оплата", 100).unwrap(),
            },
            amount: money(PARTS[index]),
            actual_payer: ActualPayer {
                inn: Inn::parse("3652504575").unwrap(),
                name: PersonName::parse("Гнатюк Петро Олександрович").unwrap(),
            },
        },
        status,
        reason: None,
        value_date: None,
        bank: BankAnswer::default(),
        replaces: None,
        refund: None,
        held_at: None,
        created_at: at(0),
        updated_at: at(0),
    }
}

/// The acquirer: what was sent to it, and what it did of that.
#[derive(Clone, Default)]
struct Acquirer {
    sent: Vec<(RefundId, i64)>,
    done: Vec<(RefundId, i64)>,
}

impl Acquirer {
    fn given_back(&self) -> i64 {
        self.done.iter().map(|(_, amount)| amount).sum()
    }

    /// Takes a request, and carries it out or not.
    fn take(&mut self, id: RefundId, amount: i64, is_done: bool) {
        assert!(
            self.sent.iter().all(|(sent, _)| *sent != id),
            "it is sent twice"
        );
        self.sent.push((id, amount));
        if is_done {
            self.done.push((id, amount));
            assert!(
                self.given_back() <= SUM,
                "more is given back than was charged"
            );
        }
    }

    /// Gives a part back that nobody has asked for.
    fn give_back_unasked(&mut self, amount: i64) {
        let id = refund_id(1_000 + self.done.len() as u128);
        self.done.push((id, amount));
    }

    fn has_done(&self, id: RefundId) -> bool {
        self.done.iter().any(|(done, _)| *done == id)
    }

    /// Returns the state as an acquirer tells it that names no refunds.
    fn sum(&self, second: i64) -> News {
        told_by(AcquirerName::LiqPay, Vec::new(), self.given_back(), second)
    }

    fn state(&self, second: i64) -> News {
        let refunds = self.done.iter().map(|(id, amount)| RefundNews {
            refund: Some(*id),
            end: RefundEnd::Done,
            amount: Some(money(*amount)),
        });
        told(refunds.collect(), self.given_back(), second)
    }
}

fn told(refunds: Vec<RefundNews>, given_back: i64, second: i64) -> News {
    told_by(AcquirerName::Monobank, refunds, given_back, second)
}

fn told_by(acquirer: AcquirerName, refunds: Vec<RefundNews>, given_back: i64, second: i64) -> News {
    let status = if given_back == SUM {
        InvoiceStatus::Reversed
    } else {
        InvoiceStatus::Success
    };
    let news = InvoiceNews {
        acquirer,
        invoice_id: InvoiceId::parse("invoice-1").unwrap(),
        payment_reference: Some(charge()),
        status,
        amount: money(SUM),
        is_hryvnia: true,
        refunded: money(given_back),
        refunds,
        modified_at: Some(at(second)),
        created_at: Some(at(0)),
        as_of: Some(at(second)),
        card: CardDetails::default(),
        acquirer_fee: None,
        failure_code: None,
    };
    News::Told(Box::new(news), AttemptId::new(Uuid::from_u128(99)))
}

fn paid(acquirer: AcquirerName) -> Case {
    let order_id = OrderId::new(Uuid::from_u128(7));
    let attempt = NewAttempt {
        acquirer,
        id: charge(),
        order_id,
        kind: AttemptKind::Invoice,
        amount: money(SUM),
        created_at: at(0),
    };
    let case = Case {
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
        attempts: vec![attempt.prepared()],
        refunds: Vec::new(),
        has_money_alarm: false,
    };
    let settled = decide_settlement(
        &case,
        &told_by(acquirer, Vec::new(), 0, 1),
        &Delays::default(),
        at(1),
    );
    assert_eq!(settled.case.order.status, OrderStatus::Paid);
    settled.case
}

/// One order, its transfers and the acquirer.
#[derive(Clone)]
struct World {
    case: Case,
    transfers: Vec<Transfer>,
    acquirer: Acquirer,
    alarms: BTreeSet<AlarmKind>,
    second: i64,
}

impl World {
    fn new() -> World {
        World::at(AcquirerName::Monobank)
    }

    fn at(acquirer: AcquirerName) -> World {
        World {
            case: paid(acquirer),
            transfers: vec![
                transfer(0, TransferStatus::Planned),
                transfer(1, TransferStatus::Planned),
            ],
            acquirer: Acquirer::default(),
            alarms: BTreeSet::new(),
            second: 100,
        }
    }

    fn take(&mut self, news: &News) -> SettlementVerdict {
        let before = self.case.clone();
        let settled = decide_settlement(&before, news, &Delays::default(), at(self.second));
        for effect in &settled.effects {
            match effect {
                Effect::Raise { kind, .. } => {
                    self.alarms.insert(*kind);
                }
                Effect::GiveBackTransfer(refund) => self.give_back(refund),
                Effect::CallOffTransfers => {
                    for one in &mut self.transfers {
                        one.status = TransferStatus::CalledOff;
                    }
                }
                _ => {}
            }
        }
        self.case = settled.case;
        self.check(&before);
        settled.verdict
    }

    fn give_back(&mut self, refund: &Refund) {
        for one in &mut self.transfers {
            if Some(one.id) == refund.scope.transfer() {
                one.status = TransferStatus::CalledOff;
            }
        }
    }

    /// What must hold after every step.
    fn check(&self, before: &Case) {
        let under_way = self
            .case
            .refunds
            .iter()
            .filter(|refund| refund.is_under_way());
        assert!(under_way.count() <= 1, "one at a time");
        let counted = self.case.refunds.iter();
        let counted = counted.filter(|refund| refund.is_under_way() || refund.is_done());
        let counted: i64 = counted.map(|refund| refund.amount.kopiykas()).sum();
        assert!(counted <= SUM, "{counted}");
        for known in &before.refunds {
            let now = self.case.refund(known.id).unwrap();
            assert!(!known.is_done() || now.is_done(), "what went back stays so");
            assert!(
                known.is_under_way() || now.stage.state() == known.stage.state() || now.is_done(),
                "an end is only changed by money that went back"
            );
            let (from, to) = (known.stage.state(), now.stage.state());
            let went_back = from == RefundState::Accepted && to == RefundState::Submitted;
            assert!(!went_back && (to != RefundState::Prepared || from == to));
        }
    }

    fn ask(&mut self, number: u128, wish: RefundWish) -> Result<Refund, RefundRefusal> {
        let facts = (refund_id(number), reason(), at(self.second));
        let refund = admit_refund(&self.case, &self.transfers, wish, OpenDoubts(&[]), facts)?;
        let verdict = self.take(&News::RefundAsked(Box::new(refund.clone())));
        assert_eq!(verdict, SettlementVerdict::Applied);
        Ok(refund)
    }

    /// Asks the acquirer that names no refunds.
    fn ask_for_sum(&mut self) {
        let state = self.acquirer.sum(self.second);
        self.take(&state);
    }

    fn is_open(&self) -> bool {
        self.case.refunds.iter().any(Refund::is_under_way)
    }

    /// Says what the acquirer gave back without our asking.
    fn record(&mut self, number: u128, part: KnownPart) -> Result<Refund, RefundRefusal> {
        let facts = (refund_id(number), reason(), at(self.second));
        let doubts = OpenDoubts(&[AlarmKind::RefundedInPart]);
        let refund = admit_known_refund(&self.case, &self.transfers, part, doubts, facts)?;
        let verdict = self.take(&News::RefundKnown(Box::new(refund.clone())));
        assert_eq!(verdict, SettlementVerdict::Applied);
        assert!(self.case.refund(refund.id).unwrap().is_done());
        Ok(refund)
    }

    /// Sends a refund that is prepared. `is_done`: the acquirer carries it out.
    fn send(&mut self, refund: &Refund, is_done: bool) {
        let news = News::RefundSubmitting(refund.id, Some(at(self.second)));
        if self.take(&news) == SettlementVerdict::Applied {
            self.acquirer
                .take(refund.id, refund.amount.kopiykas(), is_done);
        }
    }
}

fn wishes() -> impl Strategy<Value = RefundWish> {
    prop_oneof![
        Just(RefundWish::Whole),
        (1_i64..4).prop_map(RefundWish::Transfer),
        (1_i64..3_000, any::<bool>()).prop_map(|(sum, is_again)| RefundWish::Sum {
            amount: money(sum),
            is_again
        }),
    ]
}

#[derive(Clone, Debug)]
enum Step {
    Ask(RefundWish),
    Send { is_done: bool },
    SendAgain,
    GiveUp,
    Answer(RefundAnswer),
    Tell,
    TellOld,
    Silence,
    Wait(i64),
}

fn answers() -> impl Strategy<Value = RefundAnswer> {
    prop_oneof![
        Just(RefundAnswer::Accepted),
        Just(RefundAnswer::Unknown {
            error: "lost".to_owned(),
            pause: SignedDuration::ZERO
        }),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => wishes().prop_map(Step::Ask),
        3 => any::<bool>().prop_map(|is_done| Step::Send { is_done }),
        1 => Just(Step::SendAgain),
        1 => Just(Step::GiveUp),
        2 => answers().prop_map(Step::Answer),
        2 => Just(Step::Tell),
        1 => Just(Step::TellOld),
        1 => Just(Step::Silence),
        2 => (1_i64..2_000).prop_map(Step::Wait),
    ]
}

/// The transfers of parts, each a chain: how often the part came back, how far its last transfer is, and its sum.
fn chains() -> impl Strategy<Value = Vec<(usize, TransferStatus, i64)>> {
    let ends = prop::sample::select(TransferStatus::ALL.to_vec());
    prop::collection::vec((0_usize..3, ends, 1_i64..100_000), 0..6)
}

fn transfers_of(chains: &[(usize, TransferStatus, i64)]) -> Vec<Transfer> {
    let mut all: Vec<Transfer> = Vec::new();
    for (returns, end, amount) in chains {
        let mut replaces = None;
        for place in 0..=*returns {
            let status = if place == *returns {
                *end
            } else {
                TransferStatus::Returned
            };
            let mut one = transfer(0, status);
            one.id = TransferId::new(Uuid::from_u128(100 + all.len() as u128));
            one.document_number = i64::try_from(all.len()).unwrap() + 1;
            one.planned.amount = money(*amount);
            one.replaces = replaces.replace(one.id);
            all.push(one);
        }
    }
    all
}

proptest! {
    /// Every part is counted once: as given back unsent, as returned, or as on its way. The order of the transfers changes nothing.
    #[test]
    fn what_was_given_back_unsent_is_no_returned_part(
        (chains, shuffled) in chains().prop_flat_map(|chains| {
            let all = transfers_of(&chains);
            (Just(chains), Just(all).prop_shuffle())
        })
    ) {
        let unsent = |end: TransferStatus| end == TransferStatus::CalledOff;
        let expected = chains.iter().filter(|(returns, end, _)| *returns == 0 && unsent(*end));
        let expected: i64 = expected.map(|(_, _, amount)| amount).sum();
        prop_assert_eq!(given_back(&shuffled).unwrap().kopiykas(), expected);
        let returned: i64 = returned_parts(&shuffled).iter().map(|part| part.end().planned.amount.kopiykas()).sum();
        let on_its_way = chains.iter().filter(|(returns, end, _)| *returns == 0 && !unsent(*end) && *end != TransferStatus::Returned);
        let on_its_way: i64 = on_its_way.map(|(_, _, amount)| amount).sum();
        let all: i64 = ends_of_chains(&shuffled).iter().map(|end| end.planned.amount.kopiykas()).sum();
        prop_assert_eq!(expected + returned + on_its_way, all);
    }

    /// The acquirer never tells of a refund as done that it has not carried out, and carries none out after it was asked about it.
    #[test]
    fn whatever_happens_nothing_is_given_back_twice_and_all_is_known_in_the_end(steps in prop::collection::vec(steps(), 1..60)) {
        let mut world = World::new();
        let mut latest: Option<Refund> = None;
        let old = world.acquirer.state(1);
        for (number, step) in steps.into_iter().enumerate() {
            world.second += 1;
            match step {
                Step::Ask(wish) => {
                    if let Ok(refund) = world.ask(number as u128 + 1, wish) {
                        latest = Some(refund);
                    }
                }
                Step::Send { is_done } => {
                    if let Some(refund) = latest.clone() {
                        world.send(&refund, is_done);
                    }
                }
                // The worker of another process: it has nothing to send.
                Step::SendAgain => {
                    if let Some(refund) = &latest && world.acquirer.sent.iter().any(|(id, _)| *id == refund.id) {
                        let again = world.take(&News::RefundSubmitting(refund.id, None));
                        prop_assert_ne!(again, SettlementVerdict::Applied);
                    }
                }
                Step::GiveUp => {
                    if let Some(refund) = &latest {
                        world.take(&News::RefundGivenUpUnsent(refund.id));
                    }
                }
                Step::Answer(answer) => {
                    let sent = latest.as_ref().and_then(|refund| world.acquirer.sent.iter().find(|(id, _)| *id == refund.id)).copied();
                    if let Some((id, _)) = sent {
                        let is_done = world.acquirer.done.iter().any(|(done, _)| *done == id);
                        if is_done || answer != RefundAnswer::Accepted {
                            world.take(&News::RefundAnswered(id, answer));
                        }
                    }
                }
                Step::Tell => {
                    let state = world.acquirer.state(world.second);
                    world.take(&state);
                }
                Step::TellOld => {
                    world.take(&old);
                }
                Step::Silence => {
                    if let Some(refund) = &latest {
                        let news = News::RefundSilent { refund: refund.id, error: "lost".to_owned(), pause: SignedDuration::ZERO };
                        world.take(&news);
                    }
                }
                Step::Wait(seconds) => world.second += seconds,
            }
        }
        world.second += 100_000;
        if let Some(refund) = &latest {
            world.take(&News::RefundGivenUpUnsent(refund.id));
        }
        for _ in 0..2 {
            world.second += 60;
            let state = world.acquirer.state(world.second);
            world.take(&state);
        }
        for refund in &world.case.refunds {
            let is_done = world.acquirer.done.iter().any(|(done, _)| *done == refund.id);
            prop_assert_eq!(refund.is_done(), is_done, "{:?}", refund);
            prop_assert!(!refund.is_under_way());
        }
        let refunded = world.case.attempt(charge()).unwrap().refunded;
        prop_assert_eq!(refunded.kopiykas(), world.acquirer.given_back());
        prop_assert!(!world.alarms.contains(&AlarmKind::RefundedInPart), "all of it was asked for");
        let is_whole = world.acquirer.given_back() == SUM;
        prop_assert_eq!(world.case.order.status == OrderStatus::Refunded, is_whole);
        // Recipients' money that was not given back is still there.
        let owed: i64 = world.transfers.iter().filter(|one| one.status == TransferStatus::Planned).map(|one| one.planned.amount.kopiykas()).sum();
        prop_assert!(owed + world.acquirer.given_back() <= SUM);
    }

    /// What the acquirer tells of a refund leads to the same end in any order and any number.
    #[test]
    fn the_same_reports_lead_to_the_same_end(order in Just(vec![0_usize, 1, 2, 3]).prop_shuffle(), repeated in 0_usize..4, is_done in any::<bool>()) {
        let start = |world: &mut World| {
            let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
            world.send(&refund, is_done);
            refund
        };
        let reports = |refund: &Refund| {
            let entry = |end| vec![RefundNews { refund: Some(refund.id), end, amount: Some(refund.amount) }];
            let last = if is_done { RefundEnd::Done } else { RefundEnd::Failed };
            let given_back = if is_done { PARTS[0] } else { 0 };
            [told(Vec::new(), 0, 102), told(entry(RefundEnd::Open), 0, 103), told(entry(last), given_back, 104), told(entry(RefundEnd::Open), 0, 103)]
        };
        let mut straight = World::new();
        let refund = start(&mut straight);
        for report in &reports(&refund) {
            straight.take(report);
        }
        let mut shuffled = World::new();
        start(&mut shuffled);
        for place in order.iter().chain([&repeated]) {
            shuffled.take(&reports(&refund)[*place]);
        }
        let state = |world: &World| world.case.refund(refund.id).unwrap().stage.state();
        prop_assert_eq!(state(&straight), if is_done { RefundState::Done } else { RefundState::Refused });
        prop_assert_eq!(state(&shuffled), state(&straight));
        prop_assert_eq!(shuffled.case.attempt(charge()).unwrap().refunded, straight.case.attempt(charge()).unwrap().refunded);
    }

    /// A row of the database is one stage and no other.
    #[test]
    fn a_scope_is_read_back(transfer in prop::option::of(any::<u128>()), word in "[a-z]{3,8}") {
        let transfer = transfer.map(|id| TransferId::new(Uuid::from_u128(id)));
        for scope in [RefundScope::Whole, RefundScope::Sum].into_iter().chain(transfer.map(RefundScope::Transfer)) {
            prop_assert_eq!(RefundScope::parse(scope.as_str(), scope.transfer()), Some(scope));
        }
        prop_assert_eq!(RefundScope::parse("whole", Some(TransferId::new(Uuid::nil()))), None);
        if !["whole", "sum", "transfer"].contains(&word.as_str()) {
            prop_assert_eq!(RefundScope::parse(&word, transfer), None);
        }
    }
}

#[test]
fn a_refund_that_is_not_shown_is_given_up_no_sooner_than_its_acquirer_may_show_it() {
    for (acquirer, hours) in [(AcquirerName::Monobank, 2), (AcquirerName::LiqPay, 24)] {
        let mut world = World::at(acquirer);
        let refund = world.ask(50, RefundWish::Transfer(1)).unwrap();
        world.send(&refund, false);
        let (sent, shown_by) = (world.second, world.second + hours * 3_600);
        let mut state_at = |second| {
            world.second = second;
            world.take(&told_by(acquirer, Vec::new(), 0, second));
            world.case.refund(refund.id).unwrap().stage.state()
        };
        for second in (sent + 60..shown_by).step_by(60) {
            let minute = (second - sent) / 60;
            assert_eq!(state_at(second), RefundState::Submitted, "{minute}");
        }
        assert_eq!(state_at(shown_by), RefundState::Submitted, "one reading");
        assert_eq!(state_at(shown_by + 60), RefundState::Refused);
        assert!(world.case.refund(refund.id).unwrap().is_without_trace());
    }
}

#[test]
fn a_refund_that_was_ruled_out_and_happened_all_the_same_calls_a_person() {
    let mut world = World::new();
    let refund = world.ask(1, RefundWish::Transfer(2)).unwrap();
    world.send(&refund, true);
    for second in [7_300, 7_360] {
        world.second = second;
        assert!(world.case.refund(refund.id).unwrap().is_under_way());
        world.take(&told(Vec::new(), 0, second));
    }
    let known = world.case.refund(refund.id).unwrap();
    assert_eq!(known.stage.code(), Some("no_trace"));
    assert!(world.alarms.contains(&AlarmKind::RefundNotMade));
    let state = world.acquirer.state(7_361);
    world.take(&state);
    assert!(world.case.refund(refund.id).unwrap().is_done());
    assert!(world.alarms.contains(&AlarmKind::RefundContradicted));
}

/// An order with an earlier charge that was given up without a trace, and what the acquirer tells of it later.
fn with_a_charge_that_was_given_up() -> (World, News) {
    let mut world = World::new();
    let id = AttemptId::new(Uuid::from_u128(2));
    let mut given_up = NewAttempt {
        acquirer: AcquirerName::Monobank,
        id,
        order_id: world.case.order.id,
        kind: AttemptKind::CardToken,
        amount: money(SUM),
        created_at: at(-100),
    }
    .prepared();
    given_up.state = AttemptState::Refused;
    given_up.failure_code = Some("no_trace".to_owned());
    given_up.next_check_at = None;
    world.case.attempts.insert(0, given_up);
    let News::Told(mut news, fresh) = told(Vec::new(), 0, 0) else {
        unreachable!()
    };
    news.invoice_id = InvoiceId::parse("invoice-2").unwrap();
    news.payment_reference = Some(id);
    (world, News::Told(news, fresh))
}

#[test]
fn an_earlier_charge_that_surfaces_after_our_refund_holds_the_transfers() {
    let (mut world, surfaced) = with_a_charge_that_was_given_up();
    let refund = world.ask(1, RefundWish::Whole).unwrap();
    world.send(&refund, true);
    let state = world.acquirer.state(200);
    world.take(&state);
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    world.take(&surfaced);
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    assert_eq!(world.alarms, BTreeSet::from([AlarmKind::PaidAfterRefund]));
    assert!(AlarmKind::PaidAfterRefund.holds_transfers());
}

#[test]
fn a_charge_after_our_refund_pays_nothing_and_calls_a_person() {
    let (mut world, surfaced) = with_a_charge_that_was_given_up();
    let News::Told(mut late, fresh) = surfaced else {
        unreachable!()
    };
    let refund = world.ask(1, RefundWish::Whole).unwrap();
    world.send(&refund, true);
    let state = world.acquirer.state(200);
    world.take(&state);
    late.modified_at = Some(at(300));
    world.take(&News::Told(late, fresh));
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    assert_eq!(world.alarms, BTreeSet::from([AlarmKind::PaidAfterRefund]));
}

#[test]
fn a_charge_beside_one_that_the_clerk_gave_back_pays_the_order() {
    let (mut world, surfaced) = with_a_charge_that_was_given_up();
    world.acquirer.give_back_unasked(SUM);
    world.take(&told(Vec::new(), SUM, 200));
    assert_eq!(world.case.order.status, OrderStatus::Refunded);
    world.take(&surfaced);
    assert_eq!(world.case.order.status, OrderStatus::Paid);
    assert_eq!(world.alarms, BTreeSet::new());
}

#[test]
fn what_a_whole_refund_kept_back_is_kept_back_again_once_the_other_charge_went_back() {
    let (mut world, surfaced) = with_a_charge_that_was_given_up();
    let id = world.ask(1, RefundWish::Whole).unwrap().id;
    // A part was given back by hand, so the refund of the rest leaves its charge standing.
    let refund = world.case.refunds.iter_mut().find(|refund| refund.id == id);
    let refund = refund.unwrap();
    (refund.amount, refund.stage) = (money(SUM - 500), RefundStage::Done { at: at(200) });
    let mut case = world.case;
    let mut take = |news: &News| {
        let settled = decide_settlement(&case, news, &Delays::default(), at(500));
        case = settled.case;
        assert_eq!(case.order.status, OrderStatus::Paid);
        let is_released = |effect: &Effect| matches!(effect, Effect::ReleaseFromRefund(_));
        let is_held = |effect: &Effect| matches!(effect, Effect::HoldForRefund(_));
        (
            settled.effects.iter().any(is_released),
            settled.effects.iter().any(is_held),
        )
    };
    assert_eq!(take(&surfaced), (true, false));
    assert_eq!(take(&surfaced), (false, false));
    let News::Told(mut news, fresh) = surfaced else {
        unreachable!()
    };
    (news.status, news.refunded) = (InvoiceStatus::Reversed, money(SUM));
    (news.modified_at, news.as_of) = (Some(at(400)), Some(at(400)));
    let back = News::Told(news, fresh);
    assert_eq!(take(&back), (false, true));
    assert_eq!(take(&back), (false, false));
}

#[test]
fn a_smaller_sum_than_was_told_before_calls_a_person_and_explains_nothing_away() {
    for acquirer in [AcquirerName::Monobank, AcquirerName::LiqPay] {
        for (before, after) in [(500, 300), (SUM, 300), (SUM, SUM - 1)] {
            let mut world = World::at(acquirer);
            world.take(&told_by(acquirer, Vec::new(), before, 200));
            world.alarms.clear();
            // An older state that comes late is none.
            world.take(&told_by(acquirer, Vec::new(), 0, 150));
            assert_eq!(world.alarms, BTreeSet::new());
            // A later one that names nothing tells nothing.
            world.take(&told_by(acquirer, Vec::new(), 0, 201));
            assert_eq!(world.alarms, BTreeSet::new());
            let status = world.case.order.status;
            let verdict = world.take(&told_by(acquirer, Vec::new(), after, 202));
            assert_eq!(verdict, SettlementVerdict::Contradiction);
            assert_eq!(
                world.alarms,
                BTreeSet::from([AlarmKind::RefundContradicted])
            );
            let charge = world.case.attempt(charge()).unwrap();
            assert_eq!(charge.refunded.kopiykas(), before);
            assert_eq!(world.case.order.status, status);
        }
    }
}

#[test]
fn a_smaller_sum_beside_a_refund_that_has_no_name_calls_a_person_and_proves_nothing() {
    for is_done in [true, false] {
        let mut world = World::at(AcquirerName::LiqPay);
        world.acquirer.give_back_unasked(1_000);
        world.ask_for_sum();
        world.alarms.clear();
        let wish = RefundWish::Sum {
            amount: money(600),
            is_again: false,
        };
        let refund = world.ask(1, wish).unwrap();
        world.send(&refund, is_done);
        world.second = 200_000;
        for _ in 0..3 {
            world.second += 60;
            world.take(&told_by(
                AcquirerName::LiqPay,
                Vec::new(),
                700,
                world.second,
            ));
        }
        let contradicted = AlarmKind::RefundContradicted;
        assert!(world.alarms.contains(&contradicted), "{:?}", world.alarms);
        assert!(world.is_open());
        // What it tells then tells of ours again.
        for _ in 0..2 {
            world.second += 60;
            world.ask_for_sum();
        }
        assert_eq!(world.case.refund(refund.id).unwrap().is_done(), is_done);
        assert!(!world.is_open());
    }
}

#[test]
fn a_list_that_does_not_add_up_rules_nothing_out() {
    let mut world = World::new();
    let refund = world.ask(1, RefundWish::Transfer(2)).unwrap();
    world.send(&refund, true);
    world.second = 50_000;
    // The rest is smaller, and no refund is listed.
    world.take(&told(Vec::new(), PARTS[1], 50_000));
    assert!(world.case.refund(refund.id).unwrap().is_under_way());
    assert!(world.alarms.contains(&AlarmKind::RefundUnanswered));
    // Nothing is left of the charge, whoever gave it back.
    world.take(&told(Vec::new(), SUM, 50_001));
    assert!(world.case.refund(refund.id).unwrap().is_done());
}

#[test]
fn another_sum_than_was_asked_for_calls_a_person() {
    let mut world = World::new();
    let refund = world.ask(1, RefundWish::Transfer(2)).unwrap();
    world.send(&refund, true);
    let entry = RefundNews {
        refund: Some(refund.id),
        end: RefundEnd::Done,
        amount: Some(money(1)),
    };
    world.take(&told(vec![entry], 1, 101));
    assert!(world.case.refund(refund.id).unwrap().is_done());
    assert!(world.alarms.contains(&AlarmKind::RefundContradicted));
}

#[test]
fn a_part_that_was_sent_again_is_not_given_back_however_much_is_left_of_the_commission() {
    let mut world = World::new();
    world.transfers[0].status = TransferStatus::Returned;
    world.transfers[1].replaces = Some(world.transfers[0].id);
    world.transfers[1].planned.amount = money(1_000);
    world.transfers[0].planned.amount = money(1_000);
    assert_eq!(
        world.ask(1, RefundWish::Transfer(1)),
        Err(RefundRefusal::SentAgain(1, 2))
    );
}

#[test]
fn only_the_money_that_no_recipient_has_is_given_back() {
    use RefundRefusal as Why;
    use TransferStatus::{CalledOff, Credited, Planned, Returned, Sent};
    let sum = |kopiykas| RefundWish::Sum {
        amount: money(kopiykas),
        is_again: false,
    };
    let free = |kopiykas| Why::OwedToRecipients {
        free: money(kopiykas),
    };
    let whole = RefundWish::Whole;
    let cases = [
        ([Planned, Planned], whole, Ok(SUM)),
        ([Returned, Planned], whole, Ok(SUM)),
        ([Sent, Planned], whole, Err(Why::AtTheBank(vec![1]))),
        ([Sent, Credited], whole, Err(Why::AtTheRecipient(vec![2]))),
        ([Planned, Sent], RefundWish::Transfer(1), Ok(PARTS[0])),
        ([Returned, Credited], RefundWish::Transfer(1), Ok(PARTS[0])),
        (
            [Sent, Planned],
            RefundWish::Transfer(1),
            Err(Why::AtTheBank(vec![1])),
        ),
        (
            [Credited, Planned],
            RefundWish::Transfer(1),
            Err(Why::AtTheRecipient(vec![1])),
        ),
        (
            [CalledOff, Planned],
            RefundWish::Transfer(1),
            Err(Why::TransferGivenBack(1)),
        ),
        (
            [Planned, Planned],
            RefundWish::Transfer(3),
            Err(Why::NoTransfer(3)),
        ),
        ([Planned, Planned], sum(2_000), Ok(2_000)),
        ([Credited, Sent], sum(2_000), Ok(2_000)),
        ([Credited, Sent], sum(2_001), Err(free(2_000))),
        ([Planned, Planned], sum(0), Err(Why::Zero)),
        (
            [Planned, Planned],
            sum(SUM + 1),
            Err(Why::MoreThanLeft { left: money(SUM) }),
        ),
    ];
    for (statuses, wish, expected) in cases {
        let mut world = World::new();
        for (one, status) in world.transfers.iter_mut().zip(statuses) {
            one.status = status;
        }
        let admitted = world.ask(1, wish).map(|refund| refund.amount.kopiykas());
        assert_eq!(admitted, expected, "{statuses:?} {wish:?}");
    }
    let mut world = World::new();
    world.take(&told(Vec::new(), 1_500, 101));
    assert_eq!(
        world.ask(1, sum(501)),
        Err(free(500)),
        "what the acquirer gave back by itself counts"
    );
    let facts = (refund_id(1), reason(), at(102));
    let doubts = OpenDoubts(&[AlarmKind::RefundedInPart]);
    let admitted = admit_refund(&world.case, &world.transfers, whole, doubts, facts);
    assert_eq!(admitted, Err(Why::InDoubt(AlarmKind::RefundedInPart)));
    let refund = world.ask(2, sum(400)).unwrap();
    assert!(matches!(refund.stage, RefundStage::Prepared { .. }));
    assert_eq!(world.ask(3, sum(1)), Err(Why::UnderWay(refund.id)));
}

fn entry(refund: Option<u128>, end: RefundEnd, kopiykas: i64) -> RefundNews {
    RefundNews {
        refund: refund.map(refund_id),
        end,
        amount: Some(money(kopiykas)),
    }
}

#[test]
fn what_was_asked_for_beside_what_was_not_calls_nobody() {
    let mut world = World::new();
    let by_clerk = || entry(None, RefundEnd::Done, PARTS[1]);
    world.take(&told(vec![by_clerk()], PARTS[1], 101));
    assert!(world.alarms.contains(&AlarmKind::RefundedInPart));
    world.alarms.clear();
    let wish = RefundWish::Sum {
        amount: money(2_000),
        is_again: false,
    };
    // The clerk's part was for the second transfer.
    world.transfers[1].status = TransferStatus::CalledOff;
    let refund = world.ask(1, wish).unwrap();
    world.send(&refund, true);
    world.take(&News::RefundAnswered(refund.id, RefundAnswer::Accepted));
    let ours = entry(Some(1), RefundEnd::Done, 2_000);
    world.take(&told(vec![by_clerk(), ours], PARTS[1] + 2_000, 103));
    assert!(world.case.refund(refund.id).unwrap().is_done());
    assert_eq!(world.alarms, BTreeSet::new());
}

#[test]
fn a_part_of_the_clerk_is_seen_while_the_acquirer_works_at_ours() {
    let mut world = World::new();
    let wish = RefundWish::Sum {
        amount: money(2_000),
        is_again: false,
    };
    let refund = world.ask(1, wish).unwrap();
    world.send(&refund, false);
    world.take(&News::RefundAnswered(refund.id, RefundAnswer::Accepted));
    let both = |end| {
        vec![
            entry(None, RefundEnd::Done, 2_000),
            entry(Some(1), end, 2_000),
        ]
    };
    world.take(&told(both(RefundEnd::Open), 2_000, 102));
    assert_eq!(world.alarms, BTreeSet::from([AlarmKind::RefundedInPart]));
    world.alarms.clear();
    world.take(&told(both(RefundEnd::Done), 4_000, 103));
    assert_eq!(world.alarms, BTreeSet::new(), "it is known");
}

#[test]
fn what_the_acquirer_works_at_without_our_asking_calls_a_person() {
    let mut world = World::new();
    world.take(&told(vec![entry(None, RefundEnd::Open, 100)], 0, 101));
    assert_eq!(world.alarms, BTreeSet::from([AlarmKind::RefundedInPart]));

    // A request whose answer was lost may be the one without a name: it is not ruled out.
    let mut world = World::new();
    let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
    world.send(&refund, false);
    world.second += 2_000;
    let nameless = || entry(None, RefundEnd::Open, PARTS[0]);
    world.take(&told(vec![nameless()], 0, world.second));
    assert!(world.case.refund(refund.id).unwrap().is_under_way());
}

#[test]
fn a_part_that_was_given_back_by_hand_explains_no_other_transfer() {
    let mut world = World::new();
    let by_clerk = entry(None, RefundEnd::Done, PARTS[1]);
    world.take(&told(vec![by_clerk], PARTS[1], 101));
    let record = |world: &World, number| world.clone().record(9, KnownPart::Transfer(number));
    assert!(record(&world, 2).is_ok());
    let by_hand = PartRefund {
        requested_at: at(50),
        refunded_at: Some(at(60)),
    };
    world.transfers.push(Transfer {
        refund: Some(by_hand),
        ..transfer(1, TransferStatus::Returned)
    });
    world.transfers.last_mut().unwrap().id = TransferId::new(Uuid::from_u128(99));
    assert!(
        matches!(record(&world, 2), Err(RefundRefusal::NotGivenBack { unasked }) if unasked.is_zero())
    );
}

#[test]
fn what_was_given_back_by_hand_is_not_left_of_the_charge_though_the_acquirer_has_not_told_it() {
    let mut world = World::new();
    world.transfers[1].status = TransferStatus::Returned;
    world.transfers[1].refund = Some(PartRefund {
        requested_at: at(50),
        refunded_at: Some(at(60)),
    });
    let charge = world.case.attempts[0].amount.kopiykas();
    let commission = charge - PARTS[0] - PARTS[1];
    let sum = |kopiykas| RefundWish::Sum {
        amount: money(kopiykas),
        is_again: false,
    };
    assert!(matches!(
        world.clone().ask(1, sum(commission + 1)),
        Err(RefundRefusal::OwedToRecipients { free }) if free.kopiykas() == commission
    ));
    assert!(world.clone().ask(1, sum(commission)).is_ok());
    let whole = world.clone().ask(1, RefundWish::Whole).unwrap();
    assert_eq!(whole.amount.kopiykas(), charge - PARTS[1]);
    // Once the acquirer tells it, it is no more than that.
    let by_clerk = entry(None, RefundEnd::Done, PARTS[1]);
    world.take(&told(vec![by_clerk], PARTS[1], 101));
    world.alarms.clear();
    let whole = world.ask(1, RefundWish::Whole).unwrap();
    assert_eq!(whole.amount.kopiykas(), charge - PARTS[1]);
}

#[derive(Clone, Debug)]
enum SumStep {
    Clerk(i64),
    Ask(i64),
    Send { is_done: bool },
    Answer,
    Tell,
    TellOld,
    Wait(i64),
}

fn sum_steps() -> impl Strategy<Value = SumStep> {
    prop_oneof![
        2 => (1_i64..60).prop_map(SumStep::Clerk),
        4 => (1_i64..60).prop_map(SumStep::Ask),
        3 => any::<bool>().prop_map(|is_done| SumStep::Send { is_done }),
        1 => Just(SumStep::Answer),
        3 => Just(SumStep::Tell),
        1 => Just(SumStep::TellOld),
        2 => (1_i64..100_000).prop_map(SumStep::Wait),
    ]
}

proptest! {
    /// An acquirer that names no refunds has given parts back by itself, before ours and between them, and nobody has said for what.
    #[test]
    fn what_went_back_by_itself_before_ours_leaves_no_refund_open(steps in prop::collection::vec(sum_steps(), 1..60)) {
        let mut world = World::at(AcquirerName::LiqPay);
        let mut latest: Option<Refund> = None;
        let old = world.acquirer.sum(1);
        let mut by_clerk = 0;
        for (number, step) in steps.into_iter().enumerate() {
            world.second += 1;
            match step {
                SumStep::Clerk(amount) => {
                    if !world.is_open() {
                        world.acquirer.give_back_unasked(amount);
                        by_clerk += amount;
                    }
                }
                SumStep::Ask(amount) => {
                    world.ask_for_sum();
                    let wish = RefundWish::Sum { amount: money(amount), is_again: true };
                    if let Ok(refund) = world.ask(number as u128 + 1, wish) {
                        latest = Some(refund);
                    }
                }
                SumStep::Send { is_done } => {
                    if let Some(refund) = latest.clone() {
                        world.send(&refund, is_done);
                    }
                }
                SumStep::Answer => {
                    // Also one that the acquirer drops afterwards.
                    if let Some(refund) = &latest {
                        world.take(&News::RefundAnswered(refund.id, RefundAnswer::Accepted));
                    }
                }
                SumStep::Tell => world.ask_for_sum(),
                SumStep::TellOld => {
                    world.take(&old);
                }
                SumStep::Wait(seconds) => world.second += seconds,
            }
        }
        world.second += 100_000;
        if let Some(refund) = &latest {
            world.take(&News::RefundGivenUpUnsent(refund.id));
        }
        for _ in 0..2 {
            world.second += 60;
            world.ask_for_sum();
        }
        for refund in &world.case.refunds {
            prop_assert_eq!(refund.is_done(), world.acquirer.has_done(refund.id), "{:?}", refund);
            prop_assert!(!refund.is_under_way());
        }
        prop_assert_eq!(world.alarms.contains(&AlarmKind::RefundedInPart), by_clerk > 0);
    }

    /// A part that went back by itself while ours was under way calls a person. Once that person has said what it was, the sum tells of ours.
    #[test]
    fn what_went_back_beside_ours_is_said_by_a_person(
        (ours, by_clerk) in (1_i64..1_000, 1_i64..1_000),
        (is_done, is_accepted, is_ours_first, is_told_between) in any::<(bool, bool, bool, bool)>(),
        before in 0_i64..500,
    ) {
        prop_assume!(ours != by_clerk);
        let mut world = World::at(AcquirerName::LiqPay);
        if before > 0 {
            world.acquirer.give_back_unasked(before);
            world.ask_for_sum();
            world.alarms.clear();
        }
        let wish = RefundWish::Sum { amount: money(ours), is_again: false };
        let refund = world.ask(1, wish).unwrap();
        world.send(&refund, false);
        if is_done && is_accepted {
            world.take(&News::RefundAnswered(refund.id, RefundAnswer::Accepted));
        }
        for is_ours in [is_ours_first, !is_ours_first] {
            world.second += 1;
            if !is_ours {
                world.acquirer.give_back_unasked(by_clerk);
            } else if is_done {
                world.acquirer.done.push((refund.id, ours));
            }
            if is_told_between {
                world.ask_for_sum();
            }
        }
        world.second += 20_000;
        world.ask_for_sum();
        prop_assert!(world.alarms.contains(&AlarmKind::RefundedInPart));
        prop_assert_eq!(world.is_open(), !(is_done && is_ours_first && is_told_between));
        world.record(2, KnownPart::Sum(money(by_clerk))).unwrap();
        world.second += 100_000;
        world.alarms.clear();
        for _ in 0..2 {
            world.second += 60;
            world.ask_for_sum();
        }
        prop_assert_eq!(world.case.refund(refund.id).unwrap().is_done(), is_done);
        prop_assert!(!world.is_open());
        prop_assert_eq!(world.alarms.contains(&AlarmKind::RefundNotMade), !is_done);
        // Nothing is left that could be said.
        let more = world.record(3, KnownPart::Sum(money(before + 1)));
        prop_assert_eq!(more, Err(RefundRefusal::NotGivenBack { unasked: money(before) }));
    }
}

/// Found by the simulation: the bank's answer waited for the end of the refund, and the end of the refund for the bank's answer.
#[test]
fn what_went_back_beside_ours_is_said_while_the_bank_is_asked_about_a_transfer() {
    let mut world = World::at(AcquirerName::LiqPay);
    world.transfers[0].status = TransferStatus::Returned;
    let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
    world.send(&refund, true);
    // The bank carries out after all what it had refused.
    world.transfers[0].status = TransferStatus::Disputed;
    world.acquirer.give_back_unasked(500);
    world.second += 20_000;
    world.ask_for_sum();
    assert!(world.is_open() && world.alarms.contains(&AlarmKind::RefundedInPart));
    let said = |world: &World, part, doubts: &[AlarmKind]| {
        let facts = (refund_id(2), reason(), at(world.second));
        admit_known_refund(
            &world.case,
            &world.transfers,
            part,
            OpenDoubts(doubts),
            facts,
        )
    };
    let disputed = [AlarmKind::TransferDisputed, AlarmKind::RefundedInPart];
    assert_eq!(
        said(&world, KnownPart::Transfer(1), &disputed),
        Err(RefundRefusal::AtTheBank(vec![1]))
    );
    let by_clerk = KnownPart::Sum(money(500));
    assert_eq!(
        said(&world, by_clerk, &[AlarmKind::RefundContradicted]),
        Err(RefundRefusal::InDoubt(AlarmKind::RefundContradicted))
    );
    let known = said(&world, by_clerk, &disputed).unwrap();
    world.take(&News::RefundKnown(Box::new(known)));
    world.second += 60;
    world.ask_for_sum();
    assert!(world.case.refund(refund.id).unwrap().is_done());
    // Nothing is sent to the acquirer meanwhile.
    let facts = (refund_id(3), reason(), at(world.second));
    let wish = RefundWish::Sum {
        amount: money(100),
        is_again: false,
    };
    let doubts = OpenDoubts(&disputed);
    assert_eq!(
        admit_refund(&world.case, &world.transfers, wish, doubts, facts),
        Err(RefundRefusal::InDoubt(AlarmKind::TransferDisputed))
    );
}

#[test]
fn a_refund_under_way_ends_where_a_person_says_that_it_was_made() {
    let mut world = World::at(AcquirerName::LiqPay);
    let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
    let part = KnownPart::Transfer(1);
    assert_eq!(
        world.record(2, part),
        Err(RefundRefusal::UnderWay(refund.id)),
        "nothing was sent yet"
    );
    world.send(&refund, false);
    world.acquirer.give_back_unasked(500);
    world.ask_for_sum();
    let short = RefundRefusal::NotGivenBack {
        unasked: money(500),
    };
    assert_eq!(world.record(2, part), Err(short));
    world.acquirer.done.push((refund.id, PARTS[0]));
    world.ask_for_sum();
    assert!(world.is_open());
    assert_eq!(world.record(2, part).unwrap().id, refund.id);
    assert!(!world.is_open() && world.case.refunds.len() == 1);
    assert_eq!(world.transfers[0].status, TransferStatus::CalledOff);
    world.record(3, KnownPart::Sum(money(500))).unwrap();
    world.alarms.clear();
    world.ask_for_sum();
    assert!(world.alarms.is_empty());
}

#[test]
fn a_part_of_the_commission_is_recorded_as_given_back_at_any_acquirer() {
    for acquirer in [AcquirerName::Monobank, AcquirerName::LiqPay] {
        let mut world = World::at(acquirer);
        let sum = |kopiykas| KnownPart::Sum(money(kopiykas));
        let none = RefundRefusal::NotGivenBack {
            unasked: Money::ZERO,
        };
        assert_eq!(world.record(1, sum(1)), Err(none));
        world.take(&told_by(acquirer, Vec::new(), 2_500, 101));
        assert!(world.alarms.contains(&AlarmKind::RefundedInPart));
        assert_eq!(world.record(1, sum(0)), Err(RefundRefusal::Zero));
        let owed = RefundRefusal::OwedToRecipients { free: money(2_000) };
        assert_eq!(world.record(1, sum(2_001)), Err(owed));
        let recorded = world.record(1, sum(1_500)).unwrap();
        assert_eq!(
            (recorded.scope, recorded.amount),
            (RefundScope::Sum, money(1_500))
        );
        let owed = RefundRefusal::OwedToRecipients { free: money(500) };
        assert_eq!(world.record(2, sum(501)), Err(owed));
        world.record(2, sum(500)).unwrap();
        let rest = RefundRefusal::NotGivenBack {
            unasked: money(500),
        };
        assert_eq!(world.record(3, sum(501)), Err(rest));
    }
}

#[test]
fn what_came_back_before_a_restore_is_given_back_only_once_it_was_compared() {
    let mut world = World::new();
    let held = Transfer {
        held_at: Some(at(90)),
        ..transfer(0, TransferStatus::Returned)
    };
    let replaces = Some(held.id);
    world.transfers[0] = held;
    // Those that wait for another reason may be given back.
    world.transfers[1].held_at = Some(at(90));
    let ask = |world: &World, wish: RefundWish| world.clone().ask(1, wish);
    let waits = |number: i64| -> Result<Refund, RefundRefusal> {
        Err(RefundRefusal::ReturnedBeforeRestore(vec![number]))
    };
    assert_eq!(ask(&world, RefundWish::Transfer(1)), waits(1));
    assert_eq!(ask(&world, RefundWish::Whole), waits(1));
    assert!(ask(&world, RefundWish::Transfer(2)).is_ok());

    // What sends it again may be the second transfer that does.
    world.transfers.push(Transfer {
        id: TransferId::new(Uuid::from_u128(99)),
        document_number: 9,
        replaces,
        held_at: Some(at(91)),
        ..transfer(0, TransferStatus::Planned)
    });
    for wish in [RefundWish::Transfer(9), RefundWish::Whole] {
        assert_eq!(ask(&world, wish), waits(9));
    }
    world.transfers[2].held_at = None;
    for wish in [RefundWish::Transfer(9), RefundWish::Whole] {
        assert!(ask(&world, wish).is_ok(), "the operator has compared it");
    }
}

#[test]
fn where_refunds_have_names_nothing_is_recorded_beside_one_under_way() {
    let mut world = World::new();
    let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
    world.send(&refund, false);
    world.take(&told(vec![entry(None, RefundEnd::Done, 500)], 500, 101));
    assert_eq!(
        world.record(2, KnownPart::Sum(money(500))),
        Err(RefundRefusal::UnderWay(refund.id))
    );
}

#[test]
fn money_that_is_kept_for_a_refund_matters_only_beside_one_of_ours() {
    let kept = |given_back, second| {
        let open = RefundNews {
            refund: None,
            end: RefundEnd::Open,
            amount: None,
        };
        told_by(AcquirerName::LiqPay, vec![open], given_back, second)
    };
    // It may be kept for a refund of another payment.
    let mut world = World::at(AcquirerName::LiqPay);
    world.take(&kept(0, 101));
    assert!(world.alarms.is_empty());
    let wish = RefundWish::Sum {
        amount: money(100),
        is_again: false,
    };
    let refund = world.ask(1, wish).unwrap();
    world.send(&refund, false);
    world.second += 100_000;
    world.take(&kept(0, world.second));
    assert!(world.is_open(), "it may be ours");
    assert!(!world.alarms.contains(&AlarmKind::RefundedInPart));
    for _ in 0..2 {
        assert!(world.is_open());
        world.second += 60;
        world.take(&told_by(AcquirerName::LiqPay, Vec::new(), 0, world.second));
    }
    assert!(!world.is_open());
    // What went back is told all the same.
    world.alarms.clear();
    world.take(&kept(100, world.second + 2));
    assert!(world.alarms.contains(&AlarmKind::RefundedInPart));
}

#[test]
fn a_state_in_which_less_went_back_than_is_known_rules_no_refund_out() {
    let mut world = World::at(AcquirerName::LiqPay);
    let refund = world.ask(1, RefundWish::Transfer(1)).unwrap();
    world.send(&refund, false);
    world.acquirer.give_back_unasked(500);
    world.second = 200;
    world.ask_for_sum();
    world.second = 200_000;
    world.take(&told_by(AcquirerName::LiqPay, Vec::new(), 0, world.second));
    assert!(world.is_open());
}
