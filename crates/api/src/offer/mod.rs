//! The public offer: a page of its own in both languages, readable without a script and without signing in.
//!
//! The text is the operator's: a plain text file a language. Without one, a sample that says that it is a sample.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_domain::Locale;
use serde::Deserialize;

use crate::extract::Language;
use crate::state::ApiState;

const SAMPLE_UK: &str = include_str!("sample-uk.txt");
const SAMPLE_EN: &str = include_str!("sample-en.txt");
const STYLE: &str = include_str!("style.css");

/// The offer's texts of this installation; `None`: the sample.
#[derive(Clone, Debug, Default)]
pub struct OfferTexts {
    /// In Ukrainian.
    pub uk: Option<String>,
    /// In English.
    pub en: Option<String>,
}

/// Which language is wanted.
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
    let mut response = (
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        document(locale, text),
    )
        .into_response();
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// `GET /offer/style.css`.
pub async fn style() -> Response {
    (
        [
            (header::CONTENT_TYPE, "text/css; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        STYLE,
    )
        .into_response()
}

fn document(locale: Locale, text: &str) -> String {
    let (language, title, back, other, other_name) = match locale {
        Locale::Uk => (
            "uk",
            "Публічна оферта – Кабінет нотаріуса",
            "До кабінету",
            "en",
            "English",
        ),
        Locale::En => (
            "en",
            "Public offer – Notary dashboard",
            "To the dashboard",
            "uk",
            "Українською",
        ),
    };
    format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"stylesheet\" href=\"/fonts.css\"><link rel=\"stylesheet\" href=\"/offer/style.css\"></head><body>\
         <nav><a href=\"/\">{back}</a><a href=\"/offer?language={other}\" lang=\"{other}\">{other_name}</a></nav>\
         <main>{}</main></body></html>",
        body(text)
    )
}

/// Paragraphs by blank lines; a line that begins with `# ` or `## ` is a heading.
fn body(text: &str) -> String {
    let mut html = String::new();
    for block in text.replace("\r\n", "\n").split("\n\n") {
        let block = block.trim();
        if block.is_empty() {
            continue;
        }
        let (tag, block) = match (block.strip_prefix("## "), block.strip_prefix("# ")) {
            (Some(heading), _) => ("h2", heading),
            (_, Some(heading)) => ("h1", heading),
            _ => ("p", block),
        };
        html.push_str(&format!(
            "<{tag}>{}</{tag}>",
            escape(block).replace('\n', "<br>")
        ));
    }
    html
}

/// Text that can't be taken for markup.
pub fn escape(text: &str) -> String {
    text.chars()
        .fold(String::with_capacity(text.len()), |mut safe, char| {
            match char {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                '\'' => safe.push_str("&#39;"),
                other => safe.push(other),
            }
            safe
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_paragraphs_and_no_markup_of_the_text() {
        assert_eq!(
            body("# A\r\n\r\n## B\n\nc & <d>\ne"),
            "<h1>A</h1><h2>B</h2><p>c &amp; &lt;d&gt;<br>e</p>"
        );
    }

    #[test]
    fn the_samples_say_that_they_are_samples() {
        assert!(SAMPLE_UK.contains("ЗРАЗОК") && SAMPLE_EN.contains("SAMPLE"));
    }
}
