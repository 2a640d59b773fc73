//! How the adapter reads the answer of every fault, and what the ledger says afterwards.
#![expect(
    clippy::unwrap_used,
    reason = "in a test a failure shall stop the test"
)]

use std::time::Duration;

use crate::support::{self, World, acquirer, acquirer_within, money, reference, world};
use cabinet_gateways::acquirer::{
    Acquirer as _, AcquirerError, CardKeeper as _, InvoiceStatus, Statements as _,
};
use cabinet_sandbox::SandboxSettings;
use serde_json::{Value, json};

/// Charges a saved card while a fault is set. Returns the adapter's result and the number of charges.
async fn charge_under(
    world: &World,
    mut fault: Value,
) -> (Result<InvoiceStatus, AcquirerError>, usize) {
    fault["service"] = "acquirer".into();
    fault["path"] = "wallet/payment".into();
    world.faults(fault).await;
    let token = world.sandbox.save_card("w-1", "4242424242424242").unwrap();
    let answer = world
        .acquirer
        .pay_with_saved_card(&world.card_payment("r-1", 700, &token))
        .await;
    (
        answer.map(|answer| answer.status),
        world.ledger().await.len(),
    )
}

#[tokio::test]
async fn every_fault_of_a_charge_is_told_apart_by_whether_money_can_have_moved() {
    use AcquirerError::{TooMany, Unknown};
    let too_many = TooMany {
        retry_after: Some(Duration::from_secs(1)),
    };
    let refused = AcquirerError::Refused {
        code: "ORDER_IN_PROGRESS".to_owned(),
    };
    for (fault, expected, charges) in [
        (json!({"kind": "timeout_before"}), Err(Unknown), 0),
        (json!({"kind": "timeout_after"}), Err(Unknown), 1),
        (
            json!({"kind": "delay", "delay_ms": 50}),
            Ok(InvoiceStatus::Success),
            1,
        ),
        (
            json!({"kind": "delay", "delay_ms": 50, "effect": true}),
            Ok(InvoiceStatus::Success),
            1,
        ),
        (json!({"kind": "status_429"}), Err(too_many), 0),
        (json!({"kind": "status_500"}), Err(Unknown), 0),
        (
            json!({"kind": "status_500", "effect": true}),
            Err(Unknown),
            1,
        ),
        (json!({"kind": "garbage"}), Err(Unknown), 1),
        (json!({"kind": "garbage", "effect": false}), Err(Unknown), 0),
        (json!({"kind": "reset"}), Err(Unknown), 1),
        (json!({"kind": "reset", "effect": false}), Err(Unknown), 0),
        (
            json!({"kind": "refuse", "code": "ORDER_IN_PROGRESS"}),
            Err(refused),
            0,
        ),
    ] {
        let world = world().await;
        assert_eq!(
            charge_under(&world, fault.clone()).await,
            (expected, charges),
            "{fault}"
        );
        // Whatever the answer was, a question by reference finds the charge, and only one.
        let since = support::START.parse().unwrap();
        let found = world
            .acquirer
            .find_on_statement(&reference("r-1"), since, since)
            .await
            .unwrap();
        assert_eq!(found.len(), charges, "{fault}");
        assert!(
            found
                .iter()
                .all(|item| item.status == InvoiceStatus::Success),
            "{fault}"
        );
        // The fault is used up, so the same call succeeds.
        let token = world.sandbox.save_card("w-1", "4242424242424242").unwrap();
        let again = world
            .acquirer
            .pay_with_saved_card(&world.card_payment("r-2", 700, &token))
            .await;
        assert_eq!(again.unwrap().status, InvoiceStatus::Success, "{fault}");
        assert_eq!(world.ledger().await.len(), charges + 1, "{fault}");
    }
}

#[tokio::test]
async fn a_charge_that_gets_no_answer_in_time_is_given_up() {
    let world = world().await;
    world
        .faults(json!({"service": "acquirer", "kind": "timeout_before", "delay_ms": 600_000}))
        .await;
    let settings = SandboxSettings::new(&world.url);
    let hasty = acquirer_within(
        Duration::from_millis(300),
        &world.url,
        &settings.acquirer_token,
    );
    let token = world.sandbox.save_card("w-1", "4242424242424242").unwrap();
    let answer = hasty
        .pay_with_saved_card(&world.card_payment("r-1", 700, &token))
        .await;
    let status = answer.map(|answer| answer.status);
    assert_eq!(status, Err(AcquirerError::Unknown));
    assert!(world.ledger().await.is_empty());
}

#[tokio::test]
async fn a_wait_ends_when_the_faults_are_replaced() {
    for (kind, expected) in [
        ("delay", Ok(InvoiceStatus::Success)),
        ("timeout_before", Err(AcquirerError::Unknown)),
    ] {
        let world = world().await;
        world
            .faults(json!({"service": "acquirer", "kind": kind, "delay_ms": 600_000}))
            .await;
        let token = world.sandbox.save_card("w-1", "4242424242424242").unwrap();
        let payment = world.card_payment("r-1", 700, &token);
        let replaced = async {
            world.until_faults_begin().await;
            world.faults(json!([])).await;
        };
        let (answer, ()) = tokio::join!(world.acquirer.pay_with_saved_card(&payment), replaced);
        assert_eq!(answer.map(|answer| answer.status), expected, "{kind}");
    }
}

#[tokio::test]
async fn a_lost_answer_to_an_invoice_leaves_one_that_nobody_can_pay() {
    for (kind, invoices) in [("timeout_before", 0), ("timeout_after", 1), ("reset", 1)] {
        let world = world().await;
        let fault = json!({"service": "acquirer", "kind": kind, "path": "invoice/create"});
        world.faults(fault).await;
        let answer = world
            .acquirer
            .create_invoice(&world.invoice_request("r-1", 100))
            .await;
        assert_eq!(answer, Err(AcquirerError::Unknown), "{kind}");
        let (_, rows) = world.get("/sandbox/invoices?reference=r-1").await;
        assert_eq!(rows.as_array().unwrap().len(), invoices, "{kind}");
    }
}

#[tokio::test]
async fn a_wrong_sum_or_currency_reaches_the_caller_as_it_is() {
    let world = world().await;
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4242424242424242").await;
    world
        .faults(json!([
            {"service": "acquirer", "kind": "wrong_amount", "path": "invoice/status"},
            {"service": "acquirer", "kind": "wrong_currency", "path": "invoice/status"},
            {"service": "acquirer", "kind": "wrong_amount", "path": "statement"},
        ]))
        .await;
    assert_eq!(
        world
            .acquirer
            .invoice_status(&invoice.id)
            .await
            .unwrap()
            .amount,
        money(701)
    );
    assert_eq!(
        world
            .acquirer
            .invoice_status(&invoice.id)
            .await
            .unwrap()
            .currency,
        840
    );
    assert_eq!(
        world
            .acquirer
            .invoice_status(&invoice.id)
            .await
            .unwrap()
            .amount,
        money(700)
    );
    let since = support::START.parse().unwrap();
    assert_eq!(
        world.acquirer.statement(since, since).await.unwrap().items[0].amount,
        money(701)
    );
}

#[tokio::test]
async fn an_acquirer_that_is_not_there_was_never_asked() {
    let gone = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let world = world().await;
    let adapter = acquirer(&gone, "token");
    let answer = adapter
        .create_invoice(&world.invoice_request("r-1", 100))
        .await;
    assert_eq!(answer, Err(AcquirerError::Unavailable));
}

#[tokio::test]
async fn an_acquirer_that_fails_again_and_again_is_left_alone_for_a_while() {
    let world = world().await;
    let invoice = world.invoice("r-1", 100).await;
    world
        .faults(json!({"service": "acquirer", "kind": "status_500", "calls": 100}))
        .await;
    for _ in 0..8 {
        assert_eq!(
            world
                .acquirer
                .invoice_status(&invoice.id)
                .await
                .unwrap_err(),
            AcquirerError::Unknown
        );
    }
    let (_, before) = world.get("/sandbox/faults").await;
    assert_eq!(
        world
            .acquirer
            .invoice_status(&invoice.id)
            .await
            .unwrap_err(),
        AcquirerError::Unavailable
    );
    assert_eq!(
        world.get("/sandbox/faults").await.1,
        before,
        "nothing was sent"
    );
}

#[tokio::test]
async fn nonsense_is_not_taken_as_a_fault() {
    let world = world().await;
    for nonsense in [
        json!({"service": "acquirer", "kind": "forge"}),
        json!({"service": "reports", "kind": "status_500"}),
        json!({"service": "sms", "kind": "duplicate"}),
        json!({"service": "bank", "kind": "delay"}),
        json!({"service": "acquirer", "kind": "delay", "cals": 2}),
        json!({"service": "acquirer"}),
        json!("delay"),
    ] {
        let answer = world
            .client()
            .put(format!("{}/sandbox/faults", world.url))
            .json(&nonsense)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 400, "{nonsense}");
    }
    world
        .faults(json!({"faults": [{"service": "sms", "kind": "drop", "calls": 3}]}))
        .await;
    let (_, shown) = world.get("/sandbox/faults").await;
    assert_eq!(
        shown,
        json!([{"service": "sms", "kind": "drop", "calls": 3}])
    );
    world
        .client()
        .delete(format!("{}/sandbox/faults", world.url))
        .send()
        .await
        .unwrap();
    assert_eq!(world.get("/sandbox/faults").await.1, json!([]));
}
