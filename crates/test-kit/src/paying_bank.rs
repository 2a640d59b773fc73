//! The operator at the sandbox's bank.

use serde_json::Value;

use crate::Outside;

/// A line of the bank's ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankLine {
    /// The account.
    pub account: String,
    /// Kopiykas: below zero for a debit.
    pub amount: i64,
    /// The number of the document.
    pub document_number: String,
}

impl Outside {
    /// Gives a payment file to the bank. Returns its answer.
    pub async fn give_to_bank(&self, file: Vec<u8>) -> Value {
        let address = format!("{}/sandbox/bank/files", self.url);
        let request = self.client.post(address).body(file);
        let answer = request.send().await.expect("the sandbox answers");
        let status = answer.status();
        let answer: Value = answer.json().await.expect("an answer in JSON");
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Lets a day of the bank pass.
    pub async fn let_bank_day_pass(&self) {
        let address = format!("{}/sandbox/bank/days", self.url);
        let answer = self.client.post(address).send().await;
        assert_eq!(answer.expect("the sandbox answers").status(), 200);
    }

    /// Changes the settings of the bank.
    pub async fn set_bank(&self, settings: &Value) {
        let address = format!("{}/sandbox/bank/settings", self.url);
        let answer = self.client.put(address).json(settings).send().await;
        assert_eq!(answer.expect("the sandbox answers").status(), 200);
    }

    /// Orders what the bank shall do with the payment of a document.
    pub async fn rule_bank(&self, document_number: &str, ruling: &Value) {
        let address = format!("{}/sandbox/bank/rulings/{document_number}", self.url);
        let answer = self.client.put(address).json(ruling).send().await;
        assert_eq!(answer.expect("the sandbox answers").status(), 200);
    }

    /// Downloads what the bank writes.
    pub async fn bank_download(&self, path: &str) -> Vec<u8> {
        let address = format!("{}/sandbox/bank/{path}", self.url);
        let answer = self.client.get(address).send().await;
        let answer = answer.expect("the sandbox answers");
        assert_eq!(answer.status(), 200, "{path}");
        answer.bytes().await.expect("a whole answer").to_vec()
    }

    /// Returns the bank's ledger, the earliest line first.
    pub async fn bank_ledger(&self) -> Vec<BankLine> {
        let lines = self.bank_download("ledger").await;
        let lines: Vec<Value> = serde_json::from_slice(&lines).expect("a list");
        let line = |line: &Value| {
            let amount = line["amount"].as_i64().expect("kopiykas");
            let text = |name: &str| line[name].as_str().expect("a text").to_owned();
            BankLine {
                account: text("account"),
                amount: if line["side"] == "debit" {
                    -amount
                } else {
                    amount
                },
                document_number: text("document_number"),
            }
        };
        lines.iter().map(line).collect()
    }
}
