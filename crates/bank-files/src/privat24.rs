//! The table of Privat24 for business.
//!
//! PrivatBank publishes no layout of a table to import. The columns have the names of the fields with which its interface «Автоклієнт»
//! (version 3.0.0) takes a payment, so a person who maps columns finds each. `docs/bank-files.md` names what is not confirmed.

use crate::instruction::{Instruction, Payer};
use crate::listing::{identity, payment_code, revenue_code, text};
use crate::table::{self, Column, Encoding, Written};

/// The columns, in their order.
pub(crate) const COLUMNS: &[Column] = &[
    ("document_number", |of, _| of.document_number.to_string()),
    ("payment_date", |of, _| day(of)),
    ("payment_accept_date", |of, _| day(of)),
    ("payer_account", |_, payer| payer.iban.as_str().to_owned()),
    ("payer_nceo", |_, payer| payer.code.as_str().to_owned()),
    ("payer_name", |_, payer| payer.name.clone()),
    ("recipient_account", |of, _| {
        of.payee.iban.as_str().to_owned()
    }),
    ("recipient_nceo", |of, _| of.payee.okpo.as_str().to_owned()),
    ("payment_naming", |of, _| of.payee.name.as_str().to_owned()),
    ("payment_amount", |of, _| of.amount.decimal()),
    ("payment_ccy", |_, _| "UAH".to_owned()),
    ("payment_destination", |of, _| text(of)),
    ("struct_code", |of, _| payment_code(of)),
    ("struct_type", |of, _| revenue_code(of)),
    ("payer_ultmt_nceo", |of, _| identity(of).code.to_owned()),
    ("payer_ultmt_document_series", |of, _| {
        identity(of).series.to_owned()
    }),
    ("payer_ultmt_document_number", |of, _| {
        identity(of).number.to_owned()
    }),
    ("payer_ultmt_document_id_number", |of, _| {
        identity(of).id_card.to_owned()
    }),
    ("payer_ultmt_name", |of, _| {
        of.actual_payer.name.as_str().to_owned()
    }),
];

/// How Privat24 writes a day.
pub(crate) const DAY: &str = "%d.%m.%Y";

fn day(of: &Instruction) -> String {
    of.value_date.strftime(DAY).to_string()
}

/// Writes the table.
///
/// # Errors
/// The first transfer with a character that the encoding lacks.
pub fn write_privat24(instructions: &[Instruction], payer: &Payer, encoding: Encoding) -> Written {
    table::write(COLUMNS, instructions, payer, encoding)
}
