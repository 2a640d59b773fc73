//! An order that the release before had paid and passed to the bank is read and confirmed after the upgrade as that release did.
//!
//! `testdata/release-0.2.0` has its rows, as that program stored them on each database, and what it answered about them.

use std::collections::BTreeSet;

use axum::http::Method;
use cabinet_test_kit::{Database, EarlierRows, TestApp, kopiykas, run_after};
use calamine::Data;
use serde_json::{Value, json};

use crate::receipts::{assert_contains_all, check_code, text_of};
use crate::reporting::rows;

const ROWS: EarlierRows = EarlierRows {
    schema: 30,
    sqlite: include_str!("../../../../testdata/release-0.2.0/sqlite.sql"),
    postgres: include_str!("../../../../testdata/release-0.2.0/postgres.sql"),
};
const ANSWERS: &str = include_str!("../../../../testdata/release-0.2.0/answers.json");

const ORDER: &str = "019cadc6-9a80-7ac2-97cb-1f194d513f67";
/// On its paper.
const CODE: &str = "100001-QXWB-277M-5QYP";

/// Asserts that an answer still has everything that it had. It may have more.
fn assert_still_has(now: &Value, before: &Value, place: &str) {
    match before {
        Value::Object(fields) => {
            for (name, value) in fields {
                assert_still_has(&now[name], value, &format!("{place}.{name}"));
            }
        }
        Value::Array(all) => {
            assert_eq!(now.as_array().map(Vec::len), Some(all.len()), "{place}");
            for (index, value) in all.iter().enumerate() {
                assert_still_has(&now[index], value, &format!("{place}[{index}]"));
            }
        }
        _ => assert_eq!(now, before, "{place}"),
    }
}

/// Returns the words of a paper that tell a figure: amounts, dates, numbers, codes and accounts.
fn figures(text: &str) -> BTreeSet<&str> {
    let words = text.split_whitespace();
    words
        .filter(|word| word.contains(|character: char| character.is_ascii_digit()))
        .filter(|word| !word.contains("/check?code="))
        .collect()
}

async fn an_order_of_before_is_read_and_confirmed(app: TestApp) {
    app.clock().set("2026-03-04T09:00:00Z");
    let olena = app.notary_of_before("olena").await;
    let before: Value = serde_json::from_str(ANSWERS).unwrap();
    for (path, answer) in before.as_object().unwrap() {
        let now = olena.get(path).await;
        assert_eq!(now.status, 200, "{path}: {}", now.text());
        let Some(paper) = answer.as_str() else {
            assert_still_has(&now.json(), answer, path);
            continue;
        };
        let text = text_of(&now.body);
        let gone: Vec<_> = figures(paper)
            .difference(&figures(&text))
            .copied()
            .collect();
        assert_eq!(gone, Vec::<&str>::new(), "{path}: {text}");
        assert_contains_all(
            &text,
            &[
                "Коваль Олена Іванівна",
                "Фактичний платник",
                "Гнатюк Петро Олександрович, код 3652504575",
            ],
        );
        assert_eq!(check_code(&now), CODE, "{path}");
    }
    is_confirmed(&app).await;
    is_in_archive(&olena).await;
    is_in_book(&olena).await;
    // The message about the returned part, which that program had left to be sent.
    while app.work().await > 0 {}
    app.outside().wait_for_messages(olena.phone(), 2).await;
    app.check_invariants().await;
    app.check_audit_trail().await;
    app.skip_final_check();
}

/// A stranger who holds its paper compares it.
async fn is_confirmed(app: &TestApp) {
    let stranger = app.anonymous();
    let page = stranger.page(&format!("/check?code={CODE}")).await;
    assert_eq!(page.status, 200);
    assert_contains_all(
        &page.text(),
        &[
            "Квитанція справжня",
            "№ 100001",
            "440,00\u{a0}грн",
            "Г. П. О., код\u{a0}•••••••575",
            "ГУК у м.Києві",
        ],
    );
    let named = [
        ("3652504575", true),
        ("32855961", true),
        ("440,00", true),
        ("132,00", true),
        ("UA848999980999022012600300051", true),
        ("UA223052990000026001234567890", true),
        ("440,01", false),
        ("3652504574", false),
    ];
    for (typed, agrees) in named {
        let form = format!("language=uk&code={CODE}&named={typed}");
        let page = stranger.page_call("/check").form(&form).send().await.text();
        let says = ["Так, у квитанції це ", "Ні, у квитанції"].map(|answer| page.contains(answer));
        assert_eq!(says, [agrees, !agrees], "{typed}");
    }
    let other = stranger
        .page("/check?code=100001-QXWB-277M-5QYQ")
        .await
        .text();
    assert!(!other.contains("Гнатюк"), "{other}");
}

/// The archive finds it by each way of searching, and gives its papers.
async fn is_in_archive(olena: &cabinet_test_kit::Person) {
    for query in ["гнатюк", "3652504575", "100001"] {
        let found = olena
            .post("/order/search", json!({ "text": query }))
            .await
            .ok();
        let orders = found["orders"]
            .as_array()
            .unwrap_or_else(|| panic!("{found}"));
        let found: Vec<_> = orders
            .iter()
            .map(|order| order["id"].as_str().unwrap())
            .collect();
        assert_eq!(found, [ORDER], "{query}");
    }
    let archive = olena.get(&format!("/order/{ORDER}/receipts")).await;
    assert_eq!(archive.status, 200);
    assert!(archive.body.starts_with(b"PK"));
    // The part that came back.
    let returned = "019cadc6-9a80-77ab-9e7f-9e009fa74d07";
    let transfers = olena.get(&format!("/order/{ORDER}/transfers")).await.ok();
    let part = transfers["transfers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == returned);
    assert_eq!(kopiykas(&part.unwrap()["amount"]), 13_200);
}

/// The share that was credited to her.
async fn is_in_book(olena: &cabinet_test_kit::Person) {
    let year = "/reports/income-book?from=2026-01-01&to=2026-12-31";
    let book = rows(
        &olena.call(Method::GET, year).send().await,
        "Income-2026-01-01-2026-12-31.xlsx",
    );
    let entry = &book[1];
    assert_eq!(
        (&entry[1], &entry[2], &entry[3]),
        (&Data::Float(198.0), &Data::Empty, &Data::Float(198.0))
    );
    assert_eq!(entry[9].to_string(), "100001");
}

#[test]
fn sqlite() {
    run_after(
        Database::Sqlite,
        ROWS,
        an_order_of_before_is_read_and_confirmed,
    );
}

#[test]
fn postgres() {
    run_after(
        Database::Postgres,
        ROWS,
        an_order_of_before_is_read_and_confirmed,
    );
}
