//! Serves the built pages, which are inside the binary.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Built;

/// Names in this folder contain a hash of the content, so the files never change.
const HASHED: &str = "assets/";

/// Returns a built file. Any other address gets the page, whose router may know it.
pub async fn serve(request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
        )
            .into_response();
    }
    let path = of_icon(request.uri().path().trim_start_matches('/'));
    let name = if Built::get(path).is_some() {
        path
    } else {
        "index.html"
    };
    if name == "index.html" && path != name && is_file(path) {
        // The browser would run a page as the missing script, or draw it as the missing icon.
        return StatusCode::NOT_FOUND.into_response();
    }
    file(name, request.headers())
}

fn file(name: &str, asked: &HeaderMap) -> Response {
    let packed = packed(name, asked).map(|(encoding, file)| (Some(encoding), file));
    let Some((encoding, file)) = packed.or_else(|| Some((None, Built::get(name)?))) else {
        return (
            StatusCode::NOT_FOUND,
            "The pages are not built: run make run",
        )
            .into_response();
    };
    let tag = format!("\"{}\"", base64_of(&file.metadata.sha256_hash()));
    let mut response = if asked
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes())
    {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data).into_response()
    };
    let headers = response.headers_mut();
    let cache = if name.starts_with(HASHED) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type(name)),
    );
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns the file of an icon that browsers and telephones ask for without being told of it; other addresses as they are.
fn of_icon(path: &str) -> &str {
    match path {
        "favicon.ico" => "icons/192.png",
        "apple-touch-icon.png" | "apple-touch-icon-precomposed.png" => "icons/apple.png",
        other => other,
    }
}

/// Whether an address is that of a file: no address of a page has a point, as an ending or at the beginning of a folder (RFC 8615).
fn is_file(path: &str) -> bool {
    path.starts_with(HASHED) || path.contains('.')
}

/// Whether a list of encodings names one with a weight that is not zero (RFC 9110, 12.5.3).
fn accepts(list: &str, encoding: &str) -> bool {
    list.split(',').any(|part| {
        let mut words = part.split(';').map(str::trim);
        let is_named = words
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let weight = words.find_map(|word| {
            let (name, value) = word.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        is_named && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|q| q > 0.0))
    })
}

/// Returns a compressed file in an encoding that the browser accepts. Brotli goes first.
fn packed(name: &str, asked: &HeaderMap) -> Option<(&'static str, EmbeddedFile)> {
    let accepted = asked.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    [("br", ".br"), ("gzip", ".gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(accepted, encoding))
        .find_map(|(encoding, ending)| Some((encoding, Built::get(&format!("{name}{ending}"))?)))
}

fn base64_of(hash: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(hash)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_with_the_weight_zero_is_not_accepted() {
        for (list, is_accepted) in [
            ("br", true),
            ("gzip, BR;q=0.5", true),
            ("gzip,br ; q=0.001", true),
            ("br;q=0", false),
            ("br;q=0.000, gzip", false),
            ("br;q=much", false),
            ("gzip", false),
            ("brotli", false),
            ("", false),
        ] {
            assert_eq!(accepts(list, "br"), is_accepted, "{list}");
        }
    }

    async fn answer(method: Method, path: &str) -> Response {
        let request = Request::builder().method(method).uri(path);
        serve(request.body(Body::empty()).expect("a request")).await
    }

    #[tokio::test]
    async fn other_methods_are_told_what_is_allowed() {
        for method in [Method::OPTIONS, Method::POST, Method::DELETE] {
            let response = answer(method, "/login").await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(response.headers()[header::ALLOW], "GET, HEAD");
        }
    }

    #[test]
    fn icons_are_found_where_nobody_told_of_them() {
        assert_eq!(of_icon("favicon.ico"), "icons/192.png");
        assert_eq!(of_icon("apple-touch-icon.png"), "icons/apple.png");
        assert_eq!(of_icon("me"), "me");
    }

    #[tokio::test]
    async fn a_missing_file_is_no_page() {
        for path in [
            "/favicon.png",
            "/.well-known/change-password",
            "/.well-known/security.txt",
            "/no-such.js",
            "/assets/gone.js",
            "/assets/gone",
            "/old/page.php",
        ] {
            let response = answer(Method::GET, path).await;
            assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
            assert!(
                !response.headers().contains_key(header::CONTENT_TYPE),
                "{path}"
            );
        }
    }
}
