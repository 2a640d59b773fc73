//! Units of work in each other's way.

#![expect(clippy::disallowed_methods, reason = "a test lets others begin")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use super::engine::with_scratch;
use super::fixtures;
use crate::account::notaries;
use crate::engine::value::params;
use crate::testing::{number, run_on_postgres};
use crate::{Result, StorageError, Store, Tx, on_both_databases};

fn read_then_write(tx: &mut Tx, id: i64) -> Result<()> {
    let sql = format!(
        "select amount from scratch where id = ?1{}",
        tx.lock_clause()
    );
    let amount: i64 = tx.row(&sql, params![id], |row| row.next())?;
    tx.execute(
        "update scratch set amount = ?2 where id = ?1",
        params![id, amount + 1],
    )
    .map(|_| ())
}

on_both_databases! {
    async fn ten_parallel_additions_are_ten(store: Store) {
        with_scratch(&store).await;
        store.write(|tx| tx.execute("insert into scratch (id, amount) values (1, 0)", params![])).await.unwrap();
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.write(|tx| read_then_write(tx, 1)).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert_eq!(store.read(|tx| number(tx, "select amount from scratch")).await, Ok(10));
    }
}

#[test]
fn a_unit_of_work_that_stands_still_loses_its_locks_and_nothing_is_written() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        let (stands, mut standing) = tokio::sync::mpsc::unbounded_channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let stands_still = store.write(move |tx| {
            tx.execute("insert into scratch (id, amount) values (1, 0)", params![])?;
            let session = number(tx, "select cast(pg_backend_pid() as bigint)")?;
            // As if the ten seconds were over.
            tx.execute(
                "set local idle_in_transaction_session_timeout = 20",
                params![],
            )?;
            stands.send(session).expect("the test listens");
            may_go_on.recv().expect("the test tells");
            tx.execute("update scratch set amount = 1", params![])
        });
        // The unit of work is run again on a new connection, and stands still again.
        let ends_of_sessions = async {
            while let Some(session) = standing.recv().await {
                let lives = format!("select count(*) from pg_stat_activity where pid = {session}");
                loop {
                    let lives = lives.clone();
                    if store.read(move |tx| number(tx, &lives)).await == Ok(0) {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                go_on.send(()).expect("the unit of work waits");
            }
        };
        let (stands_still, ()) = tokio::join!(stands_still, ends_of_sessions);
        assert!(stands_still.unwrap_err().is_passing());
        let written = store.read(|tx| number(tx, "select count(*) from scratch"));
        assert_eq!(written.await, Ok(0));
        let limit = store
            .read(|tx| {
                let sql = "select setting from pg_settings where name = 'idle_in_transaction_session_timeout'";
                tx.row(sql, params![], |row| row.next::<String>())
            })
            .await;
        assert_eq!(limit.as_deref(), Ok("10000"));
    });
}

#[test]
fn a_deadlock_is_resolved_by_running_again() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        store
            .write(|tx| {
                tx.execute(
                    "insert into scratch (id, amount) values (1, 0), (2, 0)",
                    params![],
                )
            })
            .await
            .unwrap();
        let both_hold_one = Arc::new(Barrier::new(2));
        let runs = Arc::new(AtomicU32::new(0));
        let crosswise = |first: i64, second: i64| {
            let (store, both_hold_one, runs) =
                (store.clone(), Arc::clone(&both_hold_one), Arc::clone(&runs));
            tokio::spawn(async move {
                let mut first_run = true;
                store
                    .write(move |tx| {
                        runs.fetch_add(1, Ordering::Relaxed);
                        read_then_write(tx, first)?;
                        if std::mem::take(&mut first_run) {
                            both_hold_one.wait();
                        }
                        read_then_write(tx, second)
                    })
                    .await
            })
        };
        let (one, other) = (crosswise(1, 2), crosswise(2, 1));
        assert_eq!(one.await.unwrap(), Ok(()));
        assert_eq!(other.await.unwrap(), Ok(()));
        assert!(
            runs.load(Ordering::Relaxed) > 2,
            "one of them was run again"
        );
        assert_eq!(
            store
                .read(|tx| number(tx, "select cast(sum(amount) as bigint) from scratch"))
                .await,
            Ok(4)
        );
    });
}

#[test]
fn broken_connections_are_made_anew() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        let end_the_others = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        for id in 0..20_i64 {
            store
                .write(move |tx| number(tx, end_the_others))
                .await
                .unwrap();
            store
                .write(move |tx| {
                    tx.execute(
                        "insert into scratch (id, amount) values (?1, 0)",
                        params![id],
                    )
                })
                .await
                .unwrap();
        }
        assert_eq!(
            store
                .read(|tx| number(tx, "select count(*) from scratch"))
                .await,
            Ok(20)
        );
    });
}

#[test]
fn a_lock_that_is_not_given_in_time_is_an_error_and_not_a_wait_for_ever() {
    run_on_postgres(|_| async {
        let database = crate::testing::TestDatabase::postgres().await;
        let options = crate::StoreOptions {
            connections: 2,
            lock_timeout: Duration::from_millis(100),
            ..crate::StoreOptions::default()
        };
        let store = Store::open(database.url(), options).await.unwrap();
        with_scratch(&store).await;
        store
            .write(|tx| tx.execute("insert into scratch (id, amount) values (1, 0)", params![]))
            .await
            .unwrap();
        let (is_locked, locked) = tokio::sync::oneshot::channel();
        let mut is_locked = Some(is_locked);
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let hold = store.write(move |tx| {
            // It holds the lock for as long as the other unit of work waits.
            tx.execute(
                "set local idle_in_transaction_session_timeout = 0",
                params![],
            )?;
            read_then_write(tx, 1)?;
            if let Some(is_locked) = is_locked.take() {
                is_locked.send(()).expect("the test waits");
            }
            may_go_on.recv().expect("the test tells");
            Ok::<_, StorageError>(())
        });
        let waits_in_vain = async {
            locked.await.expect("the row is locked");
            let outcome = store.write(|tx| read_then_write(tx, 1)).await;
            go_on.send(()).expect("the lock is held");
            outcome
        };
        let (held, outcome) = tokio::join!(hold, waits_in_vain);
        assert_eq!(outcome, Err(StorageError::TimedOut));
        assert_eq!(held, Ok(()));
    });
}

#[test]
fn a_contact_is_read_while_the_notary_is_locked() {
    run_on_postgres(|store| async move {
        let notary = fixtures::notary(&store, 1).await;
        let step = Arc::new(Barrier::new(2));
        let next = |step: &Arc<Barrier>| {
            let step = Arc::clone(step);
            tokio::task::spawn_blocking(move || {
                step.wait();
            })
        };
        let (holder, holders) = (store.clone(), Arc::clone(&step));
        let holding = tokio::spawn(async move {
            holder
                .write(move |tx| {
                    notaries::by_id(tx, notary)?;
                    holders.wait();
                    holders.wait();
                    Ok::<_, StorageError>(())
                })
                .await
        });
        next(&step).await.unwrap();
        let contact = store
            .write(move |tx| notaries::contact_of(tx, notary))
            .await;
        next(&step).await.unwrap();
        holding.await.unwrap().unwrap();
        let (phone, email) = contact.unwrap().unwrap();
        assert_eq!((phone, email), (fixtures::phone(1), None));
    });
}
