//! `cabinet transfers` on the database of a cabinet with paid orders.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::path::Path;
use std::process::Output;

use cabinet_test_kit::{PaymentKind, TestApp, command_on, complained, on_sqlite, said};
use serde_json::{Value, json};

use crate::command::at_terminal;

/// Runs `cabinet transfers …` on the cabinet's database.
fn transfers(app: &TestApp, arguments: &[&str]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .arg("transfers")
        .args(arguments)
        .output()
        .unwrap()
}

/// The report of a day.
fn daily(app: &TestApp, day: &str) -> String {
    let mut command = command_on(app, env!("CARGO_BIN_EXE_cabinet"));
    said(
        &command
            .args(["report", "daily", "--day", day])
            .output()
            .unwrap(),
    )
}

/// Pays an order with a part for the notary and one for the recipient.
async fn pay_an_order(app: &TestApp) {
    let olena = app.notary("olena").await;
    olena.add(PaymentKind::AdminPayment).await;
    let order = olena.order_cart().await;
    olena.pay(&order).await;
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

on_sqlite! {
    async fn the_operator_lists_marks_and_answers_for_transfers(app: TestApp) {
        pay_an_order(&app).await;
        let folder = app.database_folder().unwrap().to_owned();
        let (list, answer) = (folder.join("list.csv"), folder.join("answer.csv"));
        let (list_name, answer_name) = (list.to_str().unwrap(), answer.to_str().unwrap());

        let told = said(&transfers(&app, &["export", list_name]));
        let rights = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&list).unwrap().permissions());
        assert_eq!(rights & 0o777, 0o600, "it names clients: nobody else may read it");
        assert!(told.starts_with("2 planned transfers were written to "), "{told}");
        let text = std::fs::read_to_string(&list).unwrap();
        assert!(text.starts_with("\u{feff}transfer_id;document_number;value_date;"), "{text}");
        assert!(text.contains("Гнатюк Петро Олександрович"));
        let ids: Vec<String> = text.lines().skip(1).map(|row| row[1..37].to_owned()).collect();
        // An existing list is not overwritten.
        assert!(complained(&transfers(&app, &["export", list_name]))[0].contains("can't be made"));
        assert_eq!(std::fs::read_to_string(&list).unwrap(), text);

        // Who changed the list on its way is stopped.
        let changed = folder.join("changed.csv");
        let line = text.lines().position(|row| row.contains("\"198.00\"")).unwrap() + 1;
        write(&changed, &text.replace("\"198.00\"", "\"1980.00\""));
        assert_eq!(complained(&transfers(&app, &["import", changed.to_str().unwrap(), "--status", "sent"])), [
            format!("cabinet: changed.csv:{line}: amount is not what the cabinet writes of this transfer: the list was changed. Give it to no bank, and make a new one"),
            "cabinet: 1 bad rows: nothing was changed".to_owned(),
        ]);
        let of_list = told.split_once(": ").unwrap().1.lines().next().unwrap().trim_end_matches('.').to_owned();
        assert!(of_list.starts_with("330.00 UAH, of it 1 to the budget: 132.00 UAH, SHA-256 "), "{of_list}");
        let marked = said(&transfers(&app, &["import", list_name, "--status", "sent"]));
        assert!(marked.starts_with(&format!("2 transfers, {of_list}: the file that was exported at ")), "{marked}");
        assert!(marked.ends_with("2 transfers were changed, 0 were so already.\nsent 2: 330.00 UAH, of it 1 to the budget: 132.00 UAH\n"), "{marked}");
        // Whoever was going to give it to the bank is stopped.
        assert_eq!(complained(&transfers(&app, &["import", list_name, "--status", "sent"])), [
            "cabinet: the list was marked before: the bank must not get it again",
        ]);
        assert!(complained(&transfers(&app, &["import", list_name, "--status", "gone"]))[0].contains("--status"));

        write(&answer, &format!("transfer_id,status,reason\n{},credited,\n{},returned,\n", ids[0], ids[1]));
        assert_eq!(complained(&transfers(&app, &["import", answer_name])), [
            "cabinet: answer.csv:3: reason is empty, and returned needs one",
            "cabinet: 1 bad rows: nothing was changed",
        ]);
        let credited = "select count(*) from transfers where status = 'credited'";
        assert_eq!(app.number(credited.to_owned()).await, 0);
        write(&answer, &format!("transfer_id,status,reason\n{},credited,\n{},returned,Рахунок закрито\n", ids[0], ids[1]));
        let sum = |id: &str| if text.lines().any(|row| row.contains(id) && row.contains("\"198.00\"")) { "198.00 UAH" } else { "132.00 UAH, of it 1 to the budget: 132.00 UAH" };
        // A table of her own says of the money what no bank does: she says why, sees the sums, and wants it.
        assert_eq!(complained(&transfers(&app, &["import", answer_name])), [
            "cabinet: nothing was changed: a table of your own needs --reason \"...\", why it says what no file of the bank does",
        ]);
        let why = ["--reason", "Банк відповів листом SD-4721"];
        assert_eq!(complained(&transfers(&app, &[&["import", answer_name], &why[..]].concat())), [
            format!("would be credited 1: {}", sum(&ids[0])),
            format!("would be returned 1: {}", sum(&ids[1])),
            "cabinet: nothing was changed: without a terminal nobody can be asked. Look at what would be done, and repeat with --yes".to_owned(),
        ]);
        assert_eq!(app.number(credited.to_owned()).await, 0);
        let by_hand = || transfers(&app, &[&["import", answer_name, "--yes"], &why[..]].concat());
        assert_eq!(said(&by_hand()), format!(
            "2 transfers were changed, 0 were so already.\ncredited 1: {}\nreturned 1: {}\n", sum(&ids[0]), sum(&ids[1])
        ));
        assert_eq!(app.number(credited.to_owned()).await, 1);
        // What came back is listed with why, where it went, and whom to call.
        let returned: Value = serde_json::from_str(&said(&transfers(&app, &["returned", "--json"]))).unwrap();
        let row = &returned["returned_transfers"][0];
        assert_eq!((&row["id"], &row["why"], &row["order"]), (&json!(ids[1]), &json!("Рахунок закрито"), &json!(100_001)));
        assert!(row["recipient"].is_string() && row["document"].is_number() && !returned.to_string().contains("Коваль"), "{returned}");
        let hers = format!("select count(*) from orders where lower(hex(notary_id)) = '{}'", row["notary"].as_str().unwrap().replace('-', ""));
        assert_eq!(app.number(hers).await, 1);
        // The notary has no address, so she is told by a text message.
        let told = "select count(*) from outbox where kind = 'text_message' and payload like '%100001%'";
        assert_eq!(app.number(told.to_owned()).await, 1);
        write(&answer, &format!("transfer_id;status;uetr;credited_on\n{};credited;none;\n", ids[0]));
        assert_eq!(complained(&transfers(&app, &["import", answer_name])), [
            "cabinet: answer.csv:2: uetr is not a UUID of version 4",
            "cabinet: 1 bad rows: nothing was changed",
        ]);
        let known = format!("transfer_id;status;uetr;bank_reference\n{};credited;eb6305c9-1f7f-49de-aed0-16487c27b42d;JBKL-77\n", ids[0]);
        write(&answer, &known);
        let kept = "select count(*) from audit_events where action = 'transfer_marked' and changes like '%SD-4721%' and changes like '%198.00%'";
        assert_eq!(app.number(kept.to_owned()).await, 1);
        assert_eq!(said(&by_hand()), format!("1 transfers were changed, 0 were so already.\ncredited 1: {}\n", sum(&ids[0])));
        assert_eq!(said(&transfers(&app, &["import", answer_name])), format!("Nothing changed: all 1 transfers were so already.\nunchanged 1: {}\n", sum(&ids[0])));

        // The report of the day has the same, by document.
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(';').map(|cell| cell.trim_matches('"')).collect()).collect();
        let daily = daily(&app, rows[0][2]);
        for (row, outcome) in rows.iter().zip(["credited", "returned"]) {
            let amount = sum(row[0]).split(' ').next().unwrap();
            assert!(daily.contains(&format!("\n{}  order 100001  {amount}  sent, {outcome}", row[1])), "{daily}");
            assert!(daily.contains(&format!("\n{outcome} 1: {}\n", sum(row[0]))), "{daily}");
        }
        assert!(daily.contains("\nsent 2: 330.00 UAH, of it 1 to the budget: 132.00 UAH\n"), "{daily}");
        assert!(daily.contains("\nsent until then and not debited yet 0: 0.00 UAH\n"), "{daily}");
        assert_eq!(app.number("select count(*) from transfers where bank_reference = 'JBKL-77'".to_owned()).await, 1);
        std::fs::remove_file(&list).unwrap();
        // Nothing that is typed is dropped without a word.
        write(&answer, "<Document><BkToCstmrStmt><Stmt></Stmt></BkToCstmrStmt></Document>");
        assert_eq!(complained(&transfers(&app, &[&["import", answer_name], &why[..]].concat())), [
            "cabinet: nothing was changed: --reason is for --leave-out and --less-fee, or for a table of your own",
        ]);
        // A list without payments is none, in no format.
        for format in ["csv", "privat24", "pain001"] {
            assert_eq!(said(&transfers(&app, &["export", list_name, "--format", format])), "No transfer is planned: no file was written.\n");
            assert!(!list.exists());
        }

        // A file of the bank is told by its content. What concerns no transfer is listed.
        let entry = |direction: &str| format!("\n<Ntry><Amt Ccy=\"UAH\">5.00</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry>");
        let statement = format!("<Document><BkToCstmrStmt><Stmt>{}{}</Stmt></BkToCstmrStmt></Document>", entry("DBIT"), entry("CRDT"));
        write(&answer, &statement);
        assert_eq!(said(&transfers(&app, &["import", answer_name])), "answer.csv:2: entry 1: left out: 5.00 UAH, it names no transfer\n\
            answer.csv:3: entry 2: left out: 5.00 UAH, money that came in to an account that the file does not name\n\
            Nothing changed: the file concerns no transfer of the cabinet.\n");
        write(&answer, &statement.replace("5.00", "five"));
        assert_eq!(complained(&transfers(&app, &["import", answer_name])), [
            "cabinet: answer.csv:2: entry 1: Amt cannot be read",
            "cabinet: answer.csv:3: entry 2: Amt cannot be read",
            "cabinet: 2 bad rows: nothing was changed. Once a person has settled an entry, the rest of the file is taken with --leave-out ENTRY --reason \"...\"",
        ]);
        app.finish_and_check().await;
    }

    async fn a_list_that_the_bank_was_not_given_is_planned_again(app: TestApp) {
        pay_an_order(&app).await;
        let list = app.database_folder().unwrap().join("list.csv");
        let name = list.to_str().unwrap();
        said(&transfers(&app, &["export", name]));
        let text = std::fs::read_to_string(&list).unwrap();
        let ids: Vec<&str> = text.lines().skip(1).map(|row| &row[1..37]).collect();
        let again = |id: &str| transfers(&app, &["not-sent", "--id", id, "--compared", "--reason", "Банк списку не має", "--yes"]);
        assert!(complained(&again(ids[0])).join("\n").contains("was not marked as sent before today"), "it is planned");
        said(&transfers(&app, &["import", name, "--status", "sent"]));
        assert!(complained(&again(ids[0])).join("\n").contains("was not marked as sent before today"), "the list may still go to the bank");
        app.execute("update transfers set value_date = '2026-03-02'".to_owned()).await;
        assert!(complained(&transfers(&app, &["not-sent", "--id", ids[0]])).join("\n").contains("--compared"));
        let unasked = complained(&transfers(&app, &["not-sent", "--id", ids[0], "--compared", "--reason", "Банк списку не має"])).join("\n");
        assert!(unasked.contains("1 transfers, ") && unasked.contains(" UAH, would be planned again, and so be sent once more\n") && unasked.ends_with("repeat with --yes"), "{unasked}");
        app.execute("update transfers set bank_reference = 'JBKL-77' where status = 'sent' and role = 'notary'".to_owned()).await;
        let both = transfers(&app, &["not-sent", "--id", ids[0], "--id", ids[1], "--compared", "--reason", "Банк списку не має", "--yes"]);
        assert!(complained(&both).join("\n").contains("the bank has told something of it"));
        assert_eq!(app.number("select count(*) from transfers where status = 'sent'".to_owned()).await, 2, "all or none");
        app.execute("update transfers set bank_reference = null".to_owned()).await;
        said(&transfers(&app, &["not-sent", "--id", ids[0], "--id", ids[1], "--compared", "--reason", "Банк списку не має", "--yes"]));
        std::fs::remove_file(&list).unwrap();
        assert!(said(&transfers(&app, &["export", name])).starts_with("2 planned transfers"));
        let told = "select count(*) from audit_events where action = 'transfer_not_sent'";
        assert_eq!(app.number(told.to_owned()).await, 2);
        app.finish_and_check().await;
    }

    async fn planned_and_sent_transfers_are_listed_for_a_comparison_with_the_bank(app: TestApp) {
        let listed = |more: &[&str]| {
            let arguments = [&["list", "--json"][..], more].concat();
            let listed: Value = serde_json::from_str(&said(&transfers(&app, &arguments))).unwrap();
            listed["transfers"].as_array().unwrap().clone()
        };
        for list in [&["list", "--status", "planned"][..], &["held"], &["returned"], &["refunds"]] {
            assert_eq!(said(&transfers(&app, list)), "None.\n", "{list:?}");
        }
        assert!(complained(&transfers(&app, &["list"])).join("\n").contains("--status"));
        pay_an_order(&app).await;
        let planned = listed(&["--status", "planned"]);
        let documents: Vec<String> = planned.iter().map(|row| row["document"].to_string()).collect();
        assert_eq!(planned.len(), 2);
        assert!(planned.iter().all(|row| row["order"] == 100_001 && row["status"] == "planned" && row["sent_on"].is_null()), "{planned:?}");
        let of = |role: &str| planned.iter().find(|row| row["part"] == role).unwrap().clone();
        assert_eq!((&of("notary")["amount"], &of("recipient")["amount"]), (&json!("198.00"), &json!("132.00")));
        // The notary is a person, the Treasury is none.
        let shown = said(&transfers(&app, &["list", "--status", "planned"]));
        assert!(shown.contains("К. О. І.") && !shown.contains("Коваль"), "{shown}");
        assert!(!of("recipient")["recipient"].as_str().unwrap().contains("•••"), "{planned:?}");
        assert_eq!(listed(&["--status", "planned", "--day", "2026-03-02"]).len(), 2, "the day of the payment");
        assert!(listed(&["--status", "planned", "--day", "2026-03-03"]).is_empty());
        assert!(listed(&["--status", "sent"]).is_empty());

        let list = app.database_folder().unwrap().join("list.csv");
        let name = list.to_str().unwrap();
        said(&transfers(&app, &["export", name]));
        said(&transfers(&app, &["import", name, "--status", "sent"]));
        app.execute("update transfers set value_date = '2026-03-02'".to_owned()).await;
        assert!(listed(&["--status", "planned"]).is_empty());
        let sent = listed(&["--status", "sent", "--day", "2026-03-02"]);
        assert!(sent.len() == 2 && sent.iter().all(|row| row["sent_on"] == "2026-03-02" && row["status"] == "sent"), "{sent:?}");
        assert!(listed(&["--status", "sent", "--day", "2026-03-03"]).is_empty());
        // One whose recipient can't be read is listed all the same.
        app.execute("update transfers set recipient_code = 'x' || recipient_code".to_owned()).await;
        assert_eq!(listed(&["--status", "sent"]).len(), 2);
        app.execute("update transfers set recipient_code = substr(recipient_code, 2)".to_owned()).await;

        // A list that got lost is planned again by the numbers of its documents.
        let again = |documents: &str| transfers(&app, &["not-sent", "--document", documents, "--compared", "--reason", "Банк списку не має", "--yes"]);
        let unknown = complained(&again(&format!("{},99999", documents[0])));
        assert_eq!(unknown, ["cabinet: there is no transfer with the document number 99999: cabinet transfers list --status sent"]);
        assert_eq!(listed(&["--status", "sent"]).len(), 2, "all or none");
        said(&again(&documents.join(",")));
        assert_eq!(listed(&["--status", "planned"]).len(), 2);
        assert!(complained(&transfers(&app, &["not-sent", "--compared"])).join("\n").contains("--id"));
        app.finish_and_check().await;
    }

    async fn an_entry_that_is_settled_by_hand_stops_no_other(app: TestApp) {
        pay_an_order(&app).await;
        let folder = app.database_folder().unwrap().to_owned();
        let (list, statement) = (folder.join("list.csv"), folder.join("statement.xml"));
        let (list_name, statement_name) = (list.to_str().unwrap(), statement.to_str().unwrap());
        said(&transfers(&app, &["export", list_name]));
        said(&transfers(&app, &["import", list_name, "--status", "sent"]));
        let text = std::fs::read_to_string(&list).unwrap();
        let rows: Vec<Vec<String>> = text.lines().skip(1).map(|row| row.split("\";\"").map(|cell| cell.trim_matches('"').to_owned()).collect()).collect();
        let today = &rows[0][2];
        let entry = |row: &[String], amount: &str| format!(
            "<Ntry><Amt Ccy=\"UAH\">{amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>{today}</Dt></BookgDt><AcctSvcrRef>D-{}</AcctSvcrRef>\
             <NtryDtls><TxDtls><Refs><InstrId>{}</InstrId></Refs></TxDtls></NtryDtls></Ntry>",
            row[1], row[0].replace('-', "")
        );
        let file = format!("<Document><BkToCstmrStmt><Stmt>{}{}</Stmt></BkToCstmrStmt></Document>", entry(&rows[0], &rows[0][5]), entry(&rows[1], "1.00"));
        write(&statement, &file);
        let refused = complained(&transfers(&app, &["import", statement_name]));
        let quiet = file.split_once("<Ntry>").unwrap().0.to_owned() + "</Stmt></BkToCstmrStmt></Document>";
        let no_movements = folder.join("quiet.xml");
        write(&no_movements, &quiet);
        let told = said(&transfers(&app, &["import", no_movements.to_str().unwrap()]));
        assert_eq!(told, "The bank tells no movements: nothing to do.\n");
        // A bank may write a file in one line: the entry has a name of its own.
        let name = format!("2:D-{}", rows[1][1]);
        assert!(refused[0].contains(&format!("statement.xml:1: entry {name}: document")) && refused[0].ends_with("the entry 1.00 UAH"), "{refused:?}");
        assert!(refused[1].contains("--leave-out ENTRY"), "{refused:?}");
        let without = |names: &[&str], more: &[&str]| {
            let mut all = vec!["import", statement_name];
            for name in names {
                all.extend(["--leave-out", name]);
            }
            all.extend(more);
            transfers(&app, &all)
        };
        assert!(complained(&without(&[&name], &["--yes"])).join("\n").contains("--reason"));
        let reason = ["--reason", "Банк повернув 1.00"];
        for unknown in ["2", "1", "2:D-0", "3:D-9"] {
            let none = complained(&without(&[&name, unknown], &[&reason[..], &["--yes"]].concat()));
            assert_eq!(none[0], format!("cabinet: the file has no entry {unknown}. Nothing was changed: give the names of the entries as the command tells them"));
        }
        let unasked = without(&[&name], &reason);
        let asked = format!("statement.xml:1: entry {name}: to be left out: 1.00 UAH, a debit\n");
        assert!(!unasked.status.success());
        assert_eq!(String::from_utf8(unasked.stdout).unwrap(), asked);
        assert!(String::from_utf8(unasked.stderr).unwrap().contains("repeat with --yes"));
        assert_eq!(app.number("select count(*) from transfers where bank_reference is not null".to_owned()).await, 0);
        let left_out = said(&without(&[&name], &[&reason[..], &["--yes"]].concat()));
        assert!(left_out.starts_with(&format!(
            "{asked}statement.xml:1: entry {name}: left out: 1.00 UAH, it is settled by hand, as the command says\n\
             1 transfers were changed, 0 were so already.\ndebited 1: {} UAH", rows[0][5]
        )), "{left_out}");
        // What is between: the bank has told nothing of the other one, and of this one not that it was credited.
        let daily = daily(&app, today);
        for (what, row) in [("debited", &rows[0]), ("sent until then and not debited yet", &rows[1]), ("debited within 30 days and not told as credited yet", &rows[0])] {
            assert!(daily.contains(&format!("\n{what} 1: {} UAH", row[5])), "{what}: {daily}");
        }
        // The bank has the payment of what was left out, so the same is not sent once more.
        app.execute("update transfers set value_date = '2026-01-05'".to_owned()).await;
        let again = transfers(&app, &["not-sent", "--document", &rows[1][1], "--compared", "--reason", "Банк списку не має", "--yes"]);
        assert!(complained(&again).join("\n").contains("can't be planned again"));
        app.execute(format!("update transfers set value_date = '{today}'")).await;
        let told = "select count(*) from audit_events where action = 'bank_entry_left_out' and order_id is not null and changes like '%Банк повернув 1.00%'";
        assert_eq!(app.number(told.to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn a_bank_keeps_a_fee_of_what_comes_back_and_the_notary_is_owed_the_whole_sum(app: TestApp) {
        pay_an_order(&app).await;
        let folder = app.database_folder().unwrap().to_owned();
        let (list, statement) = (folder.join("list.csv"), folder.join("statement.xml"));
        let (list_name, statement_name) = (list.to_str().unwrap(), statement.to_str().unwrap());
        said(&transfers(&app, &["export", list_name]));
        said(&transfers(&app, &["import", list_name, "--status", "sent"]));
        let text = std::fs::read_to_string(&list).unwrap();
        let row = text.lines().skip(1).find(|row| row.contains("\"198.00\"")).unwrap();
        let row: Vec<&str> = row.split("\";\"").map(|cell| cell.trim_matches('"')).collect();
        let (id, today, amount) = (row[0], row[2], row[5]);
        let came = "192.50";
        let entry = |amount: &str, reference: &str, more: &str| format!(
            "<Ntry><Amt Ccy=\"UAH\">{amount}</Amt>{more}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{today}</Dt></BookgDt><AcctSvcrRef>{reference}</AcctSvcrRef>\
             <NtryDtls><TxDtls><Refs><InstrId>{}</InstrId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>",
            id.replace('-', "")
        );
        let file = |amount: &str| format!("<Document><BkToCstmrStmt><Stmt>{}</Stmt></BkToCstmrStmt></Document>", entry(amount, "C-1", "<CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd>"));
        write(&statement, &file(came));
        let less_fee = ["import", statement_name, "--less-fee", "1:C-1", "--reason", "Банк утримав 5,50", "--yes"];
        assert!(complained(&transfers(&app, &["import", statement_name])).join("\n").contains("only 192.50 UAH of the 198.00 UAH"));

        let taken = said(&transfers(&app, &less_fee));
        assert_eq!(taken, format!(
            "statement.xml:1: entry 1:C-1: to be taken, less the bank's fee: {came} UAH, money that came back\n1 transfers were changed, 0 were so already.\n\
             returned 1: 198.00 UAH\nof what came back the banks kept 5.50 UAH as fees, which the operator bears\n"
        ));
        // Told once more, with the command or without: nothing is new.
        assert!(said(&transfers(&app, &["import", statement_name])).contains("all 1 transfers were so already"));
        assert!(said(&transfers(&app, &less_fee)).contains("all 1 transfers were so already"));
        let told = "select count(*) from audit_events where action = 'bank_fee_kept' and object_id = '";
        assert_eq!(app.number(format!("{told}{id}' and changes like '%5.5%' and changes like '%Банк утримав 5,50%'")).await, 1);
        assert!(daily(&app, today).contains("\nof what came back the banks kept 5.50 UAH as fees"));
        // The notary decides about the whole sum.
        assert_eq!(app.number("select count(*) from transfers where status = 'returned' and amount = 19800".to_owned()).await, 1);

        // An entry that says nothing of the kind is refused by its name.
        write(&statement, &file(amount));
        let refused = transfers(&app, &less_fee);
        assert!(!refused.status.success());
        assert!(String::from_utf8(refused.stderr).unwrap().contains("entry 1:C-1 does not say that a transfer came back with a smaller sum"));
        app.finish_and_check().await;
    }

    async fn after_a_restore_nothing_is_exported_until_it_was_compared_with_the_bank(app: TestApp) {
        pay_an_order(&app).await;
        let list = app.database_folder().unwrap().join("list.csv");
        let name = list.to_str().unwrap();
        let services = app.services();
        services.store.leave_out_used_numbers(services.now()).await.unwrap();
        assert!(complained(&transfers(&app, &["resume", "--compared", "--reason", "Звірено з банком", "--yes"])).join("\n").contains("not stopped"));

        // As a copy has it, whose file is another one.
        app.execute("update counters set value = value + 1 where name = 'database_identity'".to_owned()).await;
        assert!(complained(&transfers(&app, &["export", name]))[0].contains("start the cabinet on it first"));
        services.store.leave_out_used_numbers(services.now()).await.unwrap().unwrap();
        assert!(complained(&transfers(&app, &["export", name]))[0].contains("cabinet transfers resume"));
        assert!(!list.exists());
        assert!(complained(&transfers(&app, &["resume"])).join("\n").contains("--compared"));
        assert!(complained(&transfers(&app, &["resume", "--compared", "--reason", "Звірено з банком", "--yes"])).join("\n").contains("still looks for payments"));
        app.services().reconciliation.recover_after_restore().await.unwrap().unwrap();
        assert!(complained(&transfers(&app, &["resume", "--compared", "--reason", "Звірено з банком", "--yes"])).join("\n").contains("still looks for payments"), "for a day, because of LiqPay");
        for seconds in [25 * 3_600, 61] {
            app.clock().advance_seconds(seconds);
            app.services().reconciliation.recover_again().await.unwrap().unwrap();
        }
        let unasked = complained(&transfers(&app, &["resume", "--compared", "--reason", "Звірено з банком"])).join("\n");
        assert!(unasked.starts_with("the next export would have them: planned transfers 2: 330.00 UAH, of it 1 to the budget: 132.00 UAH\n") && unasked.ends_with("repeat with --yes"), "{unasked}");
        said(&transfers(&app, &["resume", "--compared", "--reason", "Звірено з банком", "--yes"]));
        let kept = "select count(*) from audit_events where action = 'transfers_resumed' and changes like '%Звірено з банком%' and changes like '%330.00%'";
        assert_eq!(app.number(kept.to_owned()).await, 1);
        let cyrillic = app.database_folder().unwrap().join("list-1251.csv");
        let cyrillic_name = cyrillic.to_str().unwrap();
        assert!(complained(&transfers(&app, &["export", cyrillic_name, "--format", "pain001", "--encoding", "cp1251"]))[0].contains("always UTF-8"));
        said(&transfers(&app, &["export", cyrillic_name, "--format", "privat24", "--encoding", "cp1251"]));
        let bytes = std::fs::read(&cyrillic).unwrap();
        assert!(bytes.starts_with(b"document_number;payment_date;") && std::str::from_utf8(&bytes).is_err());
        let message = app.database_folder().unwrap().join("list.xml");
        said(&transfers(&app, &["export", message.to_str().unwrap(), "--format", "pain001"]));
        assert!(std::fs::read_to_string(&message).unwrap().contains("pain.001.001.09"));
        assert!(said(&transfers(&app, &["export", name])).starts_with("2 planned transfers"));
        let resumed = "select count(*) from audit_events where action = 'transfers_resumed'";
        assert_eq!(app.number(resumed.to_owned()).await, 1);
        app.finish_and_check().await;
    }

    async fn the_doctor_names_an_order_that_is_not_what_was_proved(app: TestApp) {
        // All orders, also those that have not changed since the check before.
        let doctor = |line: &str| {
            let output = command_on(&app, env!("CARGO_BIN_EXE_cabinet")).args(["doctor", "--full"]).output().unwrap();
            let told = String::from_utf8(output.stdout).unwrap();
            told.lines().find(|told| told.contains(line)).unwrap_or_default().to_owned()
        };
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await;
        olena.add_payment(&form.with("iban", "UA213223130000026007233566001")).await;
        let mut body = olena.order_body().await;
        body["token_id"] = olena.save_card("4242424242424242").into();
        let key = olena.fresh_key();
        let refused = olena.create_order(&key, &body).await;
        olena.prove(&json!({ "client_id": refused.json()["proof"]["client_id"] })).await;
        let order = olena.create_order(&key, &body).await.ok()["order"].clone();
        let holds = |line: &str| doctor(line).starts_with(&format!("holds   {line}: "));
        assert!(holds("orders_proved") && holds("proofs_kept"), "{}", doctor("orders_proved"));
        for table in ["transfers set recipient_iban", "order_items set iban"] {
            app.execute(format!("update {table} = 'UA643223130000026007233566003'")).await;
        }
        let told = doctor("orders_proved");
        assert!(told.starts_with("BROKEN  orders_proved: ") && told.ends_with(&format!(" – 1 times: orders {}", order["number"].as_str().unwrap())), "{told}");
        // Without the proof nothing is compared, but the trail tells of it.
        app.execute("delete from payment_proofs".to_owned()).await;
        assert!(holds("orders_proved") && doctor("proofs_kept").starts_with("BROKEN  "), "{}", doctor("proofs_kept"));
        app.skip_final_check();
    }

    async fn a_changed_transfer_is_told_refused_and_put_back(app: TestApp) {
        pay_an_order(&app).await;
        let list = app.database_folder().unwrap().join("list.csv");
        let name = list.to_str().unwrap();
        let doctor = || {
            let output = command_on(&app, env!("CARGO_BIN_EXE_cabinet")).arg("doctor").output().unwrap();
            let told = String::from_utf8(output.stdout).unwrap();
            told.lines().find(|line| line.contains("transfers_seal")).unwrap_or_default().to_owned()
        };
        assert!(doctor().starts_with("holds   transfers_seal: "), "{}", doctor());
        let thief = "UA643223130000026007233566003";
        for table in ["transfers set recipient_iban", "order_items set iban"] {
            app.execute(format!("update {table} = '{thief}'")).await;
        }
        let number = app.number("select min(document_number) from transfers".to_owned()).await;
        assert!(doctor().starts_with("BROKEN  transfers_seal: ") && doctor().contains(&number.to_string()), "{}", doctor());
        let refused = complained(&transfers(&app, &["export", name])).join("\n");
        assert!(refused.contains(&format!("documents {number}, {}", number + 1)) && !list.exists(), "{refused}");
        let seal = |more: &[&str]| transfers(&app, &[&["seal", "--reason", "Звірено з квитанцією"], more].concat());
        let shown = complained(&seal(&[])).join("\n");
        assert!(shown.contains(thief) && shown.contains("2 transfers would be sealed") && shown.ends_with("repeat with --yes"), "{shown}");
        // Somebody at a terminal is asked.
        let mut asking = command_on(&app, env!("CARGO_BIN_EXE_cabinet"));
        asking.args(["transfers", "seal", "--reason", "Звірено з квитанцією"]);
        let (went, told) = at_terminal(&asking, "no");
        assert!(!went && told.contains("Go on? (yes/no)") && told.contains("nothing was changed"), "{told}");
        assert!(doctor().starts_with("BROKEN "), "{}", doctor());
        let (went, told) = at_terminal(&asking, "yes");
        assert!(went && told.contains(thief) && told.contains("2 sealed."), "{told}");
        assert!(said(&seal(&["--yes"])).starts_with("Nothing to do"));
        assert!(doctor().starts_with("holds "), "{}", doctor());
        assert!(said(&transfers(&app, &["export", name])).starts_with("2 planned transfers"));
        app.skip_final_check();
    }
}
