//! What is left after six years of a working cabinet: each table is asked.

use std::collections::BTreeMap;

use cabinet_domain::Clock as _;
use cabinet_test_kit::{PETRO, PaymentKind, Person, TestApp, ZORIA, on_both_databases};
use jiff::SignedDuration;
use serde_json::{Value, json};

const MONTH: SignedDuration = SignedDuration::from_hours(24 * 30);

async fn paid_order(person: &Person) -> Value {
    person.add(PaymentKind::RequisitesPayment).await;
    let order = person.order_cart().await;
    person.pay(&order).await
}

/// Fills every table that ages, in the first days.
async fn first_days(app: &TestApp, olena: &Person, taras: &Person) {
    paid_order(olena).await;
    app.execute("update transfers set status = 'credited'".to_owned())
        .await;
    // This one stays open: its transfer is never sent.
    paid_order(taras).await;
    let zoria = olena.form_for(PaymentKind::RegistryPayment, ZORIA).await;
    let item = olena
        .call(axum::http::Method::POST, "/cart/add")
        .header("idempotency-key", &olena.fresh_key())
        .json(&zoria.body)
        .send()
        .await
        .ok()["item_id"]
        .clone();
    let complaint = json!({ "cart_item_id": item, "text": "Сума не та" });
    olena.post("/cart/item/complaint", complaint).await.ok();
    let deleted = json!({ "cart_item_id": item });
    olena.post("/cart/item/delete", deleted).await.ok();
    let wish = json!({ "full_name": "Ніхто Ніна", "phone": "0931113377", "registry_identifier": "NOBODY77", "is_agreed": true });
    app.anonymous().post("/auth/sign-up", wish).await.ok();
    let nobody = json!({ "phone": "0931113378" });
    app.anonymous().post("/auth/login", nobody).await;
    for person in [olena, taras] {
        person.log_in().await;
    }
}

/// Returns everything that is stored of the open order.
async fn open_order(app: &TestApp) -> Vec<i64> {
    let mut found = Vec::new();
    for sql in [
        format!(
            "select count(*) from orders o join clients c on c.id = o.client_id where o.anonymised_at is null
             and o.search_text like '%3652504575%' and c.full_name = '{}'",
            PETRO.full_name
        ),
        "select count(*) from order_items where purpose like '%3652504575%'".to_owned(),
        format!(
            "select count(*) from transfers where status = 'planned' and payer_name = '{}' and purpose like '%3652504575%'",
            PETRO.full_name
        ),
        "select count(*) from attempts where masked_pan is not null".to_owned(),
        "select count(*) from acquirer_reports where length(body) > 0".to_owned(),
    ] {
        found.push(app.number(sql).await);
    }
    found
}

/// A month later the worker has done its rounds.
async fn a_month_passes(app: &TestApp) {
    app.clock().advance(MONTH);
    app.ask_acquirer().await;
    app.work().await;
}

on_both_databases! {
    async fn after_six_years_only_what_must_stay_is_left(app: TestApp) {
        app.restart_with(|settings| settings.app.retention.anonymises_orders = true).await;
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        first_days(&app, &olena, &taras).await;
        let begin = app.all_rows().await;
        for table in ["cart_additions", "cart_items", "complaints", "devices", "login_operations", "outbox", "refused_entries", "sessions"] {
            assert!(begin[table] > 0, "{table} has rows that age");
        }
        let reports = open_order(&app).await;
        assert_eq!(reports[..4], [2, 2, 1, 2]);
        let begun = app.clock().now();

        let (mut complaints_until, mut names_until, mut trail_until) = (0, 0, 0);
        for month in 1..=74 {
            a_month_passes(&app).await;
            // Somebody works on, so that there is always something young. Devices stay known.
            if month % 6 == 0 {
                olena.log_in().await;
                taras.log_in().await;
                app.work().await;
            }
            let rows = app.all_rows().await;
            if rows["complaints"] > 0 { complaints_until = month; }
            let found = open_order(&app).await;
            assert!(found[..4].iter().all(|count| *count >= 1), "an open order was touched in month {month}: {found:?}");
            if found[0] == 2 { names_until = month; }
            let old = format!("select count(*) from audit_events where created_at < {}", begun.as_microsecond());
            if app.number(old).await > 0 { trail_until = month; }
            assert!(month < 4 || rows["sessions"] <= 4 && rows["login_operations"] <= 4 && rows["outbox"] <= 4, "{rows:?}");
        }
        // In months of 30 days: 1095 days, 1825 days, 1825 days and what is left of the month.
        assert_eq!((complaints_until, names_until), (36, 60));
        assert!((60..=62).contains(&trail_until), "{trail_until}");

        let mut rows = app.all_rows().await;
        let trail = rows.remove("audit_events").unwrap();
        assert!(trail > 0 && rows.remove("audit_starts").unwrap() <= 16);
        let expected: BTreeMap<&str, i64> = [
            ("acquirer_report_digests", begin["acquirer_report_digests"]),
            ("acquirer_reports", begin["acquirer_reports"]),
            ("alarms", begin["alarms"]),
            ("attempts", 2),
            ("bank_facts", 0),
            ("card_refunds", 0),
            ("cart_acts", 0),
            ("cart_additions", 0),
            ("cart_items", 0),
            ("carts", begin["carts"]),
            ("client_links", 0),
            // Petro of the open order, and nobody of the other.
            ("charges_outside_tables", 0),
            ("clients", 2),
            ("complaints", 0),
            ("counters", begin["counters"]),
            ("deal_answers", 0),
            ("deal_items", 0),
            ("deal_payments", 0),
            ("deals", 0),
            ("devices", 2),
            ("key_ids", begin["key_ids"]),
            ("leases", begin["leases"]),
            ("login_operations", 0),
            ("notaries", 2),
            ("notary_passkeys", 0),
            ("order_events", begin["order_events"]),
            ("order_items", 2),
            ("order_receipts", 2),
            ("orders", 2),
            ("outbox", 0),
            ("own_recipients", 0),
            ("passkey_proofs", 0),
            ("payment_proofs", 0),
            ("proved_recipients", begin["proved_recipients"]),
            ("receipt_consents", 0),
            ("register_proofs", 0),
            ("receipt_mail", 0),
            ("reference_files", begin["reference_files"]),
            ("reference_versions", begin["reference_versions"]),
            ("refresh_tokens", 2),
            ("refunds", 0),
            ("refused_entries", 0),
            ("register_loads", 0),
            ("register_rows", 0),
            ("removed_cards", 0),
            ("sessions", 2),
            ("statement_days", begin["statement_days"]),
            ("transfer_lists", 0),
            ("transfers", 2),
            ("unsent_codes", 0),
            ("used_tickets", 0),
        ].into();
        assert_eq!(rows, expected);
        assert_eq!(open_order(&app).await[..4], [1, 1, 1, 1]);
        // The report of the open order is still what the acquirer sent.
        assert!(open_order(&app).await[4] >= 1);
        app.finish_and_check().await;
    }

    async fn a_row_of_a_sheet_leaves_nothing_of_a_client_who_is_gone(app: TestApp) {
        let olena = app.notary("olena").await;
        let text = "Вид платежу\tКод клієнта\tКлієнт\tРахунок IBAN отримувача\tКод отримувача\tОтримувач\tПризначення платежу\tСума, грн\n\
                    Платіж за реквізитами\t3184710691\tДем’яненко Лук’ян\tUA223052990000026001234567890\t32855961\tТОВ «Зоря»\tОплата, 3184710691\t100";
        let rows = olena.post("/cart/sheet/read", json!({ "text": text })).await.ok()["rows"].clone();
        assert_eq!(rows[0]["findings"], json!([]), "{rows}");
        let row = json!({ "number": rows[0]["number"], "cells": rows[0]["cells"], "sum": rows[0]["payment"]["sum_full"] });
        olena.post("/cart/sheet/add", json!({ "rows": [row] })).await.ok();
        assert_eq!(app.rows("cart_additions").await, 1);
        let item = olena.group().await["items"][0]["id"].clone();
        olena.post("/cart/item/delete", json!({ "cart_item_id": item })).await.ok();
        app.work().await;
        assert_eq!(app.rows("cart_additions").await, 1, "it may be restored");
        app.clock().advance_seconds(25 * 3_600);
        app.work().await;
        assert_eq!((app.rows("clients").await, app.rows("cart_additions").await), (0, 0));
    }

    async fn orders_keep_their_names_unless_the_operator_says_otherwise(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        for _ in 0..80 {
            a_month_passes(&app).await;
        }
        olena.log_in().await;
        assert_eq!(olena.order(&order).await["client"]["full_name"], PETRO.full_name);
        app.finish_and_check().await;
    }

    async fn what_can_not_be_removed_keeps_no_name_in_an_order_and_is_tried_again(app: TestApp) {
        app.restart_with(|settings| settings.app.retention.anonymises_orders = true).await;
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        app.work().await;
        let old = format!("select count(*) from audit_events where created_at <= {}", app.clock().now().as_microsecond());
        app.clock().advance(MONTH * 80);
        app.ask_acquirer().await;
        app.execute("alter table audit_starts rename to audit_starts_away".to_owned()).await;
        app.services().maintenance.tidy_up().await.unwrap_err();
        assert_eq!(app.number("select count(*) from orders where anonymised_at is null".to_owned()).await, 0);
        assert!(app.number(old.clone()).await > 0);
        // Not an hour later: the next round.
        app.execute("alter table audit_starts_away rename to audit_starts".to_owned()).await;
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(app.number(old).await, 0);
        app.finish_and_check().await;
    }

    async fn a_clock_that_runs_years_ahead_removes_nothing_that_is_kept_for_years(app: TestApp) {
        app.restart_with(|settings| settings.app.retention.anonymises_orders = true).await;
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        let names = "select count(*) from orders where anonymised_at is null".to_owned();
        let trail = "select count(*) from audit_events".to_owned();
        let events = app.number(trail.clone()).await;

        // Only our clock says so: the acquirer's last answer is of this minute.
        app.clock().advance(MONTH * 80);
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(app.number(names.clone()).await, 1);
        assert!(app.number(trail.clone()).await >= events);
        // After a restart nobody has said anything.
        app.restart().await;
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(app.number(names.clone()).await, 1);

        app.ask_acquirer().await;
        app.services().maintenance.tidy_up().await.unwrap();
        assert_eq!(app.number(names).await, 0);
        app.finish_and_check().await;
    }
}
