//! Opening, migrating, copying and opening again.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use cabinet_domain::{Clock, ItemId, Okpo, PartRole, TransferId, TransferStatus};
use jiff::Timestamp;
use uuid::Uuid;

use super::acquirer::{payment, some_order};
use super::engine::{count, with_scratch};
use super::fixtures::{add, at, client, fee, id, item, notary, order, plan};
use crate::address_book::clients;
use crate::engine::migrations::{newest_schema, run_again};
use crate::engine::restored;
use crate::engine::sqlite::check_journal;
use crate::engine::value::params;
use crate::testing::{TestDatabase, execute, number, run_on_postgres, run_on_sqlite};
use crate::transfer::transfers;
use crate::{DatabaseUrl, SchemaError, StorageError, Store, StoreOptions, on_both_databases};

on_both_databases! {
    async fn migrating_again_changes_nothing(store: Store) {
        assert_eq!(store.schema_version().await, Ok(newest_schema()));
        let before = store.read(|tx| number(tx, "select cast(sum(applied_at) as bigint) from schema_migrations")).await;
        assert_eq!(store.migrate(Timestamp::MAX).await, Ok(Vec::new()));
        assert_eq!(store.read(|tx| number(tx, "select cast(sum(applied_at) as bigint) from schema_migrations")).await, before);
        assert_eq!(store.require_schema().await, Ok(None));
    }

    async fn a_newer_schema_that_does_not_say_what_it_needs_is_refused(store: Store) {
        let newer = newest_schema() + 1;
        store
            .write(move |tx| tx.execute("insert into schema_migrations (number, name, checksum, applied_at) values (?1, 'later', '', 0)", params![newer]))
            .await
            .unwrap();
        let refusal = StorageError::Schema(SchemaError::Newer { database: newer, needed: newer, program: newest_schema(), applied_by: "?".to_owned() });
        assert_eq!(store.require_schema().await, Err(refusal.clone()));
        assert_eq!(store.migrate(Timestamp::UNIX_EPOCH).await, Err(refusal));
    }

    async fn a_migration_that_was_edited_afterwards_is_noticed(store: Store) {
        store.write(|tx| execute(tx, "update schema_migrations set checksum = 'other' where number = 1")).await.unwrap();
        assert_eq!(store.require_schema().await, Err(SchemaError::Changed { number: 1 }.into()));
        assert_eq!(store.migrate(Timestamp::UNIX_EPOCH).await, Err(SchemaError::Changed { number: 1 }.into()));
    }

    async fn clients_that_an_earlier_version_left_behind_go_with_the_migration(store: Store) {
        let olena = notary(&store, 1).await;
        let ordered = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        order(&store, 200, olena, ordered, 20).await;
        let in_cart = client(&store, olena, 31, "Українка Леся", "АБ123456").await.id;
        add(&store, olena, in_cart, item(101, 21, fee())).await;
        let left_behind = client(&store, olena, 32, "Франко Іван", "АБ123457").await.id;
        store
            .write(|tx| {
                execute(tx, "drop index cart_items_by_client")?;
                run_again(tx, 9)
            })
            .await
            .unwrap();
        for (client, stays) in [(ordered, true), (in_cart, true), (left_behind, false)] {
            assert_eq!(store.read(move |tx| clients::client_of(tx, olena, client)).await.unwrap().is_some(), stays);
        }
    }

    async fn what_a_refund_called_off_has_a_status_of_its_own_after_the_migration(store: Store) {
        let order_id = some_order(&store).await.id;
        let (called_off, sent) = store
            .write(move |tx| {
                let (called_off, sent) = (TransferId::new(id(700)), TransferId::new(id(701)));
                for (number, transfer, role) in [(1, called_off, PartRole::Recipient), (2, sent, PartRole::Notary)] {
                    plan(tx, transfer, (order_id, ItemId::new(id(200))), &payment(role, 10_000), at(60 + number))?;
                }
                // As an earlier version left them.
                execute(tx, "delete from counters where name = 'document_number'")?;
                if tx.sqlite().is_none() {
                    execute(tx, "alter table transfers drop constraint transfers_reason_check")?;
                    for column in ["replaces", "refund_requested_at", "refunded_at", "refund_reason"] {
                        execute(tx, &format!("alter table transfers drop column {column}"))?;
                    }
                    for column in ["document_number", "value_date", "uetr", "bank_reference", "credited_on", "returned_on", "imported_at"] {
                        execute(tx, &format!("alter table transfers drop column {column}"))?;
                    }
                }
                execute(tx, "update transfers set status = 'returned', reason = 'order_refunded' where role = 'recipient'")?;
                execute(tx, "update transfers set status = 'sent' where role = 'notary'")?;
                run_again(tx, 15)?;
                run_again(tx, 16)?;
                if tx.sqlite().is_some() {
                    execute(tx, "alter table transfers add column refund_id blob references refunds (id)")?;
                    execute(tx, "alter table transfers add column given_back_at integer")?;
                    execute(tx, "alter table transfers add column booking_reference text")?;
                    execute(tx, "alter table transfers add column disputed_at integer")?;
                }
                Ok::<_, StorageError>((transfers::by_id(tx, called_off)?.unwrap(), transfers::by_id(tx, sent)?.unwrap()))
            })
            .await
            .unwrap();
        assert_eq!((called_off.status, called_off.reason, called_off.document_number), (TransferStatus::CalledOff, None, 1));
        assert_eq!((sent.status, sent.value_date, sent.document_number), (TransferStatus::Sent, None, 2));
        let next = store.write(crate::engine::counters::next_document_number).await;
        assert_eq!(next, Ok(3));
    }

    async fn whom_a_notary_paid_long_ago_is_known_to_her_after_the_migration(store: Store) {
        let order_id = some_order(&store).await.id;
        let pairs = store
            .write(move |tx| {
                let now = if tx.sqlite().is_some() { "unixepoch()" } else { "cast(extract(epoch from now()) as bigint)" };
                for (number, role, code, days) in [(1, PartRole::Recipient, "37993783", 31), (2, PartRole::Notary, "3068208400", 29)] {
                    let mut part = payment(role, 10_000);
                    part.payee.okpo = Okpo::parse(code).unwrap();
                    let transfer = TransferId::new(id(700 + number));
                    plan(tx, transfer, (order_id, ItemId::new(id(200))), &part, at(60))?;
                    let then = format!("update transfers set created_at = ({now} - {days} * 86400) * 1000000 where recipient_code = '{code}'");
                    execute(tx, &then)?;
                }
                let mut pairs = Vec::new();
                // An order that was not paid made nobody known, and neither did what was not sent, or what a bank returned.
                for (order_status, status) in [("paid", "sent"), ("paid", "credited"), ("failed", "sent"), ("paid", "planned"), ("paid", "returned")] {
                    execute(tx, &format!("update orders set status = '{order_status}', paid_at = 1"))?;
                    let reason = if status == "returned" { "'closed'" } else { "null" };
                    execute(tx, &format!("update transfers set status = '{status}', reason = {reason}"))?;
                    execute(tx, "drop table payment_proofs")?;
                    execute(tx, "drop table proved_recipients")?;
                    run_again(tx, 43)?;
                    let found = tx.rows("select okpo from proved_recipients order by okpo", params![], |row| row.next::<String>())?;
                    pairs.push(found);
                }
                Ok::<_, StorageError>(pairs)
            })
            .await
            .unwrap();
        let paid = vec!["37993783".to_owned()];
        assert_eq!(pairs, [paid.clone(), paid, vec![], vec![], vec![]]);
    }

    async fn an_empty_database_is_older(store: Store) {
        store.write(|tx| execute(tx, "drop table schema_migrations")).await.unwrap();
        assert_eq!(store.schema_version().await, Ok(0));
        let error = store.require_schema().await.unwrap_err();
        assert!(matches!(&error, StorageError::Schema(SchemaError::Older { database: 0, .. })), "{error}");
        assert!(error.to_string().ends_with("migrations are missing): run `cabinet migrate`; `cabinet migrate --plan` says what it does"), "{error}");
    }
}

#[test]
fn programs_that_start_together_migrate_in_turn() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let path = database.folder().unwrap().join("fresh.db");
        let url = DatabaseUrl::sqlite_file(&path);
        let (one, other) = (
            Store::open(&url, StoreOptions::default()).await.unwrap(),
            Store::open(&url, StoreOptions::default()).await.unwrap(),
        );
        let (first, second) = tokio::join!(
            one.migrate(Timestamp::UNIX_EPOCH),
            other.migrate(Timestamp::UNIX_EPOCH)
        );
        let applied = first.unwrap().len() + second.unwrap().len();
        assert_eq!(applied, crate::engine::migrations::MIGRATIONS.len());
    });
}

/// Writes from several tasks, drops the store while some are still waiting, opens it again, and looks for every row whose
/// writer was answered.
async fn everything_answered_is_found_again(database: TestDatabase) {
    let store = database.store().await;
    with_scratch(&store).await;
    let (answers, mut answered) = tokio::sync::mpsc::unbounded_channel();
    let writers: Vec<_> = (0..8_i64)
        .map(|writer| {
            let (store, answers) = (store.clone(), answers.clone());
            tokio::spawn(async move {
                for number in 0..1000 {
                    let id = writer * 1000 + number;
                    let sql = "insert into scratch (id, amount) values (?1, 0)";
                    let written = store.write(move |tx| tx.execute(sql, params![id])).await;
                    if written.is_ok() {
                        answers.send(id).unwrap();
                    }
                }
            })
        })
        .collect();
    drop(answers);
    let mut heard = Vec::new();
    while heard.len() < 50
        && let Some(id) = answered.recv().await
    {
        heard.push(id);
    }
    writers.iter().for_each(tokio::task::JoinHandle::abort);
    drop(store);
    let again = database.store().await;
    // Until every writer has ended.
    while let Some(id) = answered.recv().await {
        heard.push(id);
    }
    let rows = again
        .read(|tx| tx.rows("select id from scratch", params![], |row| row.next::<i64>()))
        .await
        .unwrap();
    for id in &heard {
        assert!(rows.contains(id), "row {id} was answered and is lost");
    }
    assert!(heard.len() >= 50);
    assert_eq!(again.health().await, Ok(()));
}

#[test]
fn a_dropped_store_loses_nothing_on_sqlite() {
    run_on_sqlite(|_| async {
        everything_answered_is_found_again(TestDatabase::sqlite().await).await
    });
}

#[test]
fn a_standby_is_refused_and_does_not_serve() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let store = database.store().await;
        let name = store.write(|tx| {
            tx.row(
                "select cast(current_database() as text) as name",
                params![],
                |row| row.next::<String>(),
            )
        });
        let name = name.await.unwrap();
        // To whoever connects it now looks like one.
        let like_a_standby =
            format!("alter database {name} set default_transaction_read_only = on");
        store
            .write(move |tx| execute(tx, &like_a_standby))
            .await
            .unwrap();
        let refused = Store::open(database.url(), StoreOptions::default()).await;
        assert_eq!(refused.unwrap_err(), StorageError::ReadOnly);
        assert_eq!(store.changes().await.err(), Some(StorageError::ReadOnly));
    });
}

#[test]
fn a_dropped_store_loses_nothing_on_postgres() {
    run_on_postgres(|_| async {
        everything_answered_is_found_again(TestDatabase::postgres().await).await
    });
}

#[test]
fn two_programs_write_to_one_database_in_turn() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let (one, other) = (database.store().await, database.store().await);
        with_scratch(&one).await;
        let writers: Vec<_> = (0..100_i64)
            .map(|id| {
                let store = if id % 2 == 0 {
                    one.clone()
                } else {
                    other.clone()
                };
                tokio::spawn(async move {
                    let sql = "insert into scratch (id, amount) values (?1, 0)";
                    store.write(move |tx| tx.execute(sql, params![id])).await
                })
            })
            .collect();
        for writer in writers {
            assert_eq!(writer.await.unwrap(), Ok(1));
        }
        assert_eq!(count(&other).await, 100);
    });
}

#[test]
fn a_closed_store_leaves_one_file_with_everything_in_it() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        with_scratch(&store).await;
        store
            .write(|tx| execute(tx, "insert into scratch (id, amount) values (1, 1)"))
            .await
            .unwrap();
        store.close().await;
        assert!(!database.folder().unwrap().join("cabinet.db-wal").exists());
        let again = Store::open(database.url(), StoreOptions::existing())
            .await
            .unwrap();
        assert_eq!(count(&again).await, 1);
    });
}

#[test]
fn the_file_is_readable_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let mode = std::fs::metadata(database.folder().unwrap().join("cabinet.db"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    });
}

#[test]
fn what_is_not_our_database_is_refused_and_left_as_it_is() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let folder = database.folder().unwrap();
        let foreign = folder.join("foreign.db");
        rusqlite::Connection::open(&foreign)
            .unwrap()
            .execute_batch("create table theirs (id integer)")
            .unwrap();
        let text = folder.join("notes.txt");
        std::fs::write(
            &text,
            "these are notes, and by no means a database of anything at all".repeat(20),
        )
        .unwrap();
        for path in [
            foreign,
            text.clone(),
            folder.join("missing/cabinet.db"),
            folder.to_owned(),
        ] {
            let opened =
                Store::open(&DatabaseUrl::sqlite_file(&path), StoreOptions::default()).await;
            assert!(
                matches!(
                    opened,
                    Err(StorageError::Address(_) | StorageError::Unavailable(_))
                ),
                "{} {opened:?}",
                path.display()
            );
        }
        assert!(
            std::fs::read_to_string(&text)
                .unwrap()
                .starts_with("these are notes")
        );
        let missing = folder.join("missing.db");
        assert!(matches!(
            Store::open(
                &DatabaseUrl::sqlite_file(&missing),
                StoreOptions::existing()
            )
            .await,
            Err(StorageError::Address(_))
        ));
        assert!(!missing.exists());
    });
}

#[test]
fn a_server_that_is_not_there_is_named_at_the_start() {
    run_on_postgres(|_| async {
        let url =
            DatabaseUrl::parse("postgres://cabinet:secret@127.0.0.1:1/cabinet?sslmode=disable")
                .unwrap();
        let opened = Store::open(&url, StoreOptions::default()).await;
        let Err(StorageError::Unavailable(text)) = opened else {
            panic!("{opened:?}")
        };
        assert!(!text.contains("secret"));
    });
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let crate::engine::address::Address::Postgres(mut config) = database.url().0.clone() else {
            panic!()
        };
        config.ssl_mode(postgres::config::SslMode::Require);
        let opened = Store::open(
            &DatabaseUrl(crate::engine::address::Address::Postgres(config)),
            StoreOptions::default(),
        )
        .await;
        assert!(
            matches!(opened, Err(StorageError::Unavailable(_))),
            "{opened:?}"
        );
    });
}

#[test]
fn a_copy_is_a_whole_database_of_its_own() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        with_scratch(&store).await;
        store
            .write(|tx| execute(tx, "insert into scratch (id, amount) values (1, 1)"))
            .await
            .unwrap();
        let copy = database.folder().unwrap().join("copy.db");
        store.backup(&copy).await.unwrap();
        store
            .write(|tx| execute(tx, "insert into scratch (id, amount) values (2, 1)"))
            .await
            .unwrap();
        let copied = Store::open(&DatabaseUrl::sqlite_file(&copy), StoreOptions::existing())
            .await
            .unwrap();
        assert_eq!(copied.require_schema().await, Ok(None));
        assert_eq!(count(&copied).await, 1);
        assert!(
            matches!(store.backup(&copy).await, Err(StorageError::Address(_))),
            "an older copy is never written over"
        );
        assert!(matches!(
            store
                .backup(&database.folder().unwrap().join("no/copy.db"))
                .await,
            Err(StorageError::Address(_))
        ));
        let names: Vec<_> = std::fs::read_dir(database.folder().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            !names
                .iter()
                .any(|name| name.to_string_lossy().contains("unfinished")),
            "{names:?}"
        );
    });
}

#[test]
fn a_copy_beside_the_journal_of_the_database_before_is_refused_and_no_file_is_touched() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        with_scratch(&store).await;
        let copy = database.folder().unwrap().join("copy.db");
        store.backup(&copy).await.unwrap();
        store
            .write(|tx| execute(tx, "insert into scratch (id, amount) values (1, 1)"))
            .await
            .unwrap();
        let image = crash_image(database.folder().unwrap(), "restored");
        let (file, journal) = (image.join("cabinet.db"), image.join("cabinet.db-wal"));
        std::fs::copy(&copy, &file).unwrap();
        let content = || {
            (
                std::fs::read(&file).unwrap(),
                std::fs::read(&journal).unwrap(),
            )
        };
        let before = content();

        let Err(StorageError::Address(told)) = rows_of(&image).await else {
            panic!("the copy and the journal were mixed");
        };
        assert!(told.contains(journal.to_str().unwrap()), "{told}");
        assert!(content() == before);
        assert_eq!(std::fs::read_dir(&image).unwrap().count(), 2);

        std::fs::remove_file(&journal).unwrap();
        assert_eq!(rows_of(&image).await, Ok(0));
        // From now on the journal is the copy's own.
        let url = DatabaseUrl::sqlite_file(&file);
        let opened = Store::open(&url, StoreOptions::existing()).await.unwrap();
        opened
            .write(|tx| execute(tx, "insert into scratch (id, amount) values (1, 1)"))
            .await
            .unwrap();
        assert_eq!(rows_of(&crash_image(&image, "again")).await, Ok(1));
    });
}

#[test]
fn copying_postgres_is_refused_with_the_right_tool_named() {
    run_on_postgres(|store| async move {
        let refusal = store
            .backup(std::path::Path::new("/nowhere/copy.db"))
            .await
            .unwrap_err();
        assert!(refusal.to_string().contains("pg_dump"));
    });
}

/// Copies the files of a database as a power failure would leave them.
fn crash_image(folder: &Path, name: &str) -> PathBuf {
    let image = folder.join(name);
    std::fs::create_dir(&image).unwrap();
    for file in ["cabinet.db", "cabinet.db-wal"] {
        std::fs::copy(folder.join(file), image.join(file)).unwrap();
    }
    image
}

async fn rows_of(image: &Path) -> Result<i64, StorageError> {
    let url = DatabaseUrl::sqlite_file(&image.join("cabinet.db"));
    let store = Store::open(&url, StoreOptions::existing()).await?;
    let rows = count(&store).await;
    store.close().await;
    Ok(rows)
}

#[test]
fn a_changed_byte_in_the_journal_is_told_from_a_commit_that_was_cut_off() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        let folder = database.folder().unwrap();
        let checkpoint = |image: &Path| {
            let connection = rusqlite::Connection::open(image.join("cabinet.db")).unwrap();
            let sql = "pragma wal_checkpoint(truncate)";
            connection.query_row(sql, (), |_| Ok(())).unwrap();
        };
        with_scratch(&store).await;
        checkpoint(folder);
        for id in 0..20_i64 {
            let sql = "insert into scratch (id, amount) values (?1, 0)";
            store
                .write(move |tx| tx.execute(sql, params![id]))
                .await
                .unwrap();
        }
        let whole = std::fs::read(folder.join("cabinet.db-wal")).unwrap();
        let (header, frame) = (32, 24 + 4096);
        let frames = (whole.len() - header) / frame;
        assert!(frames >= 20 && (whole.len() - header) % frame == 0);
        assert_eq!(rows_of(&crash_image(folder, "whole")).await, Ok(20));

        let changed = |at: usize, name: &str| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            let image = crash_image(folder, name);
            std::fs::write(image.join("cabinet.db-wal"), bytes).unwrap();
            image
        };
        let damaged =
            |opened: &Result<i64, StorageError>| matches!(opened, Err(StorageError::Damaged(_)));
        let middle = header + (frames - 10) * frame;
        // Page number, commit mark, salt, checksum and content of a frame; magic number, page size, salt and checksum of the journal.
        for at in [3, 9, 18, 30]
            .into_iter()
            .chain([3, 7, 8, 16, 24, 2000].map(|at| middle + at))
        {
            let image = changed(at, &format!("changed-{at}"));
            let opened = rows_of(&image).await;
            assert!(damaged(&opened), "byte {at}: {opened:?}");
            // Whoever accepts the loss has SQLite write the rest down, and goes on with that.
            checkpoint(&image);
            assert!(rows_of(&image).await.is_ok_and(|rows| rows < 20));
        }
        // In the last commit it may be a power failure as well: nobody was told of that commit.
        let last = changed(header + (frames - 1) * frame + 2000, "last");
        assert_eq!(rows_of(&last).await, Ok(19));
        let cut = crash_image(folder, "cut");
        std::fs::write(cut.join("cabinet.db-wal"), &whole[..whole.len() - 1000]).unwrap();
        assert_eq!(rows_of(&cut).await, Ok(19));
    });
}

fn make_pipe(at: &Path) {
    let made = Command::new("mkfifo").arg(at).status();
    assert!(made.is_ok_and(|status| status.success()));
}

/// Gives whoever opens the file, one after the other, these contents.
fn serve(file: &Path, contents: Vec<Vec<u8>>) {
    if file.exists() {
        std::fs::remove_file(file).unwrap();
    }
    make_pipe(file);
    let file = file.to_owned();
    std::thread::spawn(move || {
        for content in contents {
            let mut read = OpenOptions::new().write(true).open(&file).unwrap();
            std::fs::remove_file(&file).unwrap();
            make_pipe(&file);
            // Whoever has read enough closes it.
            read.write_all(&content).ok();
        }
    });
}

#[test]
fn a_frame_that_is_written_while_the_journal_is_read_is_no_damage() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        with_scratch(&store).await;
        for id in 0..20_i64 {
            let sql = "insert into scratch (id, amount) values (?1, 0)";
            store
                .write(move |tx| tx.execute(sql, params![id]))
                .await
                .unwrap();
        }
        let image = crash_image(database.folder().unwrap(), "read");
        let journal = image.join("cabinet.db-wal");
        let whole = std::fs::read(&journal).unwrap();
        let header = whole[..32].to_vec();
        let torn = |from_the_end: usize| {
            let mut bytes = whole.clone();
            let at = bytes.len() - from_the_end * (24 + 4096) + 2000;
            bytes[at] ^= 1;
            bytes
        };
        let check = |readings: &[&Vec<u8>]| {
            serve(&journal, readings.iter().copied().cloned().collect());
            check_journal(&image.join("cabinet.db"))
        };
        assert_eq!(check(&[&header, &torn(5), &whole]), Ok(()));
        assert_eq!(check(&[&header, &torn(5), &torn(4)]), Ok(()), "the next");
        let damaged = check(&[&header, &torn(5), &torn(5), &header]);
        assert!(matches!(damaged, Err(StorageError::Damaged(_))));
    });
}

struct Now(Timestamp);

impl Clock for Now {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A store of a process that runs.
async fn running(database: &TestDatabase, process: u128) -> Store {
    let store = database.store().await;
    assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(None));
    store.follow_database(Arc::new(Now(at(9))), Uuid::from_u128(process));
    store
}

async fn stopped_since(store: &Store) -> Option<Timestamp> {
    store.read(transfers::stopped_since).await.unwrap()
}

#[test]
fn a_server_that_lacks_the_last_commits_is_noticed_by_a_running_process() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let store = running(&database, 1).await;
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let first = order(&store, 200, olena, taras.id, 20).await;
        let standby = database.standby().await;
        // The same server is reached again.
        let lost = order(&store, 201, olena, taras.id, 21).await;
        assert_eq!((first.number, lost.number), (100_001, 100_002));
        assert!(!store.take_found_loss());
        database.promote(standby).await;
        let next = order(&store, 202, olena, taras.id, 22).await;
        assert_eq!(next.number, 1_100_101);
        assert_eq!(stopped_since(&store).await, Some(at(9)));
        assert_eq!(
            store.read(restored::recovering_since).await,
            Ok(Some(at(9)))
        );
        assert!(store.take_found_loss());
        assert!(!store.take_found_loss(), "once");
        database.cut_connections().await;
        let later = order(&store, 203, olena, taras.id, 23).await;
        assert_eq!(later.number, 1_100_102);
        assert!(!store.take_found_loss());
    });
}

#[test]
fn another_server_that_has_all_commits_stops_no_transfers() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (one, other) = (running(&database, 1).await, running(&database, 2).await);
        let olena = notary(&one, 1).await;
        let taras = client(&one, olena, 30, "Шевченко Тарас", "3068208400").await;
        order(&one, 200, olena, taras.id, 20).await;
        order(&other, 201, olena, taras.id, 21).await;
        let standby = database.standby().await;
        database.promote(standby).await;
        // Numbers that a third process may have given are skipped, and what it may have lost is looked for.
        let next = order(&one, 202, olena, taras.id, 22).await;
        assert_eq!(next.number, 1_100_201);
        assert!(one.take_found_loss());
        assert!(one.read(restored::is_recovering).await.unwrap());
        assert_eq!(stopped_since(&one).await, None);
        // Whatever the new server does not know of its numbers, it has skipped.
        assert_eq!(
            order(&other, 203, olena, taras.id, 23).await.number,
            100_102
        );
        assert_eq!(stopped_since(&other).await, None);

        // Only one of them has lost something, and the other comes first.
        let standby = database.standby().await;
        order(&one, 204, olena, taras.id, 24).await;
        database.promote(standby).await;
        assert_eq!(
            order(&other, 205, olena, taras.id, 25).await.number,
            2_100_301
        );
        assert_eq!(stopped_since(&other).await, None);
        order(&one, 206, olena, taras.id, 26).await;
        assert_eq!(stopped_since(&other).await, Some(at(9)));
    });
}

/// The files of the server that are put back have the identity of the server.
#[test]
fn an_older_state_of_the_same_server_is_noticed() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let store = running(&database, 1).await;
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        order(&store, 200, olena, taras.id, 20).await;
        let before = "update counters set value = value - 1 where name like 'last_commit/%'";
        let beside = database.store().await;
        beside.write(move |tx| execute(tx, before)).await.unwrap();
        beside.close().await;
        database.cut_connections().await;
        assert_eq!(
            order(&store, 201, olena, taras.id, 21).await.number,
            1_100_101
        );
        assert_eq!(stopped_since(&store).await, Some(at(9)));
    });
}

on_both_databases! {
    async fn order_numbers_go_on_in_the_database_that_was_in_use(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        for number in 0..3 {
            assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(None));
            assert_eq!(order(&store, 200 + number, olena, taras.id, 20).await.number, 100_001 + i64::try_from(number).unwrap());
        }
        // Another database with the same content. On PostgreSQL a hundred numbers are reserved.
        store.write(|tx| execute(tx, "update counters set value = value + 1 where name = 'database_identity'")).await.unwrap();
        let skipped = if store.is_sqlite() { 1_100_003 } else { 1_100_100 };
        assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(Some(skipped)));
        assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(None));
        assert_eq!(order(&store, 210, olena, taras.id, 20).await.number, skipped + 1);
    }

    async fn a_slow_process_ends_no_recovery_that_began_later(store: Store) {
        for since in [at(0), at(9)] {
            store.write(move |tx| restored::begin_recovery(tx, since)).await.unwrap();
        }
        store.write(|tx| restored::end_recovery(tx, at(0))).await.unwrap();
        assert_eq!(store.read(restored::recovering_since).await, Ok(Some(at(9))));
        store.write(|tx| restored::end_recovery(tx, at(9))).await.unwrap();
        assert_eq!(store.read(restored::is_recovering).await, Ok(false));
    }

    async fn numbers_of_complaints_go_on_in_the_database_that_was_in_use(store: Store) {
        assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(None));
        let become_a_copy = "update counters set value = value + 1 where name = 'database_identity'";
        let next = || store.write(crate::cart::complaints::next_number);
        // Complaints made after the copy are missing in it, also where it has none.
        store.write(move |tx| execute(tx, become_a_copy)).await.unwrap();
        store.leave_out_used_numbers(at(0)).await.unwrap();
        assert_eq!(next().await, Ok(6_001));
        assert_eq!(next().await, Ok(6_002));
        assert_eq!(store.leave_out_used_numbers(at(0)).await, Ok(None));
        assert_eq!(next().await, Ok(6_003), "a restart leaves none out");
        store.write(move |tx| execute(tx, become_a_copy)).await.unwrap();
        store.leave_out_used_numbers(at(0)).await.unwrap();
        assert_eq!(next().await, Ok(11_004));
    }
}

/// The file keeps its number and creation time then.
#[test]
fn a_backup_that_is_written_over_the_database_is_known_for_a_copy() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        store.leave_out_used_numbers(at(0)).await.unwrap();
        let folder = database.folder().unwrap();
        let (copy, live) = (folder.join("copy.db"), folder.join("cabinet.db"));
        store.backup(&copy).await.unwrap();
        // A copy is one file.
        assert!(!folder.join("copy.db-wal").exists() && !folder.join("copy.db-journal").exists());
        assert_eq!(store.is_unprepared_copy().await, Ok(false));
        store.close().await;
        let bytes = std::fs::read(&copy).unwrap();
        std::fs::write(&live, bytes).unwrap();
        let restored = database.store().await;
        assert_eq!(restored.is_unprepared_copy().await, Ok(true));
        restored.leave_out_used_numbers(at(9)).await.unwrap();
        assert_eq!(
            restored.read(transfers::stopped_since).await,
            Ok(Some(at(9)))
        );
        assert_eq!(restored.is_unprepared_copy().await, Ok(false));
    });
}

/// What `pg_restore --clean` does to one table.
#[test]
fn tables_that_were_made_anew_in_the_same_database_are_known_for_a_copy() {
    run_on_postgres(|store| async move {
        store.leave_out_used_numbers(at(0)).await.unwrap();
        assert_eq!(store.is_unprepared_copy().await, Ok(false));
        let anew = "alter table counters rename to counters_before; create table counters (like counters_before including all);
             insert into counters select * from counters_before; drop table counters_before";
        for statement in anew.split(';') {
            store.write(move |tx| execute(tx, statement)).await.unwrap();
        }
        assert_eq!(store.is_unprepared_copy().await, Ok(true));
        store.leave_out_used_numbers(at(9)).await.unwrap();
        assert_eq!(store.read(transfers::stopped_since).await, Ok(Some(at(9))));
        assert_eq!(store.is_unprepared_copy().await, Ok(false));
    });
}

#[test]
fn a_restored_copy_gives_no_order_number_a_second_time() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        store.leave_out_used_numbers(at(0)).await.unwrap();
        order(&store, 200, olena, taras.id, 20).await;
        let folder = database.folder().unwrap();
        store.backup(&folder.join("copy.db")).await.unwrap();
        let lost = order(&store, 201, olena, taras.id, 21).await;
        store.close().await;
        std::fs::rename(folder.join("copy.db"), folder.join("cabinet.db")).unwrap();
        let restored = database.store().await;
        assert_eq!(restored.is_unprepared_copy().await, Ok(true));
        assert_eq!(restored.read(transfers::stopped_since).await, Ok(None));
        assert!(
            restored
                .leave_out_used_numbers(at(9))
                .await
                .unwrap()
                .is_some()
        );
        assert_eq!(restored.is_unprepared_copy().await, Ok(false));
        assert_eq!(
            restored.read(transfers::stopped_since).await,
            Ok(Some(at(9)))
        );
        let next = order(&restored, 202, olena, taras.id, 22).await;
        assert!(next.number > lost.number, "{} {}", next.number, lost.number);
        restored.close().await;
        let again = database.store().await;
        assert_eq!(again.leave_out_used_numbers(at(0)).await, Ok(None));
        // A restart does not let them go.
        assert_eq!(again.read(transfers::stopped_since).await, Ok(Some(at(9))));
        assert_eq!(again.write(transfers::resume).await, Ok(true));
        assert_eq!(again.read(transfers::stopped_since).await, Ok(None));
        assert_eq!(again.write(transfers::resume).await, Ok(false));
    });
}
