//! The index of the searches finds exactly what a comparison of all rows finds.

use cabinet_domain::{
    ClientId, ItemContent, Line, NotaryId, OrderId, OrderStatus, fold_for_search,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};

use super::fixtures::*;
use crate::address_book::clients::{self, ClientFilter};
use crate::engine::search_index;
use crate::operator::erasure;
use crate::order::order_list::OrderFilter;
use crate::order::order_list::found::Search;
use crate::order::orders;
use crate::testing::{execute, number, run_on_postgres};
use crate::{Result, StorageError, Store, Tx};

const ORDERS: u64 = 90;
/// Seconds between two orders: all of them take about ten years.
const APART: i64 = 40 * 86_400;
const SURNAMES: &[&str] = &[
    "Шевченко",
    "Шевчук",
    "Коваль",
    "Коваленко",
    "Дем’яненко",
    "Нечуй-Левицький",
    "Запорiжець",
    "Ґонта",
];
const GIVEN: &[&str] = &["Марія", "Мар’яна", "Тарас", "Леся"];
const CODES: &[&str] = &["3184710691", "3068208400", "АБ123456"];
const RECIPIENTS: &[&str] = &[
    "ТОВ «Ґанок» & сини",
    "Фонд 340.505",
    "ОСББ «Шевченка, 12_б»",
    "100% Коваль",
];

fn content(random: &mut StdRng) -> ItemContent {
    if random.random_bool(0.5) {
        return fee();
    }
    let amount = *[7, 34_000, 34_050, 134_050, 1_234_500]
        .choose(random)
        .unwrap();
    ItemContent {
        recipient_name: Some(Line::parse(RECIPIENTS.choose(random).unwrap(), 140).unwrap()),
        ..free_payment(amount, 1_000)
    }
}

/// Stores orders of two notaries in turns, of one to three payments each. Returns their ids.
async fn archive(store: &Store, random: &mut StdRng) -> Vec<OrderId> {
    let notaries = [notary(store, 1).await, notary(store, 2).await];
    let mut made = Vec::new();
    for order in 0..ORDERS {
        let notary = notaries[usize::from(random.random_bool(0.3))];
        let (surname, given) = (
            SURNAMES.choose(random).unwrap(),
            GIVEN.choose(random).unwrap(),
        );
        let full_name = name(&format!("{surname} {given}"));
        let code = inn(CODES.choose(random).unwrap());
        let second = i64::try_from(order).unwrap() * APART;
        let contents: Vec<ItemContent> = (0..random.random_range(1..4))
            .map(|_| content(random))
            .collect();
        let id = 1_000 + order * 10;
        made.push(
            store
                .write(locked(notary, move |tx, notary| {
                    let fresh = ClientId::new(super::fixtures::id(id));
                    let client =
                        clients::upsert(tx, notary, fresh, &code, &full_name, at(second))?.id;
                    for (place, content) in (1..).zip(&contents) {
                        crate::cart::add(
                            tx,
                            notary,
                            client,
                            &item(id + place, second, content.clone()),
                        )?;
                    }
                    Ok::<_, StorageError>(
                        create_order(tx, notary, client, &new_order(id, second))?
                            .unwrap()
                            .id,
                    )
                }))
                .await
                .unwrap(),
        );
    }
    made
}

/// A part of a word of the texts, or something that is in none.
fn word(random: &mut StdRng) -> String {
    let texts = [
        SURNAMES,
        GIVEN,
        CODES,
        RECIPIENTS,
        &[
            "100001",
            "100042",
            "340",
            "340,50",
            "340.50",
            "360",
            "1 340,50",
            "12 345,00 грн",
            "357",
            "UA2132231300",
            "Реєстрація",
            "right",
            "37993783",
            "ніколи",
            "№100007",
        ],
    ]
    .concat();
    let text = texts.choose(random).unwrap();
    let word = text
        .split(' ')
        .collect::<Vec<_>>()
        .choose(random)
        .unwrap()
        .to_owned();
    let letters: Vec<char> = word.chars().collect();
    if random.random_bool(0.3) || letters.is_empty() {
        return (*text).to_owned();
    }
    let first = random.random_range(0..letters.len());
    let last = random.random_range(first..letters.len());
    letters[first..=last].iter().collect()
}

fn filter(random: &mut StdRng) -> OrderFilter {
    let words: Vec<String> = (0..random.random_range(1..3))
        .map(|_| word(random))
        .collect();
    let moment =
        |random: &mut StdRng| at(random.random_range(0..i64::try_from(ORDERS).unwrap()) * APART);
    OrderFilter {
        statuses: if random.random_bool(0.1) {
            vec![OrderStatus::Paid]
        } else {
            Vec::new()
        },
        search: Some(words.join(" ")),
        from: random.random_bool(0.2).then(|| moment(random)),
        to: random.random_bool(0.2).then(|| moment(random)),
        before: None,
    }
}

fn compare(tx: &mut Tx, random: &mut StdRng, of_all: &[OrderId]) -> Result<usize> {
    let mut several = 0;
    for _ in 0..120 {
        let filter = filter(random);
        let notary = NotaryId::new(id(random.random_range(1..3)));
        let before = match random.random_bool(0.3) {
            true => orders::by_id(tx, *of_all.choose(random).unwrap())?
                .map(|order| (order.created_at, order.id)),
            false => None,
        };
        let limit = random.random_range(1..30);
        let mut search = Search::new(notary, &filter);
        search.compared_first = [random.random_range(1..8), random.random_range(8..16)];
        let found = search.newest(tx, before, limit)?;
        assert_eq!(
            found,
            search.newest_without_index(tx, before, limit)?,
            "{filter:?} {limit}"
        );
        several += usize::from(found.len() > 1);
    }
    Ok(several)
}

#[test]
fn the_index_finds_what_a_comparison_finds() {
    run_on_postgres(|store| async move {
        let mut random = StdRng::seed_from_u64(51);
        let all = archive(&store, &mut random).await;
        let several = store
            .read_long(move |tx| {
                tx.postgres()
                    .unwrap()
                    .batch("set local enable_seqscan = off")?;
                compare(tx, &mut random, &all)
            })
            .await
            .unwrap();
        assert!(several > 25, "{several} searches have found something");
    });
}

#[test]
fn a_migrated_database_has_the_same_index() {
    run_on_postgres(|store| async move {
        let mut random = StdRng::seed_from_u64(52);
        archive(&store, &mut random).await;
        const ALL: &str = "select count(*) from order_search s join order_search_source o on o.order_id = s.order_id
            and o.words = s.words and o.phrases = s.phrases and o.created_at = s.created_at and o.notary_id = s.notary_id";
        let orders = i64::try_from(ORDERS).unwrap();
        assert_eq!(store.read(|tx| number(tx, ALL)).await, Ok(orders));
        let phrases = store
            .read(|tx| number(tx, "select count(*) from search_phrases"))
            .await
            .unwrap();
        assert!(phrases > 4 && phrases < orders, "{phrases}");
        let lost = "select count(*) from item_phrases p where not exists (select 1 from search_phrases s where s.notary_id = p.notary_id and s.id = p.phrase_id and s.text = p.phrase)";
        assert_eq!(store.read(|tx| number(tx, lost)).await, Ok(0));
    });
}

#[test]
fn clients_are_found_by_the_index_as_without() {
    run_on_postgres(|store| async move {
        let olena = notary(&store, 1).await;
        // More than are compared, of whom the earliest are found by the index alone.
        store
            .write(|tx| {
                for (from, to, name) in [(1, 40, "Нечуй Левицький"), (41, 700, "Шевченко Тарас")] {
                    execute(
                        tx,
                        &format!(
                            "insert into clients (id, notary_id, inn, full_name, search_key, created_at, used_at)
                             select cast(lpad(cast(n as text), 32, '0') as uuid), (select id from notaries), cast(3000000000 + n as text), '{name}',
                                 '{} ' || cast(3000000000 + n as text), n, n from generate_series({from}, {to}) n",
                            fold_for_search(name)
                        ),
                    )?;
                }
                execute(tx, "insert into client_search (client_id, notary_id, words) select id, notary_id, search_key from clients")
            })
            .await
            .unwrap();
        let found = async |search: &str, before: Option<ClientId>| -> Vec<String> {
            let filter = ClientFilter {
                search: Some(search.to_owned()),
                before,
            };
            let page = store
                .read(move |tx| clients::page_of(tx, olena, &filter, 3))
                .await
                .unwrap();
            page.iter()
                .map(|one| one.client.inn.as_str().to_owned())
                .collect()
        };
        assert_eq!(
            found("шевч", None).await,
            ["3000000700", "3000000699", "3000000698"]
        );
        assert_eq!(
            found("нечуй", None).await,
            ["3000000040", "3000000039", "3000000038"]
        );
        assert_eq!(found("еви нечуй 37", None).await, ["3000000037"]);
        assert_eq!(
            found("ЛЕВ", Some(ClientId::new(uuid::Uuid::from_u128(0x38)))).await,
            ["3000000037", "3000000036", "3000000035"]
        );
        assert_eq!(
            found("0005", None).await,
            ["3000000599", "3000000598", "3000000597"]
        );
        assert_eq!(found("тт", None).await, Vec::<String>::new());
        assert_eq!(found("левицька", None).await, Vec::<String>::new());
    });
}

#[test]
fn what_only_an_anonymised_order_had_is_not_kept() {
    run_on_postgres(|store| async move {
        let olena = notary(&store, 1).await;
        let taras = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        order(&store, 100, olena, taras.id, 10).await;
        add(&store, olena, taras.id, item(200, 20, fee())).await;
        add(
            &store,
            olena,
            taras.id,
            item(201, 20, free_payment(100, 1_000)),
        )
        .await;
        let second = new_order(200, 20);
        store
            .write(locked(olena, move |tx, notary| {
                create_order(tx, notary, taras.id, &second)
            }))
            .await
            .unwrap();
        let kept = |sql: &'static str| store.read(move |tx| number(tx, sql));
        assert_eq!(kept("select count(*) from search_phrases").await, Ok(2));
        store
            .write(|tx| {
                execute(tx, "update orders set status = 'failed', updated_at = 0")?;
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        let anonymise = |number: u64| {
            store.write(move |tx| {
                erasure::anonymise(
                    tx,
                    OrderId::new(id(number)),
                    ClientId::new(id(900)),
                    at(99),
                    at(100),
                )
            })
        };
        assert_eq!(anonymise(200).await, Ok(true));
        assert_eq!(kept("select count(*) from search_phrases").await, Ok(1));
        assert_eq!(
            kept("select count(*) from search_phrases where text like '%ҐАНОК%'").await,
            Ok(0)
        );
        assert_eq!(
            kept("select count(*) from order_search where words like '%ШЕВЧЕНКО%'").await,
            Ok(1)
        );
        assert_eq!(anonymise(100).await, Ok(true));
        assert_eq!(
            kept("select count(*) from search_phrases where text <> ''").await,
            Ok(0)
        );
        assert_eq!(
            kept("select count(*) from client_search where words like '%ШЕВЧЕНКО%'").await,
            Ok(0)
        );
    });
}

#[test]
fn a_statement_of_the_search_reads_the_index() {
    run_on_postgres(|store| async move {
        let olena = notary(&store, 1).await;
        let plan: Vec<String> = store
            .read(move |tx| {
                let parts = "ШЕВ ВЧЕ".to_owned();
                let mut values = vec![crate::engine::value::Bind::value(&olena)];
                let sql = search_index::clients_sql(&parts, &mut values);
                tx.postgres()
                    .unwrap()
                    .batch("set local enable_seqscan = off")?;
                tx.rows(&format!("explain {sql}"), &values, |row| row.next())
            })
            .await
            .unwrap();
        assert!(
            plan.iter()
                .any(|line| line.contains("client_search_by_keys")),
            "{plan:#?}"
        );
    });
}
