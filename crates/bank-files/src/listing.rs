//! The cabinet's own table of transfers for a bank. `transfers import` reads it back.

use cabinet_domain::kyiv_time;

use crate::instruction::{Identity, Instruction, Payer, Remittance};
use crate::table::{self, Column, Encoding, Written};

/// The columns, in their order.
pub(crate) const COLUMNS: &[Column] = &[
    ("transfer_id", |of, _| of.transfer.to_string()),
    ("document_number", |of, _| of.document_number.to_string()),
    ("value_date", |of, _| of.value_date.to_string()),
    ("order_id", |of, _| of.order.to_string()),
    ("created_at", |of, _| {
        let planned = kyiv_time(of.created_at);
        planned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }),
    ("amount", |of, _| of.amount.decimal()),
    ("recipient_name", |of, _| of.payee.name.as_str().to_owned()),
    ("recipient_iban", |of, _| of.payee.iban.as_str().to_owned()),
    ("recipient_code", |of, _| of.payee.okpo.as_str().to_owned()),
    ("purpose", |of, _| of.payee.purpose.as_str().to_owned()),
    ("actual_payer_code", |of, _| identity(of).code.to_owned()),
    ("actual_payer_name", |of, _| {
        of.actual_payer.name.as_str().to_owned()
    }),
    ("payer_name", |_, payer| payer.name.clone()),
    ("payer_iban", |_, payer| payer.iban.as_str().to_owned()),
    ("payer_code", |_, payer| payer.code.as_str().to_owned()),
    ("payment_code", |of, _| payment_code(of)),
    ("budget_code", |of, _| revenue_code(of)),
    ("purpose_text", |of, _| text(of)),
    ("actual_payer_document_series", |of, _| {
        identity(of).series.to_owned()
    }),
    ("actual_payer_document_number", |of, _| {
        identity(of).number.to_owned()
    }),
    ("actual_payer_id_card", |of, _| {
        identity(of).id_card.to_owned()
    }),
];

/// Writes the table.
///
/// # Errors
/// The first transfer with a character that the encoding lacks.
pub fn write_csv(instructions: &[Instruction], payer: &Payer, encoding: Encoding) -> Written {
    table::write(COLUMNS, instructions, payer, encoding)
}

pub(crate) fn identity(of: &Instruction) -> Identity<'_> {
    Identity::of(&of.actual_payer.inn)
}

/// Returns the payment code of a payment to the budget, or nothing.
pub(crate) fn payment_code(of: &Instruction) -> String {
    match of.remittance() {
        Remittance::Budget { code, .. } => code.as_str().to_owned(),
        Remittance::Text(_) => String::new(),
    }
}

/// Returns the revenue code of a payment to the budget, or nothing.
pub(crate) fn revenue_code(of: &Instruction) -> String {
    match of.remittance() {
        Remittance::Budget { revenue, .. } => {
            revenue.map_or_else(String::new, |code| code.as_str().to_owned())
        }
        Remittance::Text(_) => String::new(),
    }
}

/// Returns the purpose without the payment code.
pub(crate) fn text(of: &Instruction) -> String {
    match of.remittance() {
        Remittance::Budget { text, .. } | Remittance::Text(text) => text.to_owned(),
    }
}
