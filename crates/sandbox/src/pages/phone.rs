//! The page of the telephone.

use axum::extract::{Form, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{LanguageQuery, View};
use super::inbox::LOOK_AGAIN_SECONDS;
use crate::sandbox::Sandbox;
use crate::voice::{PhoneCall, PhoneCallStatus};

/// How many ended calls are shown.
const SHOWN_MAX: usize = 20;

pub(super) async fn show(
    State(sandbox): State<Sandbox>,
    Query(query): Query<LanguageQuery>,
    headers: HeaderMap,
) -> Response {
    let view = View::of(query.lang.as_deref(), &headers);
    let calls = sandbox.exchange().phone_calls(None);
    let (ringing, past): (Vec<&PhoneCall>, Vec<&PhoneCall>) =
        calls.iter().partition(|call| call.status.rings());
    let title = view.say("Телефон", "Phone");
    let content = html! {
        h1 { (title) }
        @if ringing.is_empty() {
            p.empty { (view.say("Ніхто не дзвонить. Сторінка оновлюється сама.", "Nobody is calling. This page renews itself.")) }
        }
        @for call in ringing { (ringing_phone_call(view, call)) }
        @if !past.is_empty() {
            h2 { (view.say("Попередні дзвінки", "Earlier calls")) }
            ol.calls {
                @for call in past.into_iter().take(SHOWN_MAX) {
                    li {
                        p.meta { strong { (call.phone) } time datetime=(call.started_at) { (view.moment(call.started_at)) } span.state { (state(view, call.status)) } }
                        @for words in &call.heard { p.heard { "«" (words) "»" } }
                    }
                }
            }
        }
    };
    view.page(title, "/phone", Some(LOOK_AGAIN_SECONDS), &content)
}

/// Shows a ringing call, with a button for each way to answer or decline it, and a field where more than one key is asked for.
pub(super) fn ringing_phone_call(view: View, call: &PhoneCall) -> Markup {
    let asks_for_keys = call.keys() > 1;
    let buttons = [
        (
            "1",
            !asks_for_keys,
            view.say("Відповісти й натиснути 1", "Answer and press 1"),
        ),
        (
            "2",
            false,
            view.say("Натиснути іншу клавішу", "Press another key"),
        ),
        (
            "silence",
            false,
            view.say("Відповісти й мовчати", "Answer and stay silent"),
        ),
        ("busy", false, view.say("Зайнято", "Busy")),
        (
            "no-answer",
            false,
            view.say("Не відповідати", "Do not answer"),
        ),
    ];
    html! {
        section.ringing {
            img.handset src="/assets/handset.svg" alt="" width="56" height="56";
            div {
                h2 { (view.say("Дзвонить телефон", "Ringing:")) " " (call.phone) }
                form method="post" action={ "/phone/" (call.sid) } {
                    input type="hidden" name="lang" value=(view.locale.code());
                    @if asks_for_keys {
                        label {
                            (view.say("Клавіші: 1, а потім цифри з екрана входу", "Keys: 1, and then the digits of the login page")) " "
                            input type="text" name="keys" inputmode="numeric" pattern="[0-9]*" maxlength=(call.keys()) size="4" autocomplete="off";
                        }
                        button.button.main type="submit" name="answer" value="keys" { (view.say("Відповісти й натиснути їх", "Answer and press them")) }
                    }
                    @for (value, main, name) in buttons {
                        button.button.main[main].quiet[!main] type="submit" name="answer" value=(value) { (name) }
                    }
                }
            }
        }
    }
}

fn state(view: View, status: PhoneCallStatus) -> &'static str {
    match status {
        PhoneCallStatus::Queued | PhoneCallStatus::Ringing => view.say("дзвонить", "ringing"),
        PhoneCallStatus::InProgress => view.say("розмова", "answered"),
        PhoneCallStatus::Completed => view.say("завершено", "completed"),
        PhoneCallStatus::Busy => view.say("зайнято", "busy"),
        PhoneCallStatus::Failed => view.say("не вдалося", "failed"),
        PhoneCallStatus::NoAnswer => view.say("без відповіді", "no answer"),
        PhoneCallStatus::Canceled => view.say("скасовано", "called off"),
    }
}

#[derive(Deserialize)]
pub(super) struct Answer {
    answer: String,
    /// The keys that were typed.
    keys: Option<String>,
    lang: Option<String>,
}

pub(super) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(sid): Path<String>,
    headers: HeaderMap,
    Form(form): Form<Answer>,
) -> Response {
    let view = View::of(form.lang.as_deref(), &headers);
    // If the call has ended meanwhile, the page shows it, so the result is not needed.
    match form.answer.as_str() {
        "busy" => {
            sandbox
                .decline_phone_call(&sid, PhoneCallStatus::Busy)
                .await
        }
        "no-answer" => {
            sandbox
                .decline_phone_call(&sid, PhoneCallStatus::NoAnswer)
                .await
        }
        "keys" => {
            let keys = form.keys.as_deref().unwrap_or_default();
            sandbox.answer_phone_call(&sid, keys).await
        }
        "silence" => sandbox.answer_phone_call(&sid, "").await,
        digits => sandbox.answer_phone_call(&sid, digits).await,
    };
    Redirect::to(&view.href("/phone")).into_response()
}
