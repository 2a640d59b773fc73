//! Refunds, and the transfers that they keep from being sent.

use cabinet_domain::payment::{AlarmKind, Missing, Refund, RefundScope, RefundStage};
use cabinet_domain::{
    AlarmId, AttemptId, CodesCredit, EventId, ItemId, Money, OperatorReason, Order, OrderEventKind,
    OrderHistoryEvent, OrderId, OrderStatus, PartRole, RefundId, Transfer, TransferId,
    TransferStatus,
};
use jiff::Timestamp;
use jiff::civil::Date;

use super::acquirer::{payment, some_order};
use super::fixtures::{
    at, begin_attempt, id, of_order, of_transfer, pay_attempt, plan, step, step_transfer,
};
use crate::engine::migrations::run_again;
use crate::engine::value::params;
use crate::operator::alarms;
use crate::order::{codes_credits, order_events};
use crate::payment::{attempts, refunds};
use crate::transfer::transfers;
use crate::{StorageError, Store, Tx, books, on_both_databases};

const PART: TransferId = TransferId::new(id_of(700));
const OWN: TransferId = TransferId::new(id_of(701));

const fn id_of(number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0000 | number)
}

/// A paid order with two planned transfers.
async fn paid(store: &Store) -> (Order, AttemptId) {
    let order = some_order(store).await;
    let known = order.clone();
    let attempt = store
        .write(move |tx| {
            let attempt = begin_attempt(tx, 300, &known, 20)?;
            pay_attempt(tx, attempt, 30)?;
            step(
                tx,
                known.id,
                OrderStatus::InProgress,
                OrderStatus::Paid,
                at(30),
            )?;
            for (id, role) in [(PART, PartRole::Recipient), (OWN, PartRole::Notary)] {
                let planned = payment(role, 10_000);
                let item = ItemId::new(super::fixtures::id(200));
                plan(tx, id, (known.id, item), &planned, at(40))?;
            }
            Ok::<_, StorageError>(attempt)
        })
        .await
        .unwrap();
    (order, attempt)
}

fn refund(number: u64, order: &Order, attempt: AttemptId, scope: RefundScope) -> Refund {
    Refund {
        id: RefundId::new(id(number)),
        order_id: order.id,
        attempt_id: attempt,
        scope,
        amount: Money::from_kopiykas(10_000).unwrap(),
        given_back_before: Money::from_kopiykas(250).unwrap(),
        reason: OperatorReason::parse("SD-1").unwrap(),
        created_at: at(50),
        checks: 0,
        stage: RefundStage::Prepared {
            next_check_at: at(60),
        },
        absence: Some(super::acquirer::absence(Missing::Refund)),
    }
}

fn stages() -> Vec<RefundStage> {
    let (next_check_at, submitted_at) = (at(70), Some(at(55)));
    let last_error = Some("lost".to_owned());
    vec![
        RefundStage::Prepared { next_check_at },
        RefundStage::Submitted {
            submitted_at,
            next_check_at,
            last_error: last_error.clone(),
        },
        RefundStage::Accepted {
            submitted_at,
            next_check_at,
            last_error,
        },
        RefundStage::Refused {
            code: "no_trace".to_owned(),
            at: at(80),
        },
        RefundStage::NotSent { at: at(80) },
        RefundStage::Done { at: at(81) },
    ]
}

fn save(tx: &mut Tx, refund: &Refund, now: Timestamp) -> crate::Result<()> {
    of_order(tx, refund.order_id, |tx, order| {
        refunds::save(tx, order, refund, now)
    })
}

fn hold(tx: &mut Tx, refund: &Refund) -> crate::Result<bool> {
    of_order(tx, refund.order_id, |tx, order| {
        refunds::hold_transfers(tx, order, refund)
    })
}

fn give_back(tx: &mut Tx, refund: RefundId, now: Timestamp) -> crate::Result<bool> {
    of_transfer(tx, PART, |tx, part| {
        refunds::give_back_transfer(tx, refund, part, "SD-1", now)
    })
}

fn take_back_mark(tx: &mut Tx, order: OrderId, today: Date) -> crate::Result<bool> {
    of_order(tx, order, |tx, order| {
        let (part, _) = transfers::lock_of(tx, order, PART)?.unwrap();
        transfers::take_back_mark(tx, order, &part, today, at(80))
    })
}

fn part(tx: &mut Tx) -> Transfer {
    transfers::by_id(tx, PART).unwrap().unwrap()
}

/// How many transfers an export would have.
fn sendable(tx: &mut Tx) -> usize {
    transfers::to_send(tx, None, 10).unwrap().len()
}

fn mark_as_sent(tx: &mut Tx) -> bool {
    let step = transfers::Step {
        from: TransferStatus::Planned,
        to: TransferStatus::Sent,
        reason: None,
        value_date: None,
        bank: &cabinet_domain::BankAnswer::default(),
    };
    step_transfer(tx, PART, &step, at(90)).unwrap()
}

on_both_databases! {
    async fn each_stage_is_read_back_as_it_was_stored(store: Store) {
        let (order, attempt) = paid(&store).await;
        for stage in stages() {
            let stored = Refund { stage, ..refund(800, &order, attempt, RefundScope::Transfer(PART)) };
            let (expected, id) = (stored.clone(), order.id);
            let read = store.write(move |tx| { save(tx, &stored, at(60))?; refunds::of_order(tx, id) }).await.unwrap();
            assert_eq!(read, [expected]);
        }
    }

    async fn under_the_lock_of_another_order_nothing_of_an_order_is_stored(store: Store) {
        let (order, attempt) = paid(&store).await;
        let other = super::fixtures::order(&store, 210, order.notary_id, order.client.id, 21).await.id;
        store
            .write(move |tx| {
                let known = refund(800, &order, attempt, RefundScope::Transfer(PART));
                save(tx, &known, at(50))?;
                assert!(hold(tx, &known)?);
                let paid = attempts::by_id(tx, attempt)?.unwrap();
                let item = ItemId::new(super::fixtures::id(200));
                let credit = CodesCredit { on: cabinet_domain::kyiv_date(at(50)), reference: None };
                let event = OrderHistoryEvent {
                    id: EventId::new(id(900)), order_id: order.id, at: at(50), kind: OrderEventKind::CodesPaid,
                    from_status: None, to_status: None, detail: None,
                };
                of_order(tx, other, |tx, other| {
                    let refused = [
                        attempts::save(tx, other, &paid, at(60)),
                        refunds::save(tx, other, &known, at(60)),
                        refunds::hold_transfers(tx, other, &known).map(drop),
                        refunds::release_transfers(tx, other, &known).map(drop),
                        order_events::add(tx, other, &event),
                    ];
                    for (place, refused) in refused.into_iter().enumerate() {
                        assert!(matches!(refused, Err(StorageError::Inconsistent { .. })), "{place}: {refused:?}");
                    }
                    assert!(!codes_credits::record(tx, other, item, &credit)?);
                    Ok(())
                })?;
                assert!(of_order(tx, order.id, |tx, order| codes_credits::record(tx, order, item, &credit))?);
                assert_eq!(sendable(tx), 0, "the refund keeps its transfers");
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn of_a_row_of_an_earlier_program_our_refunds_were_given_back_before(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let kopiykas = |amount| Money::from_kopiykas(amount).unwrap();
                let done = Refund { amount: kopiykas(300), stage: RefundStage::Done { at: at(48) }, ..refund(800, &order, attempt, RefundScope::Sum) };
                let not_made = Refund { amount: kopiykas(70), stage: RefundStage::NotSent { at: at(49) }, ..refund(801, &order, attempt, RefundScope::Sum) };
                let open = refund(802, &order, attempt, RefundScope::Sum);
                for one in [&done, &not_made, &open] {
                    save(tx, one, at(50))?;
                }
                let before = |tx: &mut Tx| refunds::of_order(tx, order.id).unwrap().iter().find(|one| one.id == open.id).unwrap().given_back_before;
                assert_eq!(before(tx), kopiykas(250));
                tx.execute("update refunds set given_back_before = null", params![])?;
                assert_eq!(before(tx), kopiykas(300));
                // What went back beside it is kept.
                save(tx, &Refund { given_back_before: kopiykas(310), ..open.clone() }, at(60))?;
                assert_eq!(before(tx), kopiykas(310));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn a_refund_that_ends_after_its_money_went_back_still_counts_in_reports(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let sum = Money::from_kopiykas(1_000).unwrap();
                let stage = RefundStage::Done { at: at(50) };
                let done = Refund { amount: sum, stage, ..refund(800, &order, attempt, RefundScope::Sum) };
                save(tx, &done, at(50))?;
                // The acquirer lowered the sum while it still called the refund open.
                tx.execute("insert into card_refunds (attempt_id, refunded, at) values (?1, 1000, ?2)", params![attempt, at(48)])?;
                let today = cabinet_domain::kyiv_date(at(48));
                let found = books::accountant::given_back(tx, cabinet_domain::Period::new(today, today).unwrap())?;
                assert_eq!(found.len(), 1);
                assert_eq!(found[0].commission.kopiykas(), 1_000);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn an_order_has_one_refund_under_way(store: Store) {
        let (order, attempt) = paid(&store).await;
        let (first, second) = (refund(800, &order, attempt, RefundScope::Whole), refund(801, &order, attempt, RefundScope::Sum));
        let (known, id) = (first.clone(), order.id);
        store.write(move |tx| save(tx, &known, at(50))).await.unwrap();
        let known = second.clone();
        let kept_out = store.write(move |tx| save(tx, &known, at(50))).await;
        assert!(matches!(kept_out, Err(StorageError::Constraint { .. })), "{kept_out:?}");
        // Due, and claimed once.
        let claimed = store.write(|tx| refunds::claim_due(tx, at(61), at(181), 10)).await.unwrap();
        assert_eq!(claimed, [(first.id, order.id)]);
        assert!(store.write(|tx| refunds::claim_due(tx, at(61), at(181), 10)).await.unwrap().is_empty());
        assert_eq!(store.write(refunds::doubt_prepared).await, Ok(1));
        let known = store.read(move |tx| refunds::of_order(tx, id)).await.unwrap();
        assert!(matches!(known[0].stage, RefundStage::Submitted { submitted_at: None, .. }) && known[0].checks == 1);
        let ended = Refund { stage: RefundStage::NotSent { at: at(62) }, ..first };
        store.write(move |tx| { save(tx, &ended, at(62))?; save(tx, &second, at(63)) }).await.unwrap();
    }

    async fn nothing_of_an_order_leaves_while_money_of_it_is_given_back(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                assert_eq!(sendable(tx), 2);
                let wanted = refund(800, &order, attempt, RefundScope::Transfer(PART));
                save(tx, &wanted, at(50))?;
                assert!(hold(tx, &wanted)?);
                assert_eq!((sendable(tx), mark_as_sent(tx)), (0, false));
                // Nothing went back: both may leave.
                save(tx, &Refund { stage: RefundStage::NotSent { at: at(60) }, ..wanted.clone() }, at(60))?;
                of_order(tx, order.id, |tx, order| refunds::release_transfers(tx, order, &wanted))?;
                assert_eq!(sendable(tx), 2);

                // It went back: one is called off for good.
                let done = Refund { stage: RefundStage::Done { at: at(70) }, ..refund(801, &order, attempt, RefundScope::Transfer(PART)) };
                save(tx, &done, at(70))?;
                assert!(give_back(tx, done.id, at(70))?);
                assert_eq!((sendable(tx), mark_as_sent(tx), part(tx).status), (1, false, TransferStatus::CalledOff));
                assert_eq!(part(tx).refund.and_then(|refund| refund.refunded_at), Some(at(70)));
                assert!(!give_back(tx, done.id, at(71))?, "once");
                assert!(!hold(tx, &refund(802, &order, attempt, RefundScope::Transfer(PART)))?);
                of_order(tx, order.id, |tx, order| transfers::call_off(tx, order, at(80)))?;
                of_order(tx, order.id, |tx, order| transfers::plan_called_off(tx, order, at(81)))?;
                assert_eq!((sendable(tx), part(tx).status), (1, TransferStatus::CalledOff), "another charge does not plan it again");
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn what_is_planned_late_waits_only_where_the_charge_that_pays_went_back(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let done = Refund { stage: RefundStage::Done { at: at(70) }, ..refund(801, &order, attempt, RefundScope::Whole) };
                save(tx, &done, at(70))?;
                let earlier = begin_attempt(tx, 301, &order, 15)?;
                pay_attempt(tx, earlier, 25)?;
                of_order(tx, order.id, refunds::hold_planned_late)?;
                assert_eq!(sendable(tx), 2, "another charge pays");
                assert!(!refunds::is_given_back_whole(tx, order.id)?);
                tx.execute("update attempts set reversed_at = charged_at where id = ?1", params![earlier])?;
                of_order(tx, order.id, refunds::hold_planned_late)?;
                assert_eq!(sendable(tx), 0);
                assert!(refunds::is_given_back_whole(tx, order.id)?);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn what_is_planned_late_waits_for_a_refund_under_way_whatever_its_charge(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let open = refund(801, &order, attempt, RefundScope::Whole);
                of_order(tx, order.id, |tx, locked| refunds::save(tx, locked, &open, at(70)))?;
                // For now another charge counts, which may go back before the refund ends.
                let earlier = begin_attempt(tx, 301, &order, 15)?;
                pay_attempt(tx, earlier, 25)?;
                assert!(refunds::is_given_back_whole(tx, order.id)?);
                of_order(tx, order.id, refunds::hold_planned_late)?;
                let held = "select count(*) from transfers where refund_id is not null";
                assert_eq!(tx.row(held, params![], |row| row.next::<i64>())?, 2);
                // It is over, and did nothing.
                let over = Refund { stage: RefundStage::NotSent { at: at(80) }, ..open };
                of_order(tx, order.id, |tx, locked| refunds::save(tx, locked, &over, at(80)))?;
                assert!(!refunds::is_given_back_whole(tx, order.id)?);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn what_an_earlier_program_kept_back_beside_a_charge_that_pays_is_free_after_the_migration(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let done = Refund { stage: RefundStage::Done { at: at(70) }, ..refund(801, &order, attempt, RefundScope::Whole) };
                save(tx, &done, at(70))?;
                assert!(hold(tx, &done)?);
                run_again(tx, 60)?;
                assert_eq!(sendable(tx), 0, "all that pays the order went back");
                let earlier = begin_attempt(tx, 301, &order, 15)?;
                pay_attempt(tx, earlier, 25)?;
                tx.execute("update orders set status = 'refunded'", params![])?;
                run_again(tx, 60)?;
                tx.execute("update orders set status = 'paid'", params![])?;
                assert_eq!((sendable(tx), transfers::withheld(tx, 10)?.len()), (0, 1));
                run_again(tx, 60)?;
                assert_eq!((sendable(tx), transfers::withheld(tx, 10)?.len()), (2, 0));
                // One that is under way is not over.
                let open = refund(802, &order, attempt, RefundScope::Whole);
                save(tx, &open, at(80))?;
                assert!(hold(tx, &open)?);
                run_again(tx, 60)?;
                assert_eq!(transfers::withheld(tx, 10)?.len(), 1);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn nothing_of_an_order_that_is_not_paid_or_is_in_doubt_is_marked_as_sent(store: Store) {
        let (order, _) = paid(&store).await;
        store
            .write(move |tx| {
                tx.execute("update orders set status = 'refunded'", params![])?;
                assert!(!mark_as_sent(tx));
                tx.execute("update orders set status = 'paid'", params![])?;
                // A list that was exported before the alarm is refused as well.
                for (number, kind) in (810..).zip(AlarmKind::ALL).filter(|(_, kind)| kind.holds_transfers()) {
                    let alarm = AlarmId::new(id(number));
                    assert!(alarms::raise(tx, alarm, kind, "attempt:1", Some(order.id), at(80))?);
                    assert_eq!((sendable(tx), mark_as_sent(tx)), (0, false), "{kind:?}");
                    assert!(alarms::close(tx, alarm, "Перевірено", at(81))?);
                }
                assert!(mark_as_sent(tx));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn a_transfer_that_left_before_its_refund_was_known_is_not_sent_again(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                assert!(mark_as_sent(tx));
                let done = Refund { stage: RefundStage::Done { at: at(70) }, ..refund(801, &order, attempt, RefundScope::Transfer(PART)) };
                save(tx, &done, at(70))?;
                assert!(!give_back(tx, done.id, at(70))?, "it has left");
                // The bank was not given the list: it is not planned again.
                let tomorrow = cabinet_domain::kyiv_date(at(200_000));
                tx.execute("update transfers set value_date = '2026-01-01' where status = 'sent'", params![])?;
                assert!(take_back_mark(tx, order.id, tomorrow)?);
                assert_eq!((sendable(tx), part(tx).status), (1, TransferStatus::CalledOff));
                assert_eq!(part(tx).refund.and_then(|refund| refund.refunded_at), Some(at(80)));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn what_a_bank_returns_after_its_refund_is_marked_as_given_back(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                assert!(mark_as_sent(tx));
                let done = Refund { stage: RefundStage::Done { at: at(70) }, ..refund(801, &order, attempt, RefundScope::Transfer(PART)) };
                save(tx, &done, at(70))?;
                let back = transfers::Step {
                    from: TransferStatus::Sent,
                    to: TransferStatus::Returned,
                    reason: Some("Рахунок закрито"),
                    value_date: None,
                    bank: &cabinet_domain::BankAnswer::default(),
                };
                assert!(step_transfer(tx, PART, &back, at(81))?);
                assert_eq!(part(tx).refund.and_then(|refund| refund.refunded_at), Some(at(81)));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn a_transfer_that_came_back_is_marked_and_one_that_left_is_not(store: Store) {
        let (order, attempt) = paid(&store).await;
        store
            .write(move |tx| {
                let wanted = refund(800, &order, attempt, RefundScope::Transfer(PART));
                save(tx, &wanted, at(50))?;
                assert!(mark_as_sent(tx));
                assert!(!hold(tx, &wanted)?);
                assert!(!give_back(tx, wanted.id, at(60))?);
                let back = transfers::Step {
                    from: TransferStatus::Sent,
                    to: TransferStatus::Returned,
                    reason: Some("Рахунок закрито"),
                    value_date: None,
                    bank: &cabinet_domain::BankAnswer::default(),
                };
                assert!(step_transfer(tx, PART, &back, at(61))?);
                assert!(hold(tx, &wanted)?);
                assert_eq!(part(tx).refund.map(|refund| (refund.requested_at, refund.refunded_at)), Some((at(50), None)));
                let reason = cabinet_domain::Line::parse("77", 10).unwrap();
                assert!(!of_transfer(tx, PART, |tx, part| transfers::mark_refunded(tx, part, &reason, at(63)))?, "the refund marks it by itself");
                assert!(give_back(tx, wanted.id, at(64))?);
                assert_eq!(part(tx).refund.map(|refund| (refund.requested_at, refund.refunded_at)), Some((at(50), Some(at(64)))));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }
}
