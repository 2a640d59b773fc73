//! The invoices and the ledger.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use jiff::Timestamp;
use maud::{Markup, html};

use super::frame::{LanguageQuery, View};
use crate::bank::{Invoice, LedgerEntry, LedgerKind, Status};
use crate::sandbox::Sandbox;

/// Rows in each table.
const SHOWN_MAX: usize = 50;

pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    let now = sandbox.now();
    let invoices: Vec<Invoice> = sandbox.with_bank(|bank, now| {
        bank.invoices(now)
            .iter()
            .rev()
            .take(SHOWN_MAX)
            .cloned()
            .collect()
    });
    let ledger = sandbox.ledger();
    let title = view.say("Платежі", "Payments");
    let content = html! {
        h1 { (title) }
        h2 { (view.say("Рахунки", "Invoices")) }
        @if invoices.is_empty() { p.empty { (view.say("Рахунків ще немає.", "No invoices yet.")) } }
        @else { (invoice_table(view, &invoices, now)) }
        h2 { (view.say("Книга списань і повернень", "Ledger of charges and refunds")) }
        @if ledger.is_empty() { p.empty { (view.say("Записів ще немає.", "No entries yet.")) } }
        @else { (ledger_table(view, &ledger)) }
    };
    view.page(title, "/payments", None, &content)
}

fn invoice_table(view: View, invoices: &[Invoice], now: Timestamp) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(view.say("Рахунки", "Invoices")) {
            table {
                thead { tr {
                    th scope="col" { (view.say("Рахунок", "Invoice")) }
                    th scope="col" { (view.say("Статус", "Status")) }
                    th.figure scope="col" { (view.say("Сума", "Sum")) }
                    th scope="col" { (view.say("Призначення", "Purpose")) }
                    th scope="col" { (view.say("Змінено", "Changed")) }
                } }
                tbody { @for invoice in invoices { tr {
                    td.number {
                        @if invoice.is_payable(now) { a href=(view.href(&format!("/pay/{}", invoice.id))) { (invoice.id) } }
                        @else { (invoice.id) }
                    }
                    td { (status(view, invoice.status)) }
                    td.figure { (view.sum(invoice.amount)) }
                    td.purpose { (invoice.destination.as_deref().unwrap_or("—")) }
                    td { (view.moment(invoice.modified_at)) }
                } } }
            }
        }
    }
}

/// The newest lines of the ledger, the newest first.
fn ledger_table(view: View, ledger: &[LedgerEntry]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(view.say("Книга", "Ledger")) {
            table {
                thead { tr {
                    th scope="col" { (view.say("Коли", "When")) }
                    th scope="col" { (view.say("Що", "What")) }
                    th.figure scope="col" { (view.say("Сума", "Sum")) }
                    th scope="col" { (view.say("Рахунок", "Invoice")) }
                    th scope="col" { (view.say("Позначка магазину", "Shop's reference")) }
                } }
                tbody { @for entry in ledger.iter().rev().take(SHOWN_MAX) { tr {
                    td { (view.moment(entry.at)) }
                    td { @match entry.kind {
                        LedgerKind::Charge => { (view.say("списання", "charge")) }
                        LedgerKind::Refund => { (view.say("повернення", "refund")) }
                    } }
                    td.figure { (view.sum(entry.amount)) }
                    td.number { (entry.invoice_id) }
                    td.number { (entry.reference) }
                } } }
            }
        }
    }
}

fn status(view: View, status: Status) -> &'static str {
    match status {
        Status::Created => view.say("чекає на оплату", "waiting"),
        Status::Processing => view.say("обробляється", "processing"),
        Status::Success => view.say("сплачено", "paid"),
        Status::Failure => view.say("відмова", "declined"),
        Status::Reversed => view.say("повернено", "given back"),
        Status::Expired => view.say("закрито", "closed"),
    }
}
