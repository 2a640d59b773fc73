//! The page of an order: everything that is known of it, to its notary alone.

use cabinet_domain::TransferStatus;
use cabinet_test_kit::{PaymentKind, on_both_databases};
use serde_json::{Value, json};

use crate::receipts::check_code;
use crate::transfers::{import, list};

fn steps(details: &Value) -> Vec<&str> {
    let entries = details["timeline"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["step"].as_str().unwrap())
        .collect()
}

on_both_databases! {
    async fn an_order_tells_its_way_from_the_cart_to_its_recipients(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let id = order["id"].as_str().unwrap().to_owned();
        let address = format!("/order/{id}/details");
        let unpaid = olena.get(&address).await.ok();
        assert_eq!(steps(&unpaid), ["created", "awaits_payment"]);
        assert_eq!((&unpaid["transfers"], &unpaid["receipt_code"]), (&json!([]), &Value::Null));
        let item = &unpaid["items"][0];
        assert_eq!(item["id"], unpaid["order"]["items"][0]["id"]);
        assert_eq!(item["cbc_code"].as_str().map(str::len), Some(8));
        let shares = item["shares"].as_array().unwrap();
        let of = |role: &str| shares.iter().find(|share| share["role"] == role).unwrap();
        let cents = cabinet_test_kit::kopiykas;
        let amount = cents(&unpaid["order"]["items"][0]["sum_base"]);
        assert_eq!(cents(&of("notary")["amount"]) + cents(&of("recipient")["amount"]), amount);
        assert_eq!(cents(&of("notary")["amount"]), amount * 60 / 100);
        let commission: i64 = shares.iter().map(|share| cents(&share["commission"])).sum();
        assert_eq!(commission, cents(&unpaid["order"]["items"][0]["commission"]));

        olena.pay(&order).await;
        let paid = olena.get(&address).await.ok();
        assert_eq!(steps(&paid), ["created", "awaits_payment", "paid"]);
        let receipt = olena.get(&format!("/order/{id}/receipt?receipt_type=payment")).await;
        assert_eq!(paid["receipt_code"], check_code(&receipt));
        let transfers = paid["transfers"].as_array().unwrap();
        assert_eq!(transfers.len(), 2);
        assert!(transfers.iter().all(|transfer| transfer["status"] == "planned" && transfer["on"].is_null()));

        let planned = list(&app).await;
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        let sent = olena.get(&address).await.ok();
        assert_eq!(steps(&sent)[3..], ["transfer_sent", "transfer_sent"]);
        assert_eq!(sent["timeline"][3]["document_number"], transfers[0]["document_number"]);
        // Nothing of it is a word of the cabinet's own records.
        let text = sent.to_string();
        for word in ["acquirer_", "detail", "notary_id", "search_text"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        app.finish_and_check().await;
    }

    async fn a_cancelled_order_says_so_and_does_not_say_that_its_time_was_over(app: TestApp) {
        let olena = app.notary("olena").await;
        for (is_returned, told) in [
            (true, vec!["created", "awaits_payment", "cancelled", "returned_to_cart"]),
            (false, vec!["created", "awaits_payment", "cancelled"]),
        ] {
            olena.add(PaymentKind::RegistryPayment).await;
            let order = olena.order_cart().await;
            let path = format!("/order/{}", order["id"].as_str().unwrap());
            let body = json!({ "return_items": is_returned });
            olena.post(&format!("{path}/cancel"), body).await.ok();
            let details = olena.get(&format!("{path}/details")).await.ok();
            assert_eq!(steps(&details), told);
        }
    }

    async fn another_notarys_order_has_no_details(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let address = format!("/order/{}/details", order["id"].as_str().unwrap());
        taras.get(&address).await.refused(404, "order_not_found");
        olena.get(&address).await.ok();
        taras.get("/order/nothing/details").await.refused(404, "order_not_found");
    }
}
