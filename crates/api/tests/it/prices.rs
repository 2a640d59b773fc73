//! Prices change at midnight in Kyiv. Nobody pays a sum that was not shown, or to an expired account.

use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_test_kit::{PaymentKind, Person, hryvnias, kopiykas, on_both_databases};
use serde_json::{Value, json};

/// The last moment before the tariff of 11.11.2025, and that day's first.
const BEFORE_TARIFF: &str = "2025-11-10T21:59:59.999Z";
const AT_TARIFF: &str = "2025-11-10T22:00:00Z";
/// The last moment of 2025 in Kyiv, and the first of 2026.
const BEFORE_YEAR: &str = "2025-12-31T21:59:59.999Z";
const AT_YEAR: &str = "2025-12-31T22:00:00Z";

async fn only_item(person: &Person) -> Value {
    person.group().await["items"][0].clone()
}

async fn accept_todays(person: &Person, item: &str) -> Value {
    let cart = person
        .post("/cart/item/refresh", json!({ "cart_item_id": item }))
        .await
        .ok();
    cart["groups"][0]["items"][0].clone()
}

on_both_databases! {
    async fn the_least_commission_changes_at_midnight_in_kyiv(app: TestApp) {
        app.clock().set("2025-11-10T21:58:00Z");
        let olena = app.notary("olena").await;
        let config = olena.get("/config").await.ok();
        assert_eq!((&config["tariff"]["minimum"], &config["tariff"]["valid_from"]), (&json!(5), &json!(null)));
        assert_eq!(config["tariff_changes"], json!([{ "valid_from": "2025-11-11", "basis_points": 150, "minimum": 10 }]));
        let payment = olena.form(PaymentKind::AdminPayment).await;
        // 300 UAH: 180 and 120, each with the least commission of 5 UAH.
        assert_eq!(payment.sum(), 31_000);
        let item = olena.add_payment(&payment).await;
        app.clock().set(BEFORE_TARIFF);
        assert_eq!(only_item(&olena).await["change"], json!(null));
        app.clock().set(AT_TARIFF);
        assert_eq!(olena.get("/config").await.ok()["tariff"]["minimum"], 10);
        let change = only_item(&olena).await["change"].clone();
        assert_eq!(change, json!({ "message": "price_changed", "price": { "amount": 300, "commission": 20, "sum": 320 } }));

        // Also refused with the old sum.
        let body = olena.order_body().await;
        assert_eq!(body["sum"], 310);
        let refusal = olena.create_order(&olena.fresh_key(), &body).await.refused(409, "price_changed");
        assert_eq!(refusal["price"]["sum"], 320);
        assert_eq!(app.rows("orders").await, 0);

        let item = accept_todays(&olena, &item).await;
        assert_eq!((&item["change"], &item["sum_total"]), (&json!(null), &json!(320)));
        let order = olena.order_cart().await;
        assert_eq!(order["sum"], 320);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_correction_is_not_overwritten_by_todays_price_in_another_window(app: TestApp) {
        app.clock().set(BEFORE_TARIFF);
        let olena = app.notary("olena").await;
        app.clock().set(BEFORE_TARIFF);
        let payment = olena.form(PaymentKind::RequisitesPayment).await.with("amount", 101).with("sum", 106);
        let item = olena.add_payment(&payment).await;
        app.clock().set(AT_TARIFF);
        let other = "UA213223130000026007233566001";
        let corrected = olena.form(PaymentKind::RequisitesPayment).await.with("iban", other).with("amount", 200).with("sum", 210);
        let opened = olena.get(&format!("/cart/item/{item}")).await.ok();
        let edit = json!({ "cart_item_id": item, "version": opened["version"], "payment": corrected.body });
        let (second, clock) = app.second_process(1).await;
        let (notary, id) = (olena.id(), item.clone());
        let repricing = tokio::spawn(async move { second.cart.reprice(notary, Some(id), FieldErrors::new()).await });
        // It has read the item. Meanwhile the form is saved.
        clock.reached().await;
        olena.post("/cart/item/edit", edit).await.ok();
        clock.release();
        assert!(repricing.await.unwrap().is_ok());
        let stands = olena.get(&format!("/cart/item/{item}")).await.ok();
        assert_eq!((&stands["item"]["iban"], &stands["item"]["sum_base"]), (&json!(other), &json!(200)));
        // Where today's price comes first, the correction is refused, and the form says so.
        app.clock().set(BEFORE_TARIFF);
        let item = olena.add_payment(&payment).await;
        app.clock().set(AT_TARIFF);
        let opened = olena.get(&format!("/cart/item/{item}")).await.ok();
        olena.post("/cart/item/refresh", json!({ "cart_item_id": item })).await.ok();
        let edit = json!({ "cart_item_id": item, "version": opened["version"], "payment": corrected.body });
        olena.post("/cart/item/edit", edit).await.refused(409, "cart_item_changed");
    }

    async fn a_form_filled_in_before_midnight_is_told_the_right_price(app: TestApp) {
        app.clock().set(BEFORE_TARIFF);
        let olena = app.notary("olena").await;
        app.clock().set(BEFORE_TARIFF);
        let payment = olena.form(PaymentKind::RequisitesPayment).await.with("amount", 100).with("sum", 105);
        olena.add_payment(&payment).await;
        app.clock().set(AT_TARIFF);
        let answer = olena.post("/cart/add", payment.body.clone()).await;
        let refusal = answer.refused(409, "price_changed");
        assert_eq!(refusal["price"], json!({ "amount": 100, "commission": 10, "sum": 110 }));
        assert_eq!(answer.fields()["amount"], ["price_changed"]);
        assert_eq!(olena.get("/cart/items/count").await.ok()["items_count"], 1);
        olena.add_payment(&payment.with("sum", 110)).await;
    }

    async fn a_fee_and_its_account_end_with_the_year(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::AdminPayment).await;
        assert_eq!(payment.amount, 30_000);
        let of_2025 = payment.body["payment_type_requisite_id"].clone();
        let item = olena.add_payment(&payment).await;
        app.clock().set(BEFORE_YEAR);
        assert_eq!(only_item(&olena).await["change"], json!(null));
        app.clock().set(AT_YEAR);
        // Today's account is offered with today's price.
        let change = only_item(&olena).await["change"].clone();
        assert_eq!(change, json!({ "message": "requisite_expired", "price": { "amount": 330, "commission": 20, "sum": 350 } }));
        let body = olena.order_body().await;
        olena.create_order(&olena.fresh_key(), &body).await.refused(409, "requisite_expired");
        assert_eq!(app.rows("orders").await, 0);
        let answer = olena.post("/cart/add", payment.body).await;
        assert_eq!(answer.fields()["payment_type_requisite_id"], ["requisite_expired"]);

        let item = accept_todays(&olena, &item).await;
        assert_eq!((&item["change"], &item["sum_base"], &item["sum_total"]), (&json!(null), &json!(330), &json!(350)));
        assert_ne!(item["payment_type_requisite"]["id"], of_2025);
        let order = olena.order_cart().await;
        let paid = olena.pay(&order).await;
        assert_ne!(paid["items"][0]["payment_type_requisite"]["id"], of_2025);
        app.finish_and_check().await;
    }

    async fn a_fee_that_rose_at_an_account_that_stayed_is_offered_at_todays_price(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let payment = olena
            .form(PaymentKind::AdminGovernmentPayment)
            .await
            .with("payment_type_region_id", "ua-05")
            .with("payment_type_requisite_id", "ua-05-22012600-2025");
        let item = olena.add_payment(&payment).await;
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 3 })).await.ok();
        app.clock().set(AT_YEAR);
        let change = only_item(&olena).await["change"].clone();
        assert_eq!(change, json!({ "message": "price_changed", "price": { "amount": 330, "commission": 10, "sum": 340 } }));
        let item = accept_todays(&olena, &item).await;
        assert_eq!((&item["count"], &item["sum_total"]), (&json!(3), &json!(1_020)));
        // Nothing is left to update.
        let id = item["id"].as_str().unwrap();
        assert_eq!(accept_todays(&olena, id).await, item);
    }

    async fn an_order_made_before_midnight_keeps_its_sum(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        app.clock().set(AT_YEAR);
        let paid = olena.pay(&order).await;
        assert_eq!(paid["sum"], 320);
        app.finish_and_check().await;
    }

    async fn a_repeated_payment_is_offered_as_it_is_today(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let same = olena.get(&format!("/order/item/{item}/repeat")).await.ok();
        assert_eq!(same["payment_data"]["changed"], false);
        app.clock().set(AT_YEAR);
        let repeat = olena.get(&format!("/order/item/{item}/repeat")).await.ok();
        let data = &repeat["payment_data"];
        assert_eq!(data["changed"], true);
        assert_eq!(data["payment_type_requisite"]["id"], "ua-30-holosiivskyi-22012600-2026");
        assert_eq!(repeat["order_item"]["sum_base"], 300);
        assert_eq!(repeat["order_item"]["order"]["client"]["inn"], "3652504575");
        app.finish_and_check().await;
    }

    async fn a_screen_that_shows_another_sum_orders_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RegistryPayment).await;
        let body = olena.order_body().await;
        // Meanwhile the other tab raises the count.
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 2 })).await.ok();
        let answer = olena.create_order(&olena.fresh_key(), &body).await;
        answer.refused(409, "price_changed");
        assert_eq!(answer.fields()["sum"], ["price_changed"]);
        assert_eq!(app.rows("orders").await, 0);
        assert_eq!(olena.order_cart().await["sum"], 180);
    }

    async fn new_reference_data_reach_carts_without_a_restart(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RegistryPayment).await;
        app.load_reference(|files| {
            let tariffs = files.get_mut("option-tariffs.csv").unwrap();
            *tariffs = tariffs.replace("registry-real-rights-information-paper,80.00,2026-01-01,", "registry-real-rights-information-paper,85.50,2026-01-01,");
        }).await;
        assert_eq!(only_item(&olena).await["change"], json!(null), "not yet taken over");
        app.work().await;
        let change = only_item(&olena).await["change"].clone();
        assert_eq!(change["price"], json!({ "amount": 85.5, "commission": 10, "sum": 95.5 }));
        let answer = olena.create_order(&olena.fresh_key(), &olena.order_body().await).await;
        answer.refused(409, "price_changed");
        accept_todays(&olena, &item).await;
        assert_eq!(olena.order_cart().await["sum"], 95.5);
    }

    async fn a_cart_of_more_than_all_money_is_refused_and_stays_readable(app: TestApp) {
        let olena = app.notary("olena").await;
        let (amount, commission) = (90_000_000_000_i64, 1_350_000_000_i64);
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        let huge = form.with("amount", hryvnias(amount)).with("sum", hryvnias(amount + commission));
        let item = olena.add_payment(&huge).await;
        let answer = olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 2 })).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        let group = olena.group().await;
        assert_eq!((&group["items"][0]["count"], kopiykas(&group["amount"])), (&json!(1), amount + commission));
        // A second item for the same client exceeds the limit too.
        let answer = olena.post("/cart/add", huge.body.clone()).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert_eq!(olena.get("/cart").await.ok()["items_count"], 1);
        let other = olena.form_for(PaymentKind::RegistryPayment, cabinet_test_kit::ZORIA).await;
        olena.add_payment(&other).await;
        assert_eq!(olena.get("/cart").await.ok()["items_count"], 2);
    }

    async fn a_count_that_changes_while_todays_price_is_taken_stays(app: TestApp) {
        app.clock().set(BEFORE_TARIFF);
        let olena = app.notary("olena").await;
        app.clock().set(BEFORE_TARIFF);
        let item = olena.add(PaymentKind::AdminPayment).await;
        app.clock().set(AT_TARIFF);
        let (second, clock) = app.second_process(1).await;
        let (notary, id) = (olena.id(), item.clone());
        let repricing = tokio::spawn(async move { second.cart.reprice(notary, Some(id), FieldErrors::new()).await });
        // It has read the item. Meanwhile another tab changes the count.
        clock.reached().await;
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 3 })).await.ok();
        clock.release();
        assert!(repricing.await.unwrap().is_ok());
        let item = only_item(&olena).await;
        assert_eq!((&item["count"], &item["change"], &item["sum_total"]), (&json!(3), &json!(null), &json!(960)));
    }
}
