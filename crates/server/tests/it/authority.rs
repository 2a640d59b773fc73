//! Authority as a file: what the operator's commands do to money and where it goes, and what finds a writer of the database. These tables of
//! `docs/authority.md` are made here by the running product, and a command without a row fails.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Output;
use std::sync::{Arc, Mutex};

use cabinet_test_kit::{Database, PaymentKind, Person, TestApp, complained, on_sqlite, run, said};
use serde_json::{Value, json};

use crate::command::{as_intruder, command_of};
use crate::tables::{edit, starter_tables};

const WHY: &str = "Звернення SD-4711";
const NEW_PHONE: &str = "+380671112233";
const FOREIGN: &str = "UA213223130000026007233566001";
const THIEF: &str = "UA643223130000026007233566003";
/// A saved card of which nothing but the cabinet asks for a proof.
const PAYS: &str = "4242424242424242";
/// An account of the budget in the starter tables, another one at the Treasury, and one at a bank.
const OF_FEE: &str = "UA848999980999022012600300051";
const OTHER_OF_FEE: &str = "UA768999980999022012600300001";
const COMMERCIAL: &str = "UA223052990000026001234567890";

/// Commands that neither move money nor say where it goes, each with its reason.
const WITHOUT_ROW: [(&str, &str); 45] = [
    ("alarms list", "reads"),
    ("archive find", "reads"),
    ("archive reports", "moves old reports into files"),
    ("audit show", "reads"),
    ("backup", "copies"),
    ("check", "reads"),
    ("complaints answer", "writes to the notary"),
    ("complaints close", "ends a complaint"),
    ("complaints list", "reads"),
    ("doctor", "reads"),
    ("erase", "forgets a person"),
    ("keys forget", "ends sessions and codes"),
    ("keys new", "prints"),
    ("migrate", "changes the schema"),
    ("notary block", "ends sessions"),
    ("notary confirm", "says who may order"),
    ("notary end-sessions", "ends sessions"),
    ("notary find", "reads"),
    ("notary list", "reads"),
    ("notary refuse", "says who may not order"),
    ("notary show", "reads"),
    ("notary unblock", "as `notary confirm`"),
    ("openapi", "prints"),
    ("order ask", "takes what the acquirer says"),
    ("order find", "reads"),
    ("order show", "reads"),
    ("outbox drop", "sends no letter"),
    ("outbox list", "reads"),
    ("outbox retry", "sends a letter"),
    ("person export", "reads"),
    ("reference confirm", "says that an account was compared"),
    ("reference diff", "reads"),
    ("reference show", "reads"),
    ("reference versions", "reads"),
    ("reference year", "writes files"),
    ("register find", "reads"),
    ("register load", "as `notary confirm`"),
    ("report acts", "reads"),
    ("report daily", "reads"),
    ("serve", "does what notaries ask for"),
    ("settings", "prints"),
    ("transfers held", "reads"),
    ("transfers list", "reads"),
    ("transfers refunds", "reads"),
    ("transfers returned", "reads"),
];

/// Runs `cabinet …`. Fees of an earlier year are never refused, so that the result does not depend on the day of the test.
fn cabinet(app: &TestApp, arguments: &[&str]) -> Output {
    let mut command = command_of(app, arguments);
    let command = command.env("CABINET_FEES_LAST_YEAR_REFUSED_FROM", "off");
    command.output().unwrap()
}

/// Returns the commands of the program that take no further command, as its help lists them.
fn commands(app: &TestApp, of: &[&str]) -> Vec<String> {
    let help = said(&cabinet(app, &[of, &["-h"]].concat()));
    let Some((_, listed)) = help.split_once("Commands:\n") else {
        return vec![of.join(" ")];
    };
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.trim().split(' ').next());
    names
        .filter(|name| *name != "help")
        .flat_map(|name| commands(app, &[of, &[name]].concat()))
        .collect()
}

/// The events of the trail that a person at the machine has left, by their kinds.
fn trail(app: &TestApp) -> Vec<String> {
    let listed = [
        "audit",
        "show",
        "--since",
        "2026-01-01",
        "--who",
        "operator",
    ];
    let listed = said(&cabinet(app, &[&listed[..], &["--json"]].concat()));
    let kind = |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"].clone();
    let kinds = listed.lines().map(kind);
    kinds
        .map(|kind| kind.as_str().unwrap().to_owned())
        .collect()
}

/// The table of commands, row by row.
struct Commands<'app> {
    app: &'app TestApp,
    owner: &'app Person,
    table: String,
    tried: BTreeSet<String>,
    /// What the latest run of a command said that did not do what is wanted.
    complaint: String,
}

impl Commands<'_> {
    fn told(&self) -> (usize, usize) {
        let outside = self.app.outside();
        let phones = [self.owner.phone(), NEW_PHONE].map(|phone| outside.messages(phone).len());
        (phones.iter().sum(), outside.letters().len())
    }

    /// Runs a command with more and more of what it asks for, until it does what is wanted.
    async fn row(&mut self, act: &str, command: &str, arguments: &[&str]) {
        self.app.work().await;
        let (told, events) = (self.told(), trail(self.app));
        let words: Vec<&str> = command.split(' ').collect();
        let answers: [(&str, &[&str]); 3] = [
            ("**done**", &[]),
            ("asks: a reason", &["--reason", WHY]),
            (
                "asks: a reason, and a yes to what it shows",
                &["--reason", WHY, "--yes"],
            ),
        ];
        let done = answers.iter().find(|(_, more)| {
            let run = cabinet(self.app, &[&words[..], arguments, *more].concat());
            self.complaint = String::from_utf8(run.stderr).unwrap();
            run.status.success()
        });
        self.app.work().await;
        let now = self.told();
        let heard = match (now.0 > told.0, now.1 > told.1) {
            (false, false) => "–",
            (false, true) => "mail",
            (true, false) => "phone",
            (true, true) => "phone, mail",
        };
        let mut left: Vec<String> = trail(self.app).split_off(events.len());
        left.sort();
        left.dedup();
        let left = left.iter().map(|kind| format!("`{kind}`"));
        let left = left.collect::<Vec<_>>().join(", ");
        let left = if left.is_empty() { "–" } else { &left };
        let answer = done.map_or("refused", |done| done.0);
        writeln!(
            self.table,
            "| {act} (`{command}`) | {answer} | {heard} | {left} |"
        )
        .unwrap();
        self.tried.insert(command.to_owned());
    }
}

/// Pays an order with a part for the notary and one for the recipient. Returns its number and its transfers, the recipient's first.
async fn paid(owner: &Person) -> (String, Vec<Value>) {
    owner.add(PaymentKind::AdminPayment).await;
    let order = owner.order_cart().await;
    owner.pay(&order).await;
    (number_of(&order), transfers(owner, &order).await)
}

fn number_of(order: &Value) -> String {
    order["number"].as_str().unwrap().to_owned()
}

async fn transfers(owner: &Person, order: &Value) -> Vec<Value> {
    let path = format!("/order/{}/transfers", order["id"].as_str().unwrap());
    let mut all = owner.get(&path).await.ok()["transfers"]
        .as_array()
        .unwrap()
        .clone();
    all.sort_by_key(|one| one["role"] == "notary");
    all
}

fn document(transfer: &Value) -> String {
    transfer["document_number"].to_string()
}

fn id(transfer: &Value) -> &str {
    transfer["id"].as_str().unwrap()
}

/// Has the operator say of transfers what no file of a bank does.
fn say(app: &TestApp, rows: &str) {
    let own = app.database_folder().unwrap().join("said.csv");
    std::fs::write(&own, format!("transfer_id,status,reason\n{rows}")).unwrap();
    let own = own.to_str().unwrap();
    let said_so = ["transfers", "import", own, "--reason", WHY, "--yes"];
    said(&cabinet(app, &said_so));
}

fn stands_in_the_document(table: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/authority.md");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        // An empty line follows: a row after the last one would be stale.
        kept.contains(&format!("{table}\n")),
        "docs/authority.md is stale. Its table has to be:\n{table}"
    );
}

on_sqlite! {
    async fn what_each_command_does_is_what_the_table_says(app: TestApp) {
        let owner = app.notary("olena").await;
        owner.post_proved("/me", json!({ "email": "olena@example.com" })).await.ok();
        let table = "| act | without a terminal | told of it | in the audit trail |\n| --- | --- | --- | --- |\n".to_owned();
        let mut commands_tried = Commands { app: &app, owner: &owner, table, tried: BTreeSet::new(), complaint: String::new() };
        let rows = &mut commands_tried;

        let folder = app.database_folder().unwrap().to_owned();
        let tables = starter_tables(&folder);
        let dir = tables.to_str().unwrap();
        let starter = std::fs::read_to_string(tables.join("requisites.csv")).unwrap();
        edit(&tables, "requisites.csv", |text| text.replace(OF_FEE, COMMERCIAL));
        rows.row("A fee goes to an account at a bank", "reference load", &[dir]).await;
        assert!(rows.complaint.contains("a budget code takes only an account at the Treasury"), "{}", rows.complaint);
        std::fs::write(tables.join("requisites.csv"), &starter).unwrap();
        edit(&tables, "requisites.csv", |text| {
            let is_old = |row: &&str| !row.starts_with("ua-30-holosiivskyi-22012600-2025,");
            text.lines().filter(is_old).map(|row| format!("{}\n", row.replace(OF_FEE, OTHER_OF_FEE))).collect()
        });
        rows.row("A fee goes to another account at the Treasury", "reference load", &[dir]).await;
        rows.row("The tables of before", "reference restore", &["1"]).await;

        let (_, first) = paid(&owner).await;
        let (list, own) = (folder.join("list.csv"), folder.join("own.csv"));
        let (list, own_name) = (list.to_str().unwrap(), own.to_str().unwrap());
        rows.row("What is planned is written for the bank", "transfers export", &[list]).await;
        rows.row("A list is marked as sent", "transfers import", &[list, "--status", "sent"]).await;
        app.execute("update transfers set value_date = '2026-01-05'".to_owned()).await;
        let documents = first.iter().map(document).collect::<Vec<_>>().join(",");
        rows.row("A list that was lost is planned again", "transfers not-sent", &["--document", &documents, "--compared"]).await;
        std::fs::write(&own, format!("transfer_id,status\n{},sent\n", id(&first[0]))).unwrap();
        rows.row("A table of the operator's own", "transfers import", &[own_name]).await;
        say(&app, &format!("{},returned,Рахунок закрито\n", id(&first[0])));
        owner.post(&format!("/order/transfer/{}/refund", id(&first[0])), json!({})).await.ok();
        rows.row("A part is marked as given back by hand", "transfers refunded", &[id(&first[0])]).await;

        let (number, _) = paid(&owner).await;
        rows.row("Money goes back to the payer's card", "order refund", &[&number]).await;
        owner.add(PaymentKind::AdminPayment).await;
        let unpaid = number_of(&owner.order_cart().await);
        rows.row("An unpaid order is cancelled", "order cancel", &[&unpaid]).await;

        let (_, third) = paid(&owner).await;
        let (held, number) = (id(&third[0]), document(&third[0]));
        app.execute(format!("update transfers set held_at = 1 where document_number = {number}")).await;
        rows.row("What waits for the operator may leave", "transfers release", &["--id", held]).await;
        app.execute(format!("update transfers set seal = null where document_number = {number}")).await;
        rows.row("What was changed is put back and sealed", "transfers seal", &["--document", &number]).await;
        app.execute(format!("insert into alarms (id, kind, subject, order_id, first_at, last_at, count)
            select x'30000005000000000000000000000000', 'charged_twice', 'attempt:1', order_id, 1, 1, 1 from transfers where document_number = {number}")).await;
        rows.row("An alarm that holds an order's transfers is closed", "alarms close", &["30000005", "--note", WHY]).await;
        let services = app.services();
        services.store.leave_out_used_numbers(services.now()).await.unwrap();
        app.execute("update counters set value = value + 1 where name = 'database_identity'".to_owned()).await;
        services.store.leave_out_used_numbers(services.now()).await.unwrap().unwrap();
        rows.row("What a restored copy has planned may leave", "transfers resume", &["--compared", "--despite-recovery"]).await;

        rows.row("A whole fee goes to the budget, as of a state notary", "notary set-status", &[owner.phone(), "--status", "state"]).await;
        rows.row("Another way to sign in", "notary set", &[owner.phone(), "--login-step", "phone_call"]).await;
        rows.row("Another telephone", "notary set-phone", &[owner.phone(), "--to", NEW_PHONE]).await;
        stands_in_the_document(&commands_tried.table);

        let all: BTreeSet<String> = commands(&app, &[]).into_iter().collect();
        let reasons: BTreeSet<String> = WITHOUT_ROW.iter().map(|(command, _)| (*command).to_owned()).collect();
        assert_eq!(commands_tried.tried.intersection(&reasons).collect::<Vec<_>>(), [""; 0]);
        let known: BTreeSet<String> = commands_tried.tried.union(&reasons).cloned().collect();
        assert_eq!(all, known, "each command needs a row in the table of authority, or a reason");
        app.skip_final_check();
    }
}

/// When somebody writes to the database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// While a paid order is planned and another one is at the bank.
    Planned,
    /// Before the notary sends a part again that came back, as it is shown to her.
    Returned,
    /// Before an order is paid that she has proved.
    Proved,
    /// Before an order is paid on the acquirer's page, which asks for no proof.
    OnPage,
    /// Before a saved card pays the other account, with no proof.
    NewOrder,
}

const TRANSFERS: &str =
    "update transfers set recipient_iban = 'THIEF' where recipient_iban = 'FOREIGN';";
const PAYMENTS: &str = "update order_items set iban = 'THIEF' where iban = 'FOREIGN';";

/// What is written, when, and how.
const WRITTEN: [(&str, When, &[&str]); 11] = [
    (
        "Another account of a planned transfer",
        When::Planned,
        &[TRANSFERS],
    ),
    (
        "The same, with its payment",
        When::Planned,
        &[TRANSFERS, PAYMENTS],
    ),
    (
        "Another account of a part that came back, which its notary sends again as it is shown",
        When::Returned,
        &[TRANSFERS],
    ),
    (
        "Another account of a payment that was proved, before it is paid",
        When::Proved,
        &[PAYMENTS],
    ),
    (
        "The same, and its proof is deleted",
        When::Proved,
        &[PAYMENTS, "delete from payment_proofs;"],
    ),
    (
        "Another account of a payment without a proof, before it is paid",
        When::OnPage,
        &[PAYMENTS],
    ),
    (
        "A pair that counts as proved, which a saved card then pays with no other proof",
        When::NewOrder,
        &[
            "insert into proved_recipients (notary_id, iban, okpo, proved_at) select id, 'THIEF', '32855961', 1 from notaries;",
        ],
    ),
    (
        "A held transfer is let go",
        When::Planned,
        &["update transfers set held_at = null;"],
    ),
    (
        "A sent transfer is planned again",
        When::Planned,
        &["update transfers set status = 'planned' where status = 'sent';"],
    ),
    (
        "An event is taken out of the audit trail",
        When::Planned,
        &[
            "drop trigger audit_events_are_not_deleted; delete from audit_events where action = 'order_created';",
        ],
    ),
    (
        "The audit trail is written anew",
        When::Planned,
        &[
            "drop trigger audit_events_are_not_updated; update audit_events set actor = 'worker', actor_id = null where action = 'order_created';",
            "update audit_events set sequence = null, hash = null; delete from counters where name = 'audit_sealed_until';",
        ],
    ),
];

/// The rules that the doctor calls broken, against a seal that was noted.
fn broken(app: &TestApp, noted: Option<&str>) -> (BTreeSet<String>, String) {
    let mut arguments = vec!["doctor", "--full"];
    arguments.extend(noted.iter().flat_map(|seal| ["--audit-seal", *seal]));
    let run = cabinet(app, &arguments);
    let told = String::from_utf8(run.stdout).unwrap();
    let rules = told
        .lines()
        .filter_map(|line| line.strip_prefix("BROKEN  "));
    let rules: BTreeSet<String> = rules
        .filter_map(|rule| rule.split(':').next())
        .map(str::to_owned)
        .collect();
    // It has gone through all it checks, to the last rule, and ended as it says.
    let complaint = String::from_utf8(run.stderr).unwrap();
    let is_whole = told.contains("orders were checked.") && told.contains("  audit_sealed: ");
    let is_said = rules.is_empty() || complaint.contains("invariants do not hold");
    let is_as_said = run.status.success() == rules.is_empty() && is_said;
    assert!(is_whole && is_as_said, "{told}{complaint}");
    let seal = told.split("outside of this machine: ").nth(1);
    let seal = seal.unwrap_or_default().trim_end().to_owned();
    (rules, seal)
}

/// Puts a payment to an account into the cart, and returns the order of it by a saved card.
async fn body_of(owner: &Person, iban: &str, card: &str) -> Value {
    let form = owner.form(PaymentKind::RequisitesPayment).await;
    owner.add_payment(&form.with("iban", iban)).await;
    let mut body = owner.order_body().await;
    body["token_id"] = owner.save_card(card).into();
    body
}

/// Orders a payment to the foreign account, on the acquirer's page or by a saved card after a proof. Returns the order.
async fn order_to_foreign(owner: &Person, card: Option<&str>) -> Value {
    let Some(card) = card else {
        let form = owner.form(PaymentKind::RequisitesPayment).await;
        owner.add_payment(&form.with("iban", FOREIGN)).await;
        return owner.order_cart().await;
    };
    let body = body_of(owner, FOREIGN, card).await;
    let key = owner.fresh_key();
    let refused = owner.create_order(&key, &body).await;
    refused.refused(403, "confirmation_required");
    owner
        .prove(&json!({ "client_id": refused.json()["proof"]["client_id"] }))
        .await;
    owner.create_order(&key, &body).await.ok()["order"].clone()
}

async fn written(app: TestApp, what: &str, when: When, sql: &[&str]) -> String {
    let owner = app.notary("olena").await;
    let folder = app.database_folder().unwrap().to_owned();
    let list = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    // One that the bank has.
    let sent = if when == When::Returned {
        order_to_foreign(&owner, None).await
    } else {
        owner.add(PaymentKind::AdminPayment).await;
        owner.order_cart().await
    };
    owner.pay(&sent).await;
    said(&cabinet(&app, &["transfers", "export", &list("sent.csv")]));
    said(&cabinet(
        &app,
        &["transfers", "import", &list("sent.csv"), "--status", "sent"],
    ));
    let at_bank: Vec<Value> = transfers(&owner, &sent).await;
    let order = match when {
        When::Planned | When::NewOrder => order_to_foreign(&owner, Some(PAYS)).await,
        // The bank asks its holder first.
        When::Proved => order_to_foreign(&owner, Some("4000000000003063")).await,
        When::OnPage => order_to_foreign(&owner, None).await,
        When::Returned => {
            let part = &at_bank[0];
            say(&app, &format!("{},returned,Рахунок закрито\n", id(part)));
            sent.clone()
        }
    };
    let is_held = sql.concat().contains("held_at");
    if is_held {
        app.execute("update transfers set held_at = 1 where status = 'planned'".to_owned())
            .await;
    }
    app.work().await;
    let (before, seal) = broken(&app, None);
    // The command goes by the clock of the machine, by which the latest questions to the acquirer are long ago.
    // What is held above is held for no reason that the rule knows.
    let is_known = before
        .iter()
        .all(|rule| rule == "check_overdue" || is_held && rule == "transfers_held");
    assert!(is_known && !seal.is_empty(), "{before:?} {seal}");
    let sql = sql
        .concat()
        .replace("THIEF", THIEF)
        .replace("FOREIGN", FOREIGN);
    as_intruder(&app, &sql);
    match when {
        When::Planned => {}
        When::NewOrder => {
            let body = body_of(&owner, THIEF, PAYS).await;
            let made = owner.create_order(&owner.fresh_key(), &body).await;
            owner.until(&made.ok()["order"], "paid").await;
        }
        When::Proved => {
            let page = order["widget_url"].as_str().unwrap();
            app.outside().answer_three_d_secure(page, true).await;
            owner.until(&order, "paid").await;
        }
        When::OnPage => {
            owner.pay(&order).await;
        }
        When::Returned => {
            let part = &transfers(&owner, &sent).await[0];
            let shown = json!({ "iban": part["iban"], "okpo": part["okpo"], "recipient_name": part["recipient_name"], "purpose": part["purpose"] });
            owner
                .post(&format!("/order/transfer/{}/resend", id(part)), shown)
                .await
                .ok();
        }
    }
    app.work().await;
    let export = cabinet(&app, &["transfers", "export", &list("planned.csv")]);
    let listed = std::fs::read_to_string(list("planned.csv")).unwrap_or_default();
    let is_twice = at_bank.iter().any(|sent| listed.contains(id(sent)));
    let export = match (export.status.success(), listed.contains(THIEF)) {
        (false, _) => {
            let complaint = complained(&export).concat();
            assert!(
                complaint.contains("nothing was written: the seal of"),
                "{complaint}"
            );
            "refused"
        }
        (true, true) => "**goes on, to the other account**",
        (true, false) if is_twice => "**goes on, with what the bank has**",
        (true, false) if listed.is_empty() => "leaves it out",
        (true, false) => "goes on",
    };
    let found = broken(&app, Some(&seal)).0;
    let found = found.difference(&before).map(|rule| format!("`{rule}`"));
    let found = found.collect::<Vec<_>>().join(", ");
    let alarms = app
        .number(
            "select count(*) from alarms where kind = 'transfer_seal_broken' and closed_at is null"
                .to_owned(),
        )
        .await;
    let alarm = if alarms > 0 {
        "`transfer_seal_broken`"
    } else {
        "–"
    };
    let found = if found.is_empty() {
        "**nothing**"
    } else {
        &found
    };
    app.skip_final_check();
    format!("| {what} | {export} | {alarm} | {found} |\n")
}

#[test]
fn what_finds_a_writer_of_the_database_is_what_the_table_says() {
    let mut table = "| what is written | `transfers export` | alarm | `doctor --full`, with a noted seal |\n| --- | --- | --- | --- |\n".to_owned();
    for (what, when, sql) in WRITTEN {
        let row = Arc::new(Mutex::new(String::new()));
        let made = Arc::clone(&row);
        run(Database::Sqlite, move |app| async move {
            let row = written(app, what, when, sql).await;
            *made.lock().unwrap() = row;
        });
        table.push_str(&row.lock().unwrap());
    }
    stands_in_the_document(&table);
}
