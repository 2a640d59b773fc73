//! Lock order on PostgreSQL: notary, order, attempt or transfer. Units of work that change the same order can't deadlock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_domain::payment::{RefundState, RefundWish};
use cabinet_domain::{OperatorReason, TransferId, TransferStatus};
use cabinet_storage::testing::{execute, number};
use cabinet_storage::transfer::bank_facts;
use cabinet_storage::{StorageError, Tx};
use cabinet_test_kit::{
    Database, Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, run,
};
use serde_json::{Value, json};

use crate::acquirer_faults::no_reports;
use crate::address_book::recipient;
use crate::codes_credit::{OWN, statement};
use crate::liqpay::refund;
use crate::passkeys;
use crate::returns::{refund_path, requisites, resend_path, returned, sent_order};
use crate::transfers::{ids, import, list};

/// Whether somebody waits for a lock in this database.
const SOMEBODY_WAITS: &str = "select count(*) from pg_locks w where not w.granted and w.pid in
    (select h.pid from pg_locks h join pg_database d on d.oid = h.database where d.datname = current_database())";

/// Runs the work while all rows of a table are locked. Checks the condition once the work waits for a lock or has ended.
async fn while_locked(
    app: &TestApp,
    table: &str,
    work: impl Future<Output = ()>,
    must_hold: fn(&mut Tx) -> Result<bool, StorageError>,
) {
    let lock = format!("update {table} set id = id");
    while_held(app, move |tx| execute(tx, &lock).map(drop), work, must_hold).await;
}

/// The same for any lock.
async fn while_held(
    app: &TestApp,
    lock: impl Fn(&mut Tx) -> Result<(), StorageError> + Send + 'static,
    work: impl Future<Output = ()>,
    must_hold: fn(&mut Tx) -> Result<bool, StorageError>,
) {
    let services = app.services();
    let (is_locked, locked) = tokio::sync::oneshot::channel();
    let mut is_locked = Some(is_locked);
    let has_ended = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&has_ended);
    let hold = services
        .store
        .write(move |tx: &mut Tx| -> Result<bool, StorageError> {
            lock(tx)?;
            if let Some(is_locked) = is_locked.take() {
                is_locked.send(()).expect("the test waits");
            }
            while number(tx, SOMEBODY_WAITS)? == 0 && !ended.load(Ordering::Acquire) {}
            must_hold(tx)
        });
    let work = async {
        locked.await.expect("the rows are locked");
        work.await;
        has_ended.store(true, Ordering::Release);
    };
    let (held, ()) = tokio::join!(hold, work);
    assert_eq!(held, Ok(true));
}

/// Returns whether no attempt is locked. A unit that waits for an order must not hold one.
fn attempts_are_free(tx: &mut Tx) -> Result<bool, StorageError> {
    number(
        tx,
        "select count(*) from (select id from attempts for update nowait) a",
    )
    .map(|_| true)
}

fn is_paid(tx: &mut Tx) -> Result<bool, StorageError> {
    number(tx, "select count(*) from orders where status = 'paid'").map(|count| count == 1)
}

/// Returns a fault that lasts until the faults are replaced.
fn delayed_fault(kind: FaultKind, path: &str) -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, kind);
    fault.path = Some(path.to_owned());
    fault.delay_ms = Some(60_000);
    fault.effect = Some(true);
    fault
}

/// Creates an order with a delayed answer, which arrives when all orders are locked.
async fn answer_while_locked(app: &TestApp, fault: Fault, with_card: bool) {
    let olena = app.notary("olena").await;
    olena.add(PaymentKind::RegistryPayment).await;
    let mut body = olena.order_body().await;
    if with_card {
        body["token_id"] = olena.save_card("4000000000000002").into();
    }
    // The answer alone comes while the orders are locked.
    app.keep_reports();
    app.outside().faults(&[fault]).await;
    let order = tokio::spawn(async move { olena.create_order(&olena.fresh_key(), &body).await });
    app.outside().until_faults_begin().await;
    let answered = async {
        app.outside().faults(&[]).await;
        order.await.unwrap().ok();
    };
    while_locked(app, "orders", answered, attempts_are_free).await;
}

#[test]
fn an_answer_of_the_acquirer_takes_its_turn_at_the_order() {
    run(Database::Postgres, |app| async move {
        answer_while_locked(
            &app,
            delayed_fault(FaultKind::Delay, "invoice/create"),
            false,
        )
        .await;
        answer_while_locked(
            &app,
            delayed_fault(FaultKind::TimeoutBefore, "invoice/create"),
            false,
        )
        .await;
        answer_while_locked(
            &app,
            delayed_fault(FaultKind::Delay, "wallet/payment"),
            true,
        )
        .await;
        app.restart_with(|settings| settings.page_hosts = Some(vec!["pay.example".to_owned()]))
            .await;
        answer_while_locked(
            &app,
            delayed_fault(FaultKind::Delay, "invoice/create"),
            false,
        )
        .await;
        app.finish_and_check().await;
    });
}

#[test]
fn a_charge_that_is_given_up_takes_its_turn_at_the_order() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = olena.save_card("4242424242424242").into();
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        lost.path = Some("wallet/payment".to_owned());
        app.outside().faults(&[lost]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        // The second reading without the charge proves that there is none.
        app.clock().advance_seconds(2 * 3_600 + 60);
        app.work().await;
        app.clock().advance_seconds(61);
        let work = async {
            app.work().await;
        };
        while_locked(&app, "orders", work, attempts_are_free).await;
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "failed");
        app.finish_and_check().await;
    });
}

/// As a bank's file is read that says that a part came back.
fn comes_back(tx: &mut Tx) -> Result<bool, StorageError> {
    let returned = "update transfers set status = 'returned', reason = 'Рахунок закрито' where document_number = 1";
    execute(tx, returned).map(|_| true)
}

#[test]
fn a_part_that_comes_back_while_its_refund_is_told_is_given_back() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::TimeoutAfter);
        lost.path = Some("invoice/cancel".to_owned());
        app.outside().faults(&[lost, no_reports()]).await;
        let state = refund(&app, RefundWish::Transfer(1)).await;
        assert_eq!(state, RefundState::Submitted);
        // The refund was given up, and its transfer was sent.
        app.execute("update transfers set refund_id = null, status = 'sent', value_date = '2026-03-02' where document_number = 1".to_owned()).await;
        app.clock().advance_seconds(61);
        let work = async {
            app.work().await;
        };
        while_locked(&app, "transfers", work, comes_back).await;
        let done = "select count(*) from refunds where state = 'done'".to_owned();
        assert_eq!(app.number(done).await, 1);
        let given_back =
            "select count(*) from transfers where status = 'returned' and refunded_at is not null"
                .to_owned();
        assert_eq!(app.number(given_back).await, 1, "nobody may send it again");
        app.skip_final_check();
    });
}

/// Returns whether no transfer is locked. A unit that waits for an order must not hold one.
fn transfers_are_free(tx: &mut Tx) -> Result<bool, StorageError> {
    let free = "select count(*) from (select id from transfers for update nowait) t";
    Ok(number(tx, free)? > 0)
}

#[test]
fn what_the_bank_was_not_given_takes_its_turn_at_the_order() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let of_lost_list = list(&app).await;
        import(&app, &of_lost_list, Some(TransferStatus::Sent))
            .await
            .unwrap();
        app.clock().advance_seconds(24 * 3_600);
        let services = app.services();
        let (ids, now) = (ids(&of_lost_list), services.now());
        let ids: Vec<TransferId> = ids
            .iter()
            .map(|id| TransferId::parse(id).unwrap())
            .collect();
        let reason = OperatorReason::parse("Банк списку не має").unwrap();
        let work = async {
            let taken_back = services.transfers.take_back_mark(&ids, &reason, now).await;
            assert_eq!(taken_back.map_err(|error| error.to_string()), Ok(()));
        };
        while_locked(&app, "orders", work, transfers_are_free).await;
        let planned = "select count(*) from transfers where status = 'planned'".to_owned();
        assert_eq!(app.number(planned).await, 2);
        app.finish_and_check().await;
    });
}

fn nothing_is_sent(tx: &mut Tx) -> Result<bool, StorageError> {
    Ok(number(tx, "select count(*) from transfers where status = 'sent'")? == 0)
}

#[test]
fn a_list_takes_its_turn_after_other_files() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let exported = list(&app).await;
        let work = async {
            let marked = import(&app, &exported, Some(TransferStatus::Sent)).await;
            assert_eq!(marked.unwrap().changed, 2);
        };
        while_held(&app, bank_facts::lock, work, nothing_is_sent).await;
        app.finish_and_check().await;
    });
}

fn consent_is_kept(tx: &mut Tx) -> Result<bool, StorageError> {
    Ok(number(tx, "select count(*) from receipt_consents")? > 0)
}

#[test]
fn a_consent_to_letters_is_taken_back_in_its_turn_at_the_order() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let mail = format!("/order/{}/receipt-mail", order["id"].as_str().unwrap());
        let given = serde_json::json!({ "email": "klient@example.com" });
        olena.post(&mail, given).await.ok();
        let work = async {
            let stop = format!("{mail}/stop");
            olena.post(&stop, serde_json::json!({})).await.ok();
        };
        while_locked(&app, "orders", work, consent_is_kept).await;
        let kept = "select count(*) from receipt_consents".to_owned();
        assert_eq!(app.number(kept).await, 0);
        app.finish_and_check().await;
    });
}

#[test]
fn a_payment_does_not_wait_for_the_notary() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        app.keep_reports();
        let page = order["widget_url"].as_str().unwrap();
        app.outside().pay(page, "4242424242424242").await;
        app.clock().advance_seconds(61);
        let work = async {
            app.work().await;
        };
        while_locked(&app, "notaries", work, is_paid).await;
        app.finish_and_check().await;
    });
}

#[test]
fn a_charge_that_could_be_sent_only_late_is_not_sent() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = olena.save_card("4242424242424242").into();
        // The process stands still while it stores that it is about to send the charge.
        for statement in [
            "create function stand_still() returns trigger language plpgsql as
                'begin perform pg_advisory_xact_lock(7); return new; end'",
            "create trigger stand_still before update on attempts for each row
                when (new.state = 'submitted') execute function stand_still()",
        ] {
            app.execute(statement.to_owned()).await;
        }
        let (is_locked, locked) = tokio::sync::oneshot::channel();
        let mut is_locked = Some(is_locked);
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let services = app.services();
        let hold = services
            .store
            .write(move |tx: &mut Tx| -> Result<(), StorageError> {
                execute(tx, "select pg_advisory_xact_lock(7)")?;
                if let Some(is_locked) = is_locked.take() {
                    is_locked.send(()).expect("the test waits");
                }
                may_go_on.recv().expect("the test tells");
                Ok(())
            });
        let late = async {
            app.wait_for_number(SOMEBODY_WAITS, 1).await;
            app.clock().advance_seconds(61);
            go_on.send(()).expect("the lock is held");
        };
        let key = olena.fresh_key();
        let work = async {
            locked.await.expect("the lock is taken");
            tokio::join!(olena.create_order(&key, &body), late).0.ok()["order"].clone()
        };
        let (held, order) = tokio::join!(hold, work);
        assert_eq!(held, Ok(()));
        assert_eq!(order["status"], "failed");
        assert_eq!(olena.order(&order).await["failure"], "acquirer_unavailable");
        assert!(app.outside().ledger().is_empty());
        app.finish_and_check().await;
    });
}

fn ends_sessions(tx: &mut Tx) -> Result<bool, StorageError> {
    let end = "update sessions set ended_at = created_at, end_reason = 'ended_by_notary'";
    execute(tx, end).map(|_| true)
}

#[test]
fn who_was_signed_out_while_the_lock_was_waited_for_orders_pays_and_adds_nothing() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        let declined = olena.save_card("4000000000000002");
        olena.add(PaymentKind::RegistryPayment).await;
        let mut by_card = olena.order_body().await;
        by_card["token_id"] = declined.into();
        let key = olena.fresh_key();
        let failed = olena.create_order(&key, &by_card).await.ok()["order"].clone();
        assert_eq!(failed["status"], "failed");
        let again = serde_json::json!({ "token_id": olena.save_card("4242424242424242") });
        let path = format!("/order/{}/pay", failed["id"].as_str().unwrap());
        olena.add(PaymentKind::RegistryPayment).await;
        let (body, key) = (olena.order_body().await, olena.fresh_key());
        let payment = olena.form(PaymentKind::RegistryPayment).await.body;
        let rows = app.all_rows().await;
        let ordered = async {
            let refused = olena.create_order(&key, &body).await;
            refused.refused(401, "unauthorized");
        };
        while_locked(&app, "notaries", ordered, ends_sessions).await;
        assert_eq!(app.all_rows().await, rows, "an order");
        olena.log_in().await;
        let rows = app.all_rows().await;
        let added = async {
            let refused = olena.post("/cart/add", payment).await;
            refused.refused(401, "unauthorized");
        };
        while_locked(&app, "notaries", added, ends_sessions).await;
        assert_eq!(app.all_rows().await, rows, "a payment in the cart");
        olena.log_in().await;
        let rows = app.all_rows().await;
        let paid = async {
            olena.post(&path, again).await.refused(401, "unauthorized");
        };
        while_locked(&app, "notaries", paid, ends_sessions).await;
        assert_eq!(app.all_rows().await, rows, "a charge");
        assert!(app.outside().ledger().is_empty());
        app.finish_and_check().await;
    });
}

#[test]
fn who_was_signed_out_while_the_lock_was_waited_for_decides_about_no_returned_part() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let part = returned(&app, &olena, &order, "notary").await;
        let whole = format!("/order/{}/refund", order["id"].as_str().unwrap());
        let calls = [
            (resend_path(&part), requisites(&part)),
            (refund_path(&part), serde_json::json!({})),
            (whole, serde_json::json!({})),
        ];
        for (path, body) in calls {
            let rows = app.all_rows().await;
            let decided = async {
                olena.post(&path, body).await.refused(401, "unauthorized");
            };
            while_locked(&app, "notaries", decided, ends_sessions).await;
            assert_eq!(app.all_rows().await, rows, "{path}");
            olena.log_in().await;
        }
        app.finish_and_check().await;
    });
}

/// What a notary decides about an order whose codes she gave, about its link, and about what she has stored.
async fn decisions(olena: &Person) -> Vec<(String, Value)> {
    let saved = olena.post_proved("/book/recipients/save", recipient("Оренда"));
    let mut renamed = saved.await.ok()["recipient"].clone();
    renamed["title"] = "Оренда офісу".into();
    olena.add(PaymentKind::AdminPayment).await;
    let order = olena.order_cart().await;
    let path = format!("/order/{}", order["id"].as_str().unwrap());
    let of_order = |call: &str, body| (format!("{path}/{call}"), body);
    let (codes, link) = (format!("{path}/codes"), format!("{path}/client-link"));
    olena.post(&codes, json!({})).await.ok();
    let token = olena.post(&link, json!({})).await.ok()["token"].clone();
    let file = STANDARD.encode(statement(OWN, &[]));
    let email = "klient@example.com";
    vec![
        of_order("codes", json!({})),
        of_order("codes/document", json!({})),
        of_order("codes/paid", json!({})),
        of_order("codes/paid/undo", json!({})),
        of_order("codes/credit/undo", json!({})),
        ("/order/statement/mark".to_owned(), json!({ "file": file })),
        of_order("cancel", json!({ "return_items": false })),
        of_order("update/pay-link?despite_codes=1", Value::Null),
        of_order("client-link", json!({})),
        of_order(
            "client-link/send",
            json!({ "token": token, "email": email }),
        ),
        of_order("client-link/withdraw", json!({})),
        of_order("receipt-mail", json!({ "email": email })),
        ("/book/recipients/save".to_owned(), renamed),
        (
            "/me/card-figures".to_owned(),
            json!({ "daily_unproved_max": 1, "told_from": 1 }),
        ),
        ("/me".to_owned(), json!({ "full_name": "Інша Олена" })),
        of_order("repeat", json!({ "despite_codes": true })),
    ]
}

/// What she decides about an item of her cart and one that she has deleted.
async fn decisions_about_cart(olena: &Person) -> [(&'static str, Value); 2] {
    for kind in [PaymentKind::AdminPayment, PaymentKind::RegistryPayment] {
        olena.add(kind).await;
    }
    let cart = olena.get("/cart").await.ok();
    let [kept, deleted] = [0, 1].map(|place| cart["groups"][0]["items"][place]["id"].clone());
    let deleted = json!({ "cart_item_id": deleted });
    olena.post("/cart/item/delete", deleted.clone()).await.ok();
    let opened = format!("/cart/item/{}", kept.as_str().unwrap());
    let version = olena.get(&opened).await.ok()["version"].clone();
    let payment = olena.form(PaymentKind::RegistryPayment).await.body;
    let edit = json!({ "cart_item_id": kept, "version": version, "payment": payment });
    [("/cart/item/edit", edit), ("/cart/item/restore", deleted)]
}

#[test]
fn who_was_signed_out_while_the_lock_was_waited_for_decides_nothing() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        let mut calls = decisions(&olena).await;
        let of_cart = decisions_about_cart(&olena).await;
        calls.extend(of_cart.map(|(path, body)| (path.to_owned(), body)));
        for (path, body) in calls {
            let rows = app.all_rows().await;
            let decided = async {
                let answer = match body {
                    Value::Null => olena.get(&path).await,
                    body => olena.post(&path, body).await,
                };
                assert_eq!(answer.status, 401, "{path}");
            };
            while_locked(&app, "notaries", decided, ends_sessions).await;
            assert_eq!(app.all_rows().await, rows, "{path}");
            // So many logins are refused.
            let alive = "update sessions set ended_at = null, end_reason = null";
            app.execute(alive.to_owned()).await;
        }
        app.finish_and_check().await;
    });
}

/// Returns whether no session has ended. Whoever ends one waits for its notary first.
fn nothing_ended(tx: &mut Tx) -> Result<bool, StorageError> {
    let ended = "select count(*) from sessions where ended_at is not null";
    Ok(number(tx, ended)? == 0)
}

/// Returns whether no passkey is locked. A unit that waits for its notary must not hold one.
fn passkeys_are_free(tx: &mut Tx) -> Result<bool, StorageError> {
    let free = "select count(*) from (select id from notary_passkeys for update nowait) p";
    Ok(number(tx, free)? == 1)
}

#[test]
fn sessions_and_passkeys_take_their_turn_after_their_notary() {
    run(Database::Postgres, |app| async move {
        let olena = app.notary("olena").await;
        let (authenticator, _) = passkeys::add(&app, &olena, "first").await;
        let sessions = olena.get("/me/sessions").await.ok();
        let own = sessions["sessions"][0]["id"].as_str().unwrap().to_owned();
        let new = olena.elsewhere();
        let options = passkeys::ask(&new).await;
        let signed = authenticator.get(&options, &passkeys::handle(&new));
        let entered = async {
            passkeys::answer(&new, &signed).await.ok();
        };
        while_locked(&app, "notaries", entered, passkeys_are_free).await;
        let ended = async {
            let path = format!("/me/sessions/{own}/end");
            olena.post(&path, serde_json::json!({})).await.ok();
        };
        while_locked(&app, "notaries", ended, nothing_ended).await;
        // An entry and the end of all others come one after the other.
        let others = async || {
            let asked = new.post("/me/sessions/end-others", serde_json::json!({}));
            let asked = asked.await;
            if asked.status != 200 {
                new.prove(&asked.json()["proof"]).await;
                new.post("/me/sessions/end-others", serde_json::json!({}))
                    .await
                    .ok();
            }
        };
        let third = olena.elsewhere();
        let operation = third.ask_for_code().await;
        let code = olena.code();
        app.clock().advance_seconds(60);
        let (entered, ()) = tokio::join!(third.enter(&operation, &code), others());
        entered.ok();
        app.finish_and_check().await;
    });
}
