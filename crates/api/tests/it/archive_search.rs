//! The search of the archive: by client, number, act, sum, recipient, code and service.

use cabinet_test_kit::{PaymentKind, Person, on_both_databases};
use serde_json::{Value, json};

async fn found(person: &Person, text: &str) -> Vec<String> {
    let answer = person
        .post("/order/search", json!({ "text": text }))
        .await
        .ok();
    let orders = answer["orders"].as_array().unwrap().iter();
    orders
        .map(|order| order["number"].as_str().unwrap().to_owned())
        .collect()
}

fn sum(order: &Value, member: &str) -> String {
    format!("{:.2}", order[member].as_f64().unwrap())
}

on_both_databases! {
    async fn an_order_is_found_by_sums_recipient_code_and_service(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        olena.add(PaymentKind::AdminPayment).await;
        let fee = olena.order_cart().await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let other = olena.order_cart().await;
        let (fee, other) = (olena.order(&fee).await, olena.order(&other).await);
        let number = |order: &Value| vec![order["number"].as_str().unwrap().to_owned()];
        let item = &fee["items"][0];
        let recipient = item["payment_type_requisite"]["name"].as_str().unwrap();
        let details = olena.get(&format!("/order/{}/details", fee["id"].as_str().unwrap())).await.ok();
        let code = details["items"][0]["cbc_code"].as_str().unwrap();
        let service = item["payment_type_option"]["name"].as_str().unwrap();
        for text in [
            &sum(&fee, "sum"),
            &sum(&fee, "sum").replace('.', ","),
            &format!("{} грн", sum(item, "sum_base")),
            &sum(item, "sum_full"),
            recipient,
            code,
            service,
            item["payment_type_requisite"]["iban"].as_str().unwrap(),
            &format!("{recipient} {}", fee["number"].as_str().unwrap()),
        ] {
            assert_eq!(found(&olena, text).await, number(&fee), "{text}");
            assert!(found(&taras, text).await.is_empty(), "{text}");
        }
        let name = other["items"][0]["recipient_name"].as_str().unwrap();
        assert_eq!(found(&olena, name).await, number(&other));
        // A sum with kopiykas is that sum, not a part of another one.
        assert!(found(&olena, sum(&fee, "sum").get(1..).unwrap()).await.is_empty());
        // Both words must fit.
        assert!(found(&olena, &format!("{code} {name}")).await.is_empty());

        // The beginning of an account may look like the number of a card.
        assert!(found(&olena, "4242 4242 4242 4242").await.is_empty());

        // Payments of earlier versions are found once the worker has looked at them.
        app.execute("update order_items set search_text = null".to_owned()).await;
        assert!(found(&olena, recipient).await.is_empty());
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(found(&olena, recipient).await, number(&fee));
    }
}
