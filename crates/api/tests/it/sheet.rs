//! Payments from a sheet: what is read of it, and adding its rows once.

use std::io::{Cursor, Write as _};

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_test_kit::{
    Answer, PETRO, PaymentKind, Person, ZORIA, kopiykas, on_both_databases, on_sqlite,
};
use calamine::{Data, Reader as _, Xlsx};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Most rows of a sheet.
const SHEET_ROWS_MAX: usize = 200;

const NOON: &str = "2026-06-01T09:00:00Z";

const HEADINGS: &str = "Вид платежу\tКод клієнта\tКлієнт\tПослуга або шаблон\tСтрок\tРегіон\tОтримувач\tСума, грн\tКількість";

/// A register's fee for PETRO, and an administrative fee for ZORIA; both name the recipient by its region where there is only one.
async fn right_rows(person: &Person) -> Vec<String> {
    person.keep_own_account().await;
    let recipient = |kind: &str, term: &str| {
        let path = format!(
            "/payment-types/region/requisites?payment_type_region_id=ua-30&payment_type_id={kind}{term}"
        );
        async move {
            person.get(&path).await.ok()["requisites"][0]["name"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let register = recipient("registry", "").await;
    let admin = recipient("admin", "&payment_type_option_term_id=ownership-5wd").await;
    let service = "Державна реєстрація права власності (у тому числі довірчої власності)";
    let information = person
        .get("/payment-types/fields?payment_type_id=registry")
        .await
        .ok();
    let information = information["options"][0]["name"]
        .as_str()
        .unwrap()
        .to_owned();
    vec![
        format!(
            "плата за користування реєстрами\t{}\t{}\t{information}\t\tм. Київ\t{register}\t\t2",
            PETRO.inn, PETRO.full_name
        ),
        format!(
            "Адміністративний збір\t{}\t{}\t{service}\t5 робочих днів\tКиїв\t{admin}\t330\t",
            ZORIA.inn, ZORIA.full_name
        ),
    ]
}

fn text_of(rows: &[String]) -> String {
    format!("{HEADINGS}\n{}\n", rows.join("\n"))
}

async fn read(person: &Person, body: Value) -> Vec<Value> {
    let report = person.post("/cart/sheet/read", body).await.ok();
    report["rows"].as_array().unwrap().clone()
}

fn findings(row: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = row["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| (text(&finding["column"]), text(&finding["message"])))
        .collect()
}

/// The rows of a report, as they are sent to be added.
fn wanted(rows: &[Value]) -> Value {
    let rows = rows.iter().map(|row| {
        json!({
            "number": row["number"],
            "cells": row["cells"],
            "sum": row["payment"]["sum_full"],
        })
    });
    json!({ "rows": rows.collect::<Vec<_>>() })
}

async fn add(person: &Person, key: &str, body: &Value) -> Answer {
    let call = person.call(Method::POST, "/cart/sheet/add");
    call.header("idempotency-key", key).json(body).send().await
}

async fn count(person: &Person) -> Value {
    person.get("/cart/items/count").await.ok()["items_count"].clone()
}

/// A workbook of one sheet with these cells, by their address.
fn workbook(cells: &[(&str, &str)]) -> Vec<u8> {
    let cells: String = cells
        .iter()
        .map(|(at, text)| {
            let row = at.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
            format!(
                "<row r=\"{row}\"><c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c></row>"
            )
        })
        .collect();
    archive(&[(
        "xl/worksheets/sheet1.xml",
        format!(
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{cells}</sheetData></worksheet>"
        ),
    )])
}

fn archive(more: &[(&str, String)]) -> Vec<u8> {
    let strings = if more.iter().any(|(name, _)| *name == "xl/sharedStrings.xml") {
        "<Relationship Id=\"r2\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings\" Target=\"sharedStrings.xml\"/>"
    } else {
        ""
    };
    let parts = [
        ("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>".to_owned()),
        ("_rels/.rels", "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>".to_owned()),
        ("xl/workbook.xml", "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Лист1\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>".to_owned()),
        ("xl/_rels/workbook.xml.rels", format!("<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/>{strings}</Relationships>")),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let parts = parts
        .iter()
        .filter(|(name, _)| more.iter().all(|(other, _)| other != name));
    for (name, text) in parts.chain(more) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook of one sheet in which this many cells, each from this column on, point at one text.
fn workbook_of_one_text(text: String, column: &str, cells: usize) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let cells: String = (1..=cells)
        .map(|row| format!("<row r=\"{row}\"><c r=\"{column}{row}\" t=\"s\"><v>0</v></c></row>"))
        .collect();
    archive(&[
        (
            "xl/sharedStrings.xml",
            format!("<sst xmlns=\"{MAIN}\"><si><t>{text}</t></si></sst>"),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{cells}</sheetData></worksheet>"),
        ),
    ])
}

async fn read_file(person: &Person, bytes: &[u8]) -> Answer {
    person
        .post(
            "/cart/sheet/read",
            json!({ "file": STANDARD.encode(bytes) }),
        )
        .await
}

on_both_databases! {
    async fn right_rows_are_added_once_however_often_the_sheet_comes(app: TestApp) {
        app.clock().set(NOON);
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let sheet = text_of(&right_rows(&olena).await);
        let before = app.all_rows().await;
        let rows = read(&olena, json!({ "text": sheet })).await;
        assert_eq!(app.all_rows().await, before, "nothing is stored by reading");
        assert_eq!(rows.iter().map(|row| row["number"].clone()).collect::<Vec<_>>(), [2, 3]);
        assert!(rows.iter().all(|row| findings(row).is_empty()), "{rows:?}");
        assert_eq!(rows[0]["payment"]["count"], 2);
        assert_eq!(rows[0]["payment"]["inn"], PETRO.inn);
        assert_eq!(rows[1]["payment"]["sum_base"], 330);
        assert_eq!(rows[1]["payment"]["payment_type"]["slug"], "admin_payment");

        let (key, body) = (olena.fresh_key(), wanted(&rows));
        let tasks: Vec<_> = (0..4).map(|_| {
            let (olena, key, body) = (olena.clone(), key.clone(), body.clone());
            tokio::spawn(async move { add(&olena, &key, &body).await.ok() })
        }).collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), json!({ "items_count": 2, "added": 2 }));
        }
        assert_eq!(count(&taras).await, 0);
        let cart = olena.get("/cart").await.ok();
        assert_eq!(cart["groups"][0]["client"]["inn"], PETRO.inn);
        assert_eq!(cart["groups"][0]["items"][0]["count"], 2);

        // The sheet comes again: read and added under another key.
        let again = read(&olena, json!({ "text": sheet })).await;
        assert!(again.iter().all(|row| row["added_before"] == true));
        let answer = add(&olena, &olena.fresh_key(), &wanted(&again)).await;
        answer.refused(409, "sheet_row_added");
        assert_eq!(answer.fields().into_keys().collect::<Vec<_>>(), ["rows.2.row", "rows.3.row"]);
        assert_eq!(count(&olena).await, 2);
        // It is nobody else's business.
        taras.keep_own_account().await;
        let of_taras = read(&taras, json!({ "text": sheet })).await;
        assert!(of_taras.iter().all(|row| row["added_before"] == false));
        // A row that is wanted again says so.
        let mut body = wanted(&again[..1]);
        body["rows"][0]["again"] = json!(true);
        assert_eq!(add(&olena, &olena.fresh_key(), &body).await.ok()["items_count"], 3);

        let order = olena.order_cart().await;
        olena.pay(&order).await;
        app.finish_and_check().await;
    }

    async fn a_sum_is_read_as_it_was_typed_or_refused(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let form = olena.form(PaymentKind::RequisitesPayment).await.body;
        let table = include_str!("../../../../testdata/money-typed.json");
        let table: Value = serde_json::from_str(table).unwrap();
        for cases in table["cases"].as_array().unwrap().chunks(SHEET_ROWS_MAX) {
            let rows = cases.iter().zip(1..).map(|(case, number)| json!({
                "number": number,
                "cells": {
                    "payment_type": "платіж за реквізитами",
                    "inn": form["client"]["inn"],
                    "full_name": form["client"]["full_name"],
                    "recipient": form["recipient_name"],
                    "iban": form["iban"],
                    "okpo": form["okpo"],
                    "purpose": form["purpose"],
                    "amount": case["input"],
                },
            }));
            let rows = read(&olena, json!({ "rows": rows.collect::<Vec<_>>() })).await;
            assert_eq!(rows.len(), cases.len());
            for (row, case) in rows.iter().zip(cases) {
                let expected = &case["expect"];
                // The largest sum leaves no room for a commission.
                let is_paid = expected["kopiykas"].as_i64().is_some_and(|kopiykas| kopiykas < 99_999_999_999);
                if is_paid {
                    let sum = kopiykas(&row["payment"]["sum_base"]);
                    assert_eq!(expected["kopiykas"].as_i64(), Some(sum), "{case}");
                } else {
                    let key = expected["error"].as_str().unwrap_or("amount_invalid");
                    assert_eq!(findings(row), [("amount".to_owned(), key.to_owned())], "{case}");
                }
            }
        }
    }

    async fn one_bad_row_adds_nothing_and_is_named(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let right = right_rows(&olena).await;
        let bad = right[1].replace(ZORIA.inn, "12").replace("5 робочих днів", "колись").replace("330", "1");
        let rows = read(&olena, json!({ "text": text_of(&[right[0].clone(), bad]) })).await;
        assert!(findings(&rows[0]).is_empty());
        let found = findings(&rows[1]);
        assert!(found.contains(&("inn".to_owned(), "client_inn_format_invalid".to_owned())), "{found:?}");
        assert!(found.contains(&("term".to_owned(), "term_not_for_option".to_owned())), "{found:?}");
        assert!(!found.iter().any(|(column, _)| column == "recipient"), "a wrong term blames no recipient: {found:?}");
        let answer = add(&olena, &olena.fresh_key(), &wanted(&rows)).await;
        answer.refused(422, "client_inn_format_invalid");
        assert_eq!(answer.fields()["rows.3.inn"], ["client_inn_format_invalid"]);
        assert_eq!(count(&olena).await, 0);

        // The row is mended where it is, and read again alone.
        let mut mended = rows[1].clone();
        mended["cells"]["inn"] = json!(ZORIA.inn);
        mended["cells"]["term"] = json!("5 РОБОЧИХ ДНІВ");
        let rows = read(&olena, json!({ "rows": [mended] })).await;
        assert_eq!(findings(&rows[0]), [("amount".to_owned(), "price_changed".to_owned())]);
        assert_eq!(rows[0]["price"]["amount"], 330);
        let mut mended = rows[0].clone();
        mended["cells"]["amount"] = json!("330,00 грн");
        let rows = read(&olena, json!({ "rows": [mended] })).await;
        assert_eq!(add(&olena, &olena.fresh_key(), &wanted(&rows)).await.ok()["added"], 1);
        app.anonymous().post("/cart/sheet/read", json!({ "text": "" })).await.refused(401, "unauthorized");
    }

    async fn names_are_told_in_the_language_of_the_call(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let right = right_rows(&olena).await;
        let wrong = right[1].replace(ZORIA.inn, "12");
        // As templates of version 0.2 have it.
        let kept = "Payment to requisites\t12".to_owned();
        let text = text_of(&[right[0].clone(), wrong, kept]);
        let call = olena.call(Method::POST, "/cart/sheet/read").header("accept-language", "en");
        let report = call.json(&json!({ "text": text })).send().await.ok();
        let rows = report["rows"].as_array().unwrap();
        assert_eq!(findings(&rows[1]), [("inn".to_owned(), "client_inn_format_invalid".to_owned())]);
        let cells = &rows[1]["cells"];
        for (column, name) in [("payment_type", "Administrative fee"), ("term", "5 working days"), ("region", "Kyiv City"), ("inn", "12")] {
            assert_eq!(cells[column], name);
        }
        assert_eq!(rows[2]["cells"]["payment_type"], "Payment by bank details");
        assert_eq!(add(&olena, &olena.fresh_key(), &wanted(&rows[..1])).await.ok()["added"], 1);
    }

    async fn a_payment_that_stands_twice_is_told_and_needs_a_word(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let right = right_rows(&olena).await;
        let rows = read(&olena, json!({ "text": text_of(&[right[0].clone(), right[0].clone()]) })).await;
        assert_eq!((&rows[0]["repeats"], &rows[1]["repeats"]), (&Value::Null, &json!(2)));
        let mut body = wanted(&rows);
        add(&olena, &olena.fresh_key(), &body).await.refused(409, "sheet_row_repeated");
        assert_eq!(count(&olena).await, 0);
        body["rows"][1]["again"] = json!(true);
        assert_eq!(add(&olena, &olena.fresh_key(), &body).await.ok()["added"], 2);
    }

    async fn a_price_other_than_the_one_on_the_screen_adds_nothing(app: TestApp) {
        app.clock().set("2025-12-31T21:58:00Z");
        let olena = app.notary("olena").await;
        let right = right_rows(&olena).await;
        let rows = read(&olena, json!({ "text": text_of(&[right[1].replace("330", "")]) })).await;
        app.clock().set("2025-12-31T22:00:00Z");
        let answer = add(&olena, &olena.fresh_key(), &wanted(&rows)).await;
        answer.refused(409, "price_changed");
        assert_eq!(answer.fields().into_keys().collect::<Vec<_>>(), ["rows.2.amount"]);
        assert_eq!(count(&olena).await, 0);
    }

    async fn a_row_is_kept_as_the_answer_to_an_addition_is(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let sheet = text_of(&right_rows(&olena).await);
        let rows = read(&olena, json!({ "text": sheet })).await;
        add(&olena, &olena.fresh_key(), &wanted(&rows)).await.ok();
        assert_eq!(app.rows("cart_additions").await, 3);
    }
}

on_sqlite! {
    async fn the_template_reads_as_right_once_its_examples_are_copied(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        olena.keep_own_account().await;
        let template = olena.get("/cart/sheet/template").await;
        assert_eq!(template.status, 200);
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(template.body.clone())).unwrap();
        assert_eq!(book.sheet_names(), ["Платежі", "Приклади", "Значення"]);
        // The sheet to fill in is empty.
        read_file(&olena, &template.body).await.refused(422, "sheet_empty");
        let examples = book.worksheet_range("Приклади").unwrap();
        let lines: Vec<String> = examples
            .rows()
            .map(|row| row.iter().map(Data::to_string).collect::<Vec<_>>().join("\t"))
            .collect();
        assert!(lines.len() > 2);
        let rows = read(&olena, json!({ "text": lines.join("\n") })).await;
        assert_eq!(rows.len(), lines.len() - 1);
        for row in &rows {
            assert_eq!(findings(row), [], "{row}");
        }
        // Without the headings the columns are those of the template.
        let bare = read(&olena, json!({ "text": lines[1..].join("\n") })).await;
        assert!(bare.iter().all(|row| row["findings"] == json!([])), "{bare:?}");
    }

    async fn workbooks_and_texts_in_old_encodings_are_read_alike(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let sheet = text_of(&right_rows(&olena).await);
        let semicolons = sheet.replace('\t', ";");
        let (old, _, _) = encoding_rs::WINDOWS_1251.encode(&semicolons);
        let marked = format!("\u{feff}{semicolons}");
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(sheet.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [old.as_ref(), marked.as_bytes(), sheet.as_bytes(), &utf16] {
            let rows = read_file(&olena, bytes).await.ok()["rows"].as_array().unwrap().clone();
            assert_eq!(rows.len(), 2);
            assert!(rows.iter().all(|row| findings(row).is_empty()), "{rows:?}");
        }
        let book = workbook(&[("A5", "Клієнт"), ("B5", "Сума"), ("C5", "Примітка"), ("A9", "Іваненко Іван")]);
        // Cells of one row in rows of their own are one row all the same.
        let report = read_file(&olena, &book).await.ok();
        assert_eq!(report["rows"][0]["number"], 9);
        assert_eq!(report["rows"][0]["cells"], json!({ "full_name": "Іваненко Іван" }));
        assert_eq!(report["unknown_headings"], json!(["Примітка"]));
        assert_eq!(findings(&report["rows"][0])[0].1, "client_inn_required");
    }

    async fn the_first_sheet_that_a_person_sees_is_read(app: TestApp) {
        let olena = app.notary("olena").await;
        let types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let sheet = |name: &str| format!(
            "<worksheet><sheetData><row r=\"1\"><c t=\"inlineStr\"><v>Клієнт</v></c><c t=\"inlineStr\"><is><t>Сума</t></is><v>Код</v></c></row>\
             <row r=\"2\"><c t=\"inlineStr\"><v>{name}</v></c></row></sheetData></worksheet>"
        );
        let book = |sheets: &[(&str, &str)]| archive(&[
            ("xl/workbook.xml", format!("<workbook xmlns:r=\"{types}\"><sheets>{}</sheets></workbook>", (1..).zip(sheets).map(|(id, (name, state))|
                format!("<sheet name=\"{name}\" sheetId=\"{id}\" {state} r:id=\"r{id}\"/>")).collect::<String>())),
            ("xl/_rels/workbook.xml.rels", format!("<Relationships>{}</Relationships>", (1..).zip(sheets).map(|(id, (name, _))| {
                let kind = if *name == "Діаграма" { "chartsheet" } else { "worksheet" };
                format!("<Relationship Id=\"r{id}\" Type=\"{types}/{kind}\" Target=\"worksheets/sheet{id}.xml\"/>")
            }).collect::<String>())),
            ("xl/worksheets/sheet1.xml", sheet("Перша")),
            ("xl/worksheets/sheet2.xml", sheet("Друга")),
        ]);
        for (sheets, read) in [
            (&[("Жовтень", ""), ("Листопад", "")], "Перша"),
            (&[("Жовтень", "state=\"visible\""), ("Листопад", "")], "Перша"),
            (&[("Жовтень", "state=\"hidden\""), ("Листопад", "")], "Друга"),
            (&[("_config", "state=\"veryHidden\""), ("Листопад", "")], "Друга"),
            (&[("Діаграма", ""), ("Листопад", "")], "Друга"),
        ] {
            let report = read_file(&olena, &book(sheets)).await.ok();
            assert_eq!(report["rows"][0]["cells"], json!({ "full_name": read }), "{sheets:?}");
        }
        let hidden = [("Жовтень", "state=\"hidden\""), ("Листопад", "state=\"hidden\"")];
        read_file(&olena, &book(&hidden)).await.refused(422, "sheet_unreadable");
    }

    async fn what_a_cell_does_not_tell_for_certain_is_a_finding(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let rows = text_of(&right_rows(&olena).await);
        let mut lines = rows.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let headings = lines.next().unwrap();
        let right = lines.next().unwrap();
        let text = |text: &String| format!("<c t=\"inlineStr\"><is><t>{}</t></is></c>", text.replace('&', "&amp;"));
        let file = |column: usize, cell: &str| {
            let mut cells: Vec<String> = right.iter().map(text).collect();
            cells[column] = cell.to_owned();
            let headings: String = headings.iter().map(text).collect();
            archive(&[("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData><row>{headings}</row><row>{}</row></sheetData></worksheet>", cells.concat()))])
        };
        for column in 0..headings.len() {
            let report = read_file(&olena, &file(column, "<c><f>A1</f></c>")).await.ok();
            // What no payment of this kind needs is not read of its row.
            let is_used = !right[column].is_empty();
            assert!(!is_used || !findings(&report["rows"][0]).is_empty(), "{}: {report}", headings[column]);
        }
        let code = headings.iter().position(|heading| cabinet_domain::SheetColumn::of_heading(heading) == Some(cabinet_domain::SheetColumn::ClientCode)).unwrap();
        // A tax id whose zero the format of the cell may show.
        for (number, is_certain) in [("312650981", false), ("3126509816", true)] {
            let report = read_file(&olena, &file(code, &format!("<c s=\"1\"><v>{number}</v></c>"))).await.ok();
            assert_eq!(findings(&report["rows"][0]).is_empty(), is_certain, "{number}: {report}");
            assert_eq!(report["rows"][0]["cells"]["inn"], if is_certain { number.to_owned() } else { format!("{number} / 0{number}") });
        }
        // Empty results of formulas are results.
        let report = read_file(&olena, &file(code, "<c t=\"str\"><f>A1</f><v></v></c>")).await.ok();
        assert_eq!(findings(&report["rows"][0]), [("inn".to_owned(), "client_inn_required".to_owned())]);
    }

    async fn a_title_above_the_headings_may_have_any_sign(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let sheet = text_of(&right_rows(&olena).await);
        for text in [
            format!("Платежі за листопад, 2026, Київ\n\n{sheet}"),
            format!("Платежі за листопад, 2026\n{}", sheet.replace('\t', ";")),
        ] {
            let rows = read_file(&olena, text.as_bytes()).await.ok()["rows"].as_array().unwrap().clone();
            assert_eq!(rows.len(), 2);
            assert!(rows.iter().all(|row| findings(row).is_empty()), "{rows:?}");
        }
    }

    async fn what_is_no_sheet_or_too_large_is_refused_quickly(app: TestApp) {
        let olena = app.notary("olena").await;
        let bomb = archive(&[("xl/worksheets/sheet1.xml", " ".repeat(64 * 1024 * 1024))]);
        assert!(bomb.len() < 100_000);
        read_file(&olena, &bomb).await.refused(422, "sheet_too_large");
        // A cell at the very end asks for no memory before it.
        let far = workbook(&[("A1", "Клієнт"), ("B1", "Сума"), ("XFD1048576", "x"), ("A1048576", "Іваненко Іван")]);
        let report = read_file(&olena, &far).await;
        assert_eq!(report.status, 200);
        for (bytes, key) in [
            (&b"PK\x03\x04 broken"[..], "sheet_unreadable"),
            (&b"%PDF-1.7\x00\x01"[..], "sheet_unreadable"),
            (b"", "sheet_empty"),
            (b"a;b\n1;2\n", "sheet_headings_missing"),
        ] {
            read_file(&olena, bytes).await.refused(422, key);
        }
        let many = text_of(&vec!["x\tx".to_owned(); 201]);
        olena.post("/cart/sheet/read", json!({ "text": many })).await.refused(422, "sheet_too_large");
        // A quotation mark that is never closed would swallow the rows after it.
        let open = format!("{HEADINGS}\n\"x\t1\n{}", "x\t1\t2\t3\n".repeat(3));
        olena.post("/cart/sheet/read", json!({ "text": open })).await.refused(422, "sheet_unreadable");
        let large = "x".repeat(600 * 1024);
        olena.post("/cart/sheet/read", json!({ "text": large })).await.refused(413, "body_too_large");
        let large = "x".repeat(100 * 1024);
        olena.post("/cart/add", json!({ "purpose": large })).await.refused(413, "body_too_large");
    }

    async fn a_long_text_that_many_cells_share_costs_no_time(app: TestApp) {
        let olena = app.notary("olena").await;
        let long = || "слово ".repeat(400_000);
        // Copying the text for each cell would take hours.
        let beside = workbook_of_one_text(long(), "ZZ", 10_000);
        assert!(beside.len() < 100_000);
        read_file(&olena, &beside).await.refused(422, "sheet_empty");
        // Here each cell is kept, up to what a sheet may hold.
        let kept = workbook_of_one_text(long(), "A", 2_000);
        read_file(&olena, &kept).await.refused(422, "sheet_headings_missing");
    }

    async fn a_sheet_holds_a_million_characters(app: TestApp) {
        let olena = app.notary("olena").await;
        let lines: Vec<(String, String)> = (1..=1_000)
            .flat_map(|row| ["A", "B"].map(|column| (format!("{column}{row}"), "я".repeat(500))))
            .collect();
        let cells: Vec<(&str, &str)> = lines.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect();
        read_file(&olena, &workbook(&cells)).await.refused(422, "sheet_headings_missing");
        let more: Vec<(String, String)> = (1..=1_000).map(|row| (format!("C{row}"), "я".repeat(100))).collect();
        let more = more.iter().map(|(at, text)| (at.as_str(), text.as_str()));
        let mut all: Vec<(&str, &str)> = cells.iter().copied().chain(more).collect();
        all.sort_by_key(|(at, _)| at[1..].parse::<u32>().unwrap());
        read_file(&olena, &workbook(&all)).await.refused(422, "sheet_too_large");
    }

    async fn the_choices_follow_the_cells(app: TestApp) {
        app.clock().set(NOON);
        let olena = app.notary("olena").await;
        let choices = async |cells: Value| olena.post("/cart/sheet/choices", json!({ "cells": cells })).await.ok()["choices"].clone();
        let none = choices(json!({})).await;
        assert_eq!(none.as_object().unwrap().len(), 1);
        let kinds = none["payment_type"].as_array().unwrap();
        assert!(kinds.contains(&json!("Адміністративний збір")), "{kinds:?}");
        let fee = choices(json!({
            "payment_type": "Адміністративний збір",
            "option": "Державна реєстрація права власності (у тому числі довірчої власності)",
            "term": "5 робочих днів",
            "region": "Київ",
        })).await;
        assert!(fee["term"].as_array().unwrap().contains(&json!("2 години")), "{fee}");
        assert!(!fee["recipient"].as_array().unwrap().is_empty());
    }
}
