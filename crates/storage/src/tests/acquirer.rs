//! Attempts, reports, history, transfers, the outbox, complaints and reference data.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{
    ActualPayer, AttemptId, EventId, Iban, ItemId, Line, Money, Okpo, OrderStatus, PartRole, Payee,
    PlannedTransfer, ReportId, TransferId, TransferStatus,
};
use jiff::Timestamp;
use uuid::Uuid;

use super::fixtures::{at, at_once, begin_attempt, client, id, inn, name, notary, order};
use crate::acquirer_reports::{self, NewReport};
use crate::attempts::{self, AcquirerFacts, AttemptState};
use crate::complaints::{self, Complaint};
use crate::order_events::{self, OrderHistoryEvent};
use crate::orders::Order;
use crate::outbox::{self, OutboxCounts};
use crate::{ConstraintKind, StorageError, Store, on_both_databases, reference_data, transfers};

async fn some_order(store: &Store) -> Order {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400")
        .await
        .id;
    order(store, 200, olena, taras, 20).await
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

fn facts(status: &str, rank: i64, second: i64) -> AcquirerFacts {
    AcquirerFacts {
        status: status.to_owned(),
        rank,
        modified_at: at(second),
        ..AcquirerFacts::default()
    }
}

fn payment(role: PartRole, amount: i64) -> PlannedTransfer {
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

on_both_databases! {
    async fn an_attempt_is_accepted_once(store: Store) {
        let (order, attempt) = some_attempt(&store).await;
        let begun = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
        assert_eq!((begun.state, begun.amount, begun.checks, begun.next_check_at), (AttemptState::Asked, order.sum, 0, Some(at(80))));
        let accept = move |tx: &mut crate::Tx| {
            attempts::record_accepted(tx, attempt, "inv-1", Some("https://pay.example/1"), Some(at(900)), at(90), at(21))
        };
        assert!(store.write(accept).await.unwrap());
        assert!(!store.write(accept).await.unwrap());
        assert!(!store.write(move |tx| attempts::record_refused(tx, attempt, None, "late", at(22))).await.unwrap());
        let found = store.read(|tx| attempts::by_invoice(tx, "inv-1")).await.unwrap().unwrap();
        assert_eq!((found.id, found.state, found.answered_at), (attempt, AttemptState::Accepted, Some(at(21))));
        assert_eq!((found.page_url.as_deref(), found.expires_at), (Some("https://pay.example/1"), Some(at(900))));
        assert!(store.read(|tx| attempts::by_invoice(tx, "inv-2")).await.unwrap().is_none());
    }

    async fn a_refused_attempt_is_asked_about_no_more(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        assert!(store.write(move |tx| attempts::record_refused(tx, attempt, Some("59"), "declined", at(21))).await.unwrap());
        store.write(move |tx| attempts::schedule(tx, attempt, Some(at(30)), None)).await.unwrap();
        let found = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
        assert_eq!((found.state, found.failure_code.as_deref(), found.next_check_at), (AttemptState::Refused, Some("59"), None));
    }

    async fn whatever_order_reports_come_in_the_newest_and_most_final_holds(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        // Two of them in one second: the acquirer's times are that coarse.
        let told = [facts("created", 1, 30), facts("processing", 2, 31), facts("failure", 4, 40), facts("success", 5, 40)];
        let mut permutations = vec![vec![]];
        for fact in told {
            permutations = permutations
                .into_iter()
                .flat_map(|permutation: Vec<AcquirerFacts>| {
                    (0..=permutation.len()).map({
                        let fact = fact.clone();
                        move |place| {
                            let mut longer = permutation.clone();
                            longer.insert(place, fact.clone());
                            longer
                        }
                    })
                })
                .collect();
        }
        assert_eq!(permutations.len(), 24);
        for permutation in permutations {
            let found = store
                .write(move |tx| {
                    crate::testing::execute(tx, "update attempts set acquirer_status = null, acquirer_rank = 0, acquirer_modified_at = null")?;
                    for fact in &permutation {
                        attempts::record_facts(tx, attempt, fact, at(50))?;
                        assert!(!attempts::record_facts(tx, attempt, fact, at(50))?, "the same again changes nothing");
                    }
                    attempts::by_id(tx, attempt)
                })
                .await
                .unwrap()
                .unwrap();
            assert_eq!((found.acquirer_status.as_deref(), found.acquirer_modified_at), (Some("success"), Some(at(40))));
        }
    }

    async fn a_report_that_comes_before_the_answer_accepts_the_attempt(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        let told = AcquirerFacts {
            invoice_id: Some("inv-1".to_owned()),
            masked_pan: Some("44414145******98".to_owned()),
            payment_system: Some("visa".to_owned()),
            approval_code: Some("123456".to_owned()),
            rrn: Some("060189181768".to_owned()),
            ..facts("success", 5, 30)
        };
        assert!(store.write(move |tx| attempts::record_facts(tx, attempt, &told, at(31))).await.unwrap());
        assert!(!store.write(move |tx| attempts::record_accepted(tx, attempt, "inv-1", Some("https://pay.example/1"), None, at(90), at(32))).await.unwrap());
        store.write(move |tx| attempts::record_page(tx, attempt, "https://pay.example/1", Some(at(900)))).await.unwrap();
        let later = facts("reversed", 6, 60);
        assert!(store.write(move |tx| attempts::record_facts(tx, attempt, &later, at(61))).await.unwrap());
        let found = store.read(move |tx| attempts::by_id(tx, attempt)).await.unwrap().unwrap();
        assert_eq!((found.state, found.invoice_id.as_deref(), found.answered_at), (AttemptState::Accepted, Some("inv-1"), Some(at(31))));
        assert_eq!((found.masked_pan.as_deref(), found.rrn.as_deref()), (Some("44414145******98"), Some("060189181768")), "what is not said again stays");
        assert_eq!(found.page_url.as_deref(), Some("https://pay.example/1"));
    }

    async fn a_full_card_number_from_the_acquirer_is_not_stored(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        let told = AcquirerFacts { masked_pan: Some("4242424242424242".to_owned()), ..facts("success", 5, 30) };
        let refusal = store.write(move |tx| attempts::record_facts(tx, attempt, &told, at(31))).await.unwrap_err();
        assert!(matches!(refusal, StorageError::Constraint { kind: ConstraintKind::Check, .. }), "{refusal:?}");
    }

    async fn an_attempt_ends_and_a_later_fact_may_end_it_otherwise(store: Store) {
        let (order, attempt) = some_attempt(&store).await;
        store
            .write(move |tx| {
                assert!(attempts::finish(tx, attempt, OrderStatus::Expired)?);
                assert!(!attempts::finish(tx, attempt, OrderStatus::Expired)?);
                assert!(!attempts::supersede(tx, attempt, None)?);
                assert!(attempts::finish(tx, attempt, OrderStatus::Paid)?);
                let second = begin_attempt(tx, 301, &order, 50)?;
                assert!(attempts::supersede(tx, second, None)?);
                let third = begin_attempt(tx, 302, &order, 51)?;
                assert_eq!(attempts::current_of(tx, order.id)?.map(|attempt| attempt.id), Some(third));
                let all = attempts::of_order(tx, order.id)?;
                assert_eq!(
                    all.iter().map(|attempt| (attempt.state, attempt.outcome)).collect::<Vec<_>>(),
                    [(AttemptState::Finished, Some(OrderStatus::Paid)), (AttemptState::Superseded, None), (AttemptState::Asked, None)]
                );
                let begun = attempts::begun_between(tx, at(50), at(51))?;
                assert_eq!(begun.iter().map(|attempt| attempt.id).collect::<Vec<_>>(), [second]);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn a_superseded_attempt_is_asked_about_until_it_is_closed(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        store
            .write(move |tx| {
                assert!(attempts::supersede(tx, attempt, Some(at(90)))?);
                assert!(attempts::claim_due(tx, at(89), at(200), 50)?.is_empty());
                let due = attempts::claim_due(tx, at(90), at(200), 50)?;
                assert_eq!(due.iter().map(|due| (due.id, due.state)).collect::<Vec<_>>(), [(attempt, AttemptState::Superseded)]);
                attempts::schedule(tx, attempt, Some(at(150)), None)?;
                assert_eq!(attempts::by_id(tx, attempt)?.and_then(|found| found.next_check_at), Some(at(150)));
                assert!(attempts::supersede(tx, attempt, None)?);
                assert!(!attempts::supersede(tx, attempt, None)?);
                attempts::schedule(tx, attempt, Some(at(150)), None)?;
                assert_eq!(attempts::by_id(tx, attempt)?.and_then(|found| found.next_check_at), None, "it stays closed");
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn only_an_invoice_that_nobody_was_shown_and_nobody_pays_is_replaced(store: Store) {
        let (_, attempt) = some_attempt(&store).await;
        let told = |status: &str, rank: i64, second: i64| AcquirerFacts { invoice_id: Some("inv-1".to_owned()), ..facts(status, rank, second) };
        let (created, processing) = (told("created", 1, 30), told("processing", 2, 31));
        store
            .write(move |tx| {
                attempts::record_facts(tx, attempt, &created, at(31))?;
                attempts::replace_invoice(tx, attempt, "inv-2")?;
                let found = attempts::by_id(tx, attempt)?.unwrap();
                assert_eq!((found.invoice_id.as_deref(), found.acquirer_status, found.acquirer_modified_at), (Some("inv-2"), None, None));
                attempts::record_facts(tx, attempt, &created, at(32))?;
                attempts::replace_invoice(tx, attempt, "inv-1")?;
                let found = attempts::by_id(tx, attempt)?.unwrap();
                assert_eq!(found.acquirer_status.as_deref(), Some("created"), "the same invoice is no other one");
                attempts::record_facts(tx, attempt, &processing, at(33))?;
                attempts::replace_invoice(tx, attempt, "inv-3")?;
                assert_eq!(attempts::by_id(tx, attempt)?.unwrap().invoice_id.as_deref(), Some("inv-1"));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
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
        assert!(store.write(|tx| attempts::claim_due(tx, at(59), at(200), 50)).await.unwrap().is_empty());
        let taken = at_once(&store, 6, |_| move |tx| attempts::claim_due(tx, at(60), at(200), 4)).await;
        let taken: Vec<AttemptId> = taken.into_iter().flatten().map(|attempt| attempt.id).collect();
        assert_eq!(taken.len(), taken.iter().collect::<BTreeSet<_>>().len());
        let rest = store.write(|tx| attempts::claim_due(tx, at(60), at(200), 50)).await.unwrap();
        assert_eq!(taken.len() + rest.len(), 20);
        let again = store.write(|tx| attempts::claim_due(tx, at(200), at(300), 50)).await.unwrap();
        assert_eq!(again.len(), 21, "what nobody finished comes up again");
        assert!(again.iter().filter(|attempt| attempt.id != AttemptId::new(id(400))).all(|attempt| attempt.checks == 2));
        let one = again[0].id;
        store.write(move |tx| attempts::schedule(tx, one, None, Some("timed out"))).await.unwrap();
        assert_eq!(store.write(|tx| attempts::claim_due(tx, at(300), at(400), 50)).await.unwrap().len(), 20);
        let found = store.read(move |tx| attempts::by_id(tx, one)).await.unwrap().unwrap();
        assert_eq!((found.next_check_at, found.last_error.as_deref()), (None, Some("timed out")));
    }

    async fn of_ten_copies_of_a_report_one_is_new(store: Store) {
        let report = |number: u64, body: &[u8]| NewReport {
            id: ReportId::new(id(500 + number)),
            received_at: at(1),
            invoice_id: Some("inv-1".to_owned()),
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
        let other = report(20, b"{\"a\":2}");
        assert!(store.write(move |tx| acquirer_reports::insert(tx, &other)).await.unwrap());
        store.write(|tx| acquirer_reports::set_verdict(tx, ReportId::new(id(520)), "stale")).await.unwrap();
        let kept = store.read(|tx| acquirer_reports::of_invoice(tx, "inv-1")).await.unwrap();
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0].body, b"{\"a\":1}\0\xff");
        assert_eq!(kept[1].verdict, "stale");
    }

    async fn the_history_of_an_order_is_kept_in_its_order(store: Store) {
        let order = some_order(&store).await;
        let events = [
            (1, 20, "created", None, Some(OrderStatus::InProgress)),
            (2, 21, "acquirer_waits", Some(OrderStatus::InProgress), Some(OrderStatus::Pending)),
            (3, 21, "no_answer", Some(OrderStatus::Pending), None),
        ]
        .map(|(number, second, kind, from_status, to_status)| OrderHistoryEvent {
            id: EventId::new(id(600 + number)),
            order_id: order.id,
            at: at(second),
            kind: kind.to_owned(),
            from_status,
            to_status,
            detail: (number == 3).then(|| "code 59".to_owned()),
        });
        let (written, expected) = (events.clone(), events);
        store
            .write(move |tx| written.iter().rev().try_for_each(|event| order_events::add(tx, event)))
            .await
            .unwrap();
        assert_eq!(store.read(move |tx| order_events::of_order(tx, order.id)).await.unwrap(), expected);
    }

    async fn planning_twice_owes_nothing_twice_and_steps_are_guarded(store: Store) {
        let order = some_order(&store).await;
        let item = ItemId::new(id(200));
        let (first, second) = (TransferId::new(id(700)), TransferId::new(id(701)));
        let planned = at_once(&store, 10, |number| {
            let order = order.id;
            move |tx| {
                let notary = transfers::plan(tx, TransferId::new(id(700 + 2 * number)), order, item, &payment(PartRole::Notary, 20_400), at(60))?;
                let recipient = transfers::plan(tx, TransferId::new(id(701 + 2 * number)), order, item, &payment(PartRole::Recipient, 13_600), at(61))?;
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
        assert!(!format!("{kept:?}").contains("Шевченко"));
        let (first, second) = if kept[0].id == first { (first, second) } else { (kept[0].id, kept[1].id) };
        store
            .write(move |tx| {
                assert!(transfers::step(tx, first, TransferStatus::Planned, TransferStatus::Sent, None, at(70))?);
                assert!(!transfers::step(tx, first, TransferStatus::Planned, TransferStatus::Sent, None, at(71))?);
                assert!(transfers::step(tx, first, TransferStatus::Sent, TransferStatus::Returned, Some("wrong code"), at(72))?);
                let found = transfers::by_id(tx, first)?.unwrap();
                assert_eq!((found.status, found.reason.as_deref(), found.updated_at), (TransferStatus::Returned, Some("wrong code"), at(72)));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        let planned = store
            .read(|tx| transfers::in_status(tx, TransferStatus::Planned, Timestamp::MIN, Timestamp::MAX, None, 10))
            .await
            .unwrap();
        assert_eq!(planned.iter().map(|transfer| transfer.id).collect::<Vec<_>>(), [second]);
        let after = planned[0].clone();
        let none = store
            .read(move |tx| transfers::in_status(tx, TransferStatus::Planned, Timestamp::MIN, Timestamp::MAX, Some(&after), 10))
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
        assert!(store.write(|tx| outbox::claim_due(tx, at(9), at(100), 50)).await.unwrap().is_empty());
        let taken = at_once(&store, 5, |_| move |tx| outbox::claim_due(tx, at(10), at(100), 3)).await;
        let taken: Vec<Uuid> = taken.into_iter().flatten().map(|row| row.id).collect();
        assert_eq!(taken.len(), taken.iter().collect::<BTreeSet<_>>().len());
        let rest = store.write(|tx| outbox::claim_due(tx, at(10), at(100), 50)).await.unwrap();
        assert_eq!(taken.len() + rest.len(), 10);
        assert!(!format!("{rest:?}").contains("olena"));
        store
            .write(|tx| {
                outbox::delivered(tx, id(800), at(20))?;
                outbox::park(tx, id(801), at(20), "no such mailbox")?;
                outbox::retry(tx, id(802), at(500), "greylisted")
            })
            .await
            .unwrap();
        assert_eq!(store.read(outbox::counts).await, Ok(OutboxCounts { waiting: 8, parked: 1 }));
        let again = store.write(|tx| outbox::claim_due(tx, at(100), at(200), 50)).await.unwrap();
        assert_eq!(again.len(), 7);
        assert!(again.iter().all(|row| row.tries == 2 && row.payload.contains("olena")));
        assert_eq!(store.write(|tx| outbox::unpark_all(tx, at(300))).await, Ok(1));
        assert_eq!(store.read(outbox::counts).await, Ok(OutboxCounts { waiting: 9, parked: 0 }));
        assert_eq!(store.read(|tx| crate::testing::number(tx, "select count(*) from outbox where payload = ''")).await, Ok(1));
        assert_eq!(store.write(|tx| outbox::purge(tx, at(21))).await, Ok(1));
    }

    async fn complaints_are_kept_for_their_notary(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let complaint = Complaint {
            id: id(900),
            notary_id: olena,
            item_id: ItemId::new(id(1)),
            text: Line::parse("Невірний отримувач", 1000).unwrap(),
            created_at: at(5),
        };
        let written = complaint.clone();
        store.write(move |tx| complaints::insert(tx, &written)).await.unwrap();
        assert_eq!(store.read(move |tx| complaints::of_notary(tx, olena, at(5))).await.unwrap(), [complaint]);
        assert!(store.read(move |tx| complaints::of_notary(tx, olena, at(6))).await.unwrap().is_empty());
        assert!(store.read(move |tx| complaints::of_notary(tx, ihor, at(0))).await.unwrap().is_empty());
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
        assert_eq!(store.read(reference_data::versions).await.unwrap()[0], (6, at(2)));
    }
}
