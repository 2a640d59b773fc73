//! Comparing our payments with the acquirer's statement.

use cabinet_app::transfer::ResumeError;
use cabinet_app::worker::reconciliation::Comparison;
use cabinet_domain::{AttemptId, OperatorReason, OrderId};
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, TestApp, kopiykas, log_written, on_both_databases,
};
use serde_json::json;
use uuid::Uuid;

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// Compares the last three days.
async fn compare(app: &TestApp) -> Comparison {
    let services = app.services();
    services
        .reconciliation
        .compare_since(services.now() - jiff::SignedDuration::from_hours(72))
        .await
        .expect("the statement is there")
}

fn agreeing(agreeing: usize) -> Comparison {
    Comparison {
        agreeing,
        ..Comparison::default()
    }
}

async fn drop_reports(app: &TestApp) {
    app.outside().faults(&[lost_reports()]).await;
}

/// Each list of faults replaces the one before.
fn lost_reports() -> Fault {
    let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
    lost.calls = 100;
    lost
}

/// After so many seconds LiqPay, which is the latest, shows all that was done there.
const LONGEST: i64 = 24 * 3_600;

/// Records that a server started so many seconds ago on a restored copy.
async fn begin_recovery(app: &TestApp, seconds: i64) {
    let services = app.services();
    let since = services.now() - jiff::SignedDuration::from_secs(seconds);
    let write = move |tx: &mut cabinet_storage::Tx| {
        cabinet_storage::engine::restored::begin_recovery(tx, since)
    };
    services.store.write(write).await.unwrap();
}

/// Looks again for what the copy lacks, as the worker does. Returns what the comparison found.
async fn recover_again(app: &TestApp) -> Comparison {
    let reconciliation = app.services().reconciliation;
    reconciliation.recover_again().await.unwrap().unwrap()
}

/// Why an operator lets transfers go on.
fn why() -> OperatorReason {
    OperatorReason::parse("звірено з банком").unwrap()
}

/// Whether what the copy lacks is still looked for, as an operator meets it who wants to go on.
async fn is_recovering(app: &TestApp) -> bool {
    let services = app.services();
    let resumed = services
        .transfers
        .resume(services.now(), false, &why())
        .await;
    matches!(resumed, Err(ResumeError::Recovering))
}

/// As an operator closes them.
async fn close_alarms(app: &TestApp) {
    app.execute("update alarms set closed_at = last_at, note = 'looked at'".to_owned())
        .await;
}

/// Returns the number of alarms about partial refunds.
async fn refunds_in_part(app: &TestApp) -> i64 {
    app.number(
        "select coalesce(sum(count), 0) from alarms where kind = 'refunded_in_part'".to_owned(),
    )
    .await
}

on_both_databases! {
    async fn what_is_known_on_both_sides_agrees(app: TestApp) {
        let olena = app.notary("olena").await;
        assert_eq!(compare(&app).await, agreeing(0));
        for kind in [PaymentKind::RegistryPayment, PaymentKind::AdminPayment] {
            olena.add(kind).await;
            let order = olena.order_cart().await;
            olena.pay(&order).await;
        }
        olena.add(PaymentKind::RegistryPayment).await;
        let declined = olena.order_cart().await;
        app.outside().pay(declined["widget_url"].as_str().unwrap(), DECLINED).await;
        app.clock().advance_seconds(2 * 3_600);
        assert_eq!(compare(&app).await, agreeing(2));
        app.finish_and_check().await;
    }

    async fn a_payment_that_nobody_told_of_is_found(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        drop_reports(&app).await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), PAYS).await;
        assert_eq!(olena.order(&order).await["status"], "pending");
        assert_eq!(compare(&app).await, Comparison { made_good: 1, ..Comparison::default() });
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(compare(&app).await, agreeing(1), "once");
        app.finish_and_check().await;
    }

    async fn a_refund_that_nobody_told_of_is_found(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        drop_reports(&app).await;
        app.clock().advance_seconds(60);
        app.outside().refund(order["widget_url"].as_str().unwrap()).await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(compare(&app).await, Comparison { made_good: 1, ..Comparison::default() });
        assert_eq!(olena.order(&order).await["status"], "refunded");
        app.finish_and_check().await;
    }

    async fn a_refund_of_a_part_that_nobody_told_of_is_told_once(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        drop_reports(&app).await;
        for (part, made_good) in [(100, 1), (50, 2)] {
            app.clock().advance_seconds(60);
            app.outside().refund_part(order["widget_url"].as_str().unwrap(), part).await;
            assert_eq!(compare(&app).await, Comparison { made_good: 1, ..Comparison::default() });
            assert_eq!(refunds_in_part(&app).await, made_good);
            assert_eq!(compare(&app).await, agreeing(1));
            assert_eq!(refunds_in_part(&app).await, made_good, "once");
        }
        assert_eq!(olena.order(&order).await["status"], "paid", "a person decides what follows");
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_refund_in_two_parts_is_a_refund_of_all(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        drop_reports(&app).await;
        app.clock().advance_seconds(60);
        let page = order["widget_url"].as_str().unwrap();
        app.outside().refund_part(page, 100).await;
        app.outside().refund(page).await;
        assert_eq!(compare(&app).await, Comparison { made_good: 1, ..Comparison::default() });
        assert_eq!(olena.order(&order).await["status"], "refunded");
        assert_eq!(refunds_in_part(&app).await, 0);
        app.finish_and_check().await;
    }

    async fn a_payment_that_no_order_answers_for_is_told_and_changes_nothing(app: TestApp) {
        app.notary("olena").await;
        let stranger = app
            .outside()
            .make_invoice(&json!({ "amount": 4_200, "merchantPaymInfo": { "reference": "of-a-restored-copy" } }))
            .await;
        drop_reports(&app).await;
        app.outside().pay(&stranger, PAYS).await;
        let mut before = app.all_rows().await;
        for _ in 0..2 {
            assert_eq!(compare(&app).await, Comparison { unknown: 1, ..Comparison::default() });
        }
        before.insert("alarms", 1);
        assert_eq!(app.all_rows().await, before, "one open alarm, and nothing else");
        close_alarms(&app).await;
        assert_eq!(compare(&app).await, Comparison { unknown: 1, ..Comparison::default() });
        assert_eq!(app.all_rows().await, before, "somebody has decided about it");
        app.outside().refund(&stranger).await;
        assert_eq!(compare(&app).await, agreeing(1), "the money went back");
        app.skip_final_check();
    }

    async fn a_payment_by_a_link_that_a_restored_copy_forgot_pays_its_order(app: TestApp) {
        let olena = app.notary("olena").await;
        for is_reported in [true, false] {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            let id = OrderId::parse(order["id"].as_str().unwrap()).unwrap();
            app.outside().pay(order["widget_url"].as_str().unwrap(), DECLINED).await;
            olena.until(&order, "failed").await;
            // The link was requested after the copy, so the database does not know it.
            let forgotten = AttemptId::of_order(id, Uuid::from_u128(7));
            let invoice = json!({
                "amount": kopiykas(&order["sum"]),
                "merchantPaymInfo": { "reference": forgotten.to_string() },
                "webHookUrl": format!("{}/api/acquirer/report", app.public_url()),
            });
            let page = app.outside().make_invoice(&invoice).await;
            if is_reported {
                app.outside().pay(&page, PAYS).await;
                olena.until(&order, "paid").await;
            } else {
                drop_reports(&app).await;
                app.outside().pay(&page, PAYS).await;
                assert_eq!(compare(&app).await, Comparison { agreeing: 1, made_good: 1, ..Comparison::default() });
            }
            let paid = olena.order(&order).await;
            assert_eq!((&paid["status"], &paid["payment_state"]), (&json!("paid"), &json!("paid")));
        }
        let alarms = "select count(*) from alarms where kind = 'stray_invoice_paid'".to_owned();
        assert_eq!(app.number(alarms).await, 2, "somebody hears that the database had forgotten a page");
        app.finish_and_check().await;
    }

    async fn what_stands_unsent_in_a_restored_copy_may_have_been_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        drop_reports(&app).await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            olena.add(PaymentKind::RegistryPayment).await;
            orders.push(olena.order_cart().await);
        }
        let [paid, unpaid] = &orders[..] else { panic!("two orders were made") };
        app.outside().pay(paid["widget_url"].as_str().unwrap(), PAYS).await;
        // The copy was made between the orders and their requests to the acquirer.
        app.execute("update orders set status = 'in_progress', payment_state = 'unknown', widget_url = null".to_owned()).await;
        app.execute(
            "update attempts set state = 'prepared', invoice_id = null, page_url = null, submitted_at = null, answered_at = null, expires_at = null".to_owned(),
        ).await;
        let services = app.services();
        let now = services.now();
        begin_recovery(&app, LONGEST + 60).await;
        // Also what was prepared a moment ago: if it was sent after all, a second charge would follow.
        assert_eq!(app.number("select count(*) from attempts where state = 'prepared'".to_owned()).await, 0);
        // While the acquirer does not tell all, it is tried again, and no transfer is exported.
        let mut silent = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        silent.path = Some("invoice/status".to_owned());
        app.outside().faults(&[lost_reports(), silent]).await;
        let found = recover_again(&app).await;
        assert_eq!((found.made_good, found.unasked), (0, 1));
        assert!(is_recovering(&app).await);
        let despite = services.transfers.resume(now, true, &why()).await;
        assert!(matches!(despite, Err(ResumeError::NotStopped)), "the operator may go on all the same: {despite:?}");
        assert_eq!(recover_again(&app).await.made_good, 1);
        assert!(is_recovering(&app).await, "two readings within a minute are one");
        app.clock().advance_seconds(61);
        recover_again(&app).await;
        assert!(!is_recovering(&app).await);
        assert_eq!(services.reconciliation.recover_after_restore().await.unwrap(), None);
        assert_eq!(olena.order(paid).await["payment_state"], "paid");
        app.clock().advance_seconds(61);
        let waiting = olena.order(unpaid).await;
        assert_eq!(waiting["payment_state"], "unknown", "nobody says that it was not sent");
        // Its page may have been shown since the copy, so there is no second one beside it.
        let link = format!("/order/{}/update/pay-link", unpaid["id"].as_str().unwrap());
        for _ in 0..3 {
            app.work().await;
            olena.get(&link).await.refused(409, "payment_outcome_unknown");
            app.clock().advance_seconds(600);
            olena.refresh().await.ok();
        }
        assert_eq!(app.outside().invoices().await.len(), 2);
        drop_reports(&app).await;
        app.outside().pay(unpaid["widget_url"].as_str().unwrap(), PAYS).await;
        olena.get(&link).await.refused(409, "order_not_payable");
        assert_eq!(olena.order(unpaid).await["payment_state"], "paid");
        app.finish_and_check().await;
    }

    async fn a_page_without_an_answer_in_a_copy_is_replaced_once_nobody_can_have_paid_on_it(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::TimeoutAfter);
        lost.path = Some("invoice/create".to_owned());
        app.outside().faults(&[lost]).await;
        let order = olena.order_cart().await;
        // Until the copy was put back, another page may have been asked for at any moment.
        app.clock().advance_seconds(20 * 3_600);
        begin_recovery(&app, 0).await;
        olena.log_in().await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        // The page is open for a day, and a payment on it may appear on the statement two hours later.
        assert!(olena.order(&order).await["answer_expected_at"].is_string());
        for _ in 0..26 {
            app.clock().advance_seconds(3_600);
            app.work().await;
        }
        olena.log_in().await;
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        for _ in 0..3 {
            app.clock().advance_seconds(3_600);
            app.work().await;
        }
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "expired");
        assert_eq!(app.outside().invoices().await.len(), 1, "no other page was asked for");
        olena.get(&link).await.ok();
        let renewed = olena.order(&order).await;
        olena.pay(&renewed).await;
        app.finish_and_check().await;
    }

    async fn what_liqpay_may_give_back_within_a_day_is_waited_for_after_a_restore(app: TestApp) {
        for (begun, is_over) in [(7_260, false), (LONGEST - 120, false), (LONGEST + 60, true)] {
            begin_recovery(&app, begun).await;
            recover_again(&app).await;
            app.clock().advance_seconds(61);
            recover_again(&app).await;
            assert_eq!(!is_recovering(&app).await, is_over, "after {begun} seconds");
        }
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn what_a_copy_lacks_is_looked_for_until_the_statement_must_have_all(app: TestApp) {
        app.restart_with(|settings| settings.app.delays.liqpay.refunds = settings.app.delays.liqpay.statement).await;
        let olena = app.notary("olena").await;
        drop_reports(&app).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        begin_recovery(&app, 0).await;
        assert_eq!(app.services().reconciliation.recover_after_restore().await.unwrap(), Some(agreeing(0)));
        assert_eq!(recover_again(&app).await, agreeing(0));
        assert!(is_recovering(&app).await, "the last charges may be missing on the statement for two hours");
        // As if this charge had appeared late.
        app.outside().pay(order["widget_url"].as_str().unwrap(), PAYS).await;
        app.clock().advance_seconds(7_100);
        assert_eq!(recover_again(&app).await, Comparison { made_good: 1, ..Comparison::default() });
        assert!(is_recovering(&app).await);
        app.clock().advance_seconds(110);
        assert_eq!(recover_again(&app).await, agreeing(1));
        assert!(is_recovering(&app).await, "one reading proves nothing");
        app.clock().advance_seconds(61);
        assert_eq!(recover_again(&app).await, agreeing(1));
        assert!(!is_recovering(&app).await);
        assert_eq!(app.services().reconciliation.recover_again().await.unwrap(), None);
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_refund_that_a_copy_forgot_and_that_is_still_open_keeps_its_transfers(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.pay_slowly(&olena, &order).await;
        begin_recovery(&app, LONGEST + 60).await;
        // It was asked for after the copy, so no row tells of it, and neither does the statement.
        let mut silent = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        silent.path = Some("invoice/status".to_owned());
        app.outside().faults(&[lost_reports(), silent]).await;
        app.outside().refund_part(&page, 13_200).await;
        assert_eq!(compare(&app).await, agreeing(1));
        assert_eq!(recover_again(&app).await, agreeing(1));
        app.clock().advance_seconds(61);
        // While the acquirer does not tell where the order's money stands, the search goes on.
        assert_eq!(recover_again(&app).await, Comparison { agreeing: 1, unasked: 1, ..Comparison::default() });
        assert_eq!((is_recovering(&app).await, refunds_in_part(&app).await), (true, 0));
        let alarms = "select count(*) from alarms where kind = 'statement_not_compared'".to_owned();
        assert_eq!(app.number(alarms).await, 1, "somebody hears why it goes on");
        assert_eq!(recover_again(&app).await, agreeing(1));
        assert_eq!((is_recovering(&app).await, refunds_in_part(&app).await), (false, 1));
        assert_eq!(app.services().transfers.withheld().await.unwrap(), [100_001]);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_day_that_cannot_be_had_is_compared_the_next_time_and_the_older_ones_now(app: TestApp) {
        app.notary("olena").await;
        let days = "select count(*) from statement_days".to_owned();
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        broken.path = Some("statement".to_owned());
        app.outside().faults(&[broken]).await;
        let services = app.services();
        assert!(services.reconciliation.compare_due_days().await.is_err());
        assert_eq!(app.number(days.clone()).await, 30, "all but the newest");
        services.reconciliation.compare_due_days().await.unwrap().unwrap();
        assert_eq!(app.number(days).await, 31);
    }

    async fn a_day_with_an_invoice_that_cannot_be_asked_about_is_compared_again(app: TestApp) {
        let olena = app.notary("olena").await;
        drop_reports(&app).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), PAYS).await;
        app.clock().advance_seconds(24 * 3_600);
        let mut silent = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (silent.path, silent.calls) = (Some("invoice/status".to_owned()), 10);
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 100;
        app.outside().faults(&[lost, silent]).await;
        let services = app.services();
        let days = "select count(*) from statement_days".to_owned();
        let found = services.reconciliation.compare_due_days().await.unwrap().unwrap();
        assert_eq!(found, Comparison { unasked: 1, ..Comparison::default() });
        assert_eq!(app.number(days.clone()).await, 30, "its day is not done");
        let alarms = |kind: &str| format!("select count(*) from alarms where kind = '{kind}'");
        assert_eq!(app.number(alarms("statement_unknown_payment")).await, 0, "it is known");
        assert_eq!(app.number(alarms("statement_not_compared")).await, 1);
        drop_reports(&app).await;
        assert_eq!(services.reconciliation.compare_due_days().await.unwrap().unwrap().made_good, 1);
        assert_eq!(app.number(days).await, 31);
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_payment_that_the_statement_lacks_is_told(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        // As if the acquirer had reported a payment that it no longer knows, and knew another one of the order.
        app.execute("update attempts set invoice_id = 'gone', reference = order_id".to_owned()).await;
        app.clock().advance_seconds(2 * 3_600 - 60);
        olena.log_in().await;
        assert_eq!(compare(&app).await, Comparison { made_good: 1, ..Comparison::default() }, "it may still come");
        app.clock().advance_seconds(120);
        assert_eq!(compare(&app).await, Comparison { agreeing: 1, lacking: 1, ..Comparison::default() });
        assert_eq!(compare(&app).await, Comparison { agreeing: 1, lacking: 1, ..Comparison::default() });
        let alarms = "select count(*) from alarms where kind = 'statement_lacks_payment'".to_owned();
        assert_eq!(app.number(alarms.clone()).await, 1, "one open alarm, however often it is seen");
        close_alarms(&app).await;
        assert_eq!(compare(&app).await, Comparison { agreeing: 1, lacking: 1, ..Comparison::default() });
        assert_eq!(app.number(alarms).await, 1, "somebody has looked at it");
        assert_eq!(olena.order(&order).await["status"], "paid", "nothing is changed by it");
        app.skip_final_check();
    }

    async fn a_payment_on_another_day_of_the_statement_is_not_called_missing(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        // The first known state included a partial refund and carried its time.
        app.execute("update attempts set charged_at = charged_at + 8 * 3600000000".to_owned()).await;
        app.clock().advance_seconds(10 * 3_600);
        assert_eq!(compare(&app).await, agreeing(1));
        app.finish_and_check().await;
    }

    async fn each_day_is_compared_in_its_time_by_one_process(app: TestApp) {
        let olena = app.notary("olena").await;
        drop_reports(&app).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), PAYS).await;
        let services = app.services();
        let days = "select count(*) from statement_days".to_owned();
        // Thirty days before the first were never compared.
        services.reconciliation.compare_due_days().await.unwrap().unwrap();
        assert_eq!(app.number(days.clone()).await, 31);
        app.clock().advance_seconds(24 * 3_600);
        let found = services.reconciliation.compare_due_days().await.unwrap().unwrap();
        assert_eq!(found, Comparison { made_good: 1, ..Comparison::default() });
        assert_eq!(app.number(days.clone()).await, 32);
        assert_eq!(services.reconciliation.compare_due_days().await.unwrap(), Some(Comparison::default()), "nothing is due");
        // Its refunds are looked for three days later, and a month later.
        app.clock().advance_seconds(3 * 24 * 3_600);
        let found = services.reconciliation.compare_due_days().await.unwrap().unwrap();
        assert_eq!(found, agreeing(1));
        // Another process holds the lease.
        app.clock().advance_seconds(24 * 3_600);
        let until = (services.now() + jiff::SignedDuration::from_mins(5)).as_microsecond();
        app.execute(format!("update leases set holder = 'another', held_until = {until}")).await;
        assert_eq!(services.reconciliation.compare_due_days().await.unwrap(), None);
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn without_the_statement_nothing_is_concluded(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        broken.path = Some("statement".to_owned());
        app.outside().faults(&[broken]).await;
        app.clock().advance_seconds(2 * 3_600);
        let services = app.services();
        let since = services.now() - jiff::SignedDuration::from_hours(72);
        assert!(services.reconciliation.compare_since(since).await.is_err());
        assert!(log_written().contains("can't be compared"), "somebody must hear of it");
        assert_eq!(compare(&app).await, agreeing(1));
        app.finish_and_check().await;
    }

    async fn a_day_that_cannot_be_had_keeps_no_newer_one_from_being_compared(app: TestApp) {
        let olena = app.notary("olena").await;
        drop_reports(&app).await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            olena.log_in().await;
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            app.outside().pay(order["widget_url"].as_str().unwrap(), PAYS).await;
            orders.push(order);
            app.clock().advance_seconds(36 * 3_600);
        }
        let mut let_through = Fault::new(FaultService::Acquirer, FaultKind::Delay);
        (let_through.path, let_through.delay_ms, let_through.calls) = (Some("statement".to_owned()), Some(0), 7);
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        broken.path = Some("statement".to_owned());
        app.outside().faults(&[let_through, broken]).await;
        let services = app.services();
        let since = services.now() - jiff::SignedDuration::from_hours(72);
        assert!(services.reconciliation.compare_since(since).await.is_err());
        olena.log_in().await;
        let [older, newer] = &orders[..] else { panic!("two orders were made") };
        assert_eq!(olena.order(newer).await["status"], "paid");
        assert_eq!(olena.order(older).await["status"], "pending");
        assert_eq!(compare(&app).await, Comparison { agreeing: 1, made_good: 1, ..Comparison::default() });
        assert_eq!(olena.order(older).await["status"], "paid");
        app.finish_and_check().await;
    }
}
