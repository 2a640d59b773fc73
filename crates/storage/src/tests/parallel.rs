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
use crate::{Caller, Result, StorageError, Store, Tx, lock_notary, on_both_databases};

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
fn a_statement_that_must_be_prepared_again_is_known_in_any_language() {
    run_on_postgres(|_| async {
        let database = crate::testing::TestDatabase::postgres().await;
        let options = crate::StoreOptions {
            connections: 1,
            ..crate::StoreOptions::default()
        };
        let store = Store::open(database.url(), options).await.unwrap();
        // At its second use it fails as a statement does whose table was changed, on a server with Ukrainian texts.
        let function = "create sequence uses;
            create function used() returns bigint language plpgsql as $$
            begin
                if nextval('uses') = 2 then
                    raise exception 'кешований план не повинен змінювати тип результату' using errcode = '0A000';
                end if;
                return 1;
            end $$";
        store.write(move |tx| tx.batch(function)).await.unwrap();
        for _ in 0..3 {
            assert_eq!(store.write(|tx| number(tx, "select used()")).await, Ok(1));
        }
        // What was never prepared before is a fault of the statement.
        let never = "create function never() returns bigint language plpgsql as $$
            begin raise exception 'не підтримується' using errcode = '0A000'; end $$";
        store.write(move |tx| tx.batch(never)).await.unwrap();
        let refused = store.write(|tx| number(tx, "select never()")).await;
        assert_eq!(refused, Err(StorageError::Statement("0A000".to_owned())));
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

/// A constraint whose check, which comes with the commit, warns as the server does when the wait for the synchronous standby is cancelled.
const WARNS_AT_COMMIT: &str =
    "create function warned() returns trigger language plpgsql as $$
     begin
         if new.amount = 7 then raise warning 'скасування очікування синхронної реплікації'; end if;
         if new.amount = 8 then raise notice 'nothing of the kind'; end if;
         return null;
     end $$;
     create constraint trigger warned after insert on scratch deferrable initially deferred for each row execute function warned()";

#[test]
fn a_commit_whose_wait_for_the_standby_is_cancelled_is_unknown_and_the_next_is_not() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        store
            .write(|tx| tx.batch(WARNS_AT_COMMIT))
            .await
            .expect("the trigger is made");
        let add = |id: i64, amount: i64| {
            store.write(move |tx| {
                tx.execute(
                    "insert into scratch (id, amount) values (?1, ?2)",
                    params![id, amount],
                )
            })
        };
        assert_eq!(add(1, 7).await, Err(StorageError::OutcomeUnknown));
        assert_eq!(add(2, 1).await, Ok(1));
        assert_eq!(add(3, 8).await, Ok(1));
        // Everybody reads what may be lost.
        let rows = store.read(|tx| number(tx, "select count(*) from scratch"));
        assert_eq!(rows.await, Ok(3));
    });
}

#[test]
fn an_answer_that_is_given_again_waits_like_a_write() {
    run_on_postgres(|store| async move {
        let has_written = "select cast(count(pg_current_xact_id_if_assigned()) as bigint)";
        assert_eq!(store.write(move |tx| number(tx, has_written)).await, Ok(0));
        let again = store.write(move |tx| {
            tx.answer_again()?;
            number(tx, has_written)
        });
        assert_eq!(again.await, Ok(1));
        let read = store.read(move |tx| {
            tx.answer_again()?;
            number(tx, has_written)
        });
        assert_eq!(read.await, Ok(0));
        assert_eq!(store.answer_again().await, Ok(()));
    });
}

/// Lets the processes of PostgreSQL go on that serve this database, also when the test fails.
struct StoppedServer(Vec<i64>);

impl StoppedServer {
    async fn stop(store: &Store) -> StoppedServer {
        let sql =
            "select cast(pid as bigint) from pg_stat_activity where datname = current_database()";
        let processes = store
            .read(move |tx| tx.rows(sql, params![], |row| row.next::<i64>()))
            .await
            .unwrap();
        let stopped = StoppedServer(processes);
        stopped.signal("-STOP");
        stopped
    }

    fn signal(&self, signal: &str) {
        let processes = self.0.iter().map(i64::to_string);
        let sent = std::process::Command::new("kill")
            .arg(signal)
            .args(processes)
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal}");
    }
}

impl Drop for StoppedServer {
    fn drop(&mut self) {
        self.signal("-CONT");
    }
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_longer_than_the_caller_can() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        // Every connection is there.
        let all = Arc::new(Barrier::new(4));
        let connected = (0..4).map(|_| {
            let (store, all) = (store.clone(), Arc::clone(&all));
            tokio::spawn(async move {
                store
                    .read(move |tx| {
                        all.wait();
                        number(tx, "select 1")
                    })
                    .await
            })
        });
        for connection in connected.collect::<Vec<_>>() {
            connection.await.unwrap().unwrap();
        }
        let caller = Caller {
            waits_at_most: Some(Duration::from_millis(200)),
            ..Caller::default()
        };
        let stopped = StoppedServer::stop(&store).await;
        let mut unknown = 0;
        for id in 0..8_i64 {
            let written = caller.has_done(store.write(move |tx| {
                tx.execute(
                    "insert into scratch (id, amount) values (?1, 0)",
                    params![id],
                )
            }));
            match written.await.unwrap_err() {
                StorageError::OutcomeUnknown => unknown += 1,
                StorageError::TimedOut => {}
                other => panic!("{other}"),
            }
        }
        assert!(unknown <= 4, "each connection has one");
        drop(stopped);
        let written = store.read(|tx| number(tx, "select count(*) from scratch"));
        assert!(
            written.await.unwrap() <= unknown,
            "what was not begun is not run"
        );
    });
}

#[test]
fn while_the_units_of_one_notary_wait_for_a_lock_others_are_served() {
    run_on_postgres(|store| async move {
        with_scratch(&store).await;
        let one = fixtures::notary(&store, 1).await;
        let other = fixtures::notary(&store, 2).await;
        store
            .write(|tx| {
                tx.execute(
                    "insert into scratch (id, amount) values (1, 0), (2, 0)",
                    params![],
                )
            })
            .await
            .unwrap();
        let (locked, is_locked) = tokio::sync::oneshot::channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let holder = store.clone();
        let mut locked = Some(locked);
        let holding = tokio::spawn(async move {
            holder
                .write(move |tx| {
                    tx.execute(
                        "set local idle_in_transaction_session_timeout = 0",
                        params![],
                    )?;
                    read_then_write(tx, 1)?;
                    if let Some(locked) = locked.take() {
                        locked.send(()).expect("the test waits");
                    }
                    may_go_on.recv().expect("the test tells");
                    Ok::<_, StorageError>(())
                })
                .await
        });
        is_locked.await.expect("the row is locked");
        let caller = |notary| Caller {
            notary: Some(notary),
            ..Caller::default()
        };
        let ended = Arc::new(AtomicU32::new(0));
        let presses = (0..30).map(|_| {
            let (store, ended) = (store.clone(), Arc::clone(&ended));
            tokio::spawn(async move {
                let pressed = caller(one)
                    .has_done(store.write(|tx| read_then_write(tx, 1)))
                    .await;
                ended.fetch_add(1, Ordering::Relaxed);
                pressed
            })
        });
        let presses: Vec<_> = presses.collect();
        // One of them has begun to wait for the lock.
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while store.read(|tx| number(tx, waiting)).await != Ok(1) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let served = caller(other).has_done(store.write(|tx| read_then_write(tx, 2)));
        assert_eq!(served.await, Ok(()));
        assert_eq!(ended.load(Ordering::Relaxed), 0, "she was not waited for");
        go_on.send(()).expect("the lock is held");
        holding.await.unwrap().unwrap();
        for press in presses {
            assert_eq!(press.await.unwrap(), Ok(()));
        }
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
                    lock_notary(tx, notary)?;
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
