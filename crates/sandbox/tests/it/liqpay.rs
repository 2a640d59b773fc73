//! LiqPay, by the cabinet's adapter: page, states, refunds, callbacks, refusals.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::time::Duration;

use crate::support::{self, World, money, reference, world};
use cabinet_gateways::acquirer::{
    Acquirer as _, AcquirerError, Invoice, InvoiceRequest, InvoiceState, InvoiceStatus,
    RefundAnswer, RefundReference, RefundRequest,
};
use serde_json::json;

async fn page(world: &World, name: &str) -> Invoice {
    let request = world.invoice_request(name, 32_550);
    world.liqpay.create_invoice(&request).await.unwrap()
}

/// Opens a page as a browser does. Returns where it leads.
async fn open(world: &World, page: &Invoice) -> (u16, String) {
    let answer = world.client().get(&page.page_url).send().await.unwrap();
    let to = answer.headers().get("location");
    let to = to.map_or_else(String::new, |to| to.to_str().unwrap().to_owned());
    (answer.status().as_u16(), to)
}

/// Sends the card form of a page. Returns where it leads.
async fn submit(world: &World, page: &Invoice, card: &str) -> String {
    let form = [("card", card), ("expiry", "12/30"), ("cvv", "123")];
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish();
    let answer = world
        .client()
        .post(format!("{}/pay/{}", world.url, page.id))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(body)
        .send()
        .await
        .unwrap();
    let to = answer.headers()["location"].to_str().unwrap();
    to.to_owned()
}

async fn state(world: &World, page: &Invoice) -> Result<InvoiceState, AcquirerError> {
    world.liqpay.invoice_status(&page.id).await
}

fn is_unknown(told: &Result<InvoiceState, AcquirerError>) -> bool {
    told.as_ref().is_err_and(AcquirerError::is_unknown)
}

#[tokio::test]
async fn a_page_is_unknown_until_somebody_pays_there_and_then_leads_back_to_the_shop() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    assert!(is_unknown(&state(&world, &page).await));
    let (status, to) = open(&world, &page).await;
    assert_eq!((status, to.as_str()), (303, "/pay/r-1"));
    assert!(is_unknown(&state(&world, &page).await));
    let back = submit(&world, &page, "4242424242424242").await;
    assert_eq!(back, format!("{}/order/r-1", world.merchant.url));
    let paid = state(&world, &page).await.unwrap();
    assert_eq!(paid.status, InvoiceStatus::Success);
    assert_eq!(paid.amount, money(32_550));
    let payment = paid.payment.unwrap();
    assert_eq!(payment.masked_pan.unwrap().as_str(), "424242*42");
    assert_eq!(payment.fee, Some(money(423)));
    assert!(payment.rrn.is_some() && payment.approval_code.is_some());
    let ledger = world.ledger().await;
    assert_eq!(ledger.len(), 1);
    assert_eq!(
        (ledger[0].reference.as_str(), ledger[0].amount),
        ("r-1", 32_550)
    );
    // Opened again, it takes nothing more.
    open(&world, &page).await;
    assert_eq!(submit(&world, &page, "4242424242424242").await, "/pay/r-1");
    assert_eq!(world.ledger().await.len(), 1);
    // The other acquirer knows nothing of it.
    let elsewhere = world.acquirer.invoice_status(&page.id).await;
    assert!(is_unknown(&elsewhere));
}

#[tokio::test]
async fn each_change_is_called_back_with_a_signature_over_the_form() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    open(&world, &page).await;
    submit(&world, &page, "4242424242424242").await;
    let taken = world.merchant.wait_for(2).await;
    let mut statuses = Vec::new();
    for report in &taken {
        assert_eq!(
            (report.path.as_str(), report.signature()),
            ("/report", None)
        );
        let told = world.liqpay.verify_report(None, &report.body).await;
        statuses.push(told.unwrap().status);
    }
    assert_eq!(
        statuses,
        [InvoiceStatus::Processing, InvoiceStatus::Success]
    );
}

#[tokio::test]
async fn faults_of_callbacks_are_forged_or_falsified_ones() {
    let world = world().await;
    let mut count = 0;
    for (kind, name) in [
        ("forge", "r-1"),
        ("wrong_amount", "r-2"),
        ("wrong_currency", "r-3"),
    ] {
        let page = page(&world, name).await;
        open(&world, &page).await;
        world
            .faults(json!({"service": "reports", "kind": kind, "calls": 2}))
            .await;
        submit(&world, &page, "4242424242424242").await;
        count += 2;
        let taken = world.merchant.wait_for(count).await;
        let told = world
            .liqpay
            .verify_report(None, &taken[count - 1].body)
            .await;
        match kind {
            "forge" => assert!(told.is_err()),
            "wrong_amount" => assert_eq!(told.unwrap().amount, money(32_551)),
            _ => assert_eq!(told.unwrap().currency, 840),
        }
        world.merchant.answer_with(axum::http::StatusCode::OK, "");
        count = world.merchant.taken().len();
    }
}

#[tokio::test]
async fn a_failure_is_final() {
    let world = world().await;
    for (name, card, code) in [
        ("r-1", "4000000000000002", "9859"),
        ("r-2", "4000000000006975", "limit"),
        ("r-3", "4100000000000019", "decline"),
    ] {
        let page = page(&world, name).await;
        open(&world, &page).await;
        let back = submit(&world, &page, card).await;
        assert_eq!(back, format!("{}/order/{name}", world.merchant.url));
        let told = state(&world, &page).await.unwrap();
        assert_eq!(told.status, InvoiceStatus::Failure);
        assert_eq!(told.failure.unwrap().code.as_deref(), Some(code));
        open(&world, &page).await;
        submit(&world, &page, "4242424242424242").await;
    }
    assert!(world.ledger().await.is_empty());
}

#[tokio::test]
async fn a_page_whose_time_is_over_takes_nothing_and_leaves_no_trace() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    open(&world, &page).await;
    world.clock.advance(Duration::from_secs(3600));
    submit(&world, &page, "4242424242424242").await;
    assert!(is_unknown(&state(&world, &page).await));
    // Nor does one that is opened too late.
    let other = world.invoice_request("r-2", 100);
    let late = InvoiceRequest {
        asked_at: support::START.parse().unwrap(),
        ..other
    };
    let late = world.liqpay.create_invoice(&late).await.unwrap();
    open(&world, &late).await;
    submit(&world, &late, "4242424242424242").await;
    assert!(is_unknown(&state(&world, &late).await));
    assert!(world.ledger().await.is_empty());
}

#[tokio::test]
async fn three_d_secure_is_asked_for_on_the_way() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    open(&world, &page).await;
    let to = submit(&world, &page, "4000000000003063").await;
    assert_eq!(to, "/pay/r-1/3ds");
    let told = state(&world, &page).await.unwrap();
    assert_eq!(told.status, InvoiceStatus::Processing);
    let path = format!("/sandbox/invoices/{}/three-d-secure", page.id);
    world.post(&path, &json!({"confirm": true})).await;
    let told = state(&world, &page).await.unwrap();
    assert_eq!(told.status, InvoiceStatus::Success);
}

#[tokio::test]
async fn money_goes_back_in_parts_and_the_sum_is_told() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    open(&world, &page).await;
    let refund = |kopiykas| RefundRequest {
        invoice: page.id.clone(),
        refund_reference: RefundReference::parse("refund").unwrap(),
        amount: money(kopiykas),
    };
    let refused = |code: &str| {
        Err(AcquirerError::Refused {
            code: code.to_owned(),
        })
    };
    let early = world.liqpay.refund(&refund(100)).await;
    assert_eq!(early, refused("payment_err_status"));
    submit(&world, &page, "4242424242424242").await;
    let part = world.liqpay.refund(&refund(10_005)).await;
    assert_eq!(part, Ok(RefundAnswer::Accepted));
    let told = state(&world, &page).await.unwrap();
    assert_eq!(
        (told.status, told.final_amount),
        (InvoiceStatus::Success, Some(money(22_545)))
    );
    assert_eq!(
        world.liqpay.refund(&refund(22_546)).await,
        refused("amount_limit")
    );
    assert_eq!(
        world.liqpay.refund(&refund(22_545)).await,
        Ok(RefundAnswer::Accepted)
    );
    let told = state(&world, &page).await.unwrap();
    assert_eq!(
        (told.status, told.final_amount),
        (InvoiceStatus::Reversed, Some(money(0)))
    );
    assert_eq!(world.ledger().await.len(), 3);
}

#[tokio::test]
async fn wrong_signatures_keys_and_repeated_orders_are_refused() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    world.liqpay.check_keys().await.unwrap();
    let forged = Invoice {
        page_url: page.page_url.replace("data=eyJ", "data=eyK"),
        ..page.clone()
    };
    assert_eq!(open(&world, &forged).await.0, 400);
    open(&world, &page).await;
    // The same order with another sum.
    let other = world.invoice_request("r-1", 100);
    let other = world.liqpay.create_invoice(&other).await.unwrap();
    assert_eq!(open(&world, &other).await.0, 400);
    let other_shop = cabinet_sandbox::SandboxSettings {
        liqpay_private_key: "another".to_owned(),
        ..cabinet_sandbox::SandboxSettings::new(&world.url)
    };
    let refused = support::liqpay(&world.url, &other_shop).check_keys().await;
    assert_eq!(
        refused,
        Err(AcquirerError::Refused {
            code: "invalid_signature".to_owned()
        })
    );
}

#[tokio::test]
async fn what_a_fault_leaves_open_is_found_by_the_reference() {
    let world = world().await;
    let page = page(&world, "r-1").await;
    open(&world, &page).await;
    submit(&world, &page, "4242424242424242").await;
    let refund = RefundRequest {
        invoice: page.id.clone(),
        refund_reference: RefundReference::parse("refund").unwrap(),
        amount: money(100),
    };
    for (fault, error) in [
        (
            json!({"service": "liqpay", "kind": "timeout_after"}),
            AcquirerError::Unknown,
        ),
        (
            json!({"service": "liqpay", "kind": "status_500"}),
            AcquirerError::Unknown,
        ),
        (
            json!({"service": "liqpay", "kind": "garbage"}),
            AcquirerError::Unknown,
        ),
        (
            json!({"service": "liqpay", "kind": "reset"}),
            AcquirerError::Unknown,
        ),
        (
            json!({"service": "liqpay", "kind": "refuse", "code": "err_api_ip"}),
            AcquirerError::Refused {
                code: "err_api_ip".to_owned(),
            },
        ),
    ] {
        world.faults(fault.clone()).await;
        let answer = world.liqpay.refund(&refund).await;
        assert_eq!(answer, Err(error), "{fault}");
    }
    let refunds = world.ledger().await.len() - 1;
    assert_eq!(refunds, 3);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let found = world
        .liqpay
        .find_by_payment_reference(&reference("r-1"), now, now)
        .await;
    assert_eq!(found.unwrap(), std::slice::from_ref(&page.id));
    let none = world
        .liqpay
        .find_by_payment_reference(&reference("r-2"), now, now)
        .await;
    assert_eq!(none.unwrap(), []);
    assert!(world.liqpay.time().is_some());
}
