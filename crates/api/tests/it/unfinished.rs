//! Orders that still want something of their notary.

use cabinet_test_kit::{PaymentKind, Person, on_both_databases};
use serde_json::{Value, json};

const DECLINED: &str = "4000000000000002";
const DAY: i64 = 86_400;

/// Returns the numbers and statuses of the unfinished orders.
async fn unfinished(person: &Person) -> Vec<(Value, Value)> {
    let answer = person.get("/order/unfinished").await.ok();
    let orders = answer["orders"].as_array().unwrap().iter();
    orders
        .map(|order| (order["number"].clone(), order["status"].clone()))
        .collect()
}

async fn new_order(person: &Person, kind: PaymentKind) -> (Value, String) {
    person.add(kind).await;
    let order = person.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    (order, page)
}

on_both_databases! {
    async fn an_order_is_told_until_it_is_paid(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        assert!(unfinished(&olena).await.is_empty());
        let (order, page) = new_order(&olena, PaymentKind::RegistryPayment).await;
        let answer = olena.get("/order/unfinished").await.ok();
        let known = olena.order(&order).await;
        let told = &answer["orders"][0];
        for field in ["id", "number", "status", "payment_state", "sum"] {
            assert_eq!(told[field], known[field], "{field}");
        }
        assert_eq!(told["client_full_name"], known["client"]["full_name"]);
        let open_until: jiff::Timestamp = told["open_until"].as_str().unwrap().parse().unwrap();
        assert!(open_until > app.clock().shows());
        assert!(unfinished(&taras).await.is_empty());
        app.outside().pay(&page, "4242424242424242").await;
        olena.until(&order, "paid").await;
        assert!(unfinished(&olena).await.is_empty());
        app.finish_and_check().await;
    }

    async fn an_order_is_open_as_long_as_its_clients_link(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena, PaymentKind::RegistryPayment).await;
        // To the second, as the link tells its end.
        let second = |moment: &Value| moment.as_str().unwrap()[..19].to_owned();
        let open_until = async || second(&olena.get("/order/unfinished").await.ok()["orders"][0]["open_until"]);
        let of_page = open_until().await;
        let link = format!("/order/{}/client-link", order["id"].as_str().unwrap());
        let made = olena.post(&link, json!({})).await.ok();
        let of_link = second(&made["link"]["ends_at"]);
        assert_ne!(of_link, of_page);
        assert_eq!(open_until().await, of_link);
        olena.post(&format!("{link}/withdraw"), json!({})).await.ok();
        assert_eq!(open_until().await, of_page);
        app.outside().pay(&page, "4242424242424242").await;
        olena.until(&order, "paid").await;
        app.finish_and_check().await;
    }

    async fn an_order_that_was_not_paid_is_told_for_seven_days(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena, PaymentKind::RegistryPayment).await;
        app.outside().pay(&page, DECLINED).await;
        olena.until(&order, "failed").await;
        let told = vec![(order["number"].clone(), json!("failed"))];
        assert_eq!(unfinished(&olena).await, told);
        app.execute(format!("update orders set created_at = created_at - {}", 6 * DAY * 1_000_000)).await;
        assert_eq!(unfinished(&olena).await, told);
        app.execute(format!("update orders set created_at = created_at - {}", DAY * 1_000_000)).await;
        assert!(unfinished(&olena).await.is_empty());
    }

    async fn what_was_given_up_or_made_anew_is_told_no_more(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, page) = new_order(&olena, PaymentKind::RegistryPayment).await;
        app.outside().pay(&page, DECLINED).await;
        olena.until(&order, "failed").await;
        // Another payment of the same client finishes nothing.
        let (other, _) = new_order(&olena, PaymentKind::AdminPayment).await;
        let cancel = async |order: &Value| {
            let path = format!("/order/{}/cancel", order["id"].as_str().unwrap());
            olena.post(&path, json!({"return_items": false})).await.ok();
        };
        let failed = (order["number"].clone(), json!("failed"));
        assert_eq!(unfinished(&olena).await, [(other["number"].clone(), json!("pending")), failed.clone()]);
        cancel(&other).await;
        assert_eq!(unfinished(&olena).await, [failed]);
        // The same payment, begun anew.
        let (again, _) = new_order(&olena, PaymentKind::RegistryPayment).await;
        assert_eq!(again["sum"], order["sum"]);
        assert_eq!(unfinished(&olena).await, [(again["number"].clone(), json!("pending"))]);
        cancel(&again).await;
        assert!(unfinished(&olena).await.is_empty());
        app.finish_and_check().await;
    }
}
