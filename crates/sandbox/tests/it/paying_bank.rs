//! The bank through which transfers are paid out, over HTTP, with files written by hand.

use std::time::Duration;

use crate::support::paying_bank::{
    BUDGET, NOTARY, OPENING, OWN, Row, SHARE, TREASURY, balances, element, give, privat24, put,
    run_day, text,
};
use crate::support::world;
use serde_json::json;

#[tokio::test]
async fn payments_are_taken_once_and_credited_when_a_day_passes() {
    let world = world().await;
    let file = privat24(&[BUDGET, SHARE]);
    let (status, answer) = give(&world, file.clone()).await;
    assert_eq!((status, &answer["taken_before"]), (200, &json!(false)));
    assert_eq!(answer["instructions"][0]["result"], "taken");
    let uetr = answer["instructions"][0]["uetr"].as_str().unwrap();
    assert_eq!(uetr.as_bytes()[14], b'4', "version 4: {uetr}");

    let (_, again) = give(&world, file.clone()).await;
    assert_eq!(again["taken_before"], true);
    assert_eq!(again["instructions"], answer["instructions"]);
    let mut marked = vec![0xef, 0xbb, 0xbf];
    marked.extend(file.into_bytes());
    let (_, third) = give(&world, marked).await;
    assert_eq!(third["taken_before"], false, "other bytes");
    assert_eq!(third["instructions"][1]["result"], "taken_before");
    assert_eq!(balances(&world).await, [(OWN.to_owned(), OPENING)]);

    let day = run_day(&world).await;
    assert_eq!(day["credited"], json!(["100001", "100002"]));
    assert_eq!(run_day(&world).await["credited"], json!([]));
    assert_eq!(
        balances(&world).await,
        [
            (OWN.to_owned(), OPENING - 33_000),
            (TREASURY.0.to_owned(), 13_200),
            (NOTARY.0.to_owned(), 19_800),
        ]
    );
}

#[tokio::test]
async fn wrong_instructions_are_refused_with_a_reason_and_the_right_ones_are_taken() {
    let world = world().await;
    let wrong: [(Row, &str); 9] = [
        (
            Row {
                number: "12345678901",
                ..BUDGET
            },
            "CH16",
        ),
        (
            Row {
                amount: "0.00",
                ..BUDGET
            },
            "AM01",
        ),
        (
            Row {
                amount: "1.005",
                ..BUDGET
            },
            "CH16",
        ),
        (
            Row {
                amount: "10000000.01",
                ..BUDGET
            },
            "AM04",
        ),
        (
            Row {
                account: "UA358999980999022010300300001",
                ..BUDGET
            },
            "AC03",
        ),
        (
            Row {
                code: "3799378",
                ..BUDGET
            },
            "BE17",
        ),
        (
            Row {
                day: "01.11.2026",
                ..BUDGET
            },
            "DT01",
        ),
        (
            Row {
                payment_code: "",
                ..BUDGET
            },
            "RR07",
        ),
        (
            Row {
                payment_code: "101",
                ..SHARE
            },
            "RR07",
        ),
    ];
    let codes: Vec<&str> = wrong.iter().map(|(_, code)| *code).collect();
    let mut rows: Vec<Row> = wrong.into_iter().map(|(row, _)| row).collect();
    rows.push(BUDGET);
    rows.push(Row {
        amount: "133.00",
        ..BUDGET
    });
    let (status, answer) = give(&world, privat24(&rows)).await;
    assert_eq!(status, 200);
    let told = answer["instructions"].as_array().unwrap();
    for (place, code) in codes.iter().enumerate() {
        assert_eq!(told[place]["reason"]["code"], *code, "row {place}");
    }
    assert_eq!(told[9]["result"], "taken");
    assert_eq!(told[10]["reason"]["code"], "AM05", "the number is taken");

    let foreign = privat24(&[SHARE]).replace(OWN, "UA513999990000026009990000001");
    assert_eq!(
        give(&world, foreign).await.1["instructions"][0]["reason"]["code"],
        "AC02"
    );
    let report = text(&world, "files/1/pain.002.xml").await;
    assert_eq!(report.matches("<TxSts>RJCT</TxSts>").count(), 10);
    assert_eq!(report.matches("<TxSts>ACSP</TxSts>").count(), 1);
    assert!(report.contains("<Cd>DT01</Cd>"));
    for (file, code) in [
        ("", "FF01"),
        ("a;b\r\n1;2\r\n", "FF01"),
        ("<Document/>", "FF01"),
    ] {
        let (status, answer) = give(&world, file).await;
        assert_eq!((status, &answer["code"]), (422, &json!(code)), "{answer}");
    }
    let open = privat24(&[SHARE]).replace("\"Гнатюк\"", "\"Гнатюк\";\"x\"");
    assert_eq!(give(&world, open).await.0, 422, "a cell too many");
}

#[tokio::test]
async fn the_treasury_sends_back_what_does_not_belong_together() {
    let world = world().await;
    put(
        &world,
        "settings",
        json!({"immediate": true, "closed_accounts": [NOTARY.0]}),
    )
    .await;
    let rows = privat24(&[
        Row {
            number: "1",
            code: "14360570",
            ..BUDGET
        },
        Row {
            number: "2",
            revenue_code: "22012600",
            ..BUDGET
        },
        Row {
            number: "3",
            ..SHARE
        },
        Row {
            number: "4",
            ..BUDGET
        },
    ]);
    give(&world, rows).await;
    let (_, payments) = world.get("/sandbox/bank/payments").await;
    let told = |place: usize| {
        (
            payments[place]["status"].clone(),
            payments[place]["reason"]["code"].clone(),
        )
    };
    assert_eq!(told(0), (json!("returned"), json!("BE01")));
    assert_eq!(told(1), (json!("returned"), json!("RR07")));
    assert_eq!(told(2), (json!("returned"), json!("AC04")));
    assert_eq!(payments[3]["status"], "credited");
    assert_eq!(balances(&world).await[0].1, OPENING - 13_200);

    let statement = text(&world, "statements/2026-11-20/camt.053.xml").await;
    assert_eq!(statement.matches("<Ntry>").count(), 7);
    assert_eq!(statement.matches("<RvslInd>true</RvslInd>").count(), 3);
    assert!(
        statement.contains("<Amt Ccy=\"UAH\">9999868.00</Amt>"),
        "the closing balance"
    );
    assert!(element(&statement, "RtrInf").contains("<Cd>BE01</Cd>"));
    let table = text(&world, "statements/2026-11-20/privat24.csv").await;
    assert_eq!(table.lines().filter(|line| line.contains(";C;")).count(), 3);
}

#[tokio::test]
async fn a_test_orders_what_happens_to_a_document() {
    let world = world().await;
    let ordered = json!({"code": "AC04", "text": "Рахунок закрито"});
    put(
        &world,
        "rulings/100001",
        json!({"return": ordered, "delay_days": 1}),
    )
    .await;
    let later = json!({"code": "BE01", "text": "Код не той", "days_after_credit": 2});
    put(&world, "rulings/100002", json!({ "return": later })).await;
    give(&world, privat24(&[BUDGET, SHARE])).await;
    let first = run_day(&world).await;
    assert_eq!(
        (&first["waiting"], &first["credited"]),
        (&json!(["100001"]), &json!(["100002"]))
    );
    world.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(run_day(&world).await["returned"], json!(["100001"]));
    world.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(run_day(&world).await["returned"], json!(["100002"]));
    assert_eq!(run_day(&world).await["returned"], json!([]));
    assert_eq!(
        balances(&world).await,
        [(OWN.to_owned(), OPENING), (NOTARY.0.to_owned(), 0)]
    );
    let report = text(&world, "files/1/pain.002.xml").await;
    assert!(
        report.contains("<TxSts>ACSC</TxSts>"),
        "executed, and came back"
    );
    assert_eq!(
        element(&report, "FctvIntrBkSttlmDt").trim(),
        "<Dt>2026-11-20</Dt>"
    );
    let (_, ledger) = world.get("/sandbox/bank/ledger").await;
    let last = ledger.as_array().unwrap().last().unwrap();
    let single = text(&world, &format!("bookings/{}/camt.054.xml", last["number"])).await;
    assert!(single.contains("<Cd>BE01</Cd>") && single.contains("<AddtlInf>Код не той</AddtlInf>"));
    assert_eq!(element(&single, "EndToEndId"), "100002");
    assert_eq!(element(&single, "UETR"), last["uetr"].as_str().unwrap());
}

#[tokio::test]
async fn pain_001_is_read_with_the_codes_of_the_budget_and_its_totals() {
    let world = world().await;
    let message = include_str!("files/pain.001.xml");
    let (status, answer) = give(&world, message).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(
        (&answer["format"], &answer["message_id"]),
        (&json!("pain001"), &json!("0af1"))
    );
    let (_, payments) = world.get("/sandbox/bank/payments").await;
    assert_eq!(payments[0]["purpose"], "Адмінзбір «А & Б», продовження");
    assert_eq!(
        (&payments[0]["payment_code"], &payments[0]["revenue_code"]),
        (&json!("101"), &json!("22010300"))
    );
    assert_eq!(payments[1]["purpose"], "Плата за дії нотаріуса");
    run_day(&world).await;
    assert_eq!(balances(&world).await[0].1, OPENING - 33_000);
    // The same payments in another format are known.
    let (_, again) = give(&world, message.replace("0af1", "0af2")).await;
    assert_eq!(again["instructions"][0]["result"], "taken_before");
    for (from, to, code) in [
        (
            "<CtrlSum>330.00</CtrlSum>",
            "<CtrlSum>330.01</CtrlSum>",
            "AM10",
        ),
        ("<NbOfTxs>2</NbOfTxs>", "<NbOfTxs>3</NbOfTxs>", "AM18"),
        ("pain.001.001.09", "pain.001.001.03", "FF01"),
    ] {
        let (status, answer) = give(&world, message.replace(from, to)).await;
        assert_eq!((status, &answer["code"]), (422, &json!(code)), "{answer}");
    }
}

#[tokio::test]
async fn windows_1251_is_read() {
    let world = world().await;
    let file = privat24(&[SHARE]);
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&file);
    give(&world, bytes.into_owned()).await;
    let (_, payments) = world.get("/sandbox/bank/payments").await;
    assert_eq!(payments[0]["purpose"], "Адміністративний збір");
}
