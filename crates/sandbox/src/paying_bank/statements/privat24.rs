//! The statement of a day as a table with the field names of `PrivatBank`'s Autoclient.

use jiff::civil::Date;

use crate::paying_bank::instruction::decimal;
use crate::paying_bank::state::{Booking, PayingBank, Side};

const COLUMNS: [&str; 16] = [
    "AUT_MY_ACC",
    "AUT_CNTR_CRF",
    "AUT_CNTR_ACC",
    "AUT_CNTR_NAM",
    "CCY",
    "FL_REAL",
    "PR_PR",
    "NUM_DOC",
    "DAT_KL",
    "DAT_OD",
    "OSND",
    "SUM",
    "REF",
    "REFN",
    "TRANTYPE",
    "UETR",
];

/// Returns the bookings of the customer's account on a day.
pub(crate) fn table(bank: &PayingBank, day: Date) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b';')
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    let own = &bank.customer().iban;
    let bookings = bank.bookings().iter();
    for booking in bookings.filter(|booking| booking.account == *own && booking.booked_on == day) {
        if let Some(row) = row(bank, booking) {
            writer.write_record(row)?;
        }
    }
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// `None`: the booking has no payment, which never happens.
fn row(bank: &PayingBank, booking: &Booking) -> Option<[String; 16]> {
    let instruction = &bank.payment(&booking.uetr)?.instruction;
    let day = booking.booked_on.strftime("%d.%m.%Y").to_string();
    // The reference has two parts here, of which the second is one digit.
    let (reference, part) = booking
        .reference
        .split_at(booking.reference.len().saturating_sub(1));
    let purpose = match &booking.reason {
        Some(reason) => format!(
            "Повернення платежу № {}: {} {}",
            booking.document_number, reason.code, reason.text
        ),
        None => instruction.purpose.clone(),
    };
    let side = match booking.side {
        Side::Debit => "D",
        Side::Credit => "C",
    };
    Some([
        booking.account.clone(),
        instruction.recipient_code.clone(),
        instruction.recipient_account.clone(),
        instruction.recipient_name.clone(),
        "UAH".to_owned(),
        "r".to_owned(),
        "r".to_owned(),
        booking.document_number.clone(),
        day.clone(),
        day,
        purpose,
        decimal(booking.amount),
        reference.to_owned(),
        part.to_owned(),
        side.to_owned(),
        booking.uetr.clone(),
    ])
}
