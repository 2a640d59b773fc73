//! Files for the bank through which transfers are paid out, written by hand, and its interface.

use serde_json::{Value, json};

use super::World;

pub const OWN: &str = "UA573220010000026007233566001";
/// An account of the starter set, and its owner's code.
pub const TREASURY: (&str, &str) = ("UA348999980999022010300300001", "37993783");
/// An ordinary account that the Treasury knows nothing of.
pub const NOTARY: (&str, &str) = ("UA513999990000026009990000001", "99009905");
/// Ten million hryvnias.
pub const OPENING: i64 = 1_000_000_000;

/// A row of the table of Privat24.
pub struct Row {
    pub number: &'static str,
    pub account: &'static str,
    pub code: &'static str,
    pub amount: &'static str,
    pub day: &'static str,
    pub payment_code: &'static str,
    pub revenue_code: &'static str,
}

/// A right payment to the budget.
pub const BUDGET: Row = Row {
    number: "100001",
    account: TREASURY.0,
    code: TREASURY.1,
    amount: "132.00",
    day: "20.11.2026",
    payment_code: "101",
    revenue_code: "22010300",
};

/// A right payment to a notary.
pub const SHARE: Row = Row {
    number: "100002",
    account: NOTARY.0,
    code: NOTARY.1,
    amount: "198.00",
    payment_code: "",
    revenue_code: "",
    ..BUDGET
};

pub fn privat24(rows: &[Row]) -> String {
    let mut text = "document_number;payment_date;payment_accept_date;payer_account;payer_nceo;payer_name;recipient_account;recipient_nceo;payment_naming;payment_amount;payment_ccy;payment_destination;struct_code;struct_type;payer_ultmt_nceo;payer_ultmt_document_series;payer_ultmt_document_number;payer_ultmt_document_id_number;payer_ultmt_name\r\n".to_owned();
    for row in rows {
        let Row {
            number,
            account,
            code,
            amount,
            day,
            payment_code,
            revenue_code,
        } = row;
        text.push_str(&format!(
            "\"{number}\";\"{day}\";\"{day}\";\"{OWN}\";\"32855961\";\"ТОВ\";\"{account}\";\"{code}\";\"Отримувач\";\"{amount}\";\"UAH\";\"Адміністративний збір\";\"{payment_code}\";\"{revenue_code}\";\"\";\"\";\"\";\"\";\"Гнатюк\"\r\n"
        ));
    }
    text
}

pub async fn give(world: &World, file: impl Into<Vec<u8>>) -> (u16, Value) {
    let address = format!("{}/sandbox/bank/files?name=list.csv", world.url);
    let answer = world.client().post(address).body(file.into());
    let answer = answer.send().await.unwrap();
    (
        answer.status().as_u16(),
        answer.json().await.unwrap_or_default(),
    )
}

pub async fn put(world: &World, path: &str, body: Value) {
    let address = format!("{}/sandbox/bank/{path}", world.url);
    let answer = world
        .client()
        .put(address)
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
}

pub async fn run_day(world: &World) -> Value {
    world.post("/sandbox/bank/days", &json!({})).await.1
}

pub async fn text(world: &World, path: &str) -> String {
    let address = format!("{}/sandbox/bank/{path}", world.url);
    let answer = world.client().get(address).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

/// Returns the balances by account.
pub async fn balances(world: &World) -> Vec<(String, i64)> {
    let (_, rows) = world.get("/sandbox/bank/accounts").await;
    let row = |row: &Value| {
        (
            row["iban"].as_str().unwrap().to_owned(),
            row["balance"].as_i64().unwrap(),
        )
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// Returns the text between the tags of the first element of a name.
pub fn element<'a>(xml: &'a str, name: &str) -> &'a str {
    let (_, rest) = xml.split_once(&format!("<{name}>")).unwrap();
    rest.split_once(&format!("</{name}>")).unwrap().0
}
