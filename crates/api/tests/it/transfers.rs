//! Transfers: the list for the bank, and the import of the bank's answers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use cabinet_app::transfer::{Format, ImportError, Imported, ListStatus, Taken};
use cabinet_bank_files::{Encoding, Payer};
use cabinet_domain::payment::{RefundState, RefundWish};
use cabinet_domain::{Iban, Okpo, TransferStatus};
use cabinet_test_kit::{FaultKind, PaymentKind, Person, TestApp, on_both_databases};
use serde_json::{Value, json};

use crate::acquirer_faults::{acquirer_fault, no_reports};
use crate::receipts::check_code;

const STATUSES: [&str; 5] = ["planned", "sent", "credited", "returned", "called_off"];

/// Returns the list of planned transfers for the bank.
pub(crate) async fn list(app: &TestApp) -> String {
    list_as(app, Format::Csv(Encoding::Utf8)).await
}

/// Returns the list in a format.
pub(crate) async fn list_as(app: &TestApp, format: Format) -> String {
    let (services, payer) = (app.services(), payer());
    let exported = services.transfers.export(format, &payer, services.now());
    String::from_utf8(exported.await.unwrap().file).unwrap()
}

/// The account that pays.
pub(crate) fn payer() -> Payer {
    Payer {
        name: "ТОВ «Демонстраційний кабінет»".to_owned(),
        iban: Iban::parse("UA223052990000026001234567890").unwrap(),
        code: Okpo::parse("32855961").unwrap(),
    }
}

/// The ids of a list, in its order.
pub(crate) fn ids(list: &str) -> Vec<String> {
    let rows = list.lines().skip(1);
    rows.map(|row| row.split(';').next().unwrap().trim_matches('"').to_owned())
        .collect()
}

pub(crate) async fn import(
    app: &TestApp,
    text: &str,
    status: Option<TransferStatus>,
) -> Result<Imported, ImportError> {
    let taken = import_file(app, text.as_bytes(), status).await;
    taken.map(|taken| taken.imported)
}

/// Imports a file, or marks a list of [`list_as`].
pub(crate) async fn import_file(
    app: &TestApp,
    file: &[u8],
    status: Option<TransferStatus>,
) -> Result<Taken, ImportError> {
    let services = app.services();
    let of_all = status.map(|status| ListStatus {
        status,
        payer: payer(),
    });
    let (transfers, now) = (services.transfers.clone(), services.now());
    transfers.import_file(file, of_all, None, now).await
}

/// Imports a file. Returns the refusals with their lines.
async fn refusals(app: &TestApp, text: &str, status: Option<TransferStatus>) -> Vec<String> {
    match import(app, text, status).await {
        Err(ImportError::Rows(rows)) => rows.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

/// Returns the number of transfers in each status.
pub(crate) async fn count(app: &TestApp) -> BTreeMap<&'static str, i64> {
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
pub(crate) async fn paid_order(person: &Person) -> Value {
    person.add(PaymentKind::AdminPayment).await;
    person.add(PaymentKind::RegistryPayment).await;
    let order = person.order_cart().await;
    person.pay(&order).await
}

/// Returns the text of an order's receipt, extracted by an independent program.
pub(crate) async fn receipt(person: &Person, order: &Value) -> String {
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
    async fn the_cart_tells_the_transfers_that_its_payment_makes(app: TestApp) {
        let olena = app.notary("olena").await;
        for (kind, parts) in [(PaymentKind::AdminPayment, 2), (PaymentKind::RegistryPayment, 1), (PaymentKind::RequisitesPayment, 1)] {
            let item = olena.add(kind).await;
            olena.post("/cart/items/count", json!({ "cart_item_id": item, "new_count": 3 })).await.ok();
            let told = olena.group().await["items"][0]["transfers"].as_array().unwrap().clone();
            let order = olena.order_cart().await;
            olena.pay(&order).await;
            let made = olena.get(&format!("/order/{}/transfers", order["id"].as_str().unwrap())).await.ok();
            let made = made["transfers"].as_array().unwrap();
            assert_eq!((told.len(), made.len()), (parts, parts), "{kind:?}");
            let requisites = |transfer: &Value, code: &str| ["recipient_name", code, "iban", "purpose", "amount"].map(|field| transfer[field].clone());
            for (told, made) in told.iter().zip(made) {
                assert_eq!(requisites(told, "recipient_code"), requisites(made, "okpo"));
            }
        }
        app.finish_and_check().await;
    }

    async fn what_is_owed_is_sent_and_then_credited_or_returned_with_a_reason(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let planned = list(&app).await;
        let [first, second, third] = ids(&planned).try_into().unwrap();
        // Listing changes nothing.
        assert_eq!((list(&app).await, count(&app).await), (planned.clone(), [("planned", 3)].into()));
        assert_eq!(receipt(&olena, &order).await.matches("Очікує передачі банку").count(), 3);

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
        let never_sent = format!("transfer_id,status,reason\n{second},returned,Рахунок закрито\n");
        assert_eq!(refusals(&app, &never_sent, None).await, ["2: a transfer that is planned cannot become returned"]);
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
            ("", "1: this is none of the files that are known: a table of the cabinet, pain.002, camt.053, camt.054, a statement of Privat24"),
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
        assert_eq!(count(&app).await, [("called_off", 2)].into());
        let refused = refusals(&app, &planned, Some(TransferStatus::Sent)).await;
        assert_eq!(refused, [2, 3].map(|line| format!("{line}: a transfer that is called_off cannot become sent")));
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

    async fn what_is_planned_late_waits_for_the_refund_of_all(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        app.execute("update order_items set tariff_basis_points = tariff_basis_points + 7000".to_owned()).await;
        olena.pay(&order).await;
        assert_eq!(count(&app).await, [].into(), "its parts don't add up");
        app.outside().faults(&[acquirer_fault(FaultKind::TimeoutBefore, "invoice/cancel"), no_reports()]).await;
        assert_eq!(crate::liqpay::refund(&app, RefundWish::Whole).await, RefundState::Submitted);
        app.execute("update order_items set tariff_basis_points = tariff_basis_points - 7000".to_owned()).await;
        app.work().await;
        assert_eq!(count(&app).await, [("planned", 2)].into());
        let free = "select count(*) from transfers where refund_id is null".to_owned();
        assert_eq!(app.number(free.clone()).await, 0, "the refund has them");
        // It was never made.
        for seconds in [7_300, 61] {
            app.clock().advance_seconds(seconds);
            app.work().await;
        }
        assert_eq!((count(&app).await, app.number(free).await), ([("planned", 2)].into(), 2));
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
        app.execute("update transfers set status = 'planned'".to_owned()).await;
        assert_eq!(ids(&list(&app).await), [""; 0]);
        app.execute("update transfers set status = 'called_off'".to_owned()).await;
        app.finish_and_check().await;
    }

    async fn what_the_bank_tells_stands_on_the_receipt(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let planned = list(&app).await;
        assert!(planned.starts_with("\u{feff}transfer_id;document_number;value_date;order_id;"), "{planned}");
        let rows: Vec<Vec<&str>> = planned.lines().skip(1).map(|row| row.split(';').collect()).collect();
        let numbers: Vec<&str> = rows.iter().map(|row| row[1].trim_matches('"')).collect();
        let number = numbers[0].to_owned();
        assert_eq!(BTreeSet::from_iter(numbers), BTreeSet::from(["1", "2", "3"]));
        let day = rows[0][2].trim_matches('"').to_owned();
        assert_eq!(day, "2026-03-02", "the day in Kyiv");
        let [first, second, third] = ids(&planned).try_into().unwrap();
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        let text = receipt(&olena, &order).await;
        for number in 1..=3 {
            assert!(text.contains(&format!("Відомості про переказ № {number} від 02.03.2026")), "{text}");
        }
        assert!(!text.contains("Платіжна інструкція"), "the bank has told nothing");
        assert_eq!(text.matches("Дата валютування").count(), 3);

        let uetr = "eb6305c9-1f7f-49de-aed0-16487c27b42d";
        let told = format!(
            "transfer_id;status;uetr;bank_reference;credited_on\n{first};credited;{};JBKL-77;02.03.2026\n{second};sent;;JBKL-78;\n",
            uetr.to_uppercase()
        );
        assert_eq!(import(&app, &told, None).await.unwrap(), Imported { changed: 2, unchanged: 0 });
        let before = changes(&app).await;
        app.clock().advance_seconds(60);
        assert_eq!(import(&app, &told, None).await.unwrap(), Imported { changed: 0, unchanged: 2 });
        assert_eq!(changes(&app).await, before);
        let text = receipt(&olena, &order).await;
        let instruction = format!("Платіжна інструкція № {number} від 02.03.2026");
        for part in [instruction.as_str(), uetr, "JBKL-77", "JBKL-78", "Дата зарахування", "Зараховано отримувачу, 02.03.2026"] {
            assert_eq!(text.matches(part).count(), 1, "{part}: {text}");
        }
        // What the bank tells of a known state later is added, and never replaced.
        let later = format!("transfer_id,status,uetr\n{third},sent,0b6305c9-1f7f-49de-aed0-16487c27b42d\n");
        assert_eq!(import(&app, &later, None).await.unwrap(), Imported { changed: 1, unchanged: 0 });
        let other = format!("transfer_id,status,credited_on,bank_reference\n{first},credited,2026-03-02,JBKL-79\n");
        assert_eq!(refusals(&app, &other, None).await, ["2: another bank_reference was imported before"]);
        app.finish_and_check().await;
    }

    async fn a_stored_name_with_characters_that_are_refused_by_now_is_paid_out_all_the_same(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::AdminPayment).await;
        let order = olena.order_cart().await;
        // As an earlier version stored what was pasted from a document.
        app.execute("update clients set full_name = full_name || '\u{e000}'".to_owned()).await;
        olena.pay(&order).await;
        assert_eq!(app.number("select count(*) from transfers where status = 'planned'".to_owned()).await, 2);
        app.finish_and_check().await;
    }

    async fn what_the_bank_tells_is_checked_row_by_row(app: TestApp) {
        let olena = app.notary("olena").await;
        paid_order(&olena).await;
        let planned = list(&app).await;
        let [first, second, third] = ids(&planned).try_into().unwrap();
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        let uetr = "eb6305c9-1f7f-49de-aed0-16487c27b42d";
        let header = "transfer_id,status,reason,uetr,bank_reference,credited_on,returned_on\n";
        let of_form = format!(
            "{header}{first},credited,,1,,,\n{second},credited,,,{},,\n{third},credited,,,,02/03/2026,\n\
             0199aaaa-0000-7000-8000-000000000000,sent,,,,2026-03-02,\n0199aaaa-0000-7000-8000-000000000001,credited,,,,,2026-03-02\n\
             0199aaaa-0000-7000-8000-000000000002,returned,Причина,,,,31.02.2026\n",
            "r".repeat(36)
        );
        assert_eq!(refusals(&app, &of_form, None).await, [
            "2: uetr is not a UUID of version 4",
            "3: bank_reference is longer than 35 characters or has characters that no text may have",
            "4: credited_on is not a day such as 2026-11-20 or 20.11.2026",
            "5: sent has no credited_on",
            "6: credited has no returned_on",
            "7: returned_on is not a day such as 2026-11-20 or 20.11.2026",
        ]);
        let of_database = format!(
            "{header}{first},credited,,{uetr},,2026-03-01,\n{second},returned,Рахунок закрито,{uetr},,,2026-03-03\n{third},credited,,{uetr},,,\n"
        );
        assert_eq!(refusals(&app, &of_database, None).await, [
            "2: credited_on is before the transfer was planned or still to come",
            "3: returned_on is before the transfer was planned or still to come",
        ]);
        let twice = format!("{header}{first},credited,,{uetr},,,\n{third},credited,,{uetr},,,\n");
        assert_eq!(refusals(&app, &twice, None).await, ["3: another transfer has this uetr"]);
        app.clock().advance_seconds(2 * 24 * 3_600);
        let backwards = format!("{header}{first},returned,Рахунок закрито,,,2026-03-04,2026-03-03\n");
        assert_eq!(refusals(&app, &backwards, None).await, ["2: returned_on is before credited_on"]);
        assert_eq!(count(&app).await, [("sent", 3)].into(), "nothing was taken over");
        app.finish_and_check().await;
    }

    async fn a_returned_part_is_seen_at_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let id = order["id"].as_str().unwrap();
        assert_eq!(order["returned"], json!([]));
        olena.post_proved("/me", json!({ "email": "olena@notary.example" })).await.ok();
        let planned = list(&app).await;
        import(&app, &planned, Some(TransferStatus::Sent)).await.unwrap();
        app.work().await;
        let letters = app.outside().letters().len();
        // The Treasury's part of the administrative fee: 40 % of 330 UAH.
        let row = planned.lines().skip(1).find(|row| row.contains("132.00")).unwrap();
        let transfer = row.split(';').next().unwrap().trim_matches('"').to_owned();
        let number: i64 = row.split(';').nth(1).unwrap().trim_matches('"').parse().unwrap();
        app.clock().advance_seconds(24 * 3_600);
        olena.log_in().await;
        let reason = "Код 3652504575 не відповідає рахунку";
        let answer = format!("transfer_id,status,reason,returned_on\n{transfer},returned,{reason},03.03.2026\n");
        assert_eq!(import(&app, &answer, None).await.unwrap(), Imported { changed: 1, unchanged: 0 });

        let order = olena.order(&order).await;
        assert_eq!(order["status"], "paid");
        let returned = order["returned"].clone();
        let part = &returned[0];
        assert_eq!((returned.as_array().unwrap().len(), &part["document_number"], &part["returned_on"]), (1, &json!(number), &json!("2026-03-03")));
        assert_eq!((&part["amount"], &part["reason"], &part["item_id"]), (&json!(132), &json!(reason), &order["items"][0]["id"]));
        assert_eq!(olena.get("/order").await.ok()["orders"][0]["returned"], returned);
        assert_eq!(olena.get(&format!("/order/{id}/status")).await.ok()["returned"], returned);

        let receipt_answer = olena.get(&format!("/order/{id}/receipt")).await;
        let text = receipt(&olena, &order).await;
        for told in ["Квитанція: частину коштів отримувачу не зараховано", "Банк отримувача повернув сервісу 132,00 грн 03.03.2026", reason] {
            assert!(text.contains(told), "{told}: {text}");
        }
        let code = check_code(&receipt_answer);
        let page = app.anonymous().page(&format!("/check?code={code}")).await.text();
        for told in [
            "частину коштів отримувачу не зараховано",
            "Банк отримувача повернув сервісу 132,00\u{a0}грн 03.03.2026",
            "Код … не відповідає рахунку",
            "Г. П. О., код\u{a0}•••••••575",
            "Повернено банком, 03.03.2026",
            "Надіслано отримувачу",
        ] {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert!(!page.contains("Квитанція справжня: платіж здійснено") && !page.contains("3652504575") && !page.contains("Гнатюк"));

        app.work().await;
        let letters = app.outside().letters().split_off(letters);
        assert_eq!(letters.len(), 1);
        assert_eq!(letters[0].to, "olena@notary.example");
        for told in ["100001", "132,00\u{a0}грн", "03.03.2026", "Код … не відповідає рахунку"] {
            assert!(letters[0].text.contains(told), "{told}: {}", letters[0].text);
        }
        assert!(letters[0].subject.contains("не зараховано частину коштів"), "{}", letters[0].subject);
        assert!(!letters[0].text.contains("Гнатюк"), "{}", letters[0].text);
        app.work().await;
        assert_eq!(import(&app, &answer, None).await.unwrap(), Imported { changed: 0, unchanged: 1 });
        app.work().await;
        assert_eq!(app.number("select count(*) from outbox where payload <> ''".to_owned()).await, 0, "told once");
        app.finish_and_check().await;
    }
}
