//! What the server's own pages have in common.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// The head of a page and what stands in its body.
pub struct Page<'a> {
    /// The language of its texts.
    pub language: &'a str,
    /// What the browser calls it.
    pub title: &'a str,
    /// Address of its style.
    pub style: &'a str,
    /// Address of its script, if it has one.
    pub script: Option<&'a str>,
    /// The body.
    pub body: Markup,
}

impl Page<'_> {
    /// The page as HTML.
    pub fn html(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    title { (self.title) }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    link rel="stylesheet" href="/fonts.css";
                    link rel="stylesheet" href=(self.style);
                    @if let Some(script) = self.script { script src=(script) defer {} }
                }
                body { (self.body) }
            }
        }
    }
}

/// Answers with a page. `cache` is its `Cache-Control`, `policy` its `Content-Security-Policy`.
pub fn answer(
    status: StatusCode,
    cache: &'static str,
    policy: HeaderValue,
    html: Markup,
) -> Response {
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (status, headers, html.into_string()).into_response()
}

/// Answers with a style or a script of a page.
pub fn file(content_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, content).into_response()
}
