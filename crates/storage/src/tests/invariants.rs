//! Every promise about the data: kept by a whole history, and broken on purpose to see that it is noticed.

use cabinet_domain::{
    ActualPayer, EventId, ItemId, Line, NotaryId, OrderStatus, Payee, Tariff, TransferFacts,
    TransferId, plan_transfers, price,
};
use std::collections::BTreeSet;

use super::fixtures::{at, begin_attempt, client, fee, id, item, notary, order};
use crate::invariants::{self, Finding};
use crate::order_events::{self, OrderHistoryEvent};
use crate::testing::{TestDatabase, execute, run_on_postgres};
use crate::{StorageError, Store, attempts, cart, on_both_databases, orders, outbox, transfers};

/// A paid order with everything that belongs to it, one in progress, and a cart.
async fn history(store: &Store) -> NotaryId {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400").await;
    let paid = order(store, 200, olena, taras.id, 20).await;
    let open = order(store, 201, olena, taras.id, 21).await;
    let cart_item = item(202, 22, fee());
    store
        .write(move |tx| {
            cart::add(tx, olena, taras.id, &cart_item)?;
            begin_attempt(tx, 300, &open, 21)?;
            let attempt = begin_attempt(tx, 301, &paid, 20)?;
            attempts::finish(tx, attempt, OrderStatus::Paid)?;
            orders::step(
                tx,
                paid.id,
                OrderStatus::InProgress,
                OrderStatus::Paid,
                at(30),
            )?;
            let event = OrderHistoryEvent {
                id: EventId::new(id(600)),
                order_id: paid.id,
                at: at(30),
                kind: "acquirer_paid".to_owned(),
                from_status: Some(OrderStatus::InProgress),
                to_status: Some(OrderStatus::Paid),
                detail: None,
            };
            order_events::add(tx, &event)?;
            outbox::add(tx, id(800), "mail", "{}", at(30), at(30))?;
            let content = fee();
            let tariff = Tariff {
                valid_from: None,
                basis_points: 150,
                minimum: content.price.tariff_minimum,
            };
            let parts = price(content.kind, content.price.amount, &tariff)
                .unwrap()
                .parts;
            let payee = Payee {
                name: Line::parse("ГУК", 140).unwrap(),
                iban: content.iban.clone().unwrap(),
                okpo: content.okpo.clone().unwrap(),
                purpose: Line::parse("101 Адмінзбір", 160).unwrap(),
            };
            let facts = TransferFacts {
                recipient: payee.clone(),
                notary: Some(payee),
                actual_payer: ActualPayer {
                    inn: taras.inn.clone(),
                    name: taras.full_name.clone(),
                },
            };
            for (number, planned) in
                (0_u64..).zip(plan_transfers(&facts, &parts, content.count).unwrap())
            {
                transfers::plan(
                    tx,
                    TransferId::new(id(700 + number)),
                    paid.id,
                    ItemId::new(id(200)),
                    &planned,
                    at(30),
                )?;
            }
            Ok::<_, StorageError>(())
        })
        .await
        .unwrap();
    olena
}

async fn broken(store: &Store, now: i64) -> Vec<Finding> {
    let findings = store
        .read_long(move |tx| invariants::check(tx, at(now)))
        .await
        .unwrap();
    findings
        .into_iter()
        .filter(|finding| finding.count > 0)
        .collect()
}

on_both_databases! {
    async fn a_whole_history_keeps_every_promise(store: Store) {
        assert!(broken(&store, 0).await.is_empty(), "an empty database does");
        history(&store).await;
        assert_eq!(broken(&store, 60).await, []);
    }

    async fn each_broken_promise_is_named_with_its_rows(store: Store) {
        history(&store).await;
        let is_paid = if store.is_sqlite() { format!("id = x'{}'", id(200).simple()) } else { format!("id = '{}'", id(200)) };
        for (spoil, mend, name) in [
            ("update orders set sum = sum + 1 where PAID", "update orders set sum = sum - 1 where PAID", "order_sum"),
            ("update transfers set amount = amount + 1", "update transfers set amount = amount - 1", "transfers_sum"),
            ("update attempts set next_check_at = null where outcome is null", "", "order_without_check"),
            ("update attempts set outcome = 'failed' where outcome = 'paid'", "", "paid_without_attempt"),
            ("update attempts set state = 'finished', outcome = 'paid', order_id = (select id from orders where PAID)", "", "paid_twice"),
            ("update orders set status = 'failed' where PAID", "", "paid_but_not"),
            ("update orders set status = 'refunded' where PAID", "", "paid_but_not"),
            ("update attempts set amount = amount + 1", "", "attempt_amount"),
            ("delete from order_events", "", "order_history"),
            ("update outbox set parked_at = 1", "", "outbox_parked"),
            ("update order_items set tariff_basis_points = 10000", "", "commission"),
            ("update carts set total = total + 1", "update carts set total = total - 1", "cart_standing"),
            (
                "insert into cart_items select i.id, o.notary_id, o.client_id, i.created_at, 1, CONTENT from order_items i join orders o on o.id = i.order_id",
                "",
                "item_in_both",
            ),
        ] {
            let content: Vec<String> = crate::items::COLUMNS.split(", ").map(|column| format!("i.{}", column.trim())).collect();
            let sql = spoil.replace("PAID", &is_paid).replace("CONTENT", &content.join(", "));
            let mend = mend.replace("PAID", &is_paid);
            // Looked at inside the unit of work that spoils, which is then undone.
            let found: Result<(), Spoilt> = store
                .write(move |tx| {
                    assert!(execute(tx, &sql)? > 0, "{sql}");
                    let findings = invariants::check(tx, at(60))?;
                    if !mend.is_empty() {
                        execute(tx, &mend)?;
                        assert!(invariants::check(tx, at(60))?.iter().all(|finding| finding.count == 0));
                    }
                    Err(Spoilt::Found(findings))
                })
                .await;
            let Err(Spoilt::Found(findings)) = found else { panic!("{name}: {found:?}") };
            let finding = findings.iter().find(|finding| finding.name == name).unwrap();
            assert!(finding.count > 0, "{name}");
            assert!(finding.samples.iter().all(|sample| sample.starts_with("01990000")), "{finding:?}");
        }
        assert_eq!(broken(&store, 60).await, [], "everything was undone");
    }

    async fn what_is_forgotten_is_named_after_a_while(store: Store) {
        history(&store).await;
        let names: BTreeSet<&str> = broken(&store, 3600).await.iter().map(|finding| finding.name).collect();
        assert_eq!(names, BTreeSet::from(["check_overdue", "outbox_overdue"]));
    }
}

/// What a unit of work that spoils data answers, so that it is undone.
#[derive(Debug)]
enum Spoilt {
    Found(Vec<Finding>),
    NotAtAll,
}

impl From<StorageError> for Spoilt {
    fn from(error: StorageError) -> Self {
        assert_eq!(error, StorageError::Panicked, "only an assertion may fail");
        Spoilt::NotAtAll
    }
}

#[test]
fn both_databases_have_the_same_tables_columns_and_indexes() {
    run_on_postgres(|postgres| async move {
        let database = TestDatabase::sqlite().await;
        let sqlite = database.store().await;
        let lines = |store: Store, sql: &'static str| async move {
            let read: BTreeSet<String> = store
                .read(move |tx| tx.rows(sql, crate::value::params![], |row| row.next::<String>()))
                .await
                .unwrap()
                .into_iter()
                .collect();
            read
        };
        let ours = lines(
            sqlite.clone(),
            "select m.name || '.' || c.name || case when c.\"notnull\" = 1 then ' not null' else '' end
             from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%'",
        )
        .await;
        let theirs = lines(
            postgres.clone(),
            "select cast(table_name || '.' || column_name || case when is_nullable = 'NO' then ' not null' else '' end as text)
             from information_schema.columns where table_schema = 'public'",
        )
        .await;
        assert_eq!(ours, theirs);
        assert!(ours.len() > 150);
        let ours = lines(
            sqlite,
            "select name from sqlite_schema where type = 'index' and name not like 'sqlite%'",
        )
        .await;
        let theirs = lines(
            postgres,
            "select cast(indexname as text) from pg_indexes where schemaname = 'public' and indexname not like '%_key' and indexname not like '%_pkey'",
        )
        .await;
        assert_eq!(ours, theirs);
    });
}
