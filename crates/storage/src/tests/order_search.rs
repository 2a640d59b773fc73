//! Looking for the orders of all notaries.

use cabinet_domain::{Line, Money, Order, fold_for_search};

use super::fixtures::{at, begin_attempt, client, id, inn, notary, order};
use crate::order::order_search::{self, SoughtOfDays};
use crate::testing::{execute, number};
use crate::{StorageError, Store, on_both_databases};

/// Stores orders of one client and sum, each with an attempt. Their numbers in the fixtures are 200 and 300 on.
async fn orders(store: &Store, count: u64) -> Vec<Order> {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400").await;
    let mut all = Vec::new();
    for (number, second) in (0..count).zip(20..) {
        let made = order(store, 200 + number, olena, taras.id, second).await;
        let begun = made.clone();
        store
            .write(move |tx| begin_attempt(tx, 300 + number, &begun, second))
            .await
            .unwrap();
        all.push(made);
    }
    all
}

fn numbers(found: Result<Vec<Order>, StorageError>) -> Vec<i64> {
    let found = found.unwrap();
    found.iter().map(|order| order.number).collect()
}

on_both_databases! {
    async fn a_search_reads_the_newest_orders_and_no_more_than_it_is_told(store: Store) {
        let all = orders(&store, 3).await;
        let newest = [all[2].number, all[1].number];
        let (olena, code, sum) = (all[0].notary_id, inn("3068208400"), all[0].sum);
        assert_eq!(numbers(store.read(move |tx| order_search::of_notary(tx, olena, 2)).await), newest);
        assert_eq!(numbers(store.read(move |tx| order_search::of_client_code(tx, &code, 2)).await), newest);
        let between = |from, until, limit| {
            let sought = SoughtOfDays { from: at(from), until: at(until), name: Vec::new(), card_end: None, sum: Some(sum) };
            store.read(move |tx| order_search::of_days(tx, &sought, limit))
        };
        assert_eq!(numbers(between(0, 100, 2).await), newest);
        assert_eq!(numbers(between(0, 100, 9).await).len(), 3);
        assert_eq!(numbers(between(21, 22, 9).await), [all[1].number]);
        assert!(numbers(between(30, 100, 9).await).is_empty());
    }

    async fn orders_of_days_are_found_by_all_that_is_known_of_them(store: Store) {
        let all = orders(&store, 2).await;
        let sum = all[0].sum;
        let look = |name: &[&str], card: Option<&str>, sum| {
            let name = name.iter().map(|word| fold_for_search(word)).collect();
            let card_end = card.map(str::to_owned);
            let sought = SoughtOfDays { from: at(0), until: at(100), name, card_end, sum };
            store.read(move |tx| order_search::of_days(tx, &sought, 9))
        };
        assert_eq!(numbers(look(&[], None, None).await).len(), 2);
        assert_eq!(numbers(look(&["шевч", "Тарас"], None, Some(sum)).await).len(), 2);
        assert!(numbers(look(&["шевч", "Петро"], None, None).await).is_empty());
        assert!(numbers(look(&["%"], None, None).await).is_empty(), "no sign of a pattern");
        assert!(numbers(look(&[], Some("4242"), None).await).is_empty(), "none was charged");
        assert!(numbers(look(&[], None, Some(Money::from_kopiykas(1).unwrap())).await).is_empty());
        // What the fees come to without the commission.
        let sql = "select cast(sum(count * amount) as bigint) from order_items";
        let fees = store.read(move |tx| number(tx, sql)).await.unwrap() / 2;
        let fees = Money::from_kopiykas(fees).unwrap();
        assert!(fees < sum);
        assert_eq!(numbers(look(&[], None, Some(fees)).await).len(), 2);
        let paid = format!("update orders set pan = '444455******4242' where number = {}", all[0].number);
        store.write(move |tx| execute(tx, &paid)).await.unwrap();
        assert_eq!(numbers(look(&["тарас"], Some("4242"), None).await), [all[0].number]);
    }

    async fn an_order_is_found_once_under_each_of_its_names(store: Store) {
        let all = orders(&store, 2).await;
        // An order and its item have this id, an attempt the other one.
        for known in [id(201), id(301)] {
            let found = store.read(move |tx| order_search::under_id(tx, known, 2)).await;
            assert_eq!(numbers(found), [all[1].number]);
        }
        assert!(numbers(store.read(|tx| order_search::under_id(tx, id(999), 2)).await).is_empty());
        let unknown = Line::parse("1", 128).unwrap();
        let found = store.read(move |tx| order_search::under_reference(tx, &unknown, 2)).await;
        assert!(numbers(found).is_empty(), "no transfer has a document yet");
    }
}
