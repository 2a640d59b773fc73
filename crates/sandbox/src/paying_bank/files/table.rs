//! Tables: that of `PrivatBank`'s Autoclient, and the cabinet's own.

use jiff::civil::Date;

use super::{FileError, Format, Message};
use crate::paying_bank::instruction::Unchecked;

type ReadRow = fn(&Row<'_>) -> Result<Unchecked, FileError>;

/// Reads a table. Its header tells which one it is.
pub(super) fn read(text: &str) -> Result<Message, FileError> {
    let header = text.lines().next().unwrap_or_default();
    let separator = if header.contains(';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let columns = reader.headers().map_err(|_| FileError::Unknown)?.clone();
    let has = |name: &str| columns.iter().any(|column| column == name);
    let (format, take): (Format, ReadRow) = if has("transfer_id") {
        (Format::CabinetCsv, of_cabinet)
    } else if has("payer_account") {
        (Format::Privat24, of_privat24)
    } else {
        return Err(FileError::Unknown);
    };
    let mut instructions = Vec::new();
    for (place, record) in reader.records().enumerate() {
        // The header is row 1.
        let record = record.map_err(|_| FileError::Row(place + 2))?;
        instructions.push(take(&Row {
            columns: &columns,
            record: &record,
        })?);
    }
    Ok(Message {
        format,
        id: None,
        instructions,
    })
}

struct Row<'a> {
    columns: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl Row<'_> {
    fn cell(&self, name: &'static str) -> Result<String, FileError> {
        let place = self.columns.iter().position(|column| column == name);
        let place = place.ok_or(FileError::ColumnMissing(name))?;
        Ok(self.record.get(place).unwrap_or_default().to_owned())
    }
}

fn of_privat24(row: &Row<'_>) -> Result<Unchecked, FileError> {
    Ok(Unchecked {
        document_number: row.cell("document_number")?,
        instruction_id: String::new(),
        value_date: Date::strptime("%d.%m.%Y", row.cell("payment_accept_date")?).ok(),
        amount: row.cell("payment_amount")?,
        currency: row.cell("payment_ccy")?,
        payer_account: row.cell("payer_account")?,
        payer_code: row.cell("payer_nceo")?,
        recipient_name: row.cell("payment_naming")?,
        recipient_account: row.cell("recipient_account")?,
        recipient_code: row.cell("recipient_nceo")?,
        recipient_bank: String::new(),
        purpose: row.cell("payment_destination")?,
        payment_code: row.cell("struct_code")?,
        revenue_code: row.cell("struct_type")?,
        actual_payer_name: row.cell("payer_ultmt_name")?,
    })
}

fn of_cabinet(row: &Row<'_>) -> Result<Unchecked, FileError> {
    Ok(Unchecked {
        document_number: row.cell("document_number")?,
        instruction_id: row.cell("transfer_id")?,
        value_date: row.cell("value_date")?.parse().ok(),
        amount: row.cell("amount")?,
        currency: "UAH".to_owned(),
        payer_account: row.cell("payer_iban")?,
        payer_code: row.cell("payer_code")?,
        recipient_name: row.cell("recipient_name")?,
        recipient_account: row.cell("recipient_iban")?,
        recipient_code: row.cell("recipient_code")?,
        recipient_bank: String::new(),
        purpose: row.cell("purpose_text")?,
        payment_code: row.cell("payment_code")?,
        revenue_code: row.cell("budget_code")?,
        actual_payer_name: row.cell("actual_payer_name")?,
    })
}
