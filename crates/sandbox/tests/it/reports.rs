//! Reports: their signatures, their repetition, and the faults of their delivery.

#![expect(
    clippy::disallowed_methods,
    reason = "that nothing comes can only be waited for"
)]

use std::time::Duration;

use crate::support::{self, World, acquirer, money, world, world_with};
use axum::http::StatusCode;
use cabinet_gateways::acquirer::{Acquirer as _, InvoiceStatus, ReportError};
use serde_json::json;

async fn pay(world: &World) {
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4242424242424242").await;
}

fn statuses(taken: &[support::Taken]) -> Vec<String> {
    taken.iter().map(support::Taken::status).collect()
}

#[tokio::test]
async fn each_change_is_reported_in_order_and_verifies() {
    let world = world().await;
    pay(&world).await;
    let taken = world.merchant.wait_for(2).await;
    assert_eq!(statuses(&taken), ["processing", "success"]);
    for report in &taken {
        assert_eq!(report.path, "/report");
        let state = world
            .acquirer
            .verify_report(report.signature(), &report.body)
            .await
            .unwrap();
        assert_eq!(state.amount, money(700));
        assert_eq!(state.payment_reference.unwrap().as_str(), "r-1");
    }
    // Two changes within one second have the same date. The more final status wins.
    assert_eq!(
        taken[0].json()["modifiedDate"],
        taken[1].json()["modifiedDate"]
    );
    assert!(InvoiceStatus::Success.finality() > InvoiceStatus::Processing.finality());
}

#[tokio::test]
async fn an_altered_report_or_none_of_the_acquirers_is_refused() {
    let world = world().await;
    pay(&world).await;
    let report = world.merchant.wait_for(1).await.remove(0);
    let altered = String::from_utf8(report.body.to_vec())
        .unwrap()
        .replace("700", "701");
    let refused = ReportError::BadSignature;
    assert_eq!(
        world
            .acquirer
            .verify_report(report.signature(), altered.as_bytes())
            .await
            .unwrap_err(),
        refused
    );
    assert_eq!(
        world
            .acquirer
            .verify_report(None, &report.body)
            .await
            .unwrap_err(),
        refused
    );
    assert_eq!(
        world
            .acquirer
            .verify_report(Some("AAAA"), &report.body)
            .await
            .unwrap_err(),
        refused
    );
    let elsewhere = acquirer("http://127.0.0.1:9", "token");
    let error = elsewhere
        .verify_report(report.signature(), &report.body)
        .await
        .unwrap_err();
    assert_eq!(error, ReportError::KeyUnavailable);
}

#[tokio::test]
async fn a_rotated_key_is_read_again_by_itself() {
    let world = world().await;
    pay(&world).await;
    let before = world.merchant.wait_for(2).await.remove(0);
    world
        .acquirer
        .verify_report(before.signature(), &before.body)
        .await
        .unwrap();
    assert_eq!(world.post("/sandbox/key/rotate", &json!({})).await.0, 200);
    let invoice = world.invoice("r-2", 700).await;
    world.pay(&invoice.id, "4242424242424242").await;
    let after = world.merchant.wait_for(4).await.remove(3);
    world
        .acquirer
        .verify_report(after.signature(), &after.body)
        .await
        .unwrap();
    let error = world
        .acquirer
        .verify_report(before.signature(), &before.body)
        .await
        .unwrap_err();
    assert_eq!(error, ReportError::BadSignature);
}

#[tokio::test]
async fn a_report_that_is_not_taken_comes_three_times_in_all() {
    let world = world().await;
    world
        .merchant
        .answer_with(StatusCode::SERVICE_UNAVAILABLE, "");
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4000000000003063").await;
    world.merchant.wait_for(3).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(
        statuses(&world.merchant.taken()),
        ["processing", "processing", "processing"]
    );
}

#[tokio::test]
async fn reports_are_dropped_doubled_reordered_delayed_forged_and_falsified_on_order() {
    let order = |kind: &str| json!([{"service": "reports", "kind": kind, "delay_ms": 600_000, "copies": 10}]);

    let dropped = world().await;
    dropped.faults(order("drop")).await;
    pay(&dropped).await;
    assert_eq!(statuses(&dropped.merchant.wait_for(1).await), ["success"]);

    let doubled = world().await;
    doubled.faults(order("duplicate")).await;
    pay(&doubled).await;
    let taken = doubled.merchant.wait_for(11).await;
    let (doubles, rest): (Vec<_>, Vec<_>) = taken
        .iter()
        .partition(|report| report.status() == "processing");
    assert_eq!((doubles.len(), rest.len()), (10, 1));
    assert!(doubles.iter().all(|report| report.body == doubles[0].body));

    let reordered = world().await;
    reordered.faults(order("reorder")).await;
    pay(&reordered).await;
    assert_eq!(
        statuses(&reordered.merchant.wait_for(2).await),
        ["success", "processing"]
    );

    let delayed = world().await;
    delayed
        .faults(json!({"service": "reports", "kind": "delay", "delay_ms": 400}))
        .await;
    let started = std::time::Instant::now();
    pay(&delayed).await;
    delayed.merchant.wait_for(1).await;
    assert!(started.elapsed() >= Duration::from_millis(400));

    let forged = world().await;
    forged.faults(order("forge")).await;
    pay(&forged).await;
    let taken = forged.merchant.wait_for(2).await;
    let verify = |index: usize| {
        forged
            .acquirer
            .verify_report(taken[index].signature(), &taken[index].body)
    };
    assert_eq!(verify(0).await.unwrap_err(), ReportError::BadSignature);
    assert_eq!(verify(1).await.unwrap().status, InvoiceStatus::Success);

    let falsified = world().await;
    falsified.faults(order("wrong_amount")).await;
    pay(&falsified).await;
    let report = falsified.merchant.wait_for(1).await.remove(0);
    let state = falsified
        .acquirer
        .verify_report(report.signature(), &report.body)
        .await
        .unwrap();
    assert_eq!(state.amount, money(701), "signed properly, and wrong");
}

#[tokio::test]
async fn a_report_held_back_comes_at_last_when_there_is_no_other() {
    let world = world_with(|settings| settings.processing_time = Duration::from_secs(60)).await;
    world
        .faults(json!({"service": "reports", "kind": "reorder", "delay_ms": 100}))
        .await;
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4000000000000259").await;
    assert_eq!(statuses(&world.merchant.wait_for(1).await), ["processing"]);
}

#[tokio::test]
async fn an_invoice_that_lapses_or_is_removed_is_not_reported() {
    let world = world().await;
    let lapsing = world.invoice("r-1", 700).await;
    let removed = world.invoice("r-2", 700).await;
    world.acquirer.remove_invoice(&removed.id).await.unwrap();
    world.clock.advance(Duration::from_secs(3600));
    assert_eq!(
        world
            .acquirer
            .invoice_status(&lapsing.id)
            .await
            .unwrap()
            .status,
        InvoiceStatus::Expired
    );
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(world.merchant.taken().is_empty());
}

#[tokio::test]
async fn by_hand_nothing_is_sent_and_a_slow_payment_is_settled_when_somebody_looks() {
    let world = world_with(|settings| settings.by_hand = true).await;
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4000000000000259").await;
    let kept = |world: &World| {
        let reports = world.sandbox.take_reports().unwrap();
        let read = |body: &[u8]| serde_json::from_slice::<serde_json::Value>(body).unwrap();
        reports
            .iter()
            .map(|report| read(&report.body)["status"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(kept(&world), ["processing"]);
    assert!(kept(&world).is_empty(), "they wait once");
    world.clock.advance(Duration::from_secs(1));
    let report = world.sandbox.take_reports().unwrap().remove(0);
    let state = world
        .acquirer
        .verify_report(Some(&report.signature), &report.body)
        .await
        .unwrap();
    assert_eq!(state.status, InvoiceStatus::Success);
    assert_eq!(world.ledger().await.len(), 1);
    assert!(world.merchant.taken().is_empty());
}

#[tokio::test]
async fn the_times_of_the_bank_and_of_calls_follow_the_clock_that_a_test_advances() {
    // Each time is far longer than a test may take.
    let hour = Duration::from_secs(3_600);
    let world = world_with(|settings| {
        settings.report_delay = hour;
        settings.report_retry_delays = vec![hour];
        settings.processing_time = hour;
    })
    .await;
    let advance = async || {
        let body = json!({ "advance_seconds": 3_600 });
        let answer = world.client().put(format!("{}/sandbox/clock", world.url));
        let answer = answer.json(&body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    };
    world.merchant.answer_with(StatusCode::BAD_GATEWAY, "");
    let invoice = world.invoice("r-1", 700).await;
    world.pay(&invoice.id, "4000000000000259").await;
    assert!(world.sandbox.ledger().is_empty());
    advance().await;
    let charged = || (!world.sandbox.ledger().is_empty()).then_some(());
    support::until(charged).await.unwrap();
    // The report about the beginning comes, and again after it was refused, and the next one comes.
    while world.merchant.taken().len() < 3 {
        advance().await;
    }
    assert!(statuses(&world.merchant.taken()).contains(&"success".to_owned()));
}
