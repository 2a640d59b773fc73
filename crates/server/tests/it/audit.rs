//! `cabinet audit`, the events of the operator's commands, and what `cabinet doctor` says of the trail.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{PaymentKind, TestApp, command_on, on_sqlite, said};
use serde_json::json;

use crate::command::as_intruder;

/// Returns what "oksana" did. Her name is what the environment says, and shown so.
fn of_oksana(line: &str) -> Option<&str> {
    let (who, what) = line.split_once(" (name not proved) ")?;
    who.starts_with("operator oksana, uid ").then_some(what)
}

/// Runs the program on the cabinet's database, as the user "oksana".
fn cabinet(app: &TestApp, arguments: &[&str]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .env("USER", "oksana")
        .output()
        .unwrap()
}

/// Returns the output and the error of a run that must fail.
#[track_caller]
fn failed(output: &Output) -> (String, String) {
    assert!(!output.status.success());
    (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

/// Returns the lines of a listing from the actor on: the number and the time are cut off.
fn events(listing: &str) -> Vec<String> {
    listing
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().skip(3).collect();
            words.join(" ")
        })
        .collect()
}

on_sqlite! {
    async fn the_operators_commands_leave_events(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let (phone, number) = (olena.phone(), order["number"].as_str().unwrap().to_owned());
        let folder = app.database_folder().unwrap().to_owned();
        let list = folder.join("list.csv");
        let list = list.to_str().unwrap();

        said(&cabinet(&app, &["notary", "set", phone, "--login-step", "phone_call", "--reason", "a call"]));
        said(&cabinet(&app, &["transfers", "export", list]));
        failed(&cabinet(&app, &["transfers", "export", list]));
        said(&cabinet(&app, &["transfers", "import", list, "--status", "sent"]));
        failed(&cabinet(&app, &["transfers", "import", list, "--status", "sent"]));
        said(&cabinet(&app, &["outbox", "retry"]));
        failed(&cabinet(&app, &["outbox", "retry", "00000000-0000-0000-0000-000000000007"]));
        said(&cabinet(&app, &["reference", "load", concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference-data"), "--reason", "a test", "--yes"]));
        let shown = events(&said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"])));
        let by_operator: Vec<&str> = shown.iter().filter_map(|line| of_oksana(line)).collect();
        let id = olena.id();
        let transfers: Vec<String> = std::fs::read_to_string(list).unwrap().lines().skip(1).map(|row| row[1..37].to_owned()).collect();
        let marked = |transfer: &str| format!("transfer_marked notary {id}; order {number}; transfer {transfer}; status: planned → sent");
        let mut expected = vec![
            format!("login_step_changed notary {id}; login_step: otp → phone_call; operator_reason: a call"),
            "transfers_exported transfers: 2".to_owned(),
            marked(&transfers[0]),
            marked(&transfers[1]),
            "reference_loaded reference_version 2; changes: 0; operator_reason: a test".to_owned(),
        ];
        let mut by_operator: Vec<String> = by_operator.into_iter().map(str::to_owned).collect();
        by_operator.sort();
        expected.sort();
        assert_eq!(by_operator, expected);

        // The order's own story. The clock of the test is behind, so what the commands did comes last.
        let of_order = events(&said(&cabinet(&app, &["audit", "show", "--order", &number])));
        assert_eq!(of_order.len(), 4);
        assert!(of_order[0].starts_with(&format!("notary order_created notary {id}; order {number}; sum: ")), "{of_order:?}");
        assert!(of_order[1].starts_with(&format!("worker order_paid notary {id}; order {number}; status: pending → paid")), "{of_order:?}");
        let of_notary = |who: &str| events(&said(&cabinet(&app, &["audit", "show", "--notary", who])));
        assert_eq!(of_notary(phone), of_notary(&id.to_string()));
        assert_eq!(of_notary(phone).iter().filter(|line| line.contains("login_step_changed")).count(), 1);
        let both = said(&cabinet(&app, &["audit", "show", "--notary", phone, "--order", &number]));
        assert_eq!(events(&both), of_order);

        // Narrower: by who acted, the kind, the days and a text.
        let narrowed = |by: &[&str]| events(&said(&cabinet(&app, &[&["audit", "show", "--since", "2026-01-01"], by].concat())));
        let of_hers = narrowed(&["--who", "oksana"]);
        assert_eq!(of_hers.len(), by_operator.len());
        assert!(of_hers.iter().all(|line| of_oksana(line).is_some()), "{of_hers:?}");
        assert!(narrowed(&["--who", "operator"]).len() > of_hers.len(), "the tables were loaded by another");
        assert_eq!(narrowed(&["--kind", "transfer_marked"]).len(), 2);
        assert_eq!(narrowed(&["--kind", "_marked", "--text", &transfers[0].to_uppercase()]).len(), 1);
        assert_eq!(narrowed(&["--text", "A CALL"]).len(), 1);
        let before = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01", "--until", "01.01.2026"]));
        assert_eq!(before, "There are no such events.\n");
        assert!(!narrowed(&["--until", "2026-03-31", "--who", "notary"]).is_empty());
        let told = said(&cabinet(&app, &["audit", "show", "--order", &number, "--kind", "order_paid", "--json"]));
        let event: serde_json::Value = serde_json::from_str(told.trim()).unwrap();
        assert_eq!((&event["kind"], &event["who"], event["order"].to_string()), (&"order_paid".into(), &"worker".into(), number));
        app.finish_and_check().await;
    }

    async fn what_can_not_be_shown_is_said(app: TestApp) {
        let complaint = |arguments: &[&str]| failed(&cabinet(&app, arguments)).1;
        assert!(complaint(&["audit", "show"]).contains("--notary"));
        assert_eq!(complaint(&["audit", "show", "--notary", "+380509999999"]), "cabinet: nobody is registered with that number\n");
        assert_eq!(complaint(&["audit", "show", "--notary", "olena"]), "cabinet: --notary: neither a phone nor an id\n");
        assert_eq!(complaint(&["audit", "show", "--order", "7"]), "cabinet: there is no order with that number\n");
        assert!(complaint(&["audit", "show", "--since", "someday"]).contains("--since"));
        assert!(complaint(&["audit", "show", "--kind", "order_paid"]).contains("--notary"), "not the whole trail");
        assert_eq!(said(&cabinet(&app, &["audit", "show", "--since", "2099-01-01"])), "There are no such events.\n");
    }

    async fn many_alarms_are_closed_at_once_and_the_list_says_what_it_leaves_out(app: TestApp) {
        let alarm = |number: u32, kind: &str| format!(
            "insert into alarms (id, kind, subject, first_at, last_at, count)
             values (x'{number:08x}000000000000000000000000', '{kind}', 's{number}', {number}, {number}, 1)"
        );
        for number in 0..3 {
            app.execute(alarm(number, "letter_refused")).await;
        }
        app.execute(alarm(0x1000_0003, "codes_guessed")).await;
        app.execute(alarm(0x2000_0004, "codes_guessed")).await;
        let close = |more: &[&str]| cabinet(&app, &[&["alarms", "close", "--note", "Вирішено"], more].concat());
        let open = "select count(*) from alarms where closed_at is null".to_owned();
        // A beginning that fits several closes none, also where another one is clear.
        assert_eq!(failed(&close(&["10000003", "0000"])).1, "cabinet: the ids of several open alarms begin with 0000: give more of it\n");
        assert_eq!(app.number(open.clone()).await, 5);
        assert_eq!(said(&close(&["10000003", "20000004"])), "2 alarms are closed.\n");
        let kind = ["--kind", "letter_refused"];
        let unasked = failed(&close(&kind)).1;
        assert!(unasked.starts_with("3 open alarms of the kind letter_refused would be closed\n") && unasked.contains("repeat with --yes"), "{unasked}");
        assert_eq!(app.number(open.clone()).await, 3);
        assert_eq!(said(&close(&[&kind[..], &["--yes"]].concat())), "3 alarms are closed.\n");
        assert_eq!(app.number(open).await, 0);
        assert_eq!(failed(&close(&kind)).1, "cabinet: there is no open alarm of the kind letter_refused: cabinet alarms list\n");
        let events = "select count(*) from audit_events where action = 'alarm_closed'".to_owned();
        assert_eq!(app.number(events).await, 5);

        for number in 10..1_012 {
            app.execute(alarm(number, "letter_refused")).await;
        }
        let listed = cabinet(&app, &["alarms", "list"]);
        assert!(String::from_utf8_lossy(&listed.stderr).starts_with("2 alarms are NOT listed: the oldest."), "{listed:?}");
        let listed: serde_json::Value = serde_json::from_slice(&cabinet(&app, &["alarms", "list", "--json"]).stdout).unwrap();
        assert_eq!(listed["alarms"].as_array().unwrap().len(), 1_000);
    }

    async fn a_closed_alarm_is_recorded_with_its_order(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.execute("insert into alarms (id, kind, subject, order_id, first_at, last_at, count) select id, 'late_payment', 'test', id, 1, 1, 1 from orders".to_owned()).await;
        let id = order["id"].as_str().unwrap();
        let refused = |note: &str| failed(&cabinet(&app, &["alarms", "close", id, "--note", note])).1;
        assert!(refused("").starts_with("cabinet: --note: it is empty"), "{}", refused(""));
        // The note is kept for good with its order.
        for note in ["картка 4242 4242 4242 4242", "просить 050 111-22-33", "код 2817364509"] {
            assert_eq!(refused(note), "cabinet: --note: it has a long number: leave cards, telephones and codes out\n", "{note}");
        }
        let open = said(&cabinet(&app, &["alarms", "list"]));
        assert!(open.contains(id), "{open}");
        said(&cabinet(&app, &["alarms", "close", id, "--note", "Олена Коваль просила"]));
        assert_eq!(refused("Олена Коваль просила"), "cabinet: there is no open alarm of this id: cabinet alarms list\n");
        let number = order["number"].as_str().unwrap();
        let shown = events(&said(&cabinet(&app, &["audit", "show", "--order", number])));
        let closed = format!("alarm_closed notary {}; order {number}; alarm {id}", olena.id());
        assert_eq!(shown.iter().filter(|line| of_oksana(line) == Some(&*closed)).count(), 1, "{shown:?}");
        assert!(!shown.concat().contains("Олена"));
        app.finish_and_check().await;
    }

    async fn the_doctor_finds_what_an_intruder_did(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.post_proved("/me", json!({ "certificate_number": "1209" })).await.ok();
        let (told, complaint) = failed(&cabinet(&app, &["doctor"]));
        assert!(told.contains("BROKEN  audit_sealed: "), "{told}");
        assert!(complaint.contains("1 of "), "{complaint}");
        app.work().await;
        let told = said(&cabinet(&app, &["doctor"]));
        assert!(told.contains("holds   audit_chain: ") && told.contains("holds   audit_sealed: "), "{told}");
        let seal = told.lines().last().unwrap().rsplit(' ').next().unwrap().to_owned();
        said(&cabinet(&app, &["doctor", "--audit-seal", &seal]));
        assert!(failed(&cabinet(&app, &["doctor", "--audit-seal", "7"])).1.contains("--audit-seal"));

        as_intruder(&app, "drop trigger audit_events_are_not_updated; update audit_events set actor = 'worker', actor_id = null where action = 'profile_changed'");
        let (told, _) = failed(&cabinet(&app, &["doctor"]));
        assert!(told.contains("BROKEN  audit_chain: the audit trail is what was sealed – 1 times: event "), "{told}");
        // The whole trail written anew shows only against a seal that was noted.
        as_intruder(&app, "update audit_events set sequence = null, hash = null; delete from counters where name = 'audit_sealed_until'");
        app.work().await;
        said(&cabinet(&app, &["doctor"]));
        let (told, _) = failed(&cabinet(&app, &["doctor", "--audit-seal", &seal]));
        assert!(told.contains("another hash than the noted one"), "{told}");
    }
}
