//! The page of the bank through which transfers are paid out, and its journal.

use crate::support::paying_bank::{BUDGET, Row, SHARE, give, privat24, put, run_day};
use crate::support::{world, world_with};
use serde_json::json;

#[tokio::test]
async fn the_bank_outlives_a_restart() {
    let folder = std::env::temp_dir().join(format!("paying-bank-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let journal = folder.join("journal.jsonl");
    let start = || world_with(|settings| settings.journal = Some(journal.clone()));
    let first = start().await;
    put(&first, "rulings/100001", json!({"delay_days": 1})).await;
    give(&first, privat24(&[BUDGET, SHARE])).await;
    run_day(&first).await;
    let state = ["payments", "ledger", "accounts", "files", "settings"];
    let mut before = Vec::new();
    for part in state {
        before.push(first.get(&format!("/sandbox/bank/{part}")).await);
    }
    // Started twice, because the first start rewrites the journal.
    for _ in 0..2 {
        let next = start().await;
        for (part, before) in state.iter().zip(&before) {
            assert_eq!(
                next.get(&format!("/sandbox/bank/{part}")).await,
                *before,
                "{part}"
            );
        }
    }
    let last = start().await;
    assert_eq!(
        give(&last, privat24(&[BUDGET, SHARE])).await.1["taken_before"],
        true
    );
    assert_eq!(run_day(&last).await["credited"], json!(["100001"]));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_person_uploads_a_file_and_lets_a_day_pass() {
    let world = world().await;
    let address = format!("{}/sandbox/bank", world.url);
    let upload = |file: String| {
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"lang\"\r\n\r\nuk\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"платежі.csv\"\r\nContent-Type: text/csv\r\n\r\n{file}\r\n--x--\r\n"
        );
        world
            .client()
            .post(format!("{address}/upload"))
            .header("content-type", "multipart/form-data; boundary=x")
            .body(body)
    };
    let answer = upload(privat24(&[
        BUDGET,
        Row {
            number: "7",
            amount: "0",
            ..SHARE
        },
    ]))
    .send()
    .await
    .unwrap();
    assert_eq!(answer.status(), 303);
    let show = || async {
        world
            .client()
            .get(&address)
            .header("accept-language", "uk")
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    };
    let page = show().await;
    for words in [
        "платежі.csv",
        "№ 100001",
        "прийнято, чекає",
        "AM01, Сума дорівнює нулю",
        "132,00\u{a0}грн",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let wrong = upload("щось інше".to_owned()).send().await.unwrap();
    assert_eq!(wrong.status(), 422);
    assert!(wrong.text().await.unwrap().contains("Банк не прийняв файл"));
    let form = |path: &str, form: &[(&str, &str)]| {
        world.client().post(format!("{address}/{path}")).form(form)
    };
    assert_eq!(
        form("day", &[("lang", "uk")])
            .send()
            .await
            .unwrap()
            .status(),
        303
    );
    assert!(show().await.contains("зараховано 20.11.2026"));
    let back = [
        ("document", "100001"),
        ("code", "AC04"),
        ("credited", "true"),
        ("lang", "uk"),
    ];
    form("rule", &back).send().await.unwrap();
    form("day", &[("lang", "uk")]).send().await.unwrap();
    assert!(show().await.contains("AC04: Рахунок отримувача закрито"));
    form("mode", &[("immediate", "true"), ("lang", "uk")])
        .send()
        .await
        .unwrap();
    assert!(show().await.contains("виконуються одразу"));
}
