//! What the bank checks before it takes an instruction, and what the Treasury checks before it credits one.

use jiff::Span;
use jiff::civil::Date;

use super::codes::{bank_of, is_budget, is_code, is_enterprise_code, is_iban, is_treasury};
use super::instruction::{Instruction, Reason, Unchecked, kopiykas};
use super::settings::Customer;
use super::state::PayingBank;

/// Days around the present one in which an instruction is executed (NBU Instruction 163 of 29.07.2022).
const DAYS_AROUND: i32 = 10;
/// Characters of a document's number.
const NUMBER_CHARS_MAX: usize = 10;
/// Characters of a purpose.
const PURPOSE_CHARS_MAX: usize = 420;
/// Characters of a name (ISO 20022, `Max140Text`).
const NAME_CHARS_MAX: usize = 140;

type Checked<T> = Result<T, Reason>;

/// Checks an instruction by itself, on a day of the bank.
pub(super) fn check(order: &Unchecked, customer: &Customer, today: Date) -> Checked<Instruction> {
    payer(order, customer)?;
    Ok(Instruction {
        document_number: document_number(order)?,
        instruction_id: order.instruction_id.clone(),
        amount: amount(order)?,
        recipient_account: recipient_account(order)?,
        recipient_code: recipient_code(order)?,
        recipient_name: recipient_name(order)?,
        purpose: purpose(order)?,
        payment_code: order.payment_code.clone(),
        revenue_code: order.revenue_code.clone(),
        value_date: value_date(order, today)?,
        actual_payer_name: order.actual_payer_name.clone(),
    })
}

fn require(fits: bool, code: &str, text: &str) -> Checked<()> {
    if fits {
        Ok(())
    } else {
        Err(Reason::new(code, text))
    }
}

fn payer(order: &Unchecked, customer: &Customer) -> Checked<()> {
    require(
        order.payer_account == customer.iban,
        "AC02",
        "Рахунок платника не є рахунком клієнта банку",
    )?;
    require(
        order.payer_code == customer.code,
        "BE16",
        "Код платника не відповідає його рахунку",
    )
}

fn document_number(order: &Unchecked) -> Checked<String> {
    let number = &order.document_number;
    require(!number.is_empty(), "CH21", "Немає номера документа")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    require(
        is_number && number.len() <= NUMBER_CHARS_MAX,
        "CH16",
        "Номер документа довший за 10 цифр або не є числом",
    )?;
    Ok(number.clone())
}

fn amount(order: &Unchecked) -> Checked<i64> {
    require(order.currency == "UAH", "AM03", "Валюта не гривня")?;
    let amount = kopiykas(&order.amount).ok_or_else(|| Reason::new("CH16", "Суму не прочитано"))?;
    require(amount > 0, "AM01", "Сума дорівнює нулю")?;
    Ok(amount)
}

fn recipient_account(order: &Unchecked) -> Checked<String> {
    let account = &order.recipient_account;
    require(
        is_iban(account),
        "AC03",
        "Неправильний рахунок отримувача (IBAN)",
    )?;
    require(
        order.recipient_bank.is_empty() || order.recipient_bank == bank_of(account),
        "RC04",
        "Код банку отримувача не відповідає його рахунку",
    )?;
    Ok(account.clone())
}

fn recipient_code(order: &Unchecked) -> Checked<String> {
    require(
        is_code(&order.recipient_code),
        "BE17",
        "Неправильний код отримувача",
    )?;
    Ok(order.recipient_code.clone())
}

fn recipient_name(order: &Unchecked) -> Checked<String> {
    let chars = order.recipient_name.chars().count();
    require(
        (1..=NAME_CHARS_MAX).contains(&chars),
        "BE22",
        "Немає назви отримувача, або вона задовга",
    )?;
    Ok(order.recipient_name.clone())
}

/// Since 01.12.2023 payments to the budget have their codes in fields of their own.
fn purpose(order: &Unchecked) -> Checked<String> {
    let code = &order.payment_code;
    let is_right = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit());
    let fits = if is_treasury(&order.recipient_account) {
        is_right
    } else {
        code.is_empty() || (is_right && is_budget(&order.recipient_account))
    };
    require(
        fits,
        "RR07",
        "Код виду сплати не відповідає рахунку отримувача",
    )?;
    let prefix = if code.is_empty() { 0 } else { "101 ".len() };
    let chars = order.purpose.chars().count();
    require(
        chars > 0 && chars + prefix <= PURPOSE_CHARS_MAX,
        "RR07",
        "Немає призначення платежу, або воно задовге",
    )?;
    Ok(order.purpose.clone())
}

fn value_date(order: &Unchecked, today: Date) -> Checked<Date> {
    let days = Span::new().days(DAYS_AROUND);
    let around = today.saturating_sub(days)..=today.saturating_add(days);
    order
        .value_date
        .filter(|date| around.contains(date))
        .ok_or_else(|| Reason::new("DT01", "Неправильна дата валютування"))
}

impl PayingBank {
    /// Returns why the recipient's bank or the Treasury sends a payment back. `None`: it is credited.
    ///
    /// Since 10.11.2025 the Treasury credits a payment only where account and code belong together.
    pub(super) fn return_reason(&self, instruction: &Instruction) -> Option<Reason> {
        let account = &instruction.recipient_account;
        if self.closed_accounts().contains(account) {
            return Some(Reason::new("AC04", "Рахунок отримувача закрито"));
        }
        let known = self.known_account(account);
        let owner = known.map(|known| &known.code);
        let code_fits = match owner.or_else(|| self.owners().get(account)) {
            Some(code) => *code == instruction.recipient_code,
            None => !is_treasury(account) || is_enterprise_code(&instruction.recipient_code),
        };
        if !code_fits {
            return Some(Reason::new(
                "BE01",
                "Код отримувача не відповідає рахунку отримувача",
            ));
        }
        let revenue = &instruction.revenue_code;
        let revenue_fits = revenue.is_empty()
            || known.is_none_or(|known| {
                known.revenue_codes.is_empty() || known.revenue_codes.contains(revenue)
            });
        (!revenue_fits).then(|| {
            Reason::new(
                "RR07",
                "Код класифікації доходів бюджету не відповідає рахунку отримувача",
            )
        })
    }
}
