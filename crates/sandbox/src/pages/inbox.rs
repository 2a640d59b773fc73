//! The messages that arrived.

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use cabinet_domain::Phone;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::View;
use crate::sandbox::Sandbox;
use crate::world::Message;

/// Seconds between two looks at the inbox.
pub(super) const LOOK_AGAIN_SECONDS: u32 = 3;
/// Messages on the page.
const SHOWN_MAX: usize = 50;
/// Digits of a one-time code.
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 4..=8;

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
    let title = view.say("Повідомлення", "Messages");
    let content = html! {
        h1 { (title) }
        @if let Some(phone) = &phone {
            p { (view.say("Лише для", "Only to")) " " strong { (phone.as_str()) } ". "
                a href=(view.href("/inbox")) { (view.say("Показати всі", "Show all")) } }
        }
        (list(view, messages.iter().take(SHOWN_MAX)))
    };
    view.page(title, "/inbox", Some(LOOK_AGAIN_SECONDS), &content)
}

/// Messages, newest first, the code of each in big type.
pub(super) fn list<'a>(view: View, messages: impl Iterator<Item = &'a Message>) -> Markup {
    let messages: Vec<&Message> = messages.collect();
    html! {
        @if messages.is_empty() {
            p.empty { (view.say("Повідомлень ще немає. Сторінка оновлюється сама.", "No messages yet. This page renews itself.")) }
        }
        ol.messages {
            @for message in messages {
                li.message {
                    p.meta {
                        a href=(view.href(&format!("/inbox?phone={}", message.phone.trim_start_matches('+')))) { (message.phone) }
                        time datetime=(message.sent_at) { (view.moment(message.sent_at)) }
                    }
                    @if let Some(code) = code(&message.text) {
                        p.code { span.visually-hidden { (view.say("Код", "Code")) " " } (code) }
                    }
                    p.text { (message.text) }
                }
            }
        }
    }
}

/// The first run of 4 to 8 digits.
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
