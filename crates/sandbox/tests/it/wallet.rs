//! Saved cards, called over HTTP.

use crate::support::{self, money, wallet, world};
use cabinet_gateways::acquirer::{
    Acquirer as _, AcquirerError, CardKeeper as _, CardToken, InvoiceKind, InvoiceStatus,
    TokenStatus,
};
use serde_json::json;

#[tokio::test]
async fn a_card_check_saves_the_card_and_charges_nothing() {
    let world = world().await;
    let mut request = world.invoice_request("check-1", 0);
    assert_eq!(
        world.acquirer.create_invoice(&request).await,
        Err(AcquirerError::Refused {
            code: "AMOUNT_DOES_NOT_FIT_KIND".to_owned()
        }),
    );
    request.kind = InvoiceKind::SaveCard(wallet("w-1"));
    request.in_frame = true;
    let invoice = world.acquirer.create_invoice(&request).await.unwrap();
    assert!(
        world
            .acquirer
            .saved_cards(&wallet("w-1"))
            .await
            .unwrap()
            .is_empty()
    );
    world.pay(&invoice.id, "4242424242424242").await;

    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    let saved = state.wallet.unwrap();
    assert_eq!(
        (saved.wallet, saved.status),
        (wallet("w-1"), TokenStatus::Created)
    );
    let cards = world.acquirer.saved_cards(&wallet("w-1")).await.unwrap();
    assert_eq!(cards.len(), 1);
    assert!(cards[0].token.matches(saved.token.expose()));
    assert_eq!(
        cards[0].masked_pan.as_ref().unwrap().as_str(),
        "424242******4242"
    );
    assert!(
        world
            .acquirer
            .saved_cards(&wallet("w-2"))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(world.ledger().await.is_empty());
}

#[tokio::test]
async fn a_payment_saves_no_card_whatever_is_pressed_on_its_page() {
    let world = world().await;
    let invoice = world.invoice("r-1", 100).await;
    let path = format!("/sandbox/invoices/{}/pay", invoice.id);
    let card = json!({"card": "4242424242424242", "save_card": true});
    assert_eq!(world.post(&path, &card).await.0, 200);
    let state = world.acquirer.invoice_status(&invoice.id).await.unwrap();
    assert_eq!(state.status, InvoiceStatus::Success);
    assert!(state.wallet.is_none());
}

#[tokio::test]
async fn a_saved_card_pays_is_declined_or_takes_its_time() {
    let world = world().await;
    for (card, status) in [
        ("4242424242424242", InvoiceStatus::Success),
        ("4000000000000002", InvoiceStatus::Failure),
        ("4000000000000259", InvoiceStatus::Processing),
    ] {
        let token = world.sandbox.save_card("w-1", card).unwrap();
        let answer = world
            .acquirer
            .pay_with_saved_card(&world.card_payment(card, 700, &token))
            .await
            .unwrap();
        assert_eq!(answer.status, status);
        assert_eq!((answer.amount, answer.currency), (money(700), 980));
        assert!(answer.three_d_secure_url.is_none());
        assert_eq!(answer.failure.is_some(), status == InvoiceStatus::Failure);
        let state = world
            .acquirer
            .invoice_status(&answer.invoice_id)
            .await
            .unwrap();
        assert_eq!(state.payment_reference.unwrap().as_str(), card);
    }
    support::until(|| (world.sandbox.ledger().len() == 2).then_some(()))
        .await
        .unwrap();
    let ledger = world.ledger().await;
    assert_eq!(
        ledger
            .iter()
            .filter(|line| line.reference == "4000000000000002")
            .count(),
        0
    );
}

#[tokio::test]
async fn a_saved_card_with_3d_secure_waits_for_its_holder() {
    let world = world().await;
    let token = world.sandbox.save_card("w-1", "4000000000003063").unwrap();
    for (name, confirm, status) in [("r-1", true, "success"), ("r-2", false, "failure")] {
        let answer = world
            .acquirer
            .pay_with_saved_card(&world.card_payment(name, 700, &token))
            .await
            .unwrap();
        assert_eq!(answer.status, InvoiceStatus::Processing);
        let page = answer.three_d_secure_url.unwrap();
        assert_eq!(page, format!("{}/pay/{}/3ds", world.url, answer.invoice_id));
        let path = format!("/sandbox/invoices/{}/three-d-secure", answer.invoice_id);
        let (_, outcome) = world.post(&path, &json!({"confirm": confirm})).await;
        assert_eq!(outcome["status"], status);
        assert_eq!(
            outcome["redirect_url"],
            format!("{}/order/{name}", world.merchant.url)
        );
        assert_eq!(
            world.post(&path, &json!({"confirm": true})).await.0,
            409,
            "it is asked once"
        );
    }
    let ledger = world.ledger().await;
    assert_eq!(ledger.len(), 1);
    assert_eq!(ledger[0].reference, "r-1");
}

#[tokio::test]
async fn a_forgotten_card_pays_no_more() {
    let world = world().await;
    let token = world.sandbox.save_card("w-1", "4242424242424242").unwrap();
    let card = CardToken::parse(&token).unwrap();
    world.acquirer.delete_card(&card).await.unwrap();
    assert!(
        world
            .acquirer
            .saved_cards(&wallet("w-1"))
            .await
            .unwrap()
            .is_empty()
    );
    let refused = AcquirerError::Refused {
        code: "TOKEN_NOT_FOUND".to_owned(),
    };
    let payment = world.card_payment("r-1", 700, &token);
    assert_eq!(
        world
            .acquirer
            .pay_with_saved_card(&payment)
            .await
            .unwrap_err(),
        refused
    );
    assert_eq!(world.acquirer.delete_card(&card).await, Err(refused));
    assert!(world.ledger().await.is_empty());
    let (_, invoices) = world.get("/sandbox/invoices").await;
    assert_eq!(
        invoices.as_array().unwrap().len(),
        0,
        "a refused payment leaves no invoice"
    );
}
