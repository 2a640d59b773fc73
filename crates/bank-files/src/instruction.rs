//! What a bank must be told of a transfer.

use cabinet_domain::{
    ActualPayer, BudgetCode, Iban, Inn, InnKind, Money, Okpo, OrderId, Payee, PaymentCode, Purpose,
    TransferId,
};
use jiff::Timestamp;
use jiff::civil::Date;

/// Who pays: the holder of the account that is debited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payer {
    /// Name.
    pub name: String,
    /// Account.
    pub iban: Iban,
    /// EDRPOU code, or the tax id of a sole trader.
    pub code: Okpo,
}

/// A transfer that a bank is asked to carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The transfer.
    pub transfer: TransferId,
    /// The number of its document, as on the receipt.
    pub document_number: i64,
    /// The value date: the day (Kyiv) from which the recipient's bank has the money.
    pub value_date: Date,
    /// The order.
    pub order: OrderId,
    /// When it was planned.
    pub created_at: Timestamp,
    /// The amount.
    pub amount: Money,
    /// The payee.
    pub payee: Payee,
    /// On whose behalf it is paid.
    pub actual_payer: ActualPayer,
    /// The revenue code of the budget (КДБ), if the payment has one.
    pub budget_code: Option<BudgetCode>,
}

/// What the recipient is told, as banks carry it.
///
/// Since 01.12.2023 a payment to the budget has a structured form: the payment code and the text apart (MinFin order 148 of 22.03.2023).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remittance<'a> {
    /// The purpose as one text.
    Text(&'a str),
    /// A payment to the budget.
    Budget {
        /// The payment code, such as 101.
        code: PaymentCode,
        /// The revenue code, if it is known.
        revenue: Option<&'a BudgetCode>,
        /// The purpose without the code.
        text: &'a str,
    },
}

impl Instruction {
    /// Returns what the recipient is told. A purpose that lacks the structured form stays one text.
    #[must_use]
    pub fn remittance(&self) -> Remittance<'_> {
        let text = self.payee.purpose.as_str();
        let code = Purpose::written(text)
            .ok()
            .filter(|_| self.payee.iban.is_budget_account())
            .and_then(|purpose| purpose.payment_code());
        match (code, text.split_once(' ')) {
            (Some(code), Some((_, text))) => Remittance::Budget {
                code,
                revenue: self.budget_code.as_ref(),
                text,
            },
            _ => Remittance::Text(text),
        }
    }
}

/// The code of a person or an entity, each form in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identity<'a> {
    /// Tax id or EDRPOU.
    pub(crate) code: &'a str,
    /// Series of a passport: two letters.
    pub(crate) series: &'a str,
    /// Number of a passport: six digits.
    pub(crate) number: &'a str,
    /// Number of an ID card.
    pub(crate) id_card: &'a str,
}

impl<'a> Identity<'a> {
    pub(crate) fn of(inn: &'a Inn) -> Identity<'a> {
        let text = inn.as_str();
        let nothing = Identity::default();
        match inn.kind() {
            InnKind::TaxId | InnKind::Edrpou => Identity {
                code: text,
                ..nothing
            },
            InnKind::IdCard => Identity {
                id_card: text,
                ..nothing
            },
            InnKind::Passport => {
                let digits = text.find(|letter: char| letter.is_ascii_digit());
                let (series, number) = text.split_at(digits.unwrap_or_default());
                Identity {
                    series,
                    number,
                    ..nothing
                }
            }
        }
    }
}
