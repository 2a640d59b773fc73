//! Every promise about the data: kept by a whole history, and broken on purpose to see that it is noticed.

use cabinet_domain::{
    ActualPayer, EventId, ItemId, Line, NotaryId, OrderEventKind, OrderHistoryEvent, OrderId,
    OrderStatus, Payee, TransferId, TransferParties, plan_item_transfers,
};
use std::collections::BTreeSet;

use super::fixtures::{
    at, begin_attempt, client, fee, id, item, notary, of_order, order, pay_attempt, plan, step,
};
use crate::operator::invariants::{self, Check, Extent, Finding};
use crate::order::order_events;
use crate::testing::{TestDatabase, execute, run_on_postgres};
use crate::worker::outbox;
use crate::{StorageError, Store, Tx, cart, lock_notary, on_both_databases};

/// A paid order with everything that belongs to it, one in progress, and a cart.
async fn history(store: &Store) -> NotaryId {
    let olena = notary(store, 1).await;
    let taras = client(store, olena, 30, "Шевченко Тарас", "3068208400").await;
    let paid = order(store, 200, olena, taras.id, 20).await;
    let open = order(store, 201, olena, taras.id, 21).await;
    let cart_item = item(202, 22, fee());
    store
        .write(move |tx| {
            let notary = lock_notary(tx, olena)?;
            cart::add(tx, &notary, taras.id, &cart_item)?;
            begin_attempt(tx, 300, &open, 21)?;
            let attempt = begin_attempt(tx, 301, &paid, 20)?;
            pay_attempt(tx, attempt, 25)?;
            step(
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
                kind: OrderEventKind::AcquirerPaid,
                from_status: Some(OrderStatus::InProgress),
                to_status: Some(OrderStatus::Paid),
                detail: None,
            };
            of_order(tx, paid.id, |tx, order| {
                order_events::add(tx, order, &event)
            })?;
            outbox::add(tx, id(800), "mail", "{}", at(30), at(30))?;
            let content = fee();
            let parts = content.price.parts(content.kind).unwrap();
            let payee = Payee {
                name: Line::parse("ГУК", 140).unwrap(),
                iban: content.iban.clone().unwrap(),
                okpo: content.okpo.clone().unwrap(),
                purpose: Line::parse("101 Адмінзбір", 160).unwrap(),
            };
            let chosen = content.requisite.clone().unwrap();
            let parties = TransferParties {
                recipient: Payee {
                    iban: chosen.iban,
                    okpo: chosen.okpo,
                    ..payee.clone()
                },
                notary: Some(payee),
                actual_payer: ActualPayer {
                    inn: taras.inn.clone(),
                    name: taras.full_name.clone(),
                },
            };
            for (number, planned) in
                (0_u64..).zip(plan_item_transfers(&parties, &parts, content.count).unwrap())
            {
                let (transfer, item) = (TransferId::new(id(700 + number)), ItemId::new(id(200)));
                plan(tx, transfer, (paid.id, item), &planned, at(30))?;
            }
            Ok::<_, StorageError>(())
        })
        .await
        .unwrap();
    olena
}

async fn examine(store: &Store, now: i64, extent: Extent) -> Check {
    invariants::examine(store, at(now), extent).await.unwrap()
}

fn broken_of(check: &Check) -> Vec<Finding> {
    let findings = check.findings().iter();
    findings
        .filter(|finding| finding.count > 0)
        .cloned()
        .collect()
}

async fn broken(store: &Store, now: i64) -> Vec<Finding> {
    broken_of(&examine(store, now, Extent::Full).await)
}

/// Writes a step of an order with its event.
fn stepped(
    tx: &mut Tx,
    order: u64,
    (from, to): (OrderStatus, OrderStatus),
    event: u64,
    second: i64,
) -> crate::Result<()> {
    let order = OrderId::new(id(order));
    let kind = match to {
        OrderStatus::Pending => OrderEventKind::AcquirerWaits,
        _ => OrderEventKind::AcquirerFailed,
    };
    step(tx, order, from, to, at(second))?;
    let event = OrderHistoryEvent {
        id: EventId::new(id(event)),
        order_id: order,
        at: at(second),
        kind,
        from_status: Some(from),
        to_status: Some(to),
        detail: None,
    };
    of_order(tx, order, |tx, order| order_events::add(tx, order, &event))
}

/// A refund that the acquirer has not told.
const REFUND_DONE: &str = "insert into refunds (id, order_id, attempt_id, scope, amount, reason, state, ended_at, created_at, scheduled_at, checks)
    select a.id, a.order_id, a.id, 'sum', 100, '-', 'done', 1, 1, 1, 0 from attempts a where a.outcome = 'paid'";
/// A refund that nobody asks about.
const REFUND_OVERDUE: &str = "insert into refunds (id, order_id, attempt_id, scope, amount, reason, state, next_check_at, created_at, scheduled_at, checks)
    select a.id, a.order_id, a.id, 'whole', 100, '-', 'submitted', -90000000000, -90000000000, 1, 0 from attempts a where a.outcome = 'paid'";
/// A refund whose transfer is still to be sent.
const REFUND_OF_TRANSFER: &str = "insert into refunds (id, order_id, attempt_id, scope, transfer_id, amount, reason, state, ended_at, created_at, scheduled_at, checks)
    select t.id, t.order_id, a.id, 'transfer', t.id, 100, '-', 'done', 1, 1, 1, 0 from transfers t join attempts a on a.order_id = t.order_id
    where a.outcome = 'paid' and t.status = 'planned'";

on_both_databases! {
    async fn a_whole_history_keeps_every_promise(store: Store) {
        assert!(broken(&store, 0).await.is_empty(), "an empty database does");
        history(&store).await;
        assert_eq!(broken(&store, 60).await, []);
    }

    async fn the_manual_says_of_every_invariant_what_to_do(store: Store) {
        let manual = include_str!("../../../../docs/operate/watching.md");
        let (_, table) = manual.split_once("| rule | what to do |").unwrap();
        let table = table.split("\n\n").next().unwrap_or(table);
        let cells = table.lines().filter_map(|row| row.split('|').nth(1));
        let mut listed: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        let check = examine(&store, 0, Extent::Full).await;
        let mut all: Vec<&str> = check.findings().iter().map(|finding| finding.name).collect();
        all.extend(["audit_chain", "audit_sealed", "orders_proved", "transfers_seal"]);
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }

    async fn each_broken_promise_is_named_with_its_rows(store: Store) {
        history(&store).await;
        let is_paid = if store.is_sqlite() { format!("id = x'{}'", id(200).simple()) } else { format!("id = '{}'", id(200)) };
        for (spoil, mend, name) in [
            ("update orders set sum = sum + 1 where PAID", "update orders set sum = sum - 1 where PAID", "order_sum"),
            ("update transfers set amount = amount + 1", "update transfers set amount = amount - 1", "transfers_sum"),
            ("update transfers set status = 'called_off' where status = 'planned'", "", "transfers_sum"),
            ("update transfers set recipient_iban = 'UA643223130000026007233566003'", "", "transfers_payee"),
            ("update transfers set recipient_code = '32855961'", "", "transfers_payee"),
            (
                "update transfers set replaces = (select t.id from transfers t where t.id <> transfers.id limit 1)",
                "",
                "transfers_sent_again",
            ),
            ("update transfers set status = 'sent', updated_at = -951000000000", "", "transfers_unanswered"),
            // That the bank has taken an instruction says nothing of money.
            ("update transfers set status = 'sent', updated_at = -951000000000, uetr = cast(document_number as text)", "", "transfers_unanswered"),
            ("update transfers set status = 'returned', reason = '-', refund_requested_at = -90000000000", "", "refunds_waiting"),
            (
                "update transfers set status = 'returned', reason = '-', refund_requested_at = -90000000000, refunded_at = -90000000000,
                     refund_reason = '-'",
                "",
                "refunds_reported",
            ),
            (REFUND_DONE, "delete from refunds", "refunds_of_charge"),
            (REFUND_OVERDUE, "delete from refunds", "refund_overdue"),
            (REFUND_OVERDUE, "delete from refunds", "refund_unknown"),
            (REFUND_OF_TRANSFER, "delete from refunds", "given_back_not_sent"),
            ("update attempts set next_check_at = null where outcome is null", "", "order_without_check"),
            ("update orders set cancelled_at = 1 where status in ('in_progress', 'pending')", "", "cancelled_in_progress"),
            ("update orders set codes_given_at = -90000000000, codes_paid_at = -90000000000", "", "codes_paid_charged"),
            ("update orders set codes_given_at = 1, codes_paid_at = 90000000000, cancelled_at = 1 where PAID", "", "codes_paid_charged"),
            ("update orders set cancel_begun_at = -90000000000, cancel_items = 'drop'", "", "cancellation_overdue"),
            ("update attempts set outcome = 'failed' where outcome = 'paid'", "", "paid_without_attempt"),
            ("update attempts set state = 'finished', outcome = 'paid', charged_at = created_at, order_id = (select id from orders where PAID)", "", "paid_twice"),
            ("update orders set status = 'failed' where PAID", "", "paid_but_not"),
            ("update orders set status = 'refunded' where PAID", "", "paid_but_not"),
            ("update orders set status = 'refunded' where PAID", "", "transfers_unpaid"),
            (
                "insert into audit_events (id, created_at, actor, action, notary_id, order_id, changes)
                     select id, 1, 'worker', 'order_created', notary_id, id, '[[\"proved\",null,\"00\"]]' from orders where PAID",
                "insert into payment_proofs (id, notary_id, session_id, kind, digest, asked_at, proved_at, order_id, used_at)
                     select id, notary_id, id, 'code', request_fingerprint, 1, 1, id, 1 from orders where PAID",
                "proofs_kept",
            ),
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
            let content: Vec<String> = crate::cart::items::COLUMNS.split(", ").map(|column| format!("i.{}", column.trim())).collect();
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

    async fn of_two_proofs_of_an_order_neither_may_be_lost(store: Store) {
        let olena = history(&store).await;
        store
            .write(move |tx| {
                for (number, order) in [(401, id(200)), (402, id(200))] {
                    tx.execute(
                        "insert into audit_events (id, created_at, actor, action, notary_id, order_id, changes)
                         values (?1, 1, 'worker', 'order_created', ?2, ?3, '[[\"proved\",null,\"00\"]]')",
                        crate::engine::value::params![id(number), olena, order],
                    )?;
                    tx.execute(
                        "insert into payment_proofs (id, notary_id, session_id, kind, digest, asked_at, proved_at, order_id, used_at)
                         values (?1, ?2, ?1, 'code', ?4, 1, 1, ?3, 1)",
                        crate::engine::value::params![id(number), olena, order, [7_u8; 32]],
                    )?;
                }
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        assert_eq!(broken(&store, 60).await, []);
        store.write(|tx| tx.execute("delete from payment_proofs where id = ?1", crate::engine::value::params![id(402)])).await.unwrap();
        let broken: Vec<&str> = broken(&store, 60).await.iter().map(|finding| finding.name).collect();
        assert_eq!(broken, ["proofs_kept"]);
    }

    async fn a_history_is_read_in_its_own_order_whatever_the_clock_said(store: Store) {
        history(&store).await;
        let (in_progress, pending, failed) = (OrderStatus::InProgress, OrderStatus::Pending, OrderStatus::Failed);
        // The clock was set back by an hour between the two steps.
        store
            .write(move |tx| {
                stepped(tx, 201, (in_progress, pending), 610, 40)?;
                stepped(tx, 201, (pending, failed), 609, 40 - 3600)
            })
            .await
            .unwrap();
        assert_eq!(broken(&store, 60).await, []);
        // A step that was lost is noticed where its time is the latest, too.
        store.write(|tx| execute(tx, "delete from order_events where to_status = 'failed'")).await.unwrap();
        assert_eq!(broken(&store, 60).await[0].name, "order_history");
    }

    async fn what_is_final_and_at_rest_is_not_checked_again_unless_all_is(store: Store) {
        let olena = history(&store).await;
        let client = client(&store, olena, 31, "Гнатюк Петро", "3068208400").await;
        for number in 210..220 {
            order(&store, number, olena, client.id, 1000).await;
            store
                .write(move |tx| stepped(tx, number, (OrderStatus::InProgress, OrderStatus::Failed), 400 + number, 1001))
                .await
                .unwrap();
        }
        let long_after = 1001 + 40 * 24 * 3600;
        // An order that is not final is met again, and with it all that changed later.
        for _ in 0..2 {
            assert_eq!(examine(&store, long_after, Extent::Changed).await.orders(), 12);
        }
        store
            .write(move |tx| {
                execute(tx, "update attempts set next_check_at = null")?;
                stepped(tx, 201, (OrderStatus::InProgress, OrderStatus::Failed), 609, 1001)
            })
            .await
            .unwrap();
        assert_eq!(examine(&store, long_after, Extent::Changed).await.orders(), 12);
        assert_eq!(examine(&store, long_after, Extent::Changed).await.orders(), 0);

        // What is changed behind the cabinet's back is found where all is checked, and from then on as long as it is so.
        store.write(|tx| execute(tx, "update orders set sum = sum + 1 where status = 'failed'")).await.unwrap();
        assert_eq!(broken_of(&examine(&store, long_after, Extent::Changed).await).len(), 1, "the outbox alone");
        for extent in [Extent::Full, Extent::Changed] {
            let check = examine(&store, long_after, extent).await;
            let finding = check.findings().iter().find(|finding| finding.name == "order_sum").unwrap();
            assert_eq!((finding.count, finding.samples.len()), (11, 10), "{extent:?}");
        }
        store.write(|tx| execute(tx, "update orders set sum = sum - 1 where status = 'failed'")).await.unwrap();
        examine(&store, long_after, Extent::Changed).await;

        // A change of an old order is a change.
        store
            .write(move |tx| stepped(tx, 215, (OrderStatus::Failed, OrderStatus::InProgress), 630, long_after))
            .await
            .unwrap();
        assert_eq!(examine(&store, long_after, Extent::Changed).await.orders(), 1);
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

/// But for partitions, and the tables of the index that only PostgreSQL has (decision 51).
#[test]
fn both_databases_have_the_same_tables_columns_and_indexes() {
    run_on_postgres(|postgres| async move {
        let database = TestDatabase::sqlite().await;
        let sqlite = database.store().await;
        let lines = |store: Store, sql: &'static str| async move {
            let read: BTreeSet<String> = store
                .read(move |tx| {
                    tx.rows(sql, crate::engine::value::params![], |row| {
                        row.next::<String>()
                    })
                })
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
             from information_schema.columns join pg_class p on p.oid = to_regclass(table_name)
             where table_schema = 'public' and p.relkind in ('r', 'p') and not p.relispartition
                 and table_name not in ('client_search', 'order_search', 'search_phrases')",
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
            "select cast(indexname as text) from pg_indexes join pg_class p on p.oid = to_regclass(tablename)
             where schemaname = 'public' and indexname not like '%_key' and indexname not like '%_pkey' and not p.relispartition
                 and tablename not in ('client_search', 'order_search', 'search_phrases')",
        )
        .await;
        assert_eq!(ours, theirs);
    });
}
