//! The overview: ringing calls, the latest messages, test cards and the test interface.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};

use super::frame::{LanguageQuery, View};
use super::inbox::{self, LOOK_AGAIN_SECONDS};
use super::pay::{effect, grouped};
use super::phone::ringing_phone_call;
use crate::bank::TestCard;
use crate::sandbox::Sandbox;

/// Messages on the page.
const SHOWN_MAX: usize = 5;

/// The calls of the test interface that the page lists.
const INTERFACE: [(&str, &str); 21] = [
    ("GET", "/sandbox/messages?phone="),
    ("GET", "/sandbox/letters"),
    ("GET", "/sandbox/ledger"),
    ("GET", "/sandbox/invoices?reference="),
    ("POST", "/sandbox/invoices/{invoiceId}/pay"),
    ("POST", "/sandbox/invoices/{invoiceId}/three-d-secure"),
    ("POST", "/sandbox/wallets/{walletId}/cards"),
    ("GET", "/sandbox/calls?phone="),
    ("POST", "/sandbox/calls/{sid}/answer"),
    ("POST", "/sandbox/calls/{sid}/decline"),
    ("GET", "/sandbox/faults"),
    ("PUT", "/sandbox/faults"),
    ("PUT", "/sandbox/clock"),
    ("POST", "/sandbox/key/rotate"),
    ("POST", "/sandbox/bank/files?name="),
    ("POST", "/sandbox/bank/days"),
    ("GET", "/sandbox/bank/payments"),
    ("GET", "/sandbox/bank/ledger"),
    ("GET", "/sandbox/bank/accounts"),
    ("PUT", "/sandbox/bank/settings"),
    ("PUT", "/sandbox/bank/rulings/{documentNumber}"),
];

pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    let calls = sandbox.exchange().phone_calls(None);
    let (messages, letters) = (sandbox.messages(None), sandbox.letters());
    let arrivals = inbox::arrivals(&messages, &letters);
    let title = view.say("Зовнішній світ у скриньці", "The outside bank in a box");
    let content = html! {
        h1 { (title) }
        p.lead { (view.say(
            "Сюди приходять коди, листи й дзвінки з кабінету, тут платять тестовими картками. Нічого з цього не виходить за межі цієї машини.",
            "Codes, emails and calls from the cabinet arrive here, and test cards are paid with here. None of it leaves this machine.",
        )) }
        @for call in calls.iter().filter(|call| call.status.rings()) { (ringing_phone_call(view, call)) }
        div.columns {
            section aria-labelledby="latest" {
                h2 #latest { (view.say("Останні повідомлення", "Latest messages")) }
                (inbox::list(view, arrivals.iter().take(SHOWN_MAX)))
                @if arrivals.len() > SHOWN_MAX { p { a href=(view.href("/inbox")) { (view.say("Усі повідомлення", "All messages")) } } }
            }
            div { (cards(view)) (interface(view)) }
        }
    };
    view.page(title, "/", Some(LOOK_AGAIN_SECONDS), &content)
}

fn cards(view: View) -> Markup {
    html! {
        section aria-labelledby="cards" {
            h2 #cards { (view.say("Тестові картки", "Test cards")) }
            ul.cards {
                @for known in TestCard::ALL {
                    li { span.number { (grouped(known.number)) } span.outcome { (effect(view, known.behaviour)) } }
                }
            }
            p.aside { (view.say(
                "Будь-який інший номер із правильною контрольною цифрою платить. Строк дії та CVV довільні.",
                "Any other number with a right check digit pays. Expiry and CVV are arbitrary.",
            )) }
        }
    }
}

fn interface(view: View) -> Markup {
    html! {
        section aria-labelledby="interface" {
            h2 #interface { (view.say("Інтерфейс для тестів", "Interface for tests")) }
            ul.interface { @for (method, path) in INTERFACE { li { code { (method) " " (path) } } } }
        }
    }
}
