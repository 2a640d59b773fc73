//! The process: its end, its exit code, and its lock of the database.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use cabinet_test_kit::WAITING_MAX;

use crate::server::{Home, ask, free_address};
use crate::tables::{edit, starter_tables};

/// Damages the schema of the database, so that open connections notice it.
fn break_schema(database: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
        .execute_batch(
            "begin immediate;
             pragma writable_schema = on;
             update sqlite_schema set rootpage = 100000000 where name = 'orders';
             pragma schema_version = 1000000;
             commit;",
        )
        .unwrap();
}

#[test]
fn a_cabinet_that_leaves_serves_on_and_says_with_each_answer_that_the_connection_ends() {
    let home = Home::new();
    let mut server = home.serve_with(&[("CABINET_CONNECTIONS_LEAVING_SECONDS", "60")]);
    server.wait_until_ready();
    let keeps = |path: &str| {
        let mut stream = TcpStream::connect(server.listen).unwrap();
        stream.set_read_timeout(Some(WAITING_MAX)).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let (mut head, mut length) = ([0; 16_384], 0);
        while !head[..length].windows(4).any(|end| end == b"\r\n\r\n") {
            let more = stream.read(&mut head[length..]).unwrap();
            assert!(more > 0, "an answer has a head");
            length += more;
        }
        let head = String::from_utf8_lossy(&head[..length]).to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        !head.contains("\r\nconnection: close\r\n")
    };
    assert!(keeps("/healthz"));
    server.terminate();
    let is_leaving =
        || ask(server.listen, "/readyz").is_ok_and(|answer| answer.starts_with("HTTP/1.0 404"));
    server.wait_until(is_leaving, "it does not leave");
    assert!(!keeps("/healthz"));
    assert!(!keeps("/api/config"));
    // Another signal does not wait for the time to be over.
    server.stop();
}

#[test]
fn a_database_that_can_not_be_written_any_more_ends_the_process() {
    let home = Home::new();
    let mut server = home.serve();
    server.wait_until_ready();
    break_schema(&home.database());
    let said = server.failed();
    let last = said.lines().last().unwrap();
    assert!(
        last.starts_with("cabinet: the database takes no more writes:"),
        "{said}"
    );
}

#[test]
fn a_sqlite_database_is_served_by_one_process_and_open_to_every_command() {
    let home = Home::new();
    let mut first = home.serve();
    first.wait_until_ready();
    let said = home.serve().failed();
    assert!(said.contains("another cabinet works on "), "{said}");
    assert!(first.is_ready());

    let copy = home.folder().join("copy.db");
    let commands: [&[&str]; 4] = [
        &["doctor"],
        &["backup", copy.to_str().unwrap()],
        &["notary", "list"],
        &["outbox", "retry"],
    ];
    for command in commands {
        let output = home.run(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command:?}: {said}");
    }

    // The lock ends with its process, also after a kill.
    first.kill();
    let mut next = home.serve();
    next.wait_until_ready();
    next.stop();
}

#[test]
fn a_start_that_may_not_migrate_names_what_is_missing_and_makes_nothing() {
    let home = Home::new();
    let start = || home.serve_by(&["serve", "--sandbox", "--no-migrate"], &[]);
    let refused = || start().failed();
    assert!(refused().contains("there is no database "));
    let plan = home.run(&["migrate", "--plan"]);
    let plan = String::from_utf8(plan.stdout).unwrap();
    assert!(
        plan.starts_with("There is no database yet.")
            && plan.contains("\n  0001_start  transaction 1  "),
        "{plan}"
    );
    assert!(!home.database().exists());
    assert!(home.run(&["migrate"]).status.success());
    let mut server = start();
    server.wait_until_ready();
    server.stop();
    let database = rusqlite::Connection::open(home.database()).unwrap();
    database
        .execute("delete from schema_migrations where number = (select max(number) from schema_migrations)", ())
        .unwrap();
    drop(database);
    let said = refused();
    assert!(
        said.contains(" is missing): run `cabinet migrate`"),
        "{said}"
    );
}

#[test]
fn a_start_with_fees_of_an_earlier_year_warns_of_them() {
    let home = Home::new();
    let tables = starter_tables(home.folder());
    edit(&tables, "option-tariffs.csv", |text| {
        let paper = "registry-business-document-paper,";
        let rows = text
            .lines()
            .filter(|row| !row.starts_with(&format!("{paper}230")));
        let rows: String = rows.map(|row| format!("{row}\n")).collect();
        rows.replace(
            &format!("{paper}210.00,2025-01-01,2025-12-31"),
            &format!("{paper}210.00,2025-01-01,"),
        )
    });
    let folder = tables.to_str().unwrap();
    let loaded = home.run(&["reference", "load", folder, "--reason", "a test", "--yes"]);
    assert!(loaded.status.success());
    let mut server = home.serve();
    server.wait_until_ready();
    let said = server.said();
    let warning = said
        .lines()
        .find(|line| line.contains("fees in force are of an earlier year"));
    assert!(warning.is_some_and(|line| line.contains("WARN")), "{said}");
}

#[test]
fn a_new_key_is_random_and_alone_on_standard_output() {
    let home = Home::new();
    let new = || {
        let output = home.run(&["keys", "new"]);
        assert!(output.status.success());
        let steps = String::from_utf8(output.stderr).unwrap();
        assert!(steps.contains("CABINET_WALLET_SECRET_KEY"), "{steps}");
        String::from_utf8(output.stdout).unwrap()
    };
    let (one, other) = (new(), new());
    assert_eq!(one.trim().len(), 43, "{one}");
    assert_eq!(one.lines().count(), 1);
    assert_ne!(one, other);
}

#[test]
fn another_key_stops_the_start_until_the_earlier_one_is_given_or_given_up() {
    const FIRST: (&str, &str) = ("CABINET_SECRET_KEY", "the first key of this installation");
    const SECOND: (&str, &str) = ("CABINET_SECRET_KEY", "the second key of this installation");
    let home = Home::new();
    let starts = |settings: &[(&str, &str)]| {
        let mut server = home.serve_with(settings);
        server.wait_until_ready();
        server.stop();
    };
    let refused = |settings: &[(&str, &str)], name: &str| {
        let said = home.serve_with(settings).failed();
        assert!(
            said.contains(name) && !said.contains("key of this"),
            "{said}"
        );
    };
    starts(&[FIRST]);
    refused(&[SECOND], "CABINET_WALLET_SECRET_KEY");
    let wallet = ("CABINET_WALLET_SECRET_KEY", FIRST.1);
    refused(&[SECOND, wallet], "CABINET_RECEIPT_SECRET_KEYS");
    starts(&[SECOND, wallet, ("CABINET_RECEIPT_SECRET_KEYS", FIRST.1)]);
    // The first key is lost. With it in the settings nothing is forgotten.
    let forget = |more: &[&str], settings: &[(&str, &str)]| {
        let told = ["wallet", "receipts"].map(|purpose| {
            let arguments = [&["keys", "forget", purpose][..], more].concat();
            let output = home.run_with(&arguments, settings);
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap()
        });
        told.concat()
    };
    let really = ["--yes", "--reason", "The safe burnt down"];
    let kept = forget(
        &really,
        &[SECOND, wallet, ("CABINET_RECEIPT_SECRET_KEYS", FIRST.1)],
    );
    assert_eq!(kept, "0 keys were forgotten.\n".repeat(2));
    let told = forget(&[], &[SECOND]);
    assert_eq!(told.matches("Lost     key ").count(), 2, "{told}");
    assert_eq!(told.matches("Nothing was forgotten.").count(), 2, "{told}");
    assert!(told.contains("the saved cards of all notaries"), "{told}");
    refused(&[SECOND], "CABINET_WALLET_SECRET_KEY");
    let without_reason = home.run_with(&["keys", "forget", "wallet", "--yes"], &[SECOND]);
    assert!(!without_reason.status.success());
    assert_eq!(
        forget(&really, &[SECOND]),
        "1 keys were forgotten.\n".repeat(2)
    );
    starts(&[SECOND]);
}

#[test]
fn the_sandbox_begins_in_an_empty_folder() {
    let home = Home::new();
    let database = home.folder().join("var").join("cabinet.sqlite");
    let address = format!("sqlite:{}", database.display());
    let mut server = home.serve_with(&[("CABINET_DATABASE_URL", &address)]);
    server.wait_until_ready();
    assert!(database.exists());
    server.stop();
}

#[test]
fn a_sandbox_starts_again_after_a_demo_notary_got_another_phone() {
    let home = Home::new();
    let starts = || {
        let mut server = home.serve();
        server.wait_until_ready();
        server.stop();
    };
    starts();
    let (old, new) = ("+380501112233", "+380671112233");
    let change = [
        "notary",
        "set-phone",
        old,
        "--to",
        new,
        "--reason",
        "A trial",
    ];
    assert!(home.run(&change).status.success());
    starts();
    assert!(home.run(&["notary", "show", new]).status.success());
    assert!(!home.run(&["notary", "show", old]).status.success());
}

#[test]
fn output_that_can_not_be_written_is_a_failure_and_a_reader_that_has_gone_is_none() {
    let home = Home::new();
    let settings_to = |output: Stdio| {
        let mut command = home.cabinet(&["settings"]);
        command.stdout(output).stderr(Stdio::piped());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let (code, said) = settings_to(full.into());
    assert_eq!(code, Some(1));
    assert!(
        said.starts_with("cabinet: the output could not be written"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(settings_to(writer.into()), (Some(0), String::new()));
}

#[test]
fn metrics_are_on_the_operators_address_alone() {
    let home = Home::new();
    let operations = free_address();
    let address = operations.to_string();
    let mut server = home.serve_with(&[
        ("CABINET_OPERATIONS_LISTEN", &address),
        ("CABINET_CONNECTIONS_IDLE_SECONDS", "1"),
    ]);
    server.wait_until_ready();
    let metrics = ask(operations, "/metrics").unwrap();
    assert!(metrics.contains("alarms_total"), "{metrics}");
    for counter in [
        "cabinet_connections_cut_total{limit=\"idle\"}",
        "cabinet_csp_reports_total{directive=\"script-src\"} 0",
        concat!(
            "cabinet_build_info{version=\"",
            env!("CARGO_PKG_VERSION"),
            "\",database=\"sqlite\"} 1"
        ),
        "\nprocess_resident_memory_bytes ",
        "cabinet_storage_connections_max 1",
    ] {
        assert!(metrics.contains(counter), "{counter}");
    }
    for path in ["/healthz", "/readyz"] {
        assert!(ask(operations, path).unwrap().starts_with("HTTP/1.0 200"));
    }
    // The pages answer there: nothing says that there are metrics.
    assert!(
        !ask(server.listen, "/metrics")
            .unwrap()
            .contains("alarms_total")
    );
    // The real server has the limits of its settings.
    let mut idle = TcpStream::connect(server.listen).unwrap();
    idle.set_read_timeout(Some(WAITING_MAX)).unwrap();
    assert_eq!(idle.read(&mut [0]).unwrap(), 0);
    server.stop();
}

#[test]
fn every_line_of_a_failing_request_carries_the_id_that_the_answer_named() {
    let home = Home::new();
    // Whatever the filter is.
    let mut server = home.serve_with(&[("CABINET_LOG", "error,cabinet_api=info")]);
    server.wait_until_ready();
    let database = rusqlite::Connection::open(home.database()).unwrap();
    database
        .execute_batch(
            "alter table login_operations rename to lost;
             alter table attempts rename to lost_too;",
        )
        .unwrap();
    let body = r#"{"phone":"+380501112233","is_agree_with_terms":true}"#;
    let mut stream = TcpStream::connect(server.listen).unwrap();
    let head = format!(
        "POST /api/auth/login HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 500"), "{answer}");
    let (_, content) = answer.split_once("\r\n\r\n").unwrap();
    let content: serde_json::Value = serde_json::from_str(content).unwrap();
    let id = content["request_id"].as_str().unwrap();
    assert!(answer.contains(&format!("x-request-id: {id}")), "{answer}");
    let of_worker = "Due orders can't be checked";
    server.wait_until(|| server.line_with(of_worker).is_some(), "no trouble");
    server.stop();
    let said = server.said();
    for words in ["by a fault of ours", "POST /api/auth/login 500"] {
        assert_eq!(server.line_with(words).unwrap()["request.id"], id, "{said}");
    }
    // The worker's own trouble with a lost table names its loop and round.
    let line = server.line_with(of_worker).unwrap();
    assert_eq!(line["worker.loop"], "orders", "{line}");
    assert!(line["worker.round"].is_u64(), "{line}");
    assert!(!said.contains("0501112233"), "{said}");
}
