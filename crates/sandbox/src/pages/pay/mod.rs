//! The acquirer's payment page.

pub(super) mod challenge;
mod form;

use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};

use self::form::{CardForm, Problems};
pub(super) use self::form::{effect, grouped};
use super::frame::{LanguageQuery, View};
use crate::bank::{ChargeResult, Invoice, InvoiceKind, PayError, Status};
use crate::sandbox::Sandbox;

/// Seconds after which the page of a processing payment reloads.
const LOOK_AGAIN_SECONDS: u32 = 2;

/// Shows the form while an invoice can be paid, and its status afterwards.
pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    let found = sandbox.with_bank(|bank, now| {
        bank.invoice(&id, now)
            .map(|invoice| (invoice.clone(), invoice.is_payable(now)))
    });
    match found {
        None => unknown(view),
        Some((invoice, true)) => form_page(
            view,
            &sandbox,
            &invoice,
            StatusCode::OK,
            &CardForm::default(),
            &Problems::default(),
        ),
        Some((invoice, false)) if invoice.is_challenged() => {
            Redirect::to(&view.href(&format!("/pay/{id}/3ds"))).into_response()
        }
        Some((invoice, false)) => closed_page(view, &invoice),
    }
}

/// Handles the submitted form.
pub(super) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(form): Form<CardForm>,
) -> Response {
    let view = View::of(form.lang.as_deref(), &headers);
    let here = view.href(&format!("/pay/{id}"));
    let found = sandbox.with_bank(|bank, now| {
        bank.invoice(&id, now)
            .map(|invoice| (invoice.clone(), invoice.is_payable(now)))
    });
    let invoice = match found {
        None => return unknown(view),
        // It was paid or closed meanwhile, in another tab perhaps. The page says which.
        Some((_, false)) => return Redirect::to(&here).into_response(),
        Some((invoice, true)) => invoice,
    };
    let card = match form.read(view, sandbox.now()) {
        Ok(card) => card,
        Err(problems) => {
            return form_page(
                view,
                &sandbox,
                &invoice,
                StatusCode::UNPROCESSABLE_ENTITY,
                &form,
                &problems,
            );
        }
    };
    match sandbox.charge(&id, &card, form.save.is_some()) {
        Ok(ChargeResult::Success | ChargeResult::Processing) => to_merchant(&invoice, &here),
        Ok(ChargeResult::Challenged) => {
            Redirect::to(&view.href(&format!("/pay/{id}/3ds"))).into_response()
        }
        Ok(ChargeResult::Declined) if !invoice.takes_several_cards() => {
            to_merchant(&invoice, &here)
        }
        Ok(ChargeResult::Declined) | Err(PayError::NotPayable(_)) => {
            Redirect::to(&here).into_response()
        }
        Err(PayError::Unknown) => unknown(view),
    }
}

/// Redirects to the merchant's page, if the invoice names one.
fn to_merchant(invoice: &Invoice, otherwise: &str) -> Response {
    Redirect::to(invoice.redirect_url.as_deref().unwrap_or(otherwise)).into_response()
}

fn unknown(view: View) -> Response {
    let title = view.say("Такого рахунку немає", "There is no such invoice");
    let content = html! {
        section.sheet {
            h1 { (title) }
            p { (view.say("Перевірте посилання або почніть оплату в магазині ще раз.", "Check the link, or start the payment in the shop again.")) }
        }
    };
    view.bank_page(StatusCode::NOT_FOUND, title, "/", None, &content)
}

/// Shows what is paid for, how much and to whom.
fn summary(view: View, sandbox: &Sandbox, invoice: &Invoice) -> Markup {
    let checks_only = invoice.kind == InvoiceKind::Verification;
    html! {
        section.summary aria-labelledby="summary-title" {
            @if invoice.kind == InvoiceKind::LiqPay { p.bank-name { "LiqPay" } }
            h1 #summary-title {
                @if checks_only { (view.say("Перевірка картки", "Card check")) } @else { (view.say("Оплата рахунку", "Payment")) }
            }
            p.sum { (view.sum(invoice.amount)) }
            @if checks_only {
                p { (view.say("Картку буде збережено. Гроші не списуються.", "The card will be saved. Nothing is charged.")) }
            }
            dl {
                dt { (view.say("Отримувач", "Receiver")) }
                dd { (sandbox.settings().merchant_name) }
                @if let Some(destination) = &invoice.destination {
                    dt { (view.say("Призначення", "Purpose")) }
                    dd { (destination) }
                }
                @if let Some(until) = invoice.valid_until {
                    dt { (view.say("Сплатити до", "Pay until")) }
                    dd { (view.until(until)) }
                }
            }
        }
    }
}

fn form_page(
    view: View,
    sandbox: &Sandbox,
    invoice: &Invoice,
    status: StatusCode,
    form: &CardForm,
    problems: &Problems,
) -> Response {
    let title = view.say("Оплата карткою", "Pay by card");
    let title = if problems.is_empty() {
        title.to_owned()
    } else {
        format!("{} {title}", view.say("Помилка:", "Error:"))
    };
    let content = html! {
        div.payment {
            (summary(view, sandbox, invoice))
            section.card-form aria-labelledby="form-title" {
                h2 #form-title { (view.say("Дані картки", "Card details")) }
                @if problems.is_empty() && invoice.status == Status::Failure { (declined(view, invoice)) }
                (form.markup(view, invoice, problems))
            }
        }
    };
    view.bank_page(
        status,
        &title,
        &format!("/pay/{}", invoice.id),
        None,
        &content,
    )
}

/// Says why the last card was declined, and that another one may be tried.
fn declined(view: View, invoice: &Invoice) -> Markup {
    let (code, text) = invoice.failure.clone().unwrap_or_default();
    let reason = match code.as_str() {
        "59" => view.say(
            "На картці недостатньо коштів.",
            "There is not enough money on the card.",
        ),
        "55" => view.say("Банк відхилив картку.", "The bank declined the card."),
        "1419" => view.say("Строк дії картки минув.", "The card has expired."),
        "61" => view.say(
            "Перевищено ліміт картки.",
            "A limit of the card is reached.",
        ),
        "54" => view.say("Збій у платіжній службі.", "The payment service failed."),
        "8001" => view.say("Час на оплату минув.", "The time to pay ran out."),
        "1034" => view.say(
            "Платіж не підтверджено в банку.",
            "The payment was not confirmed at the bank.",
        ),
        _ => &text,
    };
    html! {
        div.alert role="alert" {
            p { strong { (view.say("Оплата не пройшла.", "The payment did not go through.")) } " " (reason) " " (view.say("Гроші не списано.", "Nothing was charged.")) }
            p { (view.say("Спробуйте іншу картку", "Try another card"))
                @if let Some(address) = &invoice.redirect_url {
                    " " (view.say("або", "or")) " " a href=(address) { (view.say("поверніться до магазину", "return to the shop")) }
                }
                "." }
        }
    }
}

/// The page of an invoice that is paid, processing or closed.
fn closed_page(view: View, invoice: &Invoice) -> Response {
    let (mark, title, text) = match invoice.status {
        Status::Success => (
            "done",
            view.say("Рахунок сплачено", "The invoice is paid"),
            view.say("Повторна оплата не потрібна.", "It need not be paid again."),
        ),
        Status::Processing => (
            "busy",
            view.say("Платіж обробляється", "The payment is being processed"),
            view.say("Не сплачуйте вдруге. Сторінка оновиться сама.", "Do not pay again. This page renews itself."),
        ),
        Status::Reversed => (
            "closed",
            view.say("Кошти повернено", "The money was given back"),
            view.say("Цей рахунок закрито.", "This invoice is closed."),
        ),
        Status::Created | Status::Failure | Status::Expired => (
            "closed",
            view.say("Рахунок більше не дійсний", "The invoice is no longer valid"),
            view.say(
                "Час на оплату минув, або магазин його скасував. Отримайте нове посилання в магазині.",
                "Its time is over, or the shop has cancelled it. Get a new link in the shop.",
            ),
        ),
    };
    let refresh = (invoice.status == Status::Processing).then_some(LOOK_AGAIN_SECONDS);
    let content = html! {
        section.sheet {
            p.mark.(mark) aria-hidden="true" {}
            h1 { (title) }
            p { (text) }
            @if invoice.amount > 0 { p.sum { (view.sum(invoice.amount)) } }
            @if let Some(address) = &invoice.redirect_url {
                p { a.button href=(address) { (view.say("Повернутися до магазину", "Return to the shop")) } }
            }
        }
    };
    view.bank_page(
        StatusCode::OK,
        title,
        &format!("/pay/{}", invoice.id),
        refresh,
        &content,
    )
}
