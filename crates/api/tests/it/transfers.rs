//! Transfers: the list for the bank, and the import of the bank's answers.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use cabinet_app::transfers::{ImportError, Imported};
use cabinet_domain::TransferStatus;
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases};
use serde_json::Value;

const STATUSES: [&str; 4] = ["planned", "sent", "credited", "returned"];

/// Returns the list of planned transfers for the bank.
async fn list(app: &TestApp) -> String {
    app.services().transfers.export().await.unwrap().0
}

/// The ids of a list, in its order.
fn ids(list: &str) -> Vec<String> {
    let rows = list.lines().skip(1);
    rows.map(|row| row.split(',').next().unwrap().trim_matches('"').to_owned())
        .collect()
}

async fn import(
    app: &TestApp,
    text: &str,
    status: Option<TransferStatus>,
) -> Result<Imported, ImportError> {
    app.services()
        .transfers
        .import(text, status, app.services().now())
        .await
}

/// Imports a file. Returns the refusals with their lines.
async fn refusals(app: &TestApp, text: &str, status: Option<TransferStatus>) -> Vec<String> {
    match import(app, text, status).await {
        Err(ImportError::Rows(rows)) => rows.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

/// Returns the number of transfers in each status.
async fn count(app: &TestApp) -> BTreeMap<&'static str, i64> {
    let mut counts = BTreeMap::new();
    for status in STATUSES {
        let count = app
            .number(format!(
                "select count(*) from transfers where status = '{status}'"
            ))
            .await;
        if count > 0 {
            counts.insert(status, count);
        }
    }
    counts
}

/// Returns the sum of the times between creation and last change of all transfers. It grows with each change.
async fn changes(app: &TestApp) -> i64 {
    app.number("select sum(updated_at - created_at) from transfers".to_owned())
        .await
}

/// A paid order with an administrative fee (two transfers) and a registry fee (one).
async fn paid_order(person: &Person) -> Value {
    person.add(PaymentKind::AdminPayment).await;
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    person.pay(&order).await
}

/// Returns the text of an order's receipt, extracted by an independent program.
async fn receipt(person: &Person, order: &Value) -> String {
    let pdf = person
        .get(&format!("/order/{}/receipt", order["id"].as_str().unwrap()))
        .await;
    let mut reader = Command::new("pdftotext")
        .args(["-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(&pdf.body).unwrap();
    String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap()
}

on_both_databases! {
    async fn what_is_owed_is_sent_and_then_credited_or_returned_with_a_reason(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let planned = list(&app).await;
        let [first, second, third] = ids(&planned).try_into().unwrap();
        // Listing changes nothing.
        assert_eq!((list(&app).await, count(&app).await), (planned.clone(), [("planned", 3)].into()));
        assert_eq!(receipt(&olena, &order).await.matches("Прийнято до виконання").count(), 3);

        app.clock().advance_seconds(60);
        let sent = import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        assert_eq!(sent, Imported { changed: 3, unchanged: 0 });
        assert_eq!(ids(&list(&app).await), [""; 0]);
        assert_eq!(receipt(&olena, &order).await.matches("Надіслано отримувачу").count(), 3);

        // The same file again changes nothing.
        let before = changes(&app).await;
        assert!(before >= 3 * 60 * 1_000_000, "{before}");
        let again = import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        assert_eq!(again, Imported { changed: 0, unchanged: 3 });
        assert_eq!(changes(&app).await, before);

        // As a spreadsheet writes it: a byte order mark, semicolons, other columns, an empty line.
        let answer = format!("\u{feff}status;note;transfer_id;reason\r\ncredited;;{first};\r\n\r\nreturned;x;{second};\"Рахунок закрито; код 12\"\r\n");
        assert_eq!(import(&app, &answer, None).await.unwrap(), Imported { changed: 2, unchanged: 0 });
        assert_eq!(import(&app, &answer, None).await.unwrap(), Imported { changed: 0, unchanged: 2 });
        assert_eq!(count(&app).await, [("credited", 1), ("returned", 1), ("sent", 1)].into());
        assert!(app.stores("Рахунок закрито; код 12").await);
        let text = receipt(&olena, &order).await;
        for part in ["Зараховано отримувачу", "Повернено банком", "Надіслано отримувачу"] {
            assert_eq!(text.matches(part).count(), 1, "{part}");
        }
        // What was credited can still come back.
        let late = format!("transfer_id,status,reason\n{first},returned,Хибний код отримувача\n{third},credited,\n");
        assert_eq!(import(&app, &late, None).await.unwrap(), Imported { changed: 2, unchanged: 0 });
        assert_eq!(count(&app).await, [("credited", 1), ("returned", 2)].into());
        app.finish_and_check().await;
    }

    async fn nothing_changes_unless_every_row_is_right(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        let planned = list(&app).await;
        let [first, second, third] = ids(&planned).try_into().unwrap();
        import(&app, &format!("transfer_id,status\n{third},sent\n"), None).await.unwrap();
        let before = (count(&app).await, list(&app).await, changes(&app).await);
        let nobodys = "0199aaaa-0000-7000-8000-000000000000";
        let of_database = format!("transfer_id,status,reason\n{first},sent,\n{nobodys},sent,\n{second},credited,\n");
        assert_eq!(refusals(&app, &of_database, None).await, [
            "3: there is no such transfer",
            "4: a transfer that is planned cannot become credited",
        ]);
        let long = "я".repeat(301);
        let of_form = format!(
            "transfer_id,status,reason\n{first},sent,\n1,sent,\n{first},sent,\n{second},planned,\n{nobodys},returned,\n\
             {nobodys},sent,чому\n{nobodys},returned,{long}\n{nobodys},returned,картка 4242 4242 4242 4242\n{nobodys},sent\n{nobodys},\"sent,\n"
        );
        assert_eq!(refusals(&app, &of_form, None).await, [
            "3: transfer_id is not an id",
            "4: the transfer stands in line 2 already",
            "5: status is none of sent, credited, returned",
            "6: reason is empty, and returned needs one",
            "7: only returned has a reason",
            "8: reason is longer than 300 characters or has characters that no text may have",
            "9: reason names a payment card",
            "10: the row has 2 cells, the header 3",
            "11: a quotation mark is not closed, or text follows the closing one",
        ]);
        for (text, refusal) in [
            ("", "1: column transfer_id is missing"),
            ("transfer_id\n", "1: column status is missing"),
            ("transfer_id,status\n", "1: the file has no rows"),
            ("transfer_id,transfer_id,status\n", "1: column transfer_id stands twice"),
        ] {
            assert_eq!(refusals(&app, text, None).await, [refusal], "{text:?}");
        }
        let both = refusals(&app, "transfer_id,status\n", Some(TransferStatus::Sent)).await;
        assert_eq!(both, ["1: column status and a status for the whole file were both given"]);
        assert_eq!((count(&app).await, list(&app).await, changes(&app).await), before);

        // A return is kept with its first reason.
        import(&app, &format!("transfer_id,status,reason\n{third},returned,Рахунок закрито\n"), None).await.unwrap();
        let other = refusals(&app, &format!("transfer_id,status,reason\n{third},returned,Інша причина\n"), None).await;
        assert_eq!(other, ["2: it was returned before, for another reason"]);
        app.finish_and_check().await;
    }

    async fn a_list_that_overlaps_with_what_was_sent_is_not_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        let monday = list(&app).await;
        paid_order(&olena).await;
        let tuesday = list(&app).await;
        import(&app, &monday, Some(TransferStatus::Sent)).await.unwrap();
        let twice = "it was marked as sent before, and other rows of the file were not: the bank would pay it twice. Make a new list";
        let refused = refusals(&app, &tuesday, Some(TransferStatus::Sent)).await;
        assert_eq!(refused, [2, 3, 4].map(|line| format!("{line}: {twice}")));
        assert_eq!(count(&app).await, [("planned", 3), ("sent", 3)].into());
        let anew = list(&app).await;
        assert_eq!(ids(&anew), ids(&tuesday)[3..]);
        assert_eq!(import(&app, &anew, Some(TransferStatus::Sent)).await.unwrap(), Imported { changed: 3, unchanged: 0 });
        app.finish_and_check().await;
    }

    async fn what_was_given_back_is_never_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        olena.pay(&order).await;
        let planned = list(&app).await;
        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        assert_eq!(count(&app).await, [("returned", 2)].into());
        let refused = refusals(&app, &planned, Some(TransferStatus::Sent)).await;
        assert_eq!(refused, [2, 3].map(|line| format!("{line}: a transfer that is returned cannot become sent")));
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.finish_and_check().await;
    }

    async fn what_was_given_back_is_never_planned(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.execute("update order_items set tariff_basis_points = tariff_basis_points + 7000".to_owned()).await;
        olena.pay(&order).await;
        let open = "select count(*) from alarms where kind = 'transfers_not_planned' and closed_at is null".to_owned();
        assert_eq!((count(&app).await, app.number(open.clone()).await), ([].into(), 1));
        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        app.execute("update order_items set tariff_basis_points = tariff_basis_points - 7000".to_owned()).await;
        app.work().await;
        assert_eq!(count(&app).await, [].into(), "its money was given back");
        assert_eq!(app.number(open).await, 0, "nothing is left to plan");
        app.finish_and_check().await;
    }

    async fn a_planned_transfer_of_an_order_that_is_not_paid_is_not_listed(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        olena.pay(&order).await;
        app.outside().refund(&page).await;
        olena.until(&order, "refunded").await;
        app.execute("update transfers set status = 'planned', reason = null".to_owned()).await;
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.execute("update transfers set status = 'returned', reason = 'order_refunded'".to_owned()).await;
        app.finish_and_check().await;
    }
}
