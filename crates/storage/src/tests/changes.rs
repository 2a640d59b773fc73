//! What units of work announce.

use cabinet_domain::{EndReason, NotaryId, OrderId, SessionId};
use uuid::Uuid;

use super::fixtures::*;
use crate::testing::{TestDatabase, execute, run_on_postgres};
use crate::{Change, ChangeFeed, Heard, Store, StoreOptions, Tx, on_both_databases};

fn cart(number: u128) -> Change {
    Change::Cart(NotaryId::new(Uuid::from_u128(number)))
}

fn order(number: u128) -> Change {
    let notary = NotaryId::new(Uuid::from_u128(number));
    Change::Order(notary, OrderId::new(Uuid::from_u128(number + 1)))
}

async fn announce(store: &Store, changes: Vec<Change>) {
    let write = move |tx: &mut Tx| -> crate::Result<()> {
        for change in &changes {
            tx.announce(*change);
        }
        Ok(())
    };
    store.write(write).await.unwrap();
}

async fn hear(feed: &mut ChangeFeed, count: usize) -> Vec<Heard> {
    let mut heard = Vec::new();
    while heard.len() < count {
        heard.push(feed.next().await.unwrap());
    }
    heard
}

/// Waits until a change is heard, and for nothing but changes: what may have been told is told again.
async fn hear_until(feed: &mut ChangeFeed, last: Change) {
    loop {
        match feed.next().await {
            Some(Heard::Change(heard)) if heard == last => return,
            Some(Heard::Change(_)) => {}
            other => panic!("{other:?} was heard before {last:?}"),
        }
    }
}

on_both_databases! {
    async fn a_connection_to_the_database_itself_keeps_its_session(store: Store) {
        store.require_sessions().await.unwrap();
    }

    async fn a_change_is_heard_once_after_its_commit_and_never_if_it_was_undone(store: Store) {
        let mut feed = store.changes().await.unwrap();
        let undone = |tx: &mut Tx| -> crate::Result<()> {
            tx.announce(cart(1));
            Err(crate::StorageError::Closed)
        };
        assert!(store.write(undone).await.is_err());
        announce(&store, vec![cart(2), order(3), cart(2)]).await;
        assert_eq!(hear(&mut feed, 2).await, [cart(2), order(3)].map(Heard::Change));
        announce(&store, vec![cart(2)]).await;
        assert_eq!(hear(&mut feed, 1).await, [Heard::Change(cart(2))]);
    }

    async fn every_end_of_a_session_is_announced(store: Store) {
        let mut feed = store.changes().await.unwrap();
        let notary = notary(&store, 1).await;
        let sessions = [10, 11, 12, 13].map(|number| SessionId::new(id(number)));
        let (kept, ended) = (sessions[0], sessions[1]);
        store.write(move |tx| {
            for session in sessions {
                crate::account::sessions::insert(tx, &session_until(session, notary, 1_000))?;
            }
            Ok::<_, crate::StorageError>(())
        }).await.unwrap();
        store.write(move |tx| {
            assert!(crate::account::sessions::end(tx, ended, at(1), EndReason::LoggedOut)?);
            assert!(!crate::account::sessions::end(tx, ended, at(2), EndReason::LoggedOut)?);
            assert_eq!(crate::account::sessions::end_others(tx, notary, kept, at(3), EndReason::EndedByNotary)?, 2);
            assert_eq!(crate::account::sessions::end_all(tx, notary, at(4), EndReason::EndedByNotary)?, 1);
            Ok::<_, crate::StorageError>(())
        }).await.unwrap();
        let mut heard: Vec<_> = hear(&mut feed, 4).await.into_iter().map(|heard| format!("{heard:?}")).collect();
        heard.sort();
        let mut expected: Vec<_> = sessions.iter().map(|one| format!("{:?}", Heard::Change(Change::SessionEnded(*one)))).collect();
        expected.sort();
        assert_eq!(heard, expected);
    }

    async fn a_ticket_is_good_once(store: Store) {
        let use_it = |until| store.write(move |tx| crate::payment::used_tickets::use_once(tx, "ticket", at(until)));
        assert!(use_it(10).await.unwrap());
        assert!(!use_it(10).await.unwrap());
        assert_eq!(store.write(|tx| crate::payment::used_tickets::purge(tx, at(9))).await.unwrap(), 0);
        assert_eq!(store.write(|tx| crate::payment::used_tickets::purge(tx, at(10))).await.unwrap(), 1);
    }
}

#[test]
fn the_changes_of_another_process_are_heard() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (here, there) = (database.store().await, database.store().await);
        let mut feed = here.changes().await.unwrap();
        announce(&there, vec![cart(1)]).await;
        assert_eq!(feed.next().await, Some(Heard::Change(cart(1))));
        announce(&here, vec![cart(2)]).await;
        assert_eq!(feed.next().await, Some(Heard::Change(cart(2))));
        announce(&there, (0..1_000).map(cart).collect()).await;
        let heard = hear(&mut feed, 1_000).await;
        assert_eq!(heard[999], Heard::Change(cart(999)));
    });
}

#[test]
fn after_a_lost_connection_there_is_a_gap_and_then_changes_are_heard_again() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let store = Store::open(database.url(), StoreOptions::existing())
            .await
            .unwrap();
        let mut feed = store.changes().await.unwrap();
        let sql = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()";
        let end = move |tx: &mut Tx| execute(tx, &format!("do $$ begin perform ({sql}); end $$"));
        store.write(end).await.unwrap();
        assert_eq!(feed.next().await, Some(Heard::Gap));
        announce(&store, vec![cart(1)]).await;
        assert_eq!(feed.next().await, Some(Heard::Change(cart(1))));
    });
}

/// From the next connection on, whoever tells of a change waits for whoever holds this lock, as for the lock of PostgreSQL's own queue, which no test
/// can hold.
const TELLING_WAITS: &str = "create function public.pg_notify(channel text, payload text) returns void language sql
         as 'select pg_advisory_xact_lock_shared(1); select pg_catalog.pg_notify(channel, payload)';
     do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$";

#[test]
fn no_commit_waits_for_what_is_told() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let holder = database.store().await;
        holder.write(|tx| tx.batch(TELLING_WAITS)).await.unwrap();
        let store = database.store().await;
        let mut feed = store.changes().await.unwrap();
        let hold = |tx: &mut Tx| execute(tx, "select pg_advisory_lock(1)");
        holder.write(hold).await.unwrap();
        announce(&store, vec![cart(1)]).await;
        announce(&store, vec![cart(2), cart(1)]).await;
        holder.close().await;
        hear_until(&mut feed, cart(1)).await;
        hear_until(&mut feed, cart(2)).await;
    });
}

#[test]
fn a_lost_connection_that_tells_is_made_anew_and_no_change_is_missed() {
    run_on_postgres(|store| async move {
        let mut feed = store.changes().await.unwrap();
        for number in [1, 2] {
            announce(&store, vec![cart(number)]).await;
            hear_until(&mut feed, cart(number)).await;
            let end = "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity
                 where datname = current_database() and query like 'select pg_notify($1%'";
            let ended = store.write(move |tx: &mut Tx| crate::testing::number(tx, end));
            assert_eq!(ended.await.unwrap(), 1);
        }
        announce(&store, vec![cart(3)]).await;
        hear_until(&mut feed, cart(3)).await;
    });
}

#[test]
fn whoever_begins_to_follow_tells_the_others_of_what_a_dead_process_has_not_told() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (here, started) = (database.store().await, database.store().await);
        let mut feed = here.changes().await.unwrap();
        let mut its_own = started.changes().await.unwrap();
        assert_eq!(feed.next().await, Some(Heard::Gap));
        announce(&here, vec![cart(1)]).await;
        for feed in [&mut feed, &mut its_own] {
            assert_eq!(feed.next().await, Some(Heard::Change(cart(1))));
        }
    });
}

#[test]
fn what_was_announced_is_told_before_a_store_has_closed() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (here, command) = (database.store().await, database.store().await);
        let mut feed = here.changes().await.unwrap();
        announce(&command, vec![cart(1)]).await;
        command.close().await;
        // So it stands before whatever is told from now on.
        announce(&here, vec![cart(2)]).await;
        assert_eq!(
            hear(&mut feed, 2).await,
            [cart(1), cart(2)].map(Heard::Change)
        );
    });
}
