//! The payments that a new one is compared with.

use cabinet_domain::{ItemId, NotaryId, OrderId, OrderStatus};
use jiff::{SignedDuration, Timestamp};

use super::fixtures::{add, at, client, fee, id, inn, item, locked, notary, order, step};
use crate::cart::known_payments;
use crate::{Store, cart, on_both_databases};

const CODE: &str = "3068208400";

/// Returns the numbers of the items that are found for the code, each with whether it is in an order.
async fn known(store: &Store, notary: NotaryId, since: Timestamp) -> Vec<(ItemId, bool)> {
    let found = store
        .read(move |tx| known_payments::of_client(tx, notary, &inn(CODE), since))
        .await
        .unwrap();
    let found = found.into_iter();
    found
        .map(|known| (known.item, known.order.is_some()))
        .collect()
}

fn item_id(number: u64) -> ItemId {
    ItemId::new(id(number))
}

on_both_databases! {
    async fn a_payment_is_known_from_the_cart_and_from_orders_since_a_moment(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        // One code, written with two names: two clients of the book.
        let taras = client(&store, olena, 30, "Шевченко Тарас", CODE).await;
        let same = client(&store, olena, 31, "Шевченко Т.", CODE).await;
        let other = client(&store, olena, 32, "Українка Леся", "АБ123456").await;
        let of_ihor = client(&store, ihor, 33, "Шевченко Тарас", CODE).await;
        order(&store, 100, olena, taras.id, 1_000).await;
        order(&store, 101, olena, same.id, 2_000).await;
        order(&store, 102, olena, other.id, 2_000).await;
        order(&store, 103, ihor, of_ihor.id, 2_000).await;
        add(&store, olena, taras.id, item(104, 10, fee())).await;
        add(&store, olena, other.id, item(105, 11, fee())).await;
        let deleted = add(&store, olena, same.id, item(106, 12, fee())).await;
        store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, deleted, at(20)))).await.unwrap();

        // The cart first, however old; of the orders the latest.
        let both = [(item_id(104), false), (item_id(101), true), (item_id(100), true)];
        assert_eq!(known(&store, olena, at(1_000)).await, both, "an order of this very moment counts");
        let later = at(1_000) + SignedDuration::from_micros(1);
        assert_eq!(known(&store, olena, later).await, both[..2]);
        assert_eq!(known(&store, olena, at(3_000)).await, both[..1]);
        assert_eq!(known(&store, ihor, at(0)).await, [(item_id(103), true)]);
    }

    async fn an_order_that_takes_no_money_any_more_does_not_count(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", CODE).await;
        order(&store, 100, olena, taras.id, 1_000).await;
        let mut before = OrderStatus::InProgress;
        for (after, counts) in [
            (OrderStatus::Pending, true),
            (OrderStatus::Failed, false),
            (OrderStatus::Expired, false),
            (OrderStatus::Paid, true),
            (OrderStatus::Refunded, false),
        ] {
            let order = OrderId::new(id(100));
            assert!(store.write(move |tx| step(tx, order, before, after, at(1_100))).await.unwrap());
            assert_eq!(!known(&store, olena, at(0)).await.is_empty(), counts, "{after:?}");
            before = after;
        }
    }
}
