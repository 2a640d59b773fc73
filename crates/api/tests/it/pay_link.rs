//! Links to pay: the same link while it is valid, then a new one, and never two open pages at once.

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, on_both_databases,
};
use serde_json::{Value, json};

use crate::acquirer_faults::event_count;
use crate::reports::deliver_report;

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

async fn new_order(person: &Person) -> (Value, String, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
    (order, page, link)
}

/// Returns an order whose first card was declined and whose page is still open.
async fn declined_order(app: &TestApp, person: &Person) -> (Value, String, String) {
    let (order, page, link) = new_order(person).await;
    app.outside().pay(&page, DECLINED).await;
    person.until(&order, "failed").await;
    (order, page, link)
}

/// Returns the page that the link leads to.
async fn pay_page(person: &Person, link: &str) -> String {
    let answer = person.get(link).await.ok();
    answer["widget_url"].as_str().unwrap().to_owned()
}

/// Creates an order with two invoices under one reference: the answer to the first request was lost, but its page is open, as after
/// restoring an older copy of the database. Returns the order, the old page and the new one.
async fn order_with_two_invoices(app: &TestApp, person: &Person) -> (Value, String, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let mut unanswered = Fault::new(FaultService::Acquirer, FaultKind::Reset);
    unanswered.path = Some("invoice/create".to_owned());
    app.outside().faults(&[unanswered]).await;
    let order = person.order_cart().await;
    let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
    let fresh = pay_page(person, &link).await;
    let old = app.outside().pages().await;
    let old = old.into_iter().find(|page| *page != fresh).unwrap();
    app.clock().advance_seconds(5);
    (order, old, fresh)
}

/// Returns a fault: the acquirer refuses to close the page of a failed payment.
fn not_removable() -> Fault {
    let mut refusal = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
    refusal.path = Some("invoice/remove".to_owned());
    refusal.code = Some("INVOICE_ALREADY_USED".to_owned());
    refusal
}

on_both_databases! {
    async fn a_good_link_stays(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = new_order(&olena).await;
        for _ in 0..3 {
            assert_eq!(pay_page(&olena, &link).await, page);
        }
        assert_eq!(app.outside().invoices().await.len(), 1);
        olena.pay(&order).await;
        olena.get(&link).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn after_a_failure_the_old_link_takes_no_money(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, link) = declined_order(&app, &olena).await;
        let fresh = pay_page(&olena, &link).await;
        assert_ne!(fresh, old);
        let waiting = olena.order(&order).await;
        assert_eq!((&waiting["status"], &waiting["failure"]), (&json!("pending"), &json!(null)));
        assert_eq!(waiting["widget_url"], fresh);
        assert_eq!(app.outside().pay(&old, PAYS).await, "the invoice is expired");
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn after_a_day_the_link_has_expired_and_a_fresh_one_is_given(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, link) = new_order(&olena).await;
        app.clock().advance_seconds(24 * 3_600 + 1);
        app.work().await;
        olena.log_in().await;
        let expired = olena.order(&order).await;
        assert_eq!((&expired["status"], &expired["widget_url"]), (&json!("expired"), &json!(null)));
        assert_eq!(app.work().await, 0, "nothing more is expected of it");
        let fresh = pay_page(&olena, &link).await;
        assert_eq!(app.outside().pay(&old, PAYS).await, "the invoice is expired");
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_link_that_expired_unnoticed_is_replaced_too(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, link) = new_order(&olena).await;
        app.clock().advance_seconds(24 * 3_600 + 1);
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "pending");
        let fresh = pay_page(&olena, &link).await;
        assert_ne!(fresh, old);
        assert_eq!(app.outside().pay(&old, PAYS).await, "the invoice is expired");
        app.outside().pay(&fresh, PAYS).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn two_tabs_that_ask_at_once_get_one_invoice(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _, link) = declined_order(&app, &olena).await;
        let tasks: Vec<_> = (0..5)
            .map(|_| {
                let (olena, link) = (olena.clone(), link.clone());
                tokio::spawn(async move { olena.get(&link).await })
            })
            .collect();
        let mut links = Vec::new();
        for task in tasks {
            let answer = task.await.unwrap();
            match answer.status {
                200 => links.push(answer.json()["widget_url"].clone()),
                // A request during the call to the acquirer is asked to retry.
                409 => drop(answer.refused(409, "payment_outcome_unknown")),
                _ => drop(answer.refused(503, "acquirer_unavailable")),
            }
        }
        assert!(!links.is_empty());
        assert!(links.iter().all(|link| *link == links[0]), "{links:?}");
        assert_eq!(app.outside().invoices().await.len(), 2);
        assert_eq!(app.number("select count(*) from attempts where state in ('prepared', 'submitted', 'accepted')".to_owned()).await, 1);
        assert_eq!(app.outside().pay(links[0].as_str().unwrap(), PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn what_was_paid_a_moment_ago_is_not_paid_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = declined_order(&app, &olena).await;
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 10;
        app.outside().faults(&[lost]).await;
        app.clock().advance_seconds(5);
        app.outside().pay(&page, PAYS).await;
        assert_eq!(olena.order(&order).await["status"], "failed", "nobody has heard of it yet");
        olena.get(&link).await.refused(409, "order_not_payable");
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.outside().invoices().await.len(), 1);
        app.finish_and_check().await;
    }

    async fn while_the_payer_is_at_the_bank_no_second_link_is_given(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = declined_order(&app, &olena).await;
        app.clock().advance_seconds(5);
        app.outside().pay(&page, "4000000000003063").await;
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        app.outside().answer_three_d_secure(&page, true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn no_refusal_to_close_a_page_gives_a_second_link_while_a_card_is_being_charged(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = declined_order(&app, &olena).await;
        app.clock().advance_seconds(5);
        app.outside().pay(&page, "4000000000003063").await;
        app.outside().faults(&[not_removable()]).await;
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        // Nor while it is unknown whether a card is being charged.
        let mut silent = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (silent.path, silent.calls) = (Some("invoice/status".to_owned()), 2);
        app.outside().faults(&[not_removable(), silent]).await;
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        assert_eq!(app.outside().invoices().await.len(), 1);
        app.outside().answer_three_d_secure(&page, true).await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_page_that_could_not_be_closed_is_given_again_and_no_second_one(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, link) = declined_order(&app, &olena).await;
        let mut open = not_removable();
        open.calls = 10;
        app.outside().faults(&[open]).await;
        for _ in 0..3 {
            assert_eq!(pay_page(&olena, &link).await, old);
        }
        assert_eq!(app.outside().invoices().await.len(), 1);
        assert_eq!(olena.order(&order).await["payment_state"], "declined_page_open");
        for _ in 0..3 {
            app.clock().advance_seconds(200);
            assert_eq!(app.work().await, 1, "the page may be paid");
        }
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 10;
        app.outside().faults(&[lost]).await;
        assert_eq!(app.outside().pay(&old, PAYS).await, "success");
        app.clock().advance_seconds(200);
        app.work().await;
        olena.refresh().await.ok();
        assert_eq!(olena.order(&order).await["status"], "paid", "though no report told of it");
        assert_eq!(event_count(&app, "late_payment").await, 0);
        app.finish_and_check().await;
    }

    async fn a_page_that_could_not_be_closed_ends_with_its_day(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, old, link) = declined_order(&app, &olena).await;
        let mut open = not_removable();
        open.calls = 1_000;
        app.outside().faults(&[open]).await;
        app.clock().advance_seconds(24 * 3_600 + 61);
        olena.log_in().await;
        assert_ne!(pay_page(&olena, &link).await, old);
        assert_eq!(app.outside().invoices().await.len(), 2);
        app.clock().advance_seconds(1_800);
        assert_eq!(app.work().await, 1, "only the fresh page may still be paid");
    }

    async fn another_card_on_the_same_page_is_an_ordinary_payment(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, _) = declined_order(&app, &olena).await;
        app.clock().advance_seconds(5);
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        olena.until(&order, "paid").await;
        assert_eq!(event_count(&app, "acquirer_paid").await, 1);
        assert_eq!(event_count(&app, "late_payment").await, 0, "nobody is called for it");
        app.finish_and_check().await;
    }

    async fn whoever_looks_at_a_declined_payment_hears_of_the_next_card(app: TestApp) {
        let olena = app.notary("olena").await;
        for ask in ["?update_status=1", "/status"] {
            app.outside().faults(&[]).await;
            let (order, page, _) = declined_order(&app, &olena).await;
            let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
            lost.calls = 10;
            app.outside().faults(&[lost]).await;
            app.clock().advance_seconds(5);
            assert_eq!(app.outside().pay(&page, PAYS).await, "success");
            let id = order["id"].as_str().unwrap();
            olena.get(&format!("/order/{id}{ask}")).await.ok();
            assert_eq!(olena.order(&order).await["status"], "paid", "{ask}: at once, without a report");
        }
        app.finish_and_check().await;
    }

    async fn a_fresh_link_costs_what_it_costs_today(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = declined_order(&app, &olena).await;
        let items = olena.get("/cart/items/count").await.ok()["items_count"].clone();
        assert_eq!(items, 0);
        app.clock().advance_seconds(45 * 24 * 3_600);
        olena.log_in().await;
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        let ended = olena.order(&order).await;
        assert_eq!((&ended["status"], &ended["failure"]), (&json!("expired"), &json!("order_returned_to_cart")));
        assert_eq!(ended["widget_url"], Value::Null);
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1, "what was typed is not lost");
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1, "once");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        let again = olena.order_cart().await;
        olena.pay(&again).await;
        app.finish_and_check().await;
    }

    async fn a_fresh_link_after_a_change_of_the_tariff_is_not_paid_at_the_old_price(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _, link) = declined_order(&app, &olena).await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-04,2.5,14.00\n")).await;
        app.work().await;
        let fresh = pay_page(&olena, &link).await;
        assert_eq!(app.outside().pay(&fresh, DECLINED).await, "failure", "until the day of the change the price holds");
        olena.until(&order, "failed").await;
        app.clock().advance_seconds(2 * 24 * 3_600);
        olena.log_in().await;
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        let cart = olena.get("/cart").await.ok();
        let item = &cart["groups"][0]["items"][0];
        assert_ne!(item["change"]["price"], json!(null), "the new price is shown beside the old one: {item}");
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "the invoice is expired");
        app.finish_and_check().await;
    }

    async fn an_open_page_is_not_given_at_the_old_price(app: TestApp) {
        let olena = app.notary("olena").await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-03,2.5,14.00\n")).await;
        app.work().await;
        let (order, page, link) = new_order(&olena).await;
        assert_eq!(pay_page(&olena, &link).await, page, "until the day of the change the price holds");
        app.clock().advance_seconds(16 * 3_600);
        olena.log_in().await;
        // The acquirer does not answer, and then it refuses to close the page.
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        broken.path = Some("invoice/remove".to_owned());
        app.outside().faults(&[broken]).await;
        olena.get(&link).await.refused(503, "acquirer_unavailable");
        app.outside().faults(&[not_removable()]).await;
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0, "its page is still open");
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        let ended = olena.order(&order).await;
        assert_eq!((&ended["status"], &ended["failure"]), (&json!("expired"), &json!("order_returned_to_cart")));
        let cart = olena.get("/cart").await.ok();
        let item = &cart["groups"][0]["items"][0];
        assert_ne!(item["change"]["price"], json!(null), "the new price is shown beside the old one: {item}");
        assert_eq!(app.outside().invoices().await.len(), 1);
        app.finish_and_check().await;
    }

    async fn the_page_of_a_declined_payment_is_not_shown_at_the_old_price(app: TestApp) {
        let olena = app.notary("olena").await;
        app.load_reference(|files| files.get_mut("tariffs.csv").unwrap().push_str("2026-03-03,2.5,14.00\n")).await;
        app.work().await;
        let (order, page, link) = declined_order(&app, &olena).await;
        assert_eq!(olena.order(&order).await["widget_url"], page);
        app.clock().advance_seconds(16 * 3_600);
        olena.log_in().await;
        let shown = olena.order(&order).await;
        assert_eq!((&shown["payment_state"], &shown["widget_url"]), (&json!("declined_page_open"), &json!(null)));
        assert_eq!(olena.get("/order").await.ok()["orders"][0]["widget_url"], json!(null));
        olena.get(&link).await.refused(409, "order_returned_to_cart");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        app.finish_and_check().await;
    }

    async fn an_order_with_an_open_alarm_about_its_money_is_not_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page, link) = new_order(&olena).await;
        let mut wrong = Fault::new(FaultService::Reports, FaultKind::WrongAmount);
        wrong.calls = 10;
        let mut told_wrong = Fault::new(FaultService::Acquirer, FaultKind::WrongAmount);
        (told_wrong.path, told_wrong.calls) = (Some("invoice/status".to_owned()), 3);
        app.outside().faults(&[wrong, told_wrong]).await;
        // A report that comes late would put the next question off.
        app.keep_reports();
        app.outside().pay(&page, PAYS).await;
        let id = order["id"].as_str().unwrap();
        for report in app.kept_reports(2).await {
            deliver_report(&app, &report).await;
            olena.get(&format!("/order/{id}/status")).await.ok();
        }
        let open = "select count(*) from alarms where kind = 'amount_differs' and closed_at is null".to_owned();
        assert_eq!(app.number(open).await, 1, "one open alarm, however often it is seen");
        olena.get(&link).await.refused(409, "order_under_review");
        let held = olena.order(&order).await;
        assert_eq!((&held["payment_state"], &held["widget_url"]), (&json!("under_review"), &json!(null)));
        app.outside().faults(&[]).await;
        app.clock().advance_seconds(200);
        app.work().await;
        app.finish_and_check().await;
    }

    async fn an_old_page_that_is_paid_after_all_closes_the_fresh_one(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        assert_eq!(app.outside().pay(&old, PAYS).await, "success", "its page was still open somewhere");
        olena.until(&order, "paid").await;
        app.work().await;
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "the invoice is expired");
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(event_count(&app, "stray_invoice_paid").await, 1);
        assert_eq!(event_count(&app, "charged_twice").await, 0);
        assert_eq!(app.work().await, 0, "nothing more is expected of either page");
        app.finish_and_check().await;
    }

    async fn the_fresh_page_is_closed_once_the_acquirer_answers_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (broken.path, broken.calls) = (Some("invoice/remove".to_owned()), 1);
        app.outside().faults(&[broken]).await;
        app.outside().pay(&old, PAYS).await;
        olena.until(&order, "paid").await;
        app.work().await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "the invoice is expired");
        app.finish_and_check().await;
    }

    async fn a_page_that_is_paid_while_another_is_asked_for_leaves_none_open(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let lost = |kind| {
            let mut lost = Fault::new(FaultService::Acquirer, kind);
            lost.path = Some("invoice/create".to_owned());
            lost
        };
        app.outside().faults(&[lost(FaultKind::Reset), lost(FaultKind::TimeoutBefore)]).await;
        let order = olena.order_cart().await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&link).await.refused(409, "payment_outcome_unknown");
        let pages = app.outside().pages().await;
        app.clock().advance_seconds(5);
        app.outside().pay(&pages[0], PAYS).await;
        olena.until(&order, "paid").await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(app.outside().invoices().await.len(), 1, "no page is asked for any more");
        olena.get(&link).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn without_the_acquirer_the_old_link_is_not_given_up(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _, link) = declined_order(&app, &olena).await;
        let mut broken = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        (broken.path, broken.calls) = (Some("invoice/remove".to_owned()), 1);
        app.outside().faults(&[broken]).await;
        olena.get(&link).await.refused(503, "acquirer_unavailable");
        assert_eq!(olena.order(&order).await["status"], "failed");
        assert_eq!(app.rows("attempts").await, 1);
        pay_page(&olena, &link).await;
        assert_eq!(app.rows("attempts").await, 2);
        app.finish_and_check().await;
    }

    async fn a_fresh_invoice_whose_answer_is_lost_is_asked_for_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _, link) = declined_order(&app, &olena).await;
        let mut lost = Fault::new(FaultService::Acquirer, FaultKind::Reset);
        lost.path = Some("invoice/create".to_owned());
        app.outside().faults(&[lost]).await;
        olena.get(&link).await.refused(503, "acquirer_unavailable");
        assert_eq!(olena.order(&order).await["status"], "in_progress");
        let page = pay_page(&olena, &link).await;
        let waiting = olena.order(&order).await;
        assert_eq!(waiting["widget_url"], page);
        assert_eq!(waiting["status"], "pending");
        olena.pay(&waiting).await;
        app.finish_and_check().await;
    }
}
