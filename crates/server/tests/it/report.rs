//! `cabinet report` on the database of a cabinet with paid orders.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{PaymentKind, TestApp, command_on, complained, on_both_databases, said};

use crate::folder::Folder;

/// Runs `cabinet report …` on the cabinet's database.
fn report(app: &TestApp, arguments: &[&str]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .arg("report")
        .args(arguments)
        .output()
        .unwrap()
}

on_both_databases! {
    async fn the_accountant_gets_days_and_acts_that_add_up(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let page = order["widget_url"].as_str().unwrap();
        let day = app.clock().shows().to_string()[..10].to_owned();
        let daily = said(&report(&app, &["daily", "--day", &day]));
        assert!(daily.contains("charged 350.00 = transfers 330.00 + commissions 20.00 + duplicates 0.00\n"), "{daily}");
        assert!(daily.contains("commissions 20.00 = acquirer’s fees 4.55 + remainder 15.45\n"), "{daily}");
        let told: serde_json::Value = serde_json::from_str(&said(&report(&app, &["daily", "--day", &day, "--json"]))).unwrap();
        assert_eq!((&told["charged"], &told["adds_up"]), (&"350.00".into(), &true.into()));
        let fees = ["acquirer_fees", "acquirer_fees_unknown", "remainder"].map(|name| told[name].to_string());
        assert_eq!(fees, ["\"4.55\"", "0", "\"15.45\""]);
        assert_eq!(told["charges"][0]["acquirer_fee"], "4.55");
        assert!(complained(&report(&app, &["daily", "--day", "someday"])).join("\n").contains("--day"));
        let typed = format!("{}.{}.{}", &day[8..], &day[5..7], &day[..4]);
        assert!(said(&report(&app, &["daily", "--day", &typed])).starts_with(&format!("{day}: charges by number")));

        let acts = said(&report(&app, &["acts", "--month", &day[..7]]));
        assert!(acts.contains("  1  20.00 - 0.00 = 20.00\n") && acts.ends_with("total 20.00\n"), "{acts}");
        let folder = Folder::new();
        let file = folder.0.join("acts.csv");
        let name = file.to_str().unwrap();
        let csv = ["acts", "--month", &day[..7], "--format", "csv", "--file", name];
        assert!(said(&report(&app, &csv)).starts_with("1 acts were written to "));
        let rights = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
        assert_eq!(rights & 0o777, 0o600, "it names notaries: nobody else may read it");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("\u{feff}notary;code;payments;charged;given_back;commission;vat;vat_words\r\n") && text.contains(";1;20.00;0.00;20.00;;"), "{text}");
        assert!(complained(&report(&app, &csv))[0].contains("can't be made"));
        let book = folder.0.join("acts.xlsx");
        said(&report(&app, &["acts", "--month", &day[..7], "--format", "xlsx", "--file", book.to_str().unwrap()]));
        assert!(std::fs::read(&book).unwrap().starts_with(b"PK"));
        assert!(complained(&report(&app, &["acts", "--month", "2026-13"]))[0].contains("--month"));

        let written = "select count(*) from audit_events where action = 'report_written' and changes not like '%Олена%'";
        assert_eq!(app.number(written.to_owned()).await, 6);
        app.finish_and_check().await;

        // Nothing was given back on the day; then a part is, first unmarked, and the charge still adds up.
        assert!(daily.ends_with("given back to cards, UAH\ngiven back 0.00\nleft 350.00 = charged 350.00 - given back 0.00\n"), "{daily}");
        app.outside().refund_part(page, 13_200).await;
        // The acquirer reports it a moment later.
        app.wait_for_number("select count(*) from card_refunds", 1).await;
        let unmarked = said(&report(&app, &["daily", "--day", &day]));
        assert!(unmarked.contains("132.00  part, NOT MARKED 132.00, charged on "), "{unmarked}");
        let marked = format!(
            "update transfers set status = 'returned', reason = 'Рахунок закрито', refund_requested_at = {at}, refunded_at = {at},
                 refund_reason = 'операція 77' where role = 'recipient'",
            at = app.clock().shows().as_microsecond()
        );
        app.execute(marked).await;
        let daily = said(&report(&app, &["daily", "--day", &day]));
        assert!(daily.contains("charged 350.00 = transfers 330.00 + commissions 20.00 + duplicates 0.00\n"), "{daily}");
        assert!(daily.contains("132.00  part, returned transfer ") && daily.ends_with("left 218.00 = charged 350.00 - given back 132.00\n"), "{daily}");
        let told: serde_json::Value = serde_json::from_str(&said(&report(&app, &["daily", "--day", &day, "--json"]))).unwrap();
        assert_eq!((&told["refunded"], &told["given_back"][0]["amount"], &told["left"]), (&"132.00".into(), &"132.00".into(), &"218.00".into()));

        // An acquirer that has not told its fee is named, since the remainder is too large then.
        app.execute("update attempts set acquirer_fee = null".to_owned()).await;
        let unknown = said(&report(&app, &["daily", "--day", &day]));
        assert!(unknown.contains("commissions 20.00 = acquirer’s fees 0.00 + remainder 20.00; the fee of 1 charge is UNKNOWN\n"), "{unknown}");

        // A transfer is lost: the day does not add up any more.
        app.execute("delete from transfers where role = 'notary'".to_owned()).await;
        let output = report(&app, &["daily", "--day", &day]);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("DOES NOT ADD UP"));
    }
}
