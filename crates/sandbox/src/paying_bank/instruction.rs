//! What a customer orders, and why it is refused or comes back.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// An instruction as its file has it. Nothing is checked yet; a missing part is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Unchecked {
    /// The number of the document.
    pub(super) document_number: String,
    /// The customer's own id of the instruction (ISO 20022, `InstrId`).
    pub(super) instruction_id: String,
    /// The value date; `None` if it is missing or unreadable.
    pub(super) value_date: Option<Date>,
    pub(super) amount: String,
    pub(super) currency: String,
    pub(super) payer_account: String,
    pub(super) payer_code: String,
    pub(super) recipient_name: String,
    pub(super) recipient_account: String,
    pub(super) recipient_code: String,
    /// The code of the recipient's bank, where the format has it.
    pub(super) recipient_bank: String,
    /// The purpose; for a payment to the budget without its code.
    pub(super) purpose: String,
    /// The three digits of a payment to the budget.
    pub(super) payment_code: String,
    /// The code of budget revenue.
    pub(super) revenue_code: String,
    pub(super) actual_payer_name: String,
}

/// An instruction that the bank has taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Instruction {
    pub(crate) document_number: String,
    pub(crate) instruction_id: String,
    pub(crate) value_date: Date,
    /// Kopiykas, above zero.
    pub(crate) amount: i64,
    pub(crate) recipient_name: String,
    pub(crate) recipient_account: String,
    pub(crate) recipient_code: String,
    /// The purpose; for a payment to the budget without its code.
    pub(crate) purpose: String,
    /// The three digits of a payment to the budget, else empty.
    pub(crate) payment_code: String,
    /// The code of budget revenue, or empty.
    pub(crate) revenue_code: String,
    pub(crate) actual_payer_name: String,
}

impl Instruction {
    /// Returns whether another instruction orders the same payment. The value date and the customer's id of the instruction may
    /// differ: the same payment may stand in two files.
    pub(super) fn is_same_payment(&self, other: &Self) -> bool {
        let bare = |instruction: &Self| Self {
            instruction_id: String::new(),
            value_date: Date::MIN,
            ..instruction.clone()
        };
        bare(self) == bare(other)
    }
}

/// Why an instruction is refused or money comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reason {
    /// The code of the external code sets of ISO 20022, such as `AC04`.
    pub(crate) code: String,
    /// The bank's words, in Ukrainian.
    pub(crate) text: String,
}

impl Reason {
    pub(super) fn new(code: &str, text: &str) -> Self {
        Self {
            code: code.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// Returns a sum in hryvnias as banks write it: `1234.50`.
pub(super) fn decimal(kopiykas: i64) -> String {
    let sign = if kopiykas < 0 { "-" } else { "" };
    let sum = kopiykas.unsigned_abs();
    format!("{sign}{}.{:02}", sum / 100, sum % 100)
}

/// Reads a sum in hryvnias with at most two decimals. `None`: it is no such number.
pub(super) fn kopiykas(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > 2 || !is_number(whole) || !is_number(part) {
        return None;
    }
    format!("{whole}{part:0<2}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_and_written_as_banks_do() {
        for (text, sum) in [("1234.50", 123_450), ("7", 700), ("0.05", 5), ("3.1", 310)] {
            assert_eq!(kopiykas(text), Some(sum));
        }
        for wrong in [
            "",
            ".5",
            "1,50",
            "1.234",
            "-1.00",
            "1 000",
            "99999999999999999999",
        ] {
            assert_eq!(kopiykas(wrong), None, "{wrong}");
        }
        assert_eq!(decimal(123_405), "1234.05");
        assert_eq!(decimal(-5), "-0.05");
    }
}
