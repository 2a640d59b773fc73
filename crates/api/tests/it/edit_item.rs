//! An item of the cart opens in the form and comes back changed.

use cabinet_test_kit::{
    Answer, PETRO, Payment, PaymentKind, Person, TestApp, ZORIA, on_both_databases,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::deal_cart::{NOON, add as add_deal, whole_deal};

/// Another account of a company.
const OTHER_ACCOUNT: &str = "UA213223130000026007233566001";

/// What fills the form.
async fn opened(person: &Person, item: &str) -> Value {
    person.get(&format!("/cart/item/{item}")).await.ok()
}

/// The answer of an edit that has mended no name, as `GET /cart` has it.
fn as_cart(mut answer: Value) -> Value {
    let mended = answer.as_object_mut().unwrap().remove("mended_full_name");
    assert_eq!(mended, Some(Value::Null));
    answer
}

async fn save(person: &Person, item: &str, version: &Value, payment: &Payment) -> Answer {
    let body = json!({ "cart_item_id": item, "version": version, "payment": payment.body });
    person.post("/cart/item/edit", body).await
}

/// Opens an item and saves it changed.
async fn change(person: &Person, item: &str, payment: &Payment) -> Value {
    let version = opened(person, item).await["version"].clone();
    as_cart(save(person, item, &version, payment).await.ok())
}

async fn groups(person: &Person) -> Vec<Value> {
    let cart = person.get("/cart").await.ok();
    cart["groups"].as_array().unwrap().clone()
}

/// A payment to any requisites with another amount.
async fn dearer(person: &Person) -> Payment {
    let payment = person.form(PaymentKind::RequisitesPayment).await;
    payment.with("amount", 2_000).with("sum", 2_030)
}

async fn ten_minutes_later(app: &TestApp, person: &Person) {
    app.clock().advance(SignedDuration::from_mins(10));
    person.refresh().await.ok();
}

on_both_databases! {
    async fn an_item_is_replaced_where_it_stands(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        app.clock().advance_seconds(60);
        olena.add(PaymentKind::RegistryPayment).await;
        taras.add(PaymentKind::RequisitesPayment).await;
        olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 3 })).await.ok();
        let (before, of_taras) = (olena.group().await["items"][0].clone(), groups(&taras).await);
        let version = olena.get("/cart").await.ok()["version"].as_i64().unwrap();
        let rows = app.all_rows().await;

        let form = opened(&olena, &item).await;
        assert_eq!(form["item"]["client"]["inn"], PETRO.inn);
        assert_eq!((&form["item"]["sum_base"], &form["item"]["count"]), (&json!(1250.5), &json!(3)));
        assert_eq!(form["item"]["purpose"], before["purpose"]);
        assert_eq!(form["payment_data"]["changed"], false);

        let changed = dearer(&olena).await.with("purpose", format!("Оренда зали, {}", PETRO.inn));
        let cart = change(&olena, &item, &changed).await;
        assert_eq!((&cart["items_count"], &cart), (&json!(2), &olena.get("/cart").await.ok()));
        let after = cart["groups"][0]["items"][0].clone();
        assert_eq!((&after["id"], &after["created_at"], &after["count"]), (&before["id"], &before["created_at"], &json!(3)));
        assert_eq!((&after["sum_full"], &after["sum_total"]), (&json!(2_030), &json!(6_090)));
        assert_eq!(after["purpose"], format!("Оренда зали, {}", PETRO.inn));
        assert!(olena.get("/cart").await.ok()["version"].as_i64().unwrap() > version);
        // Nothing was added, and nothing of another notary was touched.
        assert_eq!(app.all_rows().await, rows);
        assert_eq!(groups(&taras).await, of_taras);
        let order = olena.order_cart().await;
        assert_eq!(olena.order(&order).await["items"].as_array().unwrap().len(), 2);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn every_kind_opens_with_all_that_was_chosen_and_becomes_another(app: TestApp) {
        let olena = app.notary("olena").await;
        for kind in [PaymentKind::AdminPayment, PaymentKind::RegistryPayment] {
            let payment = olena.form(kind).await;
            let item = olena.add_payment(&payment).await;
            let form = opened(&olena, &item).await;
            let data = &form["payment_data"];
            assert_eq!(data["payment_type"]["slug"], kind.slug());
            assert_eq!(data["payment_type_option"]["id"], payment.body["payment_type_option_id"]);
            assert_eq!(data["payment_type_region"]["id"], payment.body["payment_type_region_id"]);
            assert_eq!(data["payment_type_requisite"]["id"], payment.body["payment_type_requisite_id"]);
            if kind == PaymentKind::AdminPayment {
                assert_eq!(data["payment_type_option_term"]["id"], payment.body["payment_type_option_term_id"]);
                assert_eq!((&form["item"]["iban"], &form["item"]["okpo"]), (&payment.body["iban"], &payment.body["okpo"]));
            }
            change(&olena, &item, &olena.form(PaymentKind::RequisitesPayment).await).await;
        }
        let cart = groups(&olena).await;
        assert_eq!(cart.len(), 1);
        for item in cart[0]["items"].as_array().unwrap() {
            assert_eq!((&item["payment_type"]["slug"], &item["payment_type_option"]), (&json!("requisites_payment"), &Value::Null));
        }
    }

    async fn another_client_takes_the_item_and_the_last_one_takes_its_act(app: TestApp) {
        let olena = app.notary("olena").await;
        let first = olena.add(PaymentKind::RequisitesPayment).await;
        let second = olena.add(PaymentKind::RegistryPayment).await;
        let client = olena.group().await["client"]["id"].clone();
        let act = json!({ "client_id": client, "register_number": "1-17", "date": "2026-06-01", "object": "квартира" });
        olena.post("/cart/act", act).await.ok();

        change(&olena, &first, &olena.form_for(PaymentKind::RequisitesPayment, ZORIA).await).await;
        let cart = groups(&olena).await;
        let of = |cart: &[Value], inn: &str| cart.iter().find(|group| group["client"]["inn"] == inn).cloned().unwrap();
        assert_eq!(cart.len(), 2);
        assert_eq!(of(&cart, ZORIA.inn)["items"][0]["id"], first.as_str());
        assert_eq!(of(&cart, ZORIA.inn)["act"]["register_number"], Value::Null);
        assert_eq!(of(&cart, PETRO.inn)["items"][0]["id"], second.as_str());
        assert_eq!(of(&cart, PETRO.inn)["act"]["register_number"], "1-17");
        // Whoever the form offers is the client of the latest payment.
        assert_eq!(olena.get("/cart/client/last").await.ok()["client"]["inn"], ZORIA.inn);

        // The last payment of a client leaves nothing behind, and what was entered of the act goes along.
        change(&olena, &second, &olena.form_for(PaymentKind::RegistryPayment, ZORIA).await).await;
        let cart = groups(&olena).await;
        assert_eq!(cart.len(), 1);
        assert_eq!(cart[0]["items"].as_array().unwrap().len(), 2);
        assert_eq!(cart[0]["act"]["register_number"], "1-17");
        assert_eq!((app.rows("clients").await, app.rows("cart_acts").await, app.rows("cart_items").await), (1, 1, 2));
        let order = olena.order_cart().await;
        assert_eq!(olena.order(&order).await["items"].as_array().unwrap().len(), 2);
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn what_another_window_has_changed_is_not_overwritten(app: TestApp) {
        let olena = app.notary("olena").await;
        let window = olena.elsewhere();
        window.log_in().await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        change(&window, &item, &dearer(&window).await).await;
        let cart = olena.get("/cart").await.ok();
        let hers = olena.form(PaymentKind::RequisitesPayment).await.with("purpose", format!("Інше, {}", PETRO.inn));
        save(&olena, &item, &version, &hers).await.refused(409, "cart_item_changed");
        assert_eq!(olena.get("/cart").await.ok(), cart);
        // The count is no part of the form.
        let version = opened(&olena, &item).await["version"].clone();
        window.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 2 })).await.ok();
        save(&olena, &item, &version, &hers).await.ok();
        assert_eq!(olena.group().await["items"][0]["count"], 2);
    }

    async fn a_mended_name_is_told(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        let renamed = dearer(&olena).await.with("client.full_name", "Дем'янeнко Iрина");
        let first = save(&olena, &item, &version, &renamed).await.ok();
        assert_eq!(first["mended_full_name"], "Дем’яненко Ірина");
        assert_eq!(first["groups"][0]["client"]["full_name"], "Дем’яненко Ірина");
        // The same request made again gets the same answer.
        assert_eq!(save(&olena, &item, &version, &renamed).await.ok(), first);
    }

    async fn a_request_made_again_changes_nothing(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        let payment = dearer(&olena).await;
        let first = save(&olena, &item, &version, &payment).await.ok();
        let (rows, cart) = (app.all_rows().await, olena.get("/cart").await.ok());
        assert_eq!(save(&olena, &item, &version, &payment).await.ok(), first);
        assert_eq!((app.all_rows().await, olena.get("/cart").await.ok()), (rows, cart));
    }

    async fn an_item_that_has_left_the_cart_stays_as_it_is(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        let payment = dearer(&olena).await;
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        save(&olena, &item, &version, &payment).await.refused(409, "cart_item_gone");
        olena.get(&format!("/cart/item/{item}")).await.refused(409, "cart_item_gone");
        olena.post("/cart/item/restore", json!({ "cart_item_id": item })).await.ok();
        let order = olena.order_cart().await;
        let rows = app.all_rows().await;
        save(&olena, &item, &version, &payment).await.refused(409, "cart_item_gone");
        olena.get(&format!("/cart/item/{item}")).await.refused(409, "cart_item_gone");
        assert_eq!(app.all_rows().await, rows);
        assert_eq!(olena.order(&order).await["items"][0]["sum_base"], json!(1250.5));
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn anothers_item_is_not_there(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        let (rows, cart) = (app.all_rows().await, olena.get("/cart").await.ok());
        let payment = dearer(&taras).await;
        save(&taras, &item, &version, &payment).await.refused(404, "cart_item_not_found");
        taras.get(&format!("/cart/item/{item}")).await.refused(404, "cart_item_not_found");
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        save(&taras, &item, &version, &payment).await.refused(404, "cart_item_not_found");
        olena.post("/cart/item/restore", json!({ "cart_item_id": item })).await.ok();
        let after = olena.get("/cart").await.ok();
        assert_eq!((app.all_rows().await, &after["groups"]), (rows, &cart["groups"]));
        olena.order_cart().await;
        save(&taras, &item, &version, &payment).await.refused(404, "cart_item_not_found");
    }

    async fn what_breaks_a_rule_leaves_the_old_item(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        let version = opened(&olena, &item).await["version"].clone();
        let (rows, cart) = (app.all_rows().await, olena.get("/cart").await.ok());
        let bad = dearer(&olena).await.with("client.inn", "1").with("purpose", "");
        let refused = save(&olena, &item, &version, &bad).await;
        assert_eq!(refused.status, 422);
        let fields = refused.fields();
        assert_eq!(fields["client.inn"], ["client_inn_format_invalid"]);
        assert_eq!(fields["purpose"], ["purpose_required"]);
        // A sum that was not on the screen is not taken over.
        let wrong = dearer(&olena).await.with("sum", 2_001);
        let refused = save(&olena, &item, &version, &wrong).await.refused(409, "price_changed");
        assert_eq!(refused["price"], json!({ "amount": 2_000, "commission": 30, "sum": 2_030 }));
        let nothing = olena.post("/cart/item/edit", json!({})).await;
        assert_eq!((nothing.status, &nothing.fields()["version"]), (422, &vec!["field_required".to_owned()]));
        assert_eq!(nothing.fields()["cart_item_id"], ["field_required"]);
        assert_eq!((app.all_rows().await, olena.get("/cart").await.ok()), (rows, cart));
    }

    async fn another_own_account_needs_a_fresh_code_and_the_items_own_does_not(app: TestApp) {
        let olena = app.notary("olena").await;
        // Signed in just now, so the account, which is not the profile's, is taken.
        let payment = olena.form(PaymentKind::AdminPayment).await;
        let item = olena.add_payment(&payment).await;
        ten_minutes_later(&app, &olena).await;
        let version = opened(&olena, &item).await["version"].clone();
        let cart = olena.get("/cart").await.ok();
        save(&olena, &item, &version, &payment.clone().with("iban", OTHER_ACCOUNT)).await.refused(403, "confirmation_required");
        assert_eq!(olena.get("/cart").await.ok(), cart);
        let renamed = payment.with("client.full_name", "Гнатюк Павло Олександрович");
        save(&olena, &item, &version, &renamed).await.ok();
        assert_eq!(olena.group().await["client"]["full_name"], "Гнатюк Павло Олександрович");
        assert_eq!((app.rows("clients").await, app.rows("cart_items").await), (1, 1));
    }

    async fn the_account_of_a_recipient_becomes_no_own_account_without_a_fresh_code(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        let own = olena.form(PaymentKind::AdminPayment).await;
        let item = olena.add_payment(&own).await;
        ten_minutes_later(&app, &olena).await;
        let foreign = olena.form(PaymentKind::RequisitesPayment).await.with("iban", OTHER_ACCOUNT);
        let version = opened(&olena, &item).await["version"].clone();
        save(&olena, &item, &version, &foreign).await.ok();
        let (version, cart) = (opened(&olena, &item).await["version"].clone(), olena.get("/cart").await.ok());
        save(&olena, &item, &version, &own.clone().with("iban", OTHER_ACCOUNT)).await.refused(403, "confirmation_required");
        assert_eq!(olena.get("/cart").await.ok(), cart);
        // Back to the profile's account needs none.
        let admin = olena.form(PaymentKind::AdminPayment).await;
        save(&olena, &item, &version, &admin).await.ok();
    }

    async fn an_item_of_a_deal_stays_one(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let deal = whole_deal(&olena).await;
        add_deal(&olena, &olena.fresh_key(), &deal).await.ok();
        let rows = app.all_rows().await;
        let cart = groups(&olena).await;
        let tax = cart.iter().flat_map(|group| group["items"].as_array().unwrap()).find(|item| item["payment_type"]["slug"] == "requisites_payment").unwrap();
        let item = tax["id"].as_str().unwrap();
        let payment = dearer(&olena).await;
        change(&olena, item, &payment).await;
        assert_eq!(app.all_rows().await, rows, "also the lines of the deal that name the item");
    }

    async fn a_fee_that_rose_meanwhile_is_saved_at_todays_price(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let payment = olena.form(PaymentKind::AdminPayment).await;
        let item = olena.add_payment(&payment).await;
        app.clock().set("2025-12-31T22:00:00Z");
        let form = opened(&olena, &item).await;
        assert_eq!(form["payment_data"]["changed"], true);
        assert_ne!(form["payment_data"]["payment_type_requisite"]["id"], payment.body["payment_type_requisite_id"]);
        let today = olena.form(PaymentKind::AdminPayment).await;
        save(&olena, &item, &form["version"], &today).await.ok();
        let after = olena.group().await["items"][0].clone();
        assert_eq!((&after["change"], &after["sum_full"]), (&Value::Null, &json!(350)));
    }
}
