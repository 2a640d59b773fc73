//! An order that the notary marks as paid by its QR codes: it is shown as paid, and is never taken for money of a card.

use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::operator::support_desk::{RefundOrder, RefundOrderWish};
use cabinet_app::payment::CodesPaymentRequest;
use cabinet_domain::payment::RefundWish;
use cabinet_domain::{OperatorReason, Origin};
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, PaymentKind, Person, TestApp, on_both_databases,
};
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, check_code, document};

const PAYS: &str = "4242424242424242";
const REFERENCE: &str = "97ED4827-7B6F-4491-A06F-B548D5A7512D";

/// Makes an order whose codes were given out. Returns it with its path.
async fn with_codes(person: &Person, kind: PaymentKind) -> (Value, String) {
    person.add(kind).await;
    let order = person.order_cart().await;
    let path = format!("/order/{}", order["id"].as_str().unwrap());
    person.post(&format!("{path}/codes"), json!({})).await.ok();
    (order, path)
}

async fn mark(person: &Person, path: &str) -> Answer {
    let body = json!({ "reference": REFERENCE });
    person.post(&format!("{path}/codes/paid"), body).await
}

async fn undo(person: &Person, path: &str) -> Answer {
    let path = format!("{path}/codes/paid/undo");
    person.post(&path, json!({})).await
}

/// Makes the page of an order open though its codes are marked as paid: the acquirer takes a charge there though it had confirmed that the
/// page is closed.
async fn mark_beside_an_open_page(app: &TestApp) {
    let sql = "update orders set codes_given_at = (select max(created_at) from attempts),
               codes_paid_at = (select max(created_at) from attempts)";
    app.execute(sql.to_owned()).await;
}

async fn events(app: &TestApp, kind: &str) -> i64 {
    app.number(format!(
        "select count(*) from order_events where kind = '{kind}'"
    ))
    .await
}

async fn found(person: &Person, status: &str) -> usize {
    let page = person.get(&format!("/order?status={status}")).await.ok();
    page["orders"].as_array().unwrap().len()
}

/// Asserts that nothing of the order counts as money of a card.
async fn assert_no_card_money(app: &TestApp) {
    assert_eq!(app.rows("transfers").await, 0, "nothing is sent");
    assert_eq!(app.outside().ledger().len(), 0, "nothing was charged");
    let counted = "select count(*) from orders where status = 'paid' or paid_at is not null";
    assert_eq!(app.number(counted.to_owned()).await, 0);
}

on_both_databases! {
    async fn a_marked_order_is_paid_for_people_and_received_by_nobody(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, path) = with_codes(&olena, PaymentKind::AdminPayment).await;
        assert_eq!(olena.get("/order/unfinished").await.ok()["orders"].as_array().unwrap().len(), 1);
        let shown = mark(&olena, &path).await.ok()["order"].clone();
        assert_eq!((&shown["status"], &shown["payment_state"], &shown["paid_by"]), (&json!("paid"), &json!("paid"), &json!("codes")));
        assert_eq!((&shown["failure"], &shown["widget_url"], &shown["pan"]), (&json!(null), &json!(null), &json!(null)));
        assert_eq!(shown["items"][0]["status"], "paid");
        let payment = &shown["codes_payment"];
        assert_eq!((&payment["reference"], &payment["marked_at"]), (&json!(REFERENCE), &shown["paid_at"]));
        let item = &shown["items"][0];
        assert_eq!((&payment["amount"], &payment["amount"]), (&item["sum_base"], &shown["sum"]), "without the commission");
        assert_eq!((&item["commission"], &item["sum_total"]), (&json!(0), &item["sum_base"]));
        let details = olena.get(&format!("{path}/details")).await.ok();
        let shares = details["items"][0]["shares"].as_array().unwrap();
        assert_eq!(shares.iter().map(|share| &share["commission"]).collect::<Vec<_>>(), [&json!(0), &json!(0)]);
        assert_no_card_money(&app).await;
        assert_eq!((found(&olena, "paid").await, found(&olena, "expired").await), (1, 0));
        assert_eq!(olena.get("/order/unfinished").await.ok()["orders"], json!([]));
        assert_eq!(events(&app, "codes_paid").await, 1);
        // No way leads to a card.
        let link = format!("{path}/update/pay-link?despite_codes=1");
        olena.get(&link).await.refused(409, "order_not_payable");
        olena.post(&format!("{path}/codes"), json!({})).await.refused(409, "order_not_payable");
        olena.post(&format!("{path}/cancel"), json!({ "despite_codes": true })).await.refused(409, "order_not_cancellable");
        olena.post(&format!("{path}/client-link"), json!({})).await.refused(409, "order_not_payable");
        assert_eq!(app.outside().invoices().await.len(), 1);
        let timeline = olena.get(&format!("{path}/details")).await.ok()["timeline"].clone();
        assert!(timeline.as_array().unwrap().iter().any(|entry| entry["step"] == "paid_by_codes"), "{timeline}");
        assert_eq!(olena.get(&format!("{path}/status")).await.ok()["status"], "paid");
        assert_eq!(olena.order(&order).await["paid_by"], "codes");
        app.finish_and_check().await;
    }

    async fn the_mark_is_undone_and_the_codes_stay_given(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        mark(&olena, &path).await.ok();
        let shown = undo(&olena, &path).await.ok()["order"].clone();
        assert_eq!((&shown["status"], &shown["paid_by"], &shown["codes_payment"], &shown["paid_at"]), (&json!("expired"), &json!(null), &json!(null), &json!(null)));
        assert!(shown["codes_given_at"].is_string());
        undo(&olena, &path).await.ok();
        assert_eq!(events(&app, "codes_payment_undone").await, 1, "a second press changes nothing");
        olena.get(&format!("{path}/update/pay-link")).await.refused(409, "payment_codes_given");
        let marks = "select count(*) from audit_events where action in ('payment_codes_marked', 'payment_codes_mark_undone')";
        assert_eq!(app.number(marks.to_owned()).await, 2);
        app.finish_and_check().await;
    }

    async fn only_what_has_codes_is_marked(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        mark(&olena, &path).await.refused(409, "payment_codes_not_given");
        olena.post(&format!("{path}/codes"), json!({})).await.ok();
        for (reference, key) in [("4111 1111 1111 1111".to_owned(), "card_number_not_accepted"), ("я".repeat(101), "text_too_long")] {
            let answer = olena.post(&format!("{path}/codes/paid"), json!({ "reference": reference })).await;
            assert_eq!((answer.status, &answer.json()["errors"]["reference"][0]), (422, &json!(key)));
        }
        mark(&taras, &path).await.refused(404, "order_not_found");
        undo(&taras, &path).await.refused(404, "order_not_found");
        olena.post(&format!("{path}/cancel"), json!({ "despite_codes": true })).await.ok();
        mark(&olena, &path).await.refused(409, "order_cancelled");
        app.finish_and_check().await;
    }

    async fn a_second_press_changes_the_reference_alone(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        let paid = format!("{path}/codes/paid");
        let presses = [REFERENCE, REFERENCE, REFERENCE].map(|reference| olena.post(&paid, json!({ "reference": reference })));
        let [one, two, three] = presses;
        let (one, two, three) = tokio::join!(one, two, three);
        let marked = [one, two, three].map(|answer| answer.ok()["order"]["codes_payment"].clone());
        assert_eq!((&marked[0], &marked[1]), (&marked[1], &marked[2]));
        app.clock().advance_seconds(60);
        let other = olena.post(&paid, json!({ "reference": "  " })).await.ok()["order"]["codes_payment"].clone();
        assert_eq!((&other["marked_at"], &other["reference"]), (&marked[0]["marked_at"], &json!(null)));
        assert_eq!(events(&app, "codes_paid").await, 1);
        app.finish_and_check().await;
    }

    async fn an_open_page_is_closed_before_and_a_charge_in_progress_refuses(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        let link = format!("{path}/update/pay-link?despite_codes=1");
        let page = olena.get(&link).await.ok()["widget_url"].as_str().unwrap().to_owned();
        let mut kept_open = Fault::new(FaultService::Acquirer, FaultKind::Refuse);
        kept_open.path = Some("invoice/remove".to_owned());
        kept_open.code = Some("INVOICE_ALREADY_USED".to_owned());
        app.outside().faults(&[kept_open]).await;
        mark(&olena, &path).await.refused(409, "payment_page_not_closed");
        app.outside().faults(&[]).await;
        assert_eq!(app.outside().pay(&page, "4000000000000259").await, "processing");
        mark(&olena, &path).await.refused(409, "payment_outcome_unknown");
        assert_eq!(events(&app, "codes_paid").await, 0);
        app.clock().advance_seconds(3_600);
        app.work().await;
        olena.log_in().await;
        mark(&olena, &path).await.refused(409, "order_not_payable");
        app.finish_and_check().await;
    }

    async fn a_clock_that_was_set_back_before_the_mark_makes_no_finding(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        app.clock().advance_seconds(-1_200);
        olena.log_in().await;
        mark(&olena, &path).await.ok();
        assert_eq!(olena.order(&order).await["paid_by"], "codes");
        app.check_invariants().await;
        app.clock().advance_seconds(1_200);
        app.finish_and_check().await;
    }

    async fn a_page_made_meanwhile_is_closed_by_the_mark(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        let (second, clock) = app.second_process(1).await;
        let (notary, id) = (olena.id(), order["id"].as_str().unwrap().to_owned());
        let marking = tokio::spawn(async move {
            let request = CodesPaymentRequest::default();
            second.payments.mark_codes_paid(notary, &id, request, FieldErrors::new(), Origin::worker()).await
        });
        clock.reached().await;
        let link = format!("{path}/update/pay-link?despite_codes=1");
        let page = olena.get(&link).await.ok()["widget_url"].as_str().unwrap().to_owned();
        clock.release();
        marking.await.unwrap().unwrap();
        assert_eq!(app.outside().pay(&page, PAYS).await, "the invoice is expired");
        assert_eq!(olena.order(&order).await["paid_by"], "codes");
        assert_no_card_money(&app).await;
        app.finish_and_check().await;
    }

    async fn no_page_is_made_by_a_process_that_has_not_seen_the_mark(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, path) = with_codes(&olena, PaymentKind::RegistryPayment).await;
        let (second, clock) = app.second_process(1).await;
        let (notary, id) = (olena.id(), order["id"].as_str().unwrap().to_owned());
        let renewing = tokio::spawn(async move {
            second.payments.renew_invoice(notary, &id, true, Origin::worker()).await
        });
        clock.reached().await;
        mark(&olena, &path).await.ok();
        clock.release();
        let refused = renewing.await.unwrap().unwrap_err().to_string();
        assert!(refused.contains("order_not_payable"), "{refused}");
        assert_eq!(app.outside().invoices().await.len(), 1);
        app.finish_and_check().await;
    }

    async fn a_charge_of_a_marked_order_waits_and_keeps_the_mark(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        mark_beside_an_open_page(&app).await;
        // A page of after the codes is no reason to wait, but the mark is.
        app.execute("update orders set codes_given_at = codes_given_at - 1000000".to_owned()).await;
        olena.pay(&order).await;
        let shown = olena.order(&order).await;
        assert_eq!((&shown["status"], &shown["paid_by"]), (&json!("paid"), &json!("card")));
        assert!(shown["codes_payment"]["marked_at"].is_string(), "the order says that both were told");
        let held = app.services().transfers.held().await.unwrap();
        assert_eq!(held.len(), 1, "the recipient has been paid by a code");
        undo(&olena, &path).await.refused(409, "order_under_review");
        app.services().transfers.release(&[held[0].id], "за кодом не платили", app.services().now()).await.unwrap();
        let shown = undo(&olena, &path).await.ok()["order"].clone();
        assert_eq!((&shown["paid_by"], &shown["codes_payment"]), (&json!("card"), &json!(null)));
        app.finish_and_check().await;
    }

    async fn an_order_is_paid_by_codes_again_once_the_charge_was_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let path = format!("/order/{}", order["id"].as_str().unwrap());
        mark_beside_an_open_page(&app).await;
        olena.pay(&order).await;
        let desk = app.services().order_actions(app.recorder());
        let wish = RefundOrderWish::Ask(RefundWish::Whole);
        let reason = OperatorReason::parse("Сплачено й за QR-кодами").unwrap();
        desk.refund(&RefundOrder { number: 100_001, wish, reason }).await.unwrap();
        app.work().await;
        let shown = olena.order(&order).await;
        assert_eq!((&shown["status"], &shown["paid_by"]), (&json!("paid"), &json!("codes")));
        // Without the mark it is what the acquirer tells, and the notary may mark it again.
        assert_eq!(undo(&olena, &path).await.ok()["order"]["status"], "refunded");
        assert_eq!(mark(&olena, &path).await.ok()["order"]["paid_by"], "codes");
        app.finish_and_check().await;
    }

    async fn a_report_by_day_of_payment_has_it_in_its_own_figures(app: TestApp) {
        let olena = app.notary("olena").await;
        let (_, path) = with_codes(&olena, PaymentKind::AdminPayment).await;
        let amount = mark(&olena, &path).await.ok()["order"]["codes_payment"]["amount"].clone();
        let today = app.clock().shows().to_string()[..10].to_owned();
        let report = async |by: &str| {
            let path = format!("/reports?from={today}&to={today}&by={by}");
            olena.get(&path).await
        };
        let total = |report: Value| report["total"].clone();
        let by_payment = total(report("payment").await.ok());
        assert_eq!((&by_payment["codes_count"], &by_payment["codes"]), (&json!(1), &amount));
        for of_cards in ["count", "amount", "commission", "own_planned", "own_credited", "refunded_count"] {
            assert_eq!(by_payment[of_cards], json!(0), "{of_cards}");
        }
        assert_eq!(total(report("crediting").await.ok())["codes_count"], 0);
        undo(&olena, &path).await.ok();
        assert_eq!(total(report("payment").await.ok())["codes_count"], 0);
        app.finish_and_check().await;
    }

    async fn receipts_say_what_was_told_and_name_no_instruction(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, path) = with_codes(&olena, PaymentKind::AdminPayment).await;
        olena.get(&format!("{path}/receipt")).await.refused(409, "order_not_paid");
        mark(&olena, &path).await.ok();
        let (id, item) = (order["id"].as_str().unwrap(), order_item(&olena, &order).await);
        let payment = olena.get(&format!("{path}/receipt?receipt_type=payment")).await;
        let text = document(&payment, &format!("Receipt-{id}-payment.pdf"));
        assert_contains_all(&text, &["Сплата за QR-кодами, зі слів платника", "Позначив нотаріус", REFERENCE, "За QR-кодом 2", "Сервіс цих коштів не отримував"]);
        for ours in ["Платіжна інструкція", "Відомості про переказ", "Статус переказу", "Картка", "Еквайр"] {
            assert!(!text.contains(ours), "{ours} stands on\n{text}");
        }
        let text = document(&olena.get(&format!("{path}/receipt?receipt_type=commission")).await, &format!("Receipt-{id}-commission.pdf"));
        assert_contains_all(&text, &["Квитанція про комісію", "0,00", "Чому 0,00 грн", "комісії не стягнуто"]);
        for of_item in ["payment", "commission"] {
            let answer = olena.get(&format!("/order/item/{item}/receipt?receipt_type={of_item}")).await;
            document(&answer, &format!("Receipt-{of_item}-{item}.pdf"));
        }
        let text = document(&olena.get(&format!("{path}/extract")).await, &format!("Extract-{id}.pdf"));
        assert_contains_all(&text, &["Відомості про сплату для справ нотаріуса", "Референс із квитанції платника", REFERENCE]);
        let check = format!("/check?code={}", check_code(&payment));
        let page = app.anonymous().page(&check).await.text();
        assert_contains_all(&page, &["Сплачено за QR-кодами, минаючи сервіс", "Позначено як сплачене"]);
        assert!(!page.contains("Переказ №"), "{page}");
        undo(&olena, &path).await.ok();
        assert_eq!(app.anonymous().page(&check).await.status, 404, "there is no receipt of an unpaid order");
        app.finish_and_check().await;
    }
}

async fn order_item(person: &Person, order: &Value) -> String {
    let shown = person.order(order).await;
    shown["items"][0]["id"].as_str().unwrap().to_owned()
}
