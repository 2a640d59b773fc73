//! An order was charged on two pages; one charge is refunded and the other remains.

use cabinet_app::operator::support_desk::{DeskError, RefundOrder, RefundOrderWish};
use cabinet_domain::payment::{RefundState, RefundWish};
use cabinet_domain::{Money, OperatorReason, TransferId, TransferStatus};
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, LedgerKind, PaymentKind, Person, TestApp, on_both_databases,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::acquirer_faults::{acquirer_fault, card_order_of, event_count, no_reports};
use crate::returns::{requisites, resend_path, returned};
use crate::transfers::{import, list};

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";
const CHALLENGED: &str = "4000000000003063";
const DAY: i64 = 24 * 3_600;

/// Creates an order with two invoices under one reference: the answer to the first request was lost, but its page is open, as after
/// restoring an older copy of the database. All reports are dropped. Returns the order, the old page and the new one.
pub async fn order_with_two_invoices(app: &TestApp, person: &Person) -> (Value, String, String) {
    person.add(PaymentKind::RegistryPayment).await;
    two_invoices(app, person).await
}

/// The same of the payments in the cart.
async fn two_invoices(app: &TestApp, person: &Person) -> (Value, String, String) {
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

/// The acquirer does not know the invoices that the next calls name.
fn unknown(path: &str, calls: u32) -> Fault {
    let mut fault = acquirer_fault(FaultKind::Refuse, path);
    (fault.calls, fault.code) = (calls, Some("NOT_FOUND".to_owned()));
    fault
}

/// Gives all money of the first order back, as the support does.
async fn refund_whole(app: &TestApp) -> Result<RefundState, DeskError> {
    give_back(app, RefundWish::Whole).await
}

async fn give_back(app: &TestApp, wish: RefundWish) -> Result<RefundState, DeskError> {
    let asked = RefundOrder {
        number: 100_001,
        wish: RefundOrderWish::Ask(wish),
        reason: OperatorReason::parse("Клієнт відмовився").unwrap(),
    };
    let desk = app.services().order_actions(app.recorder());
    desk.refund(&asked).await.map(|given| given.state)
}

/// Asks for a page of an order that can be paid now, and pays there.
async fn pay_anew(app: &TestApp, person: &Person, order: &Value) {
    let link = format!("/order/{}/update/pay-link", order["id"].as_str().unwrap());
    let fresh = person.get(&link).await.ok()["widget_url"].clone();
    assert_eq!(
        app.outside().pay(fresh.as_str().unwrap(), PAYS).await,
        "success"
    );
    person.until(order, "paid").await;
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

    async fn a_page_that_was_shown_to_nobody_and_is_not_known_bars_no_refund(app: TestApp) {
        app.restart_with(|settings| settings.page_hosts = Some(vec!["pay.example".to_owned()])).await;
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        assert_eq!(order["status"], "failed");
        app.restart_with(|settings| settings.page_hosts = None).await;
        pay_anew(&app, &olena, &order).await;
        app.outside().faults(&[unknown("invoice/status", 1)]).await;
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        ends_with(&app, 0).await;
    }

    async fn a_charge_that_was_given_up_is_looked_for_also_where_its_invoice_is_not_known(app: TestApp) {
        let olena = app.notary("olena").await;
        let body = card_order_of(&olena, CHALLENGED).await;
        let order = olena.create_order(&olena.fresh_key(), &body).await.ok()["order"].clone();
        // Nothing was charged, so the statement lacks it.
        let behind = acquirer_fault(FaultKind::Behind, "statement");
        for seconds in [DAY + 61, 61, 61, 61] {
            app.outside().faults(&[unknown("invoice/status", 1), behind.clone(), no_reports()]).await;
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["failure"], "payment_no_trace");
        app.outside().faults(&[]).await;
        pay_anew(&app, &olena, &order).await;
        app.outside().faults(&[unknown("invoice/status", 1), behind]).await;
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        ends_with(&app, 0).await;
    }

    async fn a_refund_says_until_when_a_page_that_is_not_known_bars_it(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, old, fresh) = order_with_two_invoices(&app, &olena).await;
        app.outside().faults(&[]).await;
        app.outside().pay(&old, DECLINED).await;
        let strays = "select count(*) from attempts where acquirer_status = 'failure'";
        app.wait_for_number(strays, 1).await;
        let forgets = [unknown("invoice/remove", 9), unknown("invoice/status", 9)];
        assert_eq!(app.outside().pay(&fresh, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.outside().faults(&forgets).await;
        let Err(DeskError::NotRefunded(why)) = refund_whole(&app).await else {
            panic!("given back beside a page that may be paid")
        };
        // The page lives a day, and a day after that it may be forgotten.
        assert!(why.contains("is not certain before 04.03.2026"), "{why}");
        for seconds in [2 * DAY + 120, 61] {
            app.outside().faults(&forgets).await;
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        app.outside().faults(&[]).await;
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "refunded");
        ends_with(&app, 0).await;
    }

    async fn a_page_that_is_proved_over_is_left_also_where_its_acquirer_cannot_be_asked(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        for seconds in [2 * DAY + 120, 61] {
            app.outside().faults(&[unknown("invoice/status", 1)]).await;
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "expired");
        let silent = |path: &str| acquirer_fault(FaultKind::Status500, path);
        app.outside().faults(&[silent("invoice/remove"), silent("invoice/status")]).await;
        pay_anew(&app, &olena, &order).await;
        // The state of the old page comes first.
        app.outside().faults(&[silent("invoice/status")]).await;
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        ends_with(&app, 0).await;
    }

    async fn what_a_whole_refund_kept_back_is_sent_once_another_charge_pays(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let (order, old, fresh) = two_invoices(&app, &olena).await;
        pay(&app, &old).await;
        // One part comes back and is marked as given back by hand, so the refund of the rest leaves the charge standing.
        let parts = crate::returns::transfers(&olena, &order).await;
        let id = parts.iter().find(|one| one["role"] == "recipient").unwrap()["id"].as_str().unwrap();
        import(&app, &format!("transfer_id,status\n{id},sent\n"), None).await.unwrap();
        let part = returned(&app, &olena, &order, "recipient").await;
        olena.post(&format!("/order/transfer/{id}/refund"), json!({})).await.ok();
        let (services, id) = (app.services(), TransferId::parse(part["id"].as_str().unwrap()).unwrap());
        services.operator.card_refunds().mark(id, "операція 77", services.now()).await.unwrap();
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        let kept = "select count(*) from transfers where status = 'planned' and refund_id is not null".to_owned();
        assert_eq!(app.number(kept.clone()).await, 1);
        pay(&app, &fresh).await;
        assert_eq!((event_count(&app, "charged_twice").await, app.number(kept.clone()).await), (1, 1), "the first charge counts");
        // A person has looked at the rest that was open.
        app.execute("update alarms set closed_at = last_at, note = 'Вирішено'".to_owned()).await;
        app.outside().refund_part(&old, 13_200).await;
        compare_statement(&app).await;
        assert_eq!((olena.order(&order).await["status"].clone(), app.number(kept).await), (json!("paid"), 0));
        assert_eq!(transfers(&app, "planned").await, 1);
        // The other charge has brought the part again that is marked as given back.
        let contradicted = "select count(*) from alarms where kind = 'refund_contradicted' and closed_at is null".to_owned();
        assert_eq!(app.number(contradicted).await, 1);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_part_that_the_paying_charge_gave_back_by_hand_was_not_brought_again(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let (order, old, fresh) = two_invoices(&app, &olena).await;
        pay(&app, &old).await;
        let parts = crate::returns::transfers(&olena, &order).await;
        let part = parts.iter().find(|one| one["role"] == "recipient").unwrap();
        let (id, sum) = (part["id"].as_str().unwrap(), part["amount"].as_i64().unwrap() * 100);
        import(&app, &format!("transfer_id,status\n{id},sent\n"), None).await.unwrap();
        returned(&app, &olena, &order, "recipient").await;
        olena.post(&format!("/order/transfer/{id}/refund"), json!({})).await.ok();
        // The clerk gives it back of the charge that pays, and says so.
        app.outside().refund_part(&old, sum).await;
        compare_statement(&app).await;
        let services = app.services();
        services.operator.card_refunds().mark(TransferId::parse(id).unwrap(), "операція 77", services.now()).await.unwrap();
        pay(&app, &fresh).await;
        assert_eq!(event_count(&app, "charged_twice").await, 1);
        refund(&app, &fresh).await;
        assert_eq!((olena.order(&order).await["status"].clone(), event_count(&app, "duplicate_refunded").await), (json!("paid"), 1));
        assert_eq!(app.number("select count(*) from alarms where kind = 'refund_contradicted'".to_owned()).await, 0);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn a_part_of_a_charge_that_is_given_back_whole_as_the_second_one_is_given_back_once_more(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let (order, old, fresh) = two_invoices(&app, &olena).await;
        pay(&app, &old).await;
        let parts = crate::returns::transfers(&olena, &order).await;
        let document = parts.iter().find(|one| one["role"] == "recipient").unwrap()["document_number"].as_i64().unwrap();
        assert_eq!(give_back(&app, RefundWish::Transfer(document)).await.unwrap(), RefundState::Done);
        pay(&app, &fresh).await;
        let contradicted = "select count(*) from alarms where kind = 'refund_contradicted' and closed_at is null".to_owned();
        assert_eq!(app.number(contradicted.clone()).await, 0);
        app.outside().refund_part(&old, 21_800).await;
        compare_statement(&app).await;
        assert_eq!((olena.order(&order).await["status"].clone(), app.number(contradicted).await), (json!("paid"), 1));
        assert_eq!((transfers(&app, "called_off").await, transfers(&app, "planned").await), (1, 1));
        // A person has looked at it. The part is the client's, and nobody else's.
        app.execute("update alarms set closed_at = last_at, note = 'Вирішено'".to_owned()).await;
        let part = |kopiykas| RefundWish::Sum { amount: Money::from_kopiykas(kopiykas).unwrap(), is_again: false };
        assert!(give_back(&app, part(13_200 + 2_001)).await.is_err(), "no more than the part and the commission");
        assert_eq!(give_back(&app, part(13_200)).await.unwrap(), RefundState::Done);
        assert_eq!(transfers(&app, "planned").await, 1);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn returned_parts_are_decided_about_where_an_emptied_charge_stands_beside_the_one_that_pays(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        olena.add(PaymentKind::AdminPayment).await;
        let (order, old, fresh) = two_invoices(&app, &olena).await;
        // Of the earlier charge nobody hears until the statement is compared.
        for page in [&old, &fresh] {
            assert_eq!(app.outside().pay(page, PAYS).await, "success");
            app.clock().advance_seconds(61);
        }
        app.work().await;
        import(&app, &list(&app).await, Some(TransferStatus::Sent)).await.unwrap();
        let id = |part: &Value| part["id"].as_str().unwrap().to_owned();
        let sent = crate::returns::transfers(&olena, &order).await;
        let back: String = sent.iter().map(|part| format!("{},returned,Рахунок закрито\n", id(part))).collect();
        import(&app, &format!("transfer_id,status,reason\n{back}"), None).await.unwrap();
        let parts = crate::returns::transfers(&olena, &order).await;
        let ask_back = |part: &Value| format!("/order/transfer/{}/refund", id(part));
        let services = app.services();
        let mark = |part: &Value| {
            let (id, refunds) = (TransferId::parse(&id(part)).unwrap(), services.operator.card_refunds());
            let now = services.now();
            async move { refunds.mark(id, "операція 77", now).await }
        };
        // One part is given back by hand, so the refund of the rest leaves the charge standing.
        olena.post(&ask_back(&parts[0]), json!({})).await.ok();
        mark(&parts[0]).await.unwrap();
        assert_eq!(refund_whole(&app).await.unwrap(), RefundState::Done);
        olena.post(&resend_path(&parts[1]), requisites(&parts[1])).await.refused(409, "part_given_back");
        olena.post(&ask_back(&parts[2]), json!({})).await.refused(409, "part_decided");
        compare_statement(&app).await;
        assert_eq!((olena.order(&order).await["status"].clone(), event_count(&app, "charged_twice").await), (json!("paid"), 1));
        olena.post(&resend_path(&parts[1]), requisites(&parts[1])).await.ok();
        olena.post(&ask_back(&parts[2]), json!({})).await.ok();
        assert_eq!(services.operator.card_refunds().open().await.unwrap().len(), 1);
        mark(&parts[2]).await.unwrap();
        app.check_invariants().await;
        app.skip_final_check();
    }
}
