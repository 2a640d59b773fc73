//! Parts of the acquirer's interface that the adapter does not use: refusals and refunds.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use crate::support::{self, World, money, reference, world};
use cabinet_gateways::acquirer::{Acquirer as _, InvoiceStatus, Statements as _};
use cabinet_sandbox::LedgerKind;
use reqwest::Method;
use serde_json::{Value, json};

async fn call(world: &World, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let address = format!("{}/api/merchant/{path}", world.url);
    let mut request = world
        .client()
        .request(method, address)
        .header("X-Token", "sandbox-acquirer-token");
    if let Some(body) = body {
        request = request.json(&body);
    }
    let answer = request.send().await.unwrap();
    (
        answer.status().as_u16(),
        answer.json().await.unwrap_or_default(),
    )
}

async fn create(world: &World, body: Value) -> (u16, String) {
    let (status, answer) = call(world, Method::POST, "invoice/create", Some(body)).await;
    (
        status,
        answer["errCode"].as_str().unwrap_or_default().to_owned(),
    )
}

#[tokio::test]
async fn invoices_that_the_acquirer_would_refuse_are_refused() {
    let world = world().await;
    let line =
        |total: i64| json!({"name": "Збір", "qty": 2, "sum": 50, "total": total, "code": "1"});
    let long = "я".repeat(281);
    for (body, code) in [
        (json!({}), "BAD_REQUEST"),
        (json!({"amount": 0}), "BAD_REQUEST"),
        (json!({"amount": -5}), "BAD_REQUEST"),
        (json!({"amount": 1.5}), "BAD_REQUEST"),
        (json!({"amount": 100, "ccy": 840}), "BAD_REQUEST"),
        (json!({"amount": 100, "validity": 0}), "BAD_REQUEST"),
        (json!({"amount": 100, "paymentType": "hold"}), "BAD_REQUEST"),
        (
            json!({"amount": 100, "paymentType": "verification", "saveCardData": {"saveCard": true}}),
            "BAD_REQUEST",
        ),
        (
            json!({"amount": 0, "paymentType": "verification"}),
            "BAD_REQUEST",
        ),
        (
            json!({"amount": 100, "saveCardData": {"saveCard": true}}),
            "BAD_REQUEST",
        ),
        (
            json!({"amount": 100, "webHookUrl": "ftp://x"}),
            "BAD_REQUEST",
        ),
        (
            json!({"amount": 100, "merchantPaymInfo": {"metadata": {"count": 1}}}),
            "INVALID_MERCHANT_PAYM_INFO",
        ),
        (
            json!({"amount": 100, "merchantPaymInfo": {"destination": long}}),
            "INVALID_MERCHANT_PAYM_INFO",
        ),
        (
            json!({"amount": 101, "merchantPaymInfo": {"basketOrder": [line(100)]}}),
            "INVALID_MERCHANT_PAYM_INFO",
        ),
        (
            json!({"amount": 100, "merchantPaymInfo": {"basketOrder": [line(99)]}}),
            "INVALID_MERCHANT_PAYM_INFO",
        ),
    ] {
        assert_eq!(
            create(&world, body.clone()).await,
            (400, code.to_owned()),
            "{body}"
        );
    }
    let good = json!({"amount": 100, "unknown": 1, "merchantPaymInfo": {
        "metadata": {"attempt": "1"}, "basketOrder": [line(100)],
    }});
    assert_eq!(create(&world, good).await, (200, String::new()));
}

#[tokio::test]
async fn tokens_paths_and_methods_are_checked_as_described() {
    let world = world().await;
    let bare = |path: &str| {
        world
            .client()
            .get(format!("{}/api/merchant/{path}", world.url))
            .send()
    };
    assert_eq!(
        bare("pubkey").await.unwrap().status(),
        400,
        "described so for this path"
    );
    assert_eq!(bare("details").await.unwrap().status(), 403);
    let wrong_method = call(&world, Method::PUT, "invoice/create", None).await;
    assert_eq!(
        (wrong_method.0, &wrong_method.1["errCode"]),
        (405, &json!("METHOD_NOT_ALLOWED"))
    );
    let unknown = call(&world, Method::GET, "qr/list", None).await;
    assert_eq!(
        (unknown.0, &unknown.1["errCode"]),
        (404, &json!("NOT_FOUND"))
    );
    assert_eq!(
        call(&world, Method::GET, "statement?from=0&to=2678401", None)
            .await
            .0,
        400,
        "31 days at most"
    );
    assert_eq!(
        call(&world, Method::GET, "statement?from=0&to=2678400", None)
            .await
            .0,
        200
    );
}

#[tokio::test]
async fn money_is_given_back_in_parts_never_more_than_was_taken() {
    let world = world().await;
    let invoice = world.invoice("r-1", 1_000).await;
    let cancel = |amount: Value| {
        let body =
            json!({"invoiceId": invoice.id.as_str(), "extRef": "refund-1", "amount": amount});
        call(&world, Method::POST, "invoice/cancel", Some(body))
    };
    let unpaid = cancel(Value::Null).await;
    assert_eq!(
        (unpaid.0, &unpaid.1["errCode"]),
        (500, &json!("CANCEL_NOT_AVAILABLE"))
    );
    world.pay(&invoice.id, "4242424242424242").await;
    for too_much in [0, 1_001] {
        let refused = cancel(too_much.into()).await;
        assert_eq!(
            (refused.0, &refused.1["errCode"]),
            (400, &json!("WRONG_CANCEL_AMOUNT"))
        );
    }
    assert_eq!(cancel(400.into()).await.0, 200);
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(
        (state.status, state.final_amount),
        (InvoiceStatus::Success, Some(money(600)))
    );
    assert_eq!(
        state.refunds[0].refund_reference.as_deref(),
        Some("refund-1")
    );
    assert_eq!(cancel(601.into()).await.0, 400);
    assert_eq!(cancel(Value::Null).await.0, 200);
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(
        (state.status, state.final_amount),
        (InvoiceStatus::Reversed, Some(money(0)))
    );
    assert_eq!(cancel(Value::Null).await.0, 500, "nothing is left");

    let ledger = world.ledger().await;
    let lines: Vec<(LedgerKind, i64)> =
        ledger.iter().map(|line| (line.kind, line.amount)).collect();
    assert_eq!(
        lines,
        [
            (LedgerKind::Charge, 1_000),
            (LedgerKind::Refund, 400),
            (LedgerKind::Refund, 600)
        ]
    );
    let since = support::START.parse().unwrap();
    let found = world
        .acquirer
        .find_on_statement(&reference("r-1"), since, since)
        .await
        .unwrap();
    assert_eq!(found[0].refunded, [money(400), money(600)]);
    let reports = world.merchant.wait_for(4).await;
    assert_eq!(reports.last().unwrap().status(), "reversed");
}
