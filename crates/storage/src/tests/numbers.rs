//! Numbers of orders and of transfers' documents.

use std::collections::BTreeSet;

use super::fixtures::at_once;
use crate::engine::counters::{next_document_number, next_order_number};
use crate::testing::{TestDatabase, number, run_on_postgres};
use crate::{Result, StorageError, Tx, on_both_databases};

/// Draws many numbers of both kinds in one unit of work.
fn draw(tx: &mut Tx, times: usize) -> Result<Vec<(i64, i64)>> {
    (0..times)
        .map(|_| Ok((next_order_number(tx)?, next_document_number(tx)?)))
        .collect()
}

/// What a program of the releases before does for the next order.
fn draw_as_before(tx: &mut Tx) -> Result<i64> {
    let sql = "insert into counters (name, value) values ('order_number', 100001)
               on conflict (name) do update set value = counters.value + 1 returning value";
    number(tx, sql)
}

on_both_databases! {
    async fn a_number_that_was_given_is_never_given_again(store: Store) {
        let (mut orders, mut documents) = (BTreeSet::new(), BTreeSet::new());
        let mut keep = |drawn: Vec<Vec<(i64, i64)>>| {
            for (order, document) in drawn.into_iter().flatten() {
                assert!(orders.insert(order), "order {order} is there twice");
                assert!(documents.insert(document), "document {document} is there twice");
            }
        };
        for times in [1, 7, 70] {
            keep(at_once(&store, 12, |_| move |tx| draw(tx, times)).await);
        }
        // More than are reserved at once.
        keep(vec![store.write(|tx| draw(tx, 450)).await.unwrap()]);
    }
}

#[test]
fn nobody_waits_for_the_commit_of_an_order_of_somebody_else() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let (one, other) = (database.store().await, database.store().await);
        let (drawn, mut has_drawn) = tokio::sync::mpsc::unbounded_channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let slow = one.write(move |tx| {
            let numbers = draw(tx, 2)?;
            drawn.send(numbers).expect("the test listens");
            may_go_on.recv().expect("the test tells");
            Ok::<_, StorageError>(())
        });
        let quick = async {
            let mut numbers = has_drawn.recv().await.expect("numbers are drawn");
            for store in [&one, &other] {
                numbers.extend(store.write(|tx| draw(tx, 2)).await.unwrap());
            }
            go_on.send(()).expect("the unit of work waits");
            numbers
        };
        let (slow, numbers) = tokio::join!(slow, quick);
        slow.unwrap();
        let (orders, documents): (BTreeSet<_>, BTreeSet<_>) = numbers.into_iter().unzip();
        assert_eq!((orders.len(), documents.len()), (6, 6));
    });
}

#[test]
fn two_processes_and_one_of_the_release_before_never_give_the_same_number() {
    run_on_postgres(|_| async {
        let database = TestDatabase::postgres().await;
        let mut numbers = Vec::new();
        let before = database.store().await;
        for _ in 0..3 {
            // Processes that are restarted again and again.
            let (one, other) = (database.store().await, database.store().await);
            for _ in 0..60 {
                numbers.push(one.write(next_order_number).await.unwrap());
                numbers.push(before.write(draw_as_before).await.unwrap());
                numbers.push(other.write(next_order_number).await.unwrap());
                // What is undone is not given again.
                let undone = one.write(|tx| {
                    next_order_number(tx)?;
                    Err::<(), _>(StorageError::TimedOut)
                });
                assert!(undone.await.is_err());
            }
            one.close().await;
            other.close().await;
        }
        let different: BTreeSet<i64> = numbers.iter().copied().collect();
        assert_eq!(different.len(), numbers.len());
    });
}
