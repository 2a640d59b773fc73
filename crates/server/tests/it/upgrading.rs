//! A program on the schema of a newer one, and a start that does not migrate.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{PaymentKind, TestApp, on_both_databases, said};
use serde_json::Value;

use crate::command::cabinet;

/// Commands that read or change the database, and that end by themselves with the settings of the test.
const COMMANDS: &[&[&str]] = &[
    &["doctor"],
    &["doctor", "--full"],
    &["order", "find", "--phone", "+380501112233"],
    &["order", "show", "100001"],
    &["complaints", "list"],
    &["notary", "list"],
    &["notary", "show", "+380501112233"],
    &["notary", "end-sessions", "--all", "--reason", "request"],
    &["register", "find", "Коваль"],
    &["transfers", "list", "--status", "planned"],
    &["transfers", "held"],
    &["transfers", "returned"],
    &["transfers", "refunds"],
    &["report", "daily", "--day", "2026-03-02"],
    &["report", "acts", "--month", "2026-03"],
    &["alarms", "list"],
    &[
        "archive", "reports", "--before", "2026-03", "--to", "/tmp", "--reason", "request",
    ],
    &["outbox", "retry"],
    &["audit", "show", "--order", "100001"],
    &["keys", "forget", "receipts"],
    &["erase", "--notary", "+380501112233", "--reason", "request"],
    &[
        "person", "export", "--code", "32855961", "--to", "/tmp", "--reason", "request",
    ],
];

/// Commands that need no database with this program's schema: one copies it whatever it is, one looks and tells.
const OTHERS: &[&str] = &["backup", "check"];

/// Returns the number of this program's newest migration.
fn newest(app: &TestApp) -> i64 {
    plan(app)["program"].as_i64().unwrap()
}

fn plan(app: &TestApp) -> Value {
    serde_json::from_str(&said(&cabinet(app, &["migrate", "--plan", "--json"]))).unwrap()
}

/// Migrates the database as a newer program would: one more column, for programs that know `needed`. Returns the number of that schema.
async fn migrate_as_newer(app: &TestApp, needed: Option<i64>) -> i64 {
    let later = newest(app) + 1;
    app.execute("alter table notaries add column of_a_newer_program text".to_owned())
        .await;
    let needed = needed.map_or("null".to_owned(), |needed| needed.to_string());
    app.execute(format!(
        "insert into schema_migrations (number, name, checksum, applied_at, oldest_program, applied_by)
         values ({later}, '{later:04}_later', 'of a newer program', 0, {needed}, '9.9.9')"
    ))
    .await;
    later
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Whether the command has failed because of the schema.
fn is_refused_by_schema(output: &Output) -> bool {
    let told = told(output);
    !output.status.success()
        && (told.contains("for programs that know schema") || told.contains("this program needs"))
}

on_both_databases! {
    async fn every_command_works_on_an_expanded_schema_and_says_so_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let newest = newest(&app);
        let later = migrate_as_newer(&app, Some(newest)).await;
        let of_newer = format!("the database has schema {later} of cabinet 9.9.9");
        for command in COMMANDS {
            let output = cabinet(&app, command);
            assert!(!is_refused_by_schema(&output), "{command:?}: {}", told(&output));
            let said = told(&output);
            assert_eq!(said.matches(&of_newer).count(), 1, "{command:?}: {said}");
        }
        assert!(told(&cabinet(&app, &["doctor", "--full"])).contains("holds   order_history: "));
        let check = told(&cabinet(&app, &["check"]));
        assert!(check.contains(&format!("WARNING database: {of_newer}; this program, ")), "{check}");
        let plan = said(&cabinet(&app, &["migrate", "--plan"]));
        assert!(plan.starts_with(&format!("Nothing to migrate: {of_newer}")), "{plan}");
        assert_eq!(said(&cabinet(&app, &["migrate"])), "The database has nothing to migrate.\n");
        // The older program goes on with payments.
        app.restart().await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        assert_eq!(olena.pay(&order).await["status"], "paid");
        app.finish_and_check().await;
    }

    async fn no_command_touches_a_contracted_schema(app: TestApp) {
        app.notary("olena").await;
        let later = migrate_as_newer(&app, None).await;
        let needed = format!("for programs that know schema {later} or later");
        let before = app.all_rows().await;
        for command in COMMANDS.iter().chain(&[&["migrate"][..], &["migrate", "--plan"], &["reference", "load", "../../reference-data", "--reason", "a test", "--yes"]]) {
            let output = cabinet(&app, command);
            assert!(is_refused_by_schema(&output), "{command:?}: {}", told(&output));
            let said = told(&output);
            assert!(said.contains(&needed), "{command:?}: {said}");
            assert!(said.contains("put a copy from before the upgrade in place"), "{command:?}: {said}");
        }
        assert!(told(&cabinet(&app, &["check"])).contains(&format!("BLOCKS  database: the database has schema {later} of cabinet 9.9.9, {needed}")));
        assert_eq!(app.all_rows().await, before);
    }

    async fn no_command_migrates_by_itself_and_a_plan_says_what_would_run(app: TestApp) {
        app.notary("olena").await;
        let newest = newest(&app);
        app.execute(format!("delete from schema_migrations where number = {newest}")).await;
        for command in COMMANDS.iter().chain(&[&["reference", "load", "../../reference-data", "--reason", "a test", "--yes"][..]]) {
            let output = cabinet(&app, command);
            assert!(is_refused_by_schema(&output), "{command:?}: {}", told(&output));
            let said = told(&output);
            assert!(said.contains(&format!("({newest:04}_")) && said.contains(" is missing): run `cabinet migrate`"), "{command:?}: {said}");
        }
        let text = said(&cabinet(&app, &["migrate", "--plan"]));
        assert!(text.contains(&format!("brings it to {newest}:\n  {newest:04}_")), "{text}");
        assert!(text.contains("  transaction 1  ") && text.ends_with("Nothing was changed.\n"), "{text}");
        let steps = plan(&app)["steps"].clone();
        assert_eq!((&steps[0]["number"], &steps[0]["runs"]), (&newest.into(), &"transaction".into()));
        assert_eq!(steps.as_array().unwrap().len(), 1);
        let applied = format!("select count(*) from schema_migrations where number = {newest}");
        assert_eq!(app.number(applied).await, 0, "a plan changes nothing");
    }
}

#[test]
fn the_list_of_commands_is_whole() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_cabinet"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next());
    // Those that open no database, and those that are tried by themselves.
    let known = [
        "openapi",
        "settings",
        "help",
        "serve",
        "migrate",
        "reference",
    ];
    for command in commands {
        let is_tried = COMMANDS.iter().any(|one| one[0] == command);
        assert!(
            is_tried || known.contains(&command) || OTHERS.contains(&command),
            "{command} may open a database whose schema it can't work on: add it to COMMANDS"
        );
    }
}
