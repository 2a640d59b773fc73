//! The public offer, in both languages, without a script and without signing in.
//!
//! The operator provides the text as a plain text file for each language. Without it, a sample marked as a sample is shown.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use cabinet_domain::Locale;
use maud::{Markup, html};
use serde::Deserialize;

use super::layout::{self, Page};
use crate::http::extract::Language;
use crate::state::ApiState;

const SAMPLE_UK: &str = include_str!("sample-uk.txt");
const SAMPLE_EN: &str = include_str!("sample-en.txt");
const STYLE: &str = include_str!("style.css");

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; report-uri /api/csp-report; report-to csp",
);

/// Query of the page.
#[derive(Default, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    language: String,
}

/// `GET /offer`.
pub async fn page(
    State(state): State<ApiState>,
    Language(accepted): Language,
    Query(wanted): Query<Wanted>,
) -> Response {
    let locale = Locale::parse(&wanted.language).unwrap_or(accepted);
    let texts = &state.settings.offer;
    let text = match locale {
        Locale::Uk => texts.uk.as_deref().unwrap_or(SAMPLE_UK),
        Locale::En => texts.en.as_deref().unwrap_or(SAMPLE_EN),
    };
    layout::answer(StatusCode::OK, "no-cache", POLICY, document(locale, text))
}

/// `GET /offer/style.css`.
pub async fn style() -> Response {
    layout::file("text/css; charset=utf-8", STYLE)
}

fn document(locale: Locale, text: &str) -> Markup {
    let (language, title, description, back, other, other_name) = match locale {
        Locale::Uk => (
            "uk",
            "Публічна оферта – Кабінет нотаріуса",
            "Умови, за якими кабінет нотаріуса приймає сплату адміністративних зборів, державного мита та інших платежів клієнтів.",
            "До кабінету",
            "en",
            "English",
        ),
        Locale::En => (
            "en",
            "Public offer – Notary dashboard",
            "The terms on which the notary dashboard takes payments of administrative fees, state duty and other payments of clients.",
            "To the dashboard",
            "uk",
            "Українською",
        ),
    };
    let page = Page {
        language,
        title,
        description: Some(description),
        style: "/offer/style.css",
        script: None,
        body: html! {
            nav {
                a href="/" { (back) }
                a href={ "/offer?language=" (other) } lang=(other) { (other_name) }
            }
            main { (paragraphs(text)) }
        },
    };
    page.html()
}

/// Converts plain text into HTML. Blank lines separate paragraphs; a paragraph that begins with `# ` or `## ` is a heading.
fn paragraphs(text: &str) -> Markup {
    let text = text.replace("\r\n", "\n");
    let blocks = text.split("\n\n").map(str::trim);
    html! {
        @for block in blocks.filter(|block| !block.is_empty()) {
            @if let Some(heading) = block.strip_prefix("## ") { h2 { (lines(heading)) } }
            @else if let Some(heading) = block.strip_prefix("# ") { h1 { (lines(heading)) } }
            @else { p { (lines(block)) } }
        }
    }
}

fn lines(block: &str) -> Markup {
    html! {
        @for (number, line) in block.split('\n').enumerate() {
            @if number > 0 { br; }
            (line)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_paragraphs_and_no_markup_of_the_text() {
        assert_eq!(
            paragraphs("# A\r\n\r\n## B\n\nc & <d>\ne").into_string(),
            "<h1>A</h1><h2>B</h2><p>c &amp; &lt;d&gt;<br>e</p>"
        );
    }

    #[test]
    fn the_samples_say_that_they_are_samples() {
        assert!(SAMPLE_UK.contains("ЗРАЗОК") && SAMPLE_EN.contains("SAMPLE"));
    }
}
