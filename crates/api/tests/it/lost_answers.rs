//! The acquirer's answers are lost before or after a charge. A missing answer is never taken as a failure, and nothing is charged
//! twice.

use cabinet_domain::Origin;
use cabinet_test_kit::{FaultKind, PaymentKind, on_both_databases};
use serde_json::json;

use crate::acquirer_faults::{acquirer_fault, card_order, no_reports};
use crate::client_link;

const CREATE: &str = "invoice/create";
const CHARGE: &str = "wallet/payment";
const STATEMENT: &str = "statement";

on_both_databases! {
    async fn an_invoice_that_was_never_made_is_asked_for_again(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, CREATE)]).await;
        let (key, body) = (olena.fresh_key(), olena.order_body().await);
        let order = olena.create_order(&key, &body).await.ok()["order"].clone();
        assert_eq!((&order["status"], &order["widget_url"]), (&json!("in_progress"), &json!(null)));
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 0);
        // The browser repeats with the same key, a second tab comes, somebody asks for a link: still one order, still open.
        assert_eq!(olena.create_order(&key, &body).await.ok()["order"], order);
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "cart_already_ordered");
        let id = order["id"].as_str().unwrap();
        assert_eq!(app.work().await, 0, "it is not time yet");
        // No page was shown and the statement has no payment, so another page is requested at once.
        let link = olena.get(&format!("/order/{id}/update/pay-link")).await.ok();
        let order = olena.order(&order).await;
        assert_eq!((&order["status"], &order["widget_url"]), (&json!("pending"), &link["widget_url"]));
        assert_eq!(app.outside().invoices().await.len(), 1);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn an_invoice_whose_answer_was_lost_is_replaced_and_paid_once(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CREATE)]).await;
        let order = olena.order_cart().await;
        assert_eq!(order["status"], "in_progress");
        // A restart in between loses nothing.
        app.restart().await;
        app.clock().advance_seconds(61);
        app.work().await;
        let order = olena.order(&order).await;
        olena.pay(&order).await;
        assert_eq!(app.outside().invoices().await.len(), 2, "one that nobody knows, and one that was paid");
        app.finish_and_check().await;
    }

    async fn a_charge_that_was_never_made_is_given_up_after_a_while_without_money_taken(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, CHARGE)]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "in_progress");
        let lost = olena.order(&order).await;
        let moment = |field: &str| lost[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        let expected = moment("answer_expected_at");
        assert_eq!(expected.duration_since(moment("created_at")), jiff::SignedDuration::from_mins(122));
        let path = client_link::link(&olena, &order).await;
        let page = app.anonymous().page(&path).await.text();
        let until = cabinet_domain::kyiv_time(expected).strftime("%d.%m.%Y, %H:%M").to_string();
        assert!(page.contains("Не платіть ще раз") && page.contains(&format!("Відповідь банку буде до {until}.")), "{page}");
        for _ in 0..13 {
            app.clock().advance_seconds(600);
            app.work().await;
            olena.refresh().await.ok();
            assert_eq!(olena.order(&order).await["status"], "in_progress");
        }
        for _ in 0..2 {
            app.clock().advance_seconds(1_200);
            app.work().await;
            olena.refresh().await.ok();
        }
        let failed = olena.order(&order).await;
        assert_eq!((&failed["status"], &failed["failure"]), (&json!("failed"), &json!("payment_no_trace")));
        assert_eq!(failed["answer_expected_at"], json!(null));
        assert!(app.outside().ledger().is_empty());
        let page = app.anonymous().page(&path).await.text();
        assert!(page.contains("в його виписці списання немає"), "{page}");
        assert!(!page.contains("Кошти не списано") && page.contains("Сплатити карткою"), "{page}");
        app.finish_and_check().await;
    }

    async fn what_others_pay_later_does_not_hide_whether_a_charge_was_made(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        let mut busy = acquirer_fault(FaultKind::Status429, STATEMENT);
        busy.calls = 1_000;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, CHARGE), busy, no_reports()]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "in_progress");
        let mut asked = 0;
        for _ in 0..60 {
            app.clock().advance_seconds(60);
            asked += app.work().await;
        }
        assert!((5..=12).contains(&asked), "asked {asked} times in an hour");
        let unanswered = "select count(*) from alarms where kind = 'payment_unanswered'".to_owned();
        assert_eq!(app.number(unanswered.clone()).await, 0);
        // A sum larger than the cabinet can represent.
        let stranger = json!({ "amount": 100_000_000_000_i64, "merchantPaymInfo": { "reference": "not-ours" } });
        let stranger = app.outside().make_invoice(&stranger).await;
        app.clock().advance_seconds(2 * 3_600);
        app.outside().pay(&stranger, "4242424242424242").await;
        app.work().await;
        assert_eq!(app.number(unanswered).await, 1, "somebody must hear of it");
        app.outside().faults(&[]).await;
        app.clock().advance_seconds(3_600);
        app.work().await;
        app.clock().advance_seconds(61);
        app.work().await;
        olena.log_in().await;
        let failed = olena.order(&order).await;
        assert_eq!((&failed["status"], &failed["failure"]), (&json!("failed"), &json!("payment_no_trace")));
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_charge_whose_answer_was_lost_is_found_by_our_reference(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CHARGE), no_reports()]).await;
        let key = olena.fresh_key();
        let order = olena.create_order(&key, &body).await.ok()["order"].clone();
        assert_eq!(order["status"], "in_progress");
        assert_eq!(app.outside().ledger().len(), 1, "the money is taken");
        assert_eq!(olena.create_order(&key, &body).await.ok()["order"], order);
        app.clock().advance_seconds(61);
        app.work().await;
        let paid = olena.order(&order).await;
        assert_eq!((&paid["status"], &paid["pan"]), (&json!("paid"), &json!("424242******4242")));
        app.finish_and_check().await;
    }

    async fn whoever_asks_about_a_charge_whose_answer_was_lost_is_told_what_became_of_it(app: TestApp) {
        let olena = app.notary("olena").await;
        for ask in ["/status", "?update_status=1", "/update/pay-link"] {
            let body = card_order(&olena).await;
            app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CHARGE), no_reports()]).await;
            let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
            let id = order["id"].as_str().unwrap();
            let mut silent = acquirer_fault(FaultKind::Status500, STATEMENT);
            silent.calls = 2;
            app.outside().faults(&[silent, no_reports()]).await;
            olena.get(&format!("/order/{id}/status")).await.refused(503, "acquirer_unavailable");
            let shown = olena.get(&format!("/order/{id}?update_status=1")).await.ok();
            assert_eq!(shown["order"]["status"], "in_progress", "{ask}");
            assert_eq!(shown["order"]["payment_state"], "unknown", "{ask}");
            olena.get(&format!("/order/{id}{ask}")).await;
            assert_eq!(olena.order(&order).await["status"], "paid", "{ask}");
        }
        app.finish_and_check().await;
    }

    async fn a_report_tells_of_a_charge_whose_answer_was_lost(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CHARGE)]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn a_charge_that_is_sent_while_another_process_gives_it_up_is_not_given_up(app: TestApp) {
        let olena = app.notary("olena").await;
        for is_worker in [true, false] {
            let body = card_order(&olena).await;
            app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CHARGE), no_reports()]).await;
            let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
            let id = order["id"].as_str().unwrap().to_owned();
            // Before the commit after which the charge is sent.
            app.execute("update attempts set state = 'prepared', last_error = null, next_check_at = created_at where state = 'submitted'".to_owned()).await;
            let (second, clock) = app.second_process(2).await;
            let (notary, link) = (olena.id(), format!("/order/{id}/update/pay-link"));
            let giving_up = tokio::spawn(async move {
                if is_worker {
                    drop(second.payments.poll_due().await);
                } else {
                    drop(second.payments.renew_invoice(notary, &id, false, Origin::worker()).await);
                }
            });
            // It has read that nothing was sent, and stores nothing yet. Meanwhile the charge is sent.
            clock.reached().await;
            app.execute("update attempts set state = 'submitted', next_check_at = created_at + 60000000 where state = 'prepared'".to_owned()).await;
            clock.release();
            giving_up.await.unwrap();
            let shown = olena.order(&order).await;
            assert_eq!((&shown["status"], &shown["payment_state"]), (&json!("in_progress"), &json!("unknown")));
            olena.get(&link).await.refused(409, "payment_outcome_unknown");
            app.clock().advance_seconds(121);
            app.work().await;
            assert_eq!(olena.order(&order).await["status"], "paid");
        }
        assert_eq!(app.outside().ledger().len(), 2, "each order was charged once");
        app.finish_and_check().await;
    }

    async fn only_the_acquirers_own_code_says_that_an_invoice_is_unknown(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        app.outside().faults(&[no_reports()]).await;
        assert_eq!(app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await, "success");
        let answer = async |code: &str| {
            let mut fault = acquirer_fault(FaultKind::Refuse, "invoice/status");
            fault.code = Some(code.to_owned());
            fault.calls = if code == "NOT_FOUND" { 2 } else { 1 };
            app.outside().faults(&[fault, no_reports()]).await;
        };
        // The page has ended, and a proxy in front of the acquirer answers with its own 404.
        answer("HTTP_404").await;
        app.clock().advance_seconds(24 * 3_600 + 61);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "pending", "money was taken");
        let alarms = "select count(*) from alarms where kind = 'question_refused'".to_owned();
        assert_eq!(app.number(alarms).await, 1);
        app.clock().advance_seconds(3_600);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");

        olena.add(PaymentKind::RegistryPayment).await;
        let unpaid = olena.order_cart().await;
        answer("NOT_FOUND").await;
        app.clock().advance_seconds(48 * 3_600 + 61);
        app.work().await;
        olena.log_in().await;
        assert_eq!(olena.order(&unpaid).await["status"], "pending", "one answer proves nothing");
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.order(&unpaid).await["status"], "expired");
        app.finish_and_check().await;
    }

    async fn a_charge_that_the_statement_shows_late_is_not_given_up(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        let mut behind = acquirer_fault(FaultKind::Behind, STATEMENT);
        behind.calls = 1_000;
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutAfter, CHARGE), behind, no_reports()]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        // For an hour and a half.
        for _ in 0..9 {
            app.clock().advance_seconds(600);
            app.work().await;
            olena.refresh().await.ok();
            olena.get(&link).await.refused(409, "payment_outcome_unknown");
        }
        app.outside().faults(&[no_reports()]).await;
        olena.get(&link).await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.outside().ledger().len(), 1);
        app.finish_and_check().await;
    }

    async fn a_date_that_is_ahead_once_hides_no_charge(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut ahead = acquirer_fault(FaultKind::WrongDate, CREATE);
        ahead.delay_ms = Some(20 * 60_000);
        app.outside().faults(&[ahead, acquirer_fault(FaultKind::TimeoutAfter, CHARGE), no_reports()]).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let page = olena.order_cart().await;
        // The acquirer's clock is believed to be 20 minutes ahead when the card is charged, and its answer is lost.
        let body = card_order(&olena).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        assert_eq!(app.outside().ledger().len(), 1, "the money is taken");
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(olena.order(&order).await["status"], "paid", "it is found where it stands");
        assert_eq!(olena.order(&page).await["status"], "pending");
        app.outside().faults(&[]).await;
        olena.pay(&page).await;
        app.finish_and_check().await;
    }

    async fn statements_whose_date_is_ahead_prove_no_absence(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order(&olena).await;
        let mut ahead = acquirer_fault(FaultKind::WrongDate, STATEMENT);
        (ahead.calls, ahead.delay_ms) = (1_000, Some(5 * 3_600_000));
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, CHARGE), ahead, no_reports()]).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        for _ in 0..3 {
            app.clock().advance_seconds(61);
            app.work().await;
            assert_eq!(olena.order(&order).await["status"], "in_progress");
        }
        assert_eq!(app.number("select count(*) from alarms where kind = 'clocks_differ'".to_owned()).await, 1, "one in all");
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_page_that_is_told_and_then_not_found_is_given_again(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.outside().pay(&page, "4000000000000002").await;
        let order = olena.until(&order, "failed").await;
        let unknown = |path| {
            let mut fault = acquirer_fault(FaultKind::Refuse, path);
            (fault.calls, fault.code) = (9, Some("NOT_FOUND".to_owned()));
            fault
        };
        let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
        // One node of the acquirer does not know the page yet; another tells where it stands.
        app.outside().faults(&[unknown("invoice/remove")]).await;
        assert_eq!(olena.get(&link).await.ok()["widget_url"], page.as_str());
        // None knows it, once.
        app.outside().faults(&[unknown("invoice/remove"), unknown("invoice/status")]).await;
        assert_eq!(olena.get(&link).await.ok()["widget_url"], page.as_str());
        assert_eq!(app.outside().invoices().await.len(), 1);
        // None knows it for an hour either, and somebody pays there meanwhile, of which no report comes.
        app.outside().faults(&[unknown("invoice/remove"), unknown("invoice/status"), no_reports()]).await;
        assert_eq!(app.outside().pay(&page, "4242424242424242").await, "success");
        for _ in 0..3 {
            app.clock().advance_seconds(20 * 60);
            app.outside().faults(&[unknown("invoice/remove"), unknown("invoice/status"), no_reports()]).await;
            olena.refresh().await.ok();
            assert_eq!(olena.get(&link).await.ok()["widget_url"], page.as_str());
        }
        assert_eq!(app.outside().invoices().await.len(), 1);
        app.outside().faults(&[no_reports()]).await;
        olena.get(&link).await.refused(409, "order_not_payable");
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.outside().ledger().len(), 1);
        app.finish_and_check().await;
    }
}
