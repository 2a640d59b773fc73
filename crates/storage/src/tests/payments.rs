//! Carts, orders and the archive.

use std::collections::BTreeSet;

use cabinet_domain::payment::{OrderFacts, PaymentState};
use cabinet_domain::{
    CartSummary, ClientId, Count, ItemContent, ItemId, Key, Line, MaskedPan, Money, NewOrder,
    NotarialAct, OrderId, OrderStatus, TruncatedPan,
};
use jiff::SignedDuration;

use super::fixtures::{
    add, at, at_once, client, create_order, fee, free_payment, id, inn, item, locked, name,
    new_order, notary, of_order, order, price, step,
};
use crate::address_book::clients;
use crate::order::order_list::{self, OrderFilter};
use crate::order::orders;
use crate::payment::payments;
use crate::testing::{execute, number};
use crate::{ConstraintKind, StorageError, Store, cart, lock_notary, on_both_databases};

fn hryvnias(sum: i64) -> Money {
    Money::from_hryvnias(sum).unwrap()
}

/// The numbers of the listed orders' ids, as the fixtures gave them.
async fn listed(
    store: &Store,
    notary: cabinet_domain::NotaryId,
    filter: OrderFilter,
    limit: u32,
) -> Vec<u64> {
    let page = store
        .read(move |tx| order_list::page_of(tx, notary, &filter, limit))
        .await
        .unwrap();
    page.iter()
        .map(|listed| listed.order.id.uuid().as_u128() as u64 & 0xFFFF)
        .collect()
}

on_both_databases! {
    async fn a_cart_comes_in_groups_with_every_content_as_it_was_put_in(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let lesia = client(&store, olena, 31, "Українка Леся", "АБ123456").await;
        let items = [
            (taras.id, item(100, 10, fee())),
            (lesia.id, item(101, 11, free_payment(50_000, 1_000))),
            (taras.id, item(102, 12, free_payment(1, 1_000))),
        ];
        for (client, item) in items.clone() {
            add(&store, olena, client, item).await;
        }
        let groups = store.read(move |tx| cart::groups_of(tx, olena)).await.unwrap();
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0].client, taras);
        assert_eq!(groups[0].items, [items[0].1.clone(), items[2].1.clone()]);
        assert_eq!(groups[1].client, lesia);
        assert_eq!(groups[1].items, [items[1].1.clone()]);
        let group = store.read(move |tx| cart::group_of(tx, olena, lesia.id)).await.unwrap();
        assert_eq!(group.as_ref(), groups.get(1));
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 3);
        assert!(store.read(move |tx| cart::groups_of(tx, ihor)).await.unwrap().is_empty());
        let found = store.read(move |tx| cart::item_of(tx, olena, ItemId::new(id(101)))).await.unwrap();
        assert_eq!(found, Some((lesia.id, items[1].1.clone())));
    }

    async fn the_contents_of_all_carts_are_those_that_are_not_deleted(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let lesia = client(&store, ihor, 31, "Українка Леся", "АБ123456").await;
        add(&store, olena, taras.id, item(100, 10, fee())).await;
        add(&store, ihor, lesia.id, item(101, 11, free_payment(50_000, 1_000))).await;
        let deleted = add(&store, ihor, lesia.id, item(102, 12, fee())).await;
        assert!(store.write(locked(ihor, move |tx, notary| cart::delete(tx, notary, deleted, at(20)))).await.unwrap());
        let contents = store.read_long(cart::all_contents).await.unwrap();
        assert_eq!(contents, [fee(), free_payment(50_000, 1_000)]);
    }

    async fn another_notary_can_do_nothing_to_an_item(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let item = add(&store, olena, taras.id, item(100, 10, fee())).await;
        store
            .write(move |tx| {
                let (olena, ihor) = (lock_notary(tx, olena)?, lock_notary(tx, ihor)?);
                assert!(!cart::set_count(tx, &ihor, item, Count::new(9).unwrap())?);
                assert!(!cart::delete(tx, &ihor, item, at(20))?);
                assert!(!cart::replace_content(tx, &ihor, item, &fee())?);
                assert!(cart::item_of(tx, ihor.id(), item)?.is_none());
                assert!(cart::group_of(tx, ihor.id(), taras.id)?.is_none());
                assert!(cart::delete(tx, &olena, item, at(20))?);
                assert!(!cart::restore(tx, &ihor, item)?);
                assert!(create_order(tx, &ihor, taras.id, &new_order(200, 30))?.is_none());
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn counts_prices_and_contents_are_replaced(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let item = add(&store, olena, taras.id, item(100, 10, fee())).await;
        store
            .write(locked(olena, move |tx, notary| {
                assert!(cart::set_count(tx, notary, item, Count::new(3).unwrap())?);
                let (_, counted) = cart::item_of(tx, olena, item)?.unwrap();
                let dearer = ItemContent { price: price(40_000, 2_000), ..counted.content };
                cart::replace_content(tx, notary, item, &dearer)
            }))
            .await
            .unwrap();
        let (_, found) = store.read(move |tx| cart::item_of(tx, olena, item)).await.unwrap().unwrap();
        assert_eq!(found.content.total(), Ok(hryvnias(3 * 420)));
        store.write(locked(olena, move |tx, notary| cart::replace_content(tx, notary, item, &free_payment(7, 1_000)))).await.unwrap();
        let (_, found) = store.read(move |tx| cart::item_of(tx, olena, item)).await.unwrap().unwrap();
        assert_eq!(found.content, free_payment(7, 1_000));
        assert_eq!(found.created_at, at(10));
    }

    async fn an_item_moves_to_another_client_and_the_last_one_takes_the_act_along(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let lesia = client(&store, olena, 31, "Косач Лариса", "3184710691").await.id;
        let first = add(&store, olena, taras, item(100, 10, fee())).await;
        let second = add(&store, olena, taras, item(101, 11, fee())).await;
        let act = NotarialAct { register_number: Some(Line::parse("1-17", 40).unwrap()), ..NotarialAct::default() };
        let entered = act.clone();
        store.write(locked(olena, move |tx, notary| cart::set_act(tx, notary, taras, &entered))).await.unwrap();

        let replace = move |notary, item, (from, to)| locked(notary, move |tx, notary| cart::replace(tx, notary, item, (from, to), &free_payment(50_000, 1_000)));
        assert_eq!(store.write(replace(ihor, first, (taras, lesia))).await, Ok(false));
        assert_eq!(store.write(replace(olena, first, (taras, lesia))).await, Ok(true));
        let groups = store.read(move |tx| cart::groups_of(tx, olena)).await.unwrap();
        assert_eq!(groups.iter().map(|group| (group.client.id, group.items[0].id)).collect::<Vec<_>>(), [(lesia, first), (taras, second)]);
        assert_eq!((&groups[0].act, &groups[1].act), (&NotarialAct::default(), &act));
        assert_eq!((groups[0].items[0].created_at, &groups[0].items[0].content), (at(10), &free_payment(50_000, 1_000)));

        assert_eq!(store.write(replace(olena, second, (taras, lesia))).await, Ok(true));
        let groups = store.read(move |tx| cart::groups_of(tx, olena)).await.unwrap();
        assert_eq!((groups.len(), groups[0].items.len(), &groups[0].act), (1, 2, &act));
        assert_eq!(store.read(move |tx| clients::client_of(tx, olena, taras)).await, Ok(None));
        let standing = store.read(move |tx| cart::summary(tx, olena)).await.unwrap();
        assert_eq!((standing.items_count, standing.total), (2, 102_000));

        // What has left the cart is not replaced.
        assert!(store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, first, at(20)))).await.unwrap());
        assert_eq!(store.write(replace(olena, first, (lesia, lesia))).await, Ok(false));
        assert_eq!(store.read(move |tx| cart::is_deleted(tx, olena, first)).await, Ok(true));
        assert_eq!(store.read(move |tx| cart::is_deleted(tx, ihor, first)).await, Ok(false));
    }

    async fn the_standing_follows_every_change_of_the_cart(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let lesia = client(&store, olena, 31, "Косач Лариса", "3184710691").await.id;
        let standing = |store: Store| async move {
            let standing = store.read(move |tx| cart::summary(tx, olena)).await.unwrap();
            (standing.version, standing.items_count, standing.total)
        };
        assert_eq!(standing(store.clone()).await, (0, 0, 0));
        let first = add(&store, olena, taras, item(100, 10, fee())).await;
        let second = add(&store, olena, taras, item(101, 11, free_payment(50_000, 1_000))).await;
        let third = add(&store, olena, lesia, item(102, 12, fee())).await;
        assert_eq!(standing(store.clone()).await, (3, 3, 2 * 36_000 + 51_000));
        store.write(locked(olena, move |tx, notary| cart::set_count(tx, notary, first, Count::new(3).unwrap()))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (4, 3, 4 * 36_000 + 51_000));
        store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, second, at(20)))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (5, 2, 4 * 36_000));
        store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, second))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (6, 3, 4 * 36_000 + 51_000));
        store.write(locked(olena, move |tx, notary| cart::replace_content(tx, notary, third, &ItemContent { price: price(40_000, 2_000), ..fee() }))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (7, 3, 3 * 36_000 + 51_000 + 42_000));
        store.write(locked(olena, move |tx, notary| cart::replace_content(tx, notary, third, &free_payment(7, 1_000)))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (8, 3, 3 * 36_000 + 51_000 + 1_007));
        store.write(locked(olena, move |tx, notary| create_order(tx, notary, taras, &new_order(200, 30)))).await.unwrap();
        assert_eq!(standing(store.clone()).await, (9, 1, 1_007));
        let other = notary(&store, 2).await;
        assert_eq!(store.read(move |tx| cart::summary(tx, other)).await, Ok(CartSummary::default()));
    }

    async fn what_changes_nothing_leaves_the_cart_at_its_version(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let item = add(&store, olena, taras, item(100, 10, fee())).await;
        let before = store.read(move |tx| cart::summary(tx, olena)).await;
        store
            .write(move |tx| {
                let (olena, ihor) = (lock_notary(tx, olena)?, lock_notary(tx, ihor)?);
                assert!(!cart::set_count(tx, &ihor, item, Count::new(9).unwrap())?);
                assert!(!cart::restore(tx, &olena, item)?);
                assert!(!cart::delete(tx, &olena, ItemId::new(id(999)), at(20))?);
                cart::purge_deleted(tx, &olena, at(30))
            })
            .await
            .unwrap();
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await, before);
    }

    async fn a_refund_heard_of_before_the_payment_dates_both(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let made = order(&store, 200, olena, taras, 20).await.id;
        assert!(store.write(move |tx| step(tx, made, OrderStatus::InProgress, OrderStatus::Refunded, at(50))).await.unwrap());
        assert_eq!(store.read(move |tx| orders::by_id(tx, made)).await.unwrap().unwrap().paid_at, Some(at(50)));
    }

    async fn a_deleted_item_can_be_put_back_until_it_is_purged(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let item = add(&store, olena, taras.id, item(100, 10, fee())).await;
        assert!(store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, item, at(20)))).await.unwrap());
        assert!(!store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, item, at(21)))).await.unwrap());
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 0);
        assert!(!store.write(locked(olena, move |tx, notary| cart::set_count(tx, notary, item, Count::ONE))).await.unwrap());
        assert_eq!(store.write(locked(olena, move |tx, notary| cart::purge_deleted(tx, notary, at(20)))).await, Ok(0));
        assert!(store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, item))).await.unwrap());
        assert!(!store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, item))).await.unwrap());
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 1);
        store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, item, at(30)))).await.unwrap();
        assert_eq!(store.write(locked(olena, move |tx, notary| cart::purge_deleted(tx, notary, at(31)))).await, Ok(1));
        assert!(!store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, item))).await.unwrap());
    }

    async fn a_client_that_nothing_names_goes_with_its_last_item(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let lesia = client(&store, olena, 31, "Українка Леся", "АБ123456").await.id;
        let ivan = client(&store, olena, 32, "Франко Іван", "АБ123457").await.id;
        let others = client(&store, ihor, 33, "Шевченко Тарас", "3068208400").await.id;
        let made = order(&store, 200, olena, lesia, 20).await;
        let of_ihor = add(&store, ihor, others, item(105, 24, fee())).await;
        assert!(store.write(locked(ihor, move |tx, notary| cart::delete(tx, notary, of_ihor, at(30)))).await.unwrap());
        let ordered = add(&store, olena, lesia, item(101, 21, fee())).await;
        let deleted = add(&store, olena, taras, item(102, 22, fee())).await;
        let other = add(&store, olena, ivan, item(103, 23, fee())).await;
        let kept = add(&store, olena, ivan, item(104, 24, fee())).await;
        let purge = async |second| {
            store.write(locked(olena, move |tx, notary| cart::purge_deleted(tx, notary, at(second)))).await.unwrap();
            let mut left = Vec::new();
            for client in [taras, lesia, ivan] {
                if store.read(move |tx| clients::client_of(tx, olena, client)).await.unwrap().is_some() {
                    left.push(client);
                }
            }
            left
        };
        assert_eq!(purge(40).await, [taras, lesia, ivan], "all are in the cart");
        for item in [ordered, deleted, other] {
            assert!(store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, item, at(50)))).await.unwrap());
        }
        assert_eq!(store.read(|tx| cart::owners_of_deleted(tx, at(50))).await.unwrap(), [ihor]);
        assert_eq!(purge(50).await, [taras, lesia, ivan], "the deletion can be undone");
        assert_eq!(store.read(|tx| cart::owners_of_deleted(tx, at(51))).await.unwrap().len(), 2);
        assert_eq!(purge(51).await, [lesia, ivan], "an order names one, and the cart the other");
        assert!(store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, kept, at(52)))).await.unwrap());
        assert_eq!(purge(53).await, [lesia]);
        assert_eq!(store.read(move |tx| clients::last_of(tx, olena)).await.unwrap().map(|client| client.id), Some(lesia));
        assert!(store.read(move |tx| clients::client_of(tx, ihor, others)).await.unwrap().is_some(), "of another notary");
        assert!(store.write(locked(ihor, move |tx, notary| cart::restore(tx, notary, of_ihor))).await.unwrap(), "nor does her purge touch his items");
        assert_eq!(store.read(move |tx| orders::by_id(tx, made.id)).await.unwrap().unwrap().client.id, lesia);
    }

    async fn a_client_that_is_used_again_while_it_is_purged_is_there(store: Store) {
        let olena = notary(&store, 1).await;
        for round in 0..20_u64 {
            let taras = client(&store, olena, 1_000 + round, "Шевченко Тарас", "3068208400").await.id;
            let old = add(&store, olena, taras, item(2_000 + round, 10, fee())).await;
            store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, old, at(20)))).await.unwrap();
            at_once(&store, 6, |number| {
                move |tx| {
                    let notary = lock_notary(tx, olena)?;
                    if number % 2 == 0 {
                        return cart::purge_deleted(tx, &notary, at(30)).map(drop);
                    }
                    let fresh = ClientId::new(id(3_000 + 10 * round + number));
                    let used = clients::upsert(tx, &notary, fresh, &inn("3068208400"), &name("Шевченко Тарас"), at(40))?;
                    cart::add(tx, &notary, used.id, &item(5_000 + 10 * round + number, 40, fee())).map(drop)
                }
            })
            .await;
            assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 3);
            store
                .write(locked(olena, move |tx, notary| {
                    for number in [1, 3, 5] {
                        cart::delete(tx, notary, ItemId::new(id(5_000 + 10 * round + number)), at(41))?;
                    }
                    cart::purge_deleted(tx, notary, at(60))
                }))
                .await
                .unwrap();
            assert_eq!(store.read(|tx| number(tx, "select count(*) from clients")).await, Ok(0));
        }
    }

    async fn ten_parallel_additions_to_a_cart_are_ten_and_a_limit_on_them_holds(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let added = at_once(&store, 14, |number| {
            move |tx| {
                let notary = lock_notary(tx, olena)?;
                if cart::summary(tx, olena)?.items_count >= 10 {
                    return Ok(false);
                }
                cart::add(tx, &notary, taras, &item(100 + number, 10, fee()))?;
                Ok(true)
            }
        })
        .await;
        assert_eq!(added.iter().filter(|added| **added).count(), 10);
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 10);
    }

    async fn an_order_takes_the_group_out_of_the_cart_item_by_item(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let lesia = client(&store, olena, 31, "Українка Леся", "АБ123456").await;
        let first = item(100, 10, fee());
        let second = item(101, 11, free_payment(50_000, 1_000));
        add(&store, olena, taras.id, second.clone()).await;
        add(&store, olena, taras.id, first.clone()).await;
        add(&store, olena, lesia.id, item(102, 12, fee())).await;
        let gone = add(&store, olena, taras.id, item(103, 13, fee())).await;
        store.write(locked(olena, move |tx, notary| cart::delete(tx, notary, gone, at(14)))).await.unwrap();
        store.write(locked(olena, move |tx, notary| cart::set_count(tx, notary, ItemId::new(id(100)), Count::new(2).unwrap()))).await.unwrap();

        let new = NewOrder { pan: TruncatedPan::parse_mask("424242******4242").ok(), ..new_order(200, 20) };
        let made = store.write({ let new = new.clone(); locked(olena, move |tx, notary| create_order(tx, notary, taras.id, &new)) }).await.unwrap().unwrap();
        assert_eq!(made.sum, hryvnias(2 * 360 + 510));
        assert_eq!((made.status, made.number, made.client.id, made.paid_at), (OrderStatus::InProgress, 100_001, taras.id, None));
        assert_eq!((made.idempotency_key.as_str(), made.request_fingerprint, made.pan.clone()), ("key-200", [7; 32], MaskedPan::parse("424242******4242")));
        let items = store.read(move |tx| orders::items_of(tx, made.id)).await.unwrap();
        assert_eq!(items.iter().map(|item| (item.id, item.position)).collect::<Vec<_>>(), [(first.id, 1), (second.id, 2)]);
        assert_eq!(items[1].content, second.content);
        assert_eq!(items[1].created_at, second.created_at);
        assert_eq!(items[0].content.count, Count::new(2).unwrap());
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 1, "the other group stays");
        assert!(store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, gone))).await.unwrap(), "what was deleted before is not ordered");
        assert!(!store.write(locked(olena, move |tx, notary| cart::restore(tx, notary, first.id))).await.unwrap());
        let (found, item) = store.read(move |tx| orders::item_of(tx, olena, second.id)).await.unwrap().unwrap();
        assert_eq!((found, item.id), (made, second.id));
    }

    async fn an_order_for_another_sum_than_its_items_make_is_refused(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        add(&store, olena, taras, item(100, 10, fee())).await;
        add(&store, olena, taras, item(101, 11, free_payment(50_000, 1_000))).await;
        let group = store.read(move |tx| cart::group_of(tx, olena, taras)).await.unwrap().unwrap();
        let new = new_order(200, 20);
        for wrong in [Money::ZERO, hryvnias(360), Money::from_kopiykas(86_999).unwrap(), Money::MAX] {
            let wrong = NewOrder { sum: wrong, ..new.clone() };
            let answer = store.write({ let group = group.clone(); locked(olena, move |tx, notary| orders::create_from_cart(tx, notary, &wrong, &group).map(|(_, made)| made)) }).await;
            let Err(StorageError::Inconsistent { table, id, column, .. }) = answer else { panic!("{answer:?}") };
            assert_eq!((table.as_str(), column.as_str()), ("orders", "sum"));
            assert_eq!(id, Some(new.id.to_string()));
        }
        assert_eq!(store.read(move |tx| cart::summary(tx, olena)).await.unwrap().items_count, 2, "nothing was taken out of the cart");
        assert_eq!(store.read(|tx| number(tx, "select count(*) from orders")).await, Ok(0));
        let right = NewOrder { sum: hryvnias(870), ..new };
        let made = store.write(locked(olena, move |tx, notary| orders::create_from_cart(tx, notary, &right, &group).map(|(_, made)| made))).await.unwrap();
        assert_eq!(made.sum, hryvnias(870));
    }

    async fn of_ten_parallel_orders_of_one_group_one_is_made(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        add(&store, olena, taras, item(100, 10, fee())).await;
        let made = at_once(&store, 10, |number| {
            move |tx| {
                let notary = lock_notary(tx, olena)?;
                if cart::group_of(tx, olena, taras)?.is_none() {
                    return Ok(orders::latest_of_client(tx, olena, taras)?.map(|order| (false, order.id)));
                }
                Ok(create_order(tx, &notary, taras, &new_order(200 + number, 20))?.map(|order| (true, order.id)))
            }
        })
        .await;
        let ids: BTreeSet<OrderId> = made.iter().flatten().map(|(_, order)| *order).collect();
        assert_eq!((ids.len(), made.iter().flatten().filter(|(fresh, _)| *fresh).count(), made.iter().flatten().count()), (1, 1, 10));
        assert_eq!(store.read(|tx| number(tx, "select count(*) from orders")).await, Ok(1));
    }

    async fn ten_parallel_requests_with_one_key_get_one_order(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        add(&store, olena, taras, item(100, 10, fee())).await;
        let made = at_once(&store, 10, |number| {
            move |tx| {
                let notary = lock_notary(tx, olena)?;
                if let Some(known) = orders::by_idempotency_key(tx, olena, "the key")? {
                    return Ok(Some(known));
                }
                // Finer than what is stored: the maker gets what the others read.
                let created_at = at(20) + SignedDuration::from_nanos(999);
                let new = NewOrder { idempotency_key: "the key".to_owned(), created_at, ..new_order(200 + number, 20) };
                create_order(tx, &notary, taras, &new)
            }
        })
        .await;
        let first = made[0].clone().unwrap();
        assert!(made.iter().all(|order| order.as_ref() == Some(&first)));
    }

    async fn orders_of_all_notaries_are_numbered_together(store: Store) {
        for number in 1..=4 {
            let notary = notary(&store, number).await;
            let client = client(&store, notary, 30 + number, "Шевченко Тарас", "3068208400").await.id;
            add(&store, notary, client, item(100 + number, 10, fee())).await;
        }
        let numbers = at_once(&store, 4, |number| {
            move |tx| {
                let number = number + 1;
                let (notary, client) = (cabinet_domain::NotaryId::new(id(number)), cabinet_domain::ClientId::new(id(30 + number)));
                let notary = lock_notary(tx, notary)?;
                let order = create_order(tx, &notary, client, &new_order(200 + number, 20))?;
                Ok(order.unwrap().number)
            }
        })
        .await;
        assert_eq!(numbers.into_iter().collect::<BTreeSet<_>>(), (100_001..=100_004).collect());
    }

    async fn an_order_is_its_notarys_alone(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let made = order(&store, 200, olena, taras, 20).await;
        let item = ItemId::new(id(200));
        store
            .read(move |tx| {
                assert_eq!(orders::order_of(tx, olena, made.id)?.as_ref(), Some(&made));
                assert_eq!(orders::by_id(tx, made.id)?.as_ref(), Some(&made));
                assert_eq!(orders::by_number(tx, made.number)?.as_ref(), Some(&made));
                assert!(orders::order_of(tx, ihor, made.id)?.is_none());
                assert!(orders::by_idempotency_key(tx, ihor, &made.idempotency_key)?.is_none());
                assert!(orders::latest_of_client(tx, ihor, taras)?.is_none());
                assert!(orders::item_of(tx, ihor, item)?.is_none());
                assert!(order_list::page_of(tx, ihor, &OrderFilter::default(), 50)?.is_empty());
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn of_ten_parallel_steps_one_is_taken(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let made = order(&store, 200, olena, taras, 20).await;
        let steps = at_once(&store, 10, |_| move |tx| step(tx, made.id, OrderStatus::InProgress, OrderStatus::Paid, at(50))).await;
        assert_eq!(steps.iter().filter(|taken| **taken).count(), 1);
        let id = made.id;
        store
            .write(move |tx| {
                assert!(!step(tx, id, OrderStatus::Pending, OrderStatus::Failed, at(51))?);
                assert!(step(tx, id, OrderStatus::Paid, OrderStatus::Refunded, at(60))?);
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        let found = store.read(move |tx| orders::by_id(tx, id)).await.unwrap().unwrap();
        assert_eq!((found.status, found.paid_at, found.updated_at), (OrderStatus::Refunded, Some(at(50)), at(60)));
        let pan = MaskedPan::parse("44414145******98");
        let save = {
            let pan = pan.clone();
            move |tx: &mut crate::Tx| {
                let read = payments::order_case_of(tx, id)?.unwrap();
                let facts = OrderFacts {
                    failure: Some(Key::OrderReturnedToCart),
                    pan: pan.clone(),
                    payment_page_url: Some("https://pay.example/1".to_owned()),
                    is_returned_to_cart: true,
                    ..read.case.order
                };
                assert!(of_order(tx, id, |tx, order| payments::save_order(tx, order, &facts, OrderStatus::Refunded, at(70)))?);
                Ok::<_, StorageError>(payments::saved(&read.order, &facts, at(70)))
            }
        };
        let saved = store.write(save).await.unwrap();
        let found = store.read(move |tx| orders::by_id(tx, id)).await.unwrap().unwrap();
        assert_eq!(saved, found);
        assert_eq!((found.failure, found.pan), (Some(Key::OrderReturnedToCart), pan));
        assert_eq!(found.payment_page_url.as_deref(), Some("https://pay.example/1"));
        assert_eq!((found.returned_to_cart_at, found.updated_at), (Some(at(70)), at(60)));
        let refusal = store.write(|tx| execute(tx, "update orders set pan = '4242424242424242'")).await.unwrap_err();
        assert!(matches!(refusal, StorageError::Constraint { kind: ConstraintKind::Check, .. }));
    }

    async fn an_order_is_known_as_it_is_stored_after_each_step(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        let made = order(&store, 200, olena, taras, 20).await.id;
        // Databases keep microseconds.
        let finely = |seconds| at(seconds) + SignedDuration::from_nanos(1_500);
        for (number, to, is_returned_to_cart, is_cancelled) in [
            (50, OrderStatus::Paid, false, false),
            (60, OrderStatus::Refunded, true, false),
            (70, OrderStatus::Refunded, true, true),
            (80, OrderStatus::Refunded, true, true),
            // What was returned and cancelled stays so, whatever is said.
            (90, OrderStatus::Refunded, false, false),
        ] {
            let step = move |tx: &mut crate::Tx| {
                let read = payments::order_case_of(tx, made)?.unwrap();
                let facts = OrderFacts {
                    status: to,
                    payment_state: PaymentState::of(to, None, false),
                    paid_at: Some(finely(40)),
                    is_returned_to_cart,
                    is_cancelled,
                    ..read.case.order
                };
                assert!(of_order(tx, made, |tx, order| payments::save_order(tx, order, &facts, read.order.status, finely(number)))?);
                Ok::<_, StorageError>((payments::saved(&read.order, &facts, finely(number)), orders::by_id(tx, made)?))
            };
            let (saved, stored) = store.write(step).await.unwrap();
            assert_eq!(Some(saved), stored, "{number}");
        }
    }

    async fn pages_of_the_archive_follow_each_other_without_gap_or_repeat(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        // Three orders in each second: the page must not depend on the time alone.
        for number in 0..21_u64 {
            order(&store, 1000 + number, olena, taras, i64::try_from(number / 3).unwrap()).await;
        }
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = listed(&store, olena, OrderFilter { before, ..OrderFilter::default() }, 4).await;
            let Some(last) = page.last() else { break };
            before = Some(OrderId::new(id(*last)));
            seen.extend(page);
            if seen.len() == 8 {
                // What is made meanwhile belongs to the top and does not shift the pages.
                order(&store, 2000, olena, taras, 100).await;
            }
        }
        assert_eq!(seen, (1000..1021).rev().collect::<Vec<_>>());
        assert_eq!(listed(&store, olena, OrderFilter::default(), 2).await, [2000, 1020]);
        let strange = OrderFilter { before: Some(OrderId::new(id(9))), ..OrderFilter::default() };
        assert!(listed(&store, olena, strange, 4).await.is_empty());
    }

    async fn the_archive_lists_items_with_more_orders_than_one_query_takes(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await.id;
        for number in 0..60_u64 {
            order(&store, 1000 + number, olena, taras, i64::try_from(number).unwrap()).await;
        }
        let page = store.read(move |tx| order_list::page_of(tx, olena, &OrderFilter::default(), 60)).await.unwrap();
        assert_eq!(page.len(), 60);
        for listed in page {
            let id = listed.order.id;
            assert_eq!(listed.items, store.read(move |tx| orders::items_of(tx, id)).await.unwrap());
        }
    }

    async fn filters_of_the_archive_combine(store: Store) {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко-Кобзар Тарас", "3068208400").await.id;
        let lesia = client(&store, olena, 31, "Дар’я 100%_Косач", "АБ123456").await.id;
        for (number, client, second, status) in
            [(1001, taras, 10, OrderStatus::Paid), (1002, lesia, 20, OrderStatus::Paid), (1003, taras, 30, OrderStatus::Failed), (1004, lesia, 40, OrderStatus::InProgress)]
        {
            let made = order(&store, number, olena, client, second).await;
            store.write(move |tx| step(tx, made.id, OrderStatus::InProgress, status, at(second + 1))).await.unwrap();
        }
        let by = |filter: OrderFilter| listed(&store, olena, filter, 50);
        let search = |text: &str| OrderFilter { search: Some(text.to_owned()), ..OrderFilter::default() };
        for (text, found) in [
            ("шевченко", vec![1003, 1001]),
            ("ТАРАС кобзар", vec![1003, 1001]),
            ("шевченко дарʼя", vec![]),
            ("дар'я", vec![1004, 1002]),
            ("АБ1234", vec![1004, 1002]),
            ("аб1234", vec![1004, 1002]),
            ("AБ123456", vec![1004, 1002]),
            ("30682", vec![1003, 1001]),
            ("100002", vec![1002]),
            ("№100003", vec![1003]),
            ("100%_", vec![1004, 1002]),
            ("1%2", vec![]),
            ("_", vec![1004, 1002]),
            ("' or 1=1 --", vec![]),
        ] {
            assert_eq!(by(search(text)).await, found, "{text}");
        }
        assert_eq!(by(OrderFilter { statuses: vec![OrderStatus::Paid], ..search("косач") }).await, [1002]);
        assert_eq!(by(OrderFilter { statuses: vec![OrderStatus::Failed, OrderStatus::InProgress], ..OrderFilter::default() }).await, [1004, 1003]);
        assert_eq!(by(OrderFilter { from: Some(at(20)), to: Some(at(40)), ..OrderFilter::default() }).await, [1003, 1002]);
        let all = OrderFilter {
            statuses: vec![OrderStatus::Paid],
            from: Some(at(10)),
            to: Some(at(21)),
            before: Some(OrderId::new(id(1003))),
            search: Some("a".to_owned()),
        };
        assert_eq!(by(all).await, [1002, 1001]);
    }
}
