//! `cabinet order refund` beside a running cabinet: the acquirer's ledger decides that nothing is given back twice.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::{Child, Output, Stdio};

use cabinet_domain::TransferStatus;
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, PaymentKind, Person, SLOW_CARD_SECONDS, TestApp, complained,
    eventually, on_both_databases, said,
};
use serde_json::{Value, json};

use crate::command::{cabinet, command_of, events};

const WHY: &str = "Клієнт відмовився, SD-4720";
const NOT_DONE: &str =
    "select count(*) from alarms where kind = 'refund_not_made' and closed_at is null";

fn refund(app: &TestApp, number: &str, more: &[&str]) -> Output {
    let arguments = [
        &["order", "refund", number, "--reason", WHY, "--yes"][..],
        more,
    ]
    .concat();
    cabinet(app, &arguments)
}

/// Starts the command without waiting for it.
fn start(app: &TestApp, more: &[&str]) -> Child {
    let arguments = [
        &["order", "refund", "100001", "--reason", WHY, "--yes"][..],
        more,
    ]
    .concat();
    command_of(app, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the command has ended.
async fn ended(child: Child) -> Output {
    tokio::task::spawn_blocking(move || child.wait_with_output().unwrap())
        .await
        .unwrap()
}

fn given(app: &TestApp, number: &str, more: &[&str]) -> Value {
    let more = [more, &["--json"]].concat();
    let answer: Value = serde_json::from_str(&said(&refund(app, number, &more))).unwrap();
    answer["refunds"][0].clone()
}

fn refused(app: &TestApp, number: &str, more: &[&str]) -> String {
    complained(&refund(app, number, more)).join("\n")
}

/// Fails the next call that gives money back.
fn fault(kind: FaultKind) -> Fault {
    let mut fault = Fault::new(FaultService::Acquirer, kind);
    fault.path = Some("invoice/cancel".to_owned());
    fault
}

/// Gives the refunds under way the clock of the test: a command has the machine's, and where the clocks differ, nothing is certain for a day.
async fn use_clock_of_test(app: &TestApp) {
    let now = app.clock().shows().as_microsecond();
    // A returned part was asked back by the command, if that was at the same moment.
    app.execute(format!(
        "update transfers set refund_requested_at = {now}
         where refund_requested_at = (select created_at from refunds where id = transfers.refund_id and state = 'submitted')"
    ))
    .await;
    app.execute(format!(
        "update refunds set created_at = {now} where state = 'submitted'"
    ))
    .await;
}

/// Lets so much time pass that a refund under way which the acquirer does not tell of was certainly not made: two readings say so.
async fn be_certain(app: &TestApp) {
    use_clock_of_test(app).await;
    for seconds in [2 * 3_600 + 60, 61] {
        app.clock().advance_seconds(seconds);
        app.work().await;
    }
}

/// Loses the next call that gives money back: the acquirer does nothing of it.
async fn lose_next_request(app: &TestApp) {
    let mut lost = fault(FaultKind::Reset);
    lost.effect = Some(false);
    app.outside().faults(&[lost]).await;
}

/// What the acquirer has given back, in kopiykas, refund by refund.
fn refunds_of_ledger(app: &TestApp) -> Vec<i64> {
    let ledger = serde_json::to_value(app.outside().ledger()).unwrap();
    let refunds = ledger.as_array().unwrap().iter();
    let refunds = refunds.filter(|line| line["kind"] == "refund");
    refunds
        .map(|line| line["amount"].as_i64().unwrap())
        .collect()
}

/// An order with a part for the notary and one for the recipient, paid: 330 UAH and 20 UAH of commission.
async fn paid(app: &TestApp) -> (Person, Value, String) {
    let olena = app.notary("olena").await;
    olena.add(PaymentKind::AdminPayment).await;
    let order = olena.order_cart().await;
    let page = order["widget_url"].as_str().unwrap().to_owned();
    let order = olena.pay(&order).await;
    (olena, order, page)
}

/// The transfer of a role, as the support sees it.
fn transfer(app: &TestApp, role: &str) -> Value {
    let file = shown(app);
    let mut transfers = file["transfers"].as_array().unwrap().iter();
    transfers.rfind(|one| one["part"] == role).unwrap().clone()
}

fn document(app: &TestApp, role: &str) -> String {
    transfer(app, role)["document"].to_string()
}

fn shown(app: &TestApp) -> Value {
    let text = said(&cabinet(app, &["order", "show", "100001", "--json"]));
    serde_json::from_str(&text).unwrap()
}

/// Closes the first alarm of the order, as the support does that has looked at it.
fn close_first_alarm(app: &TestApp) {
    let file = shown(app);
    let id = file["alarms"][0]["id"].as_str().unwrap();
    let note = "Повернули в кабінеті еквайра";
    said(&cabinet(app, &["alarms", "close", id, "--note", note]));
}

/// Marks transfers, all or those of a role.
async fn mark(app: &TestApp, role: Option<&str>, status: TransferStatus, reason: &str) -> bool {
    let file = shown(app);
    let mut text = "transfer_id,status,reason\n".to_owned();
    for one in file["transfers"].as_array().unwrap() {
        if role.is_none_or(|role| one["part"] == role) {
            let id = one["id"].as_str().unwrap();
            text.push_str(&format!("{id},{},{reason}\n", status.as_str()));
        }
    }
    let services = app.services();
    services
        .transfers
        .import_file(text.as_bytes(), None, None, services.now())
        .await
        .is_ok()
}

/// How many transfers an export would have.
async fn exported(app: &TestApp) -> i64 {
    let services = app.services();
    let found = services
        .store
        .read(|tx| cabinet_storage::transfer::transfers::to_send(tx, None, 100))
        .await;
    i64::try_from(found.unwrap().len()).unwrap()
}

on_both_databases! {
    async fn nothing_is_given_back_before_somebody_has_seen_how_much(app: TestApp) {
        let _ = paid(&app).await;
        let unasked = |more: &[&str]| {
            let arguments = [&["order", "refund", "100001", "--reason", WHY][..], more].concat();
            let mut lines = complained(&cabinet(&app, &arguments));
            // The log stands between.
            lines.retain(|line| !line.starts_with('{'));
            lines
        };
        let nobody = "cabinet: nothing was changed: without a terminal nobody can be asked. Look at what would be done, and repeat with --yes";
        let whole = unasked(&[]);
        assert_eq!(whole[0], "order 100001: 350.00 UAH would be given back to the card");
        assert!(whole[1].starts_with("of it 2 transfers, 330.00 UAH, would not be sent any more: documents "), "{whole:?}");
        assert_eq!((whole[2].as_str(), whole.len()), (nobody, 3));
        assert_eq!(unasked(&["--sum", "5"]), ["order 100001: 5.00 UAH would be given back to the card", nobody]);
        let document = document(&app, "recipient");
        assert_eq!(unasked(&["--transfer", &document]), [
            "order 100001: 132.00 UAH would be given back to the card".to_owned(),
            format!("of it 1 transfers, 132.00 UAH, would not be sent any more: documents {document}"),
            nobody.to_owned(),
        ]);
        assert!(refunds_of_ledger(&app).is_empty());
        assert_eq!(exported(&app).await, 2);
        app.finish_and_check().await;
    }

    async fn a_part_that_never_left_is_no_returned_transfer_in_the_report(app: TestApp) {
        let _ = paid(&app).await;
        let document = document(&app, "recipient");
        given(&app, "100001", &["--transfer", &document]);
        let day = cabinet_domain::kyiv_date(app.clock().shows()).to_string();
        let daily = said(&cabinet(&app, &["report", "daily", "--day", &day]));
        assert!(daily.contains(&format!("132.00  part, transfer that was not sent {document}, charged on ")), "{daily}");
        app.finish_and_check().await;
    }

    async fn all_of_an_order_is_given_back_once_and_its_transfers_are_called_off(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        let done = given(&app, "100001", &[]);
        assert_eq!((&done["state"], &done["what"], &done["amount"], &done["reason"]), (&json!("done"), &json!("whole"), &json!("350.00"), &json!(WHY)));
        assert_eq!(olena.order(&order).await["status"], "refunded");
        assert_eq!(refunds_of_ledger(&app), [35_000]);
        let file = shown(&app);
        assert_eq!(file["refunds"][0]["state"], "done");
        assert!(file["transfers"].as_array().unwrap().iter().all(|one| one["status"] == "called_off"), "{file}");
        let steps: Vec<&str> = file["timeline"].as_array().unwrap().iter().filter_map(|event| event["event"].as_str()).collect();
        assert!(steps.contains(&"refund_asked") && steps.contains(&"refund_done") && steps.contains(&"acquirer_refunded"), "{steps:?}");
        assert_eq!(file["alarms"], json!([]));
        let asked = events(&app, "100001", "refund_asked");
        assert!(asked.len() == 1 && asked[0].contains("operator oksana") && asked[0].contains("SD-4720"), "{asked:?}");
        assert_eq!(events(&app, "100001", "refund_done").len(), 1);
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert!(told[0].contains("Замовлення № 100001: 350,00\u{a0}грн повернено на картку клієнта"), "{told:?}");

        let again = refused(&app, "100001", &[]);
        assert!(again.contains("all of the order's money was given back before"), "{again}");
        assert!(refused(&app, "100001", &["--transfer", "1"]).contains("was given back before"));
        assert_eq!(refunds_of_ledger(&app), [35_000]);
        assert!(refused(&app, "7", &[]).contains("there is no order with the number 7"));
        app.finish_and_check().await;
    }

    async fn what_one_transfer_would_have_brought_is_given_back_and_the_other_goes_on(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        let (own, other) = (document(&app, "notary"), document(&app, "recipient"));
        let done = given(&app, "100001", &["--transfer", &other]);
        assert_eq!((&done["state"], &done["amount"], done["document"].to_string()), (&json!("done"), &json!("132.00"), other.clone()));
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!((transfer(&app, "recipient")["status"].clone(), transfer(&app, "notary")["status"].clone()), (json!("called_off"), json!("planned")));
        assert_eq!(exported(&app).await, 1);
        assert_eq!(shown(&app)["alarms"], json!([]), "nobody need look at what was asked for");
        app.work().await;
        let told = app.outside().messages(olena.phone());
        assert!(told[0].contains(&format!("132,00\u{a0}грн (переказ № {other}) повернено на картку клієнта")), "{told:?}");
        assert!(refused(&app, "100001", &["--transfer", &other]).contains("was given back or called off before"));
        assert!(refused(&app, "100001", &["--transfer", "999"]).contains("the order has no transfer 999"));

        // The notary's books and the accountant's report know it.
        let total = olena.get("/reports?from=2026-03-01&to=2026-03-31").await.ok()["total"].clone();
        assert_eq!((&total["refunded"], &total["amount"]), (&json!(132), &json!(198)), "{total}");
        let daily = said(&cabinet(&app, &["report", "daily", "--day", "2026-03-02"]));
        assert!(daily.contains("charged 350.00 = transfers 330.00 + commissions 20.00 + duplicates 0.00\n"), "{daily}");
        assert!(daily.ends_with("left 218.00 = charged 350.00 - given back 132.00\n") && !daily.contains("NOT MARKED"), "{daily}");
        app.check_invariants().await;

        // What is left is given back as a whole, with the commission.
        assert_eq!(given(&app, "100001", &[])["amount"], "218.00");
        olena.until(&order, "refunded").await;
        assert_eq!(refunds_of_ledger(&app), [13_200, 21_800]);
        assert_eq!(transfer(&app, "notary")["status"], "called_off");
        assert!(refused(&app, "100001", &["--transfer", &own]).contains("was given back before"));
        app.finish_and_check().await;
    }

    async fn a_sum_comes_out_of_the_commission_alone(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        for (text, said) in [("5 USD", "--sum: that is not a sum in hryvnias"), ("abc", "--sum: that is not a sum in hryvnias"), ("1.005", "--sum: that is not a sum in hryvnias"), ("0", "--sum: that is not a sum in hryvnias"), ("20.01", "only 20.00 UAH of the charge are owed to no recipient"), ("350.01", "only 350.00 UAH of the charge are left")] {
            let told = refused(&app, "100001", &["--sum", text]);
            assert!(told.contains(said), "{text}: {told}");
        }
        assert!(refused(&app, "100001", &["--sum", "1", "--transfer", "1"]).contains("cannot be used with"));
        assert_eq!(app.rows("refunds").await, 0);

        assert_eq!(given(&app, "100001", &["--sum", "12,50"])["state"], "done");
        let told = refused(&app, "100001", &["--sum", "12.50"]);
        assert!(told.contains("the same sum was given back before"), "{told}");
        assert!(refused(&app, "100001", &["--sum", "12.50", "--again"]).contains("only 7.50 UAH"));
        assert_eq!(given(&app, "100001", &["--sum", "5"])["amount"], "5.00");
        assert_eq!(given(&app, "100001", &["--sum", "2.50"])["state"], "done");
        assert!(refused(&app, "100001", &["--sum", "2.50", "--again"]).contains("only 0.00 UAH"));
        assert_eq!(refunds_of_ledger(&app), [1_250, 500, 250]);
        assert_eq!(olena.order(&order).await["status"], "paid");
        assert_eq!(exported(&app).await, 2);
        assert_eq!(shown(&app)["alarms"], json!([]));
        let daily = said(&cabinet(&app, &["report", "daily", "--day", "2026-03-02"]));
        assert!(daily.contains("5.00  part, of it commission 5.00") && !daily.contains("NOT MARKED"), "{daily}");
        let acts = said(&cabinet(&app, &["report", "acts", "--month", "2026-03"]));
        assert!(acts.contains("20.00 - 20.00 = 0.00"), "{acts}");
        app.finish_and_check().await;
    }

    async fn an_order_that_is_given_back_part_by_part_ends_refunded(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        let (own, other) = (document(&app, "notary"), document(&app, "recipient"));
        for more in [["--sum", "20"], ["--transfer", &own], ["--transfer", &other]] {
            assert_eq!(given(&app, "100001", &more)["state"], "done", "{more:?}");
        }
        assert_eq!((olena.order(&order).await["status"].clone(), refunds_of_ledger(&app)), (json!("refunded"), vec![2_000, 19_800, 13_200]));
        assert_eq!(shown(&app)["alarms"], json!([]));
        app.finish_and_check().await;
    }

    async fn nothing_is_given_back_of_an_order_that_is_not_paid(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let told = refused(&app, "100001", &[]);
        assert!(told.contains("the order is not paid yet, so there is nothing to give back"), "{told}");
        assert_eq!((app.rows("refunds").await, refunds_of_ledger(&app)), (0, vec![]));
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_lost_answer_is_asked_about_and_found_done(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        app.keep_reports();
        app.outside().faults(&[fault(FaultKind::Reset)]).await;
        let told = said(&refund(&app, "100001", &[]));
        assert!(told.contains("what became of the refund is not known: do not give it back by another way"), "{told}");
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), exported(&app).await), (json!("submitted"), 0), "nothing leaves meanwhile");
        assert!(!mark(&app, None, TransferStatus::Sent, "").await, "and nothing is marked as sent");

        // It is done at the acquirer. Pressed again, the question before finds that, and nothing is sent.
        let told = refused(&app, "100001", &[]);
        assert!(told.contains("all of the order's money was given back before") || told.contains("under way"), "{told}");
        app.let_reports_through();
        app.work().await;
        olena.until(&order, "refunded").await;
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), refunds_of_ledger(&app)), (json!("done"), vec![35_000]));
        app.finish_and_check().await;
    }

    async fn a_lost_request_is_asked_about_until_it_is_certain_that_nothing_was_done(app: TestApp) {
        let _ = paid(&app).await;
        let other = document(&app, "recipient");
        lose_next_request(&app).await;
        assert_eq!(given(&app, "100001", &["--transfer", &other])["state"], "submitted");
        use_clock_of_test(&app).await;
        // A second press, of whatever kind, begins nothing.
        for more in [&["--transfer", &other][..], &[], &["--sum", "1"]] {
            assert!(refused(&app, "100001", more).contains("a refund of the order is under way"));
        }
        app.clock().advance_seconds(300);
        app.work().await;
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), app.number(NOT_DONE.to_owned()).await), (json!("submitted"), 0), "too early to say");
        assert_eq!(exported(&app).await, 0);
        app.clock().advance_seconds(1_200);
        app.work().await;
        assert_eq!(shown(&app)["refunds"][0]["state"], "submitted", "a list may be late by an hour and more");
        for seconds in [6_000, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        let known = shown(&app)["refunds"][0].clone();
        assert_eq!((&known["state"], &known["code"], app.number(NOT_DONE.to_owned()).await), (&json!("refused"), &json!("no_trace"), 1));
        assert_eq!((refunds_of_ledger(&app).len(), exported(&app).await), (0, 2), "its transfer may be sent again");

        // Then it may be asked for anew.
        assert_eq!(given(&app, "100001", &["--transfer", &other])["state"], "done");
        assert_eq!((refunds_of_ledger(&app), shown(&app)["status"].clone()), (vec![13_200], json!("paid")));
        app.finish_and_check().await;
    }

    async fn a_refusal_of_the_acquirer_calls_a_person_and_lets_the_transfers_go(app: TestApp) {
        let _ = paid(&app).await;
        let mut not_available = fault(FaultKind::Refuse);
        not_available.code = Some("CANCEL_NOT_AVAILABLE".to_owned());
        app.outside().faults(&[not_available]).await;
        let told = refused(&app, "100001", &[]);
        assert!(told.contains("nothing was given back: the acquirer refused it with CANCEL_NOT_AVAILABLE") && told.contains("merchant's balance"), "{told}");
        let file = shown(&app);
        assert_eq!((&file["refunds"][0]["state"], &file["refunds"][0]["code"], &file["alarms"][0]["kind"]), (&json!("refused"), &json!("CANCEL_NOT_AVAILABLE"), &json!("refund_not_made")));
        assert_eq!((exported(&app).await, refunds_of_ledger(&app).len()), (2, 0));

        // Certainly not sent: there is nothing that a person would have to look for.
        app.outside().faults(&[fault(FaultKind::Status429)]).await;
        assert!(refused(&app, "100001", &[]).contains("certainly has not got the request"));
        assert_eq!((shown(&app)["refunds"][1]["state"].clone(), exported(&app).await), (json!("not_sent"), 2));
        // Where the acquirer does not tell what was given back before, nothing is begun.
        let mut silent = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        silent.path = Some("invoice/status".to_owned());
        app.outside().faults(&[silent]).await;
        assert!(refused(&app, "100001", &[]).contains("does not tell what was given back before, so nothing was sent"));
        assert_eq!(app.rows("refunds").await, 2);
        app.finish_and_check().await;
    }

    async fn a_process_that_is_killed_leaves_nothing_unknown(app: TestApp) {
        let _ = paid(&app).await;
        let mut silent = fault(FaultKind::TimeoutBefore);
        silent.delay_ms = Some(60_000);
        app.outside().faults(&[silent]).await;
        let mut child = start(&app, &[]);
        app.outside().until_faults_begin().await;
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), exported(&app).await), (json!("submitted"), 0));
        assert!(refused(&app, "100001", &[]).contains("a refund of the order is under way"));
        be_certain(&app).await;
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), refunds_of_ledger(&app).len()), (json!("refused"), 0));

        // One that ended between the row and the request: certainly nothing was sent.
        lose_next_request(&app).await;
        said(&refund(&app, "100001", &[]));
        app.execute("update refunds set state = 'prepared', submitted_at = null, last_error = null where state = 'submitted'".to_owned()).await;
        app.work().await;
        let known = shown(&app);
        assert_eq!((&known["refunds"][1]["state"], exported(&app).await), (&json!("not_sent"), 2));
        assert_eq!(given(&app, "100001", &[])["state"], "done");
        app.wait_for_number("select count(*) from orders where status = 'refunded'", 1).await;
        assert_eq!(refunds_of_ledger(&app), [35_000]);
        app.finish_and_check().await;
    }

    async fn of_two_operators_at_once_one_gives_back(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        let mut late = fault(FaultKind::Delay);
        late.delay_ms = Some(60_000);
        app.outside().faults(&[late]).await;
        let mut children: Vec<Child> = (0..3).map(|_| start(&app, &[])).collect();
        // The one that gives back is at the acquirer until the others have ended.
        let others_ended = || {
            let ended = children.iter_mut().filter_map(|child| child.try_wait().unwrap()).count();
            std::future::ready(if ended == 2 { Ok(()) } else { Err(ended) })
        };
        eventually(others_ended).await.unwrap();
        app.outside().faults(&[]).await;
        let mut good = 0;
        for child in children {
            let output = ended(child).await;
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() || told.contains("is under way") || told.contains("given back before"), "{told}");
            good += i32::from(output.status.success());
        }
        assert_eq!((good, refunds_of_ledger(&app)), (1, vec![35_000]));
        olena.until(&order, "refunded").await;
        app.finish_and_check().await;
    }

    async fn what_recipients_have_is_not_given_back(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        assert!(mark(&app, None, TransferStatus::Sent, "").await);
        let (own, other) = (document(&app, "notary"), document(&app, "recipient"));
        let told = refused(&app, "100001", &[]);
        assert!(told.contains(&format!("the bank has transfers {own}, {other}")), "{told}");
        assert!(refused(&app, "100001", &["--transfer", &other]).contains(&format!("the bank has transfers {other}")));
        assert!(mark(&app, Some("notary"), TransferStatus::Credited, "").await);
        let told = refused(&app, "100001", &[]);
        assert!(told.contains(&format!("recipients have the money of transfers {own}")) && told.contains("order 787"), "{told}");

        // What came back is: with the notary's request, which the refund carries out and marks by itself.
        assert!(mark(&app, Some("recipient"), TransferStatus::Returned, "Рахунок закрито").await);
        let id = transfer(&app, "recipient")["id"].as_str().unwrap().to_owned();
        olena.post(&format!("/order/transfer/{id}/refund"), json!({})).await.ok();
        assert_eq!(app.services().operator.card_refunds().open().await.unwrap().len(), 1);
        lose_next_request(&app).await;
        given(&app, "100001", &["--transfer", &other]);
        let marked = complained(&cabinet(&app, &["transfers", "refunded", &id, "--reason", "операція 77", "--yes"])).join("\n");
        assert!(marked.contains("a refund of it is under way"), "{marked}");
        be_certain(&app).await;
        assert_eq!(app.services().operator.card_refunds().open().await.unwrap().len(), 1, "the request stands");
        assert_eq!(given(&app, "100001", &["--transfer", &other])["state"], "done");
        assert!(app.services().operator.card_refunds().open().await.unwrap().is_empty());
        olena.log_in().await;
        let known = olena.order(&order).await;
        assert_eq!((&known["status"], &known["returned"][0]["after"]), (&json!("paid"), &json!("refunded")));
        assert!(refused(&app, "100001", &["--transfer", &other]).contains("was given back or called off before"));
        assert!(refused(&app, "100001", &["--sum", "20.01"]).contains("only 20.00 UAH"));
        assert_eq!(refunds_of_ledger(&app), [13_200]);
        app.finish_and_check().await;
    }

    async fn what_the_acquirer_gave_back_by_itself_counts(app: TestApp) {
        let (_, _, page) = paid(&app).await;
        app.keep_reports();
        app.outside().refund_part(&page, 13_200).await;
        let other = document(&app, "recipient");
        for more in [&[][..], &["--transfer", &other], &["--sum", "1"]] {
            let told = refused(&app, "100001", more);
            assert!(told.contains("an alarm leaves open what was charged or given back: refunded_in_part"), "{told}");
        }
        assert_eq!(exported(&app).await, 0, "nobody has said for which transfer it was");
        // Neither is a list marked as sent that was written before.
        assert!(!mark(&app, None, TransferStatus::Sent, "").await);
        let list = app.database_folder().map(|folder| folder.join("list.csv"));
        if let Some(list) = list.as_ref().and_then(|list| list.to_str()) {
            let told = said(&cabinet(&app, &["transfers", "export", list]));
            assert!(told.contains("wait for a refund or an open alarm (cabinet order show): 100001"), "{told}");
        }
        // What nobody has explained is not forgotten: it is named, with all of it that is known now.
        let alarm = shown(&app)["alarms"][0]["id"].as_str().unwrap().to_owned();
        let close = ["alarms", "close", &alarm, "--note", "Не знаємо, за що"];
        for more in [&[][..], &["--unexplained", "131"]] {
            let told = complained(&cabinet(&app, &[&close, more].concat())).join(" ");
            assert!(told.contains("132.00 UAH of the order were given back, and nothing says what for"), "{told}");
        }
        said(&cabinet(&app, &[&close[..], &["--unexplained", "132"]].concat()));
        // 218 UAH are left, of which recipients are owed 330.
        assert!(refused(&app, "100001", &["--sum", "1"]).contains("only 0.00 UAH"));
        assert!(refused(&app, "100001", &["--transfer", &other]).contains("only 20.00 UAH") );
        assert_eq!(refunds_of_ledger(&app), [13_200]);
        assert_eq!(given(&app, "100001", &[])["amount"], "218.00");
        assert_eq!(refunds_of_ledger(&app), [13_200, 21_800]);
        app.finish_and_check().await;
    }

    async fn the_support_says_for_which_transfer_the_acquirer_gave_back(app: TestApp) {
        let (_, _, page) = paid(&app).await;
        app.keep_reports();
        let (part, other) = (document(&app, "recipient"), document(&app, "notary"));
        let (part, other) = (["--transfer", &part, "--already-given-back"], ["--transfer", &other, "--already-given-back"]);
        let told = refused(&app, "100001", &part);
        assert!(told.contains("has given 0.00 UAH back that no refund here explains"), "{told}");
        app.outside().refund_part(&page, 13_200).await;
        // 198 UAH are more than was given back.
        assert!(refused(&app, "100001", &other).contains("has given 132.00 UAH back that no refund here explains"));
        let recorded = given(&app, "100001", &part);
        assert_eq!((&recorded["state"], &recorded["amount"]), (&json!("done"), &json!("132.00")));
        assert_eq!((transfer(&app, "recipient")["status"].clone(), refunds_of_ledger(&app)), (json!("called_off"), vec![13_200]), "nothing was sent");
        assert!(refused(&app, "100001", &part).contains("given back"), "once");
        assert_eq!(exported(&app).await, 0, "the alarm is open");
        close_first_alarm(&app);
        assert_eq!(exported(&app).await, 1, "the notary's part leaves");
        assert_eq!(events(&app, "100001", "refund_asked").len(), 1);
        assert_eq!(given(&app, "100001", &["--sum", "20"])["state"], "done");
        assert_eq!(refunds_of_ledger(&app), [13_200, 2_000]);
        app.finish_and_check().await;
    }

    async fn the_support_says_that_a_part_of_the_commission_was_given_back(app: TestApp) {
        let (_, _, page) = paid(&app).await;
        app.keep_reports();
        let five = ["--sum", "5", "--already-given-back"];
        let told = refused(&app, "100001", &five);
        assert!(told.contains("has given 0.00 UAH back that no refund here explains"), "{told}");
        let told = refused(&app, "100001", &["--already-given-back"]);
        assert!(told.contains("--sum <SUM>|--transfer <TRANSFER>"), "{told}");
        app.outside().refund_part(&page, 500).await;
        let recorded = given(&app, "100001", &five);
        assert_eq!((&recorded["state"], &recorded["what"], &recorded["amount"]), (&json!("done"), &json!("sum"), &json!("5.00")));
        assert_eq!(refunds_of_ledger(&app), [500], "nothing was sent");
        assert!(refused(&app, "100001", &five).contains("has given 0.00 UAH back"), "once");
        close_first_alarm(&app);
        assert_eq!(exported(&app).await, 2);
        let daily = said(&cabinet(&app, &["report", "daily", "--day", "2026-03-02"]));
        assert!(daily.contains("5.00  part, of it commission 5.00") && !daily.contains("NOT MARKED"), "{daily}");
        app.finish_and_check().await;
    }

    async fn what_the_acquirer_works_at_keeps_the_next_refund_out(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.pay_slowly(&olena, &order).await;
        app.outside().refund_part(&page, 13_200).await;
        for more in [&[][..], &["--sum", "1"]] {
            let told = refused(&app, "100001", more);
            assert!(told.contains("the acquirer works at a refund of the order that was not asked for here"), "{told}");
        }
        assert_eq!((app.rows("refunds").await, refunds_of_ledger(&app).len()), (0, 0));
        app.clock().advance_seconds(SLOW_CARD_SECONDS);
        assert!(refused(&app, "100001", &["--sum", "1"]).contains("refunded_in_part"));
        assert_eq!(refunds_of_ledger(&app), [13_200]);
        let part = document(&app, "recipient");
        given(&app, "100001", &["--transfer", &part, "--already-given-back"]);
        close_first_alarm(&app);

        // Ours takes its time, too: it is accepted, and done later.
        assert_eq!(given(&app, "100001", &["--sum", "1"])["state"], "accepted");
        assert!(refused(&app, "100001", &["--sum", "2"]).contains("a refund of the order is under way"));
        app.clock().advance_seconds(SLOW_CARD_SECONDS);
        app.work().await;
        app.wait_for_number("select count(*) from refunds where state = 'done'", 2).await;
        assert_eq!(refunds_of_ledger(&app), [13_200, 100]);
        app.finish_and_check().await;
    }

    async fn a_refund_whose_answer_can_not_be_stored_is_not_called_not_made(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        app.keep_reports();
        let mut late = fault(FaultKind::Delay);
        (late.delay_ms, late.effect) = (Some(60_000), Some(true));
        app.outside().faults(&[late]).await;
        let child = start(&app, &["--json"]);
        app.outside().until_faults_begin().await;
        app.execute("alter table refunds rename to refunds_away".to_owned()).await;
        app.outside().faults(&[]).await;
        let output = ended(child).await;
        app.execute("alter table refunds_away rename to refunds".to_owned()).await;
        let told = said(&output);
        assert!(told.contains("what became of the refund is not known: do not give it back by another way"), "{told}");
        app.let_reports_through();
        app.clock().advance_seconds(60);
        app.work().await;
        olena.until(&order, "refunded").await;
        assert_eq!((shown(&app)["refunds"][0]["state"].clone(), refunds_of_ledger(&app)), (json!("done"), vec![35_000]));
        app.finish_and_check().await;
    }

    async fn a_part_whose_refund_is_under_way_is_not_given_back_by_hand(app: TestApp) {
        let _ = paid(&app).await;
        assert!(mark(&app, None, TransferStatus::Sent, "").await);
        assert!(mark(&app, Some("recipient"), TransferStatus::Returned, "Рахунок закрито").await);
        let part = document(&app, "recipient");
        lose_next_request(&app).await;
        assert_eq!(given(&app, "100001", &["--transfer", &part])["state"], "submitted");
        let by_hand = app.services().operator.card_refunds();
        assert!(by_hand.open().await.unwrap().is_empty());
        be_certain(&app).await;
        assert_eq!(shown(&app)["refunds"][0]["state"], "refused");
        // Nobody else has asked for it, so it may be sent again or be asked back.
        assert!(by_hand.open().await.unwrap().is_empty());
        assert_eq!(app.number("select count(*) from transfers where refund_requested_at is not null".to_owned()).await, 0);
        app.finish_and_check().await;
    }

    async fn a_report_tells_of_a_refund_before_its_answer_comes(app: TestApp) {
        let (olena, order, _) = paid(&app).await;
        let mut late = fault(FaultKind::Delay);
        (late.delay_ms, late.effect) = (Some(60_000), Some(true));
        app.outside().faults(&[late]).await;
        let child = start(&app, &["--json"]);
        olena.until(&order, "refunded").await;
        app.wait_for_number("select count(*) from refunds where state = 'done'", 1).await;
        app.outside().faults(&[]).await;
        let output = ended(child).await;
        assert_eq!(serde_json::from_str::<Value>(&said(&output)).unwrap()["refunds"][0]["state"], "done");
        assert_eq!((refunds_of_ledger(&app), shown(&app)["alarms"].clone()), (vec![35_000], json!([])));
        app.finish_and_check().await;
    }
}
