//! The common layout and headers of the server's own pages.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

/// A page.
pub struct Page<'a> {
    /// Language code of the texts.
    pub language: &'a str,
    /// Title in the browser.
    pub title: &'a str,
    /// What the page is for, for search engines and for who is sent its link. `None`: it is nobody's but its reader's.
    pub description: Option<&'a str>,
    /// Address of the stylesheet.
    pub style: &'a str,
    /// Address of the script, if any.
    pub script: Option<&'a str>,
    /// Content of the body.
    pub body: Markup,
}

impl Page<'_> {
    /// Returns the page as HTML.
    pub fn html(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    title { (self.title) }
                    @if let Some(description) = self.description {
                        meta name="description" content=(description);
                    }
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

/// Returns the answer with a page. `cache` is its `Cache-Control`, `policy` its `Content-Security-Policy`.
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

/// Returns the answer with a stylesheet or a script of a page.
pub fn file(content_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, content).into_response()
}
