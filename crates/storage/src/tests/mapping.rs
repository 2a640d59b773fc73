//! Columns that are read into types: what was ever accepted is read, and what can't be read is named, but never shown.

use cabinet_domain::{Client, Money, Notary, NotaryId, OrderId};

use super::fixtures::{at, begin_attempt, client, locked, notary, order};
use crate::account::notaries;
use crate::address_book::clients;
use crate::order::orders;
use crate::payment::{attempts, payments};
use crate::testing::execute;
use crate::{Result, StorageError, Store, Tx, on_both_databases};

/// Values of a notary's columns that one version of the product or another has accepted.
const ACCEPTED: &[(&str, &[&str])] = &[
    ("full_name", &["К", "Коваль-Ґудзь Олена’Марія"]),
    // Fewer than four characters were accepted before the custom login step took the identifier as its code.
    (
        "registry_identifier",
        &["A", "12", "Ї_1", "NOTAR12345", "123456789012345"],
    ),
    ("inn", &["3068208400", "32855961", "123456789", "КС123456"]),
    ("certificate_number", &["1", "1234567890"]),
    ("phone_additional", &["+380671234567"]),
    (
        "email",
        &["a@b.ua", "Олена@Нотаріус.укр", "o.k+1@mail.example.com"],
    ),
    ("notary_address", &["м. Київ, вул.  Перша, 1"]),
    ("card_pan", &["424242******4242", "542523******9903"]),
    ("iban", &["UA213223130000026007233566001"]),
    ("okpo", &["37993783", "3068208400"]),
    ("exemption_date_finish", &["2027-02-28"]),
];

/// Values that nothing has ever accepted, as somebody might type them into the database.
const SPOILT: &[(&str, &str)] = &[
    ("full_name", ""),
    ("registry_identifier", "NOTAR-12345"),
    ("inn", "secret-3068"),
    ("certificate_number", "secret"),
    ("phone_additional", "secret-067"),
    ("email", "secret@host"),
    ("notary_address", " "),
    ("card_pan", "424242secret*4242"),
    ("iban", "UA21secret"),
    ("okpo", "secret"),
    ("exemption_date_finish", "28.02.2027"),
];

fn set(tx: &mut Tx, table: &str, column: &str, value: &str) -> Result<u64> {
    execute(tx, &format!("update {table} set {column} = '{value}'"))
}

async fn read_back(store: &Store, notary: NotaryId) -> Result<Notary> {
    let found = store.read(move |tx| notaries::by_id(tx, notary)).await?;
    Ok(found.expect("the notary is there"))
}

/// The answer names the row and not what stands in it.
fn assert_named<T>(
    answer: Result<T>,
    (table, id, column): (&str, impl ToString, &str),
    value: &str,
) {
    let Err(error) = answer else {
        panic!("{table}.{column} was read")
    };
    let text = error.to_string();
    let StorageError::Inconsistent {
        table: named_table,
        id: named_id,
        column: named_column,
        ..
    } = error
    else {
        panic!("{table}.{column}: {error:?}")
    };
    assert_eq!(
        (named_table.as_str(), named_column.as_str()),
        (table, column)
    );
    assert_eq!(named_id, Some(id.to_string()), "{table}.{column}");
    assert!(
        value.trim().is_empty() || !text.contains(value),
        "{table}.{column}: {text}"
    );
}

async fn some_order(store: &Store) -> (OrderId, Client) {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400").await;
    let order = order(store, 200, olena, taras.id, 20).await;
    let made = order.id;
    store
        .write(move |tx| begin_attempt(tx, 300, &order, 21))
        .await
        .unwrap();
    (made, taras)
}

on_both_databases! {
    async fn what_was_ever_accepted_of_a_notary_is_read(store: Store) {
        let olena = notary(&store, 1).await;
        for (column, values) in ACCEPTED {
            for value in *values {
                store.write(move |tx| set(tx, "notaries", column, value)).await.unwrap();
                let profile = read_back(&store, olena).await.unwrap_or_else(|error| panic!("{column}: {error}")).profile;
                // What is saved again with another field is what was there.
                store.write(locked(olena, move |tx, notary| notaries::save_profile(tx, notary, &profile, at(9)))).await.unwrap();
                let sql = format!("select count(*) from notaries where {column} = '{value}'");
                assert_eq!(store.read(move |tx| crate::testing::number(tx, &sql)).await, Ok(1), "{column} {value}");
            }
        }
    }

    async fn a_spoilt_value_of_a_notary_is_named_and_not_shown(store: Store) {
        let olena = notary(&store, 1).await;
        for (column, value) in SPOILT {
            let before = format!("update notaries set {column} = (select {column} from kept)");
            store.write(|tx| execute(tx, "create table kept as select * from notaries")).await.unwrap();
            store.write(move |tx| set(tx, "notaries", column, value)).await.unwrap();
            assert_named(read_back(&store, olena).await, ("notaries", olena, column), value);
            store.write(move |tx| execute(tx, &before)).await.unwrap();
            store.write(|tx| execute(tx, "drop table kept")).await.unwrap();
        }
        assert!(read_back(&store, olena).await.is_ok());
        store.write(|tx| set(tx, "notaries", "inn", "secret")).await.unwrap();
        assert_named(store.read(move |tx| notaries::own_codes_of(tx, olena)).await, ("notaries", olena, "inn"), "secret");
    }

    async fn masks_of_every_form_that_the_acquirer_sends_are_read(store: Store) {
        let (order, _) = some_order(&store).await;
        for mask in ["444403******1902", "44414145******98", "4444**1902", "****", "378282*****0005"] {
            store.write(move |tx| set(tx, "orders", "pan", mask)).await.unwrap();
            store.write(move |tx| set(tx, "attempts", "masked_pan", mask)).await.unwrap();
            let case = store.read(move |tx| payments::case_of(tx, order)).await.unwrap().unwrap();
            assert_eq!(case.order.pan.as_ref().map(|pan| pan.as_str()), Some(mask));
            assert_eq!(case.attempts[0].masked_pan.as_ref().map(|pan| pan.as_str()), Some(mask));
        }
    }

    async fn a_spoilt_value_of_an_order_is_named_and_not_shown(store: Store) {
        let (order, taras) = some_order(&store).await;
        store.write(move |tx| set(tx, "attempts", "invoice_id", "not an id")).await.unwrap();
        let answer = store.read(move |tx| attempts::of_order(tx, order)).await;
        assert_named(answer, ("attempts", super::fixtures::id(300), "invoice_id"), "not an id");
        store.write(move |tx| execute(tx, "update attempts set invoice_id = null")).await.unwrap();
        store.write(|tx| set(tx, "order_items", "iban", "UA21secret")).await.unwrap();
        let answer = store.read(move |tx| orders::items_of(tx, order)).await;
        assert_named(answer, ("order_items", super::fixtures::id(200), "iban"), "UA21secret");
        store.write(|tx| set(tx, "clients", "inn", "secret")).await.unwrap();
        let olena = NotaryId::new(super::fixtures::id(1));
        let answer = store.read(move |tx| clients::client_of(tx, olena, taras.id)).await;
        assert_named(answer, ("clients", taras.id, "inn"), "secret");
    }

    async fn a_spoilt_value_that_is_only_shown_stops_nothing(store: Store) {
        let (order, _) = some_order(&store).await;
        for (table, column, value) in
            [("orders", "pan", "secret*"), ("orders", "failure", "no_such_key"), ("attempts", "masked_pan", "secret*")]
        {
            store.write(move |tx| set(tx, table, column, value)).await.unwrap();
        }
        let found = store.read(move |tx| orders::by_id(tx, order)).await.unwrap().unwrap();
        assert_eq!((found.pan, found.failure), (None, None));
        let attempts = store.read(move |tx| attempts::of_order(tx, order)).await.unwrap();
        assert!(attempts.iter().all(|attempt| attempt.masked_pan.is_none()));
    }

    async fn a_price_that_is_no_sum_is_named(store: Store) {
        let (order, _) = some_order(&store).await;
        let most = Money::MAX.kopiykas();
        store.write(move |tx| execute(tx, &format!("update order_items set amount = {most}, commission = {most}"))).await.unwrap();
        let answer = store.read(move |tx| orders::items_of(tx, order)).await;
        assert_named(answer, ("order_items", super::fixtures::id(200), "commission"), &most.to_string());
    }
}
