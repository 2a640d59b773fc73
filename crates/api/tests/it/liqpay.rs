//! LiqPay as a second acquirer: its page, its callbacks, refunds there, and when it is asked in place of monobank.

use axum::http::Method;
use cabinet_app::operator::support_desk::{DeskError, RefundOrder, RefundOrderWish};
use cabinet_domain::payment::{AcquirerName, KnownPart, RefundState, RefundWish};
use cabinet_domain::{
    AccountLimits, Count, Money, NotaryId, OperatorReason, TransferId, TransferStatus,
};
use cabinet_gateways::acquirer::{
    Acquirer as _, InvoiceId, InvoiceKind, InvoiceLine, InvoiceRequest, PaymentMarks,
    PaymentReference, RefundReference, RefundRequest,
};
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_test_kit::{
    Answer, Fault, FaultKind, FaultService, LedgerKind, PaymentKind, Person, TestApp,
    on_both_databases,
};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::acquirer_faults::{acquirer_fault, event_count, no_reports};
use crate::client_link::link;
use crate::returns::returned;
use crate::transfers::{ids, import, list};

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

/// Starts with LiqPay alone, with these limits.
async fn with_liqpay_and_limits(app: &TestApp, limits: AccountLimits) {
    app.restart_with(|settings| {
        settings.acquirers = vec![AcquirerName::LiqPay];
        settings.app.account_limits = limits;
    })
    .await;
}

/// Has a card declined on a page of an order.
async fn decline(app: &TestApp, person: &Person, order: &Value, page: &str) {
    let declines = "select count(*) from attempts where acquirer_status = 'failure'".to_owned();
    let before = app.number(declines.clone()).await;
    assert_eq!(pay_there(app, page, DECLINED).await, "failure");
    app.wait_for_number(&declines, before + 1).await;
    person.until(order, "failed").await;
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

/// LiqPay as another program of the same shop calls it.
fn liqpay_of(app: &TestApp) -> LiqPay {
    let outside = app.outside();
    let (key, private) = (
        outside.settings.liqpay_public_key.clone(),
        outside.settings.liqpay_private_key.clone(),
    );
    let address = BaseUrl::parse(&outside.url).unwrap();
    let settings = LiqPaySettings::new(address, key, SecretString::from(private));
    LiqPay::new(settings).unwrap()
}

/// Gives money back as LiqPay's clerk does, without the cabinet.
async fn give_back_at_liqpay(app: &TestApp, invoice: &str, kopiykas: i64) {
    let request = RefundRequest {
        invoice: InvoiceId::parse(invoice).unwrap(),
        refund_reference: RefundReference::parse("clerk").unwrap(),
        amount: Money::from_kopiykas(kopiykas).unwrap(),
    };
    liqpay_of(app).refund(&request).await.unwrap();
}

/// Pays on the page of an order that a restored copy does not know: number 100777 of a notary.
async fn pay_forgotten_order(app: &TestApp, notary: NotaryId) {
    let request = InvoiceRequest {
        payment_reference: PaymentReference::parse("0190f0c2-5a1e-7c3d-9f00-4c1f4f1d2a77").unwrap(),
        amount: Money::from_kopiykas(4_200).unwrap(),
        destination: "Збір".to_owned(),
        redirect_url: app.public_url().to_owned(),
        report_url: format!("{}/api/acquirer/report/liqpay", app.public_url()),
        asked_at: app.clock().shows(),
        validity_seconds: 3_600,
        lines: vec![InvoiceLine {
            name: "Збір".to_owned(),
            code: "1".to_owned(),
            quantity: Count::new(1).unwrap(),
            unit_amount: Money::from_kopiykas(4_200).unwrap(),
            split_receiver: None,
        }],
        kind: InvoiceKind::Debit,
        in_frame: false,
        marks: Some(PaymentMarks {
            order_number: 100_777,
            notary,
        }),
    };
    let page = liqpay_of(app).create_invoice(&request).await.unwrap();
    pay_there(app, &page.page_url, PAYS).await;
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

/// Gives money of the first order back, as the support does.
pub(crate) async fn refund(app: &TestApp, wish: RefundWish) -> RefundState {
    support(app, RefundOrderWish::Ask(wish)).await
}

/// Says that LiqPay gave a part of the commission back without our asking.
async fn record(app: &TestApp, kopiykas: i64) -> RefundState {
    let part = KnownPart::Sum(Money::from_kopiykas(kopiykas).unwrap());
    support(app, RefundOrderWish::Record(part)).await
}

fn part_of(kopiykas: i64) -> RefundWish {
    RefundWish::Sum {
        amount: Money::from_kopiykas(kopiykas).unwrap(),
        is_again: true,
    }
}

async fn close_alarms(app: &TestApp) {
    app.execute("update alarms set closed_at = last_at, note = 'Вирішено'".to_owned())
        .await;
}

/// An order that was paid at LiqPay, and the id of its payment there.
async fn paid_at_liqpay(app: &TestApp) -> String {
    with_liqpay(app).await;
    let olena = app.notary("olena").await;
    let order = new_order(&olena).await;
    pay_there(app, page_of(&order), PAYS).await;
    olena.until(&order, "paid").await;
    app.outside().ledger().remove(0).invoice_id
}

/// The open alarms about refunds that contradict what was known.
async fn contradicted(app: &TestApp) -> i64 {
    let sql =
        "select count(*) from alarms where kind = 'refund_contradicted' and closed_at is null";
    app.number(sql.to_owned()).await
}

/// Loses at LiqPay what a refund of the transfer, or of a sum, comes on top of, has as much given back there by hand, and waits until the
/// refund is given up. `is_closed_before`: the alarm about what was lost is closed by then. Returns the document of the transfer.
async fn lost_and_made_good(app: &TestApp, sum: Option<i64>, is_closed_before: bool) -> i64 {
    let invoice = paid_at_liqpay(app).await;
    give_back_at_liqpay(app, &invoice, 50).await;
    let in_part = "select count(*) from alarms where kind = 'refunded_in_part'";
    app.wait_for_number(in_part, 1).await;
    close_alarms(app).await;
    let of_transfer = |column: &str| app.number(format!("select {column} from transfers"));
    let document = of_transfer("document_number").await;
    let amount = of_transfer("amount").await;
    let of_transfer = (RefundWish::Transfer(document), amount);
    let (wish, amount) = sum.map_or(of_transfer, |sum| (part_of(sum), sum));
    let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
    asked.delay_ms = Some(1);
    let mut lost = Fault::new(FaultService::LiqPay, FaultKind::Reset);
    lost.effect = Some(false);
    app.outside().faults(&[asked, lost]).await;
    assert_eq!(refund(app, wish).await, RefundState::Submitted);
    // As if LiqPay had told of as much more before, which it has lost.
    let before = 50 + amount;
    app.execute(format!("update attempts set refunded = {before}, acquirer_modified_at = acquirer_modified_at - 1000000")).await;
    app.execute(format!("update refunds set given_back_before = {before}"))
        .await;
    let pass = async |seconds| {
        app.clock().advance_seconds(seconds);
        app.work().await;
    };
    pass(61).await;
    assert_eq!(contradicted(app).await, 1);
    // The support gives back there what the refund is of, and LiqPay tells as much as before.
    give_back_at_liqpay(app, &invoice, amount).await;
    if is_closed_before {
        close_alarms(app).await;
    }
    for seconds in [61, 25 * 3_600, 61] {
        pass(seconds).await;
    }
    let given_up = "select count(*) from refunds where state = 'refused' and code = 'no_trace'";
    assert_eq!(app.number(given_up.to_owned()).await, 1);
    document
}

async fn support(app: &TestApp, wish: RefundOrderWish) -> RefundState {
    asked_of_support(app, wish).await.unwrap()
}

async fn asked_of_support(app: &TestApp, wish: RefundOrderWish) -> Result<RefundState, DeskError> {
    let asked = RefundOrder {
        number: 100_001,
        wish,
        reason: OperatorReason::parse("Клієнт відмовився").unwrap(),
    };
    let desk = app.services().order_actions(app.recorder());
    desk.refund(&asked).await.map(|given| given.state)
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

    async fn whoever_holds_the_link_of_one_client_stops_no_other_payment(app: TestApp) {
        let limits = AccountLimits { declines_hourly_max: 3, ..AccountLimits::default() };
        with_liqpay_and_limits(&app, limits).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        let path = link(&olena, &order).await;
        let client = app.anonymous();
        let press = || client.page_call(&format!("{path}/card")).form("").send();
        for _ in 0..3 {
            let to_bank = press().await;
            decline(&app, &olena, &order, to_bank.header("location")).await;
        }
        // The order has had as many as a whole account may have.
        assert_eq!(press().await.status, 409);
        let refused = pay_link(&olena, &order).await;
        refused.refused(429, "too_many_declines");
        let wait: i64 = refused.header("retry-after").parse().unwrap();
        assert!((3_500..=3_600).contains(&wait), "{wait}");
        // Two of them count for the account, and one of another order is the third.
        let other = new_order(&olena).await;
        decline(&app, &olena, &other, page_of(&other)).await;
        pay_link(&olena, &other).await.refused(429, "too_many_declines");
        olena.add(PaymentKind::RegistryPayment).await;
        let body = olena.order_body().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(429, "too_many_declines");
        app.finish_and_check().await;
    }

    async fn after_ten_declines_an_order_waits_for_its_hour(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        for _ in 0..10 {
            let page = pay_link(&olena, &order).await.ok()["widget_url"].clone();
            decline(&app, &olena, &order, page.as_str().unwrap()).await;
        }
        let refused = pay_link(&olena, &order).await;
        refused.refused(429, "too_many_declines");
        let other = new_order(&olena).await;
        assert_eq!(pay_there(&app, page_of(&other), PAYS).await, "success");
        olena.until(&other, "paid").await;
        app.clock().advance_seconds(refused.header("retry-after").parse().unwrap());
        olena.log_in().await;
        pay_link(&olena, &order).await.ok();
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
        app.clock().advance_seconds(61);
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

    async fn one_answer_whose_date_is_ahead_ends_no_page(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        let first = page_of(&order).to_owned();
        let mut ahead = Fault::new(FaultService::LiqPay, FaultKind::WrongDate);
        (ahead.delay_ms, ahead.calls) = (Some(62 * 60_000), 2);
        app.outside().faults(&[ahead]).await;
        for _ in 0..2 {
            app.clock().advance_seconds(61);
            app.work().await;
        }
        assert_eq!(olena.order(&order).await["status"], "pending");
        assert_eq!(app.number("select count(*) from alarms where kind = 'clocks_differ' and subject = 'installation'".to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from alarms".to_owned()).await, 1);
        let again = pay_link(&olena, &order).await.ok();
        assert_eq!(again["widget_url"], first.as_str(), "the old page is still payable");
        assert_eq!(pay_there(&app, &first, PAYS).await, "success");
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn after_its_hour_an_unpaid_order_is_cancelled(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.clock().advance_seconds(AFTER_THE_PAGE);
        olena.log_in().await;
        let id = order["id"].as_str().unwrap();
        let path = format!("/order/{id}/cancel");
        let cancel = || olena.post(&path, json!({"return_items": true}));
        assert_eq!(cancel().await.status, 409, "one answer proves nothing");
        app.clock().advance_seconds(61);
        assert_eq!(cancel().await.ok()["order"]["failure"], "order_cancelled");
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

    async fn the_archive_tells_what_no_callback_told(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let (paid, refunded) = (new_order(&olena).await, new_order(&olena).await);
        pay_there(&app, page_of(&refunded), PAYS).await;
        olena.until(&refunded, "paid").await;
        app.outside().faults(&[no_reports()]).await;
        let form = app.outside().open_liqpay(page_of(&paid)).await.unwrap();
        app.outside().pay(&form, PAYS).await;
        let charged = app.outside().ledger().remove(0);
        give_back_at_liqpay(&app, &charged.invoice_id, charged.amount).await;
        app.clock().advance_seconds(60);
        let services = app.services();
        let since = services.now() - jiff::SignedDuration::from_hours(24);
        let found = services.reconciliation.compare_since(since).await.unwrap();
        assert_eq!((found.made_good, found.unknown, found.lacking), (2, 0, 0));
        assert_eq!(olena.order(&paid).await["status"], "paid");
        assert_eq!(olena.order(&refunded).await["status"], "refunded");
        assert_eq!(app.number("select count(*) from alarms".to_owned()).await, 0);
        app.finish_and_check().await;
    }

    async fn an_archive_that_cannot_be_had_keeps_no_statement_from_being_compared(app: TestApp) {
        with_both(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.outside().faults(&[no_reports()]).await;
        app.outside().pay(page_of(&order), PAYS).await;
        let mut broken = Fault::new(FaultService::LiqPay, FaultKind::Status500);
        broken.calls = 100;
        app.outside().faults(&[broken, no_reports()]).await;
        // A statement is read in pieces, the newest first.
        app.clock().advance_seconds(20 * 3_600);
        let services = app.services();
        let since = services.now() - jiff::SignedDuration::from_hours(21);
        assert!(services.reconciliation.compare_since(since).await.is_err());
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(app.number("select count(*) from alarms where kind = 'statement_not_compared'".to_owned()).await, 1);
        app.outside().faults(&[]).await;
        services.reconciliation.compare_since(since).await.unwrap();
        app.skip_final_check();
    }

    async fn an_archive_that_fails_for_days_keeps_no_older_day_from_being_compared(app: TestApp) {
        with_both(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.outside().faults(&[no_reports()]).await;
        app.outside().pay(page_of(&order), PAYS).await;
        let mut broken = Fault::new(FaultService::LiqPay, FaultKind::Status500);
        broken.calls = 1_000;
        app.outside().faults(&[broken, no_reports()]).await;
        app.clock().advance_seconds(5 * 24 * 3_600);
        assert!(app.services().reconciliation.compare_due_days().await.is_err());
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["status"], "paid");
        app.outside().faults(&[]).await;
        app.skip_final_check();
    }

    async fn an_archive_names_the_order_that_a_copy_has_lost(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        app.outside().faults(&[no_reports()]).await;
        pay_forgotten_order(&app, olena.id()).await;
        app.clock().advance_seconds(60);
        let services = app.services();
        let since = services.now() - jiff::SignedDuration::from_hours(24);
        let found = services.reconciliation.compare_since(since).await.unwrap();
        assert_eq!(found.unknown, 1);
        let told = format!("order 100777 of notary {}", olena.id());
        let sql = format!("select count(*) from alarms where kind = 'statement_unknown_payment' and detail like '%{told}%'");
        assert_eq!(app.number(sql).await, 1);
        app.skip_final_check();
    }

    async fn the_address_of_our_own_page_is_no_callback(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        let (_, form) = page_of(&order).split_once('?').unwrap();
        for more in ["", "&x=1", "&x=2"] {
            assert_eq!(call_back(&app, format!("{form}{more}").as_bytes()).await, 403);
        }
        assert_eq!((app.rows("acquirer_reports").await, app.rows("alarms").await), (0, 0));
        app.finish_and_check().await;
    }

    async fn a_callback_of_a_payment_that_no_order_answers_for_is_told_once(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        app.keep_reports();
        pay_forgotten_order(&app, olena.id()).await;
        let reports = app.kept_reports(2).await;
        let reports = &reports[1..];
        for _ in 0..2 {
            assert_eq!(call_back(&app, &reports[0].body).await, 200);
        }
        assert_eq!(app.number("select count(*) from alarms where kind = 'statement_unknown_payment' and closed_at is null".to_owned()).await, 1);
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

    async fn a_part_that_a_clerk_gave_back_before_leaves_the_end_of_ours_certain(app: TestApp) {
        let invoice = paid_at_liqpay(&app).await;
        give_back_at_liqpay(&app, &invoice, 50).await;
        app.wait_for_number("select count(*) from alarms where kind = 'refunded_in_part'", 1).await;
        close_alarms(&app).await;
        assert_eq!(refund(&app, part_of(100)).await, RefundState::Done);
        // One that got lost is ruled out, after a day.
        let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
        asked.delay_ms = Some(1);
        let mut lost = Fault::new(FaultService::LiqPay, FaultKind::Reset);
        lost.effect = Some(false);
        app.outside().faults(&[asked, lost]).await;
        assert_eq!(refund(&app, part_of(100)).await, RefundState::Submitted);
        for seconds in [25 * 3_600, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        assert_eq!(app.number("select count(*) from refunds where state = 'refused'".to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from alarms where kind = 'refunded_in_part' and closed_at is null".to_owned()).await, 0);
        assert_eq!(record(&app, 50).await, RefundState::Done);
        app.finish_and_check().await;
    }

    async fn a_part_that_a_clerk_gave_back_beside_ours_is_said_by_the_support(app: TestApp) {
        let invoice = paid_at_liqpay(&app).await;
        let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
        asked.delay_ms = Some(1);
        let lost = Fault::new(FaultService::LiqPay, FaultKind::Reset);
        app.outside().faults(&[asked, lost, no_reports()]).await;
        assert_eq!(refund(&app, part_of(100)).await, RefundState::Submitted);
        give_back_at_liqpay(&app, &invoice, 50).await;
        app.clock().advance_seconds(61);
        app.work().await;
        assert_eq!(app.number("select count(*) from alarms where kind = 'refunded_in_part' and closed_at is null".to_owned()).await, 1);
        assert_eq!(app.number("select count(*) from refunds where state = 'submitted'".to_owned()).await, 1);
        assert_eq!(record(&app, 50).await, RefundState::Done);
        app.work().await;
        assert_eq!(app.number("select count(*) from refunds where state = 'done'".to_owned()).await, 2);
        close_alarms(&app).await;
        app.finish_and_check().await;
    }

    async fn what_is_missing_after_liqpay_told_less_is_not_given_back_twice(app: TestApp) {
        let invoice = paid_at_liqpay(&app).await;
        assert_eq!(refund(&app, part_of(100)).await, RefundState::Done);
        // As if LiqPay had told more a second before.
        app.execute("update attempts set refunded = 140, acquirer_modified_at = acquirer_modified_at - 1000000".to_owned()).await;
        let refusal = |is_again: bool| {
            let wish = RefundWish::Sum { amount: Money::from_kopiykas(40).unwrap(), is_again };
            let asked = asked_of_support(&app, RefundOrderWish::Ask(wish));
            async move { asked.await.unwrap_err().to_string() }
        };
        let contradicted = "select count(*) from alarms where kind = 'refund_contradicted' and closed_at is null".to_owned();
        let told = refusal(true).await;
        assert!(told.contains("tells 1.00 UAH given back, and told 1.40 UAH before"), "{told}");
        assert_eq!(app.number(contradicted).await, 1);
        close_alarms(&app).await;
        assert!(refusal(true).await.contains("tells 1.00 UAH"), "its end could not be told");
        // The support gives it back in the cabinet of LiqPay, and somebody asks for it here, too.
        give_back_at_liqpay(&app, &invoice, 40).await;
        assert!(refusal(false).await.contains("add --again"));
        let given = || app.outside().ledger().iter().filter(|line| line.kind == LedgerKind::Refund).map(|line| line.amount).collect::<Vec<i64>>();
        assert_eq!(given(), [100, 40]);
        assert_eq!(refund(&app, part_of(40)).await, RefundState::Done);
        assert_eq!(given(), [100, 40, 40]);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn an_answer_of_liqpay_without_a_sum_is_no_reason_to_give_anything_back(app: TestApp) {
        paid_at_liqpay(&app).await;
        // As if it had told of a refund a second before. Now it names none.
        app.execute("update attempts set refunded = 140, acquirer_modified_at = acquirer_modified_at - 1000000".to_owned()).await;
        for is_again in [false, true] {
            let wish = RefundWish::Sum { amount: Money::from_kopiykas(40).unwrap(), is_again };
            let told = asked_of_support(&app, RefundOrderWish::Ask(wish)).await.unwrap_err().to_string();
            assert!(told.contains("does not tell") && !told.contains("given back, and told"), "{told}");
        }
        assert_eq!(app.rows("refunds").await, 0);
        assert_eq!(app.number("select count(*) from alarms where kind = 'refund_contradicted'".to_owned()).await, 0);
        app.execute("update attempts set refunded = 0".to_owned()).await;
        app.finish_and_check().await;
    }

    async fn an_absence_lets_no_transfer_go_whose_refund_may_have_been_made_good(app: TestApp) {
        let document = lost_and_made_good(&app, None, true).await;
        assert_eq!((contradicted(&app).await, ids(&list(&app).await).len()), (1, 0));
        // A person says what it was.
        close_alarms(&app).await;
        assert_eq!(ids(&list(&app).await).len(), 1);
        assert_eq!(support(&app, RefundOrderWish::Record(KnownPart::Transfer(document))).await, RefundState::Done);
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn an_absence_lets_no_transfer_go_when_the_alarm_of_before_is_closed_after_it(app: TestApp) {
        let document = lost_and_made_good(&app, None, false).await;
        assert_eq!((contradicted(&app).await, ids(&list(&app).await).len()), (2, 0));
        // The runbook of the first says to record nothing.
        app.execute("update alarms set closed_at = last_at, note = 'Вирішено' where subject like 'attempt:%'".to_owned()).await;
        assert_eq!((contradicted(&app).await, ids(&list(&app).await).len()), (1, 0));
        close_alarms(&app).await;
        assert_eq!(support(&app, RefundOrderWish::Record(KnownPart::Transfer(document))).await, RefundState::Done);
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn the_absence_of_a_sum_for_which_no_transfer_waits_calls_nobody_again(app: TestApp) {
        lost_and_made_good(&app, Some(100), true).await;
        assert_eq!((contradicted(&app).await, ids(&list(&app).await).len()), (0, 1));
        app.check_invariants().await;
        app.skip_final_check();
    }

    async fn no_part_is_marked_by_hand_beside_a_refund_that_the_sum_tells_of(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        pay_there(&app, page_of(&order), PAYS).await;
        let order = olena.until(&order, "paid").await;
        let planned = list(&app).await;
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        let part = returned(&app, &olena, &order, "recipient").await;
        let id = part["id"].as_str().unwrap();
        olena.post(&format!("/order/transfer/{id}/refund"), json!({})).await.ok();
        let mut asked = Fault::new(FaultService::LiqPay, FaultKind::Delay);
        asked.delay_ms = Some(1);
        let mut lost = Fault::new(FaultService::LiqPay, FaultKind::Reset);
        lost.effect = Some(false);
        app.outside().faults(&[asked, lost]).await;
        assert_eq!(refund(&app, part_of(100)).await, RefundState::Submitted);
        let id = TransferId::parse(id).unwrap();
        let mark = || async { app.services().operator.card_refunds().mark(id, "операція 77", app.services().now()).await };
        let told = mark().await.unwrap_err().to_string();
        assert!(told.contains("cabinet order refund 100001 --transfer") && told.contains("--already-given-back"), "{told}");
        for seconds in [25 * 3_600, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        assert_eq!(app.number("select count(*) from refunds where state = 'refused'".to_owned()).await, 1);
        let invoice = app.outside().ledger().remove(0).invoice_id;
        give_back_at_liqpay(&app, &invoice, part["amount"].as_i64().unwrap() * 100).await;
        mark().await.unwrap();
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

    async fn an_old_page_elsewhere_keeps_no_payment_from_being_given_back(app: TestApp) {
        with_liqpay(&app).await;
        let olena = app.notary("olena").await;
        let order = new_order(&olena).await;
        app.clock().advance_seconds(AFTER_THE_PAGE);
        app.work().await;
        app.clock().advance_seconds(61);
        app.work().await;
        olena.log_in().await;
        with(&app, &[AcquirerName::Monobank]).await;
        let fresh = pay_link(&olena, &order).await.ok()["widget_url"].as_str().unwrap().to_owned();
        assert!(!is_liqpay(&fresh));
        app.outside().pay(&fresh, PAYS).await;
        olena.until(&order, "paid").await;
        // LiqPay said that nobody can pay there any more. Now it can't be asked.
        let mut away = Fault::new(FaultService::LiqPay, FaultKind::Status500);
        away.calls = 1;
        app.outside().faults(&[away]).await;
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

    async fn each_statement_is_compared_with_what_its_acquirer_charged(app: TestApp) {
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
        assert_eq!((found.agreeing, found.lacking), (2, 0));
        app.finish_and_check().await;
    }
}
