//! What all pages share: language, head, ribbon, navigation.

use axum::http::header::{
    ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse as _, Response};
use cabinet_domain::{Locale, Money};
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};
use serde::Deserialize;

/// No scripts, and no pictures or styles of other origins. There is no `form-action`, because a payment ends at the merchant.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'";

/// The query parameter of the language.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct LanguageQuery {
    pub(crate) lang: Option<String>,
}

/// The language of a page, and whether the address names it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) locale: Locale,
    chosen: bool,
}

impl View {
    /// Takes the language of `?lang=`, else the first known one of `Accept-Language`, else Ukrainian.
    pub(crate) fn of(lang: Option<&str>, headers: &HeaderMap) -> Self {
        if let Some(locale) = lang.and_then(Locale::parse) {
            return Self {
                locale,
                chosen: true,
            };
        }
        let accepted = headers
            .get(ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let mut tags = accepted.split(',').filter_map(|part| part.trim().get(..2));
        Self {
            locale: tags.find_map(Locale::parse).unwrap_or_default(),
            chosen: false,
        }
    }

    /// Returns the text in this language.
    pub(crate) fn say<'a>(self, uk: &'a str, en: &'a str) -> &'a str {
        match self.locale {
            Locale::Uk => uk,
            Locale::En => en,
        }
    }

    /// Returns a path of the sandbox with the chosen language.
    pub(crate) fn href(self, path: &str) -> String {
        let joint = if path.contains('?') { '&' } else { '?' };
        if self.chosen {
            format!("{path}{joint}lang={}", self.locale.code())
        } else {
            path.to_owned()
        }
    }

    /// Formats a sum with its currency.
    pub(crate) fn sum(self, kopiykas: i64) -> String {
        let number = Money::from_kopiykas(kopiykas)
            .map_or_else(|_| "?".to_owned(), |sum| sum.display(self.locale));
        format!("{number}\u{a0}{}", self.say("грн", "UAH"))
    }

    /// Formats a moment in Kyiv time, to the second.
    pub(crate) fn moment(self, at: Timestamp) -> String {
        in_kyiv(at, "%d.%m.%Y, %H:%M:%S")
    }

    /// Formats a moment in Kyiv time, to the minute.
    pub(crate) fn until(self, at: Timestamp) -> String {
        in_kyiv(at, "%d.%m.%Y, %H:%M")
    }

    /// Renders a page with the sandbox's navigation, which reloads every `refresh` seconds.
    pub(crate) fn page(
        self,
        title: &str,
        path: &str,
        refresh: Option<u32>,
        content: &Markup,
    ) -> Response {
        self.page_with_status(StatusCode::OK, title, path, refresh, content)
    }

    /// Renders a page like [`Self::page`] with a status.
    pub(crate) fn page_with_status(
        self,
        status: StatusCode,
        title: &str,
        path: &str,
        refresh: Option<u32>,
        content: &Markup,
    ) -> Response {
        let links = [
            ("/", self.say("Огляд", "Overview")),
            ("/inbox", self.say("Повідомлення", "Messages")),
            ("/phone", self.say("Телефон", "Phone")),
            ("/payments", self.say("Платежі", "Payments")),
            ("/sandbox/bank", self.say("Банк", "Bank")),
        ];
        let body = html! {
            header.top {
                div.top-inner {
                    a.brand href=(self.href("/")) { img src="/assets/icon.svg" alt="" width="28" height="28"; (self.say("Пісочниця", "Sandbox")) }
                    nav aria-label=(self.say("Сторінки", "Pages")) {
                        @for (address, name) in links {
                            a href=(self.href(address)) aria-current=[(address == path).then_some("page")] { (name) }
                        }
                    }
                    (self.languages(path))
                }
            }
            main.wide { (content) }
        };
        respond(status, &self.document(title, refresh, &body))
    }

    /// Renders a page of the acquirer or the bank, without the sandbox's navigation.
    pub(crate) fn bank_page(
        self,
        status: StatusCode,
        title: &str,
        path: &str,
        refresh: Option<u32>,
        content: &Markup,
    ) -> Response {
        let body = html! {
            main.bank { (content) }
            footer.bank-foot { (self.languages(path)) }
        };
        respond(status, &self.document(title, refresh, &body))
    }

    fn languages(self, path: &str) -> Markup {
        html! {
            span.languages {
                @for (locale, name) in [(Locale::Uk, "Українська"), (Locale::En, "English")] {
                    @if locale == self.locale { span aria-current="true" lang=(locale.code()) { (name) } }
                    @else { a href={ (path) "?lang=" (locale.code()) } lang=(locale.code()) hreflang=(locale.code()) { (name) } }
                }
            }
        }
    }

    fn document(self, title: &str, refresh: Option<u32>, body: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.locale.code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    meta name="color-scheme" content="light dark";
                    @if let Some(seconds) = refresh { meta http-equiv="refresh" content=(seconds); }
                    title { (title) " · " (self.say("Тестове середовище", "Sandbox")) }
                    link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                    link rel="stylesheet" href="/assets/sandbox.css";
                }
                body {
                    aside.ribbon aria-label=(self.say("Тестове середовище", "Sandbox")) { strong { (self.say("Тестове середовище / Sandbox.", "Sandbox / Тестове середовище.")) } " " (self.say("Справжні гроші не рухаються.", "No real money moves.")) }
                    (body)
                }
            }
        }
    }
}

/// Formats a moment in Kyiv time.
fn in_kyiv(at: Timestamp, form: &str) -> String {
    at.in_tz("Europe/Kyiv")
        .map_or_else(|_| at.to_string(), |at| at.strftime(form).to_string())
}

fn respond(status: StatusCode, document: &Markup) -> Response {
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, Html(document.0.clone())).into_response()
}

/// The page of an unknown path.
pub(super) async fn not_found(headers: HeaderMap) -> Response {
    let view = View::of(None, &headers);
    let title = view.say("Такої сторінки немає", "There is no such page");
    let content = html! {
        h1 { (title) }
        p { a href=(view.href("/")) { (view.say("До огляду пісочниці", "To the sandbox overview")) } }
    };
    view.bank_page(
        StatusCode::NOT_FOUND,
        title,
        "/",
        None,
        &html! { section.sheet { (content) } },
    )
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_address_outranks_the_browser_and_ukrainian_is_the_default() {
        let mut headers = HeaderMap::new();
        assert_eq!(View::of(None, &headers).locale, Locale::Uk);
        headers.insert(
            ACCEPT_LANGUAGE,
            HeaderValue::from_static("de-DE, en-GB;q=0.8, uk;q=0.5"),
        );
        assert_eq!(View::of(None, &headers).locale, Locale::En);
        assert_eq!(View::of(Some("uk"), &headers).locale, Locale::Uk);
        assert_eq!(View::of(Some("xx"), &headers).locale, Locale::En);
    }
}
