//! The adapter and the sandbox, over HTTP: invoices, statement, refusals.

use std::time::Duration;

use crate::support::{self, acquirer, money, reference, world, world_with};
use cabinet_domain::Count;
use cabinet_gateways::acquirer::{
    Acquirer as _, AcquirerError, HRYVNIA, InvoiceId, InvoiceLine, InvoiceStatus, Statements as _,
};
use cabinet_sandbox::{LedgerKind, PaidInvoice, SplitReceiver};
use serde_json::json;

fn refused(code: &str) -> AcquirerError {
    AcquirerError::Refused {
        code: code.to_owned(),
    }
}

#[tokio::test]
async fn an_invoice_is_made_paid_and_charged_once() {
    let world = world().await;
    let invoice = world.invoice("r-1", 101_500).await;
    assert_eq!(
        invoice.page_url,
        format!("{}/pay/{}", world.url, invoice.id)
    );

    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Created);
    assert!(state.payment.is_none() && state.final_amount.is_none());

    let answer = world.pay(&invoice.id, "4242424242424242").await;
    assert_eq!(answer["status"], "success");
    assert_eq!(
        answer["redirect_url"],
        format!("{}/order/r-1", world.merchant.url)
    );

    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Success);
    assert_eq!((state.amount, state.currency), (money(101_500), HRYVNIA));
    assert_eq!(state.final_amount, Some(money(101_500)));
    assert_eq!(state.payment_reference, Some(reference("r-1")));
    let payment = state.payment.unwrap();
    assert_eq!(payment.masked_pan.unwrap().as_str(), "424242******4242");
    assert_eq!(payment.payment_system.as_deref(), Some("visa"));
    assert_eq!(payment.approval_code.unwrap().len(), 6);
    assert_eq!(payment.rrn.unwrap().len(), 12);

    let (status, _) = world
        .post(
            &format!("/sandbox/invoices/{}/pay", invoice.id),
            &json!({"card": "4242424242424242"}),
        )
        .await;
    assert_eq!(status, 409, "a paid invoice cannot be paid again");
    let ledger = world.ledger().await;
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].kind, LedgerKind::Charge);
    assert_eq!(ledger[0].amount, 101_500);
    assert_eq!(ledger[0].reference, "r-1");
    assert_eq!(ledger[0].invoice_id, invoice.id.as_str());
}

#[tokio::test]
async fn a_declined_card_charges_nothing_and_another_one_pays() {
    let world = world().await;
    let invoice = world.invoice("r-1", 5_000).await;
    assert_eq!(
        world.pay(&invoice.id, "4000 0000 0000 0002").await["status"],
        "failure"
    );
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Failure);
    assert_eq!(state.failure.unwrap().code.as_deref(), Some("59"));
    assert!(world.ledger().await.is_empty());

    world.pay(&invoice.id, "5555555555554444").await;
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Success);
    assert!(state.failure.is_none());
    assert_eq!(world.ledger().await.len(), 1);
}

#[tokio::test]
async fn a_slow_card_stays_processing_and_then_pays() {
    // Longer than the test takes.
    let world = world_with(|settings| settings.processing_time = Duration::from_secs(3600)).await;
    let invoice = world.invoice("r-1", 5_000).await;
    assert_eq!(
        world.pay(&invoice.id, "4000000000000259").await["status"],
        "processing"
    );
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(
        (state.status, state.final_amount),
        (InvoiceStatus::Processing, Some(money(0)))
    );
    assert_eq!(
        world.acquirer.remove_invoice(&invoice.id).await,
        Err(refused("ORDER_IN_PROGRESS"))
    );
    assert!(world.ledger().await.is_empty());
    let world = support::world().await;
    let invoice = world.invoice("r-1", 5_000).await;
    world.pay(&invoice.id, "4000000000000259").await;
    // The sandbox's own timer ends it; the clock of the test stands still.
    support::until(|| (!world.sandbox.ledger().is_empty()).then_some(()))
        .await
        .unwrap();
    assert_eq!(
        world
            .acquirer
            .invoice_status(&invoice.id)
            .await
            .unwrap()
            .status,
        InvoiceStatus::Success
    );
}

#[tokio::test]
async fn an_unpaid_invoice_lapses_and_can_be_removed_a_paid_one_cannot() {
    let world = world().await;
    let lapsing = world.invoice("r-1", 5_000).await;
    let removed = world.invoice("r-2", 5_000).await;
    let declined = world.invoice("r-3", 5_000).await;
    let paid = world.invoice("r-4", 5_000).await;
    world.pay(&declined.id, "4000000000000002").await;
    world.pay(&paid.id, "4242424242424242").await;
    world.acquirer.remove_invoice(&removed.id).await.unwrap();
    assert_eq!(
        world.acquirer.remove_invoice(&paid.id).await,
        Err(refused("INVOICE_ALREADY_USED"))
    );
    world.clock.advance(Duration::from_secs(3600));
    for (id, status) in [
        (&lapsing.id, InvoiceStatus::Expired),
        (&removed.id, InvoiceStatus::Expired),
        (&declined.id, InvoiceStatus::Failure),
        (&paid.id, InvoiceStatus::Success),
    ] {
        assert_eq!(
            world.acquirer.invoice_status(id).await.unwrap().status,
            status
        );
    }
    for id in [&lapsing.id, &removed.id, &declined.id] {
        let card = json!({"card": "4242424242424242"});
        assert_eq!(
            world
                .post(&format!("/sandbox/invoices/{id}/pay"), &card)
                .await
                .0,
            409
        );
    }
    assert_eq!(world.ledger().await.len(), 1);
}

#[tokio::test]
async fn an_unknown_invoice_and_a_wrong_token_are_definite_refusals() {
    let world = world().await;
    let nobody = InvoiceId::parse("261120AAAAAAAAAAAAAA").unwrap();
    assert_eq!(
        world.acquirer.invoice_status(&nobody).await.unwrap_err(),
        refused("NOT_FOUND")
    );
    assert_eq!(
        world.acquirer.remove_invoice(&nobody).await,
        Err(refused("NOT_FOUND"))
    );
    let stranger = acquirer(&world.url, "another-token");
    let request = world.invoice_request("r-1", 100);
    assert_eq!(
        stranger.create_invoice(&request).await,
        Err(refused("FORBIDDEN"))
    );
}

#[tokio::test]
async fn lines_must_add_up_on_both_sides() {
    let world = world_with(|settings| {
        settings.split_receivers.push(SplitReceiver {
            id: "sr_1".to_owned(),
            edrpou: "12345678".to_owned(),
            name: "Казначейство".to_owned(),
        });
    })
    .await;
    let line = |receiver: Option<&str>| InvoiceLine {
        name: "Збір".to_owned(),
        code: "22012900".to_owned(),
        quantity: Count::new(2).unwrap(),
        unit_amount: money(5_000),
        split_receiver: receiver.map(str::to_owned),
    };
    let mut request = world.invoice_request("r-1", 10_000);
    request.lines = vec![line(Some("sr_1"))];
    world.acquirer.create_invoice(&request).await.unwrap();
    request.lines = vec![line(Some("sr_2"))];
    assert_eq!(
        world.acquirer.create_invoice(&request).await,
        Err(refused("INVALID_MERCHANT_PAYM_INFO"))
    );
    request.lines = vec![line(None), line(None)];
    assert_eq!(
        world.acquirer.create_invoice(&request).await,
        Err(refused("LINES_DO_NOT_ADD_UP"))
    );
}

#[tokio::test]
async fn a_payment_is_found_by_reference_and_an_unpaid_invoice_is_not() {
    let world = world().await;
    let paid = world.invoice("r-1", 100).await;
    world.invoice("r-2", 100).await;
    world.pay(&paid.id, "4242424242424242").await;
    let since = support::START.parse().unwrap();
    let found = world
        .acquirer
        .find_on_statement(&reference("r-1"), since, since)
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].invoice_id, paid.id);
    assert_eq!(found[0].status, InvoiceStatus::Success);
    assert_eq!(found[0].amount, money(100));
    assert!(
        world
            .acquirer
            .find_on_statement(&reference("r-2"), since, since)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_long_statement_is_read_in_pieces_without_gaps_and_doubles() {
    let world = world().await;
    let day = Duration::from_secs(86_400);
    let start: jiff::Timestamp = support::START.parse().unwrap();
    // One payment at each end of a period of 30 days, and one between them.
    for days_ago in [0, 15, 30, 31, 60, 75, 90] {
        world
            .sandbox
            .seed_paid(&PaidInvoice {
                reference: format!("old-{days_ago}"),
                amount: 100,
                destination: "Збір".to_owned(),
                card_number: "4242424242424242".to_owned(),
                at: start.checked_sub(day * days_ago).unwrap(),
            })
            .unwrap();
    }
    let statement = world
        .acquirer
        .statement(start.checked_sub(day * 75).unwrap(), start)
        .await
        .unwrap();
    assert_eq!(statement.unreadable, 0);
    let references: Vec<&str> = statement
        .items
        .iter()
        .filter_map(|item| Some(item.payment_reference.as_ref()?.as_str()))
        .collect();
    assert_eq!(
        references,
        ["old-0", "old-15", "old-30", "old-31", "old-60", "old-75"]
    );
    let (status, _) = world.get("/api/merchant/statement?from=1").await;
    assert_eq!(status, 403, "the token is asked for first");
}

#[tokio::test]
async fn seeding_the_same_reference_twice_charges_once() {
    let world = world().await;
    let paid = PaidInvoice {
        reference: "demo-1".to_owned(),
        amount: 100,
        destination: "Збір".to_owned(),
        card_number: "4242424242424242".to_owned(),
        at: "2026-10-01T10:00:00Z".parse().unwrap(),
    };
    let first = world.sandbox.seed_paid(&paid).unwrap();
    assert_eq!(world.sandbox.seed_paid(&paid).unwrap(), first);
    assert_eq!(world.ledger().await.len(), 1);
    let state = world
        .acquirer
        .invoice_status(&InvoiceId::parse(&first).unwrap())
        .await
        .unwrap();
    assert_eq!(state.status, InvoiceStatus::Success);
    assert_eq!(state.modified_at, Some(paid.at));
}
