//! The bank's page where the holder confirms a payment (3-D Secure).

use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::html;
use serde::Deserialize;

use super::{to_merchant, unknown};
use crate::bank::Invoice;
use crate::pages::frame::{LanguageQuery, View};
use crate::sandbox::Sandbox;

pub(in crate::pages) async fn show(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    match sandbox.with_bank(|bank, now| bank.invoice(&id, now).cloned()) {
        None => unknown(view),
        Some(invoice) if invoice.is_challenged() => page(view, &sandbox, &invoice),
        Some(_) => Redirect::to(&view.href(&format!("/pay/{id}"))).into_response(),
    }
}

fn page(view: View, sandbox: &Sandbox, invoice: &Invoice) -> Response {
    let title = view.say("Підтвердьте оплату", "Confirm the payment");
    let card = invoice
        .payment
        .as_ref()
        .map(|payment| payment.card.masked_pan.clone())
        .unwrap_or_default();
    let content = html! {
        section.sheet {
            p.bank-name { (view.say("Тестовий банк · 3-D Secure", "Test bank · 3-D Secure")) }
            h1 { (title) }
            p.sum { (view.sum(invoice.amount)) }
            dl {
                dt { (view.say("Отримувач", "Receiver")) }
                dd { (sandbox.settings().merchant_name) }
                dt { (view.say("Картка", "Card")) }
                dd { (card) }
            }
            form method="post" action={ "/pay/" (invoice.id) "/3ds" } {
                input type="hidden" name="lang" value=(view.locale.code());
                button.button.main type="submit" name="answer" value="confirm" { (view.say("Підтвердити", "Confirm")) }
                button.button.quiet type="submit" name="answer" value="deny" { (view.say("Відхилити", "Deny")) }
            }
            p.aside { (view.say("Справжній банк просить код або підтвердження в застосунку.", "A real bank asks for a code or a confirmation in its app.")) }
        }
    };
    view.bank_page(
        StatusCode::OK,
        title,
        &format!("/pay/{}/3ds", invoice.id),
        None,
        &content,
    )
}

/// The holder's answer.
#[derive(Deserialize)]
pub(in crate::pages) struct Answer {
    answer: String,
    lang: Option<String>,
}

pub(in crate::pages) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(form): Form<Answer>,
) -> Response {
    let view = View::of(form.lang.as_deref(), &headers);
    let here = view.href(&format!("/pay/{id}"));
    let confirmed = form.answer == "confirm";
    let answered = sandbox.answer_challenge(&id, confirmed);
    let Some(invoice) = sandbox.with_bank(|bank, now| bank.invoice(&id, now).cloned()) else {
        return unknown(view);
    };
    let has_form = invoice.takes_several_cards();
    match answered {
        // After a refusal another card can be tried, except for a saved card, which has no form, and at LiqPay.
        Ok(_) if !confirmed && has_form => Redirect::to(&here).into_response(),
        Ok(_) => to_merchant(&invoice, &here),
        Err(_) => Redirect::to(&here).into_response(),
    }
}
