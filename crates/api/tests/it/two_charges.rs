//! An order was charged on two pages; one charge is refunded and the other remains.

use cabinet_test_kit::{
    Fault, FaultKind, FaultService, LedgerKind, PaymentKind, Person, TestApp, on_both_databases,
};
use jiff::SignedDuration;
use serde_json::Value;

use crate::acquirer_faults::event_count;

const PAYS: &str = "4242424242424242";

/// Creates an order with two invoices under one reference: the answer to the first request was lost, but its page is open, as after
/// restoring an older copy of the database. All reports are dropped. Returns the order, the old page and the new one.
pub async fn order_with_two_invoices(app: &TestApp, person: &Person) -> (Value, String, String) {
    person.add(PaymentKind::RegistryPayment).await;
    let known = app.outside().invoices().await.len();
    let mut unanswered = Fault::new(FaultService::Acquirer, FaultKind::Reset);
    unanswered.path = Some("invoice/create".to_owned());
    let mut lost = Fault::new(FaultService::Reports, FaultKind::Drop);
    lost.calls = 1_000;
    app.outside().faults(&[unanswered, lost]).await;
    let order = person.order_cart().await;
    assert_eq!(order["payment_state"], "unknown");
    let invoices = app.outside().invoices().await;
    assert_eq!(invoices.len(), known + 1, "the acquirer made it");
    let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
    let fresh = person.get(&link).await.ok()["widget_url"]
        .as_str()
        .unwrap()
        .to_owned();
    let pages = app.outside().pages().await;
    let old = pages.into_iter().find(|page| *page != fresh).unwrap();
    app.clock().advance_seconds(5);
    (order, old, fresh)
}

/// Compares with the acquirer's statement, which tells what no report did.
async fn compare_statement(app: &TestApp) {
    app.clock().advance_seconds(5);
    let services = app.services();
    let since = services.now() - SignedDuration::from_hours(1);
    services.reconciliation.compare_since(since).await.unwrap();
}

/// Pays on a page. The cabinet hears of it by the statement.
pub async fn pay(app: &TestApp, page: &str) {
    assert_eq!(app.outside().pay(page, PAYS).await, "success");
    compare_statement(app).await;
}

async fn refund(app: &TestApp, page: &str) {
    app.outside().refund(page).await;
    compare_statement(app).await;
}

/// Returns the number of orders whose receipts name a charge that was not refunded.
async fn receipts_of_standing_charges(app: &TestApp) -> i64 {
    let named = "r.facts like '%\"rrn\":\"' || a.rrn || '\"%'";
    app.number(format!(
        "select count(*) from order_receipts r join attempts a on a.order_id = r.order_id
         where a.charged_at is not null and a.reversed_at is null and {named}"
    ))
    .await
}

async fn transfers(app: &TestApp, status: &str) -> i64 {
    app.number(format!(
        "select count(*) from transfers where status = '{status}'"
    ))
    .await
}

/// Ends a test: nothing is due, the invariants hold, and the acquirer has this number of charges that were not refunded.
async fn ends_with(app: &TestApp, charges_that_stand: i64) {
    app.work().await;
    app.check_invariants().await;
    let stand: i64 = app
        .outside()
        .ledger()
        .iter()
        .map(|line| match line.kind {
            LedgerKind::Charge => 1,
            LedgerKind::Refund => -1,
        })
        .sum();
    assert_eq!(stand, charges_that_stand);
    app.skip_final_check();
}

on_both_databases! {
    async fn when_one_of_two_charges_is_given_back_the_order_stays_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        for first_is_given_back in [true, false] {
            let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
            pay(&app, &old).await;
            let alarms = event_count(&app, "charged_twice").await;
            pay(&app, &fresh).await;
            assert_eq!(event_count(&app, "charged_twice").await, alarms + 1);
            refund(&app, if first_is_given_back { &old } else { &fresh }).await;
            assert_eq!(olena.order(&order).await["status"], "paid");
            assert_eq!(transfers(&app, "returned").await, 0, "what was paid is owed on");
            let receipt = format!("/order/{}/receipt", order["id"].as_str().unwrap());
            assert_eq!(olena.get(&receipt).await.status, 200);
        }
        assert_eq!(event_count(&app, "duplicate_refunded").await, 2);
        assert_eq!(receipts_of_standing_charges(&app).await, 2);
        ends_with(&app, 2).await;
    }

    async fn the_date_of_payment_is_that_of_the_charge_that_was_not_given_back(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        let receipts_of = |day: &str| format!("select count(*) from order_receipts where facts like '%\"paid_at\":\"{day}T%'");
        pay(&app, &old).await;
        assert!(olena.order(&order).await["paid_at"].as_str().unwrap().starts_with("2026-03-02T"));
        assert_eq!(app.number(receipts_of("2026-03-02")).await, 1);
        app.clock().advance_seconds(20 * 3_600);
        olena.log_in().await;
        pay(&app, &fresh).await;
        assert!(olena.order(&order).await["paid_at"].as_str().unwrap().starts_with("2026-03-02T"), "the first charge counts");
        app.outside().refund(&old).await;
        app.clock().advance_seconds(5);
        let services = app.services();
        services.reconciliation.compare_since(services.now() - SignedDuration::from_hours(30)).await.unwrap();
        assert_eq!(event_count(&app, "duplicate_refunded").await, 1);
        assert!(olena.order(&order).await["paid_at"].as_str().unwrap().starts_with("2026-03-03T"));
        assert_eq!(app.number(receipts_of("2026-03-03")).await, 1);
        ends_with(&app, 1).await;
    }

    async fn when_both_charges_are_given_back_the_order_is_refunded(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        pay(&app, &old).await;
        pay(&app, &fresh).await;
        refund(&app, &old).await;
        refund(&app, &fresh).await;
        assert_eq!(olena.order(&order).await["status"], "refunded");
        assert_eq!((transfers(&app, "planned").await, transfers(&app, "called_off").await), (0, 1));
        ends_with(&app, 0).await;
    }

    async fn money_that_came_and_went_unheard_ends_the_order_and_closes_its_other_page(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        assert_eq!(app.outside().pay(&old, PAYS).await, "success");
        app.clock().advance_seconds(5);
        refund(&app, &old).await;
        assert_eq!(olena.order(&order).await["status"], "refunded");
        app.work().await;
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "the invoice is expired");
        ends_with(&app, 0).await;
    }

    async fn money_that_comes_after_the_refund_is_an_alarm(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        pay(&app, &old).await;
        refund(&app, &old).await;
        assert_eq!(olena.order(&order).await["status"], "refunded");
        pay(&app, &fresh).await;
        assert_eq!(event_count(&app, "paid_after_refund").await, 1, "somebody must be told");
        assert_eq!(olena.order(&order).await["status"], "refunded");
        // The operator refunds that charge too.
        refund(&app, &fresh).await;
        ends_with(&app, 0).await;
    }
}
