//! The acquirer's reports: repeated, in any order, late, forged or altered. The result is always the same and correct.

use axum::http::Method;
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, Person, Report, TestApp, ZORIA,
    on_both_databases,
};
use serde_json::Value;

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

/// Sends a report as the acquirer does.
async fn deliver(app: &TestApp, signature: Option<&str>, body: &[u8]) -> Answer {
    let acquirer = app.anonymous();
    let call = acquirer
        .call(Method::POST, "/acquirer/report")
        .bytes(body.to_vec());
    match signature {
        Some(signature) => call.header("x-sign", signature).send().await,
        None => call.send().await,
    }
}

/// Sends a report that was held back, and expects it to be accepted.
pub(crate) async fn deliver_report(app: &TestApp, report: &Report) {
    let answer = deliver(app, Some(&report.signature), &report.body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn new_order(person: &Person) -> (Value, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    (order, page)
}

/// Pays a new order while reports are held back. Returns the order and the reports.
async fn pay_with_reports_held(
    app: &TestApp,
    person: &Person,
    cards: &[&str],
) -> (Value, Vec<Report>) {
    let (order, page) = new_order(person).await;
    app.let_reports_through();
    app.keep_reports();
    for card in cards {
        app.outside().pay(&page, card).await;
        app.clock().advance_seconds(7);
    }
    (order, app.kept_reports(cards.len() * 2).await)
}

/// Returns all permutations of the numbers below `count`.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations(count - 1) {
        for place in 0..count {
            let mut longer = shorter.clone();
            longer.insert(place, count - 1);
            all.push(longer);
        }
    }
    all
}

on_both_databases! {
    async fn a_part_that_is_given_back_is_told_and_leaves_the_order_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        olena.pay(&order).await;
        app.keep_reports();
        app.clock().advance_seconds(7);
        app.outside().refund_part(&page, 100).await;
        let reports = app.kept_reports(1).await;
        for _ in 0..2 {
            deliver_report(&app, &reports[0]).await;
            let told = "select count(*) from order_events where kind = 'refunded_in_part'";
            assert_eq!(app.number(told.to_owned()).await, 1);
        }
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn reports_in_any_order_end_in_the_same_status(app: TestApp) {
        let olena = app.notary("olena").await;
        for order_of_reports in permutations(4) {
            // A declined card, then one that pays.
            let (order, reports) = pay_with_reports_held(&app, &olena, &[DECLINED, PAYS]).await;
            let told: Vec<String> = reports.iter().map(Report::status).collect();
            assert_eq!(told, ["processing", "failure", "processing", "success"]);
            for index in &order_of_reports {
                deliver_report(&app, &reports[*index]).await;
            }
            let paid = olena.order(&order).await;
            assert_eq!(paid["status"], "paid", "{order_of_reports:?}");
            assert!(paid["failure"].is_null(), "{order_of_reports:?}");
        }
        app.finish_and_check().await;
    }

    async fn reports_of_the_same_second_end_in_the_same_status(app: TestApp) {
        let olena = app.notary("olena").await;
        for order_of_reports in permutations(4) {
            let (order, page) = new_order(&olena).await;
            app.let_reports_through();
            app.keep_reports();
            for card in [DECLINED, PAYS] {
                app.outside().pay(&page, card).await;
            }
            let reports = app.kept_reports(4).await;
            for index in &order_of_reports {
                deliver_report(&app, &reports[*index]).await;
            }
            assert_eq!(olena.order(&order).await["status"], "paid", "{order_of_reports:?}");
        }
        app.finish_and_check().await;
    }

    async fn a_report_ten_times_at_once_is_one_step(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, reports) = pay_with_reports_held(&app, &olena, &[PAYS]).await;
        let app = std::sync::Arc::new(app);
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let (app, report) = (std::sync::Arc::clone(&app), reports[1].clone());
                tokio::spawn(async move { deliver_report(&app, &report).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.rows("acquirer_reports").await, 1);
        assert_eq!(app.rows("transfers").await, 1);
        assert_eq!(app.number("select count(*) from order_events where to_status = 'paid'".to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn a_failure_heard_of_a_day_later_changes_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, reports) = pay_with_reports_held(&app, &olena, &[DECLINED, PAYS]).await;
        deliver_report(&app, &reports[3]).await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.clock().advance_seconds(25 * 3_600);
        // Later the acquirer's queue delivers the rest.
        for late in [1, 0, 2] {
            deliver_report(&app, &reports[late]).await;
        }
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        let id = order["id"].as_str().unwrap();
        assert_eq!(olena.get(&format!("/order/{id}/receipt")).await.status, 200);
        app.finish_and_check().await;
    }

    async fn a_payment_heard_of_after_its_refund_changes_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        app.keep_reports();
        app.outside().pay(&page, PAYS).await;
        app.clock().advance_seconds(60);
        app.outside().refund(&page).await;
        let reports = app.kept_reports(3).await;
        for index in [2, 1, 0] {
            deliver_report(&app, &reports[index]).await;
            assert_eq!(olena.order(&order).await["status"], "refunded");
        }
        app.finish_and_check().await;
    }

    async fn a_refund_is_heard_of_in_its_time_too(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        olena.pay(&order).await;
        app.clock().advance_seconds(60);
        app.outside().refund(&page).await;
        let order = olena.until(&order, "refunded").await;
        let id = order["id"].as_str().unwrap();
        for address in ["receipt", "receipt?receipt_type=commission", "receipts"] {
            olena.get(&format!("/order/{id}/{address}")).await.refused(409, "order_refunded");
        }
        let item = order["items"][0]["id"].as_str().unwrap();
        olena.get(&format!("/order/item/{item}/receipt")).await.refused(409, "order_refunded");
        olena.get(&format!("/order/{id}/update/pay-link")).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn a_success_heard_of_after_the_failure_is_a_payment(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        app.outside().pay(&page, DECLINED).await;
        let failed = olena.until(&order, "failed").await;
        assert_eq!(failed["failure"], "payment_insufficient_funds");
        app.clock().advance_seconds(30);
        // The page is still open, and the payer takes another card.
        app.outside().pay(&page, PAYS).await;
        let paid = olena.until(&order, "paid").await;
        assert!(paid["failure"].is_null());
        assert_eq!(paid["pan"], "424242******4242");
        app.finish_and_check().await;
    }

    async fn a_genuine_report_that_cannot_be_read_is_kept_for_a_person(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let mut garbage = Fault::new(FaultService::Reports, FaultKind::Garbage);
        garbage.calls = 10;
        app.outside().faults(&[garbage]).await;
        app.outside().pay(&page, PAYS).await;
        // It is kept as it came.
        app.wait_for_number("select count(distinct verdict) from acquirer_reports where verdict = 'unreadable'", 1).await;
        let alarms = "select count(*) from alarms where kind = 'report_unreadable'".to_owned();
        assert!(app.number(alarms).await > 0);
        assert_eq!(olena.order(&order).await["status"], "pending", "nothing is concluded from it");
        app.clock().advance_seconds(61);
        app.finish_and_check().await;
    }

    async fn transfers_that_cannot_be_planned_do_not_undo_the_payment(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        app.execute("update order_items set tariff_basis_points = tariff_basis_points + 7000".to_owned()).await;
        app.outside().pay(&page, PAYS).await;
        olena.until(&order, "paid").await;
        assert_eq!(app.rows("transfers").await, 0);
        let receipt = format!("/order/{}/receipt", order["id"].as_str().unwrap());
        olena.get(&receipt).await.refused(409, "receipt_not_available");
        let open = "select count(*) from alarms where kind = 'transfers_not_planned' and closed_at is null".to_owned();
        assert_eq!(app.number(open.clone()).await, 1);
        app.execute("update order_items set tariff_basis_points = tariff_basis_points - 7000".to_owned()).await;
        app.work().await;
        assert_eq!((app.rows("transfers").await, app.number(open).await), (1, 0), "it is tried again");
        assert_eq!(olena.get(&receipt).await.status, 200);
        app.finish_and_check().await;
    }

    async fn a_damaged_row_keeps_the_worker_from_nothing_else(app: TestApp) {
        let olena = app.notary("olena").await;
        let of_company = olena.form_for(PaymentKind::RegistryPayment, ZORIA).await;
        olena.add_payment(&of_company).await;
        let damaged = olena.order_cart().await;
        olena.pay(&damaged).await;
        let (other, _) = new_order(&olena).await;
        let of = |order: &Value| format!("where order_id = (select id from orders where number = {})", order["number"].as_str().unwrap());
        app.execute(format!("update order_items set tariff_basis_points = tariff_basis_points + 7000 {}", of(&other))).await;
        olena.pay(&other).await;
        app.execute(format!("update order_items set tariff_basis_points = tariff_basis_points - 7000 {}", of(&other))).await;
        let open = "select count(*) from alarms where kind = 'transfers_not_planned' and closed_at is null".to_owned();
        assert_eq!((app.rows("transfers").await, app.number(open.clone()).await), (1, 1));
        app.execute("update order_items set search_text = null".to_owned()).await;
        app.execute(format!("update order_items set requisite_iban = 'x' {}", of(&damaged))).await;
        app.execute("update clients set search_key = null".to_owned()).await;
        app.execute(format!("update clients set inn = 'x' where inn = '{}'", ZORIA.inn)).await;
        let left_out = ["select count(*) from order_items where search_text is null", "select count(*) from clients where search_key is null"];
        app.work().await;
        assert_eq!((app.rows("transfers").await, app.number(open).await), (2, 0));
        for question in left_out {
            assert_eq!(app.number(question.to_owned()).await, 1, "{question}");
        }
        // Once the rows are mended, they are taken up.
        app.execute(format!("update order_items set requisite_iban = (select requisite_iban from order_items {}) {}", of(&other), of(&damaged))).await;
        app.execute(format!("update clients set inn = '{}' where inn = 'x'", ZORIA.inn)).await;
        app.work().await;
        for question in left_out {
            assert_eq!(app.number(question.to_owned()).await, 0, "{question}");
        }
        app.finish_and_check().await;
    }

    async fn an_order_that_can_not_be_settled_calls_a_person_and_keeps_no_other_from_being_compared(app: TestApp) {
        let olena = app.notary("olena").await;
        let of_company = olena.form_for(PaymentKind::RegistryPayment, ZORIA).await;
        olena.add_payment(&of_company).await;
        let damaged = olena.order_cart().await;
        let (other, page) = new_order(&olena).await;
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 100;
        app.outside().faults(&[lost]).await;
        app.outside().pay(damaged["widget_url"].as_str().unwrap(), PAYS).await;
        app.outside().pay(&page, PAYS).await;
        app.execute(format!("update clients set inn = 'x' where inn = '{}'", ZORIA.inn)).await;
        let services = app.services();
        let compare = || services.reconciliation.compare_since(services.now() - jiff::SignedDuration::from_hours(1));
        let found = compare().await.unwrap();
        assert_eq!((found.made_good, found.unsettled), (1, 1));
        assert_eq!(olena.order(&other).await["status"], "paid");
        // The worker meets it, too: one alarm, with the number of the order.
        app.clock().advance_seconds(61);
        app.work().await;
        let alarms = format!(
            "select count(*) from alarms a join orders o on o.id = a.order_id where a.kind = 'order_not_settled' and a.count > 1 and o.number = {}",
            damaged["number"].as_str().unwrap()
        );
        assert_eq!(app.number(alarms).await, 1);
        // Once the row is mended, the payment is known.
        app.execute(format!("update clients set inn = '{}' where inn = 'x'", ZORIA.inn)).await;
        assert_eq!(compare().await.unwrap().unsettled, 0);
        assert_eq!(olena.order(&damaged).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn data_that_contradict_themselves_undo_neither_a_payment_nor_its_return(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, page) = new_order(&olena).await;
        let status = |status: &str| format!("select count(*) from orders where status = '{status}'");
        let alarm = |kind: &str| format!("select count(*) from alarms where kind = '{kind}' and closed_at is null");
        // No reports, only the worker and the statement, so each step is complete when it is checked.
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 100;
        app.outside().faults(&[lost]).await;
        app.execute("update order_items set purpose = ''".to_owned()).await;
        app.outside().pay(&page, PAYS).await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!((app.number(status("paid")).await, app.number(alarm("transfers_not_planned")).await), (1, 1));
        app.execute("update order_items set purpose = 'Плата за витяг'".to_owned()).await;
        app.work().await;
        // The recipient of the money can't be read any more.
        app.execute("update transfers set purpose = ''".to_owned()).await;
        app.outside().refund(&page).await;
        app.clock().advance_seconds(61);
        let services = app.services();
        services.reconciliation.compare_since(services.now() - jiff::SignedDuration::from_hours(1)).await.unwrap();
        assert_eq!((app.number(status("refunded")).await, app.number(alarm("refunded_after_transfer")).await), (1, 1));
        assert_eq!(app.number("select count(*) from transfers where status = 'planned'".to_owned()).await, 0);
        app.skip_final_check();
    }

    async fn what_the_acquirer_did_not_sign_is_refused_and_changes_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, reports) = pay_with_reports_held(&app, &olena, &[PAYS]).await;
        let (_, others) = pay_with_reports_held(&app, &olena, &[PAYS]).await;
        let report = &reports[1];
        let before = app.all_rows().await;
        let mut altered = report.body.clone();
        *altered.last_mut().unwrap() = b' ';
        let mut longer = report.body.clone();
        longer.push(b'\n');
        let signature = report.signature.as_str();
        for (signature, body) in [
            (None, &report.body),
            (Some(""), &report.body),
            (Some("not base64!"), &report.body),
            (Some("AAAA"), &report.body),
            (Some(others[1].signature.as_str()), &report.body),
            (Some(&signature[..signature.len() - 4]), &report.body),
            (Some(signature), &altered),
            (Some(signature), &longer),
            (Some(signature), &Vec::new()),
            (Some(signature), &others[1].body),
        ] {
            let answer = deliver(&app, signature, body).await;
            assert_eq!(answer.status, 403, "{signature:?}");
            assert!(answer.body.is_empty(), "nothing to learn from: {}", answer.text());
        }
        assert_eq!(app.all_rows().await, before);
        assert_eq!(olena.order(&order).await["status"], "pending");
        for report in [report, &others[1]] {
            deliver_report(&app, report).await;
        }
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn reports_signed_by_a_stranger_are_refused_and_the_status_is_asked_for(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let mut forged = Fault::new(FaultService::Reports, FaultKind::Forge);
        forged.calls = 1_000;
        app.outside().faults(&[forged]).await;
        app.outside().pay(&page, PAYS).await;
        assert_eq!(olena.order(&order).await["status"], "pending");
        let id = order["id"].as_str().unwrap();
        assert_eq!(olena.get(&format!("/order/{id}?update_status=1")).await.ok()["order"]["status"], "paid");
        assert_eq!(app.rows("acquirer_reports").await, 0);
        app.finish_and_check().await;
    }

    async fn a_new_key_of_the_acquirer_is_fetched(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        olena.pay(&order).await;
        app.outside().sandbox.rotate_key().unwrap();
        let (order, _) = new_order(&olena).await;
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_report_that_cannot_be_checked_now_is_sent_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let mut no_key = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (no_key.path, no_key.calls) = (Some("pubkey".to_owned()), 2);
        app.outside().faults(&[no_key]).await;
        app.outside().pay(&page, PAYS).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_report_of_a_lost_invoice_does_not_take_the_page_from_the_one_that_replaced_it(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::Reset);
        lost.path = Some("invoice/create".to_owned());
        app.outside().faults(std::slice::from_ref(&lost)).await;
        let order = olena.order_cart().await;
        let nobody_knows = app.outside().invoices().await[0]["invoice_id"].as_str().unwrap().to_owned();
        app.keep_reports();
        app.outside().sandbox.report(&nobody_knows);
        let told = app.kept_reports(1).await;
        assert_eq!(told[0].status(), "created");
        app.let_reports_through();
        // A new invoice is requested, and a report about the first arrives during the request.
        let late = Fault { kind: FaultKind::Delay, effect: Some(true), delay_ms: Some(60_000), ..lost };
        app.outside().faults(&[late]).await;
        app.clock().advance_seconds(61);
        let report = async {
            while app.outside().invoices().await.len() < 2 {}
            deliver_report(&app, &told[0]).await;
            app.outside().faults(&[]).await;
        };
        tokio::join!(app.work(), report);
        let order = olena.order(&order).await;
        assert_eq!(order["status"], "pending");
        assert!(!order["widget_url"].as_str().unwrap().ends_with(&nobody_knows));
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_huge_report_is_not_read(app: TestApp) {
        let before = app.all_rows().await;
        let answer = deliver(&app, Some("AAAA"), &vec![b'x'; 2 * 1024 * 1024]).await;
        assert_eq!(answer.status, 413);
        assert_eq!(app.all_rows().await, before);
    }

    async fn a_genuine_report_about_nothing_of_ours_is_taken_and_changes_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        app.keep_reports();
        // Another system of the same merchant creates an invoice with our order's id as the reference.
        let body = serde_json::json!({
            "amount": 9_000, "ccy": 980, "webHookUrl": format!("{}/api/acquirer/report", app.public_url()),
            "merchantPaymInfo": { "reference": order["id"] },
        });
        let page = app.outside().make_invoice(&body).await;
        app.outside().pay(&page, DECLINED).await;
        for report in app.kept_reports(2).await {
            deliver_report(&app, &report).await;
        }
        assert_eq!(olena.order(&order).await["status"], "pending");
        app.finish_and_check().await;
    }
}
