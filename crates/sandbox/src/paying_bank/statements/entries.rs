//! `camt.053.001.08`, the statement of a day, and `camt.054.001.08`, notifications of single bookings.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{date_time, document, reason};
use crate::paying_bank::instruction::decimal;
use crate::paying_bank::state::{Booking, BookingKind, PayingBank, Payment, Side};
use crate::paying_bank::xml::Element;

/// Returns the statement of the customer's account for a day.
pub(crate) fn statement(bank: &PayingBank, day: Date, now: Timestamp) -> Element {
    let own = &bank.customer().iban;
    let mut parts = vec![
        Element::leaf("Id", format!("STATEMENT-{day}")),
        Element::leaf("CreDtTm", date_time(now)),
        Element::node(
            "FrToDt",
            [
                Element::leaf("FrDtTm", format!("{day}T00:00:00")),
                Element::leaf("ToDtTm", format!("{day}T23:59:59")),
            ],
        ),
        account(bank, own),
        balance(
            "OPBD",
            bank.balance(own, |booking| booking.booked_on < day),
            day,
        ),
        balance(
            "CLBD",
            bank.balance(own, |booking| booking.booked_on <= day),
            day,
        ),
    ];
    let bookings = bank.bookings().iter();
    let of_day = bookings.filter(|booking| booking.account == *own && booking.booked_on == day);
    parts.extend(of_day.filter_map(|booking| entry(bank, booking)));
    let content = [
        header(format!("STATEMENT-{day}-{}", now.as_second()), now),
        Element::node("Stmt", parts),
    ];
    document("camt.053.001.08", Element::node("BkToCstmrStmt", content))
}

/// Returns a message with a notification for each booking, on the account that it books.
pub(crate) fn notification(bank: &PayingBank, bookings: &[&Booking], now: Timestamp) -> Element {
    let id = match bookings {
        [only] => format!("BOOKING-{}", only.number),
        _ => "BOOKINGS".to_owned(),
    };
    let mut content = vec![header(format!("{id}-{}", now.as_second()), now)];
    content.extend(bookings.iter().filter_map(|booking| {
        Some(Element::node(
            "Ntfctn",
            [
                Element::leaf("Id", format!("BOOKING-{}", booking.number)),
                Element::leaf("CreDtTm", date_time(now)),
                account(bank, &booking.account),
                entry(bank, booking)?,
            ],
        ))
    }));
    document(
        "camt.054.001.08",
        Element::node("BkToCstmrDbtCdtNtfctn", content),
    )
}

fn header(id: String, now: Timestamp) -> Element {
    Element::node(
        "GrpHdr",
        [
            Element::leaf("MsgId", id),
            Element::leaf("CreDtTm", date_time(now)),
        ],
    )
}

fn account(bank: &PayingBank, iban: &str) -> Element {
    let mut parts = vec![Element::path("Id/IBAN", iban), Element::leaf("Ccy", "UAH")];
    if iban == bank.customer().iban {
        parts.push(Element::path("Ownr/Nm", &bank.customer().name));
    }
    Element::node("Acct", parts)
}

fn amount(kopiykas: i64) -> Element {
    Element::leaf("Amt", decimal(kopiykas)).with("Ccy", "UAH")
}

fn side(side: Side) -> Element {
    let code = match side {
        Side::Debit => "DBIT",
        Side::Credit => "CRDT",
    };
    Element::leaf("CdtDbtInd", code)
}

fn balance(kind: &str, kopiykas: i64, day: Date) -> Element {
    let direction = if kopiykas < 0 {
        Side::Debit
    } else {
        Side::Credit
    };
    Element::node(
        "Bal",
        [
            Element::path("Tp/CdOrPrtry/Cd", kind),
            amount(kopiykas.saturating_abs()),
            side(direction),
            Element::path("Dt/Dt", day.to_string()),
        ],
    )
}

/// Issued or received credit transfers, and their returns (ISO 20022, bank transaction codes).
fn transaction_code(booking: &Booking) -> Element {
    let (family, sub_family) = match (booking.kind, booking.side) {
        (BookingKind::Payment, Side::Debit) => ("ICDT", "DMCT"),
        (BookingKind::Payment, Side::Credit) => ("RCDT", "DMCT"),
        (BookingKind::Return, Side::Credit) => ("ICDT", "RRTN"),
        (BookingKind::Return, Side::Debit) => ("RCDT", "RRTN"),
    };
    let family = [
        Element::leaf("Cd", family),
        Element::leaf("SubFmlyCd", sub_family),
    ];
    let domain = [Element::leaf("Cd", "PMNT"), Element::node("Fmly", family)];
    Element::node("BkTxCd", [Element::node("Domn", domain)])
}

/// `None`: the booking has no payment, which never happens.
fn entry(bank: &PayingBank, booking: &Booking) -> Option<Element> {
    let payment = bank.payment(&booking.uetr)?;
    let details = details(bank, booking, payment);
    Some(Element::node(
        "Ntry",
        [
            Element::leaf("NtryRef", booking.number.to_string()),
            amount(booking.amount),
            side(booking.side),
            Element::leaf("RvslInd", (booking.kind == BookingKind::Return).to_string()),
            Element::path("Sts/Cd", "BOOK"),
            Element::path("BookgDt/Dt", booking.booked_on.to_string()),
            Element::path("ValDt/Dt", booking.booked_on.to_string()),
            Element::leaf("AcctSvcrRef", &booking.reference),
            transaction_code(booking),
            Element::node("NtryDtls", [details]),
        ],
    ))
}

fn details(bank: &PayingBank, booking: &Booking, payment: &Payment) -> Element {
    let instruction = &payment.instruction;
    let mut references = vec![Element::leaf("AcctSvcrRef", &booking.reference)];
    if !instruction.instruction_id.is_empty() {
        references.push(Element::leaf("InstrId", &instruction.instruction_id));
    }
    references.push(Element::leaf("EndToEndId", &instruction.document_number));
    references.push(Element::leaf("UETR", &payment.uetr));
    let customer = bank.customer();
    // The parties of the original payment, also of one that comes back.
    let parties = [
        Element::path("Dbtr/Pty/Nm", &customer.name),
        Element::path("DbtrAcct/Id/IBAN", &customer.iban),
        Element::path("Cdtr/Pty/Nm", &instruction.recipient_name),
        Element::path("CdtrAcct/Id/IBAN", &instruction.recipient_account),
    ];
    let words: Vec<char> = instruction.purpose.chars().collect();
    let pieces = words
        .chunks(140)
        .map(|piece| Element::leaf("Ustrd", piece.iter().collect::<String>()));
    let mut parts = vec![
        Element::node("Refs", references),
        amount(booking.amount),
        side(booking.side),
        Element::node("RltdPties", parties),
        Element::node("RmtInf", pieces),
    ];
    parts.extend(booking.reason.iter().map(|why| reason("RtrInf", why)));
    Element::node("TxDtls", parts)
}
