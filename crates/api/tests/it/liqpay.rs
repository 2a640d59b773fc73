//! LiqPay as a second acquirer: its page, its callbacks, refunds there, and when it is asked in place of monobank.

use axum::http::Method;
use cabinet_app::support_desk::{RefundOrder, RefundOrderWish};
use cabinet_domain::OperatorReason;
use cabinet_domain::payment::{AcquirerName, RefundState, RefundWish};
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, LedgerKind, PaymentKind, Person, TestApp,
    on_both_databases,
};
use serde_json::{Value, json};

use crate::acquirer_faults::{acquirer_fault, event_count, no_reports, shorten_time_limit};

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const CHALLENGED: &str = "4000000000003063";
/// A page of LiqPay ends after an hour; it is asked about a minute later.
const AFTER_THE_PAGE: i64 = 3_600 + 120;

/// Starts with these acquirers, in this order.
async fn with(app: &TestApp, acquirers: &[AcquirerName]) {
    let acquirers = acquirers.to_vec();
    app.restart_with(|settings| settings.acquirers = acquirers)
        .await;
}

async fn with_liqpay(app: &TestApp) {
    with(app, &[AcquirerName::LiqPay]).await;
}

async fn with_both(app: &TestApp) {
    with(app, &[AcquirerName::Monobank, AcquirerName::LiqPay]).await;
}

async fn new_order(person: &Person) -> Value {
    person.add(PaymentKind::RegistryPayment).await;
    person.order_cart().await
}

fn page_of(order: &Value) -> &str {
    order["widget_url"].as_str().unwrap()
}

fn is_liqpay(page: &str) -> bool {
    page.contains("/api/3/checkout?data=")
}

/// Opens the page of an order and pays there. Returns what the page says.
async fn pay_there(app: &TestApp, page: &str, card: &str) -> String {
    let form = app.outside().open_liqpay(page).await.unwrap();
    app.outside().pay(&form, card).await
}

async fn pay_link(person: &Person, order: &Value) -> Answer {
    let id = order["id"].as_str().unwrap();
    person.get(&format!("/order/{id}/update/pay-link")).await
}

async fn acquirers_of_attempts(app: &TestApp) -> (i64, i64) {
    let count = |name: &str| format!("select count(*) from attempts where acquirer = '{name}'");
    (
        app.number(count("monobank")).await,
        app.number(count("liqpay")).await,
    )
}

async fn call_back(app: &TestApp, body: &[u8]) -> u16 {
    let liqpay = app.anonymous();
    let answer = liqpay
        .call(Method::POST, "/acquirer/report/liqpay")
        .bytes(body.to_vec())
        .send()
        .await;
    answer.status
}

async fn refund(app: &TestApp, wish: RefundWish) -> RefundState {
    let asked = RefundOrder {
        number: 100_001,
        wish: RefundOrderWish::Ask(wish),
        reason: OperatorReason::parse("Клієнт відмовився").unwrap(),
    };
    let desk = app.services().order_actions(app.recorder());
    desk.refund(&asked).await.unwrap().state
}

on_both_databases! {
    async fn an_order_is_paid_on_the_page_of_liqpay(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        assert!(is_liqpay(page_of(&order)), "{order}");
        assert_eq!(pay_there(&app, page_of(&order), PAYS).await, "success");
        let paid = olena.until(&order, "paid").await;
        assert_eq!(paid["pan"], "424242*42");
        assert_eq!(acquirers_of_attempts(&app).await, (0, 1));
        // The page takes nothing more.
        assert_ne!(pay_there(&app, page_of(&order), PAYS).await, "success");
        app.finish_and_check().await;
    }

    async fn without_callbacks_the_worker_learns_it(app: TestApp) {
        with_liqpay(&app).await;
        app.outside().faults(&[no_reports()]).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.order(&order).await["status"], "pending");
        pay_there(&app, page_of(&order), PAYS).await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.number("select count(*) from alarms".to_owned()).await, 0);
        app.finish_and_check().await;
    }

    async fn a_declined_card_ends_the_page_and_a_new_one_is_given(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        let first = page_of(&order).to_owned();
        assert_eq!(pay_there(&app, &first, DECLINED).await, "failure");
        let failed = olena.until(&order, "failed").await;
        assert_eq!(failed["failure"], "payment_insufficient_funds");
        let answer = pay_link(&olena, &order).await.ok();
        let fresh = answer["widget_url"].as_str().unwrap();
        assert!(is_liqpay(fresh) && fresh != first);
        assert_ne!(pay_there(&app, &first, PAYS).await, "success");
        assert_eq!(pay_there(&app, fresh, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_page_that_nobody_opens_ends_with_its_hour(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        let first = page_of(&order).to_owned();
        // While it is open it is the only one, and it can't be closed.
        assert_eq!(pay_link(&olena, &order).await.ok()["widget_url"], first.as_str());
        let id = order["id"].as_str().unwrap();
        let cancelled = olena.post(&format!("/order/{id}/cancel"), json!({"return_items": true})).await;
        cancelled.refused(409, "payment_page_not_closed");
        app.clock().advance_seconds(AFTER_THE_PAGE);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "expired");
        let answer = pay_link(&olena, &order).await.ok();
        let fresh = answer["widget_url"].as_str().unwrap();
        assert_ne!(fresh, first);
        assert_ne!(pay_there(&app, &first, PAYS).await, "success");
        assert_eq!(pay_there(&app, fresh, PAYS).await, "success");
        olena.until(&order, "paid").await;
        assert_eq!(app.number("select count(*) from alarms".to_owned()).await, 0);
        app.finish_and_check().await;
    }

    async fn after_its_hour_an_unpaid_order_is_cancelled(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.clock().advance_seconds(AFTER_THE_PAGE);
        olena.log_in().await;
        let id = order["id"].as_str().unwrap();
        let answer = olena.post(&format!("/order/{id}/cancel"), json!({"return_items": true})).await.ok();
        assert_eq!(answer["order"]["failure"], "order_cancelled");
        app.finish_and_check().await;
    }

    async fn while_the_bank_asks_the_payer_no_other_page_is_given(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), CHALLENGED).await;
        pay_link(&olena, &order).await.refused(409, "payment_outcome_unknown");
        let form = app.outside().open_liqpay(page_of(&order)).await.unwrap();
        assert_eq!(app.outside().answer_three_d_secure(&form, true).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_callback_counts_once_and_only_with_its_signature(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.keep_reports();
        pay_there(&app, page_of(&order), PAYS).await;
        let reports = app.kept_reports(2).await;
        let paid = String::from_utf8(reports[1].body.clone()).unwrap();
        for forged in [
            paid.replacen("data=eyJ", "data=eyK", 1),
            paid.split('&').next().unwrap().to_owned(),
            paid.replace("signature=", "signature=A"),
            "{}".to_owned(),
            String::new(),
        ] {
            assert_eq!(call_back(&app, forged.as_bytes()).await, 403, "{forged}");
        }
        // Nor does it count at the other acquirer's address.
        let anonymous = app.anonymous();
        let elsewhere = anonymous.call(Method::POST, "/acquirer/report").bytes(reports[1].body.clone());
        assert_eq!(elsewhere.send().await.status, 403);
        assert_eq!(app.rows("acquirer_reports").await, 0);
        for _ in 0..2 {
            assert_eq!(call_back(&app, paid.as_bytes()).await, 200);
        }
        assert_eq!(app.rows("acquirer_reports").await, 1);
        assert_eq!(app.number("select count(*) from acquirer_reports where acquirer = 'liqpay'".to_owned()).await, 1);
        // What came earlier and late changes nothing.
        assert_eq!(call_back(&app, &reports[0].body).await, 200);
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(event_count(&app, "acquirer_paid").await, 1);
        app.finish_and_check().await;
    }

    async fn another_sum_or_currency_pays_nothing(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        for kind in [FaultKind::WrongAmount, FaultKind::WrongCurrency] {
            let order = new_order(&olena).await;
            let mut falsified = Fault::new(FaultService::Reports, kind);
            falsified.calls = 2;
            app.outside().faults(&[falsified]).await;
            app.keep_reports();
            pay_there(&app, page_of(&order), PAYS).await;
            let reports = app.kept_reports(2).await;
            assert_eq!(call_back(&app, &reports[1].body).await, 200);
            assert_eq!(olena.order(&order).await["status"], "pending");
            app.let_reports_through();
        }
        assert_eq!(app.number("select count(*) from alarms where kind = 'amount_differs'".to_owned()).await, 2);
        app.skip_final_check();
    }

    async fn money_goes_back_by_liqpay_whole(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        assert_eq!(refund(&app, RefundWish::Whole).await, RefundState::Done);
        assert_eq!(olena.order(&order).await["status"], "refunded");
        app.finish_and_check().await;
    }

    async fn money_goes_back_by_liqpay_in_parts(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        let part = RefundWish::Sum { amount: cabinet_domain::Money::from_kopiykas(100).unwrap(), is_again: false };
        assert_eq!(refund(&app, part).await, RefundState::Done);
        let again = RefundWish::Sum { amount: cabinet_domain::Money::from_kopiykas(100).unwrap(), is_again: true };
        assert_eq!(refund(&app, again).await, RefundState::Done);
        assert_eq!(olena.order(&order).await["status"], "paid");
        let given: Vec<i64> = app.outside().ledger().iter().filter(|line| line.kind == LedgerKind::Refund).map(|line| line.amount).collect();
        assert_eq!(given, [100, 100]);
        assert_eq!(app.number("select count(*) from alarms".to_owned()).await, 0);
        app.finish_and_check().await;
    }

    async fn a_refund_whose_answer_is_lost_is_found_by_the_sum_and_sent_once(app: TestApp) {
        with_liqpay(&app).await;
        shorten_time_limit(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        app.outside().faults(&[no_reports()]).await;
        // The question before is answered, the refund is carried out, and its answer is lost.
        let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
        asked.delay_ms = Some(1);
        let lost = Fault::new(FaultService::LiqPay, FaultKind::Reset);
        app.outside().faults(&[asked, lost, no_reports()]).await;
        let part = RefundWish::Sum { amount: cabinet_domain::Money::from_kopiykas(100).unwrap(), is_again: false };
        assert_eq!(refund(&app, part).await, RefundState::Submitted);
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(app.number("select count(*) from refunds where state = 'done'".to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn a_refund_that_liqpay_refuses_gives_nothing_back(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
        asked.delay_ms = Some(1);
        let mut refusal = Fault::new(FaultService::LiqPay, FaultKind::Refuse);
        refusal.code = Some("err_api_ip".to_owned());
        app.outside().faults(&[asked, refusal]).await;
        assert_eq!(refund(&app, RefundWish::Whole).await, RefundState::Refused);
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn monobank_comes_first_and_liqpay_where_it_certainly_got_nothing(app: TestApp) {
        with_both(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        assert!(!is_liqpay(page_of(&order)));
        olena.pay(&order).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Status429, "invoice/create")]).await;
        let order = new_order(&olena).await;
        assert!(is_liqpay(page_of(&order)), "{order}");
        assert_eq!(order["status"], "pending");
        assert_eq!(acquirers_of_attempts(&app).await, (2, 1));
        assert_eq!(event_count(&app, "acquirer_failed").await, 0);
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn while_the_circuit_is_open_liqpay_is_asked(app: TestApp) {
        with_both(&app).await;
        shorten_time_limit(&app).await;
        let olena = app.notary("olena").await;
        let mut down = acquirer_fault(FaultKind::Reset, "invoice/create");
        (down.calls, down.effect) = (8, Some(false));
        app.outside().faults(&[down]).await;
        for _ in 0..8 {
            let order = new_order(&olena).await;
            // Each of them may have reached monobank.
            assert_eq!((&order["status"], &order["widget_url"]), (&json!("in_progress"), &json!(null)));
        }
        assert_eq!(acquirers_of_attempts(&app).await, (8, 0));
        let order = new_order(&olena).await;
        assert!(is_liqpay(page_of(&order)), "{order}");
        app.finish_and_check().await;
    }

    async fn after_an_unknown_outcome_nobody_else_is_asked(app: TestApp) {
        with_both(&app).await;
        shorten_time_limit(&app).await;
        let olena = app.notary("olena").await;
        app.outside().faults(&[acquirer_fault(FaultKind::Reset, "invoice/create")]).await;
        let order = new_order(&olena).await;
        assert_eq!((&order["status"], &order["widget_url"]), (&json!("in_progress"), &json!(null)));
        // Nor when the page is asked for again, and monobank then certainly gets nothing.
        app.outside().faults(&[acquirer_fault(FaultKind::Status429, "invoice/create")]).await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(acquirers_of_attempts(&app).await, (1, 0));
        app.finish_and_check().await;
    }

    async fn a_refusal_is_no_reason_to_ask_elsewhere(app: TestApp) {
        with_both(&app).await;
        let olena = app.notary("olena").await;
        app.outside().faults(&[acquirer_fault(FaultKind::Refuse, "invoice/create")]).await;
        let order = new_order(&olena).await;
        let failed = olena.order(&order).await;
        assert_eq!((&failed["status"], &failed["failure"]), (&json!("failed"), &json!("acquirer_refused")));
        assert_eq!(acquirers_of_attempts(&app).await, (1, 0));
        app.finish_and_check().await;
    }

    async fn what_was_begun_ends_where_it_began(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        with(&app, &[AcquirerName::Monobank]).await;
        let other = new_order(&olena).await;
        assert!(!is_liqpay(page_of(&other)));
        pay_there(&app, page_of(&order), PAYS).await;
        olena.until(&order, "paid").await;
        assert_eq!(refund(&app, RefundWish::Whole).await, RefundState::Done);
        assert_eq!(olena.order(&order).await["status"], "refunded");
        app.finish_and_check().await;
    }

    async fn a_saved_card_stays_with_monobank(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let body = crate::acquirer_faults::card_order(&olena).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        olena.until(&order, "paid").await;
        assert_eq!(acquirers_of_attempts(&app).await, (1, 0));
        app.finish_and_check().await;
    }

    async fn the_statement_of_monobank_is_not_asked_for_what_liqpay_charged(app: TestApp) {
        with_both(&app).await;
        let olena = app.notary("olena").await;
        let first = new_order(&olena).await;
        olena.pay(&first).await;
        app.outside().faults(&[acquirer_fault(FaultKind::Status429, "invoice/create")]).await;
        let second = new_order(&olena).await;
        pay_there(&app, page_of(&second), PAYS).await;
        olena.until(&second, "paid").await;
        app.clock().advance_seconds(2 * 3_600);
        let since = app.services().now() - jiff::SignedDuration::from_hours(24);
        let found = app.services().reconciliation.compare_since(since).await.unwrap();
        assert_eq!((found.agreeing, found.lacking), (1, 0));
        app.finish_and_check().await;
    }
}
