//! The messages and letters that arrived.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use cabinet_domain::Phone;
use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::View;
use crate::mail::Letter;
use crate::sandbox::Sandbox;
use crate::sms::Message;

/// Seconds after which the inbox reloads.
pub(super) const LOOK_AGAIN_SECONDS: u32 = 3;
/// Messages and letters on the page.
const SHOWN_MAX: usize = 50;
/// Digits of a one-time code.
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

/// Something that arrived.
#[derive(Clone, Copy)]
pub(super) enum Arrival<'a> {
    Message(&'a Message),
    Letter(&'a Letter),
}

impl Arrival<'_> {
    const fn sent_at(&self) -> Timestamp {
        match self {
            Arrival::Message(message) => message.sent_at,
            Arrival::Letter(letter) => letter.sent_at,
        }
    }
}

/// Merges messages and letters, newest first.
pub(super) fn arrivals<'a>(messages: &'a [Message], letters: &'a [Letter]) -> Vec<Arrival<'a>> {
    let mut arrivals: Vec<Arrival<'_>> = messages
        .iter()
        .map(Arrival::Message)
        .chain(letters.iter().map(Arrival::Letter))
        .collect();
    arrivals.sort_by_key(|arrival| std::cmp::Reverse(arrival.sent_at()));
    arrivals
}

#[derive(Deserialize)]
pub(super) struct InboxQuery {
    lang: Option<String>,
    phone: Option<String>,
}

pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Query(query): Query<InboxQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    let phone = query
        .phone
        .as_deref()
        .and_then(|text| Phone::parse(text).ok());
    let messages = sandbox.messages(phone.as_ref());
    // Letters have no phone, so the filter hides them.
    let letters = if phone.is_none() {
        sandbox.letters()
    } else {
        Vec::new()
    };
    let title = view.say("Повідомлення", "Messages");
    let content = html! {
        h1 { (title) }
        @if let Some(phone) = &phone {
            p { (view.say("Лише для", "Only to")) " " strong { (phone.as_str()) } ". "
                a href=(view.href("/inbox")) { (view.say("Показати всі", "Show all")) } }
        }
        (list(view, arrivals(&messages, &letters).iter().take(SHOWN_MAX)))
    };
    view.page(title, "/inbox", Some(LOOK_AGAIN_SECONDS), &content)
}

/// Lists messages and letters. The code of a message stands in large type.
pub(super) fn list<'a>(view: View, arrivals: impl Iterator<Item = &'a Arrival<'a>>) -> Markup {
    let arrivals: Vec<&Arrival<'_>> = arrivals.collect();
    html! {
        @if arrivals.is_empty() {
            p.empty { (view.say("Повідомлень ще немає. Сторінка оновлюється сама.", "No messages yet. This page renews itself.")) }
        }
        ol.messages {
            @for arrival in arrivals {
                @match arrival {
                    Arrival::Message(message) => (message_entry(view, message)),
                    Arrival::Letter(letter) => (letter_entry(view, letter)),
                }
            }
        }
    }
}

fn message_entry(view: View, message: &Message) -> Markup {
    html! {
        li.message {
            p.meta {
                a href=(view.href(&format!("/inbox?phone={}", message.phone.trim_start_matches('+')))) { (message.phone) }
                span { (message.service) }
                time datetime=(message.sent_at) { (view.moment(message.sent_at)) }
            }
            @if let Some(code) = code(&message.text) {
                p.code { span.visually-hidden { (view.say("Код", "Code")) " " } (code) }
            }
            p.text { (message.text) }
        }
    }
}

fn letter_entry(view: View, letter: &Letter) -> Markup {
    html! {
        li.message {
            p.meta {
                span { (view.say("Лист на", "Email to")) " " (letter.to) }
                time datetime=(letter.sent_at) { (view.moment(letter.sent_at)) }
            }
            p { strong { (letter.subject) } }
            p.text { (letter.text) }
        }
    }
}

/// Returns the first run of 4 to 8 digits.
fn code(text: &str) -> Option<&str> {
    text.split(|char: char| !char.is_ascii_digit())
        .find(|run| CODE_DIGITS.contains(&run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_found_and_other_numbers_are_not() {
        assert_eq!(
            code("Код входу: 0471. Не кажіть його нікому."),
            Some("0471")
        );
        assert_eq!(code("3 спроби, код 482915"), Some("482915"));
        assert_eq!(code("Дзвоніть 380441234567"), None);
        assert_eq!(code("Без коду"), None);
    }
}
