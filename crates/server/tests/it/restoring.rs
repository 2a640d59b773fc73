//! The database is lost, and a copy from before the last payments is put in its place: what is known again by itself, what a person is
//! told, and that nobody is charged twice.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::path::Path;

use cabinet_app::worker::reconciliation::Comparison;
use cabinet_test_kit::{
    LedgerKind, PaymentKind, Person, TestApp, complained, kopiykas, on_sqlite, said,
};
use serde_json::{Value, json};

use crate::command::cabinet;

const PAYS: &str = "4242424242424242";
const DECLINED: &str = "4000000000000002";

async fn ordered(person: &Person) -> Value {
    person.add(PaymentKind::RegistryPayment).await;
    person.order_cart().await
}

fn page(order: &Value) -> &str {
    order["widget_url"].as_str().unwrap()
}

/// What the acquirer has charged, in kopiykas, charge by charge.
fn charges(app: &TestApp) -> Vec<i64> {
    let ledger = app.outside().ledger().into_iter();
    ledger
        .filter(|line| line.kind == LedgerKind::Charge)
        .map(|line| line.amount)
        .collect()
}

/// Loses the database, puts the copy in its place and starts the cabinet, as an operator does. Returns what the statement gave back.
async fn restore(app: &TestApp, copy: &Path) -> Comparison {
    app.stop().await;
    let database = app.database_folder().unwrap().join("cabinet.db");
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", database.display()));
    }
    std::fs::copy(copy, &database).unwrap();
    app.start_again(|_| ()).await;
    // Nothing is asked for or planned before that.
    for action in [
        &["ask", "100001"][..],
        &["refund", "100001", "--reason", "SD-1"],
        &["cancel", "100001", "--reason", "SD-1"],
    ] {
        let told = complained(&cabinet(app, &[&["order"], action].concat())).join(" ");
        assert!(told.contains("start cabinet serve first"), "{told}");
    }
    // As `cabinet serve` does before it listens.
    let services = app.services();
    let left_out = services.store.leave_out_used_numbers(services.now()).await;
    assert!(left_out.unwrap().is_some(), "a copy is known for one");
    services
        .reconciliation
        .recover_after_restore()
        .await
        .unwrap()
        .unwrap()
}

on_sqlite! {
    async fn what_was_ended_since_the_copy_is_alive_until_a_command_ends_it(app: TestApp) {
        let (olena, iryna) = (app.notary("olena").await, app.notary("iryna").await);
        // As `cabinet serve` does at its first start, so that a copy is known for one.
        app.services().store.leave_out_used_numbers(app.services().now()).await.unwrap();
        ordered(&olena).await;
        // A command has the machine's clock, for which the sessions of the test expired long ago.
        app.execute("update sessions set expires_at = 4102444800000000".to_owned()).await;
        let copy = app.database_folder().unwrap().join("copy.sqlite");
        said(&cabinet(&app, &["backup", copy.to_str().unwrap()]));
        let token = iryna.access_token();
        iryna.post("/auth/logout", json!({})).await.ok();

        restore(&app, &copy).await;
        iryna.hold_access_token(&token);
        iryna.get("/cart").await.ok();
        let end = ["notary", "end-sessions", "--all", "--reason", "Відновлено копію, SD-4721"];
        assert!(complained(&cabinet(&app, &end[..3])).join("\n").contains("--reason"));
        assert!(complained(&cabinet(&app, &[&end[..2], &end[3..]].concat())).join("\n").contains("--all"));
        iryna.get("/cart").await.ok();
        assert_eq!(
            said(&cabinet(&app, &end)),
            "Sessions that ended: 2, of 2 accounts. All browsers are forgotten: everybody logs in as from a new device.\n"
        );
        for person in [&olena, &iryna] {
            person.get("/cart").await.refused(401, "unauthorized");
        }
        let trail = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"]));
        let events: Vec<&str> = trail.lines().filter(|line| line.contains("sessions_ended")).collect();
        assert!(events.len() == 3 && events.iter().all(|line| line.contains("operator oksana") && line.contains("SD-4721")), "{events:?}");
        assert!(events.iter().any(|line| line.contains("sessions: 2") && line.contains("accounts: 2")), "{events:?}");
    }

    async fn an_older_copy_is_made_good_from_the_statement(app: TestApp) {
        let (olena, iryna) = (app.notary("olena").await, app.notary("iryna").await);
        // As `cabinet serve` does at its first start, so that a copy is known for one.
        app.services().store.leave_out_used_numbers(app.services().now()).await.unwrap();
        // Before the copy: an order that is paid, one whose page is open, one that was declined, and a cart.
        let paid_before = ordered(&olena).await;
        olena.pay(&paid_before).await;
        let page_open = ordered(&olena).await;
        let declined = ordered(&olena).await;
        app.outside().pay(page(&declined), DECLINED).await;
        olena.until(&declined, "failed").await;
        iryna.add(PaymentKind::AdminPayment).await;
        let copy = app.database_folder().unwrap().join("copy.sqlite");
        said(&cabinet(&app, &["backup", copy.to_str().unwrap()]));

        // After it: everything is paid, by the open page, by a new link, and by orders that the copy does not have.
        olena.pay(&page_open).await;
        let link = format!("/order/{}/update/pay-link", declined["id"].as_str().unwrap());
        let fresh = olena.get(&link).await.ok();
        app.outside().pay(fresh["widget_url"].as_str().unwrap(), PAYS).await;
        olena.until(&declined, "paid").await;
        let of_cart = iryna.order_cart().await;
        iryna.pay(&of_cart).await;
        let new = ordered(&olena).await;
        olena.pay(&new).await;
        let charged = charges(&app);
        assert_eq!(charged.len(), 5);

        let found = restore(&app, &copy).await;
        assert_eq!(found, Comparison { agreeing: 1, made_good: 2, unknown: 2, ..Comparison::default() });
        // Known again by themselves.
        for order in [&paid_before, &page_open, &declined] {
            assert_eq!(olena.order(order).await["status"], "paid");
        }
        // Told, with whose they are.
        let alarms = said(&cabinet(&app, &["alarms", "list"]));
        let listed: Value = serde_json::from_str(&said(&cabinet(&app, &["alarms", "list", "--json"]))).unwrap();
        for (person, order) in [(&iryna, &of_cart), (&olena, &new)] {
            let sum = kopiykas(&order["sum"]);
            let told = format!(
                "order {} of notary {}, {}.{:02} UAH, charged 2026-03-02 ",
                order["number"].as_str().unwrap(), person.id(), sum / 100, sum % 100
            );
            assert!(alarms.contains(&format!("    detail: {told}")), "{told}: {alarms}");
            let is_told = |alarm: &Value| alarm["kind"] == "statement_unknown_payment"
                && alarm["subject"].as_str().unwrap().starts_with("invoice:") && alarm["detail"].as_str().unwrap_or_default().starts_with(&told);
            assert!(listed["alarms"].as_array().unwrap().iter().any(is_told), "{told}: {listed}");
            said(&cabinet(&app, &["notary", "show", &person.id().to_string()]));
            for personal in [person.phone(), Person::facts("olena").1, Person::facts("iryna").1] {
                assert!(!alarms.contains(personal), "{alarms}");
            }
        }
        // Once, however often it is compared.
        for seconds in [24 * 3_600 + 60, 61] {
            app.clock().advance_seconds(seconds);
            app.services().reconciliation.recover_again().await.unwrap().unwrap();
        }
        assert_eq!(app.services().reconciliation.recover_after_restore().await.unwrap(), None, "all was looked for");
        assert_eq!(app.services().reconciliation.compare_since(app.services().now() - jiff::SignedDuration::from_hours(48)).await.unwrap().unknown, 2);
        assert_eq!(app.number("select count(*) from alarms where kind = 'statement_unknown_payment'".to_owned()).await, 2);

        // Nobody is charged a second time, and no number is given a second time.
        for _ in 0..3 {
            app.clock().advance_seconds(3_600);
            app.work().await;
        }
        assert_eq!(charges(&app), charged);
        olena.log_in().await;
        let refused = olena.get(&link).await;
        assert!(refused.status >= 400 && refused.status != 401, "a paid order gets no page");
        let next = ordered(&olena).await;
        let number = |order: &Value| order["number"].as_str().unwrap().parse::<i64>().unwrap();
        assert!(number(&next) > number(&new) + 900_000);
        // Transfers wait for a comparison with the bank.
        let list = app.database_folder().unwrap().join("list.csv");
        let export = ["transfers", "export", list.to_str().unwrap()];
        assert!(complained(&cabinet(&app, &export))[0].contains("cabinet transfers resume"));
        // The bank may have what is planned here, so it is not given back either. A part of the commission is ours.
        let number = paid_before["number"].as_str().unwrap();
        let refund = ["order", "refund", number, "--reason", "SD-4720", "--yes"];
        assert!(complained(&cabinet(&app, &refund)).join(" ").contains("cabinet transfers resume --compared"));
        said(&cabinet(&app, &[&refund[..], &["--sum", "0.50"]].concat()));
        said(&cabinet(&app, &["transfers", "resume", "--compared", "--reason", "Звірено з банком", "--yes"]));
        said(&cabinet(&app, &export));
        said(&cabinet(&app, &refund));
        app.check_invariants().await;
        app.skip_final_check();
    }
}
