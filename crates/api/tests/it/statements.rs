//! How much the usual calls ask of the database. These are counts: they don't depend on the machine.

use axum::http::Method;
use cabinet_test_kit::{Asked, PaymentKind, Person, TestApp, counted, on_both_databases};
use serde_json::Value;

/// Units of work, and their statements. On PostgreSQL each unit of work is a transaction, whose beginning and end count as statements.
type Counts = (usize, usize);

/// What the calls ask of SQLite and of PostgreSQL. They may not grow. Where one asks for less, its new counts are written here.
const COUNTS: [(&str, Counts, Counts); 8] = [
    ("a payment is added", (1, 8), (1, 8)),
    ("a cart of one payment", (1, 3), (1, 5)),
    ("an order is made", (3, 20), (3, 26)),
    ("the acquirer reports its charge", (2, 20), (2, 22)),
    ("a paid order is asked about", (1, 3), (1, 5)),
    ("all of that", (8, 54), (8, 66)),
    ("a cart of five payments", (1, 3), (1, 5)),
    ("a list of twenty orders", (1, 4), (1, 6)),
];
const BY_SAVED_CARD: [(&str, Counts, Counts); 1] =
    [("an order is made and its card charged", (6, 40), (6, 50))];

fn compare(app: &TestApp, asked: &[Asked], expected: &[(&str, Counts, Counts)]) {
    let is_sqlite = app.services().store.is_sqlite();
    let ends = if is_sqlite { 0 } else { 2 };
    let mut differences = String::new();
    assert_eq!(asked.len(), expected.len());
    for (asked, (call, sqlite, postgres)) in asked.iter().zip(expected) {
        let counts = (asked.units, asked.statements.len() + ends * asked.units);
        let expected = if is_sqlite { sqlite } else { postgres };
        if counts != *expected {
            differences += &format!("{call}: {counts:?}, not {expected:?}\n");
            for sql in &asked.statements {
                let sql: Vec<&str> = sql.split_whitespace().collect();
                let beginning: String = sql.join(" ").chars().take(120).collect();
                differences += &format!("    {beginning}\n");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

async fn add(person: &Person, body: &Value) {
    let key = person.fresh_key();
    let call = person
        .call(Method::POST, "/cart/add")
        .header("idempotency-key", &key);
    call.json(body).send().await.ok();
}

async fn report_charge(app: &TestApp) {
    for report in app.kept_reports(2).await {
        let acquirer = app.anonymous();
        let call = acquirer
            .call(Method::POST, "/acquirer/report")
            .bytes(report.body);
        let answer = call.header("x-sign", &report.signature).send().await;
        assert_eq!(answer.status, 200);
    }
}

fn sum_of(asked: &[Asked]) -> Asked {
    Asked {
        units: asked.iter().map(|asked| asked.units).sum(),
        statements: asked
            .iter()
            .flat_map(|asked| asked.statements.clone())
            .collect(),
    }
}

on_both_databases! {
    async fn the_calls_of_an_order_ask_no_more_of_the_database_than_is_known(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        let payment = olena.form(PaymentKind::AdminPayment).await;
        for number in 0..20 {
            olena.add_payment(&payment).await;
            let order = olena.order_cart().await;
            if number == 0 {
                // From now on there are reserved numbers.
                olena.pay(&order).await;
            }
        }
        app.keep_reports();
        let ((), added) = counted(add(&olena, &payment.body)).await;
        let (_, cart) = counted(olena.get("/cart")).await;
        let (body, key) = (olena.order_body().await, olena.fresh_key());
        let (order, made) = counted(olena.create_order(&key, &body)).await;
        let order = order.ok()["order"].clone();
        let page = order["widget_url"].as_str().unwrap();
        assert_eq!(app.outside().pay(page, "4242424242424242").await, "success");
        app.kept_reports(2).await;
        let ((), charged) = counted(report_charge(&app)).await;
        let (paid, polled) = counted(olena.order(&order)).await;
        assert_eq!(paid["status"], "paid");
        let mut all = vec![added, cart, made, charged, polled];
        all.push(sum_of(&all));
        for _ in 0..5 {
            olena.add_payment(&payment).await;
        }
        let (_, cart) = counted(olena.get("/cart")).await;
        let (list, listed) = counted(olena.get("/order?limit=20")).await;
        assert_eq!(list.ok()["orders"].as_array().unwrap().len(), 20);
        all.extend([cart, listed]);
        compare(&app, &all, &COUNTS);
        app.finish_and_check().await;
    }

    async fn an_order_by_a_saved_card_asks_no_more_of_the_database_than_is_known(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.keep_reports();
        let token = olena.save_card("4242424242424242");
        olena.add(PaymentKind::AdminPayment).await;
        let mut body = olena.order_body().await;
        body["token_id"] = token.into();
        body["pan"] = "424242******4242".into();
        let key = olena.fresh_key();
        let (order, made) = counted(olena.create_order(&key, &body)).await;
        assert_eq!(order.ok()["order"]["status"], "paid");
        compare(&app, &[made], &BY_SAVED_CARD);
        app.finish_and_check().await;
    }
}
