//! Units of work: what is kept, what is undone, when the answer comes.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use uuid::Uuid;

use crate::engine::value::params;
use crate::testing::{TestDatabase, number, run_on_sqlite};
use crate::{
    Caller, ConstraintKind, Result, StorageError, Store, StoreOptions, Tx, on_both_databases,
};

/// What a use case's own error looks like.
#[derive(Debug, PartialEq)]
enum Refusal {
    NotToday,
    Storage(StorageError),
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Refusal::Storage(error)
    }
}

pub(super) async fn with_scratch(store: &Store) {
    store
        .write(|tx| tx.batch("create table scratch (id bigint primary key, amount bigint not null check (amount >= 0))"))
        .await
        .unwrap();
}

fn add(tx: &mut Tx, id: i64, amount: i64) -> Result<u64> {
    tx.execute(
        "insert into scratch (id, amount) values (?1, ?2)",
        params![id, amount],
    )
}

pub(super) async fn count(store: &Store) -> i64 {
    store
        .read(|tx| number(tx, "select count(*) from scratch"))
        .await
        .unwrap()
}

on_both_databases! {
    async fn a_written_row_is_read_by_everyone(store: Store) {
        with_scratch(&store).await;
        assert_eq!(store.write(|tx| add(tx, 1, 5)).await, Ok(1));
        assert_eq!(count(&store).await, 1);
        assert_eq!(store.read_long(|tx| number(tx, "select amount from scratch")).await, Ok(5));
    }

    async fn a_refusal_undoes_the_work_and_is_the_answer(store: Store) {
        with_scratch(&store).await;
        let answer: Result<(), Refusal> = store
            .write(|tx| {
                add(tx, 1, 5)?;
                Err(Refusal::NotToday)
            })
            .await;
        assert_eq!(answer, Err(Refusal::NotToday));
        assert_eq!(count(&store).await, 0);
    }

    async fn a_panic_undoes_the_work_and_the_store_goes_on(store: Store) {
        with_scratch(&store).await;
        let answer: Result<()> = store
            .write(|tx| {
                add(tx, 1, 5)?;
                panic!("a fault of the closure");
            })
            .await;
        assert_eq!(answer, Err(StorageError::Panicked));
        let read: Result<()> = store.read(|_| panic!("a fault of the closure")).await;
        assert_eq!(read, Err(StorageError::Panicked));
        store.write(|tx| add(tx, 2, 5)).await.unwrap();
        assert_eq!(count(&store).await, 1);
    }

    async fn a_failed_statement_spoils_the_unit_even_if_the_closure_passes_over_it(store: Store) {
        with_scratch(&store).await;
        let answer: Result<()> = store
            .write(|tx| {
                add(tx, 1, 5)?;
                let _ = add(tx, 1, 6);
                Ok(())
            })
            .await;
        assert!(matches!(answer, Err(StorageError::Constraint { kind: ConstraintKind::Unique, .. })), "{answer:?}");
        assert_eq!(count(&store).await, 0);
    }

    async fn constraints_are_told_apart_and_name_no_values(store: Store) {
        with_scratch(&store).await;
        let answer = store.write(|tx| add(tx, 424_242, -777)).await;
        assert!(matches!(answer, Err(StorageError::Constraint { kind: ConstraintKind::Check, .. })), "{answer:?}");
        store.write(|tx| add(tx, 424_242, 1)).await.unwrap();
        let text = store.write(|tx| add(tx, 424_242, 1)).await.unwrap_err().to_string();
        assert!(text.contains("scratch") && !text.contains("424242"), "{text}");
    }

    async fn reading_cannot_write(store: Store) {
        with_scratch(&store).await;
        assert_eq!(store.read(|tx| add(tx, 1, 5)).await, Err(StorageError::ReadOnly));
        assert_eq!(count(&store).await, 0);
    }

    async fn a_read_sees_one_state_from_its_first_statement_to_its_last(store: Store) {
        with_scratch(&store).await;
        let (first_read, wait_for_first_read) = mpsc::channel();
        let (written, wait_for_written) = mpsc::channel::<()>();
        let reading = tokio::spawn({
            let store = store.clone();
            async move {
                store
                    .read_long(move |tx| {
                        let before = number(tx, "select count(*) from scratch")?;
                        first_read.send(()).unwrap();
                        wait_for_written.recv().unwrap();
                        Ok::<_, StorageError>((before, number(tx, "select count(*) from scratch")?))
                    })
                    .await
            }
        });
        tokio::task::spawn_blocking(move || wait_for_first_read.recv().unwrap()).await.unwrap();
        store.write(|tx| add(tx, 1, 5)).await.unwrap();
        written.send(()).unwrap();
        assert_eq!(reading.await.unwrap(), Ok((0, 0)));
        assert_eq!(count(&store).await, 1);
    }

    async fn every_sort_of_value_comes_back_as_it_went(store: Store) {
        let (uuid, bytes) = (if store.is_sqlite() { "blob" } else { "uuid" }, if store.is_sqlite() { "blob" } else { "bytea" });
        let table = format!("create table sorts (id {uuid}, amount bigint, agreed boolean, words text, raw {bytes}, missing text)");
        store.write(move |tx| tx.batch(&table)).await.unwrap();
        let id = Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001);
        store
            .write(move |tx| {
                tx.execute(
                    "insert into sorts (id, amount, agreed, words, raw, missing) values (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![id, i64::MIN, true, "Ґанна’s “право”", [0_u8, 255], None::<String>],
                )
            })
            .await
            .unwrap();
        let row = store
            .read(move |tx| {
                tx.row("select id, amount, agreed, words, raw, missing from sorts where id = ?1", params![id], |row| {
                    assert_eq!(row.get::<i64>("amount")?, i64::MIN);
                    Ok((row.next::<Uuid>()?, row.next::<i64>()?, row.next::<bool>()?, row.next::<String>()?, row.next::<Vec<u8>>()?, row.next::<Option<String>>()?))
                })
            })
            .await;
        assert_eq!(row, Ok((id, i64::MIN, true, "Ґанна’s “право”".to_owned(), vec![0, 255], None)));
    }

    async fn a_value_that_does_not_fit_is_named_by_table_and_column(store: Store) {
        with_scratch(&store).await;
        store.write(|tx| add(tx, 1, 5)).await.unwrap();
        let answer = store.read(|tx| tx.row("select amount from scratch where id = ?1", params![1_i64], |row| row.next::<String>())).await;
        let Err(StorageError::Inconsistent { table, column, .. }) = answer else { panic!("{answer:?}") };
        assert_eq!((table.as_str(), column.as_str()), ("scratch", "amount"));
    }

    async fn a_row_that_must_be_there_is_missed_by_name(store: Store) {
        with_scratch(&store).await;
        let one = |tx: &mut Tx| tx.row("select amount from scratch", params![], |row| row.next::<i64>());
        assert_eq!(store.read(one).await, Err(StorageError::RowCount { table: "scratch".to_owned(), got: "none" }));
        store.write(|tx| Ok::<_, StorageError>(add(tx, 1, 5)? + add(tx, 2, 5)?)).await.unwrap();
        assert_eq!(store.read(one).await, Err(StorageError::RowCount { table: "scratch".to_owned(), got: "more" }));
    }

    async fn what_was_accepted_is_finished_when_the_store_closes(store: Store) {
        with_scratch(&store).await;
        // All are accepted before the store begins to close.
        let accepted = join_all((0..20).map(|id| store.write(move |tx| add(tx, id, 1))));
        let (answers, ()) = tokio::join!(biased; accepted, store.close());
        assert!(answers.iter().all(|answer| *answer == Ok(1)), "{answers:?}");
        assert_eq!(store.write(|tx| add(tx, 99, 1)).await, Err(StorageError::Closed));
        assert_eq!(store.read(|tx| number(tx, "select 1")).await, Err(StorageError::Closed));
        assert_eq!(store.stopped().await, StorageError::Closed);
    }

    async fn a_healthy_database_says_so(store: Store) {
        assert_eq!(store.health().await, Ok(()));
    }
}

/// Holds the writer until what this returns is dropped, so that a test decides what is in the queue then.
async fn hold_writer(store: &Store) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (begun, wait_until_begun) = mpsc::channel::<()>();
    let store = store.clone();
    tokio::spawn(async move {
        store
            .write(move |_| {
                // Nobody listens when it is run again with its group.
                let _ = begun.send(());
                let _ = held.recv();
                Ok::<_, StorageError>(())
            })
            .await
    });
    until_begun(wait_until_begun).await;
    release
}

/// Waits until a unit of work tells that it has begun.
async fn until_begun(told: mpsc::Receiver<()>) {
    tokio::task::spawn_blocking(move || told.recv().unwrap())
        .await
        .unwrap();
}

/// Asks for a unit of work while the writer is held. It is in the queue when this returns, behind those asked for before.
fn asked<F: Future>(unit: F) -> Pin<Box<F>> {
    let mut asked = Box::pin(unit);
    assert!(asked.as_mut().now_or_never().is_none());
    asked
}

#[test]
fn a_statement_is_prepared_once_whatever_its_parameters_are() {
    run_on_sqlite(|store| async move {
        // An equality beside a join is what makes SQLite prepare again for every value, unless told not to.
        let sql = "select n.id from sessions s join notaries n on n.id = s.notary_id where s.id = ?1 and s.notary_id = ?2";
        let prepared_again = store
            .read(move |tx| {
                for number in 0..10 {
                    tx.rows(
                        sql,
                        params![Uuid::from_u128(number), Uuid::from_u128(number)],
                        |_| Ok(()),
                    )?;
                }
                let statement = tx.sqlite().unwrap().prepare_cached(sql).unwrap();
                Ok::<_, StorageError>(statement.get_status(rusqlite::StatementStatus::RePrepare))
            })
            .await;
        assert_eq!(prepared_again, Ok(0));
    });
}

#[test]
fn nobody_is_answered_before_the_group_is_committed() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        // A group takes no more units after a while. If the machine stands still that long between the two, the slow one is in the next
        // group, and they are asked for again.
        for id in 0..100_i64 {
            let release_first = hold_writer(&store).await;
            let mut quick = asked(store.write(move |tx| add(tx, id, 1)));
            let (begun, wait_until_begun) = mpsc::channel::<()>();
            let (release_slow, held) = mpsc::channel::<()>();
            let slow = asked(store.write(move |tx| {
                begun.send(()).unwrap();
                let _ = held.recv();
                // The quick one's row stands in the same transaction.
                number(tx, "select count(*) from scratch")
            }));
            drop(release_first);
            until_begun(wait_until_begun).await;
            // The quick one has run. In the same group as the slow one, nothing of it may be heard or seen yet.
            let heard = quick.as_mut().now_or_never();
            let seen = count(&store).await;
            drop(release_slow);
            assert_eq!(slow.await, Ok(id + 1));
            let Some(answer) = heard else {
                assert_eq!(seen, id);
                assert_eq!(quick.await, Ok(1));
                assert_eq!(count(&store).await, id + 1);
                return;
            };
            assert_eq!((answer, seen), (Ok(1), id + 1), "heard before it is seen");
        }
        panic!("the two were never in one group");
    });
}

#[test]
fn in_one_group_each_unit_stands_or_falls_alone() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        let release = hold_writer(&store).await;
        let units: Vec<_> = (0..40_i64)
            .map(|id| {
                asked(store.write(move |tx| {
                    add(tx, id, id)?;
                    match id % 4 {
                        0 => Err(Refusal::NotToday),
                        1 => panic!("a fault of the closure"),
                        2 => Ok(add(tx, id, id).map(|_| ())?),
                        _ => Ok(()),
                    }
                }))
            })
            .collect();
        drop(release);
        for (id, unit) in units.into_iter().enumerate() {
            let answer = unit.await;
            match id % 4 {
                0 => assert_eq!(answer, Err(Refusal::NotToday)),
                1 => assert_eq!(answer, Err(Refusal::Storage(StorageError::Panicked))),
                2 => assert!(
                    matches!(
                        answer,
                        Err(Refusal::Storage(StorageError::Constraint { .. }))
                    ),
                    "{answer:?}"
                ),
                _ => assert_eq!(answer, Ok(())),
            }
        }
        assert_eq!(count(&store).await, 10);
    });
}

#[test]
fn a_change_of_the_schema_is_undone_with_the_unit_that_refuses() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        let release = hold_writer(&store).await;
        let before = asked(store.write(|tx| add(tx, 1, 1)));
        let refused = asked(store.write(|tx| {
            tx.batch("create table unwanted (id integer)")?;
            Err::<(), _>(Refusal::NotToday)
        }));
        drop(release);
        assert_eq!(before.await, Ok(1));
        assert_eq!(refused.await, Err(Refusal::NotToday));
        assert_eq!(count(&store).await, 1);
        let left = store
            .read(|tx| {
                number(
                    tx,
                    "select count(*) from sqlite_schema where name = 'unwanted'",
                )
            })
            .await;
        assert_eq!(left, Ok(0));
    });
}

#[test]
fn what_was_not_begun_in_time_is_never_run_and_what_was_begun_is_not_known() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        let hurried = Caller {
            waits_at_most: Some(Duration::from_millis(1)),
            ..Caller::default()
        };
        let release = hold_writer(&store).await;
        let late = hurried.has_done(store.write(|tx| add(tx, 1, 1))).await;
        assert_eq!(late, Err(StorageError::TimedOut));
        drop(release);
        store.write(|tx| add(tx, 2, 1)).await.unwrap();
        assert_eq!(count(&store).await, 1, "only the second");

        let (begun, wait_until_begun) = mpsc::channel::<()>();
        let (release, held) = mpsc::channel::<()>();
        // Long enough that the first look at it never ends it, however slow the machine is.
        let patient = Caller {
            waits_at_most: Some(Duration::from_secs(1)),
            ..Caller::default()
        };
        let unknown = patient.has_done(store.write(move |tx| {
            let _ = begun.send(());
            let _ = held.recv();
            add(tx, 3, 1)
        }));
        // The unit is asked for and begun before its caller looks at the time.
        let mut unknown = Box::pin(unknown);
        assert!((&mut unknown).now_or_never().is_none());
        until_begun(wait_until_begun).await;
        assert_eq!(unknown.await, Err(StorageError::OutcomeUnknown));
        drop(release);
        store.write(|tx| add(tx, 4, 1)).await.unwrap();
        assert_eq!(count(&store).await, 3);
    });
}

#[test]
fn a_unit_that_nobody_waits_for_any_more_is_not_begun() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        let release = hold_writer(&store).await;
        let given_up = asked(store.write(|tx| add(tx, 1, 1)));
        drop(given_up);
        drop(release);
        store.write(|tx| add(tx, 2, 1)).await.unwrap();
        assert_eq!(count(&store).await, 1);
    });
}

#[test]
fn a_full_queue_refuses_at_once() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = Store::open(
            database.url(),
            StoreOptions {
                waiting_max: 1,
                ..StoreOptions::default()
            },
        )
        .await
        .unwrap();
        let release = hold_writer(&store).await;
        let waiting = asked(store.health());
        let refused = store.health().now_or_never();
        assert_eq!(refused, Some(Err(StorageError::Overloaded)));
        drop(release);
        assert_eq!(waiting.await, Ok(()));
    });
}

#[test]
fn a_full_disk_refuses_writes_reads_go_on_and_writing_comes_back() {
    run_on_sqlite(|store| async move {
        with_scratch(&store).await;
        store
            .write(|tx| tx.batch("create table bulk (filling text)"))
            .await
            .unwrap();
        let pages = store
            .read(|tx| number(tx, "select page_count from pragma_page_count"))
            .await
            .unwrap();
        let limit = move |pages: i64| {
            let store = store.clone();
            async move {
                store
                    .write(move |tx| tx.batch(&format!("pragma max_page_count = {pages}")))
                    .await
                    .unwrap();
                store
            }
        };
        let store = limit(pages).await;
        let filling = |tx: &mut Tx| {
            tx.execute(
                "insert into bulk (filling) values (?1)",
                params!["x".repeat(100_000)],
            )
        };
        let ran = Arc::new(AtomicU32::new(0));
        let small = {
            let ran = Arc::clone(&ran);
            move |tx: &mut Tx| {
                ran.fetch_add(1, Ordering::Relaxed);
                add(tx, 1, 1)
            }
        };
        let release = hold_writer(&store).await;
        let first = asked(store.write(small));
        let second = asked(store.write(filling));
        drop(release);
        assert_eq!(second.await, Err(StorageError::Full));
        let kept = match first.await {
            Ok(_) => 1,
            Err(error) => {
                assert_eq!(error, StorageError::Full);
                0
            }
        };
        assert_eq!(ran.load(Ordering::Relaxed), 1);
        assert_eq!(count(&store).await, kept);
        assert_eq!(store.write(filling).await, Err(StorageError::Full));
        store
            .write(|tx| tx.batch("pragma max_page_count = 100000"))
            .await
            .unwrap();
        store.write(filling).await.unwrap();
        assert_eq!(store.health().await, Ok(()));
    });
}

#[test]
fn a_damaged_file_ends_the_store() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        with_scratch(&store).await;
        // Another connection breaks the schema, and says that it changed.
        let file = database.folder().unwrap().join("cabinet.db");
        rusqlite::Connection::open(file)
            .unwrap()
            .execute_batch(
                "pragma writable_schema = on;
                 update sqlite_schema set rootpage = 1000000 where name = 'scratch';
                 pragma schema_version = 1000000;",
            )
            .unwrap();
        let damaged = StorageError::Damaged("the file is damaged");
        // Met inside a unit of work, before anything was changed or committed.
        assert_eq!(store.write(|tx| add(tx, 1, 5)).await, Err(damaged.clone()));
        assert_eq!(store.stopped().await, damaged);
        assert_eq!(store.health().await, Err(damaged));
    });
}

/// How the planner looks up what belongs to each row.
fn plan(tx: &mut Tx) -> Result<String> {
    let sql = "explain query plan select o.id, (select sum(length(p.text)) from grown_parts p where p.owner = o.id) from grown_owners o";
    let steps = tx.rows(sql, &[], |row| row.get::<String>("detail"))?;
    Ok(steps.join("; "))
}

#[test]
fn tables_that_grow_under_one_process_are_planned_by_their_size() {
    const BY_INDEX: &str = "SEARCH p USING INDEX grown_parts_by_owner (owner=?)";
    run_on_sqlite(|store| async move {
        let first_day = |tx: &mut Tx| {
            tx.batch(
                "create table grown_owners (id integer primary key) strict;
                 create table grown_parts (id integer primary key, owner integer not null, text text not null) strict;
                 create index grown_parts_by_owner on grown_parts (owner);
                 insert into grown_owners values (1), (2);
                 insert into grown_parts values (1, 1, 'a part'), (2, 2, 'a part');
                 analyze;",
            )
        };
        store.write(first_day).await.unwrap();
        // Both kinds of connections have read the statistics and keep the statement.
        for plan in [store.read(plan).await, store.write(plan).await] {
            let plan = plan.unwrap();
            assert!(plan.contains("SCAN p"), "{plan}");
        }
        for table in ["grown_owners select i", "grown_parts select i, i, 'a part'"] {
            let grow = move |tx: &mut Tx| {
                tx.batch(&format!(
                    "insert into {table} from (with recursive n(i) as (select 3 union all select i + 1 from n where i < 12000) select i from n)"
                ))
            };
            store.write(grow).await.unwrap();
        }
        // Between two units the writer takes one step, and there are fewer tables than this.
        for _ in 0..1_000 {
            store.write(plan).await.unwrap();
        }
        for plan in [store.read(plan).await, store.write(plan).await] {
            let plan = plan.unwrap();
            assert!(plan.contains(BY_INDEX), "{plan}");
        }
    });
}

#[test]
fn an_index_that_is_built_under_one_process_has_statistics() {
    run_on_sqlite(|store| async move {
        let first_day = |tx: &mut Tx| {
            tx.batch(
                "create table indexed_parts (id integer primary key, owner integer not null) strict;
                 insert into indexed_parts values (1, 1), (2, 2), (3, 2);
                 analyze;",
            )
        };
        let build =
            |tx: &mut Tx| tx.batch("create index indexed_parts_by_owner on indexed_parts (owner)");
        let known = |tx: &mut Tx| {
            let sql =
                "select count(*) as known from sqlite_stat1 where idx = 'indexed_parts_by_owner'";
            tx.row(sql, &[], |row| row.get::<i64>("known"))
        };
        store.write(first_day).await.unwrap();
        store.write(build).await.unwrap();
        // Between two units the writer takes one step, and there are fewer tables than this.
        for _ in 0..1_000 {
            store.write(known).await.unwrap();
        }
        assert_eq!(store.read(known).await.unwrap(), 1);
    });
}
