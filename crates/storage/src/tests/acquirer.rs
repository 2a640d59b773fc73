//! Attempts, reports, history, transfers, the outbox, complaints and reference data.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::payment::{
    Absence, AcquirerName, AlarmKind, Attempt, AttemptState, Clocks, InvoiceId, InvoiceStatus,
    Missing, NewReport, Told,
};
use cabinet_domain::{
    ActualPayer, AlarmId, AttemptId, BankAnswer, Complaint, EventId, Iban, ItemId, Line, MaskedPan,
    Money, NotaryId, Okpo, Order, OrderEventKind, OrderHistoryEvent, OrderId, OrderStatus,
    PartRole, Payee, PlannedTransfer, ReportId, TransferId, TransferStatus, Uetr,
};
use cabinet_metrics::Queue;
use jiff::Timestamp;
use jiff::civil::date;
use uuid::Uuid;

use super::fixtures::{
    at, at_once, begin_attempt, client, id, inn, locked, name, notary, of_order, of_transfer,
    order, plan, save_attempt, step, step_transfer,
};
use crate::cart::complaints;
use crate::catalogue::reference_data;
use crate::engine::counters::next_document_number;
use crate::engine::value::params;
use crate::operator::alarms;
use crate::order::order_events;
use crate::payment::acquirer_reports::ReportMonth;
use crate::payment::{acquirer_reports, attempts, payments};
use crate::testing::{execute, number, run_on_postgres};
use crate::transfer::transfers::{self, PartToPlan};
use crate::worker::leases;
use crate::worker::outbox::{self, Kinds};
use crate::worker::queues;
use crate::{ConstraintKind, StorageError, Store, Tx, on_both_databases};

const ANY: Kinds = Kinds::Except(["nothing"; 2]);

pub(super) async fn some_order(store: &Store) -> Order {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400")
        .await
        .id;
    order(store, 200, olena, taras, 20).await
}

/// Returns how many letters wait, and how many were given up.
async fn waiting_and_parked(store: &Store) -> (i64, i64) {
    let count = |queue| store.read(move |tx| queues::measure(tx, queue, at(1_000)));
    let (letters, parked) = (count(Queue::Letters).await, count(Queue::Parked).await);
    (letters.unwrap().count, parked.unwrap().count)
}

async fn some_attempt(store: &Store) -> (Order, AttemptId) {
    let order = some_order(store).await;
    let attempt = store
        .write({
            let order = order.clone();
            move |tx| begin_attempt(tx, 300, &order, 20)
        })
        .await
        .unwrap();
    (order, attempt)
}

/// Stores an attempt of an order that the bank has declined.
fn declined_attempt(tx: &mut Tx, number: u64, order: &Order, second: i64) -> crate::Result<()> {
    let attempt = begin_attempt(tx, number, order, second)?;
    let begun = attempts::by_id(tx, attempt)?.unwrap();
    let told = Told {
        status: InvoiceStatus::Failure,
        modified_at: at(second),
    };
    let declined = Attempt {
        told: Some(told),
        ..begun
    };
    save_attempt(tx, &declined, at(second))
}

/// Returns a history of an order. The clock was set back after its first event.
fn history_of<Kind>(order: OrderId, kinds: [Kind; 3]) -> [OrderHistoryEvent<Kind>; 3] {
    let [first, second, third] = kinds;
    let (in_progress, pending) = (Some(OrderStatus::InProgress), Some(OrderStatus::Pending));
    [
        (1, 20, first, None, in_progress),
        (2, 10, second, in_progress, pending),
        (3, 21, third, pending, None),
    ]
    .map(
        |(number, moment, kind, from_status, to_status)| OrderHistoryEvent {
            id: EventId::new(id(600 + number)),
            order_id: order,
            at: at(moment),
            kind,
            from_status,
            to_status,
            detail: (number == 3).then(|| "code 59".to_owned()),
        },
    )
}

pub(super) fn payment(role: PartRole, amount: i64) -> PlannedTransfer {
    PlannedTransfer {
        role,
        payee: Payee {
            name: Line::parse("ГУК у м.Києві", 140).unwrap(),
            iban: Iban::parse("UA213223130000026007233566001").unwrap(),
            okpo: Okpo::parse("37993783").unwrap(),
            purpose: Line::parse("101 Адмінзбір", 160).unwrap(),
        },
        amount: Money::from_kopiykas(amount).unwrap(),
        actual_payer: ActualPayer {
            inn: inn("3068208400"),
            name: name("Шевченко Тарас"),
        },
    }
}

/// What an acquirer lacks whose clock was not known at first.
pub(super) fn absence(missing: Missing) -> Absence {
    let first = Clocks {
        ours: at(60),
        theirs: None,
    };
    let last = Clocks {
        ours: at(120),
        theirs: Some(at(121)),
    };
    Absence {
        missing,
        first,
        last,
        readings: 2,
    }
}

on_both_databases! {
    async fn an_attempt_is_stored_whole(store: Store) {
        let (order, attempt) = some_attempt(&store).await;
        let begun = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
        assert_eq!((begun.state, begun.amount, begun.checks, begun.next_check_at), (AttemptState::Prepared, order.sum, 0, Some(at(30))));
        let whole = Attempt {
            state: AttemptState::Finished,
            outcome: Some(OrderStatus::Refunded),
            invoice_id: InvoiceId::parse("inv-1"),
            page_url: Some("https://pay.example/1".to_owned()),
            told: Some(Told { status: InvoiceStatus::Reversed, modified_at: at(40) }),
            charged_at: Some(at(30)),
            reversed_at: Some(at(40)),
            refunded: order.sum,
            withdrawn_at: Some(at(41)),
            masked_pan: MaskedPan::parse("424242******4242"),
            payment_system: Some("visa".to_owned()),
            approval_code: Some("662476".to_owned()),
            rrn: Some("060189181768".to_owned()),
            acquirer_fee: Some(order.sum),
            failure_code: Some("59".to_owned()),
            submitted_at: Some(at(21)),
            answered_at: Some(at(22)),
            expires_at: Some(at(900)),
            next_check_at: None,
            last_error: Some("timed out".to_owned()),
            absence: Some(absence(Missing::Charge)),
            ..begun
        };
        let saved = whole.clone();
        store.write(move |tx| save_attempt(tx, &saved, at(50))).await.unwrap();
        assert_eq!(store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap(), Some(whole));
    }

    async fn an_order_is_found_by_its_invoice_and_by_its_reference(store: Store) {
        let (order, attempt) = some_attempt(&store).await;
        let (known, stray) = (InvoiceId::parse("inv-1").unwrap(), InvoiceId::parse("inv-2").unwrap());
        let invoice = known.clone();
        store
            .write(move |tx| {
                let begun = attempts::by_id(tx, attempt)?.unwrap();
                save_attempt(tx, &Attempt { invoice_id: Some(invoice.clone()), ..begun }, at(21))
            })
            .await
            .unwrap();
        for (invoice, reference, found) in [
            (known, None, Some(order.id)),
            (stray.clone(), Some(attempt), Some(order.id)),
            (stray.clone(), Some(AttemptId::new(id(399))), None),
            (stray, None, None),
        ] {
            let read = move |tx: &mut crate::Tx| -> Result<_, StorageError> {
                let case = payments::order_case_of_invoice(tx, &invoice, reference)?;
                Ok((attempts::order_of_invoice(tx, &invoice, reference)?, case.map(|found| found.order.id)))
            };
            assert_eq!(store.read(read).await.unwrap(), (found, found));
        }
    }

    async fn a_full_card_number_from_the_acquirer_is_not_stored(store: Store) {
        some_attempt(&store).await;
        let save = |tx: &mut Tx| execute(tx, "update attempts set masked_pan = '4242424242424242'");
        let refusal = store.write(save).await.unwrap_err();
        assert!(matches!(refusal, StorageError::Constraint { kind: ConstraintKind::Check, .. }), "{refusal:?}");
    }

    async fn declines_of_a_notary_are_so_many_of_each_order(store: Store) {
        let (olena, iryna) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let first = order(&store, 200, olena, taras, 20).await;
        let second = order(&store, 201, olena, taras, 21).await;
        let first_id = first.id;
        store
            .write(move |tx| {
                for (number, order, moment) in [(300, &first, 30), (301, &first, 50), (302, &first, 40), (303, &second, 45)] {
                    declined_attempt(tx, number, order, moment)?;
                }
                // Nobody has answered about this one.
                begin_attempt(tx, 304, &second, 60).map(|_| ())
            })
            .await
            .unwrap();
        let of = |notary, since, of_order_max, limit| store.read(move |tx| attempts::declines_since(tx, notary, at(since), of_order_max, limit));
        assert_eq!(of(olena, 0, 9, 9).await, Ok([50, 45, 40, 30].map(at).to_vec()));
        assert_eq!(of(olena, 0, 2, 9).await, Ok([50, 45, 40].map(at).to_vec()), "the latest of each order");
        assert_eq!(of(olena, 0, 2, 2).await, Ok([50, 45].map(at).to_vec()));
        assert_eq!(of(olena, 40, 2, 9).await, Ok([50, 45].map(at).to_vec()));
        assert_eq!(of(iryna, 0, 9, 9).await, Ok(Vec::new()));
        let of_first = |since, limit| store.read(move |tx| attempts::declines_of_order(tx, first_id, at(since), limit));
        assert_eq!(of_first(0, 9).await, Ok([50, 40, 30].map(at).to_vec()));
        assert_eq!(of_first(0, 2).await, Ok([50, 40].map(at).to_vec()));
        assert_eq!(of_first(30, 9).await, Ok([50, 40].map(at).to_vec()));
    }

    async fn an_attempt_scheduled_in_what_is_now_the_future_is_due(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        let begun = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
        store.write(move |tx| save_attempt(tx, &begun, at(4_000))).await.unwrap();
        let due = store.write(|tx| attempts::claim_due(tx, at(50), at(200), 50)).await.unwrap();
        assert_eq!(due.len(), 1, "the clock was set back by more than an hour");
        assert!(store.write(|tx| attempts::claim_due(tx, at(51), at(200), 50)).await.unwrap().is_empty());
    }

    async fn one_alarm_is_open_for_a_kind_and_a_subject(store: Store) {
        let order = some_order(&store).await.id;
        let raise = move |number: u64, kind, second| {
            move |tx: &mut crate::Tx| alarms::raise(tx, AlarmId::new(id(number)), kind, "attempt:1", Some(order), at(second))
        };
        assert!(store.write(raise(800, AlarmKind::LatePayment, 1)).await.unwrap());
        assert!(!store.write(raise(801, AlarmKind::LatePayment, 5)).await.unwrap());
        assert!(!store.read(move |tx| alarms::holds_payment(tx, order)).await.unwrap());
        assert!(store.write(raise(802, AlarmKind::ChargedTwice, 6)).await.unwrap());
        assert!(store.read(move |tx| alarms::holds_payment(tx, order)).await.unwrap());
        let open = store.read(|tx| alarms::list(tx, false, 10)).await.unwrap();
        let counted: Vec<_> = open.iter().map(|alarm| (&*alarm.kind, alarm.count, alarm.last_at)).collect();
        assert_eq!(counted, [("charged_twice", 1, at(6)), ("late_payment", 2, at(5))]);
        let close = |tx: &mut crate::Tx| alarms::close(tx, AlarmId::new(id(802)), "One charge was given back.", at(9));
        assert!(store.write(close).await.unwrap());
        assert!(!store.write(close).await.unwrap());
        assert!(!store.read(move |tx| alarms::holds_payment(tx, order)).await.unwrap());
        assert!(store.write(raise(803, AlarmKind::ChargedTwice, 10)).await.unwrap(), "it is seen anew");
        assert_eq!(store.read(move |tx| alarms::of_order(tx, order)).await.unwrap().len(), 3);
    }

    async fn one_process_holds_a_lease_until_it_runs_out(store: Store) {
        let take = |holder: &'static str, second| {
            move |tx: &mut crate::Tx| {
                let apart = jiff::SignedDuration::from_secs(10);
                leases::take(tx, "statement", holder, at(second), at(second + 60), apart)
            }
        };
        assert!(store.write(take("one", 0)).await.unwrap());
        assert!(!store.write(take("two", 59)).await.unwrap());
        assert!(store.write(take("one", 30)).await.unwrap(), "its holder prolongs it");
        assert!(!store.write(take("two", 89)).await.unwrap());
        assert!(store.write(take("two", 90)).await.unwrap());
        assert!(!store.write(take("one", 91)).await.unwrap());
        assert!(store.write(take("one", 0)).await.unwrap(), "it was taken while the clock was ahead");
    }

    async fn workers_never_take_the_same_attempt(store: Store) {
        let order = some_order(&store).await;
        store
            .write(move |tx| {
                for number in 0..20 {
                    begin_attempt(tx, 300 + number, &order, 0)?;
                }
                begin_attempt(tx, 400, &order, 100).map(|_| ())
            })
            .await
            .unwrap();
        assert!(store.write(|tx| attempts::claim_due(tx, at(9), at(200), 50)).await.unwrap().is_empty());
        let taken = at_once(&store, 6, |_| move |tx| attempts::claim_due(tx, at(10), at(200), 4)).await;
        let taken: Vec<AttemptId> = taken.into_iter().flatten().map(|(attempt, _)| attempt).collect();
        assert_eq!(taken.len(), taken.iter().collect::<BTreeSet<_>>().len());
        let rest = store.write(|tx| attempts::claim_due(tx, at(10), at(200), 50)).await.unwrap();
        assert_eq!(taken.len() + rest.len(), 20);
        let again = store.write(|tx| attempts::claim_due(tx, at(200), at(300), 50)).await.unwrap();
        assert_eq!(again.len(), 21, "what nobody finished comes up again");
        for (attempt, _) in again.into_iter().filter(|(attempt, _)| *attempt != AttemptId::new(id(400))) {
            let attempt = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
            assert_eq!(attempt.checks, 2);
        }
    }

    async fn old_months_of_reports_go_and_their_digests_stay(store: Store) {
        let report = |number: u64, moment: &str, body: &str| NewReport {
            id: ReportId::new(id(500 + number)),
            acquirer: AcquirerName::Monobank,
            received_at: moment.parse().unwrap(),
            invoice_id: InvoiceId::parse(&format!("inv-{number}")),
            modified_at: None,
            body: body.as_bytes().to_vec(),
            signature: None,
            verdict: "new".to_owned(),
        };
        let now: Timestamp = "2026-01-15T12:00:00Z".parse().unwrap();
        assert_eq!(store.read(acquirer_reports::earliest_month).await, Ok(None));
        // The worker of each month makes the tables of the next ones; doing it again changes nothing.
        for _ in 0..2 {
            store.write(move |tx| acquirer_reports::prepare_months(tx, now)).await.unwrap();
        }
        let all = [
            report(1, "2026-01-31T23:59:59.999999Z", "a"),
            report(2, "2026-02-01T00:00:00Z", "b"),
            report(3, "2026-02-28T23:59:59Z", "c"),
            report(4, "2026-04-10T00:00:00Z", "d"),
        ];
        for report in all.clone() {
            assert!(store.write(move |tx| acquirer_reports::insert(tx, &report)).await.unwrap());
        }
        let february = ReportMonth::parse("2026-02").unwrap();
        assert_eq!((february.to_string(), february.next().to_string()), ("2026-02".to_owned(), "2026-03".to_owned()));
        assert_eq!([ReportMonth::parse("2026-13"), ReportMonth::parse("2026-2"), ReportMonth::parse("26-02")], [None; 3]);
        assert_eq!(store.read(acquirer_reports::earliest_month).await, Ok(ReportMonth::parse("2026-01")));
        let page = |after: Option<(Timestamp, ReportId)>| store.read(move |tx| acquirer_reports::page_of_month(tx, february, after, 1));
        let first = page(None).await.unwrap();
        assert_eq!((first.len(), first[0].id), (1, all[1].id));
        let second = page(Some((first[0].received_at, first[0].id))).await.unwrap();
        assert_eq!((second.len(), second[0].id), (1, all[2].id));
        assert!(page(Some((second[0].received_at, second[0].id))).await.unwrap().is_empty());

        let remove = |month: &'static str, count: u64| store.write(move |tx| acquirer_reports::remove_month(tx, ReportMonth::parse(month).unwrap(), count));
        assert!(matches!(remove("2026-02", 1).await, Err(StorageError::Inconsistent { .. })));
        let left = || store.read(|tx| number(tx, "select count(*) from acquirer_reports"));
        assert_eq!(left().await, Ok(4));
        assert_eq!(remove("2026-02", 2).await, Ok(()));
        assert_eq!(left().await, Ok(2));
        // One that stands in no table of its own month goes as well.
        assert_eq!(remove("2026-04", 1).await, Ok(()));
        assert_eq!(remove("2026-01", 1).await, Ok(()));
        assert_eq!(left().await, Ok(0));
        for repeated in all {
            assert_eq!(store.write(move |tx| acquirer_reports::insert(tx, &repeated)).await, Ok(false));
        }
        assert_eq!(left().await, Ok(0));
    }

    async fn of_ten_copies_of_a_report_one_is_new(store: Store) {
        let report = |number: u64, body: &[u8]| NewReport {
            id: ReportId::new(id(500 + number)),
            acquirer: AcquirerName::Monobank,
            received_at: at(1),
            invoice_id: InvoiceId::parse("inv-1"),
            modified_at: Some(at(0)),
            body: body.to_vec(),
            signature: Some("MEUC".to_owned()),
            verdict: "new".to_owned(),
        };
        let fresh = at_once(&store, 10, |number| {
            let report = report(number, b"{\"a\":1}\0\xff");
            move |tx| acquirer_reports::insert(tx, &report)
        })
        .await;
        assert_eq!(fresh.iter().filter(|fresh| **fresh).count(), 1);
        let mut other = report(20, b"{\"a\":2}");
        "stale".clone_into(&mut other.verdict);
        store
            .write(move |tx| {
                assert!(acquirer_reports::claim(tx, &other)?);
                assert!(!acquirer_reports::claim(tx, &other)?);
                acquirer_reports::store(tx, &other)
            })
            .await
            .unwrap();
        let kept = |tx: &mut Tx| {
            let sql = "select body, verdict from acquirer_reports where invoice_id = 'inv-1' order by received_at, id";
            tx.rows(sql, params![], |row| Ok((row.next::<Vec<u8>>()?, row.next::<String>()?)))
        };
        let kept = store.read(kept).await.unwrap();
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0].0, b"{\"a\":1}\0\xff");
        assert_eq!(kept[1].1, "stale");
    }

    async fn the_history_of_an_order_is_kept_in_its_order(store: Store) {
        let order = some_order(&store).await;
        let kinds = [OrderEventKind::Created, OrderEventKind::AcquirerWaits, OrderEventKind::RefundAsked];
        let written = history_of(order.id, kinds);
        let expected = history_of(order.id, ["created", "acquirer_waits", "refund_asked"].map(str::to_owned));
        store
            .write(move |tx| written.iter().try_for_each(|event| of_order(tx, event.order_id, |tx, order| order_events::add(tx, order, event))))
            .await
            .unwrap();
        assert_eq!(store.read(move |tx| order_events::of_order(tx, order.id)).await.unwrap(), expected);
    }

    async fn an_event_of_a_later_program_is_read_with_the_name_of_its_kind(store: Store) {
        let order = some_order(&store).await.id;
        let [event, ..] = history_of(order, [AlarmKind::ChargedTwice; 3]);
        store
            .write(move |tx| {
                order_events::add_alarm(tx, &event)?;
                execute(tx, "update order_events set kind = kind || '_later'")
            })
            .await
            .unwrap();
        let events = store.read(move |tx| order_events::of_order(tx, order)).await.unwrap();
        assert_eq!(events[0].kind, "charged_twice_later");
    }

    async fn what_young_accounts_send_at_once_is_added_up_one_after_another(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let mut made = Vec::new();
        for number in 200..208 {
            made.push(order(&store, number, olena, taras, 20).await.id);
        }
        let mut seen = at_once(&store, 8, |number| {
            let order = made[usize::try_from(number).unwrap()];
            move |tx| {
                let part = payment(PartRole::Recipient, 100);
                let before = transfers::sum_of_young(tx, &part.payee.iban, (Timestamp::MIN, Timestamp::MIN))?;
                let (transfer, item) = (TransferId::new(id(700 + number)), ItemId::new(id(200 + number)));
                plan(tx, transfer, (order, item), &part, at(60))?;
                Ok(before.kopiykas())
            }
        })
        .await;
        seen.sort_unstable();
        assert_eq!(seen, [0, 100, 200, 300, 400, 500, 600, 700], "each sees all that were planned before");
    }

    async fn transfers_planned_together_leave_out_parts_that_have_one(store: Store) {
        let order = some_order(&store).await.id;
        let item = ItemId::new(id(200));
        let stored = store
            .write(move |tx| {
                plan(tx, TransferId::new(id(700)), (order, item), &payment(PartRole::Notary, 100), at(60))?;
                let (notary, recipient) = (payment(PartRole::Notary, 200), payment(PartRole::Recipient, 300));
                let part = |number, planned, is_held| PartToPlan {
                    id: TransferId::new(id(number)),
                    item,
                    planned,
                    is_held,
                    seal: [u8::try_from(number - 700).unwrap(); 32],
                };
                let parts = [part(701, &notary, false), part(702, &recipient, true)];
                of_order(tx, order, |tx, order| transfers::plan_all(tx, order, &parts, at(61)))
            })
            .await
            .unwrap();
        assert_eq!(stored, [TransferId::new(id(702))]);
        let kept = store.read(move |tx| transfers::of_order(tx, order)).await.unwrap();
        let seen: Vec<_> = kept.iter().map(|kept| (kept.id, &kept.planned, kept.held_at, kept.created_at)).collect();
        let (notary, recipient) = (payment(PartRole::Notary, 100), payment(PartRole::Recipient, 300));
        assert_eq!(seen, [
            (TransferId::new(id(700)), &notary, None, at(60)),
            (TransferId::new(id(702)), &recipient, Some(at(61)), at(61)),
        ]);
        let seal = |tx: &mut Tx| {
            let sql = "select seal from transfers where held_at is not null";
            tx.row(sql, params![], |row| row.next::<Vec<u8>>())
        };
        assert_eq!(store.read(seal).await.unwrap(), [2; 32]);
    }

    async fn planning_twice_owes_nothing_twice_and_steps_are_guarded(store: Store) {
        let order = some_order(&store).await;
        let item = ItemId::new(id(200));
        let (first, second) = (TransferId::new(id(700)), TransferId::new(id(701)));
        let planned = at_once(&store, 10, |number| {
            let order = order.id;
            move |tx| {
                let notary = plan(tx, TransferId::new(id(700 + 2 * number)), (order, item), &payment(PartRole::Notary, 20_400), at(60))?;
                let recipient = plan(tx, TransferId::new(id(701 + 2 * number)), (order, item), &payment(PartRole::Recipient, 13_600), at(61))?;
                Ok(u8::from(notary) + u8::from(recipient))
            }
        })
        .await;
        assert_eq!(planned.iter().sum::<u8>(), 2);
        let order_id = order.id;
        let mut kept = store.read(move |tx| transfers::of_order(tx, order_id)).await.unwrap();
        kept.sort_by_key(|transfer| transfer.created_at);
        assert_eq!(kept[0].planned, payment(PartRole::Notary, 20_400));
        assert_eq!(kept[1].planned, payment(PartRole::Recipient, 13_600));
        assert!(kept[0].document_number < kept[1].document_number);
        assert!(!format!("{kept:?}").contains("Шевченко"));
        let (first, second) = if kept[0].id == first { (first, second) } else { (kept[0].id, kept[1].id) };
        store
            .write(move |tx| {
                let told = BankAnswer { uetr: Uetr::parse("eb6305c9-1f7f-49de-aed0-16487c27b42d"), ..BankAnswer::default() };
                let back = BankAnswer { returned_on: Some(date(2026, 3, 4)), ..told.clone() };
                let sent = transfers::Step { from: TransferStatus::Planned, to: TransferStatus::Sent, reason: None, value_date: Some(date(2026, 3, 2)), bank: &told };
                // What no bank has can't come back from one.
                let early = transfers::Step { to: TransferStatus::Returned, reason: Some("wrong code"), ..sent.clone() };
                assert!(!step_transfer(tx, first, &early, at(69))?);
                assert!(!step_transfer(tx, first, &sent, at(69))?, "the order is not paid");
                tx.execute("update orders set status = 'paid', paid_at = created_at where id = ?1", params![order_id])?;
                assert!(step_transfer(tx, first, &sent, at(70))?);
                assert!(!step_transfer(tx, first, &sent, at(71))?);
                let returned = transfers::Step { from: TransferStatus::Sent, value_date: None, bank: &back, ..early };
                assert!(step_transfer(tx, first, &returned, at(72))?);
                let found = transfers::by_id(tx, first)?.unwrap();
                assert_eq!((found.status, found.reason.as_deref(), found.updated_at), (TransferStatus::Returned, Some("wrong code"), at(72)));
                assert_eq!((found.value_date, found.returned_day()), (Some(date(2026, 3, 2)), Some(date(2026, 3, 4))));
                assert_eq!(found.bank, back);
                let whole = BankAnswer { credited_on: Some(date(2026, 3, 3)), ..back };
                of_transfer(tx, first, |tx, first| transfers::keep_answer(tx, first, &whole, at(73)))?;
                let found = transfers::by_id(tx, first)?.unwrap();
                assert_eq!((&found.bank, found.updated_at), (&whole, at(72)));
                assert_eq!(transfers::by_uetr(tx, whole.uetr.as_ref().unwrap())?, Some(first));
                assert_eq!(transfers::imported_since(tx, at(72))?, [(at(73), order_id)]);
                // What a bank returned is planned anew by nobody; what the cabinet called off is.
                assert_eq!(of_order(tx, order_id, |tx, order| transfers::plan_called_off(tx, order, at(73)))?, 0);
                assert_eq!(of_order(tx, order_id, |tx, order| transfers::call_off(tx, order, at(74)))?, 1);
                assert_eq!(transfers::by_id(tx, second)?.unwrap().status, TransferStatus::CalledOff);
                assert_eq!(of_order(tx, order_id, |tx, order| transfers::plan_called_off(tx, order, at(75)))?, 1);
                tx.execute("update orders set status = 'in_progress', paid_at = null where id = ?1", params![order_id])?;
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        let twice = store.write(move |tx| {
            let number = next_document_number(tx)? + 1;
            tx.execute("update transfers set document_number = ?1 where id = ?2", params![number, second])?;
            let returned = transfers::by_id(tx, first)?.unwrap();
            of_transfer(tx, first, |tx, first| transfers::replace(tx, TransferId::new(id(800)), (first, &returned), &returned.planned.payee, false, at(75)))
        });
        assert!(twice.await.is_err(), "a document number that another transfer has");
        let unpaid = store.read(|tx| transfers::to_send(tx, None, 10)).await.unwrap();
        assert!(unpaid.is_empty(), "the order is not paid");
        let paid = move |tx: &mut Tx| step(tx, order_id, OrderStatus::InProgress, OrderStatus::Paid, at(76));
        assert!(store.write(paid).await.unwrap());
        let planned = store
            .read(|tx| transfers::to_send(tx, None, 10))
            .await
            .unwrap();
        assert_eq!(planned.iter().map(|transfer| transfer.id).collect::<Vec<_>>(), [second]);
        let after = planned[0].clone();
        let none = store
            .read(move |tx| transfers::to_send(tx, Some(&after), 10))
            .await
            .unwrap();
        assert!(none.is_empty());
    }

    async fn the_outbox_gives_each_row_to_one_worker_until_it_is_done(store: Store) {
        store
            .write(|tx| {
                for number in 0..10 {
                    outbox::add(tx, id(800 + number), "mail", "{\"to\":\"olena@example.com\"}", at(0), at(10))?;
                }
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        assert!(store.write(|tx| outbox::claim_due(tx, ANY, at(9), at(100), 50)).await.unwrap().is_empty());
        let taken = at_once(&store, 5, |_| move |tx| outbox::claim_due(tx, ANY, at(10), at(100), 3)).await;
        let taken: Vec<Uuid> = taken.into_iter().flatten().map(|row| row.id).collect();
        assert_eq!(taken.len(), taken.iter().collect::<BTreeSet<_>>().len());
        let rest = store.write(|tx| outbox::claim_due(tx, ANY, at(10), at(100), 50)).await.unwrap();
        assert_eq!(taken.len() + rest.len(), 10);
        assert!(!format!("{rest:?}").contains("olena"));
        store
            .write(|tx| {
                outbox::delivered(tx, id(800), at(20))?;
                outbox::park(tx, id(801), at(20), "no such mailbox")?;
                outbox::retry(tx, id(802), at(20), at(500), "greylisted")
            })
            .await
            .unwrap();
        assert_eq!(waiting_and_parked(&store).await, (8, 1));
        let again = store.write(|tx| outbox::claim_due(tx, ANY, at(100), at(200), 50)).await.unwrap();
        assert_eq!(again.len(), 7);
        assert!(again.iter().all(|row| row.tries == 2 && row.payload.contains("olena")));
        assert_eq!(store.write(|tx| outbox::parked(tx)?.into_iter().map(|task| outbox::unpark(tx, task.id, at(300))).collect::<crate::Result<Vec<bool>>>()).await, Ok(vec![true]));
        assert_eq!(waiting_and_parked(&store).await, (9, 0));
        assert_eq!(store.read(|tx| crate::testing::number(tx, "select count(*) from outbox where payload = ''")).await, Ok(1));
        assert_eq!(store.write(|tx| outbox::purge(tx, at(21))).await, Ok(1));
    }

    async fn a_letter_put_off_in_what_is_now_the_future_is_due(store: Store) {
        let hour = 3_600;
        store
            .write(move |tx| {
                outbox::add(tx, id(800), "mail", "{}", at(hour), at(hour))?;
                outbox::claim_due(tx, ANY, at(hour), at(hour + 300), 50).map(drop)
            })
            .await
            .unwrap();
        let due = |now: i64| store.write(move |tx| outbox::claim_due(tx, ANY, at(now), at(now + 300), 50));
        assert_eq!(due(hour + 10).await.unwrap().len(), 0, "another worker has it");
        assert_eq!(due(0).await.unwrap().len(), 1, "the clock was set back by an hour");
        assert_eq!(due(10).await.unwrap().len(), 0);
    }

    async fn complaints_are_kept_for_their_notary(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let complaint = Complaint {
            id: id(900),
            number: 1_001,
            notary_id: olena,
            item_id: ItemId::new(id(1)),
            text: Line::parse("Невірний отримувач", 1000).unwrap(),
            call_back: true,
            created_at: at(5),
        };
        let written = complaint.clone();
        store.write(locked(olena, move |tx, notary| complaints::insert(tx, notary, &written))).await.unwrap();
        let kept = |notary: NotaryId| {
            store.read(move |tx| {
                let sql = "select id, number, notary_id, item_id, text, call_back, created_at from complaints where notary_id = ?1";
                tx.rows(sql, params![notary], |row| {
                    Ok(Complaint {
                        id: row.next()?,
                        number: row.next()?,
                        notary_id: row.next()?,
                        item_id: row.next()?,
                        text: row.next()?,
                        call_back: row.next()?,
                        created_at: row.next()?,
                    })
                })
            })
        };
        assert_eq!(kept(olena).await, Ok(vec![complaint]));
        assert_eq!(kept(ihor).await, Ok(Vec::new()));
    }

    async fn versions_of_reference_data_stand_beside_each_other(store: Store) {
        assert_eq!(store.read(reference_data::latest_version).await, Ok(None));
        let files = |text: &str| BTreeMap::from([("regions.csv".to_owned(), text.to_owned()), ("terms.csv".to_owned(), "id\n".to_owned())]);
        let mut numbers = at_once(&store, 5, |number| {
            let files = files(&format!("Київ {number}"));
            move |tx| reference_data::add_version(tx, at(1), &files)
        })
        .await;
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        let newest = files("Львів");
        let written = newest.clone();
        assert_eq!(store.write(move |tx| reference_data::add_version(tx, at(2), &written)).await, Ok(6));
        assert_eq!(store.read(reference_data::latest_version).await, Ok(Some(6)));
        assert_eq!(store.read(|tx| reference_data::files_of(tx, 6)).await.unwrap(), newest);
        let loaded = |tx: &mut Tx| {
            let sql = "select loaded_at from reference_versions where version = 6";
            tx.row(sql, params![], |row| row.next::<Timestamp>())
        };
        assert_eq!(store.read(loaded).await, Ok(at(2)));
    }
}

#[test]
fn each_month_of_reports_is_a_partition() {
    run_on_postgres(|store| async move {
        let prepare = |now: &str| {
            let now: Timestamp = now.parse().unwrap();
            store.write(move |tx| acquirer_reports::prepare_months(tx, now))
        };
        let partitions = || {
            store.read(|tx| {
                let sql = "select cast(relname as text) from pg_class where relispartition and relkind = 'r' order by relname";
                tx.rows(sql, params![], |row| row.next::<String>())
            })
        };
        prepare("2026-11-30T23:59:59Z").await.unwrap();
        let three = [
            "acquirer_reports_2026_12",
            "acquirer_reports_2027_01",
            "acquirer_reports_other",
        ];
        assert_eq!(partitions().await.unwrap(), three);
        store
            .write(|tx| {
                let sql = "insert into acquirer_reports (id, received_at, body, verdict) values (?1, ?2, 'x', 'new')";
                let moment: Timestamp = "2027-02-03T00:00:00Z".parse().unwrap();
                tx.execute(sql, params![id(1), moment])
            })
            .await
            .unwrap();
        // A month in which reports have come before it had a table stays with the others; the next one has its own.
        prepare("2027-01-01T00:00:00Z").await.unwrap();
        let four = [
            "acquirer_reports_2026_12",
            "acquirer_reports_2027_01",
            "acquirer_reports_2027_03",
            "acquirer_reports_other",
        ];
        assert_eq!(partitions().await.unwrap(), four);
        store
            .write(|tx| {
                acquirer_reports::remove_month(tx, ReportMonth::parse("2026-12").unwrap(), 0)
            })
            .await
            .unwrap();
        assert_eq!(partitions().await.unwrap(), four[1..]);
    });
}
