//! Programs that are older or newer than the schema, plans, and long steps that break off.

#![expect(
    clippy::disallowed_methods,
    reason = "a test looks again until a state comes"
)]

use std::sync::mpsc;
use std::time::Duration;

use jiff::Timestamp;

use super::run::LOCK;
use super::*;
use crate::testing::{execute, number, run_on_postgres};
use crate::{SchemaError, StorageError, Store, on_both_databases};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;
const A_WHILE: Duration = Duration::from_secs(30);

/// A migration that no release has. Its number is this program's newest and `ahead`.
fn later(
    ahead: u32,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
) -> Migration {
    Migration {
        number: newest_schema() + ahead,
        name,
        kind: Kind::Transaction,
        oldest_program: newest_schema() + ahead,
        sqlite,
        postgres,
    }
}

fn with(more: &[Migration]) -> &'static [Migration] {
    [MIGRATIONS, more].concat().leak()
}

const ADD_COLUMN: &str = "alter table counters add column note text";

fn column(ahead: u32) -> Migration {
    later(ahead, "a_column", ADD_COLUMN, ADD_COLUMN)
}

/// A table with 2,500 rows, an index of it, and a new column that is filled.
fn long_steps() -> &'static [Migration] {
    const TABLE: &str = "create table scratch (id bigint primary key not null, half bigint);
        insert into scratch (id) with recursive n (id) as (select 1 union all select id + 1 from n where id < 2500) select id from n";
    const FILL: &str = "update scratch set half = id / 2 where id in (select id from scratch where half is null limit 1000)";
    with(&[
        later(1, "table", TABLE, TABLE),
        later(
            2,
            "index",
            "create index if not exists scratch_by_half on scratch (half)",
            "create index concurrently scratch_by_half on scratch (half)",
        )
        .index("scratch_by_half"),
        later(3, "fill", FILL, FILL).in_batches(),
        later(
            4,
            "not_null",
            "create table scratch_end (id bigint)",
            "alter table scratch alter column half set not null",
        ),
    ])
}

on_both_databases! {
    async fn an_expanded_schema_lets_the_program_before_work(store: Store) {
        let newest = newest_schema();
        let expanded = with(&[column(1).keeps_programs_from(newest)]);
        assert_eq!(store.migrate_by(expanded, NOW, A_WHILE).await, Ok(vec![newest + 1]));
        let newer = store.require_schema().await.unwrap().unwrap();
        assert_eq!((newer.database, newer.program, newer.applied_by.as_str()), (newest + 1, newest, env!("CARGO_PKG_VERSION")));
        // The older program has nothing to migrate, works, and the newer one goes on as if nothing had been.
        assert_eq!(store.migrate(NOW).await, Ok(Vec::new()));
        assert_eq!(store.migration_plan().await.unwrap().steps, Vec::new());
        assert!(store.write(crate::engine::counters::next_order_number).await.is_ok());
        assert_eq!(store.migrate_by(expanded, NOW, A_WHILE).await, Ok(Vec::new()));
    }

    async fn a_contracted_schema_refuses_the_program_before(store: Store) {
        let newest = newest_schema();
        // What a later migration says takes nothing back.
        let contracted = with(&[column(1), later(2, "more", "select 1", "select 1").keeps_programs_from(newest)]);
        assert_eq!(store.migrate_by(contracted, NOW, A_WHILE).await, Ok(vec![newest + 1, newest + 2]));
        let refusal: StorageError = SchemaError::Newer {
            database: newest + 2,
            needed: newest + 1,
            program: newest,
            applied_by: env!("CARGO_PKG_VERSION").to_owned(),
        }
        .into();
        assert_eq!(store.require_schema().await, Err(refusal.clone()));
        assert_eq!(store.migration_plan().await, Err(refusal.clone()));
        assert_eq!(store.migrate(NOW).await, Err(refusal));
    }

    async fn a_gap_below_a_newer_schema_is_refused(store: Store) {
        let newest = newest_schema();
        store.migrate_by(with(&[column(1).keeps_programs_from(newest)]), NOW, A_WHILE).await.unwrap();
        store.write(move |tx| execute(tx, &format!("delete from schema_migrations where number = {newest}"))).await.unwrap();
        assert!(matches!(store.require_schema().await, Err(StorageError::Schema(SchemaError::Newer { .. }))));
        store.write(move |tx| execute(tx, &format!("delete from schema_migrations where number > {newest}"))).await.unwrap();
        assert!(matches!(store.require_schema().await, Err(StorageError::Schema(SchemaError::Older { .. }))));
        store.write(|tx| execute(tx, "delete from schema_migrations where number = 3")).await.unwrap();
        assert_eq!(store.require_schema().await, Err(SchemaError::Missing { number: 3 }.into()));
    }

    async fn a_plan_says_what_would_run_and_changes_nothing(store: Store) {
        let newest = newest_schema();
        store.write(crate::engine::counters::next_order_number).await.unwrap();
        let rows = store.read(|tx| number(tx, "select count(*) from counters")).await.unwrap();
        let list = with(&[
            later(1, "one", "-- about orders\nalter table counters add column note text", "-- about orders\nalter table counters add column note text")
                .keeps_programs_from(newest),
            later(2, "two", "create index if not exists x on scratch (y)", "create index concurrently x on scratch (y)").index("x"),
        ]);
        let plan = store.migration_plan_by(list).await.unwrap();
        assert_eq!((plan.database, plan.program, plan.newer), (newest, newest + 2, None));
        let counters = TouchedTable { name: "counters".to_owned(), rows: rows.unsigned_abs() };
        assert_eq!(
            plan.steps,
            [
                PlannedStep { number: newest + 1, name: "one", kind: StepKind::Transaction, tables: vec![counters], oldest_program: newest },
                PlannedStep { number: newest + 2, name: "two", kind: StepKind::Index, tables: Vec::new(), oldest_program: newest + 2 },
            ]
        );
        assert_eq!(store.schema_version().await, Ok(newest));
        assert_eq!(store.require_schema().await, Ok(None));
    }

    async fn long_steps_stand_by_themselves(store: Store) {
        let newest = newest_schema();
        let list = long_steps();
        let all: Vec<u32> = (newest + 1..=newest + 4).collect();
        assert_eq!(store.migrate_by(list, NOW, A_WHILE).await, Ok(all));
        assert_eq!(store.read(|tx| number(tx, "select count(*) from scratch where half is null")).await, Ok(0));
        assert_eq!(store.migrate_by(list, NOW, A_WHILE).await, Ok(Vec::new()));
    }

    async fn what_fails_later_leaves_the_steps_before_it_done(store: Store) {
        let newest = newest_schema();
        let mut steps = long_steps()[MIGRATIONS.len()..].to_vec();
        let (sqlite, postgres) = (steps[3].sqlite, steps[3].postgres);
        (steps[3].sqlite, steps[3].postgres) = ("alter table nothing add column x", "alter table nothing add column x int");
        assert!(store.migrate_by(with(&steps), NOW, A_WHILE).await.is_err());
        assert_eq!(store.schema_version().await, Ok(newest + 3));
        // A killed program has filled a part only.
        store
            .write(move |tx| {
                execute(tx, "update scratch set half = null where id > 700")?;
                execute(tx, &format!("delete from schema_migrations where number = {}", newest + 3))
            })
            .await
            .unwrap();
        (steps[3].sqlite, steps[3].postgres) = (sqlite, postgres);
        assert_eq!(store.migrate_by(with(&steps), NOW, A_WHILE).await, Ok(vec![newest + 3, newest + 4]));
        assert_eq!(store.read(|tx| number(tx, "select count(*) from scratch where half is null")).await, Ok(0));
    }
}

async fn waited_for(store: &Store, sql: &'static str) {
    for _ in 0..600 {
        if store.read(move |tx| number(tx, sql)).await.unwrap() > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nothing of {sql}");
}

#[test]
fn an_index_whose_building_was_killed_is_built_again() {
    run_on_postgres(|store| async move {
        let list = long_steps();
        let newest = newest_schema();
        let to_table: &'static [Migration] = &list[..=MIGRATIONS.len()];
        store.migrate_by(to_table, NOW, A_WHILE).await.unwrap();
        // Somebody writes into the table, so the building waits in its midst.
        let (release, held) = mpsc::channel::<()>();
        let held = std::sync::Mutex::new(held);
        let writer = tokio::spawn({
            let store = store.clone();
            async move {
                store
                    .write(move |tx| {
                        execute(tx, "insert into scratch (id) values (5000)")?;
                        let _ = held.lock().unwrap().recv_timeout(Duration::from_secs(60));
                        Ok::<_, StorageError>(())
                    })
                    .await
            }
        });
        waited_for(
            &store,
            "select count(*) from pg_locks where relation = cast('scratch' as regclass) and mode = 'RowExclusiveLock'",
        )
        .await;
        let migrating = tokio::spawn({
            let store = store.clone();
            async move { store.migrate_by(list, NOW, A_WHILE).await }
        });
        waited_for(
            &store,
            "select count(*) from pg_index where indexrelid = to_regclass('scratch_by_half') and not indisvalid",
        )
        .await;
        let killed = store
            .write(|tx| {
                number(
                    tx,
                    "select count(pg_terminate_backend(pid)) from pg_stat_activity
                     where query like 'create index concurrently scratch%' and datname = current_database()",
                )
            })
            .await;
        assert_eq!(killed, Ok(1));
        release.send(()).unwrap();
        writer.await.unwrap().unwrap();
        // A store whose connection was lost tries once more by itself; a program that was killed does so at its next start.
        if migrating.await.unwrap().is_err() {
            store.migrate_by(list, NOW, A_WHILE).await.unwrap();
        }
        let valid = "select count(*) from pg_index where indexrelid = to_regclass('scratch_by_half') and indisvalid";
        assert_eq!(store.read(|tx| number(tx, valid)).await, Ok(1));
        assert_eq!(store.schema_version().await, Ok(newest + 4));
    });
}

#[test]
fn one_program_migrates_and_others_wait_for_a_bounded_time() {
    run_on_postgres(|store| async move {
        let newest = newest_schema();
        let list = with(&[column(1)]);
        let (release, held) = mpsc::channel::<()>();
        let held = std::sync::Mutex::new(held);
        let other = tokio::spawn({
            let store = store.clone();
            async move {
                store
                    .write(move |tx| {
                        number(
                            tx,
                            &format!("select 1 from (select pg_advisory_xact_lock({LOCK})) l"),
                        )?;
                        let _ = held.lock().unwrap().recv_timeout(Duration::from_secs(60));
                        Ok::<_, StorageError>(())
                    })
                    .await
            }
        });
        waited_for(
            &store,
            "select count(*) from pg_locks l join pg_database d on d.oid = l.database
             where d.datname = current_database() and l.locktype = 'advisory' and l.granted",
        )
        .await;
        let soon = Duration::from_millis(300);
        assert_eq!(
            store.migrate_by(list, NOW, soon).await,
            Err(SchemaError::Busy.into())
        );
        // Whoever has nothing to migrate does not wait.
        assert_eq!(
            store.migrate_by(MIGRATIONS, NOW, soon).await,
            Ok(Vec::new())
        );
        let waiting = tokio::spawn({
            let store = store.clone();
            async move { store.migrate_by(list, NOW, A_WHILE).await }
        });
        release.send(()).unwrap();
        other.await.unwrap().unwrap();
        assert_eq!(waiting.await.unwrap(), Ok(vec![newest + 1]));
    });
}

#[test]
fn the_list_is_in_order_and_says_what_it_needs() {
    for (before, migration) in MIGRATIONS.iter().zip(&MIGRATIONS[1..]) {
        assert!(before.number < migration.number);
    }
    for migration in MIGRATIONS {
        assert!(
            migration
                .name
                .starts_with(&format!("{:04}_", migration.number))
        );
        assert!(
            migration.oldest_program <= migration.number,
            "{}",
            migration.name
        );
        assert!(
            migration.number >= SAYS_OLDEST_PROGRAM || migration.kind == Kind::Transaction,
            "{}: a released migration is not changed",
            migration.name
        );
        if let Kind::Index(name) = migration.kind {
            assert!(
                migration
                    .postgres
                    .contains(&format!("create index concurrently {name} on"))
                    || migration
                        .postgres
                        .contains(&format!("create unique index concurrently {name} on")),
                "{}",
                migration.name
            );
            assert!(
                migration
                    .sqlite
                    .contains(&format!("index if not exists {name} on")),
                "{}",
                migration.name
            );
        }
    }
}
