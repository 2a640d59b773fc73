//! What is written for a bank, and what is read of its files.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod answers;
mod bounds;
mod comparison;
mod pain001;
mod tables;

use cabinet_bank_files::{Instruction, Payer};
use cabinet_domain::{
    ActualPayer, BudgetCode, Iban, Inn, Line, Money, Okpo, OrderId, Payee, PersonName, TransferId,
};
use jiff::civil::date;
use uuid::Uuid;

const TREASURY: &str = "UA328999980999022090100300001";
const BANK: &str = "UA223052990000026001234567890";
const NOTARY: &str = "UA743052990000026007233566001";

fn payer() -> Payer {
    Payer {
        name: "ТОВ «Демонстраційний кабінет»".to_owned(),
        iban: Iban::parse(BANK).unwrap(),
        code: Okpo::parse("32855961").unwrap(),
    }
}

fn line(text: &str) -> Line {
    Line::parse(text, 420).unwrap()
}

/// A payment to the budget for this client.
fn duty(number: u8, inn: &str, name: &str) -> Instruction {
    Instruction {
        transfer: TransferId::new(Uuid::from_bytes([number; 16])),
        document_number: 1000 + i64::from(number),
        value_date: date(2026, 3, 2),
        order: OrderId::new(Uuid::from_bytes([9; 16])),
        // Half an hour after midnight in Kyiv, still the day before in UTC.
        created_at: "2026-03-01T22:30:00Z".parse().unwrap(),
        amount: Money::from_kopiykas(34_050).unwrap(),
        payee: Payee {
            name: line("ГУК у м.Києві/м.Київ/22090100"),
            iban: Iban::parse(TREASURY).unwrap(),
            okpo: Okpo::parse("37993783").unwrap(),
            purpose: line(&format!("101 Державне мито, {inn}")),
        },
        actual_payer: ActualPayer {
            inn: Inn::parse(inn).unwrap(),
            name: PersonName::parse(name).unwrap(),
        },
        budget_code: Some(BudgetCode::parse("22090100").unwrap()),
    }
}

/// A payment to a notary's account.
fn fee(number: u8, purpose: &str) -> Instruction {
    let mut fee = duty(number, "3068208400", "Гнатюк Петро Олександрович");
    fee.payee.name = line("Коваль Олена \"Іванівна\" & Ко");
    fee.payee.iban = Iban::parse(NOTARY).unwrap();
    fee.payee.okpo = Okpo::parse("3652504575").unwrap();
    fee.payee.purpose = line(purpose);
    fee.budget_code = None;
    fee
}
