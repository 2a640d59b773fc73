//! `cabinet erase` beside a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{PETRO, PaymentKind, TestApp, complained, on_sqlite, said};

use crate::command::command_of;

/// Runs `cabinet erase` about a notary, with an acquirer at this address.
fn erase(app: &TestApp, arguments: &[&str], acquirer: &str) -> Output {
    let arguments = [&["erase", "--notary", "+380501110001"][..], arguments].concat();
    command_of(app, &arguments)
        .env("CABINET_ACQUIRER_BASE_URL", acquirer)
        .output()
        .unwrap()
}

/// Returns the error of a run that must fail.
#[track_caller]
fn refused(output: &Output) -> String {
    complained(output).join("\n")
}

on_sqlite! {
    async fn the_operator_sees_first_what_goes_and_what_stays(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.execute("update transfers set status = 'credited'".to_owned()).await;
        olena.add(PaymentKind::RequisitesPayment).await;
        olena.save_card("4242424242424242");
        let acquirer = app.outside().url.clone();
        let rows = app.all_rows().await;

        let client = ["--client", PETRO.inn, "--reason", "request"];
        let listed = said(&erase(&app, &client, &acquirer));
        for expected in ["Goes     1 clients", "Goes     1 items of the cart", "with its names until", "Nothing was erased"] {
            assert!(listed.contains(expected), "{listed}");
        }
        let account = ["--reason", "purpose-ended"];
        let listed = said(&erase(&app, &account, &acquirer));
        assert!(listed.contains("Goes     1 saved cards") && listed.contains("Nothing was erased"), "{listed}");
        // Nobody answers at this address.
        let nowhere = "http://127.0.0.1:9";
        assert!(said(&erase(&app, &account, nowhere)).contains("the acquirer does not answer"));
        let error = refused(&erase(&app, &["--reason", "request", "--yes"], nowhere));
        assert!(error.contains("The account is as it was"), "{error}");
        assert!(refused(&erase(&app, &["--client", "Ніхто Ніна", "--reason", "request"], nowhere)).contains("no client"));
        assert!(refused(&erase(&app, &["--reason", "Гнатюк хоче"], nowhere)).contains("possible values"));
        assert_eq!(app.all_rows().await, rows);

        // A client needs no acquirer.
        let done = said(&erase(&app, &["--client", PETRO.inn, "--reason", "request", "--yes"], nowhere));
        assert!(done.contains("Gone     1 items of the cart") && !done.contains("ATTENTION"), "{done}");
        let done = said(&erase(&app, &["--reason", "request", "--yes"], &acquirer));
        assert!(done.contains("Gone     1 saved cards") && !done.contains("ATTENTION"), "{done}");
        assert!(refused(&erase(&app, &account, &acquirer)).contains("nobody is registered"));
        assert!(!app.stores(olena.phone()).await);
        app.finish_and_check().await;
    }
}
