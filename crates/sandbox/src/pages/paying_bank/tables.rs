//! The tables of the paying bank's page: payments, files, balances and the ledger.

use maud::{Markup, html};

use super::{PATH, RETURNS, language};
use crate::pages::frame::View;
use crate::paying_bank::{
    AnswerResult, BookingKind, PayingBank, Payment, PaymentStatus, Side, TakenFile,
};

/// Rows in each table.
const SHOWN_MAX: usize = 50;

fn section(view: View, title: (&str, &str), empty: (&str, &str), table: Option<Markup>) -> Markup {
    let title = view.say(title.0, title.1);
    html! {
        h2 { (title) }
        @match table {
            Some(table) => div.scroll tabindex="0" role="region" aria-label=(title) { (table) },
            None => p.empty { (view.say(empty.0, empty.1)) },
        }
    }
}

/// The payments, the newest first, and what shall happen to each.
pub(super) fn payments(view: View, bank: &PayingBank) -> Markup {
    let rows = bank.payments();
    let table = (!rows.is_empty()).then(|| {
        html! { table {
            thead { tr {
                th scope="col" { (view.say("Документ", "Document")) }
                th.figure scope="col" { (view.say("Сума", "Sum")) }
                th scope="col" { (view.say("Отримувач", "Recipient")) }
                th scope="col" { (view.say("Статус", "Status")) }
                th scope="col" { (view.say("Що зробити з платежем", "What to do with it")) }
            } }
            tbody { @for payment in rows.iter().rev().take(SHOWN_MAX) { tr {
                td.number { "№ " (payment.instruction.document_number) }
                td.figure { (view.sum(payment.instruction.amount)) }
                td.purpose {
                    (payment.instruction.recipient_name) br;
                    span.number { (payment.instruction.recipient_account) } br;
                    span.hint { (payment.instruction.purpose) }
                }
                td.state-cell { (status(view, &payment.status)) }
                td { (orders(view, bank, payment)) }
            } } }
        } }
    });
    section(
        view,
        ("Платежі", "Payments"),
        ("Платежів ще немає.", "No payments yet."),
        table,
    )
}

fn status(view: View, status: &PaymentStatus) -> Markup {
    html! {
        @match status {
            PaymentStatus::Waiting => { (view.say("прийнято, чекає", "taken, waits")) }
            PaymentStatus::Credited { credited_on } => {
                (view.say("зараховано", "credited")) " " (credited_on.strftime("%d.%m.%Y"))
            }
            PaymentStatus::Returned { returned_on, reason, .. } => {
                (view.say("повернено", "returned")) " " (returned_on.strftime("%d.%m.%Y")) br;
                span.hint { (reason.code) ": " (reason.text) }
            }
        }
    }
}

/// A form that lets the payment come back on the next day of the bank.
fn orders(view: View, bank: &PayingBank, payment: &Payment) -> Markup {
    let number = &payment.instruction.document_number;
    let is_credited = match payment.status {
        PaymentStatus::Waiting => false,
        PaymentStatus::Credited { .. } => true,
        PaymentStatus::Returned { .. } => return html! { "—" },
    };
    let ordered = bank
        .rulings()
        .get(number)
        .and_then(|ruling| ruling.sends_back.as_ref());
    let field = format!("return-{number}");
    html! {
        form.order method="post" action={ (PATH) "/rule" } {
            (language(view))
            input type="hidden" name="document" value=(number);
            input type="hidden" name="credited" value=(is_credited);
            label.visually-hidden for=(field) { (view.say("Платіж", "Payment")) " № " (number) }
            select id=(field) name="code" {
                option value="" { (view.say("за рахунком і кодом", "as account and code say")) }
                @for (code, uk, en) in RETURNS {
                    option value=(code) selected[ordered.is_some_and(|ordered| ordered.code == code)] {
                        (view.say("повернути", "return")) ": " (view.say(uk, en))
                    }
                }
            }
            button.small type="submit" { (view.say("Зберегти", "Save")) }
        }
    }
}

/// The files, the newest first, with what was refused.
pub(super) fn files(view: View, bank: &PayingBank) -> Markup {
    let rows = bank.files();
    let table = (!rows.is_empty()).then(|| {
        html! { table {
            thead { tr {
                th scope="col" { (view.say("Файл", "File")) }
                th scope="col" { (view.say("Формат", "Format")) }
                th scope="col" { (view.say("Прийнято", "Taken")) }
                th scope="col" { (view.say("Відмовлено", "Refused")) }
                th scope="col" { (view.say("Звіт", "Report")) }
            } }
            tbody { @for file in rows.iter().rev().take(SHOWN_MAX) { tr {
                td { (file.name) br; span.hint { (view.moment(file.taken_at)) } }
                td { (file.format.name()) }
                td { (counts(view, file)) }
                td.purpose { (refusals(file)) }
                td { a href={ (PATH) "/files/" (file.id) "/pain.002.xml" } download { "pain.002.xml" } }
            } } }
        } }
    });
    section(
        view,
        ("Файли", "Files"),
        ("Файлів ще немає.", "No files yet."),
        table,
    )
}

fn counts(view: View, file: &TakenFile) -> String {
    let count = |is_counted: fn(&AnswerResult) -> bool| {
        let answers = file.answers.iter();
        answers.filter(|answer| is_counted(&answer.result)).count()
    };
    let taken = count(|result| matches!(result, AnswerResult::Taken { .. }));
    let before = count(|result| matches!(result, AnswerResult::TakenBefore { .. }));
    if before == 0 {
        taken.to_string()
    } else {
        format!("{taken}, {} {before}", view.say("раніше", "before"))
    }
}

fn refusals(file: &TakenFile) -> Markup {
    let refused: Vec<_> = file
        .answers
        .iter()
        .filter_map(|answer| match &answer.result {
            AnswerResult::Refused { reason } => Some((&answer.document_number, reason)),
            _ => None,
        })
        .collect();
    html! {
        @if refused.is_empty() { "—" }
        @for (number, reason) in refused.iter().take(SHOWN_MAX) { p { "№ " (number) ": " (reason.code) ", " (reason.text) } }
    }
}

/// The balances of all accounts.
pub(super) fn accounts(view: View, bank: &PayingBank) -> Markup {
    let own = bank.customer();
    let table = html! { table {
        thead { tr {
            th scope="col" { (view.say("Рахунок", "Account")) }
            th.figure scope="col" { (view.say("Залишок", "Balance")) }
        } }
        tbody { @for (iban, balance) in bank.balances() { tr {
            td { span.number { (iban) } @if iban == own.iban { br; span.hint { (own.name) } } }
            td.figure { (view.sum(balance)) }
        } } }
    } };
    section(view, ("Рахунки", "Accounts"), ("", ""), Some(table))
}

/// The newest lines of the ledger, the newest first.
pub(super) fn ledger(view: View, bank: &PayingBank) -> Markup {
    let rows = bank.bookings();
    let table = (!rows.is_empty()).then(|| {
        html! { table {
            thead { tr {
                th scope="col" { (view.say("Коли", "When")) }
                th scope="col" { (view.say("Рахунок", "Account")) }
                th scope="col" { (view.say("Що", "What")) }
                th.figure scope="col" { (view.say("Сума", "Sum")) }
                th scope="col" { (view.say("Документ", "Document")) }
                th scope="col" { (view.say("Повідомлення", "Notification")) }
            } }
            tbody { @for booking in rows.iter().rev().take(SHOWN_MAX) { tr {
                td { (view.moment(booking.at)) }
                td.number { (booking.account) }
                td {
                    @match booking.side {
                        Side::Debit => { (view.say("списано", "debited")) }
                        Side::Credit => { (view.say("зараховано", "credited")) }
                    }
                    @if booking.kind == BookingKind::Return { ", " (view.say("повернення", "return")) }
                }
                td.figure { (view.sum(booking.amount)) }
                td.number { "№ " (booking.document_number) }
                td { a href={ (PATH) "/bookings/" (booking.number) "/camt.054.xml" } download { "camt.054.xml" } }
            } } }
        } }
    });
    section(
        view,
        ("Книга банку", "The bank's ledger"),
        ("Записів ще немає.", "No entries yet."),
        table,
    )
}
