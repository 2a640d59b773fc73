//! Cancelling an unpaid order: its page is closed first, and its payments go back to the cart once or stay in it.

use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, Person, on_both_databases,
};
use serde_json::{Value, json};

use crate::acquirer_faults::event_count;
use crate::transfers::{ids, list};
use crate::two_charges;

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

async fn new_order(person: &Person) -> (Value, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    (order, page)
}

async fn cancel(person: &Person, order: &Value, body: Value) -> Answer {
    let path = format!("/order/{}/cancel", order["id"].as_str().unwrap());
    person.post(&path, body).await
}

/// Returns how many items the person's cart has.
async fn in_cart(person: &Person) -> Value {
    person.get("/cart/items/count").await.ok()["items_count"].clone()
}

/// Returns a fault of closing a page.
fn of_removal(kind: FaultKind) -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, kind);
    fault.path = Some("invoice/remove".to_owned());
    fault.code = Some("INVOICE_ALREADY_USED".to_owned());
    fault
}

/// Returns a fault of closing a page: it is closed when the faults are replaced.
fn slow_removal() -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Delay);
    (fault.path, fault.delay_ms) = (Some("invoice/remove".to_owned()), Some(60_000));
    fault
}

/// Asserts that an order is cancelled, and that nobody can pay for it any more.
async fn assert_cancelled(person: &Person, order: &Value, is_returned: bool) {
    let ended = person.order(order).await;
    assert_eq!(
        (&ended["status"], &ended["failure"]),
        (&json!("expired"), &json!("order_cancelled"))
    );
    assert_eq!(ended["widget_url"], json!(null));
    assert!(ended["cancelled_at"].is_string());
    assert_eq!(ended["returned_to_cart_at"].is_string(), is_returned);
    let path = format!("/order/{}", order["id"].as_str().unwrap());
    person
        .get(&format!("{path}/update/pay-link"))
        .await
        .refused(409, "order_cancelled");
    person
        .post(&format!("{path}/codes"), json!({}))
        .await
        .refused(409, "order_cancelled");
}

on_both_databases! {
    async fn a_cancelled_order_gives_its_payments_back_as_they_were_and_takes_no_money(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let act = json!({"register_number": "17", "date": "2026-03-02", "object": "квартира"});
        let id = order["id"].as_str().unwrap();
        olena.post(&format!("/order/{id}/act"), act.clone()).await.ok();
        let answer = cancel(&olena, &order, json!({"return_items": true})).await.ok();
        assert_eq!(answer["order"]["failure"], "order_cancelled");
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_cancelled(&olena, &order, true).await;
        let cart = olena.get("/cart").await.ok();
        let group = &cart["groups"][0];
        assert_eq!(group["act"], act);
        let (back, kept) = (&group["items"][0], &olena.order(&order).await["items"][0]);
        assert_ne!(back["id"], kept["id"], "the order keeps its own");
        for field in ["payment_type", "payment_type_option", "payment_type_requisite", "purpose", "count", "sum_base", "sum_full"] {
            assert_eq!(back[field], kept[field], "{field}");
        }
        // A second press, with another wish, changes nothing.
        cancel(&olena, &order, json!({"return_items": false})).await.ok();
        cancel(&olena, &order, json!({})).await.ok();
        assert_eq!(in_cart(&olena).await, 1);
        assert_eq!(event_count(&app, "cancelled").await, 1);
        let again = olena.order_cart().await;
        olena.pay(&again).await;
        app.finish_and_check().await;
    }

    async fn payments_that_are_dropped_stay_in_the_order_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        app.outside().pay(&page, DECLINED).await;
        olena.until(&order, "failed").await;
        cancel(&olena, &order, json!({"return_items": false})).await.ok();
        assert_cancelled(&olena, &order, false).await;
        assert_eq!(in_cart(&olena).await, 0);
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        let trail = "select count(*) from audit_events where action = 'order_cancelled' and order_id is not null".to_owned();
        assert_eq!(app.number(trail).await, 1);
        app.finish_and_check().await;
    }

    async fn a_page_that_the_acquirer_does_not_close_keeps_the_order_as_it_is(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        for (kind, status, key) in [
            (FaultKind::Status500, 503, "acquirer_unavailable"),
            (FaultKind::Refuse, 409, "payment_page_not_closed"),
        ] {
            app.outside().faults(&[of_removal(kind)]).await;
            cancel(&olena, &order, json!({"return_items": true})).await.refused(status, key);
            let kept = olena.order(&order).await;
            assert_eq!((&kept["status"], &kept["cancelled_at"]), (&json!("pending"), &json!(null)), "{key}");
            assert_eq!(in_cart(&olena).await, 0);
        }
        let wishes = "select count(*) from orders where cancel_begun_at is not null".to_owned();
        assert_eq!(app.number(wishes).await, 0, "nothing is cancelled later behind the notary's back");
        app.outside().faults(&[]).await;
        app.clock().advance_seconds(300);
        app.work().await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_payment_that_came_meanwhile_wins(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
        lost.calls = 10;
        app.outside().faults(&[lost]).await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        cancel(&olena, &order, json!({"return_items": true})).await.refused(409, "order_not_cancellable");
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(in_cart(&olena).await, 0);
        cancel(&olena, &order, json!({})).await.refused(409, "order_not_cancellable");
        app.finish_and_check().await;
    }

    async fn a_charge_without_an_answer_is_not_cancelled(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let mut unanswered = Fault::new(FaultService::Acquirer, FaultKind::Reset);
        unanswered.path = Some("invoice/create".to_owned());
        app.outside().faults(&[unanswered]).await;
        let order = olena.order_cart().await;
        cancel(&olena, &order, json!({})).await.refused(409, "payment_outcome_unknown");
        assert_eq!(in_cart(&olena).await, 0);
        app.outside().faults(&[]).await;
        app.clock().advance_seconds(61);
        app.work().await;
        // Now the order has a page, which the cabinet can have closed. Nobody has ever seen the first one.
        let page = olena.order(&order).await["widget_url"].as_str().unwrap().to_owned();
        cancel(&olena, &order, json!({})).await.ok();
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        app.finish_and_check().await;
    }

    async fn the_worker_finishes_what_a_stopped_process_has_begun(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'to_cart'")).await;
        app.work().await;
        assert_eq!(olena.order(&order).await["status"], "pending", "its process may still be at it");
        app.clock().advance_seconds(121);
        app.work().await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(in_cart(&olena).await, 1);
        app.clock().advance_seconds(121);
        app.work().await;
        assert_eq!(in_cart(&olena).await, 1, "once");
        assert!(!app.outside().messages(olena.phone()).concat().contains("скасовано"), "she has done it herself");
        app.finish_and_check().await;
    }

    async fn what_the_worker_finishes_for_the_support_is_told_to_the_notary(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'drop', cancel_by_support = true")).await;
        app.clock().advance_seconds(121);
        app.work().await;
        assert_cancelled(&olena, &order, false).await;
        app.work().await;
        let told = app.outside().messages(olena.phone()).concat();
        assert!(told.contains("скасовано службою підтримки"), "{told}");
        app.finish_and_check().await;
    }

    async fn what_a_stopped_process_has_begun_waits_for_an_acquirer_that_does_not_answer(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'drop', cancel_by_support = true")).await;
        app.clock().advance_seconds(121);
        app.outside().faults(&[of_removal(FaultKind::Status500)]).await;
        app.work().await;
        app.outside().faults(&[]).await;
        app.work().await;
        let wishes = "select count(*) from orders where cancel_begun_at is not null".to_owned();
        assert_eq!(app.number(wishes.clone()).await, 1, "the acquirer is not asked again within a second");
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_cancelled(&olena, &order, false).await;
        assert_eq!((app.number(wishes).await, event_count(&app, "cancellation_dropped").await), (0, 0));
        app.finish_and_check().await;
    }

    async fn what_the_worker_drops_is_not_tried_again_and_stands_in_the_history(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'drop', cancel_by_support = true")).await;
        app.clock().advance_seconds(121);
        app.outside().faults(&[of_removal(FaultKind::Refuse)]).await;
        app.work().await;
        app.outside().faults(&[]).await;
        let wishes = "select count(*) from orders where cancel_begun_at is not null".to_owned();
        assert_eq!((app.number(wishes).await, event_count(&app, "cancellation_dropped").await), (0, 1));
        app.clock().advance_seconds(121);
        app.work().await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn no_link_is_given_while_the_worker_closes_the_page(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'to_cart'")).await;
        app.clock().advance_seconds(121);
        app.outside().faults(&[slow_removal()]).await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        let asks = async {
            app.outside().until_faults_begin().await;
            let answer = olena.get(&link).await;
            app.outside().faults(&[]).await;
            answer
        };
        let (_, answer) = futures_util::future::join(app.work(), asks).await;
        answer.refused(409, "order_being_cancelled");
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn no_link_is_given_of_an_order_whose_cancellation_a_stopped_process_has_begun(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena).await;
        let begun = app.services().now().as_microsecond();
        app.execute(format!("update orders set cancel_begun_at = {begun}, cancel_items = 'to_cart'")).await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        olena.get(&link).await.refused(409, "order_being_cancelled");
        app.clock().advance_seconds(121);
        app.work().await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn a_link_that_is_asked_for_while_the_page_is_being_closed_is_not_given(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        app.outside().faults(&[slow_removal()]).await;
        let asks = async {
            app.outside().until_faults_begin().await;
            let links = futures_util::future::join_all((0..4).map(|_| olena.get(&link))).await;
            app.outside().faults(&[]).await;
            links
        };
        let press = cancel(&olena, &order, json!({}));
        let (cancelled, links) = futures_util::future::join(press, asks).await;
        cancelled.ok();
        for link in links {
            link.refused(409, "order_being_cancelled");
        }
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn of_presses_and_links_at_once_one_wins(app: TestApp) {
        let olena = app.notary("olena").await;
        for _ in 0..5 {
            let (order, _) = new_order(&olena).await;
            let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
            let presses = futures_util::future::join_all((0..4).map(|_| cancel(&olena, &order, json!({}))));
            let links = futures_util::future::join_all((0..4).map(|_| olena.get(&link)));
            let (presses, links) = futures_util::future::join(presses, links).await;
            let returned = in_cart(&olena).await;
            if olena.order(&order).await["cancelled_at"].is_string() {
                assert_cancelled(&olena, &order, true).await;
                // The payments of the rounds before are ordered together with the new one.
                assert_eq!(returned, olena.order(&order).await["items"].as_array().unwrap().len());
            } else {
                assert_eq!(returned, 0);
                assert!(presses.iter().all(|press| press.status == 409));
                let given = links.iter().find(|link| link.status == 200).expect("a link is given");
                let page = given.ok()["widget_url"].as_str().unwrap().to_owned();
                app.outside().pay(&page, DECLINED).await;
                olena.until(&order, "failed").await;
            }
        }
        app.finish_and_check().await;
    }

    async fn a_press_goes_on_where_another_one_was_refused_meanwhile(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        app.outside().faults(&[slow_removal()]).await;
        let forgets = async {
            app.outside().until_faults_begin().await;
            // As the other press does, to which the acquirer gave no answer.
            app.execute("update orders set cancel_begun_at = null, cancel_items = null".to_owned()).await;
            app.outside().faults(&[]).await;
        };
        let press = cancel(&olena, &order, json!({}));
        futures_util::future::join(press, forgets).await.0.ok();
        assert_cancelled(&olena, &order, true).await;
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn codes_that_are_shown_again_while_the_page_is_being_closed_take_the_cancellation_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        olena.get(&format!("{path}/update/pay-link?despite_codes=1")).await.ok();
        app.clock().advance_seconds(5);
        app.outside().faults(&[slow_removal()]).await;
        let shows = async {
            app.outside().until_faults_begin().await;
            olena.post(&format!("{path}/codes"), json!({})).await.ok();
            app.outside().faults(&[]).await;
        };
        let press = cancel(&olena, &order, json!({"return_items": true, "despite_codes": true}));
        let (cancelled, ()) = futures_util::future::join(press, shows).await;
        cancelled.refused(409, "payment_codes_given");
        assert_eq!(olena.order(&order).await["cancelled_at"], json!(null));
        assert_eq!(in_cart(&olena).await, 0);
        // Asked again, the notary knows that nobody paid by the codes.
        cancel(&olena, &order, json!({"return_items": true, "despite_codes": true})).await.ok();
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn payments_whose_codes_were_given_go_back_only_if_nobody_paid_by_them(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let (other, _) = new_order(&olena).await;
        for order in [&order, &other] {
            let path = format!("/order/{}/codes", order["id"].as_str().unwrap());
            olena.post(&path, json!({})).await.ok();
        }
        cancel(&olena, &order, json!({"return_items": true})).await.refused(409, "payment_codes_given");
        assert_eq!(olena.order(&order).await["cancelled_at"], json!(null));
        cancel(&olena, &order, json!({"return_items": true, "despite_codes": true})).await.ok();
        assert_eq!(in_cart(&olena).await, 1);
        // Whoever has paid by the codes drops the payments.
        cancel(&olena, &other, json!({"return_items": false})).await.ok();
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn late_money_of_a_cancelled_order_waits_for_the_operator(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, forgotten, _) = two_charges::order_with_two_invoices(&app, &olena).await;
        app.outside().faults(&[]).await;
        cancel(&olena, &order, json!({"return_items": true})).await.ok();
        let again = olena.order_cart().await;
        olena.pay(&again).await;
        two_charges::pay(&app, &forgotten).await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        let held = app.services().transfers.held().await.unwrap();
        let late = order["id"].as_str().unwrap();
        assert_eq!(held.iter().map(|held| held.order.to_string()).collect::<Vec<_>>(), [late]);
        let planned = list(&app).await;
        assert!(ids(&planned).len() == 1 && planned.contains(again["id"].as_str().unwrap()), "{planned}");
        let trail = "select count(*) from audit_events where action = 'transfer_held'".to_owned();
        assert_eq!(app.number(trail).await, 1);
        // The notary wants both.
        app.services().transfers.release(&[held[0].id], "нотаріус підтвердила", app.services().now()).await.unwrap();
        app.finish_and_check().await;
    }

    async fn simultaneous_presses_return_the_payments_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = new_order(&olena).await;
        let presses = (0..4).map(|_| cancel(&olena, &order, json!({})));
        for answer in futures_util::future::join_all(presses).await {
            answer.ok();
        }
        assert_eq!(in_cart(&olena).await, 1);
        app.finish_and_check().await;
    }

    async fn anothers_order_is_not_there_and_a_full_cart_keeps_the_page(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (order, page) = new_order(&olena).await;
        cancel(&taras, &order, json!({})).await.refused(404, "order_not_found");
        app.execute("update carts set items_count = 200".to_owned()).await;
        cancel(&olena, &order, json!({})).await.refused(409, "cart_full");
        app.execute("update carts set items_count = 0".to_owned()).await;
        assert_eq!(app.outside().pay(&page, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }
}
