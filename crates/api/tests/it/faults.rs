//! The acquirer is slow, fails, refuses or answers nonsense. Nothing is charged twice, and an unknown outcome is never shown as known.

#![expect(
    clippy::disallowed_methods,
    reason = "a test looks again until a state comes"
)]

use std::time::Duration;

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, TestApp, eventually, on_both_databases,
};
use serde_json::json;

use crate::acquirer_faults::{acquirer_fault, card_order, no_reports};

const CREATE: &str = "invoice/create";
const CHARGE: &str = "wallet/payment";
const STATUS: &str = "invoice/status";

/// Waits until the cabinet is ready.
async fn until_ready(app: &TestApp) {
    let look = || async {
        match app.anonymous().page("/readyz").await.status {
            200 => Ok(()),
            other => Err(other),
        }
    };
    eventually(look).await.expect("the cabinet gets ready");
}

on_both_databases! {
    async fn whatever_the_acquirer_breaks_by_is_not_taken_for_a_no(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut with_effect = acquirer_fault(FaultKind::Status500, CHARGE);
        with_effect.effect = Some(true);
        let mut without_effect = acquirer_fault(FaultKind::Garbage, CHARGE);
        without_effect.effect = Some(false);
        let charged = [
            (acquirer_fault(FaultKind::Status500, CHARGE), false),
            (with_effect, true),
            (acquirer_fault(FaultKind::Garbage, CHARGE), true),
            (without_effect, false),
            (acquirer_fault(FaultKind::Reset, CHARGE), true),
        ];
        let mut charges = 0;
        for (fault, is_charged) in charged {
            let about = format!("{fault:?}");
            let body = card_order(&olena).await;
            app.outside().faults(&[fault, no_reports()]).await;
            let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
            assert_eq!(order["status"], "in_progress", "{about}");
            charges += usize::from(is_charged);
            assert_eq!(app.outside().ledger().len(), charges, "{about}");
            for seconds in [120, 120, 2 * 3_600, 61] {
                app.clock().advance_seconds(seconds);
                app.work().await;
            }
            olena.log_in().await;
            let status = if is_charged { "paid" } else { "failed" };
            assert_eq!(olena.order(&order).await["status"], status, "{about}");
        }
        for kind in [FaultKind::Status500, FaultKind::Garbage, FaultKind::Reset] {
            olena.add(PaymentKind::RegistryPayment).await;
            app.outside().faults(&[acquirer_fault(kind, CREATE)]).await;
            let order = olena.order_cart().await;
            assert_eq!(order["status"], "in_progress", "{kind:?}");
            app.clock().advance_seconds(61);
            app.work().await;
            let order = olena.order(&order).await;
            assert_eq!(order["status"], "pending", "{kind:?}");
            olena.pay(&order).await;
        }
        app.finish_and_check().await;
    }

    async fn too_many_requests_are_not_answered_with_more(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let mut busy = acquirer_fault(FaultKind::Status429, STATUS);
        busy.calls = 1_000;
        let order = olena.order_cart().await;
        app.outside().faults(&[busy]).await;
        let mut asked = 0;
        for _ in 0..60 {
            app.clock().advance_seconds(60);
            asked += app.work().await;
        }
        assert!((5..=12).contains(&asked), "asked {asked} times in an hour");
        app.outside().faults(&[]).await;
        olena.refresh().await.ok();
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_page_that_was_certainly_not_asked_for_can_be_tried_again_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Status429, CREATE)]).await;
        let order = olena.order_cart().await;
        assert_eq!((&order["status"], &order["payment_state"]), (&json!("failed"), &json!("not_sent")));
        assert_eq!(olena.order(&order).await["failure"], "acquirer_unavailable");
        assert_eq!(app.work().await, 0, "nothing is expected of it");
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let page = olena.get(&link).await.ok()["widget_url"].clone();
        app.outside().pay(page.as_str().unwrap(), "4242424242424242").await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn an_order_whose_process_ended_before_anything_was_sent_can_be_paid_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        // The state of an order whose process ended right after storing it.
        app.execute(
            "update attempts set state = 'prepared', kind = 'card_token', invoice_id = null, page_url = null, submitted_at = null,
                 answered_at = null, expires_at = null, next_check_at = created_at + 10000000"
                .to_owned(),
        )
        .await;
        app.execute("update orders set status = 'in_progress', payment_state = 'unknown', widget_url = null".to_owned()).await;
        app.execute("update order_events set to_status = 'in_progress' where to_status = 'pending'".to_owned()).await;
        app.restart().await;
        app.clock().advance_seconds(11);
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let page = olena.get(&link).await.ok()["widget_url"].clone();
        let shown = olena.order(&order).await;
        assert_eq!((&shown["payment_state"], &shown["widget_url"]), (&json!("waiting"), &page));
        olena.pay(&shown).await;
        app.finish_and_check().await;
    }

    async fn a_card_that_was_certainly_not_charged_can_be_tried_again_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Status429, CHARGE)]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "failed");
        assert_eq!(olena.order(&order).await["failure"], "acquirer_unavailable");
        assert!(app.outside().ledger().is_empty());
        let id = order["id"].as_str().unwrap();
        let link = olena.get(&format!("/order/{id}/update/pay-link")).await.ok();
        app.outside().pay(link["widget_url"].as_str().unwrap(), "4242424242424242").await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_definite_no_is_one_and_says_so(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Refuse, CREATE)]).await;
        let order = olena.order_cart().await;
        assert_eq!(order["status"], "failed");
        assert_eq!(olena.order(&order).await["failure"], "acquirer_refused");
        let mut gone = acquirer_fault(FaultKind::Refuse, CHARGE);
        gone.code = Some("TOKEN_NOT_FOUND".to_owned());
        let body = card_order(&olena).await;
        app.outside().faults(&[gone]).await;
        let second = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(second["status"], "failed");
        assert_eq!(olena.order(&second).await["failure"], "card_not_found");
        // Both can be paid by a fresh link.
        for order in [order, second] {
            let id = order["id"].as_str().unwrap();
            let link = olena.get(&format!("/order/{id}/update/pay-link")).await.ok();
            app.outside().pay(link["widget_url"].as_str().unwrap(), "4242424242424242").await;
            olena.until(&order, "paid").await;
        }
        app.finish_and_check().await;
    }

    async fn a_status_that_nobody_could_ask_for_is_not_told_as_a_fresh_one(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let id = order["id"].as_str().unwrap();
        app.outside().faults(&[acquirer_fault(FaultKind::Status500, STATUS)]).await;
        olena.get(&format!("/order/{id}/status")).await.refused(503, "acquirer_unavailable");
        // `GET /order/{id}` shows the stored order even when the acquirer fails.
        app.outside().faults(&[acquirer_fault(FaultKind::Status500, STATUS)]).await;
        let shown = olena.get(&format!("/order/{id}?update_status=1")).await.ok();
        assert_eq!(shown["order"]["status"], "pending");
        assert_eq!(olena.get(&format!("/order/{id}/status")).await.ok()["status"], "pending");
        olena.pay(&order).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Status500, STATUS)]).await;
        assert_eq!(olena.get(&format!("/order/{id}/status")).await.ok()["status"], "paid");
        app.finish_and_check().await;
    }

    async fn a_refusal_to_tell_a_status_is_not_told_as_a_fresh_one(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let id = order["id"].as_str().unwrap();
        for code in ["FORBIDDEN", "NOT_FOUND", "BAD_REQUEST"] {
            let mut refused = acquirer_fault(FaultKind::Refuse, STATUS);
            refused.code = Some(code.to_owned());
            app.outside().faults(&[refused]).await;
            olena.get(&format!("/order/{id}/status")).await.refused(503, "acquirer_unavailable");
            assert_eq!(olena.order(&order).await["status"], "pending", "{code}");
        }
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn an_invoice_that_the_acquirer_does_not_know_has_expired_a_day_after_its_time_is_over(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            olena.add(PaymentKind::RegistryPayment).await;
            orders.push(olena.order_cart().await);
        }
        let mut forgotten = acquirer_fault(FaultKind::Refuse, STATUS);
        (forgotten.code, forgotten.calls) = (Some("NOT_FOUND".to_owned()), 4);
        app.outside().faults(&[forgotten]).await;
        app.clock().advance_seconds(48 * 3_600 + 61);
        app.work().await;
        app.clock().advance_seconds(61);
        app.work().await;
        olena.log_in().await;
        for order in &orders {
            assert_eq!(olena.order(order).await["status"], "expired");
        }
        assert_eq!(app.work().await, 0, "nothing more is expected of it");
        let link = format!("/order/{}/update/pay-link", orders[0]["id"].as_str().unwrap());
        let fresh = olena.get(&link).await.ok();
        assert_eq!(app.outside().pay(fresh["widget_url"].as_str().unwrap(), "4242424242424242").await, "success");
        olena.until(&orders[0], "paid").await;
        app.finish_and_check().await;
    }

    async fn a_payment_of_an_invoice_that_the_acquirer_had_forgotten_is_one_all_the_same(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.keep_reports();
        app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
        app.kept_reports(2).await;
        let mut forgotten = acquirer_fault(FaultKind::Refuse, STATUS);
        (forgotten.code, forgotten.calls) = (Some("NOT_FOUND".to_owned()), 2);
        app.outside().faults(&[forgotten]).await;
        app.clock().advance_seconds(48 * 3_600 + 61);
        app.work().await;
        app.clock().advance_seconds(61);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "expired");
        let services = app.services();
        services.reconciliation.compare_since(services.now() - jiff::SignedDuration::from_hours(72)).await.unwrap();
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn an_answer_that_is_slow_in_coming_holds_up_no_other_order_and_not_the_cabinet(app: TestApp) {
        // Longer than any wait of the test.
        app.restart_with(|settings| settings.outside_time_limit = Duration::from_secs(600)).await;
        let olena = app.notary("olena").await;
        app.outside().faults(&[no_reports()]).await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
            orders.push(order);
        }
        app.clock().advance_seconds(100);
        assert_eq!(app.anonymous().page("/readyz").await.status, 503, "the worker has done nothing for long");
        let mut silent = acquirer_fault(FaultKind::TimeoutBefore, STATUS);
        silent.delay_ms = Some(600_000);
        app.outside().faults(&[silent, no_reports()]).await;
        let services = app.services();
        tokio::select! {
            _ = services.payments.poll_due() => panic!("one answer never comes"),
            () = async {
                tokio::select! {
                    _ = olena.until(&orders[0], "paid") => (),
                    _ = olena.until(&orders[1], "paid") => (),
                }
                until_ready(&app).await;
            } => (),
        }
        app.clock().advance_seconds(121);
        assert_eq!(app.work().await, 1);
        for order in &orders {
            assert_eq!(olena.order(order).await["status"], "paid");
        }
        app.finish_and_check().await;
    }

    async fn a_wrong_sum_or_currency_is_never_a_payment(app: TestApp) {
        let olena = app.notary("olena").await;
        for kind in [FaultKind::WrongAmount, FaultKind::WrongCurrency] {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            let mut told = acquirer_fault(kind, STATUS);
            told.calls = 2;
            let mut reported = Fault::new(FaultService::Reports, kind);
            reported.calls = 2;
            app.outside().faults(&[told, reported]).await;
            let alarms = "select count(*) from order_events where kind = 'amount_differs'".to_owned();
            let before = app.number(alarms.clone()).await;
            app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
            let id = order["id"].as_str().unwrap();
            for _ in 0..2 {
                let answer = olena.get(&format!("/order/{id}/status")).await.ok();
                assert_eq!(answer["status"], "pending", "{kind:?}");
            }
            assert!(app.number(alarms).await > before, "{kind:?}: somebody must be told");
            olena.get(&format!("/order/{id}/receipt")).await.refused(409, "order_not_paid");
            // Once the acquirer reports the right figures, the order is paid.
            app.outside().faults(&[]).await;
            assert_eq!(olena.get(&format!("/order/{id}/status")).await.ok()["status"], "paid", "{kind:?}");
        }
        app.finish_and_check().await;
    }

    async fn a_payment_page_elsewhere_is_not_passed_on(app: TestApp) {
        app.restart_with(|settings| settings.page_hosts = Some(vec!["pay.example".to_owned()])).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        assert_eq!((&order["status"], &order["widget_url"]), (&json!("failed"), &json!(null)));
        assert!(!app.stores("/pay/").await);
        let named = "select count(*) from order_events where detail like 'page_host: 127.0.0.1:% is not in CABINET_ACQUIRER_PAGE_HOSTS'";
        assert_eq!(app.number(named.to_owned()).await, 1);
    }

    async fn a_browser_that_goes_away_changes_nothing(app: TestApp) {
        // The call is not given up before its answer, which is later than any wait of the test.
        app.restart_with(|settings| settings.outside_time_limit = Duration::from_secs(600)).await;
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        let key = olena.fresh_key();
        let mut late = acquirer_fault(FaultKind::Delay, CHARGE);
        (late.delay_ms, late.effect) = (Some(600_000), Some(true));
        app.outside().faults(&[late, no_reports()]).await;
        let charged = async {
            while app.outside().ledger().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        // The browser goes away when the money is taken.
        tokio::select! {
            biased;
            () = charged => (),
            answer = olena.create_order(&key, &body) => panic!("answered before the browser went away: {}", answer.text()),
        }
        assert_eq!(app.outside().ledger().len(), 1);
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.create_order(&key, &body).await.ok()["order"]["status"], "paid");
        app.finish_and_check().await;
    }

    async fn the_worker_finds_a_payment_nobody_told_about(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.outside().faults(&[no_reports()]).await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
        assert_eq!(olena.order(&order).await["status"], "pending");
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.work().await, 0, "a paid order is not asked about any more");
        app.finish_and_check().await;
    }

    async fn two_workers_ask_about_an_order_once(app: TestApp) {
        let olena = app.notary("olena").await;
        for _ in 0..3 {
            olena.add(PaymentKind::RegistryPayment).await;
            olena.order_cart().await;
        }
        app.clock().advance_seconds(61);
        let (one, two) = tokio::join!(app.work(), app.work());
        assert_eq!(one + two, 3);
    }
}
